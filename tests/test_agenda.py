"""Agendas as data: what is read, and what is refused before a debate is paid for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st
from in_turn import in_one

from eda.cli import cli
from eda.errors import AgendaError, UnknownNameError
from eda.panels.agenda import agenda_names, load_agenda, read_agenda
from eda.panels.panel import load_panel
from eda.panels.registry import FLOORS, RULES

HEAD = """
name = "mine"
title = "Mine"
description = "For a test."
promise = "A verdict."
"""
TALK = '\n[[phase]]\nname = "talk"\nkind = "open"\n'
VOTE = '\n[[phase]]\nname = "vote"\nkind = "ballot"\n'
ASK = '\n[[phase]]\nname = "ask"\nkind = "poll"\n'
END = '\n[[phase]]\nname = "end"\nkind = "verdict"\n'


def test_the_shipped_formats_are_those_that_are_promised() -> None:
    """Whoever reads of a format must find it."""
    mallm = ["mallm-debate", "mallm-memory", "mallm-relay", "mallm-report"]
    assert agenda_names() == ["brainstorm", "delphi", *mallm, "mediation", "oxford", "panel", "red-team"]
    assert all(load_agenda(name).name == name for name in agenda_names())


def test_a_format_of_ones_own_is_read_from_a_path(tmp_path: Path) -> None:
    """Whoever needs another procedure writes it down and names the file."""
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + TALK + VOTE + END, "utf-8")
    assert [phase.name for phase in load_agenda(str(path))] == ["talk", "vote", "end"]


@in_one(
    ("text", "said"),
    [
        (HEAD + 'rule = "most"' + TALK + VOTE + END, "'rule' should be '"),
        (HEAD + "colour = 1" + TALK + VOTE + END, "'colour' is no key of a format"),
        (TALK + VOTE + END, "'name' is missing"),
        (HEAD.replace("mine", "My Own") + TALK + VOTE + END, "'name' 'My Own' is not made of"),
        (HEAD + END, "'phase' should have at least 2 items"),
        (HEAD, "'phase' is missing"),
        (HEAD + "phase = 3", "'phase' should be a list"),
        (HEAD + "phase = [1, 2]", "item 1 of 'phase' should be a table"),
        (HEAD + TALK + TALK + VOTE + END, "phase 'talk': another phase has this 'name'"),
        (HEAD + TALK + END + VOTE, "the last phase, and no other, must be of kind 'verdict'"),
        (HEAD + TALK + END, "a phase of kind 'ballot' or 'poll' is missing"),
        (HEAD + VOTE + END, "nobody speaks"),
        (HEAD + 'rule = "shift"' + ASK + TALK + END, "rule 'shift' needs a poll before"),
        (HEAD + TALK + "mesages = 3" + VOTE + END, "('talk'): 'mesages' is no key of a phase; did you"),
        (HEAD + TALK + "messages = 0" + VOTE + END, "phase 1 ('talk'): 'messages' should be greater"),
        (HEAD + TALK + 'floor = "shouting"' + VOTE + END, "phase 1 ('talk'): 'floor' should be '"),
        (HEAD + TALK + 'messages = "6"' + VOTE + END, "phase 1 ('talk'): 'messages' should be a whole number"),
        (HEAD + TALK + "messages = true" + VOTE + END, "phase 1 ('talk'): 'messages' should be a whole number"),
        (HEAD + 'rule = "score"' + TALK + ASK + END, "rule 'score' counts what only a ballot asks for"),
        (HEAD + 'anonymous = "yes"' + TALK + VOTE + END, "'anonymous' should be true or false"),
        (HEAD.replace("title", "#") + TALK + 'title = "T"' + VOTE + END, "'title' is no key of a phase"),
        (HEAD + TALK.replace("open", "opn") + VOTE + END, "phase 1 ('talk'): 'kind' should be '"),
        (HEAD + '\n[[phase]]\nname = "x"\n' + VOTE + END, "phase 1 ('x'): 'kind' is missing"),
        (HEAD + TALK + VOTE + "messages = 3" + END, "phase 'vote': 'messages' is for a phase of kind 'open'"),
        (HEAD + TALK + VOTE + 'floor = "random"' + END, "phase 'vote': 'floor' is for a phase of kind 'open'"),
        (HEAD + TALK + VOTE + 'instruction = "Vote."' + END, "phase 'vote': 'instruction' is for phases in which"),
        (HEAD + TALK + 'instruction = "Say {{what}}."' + VOTE + END, "phase 'talk': 'instruction' has the unknown"),
        (HEAD + TALK + 'instruction = "Say {{Reason }}."' + VOTE + END, "unknown slot '{{Reason }}'"),
        (HEAD + TALK + 'instruction = "Argue {{side}}."' + VOTE + END, "'{{side}}', and the format has no 'sides'"),
        (HEAD + TALK + 'instruction = "{{statistics}}"' + VOTE + END, "'{{statistics}}', and no phase is of kind"),
        (HEAD + TALK + 'instruction = "{{blocks}}"' + VOTE + END, "'{{blocks}}', and no phase has 'until'"),
        (HEAD + TALK + VOTE + 'until = "unblocked"' + END, "phase 'vote': 'until' and 'back_to' go together"),
        (HEAD + TALK + VOTE + 'back_to = "talk"' + END, "phase 'vote': 'until' and 'back_to' go together"),
        (HEAD + TALK + VOTE + "laps = 3" + END, "phase 'vote': 'laps' counts how often"),
        (HEAD + TALK + VOTE + 'until = "settled"\nback_to = "talk"' + END, "is for a phase of kind 'poll'"),
        (HEAD + TALK + VOTE + 'until = "unblocked"\nback_to = "end"' + END, "'end' is no phase before it; those are"),
        (HEAD + TALK + VOTE + 'until = "unblocked"\nback_to = "vote"' + END, "'vote' is no phase before it"),
        (HEAD + TALK + ASK + VOTE + 'until = "unblocked"\nback_to = "ask"' + END, "nobody speaks between 'ask'"),
        (HEAD.replace('"Mine"', "true") + TALK + VOTE + END, "'title' should be text"),
        (HEAD.replace("Mine", "x" * 121) + TALK + VOTE + END, "'title' is longer than 120 characters"),
        (HEAD + 'sides = "for"' + TALK + VOTE + END, "'sides' should be a list"),
        (HEAD + TALK.replace("talk", "Big Talk") + VOTE + END, "('Big Talk'): 'name' 'Big Talk' is not made of"),
        ("name = ", "is no valid TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_format_is_named_with_its_phase_and_key(text: str, said: str) -> None:
    """A mistake found in the middle of a debate has been paid for; one that is not named takes an evening."""
    with pytest.raises(AgendaError) as raised:
        read_agenda(text, "mine.toml")
    assert re.match(r"mine\.toml(, line 1)?: ", str(raised.value))
    assert said in str(raised.value)
    assert raised.value.hint


def test_a_format_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    """A slip of the finger must not end in a search through the folder."""
    with pytest.raises(UnknownNameError, match="delfi") as raised:
        load_agenda("delfi")
    assert "delphi" in str(raised.value.hint)
    with pytest.raises(AgendaError, match="there is no such file"):
        load_agenda(str(tmp_path / "none.toml"))
    with pytest.raises(AgendaError, match="is a folder, and no file"):
        load_agenda(str(tmp_path))


def last_phase(body: str) -> str:
    """The kind of an agenda's last phase, or that the agenda is refused."""
    try:
        return read_agenda(body, "x.toml").phases[-1].kind
    except AgendaError:
        return "refused"


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    """A broken file must never end in a traceback."""
    assert {last_phase(body) for body in (text, HEAD + text, HEAD + TALK + text + VOTE + END)} <= {"verdict", "refused"}


