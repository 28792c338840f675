"""The pages of docs/measurements as the programs that measure write them; tools/measurements.py shows them."""

import json
from pathlib import Path
from typing import Any

Page = dict[str, Any]
Section = dict[str, Any]


def save(path: Path, page: Page) -> None:
    """Write a page. If it exists already, it keeps its sections with other titles, and its title if that differs."""
    if path.exists():
        page = _joined(json.loads(path.read_text(encoding="utf-8")), page)
    path.write_text(json.dumps(page, indent=2) + "\n", encoding="utf-8")


def section(path: Path | None, title: str) -> Section | None:
    """A section that was saved before."""
    if path is None or not path.exists():
        return None
    found: list[Section] = json.loads(path.read_text(encoding="utf-8"))["sections"]
    return next((one for one in found if one["title"] == title), None)


def sums(before: list[dict[str, Any]], rows: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """The numbers of the rows with the same ``key``, added up."""
    added = {row[key]: dict(row) for row in before}
    for row in rows:
        known = added.setdefault(row[key], {key: row[key]})
        known |= {name: known.get(name, 0) + value for name, value in row.items() if name != key}
    return list(added.values())


def _joined(old: Page, new: Page) -> Page:
    fresh = {one["title"]: one for one in new["sections"]}
    sections = [fresh.pop(one["title"], one) for one in old["sections"]]
    head = new if new["title"] == old["title"] else old
    return head | {"sections": [*sections, *fresh.values()]}
