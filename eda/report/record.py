"""Checks a model's sentence against the record: its numbers, names, dates and words of decision must stand there.

The record is the count (texts, votes, reasons on ballots, members) and the messages that the sentence cites; where it
cites none, a sentence of any message that shares its words. What is in doubt is left out and named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from eda.text import normalise, sentences, words

_STEM = 5
_SHARED = 2
"""A sentence of the record with this many of a sentence's content words, beside the word in doubt, bears it out."""
_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty""".split()  # noqa: SIM905 - read as text
_TENS = "thirty forty fifty sixty seventy eighty ninety hundred".split()  # noqa: SIM905 - read as text
_SPELLED = {word: float(number) for number, word in enumerate(_SMALL)}
_SPELLED |= {word: float(number) for number, word in zip(range(30, 101, 10), _TENS, strict=True)}
_SPELLED |= {"half": 0.5, "dozen": 12.0, "twice": 2.0, "double": 2.0, "triple": 3.0}
_REFERENCE = re.compile(r"\b(?:m|messages? (?:no\. ?|#)?)(\d+)\b", re.IGNORECASE)
_ID = re.compile(r"(?<![\w.])[opdn]\d+(?:[.@]\d+)?(?!\w)")
_NUMBER = re.compile(
    rf"(?<![\w.])(\d[\d,]*(?:\.\d+)?)\s?(k|m|bn|million|billion|thousand)?(?![\w])|"
    rf"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(?=[a-z%€-])|\b({'|'.join(sorted(_SPELLED, key=len, reverse=True))})\b",
    re.IGNORECASE,
)
_TIMES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
_OF_VOTES = re.compile(
    r"(?:of|to|out of|votes?|voters?|members?|people|panel\w*|seats?|ballots?|accept\w*|against|for|abstain\w*|"
    r"messages?|texts?|options?|choices?|proposals?|dissent\w*|others?|colleagues?|put)\b", re.IGNORECASE
)  # fmt: skip
_DATE = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|june|july|august|sept(?:ember)?|october|november|december|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|yesterday|tonight|christmas|easter|summer|winter|autumn|"
    r"q[1-4]|(?:next|last|this) (?:week|month|quarter|year))\b|\bMay\b(?= \d|[,.;]|$| at| and)|(?<=in )May\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[^.!?:\s] )[\"'(]*([A-Z][\w&'-]+)|\b([A-Z]{2,}s?)\b|\b([a-z]+[A-Z]\w*)")
_NO_NAMES = frozenset("i i'm i'd i'll i've m p o a an the yes no".split())  # noqa: SIM905 - read as text
_DECIDES = re.compile(
    r"\b(?:(decid)(?:e[sd]?|ing)|(decision)s?|(unanim)(?:ous(?:ly)?|ity)|(consensus)|(agree)(?:[sd]|ing|ments?)?|"
    r"(accept)(?:s|ed|ance)?|(approv)(?:e[sd]?|al)|(adopt)(?:s|ed|ion)?|(endors)(?:e[sd]?|ement)|(vot)(?:e[sd]?|ing)|"
    r"(chose|chosen)|(cho)oses?|(select)(?:s|ed)?|(elect)(?:s|ed)|(reject)(?:s|ed|ion)?|(veto)(?:e[sd])?|"
    r"(block)(?:s|ed)|(withdr)(?:aw[sn]?|ew|awal)|(conced)(?:e[sd]?)|(concession)s?|(convinc)(?:e[sd]?|ing)|"
    r"(persuad)(?:e[sd]?)|(sway)(?:s|ed)|(commit)(?:s|ted|ment)s?|(promis)(?:e[sd]?)|(pledg)(?:e[sd]?)|"
    r"(resolv)(?:e[sd]?)|(settl)(?:e[sd]?)|(sign)(?:s|ed) off|(authoris|authoriz)(?:e[sd]?)|(ratif)(?:y|ie[sd])|"
    r"(conclud)(?:e[sd]?)|(abstain)(?:s|ed)?|(dropp)ed|(gave) up|(chang)(?:e[sd]?|ing) (?:his|her|their|its) minds?|"
    r"(won) (?:over|round)|(rall)ied|(switch)(?:es|ed)|(sided)|(back)(?:s|ed)|(support)(?:s|ed))\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:unanim\w+|consensus|all (?:of )?(?:the |its |our )?(?:\w+ )?(?:members?|voters?|panel\w*|agreed?|voted)|"
    r"all (?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b|everyone|everybody|each member|every member|"
    r"the whole panel|the entire panel|no one (?:objected|dissented|opposed)|nobody (?:objected|dissented|opposed)|"
    r"without (?:dissent|objection|opposition)|no (?:dissent|objections?))\b",
    re.IGNORECASE,
)
_PANEL = re.compile(
    r"\b(?:panel|group|team|members|majority|table|we|they|vote|ballot|outcome|verdict)\b", re.IGNORECASE
)
_DENIED = re.compile(
    r"\b(?:no|not|none|nobody|nothing|never|neither|without|yet|undecided|cannot|\w+n't|fail(?:s|ed) to)\b"
    r"(?:[^\w,]+\w+){0,3}[^\w,]*$", re.IGNORECASE
)  # fmt: skip
_POSSIBLE = re.compile(
    r"\b(?:to|should|would|could|must|can|may|might|will|shall|whether|if|until|before|unless|once|how|who|what)\b"
    r"(?:[^\w,;]+\w+){0,3}[^\w,;]*$", re.IGNORECASE
)  # fmt: skip
_BACKS = frozenset("agree accept approv endors back support adopt sided sign chose cho select vot".split())  # noqa: SIM905
_AGAINST = frozenset(["reject", "veto", "block"])


@dataclass(frozen=True, slots=True)
class Record:
    """What a sentence may rest on."""

    messages: Mapping[int, str]
    """What a reader sees of each message."""
    speakers: Mapping[int, str]
    count: str
    """Question, options, texts, the verdict in sentences, reasons on ballots, names and roles."""
    votes: Mapping[str, str | None]
    """The words of each member's first choice; None for an abstention."""
    accepts: frozenset[str] = frozenset()
    """Who accepts the text decided."""
    decided: tuple[str, ...] = ()
    """The texts decided and adopted; empty where nothing was."""
    blocks: frozenset[str] = frozenset()
    """Who blocks something."""
    totals: frozenset[float] = frozenset()
    """How many votes, voters, members and messages there were."""
    moved: Mapping[str, int | None] = field(default_factory=dict)
    """Whose votes differ, with the message that each names."""

    def unproved(self, sentence: str, cited: Iterable[int] = ()) -> str:
        """Return what of a sentence the record lacks: a number, name, date or word; empty where it has all."""
        plain = normalise(sentence)
        numbers = [*cited, *(int(digits[:9]) for digits in _REFERENCE.findall(plain))]
        known = [number for number in numbers if number in self.messages]
        bare = _ID.sub(" ", _REFERENCE.sub(" ", plain))
        grounds = _Grounds(self, known, bare)
        return grounds.number() or grounds.date() or grounds.name() or grounds.decision()


