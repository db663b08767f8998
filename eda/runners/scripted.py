"""A runner that answers from a script."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from eda.errors import RunnerError
from eda.runners.protocol import OnText, Prompt, Reply, bids_of

Scripted = str | Reply | Exception
"""What a script can return: words, a whole reply, or an error to raise."""

_BID: Mapping[str, Any] = {"wants": True, "urgency": 0.5, "reason": ""}


class ScriptedRunner:
    """Answers from a function of the prompt, or from a list for each agent.

    A function answers every purpose except bids and ballots. Lists answer turns of speech and questions aside, in
    order; the call of an agent fails if its list is used up, or if it has none; by a list nobody declares anything
    when asked. `bids` and `ballots` are functions of
    the prompt that return the reply's data. Without them everybody wants the floor equally and votes for the first
    choice.
    """

    deterministic = True

    def __init__(
        self,
        replies: Callable[[Prompt], Scripted] | Mapping[str, Iterable[Scripted]],
        *,
        bids: Callable[[Prompt], Mapping[str, Any]] | None = None,
        ballots: Callable[[Prompt], Mapping[str, Any]] | None = None,
        summarises: bool = False,
        declares: bool = True,
    ) -> None:
        self.summarises, self.declares = summarises, declares
        self._function = replies if callable(replies) else None
        self._lists: dict[str, Iterator[Scripted]] = (
            {} if callable(replies) else {agent: iter(texts) for agent, texts in replies.items()}
        )
        self._bids = bids or (lambda _: _BID)
        self._ballots = ballots or (lambda prompt: {"choice": next(iter(prompt.options), None), "reason": ""})

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the scripted reply, at once."""
        if prompt.purpose == "bid":
            return Reply("", bids_of(prompt, self._bids), model="scripted")
        if prompt.purpose == "ballot":
            return Reply("", self._ballots(prompt), model="scripted")
        if prompt.purpose == "declare" and not self._function:
            return Reply("", {"acts": []}, model="scripted")
        scripted = (self._function or self._next)(prompt)
        if isinstance(scripted, Exception):
            raise scripted
        reply = scripted if isinstance(scripted, Reply) else Reply(scripted, model="scripted")
        if on_text is not None and reply.text:
            on_text(reply.text)
        return reply

    def _next(self, prompt: Prompt) -> Scripted:
        given = next(self._lists.get(prompt.agent, iter(())), None)
        if given is None:
            raise RunnerError(
                f"the script has no {prompt.purpose} left for {prompt.agent or 'the engine'!r}",
                hint="Give the agent a longer list of replies.",
            )
        return given
