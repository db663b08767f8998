"""Checks a model's sentence against the record: its numbers, names, dates and words of decision must stand there.

The record is the count (texts, votes, reasons on ballots, members) and the messages that the sentence cites; where it
cites none, a sentence of any message that shares its words. What is in doubt is left out and named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eda.events.acts import Act, ActKind
from eda.memory.context.act_words import act_line
from eda.report import record_words as rw
from eda.text import bare, normalise

_DENIALS: tuple[ActKind, ...] = ("deny", "deny claim", "deny proposal")


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
    acts: Mapping[int, Sequence[Act]] = field(default_factory=dict)
    """The acts of each message."""
    called: Mapping[str, str] = field(default_factory=dict)
    """Names and roles of members, with their titles."""
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
    left: Mapping[str, str] = field(default_factory=dict)
    """What each of them voted for first."""
    question: str = ""
    denied: tuple[str, ...] = ()
    """The words of claims that somebody denied, or that their author took back."""

    def is_denied(self, quote: str) -> bool:
        """Return whether a quote is nothing but a claim that was denied or taken back."""
        words = bare(quote)
        return any(words in bare(claim) for claim in self.denied)

    def unproved(self, sentence: str, cited: Iterable[int] = ()) -> str:
        """Return what of a sentence the record lacks: a number, name, date or word; empty where it has all."""
        plain = normalise(sentence)
        numbers = [*cited, *(int(digits[:9]) for digits in rw.REFERENCE.findall(plain))]
        known = [number for number in numbers if number in self.messages]
        bare = rw.ID.sub(" ", rw.REFERENCE.sub(" ", plain))
        grounds = _Grounds(self, known, bare)
        grounds.named = [self.ids[number] for number in rw.ID.findall(plain) if number in self.ids]
        decision = grounds.decision()
        if rw.ALL.fullmatch(decision):  # that all of the panel did it misleads the most
            return decision
        return grounds.number() or grounds.date() or grounds.name() or decision or grounds.acceptance()


_ROOT = 4
_ABOUT = frozenset(["again", "favou", "favor"])
"""Beginnings of words that only say on which side one is."""


class _Grounds:
    """What one sentence may rest on."""

    def __init__(self, record: Record, cited: Sequence[int], text: str) -> None:
        self.record, self.text, self.cited = record, text, cited
        self.named: list[str] = []
        """The texts that the sentence names by their ids."""
        self.own = rw.stems_of(text)
        self.numbers = cited or list(record.messages)
        messages = [normalise(record.messages[number]) for number in self.numbers]
        self.free = not cited
        """True if nothing is cited: then a word must stand among others of the sentence."""
        self.told = [part for message in messages for part in rw.sentences_of(message)]
        self.counted = rw.sentences_of(normalise(record.count))
        self.splits_told = {rw.numbers_of(split) for message in messages for split in rw.SPLIT.finditer(message)}
        self.parts = (*self.told, *self.counted)
        decided = [rw.stems_of(text) for text in record.decided]
        bags = {text: rw.stems_of(text) for text in record.texts if text not in record.decided}
        self.others = [text for text, bag in bags.items() if all(2 * len(bag & one) <= len(bag) for one in decided)]
        """The texts that were not decided, nor are other wordings of one that was."""

    def number(self) -> str:
        for match in rw.NUMBER.finditer(self.text):
            value = rw.value_of(match)
            if (match[4] or "").lower() == "one" or value is None:
                continue
            split = rw.SPLIT.search(self.text, max(0, match.start() - 20))
            if split and split.start() <= match.start() < split.end():
                if rw.numbers_of(split) in self.record.splits or rw.numbers_of(split) in self.splits_told:
                    continue
                if not self._standing(split[0]):
                    return split[0]
            before, after = self.text[max(0, match.start() - 8) : match.start()], self.text[match.end() :].lstrip(" -")
            votes = rw.OF_VOTES.match(after) or re.search(r"\b(?:of|other|all)\s$", before, re.IGNORECASE)
            if not (votes and value in self.record.totals) and not self._borne(value, rw.stems_of(after[:24])):
                return match[0].strip()
        to_set = rw.TO_SET.search(self.text)  # no text decided may have set it
        return to_set[0] if to_set and any(map(rw.IS_SET.search, self.record.decided)) else ""

    def date(self) -> str:
        """Return the date that no message has, or none that has a word of this sentence; cited ones suffice."""
        whole = [normalise(self.record.messages[number]) for number in self.numbers] + self.counted
        for match in rw.DATE.finditer(self.text):
            day = match[0].lower()[:4]
            if not any(
                rw.has_word(day, text) and (not self.free or self.own & (rw.stems_of(text) - {day})) for text in whole
            ):
                return match[0]
        return ""

    def name(self) -> str:
        everything = " ".join(self.parts).lower()
        begins = [(match[1], "", "") for match in [rw.SUBJECT.match(self.text)] if match]
        for groups in (*begins, *rw.NAME.findall(self.text)):
            name = str(next(filter(None, groups)))
            low = name.lower().removesuffix("'s").strip("'")
            known = (
                low in rw.NO_NAMES or rw.DATE.fullmatch(name) or rw.ALL.match(name) or rw.SPELLED.get(low) is not None
            )
            if not known and not re.search(rf"(?<!\w){re.escape(low)}", everything):
                return name
        return ""

    def decision(self) -> str:
        """Return the word of decision that nobody took, or the claim about all that the votes do not bear out."""
        every = rw.ALL.search(self.text)
        claimed = every is not None and rw.DENIED.search(self.text[: every.start()]) is None
        if every and claimed:
            stands = rw.STANDS.search(every[0]) or rw.STANDS.search(self.text[every.end() : every.end() + 40])
            about = re.split(rw.ENDS, self.text[every.end() :])[0]
            if not (self._united(about) or (not stands and self._standing(every[0]))):
                return every[0]
        most = rw.MOST.search(self.text)
        if most and not rw.DENIED.search(self.text[: most.start()]) and not self._by_most(self.text[most.end() :]):
            return most[0].strip()
        nobody = rw.NOBODY.search(self.text)
        if nobody and any(
            map(self.record.accepted.get, self._meant(self.text[nobody.end() :]) or self.record.accepted)
        ):
            return nobody[0]
        return next((match[0] for match in rw.DECIDES.finditer(self.text) if not self._taken(match)), "")

    def acceptance(self) -> str:
        """Return what the sentence says of who accepts a text, if the ballots say otherwise."""
        meant = self._meant(self.text)
        for match in rw.SPLIT.finditer(self.text):
            (voters,), (votes,) = map(rw.values_in, match.groups())
            told = {len(self.record.accepted[text]) for text in meant}
            cast = sum(choice is not None for choice in self.record.votes.values())
            counts = told and votes == cast and rw.STANDS.search(self.text)
            if counts and not ({voters, votes - voters} & told):
                return match[0]
        for match in rw.DECIDES.finditer(self.text) if self.named else ():
            who, verb = self._members(self.text[: match.start()]), next(filter(None, match.groups())).lower()
            alone = verb in rw.ACCEPTS and not rw.DENIED.search(self.text[: match.start()])
            if who and alone and not any(self.record.accepted[text].issuperset(who) for text in meant):
                return match[0]
        return ""

    def _meant(self, about: str) -> list[str]:
        """Return the texts that the words are about: those named by id, else those that share the most words."""
        if self.named:
            return self.named
        for stems in (rw.stems_of(about), self.own):
            shared = {text: len(stems & rw.stems_of(text)) for text in self.record.accepted}
            if most := max(shared.values(), default=0):
                return [text for text in shared if shared[text] == most]
        return []

    def _by_most(self, about: str) -> bool:
        """Return whether more than half of the votes accept a text that the words are about."""
        cast, side = len(self.record.votes), self._side(about.partition(" ")[2])
        voters = [self.record.accepted[text] for text in self._meant(about)]
        voters += [frozenset(who for who, vote in self.record.votes.items() if str(vote).lower() == side)]
        return any(2 * len(each) > cast for each in voters)

    def _united(self, about: str = "") -> bool:
        """Return whether all who were asked accept the text that the words are about, else the one decided."""
        record, meant = self.record, self._meant(about) if about.strip() else []
        voters = [record.accepted[text] for text in meant] or [record.accepts]
        return bool(record.decided and record.votes) and any(record.votes.keys() <= each for each in voters)

    def _taken(self, match: re.Match[str]) -> bool:  # noqa: PLR0911 - a return for each kind of subject
        """Return whether the votes or the record bear a word of decision out."""
        verb = next(filter(None, match.groups())).lower()
        before = re.split(r"[;:]\s|, (?:and|but|while|because)\b", self.text[: match.start()])[-1]
        object_of = re.split(rw.ENDS, self.text[match.end() :])[0]
        who = self._members(before)
        if verb == "vot" and not match[0].endswith("d") and (not before.strip() or rw.NOUN.search(before)):
            return True
        verb = "reject" if verb == "vot" and object_of.lstrip().startswith("against") else verb
        if who and rw.DENIES.search(before):
            return self._each_did(who, "deny", object_of, match[0])
        if rw.DENIED.search(before):
            return self._not_taken(before, verb, object_of, match[0])
        if rw.POSSIBLE.search(before):
            return True
        if verb in ("unanim", "consensus"):
            return self._united() or self._standing(match[0])
        if self.named and verb in rw.ACCEPTS:  # `acceptance` holds it against the ballots
            return bool(who or rw.SPLIT.search(self.text) or set(self.named) & set(self.record.decided))
        if verb in rw.MOVED:
            return self._moved(who, verb, before, match)
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
        return not self.record.decided or self._standing(word) or not rw.PANEL.search(before)

    def _by_the_panel(self, before: str, verb: str, object_of: str) -> bool:
        """Return whether the subject is the panel and the outcome bears the verb out."""
        if not (self.record.decided and verb in rw.BY_ALL and (rw.PANEL.search(before) or rw.MOST.match(before))):
            return False
        if side := self._side(object_of):
            return (side == self.record.decided[0].lower()) != (verb in rw.AGAINST)
        texts, words = self.others if verb in rw.AGAINST else self.record.decided, rw.stems_of(object_of)
        near = 3 * max((len(words & rw.stems_of(text)) for text in texts), default=0) >= len(words)
        generic = verb in ("vot", "decision", "decid") and not words
        return generic or (near and self._is_about(texts, object_of))

    def _is_decided(self, object_of: str) -> bool:
        return bool({*self.named} & {*self.record.decided}) or self._is_about(self.record.decided, object_of)

    def _is_about(self, texts: Iterable[str], object_of: str) -> bool:
        """Return whether the object of a verb, else the sentence, shares more words with these texts than others."""
        texts = {*texts}
        about = [rw.stems_of(text) for text in texts]
        rest = [rw.stems_of(text) for text in (self.others if texts & {*self.record.decided} else self.record.texts)]
        rest = [each for each in rest if each not in about]
        for stems in (rw.stems_of(object_of), self.own):
            mine, others = (max((len(stems & each) for each in group), default=0) for group in (about, rest))
            if mine or others:
                return mine > others
        return False

    def _moved(self, who: list[str], verb: str, before: str, match: re.Match[str]) -> bool:
        """Return whether who is said to have been moved was, and names a message of who is said to have done it."""
        after = self.text[match.end() :]
        cause = rw.CAUSE.match(after)
        by, moved = self._members(cause[1], owns=True) if cause else [], who
        if verb in rw.CONVINCES and not rw.PASSIVE.search(before):
            by, moved = self._members(before, owns=True), self._members(re.split(rw.ENDS, after)[0])
        numbers = {each: self.record.moved.get(each) for each in moved}
        named = not by or all(self._names(each, number, by) for each, number in numbers.items())
        cited = not self.cited or set(self.cited).issuperset(numbers.values())
        changed = bool(moved) and self.record.moved.keys() >= numbers.keys() and named and cited
        return changed or self._told(moved or by, match[0]) or (not (moved or by) and self._standing(match[0]))

    def _names(self, who: str, number: int | None, authors: Iterable[str]) -> bool:
        """Return whether a member says that the message, or else the words of one of these members moved it."""
        if number is not None:
            return self.record.speakers.get(number, "") in authors
        own = [part for part in self.counted if part.startswith(f"{who}: ") and rw.has_word("moved", part)]
        return any(author in part for author in authors for part in own)

    def _members(self, before: str, *, owns: bool = False) -> list[str]:
        """Return the members that stand before a verb, by title, name or role, or (`owns`) whose words do."""
        low, own = before.lower(), "" if owns else "|'s"
        names = {**self.record.called, **{who: who for who in self.record.votes}}.items()
        return list({who: 0 for name, who in names if re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w{own})", low)})

    def _told(self, who: Sequence[str], word: str) -> bool:
        """Return whether one of these members used the word or one for it, among others of this sentence."""
        verb = next((each for begins, each in rw.IN_OTHER_WORDS.items() if word.lower().startswith(begins)), "")
        word_or_synonym = re.compile(rf"\b(?:{verb or re.escape(word.lower()[: rw.STEM])})")
        own = (self.record.messages[n] for n in self.numbers if self.record.speakers.get(n) in who)
        parts = [part for text in own for part in rw.sentences_of(normalise(text))]
        told = [f"{before} {part}" for before, part in zip(("", *parts), parts, strict=False)] if verb else parts
        return any(
            word_or_synonym.search(part.lower()) and len(self.own & rw.stems_of(part)) > rw.SHARED for part in told
        )

    def _did(self, who: str, verb: str, object_of: str) -> bool:
        """Return whether a member did that by its acts or its ballot."""
        own = [n for n in self.numbers if self.record.speakers.get(n) == who]
        acts = [act for n in own for act in self.record.acts.get(n, ()) if act.counted]
        choice = self.record.votes.get(who)
        if verb in rw.BACKS | rw.AGAINST and choice and (side := self._side(object_of)):
            return (choice.lower() == side) != (verb in rw.AGAINST)
        if verb in rw.BACKS:
            return self._backs(who, object_of) or (verb not in rw.ACCEPTS and self._acted("support", acts))
        if verb in ("block", "veto"):
            return who in self.record.blocks
        if verb in rw.AGAINST:
            return self._refuses(who, object_of) or self._acted("oppose", acts)
        if verb in rw.LEFT:
            return self._left(who, verb, object_of, own) or self._acted("withdraw", acts)
        abstained = who in self.record.votes and choice is None
        done = {"abstain": abstained, "deny": any(self._acted(kind, acts) for kind in _DENIALS)}
        return done.get(verb, verb in rw.MOVED and who in self.record.moved)

    def _backs(self, who: str, object_of: str) -> bool:
        """Return whether a member's ballot is for what the object of a verb says."""
        choice = self.record.votes.get(who)
        if who in self.record.accepts and self._is_decided(object_of):
            return True
        return choice is not None and self._is_about((choice,), object_of)

    def _refuses(self, who: str, object_of: str) -> bool:
        """Return whether a member was asked and does not accept what was decided, which the object of a verb names."""
        asked = who in self.record.votes
        return asked and who not in self.record.accepts and self._is_decided(object_of)

    def _left(self, who: str, verb: str, object_of: str, own: Sequence[int]) -> bool:
        """Return whether a member gave up, or withdrew in a message, what the object of a verb says."""
        what = frozenset() if rw.STANCE.search(object_of) else rw.stems_of(object_of)
        withdrawn = {n: [act for act in self.record.acts.get(n, ()) if act.kind == "withdraw"] for n in own}
        gone = (rw.stems_of(self.record.messages[n]) for n, acts in withdrawn.items() if acts)
        left = verb != "withdr" and bool(what & rw.stems_of(self.record.left.get(who, "")))
        return left or (bool(what) and any(what <= each for each in gone))

    def _side(self, object_of: str) -> str:
        """Return which of Yes and No the object of a verb means: it says so, or is the question in its own words."""
        if not {str(choice).lower() for choice in self.record.votes.values() if choice} <= rw.SIDES:
            return ""
        side = re.match(r"\W*(?:(?:for|with|to) )?\W*(yes|no)\b", object_of, re.IGNORECASE)
        own = {stem[:_ROOT] for stem in rw.stems_of(rw.THE_QUESTION.sub(" ", object_of)) - _ABOUT}
        of_question = {stem[:_ROOT] for stem in rw.stems_of(self.record.question)}
        is_it = own <= of_question and bool(own or rw.THE_QUESTION.search(object_of))
        return side[1].lower() if side else "yes" if is_it else ""

    def _acted(self, kind: ActKind, acts: Iterable[Act]) -> bool:
        """Return whether one of these acts is of this kind, in a cited message or among words of this sentence."""
        lines = (act_line(act) for act in acts if act.kind == kind)
        return any(not self.free or len(self.own & rw.stems_of(line)) >= rw.SHARED for line in lines)

    def _standing(self, word: str) -> bool:
        """Return whether a sentence of the record has the word among others of this sentence."""
        stem = word.lower()[: rw.STEM]
        return any(
            rw.has_word(stem, part) and len((self.own & rw.stems_of(part)) - {stem}) >= rw.SHARED for part in self.parts
        )

    def _borne(self, value: float, beside: frozenset[str]) -> bool:
        """Return whether a sentence of the record has a number and what this one says it of, a word that is no unit.

        In what is cited, another number of both does as well. Else the word stands `beside` the number, or with others.
        """
        values = rw.values_in(self.text) - {value, 1.0}
        what, cited = self.own - rw.UNITS, 0 if self.free else len(self.told)
        for place, (before, part) in enumerate(zip(("", *self.parts), self.parts, strict=False)):
            if value in (stated := rw.values_in(part)):
                bag = rw.stems_of(f"{before} {part}" if rw.ANAPHORIC.match(part) else part)
                same = what & bag and (place < cited or beside & bag or len(self.own & bag) >= rw.SHARED)
                if same or (place < cited and stated & values):
                    return True
        return False
