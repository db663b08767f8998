"""The prompt for whoever sums up a range of messages, or folds its summaries."""

from __future__ import annotations

from collections.abc import Callable

from eda.events import SessionStarted
from eda.memory.context.sections import summary_text
from eda.memory.minutes.model_minutes import MinutesAnswer
from eda.memory.summaries.checks import asked_words
from eda.memory.summaries.summary_input import SummaryInput
from eda.memory.summariser import Refused
from eda.panels.settings import SummaryStyle
from eda.runners.protocol import Prompt
from eda.text import quoted

_ABOVE = "(m{first} to m{last} stand above. This is no speech, and you are none of the members.)"


def summary_prompt(
    started: SessionStarted,
    fill: Callable[..., str],
    summary_input: SummaryInput,
    style: SummaryStyle,
    nth: int,
    attempt: int,
    refused: Refused | None,
) -> Prompt:
    """Return the end of the prompt for a summary of messages, with minutes, or of summaries; `fill` fills a text."""
    due = summary_input.due
    span = {"first": str(due.first), "last": str(due.last), "words": str(asked_words(summary_input, style))}
    if due.level == 1:
        minutes = fill("minutes", held=summary_input.minutes)
        parts = [fill(f"summarise-{style}", messages=_ABOVE.format(**span), **span), minutes]
    else:
        parts = [fill("fold-summaries", summaries="\n\n".join(map(summary_text, summary_input.sources)), **span)]
    if refused:
        wrong = "\n".join(f"- {quoted(line)}" for line in refused.faults)
        parts.append(fill("summarise-again", draft=quoted(refused.text), wrong=wrong))
    return Prompt(
        purpose="summarise",
        last=due.last,
        nth=nth,
        attempt=attempt,
        seed=started.seed,
        question=started.question,
        lines=summary_input.lines,
        own="\n\n".join(parts),
        answer=MinutesAnswer if due.level == 1 else None,
    )
