"""How much script the first page loads, compressed; fails above the limit. ``make test`` calls this."""

import gzip
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

DIST = Path(__file__).parent.parent / "web" / "dist"
LIMIT = 100_000  # bytes
SCRIPT = re.compile(r'(?:src|href)="/(\S+\.js)"')


def main() -> int:
    names = SCRIPT.findall((DIST / "index.html").read_text())
    sizes = {name: len(gzip.compress((DIST / name).read_bytes(), 9)) for name in names}
    table = Table("script of the first page", "bytes, compressed")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        table.add_row(name, f"{size:,}")
    table.add_row("all", f"{sum(sizes.values()):,} of at most {LIMIT:,}")
    Console().print(table)
    return int(not names or sum(sizes.values()) > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
