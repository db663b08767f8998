"""A simulated player of tasks: a member whose mind follows a stated model, so that measures can be checked against it.

The model, for a member of a panel of n, in rounds of n messages:

- Its private signal is what the solver of the task makes of the facts that it is told. With chance 1 - `skill` it is
  for another option. Where nothing speaks for any option, its opinion is drawn.
- It says where it stands in each message. In its first message it says each private fact with chance `share`.
- When a round ends, its mind moves once, by what it has heard up to then, in this order:
  a new fact makes it weigh all facts anew; then with chance `conformity` it takes the option that most others are for.
- An answer in private (poll, ballot, single answer) is with chance `noise` another option than the one it holds, drawn
  anew for each answer: the noise of asking twice. Its mind does not follow that answer.

A mind is worked out anew from each prompt: nothing is kept between calls. Every draw depends on the seed, the task, the
member and the ordinal of the round or call; draws of what changes also on the arm, so that a member enters all arms of
a study with the same signal, and arms that are alike differ by chance alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import orjson
from pydantic import Field

from eda.debate.prompts.lookups import call_of, words_of
from eda.debate.speech import passes
from eda.errors import UnknownNameError, UsageError
from eda.memory.minutes.consensus import ahead
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.options import Options
from eda.panels.settings import Frozen
from eda.runners.protocol import OnText, Prompt, Reply, Runner, Usage, Wrapper, bids_of
from eda.runners.simulated.runner import SimulatedRunner
from eda.runners.simulated.stance import drawn
from eda.study.tasks import Beliefs, Task, believes, likeliest
from eda.study.tasks.base import shares
from eda.text import grouped
from eda.words import ENGLISH

_HAIR = 1e-4  # What one of the best options has more where they are level, by lot.


class Mind(NamedTuple):
    """The option that a member is for, and its belief in each."""

    held: str
    beliefs: Beliefs

    def turned(self, option: str) -> "Mind":
        """Return a mind that is for another option: the two change places in its beliefs."""
        return Mind(option, self.beliefs | {option: self.beliefs[self.held], self.held: self.beliefs[option]})


def certain(option: str, options: Iterable[str]) -> Mind:
    """Return a mind that is sure of one of the options."""
    return Mind(option, {each: float(each == option) for each in options})


class SimulatedPlayer:
    """Plays one task for every seat of a panel; answers what is no part of the model as the simulated runner does.

    Args:
        task: What is played. Private facts belong to seats, in the order of the panel.
        seed: Draws signals and noise.
        conformity: The chance, at the end of a round, to go over to what most others are for.
        noise: The chance that a private answer is another option than the one held.
        share: The chance that a private fact is said.
        skill: The chance that the private signal is what follows from the facts.
        arm: The arm of the study that is played.

    Raises:
        UsageError: the task has no options, or a parameter is no share of 1.
    """

    spec = "player"
    deterministic = True
    summarises = False

    def __init__(
        self,
        task: Task,
        seed: int,
        conformity: float = 0.0,
        noise: float = 0.0,
        share: float = 0.5,
        skill: float = 1.0,
        arm: str = "",
    ) -> None:
        if not task.options:
            raise UsageError(f"task {task.id!r} has no options to play", hint="Play a task with options.")
        for name, value in {"conformity": conformity, "noise": noise, "share": share, "skill": skill}.items():
            if not isinstance(value, float | int) or not 0 <= value <= 1:
                wrong = UsageError(f"{name} is {value!r}, which is no share of 1", hint="Give a number from 0 to 1.")
                wrong.about = name
                raise wrong
        self.task, self.arm, self._key = task, arm, (seed, task.item)
        self.conformity, self.noise, self.share, self.skill = conformity, noise, share, skill
        self._options, self._rest = Options(task.options), SimulatedRunner()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the answer to one prompt."""
        answers = {"bid": lambda asked: bids_of(asked, self._bid), "ballot": self._ballot, "poll": self._poll}
        if prompt.purpose in answers:
            data = answers[prompt.purpose](prompt)
            text = orjson.dumps(data).decode()
        elif prompt.purpose in ("speak", "baseline"):
            text, data = (self._speech if prompt.purpose == "speak" else self._alone)(prompt), None
        else:
            return await self._rest.run(prompt, on_text)
        if on_text is not None:
            on_text(text)
        return Reply(text, data, Usage(len(prompt.text) // 4, len(text) // 4), self.spec)

    def _luck(self, *ordinal: object) -> float:
        return drawn("player", *self._key, *ordinal)

    def _other(self, option: str, luck: float) -> str:
        """Return one of the other options by a number from 0 to 1."""
        others = [each for each in self.task.options if each != option]
        return others[int(luck * len(others))] if others else option

    # A mind, from what its member was told and has heard

    def _first(self, who: str, told: Iterable[str]) -> Mind:
        """Return a mind that goes by the facts alone."""
        beliefs = believes(self.task, tuple(told))
        level = likeliest(beliefs)
        if len(level) > 1:
            lots = {option: self._luck(who, "lot", option) for option in level}
            first = max(level, key=lambda option: lots[option])
            beliefs = shares(lots if len(level) == len(beliefs) else beliefs | {first: beliefs[first] + _HAIR})
        mind = Mind(max(beliefs, key=lambda option: beliefs[option]), beliefs)
        slips = self._luck(who, "skill") >= self.skill
        return mind.turned(self._other(mind.held, self._luck(who, "slip"))) if slips else mind

    def _mind(self, prompt: Prompt) -> Mind:
        """Return the mind of the member at the end of the last whole round."""
        who, size = _name(prompt), max(1, len(prompt.members))
        told, views = self._told(prompt), dict[str, str]()
        mind = self._first(who, told)
        others = (line for line in prompt.lines if line.who in prompt.members and line.who != prompt.agent)
        rounds = grouped(((line.number - 1) // size + 1, line) for line in others)
        for number in range(1, prompt.last // size + 1):
            lines = rounds.get(number, [])
            fresh = {fact for fact in self.task.facts.unshared if any(fact in line.text for line in lines)}
            fresh -= told
            told |= fresh
            views |= {line.who: view for line in lines if (view := declared(self._options, line.holds))}
            mind = self._first(who, told) if fresh else mind
            most = ahead(Counter(views.values()))
            if self._luck(self.arm, who, "round", number) < self.conformity and most not in (None, mind.held):
                mind = mind.turned(str(most))
        return mind

    def _told(self, prompt: Prompt) -> set[str]:
        """Return the facts that the member is given: those of its seat; of one who answers alone, in the documents."""
        if prompt.agent:
            return set(self.task.facts.known_to(prompt.members.index(prompt.agent)))
        read = "\n".join(document.text for document in prompt.documents)
        return {*self.task.facts.shared, *(fact for fact in self.task.facts.unshared if fact in read)}

    # Answers

    def _answer(self, mind: Mind, who: str, prompt: Prompt) -> Mind:
        """Return what the member answers in private: its mind, or by chance another option."""
        ordinal = (self.task.id, self.arm, who, prompt.purpose, prompt.nth)
        if self._luck(*ordinal, "noise") >= self.noise:
            return mind
        return mind.turned(self._other(mind.held, self._luck(*ordinal, "which")))

    def _speech(self, prompt: Prompt) -> str:
        mind, facts = self._mind(prompt), list[str]()
        points = " ".join(f"{round(100 * mind.beliefs[option], 3):g}" for option in self.task.options)
        if all(line.who != prompt.agent for line in prompt.lines):
            own = self.task.facts.private.get(prompt.members.index(prompt.agent), ())
            facts = [f"I know: “{fact}”." for fact in own if self._luck(_name(prompt), "share", fact) < self.share]
        return stated(mind.held, self.task.options, prompt.last, " ".join(facts), points)

    def _bid(self, prompt: Prompt) -> Mapping[str, Any]:
        spoke = bool(prompt.lines) and prompt.lines[-1].who == prompt.agent
        urgency = round(self._luck(self.arm, _name(prompt), "bid", prompt.last), 3)
        return {"wants": not spoke, "urgency": 0.0 if spoke else urgency, "reason": "to say where I stand"}

    def _private(self, prompt: Prompt) -> tuple[Mind, dict[str, Any]]:
        """Return what the member answers in private, and the fields that a poll and a ballot share."""
        answer = self._answer(self._mind(prompt), _name(prompt), prompt)
        others = (line for line in prompt.lines if line.who != prompt.agent)
        theirs = [line.number for line in others if declared(self._options, line.holds) == answer.held]
        moved = theirs and answer.held != self._first(_name(prompt), self._told(prompt)).held
        return answer, {
            "choice": _ids(prompt).get(answer.held, answer.held),
            "confidence": round(answer.beliefs[answer.held], 4),
            "moved_by": f"m{theirs[-1]}" if moved else None,
        }

    def _poll(self, prompt: Prompt) -> Mapping[str, Any]:
        answer, fields = self._private(prompt)
        ids = _ids(prompt)
        beliefs = {ids.get(option, option): round(belief, 6) for option, belief in answer.beliefs.items()}
        return {**fields, "change_mind": "a fact that I do not know", "beliefs": beliefs}

    def _ballot(self, prompt: Prompt) -> Mapping[str, Any]:
        """Return a ballot that accepts what the member believes in as much as chance would have it, or more."""
        answer, fields = self._private(prompt)
        ids, beliefs = _ids(prompt), answer.beliefs
        offered = [option for option in self.task.options if option in prompt.options]
        ranked = sorted(offered, key=lambda option: (option != answer.held, -beliefs[option]))
        if not ranked:
            return {"choice": None, "reason": "none of the options of the task is on this ballot"}
        least, top = 1 / len(beliefs), max(beliefs.values())
        accepted = [ids.get(each, each) for each in ranked if each == ranked[0] or beliefs[each] >= least]
        scores = {ids.get(each, each): round(10 * beliefs[each] / top, 2) for each in ranked}
        chosen = {"choice": accepted[0], "ranking": accepted, "approved": accepted, "scores": scores}
        return {**fields, **chosen, "reason": "it is what I hold to be most likely"}

    def _alone(self, prompt: Prompt) -> str:
        """Return one of several independent answers without a panel: each is a member of its own."""
        who = f"answer {prompt.nth}"
        answer = self._answer(self._first(who, self._told(prompt)), who, prompt)
        return f"I go by what I was told.\nANSWER: {answer.held}"


def _name(prompt: Prompt) -> str:
    """Return the name of the member's file: the same where its title is hidden, and in every seat."""
    return prompt.persona.name if prompt.persona else prompt.agent


def _ids(prompt: Prompt) -> dict[str, str]:
    """Return the ids of the texts of a ballot or poll, by their words."""
    return {text.text: text.id for text in prompt.texts}


LESS = ("choices", "empty")
"""Exchanges in which less is heard than is said: the choice alone, or with words that give no reason for it."""
_EMPTY = 5  # Sentences that give no reason, which take turns.


class Confederates(Frozen):
    """Seats that hold one answer by a script, whatever the others say."""

    seats: int = Field(default=1, ge=1)
    """How many, from the last one."""
    hold: str = "wrong"
    """`wrong`: the option after the right one; `right`; or the option itself."""
    arguments: tuple[str, ...] = ()
    """What they say for it, one a speech in turn; none: the choice alone."""

    def held(self, task: Task) -> str:
        """Return the option that they hold.

        Raises:
            UnknownNameError: the task has no such option, or no right one.
        """
        if self.hold in ("right", "wrong") and task.answer in task.options:
            return task.options[(task.options.index(task.answer) + (self.hold == "wrong")) % len(task.options)]
        if self.hold not in task.options:
            raise UnknownNameError("option", self.hold, task.options, where=task.id)
        return self.hold


class Actor(SimulatedPlayer):
    """A member that holds one option for good, and speaks for it by a script."""

    def __init__(self, task: Task, seed: int, script: Confederates) -> None:
        """Hold what the script says of the task."""
        super().__init__(task, seed)
        self._held = certain(script.held(task), task.options)
        self._script = script

    def _mind(self, prompt: Prompt) -> Mind:  # noqa: ARG002 - whatever it hears
        return self._held

    def _speech(self, prompt: Prompt) -> str:
        turn = sum(line.who == prompt.agent for line in prompt.lines)
        says = self._script.arguments
        return stated(self._held.held, self.task.options, prompt.last, says[turn % len(says)] if says else "")


class Stage(Wrapper):
    """A runner for one cell: it has some seats speak by a script, and lets of the other speeches be heard what may be.

    Args:
        inner: Who answers for all others.
        task: The task of the cell.
        seed: That of the cell.
        exchange: What is heard of a speech: `choices`, `empty`, or all of it.
        script: Of the confederates; None where there are none.
    """

    def __init__(self, inner: Runner, task: Task, seed: int, exchange: str, script: Confederates | None) -> None:
        self.inner = inner
        self._task, self._heard, self._options = task, exchange, Options(task.options)
        self._actor = Actor(task, seed, script) if script else None
        self._seats = script.seats if script else 0

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the answer to one prompt; of a speech what may be heard of it."""
        if self._actor and prompt.agent in prompt.members[-self._seats :]:
            return await self._actor.run(prompt, on_text)
        if self._heard not in LESS or prompt.purpose != "speak":
            return await self.inner.run(prompt, on_text)
        reply = await self.inner.run(replace(prompt, own=f"{prompt.own}\n\n{ENGLISH.say('study-position')}"))
        if passes(reply.text) or words_of(reply.text) or call_of(reply.text):  # it is no speech yet, or none at all
            return reply
        positions = [move.text for move in read_reply(reply.text).moves if move.kind == "position"]
        option = declared(self._options, (positions or [prompt.positions.get(prompt.agent, "")])[-1])
        turn = sum(line.who == prompt.agent for line in prompt.lines) + prompt.members.index(prompt.agent)
        says = ENGLISH.say("study-empty", turn=turn % _EMPTY) if self._heard == "empty" else ""
        text = stated(option, self._task.options, prompt.last, says) if option else ENGLISH.say("study-no-choice")
        return replace(reply, text=text, data=None)


def declared(options: Options, position: str) -> str | None:
    """Return the one option that a declared position names; None where it names none, or several."""
    named = options.mentioned(position)
    return named[0] if len(named) == 1 else None


def stated(option: str, options: Sequence[str], after: int, says: str = "", points: str = "") -> str:
    """Return a speech after so many messages that declares an option: its belief in each, and what is said for it.

    Its quotations are long enough to be no words of the speaker, so two members for one option repeat nothing.
    """
    key, name = f"o{options.index(option) + 1}", option.replace("”", "’")
    said = ENGLISH.say("study-choice", after=after, id=key, option=name, points=points)
    return f"{said} {says}".strip() + f"\n\n[POSITION] {key}"
