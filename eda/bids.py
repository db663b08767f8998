"""Asks who wants to speak. The one rule: a bid that no answer holds is a pass, and the pass says so.

All are asked by one call, which shows them what is the same for all once; or each by one of its own. An answer for all
that holds nobody's bid is no round of passes: nobody was heard, so each is then asked by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from eda.briefing import Briefing
from eda.calls import call_made, failed_call, structured
from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import Bid, Event, TurnFailed
from eda.listener import AgentListener, Turn, side_by_side
from eda.progress import Progress
from eda.protocols import Prompt, Reply, Runner
from eda.shapes import MemberBid
from eda.spending import BudgetError, BudgetReason

__all__ = ["Asked", "Bids", "heard"]

Keep = Callable[[Sequence[Turn]], None]

_STRANGERS, _NAME = 3, 40
"""Names that no member has, and characters of each, that a pass tells of."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking who wants to speak."""

    facts: tuple[Event, ...] = ()
    """Of the calls."""
    bids: tuple[Bid, ...] | None = ()
    """Every bid and every pass, in seat order; None where nobody was heard."""
    short: BudgetReason | None = None
    """Where a call was not made because the budget has not enough of it."""
    unheard: bool = False
    """Whether every call failed: these passes are no silence."""


class Bids:
    """Takes the bids of a round, as the settings say."""

    def __init__(
        self, seats: Mapping[str, AgentListener], runner: Runner, briefing: Briefing, progress: Progress
    ) -> None:
        self._seats = seats
        self._runner = runner
        self._briefing = briefing
        self._progress = progress

    async def take(self, members: Sequence[str], keep: Keep) -> Asked:
        """Ask these members, in seat order. A person bids by what waits to be said, and is asked nothing.

        `keep` is given what was answered where no further call will succeed; it is not asked for again.
        """
        people = [title for title in members if self._seats[title].persona.person]
        agents = [title for title in members if title not in people]
        together = self._progress.settings.bids == "together" and not self._progress.apart
        asked = await (self._together(agents) if together else self._each(agents, keep)) if agents else Asked()
        if asked.bids is None or not people:
            return asked
        waiting = (await self._each(people)).bids or ()
        bids = {bid.agent: bid for bid in (*asked.bids, *waiting)}
        return replace(asked, bids=tuple(bids[title] for title in members if title in bids))

    async def _each(self, members: Sequence[str], keep: Keep | None = None) -> Asked:
        bids = {bid.agent: bid for bid in self._progress.bids_cut}
        waiting = [title for title in members if title not in bids]
        turns = await side_by_side((self._seats[title].bid() for title in waiting), keep)
        bids.update({turn.bid.agent: turn.bid for turn in turns if turn.bid is not None})
        facts = tuple(fact for turn in turns for fact in turn.facts)
        short = next((turn.short for turn in turns if turn.short), None)
        failed = sum(any(isinstance(fact, TurnFailed) for fact in turn.facts) for turn in turns)
        heard = None if short else tuple(bids[title] for title in members if title in bids)
        return Asked(facts, heard, short, unheard=failed == len(members))

    async def _together(self, members: Sequence[str]) -> Asked:
        asked = [self._seats[title].persona for title in members]
        prompt = self._briefing.bids(asked)
        reply = await heard(self._runner, prompt, _unheard)
        if isinstance(reply, Asked):
            return reply
        made = (call_made(prompt, reply),)
        bids = _read(reply, members)
        return _unheard(made, "the answer held no member's bid") if bids is None else Asked(made, bids)


async def heard(runner: Runner, prompt: Prompt, unheard: Callable[[tuple[Event, ...], str], Asked]) -> Reply | Asked:
    """The answer; where a budget had no room for the call, that; what `unheard` makes of it where the call failed.

    Raises:
        RunnerUnavailableError: no call will succeed.
    """
    try:
        return await runner.run(prompt)
    except BudgetError as error:
        return Asked(bids=None, short=error.reason)
    except RunnerUnavailableError:
        raise
    except RunnerError as error:
        return unheard(failed_call(prompt, error), str(error))


def _unheard(facts: tuple[Event, ...], why: str) -> Asked:
    return Asked((*facts, TurnFailed(who="", purpose="bid", error=why)), None)


def _read(reply: Reply, members: Sequence[str]) -> tuple[Bid, ...] | None:
    """The bid of each member, the first where there are two; None where the answer holds nobody's."""
    rows = (structured(reply) or {}).get("bids")
    titles = {title.casefold(): title for title in members}
    found: dict[str, Bid] = {}
    missing: dict[str, str] = {}
    strangers: list[str] = []
    for row in rows if isinstance(rows, list) else []:
        name = str(row.get("agent", "")).strip(" *_`@\n") if isinstance(row, Mapping) else ""
        title = titles.get(name.casefold())
        if title is None:
            strangers += [name[:_NAME]] if name else []
            continue
        try:
            answer = MemberBid.model_validate(row)
        except ValidationError:
            missing[title] = "unreadable bid"
        else:
            found.setdefault(title, Bid(**{**answer.model_dump(), "agent": title}))
    if not found:
        return None
    others = f" (it names {', '.join(map(repr, strangers[:_STRANGERS]))})" if strangers else ""
    none = f"no bid in the answer{others}"
    return tuple(
        found.get(title) or Bid(agent=title, wants=False, reason=missing.get(title, none)) for title in members
    )
