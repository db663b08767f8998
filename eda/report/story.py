"""How a decision came about, step by step: first votes, the texts that mattered, what changed them, and each vote."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import filterfalse, takewhile
from operator import attrgetter, itemgetter
from typing import Any, Literal

from eda.debate.state import DebateState
from eda.debate.verdict import last_vote, texts_by_id
from eda.events import Ballot, MessagePosted, Proposal, Reaction, TermsNamed, VerdictReached
from eda.memory import ConversationMemory
from eda.memory.minutes.motions import said_in
from eda.memory.minutes.positions import one_motion
from eda.report.effect import Helped
from eda.report.formatting import one_line
from eda.report.ledger import decided_texts, on_the_way, with_outcome
from eda.report.outcome import Outcome, SideEnd, SideKind, Stood, Text
from eda.report.stances import given_up, is_full, side_of

_MOST = 10  # Steps of a story.
_PLAIN = ("as it is", "not at all")  # Answers on terms that name no change.
_Ways = Mapping[str, Sequence[Proposal]]  # By the id of a text the texts on the way that come from one with it.


@dataclass(frozen=True, slots=True)
class Named:
    """A voter who names a message for its vote, by its own word on the ballot. Nobody has measured a cause."""

    who: str
    # Whether its vote is known to be another than its first one, or it had none at first: then it is `new`.
    changed: bool
    message: int
    by: str  # Whose message it is.
    against: bool  # Whether that member is against the outcome.
    new: bool = False


@dataclass(frozen=True, slots=True)
class Price:
    """What a member named, when asked, as the least change of a text that would bring it in, or that none would."""

    who: str
    of: str  # Id of the text.
    change: str  # Empty where none would, or none is needed.
    message: int  # After which it was asked.
    as_it_is: bool = False  # Whether it would take the text without a change.


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One step on the way to an outcome."""

    kind: Literal["first", "text", "withdrawn", "vote", "more"]
    message: int = 0  # 0 of a vote.
    by: str = ""
    text: str = ""  # Id of the text that was put or withdrawn.
    of: tuple[str, ...] = ()  # Ids of the texts that it changes, or joins; of `more` those without a step.
    why: str = ""  # Why a text was withdrawn, in its author's words.
    asked: bool = False  # True where its author declared it when asked what `message` declares.
    # Who was for its text, of first votes an option, or against it, or set a condition, and who gave a side up. Sides
    # on texts without a step stand at the next one after them.
    against: tuple[Stood, ...] = ()
    # What members named, when asked, as what would bring them in for that text, or that nothing would.
    terms: tuple[Price, ...] = ()
    names: tuple[Named, ...] = ()  # Of the last vote.
    votes: tuple[Text, ...] = ()  # Each text with its voters.
    won: tuple[str, ...] = ()  # The words of what won; of first votes, of what led.
    earlier: tuple[str, ...] = ()  # The words of a decision that this one replaced.


def story_of(
    progress: DebateState,
    memory: ConversationMemory,
    counted: Outcome,
    helps: Helped,
    messages: Iterable[MessagePosted],
    verdicts: Sequence[VerdictReached],
    corrected: Mapping[str, int],
) -> tuple[StoryStep, ...]:
    """Return the steps to an outcome, in the order in which they happened.

    `corrected` tells by the id of a text that a person put in place of adopted words where in the log that stands.
    """
    ballots, by_id = last_vote(progress).ballots, texts_by_id(memory)
    spoken = {each.number: each for each in messages}
    backers = with_outcome(counted)  # nobody is against what was not decided
    outside = {ballot.agent for ballot in ballots} - backers if backers else frozenset[str]()
    put, apart, ways = _texts(memory, counted)
    first, votes = _first(helps), [(each.seq or 0, _vote(each, verdicts[:nth])) for nth, each in enumerate(verdicts)]
    room = _MOST - len(first) - len(votes)
    talk = [_put(text, by_id, memory) for text in sorted(put, key=lambda text: -text.message)]
    talk += [_withdrawn(text, memory) or _put(text, by_id, memory) for text in apart]
    chosen = talk[: max(0, room)]  # the newest wordings on the way, then other texts
    posted = (step for step in chosen if step.message in spoken)
    told = [(corrected.get(step.text, spoken[step.message].seq or 0), step) for step in posted]
    steps = [*first, *(step for _, step in sorted((*told, *votes), key=itemgetter(0)))]
    if steps and steps[-1].kind == "vote":
        sides = _sides((key for step in chosen for key in (*step.of, step.text)), ways, counted, memory)
        steps = _with_answers(steps, (*sides, *_prices(progress.terms, memory)), by_id)
        names = sorted(_named(ballots, helps, put, spoken, outside), key=lambda each: (each.message == 0, each.message))
        steps[-1] = replace(steps[-1], names=(*names,))
    left = tuple(step.text for step in talk if step not in chosen)
    return (*steps, *[StoryStep("more", of=left)] * bool(left))


