"""`eda show`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli.common import note, print_json, say
from eda.cli.kinds import TEXT, Whole
from eda.cli.names import RULE
from eda.cli.options import (
    language_option,
    level_options,
    one_of,
    patterns_option,
    refuse_excluded,
    repeatable,
    session_argument,
    session_options,
)
from eda.cli.setting_options import F

if TYPE_CHECKING:
    from eda.events import Event
    from eda.memory import ConversationMemory
    from eda.memory.patterns import PatternPack
    from eda.session import Session


_SCREENFUL = 200
"""Messages that a terminal shows of a long session, unless it is asked for others."""
_ABOUT = 20
"""The most messages that `--about` prints."""


def message_number(value: str) -> int:
    """Return the number of a message that is typed as `m12` or `12`."""
    if not re.fullmatch("m?[0-9]{1,9}", value):
        raise click.BadParameter(f"{value!r} is no message; write it as m12.")
    return int(value.removeprefix("m"))


def _number(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    return None if value is None else message_number(value)


def at_option(text: str) -> Callable[[F], F]:
    """Return the option `--at m12`."""
    return click.option("--at", callback=_number, metavar="m12", help=text)


@click.command()
@session_argument
@at_option("Print the session as it stood after this message.")
@click.option("--from", "first", callback=_number, metavar="m12", help="Print the messages from this one on.")
@click.option("--to", "last", callback=_number, metavar="m20", help="Print the messages up to this one.")
@click.option("--about", type=TEXT, metavar="WORDS", help=f"Print the {_ABOUT} messages that say most about this.")
@click.option("--message", "single", callback=_number, metavar="m12", help="Print only this message, with its acts.")
@click.option("--only", type=TEXT, metavar="NAME", help="Print only what this member said.")
@click.option(
    "--table", "table_only", is_flag=True, help="Print only the table: what is open, who stands where, what is decided."
)
@click.option("--tally", is_flag=True, help="Count the last ballots again under every decision rule.")
@repeatable("--rule", "rules", "NAME", "With --tally: count under this rule only.", RULE, default="all rules")
@click.option("--judge", type=TEXT, metavar="MEMBER", help="With --tally: who decides under the rule `judge`.")
@click.option("--seed", type=Whole(0), help="With --tally: seed of the lots that break ties. Default: the session's.")
@click.option("--cost", is_flag=True, help="Print calls, tokens and dollars by member, purpose, model and provider.")
@click.option("--prompt", type=TEXT, metavar="NAME", help="Print the whole prompt that this member would get next.")
@click.option("--memory", "memory_only", is_flag=True, help="Print what memory gives to every member.")
@click.option("--brief", is_flag=True, help="With --prompt or --memory: the short form, which a bid is asked with.")
@click.option("--explain", is_flag=True, help="With --prompt: list its sections, their tokens, and what was left out.")
@click.option("--notes", is_flag=True, help="List the notes, most important first, private ones too.")
@click.option("--side", is_flag=True, help="Print only what was said aside from the panel: `eda ask` and comments.")
@level_options
@patterns_option
@language_option
@session_options
def show(
    *,
    session_id: str,
    at: int | None,
    first: int | None,
    last: int | None,
    about: str | None,
    single: int | None,
    only: str | None,
    table_only: bool,
    side: bool,
    notes: bool,
    tally: bool,
    rules: tuple[str, ...],
    judge: str | None,
    seed: int | None,
    cost: bool,
    prompt: str | None,
    memory_only: bool,
    brief: bool,
    explain: bool,
    verbose: bool,
    quiet: bool,
    patterns: PatternPack | None,
    language: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Print session ID: transcript with the acts of each message, the table, positions and verdict.

    ID can also be the path of a session's folder, such as `./talks/one`. A terminal shows a long session through PAGER,
    and its last messages only; `--from m1` shows all. --table, --tally, --cost, --prompt, --memory, --notes and --side
    each print that alone. In a pipe, rows of --tally and --cost are lines with tabs.
    """
    refuse_excluded(as_json=as_json, quiet=quiet, verbose=verbose)
    view = _view(
        {
            "--tally": tally,
            "--cost": cost,
            "--prompt": prompt,
            "--memory": memory_only,
            "--notes": notes,
            "--side": side,
        },
        {"--rule": rules, "--judge": judge, "--seed": seed is not None, "--brief": brief, "--explain": explain},
    )
    from eda.debate.replay import read_back
    from eda.session import Session
    from eda.session.fork import upto

    with Session.read(place_of(session_id), folder) as session:
        then = session if at is None else upto(session, at)
        if view:
            given: dict[str, Any] = {
                "rules": rules,
                "judge": judge,
                "seed": seed,
                "language": language,
                "agent": prompt,
            }
            given |= {"brief": brief, "about": about, "explain": explain, "patterns": patterns}
            _show_view(then, view, as_json=as_json, **given)
            return
        started, (progress, memory) = then.started(), read_back(then, patterns)
        progress.settings = progress.settings.model_copy(update={"language": language} if language else {})
        if quiet:
            from eda.cli.terminal.verdict import only_verdict
            from eda.report.formatting import fitted

            click.echo(fitted("\n".join(only_verdict(then, progress, memory)), sys.stdout))
            return
        if table_only:
            _show_table(started.session, memory, as_json=as_json)
            return
        if single is not None:
            first = last = single
        speaker = _member(only, [*(member.title for member in started.members), *memory.agents]) if only else None
        running = False
        if progress.ended is None:
            from eda.debate.control.socket import is_running

            running = is_running(then)
        if as_json:
            from eda.report.json_data import session_data

            events = _chosen(then, progress.messages, memory, first, last, about, speaker)
            print_json(session_data(started, progress, memory, events, running=running))
            return
        from eda.cli.terminal.style import paged
        from eda.cli.terminal.transcript import print_messages, print_minutes
        from eda.cli.terminal.verdict import page_now

        with paged(long=progress.messages > _SCREENFUL) as console:
            if single is not None:
                print_messages(console, started, memory, _chosen(then, progress.messages, memory, first, last))
                return
            if console.is_terminal and progress.messages > _SCREENFUL and (first, last, about) == (None, None, None):
                first = progress.messages - _SCREENFUL + 1
            events = _chosen(then, progress.messages, memory, first, last, about, speaker)
            told = page_now(then, progress, memory)
            print_minutes(
                console, started, progress, memory, events, told=told, running=running, verbose=verbose, since=first
            )
        if progress.ended is None and not running and at is None:
            note(say("sessions-unfinished", typed=session.typed))


