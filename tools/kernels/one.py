"""Build one library for some targets: ``python -m tools.kernels.one NAME TARGET…``. It runs in a separate process."""

from tools.kernels import emit  # first: it prepares the compiler

# isort: split
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from quatuor.engine.exported import bindings, exports
from quatuor.games import rulebook
from quatuor.kernel.library import CORE, LIBRARIES, PACKAGE, digest
from tools.kernels.sources import compiler, sources
from tools.kernels.targets import MACOS, TARGETS, WASM, WINDOWS

RUNTIME = Path(__file__).with_name("runtime.c")
ZIG = [sys.executable, "-m", "ziglang"]
MVP = "-mcpu=mvp+bulk_memory+sign_ext+nontrapping_fptoint+mutable_globals"  # zig's default is too new for Node.js 20


def build(name: str, targets: list[str]) -> None:
    """Compile the kernels; write the file that describes the libraries, then a library for each target."""
    began = time.monotonic()
    listed = exports(name)
    files = sources([export.kernel.py_func.__module__ for export in listed])
    entries = {export.symbol: emit.entry(*export[:3]) for export in listed}
    found = digest(files)
    print(f"{name}: {len(entries)} functions compiled in {time.monotonic() - began:.0f} s", flush=True)
    describe(name, found, files)
    for target in sorted(targets, key=WASM.__eq__):
        began = time.monotonic()
        threads = {export.symbol for export in listed if export.threads and target == WASM}
        kept = {symbol: text for symbol, text in entries.items() if symbol not in threads}
        file = LIBRARIES / target / f"{name}-{found}.{TARGETS[target].ending}"
        file.parent.mkdir(parents=True, exist_ok=True)
        link(emit.object_code(kept, target, TARGETS[target]), list(kept), target, file)
        size = file.stat().st_size / 1000
        print(f"{name}: {target}, {size:.0f} kB, {time.monotonic() - began:.0f} s", flush=True)


def describe(name: str, digest: str, files: list[str]) -> None:
    """Write what the libraries of this name are built from, and delete those that were built from something else."""
    about = {"digest": digest, "files": files, "bound": _bound(name), "built_with": compiler()}
    text, file = json.dumps(about, indent=1) + "\n", LIBRARIES / f"{name}.json"
    if not file.is_file() or file.read_text() != text:
        for old in LIBRARIES.glob(f"*/{name}-*"):
            old.unlink()
        LIBRARIES.mkdir(exist_ok=True)
        file.write_text(text)


def _bound(name: str) -> dict[str, list[str | None]]:
    """Against which rules and advice each module was compiled."""
    if name == CORE:
        return {}
    return {
        module.__name__: [rules.__name__, advice and advice.__name__]
        for module, rules, advice in bindings(rulebook(name))
    }


def link(code: bytes, symbols: list[str], name: str, file: Path) -> None:
    """Link an object and the runtime into a shared library."""
    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as folder:
        kernels, runtime, half = (Path(folder, part) for part in ("kernels.o", "runtime.o", file.name))
        kernels.write_bytes(code)
        compiler = [*ZIG, "cc", "-target", target.zig, "-O2", "-fPIC", "-fno-sanitize=all"]
        subprocess.run([*compiler, *([MVP] if name == WASM else []), "-c", RUNTIME, "-o", runtime], check=True)
        if name == WASM:
            options = [
                "-shared",
                "--experimental-pic",
                "--no-entry",
                "--strip-all",
                "-O2",
                "--gc-sections",
                "--allow-undefined",
            ]
            named = [f"--export={symbol}" for symbol in symbols]
            subprocess.run([*ZIG, "wasm-ld", *options, "-o", half, kernels, runtime, *named], check=True)
        else:
            if name == MACOS:  # zig's linker crashes on an object that nothing refers to, but not in an archive
                archive = Path(folder, "runtime.a")
                subprocess.run([*ZIG, "ar", "rcs", archive, runtime], check=True)
                runtime = archive
            alone = ["-nostdlib", "-lucrtbase"] if name == WINDOWS else []  # zig would compile a whole C library first
            named = [f"-Wl,-install_name,@rpath/{file.name}"] if name == MACOS else []  # else the file's path here
            subprocess.run([*compiler, "-shared", "-s", "-o", half, kernels, runtime, *alone, *named], check=True)
        linked = half.read_bytes()
        for path in (folder, sys.prefix, str(PACKAGE)):
            if path.encode() in linked:
                raise RuntimeError(f"{file.name} for {name} holds a path of this machine: {path}")
        file.write_bytes(linked)


if __name__ == "__main__":
    build(sys.argv[1], sys.argv[2:])
