"""Asks the same question without a debate: what members say who are asked alone and asked again, and single answers.

The short form of a study's controls, for about what the debate took and never more. Members who are asked twice and
hear nobody change their answers, too; the debate has to be seen beside that. The single answers are self-consistency as
in X. Wang et al., "Self-Consistency Improves Chain of Thought Reasoning in Language Models", 2022: independent draws,
each with the choices in an order of its own, of which the most frequent counts.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from random import Random

from eda.debate.asking import Answer, ask, side_by_side
from eda.debate.prompts.documents import Reading
from eda.debate.prompts.prefix import introduced
from eda.debate.prompts.slots import told_before
from eda.debate.prompts.texts import Prompts
from eda.debate.state import DebateState
from eda.errors import RunnerUnavailableError
from eda.events import BaselineTaken, CallMade, MemberAnswer, SessionStarted, SingleAnswer
from eda.memory.minutes.consensus import ahead
from eda.panels.persona import Persona
from eda.runners.protocol import CallKey, Prompt, Reply, Runner
from eda.text import quoted
from eda.voting.ballot_reader import the_one_named

MOST_ANSWERS = 300
"""More than a usual debate of 200,000 tokens pays for, at some 700 tokens an answer."""
_AT_ONCE = 5
_TWICE = 2
"""How often a member is asked."""
_ANSWER = re.compile(r"^\W*ANSWER\W+(.+?)\W*$", re.IGNORECASE | re.MULTILINE)

Took = dict[CallKey, tuple[CallMade, ...]]
"""The facts of the calls, also of those that were given up, in the order in which they were asked for."""


async def take_baseline(progress: DebateState, runner: Runner, publish: Callable[..., object]) -> str:
    """Ask for about what the debate took, never for more; return why nothing came of it, empty if it did.

    First one single answer, which shows what an answer takes; then each member twice, where half of what the debate
    took pays for that; then single answers, at most 300, until the next one might be too much. They do not count
    towards the debate's budgets.
    """
    if progress.started is None or progress.verdict is None:
        return "there is no verdict to compare it with"
    choices = tuple(progress.verdict.tally)
    if not choices:
        return "there was nothing to choose from"
    took: Took = {}
    taken: list[BaselineTaken] = []
    alone = partial(shuffled, progress.started, prompt_of(progress.started, progress, choices), choices)
    answers, rounds = list[Answer](), list[list[Answer]]()
    members = [member for member in progress.panel if not member.person]
    asked = [member_prompt(progress.started, progress, choices, member) for member in members]
    failed = ""
    try:
        while not failed and (number := _room(progress, took, len(answers))):
            answers += await ask_all(runner, [alone(len(answers) + place) for place in range(number)], took)
            failed = _dead(answers[-number:]) or (answers[0].why if answers[0].reply is None else "")
            if not _replies(answers[-number:]):
                break
            if len(answers) == 1 and _room(progress, took, 0, math.inf) >= 2 * _TWICE * len(members):
                rounds += await _ask_twice(progress.started, runner, asked, choices, took)
                failed = failed or _dead(chain(*rounds))
        failed = failed if answers else "one answer would take more than the debate did"
        if not failed:
            taken.append(_with_members(counted(_replies(answers), choices), members, rounds))
    finally:
        # One group: a process that is killed before it finds every reply in the journal.
        publish(*(call for calls in took.values() for call in calls), *taken)
    return failed


async def _ask_twice(
    started: SessionStarted, runner: Runner, asked: Sequence[Prompt], choices: Sequence[str], took: Took
) -> list[list[Answer]]:
    """Ask all members at once, and once more; return the answers of each time."""
    times = [[shuffled(started, each, choices, again) for each in asked] for again in range(_TWICE)]
    return [await ask_all(runner, prompts, took) for prompts in times]


def _room(progress: DebateState, took: Took, asked: int, most: float = _AT_ONCE) -> int:
    """Return how many answers are asked for next, each as large as the largest so far; one answer's room is left."""
    debate, calls = progress.spent, [call for each in took.values() for call in each]
    if not calls:
        return 1 if debate.tokens else 0
    limits = [(float(debate.tokens), [float(call.input_tokens + call.output_tokens) for call in calls])]
    if debate.cost and not debate.unpriced_calls:
        limits.append((debate.cost, [call.cost or 0.0 for call in calls]))
    fit = [(limit - sum(sizes)) // max(sizes) - 1 if max(sizes) else math.inf for limit, sizes in limits]
    return max(0, int(min(*fit, most, MOST_ANSWERS - asked)))


def _dead(answers: Iterable[Answer]) -> str:
    """Return why no more can be had where the runner is not there; else empty."""
    return next((answer.why for answer in answers if isinstance(answer.error, RunnerUnavailableError)), "")


def _replies(answers: Iterable[Answer]) -> list[Reply]:
    return [answer.reply for answer in answers if answer.reply is not None]


def _with_members(
    taken: BaselineTaken, members: Sequence[Persona], rounds: Sequence[Sequence[Answer]]
) -> BaselineTaken:
    """Return the fact with what the members said who were asked alone, and what their last answers come to."""
    said = tuple(
        MemberAnswer(who=member.title, text=reply.text.strip(), choice=_choice(reply.text, taken.choices))
        for each in rounds
        for member, answer in zip(members, each, strict=True)
        if (reply := answer.reply) is not None
    )
    last = {each.who: each.choice for each in said}
    outcome = ahead(Counter(choice for choice in last.values() if choice is not None))
    tokens = taken.tokens + sum(reply.usage.tokens for each in rounds for reply in _replies(each))
    return taken.model_copy(update={"reasked": said, "reasked_outcome": outcome, "tokens": tokens})


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


def member_prompt(started: SessionStarted, progress: DebateState, choices: Sequence[str], member: Persona) -> Prompt:
    """Return the same prompt for a member as itself, with what its seat alone was told, and nothing of the debate."""
    alone, who = prompt_of(started, progress, choices), introduced(member, Prompts(started.prompts).fill, public=False)
    own = "\n\n".join(part for part in (who, told_before(member, progress), alone.own) if part)
    nth = progress.calls.next("baseline", member.title)
    return replace(alone, agent=member.title, persona=member, members=tuple(progress.members), nth=nth, own=own)


def shuffled(started: SessionStarted, first: Prompt, choices: Sequence[str], place: int) -> Prompt:
    """Return the prompt of one of several answers, with the choices in an order of its own."""
    order = list(choices)
    Random(f"{started.seed}:{first.agent}:{place}" if first.agent else f"{started.seed}:{place}").shuffle(order)
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
