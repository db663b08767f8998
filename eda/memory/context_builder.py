"""Builds the context of an agent: sections of fixed priority, filled by importance and relevance.

For a turn, the sections that all agents share come first: transcript and summaries get fixed shares of the budget, and
the agent's own sections get the rest. For a question, the messages about it come first.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from eda.events import Event, LineAnswered, Note, Recalled, SummaryWritten
from eda.memory.context.sections import (
    TITLE,
    Context,
    Kept,
    Section,
    chosen,
    section_head,
    shortened,
    summary_text,
)
from eda.memory.minutes.proposals import third_person
from eda.memory.parts import Parts
from eda.memory.recall.recall import discussed, excerpts
from eda.memory.table import Rendered, Table, in_quotes, table_block
from eda.text import quoted, rough_tokens, words
from eda.words import ENGLISH, Words

_USUAL = (0.55, 0.3)  # Shares of a turn's budget for transcript and summaries; other sections get the rest.
_BEHIND = (0.8, 0.1)  # The same shares where no summary covers the messages that do not fit into the usual share yet.
_ABOUT = 0.88  # Share of a question's budget for messages about it, up to `_ENOUGH` tokens or `_ABOUT_LONG` of it.
_ABOUT_LONG = 0.4
_ENOUGH = 1800
_LAST_WORDS = 0.05  # Share of a question's budget for the last messages.
_IN_PASSING = 0.1  # Share of a turn's budget for earlier messages about what was just asked.
_CANDIDATES = 60  # Proposals, decisions and notes considered, the newest or most important, so the cost is bounded.
_NOTES = 0.25  # Share for notes of what transcript and summaries leave.
_TABLE = 0.7  # Share for the table of what these leave; recalled passages get the rest.
_DISPUTED = 0.6  # Weight of a reason against a text, or of a condition, among what is looked up for a turn.
_STAYS = 0.1  # Share of a turn's budget for messages that stay though a summary covers them.
_PASSAGES = 6
_PASSAGES_MOST = 300  # Least and most passages recalled for a question: twice as many as fit at the usual length.
_FADES = 0.1  # A passage below this share of the best score is left out.
_DEARER = 0.4  # Exponent of a passage's length, which divides its score: a long one must score more.
_DISCUSSED = 3  # Newest messages, which tell what is being discussed.
_MOMENTS = 160
_BRIEF_SURE = 0.6
_HEAD = section_head(TITLE)  # Tokens above the transcript.
_BRIEF_UNSURE = 0.2  # Shares of a brief budget for the table: with an item by move or vote, or by patterns alone.
_BRIEF_SUMMARY = 0.15
_JUST_SAID = 5  # Newest messages, which the reader of a brief context sees anyway.
_Base = tuple[Section, Section]  # Summaries and notes.
_Common = tuple[tuple[Section, ...], tuple[Kept, ...], int]  # Sections, messages shown, and the room that is left.


class ContextBuilder:
    """Builds contexts from the parts of a memory, and keeps what all agents share until the memory changes."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        parts.follow = self.keep_up
        self._common: dict[tuple[int, bool], _Common] = {}  # What all agents are shown in a turn, by room.
        self._newest: Table | None = None
        self._rendered: Rendered = {}

    def keep_up(self, event: Event) -> None:
        """Begin transcript and notes anew after a fact that calls for it, or where the transcript is too long.

        To drop messages costs one writing of what stays into a provider's cache, and saves a reading of what went at
        each later call: at the usual prices it pays as soon as a summary stands for about as much as stays. Until
        then all prompts begin alike. What silent members declare when they are asked stands in the table below. A
        summary that folds others tells nobody anything new. After that of the last stretch the panel votes.
        """
        self._common.clear()
        self._newest = None
        if event.context == "stays" or self._parts.minutes_only:
            return
        last, every = self._parts.recent.count, self._parts.pending.every
        folds = isinstance(event, SummaryWritten) and (event.level > 1 or last == event.last < event.first + every - 1)
        asked = isinstance(event, LineAnswered) and event.answer == "asked"
        anew = event.context == "begins anew" and not (folds or asked)
        room, recent = self._parts.tokens.affordable(self._parts.full_budget), self._parts.recent
        base, most = self._parts.base, self._shares(room)[0] - _HEAD
        shown = recent.tokens_shown
        left = room - shown - _HEAD
        if anew or base is None or shown > most or sum(each.tokens for each in base) > left:
            recent.begin(most, int(_STAYS * room))
            self._parts.base = self._base(room, recent.shown(most))

    def table(
        self, budget: int | None, told_from: int = 0, below: frozenset[str] = frozenset(), words: Words = ENGLISH
    ) -> Section:
        """Return the table within `budget` tokens; with None the whole of it, at a cost that grows with all items.

        Args:
            budget: Tokens.
            told_from: The first message of a transcript beside it, whose texts and reasons are not told again.
            below: Ids of the texts that stand whole below it.
            words: Of its reader.
        """
        if budget is None:
            minutes = self._parts.minutes
            told = tuple(each for each in minutes.decisions if each.status != "struck")
            return table_block(
                replace(self._newest_items(), motions=minutes.motions, decisions=told, older=0, words=words)
            )
        table = replace(self._newest_items(told_from), below=below, words=words)
        return table_block(table, self._parts.tokens.affordable(budget), self._rendered)

    def full(
        self, agent: str | None, budget: int, about: str | None, moderator: str = "", *, growing: bool = False
    ) -> Context:
        """Return the context of an agent before it speaks, or before it answers the question `about`."""
        room = self._parts.tokens.affordable(budget)
        if about is not None:
            return self._question(agent, room, about)
        base = self._parts.base if growing else None
        key = (room, base is not None)
        if key not in self._common:
            self._common[key] = self._shown_to_all(room, moderator, base, growing=growing)
        sections, window, left = self._common[key]
        return self._context((*sections, self._position(agent, left)), window)

    def brief(self, agent: str | None, budget: int, about: str | None) -> Context:
        """Return decisions, proposals, the newest summary, and the messages that weigh most or answer `about`."""
        room, items = self._parts.tokens.affordable(budget), self._newest_items()
        made = {text.source for motion in items.motions for text in motion.versions if text.message}
        made.update(decision.source for decision in items.decisions)
        table = self._table(int((_BRIEF_UNSURE if made.isdisjoint(("declared", "procedure")) else _BRIEF_SURE) * room))
        newest = tuple(summary_text(each, self._parts.marked(each)) for each in self._parts.summaries.standing[-1:])
        summaries = chosen("summaries", _SUMMARIES_TITLE, newest, int(_BRIEF_SUMMARY * room))
        if about is None:
            last = self._parts.recent.count - _JUST_SAID
            best = [moment for moment in self._parts.salience.best(_MOMENTS) if moment.number <= last]
            ranked = [(each.number, each.who, each.text) for each in best]
        else:
            ranked = [(each.message_id, each.who, each.text) for each in self._answers(about, _MOMENTS)]
        shown = sorted(ranked)
        lines = tuple(f"m{number} {quoted(who)}: {quoted(text)}" for number, who, text in shown)
        left = room - table.tokens - summaries.tokens
        position = self._position(agent, left // 6)
        moments = chosen("moments", "Key moments", lines, left - position.tokens, tuple(map(shown.index, ranked)))
        return self._context((table, moments, summaries, position), ())

    def _shown_to_all(self, room: int, moderator: str, base: _Base | None, *, growing: bool) -> _Common:
        """Return the sections of a turn that are the same for all agents, and the room left for an agent's own."""
        parts = self._parts
        transcript, window = self._transcript(self._shares(room)[0])
        begins = bool(window) and window[0].line.number == parts.recent.first
        left = room - transcript.tokens
        if base is None or not begins or sum(each.tokens for each in base) > left:
            base = self._base(room, window)
        left -= sum(each.tokens for each in base)
        table = self._table(int(_TABLE * left), window[0].line.number if growing and window else 0)
        left -= table.tokens
        announced = chosen("moderator", "The moderator said", (quoted(moderator),) if moderator else (), left // 3)
        left -= announced.tokens
        questions = [*self._disputed(), *discussed(parts.recent.last(_DISCUSSED))]
        share = _IN_PASSING * max(weight for weight, _ in questions)  # the less, the longer ago it was asked
        results = partial(excerpts, parts.messages.recall, questions)
        recalled = self._recalled(results, window, min(2 * left // 3, int(share * room)))
        return (*base, transcript, table, announced, recalled), window, left - recalled.tokens

    def _shares(self, room: int) -> tuple[int, int]:
        """Return the rough tokens of a turn's transcript and summaries.

        Only two sizes, so that the beginning of the shared part does not change with each message.
        """
        pending = self._parts.recent.uncovered_tokens() + _HEAD
        transcript, summaries = _USUAL if pending <= _USUAL[0] * room else _BEHIND
        return int(transcript * room), int(summaries * room)

    def _base(self, room: int, window: Sequence[Kept]) -> _Base:
        """Return what stands now before a transcript that begins as `window` does."""
        transcript, earlier = self._shares(room)
        summaries = self._summaries(window, earlier)
        left = int(_NOTES * (room - transcript - summaries.tokens))
        topic = words("\n".join(text for _, texts in discussed(self._parts.recent.last(_DISCUSSED)) for text in texts))
        return summaries, self._notes(topic, left)

    def _disputed(self) -> list[tuple[float, tuple[str, ...]]]:
        """Return what the last messages say against texts, or as the condition of a support, each with its weight."""
        after = self._parts.recent.count - _DISCUSSED
        reactions = takewhile(lambda each: each.message > after, reversed(self._parts.minutes.state.reactions))
        disputes = [each for each in reactions if each.why and (each.reaction == "oppose" or each.conditional)]
        return [(_DISPUTED, (each.why,)) for each in disputes[:_DISCUSSED]]

    def _question(self, agent: str | None, room: int, about: str) -> Context:
        transcript, window = self._transcript(int(_LAST_WORDS * room))
        most = min(_ABOUT * room, max(_ENOUGH, _ABOUT_LONG * room), room - transcript.tokens)
        fitting = int(most) // self._parts.recent.usual_tokens()
        passages = max(_PASSAGES, min(_PASSAGES_MOST, 2 * fitting))

        recalled = self._recalled(partial(self._answers, about, passages), window, int(most))
        left = room - transcript.tokens - recalled.tokens
        table, position = self._table(2 * left // 3), self._position(agent, left // 6)
        left -= table.tokens + position.tokens
        notes = self._notes(words(about), left // 3)
        summaries = self._summaries(window, left - notes.tokens)
        return self._context((summaries, transcript, table, recalled, notes, position), window)

    def _answers(self, about: str, most: int, until: int | None = None) -> list[Recalled]:
        """Return the messages up to `until` that answer a question, the best first."""
        results = self._parts.messages.recall.search(about, most, until=until) if words(about) else ()
        return [item for item in results if item.score >= _FADES * results[0].score]

    def _context(self, sections: Iterable[Section], window: Sequence[Kept]) -> Context:
        tokens, built = self._parts.tokens, list(sections)
        exact = tokens.ratio == 1.0
        shown = tuple(s if exact else replace(s, tokens=tokens.corrected(s.tokens)) for s in built if s.lines)
        return Context(
            shown,
            tuple(each.line for each in window),
            tokens.corrected(sum(section.tokens for section in built)),
        )

    def _transcript(self, room: int) -> tuple[Section, tuple[Kept, ...]]:
        recent = self._parts.recent
        if window := recent.shown(room - _HEAD):
            used = _HEAD + sum(each.tokens for each in window)
            texts = tuple(each.text for each in window)
        elif newest := recent.newest():
            short = shortened(newest.text, room - _HEAD - 1)
            window, texts = ((newest,), (short,)) if short else ((), ())
            used = _HEAD + rough_tokens(len(short) + 1) if short else 0
        else:
            texts, used = (), 0
        return Section("transcript", TITLE, texts, used), window

    def _summaries(self, window: Sequence[Kept], room: int) -> Section:
        first = window[0].line.number if window else self._parts.recent.count + 1
        earlier = tuple(
            summary_text(summary, self._parts.marked(summary))
            for summary in self._parts.summaries.standing
            if summary.first < first
        )
        return chosen("summaries", _SUMMARIES_TITLE, earlier, room)

    def _newest_items(self, told_from: int = 0) -> Table:
        """Return the newest and the open items of the table beside a transcript that begins with that message."""
        if self._newest is None or self._newest.told_from != told_from:
            self._newest = self._parts.newest_table(told_from)
        return self._newest

    def _table(self, room: int, told_from: int = 0) -> Section:
        """Return the table within `room`, beside a transcript that begins with message `told_from`; 0 for none."""
        return table_block(self._newest_items(told_from), room, self._rendered)

    def _notes(self, topic: frozenset[str], room: int) -> Section:
        """Return the notes that fit, the most important first; one that shares words with the topic is worth more."""
        notes = self._parts.notes.all()[:_CANDIDATES]
        lines, scale = tuple(map(note_line, notes)), (1 + len(topic)) ** 0.5
        worth = [
            note.importance / 1000 + len(words(line) & topic) / scale for note, line in zip(notes, lines, strict=True)
        ]
        return chosen("notes", "Notes", lines, room, _by_interest(lines, worth))

    def _position(self, agent: str | None, room: int) -> Section:
        minutes = self._parts.minutes
        own = minutes.last_position(agent) if agent else ""
        voted, put = minutes.newer(agent or "")
        told = {"position": in_quotes(minutes.in_words(own)), "voted": voted, "since": put}
        backs = minutes.backed(agent, ENGLISH) if agent and own else []
        lines = (f"- {ENGLISH.say('prompt-position', **told, backs=backs)}",) if own else ()
        return chosen("position", "Your last position", lines, room)

    def _recalled(self, find: Callable[[int], Sequence[Recalled]], window: Sequence[Kept], room: int) -> Section:
        """Return what `find` finds in the messages up to a number: those before the ones that the transcript shows."""
        first = window[0].line.number if window else self._parts.recent.count + 1
        if room <= section_head(_RECALLED_TITLE) or first == 1:
            return Section("recalled", _RECALLED_TITLE, (), 0)
        shown = sorted(find(first - 1), key=lambda item: item.message_id)
        lines = tuple(f"[m{item.message_id}] {quoted(item.who)}: {quoted(item.text)}" for item in shown)
        ranked = _by_interest(
            lines, [item.score / (len(line) ** _DEARER) for item, line in zip(shown, lines, strict=True)]
        )
        return chosen("recalled", _RECALLED_TITLE, lines, room, ranked)


_SUMMARIES_TITLE = "Earlier, in summary"
_RECALLED_TITLE = "Said earlier, about this"


def note_line(note: Note) -> str:
    """Return a note as a line: importance, author, message and words, with a correction marked."""
    about = f" on {quoted(note.topic)}" if note.topic else ""
    beside = f" [corrected by {third_person(note.corrected)}]" if note.corrected else ""
    return f"- [{note.importance}] {third_person(note.who)} (m{note.message}){about}{beside}: {quoted(note.text)}"


def _by_interest(lines: Sequence[str], interest: Sequence[float]) -> tuple[int, ...]:
    """Return places in `lines`, the most interesting first; of equals the newest."""
    return tuple(sorted(range(len(lines) - 1, -1, -1), key=interest.__getitem__, reverse=True))
