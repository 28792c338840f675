"""The machines that libraries are built for, as data."""

from typing import NamedTuple


class Target(NamedTuple):
    """A machine: its names for LLVM and for zig, which links."""

    triple: str
    cpu: str
    features: str
    zig: str
    ending: str


_WASM = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"

TARGETS = {  # by folder, as quatuor/kernel/library.py looks for them
    "linux-x86_64-v2": Target("x86_64-unknown-linux-gnu", "x86-64-v2", "", "x86_64-linux-gnu.2.17", "so"),
    "linux-x86_64-v3": Target("x86_64-unknown-linux-gnu", "x86-64-v3", "", "x86_64-linux-gnu.2.17", "so"),
    "linux-aarch64": Target("aarch64-unknown-linux-gnu", "generic", "", "aarch64-linux-gnu.2.17", "so"),
    "macos-arm64": Target("arm64-apple-macosx11.0.0", "apple-m1", "", "aarch64-macos.11.0", "dylib"),
    "windows": Target("x86_64-pc-windows-gnu", "x86-64-v2", "", "x86_64-windows-gnu", "dll"),
    "wasm32": Target("wasm32-unknown-emscripten", "generic", _WASM, "wasm32-emscripten", "so"),
}
WASM, WINDOWS, MACOS = "wasm32", "windows", "macos-arm64"
