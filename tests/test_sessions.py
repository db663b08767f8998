"""Sessions: a plain name, a folder, one writer; what goes wrong is said in a sentence and leaves nothing half made."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

from eda import Debate
from eda.bus import MessageBus
from eda.errors import (
    LogDamagedError,
    SessionBusyError,
    SessionError,
    SessionExistsError,
    SessionNameError,
    UnknownNameError,
    UsageError,
)
from eda.events import ModeratorSpoke, SessionStarted
from eda.session import Session
from eda.session.names import as_typed, free_name, session_names, sessions_folder
from eda.session.schema import stamped

ROOT = Path(__file__).parent.parent
UNSAFE = [
    "", ".", "..", "../x", "a/b", "a\\b", "/etc", "C:x", "a..b", ".hidden", "-rf", "_x", "Upper", "a.", "a b", "a\n",
    "a\0", "con", "nul.txt", "com1", "lpt0.a.b", "x" * 81, "naïve", "a*", "~", "%2e%2e",
]  # fmt: skip


@pytest.fixture
def sessions(tmp_path):
    return tmp_path / "sessions"


def begun(name, sessions, question="Ship it?"):
    with Session.create(name, sessions) as session:
        MessageBus(session.log).publish(SessionStarted(session=name, question=question))
    return sessions / name


# Names


@pytest.mark.parametrize("name", UNSAFE)
def test_an_unsafe_name_is_refused_before_the_disk_is_touched(sessions, name):
    """A session called `../../home` would write, or read, outside the sessions folder."""
    for act in (Session.create, Session.open, Session.read):
        with pytest.raises(SessionNameError) as caught:
            act(name, sessions)
        assert caught.value.exit_code == 2
        assert caught.value.hint
    assert not sessions.exists()


@pytest.mark.parametrize("name", ["a", "0", "x" * 80, "a.b-c_D9", "console", "com10", "auxiliary.v2"])
def test_a_plain_name_is_taken(sessions, name):
    """Somebody's naming scheme with dates and dots should just work."""
    assert begun(name, sessions).is_dir()
    assert session_names(sessions) == [name]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Should we migrate?", "should-we-migrate"),
        ("Straße, Café & Ärger!", "strasse-cafe-arger"),
        ("Don't we   own this", "dont-we-own-this"),
        ("Should the platform team adopt a monorepo for everything?", "should-the-platform-team-adopt-a"),
        ("x" * 90, "x" * 40),
        ("我们应该吗?", "session"),
        ("../../etc", "etc"),
        ("con", "session"),
        ("", "session"),
    ],
)
def test_a_name_is_made_from_the_question(sessions, question, name):
    """Names from a clock would make two equal runs differ, and say nothing in a list."""
    assert free_name(question, sessions) == name
    begun(name, sessions)
    assert free_name(question, sessions) == f"{name}-2"
    (sessions / f"{name}-2").write_text("a file in the way")
    assert free_name(question, sessions) == f"{name}-3"
    begun(f"{name}-3", sessions)


