"""The built page: one HTML file for every address of the page, and its assets."""

import mimetypes
from pathlib import Path

from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

from quatuor.server.errors import problem

FOREVER = {"cache-control": "public, max-age=31536000, immutable"}  # the name changes with the content
UNCHANGING = ("assets/", "kit/")
ASK = {"cache-control": "no-cache"}
mimetypes.add_type("text/javascript", ".mjs")
mimetypes.add_type("application/wasm", ".wasm")
mimetypes.add_type("application/manifest+json", ".webmanifest")
NOT_BUILT = "The page has not been built yet. Run `make setup` in the repository, then reload.\n"


def serve(folder: Path, path: str, encodings: str = "", head: str = "") -> Response:
    """The file at this path, or the page itself, which knows its own addresses.

    ``encodings``: what the client accepts. A file with a compressed twin beside it (``.br``) is sent as that.
    ``head``: tags to add to the page.
    """
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
        headers = FOREVER if path.startswith(UNCHANGING) else ASK
        return _compressed(file, headers, encodings) or FileResponse(file, headers=headers)
    if path.startswith(UNCHANGING) or path == "api":
        return problem("not_found")
    if head:
        return HTMLResponse(index.read_text().replace("</head>", f"  {head}\n  </head>", 1), headers=ASK)
    return FileResponse(index, headers=ASK)


def _compressed(file: Path, headers: dict[str, str], encodings: str) -> Response | None:
    """The file as it was compressed when the page was built; None if it was not, or the client cannot read that."""
    small = file.with_name(f"{file.name}.br")
    if not small.is_file():
        return None
    if "br" not in {name.partition(";")[0].strip() for name in encodings.split(",")}:
        return FileResponse(file, headers={**headers, "vary": "accept-encoding"})
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return FileResponse(
        small, headers={**headers, "content-encoding": "br", "vary": "accept-encoding"}, media_type=kind
    )
