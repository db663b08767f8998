"""How a decision came about, step by step: first votes, the texts that mattered, what changed them, and each vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from eda.debate.state import DebateState
from eda.debate.verdict import last_vote, texts_by_id
from eda.events import NONE, MessagePosted, TermsNamed, VerdictReached
from eda.events.outcome import Outcome, Stood, Text
from eda.events.records import Proposal
from eda.memory import ConversationMemory
from eda.memory.table import reason_of
from eda.report.effect import Helped
from eda.report.formatting import one_line, shown_id
from eda.report.ledger import with_outcome
from eda.report.vote_words import title_of
from eda.words import Words

_MOST = 10
"""Steps of a story."""
_OBJECTIONS = 3
"""Objections that a step names, the latest."""

_HEADS = {"first": "story-first", "text": "story-text", "withdrawn": "story-withdrawn", "vote": "story-vote"}


@dataclass(frozen=True, slots=True)
class Named:
    """A voter who names a message for its vote, by its own word on the ballot. Nobody has measured a cause."""

    who: str
    before: str
    """What it had put first before the talk; empty where that is not known."""
    message: int
    by: str
    """Whose message it is."""
    against: bool
    """Whether that member is against the outcome."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a member named, when it was asked, as the least change of a text that would bring it in."""

    who: str
    text: str
    change: str
    message: int
    """After which it was asked."""


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One step on the way to an outcome."""

    kind: Literal["first", "text", "withdrawn", "vote"]
    message: int = 0
    """0 of a vote."""
    by: str = ""
    text: str = ""
    """Id of the text that was put or withdrawn."""
    of: tuple[str, ...] = ()
    """Ids of the texts that it changes, or joins."""
    why: str = ""
    """Why a text was withdrawn, in its author's words."""
    against: tuple[Stood, ...] = ()
    """Who had declared against a text that this one changes, or set a condition, before it was put."""
    still: tuple[str, ...] = ()
    """Who of them is against the outcome."""
    terms: tuple[Price, ...] = ()
    """What members that were asked named as what would bring them in for a text that this changes."""
    names: tuple[Named, ...] = ()
    votes: tuple[Text, ...] = ()
    """Each text with its voters."""
    won: tuple[str, ...] = ()
    """The words of what won; of first votes, of what led."""
    earlier: tuple[str, ...] = ()
    """The words of a decision that this one replaced."""


def story_of(
    progress: DebateState,
    memory: ConversationMemory,
    counted: Outcome,
    helps: Helped,
    messages: Iterable[MessagePosted],
    verdicts: Sequence[VerdictReached],
) -> tuple[StoryStep, ...]:
    """Return the steps to an outcome, in the order in which they happened."""
    spoken, ballots, inside = (
        {each.number: each for each in messages},
        last_vote(progress).ballots,
        with_outcome(counted),
    )
    voters = {ballot.agent for ballot in ballots}
    put, apart = _texts(memory, counted)
    texts = [_put(text, texts_by_id(memory), voters - inside, progress.terms) for text in put]
    gone = [step for text in apart if (step := _withdrawn(text, memory))]
    votes = [
        (each.seq or 0, _vote(each, tuple(verdicts[nth - 1].won) if nth else ())) for nth, each in enumerate(verdicts)
    ]
    talk = [(spoken[each.message].seq or 0, each) for each in (*texts, *gone) if each.message in spoken]
    first = _first(helps)
    kept = sorted(talk, key=lambda each: each[0])[len(votes) + len(first) - _MOST :]
    steps = [*first, *(step for _, step in sorted((*kept, *votes), key=lambda each: each[0]))]
    began = {each.who: each.before or "" for each in (*helps.differs, *helps.new, *helps.reworded)}
    authors = {text.proposer for text in put}
    for ballot in ballots:
        said = spoken.get(ballot.moved_by or 0)
        if said and (ballot.agent in began or ballot.agent in authors or not helps.comparable):
            one = Named(ballot.agent, began.get(ballot.agent, ""), said.number, said.who, said.who in voters - inside)
            place = next((at for at, step in enumerate(steps) if step.message >= said.number), len(steps) - 1)
            steps[place] = replace(steps[place], names=(*steps[place].names, one))
    return tuple(steps)


def _texts(memory: ConversationMemory, counted: Outcome) -> tuple[list[Proposal], list[Proposal]]:
    """Return the wordings on the way to what was decided, back to a joint one; and the texts that led nowhere."""
    by_id = texts_by_id(memory)
    best = [row.id for row in counted.rows if row.voters][:2]
    waiting = [text.id for text in (counted.won, *counted.adopted) if text] or best
    put, known = dict[str, Proposal](), set[str]()
    for key in waiting:
        text = by_id.get(key)
        if text is None or not text.proposer or key in put:
            continue
        put[key] = text
        known |= {key, text.amends or "", *text.joins}
        waiting += [text.amends] if text.amends and not text.joins else []
    return list(put.values()), [text for key, text in by_id.items() if key not in known and text.status == "withdrawn"]


