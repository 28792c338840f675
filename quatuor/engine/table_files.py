"""Solved positions on disk: computed once, named after everything they depend on, read through memory maps.

A file is a JSON header (what the table is about, and facts found while computing it), padded to a page, then the
array. A table is used only if its header equals the one asked for, so a table of other rules is never used by mistake.
A file gets its name only when it is complete.
"""

import ast
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quatuor.games.hooks import Module, Race, Rounds

HEADER = 4096  # bytes


@dataclass(frozen=True)
class Table:
    """An array, and facts found while computing it."""

    array: npt.NDArray[Any]
    facts: dict[str, Any]


def data_root() -> Path:
    """The folder of all tables: ``$QUATUOR_DATA`` or the user's data folder."""
    chosen = os.environ.get("QUATUOR_DATA")
    if not chosen:
        import platformdirs  # not there in a browser, where the folder is always given

        chosen = platformdirs.user_data_dir("quatuor")
    return Path(chosen) / "tables"


@cache
def fingerprint(*modules: Module) -> str:
    """A digest of the code of these modules; layout, comments and docstrings do not count."""
    digest = hashlib.sha256()
    for module in modules:
        tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
                node.body[0] = ast.Pass()
            elif isinstance(node, ast.Name) and node.id == "rule":
                node.id = "jit"  # they compile the same function; tables from before ``rule`` existed still fit
            elif isinstance(node, ast.alias) and node.name == "rule":
                node.name = "jit"
        digest.update(ast.dump(tree).encode())
    return digest.hexdigest()[:16]


def version(rules: Module, solver: Race | Rounds) -> str:
    """What a solver's tables are named after: the version it declares, else a digest of the code they depend on."""
    declared: str = getattr(solver, "VERSION", "")
    return declared or fingerprint(rules, *solver.MODULES)


def path(about: dict[str, Any]) -> Path:
    """The file of a table."""
    name = hashlib.sha256(_text(about)).hexdigest()[:16]
    return data_root() / str(about["game"]) / f"{about['variant']}-{name}.table"


def load(about: dict[str, Any]) -> Table | None:
    """A table, if its file exists and is complete."""
    file = path(about)
    try:
        with file.open("rb") as stream:
            header = json.loads(stream.read(HEADER))
        if header["about"] != about or file.stat().st_size != HEADER + header["bytes"]:
            return None
        array = np.memmap(file, np.dtype(header["dtype"]), "r", HEADER, tuple(header["shape"]))
    except (OSError, ValueError, KeyError):
        return None
    return Table(array, header["facts"])


def save(about: dict[str, Any], table: Table) -> None:
    """Write a table. Two processes may do so at once: each writes its own file, and the last one to finish stays."""
    array = np.ascontiguousarray(table.array)
    header = _text({
        "about": about,
        "facts": table.facts,
        "dtype": array.dtype.str,
        "shape": list(array.shape),
        "bytes": array.nbytes,
    })  # fmt: skip
    file = path(about)
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".unfinished-", delete=False) as stream:
        try:
            stream.write(header.ljust(HEADER))
            stream.write(array.data)
            stream.flush()
            os.fsync(stream.fileno())
            Path(stream.name).replace(file)
        except BaseException:
            Path(stream.name).unlink()
            raise


def load_or_build(about: dict[str, Any], build: Callable[[], Table]) -> Table:
    """A table from disk, or computed now and written to disk, if that is possible."""
    table = load(about)
    if table is None:
        table = build()
        try:
            save(about, table)
        except OSError:
            return table
    return table


def _text(data: dict[str, Any]) -> bytes:
    return json.dumps(data, sort_keys=True).encode()
