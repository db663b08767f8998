"""What many prompts share: house rules, question, who sits, sections of memory; and the prompt of a summary.

Made once and kept, so that a provider's cache hits; made again only where somebody came or went.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from eda.debate.prompts.ballot_prompt import by_ids
from eda.debate.prompts.documents import Reading
from eda.debate.verdict import asks_for
from eda.events import SessionStarted
from eda.memory.context.sections import Context, Section, in_parts, summary_text
from eda.memory.minutes.model_minutes import DebateMinutes, MinutesAnswer, SummaryAnswer
from eda.memory.summaries.summary_input import CONCISE, SummaryInput, length
from eda.memory.summariser import Refused
from eda.panels.agenda import Stage
from eda.panels.persona import Persona
from eda.runners.protocol import Prompt, Purpose
from eda.text import quoted
from eda.voting import given
from eda.words import FALLBACK, Words

_GROWING = ("notes", "transcript")


def is_held(section: Section, purpose: Purpose, stage: Stage, last: int) -> bool:
    """Return whether the section follows the shared part of a prompt after message `last`.

    A closing word answers nobody, so it needs no recalled words, and a first table is the question.
    """
    needless = (section.name == "recalled" and purpose == "speak" and stage == "closing") or (
        section.name == "table" and not last
    )
    return section.name not in ("summaries", *_GROWING) and not needless


def growing(context: Context) -> tuple[str, ...]:
    """Return the parts that follow the summaries in the shared part of every prompt."""
    return in_parts(*map(context.section, _GROWING))


def hears_all(_: int) -> bool:
    """Return True: the member has heard every message."""
    return True


_FEWEST = 20  # Words that a summary is asked to have at least.
_ABOVE = "(m{first} to m{last} stand above. This is no speech, and you are none of the members.)"


def summary_prompt(
    started: SessionStarted,
    fill: Callable[..., str],
    summary_input: SummaryInput,
    nth: int,
    attempt: int,
    refused: Refused | None,
) -> Prompt:
    """Return the end of the prompt for a summary of messages, with minutes, or of summaries; `fill` fills a text."""
    due = summary_input.due
    told = sum(length(line.text) for line in summary_input.lines) // 2 if due.level == 1 else CONCISE
    span = {"first": str(due.first), "last": str(due.last), "words": str(min(CONCISE, max(_FEWEST, told)))}
    if due.level == 1:
        minutes = fill("minutes", held=summary_input.minutes)
        parts = [fill("summarise-concise", messages=_ABOVE.format(**span), **span), minutes]
    else:
        parts = [fill("fold-summaries", summaries="\n\n".join(map(summary_text, summary_input.sources)), **span)]
    if refused:
        wrong = "\n".join(f"- {quoted(line)}" for line in refused.faults)
        parts.append(fill("summarise-again", draft=quoted(refused.text), wrong=wrong))
    return Prompt(
        purpose="summarise",
        last=due.last,
        nth=nth,
        attempt=attempt,
        seed=started.seed,
        question=started.question,
        lines=summary_input.lines,
        own="\n\n".join(parts),
        answer=(MinutesAnswer if started.kind == "transcript" else DebateMinutes) if due.level == 1 else SummaryAnswer,
    )


_PERSON = "{} is a person, not a model. Whoever wants an answer that only a person can give asks them by name."


class SharedPrefix:
    """The texts of one session."""

    def __init__(self, started: SessionStarted, fill: Callable[..., str]) -> None:
        """Write them with `fill`, which gives a prompt text of that name, its slots filled."""
        self.reading = Reading(started.documents)
        self._started, self._fill = started, fill
        self.question = lru_cache(maxsize=1)(self._question)

    @cached_property
    def house(self) -> str:
        """The rules of the house."""
        code = self._started.settings.language
        spoken = "" if code == FALLBACK else self._fill("language", **Words(code).labels("language-spoken"))
        return self._fill("house") + (f"\n{spoken}" if spoken else "")

    def _question(self, members: tuple[Persona, ...], sides: tuple[str, ...]) -> tuple[str, ...]:
        """Return the question, its options, who sits, and who argues which side if there are any; then each file."""
        anonymous, shown = self._started.agenda.anonymous, zip(self._started.documents, self.reading.texts, strict=True)
        sitting = [
            f"- {member.title}{f'; argues {side}' if side else ''}" if anonymous else sketch(member, side)
            for member, side in zip(members, sides, strict=True)
        ]
        files = (
            self._fill(
                "document", name=quoted(doc.name), cite=quoted(f"{doc.name} {doc.place(1, 1)}"), text=quoted(text)
            )
            for doc, text in shown
        )
        return (self._put(sitting, members), *files)

    def _put(self, sitting: Sequence[str], members: tuple[Persona, ...]) -> str:
        started = self._started
        options = by_ids(given("", started.options))
        wanted = f"{asks_for(started)}\n" if asks_for(started) else ""
        people = [] if started.agenda.anonymous else [member.title for member in members if member.person]
        return self._fill(
            "question",
            day=started.day,
            question=started.question,
            options=f"\nOptions on the table:\n{options}\n{wanted}" if options else wanted,
            members="\n".join((*sitting, *(f"\n{_PERSON.format(quoted(who))}" for who in people))),
        )


def introduced(persona: Persona, fill: Callable[..., str], *, public: bool) -> str:
    """Return who a member is, as it is told itself; `public` where the list of the panel has what it stands for.

    `fill` fills a prompt text by its name.
    """
    traits = "".join(
        f"\n{label}: {', '.join(what)}."
        for label, what in (
            ("You value", () if public else persona.values),
            ("You worry about", () if public else persona.fears),
            ("What moves you", persona.moved_by),
        )
        if what
    )
    voice = f"\nHow you talk: {persona.voice}" if persona.voice else ""
    return fill(
        "persona", title=persona.title, role=persona.role, instruction=persona.instruction, traits=traits + voice
    )


def sketch(persona: Persona, side: str, *, named: bool = True) -> str:
    """Return what all know of a member: its role, what it stands for, and the `side` that it argues, if any.

    Where it is not `named`, only what it stands for: its role would tell who it is.
    """
    heads = [persona.title, *([persona.role] if named else [])]
    argues = f"; argues {side}" if side else ""
    values = f" Looks for {', '.join(persona.values)}." if persona.values else ""
    fears = f" Looks out for {', '.join(persona.fears)}." if persona.fears else ""
    return quoted(f"- {', '.join(heads)}{argues}.{values}{fears}")
