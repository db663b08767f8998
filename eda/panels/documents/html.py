"""Reads HTML: headings, paragraphs, lists and tables of the main part, without menus, scripts and forms."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

from eda.panels.documents.document import Document, Headed, Source

_HIDDEN = frozenset(
    {"script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "svg", "head", "iframe"}
)
"""Elements whose text is no part of a page's own text. A header inside the main part is."""
_MAIN = frozenset({"main", "article"})
_BLOCKS = frozenset(
    {"p", "div", "section", "article", "main", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "dt", "dd"}
    | {"table", "caption", "tr", "blockquote", "pre", "br", "hr", "figcaption"}
)
_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_CELLS = frozenset({"td", "th"})
_DECLARED = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)


class _Page(HTMLParser):
    """Collects the paragraphs of a page, each with the level of its heading and whether it is in the main part."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[tuple[str, int, bool]] = []
        self._text: list[str] = []
        self._open: list[tuple[str, bool]] = []  # elements, and whether each is hidden
        self._counts = Counter[str]()
        self._level = self._hidden = 0

    @property
    def _in_main(self) -> bool:
        return any(self._counts[tag] for tag in _MAIN)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.end()
        if tag in _CELLS and any(piece.strip() for piece in self._text[-2:]):
            self._text.append(" | ")
        if tag == "li":
            self._text.append("- ")
        if re.fullmatch("h[1-6]", tag):
            self._level = int(tag[1])
        if tag not in _VOID:
            unseen = any(name == "hidden" or (name, value) == ("aria-hidden", "true") for name, value in attrs)
            hidden = unseen or (tag in _HIDDEN and not (tag == "header" and self._in_main))
            self._open.append((tag, hidden))
            self._counts[tag] += 1
            self._hidden += hidden

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.end()
        while self._counts[tag]:
            name, hidden = self._open.pop()
            self._counts[name] -= 1
            self._hidden -= hidden
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._text.append(data)

    def end(self) -> None:
        """End a paragraph."""
        text = " ".join("".join(self._text).split())
        if text and text != "-":
            self.parts.append((text, self._level, self._in_main))
        self._text, self._level = [], 0


def read(source: Source) -> Document:
    """Return the text of the main part where the page marks one, else of the whole page.

    Raises:
        EdaError: the page holds no text.
    """
    page, text = _Page(), Headed()
    try:
        declared = _DECLARED.search(source.raw[:2_000])
        raw = source.raw.decode(declared[1].decode()).encode() if declared else source.raw
        page.feed(source.decode(raw))
        page.close()
    except (AssertionError, LookupError, UnicodeError) as error:  # a declaration or an encoding that cannot be read
        raise source.fault(f"is broken HTML: {error}", "Save the page anew, as UTF-8, or its text.") from error
    page.end()
    main = [part for part in page.parts if part[2]]
    if not all(text.add(part, level) for part, level, _ in main or page.parts):
        raise source.fault("holds too much text", "Give the part that matters.")
    document = text.document(source.name)
    if not document.text:
        raise source.fault("is a page without text", "Pages made by scripts have none: save the text itself.")
    return document
