"""How a decision came about, step by step: first votes, the texts that mattered, what changed them, and each vote."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from operator import itemgetter
from typing import Any, Literal

from eda.debate.state import DebateState
from eda.debate.verdict import last_vote, texts_by_id
from eda.events import NONE, Ballot, MessagePosted, Proposal, Reaction, TermsNamed, VerdictReached
from eda.memory import ConversationMemory
from eda.memory.minutes.motions import said_in
from eda.memory.minutes.positions import one_motion
from eda.report.effect import Helped
from eda.report.formatting import SHORT, one_line, shorten, shown_id
from eda.report.ledger import decided_texts, on_the_way, with_outcome
from eda.report.outcome import Outcome, SideEnd, Stood, Text
from eda.report.stances import given_up, is_full, side_of
from eda.report.vote_words import title_of
from eda.words import Words

_MOST = 10  # Steps of a story.
_NAMED = 3  # Members whose votes changed, where they are no more.

# Characters by which a story names a text of a member without a title: where it is put, and elsewhere.
_NAME, _BRIEF = 32, 24

_Ways = Mapping[str, Sequence[Proposal]]  # By the id of a text the texts on the way that come from one with it.
_KEYS = ("story-first", "story-text", "story-withdrawn", "story-vote", "story-more")
_HEADS = {key.removeprefix("story-"): key for key in _KEYS}


@dataclass(frozen=True, slots=True)
class Named:
    """A voter who names a message for its vote, by its own word on the ballot. Nobody has measured a cause."""

    who: str
    changed: bool
    """Whether its vote is known to be another than its first one, or it had none at first: then it is `new`."""
    message: int
    by: str  # Whose message it is.
    against: bool  # Whether that member is against the outcome.
    new: bool = False


@dataclass(frozen=True, slots=True)
class Price:
    """What a member named, when asked, as the least change of a text that would bring it in, or that none would."""

    who: str
    text: str
    change: str  # Empty where none would.
    message: int  # After which it was asked.
    decided: tuple[str, bool] | None = None  # The text decided, if of the same motion, and if its ballot accepts it.


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
    put: int = 0  # Of a text that was withdrawn: the message that puts it, 0 where its author put it when asked.
    against: tuple[Stood, ...] = ()  # Who was against a text before it, or set a condition, and who gave a side up.
    terms: tuple[Price, ...] = ()
    """What members named, when asked before it, as what would bring them in for a text, or that nothing would."""
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
    prices = _prices(progress.terms, ballots, counted, memory)
    first, votes = _first(helps), [(each.seq or 0, _vote(each, verdicts[:nth])) for nth, each in enumerate(verdicts)]
    room = _MOST - len(first) - len(votes)
    talk = [_put(text, by_id, memory) for text in sorted(put, key=lambda text: -text.message)]
    talk += [_withdrawn(text, memory) or _put(text, by_id, memory) for text in apart]
    chosen = talk[: max(0, room)]  # the newest wordings on the way, then other texts
    posted = (step for step in chosen if step.message in spoken)
    told = [(corrected.get(step.text, spoken[step.message].seq or 0), step) for step in posted]
    steps = [*first, *(step for _, step in sorted((*told, *votes), key=itemgetter(0)))]
    if steps and steps[-1].kind == "vote":
        about = [*decided_texts(counted, by_id), *_passed(first, helps, counted, by_id, put)]
        about += (by_id[key] for step in chosen for key in (*step.of, step.text))
        steps = _with_answers(steps, (*_objections(about, ways, counted), *given_up(by_id.values(), memory)), prices)
        names = sorted(_named(ballots, helps, put, spoken, outside), key=lambda each: each.message)
        steps[-1] = replace(steps[-1], names=(*names,))
    left = tuple(step.text for step in talk if step not in chosen)
    return (*steps, *[StoryStep("more", of=left)] * bool(left))


def _passed(
    first: Iterable[StoryStep], helps: Helped, counted: Outcome, by_id: Mapping[str, Proposal], put: Iterable[Proposal]
) -> Iterator[Proposal]:
    """Yield the texts that led the first votes and were not decided; where nothing was, those of the last votes."""
    keys = [helps.ids.get(text, "") for step in first for text in step.won]
    done = {text.id for text in counted.decided}
    keys += [*(row.id for row in counted.rows if row.voters), *(text.id for text in put)] * (not done)
    yield from (by_id[key] for key in dict.fromkeys(keys) if key in by_id and key not in done)


def _with_answers(steps: list[StoryStep], sides: Iterable[Stood], terms: Iterable[Price]) -> list[StoryStep]:
    """Return the steps, each with the sides and the answers on terms that came before it, of equal sides the first."""
    once = dict[tuple[str, str, int], Stood | Price]()
    for each in sides:
        once.setdefault((each.who, each.of, each.message), each)
    for one in sorted((*once.values(), *terms), key=said_in):
        at = next((at for at, step in enumerate(steps) if step.message > said_in(one)), len(steps) - 1)
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
    new, authors = [*_new(helps)], {text.proposer for text in put}
    changed = {each.who for each in (*helps.differs, *helps.new) if each.answer}
    moved = {each.who for each in (*helps.differs, *helps.new, *helps.reworded)}
    for ballot in ballots:
        who, said = ballot.agent, spoken.get(ballot.moved_by or 0)
        if said and (who in moved | authors or not helps.comparable):
            yield Named(who, who in changed, said.number, said.who, said.who in outside, new=who in new)


def _new(helps: Helped) -> Iterator[str]:
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
    return StoryStep("text", text.message, text.proposer, text.id, of, asked=_asked(text, memory))


def _asked(text: Proposal, memory: ConversationMemory) -> bool:
    """Return whether its author put a text only when it was asked what its message declares."""
    put = (act for act in memory.acts(text.message) if act.id == text.id and act.kind != "position")
    return any(act.asked for act in put)


def _objections(texts: Iterable[Proposal], ways: _Ways, counted: Outcome) -> Iterator[Stood]:
    """Yield the last objection of each member to each text, or its condition, with what it declared since.

    One without an end names the text decided where its member's ballot accepts that: the wording of the same text that
    was adopted, else the answer.
    """
    takes, answer = {text.id: text.voters for text in counted.adopted}, counted.won.id if counted.won else ""
    takes |= {answer: counted.accepted} if answer and counted.known else {}
    for text in texts:
        said = (each for each in (*text.history, *text.reactions) if each.source == "declared" and _objects(each))
        last = {each.agent: each for each in said}.values()
        for each in last:
            ends = _ends(each, text, ways[text.id])
            key = next((one.id for one in ways[text.id] if one.id in takes), answer)
            stands = all(end.kind == "undecided" for end in ends) and each.agent in takes.get(key, ())
            yield side_of(each, text, *ends, *[SideEnd("ballot", text=key)] * stands)


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


def _prices(
    terms: Iterable[TermsNamed], ballots: Iterable[Ballot], counted: Outcome, memory: ConversationMemory
) -> Iterator[Price]:
    """Yield what members named as their terms; of a wording of the text decided also whether ballots accept that."""
    accepts, won = {each.agent: each.agent in counted.accepted for each in ballots if each.has_voted}, counted.won
    for each in (each for each in terms if each.change or each.takes == "not at all"):
        taken = accepts if won and one_motion(memory.parts.minutes.state, each.on, won.id) else {}
        decided = (won.id, taken[each.who]) if won and each.who in taken else None
        yield Price(each.who, each.on, one_line(each.change).rstrip("."), each.after, decided)


def _withdrawn(text: Proposal, memory: ConversationMemory) -> StoryStep | None:
    """Return the step of a withdrawal, with its reason; None of a text that was not withdrawn."""
    last = text.changes[-1] if text.changes else None
    if last is None or not last.messages or last.status != "withdrawn":
        return None
    acts = (
        act for act in memory.acts(last.messages[-1]) if (act.kind, act.on, act.counted) == ("withdraw", text.id, True)
    )
    why, asked = next(((act.why or act.text, act.asked) for act in acts), ("", False))
    step = StoryStep("withdrawn", last.messages[-1], text.proposer, text.id, why=one_line(why), asked=asked)
    return replace(step, put=text.message * (not _asked(text, memory)))


def _first(helps: Helped) -> list[StoryStep]:
    """Return the step of the first votes; nothing where none were taken."""
    votes = tuple(Text(helps.ids.get(row.text, ""), row.text, voters=row.first) for row in helps.votes[0] if row.first)
    led = helps.before if isinstance(helps.before, tuple) else (helps.before,) if helps.before else ()
    return [StoryStep("first", votes=votes, won=led)] if votes and helps.comparable else []


def _vote(reached: VerdictReached, before: Sequence[VerdictReached]) -> StoryStep:
    ids = {text.text: text.id for text in reached.offered}
    votes = (Text(ids.get(words, ""), words, voters=who) for words, who in reached.tally.items() if who)
    ranked = sorted(votes, key=lambda text: -len(text.voters))
    return StoryStep("vote", votes=(*ranked,), won=tuple(reached.won), earlier=replaced_by(reached, before))


def replaced_by(reached: VerdictReached, before: Sequence[VerdictReached]) -> tuple[str, ...]:
    """Return the words of an earlier decision that a verdict replaced; empty where it decided the same."""
    return tuple(words for earlier in before[-1:] for words in earlier.won if words not in reached.won)


class Names:
    """Names texts by their titles: the first time with the id; later an untitled proposal by its id alone.

    Of texts that share a title the first that is told has it; the others are named as untitled ones.
    """

    def __init__(self, texts: Iterable[Text], words: Words) -> None:
        """Know the texts, by id and by their words."""
        known = [*texts]
        self._by_id = {text.id: text for text in known}
        self._by_words = {text.text: text for text in known}
        self._words, self._told, self._titled = words, set[str](), dict[str, str]()
        self._shared = Counter(text.title for text in known)

    def of(self, key: str, *, brief: bool = False) -> str:
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
        most = SHORT if not text.by else _NAME if number and not brief and not told else _BRIEF
        title = title_of(text, self._by_words, most)
        if number and not text.title and len(title) > 2 * most:  # beside its id the first words will do
            title = shorten(one_line(text.text), most)
        return self._words.say("votes-text", kind="text", text=title, id="" if told else number, by="")


def brief_line(steps: Iterable[StoryStep], helps: Helped, texts: Iterable[Text], words: Words) -> Iterator[str]:
    """Yield in one line how it came to this: what led, and how many put another answer first at the end."""
    names, told = Names(texts, words), [*steps]
    led = [words.say("story-part", "first", texts=[*map(names.of, s.won)]) for s in told if s.kind == "first"]
    new = [*_new(helps)]
    who = [each.who for each in (*helps.new, *helps.differs) if each.answer and each.who not in new]
    changed = [words.say("story-part", "changed", count=len(who), who=who * (len(who) <= _NAMED))] * bool(led)
    if parts := [*led, *changed, *[words.say("story-part", "new", who=new)] * bool(led and new)]:
        yield (line := words.say("story-brief", parts=parts))[:1].upper() + line[1:]


def story_lines(steps: Iterable[StoryStep], texts: Iterable[Text], words: Words) -> Iterator[tuple[str, list[str]]]:
    """Yield each step in words: what happened, and the lines below it. What it answers is told before it."""
    known, say, told = [*texts], words.say, [*steps]
    names, by = Names(known, words), {text.id: text.by for text in known}
    last = max((at for at, step in enumerate(told) if step.kind == "vote"), default=-1)
    for at, step in enumerate(told):
        before = [*_answered(step, names.of, words)]
        about: dict[str, Any] = {
            "won": [*map(names.of, step.won)],
            "earlier": [*map(names.of, step.earlier)],
            "of": [shown_id(key) if step.kind == "more" else names.of(key, brief=True) for key in step.of],
            "text": names.of(step.text) if step.text else "",
            "own": all(by.get(key) == step.by for key in step.of),
            "joins": len(step.of),
            "asked": step.asked,
            "put": f"m{step.put}" * (step.put > 0),
        }
        head = say(_HEADS[step.kind], last=at == last, by=step.by, at=f"m{step.message}", why=step.why, **about)
        sides = () if at == last and step.won else step.votes  # the verdict itself names those of the last vote
        votes = [say("story-side", text=names.of(each.id or each.text), who=each.voters) for each in sides]
        if before:
            yield before[0], before[1:]
        yield head, [*[" · ".join(votes)] * bool(votes), *(_names(each, words) for each in step.names)]


def _answered(step: StoryStep, name: Callable[[str], str], words: Words) -> Iterator[str]:
    """Yield what was said against the texts that a step changes, and what members named as what would bring them in."""
    said: list[Stood | Price] = [*step.against, *step.terms]
    for each in sorted(said, key=said_in):
        if isinstance(each, Price):
            key, takes = each.decided or ("", None)
            ballot = {True: "accepts", False: "refuses", None: "none"}[takes]
            named = {"who": each.who, "text": name(each.text), "change": each.change, "at": f"m{each.message}"}
            yield words.say("story-terms", **named, ballot=ballot, decided=name(key) if key else "")
            continue
        about = {"who": each.who, "text": name(each.of), "reason": each.condition or each.reason}
        condition = "doubt" if each.doubt else "yes" if each.conditional else "no"
        side = "for" if condition == "no" and each.stance == "support" else condition
        ends = [
            words.say(
                "story-end",
                kind=end.kind,
                conditional=condition,
                same=end.text == each.of,
                text=name(end.text),
                at=f"m{said_in(end)}",
                asked=end.asked > 0,
                why=end.why,
            )
            for end in each.ends
        ]
        yield words.say("story-against", **about, side=side, ends=ends, at=f"m{said_in(each)}", asked=each.asked > 0)


def _names(each: Named, words: Words) -> str:
    changed = "new" if each.new else "yes" if each.changed else "no"
    about: dict[str, Any] = {"who": each.who, "changed": changed, "at": f"m{each.message}"}
    return words.say("story-names", **about, by=each.by, own=each.by == each.who, against=each.against)
