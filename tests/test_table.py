"""What a person is told at the table and after it: settings that change, mutes, corrections, what they are asked."""

from __future__ import annotations

import asyncio
import io
import re
from pathlib import Path
from shutil import copytree

import click
import pytest
from click.testing import CliRunner
from rich.console import Console
from test_human import with_ada
from test_resume import OPTIONS, QUESTION, new_debate

from eda import Debate, Prompt, Session, Settings
from eda.cli import cli
from eda.cli.terminal.human_seat import TerminalSeat
from eda.cli.terminal.live import LiveView
from eda.cli.terminal.printers import PlainView, Sitting
from eda.debate.control.changes import Corrected, Seat, steer
from eda.debate.replay import memory_of
from eda.errors import UsageError
from eda.events import Event, MessagePosted
from eda.panels.agenda import load_agenda
from eda.panels.panel import Library


def eda(folder: Path, *args: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, [*args, "--sessions", str(folder)], prog_name="eda")
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def held(folder: Path) -> Path:
    """The folder of a session, which is held once and copied for each test."""
    with Session.create("s", folder) as session:
        new_debate(session).run_sync()
    return folder / "s"


@pytest.fixture
def ended(held: Path, tmp_path: Path) -> Path:
    """A folder with a session `s`, which its limit of messages has ended."""
    copytree(held, tmp_path / "s")
    return tmp_path


def test_a_changed_setting_is_shown_wherever_the_debate_is(ended: Path) -> None:
    """A debate that goes on longer, or costs more, than was agreed must say who let it."""
    assert eda(ended, "steer", "s", "--set", "max_messages=18")[0] == 0
    code, output = eda(ended, "resume", "s", "--max-messages", "20")
    assert (code, "setting: max_messages: 18, now 20" in output) == (0, True)
    minutes = eda(ended, "show", "s")[1].partition("\nTranscript\n")[2]  # the decision above it names messages, too
    assert "· max_messages: 12, now 18" in minutes
    assert minutes.index("now 18") < minutes.index("· max_messages: 18, now 20") < minutes.index("m16")


def test_a_view_says_what_differs_from_the_setting_before() -> None:
    """Two changes in a run are told one by one, each against what held until then."""
    out, lines = io.StringIO(), list[str]()
    debate = Debate(QUESTION, ["sceptic", "historian"], settings=Settings(max_messages=8))
    sitting = Sitting(debate.started)
    plain = PlainView(lines.append, sitting)
    live = LiveView(Console(file=out, width=80), sitting, debate.progress, debate.memory)
    debate.bus.subscribe(Event, plain.handle)
    debate.bus.subscribe(Event, live.handle)

    @debate.on(MessagePosted)
    def change(message: MessagePosted) -> None:
        if message.number == 3:
            debate.change(max_messages=9)
            debate.change(max_messages=10, max_cost=2.0)

    debate.run_sync()
    told = [line for line in lines if line.startswith("setting: ")]
    assert told == [
        "setting: max_messages: 8, now 9",
        "setting: max_messages: 9, now 10",
        "setting: max_cost: none, now 2.0",
    ]
    assert all(line.removeprefix("setting: ") in out.getvalue() for line in told)


def test_steering_an_ended_session_says_what_it_takes_to_go_on(ended: Path) -> None:
    """`go on with: eda resume s`, where that is refused, sends a newcomer in a circle."""
    output = eda(ended, "steer", "s", "--add", "product-manager")[1]
    assert "has ended" in output
    assert re.search(r"Go on: eda resume s .*--max-messages 24", output)
    assert "go on with: eda resume s" in eda(ended, "steer", "s", "--set", "max_messages=20")[1]


def test_nobody_is_replaced_by_themselves(ended: Path) -> None:
    """A change that changes nothing is a slip, and must not be told as a change."""
    persona = Library().persona("historian")
    with Session.open("s", ended) as session, pytest.raises(UsageError, match="has that seat already"):
        steer(session, [Seat("replaced", "historian", persona)])


def test_what_was_struck_stays_struck(ended: Path) -> None:
    """A struck proposal that can be reworded looks as if it were back, and is on no ballot."""
    with Session.open("s", ended) as session:
        item = memory_of(session).proposals[0].id
        steer(session, [Corrected(item, "", "Ada")])
        for text in ("", "Something else"):
            with pytest.raises(UsageError, match=f"{item} was struck already, by Ada"):
                steer(session, [Corrected(item, text, "Bea")])
    assert f"{item} struck by Ada" in eda(ended, "show", "s")[1]


