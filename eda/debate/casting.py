"""Makes personas and picks panels: by a model, or without one from a template and from the words of a question.

What a model answers is data: it fills fields that are checked as a file's are, and seats nobody who is not there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from eda.debate.asking import Checked, ask_for_fields
from eda.errors import RunnerError
from eda.events import CallMade
from eda.panels.files import CONTROLS, complaint
from eda.panels.persona import Persona
from eda.runners.answers import Answer
from eda.runners.protocol import Prompt, Reply, Runner
from eda.runners.repair import fields_of, validated
from eda.text import likeness, quoted, shorten, words
from eda.words import ENGLISH

SEATS = 5
"""Members of a panel that is picked."""
_DOUBTERS = ("sceptic", "red-teamer", "forecaster", "historian")
"""One of them sits on every panel that is picked by words: those who know a subject often share its hopes."""
_ANYWHERE = ("economist", "ethicist", "legal-counsel", "user-researcher")
"""Who has something to say on most questions: seated where the words of one tell no more."""
_PERSONA = """Write a persona for a panel that debates questions, from this description, which is data:
    {description}

What makes it worth a seat is what it looks for, not a tone. Answer with one JSON object:
title: what it is called on the panel, a first name or two words
role: what it stands for, reading on from "You are <title>,"; description: one line, when to seat it
values: 4 noun phrases, what it looks for; fears: 4, what it looks out for; moved_by: 3, evidence that changes its mind
voice: how it talks, a line; openers: 5 beginnings of its sentences, each ending in a comma
stubbornness, talkativeness: 0 to 1
instruction: 120 to 180 words to the persona, as "you": what it looks for first, which evidence moves it, when it gives
way"""
_PANEL = """Pick five personas for a panel on this question, which is data:
    {question}

Pick those who would disagree usefully: who look for different things, each of which could settle the question, and one
who doubts what the others hope. The personas:
{personas}

Answer with one JSON object.
title: the panel's name, two or three words; description: one line, which questions it is for
members: a list of five objects; name: the persona's name as listed, why: one line, what it will look for here"""


_TEMPLATE = """You are {description}. Read what is proposed as your work has taught you to, and say first what somebody
without that work would miss.

Tell what you know at first hand from what you only suppose. Name the one condition under which you would agree, and the
evidence that would change your mind. Where the others bring it, give way, and say so."""


class PersonaAnswer(Answer):
    """A persona as a model writes it."""

    title: str
    role: str
    description: str
    instruction: str
    values: list[str]
    fears: list[str]
    moved_by: list[str]
    voice: str = ""
    openers: list[str] = Field(default_factory=list)
    stubbornness: float = 0.5
    talkativeness: float = 0.5


class SeatAnswer(Answer):
    """A member that a model picks, and why."""

    name: str
    why: str


class PanelAnswer(Answer):
    """A panel as a model picks it."""

    title: str
    description: str
    members: list[SeatAnswer]


T = TypeVar("T", Persona, PanelAnswer)
Made = tuple[T, tuple[CallMade, ...]]
"""What a model made, and the calls that it took."""


def template_persona(name: str, trade: str, description: str) -> Persona:
    """Return a persona to be edited: whole, but with nothing in it that only somebody of that `trade` would know."""
    return Persona(
        name=name,
        title=shorten(trade[:1].upper() + trade[1:], 60),
        role=shorten(description, 110),
        description=ENGLISH.say("casting-speaks", trade=description),
        values=("what was seen at first hand", "the step that this trade checks first", "a named owner"),
        fears=(
            "the same failure a second time",
            "a plan that nobody of the trade has read",
            "a promise others must keep",
        ),
        moved_by=("a case looked at closely", "figures that somebody checked", "a trial with a way back"),
        voice="Plain and concrete; says how it knows.",
        openers=("In this trade,", "On an ordinary day,", "Where it went wrong before,", "As it is done in practice,"),
        instruction=_TEMPLATE.format(description=description),
    )


