"""`AgentListener`: one member of the panel. It hears every message; asked, it bids for the floor, speaks and votes.

It starts nothing by itself: `Debate` asks, the floor decides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from eda.addressing import Addressing
from eda.briefing import CALLS_A_TURN, Briefing
from eda.calls import call_made, failed_call, structured
from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import (
    Ballot,
    BallotCast,
    Bid,
    CallMade,
    Event,
    FloorGranted,
    MessagePosted,
    PhaseStarted,
    SideMessagePosted,
    StanceTaken,
    TurnFailed,
    TurnPassed,
)
from eda.memory.moves import left_open, parse_moves, visible_prefix
from eda.memory.side import DueComment, remark
from eda.personas import Persona
from eda.progress import Progress
from eda.protocols import Prompt, Reply, Runner
from eda.runners.fitting import faults_of, may_be_name, without_name
from eda.runners.waiting import on_wait
from eda.shapes import BidAnswer, PollAnswer
from eda.spending import BudgetError, BudgetReason
from eda.verdict import rule_of
from eda.voting import counts_of, read_ballot

__all__ = ["AgentListener", "Answered", "Read", "Turn", "side_by_side"]

Read = tuple[Mapping[str, Any] | None, str]
"""What an answer says, by fields; None, and what is wrong with it, where it cannot be read."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of asking a member: the facts to publish, in order."""

    facts: tuple[Event, ...]
    bid: Bid | None = None
    short: BudgetReason | None = None
    """`tokens` or `money`, where the call was not made because the budget has not enough of it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a question with a structured answer."""

    made: tuple[Event, ...]
    """The calls."""
    found: Mapping[str, Any] | None
    wrong: str = ""
    """Why there is no answer."""
    short: BudgetReason | None = None