def test_where_sessions_are_kept(monkeypatch, tmp_path):
    """A resume that looks in another folder than the debate wrote to finds nothing."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("EDA_SESSIONS")
    assert sessions_folder(None) == tmp_path / "data" / "eda" / "sessions"
    monkeypatch.setenv("EDA_SESSIONS", str(tmp_path / "env"))
    assert sessions_folder(None) == tmp_path / "env"
    assert sessions_folder(tmp_path / "given") == tmp_path / "given"
    begun("a", sessions_folder())
    with Session.read("a") as session:
        assert session.folder == tmp_path / "env" / "a"


def test_one_library_wherever_you_stand(eda, tmp_path, monkeypatch):
    """Last month's debate was lost with the folder it was made in."""
    monkeypatch.delenv("EDA_SESSIONS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    library = tmp_path / "data" / "eda" / "sessions"
    for name in ("here", "there/deep", "project"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    eda("debate", "Ship it?", "--runner", "simulated", "--session", "mine", "--max-messages", "6", "--quiet")
    assert session_names(library) == ["mine"]
    monkeypatch.chdir(tmp_path / "there" / "deep")
    assert "Ship it?" in eda("show", "mine").stdout
    assert eda("sessions").stdout.startswith("mine\t")
    with Session.read("mine") as session:
        assert session.typed == "mine"
    begun("ours", Path("sessions"))  # a folder of that name is never taken silently
    assert "ours" not in eda("sessions").stdout
    assert f"unknown session 'ours' in {library}" in eda("show", "ours", code=2).stderr
    assert "Did you mean mine?" in eda("show", "mime", code=2).stderr
    monkeypatch.chdir(tmp_path / "project")
    Path("eda.toml").write_text('sessions = "debates"\n')
    eda("debate", "Ship it?", "--runner", "simulated", "--session", "ours", "--max-messages", "6", "--quiet")
    assert session_names(Path("debates")) == ["ours"]
    assert session_names(library) == ["mine"]
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("none")))
    with pytest.raises(SessionError, match="no home"):
        sessions_folder()


def test_only_folders_with_a_log_are_sessions(sessions):
    """`eda sessions` must not stumble over notes that somebody keeps beside the sessions."""
    assert session_names(sessions) == []
    begun("b", sessions)
    begun("a", sessions)
    (sessions / "notes").mkdir()
    (sessions / "readme.md").write_text("mine")
    (sessions / ".trash").mkdir()
    assert session_names(sessions) == ["a", "b"]


# Create, open, read


def test_a_session_is_there_when_it_is_opened_again(sessions):
    """The reason that sessions are saved."""
    with Session.create("a", sessions) as session:
        bus = MessageBus(session.log)
        bus.publish(SessionStarted(session="a", question="Ship it?"))
        bus.publish(ModeratorSpoke(text="Begin."))
        assert (session.name, session.folder, session.log.repaired) == ("a", sessions / "a", None)
    session.close()
    with Session.open("a", sessions) as again:
        assert again.started().question == "Ship it?"
        assert [event.seq for event in again.events()] == [1, 2]
        assert [event.type for event in again.events(1)] == ["moderator_spoke"]
        (event,) = MessageBus(again.log).publish(ModeratorSpoke(text="Go on."))
        assert event.seq == 3


def test_a_path_is_the_sessions_own_folder(sessions, monkeypatch):
    """In Python people hold paths; a session that was moved elsewhere must open too."""
    folder = begun("a", sessions)
    moved = folder.rename(sessions.parent / "Moved Session")
    with Session.open(moved) as session:
        assert session.name == "Moved Session"
    monkeypatch.chdir(moved)
    with Session.read(Path()) as session:
        assert session.name == "Moved Session"
    with pytest.raises(UnknownNameError, match="Gone"):
        Session.read(sessions.parent / "Gone")


def test_a_name_that_is_taken_is_refused(sessions):
    """Starting over in the same folder would write two debates into one log."""
    folder = begun("a", sessions)
    content = (folder / "events.jsonl").read_bytes()
    with pytest.raises(SessionExistsError, match="'a'") as caught:
        Session.create("a", sessions)
    assert "eda resume a" in caught.value.hint
    assert (folder / "events.jsonl").read_bytes() == content
    (sessions / "mine").mkdir()
    (sessions / "mine" / "thesis.txt").write_text("years of work")
    (sessions / "file").write_text("a file")
    for name in ("mine", "file"):
        with pytest.raises(SessionExistsError, match="is not a session"):
            Session.create(name, sessions)
    assert (sessions / "mine" / "thesis.txt").read_text() == "years of work"


def test_a_folder_that_a_crash_left_empty_can_be_used(sessions):
    """A process killed between making the folder and its log would block the name for ever."""
    (sessions / "a").mkdir(parents=True)
    (sessions / "a" / ".lock").touch()
    assert begun("a", sessions).is_dir()


