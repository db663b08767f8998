"""Prints a stored session: members, transcript with the acts of each message, the table, positions, verdict."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce

from rich.console import Console
from rich.text import Text

from eda.cli.terminal.entries import Context
from eda.cli.terminal.printers import Page
from eda.cli.terminal.style import INDENT, Colours
from eda.cli.terminal.verdict import answer_of, count_page
from eda.debate.prompts.documents import Reading
from eda.debate.state import DebateState
from eda.events import (
    ActsRead,
    AnnouncedEvent,
    BallotCast,
    Event,
    MessagePosted,
    NoteTaken,
    PhaseStarted,
    Position,
    Proposal,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SideMessagePosted,
    SummaryWritten,
    VerdictReached,
)
from eda.memory import ConversationMemory
from eda.memory.context.acts import act_line
from eda.memory.context.sections import Section
from eda.memory.sources import source_told
from eda.panels.persona import Persona
from eda.report.formatting import SHORT, corrected_by, listed, money, one_line, role_of, shorten, span, title_of, tokens
from eda.report.phrases import asked_phrase, parent_phrase, state_phrase
from eda.report.sections import took
from eda.report.verdict_words import Line
from eda.words import Words

# Events shown while a debate runs; the printed session leaves them out, or has them in sections of their own.
_ONLY_LIVE = (
    SideMessagePosted,
    NoteTaken,
    SessionPaused,
    SessionResumed,
    SessionEnded,
    VerdictReached,
    AnnouncedEvent,
)
_GONE = ("modified", "withdrawn", "struck")  # What became of a text that its author no longer puts.


def print_minutes(
    console: Console,
    started: SessionStarted,
    progress: DebateState,
    memory: ConversationMemory,
    events: Iterable[Event],
    *,
    told: Mapping[str, Sequence[Line]] | None = None,
    running: bool = False,
    verbose: bool = False,
    since: int | None = None,
) -> None:
    """Print a whole session, in a pipe a line a paragraph.

    Args:
        console: Where it is printed.
        started: The first fact of the session.
        progress: Of the session.
        memory: Of the session.
        events: The facts of the session, in order.
        told: The page that tells its decision; without it the count alone is told.
        running: Another process is working on it.
        verbose: Also print the bids, why each has the floor, and the summaries.
        since: The first message among the events, where that is not the first of all.
    """
    page, words = page_of(console, started), progress.settings.words
    _front(page, started, progress, words, running=running)
    page.decision(told or (count_page(progress.verdict, words) if progress.verdict else {}), words)
    if memory.parts.side_talk.last:
        aside = progress.aside
        used = tokens(aside.tokens, words=words) if aside.calls else "none"
        cost = money(aside.cost, aside.unpriced_calls, words=words)
        beside = words.say("show-side", number=memory.parts.side_talk.last, tokens=used, cost=cost)
        page.fact(words.say("show-fact", "beside"), Text(beside))
    page.heading(
        words.say("show-since", since=str(since)) if since and since > 1 else words.say("report-title", "transcript")
    )
    print_part(page, started, progress, memory, events, verbose=verbose)
    verdict = progress.verdict
    _table(
        page,
        memory.table(words=words),
        [verdict.text, *(each.text for each in verdict.adopted)] if verdict else (),
    )
    if progress.state == "ended" and (progress.verdict is None or progress.verdict.outcome is None):
        page.item(Text(words.say("show-open"), style="dim"))
    _people(page, memory, words, over=progress.ended is not None)


def page_of(console: Console, started: SessionStarted) -> Page:
    """Return a page on which each member has its colour."""
    return Page(console, Colours(member.title for member in started.members))


def print_part(
    page: Page,
    started: SessionStarted,
    progress: DebateState,
    memory: ConversationMemory,
    events: Iterable[Event],
    *,
    verbose: bool = False,
) -> None:
    """Print what the panel did, with the acts of each message, and nothing around it."""
    settings = started.settings.model_copy(update={"language": progress.settings.language})
    roles = {member.title: role_of(member.role, settings.words) for member in started.members}
    context = Context(settings, roles=roles, over=progress.ended is not None, verbose=verbose)
    earlier = None
    for event in events:
        if isinstance(event, VerdictReached):
            earlier = event
        elif earlier is not None and isinstance(event, PhaseStarted):  # the last one has a section of its own
            page.item(Text(context.words.say("screen-verdict", outcome=answer_of(earlier, context.words))))
            earlier = None
        if not isinstance(event, _ONLY_LIVE):
            shown = context.entries(
                event.model_copy(update={"text": memory.parts.marked(event, settings.words)})
                if verbose and isinstance(event, SummaryWritten)
                else event
            )
            if isinstance(event, BallotCast) and shown:
                told = source_told(memory.parts, one_line(event.ballot.reason), event.ballot.agent, context.words)
                shown += context.dim("", context.words.say("votes-ballot-beside", told=told), "·") * bool(told)
            if isinstance(event, MessagePosted) and (acts := memory.below(event.number)):
                below = context.entries(ActsRead(message=event.number, who=event.who, acts=acts))
                # A message of moves alone is shown as these were read.
                shown = (
                    [*shown, *below]
                    if event.talk.strip()
                    else [shown[0]._replace(body="\n".join(one_line(act_line(act, context.words)) for act in acts))]
                )
            for entry in shown:
                page.entry(entry)


def print_table(console: Console, table: Section, words: Words) -> None:
    """Print the table block, whole."""
    page = Page(console, Colours(()))
    _table(page, table)
    if not table.lines:
        page.item(Text(words.say("show-nothing")))


def print_side(console: Console, started: SessionStarted, events: Iterable[Event]) -> None:
    """Print what was said aside from the panel: questions to single members."""
    page, context = page_of(console, started), Context(started.settings)
    for event in events:
        if isinstance(event, SideMessagePosted):
            for entry in context.entries(event):
                page.entry(entry)


def _front(page: Page, started: SessionStarted, progress: DebateState, words: Words, *, running: bool) -> None:
    say, fact = words.say, partial(words.say, "show-fact")
    page.line(Text(one_line(started.question) or say("show-transcript", session=started.session), style="bold"))
    spent = progress.spent
    state = (
        say("debate-state", state="running", by="", why="")
        if running and progress.state == "unfinished"
        else state_phrase(progress, words)
    )
    day = f"{progress.first_at:%Y-%m-%d %H:%M} UTC" if progress.first_at else say("show-not-begun")
    facts = [one_line(started.session), state, say("figure-messages", number=progress.messages), day]
    if started.kind == "debate":
        facts += [took(spent, words=words), span(spent.seconds)]
        facts += [say("figure-runners", runners=progress.runners), say("show-seed", seed=str(started.seed))]
    page.line(Text(" · ".join(facts), style="dim"))
    if started.parent:
        page.fact(fact("from"), Text(parent_phrase(started.parent, words)))
    if asked := asked_phrase(started, progress.settings, words):
        page.fact(fact("asks"), Text(asked))
    for option in started.options:
        page.fact(fact("option"), Text(one_line(option)))
    if started.documents:
        page.fact(fact("read"), Text(listed(Reading(started.documents).named)))
    if started.panel:
        page.fact(fact("panel"), Text(title_of(started.panel, words)))
    for seat, member in enumerate(started.members):
        page.fact(
            fact("sat"), Text.assemble(page.seats.name(member.title), _who(started, progress, member, seat, words))
        )


def _who(started: SessionStarted, progress: DebateState, member: Persona, seat: int, words: Words) -> str:
    """Return a member's role and side; for anonymous members also the name, and all but the side only at the end."""
    argued = started.agenda.side(progress.seats.get(member.title, seat))
    side = f", {words.say('show-argued', side=argued)}" if argued else ""
    if not started.agenda.anonymous:
        return f", {role_of(member.role, words)}{side}"
    was = words.say("show-who-was", name=member.name, role=role_of(member.role, words))
    return f", {was}{side}" if progress.ended is not None else side