def _put(
    text: Proposal, by_id: Mapping[str, Proposal], outside: Iterable[str], terms: Iterable[TermsNamed]
) -> StoryStep:
    of = tuple(key for key in (text.amends or "", *text.joins) if key in by_id)
    against = {
        (each.agent, key): Stood(
            each.agent,
            each.reaction,
            reason_of(each) if each.why else "",
            each.message,
            each.conditional,
            each.condition,
            each.doubt,
            of_older=key,
        )
        for key in of
        for each in (*by_id[key].history, *by_id[key].reactions)
        if (each.reaction == "oppose" or each.conditional) and each.source == "declared" and each.message < text.message
    }
    named = sorted(against.values(), key=lambda each: each.message)[-_OBJECTIONS:]
    still = tuple(dict.fromkeys(each.who for each in named if each.who in outside))
    asked = tuple(
        Price(each.who, each.on, one_line(each.change).rstrip("."), each.after)
        for each in terms
        if each.on in of and each.change and each.after < text.message
    )
    return StoryStep("text", text.message, text.proposer, text.id, of, against=tuple(named), still=still, terms=asked)


def _withdrawn(text: Proposal, memory: ConversationMemory) -> StoryStep | None:
    last = text.changes[-1] if text.changes else None
    if last is None or not last.messages:
        return None
    acts = (act for act in memory.acts(last.messages[-1]) if act.kind == "withdraw" and act.on == text.id)
    why = next((act.why or act.text for act in acts), "")
    return StoryStep("withdrawn", last.messages[-1], text.proposer, text.id, why=one_line(why))


def _first(helps: Helped) -> list[StoryStep]:
    """Return the step of the first votes; nothing where none were taken."""
    votes = tuple(Text(helps.ids.get(row.text, ""), row.text, voters=row.first) for row in helps.votes[0] if row.first)
    led = helps.before if isinstance(helps.before, tuple) else (helps.before,) if helps.before else ()
    return [StoryStep("first", votes=votes, won=led)] if votes and helps.comparable else []


def _vote(reached: VerdictReached, earlier: tuple[str, ...]) -> StoryStep:
    ids = {text.text: text.id for text in reached.offered}
    votes = tuple(Text(ids.get(words, ""), words, voters=who) for words, who in reached.tally.items() if who)
    votes = tuple(sorted(votes, key=lambda text: -len(text.voters)))
    return StoryStep("vote", votes=votes, won=tuple(reached.won), earlier=earlier)


class Names:
    """Names texts by their titles: the first time with the id; later an untitled proposal by its id alone.

    The wordings of a motion share its title. The first that is told has it; the others are named as untitled ones.
    """

    def __init__(self, texts: Iterable[Text], words: Words) -> None:
        """Know the texts, by id and by their words."""
        known = [*texts]
        self._by_id = {text.id: text for text in known}
        self._by_words = {text.text: text for text in known}
        self._words, self._told, self._titled = words, set[str](), dict[str, str]()
        self._shared = Counter(text.title for text in known)

    def of(self, key: str) -> str:
        """Return the name of a text by its id or its words; of `none` in words."""
        if key == NONE:
            return self._words.say("votes-text", kind="none", text="", id="", by="")
        text = self._by_id.get(key) or self._by_words.get(key) or Text("", key)
        number, told = shown_id(text.id), text.id in self._told
        self._told.add(text.id)
        if number and told and text.by and (not text.title or self._shared[text.title] > 1):
            return number
        if text.title and self._titled.setdefault(text.title, text.id) != text.id:
            text = replace(text, title="")
        title = title_of(text, self._by_words)
        return self._words.say("votes-text", kind="text", text=title, id="" if told else number, by="")


def story_lines(steps: Iterable[StoryStep], texts: Iterable[Text], words: Words) -> Iterator[tuple[str, list[str]]]:
    """Yield each step in words: what happened, and the lines below it."""
    names, say, told = Names(texts, words), words.say, [*steps]
    last = max((at for at, step in enumerate(told) if step.kind == "vote"), default=-1)
    for at, step in enumerate(told):
        won, earlier = [*map(names.of, step.won)], [*map(names.of, step.earlier)]
        of, text = [*map(names.of, step.of)], names.of(step.text) if step.text else ""
        where = f"m{step.message}"
        about: dict[str, Any] = {"won": won, "earlier": earlier, "by": step.by, "text": text, "of": of, "why": step.why}
        head = say(_HEADS[step.kind], last=at == last, joins=len(of), at=where, **about)
        lines = [_against(each, step, names.of, words) for each in step.against]
        for price in step.terms:
            asked = f"m{price.message}"
            lines += [say("story-terms", who=price.who, text=names.of(price.text), change=price.change, at=asked)]
        votes = [say("story-side", text=names.of(each.id or each.text), who=each.voters) for each in step.votes]
        lines += [" · ".join(votes)] if votes else []
        yield head, [*lines, *(_names(each, names.of, words) for each in step.names)]


def _against(each: Stood, step: StoryStep, name: Callable[[str], str], words: Words) -> str:
    return words.say(
        "story-against",
        who=each.who,
        text=name(each.of_older),
        conditional=each.conditional,
        reason=each.condition or each.reason,
        at=f"m{each.message}",
        still=each.who in step.still,
    )


def _names(each: Named, name: Callable[[str], str], words: Words) -> str:
    return words.say(
        "story-names",
        who=each.who,
        before=name(each.before) if each.before else "",
        at=f"m{each.message}",
        by=each.by,
        own=each.by == each.who,
        against=each.against,
    )
