"""`Moderator`: asked who speaks next, in a debate whose floor is moderated. It starts nothing by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from eda.bids import Asked, heard
from eda.briefing import Briefing
from eda.calls import call_made, structured
from eda.events import Bid, TurnFailed
from eda.protocols import Reply, Runner
from eda.shapes import ModerateAnswer

__all__ = ["Moderator"]

_MODERATOR = "moderator"
"""Who failed, where the call gave no name."""


class Moderator:
    """Names the next speaker."""

    def __init__(self, runner: Runner, briefing: Briefing) -> None:
        self._runner = runner
        self._briefing = briefing

    async def name(self, members: Sequence[str]) -> Asked:
        """One of `members`, given as its bid, and why; a failed turn where none is named."""
        prompt = self._briefing.moderate(tuple(members))
        reply = await heard(self._runner, prompt, lambda facts, why: Asked((*facts, _failed(why))))
        if isinstance(reply, Asked):
            return reply
        named, wrong = _read(reply, {member.casefold(): member for member in members})
        if named is None:
            return Asked((call_made(prompt, reply), _failed(wrong)))
        return Asked((call_made(prompt, reply),), (named,))


def _failed(error: str) -> TurnFailed:
    return TurnFailed(who=_MODERATOR, purpose="moderate", error=error)


def _read(reply: Reply, members: Mapping[str, str]) -> tuple[Bid | None, str]:
    try:
        answer = ModerateAnswer.model_validate(structured(reply))
    except ValidationError:
        return None, "the answer names nobody"
    named = members.get(" ".join(answer.agent.strip(" *_`@\n").casefold().split()))
    if named is None:
        return None, f"{answer.agent[:80]!r} is nobody who may speak now"
    return Bid(agent=named, wants=True, reason=" ".join(answer.why.split())), ""