def _with_answers(
    steps: list[StoryStep], answers: Iterable[Stood | Price], by_id: Mapping[str, Proposal]
) -> list[StoryStep]:
    """Return the steps with the sides and the answers on terms, each at the step of its text.

    Those on options stand at the first votes. Where a text has no step they stand at that of the text that joins it,
    else at the next one after them.
    """
    places = {key: at for at, step in enumerate(steps) for key in (step.of if step.message else ())}
    places |= {key: 0 for key, text in by_id.items() if not text.proposer and steps[0].kind == "first"}
    places |= {step.text: at for at, step in enumerate(steps) if step.text}
    for one in sorted(answers, key=attrgetter("message")):
        later = next((at for at, step in enumerate(steps) if step.message > one.message), len(steps) - 1)
        at = places.get(one.of, later)
        new: Any = (
            {"terms": (*steps[at].terms, one)} if isinstance(one, Price) else {"against": (*steps[at].against, one)}
        )
        steps[at] = replace(steps[at], **new)
    return steps


def _named(
    ballots: Iterable[Ballot],
    helps: Helped,
    put: Sequence[Proposal],
    spoken: Mapping[int, MessagePosted],
    outside: Collection[str],
) -> Iterator[Named]:
    """Yield which message each voter names whose vote differs from its first one, or who wrote a text on the way."""
    new, authors = [*new_voters(helps)], {text.proposer for text in put}
    changed = {each.who for each in (*helps.differs, *helps.new) if each.answer}
    moved = {each.who for each in (*helps.differs, *helps.new, *helps.reworded)}
    for ballot in ballots:
        who, said = ballot.agent, spoken.get(ballot.moved_by or 0)
        if said and (who in moved | authors or not helps.comparable):
            yield Named(who, who in changed, said.number, said.who, said.who in outside, new=who in new)
        elif who in changed:
            yield Named(who, True, 0, "", False, new=who in new)


def new_voters(helps: Helped) -> Iterator[str]:
    """Yield who abstained in the first vote and voted in the last one."""
    return (each.who for each in (*helps.new, *helps.differs) if each.before is None)


def _texts(memory: ConversationMemory, counted: Outcome) -> tuple[list[Proposal], list[Proposal], _Ways]:
    """Return the wordings on the way to what was decided, of joined ones the amended; other texts; each's ways."""
    by_id = texts_by_id(memory)
    waiting = [text.id for text in counted.decided] or [row.id for row in counted.rows if row.voters][:2]
    put = dict[str, Proposal]()
    for key in waiting:
        text = by_id.get(key)
        if text is None or not text.proposer or key in put:
            continue
        put[key] = text
        of = [by_id[key] for key in (text.amends, *text.joins) if key and key in by_id]
        waiting += [each.id for each in of if each.amends or not text.joins]
    ways = {key: [one for one in put.values() if one_motion(memory.parts.minutes.state, one.id, key)] for key in by_id}
    return [*put.values()], _apart(by_id, {*on_the_way(counted, memory), *put}), ways


def _apart(by_id: Mapping[str, Proposal], way: Collection[str]) -> list[Proposal]:
    """Return the texts on no way to what was decided: first those withdrawn, last those that became another."""
    known = [each for each in by_id.values() if each.proposer and each.status != "struck"]
    told = (each for each in known if each.status == "withdrawn" or each.id not in way)
    return sorted(told, key=lambda each: (each.status == "modified", each.status != "withdrawn"))


def _put(text: Proposal, by_id: Mapping[str, Proposal], memory: ConversationMemory) -> StoryStep:
    of = tuple(key for key in (text.amends or "", *text.joins) if key in by_id)
    put = (act for act in memory.acts(text.message) if act.id == text.id and act.kind != "position")
    return StoryStep("text", text.message, text.proposer, text.id, of, asked=any(act.asked for act in put))


def _sides(keys: Iterable[str], ways: _Ways, counted: Outcome, memory: ConversationMemory) -> Iterable[Stood]:
    """Return the sides on some texts, the options and those decided, and all that were given up, each once."""
    by_id = texts_by_id(memory)
    options = (key for key, text in by_id.items() if not text.proposer)
    texts = dict.fromkeys((*options, *(text.id for text in decided_texts(counted, by_id)), *keys))
    sides = [*filterfalse(_settled, given_up(by_id.values(), memory))]
    for text in map(by_id.__getitem__, texts):
        told = [*_objections(text, ways[text.id], counted)]
        done = {text.proposer, *(each.who for each in told)}
        full = (each for each in text.reactions if is_full(each) and each.source == "declared")
        sides += told
        sides += (side_of(each, text) for each in full if each.agent not in done)
    # Of equal ones the one of which more is known.
    return {(each.who, each.of, each.message): each for each in sorted(sides, key=lambda each: len(each.ends))}.values()


