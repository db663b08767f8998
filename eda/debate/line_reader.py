"""What a line that a person types states: as moves, once its author has said so.

What is read exactly counts at once; anything else is offered, and counts after a yes. Of the rest a model is asked.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import chain, takewhile
from operator import attrgetter, itemgetter
from typing import Any, Literal, get_args

from eda.debate.asking import ask_for_fields
from eda.debate.course import NO_LINE
from eda.debate.prompts.ballot_prompt import acts_schema
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.slots import closed_lines, offered_in_words
from eda.debate.speech import as_spoken, as_stances
from eda.debate.state import DebateState
from eda.debate.verdict import yes_no_of
from eda.events import (
    Event,
    LineOffered,
    LineRead,
    MessagePosted,
    Move,
    MoveKind,
    SessionStarted,
)
from eda.memory import ConversationMemory
from eda.memory.minutes.motions import sides_held, table_rows
from eda.memory.minutes.otherwise import says_but, stated_in
from eda.memory.minutes.remark_words import all_but, answer_first, ids_in, parts_of, undone, untitled
from eda.memory.minutes.remarks import RemarkAct, RemarkRead, read_remark
from eda.memory.patterns.conditions import conditional, waives
from eda.runners.answers import StatedAct, StatedActs
from eda.runners.protocol import Prompt, Runner
from eda.runners.repair import answer_in as fields_in
from eda.text import quoted, regex

_TELLS = 3  # Words of a line that may state something, though nothing was read in it: a model is asked.
_BEFORE = 3  # Messages before a line that a model is shown: it may answer one that others have answered meanwhile.
_CALL = regex(r"^@\S+\s*")
_TAG = regex(r"JSON\b|[\W_]")  # in its dress: "[", "**"
KINDS: dict[str, MoveKind] = {kind: kind for kind in get_args(MoveKind)} | {"undecided": "neutral", "hold": "position"}


async def stated(runner: Runner, briefing: PromptBuilder, number: int) -> tuple[Event, ...]:
    """Return the facts of asking a model what a person's line states: its calls, and what is offered to the person."""
    state, memory, told = briefing.state, briefing.memory, briefing.memory.parts.messages
    line, sealed = told.line(number), told.message(number).sealed  # then its author has heard of no other's text
    table = [row for row in memory.state.rows.values() if row["at"] in ({row["at"]}, (0, number))[sealed]]
    said = state.past_answer(line.who, number, line.text)
    heard = range(max(1, number - _BEFORE), number * (not sealed))
    messages = (f"- {quoted(each.who)}: {quoted(each.text)}" for each in map(told.line, heard))
    before = "\n".join([*messages, *_asked_before(number, line.who, state)])
    own = briefing.fill(
        "line",
        who=quoted(line.who),
        texts="\n".join(
            f"- {row['id']}{f' ({title})' * bool(title)}{f' by {by}' * bool(by)}: {quoted(row['text'])}"
            for row in table
            for title, by in [(quoted(row["title"]), quoted(row["by"]))]
        )
        + closed_lines(memory),
        before=before or "none",
        line=quoted(said),
    )
    ids = {str(row["id"]): row for row in table}
    strict = acts_schema(StatedAct, [*ids]) if state.settings.ballots == "schema" else None
    prompt = Prompt(
        purpose="read",
        last=number,
        nth=state.calls.next("read", ""),
        seed=briefing.started.seed,
        own=own,
        answer=StatedActs,
        strict=strict,
    )

    answer = await ask_for_fields(runner, prompt, partial(fields_in, StatedActs), briefing.corrected, calls=1)
    meant = {
        *(str(row["id"]) for row in table if row["at"] in heard or str(row["id"]) in before),
        *(act.on for each in heard for act in memory.acts(each)),
    }
    exact = state.lines.get(number, NO_LINE)
    known, unclear, talk = stated_in(
        (answer.fields or {}).get("acts", ()),
        ids,
        said,
        meant,
        map(attrgetter("target"), exact.moves),
        state.settings.words.say,
    )
    moves = as_moves(RemarkRead(known), line.who, talk, memory, exact.moves)
    moves = (*exact.moves * bool(moves and exact.state == "offered"), *as_stances(moves, briefing.yes_no))
    why, none = in_vain(known, line.who, memory)
    if unclear and not why and (moves or "" in unclear):
        why, none = "which text", tuple(filter(ids.__contains__, unclear))
    return *answer.calls, LineOffered(who=line.who, message=number, moves=moves, why=why, ids=none)


def may_depend(state: DebateState, memory: ConversationMemory) -> list[LineOffered]:
    """Return what persons are asked before a vote, once: whether a support has the condition that it may have."""
    supports = {  # one of a message, as one answer is for all that was offered of it
        each.message: each
        for who in filter(state.is_person, state.voters)
        for each in memory.unclear_supports(who)
        # What waits of that message for an answer stays.
        if each.message > state.asked_once.get(who, 0) and each.message not in state.waiting(who)
    }
    return [
        LineOffered(who=each.agent, message=at, moves=(Move("support", each.condition, each.to, terms="if"),))
        for at, each in supports.items()
    ]