def test_an_unused_session_leaves_nothing(sessions):
    """After a disk that was full before the first word, the same command could not be given again."""
    with Session.create("a", sessions) as session:
        session.write_memory({"nothing": True})
    assert not (sessions / "a").exists()
    with Session.create("a", sessions):
        (sessions / "a" / "thesis.txt").write_text("years of work")
    assert [path.name for path in (sessions / "a").iterdir()] == ["thesis.txt"]
    begun("b", sessions)
    with Session.open("b", sessions):
        pass
    assert session_names(sessions) == ["b"]


def test_a_session_without_a_fact_can_be_made_again(sessions):
    """A process killed before the first fact leaves an empty log: it could neither be resumed nor made again."""
    (sessions / "a").mkdir(parents=True)
    for name in ("events.jsonl", ".lock", "memory.json"):
        (sessions / "a" / name).touch()
    with Session.open("a", sessions), pytest.raises(SessionBusyError):
        Session.create("a", sessions)
    begun("a", sessions)
    with Session.read("a", sessions) as session:
        assert session.started().question == "Ship it?"


def test_names_that_differ_in_case_only_are_one_name(sessions):
    """On a Mac or on Windows the second would be written into the first; a folder copied there would lose one."""
    begun("sAme", sessions)
    with pytest.raises(SessionExistsError, match="'sAme'") as caught:
        Session.create("same", sessions)
    assert caught.value.exit_code == 2
    assert session_names(sessions) == ["sAme"]
    assert free_name("Same?", sessions) == "same-2"


def test_a_copied_session_goes_by_its_folders_name(sessions):
    """A copy made to try something would be listed under the name of the original, and so resumed in its place."""
    shutil.copytree(begun("a", sessions), sessions / "b")
    for act in (Session.read, Session.open):
        with act("b", sessions) as session:
            assert session.started().session == "b"
            assert next(session.events()).session == "a"


def test_what_is_to_be_typed_names_the_folder_where_that_is_needed(monkeypatch, tmp_path):
    """`eda resume a`, typed as the hint says, would look in another folder and find nothing."""
    monkeypatch.chdir(tmp_path)
    assert as_typed(Path("sessions/a")) == "a"
    assert as_typed(Path("my talks/a")) == "a --sessions 'my talks'"
    begun("a", Path("my talks"))
    with pytest.raises(SessionExistsError) as caught:
        Session.create("a", Path("my talks"))
    assert "eda resume a --sessions 'my talks'" in caught.value.hint
    with Session.open("a", Path("my talks")), pytest.raises(SessionBusyError) as busy:
        Session.open("a", Path("my talks"))
    assert "eda show a --sessions 'my talks'" in busy.value.hint
    monkeypatch.setenv("EDA_SESSIONS", "my talks")
    assert as_typed(Path("my talks/a")) == "a"


def test_an_unknown_session_is_answered_with_the_nearest(sessions):
    """A typing error should cost seconds."""
    begun("monorepo", sessions)
    for act in (Session.open, Session.read):
        with pytest.raises(UnknownNameError, match="unknown session 'monrepo'") as caught:
            act("monrepo", sessions)
        assert "monorepo" in caught.value.hint
    assert session_names(sessions) == ["monorepo"]


def test_a_torn_tail_is_told(sessions):
    """Whoever resumes after a crash should know that the last word is missing."""
    folder = begun("a", sessions)
    with (folder / "events.jsonl").open("ab") as file:
        file.write(b'{"seq":2,')
    with Session.read("a", sessions) as reader:
        assert reader.log.repaired is None
        assert len(list(reader.events())) == 1
    with Session.open("a", sessions) as session:
        assert "dropped 9 bytes" in session.log.repaired


