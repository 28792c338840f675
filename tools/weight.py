"""How much script the first page loads, and how large the kit for play without a server is, both compressed.

Fails above a limit. ``make test`` calls this.
"""

import gzip
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

DIST = Path(__file__).parent.parent / "web" / "dist"
LIMIT = 65_000  # bytes, by gzip
KIT_LIMIT = 5_000_000  # bytes, by Brotli
SCRIPT = re.compile(r'(?:src|href)="/(\S+\.js)"')


def main() -> int:
    names = SCRIPT.findall((DIST / "index.html").read_text())
    scripts = {name: len(gzip.compress((DIST / name).read_bytes(), 9)) for name in names}
    kit = {file.stem: file.stat().st_size for file in DIST.glob("kit/*/*.br")}
    passed = [
        _shown("script of the first page", scripts, LIMIT),
        _shown("kit for play without a server", kit, KIT_LIMIT),
    ]
    return int(not all(passed))


def _shown(title: str, sizes: dict[str, int], limit: int) -> bool:
    """Print the sizes of some files; whether there are any, and together they stay below the limit."""
    table = Table(title, "bytes, compressed")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        table.add_row(name, f"{size:,}")
    table.add_row("all", f"{sum(sizes.values()):,} of at most {limit:,}")
    Console().print(table)
    return 0 < sum(sizes.values()) <= limit


if __name__ == "__main__":
    sys.exit(main())