def _table(page: Page, table: Section, told: Iterable[str] = ()) -> None:
    """Print the table block, with texts `told` above cut short."""
    if not table.lines:
        return
    page.heading(table.title)
    short = {text: shorten(text, SHORT) for text in told if len(text) > SHORT}
    for line in "\n".join(table.lines).splitlines():
        text = reduce(lambda line, whole: line.replace(whole, short[whole]), short, line.lstrip(" "))
        below = len(line) - len(line.lstrip(" "))
        page.item(Text(one_line(text), style="dim" if below else ""), INDENT + below)


# A message, the id or the words of what a member declared in it, and whether on a condition: yes, no, doubt.
_Declared = tuple[int, str, str]


def _declared(
    name: str, last: Sequence[Position], texts: Sequence[Proposal]
) -> tuple[list[_Declared], list[_Declared], list[_Declared]]:
    """Return what a member holds, supports and put, each in order."""
    put = (text for text in texts if (text.proposer, text.source) == (name, "declared") and text.status not in _GONE)
    rows = sorted(
        (each.message, text.id, "doubt" if each.doubt else "yes" if each.conditional else "no")
        for text in texts
        for each in text.reactions
        if (each.agent, each.reaction) == (name, "support")
    )
    terms = {key: how for at, key, how in rows if last and at <= last[-1].message}
    own = sorted((text.message, text.id, "no") for text in put)
    held = [(each.message, each.text, terms.get(each.text, "no")) for each in last]
    return held or sorted(own + [row for row in rows if row[2] == "no"]) or rows, rows, own