def _asked_before(number: int, who: str, state: DebateState) -> Iterator[str]:
    """Yield what the author of a line was asked about those that wait for a yes or no: it may answer that."""
    yield from (f"- {offered_in_words(who, moves)}" for at, moves in state.waiting(who).items() if at < number)


def with_line(message: MessagePosted, state: DebateState, memory: ConversationMemory) -> MessagePosted:
    """Return a person's message with how it was read, and with the moves that it makes in plain words."""
    if message.unclaimed or (message.moves and message.sealed):
        return message.model_copy(update={"line": LineRead("counted" if message.moves else "talk")})
    talk = _CALL.sub("", state.past_answer(message.who, message.number, message.talk.strip()))
    rows, number = memory.state.rows.values(), min(message.number - 1, memory.message_count) * (not message.sealed)
    # It may answer the message before it; others may be writing beside it, and what waits for a yes comes first.
    last = asdict(memory.parts.messages.line(number)) if number and not state.waiting(message.who) else {}
    read = read_remark(talk, rows, message.who, last, {move.target for move in message.moves})
    read = as_spoken(_with_closed(read, talk, message.who, memory), talk, message.who, state)
    moves = as_stances(as_moves(read, message.who, talk, memory, message.moves), yes_no_of(state.started))
    # "against o2", which was read in words, is no tag that was lost.
    left = {"unknown_tags": tuple(filter(_TAG.match, message.unknown_tags))}
    if message.moves or (read.exact and moves):  # what the words beside declared moves say counts as well, or is told
        counted = LineRead("counted", left=read.left or (talk,) * (not read.exact and bool(read.ask or moves)))
        return message.model_copy(update={"moves": (*message.moves, *moves * read.exact), "line": counted, **left})
    given = {row["id"] for row in rows if not row["at"]}  # before all have written nobody has read another text
    if moves and (not message.sealed or {act.on for act in read.acts} <= given):
        return message.model_copy(update={"line": LineRead("offered", moves, read.ask, read.ids, read.left), **left})
    return message.model_copy(update={"line": _uncounted(read, talk)})


def _with_closed(read: RemarkRead, talk: str, who: str, memory: ConversationMemory) -> RemarkRead:
    """Return how a line was read, or, where it acts on texts that are open no more, what it does to those in place."""
    rows, closed = memory.state.rows.values(), [*table_rows(memory.motions, closed=True)]
    titles = {row["title"]: row["id"] for row in (*closed, *rows)}  # the last wording of several has their title
    now = {row["id"]: row["now"] for row in closed}
    named = [row["title"] * (titles[row["title"]] == row["id"]) for row in closed]
    closed = [{**row, "by": "", "text": "", "title": title} for row, title in zip(closed, named, strict=True)]
    again = read_remark(talk, [*rows, *closed], who, {})
    past = [act for act in again.acts if act.on in now]
    ids = tuple(dict.fromkeys(str(act.on) for act in past))
    if not ids or (read.exact and read.acts and not read.left):
        return read
    if again.exact and sides_held(who, closed).issuperset((act.on, act.of) for act in past):
        return again  # "I take back my condition on p2.0": that is where it was set
    acts = (replace(act, on=now.get(act.on or "", act.on), how="words") for act in again.acts)
    return RemarkRead(tuple(act for act in acts if act.on != ""), "ended", ids, again.left)


def answer_in(
    text: str, offered: tuple[Move, ...], who: str, memory: ConversationMemory, started: SessionStarted | None
) -> tuple[dict[Literal["yes", "no"], tuple[Move, ...]], str, bool]:
    """Return what a line answers to what was offered, each with its moves, and what it says beside.

    The last is whether that states something of a text, or may do. A yes with a condition, or a question, answers
    nothing. Neither does a yes with "but", "no" or "only" behind it, whatever that is. What it says beside counts with
    it where that is read exactly. What was offered of a text that the words behind a yes name waits: "yes, I mean o1".
    Where that is all that was offered, it answers nothing.
    """
    rows, on = memory.state.rows, {move.target for move in offered}
    but, vague = all_but(text, rows)
    if (but or vague) and on.issuperset((*but, *vague)):  # "not o1, the rest yes"
        return _split(offered, but, vague), "", False
    answer, rest = answer_first(text, loose=True) if (behind := undone(text)) is None else ("no", behind)
    if answer == "no":  # of "no, not o2. I support o1" the refusal is the answer's, and no reason of the support
        rest = _past_refusal(rest, rows, on)
    offered, rest = _waived(answer, rest, offered)
    if not answer or (
        answer == "yes" and (rest.endswith("?") or says_but(text) or conditional(untitled(rest, rows.values())))
    ):
        return {}, rest, True
    read, parts = read_remark(rest, rows.values(), who, {}), [*chain.from_iterable(parts_of(rest, rows))]
    acts, named = as_moves(read, who, rest, memory), {*ids_in(parts)}
    more = acts * (read.exact and not read.left)
    moves = as_stances((*_without(named, offered) * (answer == "yes"), *more), yes_no_of(started))
    # "Yes, I mean o1" leaves nothing of the offer on o1, and refuses nothing.
    given: tuple[tuple[Literal["yes", "no"], tuple[Move, ...]], ...] = (
        ("yes", moves),
        ("no", _without({move.target for move in moves}, offered) * (answer == "no")),
    )
    says = bool(acts or read.ask or named & on) or any(part.says_more(rest, ()) for part in parts)
    return dict(filter(itemgetter(1), given)), rest * (not more), says