def test_a_damaged_session_is_not_left_locked(sessions):
    """After the file is restored from a copy, the session must open in the same program."""
    folder = begun("a", sessions)
    content = (folder / "events.jsonl").read_bytes()
    (folder / "events.jsonl").write_bytes(b"x" + content + content)
    with pytest.raises(LogDamagedError, match="line 1"):
        Session.open("a", sessions)
    (folder / "events.jsonl").write_bytes(content)
    Session.open("a", sessions).close()


def test_a_session_without_its_first_fact_says_so(sessions):
    """A resume of nothing must not run a debate about an empty question."""
    with Session.create("a", sessions) as session:
        with pytest.raises(SessionError, match="holds no facts") as caught:
            session.started()
        assert str(sessions / "a") in caught.value.hint
        session.log.append(stamped([ModeratorSpoke(text="x")], 0, datetime.now(UTC)), durable=False)
        assert session.started().kind == "transcript"
        with pytest.raises(UsageError, match="no panel sits"):
            Debate.resume(session)


def test_a_session_in_memory_has_no_folder(tmp_path, monkeypatch):
    """Ten lines in a notebook must not leave files behind."""
    monkeypatch.chdir(tmp_path)
    with Session.in_memory() as session:
        MessageBus(session.log).publish(SessionStarted(session=session.name))
        session.write_memory({"a": 1})
        assert session.read_memory() is None
        assert (session.folder, session.started().session) == (None, "memory")
    assert not [path for path in tmp_path.iterdir() if path.name != "config"]


# One writer

HOLDER = """
import sys
from pathlib import Path
from eda.session import Session
session = Session.open("a", Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_one_process_writes_until_it_is_gone(sessions):
    """Two terminals resuming one session would interleave two debates in one log; a crash must not block the third."""
    begun("a", sessions)
    command = [sys.executable, "-c", HOLDER, str(sessions)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(SessionBusyError, match="another process is writing the session 'a'"):
            Session.open("a", sessions)
        with pytest.raises(SessionExistsError):
            Session.create("a", sessions)
        with Session.read("a", sessions) as reader:
            assert reader.started().question == "Ship it?"
        holder.kill()
    Session.open("a", sessions).close()


def test_one_program_cannot_open_a_session_twice(sessions):
    """A notebook cell run twice is two writers in one process."""
    begun("a", sessions)
    with Session.open("a", sessions):
        with pytest.raises(SessionBusyError):
            Session.open("a", sessions)
        with Session.read("a", sessions):
            pass
    Session.open("a", sessions).close()


def test_reading_imports_no_lock(sessions):
    """`eda show` and `eda sessions` would be a tenth of a second slower for a lock that they never take."""
    begun("a", sessions)
    code = "import sys\nfrom pathlib import Path\nfrom eda.session import Session\n"
    code += "from eda.session.names import session_names\n"
    code += "Session.read('a', Path(sys.argv[1])).close()\nsession_names(Path(sys.argv[1]))\n"
    code += "sys.exit('filelock' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code, str(sessions)], cwd=ROOT, check=False).returncode == 0


# memory.json


def test_memory_is_written_whole_and_read_back(sessions):
    """The export is what other programs read; a half-written one would break them in the middle of a debate."""
    begun("a", sessions)
    with Session.open("a", sessions) as session:
        assert session.read_memory() is None
        session.write_memory({"decisions": [1]})
        session.write_memory({"decisions": [1, 2]})
        assert session.read_memory() == {"decisions": [1, 2]}
        with pytest.raises(TypeError):
            session.write_memory({"decisions": object()})
        assert session.read_memory() == {"decisions": [1, 2]}
    assert orjson.loads((sessions / "a" / "memory.json").read_bytes()) == {"decisions": [1, 2]}
    assert sorted(path.name for path in (sessions / "a").iterdir()) == [".lock", "events.jsonl", "mark", "memory.json"]


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'"x"', b"\xff\xfe", b'{"a":1'])
def test_a_broken_memory_reads_as_none(sessions, content):
    """It can be made again from the log, so it must never keep a session from opening."""
    folder = begun("a", sessions)
    (folder / "memory.json").write_bytes(content)
    with Session.read("a", sessions) as session:
        assert session.read_memory() is None
        with pytest.raises(SessionError, match="not open for writing"):
            session.write_memory({})
    (folder / "memory.json").unlink()
    (folder / "memory.json").mkdir()
    with Session.open("a", sessions) as session:
        assert session.read_memory() is None
        session.write_memory({})
        assert "memory.json: cannot be written" in session.unsaved
        (folder / "memory.json").rmdir()
        session.write_memory({})
        assert session.unsaved is None
    assert not (folder / ".memory.json.new").exists()


# A disk or a system that says no


def test_a_sessions_folder_that_is_a_file_is_named(tmp_path):
    """`--sessions notes.txt` is a slip, not a traceback."""
    place = tmp_path / "notes.txt"
    place.write_text("mine")
    for act in (lambda: Session.create("a", place), lambda: Session.read("a", place), lambda: session_names(place)):
        with pytest.raises(SessionError, match=r"notes\.txt") as caught:
            act()
        assert caught.value.hint
    assert place.read_text() == "mine"


REFUSED = """
import os, resource, sys
from pathlib import Path
from filelock import FileLock
from eda.errors import SessionError
from eda.session import Session
from eda.session.names import session_names

