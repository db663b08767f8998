"""`eda show`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from eda.cli.common import note, print_json, say, speak
from eda.cli.cost import show_cost
from eda.cli.kinds import TEXT, Whole
from eda.cli.options import (
    RULE,
    at_option,
    language_option,
    level_options,
    numbered,
    one_of,
    patterns_option,
    place_of,
    refuse_excluded,
    repeatable,
    session_argument,
    session_options,
)
from eda.cli.tally import show_tally
from eda.cli.terminal.style import console_for, paged, print_tabbed
from eda.cli.terminal.transcript import print_messages, print_minutes, print_side, print_table
from eda.cli.terminal.verdict import only_verdict, page_now
from eda.debate.control.socket import is_running
from eda.debate.prompt_preview import speaker_prompt
from eda.debate.replay import memory_of, read_back
from eda.errors import UnknownNameError, UsageError
from eda.events import Event, MessagePosted
from eda.memory import ConversationMemory
from eda.memory.patterns import PatternPack
from eda.report.formatting import clean, fitted
from eda.report.json_data import session_data, side_data
from eda.session import Session
from eda.session.fork import between, upto

_FIGURES = ("tokens", "shown", "left out")


def show_context(
    session: Session,
    *,
    agent: str | None,
    brief: bool,
    about: str | None,
    patterns: PatternPack | None,
    as_json: bool,
) -> None:
    """Print what a member would be given next; without an `agent`, what memory gives to every member."""
    if about is not None and agent is not None:
        raise click.UsageError("--about cannot be used with --prompt")
    if agent is not None:
        text = speaker_prompt(session, agent, patterns=patterns)
    else:
        session.started()
        memory = memory_of(session, patterns)
        text = (memory.brief_context if brief else memory.full_context)(about=about).text
    if as_json:
        print_json({"session": session.name, "agent": agent, "text": text})
    else:
        click.echo(fitted(clean(text), sys.stdout, 0))


_SCREENFUL = 200
"""Messages that a terminal shows of a long session, unless it is asked for others."""
_ABOUT = 20
"""The most messages that `--about` prints."""


@click.command()
@session_argument
@at_option("Print the session as it stood after this message.")
@click.option("--from", "first", callback=numbered, metavar="m12", help="Print the messages from this one on.")
@click.option("--to", "last", callback=numbered, metavar="m20", help="Print the messages up to this one.")
@click.option("--about", type=TEXT, metavar="WORDS", help="Print the messages that say most about this.")
@click.option("--message", callback=numbered, metavar="m12", help="Print only this message, with its acts.")
@click.option("--only", type=TEXT, metavar="NAME", help="Print only what this member said.")
@click.option("--table", is_flag=True, help="Print only the table: what is open, who stands where, what is decided.")
@click.option("--tally", is_flag=True, help="Count the last ballots again under every decision rule.")
@repeatable("--rule", "rule", "NAME", "With --tally: count under this rule only.", RULE, default="all rules")
@click.option("--judge", type=TEXT, metavar="MEMBER", help="With --tally: who decides under the rule `judge`.")
@click.option("--seed", type=Whole(0), help="With --tally: seed of the lots that break ties. Default: the session's.")
@click.option("--cost", is_flag=True, help="Print calls, tokens and dollars by member, purpose, model and provider.")
@click.option("--prompt", type=TEXT, metavar="NAME", help="Print the whole prompt that this member would get next.")
@click.option("--memory", is_flag=True, help="Print what memory gives to every member.")
@click.option("--brief", is_flag=True, help="With --memory: the short form.")
@click.option("--notes", is_flag=True, help="List the notes, most important first, private ones too.")
@click.option("--side", is_flag=True, help="Print only what was said aside from the panel: `eda ask`.")
@level_options
@patterns_option
@language_option
@session_options
def show(*, session_id: str, folder: Path | None, as_json: bool, patterns: PatternPack | None, **given: Any) -> None:
    """Print session ID: transcript with the acts of each message, the table, positions and verdict.

    ID can also be the path of a session's folder, such as `./talks/one`. A terminal shows a long session through PAGER,
    and its last messages only; `--from m1` shows all. --table, --tally, --cost, --prompt, --memory, --notes and --side
    each print that alone. In a pipe, rows of --tally and --cost are lines with tabs.
    """
    refuse_excluded(as_json=as_json, quiet=given["quiet"], verbose=given["verbose"])
    view, at = _view(given), given["at"]

    with Session.read(place_of(session_id), folder) as session:
        speak(given["language"] or session.started().settings.language)
        then = session if at is None else upto(session, at)
        if view:
            _show_view(then, view, given, patterns, as_json=as_json)
        else:
            _show_session(then, given, patterns, as_json=as_json)


_NEEDS = {
    "rule": ("tally",),
    "judge": ("tally",),
    "seed": ("tally",),
    "brief": ("memory",),
}
"""The views that an option belongs to."""


def _view(given: Mapping[str, Any]) -> str:
    """Return the option that names what alone is printed; empty for the session itself.

    Raises:
        UsageError: two are given, or an option of a view is given without it.
    """
    chosen = [name for name in ("tally", "cost", "prompt", "memory", "notes", "side") if given[name]]
    if len(chosen) > 1:
        raise one_of(*(f"--{name}" for name in chosen[:2]))
    for option, views in _NEEDS.items():
        if given[option] not in (None, False, ()) and not {*chosen} & {*views}:
            raise click.UsageError(f"--{option} needs {' or '.join(f'--{view}' for view in views)}")
    return "".join(chosen)


def _show_view(
    session: Session, view: str, given: Mapping[str, Any], patterns: PatternPack | None, *, as_json: bool
) -> None:
    """Print what an option such as --tally or --cost asks for, and nothing else of the session."""
    if view == "tally":
        about = {name: given[name] for name in ("judge", "seed")}
        show_tally(session, rules=given["rule"], **about, as_json=as_json)
    elif view == "cost":
        show_cost(session, as_json=as_json)
    elif view == "notes":
        _show_notes(session, given["about"], as_json=as_json)
    elif view == "side":
        _show_side(session, as_json=as_json)
    else:
        about = {name: given[name] for name in ("brief", "about")}
        show_context(session, agent=given["prompt"], **about, patterns=patterns, as_json=as_json)


def _show_session(session: Session, given: Mapping[str, Any], patterns: PatternPack | None, *, as_json: bool) -> None:
    """Print a session, or the part of it that was asked for."""
    started, (progress, memory) = session.started(), read_back(session, patterns)
    if given["language"]:
        progress.settings = progress.settings.model_copy(update={"language": given["language"]})
    words = speak(progress.settings.language)
    if given["quiet"]:
        click.echo(fitted("\n".join(only_verdict(session, progress, memory)), sys.stdout))
        return
    table, single, long = memory.table(words=words), given["message"], progress.messages > _SCREENFUL
    if given["table"] and as_json:
        print_json({"session": started.session, "title": table.title, "table": list(table.lines)})
        return
    running = progress.ended is None and not given["table"] and is_running(session)
    span = (single, single, None) if single is not None else tuple(given[name] for name in ("first", "last", "about"))
    if as_json:
        chosen = _chosen(session, progress.messages, memory, span, given["only"])
        print_json(session_data(started, progress, memory, chosen, running=running))
        return
    with paged(long=long and not given["table"]) as console:
        if given["table"]:
            print_table(console, table, words)
            return
        if console.is_terminal and long and span == (None, None, None):
            span = progress.messages - _SCREENFUL + 1, None, None
        chosen = _chosen(session, progress.messages, memory, span, given["only"] if single is None else None)
        if single is not None:
            print_messages(console, progress.settings, started, memory, chosen)
            return
        told = page_now(session, progress, memory)
        whole = {"running": running, "verbose": given["verbose"], "since": span[0]}
        print_minutes(console, started, progress, memory, chosen, told=told, **whole)
    if progress.ended is None and not running and given["at"] is None:
        note(say("sessions-unfinished", typed=session.typed))


def _show_notes(session: Session, about: str | None, *, as_json: bool) -> None:
    """Print the notes, all or those on a question."""
    memory = memory_of(session)
    notes = memory.private_notes() if about is None else memory.notes_about(about, private=True)
    if as_json:
        print_json({"session": session.name, "notes": [asdict(each) for each in notes]})
        return
    if not notes:
        note(say("sessions-no-notes", sort="all" if about is None else "some", session=session.name))
    console = console_for()
    for each in notes:
        where = f"m{each.message}" if each.message else ""
        marks = [each.topic, "private" if each.private else ""]
        if not console.is_terminal:
            print_tabbed(console, [[str(each.importance), where, each.who, *marks, each.text]])
            continue
        beside = "  ".join(part for part in (each.id, where, each.who, *marks) if part)
        console.print(Text.assemble((f"{each.importance:>4}  ", "bold"), (clean(beside), "dim")))
        console.print(Text(clean(each.text)))


def _chosen(
    session: Session,
    messages: int,
    memory: ConversationMemory,
    span: tuple[int | None, int | None, str | None],
    only: str | None,
) -> Iterable[Event]:
    """Return the facts of the messages of a span, in order: from one to another, or the most on something.

    With the name of a member `only` what that one said.

    Raises:
        UsageError: there are no such messages, or nobody is called so.
    """
    first, last, about = span
    if only is not None:
        titles = dict.fromkeys((*(member.title for member in session.started().members), *memory.agents))
        speaker = next((title for title in titles if title.casefold() == only.strip().casefold()), None)
        if speaker is None:
            raise UnknownNameError("member", only, titles)
        facts = _chosen(session, messages, memory, span, None)
        return (fact for fact in facts if isinstance(fact, MessagePosted) and fact.who == speaker)
    if span == (None, None, None):
        return session.events()
    low, high = 1 if first is None else first, messages if last is None else last
    if not 1 <= low <= high <= messages:
        there = say("show-messages", last=messages)
        raise UsageError(f"session {session.name!r} has no messages from m{low} to m{high}", hint=there)
    if about is None:
        return between(session, low, high)
    numbers = sorted(item.message_id for item in memory.recall(about, _ABOUT, since=low, until=high))
    return (fact for number in numbers for fact in between(session, number, number) if isinstance(fact, MessagePosted))


def _show_side(session: Session, *, as_json: bool) -> None:

    started = session.started()
    if as_json:
        print_json({"session": started.session, "side": side_data(session.events())})
        return
    if not side_data(session.events()):
        note(say("sessions-no-side", typed=session.typed))
    print_side(console_for(), started, session.events())