def _objections(text: Proposal, way: Sequence[Proposal], counted: Outcome) -> Iterator[Stood]:
    """Yield the last objection of each member to a text, or its condition, with what it declared since.

    One without an end names the text decided where its member's ballot accepts that: another wording of the same text,
    by somebody else. A doubt is left out where its member settled it.
    """
    takes = {each.id: each.voters for each in counted.adopted}
    beside: SideKind = "ballot" if isinstance(counted.reached.outcome, tuple) else "beside"
    kinds = dict.fromkeys(takes, beside)
    takes |= {counted.won.id: counted.accepted} if counted.won and counted.known else {}
    said = (each for each in (*text.history, *text.reactions) if each.source == "declared" and _objects(each))
    for each in {each.agent: each for each in said}.values():
        ends = _ends(each, text, way)
        now = next((one.id for one in way if one.id in takes and one.proposer != each.agent), "")
        stands = all(end.kind == "undecided" for end in ends) and each.agent in takes.get(now, ())
        side = side_of(each, text, *ends, *[SideEnd(kinds.get(now, "ballot"), text=now)] * stands)
        if not _settled(side):
            yield side


def _settled(side: Stood) -> bool:
    """Return whether a side was in doubt until its member said that it has no condition."""
    return side.doubt and [end.kind for end in side.ends[:1]] == ["for"]


def _objects(reaction: Reaction) -> bool:
    return (reaction.reaction == "oppose" or reaction.conditional) and not reaction.undone


def _ends(objection: Reaction, text: Proposal, way: Iterable[Proposal]) -> tuple[SideEnd, ...]:
    """Return what a member declared after its objection: on the text, then on one nearer to the text decided."""
    newer = (_since(objection, one)[-1:] for one in takewhile(lambda one: one.id != text.id, way))
    other = next((run for run in newer if run and run[0].kind != "back"), [])
    return (*sorted((*_since(objection, text), *other), key=said_in),)


def _since(objection: Reaction, text: Proposal) -> list[SideEnd]:
    """Return the sides that a member took on a text after an objection, and after any later one to it, oldest first."""
    who, after = objection.agent, _told_at(objection)
    ends = [SideEnd("for", text.message, text.id)] * (text.proposer == who and text.message > after[0])
    said = (each for each in (*text.history, *text.reactions) if each.agent == who and _told_at(each) > after)
    for each in sorted((each for each in said if each.source == "declared"), key=said_in):
        undecided = "undecided" if each.reaction == "neutral" else ""
        past = each.met and text.status == "modified"  # a condition of a text that another wording has replaced
        kind: Any = "back" if each.undone or past else "for" if is_full(each) else undecided
        if _objects(each):
            ends.clear()
        elif kind and kind not in [end.kind for end in ends[-1:]]:
            ends.append(SideEnd(kind, each.message, text.id, one_line(each.why), each.asked))
    return ends


def _told_at(reaction: Reaction) -> tuple[int, bool]:
    """Return the place of what was declared: what is declared when asked comes after what the message says."""
    return said_in(reaction), reaction.asked > 0


def _prices(terms: Iterable[TermsNamed], memory: ConversationMemory) -> Iterator[Price]:
    """Yield what members named as their terms, but for texts that had been withdrawn when they were asked."""
    gone = {step.text: step.message for text in texts_by_id(memory).values() if (step := _withdrawn(text, memory))}
    for each in terms:
        if (each.change or each.takes in _PLAIN) and each.after < gone.get(each.on, each.after + 1):
            yield Price(each.who, each.on, one_line(each.change).rstrip("."), each.after, each.takes == "as it is")


def _withdrawn(text: Proposal, memory: ConversationMemory) -> StoryStep | None:
    """Return the step of a withdrawal, with its reason; None of a text that was not withdrawn."""
    last = text.changes[-1] if text.changes else None
    if last is None or not last.messages or last.status != "withdrawn":
        return None
    acts = (
        act for act in memory.acts(last.messages[-1]) if (act.kind, act.on, act.counted) == ("withdraw", text.id, True)
    )
    why, asked = next(((act.why or act.text, act.asked) for act in acts), ("", False))
    return StoryStep("withdrawn", last.messages[-1], text.proposer, text.id, why=one_line(why), asked=asked)


def _first(helps: Helped) -> list[StoryStep]:
    """Return the step of the first votes; nothing where none were taken."""
    votes = tuple(Text(helps.ids.get(row.text, ""), row.text, voters=row.first) for row in helps.votes[0] if row.first)
    led = helps.before if isinstance(helps.before, tuple) else (helps.before,) if helps.before else ()
    return [StoryStep("first", votes=votes, won=led)] if votes and helps.comparable else []


def _vote(reached: VerdictReached, before: Sequence[VerdictReached]) -> StoryStep:
    ids = {text.text: text.id for text in reached.offered}
    texts = (Text(ids.get(words, ""), words, voters=who) for words, who in reached.tally.items() if who)
    return StoryStep(
        "vote",
        votes=(*sorted(texts, key=lambda text: -len(text.voters)),),
        won=tuple(reached.won),
        earlier=replaced_by(reached, before),
    )


def replaced_by(reached: VerdictReached, before: Sequence[VerdictReached]) -> tuple[str, ...]:
    """Return the words of an earlier decision that a verdict replaced; empty where it decided the same."""
    return tuple(words for earlier in before[-1:] for words in earlier.won if words not in reached.won)
