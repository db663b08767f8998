"""Builds the prompts that members are given. What all share comes first and only grows; what differs comes last."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import BaseModel, Field

from eda.events import FloorGranted, ModeratorSpoke, SessionStarted
from eda.memory import ConversationMemory
from eda.personas import Persona
from eda.progress import Progress
from eda.prompts import fill, quoted
from eda.protocols import Prompt

__all__ = ["BallotAnswer", "BidAnswer", "Briefing"]

_LAST_FOR_BIDS = 5


class BidAnswer(BaseModel):
    """What a member answers when asked whether it wants to speak."""

    wants: bool
    urgency: float = Field(default=0.5, ge=0, le=1)
    reason: str = ""


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

    def speak(self, persona: Persona, last: int, grant: FloorGranted | None = None) -> Prompt:
        """For a member whose turn it is and who has heard message `last`; `grant` says why it has the floor."""
        phase = self._progress.phase or "opening"
        reason = grant.reason if grant else "it is your turn"
        return self._whole("speak", persona, last, fill(f"speak-{phase}", reason=reason))

    def vote(self, persona: Persona, last: int, choices: tuple[str, ...]) -> Prompt:
        """For a member who is to vote."""
        asked = fill("ballot", choices="\n".join(f"- {choice}" for choice in choices))
        return self._whole("ballot", persona, last, asked, options=choices, answer=BallotAnswer)

    def bid(self, persona: Persona, last: int) -> Prompt:
        """For a member who may ask for the floor: the brief context and the last messages."""
        context = self._memory.full_context(None)
        lines = context.lines[-_LAST_FOR_BIDS:]
        section = context.section("transcript")
        recent = section.lines[-len(lines) :] if section and lines else ()
        silent = self._progress.silent
        return Prompt(
            purpose="bid",
            agent=persona.title,
            last=last,
            attempt=silent + 1,
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
            own=fill(
                "bid",
                title=persona.title,
                role=persona.role,
                values=", ".join(persona.values) or "your role",
                fears=", ".join(persona.fears) or "what your role must prevent",
                question=self._started.question,
                memory=self._memory.brief_context().text,
                recent="\n".join(recent) or "(nothing was said yet)",
                nudge=f"\nModerator: {fill('silence')}\n" if silent else "",
            ),
            answer=BidAnswer,
        )

    def summarise(self, first: int, last: int, attempt: int) -> Prompt:
        """For whoever sums up a range."""
        texts = self._memory.recent_text(first, last)
        return Prompt(
            purpose="summarise",
            last=last,
            attempt=attempt,
            seed=self._started.seed,
            question=self._started.question,
            own=fill("summarise", first=str(first), last=str(last), messages="\n".join(texts)),
        )

    def nudge(self) -> ModeratorSpoke:
        """What the moderator says when nobody asked for the floor."""
        return ModeratorSpoke(text=fill("silence"))

    def _whole(
        self,
        purpose: Literal["speak", "ballot"],
        persona: Persona,
        last: int,
        instruction: str,
        *,
        options: tuple[str, ...] | None = None,
        answer: type[BaseModel] | None = None,
    ) -> Prompt:
        context = self._memory.full_context(persona.title)
        shared = [*self._fixed]
        own: list[str] = []
        for section in context.sections:
            if section.name == "summaries":
                shared.append(section.text)
            elif section.name == "transcript":
                shared += (f"## {section.title}", *section.lines)
            else:
                own.append(section.text)
        return Prompt(
            purpose=purpose,
            agent=persona.title,
            last=last,
            seed=self._started.seed,
            phase=self._progress.phase,
            question=self._started.question,
            options=self._started.options if options is None else options,
            persona=persona,
            members=self._titles,
            documents=self._started.documents,
            lines=context.lines,
            proposals=self._memory.on_the_table,
            positions=self._positions(),
            system=self._house,
            shared=tuple(shared),
            own="\n\n".join((*own, self._who(persona), instruction)),
            answer=answer,
        )

    @cached_property
    def _house(self) -> str:
        return fill("house")

    @cached_property
    def _fixed(self) -> tuple[str, ...]:
        started = self._started
        options = "".join(f"\n- {option}" for option in started.options)
        question = fill(
            "question",
            question=started.question,
            options=f"\nOptions on the table:{options}\n" if options else "",
            members="\n".join(f"- {member.title}, {member.role}" for member in started.members),
        )
        return (
            question,
            *(fill("document", name=quoted(doc.name), text=quoted(doc.text)) for doc in started.documents),
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
            known = fill(
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