_NEEDS = {
    "--rule": ("--tally",),
    "--judge": ("--tally",),
    "--seed": ("--tally",),
    "--brief": ("--prompt", "--memory"),
    "--explain": ("--prompt",),
}
"""The views that an option belongs to."""


def _view(views: Mapping[str, object], others: Mapping[str, object]) -> str:
    """Return the option that names what alone is printed; empty for the session itself.

    Raises:
        UsageError: two are given, or an option of a view is given without it.
    """
    chosen = [name for name, value in views.items() if value]
    if len(chosen) > 1:
        raise one_of(*chosen[:2])
    for option, value in others.items():
        if value and not set(chosen) & set(_NEEDS[option]):
            raise click.UsageError(f"{option} needs {' or '.join(_NEEDS[option])}")
    return chosen[0] if chosen else ""


def _show_view(session: Session, view: str, *, as_json: bool, **given: Any) -> None:
    """Print what an option such as --tally or --cost asks for, and nothing else of the session."""
    if view == "--tally":
        from eda.cli.tally import show_tally

        show_tally(session, **_only(given, "rules judge seed language"), as_json=as_json)
    elif view == "--cost":
        from eda.cli.cost import show_cost

        show_cost(session, as_json=as_json)
    elif view == "--notes":
        _show_notes(session, given["about"], as_json=as_json)
    elif view == "--side":
        _show_side(session, as_json=as_json)
    else:
        from eda.cli.context import show_context

        show_context(session, **_only(given, "agent brief about explain patterns"), as_json=as_json)


def _only(given: Mapping[str, Any], names: str) -> dict[str, Any]:
    return {name: given[name] for name in names.split()}


def _show_notes(session: Session, about: str | None, *, as_json: bool) -> None:
    """Print the notes, all or those on a question."""
    from rich.text import Text

    from eda.cli.terminal.style import console_for, print_tabbed
    from eda.debate.replay import memory_of
    from eda.report.formatting import clean

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
    first: int | None,
    last: int | None,
    about: str | None = None,
    speaker: str | None = None,
) -> Iterable[Event]:
    """Return the facts of the messages from `first` to `last`, in order.

    With `about` only messages on that, with `speaker` only what that member said.
    """
    from eda.errors import UsageError
    from eda.events import MessagePosted
    from eda.session.fork import between

    if speaker is not None:
        chosen = _chosen(session, messages, memory, first, last, about)
        return (fact for fact in chosen if isinstance(fact, MessagePosted) and fact.who == speaker)
    if first is None and last is None and about is None:
        return session.events()
    low, high = 1 if first is None else first, messages if last is None else last
    if not 1 <= low <= high <= messages:
        there = say("show-messages", last=messages)
        raise UsageError(f"session {session.name!r} has no messages from m{low} to m{high}", hint=there)
    if about is None:
        return between(session, low, high)
    results = memory.recall(about, _ABOUT, since=low, until=high)
    numbers = sorted(item.message_id for item in results)
    return (fact for number in numbers for fact in between(session, number, number) if isinstance(fact, MessagePosted))


def _member(name: str, known: Iterable[str]) -> str:
    """Return the title of a member, however it is typed.

    Raises:
        UnknownNameError: nobody is called so.
    """
    from eda.errors import UnknownNameError

    titles = list(dict.fromkeys(known))
    found = next((title for title in titles if title.casefold() == name.strip().casefold()), None)
    if found is None:
        raise UnknownNameError("member", name, titles)
    return found


def _show_table(name: str, memory: ConversationMemory, *, as_json: bool) -> None:
    from eda.cli.terminal.style import paged
    from eda.cli.terminal.transcript import print_table

    table = memory.table()
    if as_json:
        print_json({"session": name, "title": table.title, "table": list(table.lines)})
        return
    with paged(long=False) as console:
        print_table(console, table)


def place_of(session_id: str) -> str | Path:
    """Return a session's name, or its folder where a path is given."""
    return Path(session_id) if "/" in session_id or session_id in (".", "..") else session_id


def _show_side(session: Session, *, as_json: bool) -> None:
    from eda.cli.terminal.style import console_for
    from eda.cli.terminal.transcript import print_side
    from eda.report.json_data import side_data

    started = session.started()
    if as_json:
        print_json({"session": started.session, "side": side_data(session.events())})
        return
    if not side_data(session.events()):
        note(say("sessions-no-side", typed=session.typed))
    print_side(console_for(), started, session.events())
