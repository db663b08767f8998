"""Holds a quotation against the messages that it names: whose each is, and whether it has the words quoted of it."""

from __future__ import annotations

from eda.memory.minutes.model_minutes import find
from eda.memory.parts import Parts
from eda.memory.sentences.claims import read
from eda.text import names, normalise, plain_low, regex
from eda.words import Words

_MESSAGE = regex(r"\bm(\d{1,6})\b")
_QUOTED = regex(r'"([^"\s]+(?:\s+[^"\s]+){2,})"')  # Three words or more.


def source_told(parts: Parts, quote: str, speaker: str, words: Words) -> str:
    """Return what is wrong with the source that a quotation gives by members and messages; empty where nothing is.

    "As Ada said in m8" is a genuine quotation and no source, if m8 is another's, or lacks the words quoted of it.
    """
    named = {who for who in parts.members if names(plain_low(quote), who)}
    numbers = [int(digits) for digits in _MESSAGE.findall(quote) if named and 0 < int(digits) <= parts.recent.count]
    claims = read(quote, parts.record(parts.recent.count)).claims if numbers else ()
    said = {number: each.who for each in claims if each.kind == "author" for number in each.messages}
    for number in numbers:
        message = parts.messages.message(number)
        if message.who not in said.get(number, {*named, speaker}):
            return words.say("report-author", at=f"m{number}", who=message.who)
        if [number] == [*said] == numbers and not _has(message.text, quote):
            return words.say("report-lacks", at=f"m{number}")
    return ""


def _has(text: str, quote: str) -> bool:
    """Return whether a text has what a quotation quotes in it."""
    told = [words for words in _QUOTED.findall(normalise(quote)) if not _MESSAGE.search(words)]
    return all(find(words, text) for words in told)