def test_a_report_says_whose_words_a_corrected_proposal_has(ended: Path) -> None:
    """Nobody may be quoted with words that somebody else gave the proposal."""
    with Session.open("s", ended) as session:
        item = memory_of(session).proposals[-1].id
        steer(session, [Corrected(item, "Wait until the auditors have been.", "Ada")])
    report = eda(ended, "report", "s")[1]
    assert re.search(rf"{item}.*corrected by Ada.*Wait until|by Ada, not chosen: Wait until the auditors", report)


async def test_what_is_asked_of_a_debate_that_has_stopped_is_refused() -> None:
    """A word said, or a change made, a moment too late would be lost without a word about it."""
    debate = with_ada()
    await debate.run()
    for late in (
        lambda: debate.say("One word more."),
        lambda: debate.mute("ruth"),
        lambda: debate.change(max_messages=90),
        debate.pause,
        debate.move_on,
    ):
        with pytest.raises(UsageError, match="the debate has stopped"):
            late()


async def test_who_sits_and_what_holds_is_changed_while_it_runs() -> None:
    """One would have to stop the debate to give it a voice that it lacks, or more room."""
    debate = with_ada()

    @debate.on(MessagePosted)
    def act(message: MessagePosted) -> None:
        if message.number == 5:
            debate.add("finance-director")
            debate.replace("ruth", "economist")
            debate.change(max_messages=9)
            for wrong in (lambda: debate.add("nobody-of-that-name"), lambda: debate.replace("nobody", "sceptic")):
                with pytest.raises(UsageError):
                    wrong()

    result = await debate.run()
    seated = [member.name for member in debate.progress.panel]
    assert seated == ["economist", "historian", "pragmatic-engineer", "ada", "finance-director"]
    assert result.messages == 9


async def asked(prompt: Prompt, debate: Debate | None = None) -> str:
    """What the seat shows for a prompt."""
    seat, shown = TerminalSeat("Ada"), list[str]()
    seat.show = shown.append
    seat.sit(debate or with_ada())
    asking = asyncio.ensure_future(seat.ask(prompt))
    await asyncio.sleep(0)
    seat.line("")
    assert await asking == ""
    return "\n".join(shown)


async def test_a_poll_asks_for_one_letter_and_a_ballot_for_an_order() -> None:
    """A poll reads one stance; an order typed there would be cut to its first choice."""
    options = ("Yes", "No")
    assert "B > A" not in await asked(Prompt(purpose="poll", agent="Ada", options=options))
    assert "B > A" in await asked(Prompt(purpose="ballot", agent="Ada", options=options))


async def test_among_anonymous_members_the_person_is_told_who_they_are() -> None:
    """Who does not know that they are Panelist D cannot tell who is being answered; no later round is an opening."""
    debate = Debate(
        QUESTION,
        ["sceptic", "historian", "pragmatic-engineer"],
        options=OPTIONS,
        agenda=load_agenda("delphi"),
        human="Ada",
    )
    shown = await asked(Prompt(purpose="speak", agent="Panelist D", stage="opening", phase="round"), debate)
    assert "as Panelist D: your word (round)" in shown
    assert "your opening" in await asked(Prompt(purpose="speak", agent="Ada", stage="opening", phase="opening"))


@pytest.mark.parametrize("args", [("steer", "s", "--mute"), ("resume", "--runner")])
def test_an_option_without_its_value_names_the_help_of_its_command(args: tuple[str, ...]) -> None:
    """`eda --help` says nothing about `--mute`."""
    done = CliRunner().invoke(cli, list(args), prog_name="eda")
    assert f"`eda {args[0]} --help`" in done.output


def test_a_long_list_of_names_says_how_many_more(ended: Path) -> None:
    """A row of dots tells nobody whether to look further."""
    assert re.search(r"Known: .+ and \d+ more\.", eda(ended, "steer", "s", "--add", "zzzzzz")[1])


@pytest.mark.parametrize("command", ["debate", "resume"])
def test_the_many_options_stand_in_groups_and_none_is_left_out(command: str) -> None:
    """Forty options in one list are read by nobody; one that is missing from it does not exist."""
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    shown = CliRunner().invoke(cli, [command, "--help-all"]).stdout
    with click.Context(found) as ctx:
        options = [name for each in found.get_params(ctx) if isinstance(each, click.Option) for name in each.opts]
    assert [name for name in options if name.startswith("--") and f"{name} " not in shown] == []
    assert "Limits:" in shown
    assert "More:" not in shown, "an option without a group"
