"""Builds the prompts that members are given. What all share comes first and only grows; what differs comes last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, Field

from eda.events import FloorGranted, ModeratorSpoke, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.checks import most_words
from eda.memory.circles import Stuck
from eda.memory.context import Context, summary_text
from eda.memory.material import Material
from eda.memory.side import DueComment
from eda.memory.taking import MinutesAnswer
from eda.personas import Persona
from eda.progress import Progress
from eda.prompts import Prompts, quoted
from eda.protocols import Line, Prompt, Purpose
from eda.records import Move
from eda.settings import SummaryStyle

__all__ = ["CALLS_A_TURN", "BallotAnswer", "BidAnswer", "BidsAnswer", "Briefing", "MemberBid", "Part"]

_LAST_FOR_BIDS = 5
_FOR_BIDS = ("decisions", "proposals")
"""Of the brief context; the rest of it says again what the transcript and the summaries say."""
CALLS_A_TURN = 2
"""A reply that repeats is asked for once more."""
_REASON = 200
"""Characters of the reason for a grant: a bid's is a member's own words, on one line."""
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


class BidAnswer(BaseModel):
    """What a member answers when asked whether it wants to speak."""

    wants: bool
    urgency: float = Field(default=0.5, ge=0, le=1)
    reason: str = ""


class MemberBid(BaseModel):
    """The bid of one member among others."""

    agent: str
    wants: bool
    urgency: float = Field(default=0.5, ge=0, le=1)
    reason: str = ""


class BidsAnswer(BaseModel):
    """What is answered for all who are asked together whether they want to speak."""

    bids: list[MemberBid]


class BallotAnswer(BaseModel):
    """What a member answers when asked for its vote."""

    choice: str | None
    reason: str = ""


class Briefing:
    """Makes prompts from what the facts add up to: the same facts give the same prompt."""

    def __init__(self, started: SessionStarted, memory: ConversationMemory, progress: Progress) -> None:
        self._started = started
        self._memory = memory
        self._progress = progress
        self._titles = tuple(member.title for member in started.members)
        self._fill = Prompts(started.prompts).fill

    def speak(self, persona: Persona, last: int, grant: FloorGranted | None = None) -> Prompt:
        """For a member whose turn it is and who has heard message `last`; `grant` says why it has the floor."""
        phase = self._progress.phase or "opening"
        reason = " ".join(grant.reason.split())[:_REASON] if grant else "it is your turn"
        prompt = self._whole("speak", persona, last, self._fill(f"speak-{phase}", reason=reason))
        return replace(prompt, attempt=CALLS_A_TURN * self._progress.vain + 1)

    def repeated(self, who: str, talk: str, moves: tuple[Move, ...]) -> int | None:
        """The message that a reply of `who` says again without a new move; closing words only where they are copied."""
        repeats = self._memory.repeats
        number = repeats.copied(talk) if self._progress.phase == "closing" else repeats.repeated(who, talk)
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

    def vote(self, persona: Persona, last: int, choices: tuple[str, ...]) -> Prompt:
        """For a member who is to vote."""
        asked = self._fill("ballot", choices="\n".join(f"- {quoted(choice)}" for choice in choices))
        return self._whole("ballot", persona, last, asked, options=choices, answer=BallotAnswer)

    def bid(self, persona: Persona, last: int) -> Prompt:
        """For a member who may ask for the floor: what all share, then decisions and open proposals."""
        prompt = self._asked("bid", last, persona, **_self(persona))
        return replace(prompt, attempt=self._progress.bid_rounds + 1, answer=BidAnswer)

    def bids(self, asked: Sequence[Persona], last: int) -> Prompt:
        """For all who may ask for the floor, in one call: what `bid` shows each of them, the shared part once."""
        prompt = self._asked("bids", last, asked="\n".join(map(_bidder, asked)))
        return replace(prompt, asked=tuple(asked), attempt=self._progress.bid_rounds + 1, answer=BidsAnswer)

    def ask(self, persona: Persona, last: int, who: str, question: str) -> Prompt:
        """For a member whom `who` asks aside: all that it has before it speaks, and their last exchanges."""
        talk = self._memory.side.exchanges(persona.title, who, self._progress.settings.side_exchanges)
        lines = "\n".join(f"{quoted(line.who)}: {quoted(line.text)}" for line in talk)
        asked = self._fill(
            "ask", who=quoted(who), question=quoted(question), before=f"\nYour talk so far:\n{lines}\n" if talk else ""
        )
        prompt = self._whole("ask", persona, last, asked, about=question)
        return replace(prompt, attempt=self._memory.side.last + 1)

    def comment(self, persona: Persona, last: int, due: DueComment) -> Prompt:
        """For a member that comments unasked: as short as for a bid."""
        earlier = self._remarks(persona)
        prompt = self._short(
            "comment",
            last,
            persona,
            **_self(persona),
            earlier="".join(f"\n{remark}" for remark in earlier) + "\n" if earlier else "",
            kind=due.kind,
            item=quoted(due.text) or "No choice has won.",
        )
        return replace(prompt, attempt=self._memory.side.turns + 1, about=due.text)

    @property
    def _nudged(self) -> str:
        return f"\nModerator: {self._fill('silence')}\n" if self._progress.silent else ""

    def _asked(self, name: Literal["bid", "bids"], last: int, persona: Persona | None = None, **slots: str) -> Prompt:
        """What all share, which a cache has but for its end, and what the text of that name says with `slots`."""
        context = self._memory.full_context(None)
        held = (s.text for s in self._memory.brief_context().sections if s.name in _FOR_BIDS)
        own = self._fill(name, memory="\n\n".join(held), nudge=self._nudged, **slots)
        return replace(self._prompt("bid", last, persona, context.lines), shared=self._shared(context), own=own)

    def _short(self, name: Literal["comment"], last: int, persona: Persona, **slots: str) -> Prompt:
        """The brief context, the last messages, and what the text of that name says with `slots`."""
        lines, recent = self._last_words()
        own = self._fill(
            name,
            question=self._started.question,
            memory=self._memory.brief_context().text,
            recent="\n".join(recent) or "(nothing was said yet)",
            **slots,
        )
        return replace(self._prompt(name, last, persona, lines), own=own)

    def _prompt(self, purpose: Purpose, last: int, persona: Persona | None, lines: tuple[Line, ...]) -> Prompt:
        """The facts that stand beside the words."""
        return Prompt(
            purpose=purpose,
            agent=persona.title if persona else "",
            last=last,
            seed=self._started.seed,
            phase=self._progress.phase,
            question=self._started.question,
            options=self._started.options,
            persona=persona,
            members=self._titles,
            documents=self._started.documents,
            lines=lines,
            proposals=self._memory.on_the_table,
            positions=self._positions(),
        )

    def _shared(self, context: Context) -> tuple[str, ...]:
        """Question, context files, summaries and transcript: one part for each item, so that parts are only added."""
        sections = (context.section("summaries"), context.section("transcript"))
        shown = (part for s in sections if s for part in (f"## {s.title}", *s.lines))
        return (*self._fixed, *shown)

    def _last_words(self) -> tuple[tuple[Line, ...], tuple[str, ...]]:
        """The last messages, and how they are shown."""
        context = self._memory.full_context(None)
        lines = context.lines[-_LAST_FOR_BIDS:]
        section = context.section("transcript")
        return lines, section.lines[-len(lines) :] if section and lines else ()

    def _remarks(self, persona: Persona) -> list[str]:
        """What the member remarked unasked, for itself only, so that it does not repeat itself."""
        said = self._memory.side.comments(persona.title, _REMARKS)
        return [f"You remarked earlier, unasked: {quoted(line.text)}" for line in said]

    def summarise(self, material: Material, style: SummaryStyle, attempt: int, wrong: tuple[str, ...] = ()) -> Prompt:
        """For whoever sums up a range, or folds its summaries; `wrong` is what the last draft is asked again for."""
        due = material.due
        span = {"first": str(due.first), "last": str(due.last), "words": str(most_words(material, style))}
        if due.level == 1:
            asked = [
                self._fill(f"summarise-{style}", messages="\n".join(material.texts), **span),
                self._fill("minutes", held=material.held),
            ]
        else:
            asked = [self._fill("fold-summaries", summaries="\n\n".join(map(summary_text, material.sources)), **span)]
        if wrong:
            asked.append(self._fill("summarise-again", wrong="\n".join(f"- {quoted(line)}" for line in wrong)))
        return Prompt(
            purpose="summarise",
            last=due.last,
            attempt=due.attempt(attempt),
            seed=self._started.seed,
            question=self._started.question,
            lines=material.lines,
            own="\n\n".join(asked),
            answer=MinutesAnswer if due.level == 1 else None,
        )

    def explain(self, persona: Persona, prompt: Prompt) -> tuple[Part, ...]:
        """The parts of a prompt that `speak` or `vote` gave, in the order in which they are read."""
        of = self._memory.tokens.of
        context = self._memory.full_context(persona.title)
        who, remarks = self._who(persona), self._remarks(persona)
        instruction = prompt.own.rpartition(who)[2].strip()
        documents = self._fixed[1:]
        return (
            Part("house rules", of(self._house), 1),
            Part("question", of(self._fixed[0]), 1),
            *([Part("context files", sum(map(of, documents)), len(documents))] if documents else ()),
            *(Part(s.name, s.tokens, len(s.lines), s.left_out, s.why) for s in (*context.sections, *context.dropped)),
            *([Part("own comments", of("\n".join(remarks)), len(remarks))] if remarks else ()),
            Part("persona", of(who), 1),
            Part("instruction", of(instruction), 1),
        )

    def nudge(self) -> ModeratorSpoke:
        """What the moderator says when nobody asked for the floor."""
        return ModeratorSpoke(text=self._fill("silence"))

    def _whole(
        self,
        purpose: Literal["speak", "ballot", "ask"],
        persona: Persona,
        last: int,
        instruction: str,
        *,
        options: tuple[str, ...] | None = None,
        answer: type[BaseModel] | None = None,
        about: str | None = None,
    ) -> Prompt:
        context = self._memory.full_context(persona.title, about=about)
        own = [section.text for section in context.sections if section.name not in ("summaries", "transcript")]
        return replace(
            self._prompt(purpose, last, persona, context.lines),
            options=self._started.options if options is None else options,
            about=about or "",
            system=self._house,
            shared=self._shared(context),
            own="\n\n".join((*own, *self._remarks(persona), self._who(persona), instruction)),
            answer=answer,
        )

    @cached_property
    def _house(self) -> str:
        return self._fill("house")

    @cached_property
    def _fixed(self) -> tuple[str, ...]:
        started = self._started
        options = "".join(f"\n- {option}" for option in started.options)
        question = self._fill(
            "question",
            question=started.question,
            options=f"\nOptions on the table:{options}\n" if options else "",
            members="\n".join(f"- {member.title}, {member.role}" for member in started.members),
        )
        return (
            question,
            *(self._fill("document", name=quoted(doc.name), text=quoted(doc.text)) for doc in started.documents),
        )

    def _who(self, persona: Persona) -> str:
        known = self._introduced.get(persona.title)
        if known is None:
            traits = "".join(
                f"\n{label}: {', '.join(what)}."
                for label, what in (
                    ("You value", persona.values),
                    ("You worry about", persona.fears),
                    ("What moves you", persona.moved_by),
                )
                if what
            )
            voice = f"\nHow you talk: {persona.voice}" if persona.voice else ""
            known = self._fill(
                "persona",
                title=persona.title,
                role=persona.role,
                instruction=persona.instruction,
                traits=traits + voice,
            )
            self._introduced[persona.title] = known
        return known

    @cached_property
    def _introduced(self) -> dict[str, str]:
        return {}

    def _positions(self) -> dict[str, str]:
        voiced = ((title, self._memory.last_position(title)) for title in self._titles)
        return {title: position for title, position in voiced if position}


def _self(persona: Persona) -> dict[str, str]:
    """Who a member is, in as few words as a short prompt has for it."""
    return {
        "title": persona.title,
        "role": persona.role,
        "values": ", ".join(persona.values) or "your role",
        "fears": ", ".join(persona.fears) or "what your role must prevent",
    }


def _bidder(persona: Persona) -> str:
    """The same, of one among others."""
    values = f" Cares about: {', '.join(persona.values)}." if persona.values else ""
    fears = f" Worries about: {', '.join(persona.fears)}." if persona.fears else ""
    return quoted(f"- {persona.title}: {persona.role}.{values}{fears}")
