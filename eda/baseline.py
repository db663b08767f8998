"""The same question without a debate: single answers for about the same tokens, and what most of them take.

Self-consistency as in X. Wang et al., "Self-Consistency Improves Chain of Thought Reasoning in Language Models", 2022:
answers are drawn independently of each other, and the choice that comes most often stands.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from eda.calls import call_made, failed_call
from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import BaselineTaken, CallMade, SessionStarted, SingleAnswer
from eda.memory.judge import ahead
from eda.progress import Progress
from eda.prompts import Prompts, quoted
from eda.protocols import Prompt, Reply, Runner
from eda.reading import Reading
from eda.voting import the_one_named

__all__ = ["MOST_ANSWERS", "take_baseline"]

MOST_ANSWERS = 300
"""More than the tokens of a usual debate pay for: 200,000, where an answer takes some 700."""
_AT_ONCE = 5
_ANSWER = re.compile(r"^\W*ANSWER\W+(.+?)\W*$", re.IGNORECASE | re.MULTILINE)


async def take_baseline(progress: Progress, runner: Runner, publish: Callable[..., object]) -> str:
    """Ask until as many tokens are spent as the debate took; gives why nothing came of it, if so.

    At most 300 answers. What it takes is no part of the debate's budgets.
    """
    if progress.started is None or progress.verdict is None:
        return "there is no verdict to compare it with"
    choices = tuple(progress.verdict.tally)
    if not choices:
        return "there was nothing to choose from"
    first = _prompt(progress.started, progress, choices)
    found = await _answers(runner, [first], publish)
    if isinstance(found[0], RunnerError):
        return str(found[0])
    wanted = max(1, min(MOST_ANSWERS, progress.spent.tokens // max(1, found[0].usage.tokens)))
    while len(found) < wanted:
        places = range(len(found) + 1, min(wanted, len(found) + _AT_ONCE) + 1)
        due = [replace(first, attempt=place) for place in places]
        answered = await _answers(runner, due, publish)
        dead = next((reply for reply in answered if isinstance(reply, RunnerUnavailableError)), None)
        if dead is not None:
            return str(dead)
        if not any(isinstance(reply, Reply) for reply in answered):
            break
        found += answered
    publish(_taken([reply for reply in found if isinstance(reply, Reply)], choices))
    return ""


def _prompt(started: SessionStarted, progress: Progress, choices: Sequence[str]) -> Prompt:
    """The question, the context files and the choices: nothing of the debate."""
    reading = Reading(started.documents)
    shown = zip(started.documents, reading.texts, strict=True)
    documents = [f"\n# Context file: {quoted(doc.name)}\n    {quoted(text)}" for doc, text in shown]
    if read := reading.passages("\n".join((started.question, *choices))):
        documents.append(f"\n{read}")
    return Prompt(
        purpose="baseline",
        last=progress.messages,
        seed=started.seed,
        question=started.question,
        options=tuple(choices),
        documents=started.documents,
        own=Prompts(started.prompts).fill(
            "baseline",
            question=started.question,
            documents="\n".join([*documents, ""]) if documents else "",
            choices="\n".join(f"- {choice}" for choice in choices),
        ),
    )


async def _answers(
    runner: Runner, prompts: Sequence[Prompt], publish: Callable[..., object]
) -> list[Reply | RunnerError]:
    """Answers side by side; what they took is stored in the order of the prompts, also where they are given up."""
    took: dict[int, tuple[CallMade, ...]] = {}

    async def ask(prompt: Prompt) -> Reply | RunnerError:
        try:
            reply = await runner.run(prompt)
        except (RunnerError, asyncio.CancelledError) as error:
            took[prompt.attempt] = failed_call(prompt, error)
            if isinstance(error, asyncio.CancelledError):
                raise
            return error
        took[prompt.attempt] = (call_made(prompt, reply),)
        return reply

    tasks = [asyncio.ensure_future(ask(prompt)) for prompt in prompts]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        publish(*(fact for attempt in sorted(took) for fact in took[attempt]))


def _taken(replies: Sequence[Reply], choices: Sequence[str]) -> BaselineTaken:
    answers = tuple(SingleAnswer(text=reply.text.strip(), choice=_choice(reply.text, choices)) for reply in replies)
    return BaselineTaken(
        choices=tuple(choices),
        answers=answers,
        outcome=ahead(Counter(answer.choice for answer in answers if answer.choice is not None)),
        tokens=sum(reply.usage.tokens for reply in replies),
    )


def _choice(text: str, choices: Sequence[str]) -> str | None:
    named = _ANSWER.findall(text)
    return the_one_named(named[-1], choices) if named else None