class _Grounds:
    """What one sentence may rest on."""

    def __init__(self, record: Record, cited: Sequence[int], text: str) -> None:
        self.record, self.text, self.cited = record, text, cited
        self.own = _stems(text)
        self.numbers = cited or list(record.messages)
        messages = [normalise(record.messages[number]) for number in self.numbers]
        self.free = not cited
        """True if nothing is cited: then a word must stand among others of the sentence."""
        self.told = [part for message in messages for part in _parts(message)]
        self.counted = _parts(normalise(record.count))

    def number(self) -> str:
        for match in _NUMBER.finditer(self.text):
            value = _value(match)
            if (match[4] or "").lower() == "one" or value is None:
                continue
            around = self.text[max(0, match.start() - 8) : match.start()], self.text[match.end() :].lstrip(" -")
            votes = _OF_VOTES.match(around[1]) or re.search(r"\b(?:of|to|by|other|all)\s$", around[0], re.IGNORECASE)
            if votes and value in self.record.totals:
                continue
            if not self._borne(partial(_has_value, value), _stems(around[1][:24])):
                return match[0].strip()
        return ""

    def date(self) -> str:
        for match in _DATE.finditer(self.text):
            day = match[0].lower()[:4]
            if not self._borne(partial(_has_word, day), frozenset()):
                return match[0]
        return ""

    def name(self) -> str:
        everything = " ".join((*self.told, *self.counted)).lower()
        for groups in _NAME.findall(self.text):
            name = next(filter(None, groups)).lower().removesuffix("'s").strip("'")
            if (
                name not in _NO_NAMES
                and not _DATE.fullmatch(name)
                and not re.search(rf"(?<!\w){re.escape(name)}", everything)
            ):
                return str(next(filter(None, groups)))
        return ""

    def decision(self) -> str:
        """Return the word of decision that nobody took, or the claim about all that the votes do not bear out."""
        every = _ALL.search(self.text)
        voters = {who for who, choice in self.record.votes.items()}
        if every and not _DENIED.search(self.text[: every.start()]):
            united = bool(self.record.decided) and bool(voters) and voters <= self.record.accepts
            if not (united or self._standing(every[0])):
                return every[0]
        for match in _DECIDES.finditer(self.text):
            if not self._taken(match):
                return match[0]
        return ""

    def _taken(self, match: re.Match[str]) -> bool:
        verb = next(filter(None, match.groups())).lower()
        before = re.split(r"[;:]\s|, (?:and|but|while|because)\b", self.text[: match.start()])[-1]
        denied = _DENIED.search(before)
        if denied:
            return not self.record.decided or self._standing(match[0]) or not _PANEL.search(before)
        if _POSSIBLE.search(before):
            return True
        who = self._members(before)
        if who:
            return all(self._did(member, verb) for member in who)
        if self._standing(match[0]):
            return True
        of_panel = _PANEL.search(before) or re.search(r"\b\d+ of \d+|\b(?:\w+) (?:of|to) \w+ (?:members|votes)", before)
        about = any(
            len(self.own & _stems(text)) >= min(_SHARED, len(_stems(text)) or 1) for text in self.record.decided
        )
        generic = verb in ("vot", "decision", "decid", "abstain") and bool(self.record.votes)
        return (
            bool(of_panel) and (about or generic) and bool(self.record.decided) and verb not in ("convinc", "persuad")
        )

    def _members(self, before: str) -> list[str]:
        """Return the members that are the subject of a verb: those named last before it."""
        low = before.lower()
        return [who for who in self.record.votes if re.search(rf"(?<!\w){re.escape(who.lower())}(?!\w|'s)", low)]

    def _did(self, who: str, verb: str) -> bool:
        """Return whether a member did that: in its own shown words, its acts, or its ballot."""
        own = [self.record.messages[n] for n in self.numbers if self.record.speakers.get(n) == who]
        words_of = " ".join(own).lower()
        if re.search(rf"\b{verb}", words_of) and any(
            len(self.own & _stems(part)) >= _SHARED
            for text in own
            for part in _parts(normalise(text))
            if verb in part.lower()
        ):
            return True
        choice = self.record.votes.get(who)
        on = bool(choice) and len(self.own & _stems(choice or "")) >= min(_SHARED, len(_stems(choice or "")) or 1)
        decided = any(len(self.own & _stems(text)) >= _SHARED for text in self.record.decided)
        if verb in _BACKS:
            return on or (decided and who in self.record.accepts) or "supports " in words_of
        if verb in _AGAINST:
            return who in self.record.blocks if verb in ("block", "veto") else "opposes " in words_of
        if verb == "abstain":
            return choice is None
        if verb in ("chang", "switch", "convinc", "persuad", "sway", "won", "rall"):
            return who in self.record.moved and (not self.cited or self.record.moved[who] in self.cited)
        return False

    def _standing(self, word: str) -> bool:
        """Return whether a sentence of the record has the word among others of this sentence."""
        stem = word.lower()[:_STEM]
        return self._borne(partial(_has_word, stem), frozenset(), both=True)

    def _borne(self, has: Callable[[str], bool], beside: frozenset[str], *, both: bool = False) -> bool:
        """Return whether a cited message or the count has it; uncited, a sentence that shares words with this one."""
        for part in self.told:
            if has(part) and ((not self.free and not both) or self._shares(part, beside)):
                return True
        return any(has(part) and self._shares(part, beside) for part in self.counted)

    def _shares(self, part: str, beside: frozenset[str]) -> bool:
        stems = _stems(part)
        return bool(beside & stems) or len(self.own & stems) >= _SHARED


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in words(text) if not word.isdigit())


def _parts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def _value(match: re.Match[str]) -> float | None:
    if match[4]:
        return _SPELLED[match[4].lower()]
    digits = (match[1] or match[3]).replace(",", "")
    return float(digits) * _TIMES.get((match[2] or "").lower(), 1.0) if digits else None


def _has_word(begin: str, part: str) -> bool:
    return re.search(rf"\b{re.escape(begin)}", part.lower()) is not None


def _has_value(value: float, part: str) -> bool:
    return value in _values(part)


def _values(text: str) -> set[float]:
    return {value for match in _NUMBER.finditer(text) if (value := _value(match)) is not None}