def _phrases(rows: Iterable[_Declared], words: Words, after: int = 0) -> list[str]:
    """Return a phrase for each row; of those after a message, each with its own."""
    say = ((row[0], words.say("show-support", text=row[1], terms=row[2])) for row in rows if row[0] > after)
    return [f"{text} (m{number})" if after else text for number, text in say]


def _position(name: str, last: Sequence[Position], texts: Sequence[Proposal], words: Words) -> Iterator[str]:
    """Yield what a member declared last, or else supports first, with the texts that it put and supports since."""
    held, backs, own = _declared(name, last, texts)
    for at, *_ in held[-1:] if last else held[:1]:
        now = dict.fromkeys(row for row in (*held, *own * (not last)) if row[0] == at)
        keys, options = {row[1] for row in now}, {each.options for each in last[-1:]}
        named = [text for text in texts if {text.id, text.title} & keys or (text.content,) in options]
        stances = [each for text in named for each in text.reactions if each.agent == name and each.message > at]
        yield words.say(
            "show-position",
            text=_phrases(now, words),
            gone=any(text.status == "withdrawn" for text in named),
            declared={"declared"}.issuperset(each.source for each in last[-1:]),
            at=f"m{at}",
            back=[f"m{each.left}" for each in last[-1:] if each.left],
            left=[f"m{each.message}" for each in stances if each.reaction == "oppose"],
            put=_phrases(own, words, at),
            backs=_phrases(backs, words, at),
        )


def _stood(page: Page, memory: ConversationMemory, words: Words, *, over: bool) -> Iterator[Text]:
    """Yield for each member its last position, else its last support, and its ballot once all is over."""
    texts = [text for motion in memory.motions for text in motion.versions]
    ids = {text.content: text.id for text in texts}
    for name, state in memory.agents.items():
        parts = [*_position(name, state.positions, texts, words)]
        if vote := memory.parts.polls.voted(name) if over else memory.parts.minutes.state.voted.get(name, ()):
            parts.append(words.say("show-last-ballot", count=len(vote), vote=[ids.get(each, each) for each in vote]))
        if parts:
            yield Text.assemble(page.seats.name(name), "  ", "; ".join(parts))


def _people(page: Page, memory: ConversationMemory, words: Words, *, over: bool) -> None:
    if stood := [*_stood(page, memory, words, over=over)]:
        page.heading(words.say("show-head", "positions"))
        for line in stood:
            page.item(line)
        if agreed := memory.consensus():
            page.item(
                Text(words.say("show-agreed", since=str(agreed.since), on=agreed.on, basis=agreed.basis), style="dim")
            )
    if memory.notes:
        page.heading(words.say("show-head", "notes"))
        for note in memory.notes:
            text = one_line(note.text) + corrected_by(note.corrected, words=words)
            page.item(Text.assemble((f"{note.id} m{note.message} {one_line(note.who)}  ", "dim"), text))
