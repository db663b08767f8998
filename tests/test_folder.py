"""The folder of sessions as a log of decisions: listed, filtered, renamed, put away, carried away, asked in SQL."""

from __future__ import annotations

import csv
import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from in_turn import each_other
from served import get, serving

from eda.bus import MessageBus
from eda.cli import cli
from eda.errors import EdaError, SessionBusyError, SessionExistsError, UnknownNameError
from eda.events import MessagePosted, SessionEnded, SessionPaused, SessionResumed, SessionStarted, VerdictReached
from eda.panels import files
from eda.report import overview
from eda.session import Session, names
from eda.session.folders import archive, delete, rename, unpack
from eda.session.names import session_names

EXAMPLE = Path(__file__).parent.parent / "sessions" / "example"


@pytest.fixture
def sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EDA_SESSIONS", str(tmp_path / "sessions"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "sessions"


def eda(*args: object, code: int = 0, **more: object) -> Result:
    done = CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False, **more)
    assert done.exit_code == code, done.output
    return done


def decided(name: str, question: str = "Ship it?", outcome: object = "Yes", cost: float = 0.0) -> None:
    with Session.create(name) as session:
        bus = MessageBus(session.log)
        bus.publish(SessionStarted(session=name, question=question))
        bus.publish(MessagePosted(number=1, who="Ada", text="Let us."))
        if outcome != "":
            bus.publish(VerdictReached(rule="majority", outcome=outcome, tally={}, margin=2))
            bus.publish(SessionEnded(reason="messages"))


def listed(*args: object) -> list[str]:
    return [row["session"] for row in json.loads(eda("sessions", "--json", *args).stdout)["sessions"]]


# The list


def test_the_list_says_what_was_decided(sessions: Path) -> None:
    """After a year nobody knows which of two hundred sessions decided what."""
    decided("one")
    decided("many", outcome=("Buy a van", "Hire Jo"))
    decided("none", outcome=None)
    decided("open", outcome="")
    rows = {row.split("\t")[0]: row.split("\t") for row in eda("sessions").stdout.splitlines()}
    assert {name: (row[2], row[3], row[4]) for name, row in rows.items()} == {
        "one": ("ended", "Yes", "2"),
        "many": ("ended", "Buy a van; Hire Jo", "2"),
        "none": ("ended", "none", "2"),
        "open": ("unfinished", "", ""),
    }


def test_the_list_is_sorted_and_filtered(sessions: Path) -> None:
    """A list of a thousand rows is none."""
    decided("b", question="Shall we buy a van?")
    decided("a", question="Shall we hire Jo?", outcome=("Yes, in May",))
    decided("c", outcome="")
    assert listed() == ["c", "a", "b"]
    assert listed("VAN") == ["b"]
    assert listed("shall", "may") == ["a"]
    assert listed("--state", "unfinished") == ["c"]
    assert listed("--since", "2020-01-01", "--until", "2020-12-31") == []
    assert len(listed("--since", "2020-01-01")) == 3
    assert "none of the 3 sessions" in eda("sessions", "submarine").stdout
    assert "these are: 2026-11-20, " in eda("sessions", "--since", "monday", code=2).stderr


def test_the_list_is_of_the_logs_as_they_are(sessions: Path) -> None:
    """A record that is older than its log would show yesterday's state, and a copy the name of another session."""
    decided("a", outcome="")
    assert [row["state"] for row in json.loads(eda("sessions", "--json").stdout)["sessions"]] == ["unfinished"]
    assert (sessions / "a" / "overview.json").is_file()
    with Session.open("a") as session:
        MessageBus(session.log).publish(SessionEnded(reason="messages"))
    assert listed("--state", "ended") == ["a"]
    shutil.copytree(sessions / "a", sessions / "b", copy_function=shutil.copy2)
    assert sorted(listed()) == ["a", "b"]
    for content in (b"", b"[]", b'{"made_from": 1}', b"\xff"):
        (sessions / "a" / "overview.json").write_bytes(content)
        assert sorted(listed("--state", "ended")) == ["a", "b"]
    (sessions / "a" / "events.jsonl").write_bytes(b"x\n" + (sessions / "a" / "events.jsonl").read_bytes())
    assert listed("--state", "unreadable") == ["a"]


