"""The prompt for whoever sums up a range of messages and takes its minutes."""

from __future__ import annotations

from collections.abc import Callable

from eda.events import SessionStarted
from eda.memory.checks import most_words
from eda.memory.context import summary_text
from eda.memory.material import Material
from eda.memory.taking import MinutesAnswer
from eda.prompts import quoted
from eda.protocols import Prompt
from eda.settings import SummaryStyle

__all__ = ["summary_prompt"]


def summary_prompt(
    started: SessionStarted,
    fill: Callable[..., str],
    material: Material,
    style: SummaryStyle,
    attempt: int,
    wrong: tuple[str, ...],
) -> Prompt:
    """Of messages, with minutes; or of the summaries that are folded into one. `fill` gives a prompt text, filled."""
    due = material.due
    span = {"first": str(due.first), "last": str(due.last), "words": str(most_words(material, style))}
    if due.level == 1:
        asked = [
            fill(f"summarise-{style}", messages="\n".join(material.texts), **span),
            fill("minutes", held=material.held),
        ]
    else:
        asked = [fill("fold-summaries", summaries="\n\n".join(map(summary_text, material.sources)), **span)]
    if wrong:
        asked.append(fill("summarise-again", wrong="\n".join(f"- {quoted(line)}" for line in wrong)))
    return Prompt(
        purpose="summarise",
        last=due.last,
        attempt=due.attempt(attempt),
        seed=started.seed,
        question=started.question,
        lines=material.lines,
        own="\n\n".join(asked),
        answer=MinutesAnswer if due.level == 1 else None,
    )
