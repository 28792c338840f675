"""The Smart Game Format as such: a tree of nodes with properties, read and written without a word about any game.

(;GM[Blokus Duo];B[e8,d9,e9,f9,e10]C[A bold start.](;W[i4,h5,i5,j5,i6])(;W[j5,j6,j7]))
"""

import re
from dataclasses import dataclass, field

LONGEST = 1_000_000  # characters
_SPACE = re.compile(r"\s*")
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


def parse_tree(text: str) -> Node:
    """The root of the one tree in a text; SgfError says where it is damaged and how."""
    if len(text) > LONGEST:
        raise SgfError((1, 1), f"a file has at most {LONGEST} characters, this has {len(text)}")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    at = _skip(text, 0)
    if text[at : at + 1] != "(":
        raise SgfError(_where(text, at), "a game begins with '(;'")
    above = Node()  # of the root
    last, opened = above, []  # the node that a new one follows; those at which variations began, with their places
    while True:
        mark = text[at : at + 1]
        if mark == "(":
            opened.append((last, at))
            at = _skip(text, at + 1)
            if text[at : at + 1] != ";":
                raise SgfError(_where(text, at), "after '(' a node must follow, which begins with ';'")
        elif mark == ";":
            node = Node(where=_where(text, at))
            last.children.append(node)
            last = node
            at = _properties(text, _skip(text, at + 1), node)
        elif mark == ")":
            last, _ = opened.pop()
            at = _skip(text, at + 1)
            if not opened:
                break
        elif not mark:
            raise SgfError(_where(text, opened[-1][1]), "the file ends before this '(' is closed")
        else:
            raise SgfError(_where(text, at), f"{mark!r} where a node, a variation or the end was expected")
    if at < len(text):
        raise SgfError(_where(text, at), "something follows the end of the game; one file holds one game")
    return above.children[0]


def _properties(text: str, at: int, node: Node) -> int:
    """Read the properties of a node; return where they end."""
    while name := _NAME.match(text, at):
        if name[0] in node.properties:
            raise SgfError(_where(text, at), f"the property {name[0]} stands twice in one node")
        values = node.properties[name[0]] = []
        at = _skip(text, name.end())
        while text[at : at + 1] == "[":
            value = _VALUE.match(text, at)
            if value is None:
                raise SgfError(_where(text, at), f"the value of {name[0]} is not closed by ']'")
            values.append(_ESCAPED.sub(lambda found: "" if found[1] == "\n" else found[1], value[1]))
            at = _skip(text, value.end())
        if not values:
            raise SgfError(_where(text, at), f"the property {name[0]} has no value in brackets")
    return at


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


def _skip(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _where(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