class AgentListener:
    """A persona in its seat at a bus.

    Asked for anything, it raises RunnerUnavailableError where no call will succeed; any other failure is a fact.
    """

    def __init__(self, persona: Persona, runner: Runner, briefing: Briefing, progress: Progress) -> None:
        self.persona = persona
        self.title = persona.title
        self.addressing = Addressing([persona.title])
        """By what names the members are addressed; `Seats` tells it of the others."""
        self.heard = progress.heard
        """The number of the last message heard."""
        self._posted = progress.messages
        self._runner = runner
        self._briefing = briefing
        self._progress = progress

    def hear(self, message: MessagePosted) -> None:
        """A message was posted. A sealed one is heard when its phase ends."""
        self._posted = message.number
        if not message.sealed:
            self.heard = message.number

    def unseal(self, _: PhaseStarted) -> None:
        """A phase ended: what was said in it unheard is heard now."""
        self.heard = self._posted

    async def bid(self) -> Turn:
        """Evaluate, with the brief context and the last messages, whether to speak. An unreadable answer is a pass."""
        prompt = self._briefing.bid(self.persona)
        try:
            reply = await self._runner.run(prompt)
        except BudgetError as error:
            return Turn((), short=error.reason)
        except RunnerUnavailableError:
            raise
        except RunnerError as error:
            failed = TurnFailed(who=self.title, purpose="bid", error=str(error))
            return Turn((*failed_call(prompt, error), failed), self._pass("the call failed"))
        answer = _read_bid(reply)
        bid = self._pass("unreadable bid") if answer is None else Bid(agent=self.title, **answer.model_dump())
        return Turn((call_made(prompt, reply),), bid)

    async def speak(
        self,
        number: int,
        grant: FloorGranted | None = None,
        *,
        sealed: bool = False,
        on_text: Callable[[str], None] | None = None,
    ) -> Turn:
        """Answer with the full context. Message `number` is made of the reply, or a failed turn where there is none.

        A reply that says again what was said is asked for once more, then passed over.
        """
        prompt = self._briefing.speak(self.persona, grant)
        made: list[Event] = []
        for _ in range(CALLS_A_TURN):
            # What is written at a second call is not streamed: it would run on from the first one's words.
            shown = _Shown(on_text, self.title) if on_text and not made else None
            try:
                with _from_the_start(shown):
                    reply = await self._runner.run(prompt, shown)
            except BudgetError as error:
                return Turn(tuple(made), short=error.reason)
            except RunnerUnavailableError:
                raise
            except RunnerError as error:
                made += failed_call(prompt, error)
                return Turn((*made, TurnFailed(who=self.title, purpose="speak", error=str(error))))
            made.append(call_made(prompt, reply))
            text = without_name(reply.text.strip(), self.title)
            if not text:
                return Turn((*made, TurnFailed(who=self.title, purpose="speak", error="the reply was empty")))
            message = self.message(number, text, sealed=sealed)
            repeats = None if sealed else self._briefing.repeated(self.title, message.talk, message.moves)
            if repeats is None:
                return Turn((*made, message))
            prompt = self._briefing.again(prompt, repeats)
        why = f"the reply said again what m{repeats} says"
        return Turn((*made, TurnPassed(who=self.title, why=why, repeats=repeats)))

    @property
    def ready(self) -> bool:
        """Whether the floor may be granted to it while others could talk on."""
        return True

    def message(self, number: int, text: str, *, sealed: bool) -> MessagePosted:
        """What it says, as message `number`."""
        moves_at, moves = parse_moves(text)
        talk = text if moves_at is None else text[:moves_at]
        return MessagePosted(
            number=number,
            who=self.title,
            text=text,
            moves_at=moves_at,
            moves=moves,
            to=None if sealed else self.addressing.find(talk, self.title),
            reply_to=None if sealed else self.addressing.answered(talk, self.heard + 1),
            sealed=sealed,
        )

    async def comment(self, due: DueComment, number: int) -> Turn:
        """Remark, unasked, on what has just happened: side message `number`, or a failed turn."""
        prompt = self._briefing.comment(self.persona, due)
        try:
            reply = await self._runner.run(prompt)
        except RunnerUnavailableError:
            raise
        except RunnerError as error:
            failed = TurnFailed(who=self.title, purpose="comment", error=str(error))
            return Turn((*failed_call(prompt, error), failed))
        made = call_made(prompt, reply)
        text = remark(reply.text)
        if not text:
            return Turn((made, TurnFailed(who=self.title, purpose="comment", error="the reply was empty")))
        said = SideMessagePosted(
            number=number, who=self.title, to="", text=text, after=self.heard, auto=True, on=due.on
        )
        return Turn((made, said))

    async def poll(self, choices: Sequence[str], number: int) -> Turn:
        """Say privately which of `choices` it holds; `number` is the poll's. No usable answer is none of them."""
        shown = self._briefing.shown(self.persona, tuple(choices))
        prompt = self._briefing.poll(self.persona, tuple(choices), number)
        asked = await self._asked(prompt, lambda reply: self._read_stance(reply, shown))
        if asked.short:
            return Turn(asked.made, short=asked.short)
        failed = (TurnFailed(who=self.title, purpose="poll", error=asked.wrong),) if asked.found is None else ()
        stance = StanceTaken(
            who=self.title,
            poll=number,
            choices=tuple(choices),
            after=self.heard,
            invalid=bool(failed),
            **(asked.found or {"choice": None}),
        )
        return Turn((*asked.made, *failed, stance))

    async def _asked(self, prompt: Prompt, read: Callable[[Reply], Read]) -> Answered:
        """What a member answers; an answer that cannot be read is asked for once more, with what is wrong with it."""
        made: list[Event] = []
        wrong = ""
        for _ in range(CALLS_A_TURN):
            try:
                reply = await self._runner.run(prompt)
            except BudgetError as error:
                return Answered(tuple(made), None, wrong=str(error), short=error.reason)
            except RunnerUnavailableError:
                raise
            except RunnerError as error:
                return Answered((*made, *failed_call(prompt, error)), None, wrong=str(error))
            made += self._calls(prompt, reply)
            found, wrong = read(reply)
            if found is not None:
                return Answered(tuple(made), found)
            prompt = self._briefing.corrected(prompt, wrong)
        return Answered(tuple(made), None, wrong=wrong)

    async def vote(self, choices: Sequence[str], offered: Sequence[str]) -> Turn:
        """Vote for one of those `offered`, of all `choices`. No usable answer is an abstention, shown as such."""
        if not offered:
            ballot = Ballot(agent=self.title, choice=None, reason="only its own proposals could be voted for")
            return Turn((BallotCast(ballot=ballot, choices=tuple(choices)),))
        shown = self._briefing.shown(self.persona, tuple(offered))
        prompt = self._briefing.vote(self.persona, tuple(offered))
        asked = await self._asked(prompt, lambda reply: self._read_ballot(reply, shown))
        if asked.found is None:
            return self._abstain(asked.made, choices, asked.wrong)
        withheld = tuple(choice for choice in choices if choice not in offered)
        ballot = Ballot.model_validate({"agent": self.title, "withheld": withheld, **asked.found})
        return Turn((*asked.made, BallotCast(ballot=ballot, choices=tuple(choices))))

    def _calls(self, prompt: Prompt, reply: Reply) -> tuple[CallMade, ...]:
        """What is paid for an answer."""
        return (call_made(prompt, reply),)

    def _read_stance(self, reply: Reply, shown: Sequence[str]) -> Read:
        """What an answer says of `shown`, the choices in the order shown, as fields of a `StanceTaken`."""
        try:
            answer = PollAnswer.model_validate(structured(reply))
        except ValidationError as error:
            return None, faults_of(error, 1)
        found, wrong = read_ballot({"choice": answer.choice}, "", shown)
        if found is None:
            return None, wrong
        change_mind = " ".join(answer.change_mind.split())
        return {"choice": found["choice"], "confidence": answer.confidence, "change_mind": change_mind}, ""

    def _read_ballot(self, reply: Reply, shown: Sequence[str]) -> Read:
        """The same of a vote, as fields of a `Ballot`."""
        return read_ballot(structured(reply), reply.text, shown, counts_of(rule_of(self._progress)))

    def _pass(self, reason: str) -> Bid:
        return Bid(agent=self.title, wants=False, reason=reason)

    def _abstain(self, facts: tuple[Event, ...], choices: Sequence[str], why: str) -> Turn:
        ballot = Ballot(agent=self.title, choice=None, reason=why, invalid=True)
        failed = TurnFailed(who=self.title, purpose="ballot", error=why)
        return Turn((*facts, failed, BallotCast(ballot=ballot, choices=tuple(choices))))


