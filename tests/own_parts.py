"""A floor, a rule, a stop condition, a phase kind, a runner and a summariser, as a user would write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eda import Prompt, Reply
from eda.debate.state import DebateState
from eda.events import Ballot, Bid, FloorGranted
from eda.memory import ConversationMemory


class Shy:
    """Whoever has said least so far."""

    def grant(self, members: Sequence[str], state: DebateState, _: Sequence[Bid], /) -> FloorGranted:
        return FloorGranted(agent=min(members, key=lambda who: state.spoke_at.get(who, 0)), reason="said least")


class Veto:
    """The option that the fewest leave out."""

    name = "veto"
    counts = "rankings"

    def count(self, ballots: Sequence[Ballot], options: Sequence[str], /) -> str:
        return min(options, key=lambda option: sum(option not in ballot.ranking for ballot in ballots))


class Enough:
    """So many messages are enough."""

    reason = "enough"
    phrase = "enough was said"

    def __init__(self, messages: int = 3) -> None:
        self.messages = messages

    def check(self, state: DebateState, _: ConversationMemory, /) -> bool:
        return state.messages >= self.messages


class Pairs:
    """Two speak at a time."""

    asks, each, waiting = "speech", True, "two write side by side"

    async def run(self, driver: Any, /) -> None:
        waiting = driver.without_turn()
        if waiting:
            await driver.speak_together(waiting[:2], sealed=False)
        else:
            driver.next_phase("done")


class Terse:
    """Says one word."""

    async def run(self, _: Prompt, on_text: object = None) -> Reply:
        return Reply("Agreed.")


class FirstWords:
    """The first words of each message."""

    def summarise(self, _: object, /) -> str:
        return "They spoke."
