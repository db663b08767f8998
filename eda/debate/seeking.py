"""What a member seeks in a turn before it speaks: it looks words up, or has a tool called, and is asked again."""

from __future__ import annotations

from dataclasses import dataclass, field

from eda.debate.asking import ask
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.lookups import CALLS, MOST, TOO_MANY, TOO_MANY_CALLS, call_of, words_of
from eda.debate.prompts.slots import Hears
from eda.events import Event, Evidence, EvidenceFound
from eda.runners.protocol import Prompt, Runner

Found = tuple[tuple[Event, ...], Prompt]
"""Facts to publish, and the prompt to go on with."""


@dataclass(slots=True)
class Seeking:
    """What one member seeks in one turn."""

    runner: Runner
    prompts: PromptBuilder
    title: str
    first: Prompt
    """The prompt of the turn."""
    hears: Hears
    number: int
    """Of the first passage that nobody has found yet."""
    result: int
    """Of the first result of a tool, above the passages of all who speak at the same time."""
    connected: bool
    """Whether there is what calls tools, or a recording of it."""
    lookups: int = 0
    calls: int = 0
    found: list[Evidence] = field(default_factory=list)

    def too_many(self, reply: str) -> str:
        """Return what is wrong with a reply that seeks once too often; empty where it does not."""
        return TOO_MANY if words_of(reply) else TOO_MANY_CALLS if call_of(reply) else ""

    async def sought(self, prompt: Prompt, reply: str) -> Found | None:
        """Do what a reply asks for; None where it asks for nothing, or once too often."""
        asked, called = words_of(reply), call_of(reply)
        if asked and self.lookups < MOST:
            self.lookups += 1
            found = self.prompts.lookups.find(asked, self.title, self.first, self.hears, self.number, self.found)
            facts: tuple[Event, ...] = (found,)
        elif called and self.calls < CALLS:
            self.calls += 1
            *calls, found = await self._called(*called)
            facts = (*calls, found)
        else:
            return None
        self.found += found.found
        last = self.lookups == MOST if asked else self.calls == CALLS
        return facts, self.prompts.lookups.answered(prompt, found, last=last)

    async def _called(self, tool: str, arguments: str) -> tuple[*tuple[Event, ...], EvidenceFound]:
        """Return the facts of a tool's call. It goes by the runner, so a replay, or a resume, never calls it again."""
        fact = EvidenceFound(who=self.title, words=f"{tool} {arguments}", tool=tool, arguments=arguments)
        if not self.connected:
            return (fact.model_copy(update={"error": "no tools are connected here"}),)
        nth = self.prompts.state.calls.next("tool", self.title) + self.calls - 1
        prompt = Prompt(
            purpose="tool",
            agent=self.title,
            last=self.first.last,
            nth=nth,
            attempt=self.calls,
            own=fact.words,
        )
        answer = await ask(self.runner, prompt)
        if answer.reply is None:
            return (*answer.calls, fact.model_copy(update={"error": answer.why}))
        told = answer.reply.data or {}
        text = answer.reply.text
        evidence = self.prompts.memory.parts.evidence
        found = () if told.get("error") else ((f"tool {tool}", text or "(an empty result)"),)
        more = {
            "found": evidence.named(found, self.result, self.found),
            "error": str(told.get("error") or ""),
            "seconds": float(told.get("seconds") or 0),
            "cost": answer.reply.usage.cost or 0.0,
        }
        return (*answer.calls, fact.model_copy(update=more))