def _waived(answer: str, rest: str, offered: tuple[Move, ...]) -> tuple[tuple[Move, ...], str]:
    """Return what was offered and what an answer says beside; "yes, without a condition" accepts it without its own."""
    if answer != "yes" or not waives(rest):
        return offered, rest
    return tuple(each if each.kind != "support" else replace(each, text="", terms="none") for each in offered), ""


def _past_refusal(rest: str, rows: Mapping[str, Mapping[str, Any]], on: Container[str | None]) -> str:
    """Return what stands behind the refusal of texts with which words begin."""
    refused = takewhile(lambda part: part.refuses(on), chain.from_iterable(parts_of(rest, rows)))
    return rest[max((part.end for part in refused), default=0) :].lstrip(" ,.;:!")


def _split(
    offered: tuple[Move, ...], but: Container[str | None], vague: Container[str | None]
) -> dict[Literal["yes", "no"], tuple[Move, ...]]:
    """Return what a yes to all but some texts accepts and refuses of what was offered; the vague ones wait."""
    kept, refused = _without(vague, _without(but, offered)), tuple(move for move in offered if move.target in but)
    return {**({"yes": kept} if kept else {}), **({"no": refused} if refused else {})}


def _without(texts: Container[str | None], moves: Iterable[Move]) -> tuple[Move, ...]:
    return tuple(move for move in moves if move.target not in texts)


def _uncounted(read: RemarkRead, talk: str) -> LineRead:
    """Return how a line was read of which nothing counts or is offered: with why, where a model may read more."""
    return LineRead(
        "asked" if read.ask else "talk",
        (),
        read.ask or ("" if read.acts or len(talk.split()) < _TELLS or talk.endswith("?") else "words"),
        read.ids,
    )


def as_moves(
    read: RemarkRead, who: str, talk: str, memory: ConversationMemory, before: Iterable[Move] = ()
) -> tuple[Move, ...]:
    """Return the moves that the acts of a line are on other texts than those `before`, or put one if none of them does.

    Who takes back, or denies, what it does not hold does nothing; of a withdrawal in so many words it is told so.
    """
    acts = [act for act in read.acts if (read.exact and act.kind == "withdraw") or not in_vain([act], who, memory)[1]]
    plain = not conditional(untitled(answer_first(talk)[1], memory.state.rows.values()))
    known = {move.target or move.kind for move in before}
    moves = (_move(act, acts, talk, plain=plain) for act in acts)
    return tuple(move for move in moves if (move.target or move.kind) not in known)


def in_vain(acts: Sequence[RemarkAct], who: str, memory: ConversationMemory) -> tuple[str, tuple[str, ...]]:
    """Return why acts take back, or deny, what is not their author's, a text or a side, and the texts; empty for none.

    Who stood on a text that was replaced stands there still.
    """
    holds = {
        (text.id, side)
        for motion in memory.motions
        for text in motion.versions
        for old in motion.versions
        if old.id == text.id or old.status == "modified"
        for each in old.reactions
        if each.agent == who
        for side in ({"oppose": "opposition"}.get(each.reaction, each.reaction), "condition" * each.conditional)
    }
    holds |= {(key, "text") for key, row in memory.state.rows.items() if row["by"] == who}
    vain = [(act.of, act.on) for act in acts if act.of and act.on and (act.on, act.of) not in holds]
    why = {"text": "not its author"}.get(vain[0][0], f"no {vain[0][0]}") if vain else ""
    return why, tuple(on for of, on in vain if of == vain[0][0])


def _move(act: RemarkAct, acts: Sequence[RemarkAct], talk: str, *, plain: bool) -> Move:
    if act.kind in ("withdraw", "deny") and act.of != "text":
        return Move("withdraw", target=act.on, of=act.of)
    talk = answer_first(talk)[1]  # a yes or no in front answers somebody, and is no reason
    words = act.condition if conditional(act.condition) else talk
    alone = not conditional(talk) and len(acts) == 1 and act.kind != "withdraw"
    # What the line may state as a condition is told with its support.
    doubted = act.kind == "support" and not plain and not any(each.condition for each in acts)
    return Move(KINDS[act.kind], act.text or (words if act.condition or doubted else talk if alone else ""), act.on)
