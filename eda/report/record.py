"""Checks a model's sentence against the record: its numbers, names, dates and words of decision must stand there.

The record is the count (texts, votes, reasons on ballots, members) and the messages that the sentence cites; where it
cites none, a sentence of any message that shares its words. What is in doubt is left out and named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eda.memory.minutes.items import plain
from eda.text import normalise, sentences

_STEM = 5
_STOP = frozenset(
    """the and for with that this was were are has have had not its but from they their our will would who what which
    when all one his her she him than then into over under before after because there been can could should about
    also still only""".split()  # noqa: SIM905 - read as text
)
_SHARED = 2
"""A sentence of the record with this many of a sentence's content words, beside the word in doubt, bears it out."""
_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty""".split()  # noqa: SIM905 - read as text
_TENS = "thirty forty fifty sixty seventy eighty ninety hundred".split()  # noqa: SIM905 - read as text
_SPELLED = dict(zip((*_SMALL, *_TENS), map(float, (*range(21), *range(30, 101, 10))), strict=True))
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
    r"(won) (?:over|round)|(rall)ied|(switch)(?:es|ed)(?! (?:on|off)\b)|(sided)|(back)(?:s|ed)|(support)(?:s|ed))\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:unanim\w+|consensus|all (?:of )?(?:the |its |our )?(?:\w+ )?(?:members?|voters?|panel\w*|agreed?|voted)|"
    r"all (?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b|all (?=accept|support|back|stand|endorse|approve)|"
    r"everyone|everybody|each member|every member|(?:stand|be|is|are|was|were)s? united|the whole panel|"
    r"the entire panel|(?:nobody|no one|no (?:member|voter)|none of (?:the |its )?(?:members|voters)) (?:\w+ )?"
    r"(?:object|dissent|oppos|vot|disagree|refus|against)\w*|"
    r"without (?:dissent|objection|opposition)|no (?:dissent|objections?))\b",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"\b(?:nobody|no one|no (?:member|voter))\s+(?:\w+\s+)?(?:accept|support|back|approv|want)\w*", re.IGNORECASE
)  # fmt: skip
_STANDS = re.compile(
    r"\b(?:accept|agree|support|back|behind|stand|want|favou?r|approv|endors|for|against|vot|united|sign|adopt)",
    re.IGNORECASE,
)
"""What one who is counted does; who all do something else is a matter of what was said."""
_ACCEPTS = frozenset("accept approv adopt vot".split())  # noqa: SIM905 - read as text
"""Verbs of the ballot."""
_PANEL = re.compile(
    r"\b(?:panel|group|team|members|majority|table|we|they|vote|ballot|outcome|verdict)\b", re.IGNORECASE
)
_DENIED = re.compile(
    r"\b(?:no|not|none|nobody|nothing|never|neither|without|yet|undecided|cannot|\w+n't|fail(?:s|ed) to)\b"
    r"(?:[^\w,]+\w+){0,3}[^\w,]*$", re.IGNORECASE
)  # fmt: skip
_DENIES = re.compile(r"\b(?:den(?:y|ies|ied)|disput(?:es|ed)) that\b", re.IGNORECASE)
_POSSIBLE = re.compile(
    r"\b(?:to|should|would|could|must|can|may|might|will|shall|whether|if|until|before|unless|once|how|who|what)\b"
    r"(?:[^\w,;]+\w+){0,3}[^\w,;]*$", re.IGNORECASE
)  # fmt: skip
_MOVED = frozenset(["chang", "switch", "convinc", "persuad", "sway", "won", "rall"])
_SUBJECT = re.compile(
    r"([A-Z][a-z]+[a-rt-z])(?<!ing)(?:'s\b|, (?:the|a|an|who)\b|"
    r"(?: from (?:the )?\w+(?: \w+)?)? (?:says|said|told|confirms|warns|notes|argues|leads|owns|wants|will|\w+ed)\b)"
)
"""A first word that looks like a name: singular, without an article, and with a verb of persons behind it."""
_ENDS = re.compile(r"[,;:.]|\b(?:over|instead of|rather than|and|but|because|while|although|after|before)\b")
"""What ends the object of a verb."""
_NOUN = re.compile(rf"(?:\d|'s|\b(?:the|a|an|of|by|in|this|last|first|no|{'|'.join(_SMALL)}))\s$", re.IGNORECASE)
"""What makes `vote` a noun."""
_SPLIT = re.compile(
    rf"\b(\d+|{'|'.join(_SMALL)}) (?:votes? |members? )?(?:out of|of|to) (?:the |its )?(\d+|{'|'.join(_SMALL)})\b",
    re.IGNORECASE,
)


def _parts_of(split: re.Match[str]) -> tuple[float, ...]:
    """Return the two numbers of `250 of the 500`."""
    return tuple(value for word in split.groups() for value in _values(word))


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
    called: Mapping[str, str] = field(default_factory=dict)
    """Names and roles of members, with their titles."""
    majority: bool = False
    """True if more than half of the votes accept the text decided."""
    accepts: frozenset[str] = frozenset()
    """Who accepts the text decided."""
    decided: tuple[str, ...] = ()
    """The texts decided and adopted; empty where nothing was."""
    blocks: frozenset[str] = frozenset()
    """Who blocks something."""
    accepted: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By its words who accepts each text that the ballot offered."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """The words of these texts by their ids."""
    texts: tuple[str, ...] = ()
    """All texts that could be decided, those decided among them."""
    totals: frozenset[float] = frozenset()
    """How many votes, voters, members and messages there were."""
    splits: frozenset[tuple[float, float]] = frozenset()
    """How many of how many voted one way, or one way and another."""
    moved: Mapping[str, int | None] = field(default_factory=dict)
    """Whose votes differ, with the message that each names."""
    denied: tuple[str, ...] = ()
    """The words of claims that somebody denied, or that their author took back."""

    def is_denied(self, quote: str) -> bool:
        """Return whether a quote is nothing but a claim that was denied or taken back."""
        words = plain(quote)
        return any(words in plain(claim) for claim in self.denied)

    def unproved(self, sentence: str, cited: Iterable[int] = ()) -> str:
        """Return what of a sentence the record lacks: a number, name, date or word; empty where it has all."""
        plain = normalise(sentence)
        numbers = [*cited, *(int(digits[:9]) for digits in _REFERENCE.findall(plain))]
        known = [number for number in numbers if number in self.messages]
        bare = _ID.sub(" ", _REFERENCE.sub(" ", plain))
        grounds = _Grounds(self, known, bare)
        grounds.named = [self.ids[number] for number in _ID.findall(plain) if number in self.ids]
        return grounds.number() or grounds.date() or grounds.name() or grounds.decision() or grounds.acceptance()


class _Grounds:
    """What one sentence may rest on."""

    def __init__(self, record: Record, cited: Sequence[int], text: str) -> None:
        self.record, self.text, self.cited = record, text, cited
        self.named: list[str] = []
        """The texts that the sentence names by their ids."""
        self.own = _stems(text)
        self.numbers = cited or list(record.messages)
        messages = [normalise(record.messages[number]) for number in self.numbers]
        self.free = not cited
        """True if nothing is cited: then a word must stand among others of the sentence."""
        self.told = [part for message in messages for part in _parts(message)]
        self.counted = _parts(normalise(record.count))
        self.splits_told = {_parts_of(split) for message in messages for split in _SPLIT.finditer(message)}
        self.parts = (*self.told, *self.counted)

    def number(self) -> str:
        for match in _NUMBER.finditer(self.text):
            value = _value(match)
            if (match[4] or "").lower() == "one" or value is None:
                continue
            split = _SPLIT.search(self.text, max(0, match.start() - 20))
            if split and split.start() <= match.start() < split.end():
                if _parts_of(split) in self.record.splits or _parts_of(split) in self.splits_told:
                    continue
                if not self._standing(split[0]):
                    return split[0]
            before, after = self.text[max(0, match.start() - 8) : match.start()], self.text[match.end() :].lstrip(" -")
            votes = _OF_VOTES.match(after) or re.search(r"\b(?:of|other|all)\s$", before, re.IGNORECASE)
            if not (votes and value in self.record.totals) and not self._borne(value, _stems(after[:24])):
                return match[0].strip()
        return ""

    def date(self) -> str:
        """Return the date that no message has, or none that has a word of this sentence; cited ones suffice."""
        whole = [normalise(self.record.messages[number]) for number in self.numbers] + self.counted
        for match in _DATE.finditer(self.text):
            day = match[0].lower()[:4]
            if not any(_has_word(day, text) and (not self.free or self.own & (_stems(text) - {day})) for text in whole):
                return match[0]
        return ""

    def name(self) -> str:
        everything = " ".join(self.parts).lower()
        begins = [(match[1], "", "") for match in [_SUBJECT.match(self.text)] if match]
        for groups in (*begins, *_NAME.findall(self.text)):
            name = str(next(filter(None, groups)))
            low = name.lower().removesuffix("'s").strip("'")
            known = low in _NO_NAMES or _DATE.fullmatch(name) or _ALL.match(name) or _SPELLED.get(low) is not None
            if not known and not re.search(rf"(?<!\w){re.escape(low)}", everything):
                return name
        return ""

    def decision(self) -> str:
        """Return the word of decision that nobody took, or the claim about all that the votes do not bear out."""
        every = _ALL.search(self.text)
        claimed = every is not None and _DENIED.search(self.text[: every.start()]) is None
        if every and claimed:
            stands = _STANDS.search(every[0]) or _STANDS.search(self.text[every.end() : every.end() + 40])
            about = re.split(_ENDS, self.text[every.end() :])[0]
            if not (self._united(about) or (not stands and self._standing(every[0]))):
                return every[0]
        nobody = _NOBODY.search(self.text)
        if nobody and any(
            map(self.record.accepted.get, self._meant(self.text[nobody.end() :]) or self.record.accepted)
        ):
            return nobody[0]
        return next((match[0] for match in _DECIDES.finditer(self.text) if not self._taken(match)), "")

    def acceptance(self) -> str:
        """Return what the sentence says of who accepts a text, if the ballots say otherwise."""
        meant = self._meant(self.text)
        for match in _SPLIT.finditer(self.text):
            (voters,), (votes,) = map(_values, match.groups())
            told = {len(self.record.accepted[text]) for text in meant}
            cast = sum(choice is not None for choice in self.record.votes.values())
            counts = told and votes == cast and _STANDS.search(self.text)
            if counts and not ({voters, votes - voters} & told):
                return match[0]
        for match in _DECIDES.finditer(self.text) if self.named else ():
            who, verb = self._members(self.text[: match.start()]), next(filter(None, match.groups())).lower()
            alone = verb in _ACCEPTS and not _DENIED.search(self.text[: match.start()])
            if who and alone and not any(self.record.accepted[text].issuperset(who) for text in meant):
                return match[0]
        return ""

    def _meant(self, about: str) -> list[str]:
        """Return the texts that the words are about: those named by id, else those that share the most words."""
        if self.named:
            return self.named
        for stems in (_stems(about), self.own):
            shared = {text: len(stems & _stems(text)) for text in self.record.accepted}
            if most := max(shared.values(), default=0):
                return [text for text in shared if shared[text] == most]
        return []

    def _united(self, about: str = "") -> bool:
        """Return whether all who were asked accept the text that the words are about, else the one decided."""
        record, meant = self.record, self._meant(about) if about.strip() else []
        voters = [record.accepted[text] for text in meant] or [record.accepts]
        return bool(record.decided and record.votes) and any(record.votes.keys() <= each for each in voters)

    def _taken(self, match: re.Match[str]) -> bool:  # noqa: PLR0911 - a return for each kind of subject
        """Return whether the votes or the record bear a word of decision out."""
        verb = next(filter(None, match.groups())).lower()
        before = re.split(r"[;:]\s|, (?:and|but|while|because)\b", self.text[: match.start()])[-1]
        object_of = re.split(_ENDS, self.text[match.end() :])[0]
        who = self._members(before)
        if verb == "vot" and _NOUN.search(before):
            return True
        verb = "reject" if verb == "vot" and object_of.lstrip().startswith("against") else verb
        if who and _DENIES.search(before):
            return self._each_did(who, "deny", object_of, match[0])
        if _DENIED.search(before):
            return self._not_taken(before, verb, object_of, match[0])
        if _POSSIBLE.search(before):
            return True
        if verb in ("unanim", "consensus"):
            return self._united() or self._standing(match[0])
        if self.named and verb in _ACCEPTS:  # `acceptance` holds it against the ballots
            return bool(who or _SPLIT.search(self.text) or set(self.named) & set(self.record.decided))
        if who:
            return self._each_did(who, verb, object_of, match[0])
        return self._standing(match[0]) or self._by_the_panel(before, verb, object_of)

    def _each_did(self, who: list[str], verb: str, object_of: str, word: str) -> bool:
        """Return whether each of the members did it, or said so."""
        return all(self._did(member, verb, object_of) for member in who) or self._told(who, word)

    def _not_taken(self, before: str, verb: str, object_of: str, word: str) -> bool:
        """Return whether the votes or the record bear out that something was not decided."""
        if verb in ("unanim", "consensus"):
            return not self._united()
        if who := self._members(before):
            return self._standing(word) or not any(self._did(member, verb, object_of) for member in who)
        return not self.record.decided or self._standing(word) or not _PANEL.search(before)

    def _by_the_panel(self, before: str, verb: str, object_of: str) -> bool:
        """Return whether the subject is the panel and the outcome bears the verb out."""
        named = any(_stems(object_of) & _stems(text) for text in self.record.texts)
        generic = verb in ("vot", "decision", "decid", "abstain") and not named
        other = tuple(text for text in self.record.texts if text not in self.record.decided)
        about = self._is_about(other if verb in _AGAINST else self.record.decided, object_of)
        return bool(_PANEL.search(before) and self.record.decided) and (about or generic) and verb not in _MOVED

    def _is_about(self, texts: Iterable[str], object_of: str) -> bool:
        """Return whether the object of a verb, else the sentence, shares more words with these texts than others."""
        texts = {*texts}
        for stems in (_stems(object_of), self.own):
            mine = max((len(stems & _stems(text)) for text in texts), default=0)
            others = max((len(stems & _stems(text)) for text in self.record.texts if text not in texts), default=0)
            if mine or others:
                return mine > others
        return False

    def _members(self, before: str) -> list[str]:
        """Return the members that stand before a verb, by title, name or role."""
        low = before.lower()
        names = {**self.record.called, **{who: who for who in self.record.votes}}.items()
        return list({who: 0 for name, who in names if re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w|'s)", low)})

    def _told(self, who: Sequence[str], word: str) -> bool:
        """Return whether one of these members used the word, among others of this sentence, of itself or another."""
        own = (self.record.messages[n] for n in self.numbers if self.record.speakers.get(n) in who)
        parts = (part for text in own for part in _parts(normalise(text)))
        return any(_has_word(word.lower()[:_STEM], part) and len(self.own & _stems(part)) > _SHARED for part in parts)

    def _did(self, who: str, verb: str, object_of: str) -> bool:
        """Return whether a member did that by its acts or its ballot."""
        acts = "\n".join(self.record.messages[n] for n in self.numbers if self.record.speakers.get(n) == who)
        choice = self.record.votes.get(who)
        if verb in _BACKS:
            decided = who in self.record.accepts and self._is_about(self.record.decided, object_of)
            return (
                decided
                or (choice is not None and self._is_about((choice,), object_of))
                or self._acted("supports", acts)
            )
        if verb in _AGAINST:
            refuses = who in self.record.votes and who not in self.record.accepts
            refuses = refuses and self._is_about(self.record.decided, object_of)
            return who in self.record.blocks if verb in ("block", "veto") else refuses or self._acted("opposes", acts)
        if verb == "abstain":
            return who in self.record.votes and choice is None
        if verb in _MOVED:
            return who in self.record.moved and (not self.cited or self.record.moved[who] in self.cited)
        acted = {"withdr": "withdraws", "deny": "denies"}.get(verb)
        return acted is not None and self._acted(acted, acts)

    def _acted(self, act: str, shown: str) -> bool:
        """Return whether a line of acts has this one, in a cited message or among words of this sentence."""
        lines = [line for line in shown.split("\n") if line.startswith(f"{act} ")]
        return any(not self.free or len(self.own & _stems(line)) >= _SHARED for line in lines)

    def _standing(self, word: str) -> bool:
        """Return whether a sentence of the record has the word among others of this sentence."""
        stem = word.lower()[:_STEM]
        return any(_has_word(stem, part) and len((self.own & _stems(part)) - {stem}) >= _SHARED for part in self.parts)

    def _borne(self, value: float, beside: frozenset[str]) -> bool:
        """Return whether a cited message has a number, or a sentence of the record that shares words with this one."""
        if not self.free and any(value in _values(part) for part in self.told):
            return True
        near = (part for part in self.parts if beside & _stems(part) or len(self.own & _stems(part)) >= _SHARED)
        return any(value in _values(part) for part in near)


def _stems(text: str) -> frozenset[str]:
    return frozenset(
        word[:_STEM] for word in re.findall(r"[^\W\d_]{3,}", text.lower()) if word not in _STOP and word not in _SPELLED
    )


def _parts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def _value(match: re.Match[str]) -> float | None:
    if match[4]:
        return _SPELLED[match[4].lower()]
    digits = (match[1] or match[3]).replace(",", "")
    return float(digits) * _TIMES.get((match[2] or "").lower(), 1.0) if digits else None


def _has_word(begin: str, part: str) -> bool:
    return re.search(rf"\b{re.escape(begin)}", part.lower()) is not None


def _values(text: str) -> set[float]:
    return {value for match in _NUMBER.finditer(text) if (value := _value(match)) is not None}
