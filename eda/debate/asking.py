"""Asks a runner: a call comes back as facts to publish, with a reply or with the reason why there is none.

One failure is raised: `RunnerUnavailableError`. No call will succeed before somebody acts, so the debate is paused. Any
other failure is an answer without a reply.
"""

import asyncio
import itertools
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from eda.errors import BudgetError, BudgetReason, RunnerError, RunnerUnavailableError
from eda.events import NONE, BallotText, Bid, CallMade, Doubt, Event, TurnFailed
from eda.runners.answers import BidAnswer, BidsAnswer, MemberBid, PollAnswer
from eda.runners.protocol import OnText, Prompt, Reply, Runner, Usage, checked_reply, digest
from eda.runners.repair import fields_of, validated
from eda.voting.answers import read_ballot
from eda.voting.rules import Counts

REFUSED = "the model refused to answer"
# The beginning of a reply in which a model, and not a member of the panel, declines.
_REFUSES = (
    r"\W*(?:(?:(?:i['’]m|i am) )?(?:really |very )?sorry\W+(?:but )?)?as an ai(?: \w+){0,3}\W+"
    r"i (?:can(?:['’]t|not| not)|won['’]t|do(?:n['’]t| not)|am (?:not able|unable|not in a position))\b|"
    r"\W*(?:(?:i['’]m|i am) (?:really |very )?sorry\W+(?:but )?|(?:sorry|apologies|unfortunately)\W+(?:but )?)?"
    r"(?:as an ai(?: \w+){0,3}\W+)?(?:i (?:can(?:['’]t|not| not)|won['’]t|will not|must decline|am (?:not able|unable)|"
    r"['’]m (?:not able|unable))|i['’]m (?:not able|unable))(?: to)? (?:"
    r"(?:help|assist)(?: you)?(?: with (?:that|this|it|(?:that|this|your) request))?\s*(?:[.!]|\Z)|"
    r"(?:participate|take part|engage|continue|comply|role-?play) (?:in|with|as) (?:this|that|the|such|your) "
    r"(?:debate|discussion|conversation|request|role-?play|task|vote|panel)\b|"
    r"(?:fulfil+|generate|provide) (?:that|this|your|such) (?:request|content|text|answer)\b|"
    r"(?:vote|cast a (?:vote|ballot))(?: in (?:this|the) \w+| on (?:this|that)\w*)?\s*(?:[.!]|\Z))"
)
_LONGEST_REFUSAL = 400
CALLS_A_TURN = 2  # A reply that cannot be read, is no speech or repeats an earlier message is asked for once more.
CALLS_A_VOTE = 3  # A vote that cannot be read is asked for twice more, each time more simply.

# The fields of a structured answer; None, and what is wrong with the answer, where it cannot be read. Fields of which
# something is wrong stand, but who gave them is asked about it once.
Checked = tuple[Mapping[str, Any] | None, str]