sessions, spare = Path(sys.argv[1]), sys.argv[2]
if spare == "none of it is ours":
    if os.geteuid() == 0:
        os.setuid(65534)
    acts = [lambda: Session.create("b", sessions), lambda: Session.open("a", sessions),
            lambda: Session.read("a", sessions), lambda: session_names(sessions)]
else:
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    taken = []
    try:
        while True:
            taken.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        for _ in range(int(spare)):
            os.close(taken.pop())
    acts = [lambda: Session.create("b", sessions)]
for act in acts:
    try:
        act()
    except SessionError as error:
        assert "cannot be" in str(error) and error.hint, error
        print(error)
    else:
        raise AssertionError("it was allowed")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts open files and changes its user")
@pytest.mark.parametrize(
    ("spare", "reason"),
    [
        ("none of it is ours", "Permission denied"),
        ("0", "cannot be read as a folder of sessions (Too many open files)"),
        ("1", "events.jsonl: cannot be opened (Too many open files)"),
    ],
)
def test_a_refused_creation_leaves_nothing(sessions, spare, reason):
    """A half-made session would be listed, and could neither be resumed nor made again."""
    begun("a", sessions)
    sessions.chmod(0o700 if sessions.stat().st_uid == 0 or spare in "01" else 0o000)
    import started

    result = started.ran(str(sessions), spare, script=REFUSED, cwd=ROOT)
    sessions.chmod(0o755)
    assert result.returncode == 0, result.stderr
    assert all(reason in line for line in result.stdout.decode().splitlines()), result.stdout
    assert session_names(sessions) == ["a"]
    assert not (sessions / "b").exists()


FULL = """
import resource, sys
from pathlib import Path
from eda.session import Session

sys.dont_write_bytecode = True

with Session.open("a", Path(sys.argv[1])) as session:
    session.write_memory({"kept": True})
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    session.write_memory({"text": "x" * 9000})
    assert "memory.json: cannot be written" in session.unsaved, session.unsaved
    assert session.read_memory() == {"kept": True}
print("ok")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")
def test_a_full_disk_keeps_the_memory_that_was_there(sessions):
    """A shorter file under the old name would be taken for the whole; an error would hide what went wrong first."""
    folder = begun("a", sessions)
    import started

    result = started.ran(str(sessions), script=FULL, cwd=ROOT)
    assert result.stdout == b"ok\n", result.stderr.decode()
    assert sorted(path.name for path in folder.iterdir()) == [".lock", "events.jsonl", "mark", "memory.json"]