def test_two_forks_look_different(sessions: Path) -> None:
    """They have one question, one panel and one origin: what was altered is all that tells them apart."""
    ask = ("debate", "Shall we buy a van?", "--runner", "simulated", "--max-messages", 8, "--quiet", "--session", "van")
    eda(*ask)
    for name, rule in (("one", "unanimity"), ("two", "approval")):
        eda("fork", "van", "--at", "m3", "--change", f"rule:{rule}", "--session", name)
    told = {row.split("\t")[0]: row for row in eda("sessions").stdout.splitlines()}
    assert "van at m3 (rule:unanimity)" in told["one"]
    assert "van at m3 (rule:approval)" in told["two"]
    with serving(sessions) as url:
        page = get(url).text
    assert "van at m3 (rule:unanimity)" in page
    assert "van at m3 (rule:approval)" in page
    assert "No model took part; nothing was decided" in page
    assert '">Decided</span>' not in page, "one row would say both"


def test_a_debate_that_waits_in_its_process_is_paused(sessions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is waited for looks at a list that says Live, and goes on waiting."""
    decided("a", outcome="")
    (sessions / "a" / names.SOCKET_FILE).touch()
    monkeypatch.setattr(overview, "_running", lambda _: True)
    assert overview.overview(sessions / "a")["state"] == "running"
    for fact, state in ((SessionPaused(reason="person", by="Ada"), "paused"), (SessionResumed(), "running")):
        with Session.open("a") as session:
            MessageBus(session.log).publish(fact)
        assert overview.overview(sessions / "a")["state"] == state


def test_a_second_list_reads_no_log(sessions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand sessions took six seconds each time; and imports that a list does not need took half of the rest."""
    for number in range(5):
        decided(f"s{number}")
    before = eda("sessions").stdout
    monkeypatch.delenv("EDA_RUNNER", raising=False)  # to read a configuration takes as long as the list
    code = "import sys; from eda.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
    code += "sys.stderr.write(str({'eda.events', 'eda.memory', 'eda.session.store'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code, "sessions"], capture_output=True, check=True, text=True)
    assert (done.stdout, done.stderr) == (before, "set()")


def test_to_show_a_session_loads_no_debate_and_reads_no_pattern(
    sessions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who reads what was decided would wait for what holds debates, and for patterns of talk that nobody looks for."""
    decided("s")
    monkeypatch.delenv("EDA_RUNNER", raising=False)  # to read a configuration loads the runners
    code = "import sys; from eda.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
    code += "from eda.memory.patterns import default_pack\nread = 'patterns' in vars(default_pack())\n"
    code += "unused = {'asyncio', 'eda.debate.driver', 'eda.debate.asking', 'eda.debate.arms', "
    code += "'eda.debate.control.socket', 'eda.cli.tally'}\n"
    code += "sys.stderr.write(str((unused & set(sys.modules), read)))"
    done = subprocess.run([sys.executable, "-c", code, "show", "s"], capture_output=True, check=True, text=True)
    assert (done.stdout, done.stderr) == (eda("show", "s").stdout, "(set(), False)")


# Names and places


def test_a_session_is_renamed_put_away_and_brought_back(sessions: Path) -> None:
    """Without it somebody moves folders by hand while a debate writes into them."""
    decided("a")
    assert "a is b now" in eda("rename", "a", "b").stdout
    assert session_names(sessions) == ["b"]
    assert "eda show b --sessions" in eda("archive", "b").stdout
    assert listed() == []
    assert listed("--archived") == ["b"]
    assert eda("archive", "b", "--back").stdout == "b is back\n"
    assert listed() == ["b"]
    assert "unknown session 'c'" in eda("rename", "c", "d", code=2).stderr
    assert "not a valid session name" in eda("rename", "b", "../x", code=2).stderr


def test_nothing_is_moved_over_another_session(sessions: Path) -> None:
    """A rename to a name that is taken would lose the session that has it."""
    decided("a")
    decided("b")
    with pytest.raises(SessionExistsError):
        rename("a", "b")
    archive("a")
    decided("a")
    with pytest.raises(SessionExistsError):
        archive("a")
    with pytest.raises(SessionExistsError):
        archive("a", back=True)
    assert session_names(sessions) == ["a", "b"]


def test_a_session_that_is_written_stays_where_it_is(sessions: Path) -> None:
    """A running debate would lose its folder under its feet."""
    decided("a")
    with Session.open("a"):
        for act in (lambda: rename("a", "b"), lambda: archive("a"), lambda: delete("a")):
            with pytest.raises(SessionBusyError):
                act()
    assert session_names(sessions) == ["a"]


def test_a_session_is_deleted_once_somebody_says_so(sessions: Path) -> None:
    """A slip of the finger must not cost a debate; and a damaged one must go away too."""
    decided("a")
    assert "add --yes" in eda("delete", "a", code=2).stderr.lower()
    assert session_names(sessions) == ["a"]
    (sessions / "a" / "events.jsonl").write_bytes(b"damaged\ndamaged\n")
    assert eda("delete", "a", "--yes").stdout == "deleted a\n"
    assert not (sessions / "a").exists()
    with pytest.raises(UnknownNameError):
        delete("a")


def test_what_was_put_away_is_not_unknown(sessions: Path) -> None:
    """Who archived a session last month read that there never was one."""
    decided("a")
    eda("archive", "a")
    told = eda("show", "a", code=2).stderr
    assert "was put away" in told
    assert "eda archive a --back" in told
    typed = f"eda show a --sessions {sessions / '.archive'}"
    assert typed in told
    assert "a · ended" in eda(*typed.split()[1:]).stdout
    eda("archive", "--back", "a")
    assert "the name that it has" in eda("rename", "a", "a", code=2).stderr


def test_a_file_is_no_folder_of_sessions(sessions: Path) -> None:
    """`Check that you may read and write there` sent people to their rights."""
    (sessions.parent / "file").touch()
    for command in (("sessions",), ("debate", "Now?", "--runner", "simulated"), ("show", "a"), ("decisions",)):
        told = eda(*command, "--sessions", "file", code=1).stderr
        assert "cannot be read as a folder of sessions" in told
        assert "Name another folder with --sessions" in told


def test_a_path_is_shown_too(sessions: Path, tmp_path: Path) -> None:
    """A session that a colleague sent lies in no folder of sessions."""
    shutil.copytree(EXAMPLE, tmp_path / "sent" / "one")
    assert "one · ended" in eda("show", "./sent/one").stdout
    assert "unknown session 'sent/none'" in eda("show", "sent/none", code=2).stderr


@pytest.mark.parametrize(
    "command",
    each_other(
        [
            "show ID --tally",
            "report ID",
            "report ID --html",
            "verify ID",
            "seal ID",
            "diff ID ID",
            "stress ID --plan",
            "recall ID boat",
            "fork ID",
            "edit ID --note Hello",
            "steer ID --set max_messages=40",
            "resume ID --max-messages 1",
            "vote ID",
            "ask ID Ada Why?",
            "redact ID --names",
            "rename ID two",
            "archive ID",
            "delete ID --yes",
            "export ID",
        ],
        of=3,
    ),
)
def test_every_command_takes_the_path_of_a_session_for_its_name(sessions: Path, tmp_path: Path, command: str) -> None:
    """`eda report ./sent/one` was refused as "not a valid session name", where `eda show ./sent/one` printed it."""
    told = []
    for place in ("one", "./sent/one"):
        shutil.rmtree(tmp_path / "sent", ignore_errors=True)
        shutil.rmtree(sessions, ignore_errors=True)
        (tmp_path / "one.eda").unlink(missing_ok=True)
        shutil.copytree(EXAMPLE, tmp_path / "sent" / "one")
        shutil.copytree(EXAMPLE, sessions / "one")
        words = [place if word == "ID" else word for word in command.split()]
        done = CliRunner().invoke(cli, words, catch_exceptions=False)
        assert "session name" not in done.output
        assert "unknown session" not in done.output
        at, other = (sessions, tmp_path / "sent") if place == "one" else (tmp_path / "sent", sessions)
        assert (other / "one" / names.LOG_FILE).read_bytes() == (EXAMPLE / names.LOG_FILE).read_bytes()
        told.append((done.exit_code, sorted(path.name for path in at.glob("*"))[:1]))
    assert told[0] == told[1]


def test_a_path_put_away_comes_back_by_its_path(sessions: Path, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "sent" / "one")
    assert json.loads(eda("archive", "./sent/one", "--json").stdout)["sessions"] == ["one"]
    assert (tmp_path / "sent" / ".archive" / "one").is_dir()
    eda("archive", "./sent/one", "--back")
    assert (tmp_path / "sent" / "one").is_dir()


def test_within_the_folder_of_a_session_a_dot_names_it(
    sessions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`eda steer . --json` named the session "", `eda rename . two` said " is two now", and `eda archive .` failed."""
    one = tmp_path / "sent" / "one"
    shutil.copytree(EXAMPLE, one)
    monkeypatch.chdir(one)
    assert json.loads(eda("steer", ".", "--set", "max_messages=40", "--json").stdout)["session"] == "one"
    assert json.loads(eda("edit", "..//one/.", "--note", "Hello", "--json").stdout)["session"] == "one"
    assert eda("rename", "./", "two").stdout.startswith("one is two ")
    monkeypatch.chdir(tmp_path / "sent" / "two")
    assert json.loads(eda("archive", ".", "--json").stdout)["sessions"] == ["two"]


@pytest.mark.parametrize("change", [("--note", "Hello"), ("p2.0", "--strike")])
def test_what_shows_an_edited_session_names_the_one_that_was_edited(
    sessions: Path, tmp_path: Path, change: tuple[str, ...]
) -> None:
    """`eda edit ./sent/one` told to see `eda show one`, which is another session, or none."""
    shutil.copytree(EXAMPLE, tmp_path / "sent" / "one")
    told = eda("edit", "./sent/one", *change).stderr.splitlines()[0]
    assert "eda show one --sessions sent" in told


def test_the_example_is_there_wherever_eda_is_installed(
    sessions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first command of the README would fail for everybody who has no copy of the source."""
    for name in names.EXAMPLES:
        assert f"{name} · ended" in eda("show", name).stdout
    package = tmp_path / "site-packages" / "eda"
    shutil.copytree(EXAMPLE, package / "example")
    monkeypatch.setattr(files, "__file__", str(package / "panels" / "files.py"))
    assert files.shipped("sessions/example") == package / "example"
    decided("example", question="Mine?")
    assert "Mine?" in eda("show", "example").stdout


# One file


def test_a_session_goes_elsewhere_in_one_file(sessions: Path, tmp_path: Path) -> None:
    """A colleague asks for the debate; three of its five files would be forgotten."""
    shutil.copytree(EXAMPLE, sessions / "a")
    (sessions / "a" / "calls.jsonl").write_text("recorded\n")
    (sessions / "a" / "secret.txt").write_text("mine")
    with (sessions / "a" / "events.jsonl").open("ab") as log:
        log.write(b'{"seq":')  # a process was killed while it wrote
    assert "wrote a.eda" in eda("export", "a").stdout
    assert stat.S_IMODE((tmp_path / "a.eda").stat().st_mode) == 0o600 or sys.platform == "win32"
    first = (tmp_path / "a.eda").read_bytes()
    assert "a.eda exists already" in eda("export", "a", code=1).stderr
    eda("export", "a", "--to", "again.eda")
    assert (tmp_path / "again.eda").read_bytes() == first
    assert "'a' exists already" in eda("import", "a.eda", code=2).stderr
    assert "imported b" in eda("import", "a.eda", "--session", "b").stdout
    assert {path.name for path in (sessions / "b").iterdir()} == {
        "events.jsonl", "calls.jsonl", "report.md", "report.json",
    }  # fmt: skip
    for name in ("events.jsonl", "report.md"):
        assert (sessions / "b" / name).read_bytes() == (EXAMPLE / name).read_bytes()


def packed(path: Path, **contents: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in contents.items():
            file.writestr(name.replace("__", "."), content)
    return path


@pytest.mark.parametrize(
    "fault", ["no zip", "another zip", "a path", "changed", "cut", "newer", "no log", "a bad log", "bomb"]
)
def test_a_file_that_is_no_export_leaves_nothing(sessions: Path, tmp_path: Path, fault: str) -> None:
    """Half a session would be listed, or a file be written outside the folder."""
    shutil.copytree(EXAMPLE, sessions / "a")
    eda("export", "a")
    with zipfile.ZipFile("a.eda") as good:
        contents = {name: good.read(name) for name in good.namelist()}
    manifest = json.loads(contents["manifest.json"])
    match fault:
        case "no zip":
            Path("a.eda").write_bytes(b"hello")
        case "cut":
            Path("a.eda").write_bytes(Path("a.eda").read_bytes()[:-9000])
        case "another zip":
            packed(Path("a.eda"), a__txt=b"hello")
        case _:
            if fault == "a path":
                contents["../../evil"] = b"x"
            if fault in ("changed", "a bad log"):
                contents["events.jsonl"] = contents["events.jsonl"].replace(b"a", b"b", 1)
            if fault == "newer":
                manifest["eda_export"] = 99
            if fault == "no log":
                del contents["events.jsonl"], manifest["sha256"]["events.jsonl"]
            if fault == "bomb":
                contents["calls.jsonl"] = bytes(60_000_000)
            if fault == "a bad log":
                import hashlib

                manifest["sha256"]["events.jsonl"] = hashlib.sha256(contents["events.jsonl"]).hexdigest()
            contents["manifest.json"] = json.dumps(manifest).encode()
            packed(Path("a.eda"), **contents)
    with pytest.raises(EdaError) as caught:
        unpack(Path("a.eda"), "b")
    assert caught.value.hint
    assert ("unpacks to more than" in str(caught.value)) == (fault == "bomb")
    assert session_names(sessions) == ["a"]
    assert sorted(path.name for path in sessions.iterdir()) == ["a"]
    assert not list(tmp_path.parent.glob("evil"))


# Tables


def test_sessions_are_tables(sessions: Path, tmp_path: Path) -> None:
    """Whoever compares a hundred debates would write a parser first."""
    shutil.copytree(EXAMPLE, sessions / "a")
    decided("b", outcome=("Buy a van", "Hire Jo"))
    (sessions / "bad").mkdir()
    (sessions / "bad" / "events.jsonl").write_bytes(b"damaged\ndamaged\n")
    done = eda("export", "--tables", "all")
    assert "wrote 2 sessions" in done.stdout
    assert "left out:" in done.stderr
    tables = {
        path.stem: [*csv.DictReader(path.read_text().splitlines(keepends=True))] for path in Path("all").iterdir()
    }
    assert tables.keys() == {"messages", "ballots", "stances", "calls"}
    with Session.read("a") as session:
        said = [event for event in session.events() if isinstance(event, MessagePosted)]
        frames = session.frames()
    assert [row["text"] for row in tables["messages"] if row["session"] == "a"] == [event.text for event in said]
    assert len([row for row in tables["calls"] if row["session"] == "a"]) == len(frames["calls"])
    assert len({row["agent"] for row in tables["ballots"]}) == 5
    assert all(isinstance(json.loads(row["ranking"]), list) for row in tables["ballots"])
    assert {row["asked"] for row in tables["stances"] if row["session"] == "a"} == {"first ballot", "ballot"}
    assert "all exists already" in eda("export", "--tables", "all", code=1).stderr
    eda("export", "b", "--tables", "one")
    assert "say which session" in eda("export", code=2).stderr


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="needs a disk that is full")
def test_an_export_that_does_not_fit_leaves_nothing(sessions: Path, tmp_path: Path) -> None:
    """Half an export would be sent to somebody."""
    import started

    shutil.copytree(EXAMPLE, sessions / "a")
    code = (
        "import resource, signal, sys; sys.dont_write_bytecode = True; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    )
    code += "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)); from eda.cli import main; main()"
    for args in (("export", "a"), ("export", "--tables", "tables")):
        done = started.ran(*args, script=code)
        assert done.returncode == 1, done.stderr
        assert b"cannot be" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sessions"]


def test_the_example_has_a_report_where_there_is_no_copy_of_it(sessions: Path) -> None:
    """README names the example's report; who has no folder of sessions was told that there is no session."""
    assert "## Verdict" in eda("report", "example").stdout
    assert "example-2 comes from example" in eda("fork", "example").stdout


def test_a_list_of_sessions_leads_with_the_titles_of_what_was_decided() -> None:
    """The first words of a long text stood there, and its author's title nowhere."""
    done = CliRunner().invoke(cli, ["sessions", "--sessions", str(Path(__file__).parents[1] / "sessions")])
    rows = {row[0]: row[3] for row in (line.split("\t") for line in done.stdout.splitlines())}
    assert rows["example"] == "Gate in week six"
    assert rows["example-list"].startswith(
        "A list for the machines; One bench for every height; Quiet hours for the saw; "
    )
