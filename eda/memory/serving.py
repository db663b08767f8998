"""Chooses what of memory is put in front of an agent: sections of fixed priority, filled by importance and relevance.

For a turn, what all share comes first and stays put: transcript and summaries get shares of the budget that
are fixed, and the agent's own the rest. For a question, what was said about it comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from eda.memory.context import (
    NO_ROOM,
    Context,
    Section,
    by_interest,
    chosen,
    decision_line,
    note_line,
    proposal_line,
    recalled_line,
    section_head,
    shortened,
    summary_text,
    total,
)
from eda.memory.parts import Parts
from eda.memory.tokens import rough_tokens
from eda.memory.transcript import Kept
from eda.memory.wording import words
from eda.prompts import quoted
from eda.protocols import Line
from eda.records import Decision, Proposal

__all__ = ["Serving"]

_USUAL = (0.55, 0.25)
"""Of the budget of a turn, for the transcript and for summaries; the agent's own gets what they leave."""
_BEHIND = (0.8, 0.1)
"""The same where no summary covers yet what does not fit into the usual share."""
_ABOUT = 0.88
"""Of the budget of a question, for what was said about it, up to `_ENOUGH` tokens or `_ABOUT_LONG` of the budget."""
_ABOUT_LONG = 0.4
_ENOUGH = 1800
_LAST_WORDS = 0.05
"""Of the budget of a question, for the last messages."""
_IN_PASSING = 0.15
"""Of the budget of a turn, for passages recalled for what was said last."""
_CANDIDATES = 60
"""Decisions, proposals and notes that are looked at, the newest or most important; so a context costs the same."""
_PASSAGES = 6
_PASSAGES_ASKED = 300
"""At most; twice as many as fit where messages are as long as the last ones."""
_FADES = 0.3
_FADES_ASKED = 0.1
"""A passage that scores less than this share of the best one is not about it, for a turn and for a question."""
_DEARER = 0.4
"""How much a long passage has to say more to come before a short one: its score is divided by its length to this."""
_DISCUSSED = 3
"""Messages that are what is being discussed."""
_DISCUSSED_CHARACTERS = 600
_MOMENTS = 160
_WORDS_KNOWN = 4000
"""Words of lines that were written before; where there are more, all lines are written anew."""
_BRIEF_SURE = 0.3
_BRIEF_UNSURE = 0.1
"""Of the brief budget, for decisions and for proposals each: where a move or a vote made one, or only patterns did."""
_BRIEF_SUMMARY = 0.15
_JUST_SAID = 5
"""Messages that whoever gets the brief context is shown anyway."""


