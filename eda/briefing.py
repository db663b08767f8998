"""Builds the prompts that members are given. What all share comes first and only grows; what differs comes last."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel

from eda.agenda import Stage
from eda.events import FloorGranted, ModeratorSpoke, SessionStarted
from eda.introductions import Introductions, brief_self
from eda.memory import ConversationMemory
from eda.memory.circles import Stuck
from eda.memory.context import Context, Section
from eda.memory.material import Material
from eda.memory.side import DueComment
from eda.occasion import absent, phase_line
from eda.personas import Persona
from eda.progress import Progress
from eda.prompts import Prompts, filled, quoted
from eda.protocols import Line, Prompt, Purpose
from eda.records import Move
from eda.settings import SummaryStyle
from eda.shapes import BallotAnswer, BidAnswer, BidsAnswer, ModerateAnswer, PollAnswer, ScoredAnswer
from eda.summing import summary_prompt
from eda.told import blocks_of, statistics_of
from eda.verdict import argued_by, rule_of
from eda.voting import shown_order

__all__ = ["CALLS_A_TURN", "Briefing", "Part"]

_LAST_WORDS = 5
"""Messages that a member is shown again before it comments."""
_FOR_BIDS = ("decisions", "proposals")
"""Of the brief context; the rest says again what transcript and summaries say, and ranking moments takes time."""
_SHARED = ("summaries", "transcript")
"""Sections that stand in the shared part of every prompt."""
CALLS_A_TURN = 2
"""A reply that repeats is asked for once more."""
_REASON = 200
"""Characters of the reason for a grant: a bid's is a member's own words, on one line."""
_DISCUSSED = 3
"""Messages that are what is being discussed."""
_REMARKS = 3
"""Of its own comments that a member is shown again."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a prompt."""

    name: str
    tokens: int
    shown: int
    """Items."""
    left_out: int = 0
    why: str = ""
    """Why items were left out."""


