"""The commands as people use them, and all that can be typed wrongly. Processes and terminals: `test_terminal`."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from eda.runners.protocol import Reply, Usage
from eda.runners.simulated.runner import SimulatedRunner
from eda.session import Session

Eda = Callable[..., Result]
QUESTION = "Should we move the billing service out of the monolith this quarter?"
OPTIONS = ("--option", "Move it", "--option", "Wait a quarter")


def debated(eda: Eda, name: str = "one", *more: str, code: int = 0) -> Result:
    return eda("debate", QUESTION, *OPTIONS, "--max-messages", "9", "--session", name, *more, code=code)


def test_a_debate_ends_in_a_saved_verdict(eda: Eda) -> None:
    """The first thing anybody tries: a question, and a verdict."""
    done = debated(eda)
    (closing,) = done.stderr.splitlines()
    assert "nobody has a closing word" in closing
    for part in (
        f"question: {QUESTION}",
        "phase: opening",
        "m1 ",
        "phase: ballot",
        "vote: ",
        "verdict: ",
        "saved: one",
    ):
        assert part in done.stdout
    assert "read it: eda show one\n" in done.stdout
    assert Path("sessions/one/events.jsonl").is_file()
    assert "\x1b" not in done.output


def test_a_session_names_itself_after_the_question(eda: Eda) -> None:
    """Two debates on one question must not overwrite each other."""
    first = eda("debate", "Is it so?", "--max-messages", "4", "--quiet").stdout
    second = eda("debate", "Is it so?", "--max-messages", "4", "--quiet").stdout
    assert "session: is-it-so\n" in first
    assert "session: is-it-so-2\n" in second


def test_quiet_is_the_verdict_and_the_name(eda: Eda) -> None:
    """A script that mails the outcome wants nothing else."""
    lines = debated(eda, "one", "--quiet").stdout.splitlines()
    assert lines[0].startswith("verdict: ")
    assert lines[-1] == "session: one"
    assert not [line for line in lines if re.match(r"m\d|phase|floor|bids", line)]


def test_json_is_one_object_and_nothing_else(eda: Eda) -> None:
    """`eda debate --json | jq` must work."""
    done = debated(eda, "one", "--json")
    data = json.loads(done.stdout)
    assert data["session"] == "one"
    assert data["state"] == "ended"
    assert data["messages"] == 9
    offered = {each["text"] for each in data["verdict"]["offered"]}
    assert offered > {"Move it", "Wait a quarter"}
    assert set(data["verdict"]["tally"]) <= offered | {"none"}
    assert data["failures"] == []
    shown = json.loads(eda("show", "one", "--json").stdout)
    assert len(shown["transcript"]) == 9
    assert shown["verdict"] == data["verdict"]


def test_everything_that_can_be_set_is_stored(eda: Eda, tmp_path: Path) -> None:
    """A setting that is read and then forgotten makes another debate than the one that was asked for."""
    (tmp_path / "plan.md").write_text("The plan costs 3 sprints.\n")
    limits = ("--max-messages", "10", "--floor", "random", "--summary-every", "4", "--budget", "5")
    limits += ("--budget-tokens", "900000", "--budget-time", "600", "--seed", "11", "--context", "plan.md")
    eda("debate", QUESTION, "--persona", "sceptic", "--persona", "historian", "--session", "one", "--quiet", *limits)
    data = json.loads(eda("show", "one", "--json").stdout)
    assert (
        data["settings"]
        | {
            "max_messages": 10,
            "floor": "random",
            "summary_every": 4,
            "max_cost": 5.0,
            "max_tokens": 900_000,
            "max_seconds": 600.0,
        }
        == data["settings"]
    )
    assert data["seed"] == 11
    assert data["documents"] == ["plan.md"]
    assert [member["name"] for member in data["members"]] == ["sceptic", "historian"]
    assert data["messages"] <= 10


def test_a_panel_brings_its_defaults_and_flags_win(eda: Eda) -> None:
    """A panel that was tuned for round robin must not silently run on bids."""
    eda("debate", QUESTION, "--panel", "red-team", "--session", "one", "--quiet")
    eda("debate", QUESTION, "--panel", "red-team", "--session", "two", "--quiet", "--max-messages", "11")
    one, two = (json.loads(eda("show", name, "--json").stdout)["settings"] for name in ("one", "two"))
    assert (one["floor"], one["max_messages"]) == ("round-robin", 25)
    assert (two["floor"], two["max_messages"]) == ("round-robin", 11)


def test_two_files_of_one_name_are_told_apart(eda: Eda) -> None:
    """Both would be cited as `plan.md`, and no reader could look it up."""
    for folder in ("old", "new", "newest"):
        Path(folder).mkdir()
        Path(folder, "plan.md").write_text(f"The {folder} plan costs 3 sprints.\n")
    files = ("--context", "old/plan.md", "--context", "new/plan.md", "--context", "newest/plan.md")
    debated(eda, "one", "--quiet", *files)
    data = json.loads(eda("show", "one", "--json").stdout)
    assert data["documents"] == ["plan.md", "plan (2).md", "plan (3).md"]
    assert "plan (2).md" in eda("show", "one", "--prompt", data["members"][0]["title"]).stdout


def test_a_copied_session_goes_by_its_folders_name(eda: Eda) -> None:
    """Two rows of one name, and `eda resume` of the one seen would go on with the other."""
    debated(eda, "one", "--quiet")
    shutil.copytree("sessions/one", "sessions/two")
    listed = json.loads(eda("sessions", "--json").stdout)["sessions"]
    assert sorted(row["session"] for row in listed) == ["one", "two"]
    assert json.loads(eda("show", "two", "--json").stdout)["session"] == "two"
    assert "two ·" in eda("show", "two").stdout
    assert "saved: two" in eda("resume", "two", "--max-messages", "14").stdout


def test_what_to_type_names_the_folder(eda: Eda) -> None:
    """`eda show one`, typed as told, would find nothing."""
    where = ("--sessions", "my talks")
    done = debated(eda, "one", *where)
    assert "read it: eda show one --sessions 'my talks'\n" in done.stdout
    assert "go on: eda resume one --sessions 'my talks' --max-messages" in done.stdout
    assert "eda resume one --sessions 'my talks'" in eda("debate", "Q?", "--session", "one", *where, code=2).stderr


def test_one_seed_one_debate(eda: Eda) -> None:
    """A finding that nobody can run again is an anecdote."""
    shown = []
    for name in ("one", "two"):
        debated(eda, name, "--seed", "3", "--quiet")
        data = json.loads(eda("show", name, "--json").stdout)
        timed = (data[key] for key in ("transcript", "decisions", "proposals"))
        shown.append([data["verdict"], *([{**row, "at": None} for row in rows] for rows in timed)])
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("option", "low", "high"),
    [("--budget-tokens", "9000", "900000"), ("--budget-time", "0.000001", "600"), ("--budget", "0.001", "50")],
)
def test_a_spent_budget_can_be_raised(
    eda: Eda, monkeypatch: pytest.MonkeyPatch, option: str, low: str, high: str
) -> None:
    """A debate that ran out of tokens could only be given more messages, of which it had enough."""
    free = SimulatedRunner.run

    async def dear(*args: Any) -> Reply:
        return replace(await free(*args), usage=Usage(900, 100, cost=0.01))

    monkeypatch.setattr(SimulatedRunner, "run", dear)
    done = debated(eda, "two", option, low, code=1 if option == "--budget" else 0)  # there nobody spoke or voted
    advised = re.search(r"go on: eda resume two (\S+) (\S+)\n", done.stdout)
    assert advised is not None
    assert advised[1] == option
    assert float(advised[2]) > float(low)
    before = json.loads(eda("show", "two", "--json").stdout)["messages"]
    eda("resume", "two", option, high, "--quiet")
    data = json.loads(eda("show", "two", "--json").stdout)
    assert data["messages"] > before
    assert float(high) in data["settings"].values()


def test_resume_goes_on_with_the_numbering(eda: Eda) -> None:
    """A session taken up again that starts from m1 has forgotten what it was about."""
    debated(eda)
    ended = eda("resume", "one", code=2)
    assert "max-messages" in ended.stderr
    again = eda("resume", "one", "--max-messages", "12")
    assert "resumed: after m9" in again.stdout
    assert "m10 " in again.stdout
    assert "m1 " not in again.stdout
    shown = json.loads(eda("show", "one", "--json").stdout)
    assert [message["number"] for message in shown["transcript"]] == list(range(1, shown["messages"] + 1))
    assert shown["round"] == 2


def test_sessions_and_show_and_context(eda: Eda) -> None:
    """What was saved last week must be found, read and understood."""
    assert "no sessions" in eda("sessions").stdout
    debated(eda, "one", "--quiet")
    row = eda("sessions").stdout.split("\t")
    assert row[0] == "one"
    assert (row[2], row[6]) == ("ended", "9")
    listed = json.loads(eda("sessions", "--json").stdout)["sessions"]
    assert listed[0]["question"] == QUESTION
    shown = eda("show", "one").stdout
    for heading in (QUESTION, "Transcript", "Positions", "Verdict", "m9"):
        assert heading in shown
    members = json.loads(eda("show", "one", "--json").stdout)["members"]
    prompt = eda("show", "one", "--prompt", members[0]["title"]).stdout
    assert QUESTION in prompt
    data = json.loads(eda("show", "one", "--prompt", members[0]["title"], "--json").stdout)
    assert data["text"].strip() == prompt.strip()


def test_an_unreadable_session_does_not_hide_the_rest(eda: Eda) -> None:
    """One damaged log must not cost the list of all others; and nothing of it is changed by looking."""
    debated(eda, "good", "--quiet")
    debated(eda, "bad", "--quiet")
    log = Path("sessions/bad/events.jsonl")
    lines = log.read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:4], lines[4].replace(b'"seq"', b'"sqe"'), *lines[5:]])
    log.write_bytes(damaged)
    listed = eda("sessions").stdout
    assert "good" in listed
    assert "unreadable" in listed
    for command in (("show", "bad"), ("resume", "bad"), ("show", "bad", "--notes")):
        assert "line 5" in eda(*command, code=1).stderr
    assert log.read_bytes() == damaged


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["debate", ""], "the question is empty"),
        (["debate", " \t\n"], "the question is empty"),
        (["debate"], "QUESTION"),
        (["debate", "Q?", "--panel", "product-decison"], "Did you mean product-decision"),
        (["debate", "Q?", "--persona", "sceptik", "--persona", "historian"], "Did you mean sceptic"),
        (["debate", "Q?", "--persona", "sceptic"], "two members"),
        (["debate", "Q?", "--persona", "sceptic", "--persona", "sceptic"], "twice"),
        (["debate", "Q?", "--persona", "sceptic", "--panel", "red-team"], "--panel and --persona"),
        (["debate", "Q?", "--runner", "simulatd"], "Did you mean simulated"),
        (["debate", "Q?", "--runner", "recorded:nothing.jsonl"], "nothing.jsonl"),
        (["debate", "Q?", "--runner", "recorded"], "recorded:FILE"),
        (["debate", "Q?", "--session", "../../etc/passwd"], "is not a valid session name"),
        (["debate", "Q?", "--session", ""], "is not a valid session name"),
        (["debate", "Q?", "--context", "nothing.md"], "nothing.md"),
        (["debate", "Q?", "--context", "no\nsuch\rfile.md"], "no such file.md"),
        (["debate", "Q?", "--context", "binary.bin"], "binary"),
        (["debate", "Q?", "--context", "large.txt"], "1 MB"),
        (["debate", "Q?", "--context", "."], "folder"),
        (["debate", "Q?", "--option", "A", "--option", "A"], "twice"),
        (["debate", "Q?", "--max-messages", "0"], "at least 1"),
        (["debate", "Q?", "--max-messages", "many"], "not a whole number"),
        (["debate", "Q?", "--max-messages", "99999999999999999999"], "too large"),
        (["debate", "Q?", "--seed", "-1"], "at least 0"),
        (["debate", "Q?", "--budget", "nan"], "over 0"),
        (["debate", "Q?", "--budget-time", "inf"], "over 0"),
        (["debate", "Q?", "--floor", "auction"], "bidding"),
        (["debate", "Q?", "--json", "--quiet"], "--json and --quiet"),
        (["debate", "Q?", "--personas-dir", "nowhere"], "no such folder"),
        (["serve", "--panels-dir", "nowhere"], "no such folder"),
        (["debate", "Q?", "--colour"], "--colour"),
        (["resume", "nothing-here"], "unknown session"),
        (["resume", "one/two"], "unknown session"),
        (["show", "nothing-here"], "unknown session"),
        (["show", "Nothing Here"], "is not a valid session name"),
        (["edit", "../x", "--note", "x"], "unknown session"),
        (["import", "--minutes", "nothing.jsonl"], "nothing.jsonl"),
        (["import"], "FILE"),
        (["list", "personas", "sceptik"], "Did you mean sceptic"),
        (["debat"], "Did you mean debate"),
        (["debate", "Q?", "--runner", "local:"], "local:http://127.0.0.1:8080"),
        (["debate", "Q?", "--runner", "ftp://host"], "local:http://127.0.0.1:8080"),
        (["debate", "Q?", "--runner", "http://127.0.0.1:8080"], "local:http://127.0.0.1:8080"),
        (["debate", "Q?", "--runner", "ollama:"], "ollama:MODEL"),
        (["decisions", "one", "--revisit", "soonish"], "tomorrow, next week, next month"),
        (["serve", "--host", "nowhere.invalid"], "127.0.0.1 is this machine"),
        (["delete", "example", "--yes"], "eda fork example"),
        (["stress", "example"], "eda fork example"),
        (["resume", "example-list"], "eda fork example-list"),
        (["decisions", "example", "--owner", "Ana"], "comes with EDA"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_typed_wrongly_is_said_and_nothing_is_made(eda: Eda, args: list[str], says: str) -> None:
    """A typo must cost a line on the screen: not a stack trace, not half a session, not a called model."""
    Path("binary.bin").write_bytes(b"\x00\x01\x02" * 50)
    Path("large.txt").write_bytes(b"word " * 250_000)
    done = eda(*args, code=2)
    assert says in done.stderr
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.strip().splitlines()) <= 2
    assert done.stdout == ""
    assert not Path("sessions").exists()


def test_near_names_of_sessions_and_agents(eda: Eda) -> None:
    """Nobody remembers the whole name that a session gave itself."""
    debated(eda, "billing", "--quiet")
    assert "Did you mean billing" in eda("show", "biling", code=2).stderr
    assert "unknown member" in eda("show", "billing", "--prompt", "Nobody", code=2).stderr
    assert json.loads(eda("ask", "billing", "engineer", "Why?", "--json").stdout)["member"] == "Maya"
    assert eda("show", "billing", "--prompt", "engineer").stdout == eda("show", "billing", "--prompt", "Maya").stdout
    before = Path("sessions/billing/events.jsonl").read_bytes()
    assert "already" in eda("debate", "Q?", "--session", "billing", code=2).stderr
    assert Path("sessions/billing/events.jsonl").read_bytes() == before


def test_without_a_key_anthropic_says_how_to_get_one(eda: Eda) -> None:
    """The commonest mistake of the first minute; it must not leave an empty session behind."""
    done = eda("debate", "Q?", "--runner", "anthropic", code=1)
    assert "ANTHROPIC_API_KEY" in done.stderr
    assert not Path("sessions").exists() or not list(Path("sessions").glob("*/events.jsonl"))


def test_a_session_that_is_being_written_is_left_alone(eda: Eda) -> None:
    """Two writers would tear the log of both."""
    debated(eda, "one", "--quiet")
    with Session.open("one"):
        assert "another process" in eda("resume", "one", "--max-messages", "20", code=1).stderr
        assert QUESTION in eda("show", "one").stdout


def test_a_folder_of_claude_code_agents_sits_as_it_is(eda: Eda) -> None:
    """People have folders full of agents; what `model:` does, and does not, is said where it matters."""
    folder = Path("agents")
    folder.mkdir()
    for name, model in (("code-reviewer", "opus"), ("doc-writer", "inherit")):
        text = f"---\nname: {name}\ndescription: Use for {name}.\nmodel: {model}\ntools: Read\n---\nYou are a {name}.\n"
        (folder / f"{name}.md").write_text(text)
    listed = eda("list", "personas", "--personas-dir", "agents")
    assert "code-reviewer" in listed.stdout
    assert "only runners of language models" in listed.stderr
    shown = eda("list", "personas", "code-reviewer", "--personas-dir", "agents")
    assert "opus" in shown.stdout
    assert "only runners of language models" in shown.stderr
    names = ("--persona", "code-reviewer", "--persona", "doc-writer", "--personas-dir", "agents")
    said = eda("debate", "Merge it?", *names, "--max-messages", "6", "--quiet").stderr
    assert "Code reviewer (opus)" in said
    assert "Doc Writer" not in said


def test_a_broken_persona_is_named_and_hides_nobody(eda: Eda) -> None:
    """One bad file in a folder of forty must be found by its line, and the other thirty-nine stay usable."""
    Path("mine").mkdir()
    Path("mine/broken.md").write_text("---\nname: Not A Slug\ndescription: x\n---\nYou.\n")
    done = eda("list", "personas", "--personas-dir", "mine")
    assert "sceptic" in done.stdout
    assert "broken.md, line 2" in done.stderr
    assert "broken.md, line 2" in eda("debate", "Q?", "--personas-dir", "mine", code=2).stderr


def test_personas_and_panels_are_shown(eda: Eda) -> None:
    """Whoever picks a panel must see who they are before paying for their talk."""
    assert "sceptic" in eda("list", "personas").stdout
    assert "product-decision" in eda("list", "panels").stdout
    every = json.loads(eda("list", "--json").stdout)
    assert {"formats", "personas", "panels", "rules", "transcripts", "models"} <= every.keys()
    assert json.loads(eda("list", "rules", "--json").stdout).keys() == set(every["rules"])
    assert "moved by" in eda("list", "personas", "sceptic").stdout
    assert "round-robin" in eda("list", "personas", "red-team").stdout


ROWS = [
    {"id": "a1", "conv": "c1", "speaker": "Maya", "text": "I propose that we use Postgres."},
    {"id": "a2", "conv": "c1", "speaker": "Ben", "text": "I agree with Maya's proposal."},
    {"id": "b1", "conv": "c2", "speaker": "Cleo", "text": "Hello [/bold] \x1b[31mthere."},
]


def test_analyze_prints_an_object_a_conversation(eda: Eda) -> None:
    """A researcher reads the findings with a script, by the ids of their own file."""
    Path("talk.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    reports = [json.loads(line) for line in eda("import", "--minutes", "talk.jsonl", "--json").stdout.splitlines()]
    assert [report["conv"] for report in reports] == ["c1", "c2"]
    assert reports[0]["passages"][0]["message_id"] == "a1"
    assert {"decisions", "proposals", "agents", "summaries", "messages"} <= set(reports[0])
    text = eda("import", "--minutes", "talk.jsonl").stdout
    assert text.startswith("c1: 2 messages, 2 speakers")
    assert "proposal" in text


def test_a_bad_row_is_named_and_can_be_skipped(eda: Eda) -> None:
    """In a file of ten thousand rows, "invalid JSON" without a line is no help."""
    rows = [json.dumps(ROWS[0]), "no json", json.dumps({"speaker": "Ben"}), json.dumps(ROWS[1])]
    Path("talk.jsonl").write_text("\n".join(rows))
    refused = eda("import", "--minutes", "talk.jsonl", "--json", code=2)
    assert "talk.jsonl, line 2" in refused.stderr
    assert refused.stdout == ""
    went_on = eda("import", "--minutes", "talk.jsonl", "--json", "--skip-bad")
    assert json.loads(went_on.stdout)["messages"] == 2
    assert "skipped 2 bad rows" in went_on.stderr


def test_bare_version_and_help(eda: Eda) -> None:
    """Somebody who types `eda` must see what it can do."""
    assert "Commands" in eda().stdout
    assert eda("--version").stdout.startswith("eda 0.")
    assert "--personas-dir" not in eda("debate", "--help").stdout
    for every in (("debate", "--help-all"), ("help", "debate", "--all")):
        assert "--personas-dir" in eda(*every).stdout
    assert "redact" not in eda("--help").stdout
    assert "redact" in eda("help", "--all").stdout
    assert eda("help").stdout == eda("--help").stdout