async def side_by_side(
    asked: Iterable[Awaitable[Turn]], keep: Callable[[list[Turn]], None] | None = None
) -> list[Turn]:
    """All answers, in the order asked.

    Where one raises, `keep` is given those that are there, since they are paid for, and the others are cancelled.
    """
    tasks = [asyncio.ensure_future(one) for one in asked]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        there = (task for task in tasks if task.done() and not task.cancelled() and not task.exception())
        if keep is not None and (turns := [task.result() for task in there]):
            keep(turns)
        raise
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _read_bid(reply: Reply) -> BidAnswer | None:
    try:
        return BidAnswer.model_validate(structured(reply))
    except ValidationError:
        return None


@contextmanager
def _from_the_start(shown: _Shown | None) -> Iterator[None]:
    """Have `shown` forget what a try brought that broke off: the next one begins anew."""
    tell = on_wait.get()

    def again(prompt: Prompt, seconds: float, reason: str, attempt: int) -> None:
        if shown is not None:
            shown.clear()
        if tell is not None:
            tell(prompt, seconds, reason, attempt)

    token = on_wait.set(again)
    try:
        yield
    finally:
        on_wait.reset(token)


class _Shown:
    """Passes streamed text on as far as it is surely talk: no move line, and no `name` of the speaker before it."""

    def __init__(self, on_text: Callable[[str], None], name: str = "") -> None:
        self._on_text = on_text
        self._name = name
        self.clear()

    def clear(self) -> None:
        """What comes now is the text from its start."""
        self._before = ""
        """Stands for what was passed on or read: the line that it ends in is talk, or the next one is read after it."""
        self._held = ""
        self._begun = not self._name
        self._read = 0
        """Characters of what is held, up to the start of a line: none of their lines is talk. They are read once."""

    def __call__(self, piece: str) -> None:
        self._held += piece
        if not self._begun:
            if may_be_name(self._held, self._name):
                return
            self._held, self._begun = without_name(self._held, self._name), True
        safe = visible_prefix(self._before + self._held[self._read :]) - len(self._before)
        if safe > 0:
            safe += self._read
            self._on_text(self._held[:safe])
            self._before = left_open(self._before + self._held[self._read : safe]).rstrip()
            self._held, self._read = self._held[safe:], 0
        lines = self._held.rfind("\n") + 1
        if lines > self._read:
            self._before, self._read = left_open(self._before + self._held[self._read : lines]), lines
