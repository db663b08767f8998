"""Replays a recording as long as the prompts are those recorded, and asks another runner from there on."""

from __future__ import annotations

from dataclasses import replace

from eda.errors import UsageError
from eda.runners.protocol import OnText, Prompt, Reply, Runner, Wrapper, spec_of
from eda.runners.recorded import RecordedRunner


class ReplayThenLive(Wrapper):
    """Answers a call from the recording where that holds the same prompt under its key; else asks `inner`.

    What runs side by side with a prompt that differs is replayed where its own prompt does not.
    """

    deterministic = True
    """Set for any inner runner, so that a summary stands where it stood in the recorded run."""

    def __init__(self, recorded: RecordedRunner, inner: Runner) -> None:
        """Raise UsageError for a recording without prompts: nobody could say where a prompt differs."""
        if not recorded.compares:
            raise UsageError(
                f"{recorded.path} lacks the prompts of its calls, so nobody can say where one differs",
                hint="Name a calls.jsonl that --record wrote, or replay it alone: recorded:FILE.",
            )
        self.recorded = recorded
        self.inner = inner
        self.first_vote, self.bids, self.day = recorded.first_vote, recorded.bids, recorded.day
        self.terms = recorded.terms
        self.declares = recorded.declares
        self._live = False

    @property
    def spec(self) -> str:
        """Both runners, so that a resume makes them again."""
        return f"{self.recorded.spec},then={spec_of(self.inner)}"

    @property
    def replays(self) -> str:
        """The spec of the runner that answered, or answers now; what a call may cost is estimated by it."""
        return getattr(self.inner, "spec", "") if self._live else self.recorded.replays

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the recorded reply to this very prompt, else the other runner's; its first one says why it is live.

        Raises:
            RunnerError, RunnerUnavailableError: as the runner that answers.
        """
        why = self.recorded.lacks(prompt)
        if not why:
            return await self.recorded.run(prompt, on_text)
        reply = await self.inner.run(prompt, on_text)
        first, self._live = not self._live, True
        return replace(reply, live=why) if first else reply
