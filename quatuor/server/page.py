"""The built page: one HTML file for every address of the page, and its assets."""

import functools
import gzip
import mimetypes
from pathlib import Path

from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

from quatuor.server.errors import problem

FOREVER = {"cache-control": "public, max-age=31536000, immutable"}  # the name changes with the content
ASSETS = "assets/"
UNCHANGING = (ASSETS, "kit/")
GZIPPED = {"vary": "accept-encoding", "content-encoding": "gzip"}
ASK = {"cache-control": "no-cache"}
COMPRESSED = {"br": ".br", "gzip": ".gz"}  # how the kit is kept; browsers take Brotli from secure addresses only
mimetypes.add_type("text/javascript", ".mjs")
mimetypes.add_type("application/wasm", ".wasm")
mimetypes.add_type("application/manifest+json", ".webmanifest")
NOT_BUILT = "The page has not been built yet. Run `make setup` in the repository, then reload.\n"


def serve(folder: Path, path: str, encodings: str = "", head: str = "") -> Response:
    """The file at this path, or the page itself, which knows its own addresses.

    ``encodings``: what the client accepts; ``head``: tags to add to the page.
    """
    index = folder / "index.html"
    if not index.is_file():
        return PlainTextResponse(NOT_BUILT, 503)
    if "\0" in path:
        return problem("not_found")
    try:
        file = (folder / path).resolve()
        found = _read(file, path, encodings) if path and file.is_relative_to(folder.resolve()) else None
    except OSError:  # a name longer than the file system allows
        return problem("not_found")
    if found:
        return found
    if path.startswith(UNCHANGING) or path == "api":
        return problem("not_found")
    if head:
        return HTMLResponse(index.read_text().replace("</head>", f"  {head}\n  </head>", 1), headers=ASK)
    return FileResponse(index, headers=ASK)


def _read(file: Path, path: str, encodings: str) -> Response | None:
    """The file, or one that is kept compressed only, as the client can read it; None if there is none."""
    headers = FOREVER if path.startswith(UNCHANGING) else ASK
    accepted = {name.partition(";")[0].strip() for name in encodings.split(",")}
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if file.is_file():
        if path.startswith(ASSETS) and "gzip" in accepted:
            content = _compressed(file, file.stat().st_mtime_ns)
            return Response(content, headers={**headers, **GZIPPED}, media_type=kind)
        return FileResponse(file, headers=headers)
    kept = {name: small for name, ending in COMPRESSED.items() if (small := Path(f"{file}{ending}")).is_file()}
    if "gzip" not in kept:
        return None
    headers = {**headers, "vary": "accept-encoding"}
    for name, small in kept.items():
        if name in accepted:
            return FileResponse(small, headers={**headers, "content-encoding": name}, media_type=kind)
    return Response(gzip.decompress(kept["gzip"].read_bytes()), headers=headers, media_type=kind)


@functools.lru_cache(maxsize=1000)
def _compressed(file: Path, changed: int) -> bytes:
    """An asset as it was at this time; compressing some 35 of them for every visitor doubled the server's work."""
    return gzip.compress(file.read_bytes(), mtime=0)
