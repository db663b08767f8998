"""Where each member stood over time, as marks: private answers and ballots, and between them what it declared."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import NamedTuple

from eda.events import (
    NONE,
    BallotCast,
    Event,
    MessagePosted,
    Position,
    Proposal,
    Reaction,
    Stance,
    StanceTaken,
    VerdictReached,
)
from eda.memory import ConversationMemory
from eda.memory.minutes.positions import held_since, one_motion
from eda.memory.patterns.conditions import read_condition
from eda.memory.table import reason_of
from eda.report.formatting import TEXT_ID, one_line
from eda.report.outcome import Asked, SideEnd, SideKind, Stood, Text
from eda.words import ENGLISH, Words

_ENDS: Mapping[Stance, SideKind] = {"support": "for", "oppose": "against", "neutral": "undecided"}
_HEDGED = "if", "perhaps"


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that a member stood for."""

    label: str  # The id of a text, `Yes`, `No` or `none`; empty where there is none.
    # `vote`, `first`, `text` (declared in the talk), `if` (on terms), `perhaps` (in doubt), `words` (its own) or
    # `empty` (no vote).
    kind: str
    title: str  # The words in full.
    message: int = 0  # The message that declares it; 0 for a private answer.


@dataclass(slots=True)
class Column:
    """A part of the debate, and by member its marks in order."""

    head: str
    beneath: str = ""
    private: bool = False
    marks: dict[str, list[Mark]] = field(default_factory=dict)

    def steps(self, who: str) -> list[list[Mark]]:
        """Return the marks of a member in order, those together that one private answer has as equal."""
        return [self.marks.get(who, [])] if self.private else [[each] for each in self.marks.get(who, ())]


class _Entry(NamedTuple):
    """What a member stood for, in one part of the debate."""

    part: tuple[str, int]  # `first`, `poll`, `vote` or `talk`, and its number.
    who: str
    marks: tuple[Mark, ...]  # Several where it ranks texts as equal, or accepts several without a rank.
    message: int = 0


def labels_of(texts: Iterable[Text]) -> dict[str, str]:
    """Return by id what a text goes by in a table: its id, or `Yes` and `No` for those."""
    return {text.id: text.id.capitalize() if text.id in ("yes", "no") else text.id for text in texts}


def stances(
    events: Iterable[Event], memory: ConversationMemory, texts: Sequence[Text], words: Words = ENGLISH
) -> tuple[list[Column], dict[str, str]]:
    """Return the columns of the table of stances, and the words of each label in it."""
    labels, columns, entries = labels_of(texts), list[Column](), [*_entries(events, memory, texts, words)]
    parts = [(part, [*rows]) for part, rows in groupby(entries, key=lambda entry: entry.part)]
    votes, cast = sum(kind == "vote" for (kind, _), _ in parts), 0
    for (kind, number), rows in parts:
        cast += kind == "vote"
        which = kind if kind != "vote" or votes == 1 else "last" if cast == votes else "earlier"
        head = words.say("stances-head", part=which, number=cast if kind == "vote" else number)
        ends = [*dict.fromkeys(f"m{row.message}" for row in (rows[0], rows[-1]))]
        beneath = words.say("stances-span", messages=ends) if kind == "talk" else ""
        columns.append(_column(Column(head, beneath, private=kind != "talk"), rows, words))
    used = {mark.label for entry in entries for mark in entry.marks}
    return [each for each in columns if any(each.marks.values())], {
        labels[text.id]: text.text for text in texts if labels[text.id] in used
    }


def _column(column: Column, rows: Iterable[_Entry], words: Words) -> Column:
    """Return a column with the marks of its rows; of private answers with the last of each."""
    for _, who, new, _ in rows:
        marks = column.marks.setdefault(who, [])
        if column.private:
            marks.clear()
        for mark in new:
            last = (marks[-1].label, marks[-1].kind) if marks else ("", "")
            hedged = [(mark.label, kind) for kind in _HEDGED]
            if mark.kind == "lifted":
                back = words.say("stances-lifted", message=f"m{mark.message}")
                own = [each for each in marks if (each.label, each.kind) in hedged][-1:]
                marks[:] = [replace(each, title=f"{each.title} ({back})") if each in own else each for each in marks]
                marks += [replace(mark, kind="text")] * (last in hedged)
            elif mark.kind == "held":  # a position alone takes no condition back
                marks += [replace(mark, kind="text")] * (last not in [*hedged, (mark.label, "text")])
            elif last != (mark.label, mark.kind):
                marks.append(mark)
    return column


