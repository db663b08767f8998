"""The documents at the table: their lines, and which of them a message cites."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from eda.panels.documents.document import Document, citing
from eda.text import lower, plain_low, regex

_QUOTED = regex(r'"([^"\n]{12,400})"')
_FEWEST_WORDS = 3  # Words of a quotation that can be looked up: fewer stand anywhere.


class Citations:
    """Finds what a message cites of documents: by a file's name, with its place or without, or in its words."""

    def __init__(self, documents: Sequence[Document] = ()) -> None:
        self._documents = documents
        self._plain = [plain_low(each.text) for each in documents]
        self._named = citing(tuple(each.name for each in documents)) if documents else None

    def of(self, talk: str) -> list[dict[str, Any]]:
        """Return what cites in a talk, in order: its words, the document, its first and last line (0: none)."""
        places, at = [], 0
        for start, end, document, first, last in sorted(self._found(plain_low(talk))):
            if start >= at:
                places.append({"words": talk[start:end], "document": document, "line": first, "last": last})
                at = end
        return places

    def _found(self, plain: str) -> Iterator[tuple[int, int, int, int, int]]:
        if self._named is None:
            return
        names = [lower(each.name) for each in self._documents]
        for match in self._named.finditer(plain):
            document = names.index(match["name"])
            line = self._documents[document].begins(int(match["after"] or match["before"] or 0))
            yield *match.span(), document, line, line
        for match in _QUOTED.finditer(plain):
            words = match[1].strip(" .,;:!?").split()
            wanted = r"\s+".join(map(re.escape, words))
            for document, text in enumerate(self._plain):
                place = re.search(wanted, text) if len(words) >= _FEWEST_WORDS else None
                if place:
                    first = text.count("\n", 0, place.start()) + 1
                    yield *match.span(), document, first, first + place[0].count("\n")
                    break


def documents_of(documents: Sequence[Document]) -> list[dict[str, Any]]:
    """Return the documents for a page: each line with the place by which it is cited."""
    return [
        {
            "name": each.name,
            "size": each.size,
            "remark": each.remark,
            "lines": [[text, each.place(line, line)] for line, text in enumerate(each.text.split("\n"), 1)],
        }
        for each in documents
    ]
