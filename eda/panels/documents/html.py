"""Reads HTML: headings, paragraphs, lists and tables of the main part, without menus, scripts and forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from eda.panels.documents.document import Document, Headed, Source

if TYPE_CHECKING:
    from resiliparse.parse.html import DOMContext

_HIDDEN = frozenset(
    {"script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "svg", "head", "iframe"}
)
"""Elements whose text is no part of a page's own text. A header inside the main part is."""
_MAIN = frozenset({"main", "article"})
_BLOCKS = frozenset(
    {"p", "div", "section", "article", "main", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "dt", "dd"}
    | {"table", "caption", "tr", "blockquote", "pre", "br", "hr", "figcaption"}
)
_ELEMENT, _TEXT = 1, 3
"""Types of nodes, as the standard of the DOM numbers them."""
_CELLS = frozenset({"td", "th"})
_DECLARED = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)


class _Page:
    """Collects the paragraphs of a page, each with the level of its heading and whether it is in the main part."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, int, bool]] = []
        self._text: list[str] = []
        self._open: list[tuple[int, str, bool]] = []  # elements: how deep, what, and whether hidden
        self._level = self._hidden = self._main = 0

    def begin(self, context: DOMContext) -> None:
        """Take a node in."""
        node: Any = context.node
        self.leave(context.depth)
        if node.type == _TEXT and not self._hidden:
            self._text.append(node.value)
        elif node.type == _ELEMENT:
            tag = node.tag
            if tag in _BLOCKS:
                self.end()
            if tag in _CELLS and any(piece.strip() for piece in self._text[-2:]):
                self._text.append(" | ")
            if tag == "li":
                self._text.append("- ")
            if re.fullmatch("h[1-6]", tag):
                self._level = int(tag[1])
            unseen = node.hasattr("hidden") or node.getattr("aria-hidden") == "true"
            hidden = unseen or (tag in _HIDDEN and not (tag == "header" and self._main))
            self._open.append((context.depth, tag, hidden))
            self._hidden += hidden
            self._main += tag in _MAIN

    def leave(self, depth: int) -> None:
        """End the elements that are as deep, or deeper."""
        while self._open and self._open[-1][0] >= depth:
            _, tag, hidden = self._open.pop()
            if tag in _BLOCKS:
                self.end()
            self._hidden -= hidden
            self._main -= tag in _MAIN

    def end(self) -> None:
        """End a paragraph."""
        text = " ".join("".join(self._text).split())
        if text and text != "-":
            self.parts.append((text, self._level, self._main > 0))
        self._text, self._level = [], 0


def read(source: Source) -> Document:
    """Return the text of the main part where the page marks one, else of the whole page.

    Raises:
        EdaError: the page holds no text.
    """
    from resiliparse.parse.html import HTMLTree, traverse_dom  # noqa: PLC0415 - slow to import, and hardly ever needed

    page, text = _Page(), Headed()
    try:
        declared = _DECLARED.search(source.raw[:2_000])
        raw = source.raw.decode(declared[1].decode()).encode() if declared else source.raw
        tree: Any = HTMLTree.parse(source.file.decoded(raw))
        traverse_dom(tree.document, page.begin)
    except (LookupError, UnicodeError) as error:  # an encoding that cannot be read
        raise source.file.fault(f"is broken HTML: {error}", "Save the page anew, as UTF-8, or its text.") from error
    page.leave(0)
    main = [part for part in page.parts if part[2]]
    if not all(text.add(part, level) for part, level, _ in main or page.parts):
        raise source.file.fault("holds too much text", "Give the part that matters.")
    document = text.document(source.name)
    if not document.text:
        raise source.file.fault("is a page without text", "Pages made by scripts have none: save the text itself.")
    return document