def test_where_a_phase_stands_follows_from_the_agenda() -> None:
    """The openings, the talk and the closing words are asked for in words of their own."""
    agenda = load_agenda("panel")
    assert [agenda.stages[phase.name] for phase in agenda if phase.does.speaks] == ["opening", "discussion", "closing"]
    assert load_agenda("mediation").stages["interests"] == "discussion"
    assert load_agenda("delphi").taken_up_at == "round"


def test_a_panel_can_name_its_format(tmp_path: Path) -> None:
    """Whoever keeps a panel for reviews need not type the format each time."""
    path = tmp_path / "people" / "panels" / "review.toml"
    path.parent.mkdir(parents=True)
    text = 'name = "review"\ntitle = "Review"\ndescription = "x"\nmembers = ["sceptic", "historian"]\n'
    text += '[defaults]\nformat = "{}"\n'
    path.write_text(text.format("red-team"), "utf-8")
    assert load_panel(path).format == "red-team"
    ask = ["debate", "Is the plan sound?", "--panel", "review", "--runner", "simulated", "--max-messages", "8"]
    where = ["--personas-dir", str(tmp_path / "people"), "--sessions", str(tmp_path / "s")]
    done = CliRunner().invoke(cli, [*ask, *where])
    assert "phase: cross-examination" in done.output
    path.write_text(text.format("red-tem"), "utf-8")
    done = CliRunner().invoke(cli, [*ask, *where])
    assert done.exit_code == 2
    assert "red-team" in done.output


def test_formats_are_listed_and_shown(tmp_path: Path) -> None:
    """Whoever chooses a format sees what each ends with, and how it goes."""
    listed = CliRunner().invoke(cli, ["list", "formats"]).output
    assert all(name in listed for name in agenda_names())
    floors = CliRunner().invoke(cli, ["list", "floors"]).output
    assert all(floor in floors and line in floors for floor, line in FLOORS.lines().items())
    shown = CliRunner().invoke(cli, ["list", "formats", "mediation"]).output
    assert FLOORS.lines()["round-robin"] in CliRunner().invoke(cli, ["list", "formats", "brainstorm"]).output
    keys = shown.split()
    assert keys[keys.index("until") + 1] == "unblocked"
    assert keys[keys.index("laps") + 1] == "3"
    assert RULES.lines()["consent"] in " ".join(keys)
    own = tmp_path / "mine.toml"
    file = CliRunner().invoke(cli, ["list", "formats", "panel"]).output.rpartition(": ")[2].strip()
    own.write_bytes(Path(file).read_bytes())
    assert load_agenda(str(own)) == load_agenda("panel")
    own.write_text(HEAD + TALK + "messages = 1" + VOTE + END, "utf-8")
    words = CliRunner().invoke(cli, ["list", "formats", str(own)]).output.split()
    assert words[words.index("messages") + 1] == "1"
    own.write_text(HEAD + TALK + 'instruction = "Say {{what}}."' + VOTE + END, "utf-8")
    refused = CliRunner().invoke(cli, ["list", "formats", str(own)])
    assert refused.exit_code == 2
    assert "unknown slot" in refused.output
