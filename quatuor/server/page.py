"""The built page: one HTML file for every address of the page, and its assets."""

from pathlib import Path

from starlette.responses import FileResponse, PlainTextResponse, Response

from quatuor.server.errors import problem

FOREVER = {"cache-control": "public, max-age=31536000, immutable"}  # the name changes with the content
ASK = {"cache-control": "no-cache"}
NOT_BUILT = "The page has not been built yet. Run `make setup` in the repository, then reload.\n"


def serve(folder: Path, path: str) -> Response:
    """The file at this path, or the page itself, which knows its own addresses."""
    index = folder / "index.html"
    if not index.is_file():
        return PlainTextResponse(NOT_BUILT, 503)
    if "\0" in path:
        return problem("not_found")
    try:
        file = (folder / path).resolve()
        found = bool(path) and file.is_relative_to(folder.resolve()) and file.is_file()
    except OSError:  # a name longer than the file system allows
        return problem("not_found")
    if found:
        return FileResponse(file, headers=FOREVER if path.startswith("assets/") else ASK)
    if path.startswith("assets/") or path == "api":
        return problem("not_found")
    return FileResponse(index, headers=ASK)
