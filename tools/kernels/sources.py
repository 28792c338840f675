"""What a library is made from: the modules with its kernels, all they import from the package, and the compiler."""

import ast
import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

from quatuor import KERNEL_FOLDERS
from quatuor.kernel.library import PACKAGE


def compiler() -> dict[str, str]:
    """The releases of the packages that compile, and a digest of the files beside this one."""
    files = sorted(file for file in Path(__file__).parent.iterdir() if file.suffix in (".py", ".c"))
    found = hashlib.sha256(b"".join(file.read_bytes().replace(b"\r\n", b"\n") for file in files))
    return {"numba": version("numba"), "llvmlite": version("llvmlite"), "tools": found.hexdigest()[:16]}


def sources(modules: list[str]) -> list[str]:
    """The paths of these modules and of those that they import, in the folders that have kernels."""
    waiting, found = {file for module in modules if (file := _file(module))}, set()
    while waiting:
        file = waiting.pop()
        found.add(file)
        waiting |= _imports(file) - found
    found.discard(PACKAGE / "kernel" / "library.py")  # it only loads them
    folders = {file.parent for file in found}
    data = {
        file for folder in folders for file in folder.iterdir() if file.is_file() and file.suffix not in (".py", ".pyc")
    }  # kernels may use tables read from files
    return sorted(str(file.relative_to(PACKAGE).as_posix()) for file in found | data)


@cache
def _imports(path: Path) -> set[Path]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
        elif isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        else:
            continue
        found |= {file for name in names if (file := _file(name))}
    return found


def _file(module: str) -> Path | None:
    """The file of a module in one of the folders; None for all others."""
    package, *parts = module.split(".")
    if package != "quatuor" or not parts or parts[0] not in KERNEL_FOLDERS:
        return None
    path = PACKAGE.joinpath(*parts)
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None
