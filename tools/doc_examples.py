"""Examples in the guide: marks for doctest and for other readers of Markdown are not shown.

A hook of the docs build takes ``<BLANKLINE>`` out of the pages. An extension of Griffe, which reads docstrings for the
API reference, shows their examples as code.
"""

import re
from typing import Any

from griffe import Docstring, Extension, Object

BLANK = re.compile(r"^( *)<BLANKLINE>$", re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")
INLINE = re.compile(r"(?<!<pre>)(?<!<span></span>)<code>[^<\n]+</code>")
OPTION = re.compile(r"(?<=[ >])(--?[a-z][a-z-]*)")
END = re.compile(r"\n\n(?= *```$)", re.MULTILINE)  # doctest takes a fence for output unless a blank line ends it
EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!>>> )\S.*\n?|^ +\S.*\n?)*)+", re.MULTILINE)


def shown(text: str) -> str:
    """A page or a docstring without the marks of doctest."""
    return BLANK.sub("", text)


def on_page_markdown(markdown: str, **kwargs: Any) -> str:
    """Called by the docs build for every page."""
    lines = (unescaped(line) if line.startswith("|") else line for line in shown(markdown).split("\n"))
    return END.sub("\n", "\n".join(lines))


def unescaped(row: str) -> str:
    """A row of a table. Other readers of Markdown want ``\\|`` inside code; this one would show the backslash."""
    return CODE.sub(lambda code: code[0].replace("\\|", "|"), row)


def on_page_content(html: str, **kwargs: Any) -> str:
    """Called by the docs build for every page: an option such as ``--seat`` is not broken after its hyphens."""
    return INLINE.sub(lambda code: OPTION.sub(r'<span class="option">\1</span>', code[0]), html)


def fenced(text: str) -> str:
    """A docstring with its examples as blocks of code."""
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", shown(text))


COMMENT = re.compile(r"  # (.+)$")


class Examples(Extension):
    """Reads docstrings for the API reference. The comment behind a field of a class is its description."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        text = obj.docstring.value if obj.docstring is not None else ""
        if not text and obj.is_attribute and obj.lines and (found := COMMENT.search(obj.lines[0])):
            text = found[1].removesuffix("  # fmt: skip")
        if text:
            obj.docstring = Docstring(fenced(text), parent=obj, lineno=obj.lineno, endlineno=obj.endlineno)