class Serving:
    """Builds contexts from the parts of a memory; keeps them until they are to be forgotten, and lines for longer."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._proposal_lines = _Lines(proposal_line)
        self._decision_lines = _Lines(decision_line)
        self._note_lines = _Lines(note_line)
        self._built: dict[tuple[object, ...], Context] = {}
        """Contexts, by what was asked for."""

    def forget(self) -> None:
        """Something has changed that contexts are made of."""
        self._built.clear()

    def full(self, agent: str | None, budget: int, about: str | None, moderator: str = "") -> Context:
        """What an agent is shown before it speaks, or before it answers a question `about` something."""
        key = ("full", agent, budget, about)
        if key not in self._built:
            room = self._parts.tokens.affordable(budget)
            made = self._turn(agent, room, moderator) if about is None else self._question(agent, room, about)
            self._built[key] = self._context(*made, budget)
        return self._built[key]

    def brief(self, budget: int, *, moments: bool = True) -> Context:
        """Decisions, proposals, the newest summary and the weightiest `moments`, blind to any question."""
        key = ("brief", budget, moments)
        if key not in self._built:
            self._built[key] = self._brief(budget, moments=moments)
        return self._built[key]

    def _brief(self, budget: int, *, moments: bool) -> Context:
        room = self._parts.tokens.affordable(budget)
        topic = self._discussed()
        minutes = self._parts.minutes
        decisions = self._decisions(topic, int(_share(minutes.newest_decisions(_CANDIDATES)) * room))
        proposals = self._proposals(topic, int(_share(minutes.newest_open(_CANDIDATES)) * room))
        left = room - total((decisions, proposals))
        newest = tuple(summary_text(summary) for summary in self._parts.tiles.standing[-1:])
        summaries = chosen("summaries", "Earlier, in summary", newest, int(_BRIEF_SUMMARY * room))
        best = (self._moments(left - summaries.tokens),) if moments else ()
        return self._context((decisions, proposals, *best, summaries), (), budget)

    def _turn(self, agent: str | None, room: int, moderator: str) -> tuple[tuple[Section, ...], tuple[Kept, ...]]:
        parts = self._parts
        pending = parts.recent.uncovered_tokens() + section_head(_TRANSCRIPT_TITLE)
        # Two sizes, so that neither changes from message to message, and with it what the shared part begins with.
        share, earlier = _USUAL if pending <= _USUAL[0] * room else _BEHIND
        transcript, kept = self._transcript(int(share * room))
        summaries = self._summaries(kept, int(earlier * room))
        left = room - transcript.tokens - summaries.tokens
        topic = self._discussed()
        position = self._position(agent, left // 3)
        said = chosen("moderator", "The moderator said", (quoted(moderator),) if moderator else (), left // 3)
        left -= position.tokens + said.tokens
        proposals = self._proposals(topic, left // 2)
        decisions = self._decisions(topic, left // 2)
        left -= total((proposals, decisions))
        recalled = self._recalled(self._discussed_text(), kept, min(left, int(_IN_PASSING * room)), _PASSAGES, _FADES)
        notes = self._notes(topic, left - recalled.tokens)
        return (summaries, transcript, said, decisions, proposals, recalled, notes, position), kept

    def _question(self, agent: str | None, room: int, about: str) -> tuple[tuple[Section, ...], tuple[Kept, ...]]:
        transcript, kept = self._transcript(int(_LAST_WORDS * room))
        most = min(_ABOUT * room, max(_ENOUGH, _ABOUT_LONG * room), room - transcript.tokens)
        fitting = int(most) // self._parts.recent.usual_tokens()
        passages = max(_PASSAGES, min(_PASSAGES_ASKED, 2 * fitting))
        recalled = self._recalled(about, kept, int(most), passages, _FADES_ASKED, fused=True)
        left = room - transcript.tokens - recalled.tokens
        topic = words(about)
        proposals = self._proposals(topic, left // 3)
        decisions = self._decisions(topic, left // 3)
        position = self._position(agent, left // 6)
        left -= total((proposals, decisions, position))
        notes = self._notes(topic, left // 3)
        summaries = self._summaries(kept, left - notes.tokens)
        return (summaries, transcript, decisions, proposals, recalled, notes, position), kept

    def _context(self, sections: Iterable[Section], kept: Sequence[Kept], budget: int) -> Context:
        tokens = self._parts.tokens
        made = list(sections)
        shown = tuple(replace(s, tokens=tokens.corrected(s.tokens)) for s in made if s.lines)
        return Context(
            shown,
            tuple(each.line for each in kept),
            tokens.corrected(total(made)),
            budget,
            tuple(section for section in made if section.left_out and not section.lines),
        )

    def _transcript(self, room: int) -> tuple[Section, tuple[Kept, ...]]:
        recent = self._parts.recent
        head = section_head(_TRANSCRIPT_TITLE)
        kept = recent.window(room - head, {summary.last + 1 for summary in self._parts.tiles.standing})
        if kept:
            used = head + sum(each.tokens for each in kept)
            texts = tuple(each.text for each in kept)
        elif newest := recent.newest():
            short = shortened(newest.text, room - head - 1)
            kept, texts = ((newest,), (short,)) if short else ((), ())
            used = head + rough_tokens(len(short) + 1) if short else 0
        else:
            texts, used = (), 0
        first = kept[0].line.number if kept else recent.count + 1
        missing = max(0, first - 1 - recent.covered)
        return Section("transcript", _TRANSCRIPT_TITLE, texts, used, missing, NO_ROOM if missing else ""), kept

    def _summaries(self, kept: Sequence[Kept], room: int) -> Section:
        first = kept[0].line.number if kept else self._parts.recent.count + 1
        standing = self._parts.tiles.standing
        earlier = tuple(summary_text(summary) for summary in standing if summary.first < first)
        section = chosen("summaries", "Earlier, in summary", earlier, room)
        inside = len(standing) - len(earlier)
        if inside and not section.left_out:
            return replace(section, left_out=inside, why="the transcript below has it in full")
        return section

    def _decisions(self, topic: frozenset[str], room: int) -> Section:
        newest = [d for d in self._parts.minutes.newest_decisions(_CANDIDATES) if d.status != "superseded"]
        return self._decision_lines.section("decisions", "Decisions", newest, room, topic)

    def _proposals(self, topic: frozenset[str], room: int) -> Section:
        newest = self._parts.minutes.newest_open(_CANDIDATES)
        return self._proposal_lines.section("proposals", "Proposals on the table", newest, room, topic)

    def _notes(self, topic: frozenset[str], room: int) -> Section:
        notes = self._parts.notes.top(_CANDIDATES)
        return self._note_lines.section(
            "notes", "Notes", notes, room, topic, [note.importance / 1000 for note in notes]
        )

    def _position(self, agent: str | None, room: int) -> Section:
        own = self._parts.minutes.last_position(agent) if agent else ""
        return chosen("position", "Your last position", (f"- {quoted(own)}",) if own else (), room)

    def _recalled(
        self, about: str, kept: Sequence[Kept], room: int, most: int, fades: float, *, fused: bool = False
    ) -> Section:
        """Whole messages, those that the transcript shows left out, a question together with its answer."""
        if room <= section_head(_RECALLED_TITLE) or not words(about):
            return Section("recalled", _RECALLED_TITLE, (), 0)
        first = kept[0].line.number if kept else self._parts.recent.count + 1
        found = self._parts.said.recall.search(about, most, until=first - 1, fused=fused) if first > 1 else ()
        near = [item for item in found if item.score >= fades * found[0].score]
        shown = sorted(near, key=lambda item: item.message_id)
        lines = tuple(recalled_line(item) for item in shown)
        ranked = by_interest(
            lines, [item.score / (len(line) ** _DEARER) for item, line in zip(shown, lines, strict=True)]
        )
        return chosen("recalled", _RECALLED_TITLE, lines, room, ranked)

    def _moments(self, room: int) -> Section:
        salience = self._parts.salience
        last = self._parts.recent.count - _JUST_SAID
        numbers = [number for number in salience.best(_MOMENTS) if number <= last]
        places = {number: place for place, number in enumerate(sorted(numbers))}
        lines = tuple(
            f"m{number} {quoted(salience.who(number))}: {quoted(salience.text(number))}" for number in sorted(numbers)
        )
        return chosen("moments", "Key moments", lines, room, tuple(places[number] for number in numbers))

    def _discussed(self) -> frozenset[str]:
        return words(self._discussed_text())

    def _discussed_text(self) -> str:
        return "\n".join(_beginning(line) for line in self._parts.recent.last(_DISCUSSED))


def _beginning(line: Line) -> str:
    return line.text[: _DISCUSSED_CHARACTERS // _DISCUSSED]


def _share(items: Iterable[Decision | Proposal]) -> float:
    return _BRIEF_SURE if any(item.source in ("declared", "procedure") for item in items) else _BRIEF_UNSURE


R = TypeVar("R")


class _Lines(Generic[R]):
    """Lines of records, with their words; a record that has not changed is not written again."""

    def __init__(self, line: Callable[[R], str]) -> None:
        self._line = line
        self._known: dict[int, tuple[R, str, int]] = {}
        self._bits: dict[str, int] = {}
        """The bit that stands for a word: what two texts share is counted in one step."""

    def section(
        self,
        name: str,
        title: str,
        records: Sequence[R],
        room: int,
        topic: frozenset[str],
        worth: Sequence[float] | None = None,
    ) -> Section:
        """The lines that fit, in order; first those that are worth most, by their age where `worth` is None.

        What shares words with the topic is worth more.
        """
        if len(self._bits) > _WORDS_KNOWN:
            self._bits, self._known = {}, {}
        known = self._known
        written = [known.get(id(record)) or self._written(record) for record in records]
        self._known = {id(each[0]): each for each in written}
        lines = tuple([line for _, line, _ in written])
        own = worth or [0.5 * (place + 1) / len(lines) for place in range(len(lines))]
        about = sum([self._bits[word] for word in topic & self._bits.keys()])
        scale = (1 + len(topic)) ** 0.5
        interest = [a + (bag & about).bit_count() / scale for a, (_, _, bag) in zip(own, written, strict=True)]
        return chosen(name, title, lines, room, by_interest(lines, interest))

    def _written(self, record: R) -> tuple[R, str, int]:
        line = self._line(record)
        return record, line, sum([self._bits.setdefault(word, 1 << len(self._bits)) for word in words(line)])


_TRANSCRIPT_TITLE = "Recent messages"
_RECALLED_TITLE = "Said earlier, about this"
