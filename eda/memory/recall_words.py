"""What a text is cut into, for search: words as people write them, each character of a script without spaces alone."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["STOP_WORDS", "split"]

_SPACELESS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PLAIN = re.compile(r"[A-Za-z0-9]+")
_ANY = re.compile(rf"[{_SPACELESS}]|(?:(?![{_SPACELESS}])[^\W_])+")

STOP_WORDS = frozenset(
    """a about after again all also am an and any are as at be because been before being between both but by can could
    d did do does doing don down during each few for from further had has have having he her here hers him his how i if
    in into is it its just ll m me more most my no nor not now of off ok okay on once only or other our out over own re
    s same say says said she should so some such t tell than that the their them then there these they think this those
    through to too uh um under until up us ve very was we well were what when where which while who whom whose why will
    with would yeah you your yours
    describe discuss discussed discussion opinion summarise summarize summary talk talked thought""".split()  # noqa: SIM905 - read as text
)
"""English words that carry no weight beside others: grammar, and the words with which people ask about a talk."""


def split(text: str) -> list[str]:
    """The words of a text as written, in order. NUL, lone surrogates, emoji and punctuation only divide words."""
    if text.isascii():
        return _PLAIN.findall(text)
    return _ANY.findall(unicodedata.normalize("NFC", text))