def _entries(
    events: Iterable[Event], memory: ConversationMemory, texts: Sequence[Text], words: Words
) -> Iterator[_Entry]:
    """Yield what each answer and each message shows of a member, in order."""
    labels, votes = labels_of(texts), 0
    labels |= {one_line(text.text): labels[text.id] for text in texts}
    declared = {(each.message, who): each for who, state in memory.agents.items() for each in state.positions}
    held = dict[str, Position | None]()

    def vote(choices: Iterable[str], reason: str, kind: str, how: str = "text") -> tuple[Mark, ...]:
        told = (
            (choice, words.say("stances-vote", vote="none" if choice == NONE else how, text=choice, reason=reason))
            for choice in choices
        )
        marks = (Mark("none" if c == NONE else labels.get(one_line(c), ""), kind, title) for c, title in told)
        return (*marks,) or (Mark("", "empty", words.say("stances-vote", vote="nothing", text="", reason="")),)

    for event in events:
        match event:
            case BallotCast(ballot=ballot):
                kind, how = "first" if event.first else "vote", "equal" if len(ballot.firsts) > 1 else "text"
                marks = vote(ballot.firsts or ballot.accepted, one_line(ballot.reason), kind, how)
                yield _Entry(("first", 0) if event.first else ("vote", votes - event.again), ballot.agent, marks)
            case StanceTaken(survey=False):
                yield _Entry(
                    ("poll", event.poll), event.who, vote((event.choice,) if event.choice else (), "", "first")
                )
            case VerdictReached():
                votes += 1
            case MessagePosted(number=number, who=who):
                held[who] = declared.get((number, who), held.get(who))
                yield _Entry(("talk", 0), who, _spoken(number, held[who], memory, labels), number)


def _spoken(
    number: int, held: Position | None, memory: ConversationMemory, labels: Mapping[str, str]
) -> tuple[Mark, ...]:
    """Return what a message declares: its position, then the other texts that it supports, also on a condition.

    What it declares of the text of its position beside that stands before it: a position alone takes no condition back.
    A condition taken back is told in its own mark. It is a mark right behind that alone; behind another text it would
    look like a return.
    """
    named = (TEXT_ID.findall(held.text) or [*held.options]) if held else []
    label = labels.get(one_line(named[0]), "") if len(named) == 1 else ""
    backed = tuple(
        Mark(labels.get(act.on, act.on), kind, one_line(words) or act.on, number)
        for act in memory.acts(number)
        for kind, words in [
            (_HEDGED[act.doubt], act.condition or act.why)
            if act.conditional
            else ({"lift": "lifted"}.get(act.kind, "text"), act.why)
        ]
        if act.counted and act.kind in ("support", "lift")
    )
    if held is None or held.message != number:
        return backed
    before = (each for each in backed if each.label == label and each.kind != "text")
    place = Mark(label, _kind_of(held) if label else "words", one_line(held.text), number)
    return (*before, place, *(each for each in backed if each.label != label))


def _kind_of(held: Position) -> str:
    """Return the kind of mark of a position on a text: `held` where it has no condition of its own."""
    terms = read_condition(TEXT_ID.sub("it", held.text), "position").conditional
    return "held" if held.options or terms is False else _HEDGED[terms is None]


def given_up(texts: Iterable[Proposal], memory: ConversationMemory) -> Iterator[Stood]:
    """Yield each side on some texts that its member last took back or changed, or since which it holds another text."""
    for text in texts:
        said = sorted((*text.history, *text.reactions), key=lambda each: each.agent)
        pairs = pairwise(each for each in said if each.source == "declared")
        for one, end in {end.agent: (one, end) for one, end in pairs if one.agent == end.agent}.values():
            lifted = one.conditional and not end.conditional
            if _side(one) in ("for", "against") and (lifted or _side(one) != _side(end)):
                yield side_of(one, text, SideEnd(_side(end), end.message, text.id, one_line(end.why), end.asked))
        for one in (each for each in text.reactions if each.source == "declared" and is_full(each)):
            at, now = held_since(memory.parts.minutes.state, one.agent)
            if one.message < at and not one_motion(memory.parts.minutes.state, now, text.id):
                yield side_of(one, text, SideEnd("held", at, now))


def is_full(reaction: Reaction) -> bool:
    """Return whether a reaction supports its text, without a condition, and was not taken back."""
    return reaction.reaction == "support" and not (reaction.conditional or reaction.undone)


def _side(one: Reaction) -> SideKind:
    """Return what a member did to a text, as the end of an earlier side."""
    return "back" if one.undone else _ENDS[one.reaction]


def side_of(side: Reaction, text: Proposal, *ends: SideEnd) -> Stood:
    """Return a side that a member took on a text, and what it declared since."""
    message, asked = _about(side, text)
    said = (reason_of(side) if side.why else "", message, side.conditional, side.condition, side.doubt)
    return Stood(side.agent, side.reaction, *said, text.id, ends, asked)


def _about(side: Reaction, text: Proposal) -> tuple[int, Asked]:
    """Return the message of a side; of one declared when asked that of the side that it states anew, else its own.

    One on a text that came later has the last message before its member was asked.
    """
    if not side.asked:
        return side.message, ""
    last = next((each for each in reversed(text.history) if each.agent == side.agent and not each.asked), side)
    message = last.message if (last.reaction, last.undone) == (side.reaction, False) else side.message
    return (message, "about") if message >= text.message else (side.asked, "after")
