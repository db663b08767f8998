"""Asks the same question without a debate: single answers for about the same tokens; the most frequent choice wins.

This is self-consistency as in X. Wang et al., "Self-Consistency Improves Chain of Thought Reasoning in Language
Models", 2022: answers are drawn independently of each other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from eda.debate.asking import Answer, ask, side_by_side
from eda.debate.prompts.documents import Reading
from eda.debate.prompts.texts import Prompts
from eda.debate.state import DebateState
from eda.errors import RunnerUnavailableError
from eda.events import BaselineTaken, CallMade, SessionStarted, SingleAnswer
from eda.memory.minutes.reading import ahead
from eda.runners.protocol import Prompt, Reply, Runner
from eda.text import quoted
from eda.voting.naming import the_one_named

MOST_ANSWERS = 300
"""More than a usual debate of 200,000 tokens pays for, at some 700 tokens an answer."""
_AT_ONCE = 5
_ANSWER = re.compile(r"^\W*ANSWER\W+(.+?)\W*$", re.IGNORECASE | re.MULTILINE)


async def take_baseline(progress: DebateState, runner: Runner, publish: Callable[..., object]) -> str:
    """Ask until as many tokens are spent as the debate took; return why nothing came of it, empty if it did.

    At most 300 answers are asked for. They do not count towards the debate's budgets.
    """
    if progress.started is None or progress.verdict is None:
        return "there is no verdict to compare it with"
    choices = tuple(progress.verdict.tally)
    if not choices:
        return "there was nothing to choose from"
    took: dict[int, tuple[CallMade, ...]] = {}
    taken: list[BaselineTaken] = []
    try:
        answers, failed = await _answers(
            runner, prompt_of(progress.started, progress, choices), progress.spent.tokens, took
        )
        if not failed:
            taken.append(counted([answer.reply for answer in answers if answer.reply is not None], choices))
    finally:
        # One group: a process that is killed before it finds every reply in the journal.
        publish(*(call for nth in sorted(took) for call in took[nth]), *taken)
    return failed


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


async def _answers(
    runner: Runner, first: Prompt, tokens: int, took: dict[int, tuple[CallMade, ...]]
) -> tuple[list[Answer], str]:
    """Return answers for as many tokens, and why no more could be had where the runner is not there.

    `took` is given the facts of the calls by their number, also of those that are given up.
    """
    answers = await ask_all(runner, [first], took)
    if answers[0].reply is None:
        return answers, answers[0].why
    wanted = max(1, min(MOST_ANSWERS, tokens // max(1, answers[0].reply.usage.tokens)))
    while len(answers) < wanted:
        places = range(len(answers), min(wanted, len(answers) + _AT_ONCE))
        more = await ask_all(runner, [replace(first, nth=first.nth + place) for place in places], took)
        dead = next((answer for answer in more if isinstance(answer.error, RunnerUnavailableError)), None)
        if dead is not None:
            return answers, dead.why
        if all(answer.reply is None for answer in more):
            break
        answers += more
    return answers, ""


async def ask_all(runner: Runner, prompts: Sequence[Prompt], took: dict[int, tuple[CallMade, ...]]) -> list[Answer]:
    """Return an answer to each prompt, also where the server is not there. `took` is as in `_answers`."""

    async def one(prompt: Prompt) -> Answer:
        def keep(*calls: CallMade) -> None:
            took[prompt.nth] = calls

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
