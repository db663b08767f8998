"""Asks a question without a panel: single answers, of which the most frequent counts.

This is self-consistency as in X. Wang et al., "Self-Consistency Improves Chain of Thought Reasoning in Language
Models", 2022: independent draws, each with the choices in an order of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from eda.debate.asking import Answer, ask, side_by_side
from eda.debate.prompts.documents import Reading
from eda.debate.prompts.texts import Prompts
from eda.debate.state import DebateState
from eda.errors import RunnerUnavailableError
from eda.events import BaselineTaken, CallMade, SessionStarted, SingleAnswer
from eda.memory.minutes.consensus import ahead
from eda.runners.protocol import CallKey, Prompt, Reply, Runner
from eda.text import quoted
from eda.voting.ballot_reader import the_one_named

MOST_ANSWERS = 300
"""More than a usual debate of 200,000 tokens pays for, at some 700 tokens an answer."""
_ANSWER = re.compile(r"^\W*ANSWER\W+(.+?)\W*$", re.IGNORECASE | re.MULTILINE)

Took = dict[CallKey, tuple[CallMade, ...]]
"""The facts of the calls, also of those that were given up, in the order in which they were asked for."""


def prompt_of(started: SessionStarted, progress: DebateState, choices: Sequence[str]) -> Prompt:
    """Return a prompt with the question, the context files and the choices, and nothing of the debate."""
    reading = Reading(started.documents)
    shown = zip(started.documents, reading.texts, strict=True)
    documents = [f"\n# Context file: {quoted(doc.name)}\n    {quoted(text)}" for doc, text in shown]
    if read := reading.passages("\n".join((started.question, *choices))):
        documents.append(f"\n{read}")
    return Prompt(
        purpose="baseline",
        nth=progress.calls.next("baseline", ""),
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


def shuffled(started: SessionStarted, first: Prompt, choices: Sequence[str], place: int) -> Prompt:
    """Return the prompt of one of several answers, with the choices in an order of its own."""
    order = list(choices)
    Random(f"{started.seed}:{place}").shuffle(order)
    listed = ("\n".join(f"- {choice}" for choice in each) for each in (choices, order))
    own = first.own.replace(next(listed), next(listed))
    return replace(first, nth=first.nth + place, options=tuple(order), own=own)


async def ask_all(runner: Runner, prompts: Sequence[Prompt], took: Took) -> list[Answer]:
    """Return an answer to each prompt, also where the server is not there. `took` is filled."""
    took.update((prompt.key, ()) for prompt in prompts)

    async def one(prompt: Prompt) -> Answer:
        def keep(*calls: CallMade) -> None:
            took[prompt.key] = calls

        try:
            answer = await ask(runner, prompt, lost=keep)
        except RunnerUnavailableError as error:
            return Answer(error=error)
        keep(*answer.calls)
        return answer

    return await side_by_side(map(one, prompts))


def counted(replies: Sequence[Reply], choices: Sequence[str]) -> BaselineTaken:
    """Return the fact of these answers: each with the choice that it names, and the choice that most name."""
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