# Makes the second prompt from the first, what was wrong with the reply, and the reply.
Corrected = Callable[[Prompt, str, str], Prompt]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one question to a runner."""

    calls: tuple[CallMade, ...] = ()  # Calls that took something. The answers of a person are no calls.
    reply: Reply | None = None  # None where the last call failed or was not made.
    error: RunnerError | None = None  # Why there is no reply.
    fields: Mapping[str, Any] | None = None  # What a structured answer says; see `ask_for_fields`.
    unreadable: str = ""  # What is wrong with a reply that could not be read.
    words: str = ""  # The last reply of several that has any words.
    failed: int = 0  # The number of the call that failed and took nothing, which no fact of a call tells; else 0.

    @property
    def short(self) -> BudgetReason | None:
        """`tokens` or `money` where the call was not made because the budget has not enough of it left."""
        return self.error.reason if isinstance(self.error, BudgetError) else None

    @property
    def why(self) -> str:
        """Why there is no usable answer."""
        return str(self.error) if self.error else self.unreadable


class Turn(NamedTuple):
    """What came of asking one member, or several in one call: the facts to publish, in order."""

    facts: tuple[Event, ...] = ()
    # Each bid and each pass, in seat order; None where a failed call for several says nothing of any of them.
    bids: tuple[Bid, ...] | None = ()
    short: BudgetReason | None = None  # Where a call was not made because the budget has not enough of it left.
    failed: bool = False  # Whether every call for a bid failed: these passes are no silence.


async def ask(
    runner: Runner,
    prompt: Prompt,
    on_text: OnText | None = None,
    *,
    lost: Callable[..., object] | None = None,
) -> Answer:
    """Return the reply with the fact of its call, or an answer that says why there is no reply.

    `lost` is given the fact of a call that took something and is given up, or after which no other will succeed. Inside
    a debate the `BudgetedRunner` keeps account of those.

    Raises:
        RunnerUnavailableError: no call will succeed before somebody acts.
        asyncio.CancelledError: the call was given up.
        UsageError: the runner answered with something that is no `Reply`.
    """
    try:
        reply = checked_reply(await runner.run(prompt, on_text))
    except (RunnerUnavailableError, asyncio.CancelledError) as error:
        if lost is not None:
            lost(*_calls(replace(prompt, nth=0), reply_of_failure(error)))
        raise
    except RunnerError as error:
        calls = _calls(prompt, reply_of_failure(error))
        return Answer(calls, error=error, failed=0 if isinstance(error, BudgetError) or calls else prompt.nth)
    return Answer(_calls(prompt, reply), reply)


async def ask_for_fields(
    runner: Runner,
    prompt: Prompt,
    read: Callable[[Reply], Checked],
    corrected: Corrected,
    *,
    calls: int = CALLS_A_TURN,
    lost: Callable[..., object] | None = None,
) -> Answer:
    """Return an answer that `read` could read, asked for by at most so many calls.

    A reply that can be read, and with which something is wrong, is asked about. The next one that can be read takes
    its place; where none can, it stands. A refusal is asked again of a vote alone. `corrected` makes the next prompt.
    `lost` is as in `ask`.

    Raises:
        RunnerUnavailableError: as in `ask`.
    """
    made: tuple[CallMade, ...] = ()
    answer, first, fault, words = Answer(), None, "", ""
    for _ in range(calls):
        answer = await ask(runner, prompt, lost=lost)
        made += answer.calls
        reply = answer.reply
        if reply is None:
            break
        fields, wrong = read(reply)
        words = reply.text if reply.text.strip(" {}[]\n`") else words
        refused = fields is None and refuses(reply.text)
        answer = replace(answer, fields=fields, unreadable=REFUSED if refused else wrong)
        if (refused and not prompt.votes) or (fields is not None and (first is not None or not wrong)):
            break
        first, fault = (first, fault) if first is not None else (fields, wrong)
        prompt = corrected(prompt, wrong, reply.text)
    if answer.fields is None and first is not None:
        answer = replace(answer, fields=first, unreadable=fault)
    return replace(answer, calls=made, words=words)


async def ask_for_bids(runner: Runner, prompt: Prompt, members: Sequence[str], corrected: Corrected) -> Turn:
    """Return the bids of `members`: of the only one, or of all of them where one prompt asks for all.

    A bid that the answer does not hold is a pass that says so. If an answer for all holds no bid even when it is asked
    for once more, or the call fails, nobody was asked: the turn has no bids, so that each can be asked by itself.

    Raises:
        RunnerUnavailableError: as in `ask`.
    """
    together = bool(prompt.asked)

    def read(reply: Reply) -> Checked:
        bids = read_bids(reply, members, together=together)
        unread = bids is None or (not together and bids[0].fault == "unreadable")
        wrong = "the answer held no member's bid" if together else "the answer does not say whether you want the floor"
        return (None, wrong) if unread else ({"bids": bids}, "")

    answer = await ask_for_fields(runner, prompt, read, corrected)
    if answer.short:
        return Turn(answer.calls, bids=None, short=answer.short)
    if answer.fields is not None:
        return Turn(answer.calls, answer.fields["bids"])
    if together:
        return Turn((*answer.calls, TurnFailed(who="", purpose="bid", error=answer.why, nth=answer.failed)), None)
    if answer.reply is not None:
        return Turn(answer.calls, (Bid(agent=members[0], wants=False, fault="unreadable"),))
    failed = TurnFailed(who=members[0], purpose="bid", error=answer.why, nth=answer.failed)
    return Turn((*answer.calls, failed), (Bid(agent=members[0], wants=False, fault="failed"),), failed=True)


def read_bids(reply: Reply, members: Sequence[str], *, together: bool = True) -> tuple[Bid, ...] | None:
    """Return the bid of each member, the first where there are two; None where an answer for all holds no bid."""
    titles = {title.casefold(): title for title in members}
    bids: dict[str, Bid] = {}
    unreadable: set[str] = set()
    alone = None if together else fields_of(BidAnswer, reply)[0]
    for row in _rows_all(reply) if together else [{**alone, "agent": members[0]}] if alone else ():
        name = str(row.get("agent", "")).strip(" *_`@\n") if isinstance(row, Mapping) else ""
        if (title := titles.get(name.casefold())) is None:
            continue
        answer, _ = validated(MemberBid, row)
        if answer is None:
            unreadable.add(title)
        else:
            bids.setdefault(title, Bid(**{**answer, "agent": title}))
    if together and not bids:
        return None
    return tuple(
        bids.get(title)
        or Bid(agent=title, wants=False, fault="missing" if together and title not in unreadable else "unreadable")
        for title in members
    )


def _rows_all(reply: Reply) -> Sequence[Any]:
    """Return what an answer for all gives as bids, unread: a list of them, or a single one."""
    fields, _ = fields_of(BidsAnswer, reply)
    rows = (fields or {}).get("bids")
    alone, _ = fields_of(MemberBid, reply)
    rows = [alone] if rows is None and alone and "agent" in alone and "wants" in alone else rows
    return rows if isinstance(rows, list) else ()


def read_vote(
    answer: Mapping[str, Any] | None,
    text: str,
    shown: Sequence[BallotText],
    counts: Counts = "firsts",
    ended: Mapping[str, str] | None = None,
) -> Checked:
    """Return the fields of a `Ballot` on the texts in the order `shown`, and what is wrong with the answer.

    `ended`: what became of texts that are open no more, by their ids.
    """
    ids = {each.id: each.text for each in shown}
    read = read_ballot(answer, text, [each.text for each in shown], counts, ids=ids, shown=shown, ended=ended)
    return (None, REFUSED) if refuses(text) and read[0] and not (read[0]["choice"] or read[0]["approved"]) else read


def keeping_refusals(read: Callable[[Reply], Checked], shown: Sequence[BallotText]) -> Callable[[Reply], Checked]:
    """Return a reader of ballots by which a text that the first reason refuses stays in doubt where it is accepted."""
    refused = list[str]()

    def kept(reply: Reply) -> Checked:
        fields, wrong = read(reply)
        if fields is not None:
            again = tuple(each.id for each in shown if each.id in refused and each.text in fields["approved"])
            refused.extend(key for each in fields["doubts"] if each.kind == "refuses" for key in each.texts)
            doubts = (Doubt("refused at first", again),) if again and not wrong else ()
            fields = {**fields, "doubts": (*fields["doubts"], *doubts)}
        return fields, wrong

    return kept


def read_stance(reply: Reply, shown: Sequence[BallotText], ended: Mapping[str, str] | None = None) -> Checked:
    """Return the answer to a poll about `shown`, the texts in the order shown, as fields of a `StanceTaken`."""
    answer, wrong = fields_of(PollAnswer, reply)
    fields, wrong = (None, wrong) if wrong else read_vote(answer, reply.text, shown, ended=ended)
    if fields is None:
        return None, wrong
    choice = None if fields["choice"] == NONE else fields["choice"]
    changes, _ = validated(PollAnswer, {**(answer or {}), "choice": choice})
    change_mind = " ".join(changes["change_mind"].split()) if changes else ""
    return {
        "choice": choice,
        "confidence": fields["confidence"],
        "moved_by": fields["moved_by"],
        "change_mind": change_mind,
    }, ""


def call_made(prompt: Prompt, reply: Reply) -> CallMade:
    """Return the fact that a call was made and answered. Characters are counted where the runner counts tokens."""
    text = prompt.text if reply.usage.prompt_tokens > 0 else ""
    return CallMade(
        purpose=prompt.purpose,
        agent=prompt.agent,
        last=prompt.last,
        attempt=prompt.attempt,
        nth=prompt.nth,
        model=reply.model,
        model_answered=reply.answered,
        provider=reply.provider,
        refused=reply.refused,
        prompt_sha=digest(prompt) if text else "",
        **{name: getattr(reply.usage, name) for name in Usage.__slots__},
        characters=len(text),
        live=reply.live,
    )


def reply_of_failure(error: RunnerError | asyncio.CancelledError) -> Reply | None:
    """Return what a failed or cancelled call took, as a reply without words; None where it took nothing."""
    usage: Usage | None = getattr(error, "usage", None)
    model, provider = (getattr(error, name, "") for name in ("model", "provider"))
    return None if usage is None else Reply("", usage=usage, model=model, provider=provider)


def _calls(prompt: Prompt, reply: Reply | None) -> tuple[CallMade, ...]:
    """The facts of one call; none where it took nothing, or a person answered, who is not paid for."""
    person = prompt.persona is not None and prompt.persona.person
    return () if reply is None or person else (call_made(prompt, reply),)


def numbered(facts: Iterable[Event], kind: type[Event], number: int) -> list[Event]:
    """Return the facts, those of the kind numbered from `number` on: an opening that failed leaves no hole."""
    numbers = itertools.count(number)
    return [fact.model_copy(update={"number": next(numbers)}) if isinstance(fact, kind) else fact for fact in facts]


T = TypeVar("T")


async def side_by_side(work: Iterable[Awaitable[T]], keep: Callable[[list[T]], None] | None = None) -> list[T]:
    """Return all results in the order asked.

    Where one raises, the others are cancelled, and `keep` is given the results that are there: they are paid for.
    """
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        there = (task for task in tasks if task.done() and not task.cancelled() and not task.exception())
        if keep is not None and (results := [task.result() for task in there]):
            keep(results)
        raise
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# By the event loop's identity, while a task waits. A lock that was waited for holds its loop, so it keeps no other.
_LOCKS: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()


async def my_turn() -> None:
    """Wait until every task that asked before has gone on, each in a round of the event loop of its own."""
    loop = asyncio.get_running_loop()
    lock = _LOCKS.setdefault(id(loop), asyncio.Lock())
    await lock.acquire()  # which does not suspend the only task that asks
    loop.call_soon(lock.release)


def refuses(text: str) -> bool:
    """True if a reply is nothing but a model's refusal to take part."""
    return len(text) <= _LONGEST_REFUSAL and re.match(_REFUSES, text, re.IGNORECASE) is not None