class Briefing:
    """Makes prompts from what the facts add up to: the same facts give the same prompt."""

    def __init__(self, started: SessionStarted, memory: ConversationMemory, progress: Progress) -> None:
        self._started = started
        self._memory = memory
        self._progress = progress
        self._prompts = Prompts(started.prompts)
        self._fill = self._prompts.fill
        self._known = Introductions(started, self._fill)

    def speak(self, persona: Persona, grant: FloorGranted | None = None) -> Prompt:
        """For a member whose turn it is; `grant` says why it has the floor."""
        reason = " ".join(grant.reason.split())[:_REASON] if grant else "it is your turn"
        task = self._task(persona, reason)
        if self._progress.asked:
            task = f"{task}\n\nThe moderator has asked: {self._fill('silence')}"
        if gone := absent(self._progress):
            task = f"{gone}\n\n{task}"
        prompt = self._whole("speak", persona, task, together=grant is None)
        return replace(prompt, attempt=CALLS_A_TURN * self._progress.vain + 1)

    def repeated(self, who: str, talk: str, moves: tuple[Move, ...]) -> int | None:
        """The message that a reply of `who` says again without a new move; closing words only where they are copied."""
        repeats = self._memory.repeats
        number = repeats.copied(talk) if self._stage == "closing" else repeats.repeated(who, talk)
        if number is None:
            return None
        position = self._memory.last_position(who)
        return None if repeats.adds(who, moves, self._memory.on_the_table, position) else number

    def again(self, prompt: Prompt, number: int) -> Prompt:
        """The same once more, for a member whose reply said message `number` again."""
        who, text = self._memory.repeats.text(number)
        said = self._fill("speak-again", number=str(number), who=quoted(who), text=quoted(text))
        return replace(prompt, attempt=prompt.attempt + 1, own=f"{prompt.own}\n\n{said}")

    def circle(self, stuck: Stuck) -> ModeratorSpoke:
        """What the moderator says when the debate goes in circles."""
        return ModeratorSpoke(text=self._fill("circle", what=stuck.what, since=str(stuck.since)), why="circle")

    def shown(self, persona: Persona, choices: tuple[str, ...]) -> tuple[str, ...]:
        """The choices in the order in which a member sees them."""
        return shown_order(choices, self._started.seed, persona.title)

    def vote(self, persona: Persona, choices: tuple[str, ...]) -> Prompt:
        """For a member who is to vote for one of `choices`."""
        agenda, scored = self._progress.agenda, rule_of(self._progress) == "score"
        asked = self._fill(
            "ballot",
            task=agenda.ballot_text or "Choose exactly one, or null to abstain.",
            choices=_lettered(self.shown(persona, choices)),
            scores=', "scores": [{"choice": "each choice", "score": 0 to 10}]' if scored else "",
        )
        shape = ScoredAnswer if scored else BallotAnswer
        prompt = self._whole("ballot", persona, asked, options=choices, answer=shape, together=True)
        return replace(prompt, attempt=CALLS_A_TURN * max(0, self._progress.votes - 1) + 1)

    def poll(self, persona: Persona, choices: tuple[str, ...], number: int) -> Prompt:
        """For a member who is to say privately where it stands; `number` is the poll's."""
        asked = self._fill("poll", choices=_lettered(self.shown(persona, choices)))
        prompt = self._whole("poll", persona, asked, options=choices, answer=PollAnswer, together=True)
        return replace(prompt, attempt=CALLS_A_TURN * (number - 1) + 1)

    def corrected(self, prompt: Prompt, wrong: str) -> Prompt:
        """The same once more, for a member whose answer was none."""
        said = self._fill("answer-again", wrong=quoted(wrong))
        return replace(prompt, attempt=prompt.attempt + 1, own=f"{prompt.own}\n\n{said}")

    @property
    def _stage(self) -> Stage:
        return self._progress.agenda.stage(self._progress.phase)

    def _side(self, persona: Persona) -> str:
        seat = self._progress.seats.get(persona.title)
        return self._progress.agenda.side(seat) if seat is not None else ""

    def _argued(self, persona: Persona) -> str:
        """Its side, and the choice that this argues for."""
        side, choice = self._side(persona), argued_by(self._progress).get(persona.title)
        return f'{side} (for the choice "{quoted(choice)}")' if choice else side

    def _task(self, persona: Persona, reason: str) -> str:
        """What the phase asks of a speaker."""
        at = self._progress.at
        if at is None or not at.instruction:
            return self._fill(f"speak-{self._stage}", reason=reason)
        values = {
            "reason": reason,
            "side": self._argued(persona),
            "statistics": statistics_of(self._progress.polled),
            "blocks": blocks_of(self._progress.ballots),
        }
        return filled(at.instruction.strip(), values)

    @property
    def _asks(self) -> str:
        """What the phase asks of a speaker, for those who ask for the floor or give it."""
        at = self._progress.at
        text = (at.instruction if at else "") or self._fill(f"speak-{self._stage}", reason="{{reason}}")
        line = phase_line(self._progress.phase, text)
        return f"\n{line}\n" if line else ""

    def bid(self, persona: Persona) -> Prompt:
        """For a member who may ask for the floor: what all share, then decisions and open proposals."""
        argued = self._argued(persona)
        side = f"You argue: {argued}.\n" if argued else ""
        prompt = self._asked("bid", persona, question=(), side=side, **brief_self(persona))
        return replace(prompt, attempt=self._progress.bid_rounds + 1, answer=BidAnswer)

    def bids(self, asked: Sequence[Persona]) -> Prompt:
        """For all who may ask for the floor, in one call: what `bid` shows each of them, the shared part once."""
        sitting = self._members
        question = self._known.sketched(sitting, tuple(map(self._argued, sitting)))
        titles = "\n".join(f"- {quoted(member.title)}" for member in asked)
        prompt = self._asked("bids", question=question, asked=titles)
        return replace(prompt, asked=tuple(asked), attempt=self._progress.bid_rounds + 1, answer=BidsAnswer)

    def moderate(self, members: tuple[str, ...]) -> Prompt:
        """For whoever gives the floor to one of `members`: what all share, then decisions and open proposals."""
        spoke_at = self._progress.spoke_at
        listed = "\n".join(
            f"- {title} (" + (f"spoke last in m{spoke_at[title]})" if title in spoke_at else "has not spoken yet)")
            for title in members
        )
        prompt = self._asked("moderate", members=listed)
        return replace(prompt, members=members, attempt=self._progress.vain + 1, answer=ModerateAnswer)

    def ask(self, persona: Persona, who: str, question: str) -> Prompt:
        """For a member whom `who` asks aside: all that it has before it speaks, and their last exchanges."""
        talk = self._memory.side.exchanges(persona.title, who, self._progress.settings.side_exchanges)
        lines = "\n".join(f"{quoted(line.who)}: {quoted(line.text)}" for line in talk)
        asked = self._fill(
            "ask", who=quoted(who), question=quoted(question), before=f"\nYour talk so far:\n{lines}\n" if talk else ""
        )
        prompt = self._whole("ask", persona, asked, about=question)
        return replace(prompt, attempt=self._memory.side.last + 1)

    def comment(self, persona: Persona, due: DueComment) -> Prompt:
        """For a member that comments unasked: as short as for a bid."""
        lines, recent = self._last_words()
        earlier = self._remarks(persona)
        own = self._fill(
            "comment",
            **brief_self(persona),
            question=self._started.question,
            memory=self._memory.brief_context().text,
            recent="\n".join(recent) or "(nothing was said yet)",
            earlier="".join(f"\n{remark}" for remark in earlier) + "\n" if earlier else "",
            kind=due.kind,
            item=quoted(due.text) or "No choice has won.",
        )
        made = self._prompt("comment", persona, lines)
        return replace(made, attempt=self._memory.side.turns + 1, about=due.text, own=own)

    @property
    def _nudged(self) -> str:
        return f"\nModerator: {self._fill('silence')}\n" if self._progress.silent else ""

    def _asked(
        self,
        name: Literal["bid", "bids", "moderate"],
        persona: Persona | None = None,
        *,
        question: tuple[str, ...] = (),
        **slots: str,
    ) -> Prompt:
        """What all share, which a cache has but for its end, and what the text of that name says with `slots`."""
        context = self._memory.full_context(None)
        held = (s.text for s in self._memory.brief_context(moments=False).sections if s.name in _FOR_BIDS)
        given = {"memory": "\n\n".join(held), "nudge": self._nudged, "phase": self._asks, **slots}
        rules, own = self._prompts.halves(name, **given)
        made = self._prompt("moderate" if name == "moderate" else "bid", persona, context.lines)
        return replace(made, system=rules, shared=self._shared(context, question), own=own)

    def _prompt(self, purpose: Purpose, persona: Persona | None, lines: tuple[Line, ...]) -> Prompt:
        """The facts that stand beside the words."""
        return Prompt(
            purpose=purpose,
            agent=persona.title if persona else "",
            last=self._progress.heard,
            seed=self._started.seed,
            phase=self._progress.phase,
            stage=self._stage,
            side=self._side(persona) if persona else "",
            noun=self._progress.agenda.noun,
            question=self._started.question,
            options=self._started.options,
            persona=persona,
            members=self._titles,
            documents=self._started.documents,
            lines=lines,
            proposals=self._memory.on_the_table,
            positions=self._positions(),
        )

    def _shared(self, context: Context, question: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Question, context files, summaries and transcript: one part for each item, so that parts are only added."""
        sections = map(context.section, _SHARED)
        shown = (part for s in sections if s for part in (f"## {s.title}", *s.lines))
        return (*(question or self._known.question(self._members)), *shown)

    def _last_words(self) -> tuple[tuple[Line, ...], tuple[str, ...]]:
        """The last messages, and how they are shown."""
        context = self._memory.full_context(None)
        lines = context.lines[-_LAST_WORDS:]
        section = context.section("transcript")
        return lines, section.lines[-len(lines) :] if section and lines else ()

    def _remarks(self, persona: Persona) -> list[str]:
        """What the member remarked unasked, for itself only, so that it does not repeat itself."""
        said = self._memory.side.comments(persona.title, _REMARKS)
        return [f"You remarked earlier, unasked: {quoted(line.text)}" for line in said]

    def summarise(self, material: Material, style: SummaryStyle, attempt: int, wrong: tuple[str, ...] = ()) -> Prompt:
        """For whoever sums up a range, or folds its summaries; `wrong` is what the last draft is asked again for."""
        return summary_prompt(self._started, self._fill, material, style, attempt, wrong)

    def explain(self, persona: Persona, prompt: Prompt) -> tuple[Part, ...]:
        """The parts of a prompt that `speak` or `vote` gave, in the order in which they are read."""
        of = self._memory.tokens.of
        context = self._memory.full_context(persona.title)
        who, remarks = self._known.who(persona), self._remarks(persona)
        instruction = prompt.own.rpartition(who)[2].strip()
        question, *documents = self._known.question(self._members)
        read = self._read(context)
        return (
            Part("house rules", of(self._known.house), 1),
            Part("question", of(question), 1),
            *([Part("context files", sum(map(of, documents)), len(documents))] if documents else ()),
            *(_part(section, prompt) for section in (*context.sections, *context.dropped)),
            *([Part("passages of files", of(read), read.count("\n- "))] if read else ()),
            *([Part("own comments", of("\n".join(remarks)), len(remarks))] if remarks else ()),
            Part("persona", of(who), 1),
            Part("instruction", of(instruction), 1),
        )

    def nudge(self) -> ModeratorSpoke:
        """What the moderator says when nobody asked for the floor."""
        return ModeratorSpoke(text=self._fill("silence"), why="silence")

    def _whole(
        self,
        purpose: Literal["speak", "ballot", "poll", "ask"],
        persona: Persona,
        instruction: str,
        *,
        options: tuple[str, ...] | None = None,
        answer: type[BaseModel] | None = None,
        about: str | None = None,
        together: bool = False,
    ) -> Prompt:
        """House rules, what all share, memory, who the member is, the instruction.

        Where all are asked the same `together`, what memory holds is alike too but for each one's position; so it
        stands where the first of them writes it into the cache, and the others read it.
        """
        context = self._memory.full_context(persona.title, about=about)
        made = self._prompt(purpose, persona, context.lines)
        alike = self._memory.full_context(None) if together else None
        own = [s.text for s in context.sections if _is_held(s, made) and (alike is None or s.name == "position")]
        held = [s.text for s in alike.sections if _is_held(s, made)] if alike else []
        if read := self._read(context, about):
            (own if alike is None else held).insert(0, read)
        return replace(
            made,
            options=self._started.options if options is None else options,
            about=about or "",
            system=self._known.house,
            shared=self._shared(context),
            held=tuple(held),
            own="\n\n".join((*own, *self._remarks(persona), self._known.who(persona), instruction)),
            answer=answer,
        )

    def _read(self, context: Context, about: str | None = None) -> str:
        """What stands in context files that are too long to be shown, about a question or what was said last."""
        said = [line.text for line in context.lines[-_DISCUSSED:]]
        return self._known.reading.passages("\n".join((self._started.question, *([about] if about else said))))

    @property
    def _members(self) -> tuple[Persona, ...]:
        """Who sits now, in seat order; no person who has left."""
        personas = self._progress.personas
        return tuple(personas[title] for title in self._progress.voters) or self._started.members

    @property
    def _titles(self) -> tuple[str, ...]:
        return tuple(member.title for member in self._members)

    def _positions(self) -> dict[str, str]:
        voiced = ((title, self._memory.last_position(title)) for title in self._titles)
        return {title: position for title, position in voiced if position}


def _is_held(section: Section, prompt: Prompt) -> bool:
    """Whether it stands behind the shared part. A closing word looks back, and answers nothing that was said last."""
    return section.name not in _SHARED and not (section.name == "recalled" and _is_closing(prompt))


def _is_closing(prompt: Prompt) -> bool:
    return prompt.purpose == "speak" and prompt.stage == "closing"


def _part(section: Section, prompt: Prompt) -> Part:
    if section.name == "recalled" and _is_closing(prompt):
        return Part(section.name, 0, 0, len(section.lines) + section.left_out, "a closing word answers nobody")
    return Part(section.name, section.tokens, len(section.lines), section.left_out, section.why)


def _lettered(choices: tuple[str, ...]) -> str:
    return "\n".join(f"{string.ascii_uppercase[place]}. {quoted(choice)}" for place, choice in enumerate(choices))
