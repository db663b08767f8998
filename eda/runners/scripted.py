"""A runner that says what it was told to. The one rule: nothing but the script decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from eda.errors import RunnerError
from eda.protocols import OnText, Prompt, Reply

__all__ = ["ScriptedRunner"]

Scripted = str | Reply | Exception
"""What a script can give: words, a whole reply, or an error to raise."""

_BID: Mapping[str, Any] = {"wants": True, "urgency": 0.5, "reason": ""}


class ScriptedRunner:
    """Answers from a function of the prompt, or from a list for each agent.

    A function is asked for every purpose except bids and ballots. Lists serve turns of speech (and questions aside), in
    order; an agent whose list is used up, or that has none, fails its call. `bids` and `ballots` are functions of the
    prompt that return the reply's data. Without them everybody wants the floor equally and votes for the first choice.
    """

    deterministic = True

    def __init__(
        self,
        replies: Callable[[Prompt], Scripted] | Mapping[str, Iterable[Scripted]],
        *,
        bids: Callable[[Prompt], Mapping[str, Any]] | None = None,
        ballots: Callable[[Prompt], Mapping[str, Any]] | None = None,
        summarises: bool = False,
    ) -> None:
        self.summarises = summarises
        self._function = replies if callable(replies) else None
        self._lists: dict[str, Iterator[Scripted]] = (
            {} if callable(replies) else {agent: iter(texts) for agent, texts in replies.items()}
        )
        self._bids = bids
        self._ballots = ballots

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Give the scripted reply, at once."""
        if prompt.purpose == "bid":
            return Reply("", self._bid(prompt), model="scripted")
        if prompt.purpose == "ballot":
            if self._ballots:
                return Reply("", self._ballots(prompt), model="scripted")
            return Reply("", {"choice": next(iter(prompt.options), None), "reason": ""}, model="scripted")
        given = self._function(prompt) if self._function else self._next(prompt)
        if isinstance(given, Exception):
            raise given
        reply = given if isinstance(given, Reply) else Reply(given, model="scripted")
        if on_text is not None and reply.text:
            on_text(reply.text)
        return reply

    def _bid(self, prompt: Prompt) -> Mapping[str, Any]:
        """Of one member, or of each where all are asked together."""
        bid = self._bids or (lambda _: _BID)
        if not prompt.asked:
            return bid(prompt)
        return {"bids": [{"agent": one.agent, **bid(one)} for one in prompt.each]}

    def _next(self, prompt: Prompt) -> Scripted:
        missing = object()
        given = next(self._lists.get(prompt.agent, iter(())), missing)
        if given is missing:
            raise RunnerError(
                f"the script has no {prompt.purpose} left for {prompt.agent or 'the engine'!r}",
                hint="Give the agent a longer list of replies.",
            )
        return given  # type: ignore[return-value]  # the sentinel is gone
