"""`SeatedRunner`: some seats have a runner of their own; all others, and the engine itself, share one."""

from __future__ import annotations

from collections.abc import Mapping

from eda.protocols import OnText, Prompt, Reply, Runner

__all__ = ["SeatedRunner"]


class SeatedRunner:
    """Asks the runner of the member's seat."""

    def __init__(self, runner: Runner, seats: Mapping[str, Runner]) -> None:
        """`seats` gives some members, by title, a runner of their own; what is added to it later counts too."""
        self._runner = runner
        self._seats = seats
        self.spec: str = getattr(runner, "spec", type(runner).__name__)

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """The reply of that seat's runner."""
        return await self._seats.get(prompt.agent, self._runner).run(prompt, on_text)
