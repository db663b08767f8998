"""Keeps each reply in the journal of the session until its fact is in the log, so that no call is paid for twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from eda.debate.asking import call_made, my_turn
from eda.debate.seating import RunnerPerSeat
from eda.debate.state import CallNames
from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import CallMade
from eda.runners.protocol import OnText, Prompt, Reply, Runner, Usage, checked_reply, innermost, spec_of
from eda.session import Journal


class JournaledRunner:
    """A runner that asks another one, and takes a reply from the journal where the same prompt was answered before.

    Replies of a runner that depends on nothing but its prompt are not kept: they can be had again for nothing.
    """

    def __init__(self, runner: Runner, journal: Journal, calls: CallNames, publish: Callable[..., object]) -> None:
        """Ask `runner`.

        Args:
            runner: the one whose replies are kept.
            journal: that of the session.
            calls: the calls that the log has.
            publish: stores the fact of a call whose prompt changed since, so that nobody uses its reply.
        """
        self._runner = runner
        self._journal = journal
        self._publish = publish
        for purpose, agent, nth in tuple(journal.waiting):
            if calls.next(purpose, agent) > nth:
                journal.settle(purpose, agent, nth)

    @property
    def spec(self) -> str:
        """The spec of the runner that is asked."""
        return spec_of(self._runner)

    @property
    def replays(self) -> str:
        """The spec of the recorded runner, where the calls of an earlier session are replayed; else empty."""
        return getattr(self._runner, "replays", "")

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the reply in the journal; else ask, and store the reply there before it is returned.

        Raises:
            SessionError: the journal cannot be written.
            RunnerError: the call failed, now or when it was made.
        """
        if prompt.purpose != "tool" and self._repeatable(prompt.agent):
            return await self._runner.run(prompt, on_text)
        row = self._row_of(prompt)
        if row is None:
            return await self._ask(prompt, on_text)
        reply = _reply(row)
        if "error" in row:
            failed = RunnerError(row["error"])
            failed.usage, failed.model, failed.provider = reply.usage, reply.model, reply.provider
            raise failed
        if on_text is not None and reply.text:
            on_text(reply.text)
        return reply

    def _repeatable(self, agent: str) -> bool:
        runner = self._runner.of(agent) if isinstance(self._runner, RunnerPerSeat) else self._runner
        return bool(getattr(innermost(runner), "deterministic", False))

    def _row_of(self, prompt: Prompt) -> Mapping[str, Any] | None:
        """Return the finished call of this prompt. One of its name with another prompt is paid for and not used."""
        row = self._journal.waiting.get(prompt.key)
        if row is None or row["prompt"] == _digest(prompt):
            return row
        self._publish(_unused(row))
        self._journal.settle(*prompt.key)
        if not self._journal.waiting:
            self._journal.close()  # its fact has no number, so a resume would count the line once more
        return None

    async def _ask(self, prompt: Prompt, on_text: OnText | None) -> Reply:
        try:
            reply = checked_reply(await self._runner.run(prompt, on_text))
        except RunnerUnavailableError:
            raise  # asked again on resume
        except RunnerError as error:
            if error.usage is not None:
                failed = Reply("", usage=error.usage, model=error.model, provider=error.provider)
                await self._journal.add(_row(prompt, failed, error=str(error)))
            raise
        await self._journal.add(_row(prompt, reply))
        await my_turn()
        return reply


def publish_unused(journal: Journal, publish: Callable[..., object]) -> None:
    """Publish the facts of all calls left in the journal, whose replies nobody will use, and empty it."""
    left = dict(journal.waiting)
    publish(*map(_unused, left.values()))
    for name in left:
        journal.settle(*name)


def _unused(row: Mapping[str, Any]) -> CallMade:
    facts = {name: row[name] for name in ("agent", "last", "attempt", "characters")}
    return call_made(Prompt(purpose=row["purpose"]), _reply(row)).model_copy(update={**facts, "nth": 0})


def _digest(prompt: Prompt) -> str:
    return hashlib.sha256(prompt.text.encode("utf-8", "replace")).hexdigest()


def _row(prompt: Prompt, reply: Reply, **more: str) -> dict[str, Any]:
    return {
        "purpose": prompt.purpose,
        "agent": prompt.agent,
        "nth": prompt.nth,
        "last": prompt.last,
        "attempt": prompt.attempt,
        "characters": prompt.characters,
        "prompt": _digest(prompt),
        "text": reply.text,
        "data": None if reply.data is None else dict(reply.data),
        "usage": asdict(reply.usage),
        "model": reply.model,
        "answered": reply.answered,
        "live": reply.live,
        "provider": reply.provider,
        **more,
    }


def _reply(row: Mapping[str, Any]) -> Reply:
    usage, more = Usage(**row["usage"]), (row.get(name, "") for name in ("answered", "live", "provider"))
    return Reply(row["text"], row["data"], usage, row["model"], *more)
