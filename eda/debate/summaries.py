"""Who writes summaries: a model, the engine by picking sentences, or a summariser of the user's own."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from eda.bus import MessageBus
from eda.debate.asking import ask
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.quoted import quoted
from eda.debate.state import DebateState
from eda.events import CallMade, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.minutes.model_minutes import read_answer
from eda.memory.summaries.extractive import extractive_summary
from eda.memory.summaries.summary_input import SummaryInput
from eda.memory.summariser import EXTRACTIVE, AskSummary, Draft, Made, Refused
from eda.panels.registry import line_of
from eda.runners.protocol import Runner


class OwnSummariser(Protocol):
    """What a summariser must have."""

    def summarise(self, material: SummaryInput, /) -> str:
        """Return the summary of some messages, or of earlier summaries; an empty one is extracted instead."""
        ...


class Writer(NamedTuple):
    """Writes summaries as `Summariser` asks for them."""

    line: str  # What it does, in a line.
    # Returns what is asked for each summary, or None where sentences are picked at once.
    asking: Callable[[PromptBuilder, Runner], AskSummary | None]

    def by_hand(
        self, bus: MessageBus, memory: ConversationMemory, runner: Runner, started: SessionStarted | None = None
    ) -> AskSummary | None:
        """Return what is asked on behalf of a memory that no debate has; `started` says what the talk is about."""
        state = DebateState()
        for fact in bus.facts():
            state.calls.fold(fact)
        bus.subscribe(CallMade, state.calls.fold, name="calls of summaries")
        return self.asking(
            PromptBuilder(started or SessionStarted(session="", kind="transcript"), memory, state), runner
        )


def _by_model(prompts: PromptBuilder, runner: Runner) -> AskSummary:
    """Return what asks the model. Sentences are picked where the budget has no room for the call."""
    words = prompts.started.settings.words

    async def write(material: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        answer = await ask(runner, prompts.summarise(material, attempt, refused))
        if answer.short:
            return Draft(extractive_summary(material), by=EXTRACTIVE)
        if answer.reply is None:
            return Draft("", answer.calls, wrong=answer.why, failed=answer.failed)
        reply, minutes = answer.reply, read_answer(answer.reply.text, answer.reply.data)
        points = minutes.summary if minutes else ()
        told, dropped = quoted(points, prompts.memory.parts, material.due.last, words)
        text = "\n".join(told) or reply.text.strip() or str(reply.data or words.say("prompt-summary-blank"))
        pointless: Made = "empty" if minutes else "no quotes" if reply.text.strip() or reply.data else "blank"
        made: Made = "quotes" if told else "unquoted" if points else pointless
        if made == "empty" and refused and refused.made == made:  # it was told what to give, or that this is its answer
            text, made = words.say("prompt-summary-no-news"), "quotes"
        return Draft(
            text,
            answer.calls,
            reply.model or "model",
            minutes if material.due.level == 1 else None,
            made=made,
            dropped=dropped,
            told=told,
            words=words,
        )

    return write


# By name; `model` where none is chosen.
SHIPPED: Mapping[str, Writer] = {
    "model": Writer(
        "The cheap model of the runner, checked against the messages; extractive where there is no model.", _by_model
    ),
    "extractive": Writer(
        "Sentences of the messages, picked by what was decided and proposed; no call is made.", lambda *_: None
    ),
}


def checked(part: object) -> Writer | None:
    """Return what writes by a user's summariser, or None where it has no `summarise`."""
    if isinstance(part, Writer):
        return part
    summarise: Callable[[SummaryInput], str] | None = getattr(part, "summarise", None)
    if not callable(summarise):
        return None

    async def write(material: SummaryInput, _: int, __: Refused | None) -> Draft:
        return Draft(summarise(material), by=type(part).__name__)

    return Writer(line_of(part), lambda *_: write)
