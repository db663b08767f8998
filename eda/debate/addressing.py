"""`Addressing`: finds whom a message addresses, and whether it asks them a question."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from eda.text import regex

# Begins with a letter and no word boundary, so that the engine can skip from `m` to `m`.
_MESSAGE_ID = regex(r"m([0-9]{1,9})\b")
_SENTENCE_END = regex(r"[.!?](?=[\s*_\"”’)]|\Z)|\n")
_NICKNAME = regex(r"[\"“'‘(]([^\"”'’()]{2,30})[\"”'’)]")
# What says who a member is: "Maya, who spoke first, is wrong".
_BESIDE = regex(
    r"[*_]*,\s+(?:(?:who|whose|whom|which)\b|(?:the|an?|our|my|his|her|their)\s"
    r"(?:(?!\b(?:am|is|are|was|were|has|have|had|will|would|do|does|did|can|could|may|must|should)\b)[^,.!?\n]){1,40},)",
    "I",
)
# May stand before the name: "Second, Rosa, in m6 you ask", "And Rosa, what would you do?".
_COUNTED = r"(?:(?:(?:first|second|third|fourth|fifth|last|lastly|finally),|and|but)\s+)?"
# A question to one person, behind a sentence of the same paragraph.
_ASKS_YOU = regex(
    r"(?:(?<=[.!])[\"”’)]?[ \t]+)(?=[^.!?\n]*\byou\b(?! (?:all|both|two|three|people|know|see)\b))[^.!?\n]*\?",
    "I",
)
_SHORTEST = 3  # Letters of a part of a title by which a member can be addressed.


class Addressing:
    """Finds whom a message addresses: `@Name`, a sentence that begins `Name, ...`, or one that ends `..., Name?`.

    A question with "you" asks the one member whom the sentence before it names, where the text addresses nobody else.
    A sentence may count before the name: `Second, Name, ...`. One that begins `Name, Other: ...` addresses both. Names
    may be in bold. A last name does as well, and a nickname inside the title, where only one member has it.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._calls = lru_cache(maxsize=64)(lambda text: tuple(self._read_calls(text)))  # asked about for each member
        parts = {name: _parts(name) for name in names}
        shared = Counter(part.lower() for each in parts.values() for part in each)
        self._by_lower = {
            part.lower(): name for name, each in parts.items() for part in each if shared[part.lower()] == 1
        } | {name.lower(): name for name in names}
        alternatives = "|".join(re.escape(name) for name in sorted(self._by_lower, key=len, reverse=True))
        self._name = re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)
        one, joint = rf"(?:,\s+(?:{alternatives}))", r",?\s+(?:and|or|&)\s+"
        further = rf"((?:[*_]*(?:,\s+|{joint})[*_]*(?:{alternatives}))*)"
        self._pattern = re.compile(
            rf"@({alternatives})\b"
            rf"|(?:^[*_]*|(?<=[.!?:\n])[ \t]*[*_]*){_COUNTED}({alternatives}){further}[*_]*[,:][*_]*(?=\s)"
            rf"|,\s*[*_]*({alternatives})[*_]*\?",
            re.IGNORECASE | re.MULTILINE,
        )
        # "So tell me, Maya: who pays?" No name in a list: "Did Kofi, Maya, and Ruth agree?"
        self._amid = re.compile(
            rf"(?i),\s+({alternatives})[,:](?!\s+(?:and|or|&|{alternatives})\W)\s[^.!?\n]{{0,300}}\?"
        )
        # What makes a list of names that are spoken of: "Maya, Tomas and Ruth agree".
        self._listed = re.compile(
            rf"[*_]*(?:{one}*{joint}(?:{alternatives})|{one}+{joint}I)\b(?![*_]*[,:])", re.IGNORECASE
        )

    def read(
        self, talk: str, text: str, speaker: str, number: int, own: Callable[[int], bool]
    ) -> tuple[str | None, int | None]:
        """Return whom message `number` addresses, by its talk or, without any, the whole; and which one it answers."""
        return self.find(talk.strip() or text, speaker), self.answered(talk, number, own)

    def find(self, text: str, speaker: str) -> str | None:
        """Return the first member of whom `text` asks a question, else the only one that it addresses; no `speaker`.

        None where it speaks to several and asks nobody: it is no more one's than another's.
        """
        called = self.called(text, speaker)
        asked = next((name for name in called if self.asks(text, name)), None)
        return asked or (called[0] if len(called) == 1 else None)

    def called(self, text: str, speaker: str) -> list[str]:
        """Return the members that `text` addresses, in order; no `speaker`."""
        return list(dict.fromkeys(name for name, _ in self._calls(text) if name != speaker))

    def asks(self, text: str, name: str) -> bool:
        """Return whether a sentence of `text` that addresses `name` asks, or else one that names it amid a question."""
        amid = (self._by_lower[match[1].lower()] for match in self._amid.finditer(text))
        return (name, True) in self._calls(text) or ((name, False) in self._calls(text) and name in amid)

    def _read_calls(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield each member that `text` addresses, and whether the sentence that does so is a question."""
        lowered = text.lower()
        if not any(name in lowered for name in self._by_lower):
            return
        called: set[str] = set()
        for match in self._pattern.finditer(text):
            end = _SENTENCE_END.search(text, match.end() - 1)
            asks = end is not None and end[0] == "?"
            if match[2] and (
                self._listed.match(text, match.end(2))
                or (not asks and (text[: match.start()].endswith(":") or _BESIDE.match(text, match.end(2))))
            ):
                continue  # it may speak of that member, not to it
            named = next(group for group in match.groups() if group)
            for name in (named, *self._name.findall(match[3] or "")):
                called.add(self._by_lower[name.lower()])
                yield self._by_lower[name.lower()], asks
        for question in _ASKS_YOU.finditer(text):
            begins = max(text.rfind(mark, 0, question.start() - 1) for mark in ".!?\n") + 1
            before = {self._by_lower[name.lower()] for name in self._name.findall(text[begins : question.start()])}
            if len(before) == len(called | before) == 1 and not self._name.search(question[0]):
                yield before.pop(), True

    @staticmethod
    def answered(text: str, number: int, own: Callable[[int], bool] = lambda _: False) -> int | None:
        """The first message before `number` that `text` names (`m12`) and that is not the speaker's `own`, or None."""
        for match in _MESSAGE_ID.finditer(text):
            begins = match.start() == 0 or not text[match.start() - 1].isalnum()
            if begins and 0 < (named := int(match[1])) < number and not own(named):
                return named
        return None


@lru_cache(maxsize=64)
def addressing_of(*names: str) -> Addressing:
    """Return the `Addressing` of these members."""
    return Addressing(names)


def _parts(name: str) -> list[str]:
    """Return the parts of a title by which its member may be addressed: the last name, and each nickname."""
    last = _NICKNAME.sub(" ", name).split()
    parts = [*_NICKNAME.findall(name), *(last[-1:] if len(last) > 1 else [])]
    return [part for part in parts if len(part) >= _SHORTEST]
