"""The Smart Game Format as such: a tree of nodes with properties, read and written without knowing any game.

(;GM[Blokus Duo];B[e8,d9,e9,f9,e10]C[A bold start.](;W[i4,h5,i5,j5,i6])(;W[j5,j6,j7]))
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field

LONGEST = 1_000_000  # characters
_NAME = re.compile(r"[A-Za-z0-9]+")
_VALUE = re.compile(r"\[((?:[^\\\]]|\\.)*)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)


class SgfError(ValueError):
    """A damaged file; the message begins with the line and the column."""

    def __init__(self, where: tuple[int, int], why: str) -> None:
        super().__init__(f"line {where[0]}, column {where[1]}: {why}")
        self.line, self.column = where


@dataclass
class Node:
    """What one move or one setup says; the first child is the main line, the others are variations."""

    properties: dict[str, list[str]] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)
    where: tuple[int, int] = field(default=(1, 1), compare=False)  # line and column in the file

    @property
    def comment(self) -> str:
        return "".join(self.properties.get("C", []))

    def value(self, name: str) -> str | None:
        """The first value of a property."""
        return self.properties[name][0] if name in self.properties else None


def parse_trees(text: str) -> list[Node]:
    """The roots of the trees in a text, at least one; SgfError says where it is damaged and how."""
    if not isinstance(text, str):
        raise TypeError(f"a blksgf file is text, not {type(text).__name__}")
    if len(text) > LONGEST:
        raise SgfError((1, 1), f"a file has at most {LONGEST} characters, this has {len(text)}")
    reader = _Reader(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    roots = [reader.tree()]
    while reader.mark:
        roots.append(reader.tree())
    return roots


class _Reader:
    """Goes through a text once, from mark to mark."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._skip_to(0)

    def tree(self) -> Node:
        """The root of the tree that begins here."""
        if self.mark != "(":
            raise self._error("a game begins with '(;'")
        above = Node()  # of the root
        last, opened = above, []  # the node that a new one follows; those at which variations began, and where
        while True:
            if self.mark == "(":
                opened.append((last, self.at))
                self._skip_to(self.at + 1)
                if self.mark != ";":
                    raise self._error("after '(' a node must follow, which begins with ';'")
            elif self.mark == ";":
                node = self._node()
                last.children.append(node)
                last = node
            elif self.mark == ")":
                last, _ = opened.pop()
                self._skip_to(self.at + 1)
                if not opened:
                    break
            elif not self.mark:
                raise SgfError(self._where(opened[-1][1]), "the file ends before this '(' is closed")
            else:
                raise self._error(f"{self.mark!r} where a node, a variation or the end was expected")
        return above.children[0]

    def _node(self) -> Node:
        node = Node(where=self._where(self.at))
        self._skip_to(self.at + 1)
        while name := _NAME.match(self.text, self.at):
            if name[0] in node.properties:
                raise self._error(f"the property {name[0]} stands twice in one node")
            self._skip_to(name.end())
            node.properties[name[0]] = self._values(name[0])
        return node

    def _values(self, name: str) -> list[str]:
        values = []
        while self.mark == "[":
            value = _VALUE.match(self.text, self.at)
            if value is None:
                raise self._error(f"the value of {name} is not closed by ']'")
            values.append(_ESCAPED.sub(lambda found: "" if found[1] == "\n" else found[1], value[1]))
            self._skip_to(value.end())
        if not values:
            raise self._error(f"the property {name} has no value in brackets")
        return values

    @property
    def mark(self) -> str:
        """The character here; empty at the end."""
        return self.text[self.at : self.at + 1]

    def _skip_to(self, at: int) -> None:
        """Go on to the first mark from here that is not white space."""
        while self.text[at : at + 1].isspace():
            at += 1
        self.at = at

    def _where(self, at: int) -> tuple[int, int]:
        line = bisect_right(self.line_starts, at)
        return line, at - self.line_starts[line - 1] + 1

    def _error(self, why: str) -> SgfError:
        return SgfError(self._where(self.at), why)


def serialise(root: Node) -> str:
    """The text of a tree, a node a line."""
    parts: list[str] = []
    waiting: list[Node | str] = [")", root, "("]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        parts.append(";" + "".join(_property(name, values) for name, values in item.properties.items()) + "\n")
        if len(item.children) == 1:
            waiting.append(item.children[0])
        else:
            for child in reversed(item.children):
                waiting += [")\n", child, "("]
    return "".join(parts) + "\n"


def _property(name: str, values: list[str]) -> str:
    return name + "".join("[" + re.sub(r"([\\\]])", r"\\\1", value) + "]" for value in values)