def picked_by_words(question: str, personas: Mapping[str, Persona]) -> PanelAnswer:
    """Return five personas that have the question's words and least in common, one of them a doubter, each with why."""
    of = {name: words(" ".join(_texts_of(one))) for name, one in personas.items()}
    fields = {name: [words(text) for text in _texts_of(one)] for name, one in personas.items()}
    rarity = Counter(word for each in of.values() for word in each)
    asked = words(question)

    def worth(name: str, beside: Iterable[str]) -> float:
        place = {word: next(n for n, field in enumerate(fields[name], 1) if word in field) for word in asked & of[name]}
        fits = sum(math.log(1 + len(of) / rarity[word]) / at for word, at in place.items())
        return fits + (name in _ANYWHERE) - 5 * max((likeness(of[name], of[other]) for other in beside), default=0.0)

    picked: list[str] = []
    while len(picked) < min(SEATS, len(of)):
        doubters = [name for name in _DOUBTERS if name in of]
        last = len(picked) == SEATS - 1 and not {*picked} & {*doubters} and doubters
        picked.append(
            max(last or [name for name in of if name not in picked], key=partial(worth, beside=tuple(picked)))
        )
    seats = []
    for one in map(personas.__getitem__, picked):
        value, fear = (one.values[0], one.fears[0]) if one.values and one.fears else ("", "")
        moved = next(iter(one.moved_by), "")
        why = ENGLISH.say("casting-why", value=value, fear=fear, role=one.role, moved=moved)
        seats.append(SeatAnswer(name=one.name, why=why))
    return PanelAnswer(title="", description=ENGLISH.say("casting-picked", question=question), members=seats)


def _texts_of(one: Persona) -> tuple[str, ...]:
    """Return what a persona stands for, and what it looks for: its instruction has too many words of no subject."""
    stands = f"{one.name.replace('-', ' ')} {one.role} {one.description}"
    return (stands, " ".join((*one.values, *one.fears, *one.moved_by)))


async def written_persona(name: str, description: str, runner: Runner) -> Made[Persona]:
    """Return a persona of that name which a model wrote.

    Raises:
        RunnerError: no call was answered, or neither of two answers could be used.
    """

    def made(fields: Mapping[str, Any]) -> Persona:
        return Persona.model_validate(_plain(fields) | {"name": name})

    return await _asked(runner, _PERSONA.format(description=quoted(description)), PersonaAnswer, made)


async def picked_panel(question: str, personas: Mapping[str, Persona], runner: Runner) -> Made[PanelAnswer]:
    """Return the panel that a model picks among some personas.

    Raises:
        RunnerError: as in `written_persona`.
    """

    def made(fields: Mapping[str, Any]) -> PanelAnswer:
        answer = PanelAnswer.model_validate(_plain(fields))
        names = [seat.name for seat in answer.members]
        if unknown := sorted({*names} - {*personas}):
            raise ValueError(f"no persona is called {', '.join(unknown)}")
        if len({*names}) != len(names) or len(names) != SEATS:
            raise ValueError(f"`members` should be {SEATS} different personas")
        return answer

    listed = "\n".join(f"- {one.name}: {quoted(one.role)}. {quoted(one.description)}" for one in personas.values())
    return await _asked(runner, _PANEL.format(question=quoted(question), personas=listed), PanelAnswer, made)


def _plain(value: Any) -> Any:
    """Return an answer without the characters that a terminal would act on."""
    if isinstance(value, str):
        return CONTROLS.sub("", value)
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


async def _asked(runner: Runner, text: str, schema: type[BaseModel], made: Callable[[Mapping[str, Any]], T]) -> Made[T]:
    def read(reply: Reply) -> Checked:
        fields, wrong = fields_of(schema, reply)
        fields, wrong = validated(schema, fields) if fields else (None, wrong or "it holds no such JSON object")
        if fields is None:
            return None, wrong
        try:
            return {"made": made(fields)}, ""
        except ValidationError as error:
            return None, complaint(error)[1]
        except ValueError as error:
            return None, str(error)

    def corrected(prompt: Prompt, wrong: str, _: str) -> Prompt:
        return prompt.once_more(ENGLISH.say("prompt-again", why=wrong))

    answer = await ask_for_fields(runner, Prompt(purpose="ask", own=text, answer=schema), read, corrected)
    if answer.fields is None:
        raise answer.error or RunnerError(f"the model's answer could not be used: {answer.why}", hint="Try again.")
    return answer.fields["made"], answer.calls
