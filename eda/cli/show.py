"""`eda show`."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from eda.cli.common import TEXT, note, print_data, print_json, say, speak
from eda.cli.options import (
    at_option,
    language_option,
    level_options,
    message_number,
    one_of,
    refuse_excluded,
    session_command,
    session_options,
)
from eda.cli.terminal.style import console_for, paged, print_tabbed
from eda.cli.terminal.transcript import page_of, print_minutes, print_part, print_side, print_table
from eda.cli.terminal.verdict import only_verdict, page_now
from eda.debate.replay import memory_of, read_back
from eda.errors import UnknownNameError
from eda.events import Event, MessagePosted
from eda.memory import ConversationMemory
from eda.report.formatting import clean, fitted
from eda.report.json_data import session_data, side_data
from eda.session import Session
from eda.session.fork import between, upto
from eda.words import fault

# Messages that a terminal shows of a long session, unless it is asked for others.
_SCREENFUL = 200
# Options of which each prints one thing alone.
_VIEWS = ("table", "tally", "cost", "prompt", "notes", "side")


@session_command
@at_option("Print the session as it stood after this message.")
@click.option("--from", "first", type=message_number, metavar="m12", help="Print only the messages from this one on.")
@click.option("--to", "last", type=message_number, metavar="m20", help="Print only the messages up to this one.")
@click.option("--only", type=TEXT, metavar="NAME", help="Print only what this member said.")
@click.option("--table", is_flag=True, help="Print only the table: what is open, who stands where, what is decided.")
@click.option("--tally", is_flag=True, help="Count the last ballots again under every decision rule.")
@click.option("--cost", is_flag=True, help="Print calls, tokens and dollars by member, purpose, model and provider.")
@click.option("--prompt", type=TEXT, metavar="NAME", help="Print the whole prompt that this member would get next.")
@click.option("--notes", is_flag=True, help="List the notes, most important first, private ones too.")
@click.option("--side", is_flag=True, help="Print only what was said aside from the panel: `eda ask`.")
@level_options
@language_option
@session_options
def show(*, session_id: str | Path, folder: Path | None, as_json: bool, **given: Any) -> None:
    """Print session ID: transcript with the acts of each message, the table, positions and verdict.

    ID can also be the path of a session's folder, such as `./talks/one`. A terminal shows a long session through PAGER,
    and its last messages only; `--from m1` shows all. --table, --tally, --cost, --prompt, --notes and --side each print
    that alone. In a pipe, rows of --tally and --cost are lines with tabs.
    """
    refuse_excluded(as_json=as_json, quiet=given["quiet"], verbose=given["verbose"])
    views = [name for name in _VIEWS if given[name]]
    if len(views) > 1:
        raise one_of(*(f"--{name}" for name in views[:2]))
    with Session.read(session_id, folder) as session:
        speak(given["language"] or session.started().settings.language)
        then = session if given["at"] is None else upto(session, given["at"])
        if given["prompt"]:
            from eda.debate.prompt_preview import speaker_prompt

            text = speaker_prompt(then, given["prompt"])
            data = {"session": then.name, "agent": given["prompt"], "text": text}
            print_data(data, lambda: click.echo(fitted(clean(text), sys.stdout, 0)), as_json=as_json)
        elif given["notes"] or given["side"]:
            (_show_notes if given["notes"] else _show_side)(then, as_json=as_json)
        elif given["tally"] or given["cost"]:
            getattr(import_module(f"eda.cli.{views[0]}"), f"show_{views[0]}")(then, as_json=as_json)
        else:
            _show_session(then, given, as_json=as_json)


def _show_session(session: Session, given: Mapping[str, Any], *, as_json: bool) -> None:
    """Print a session, or the part of it that was asked for."""
    facts: list[Event] = []  # read once to fold, for the page and for the transcript
    started, (progress, memory) = session.started(), read_back(session, facts.append)
    if given["language"]:
        progress.settings = progress.settings.model_copy(update={"language": given["language"]})
    words = speak(progress.settings.language)
    if given["quiet"]:
        click.echo(fitted("\n".join(only_verdict(session, progress, memory)), sys.stdout))
        return
    if given["table"]:
        table = memory.table(words=words)
        data = {"session": started.session, "title": table.title, "table": list(table.lines)}
        print_data(data, lambda: print_table(console_for(), table, words), as_json=as_json)
        return
    long, span = progress.messages > _SCREENFUL, (given["first"], given["last"])
    running = False
    if progress.ended is None:
        from eda.debate.control.socket import is_running

        running = is_running(session)
    chosen = partial(_chosen, session, progress.messages, memory, only=given["only"])
    if as_json:
        print_json(session_data(started, progress, memory, chosen(span), running=running))
        return
    with paged(long=long) as console:
        if console.is_terminal and long and span == (None, None):
            span = progress.messages - _SCREENFUL + 1, None
        if any(given[name] is not None for name in ("first", "last", "only")):
            print_part(page_of(console, started), started, progress, memory, chosen(span), verbose=given["verbose"])
            return
        if len(facts) < progress.last_seq:  # of what is saved only the rest was read
            facts = [*session.events()] if progress.verdict else []
        told = page_now(session, progress, memory, facts)
        whole = {"running": running, "verbose": given["verbose"], "since": span[0]}
        shown = facts if facts and span[0] is None else chosen(span)
        print_minutes(console, started, progress, memory, shown, told=told, **whole)
    if progress.ended is None and not running and given["at"] is None:
        note(say("sessions-unfinished", typed=session.typed))


def _show_notes(session: Session, *, as_json: bool) -> None:
    """Print the notes."""
    notes = memory_of(session).parts.notes.all(private=True)
    if as_json:
        print_json({"session": session.name, "notes": [asdict(each) for each in notes]})
        return
    if not notes:
        note(say("sessions-no-notes", session=session.name))
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
    span: tuple[int | None, int | None],
    only: str | None,
) -> Iterable[Event]:
    """Return the facts of the messages from one to another; with the name of a member `only` what that one said.

    Raises:
        UsageError: there are no such messages, or nobody is called so.
    """
    low, high = 1 if span[0] is None else span[0], messages if span[1] is None else span[1]
    if span == (None, None):
        facts = session.events()
    elif 1 <= low <= high <= messages:
        facts = between(session, low, high)
    else:
        raise fault("error-no-messages", session=session.name, low=str(low), high=str(high), last=messages)
    if only is None:
        return facts
    titles = dict.fromkeys((*(member.title for member in session.started().members), *memory.agents))
    speaker = next((title for title in titles if title.casefold() == only.strip().casefold()), None)
    if speaker is None:
        raise UnknownNameError("member", only, titles)
    return (fact for fact in facts if isinstance(fact, MessagePosted) and fact.who == speaker)


def _show_side(session: Session, *, as_json: bool) -> None:

    started = session.started()
    if as_json:
        print_json({"session": started.session, "side": side_data(session.events())})
        return
    if not side_data(session.events()):
        note(say("sessions-no-side", typed=session.typed))
    print_side(console_for(), started, session.events())
