"""Where each member stood over time, as marks: private answers and ballots, and between them what it declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from eda.events import NONE, BallotCast, Event, MessagePosted, StanceTaken, VerdictReached
from eda.events.records import AgentState, Position
from eda.report.formatting import TEXT_ID, one_line
from eda.report.outcome import Text
from eda.words import ENGLISH, Words


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that a member stood for."""

    label: str
    """The id of a text, `Yes`, `No` or `none`; empty where there is none."""
    kind: str
    """`vote`, `first`, `text` (declared in the talk), `words` (in words of its own) or `empty` (no vote)."""
    title: str
    """The words in full."""
    message: int = 0
    """The message that declares it; 0 for a private answer."""


@dataclass(slots=True)
class Column:
    """A part of the debate, and by member its marks in order."""

    head: str
    beneath: str = ""
    private: bool = False
    marks: dict[str, list[Mark]] = field(default_factory=dict)


def labels_of(texts: Iterable[Text]) -> dict[str, str]:
    """Return by id what a text goes by in a table: its id, or `Yes` and `No` for those."""
    return {text.id: text.id.capitalize() if text.id in ("yes", "no") else text.id for text in texts}


def stances(
    events: Iterable[Event], agents: Mapping[str, AgentState], texts: Sequence[Text], words: Words = ENGLISH
) -> tuple[list[Column], dict[str, str]]:
    """Return the columns of the table of stances, and the words of each label in it."""
    names = labels_of(texts)
    by_words, by_id = {one_line(text.text): text.id for text in texts}, {text.id: text.text for text in texts}
    fold = _Fold(names, by_words, by_id, words)
    declared = {(each.message, who): each for who, state in agents.items() for each in state.positions}
    for event in events:
        fold.take(event, declared)
    return fold.done(), fold.used


@dataclass(slots=True)
class _Fold:
    names: Mapping[str, str]
    ids: Mapping[str, str]
    texts: Mapping[str, str]
    words: Words
    columns: list[Column] = field(default_factory=list)
    keys: list[tuple[str | int, ...]] = field(default_factory=list)
    used: dict[str, str] = field(default_factory=dict)
    votes: int = 0
    talk: list[int] = field(default_factory=list)

    def take(self, event: Event, declared: Mapping[tuple[int, str], Position]) -> None:
        """Add what a fact shows of a member."""
        match event:
            case BallotCast(ballot=ballot):
                key: tuple[str | int, ...] = ("first",) if event.first else ("vote", self.votes - event.again)
                mark = self._vote(ballot.first_choice, one_line(ballot.reason), first=event.first)
                self._column(key).setdefault(ballot.agent, []).append(mark)
            case StanceTaken(survey=False):
                mark = self._vote(event.choice, "", first=True)
                self._column(("poll", event.poll)).setdefault(event.who, []).append(mark)
            case VerdictReached():
                self.votes += 1
            case MessagePosted():
                marks = self._column(("talk",))
                self.columns[-1].beneath = self._span(event.number)
                if (position := declared.get((event.number, event.who))) is not None:
                    marks.setdefault(event.who, []).append(self._position(position))
            case _:
                pass

    def done(self) -> list[Column]:
        """Return the columns; marks that say the one before again are left out, and votes are counted in the heads."""
        for column in self.columns:
            for who, marks in column.marks.items():
                kept = [two for one, two in pairwise([None, *marks]) if two and (not one or one.label != two.label)]
                column.marks[who] = kept if not column.private else marks[-1:]
        cast = [column for column, key in zip(self.columns, self.keys, strict=True) if key[0] == "vote"]
        for number, column in enumerate(cast, 1):
            part = "vote" if len(cast) == 1 else "last" if number == len(cast) else "earlier"
            column.head = self.words.say("stances-head", part=part, number=number)
        return [column for column in self.columns if any(column.marks.values())]

    def _column(self, key: tuple[str | int, ...]) -> dict[str, list[Mark]]:
        if not self.keys or self.keys[-1] != key:
            self.keys.append(key)
            head = self.words.say("stances-head", part=str(key[0]), number=key[-1])
            self.columns.append(Column(head, private=key != ("talk",)))
            self.talk = []
        return self.columns[-1].marks

    def _span(self, number: int) -> str:
        self.talk.append(number)
        first, last = self.talk[0], self.talk[-1]
        several = first != last
        return self.words.say("stances-span", first=f"m{first}", last=f"m{last}") if several else f"m{first}"

    def _vote(self, choice: str | None, reason: str, *, first: bool) -> Mark:
        if choice is None:
            return Mark("", "empty", self.words.say("stances-vote", vote="nothing", text="", reason=""))
        label, vote = ("none", "none") if choice == NONE else (self._label(choice), "text")
        title = self.words.say("stances-vote", vote=vote, text=choice, reason=reason)
        return Mark(label, "first" if first else "vote", title)

    def _position(self, position: Position) -> Mark:
        named = TEXT_ID.findall(position.text) or list(position.options)
        label = self._label(named[0]) if len(named) == 1 else ""
        return Mark(label, "text" if label else "words", one_line(position.text), position.message)

    def _label(self, words: str) -> str:
        key = words if words in self.names else self.ids.get(one_line(words), "")
        if key:
            self.used[self.names[key]] = self.texts[key]
        return self.names.get(key, "")
