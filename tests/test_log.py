"""The log: what it said it kept is there after a crash, and damage is named, never skipped."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import tempfile
import zlib
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from eda.errors import LogDamagedError, SessionError
from eda.events import (
    SCHEMA_VERSION,
    STORED_TYPES,
    Ballot,
    BallotCast,
    Bid,
    BidsTaken,
    CallMade,
    MessagePosted,
    SessionStarted,
    SettingChanged,
    TextStreamed,
    VerdictReached,
)
from eda.events.records import Move
from eda.panels.documents.document import Document
from eda.panels.settings import Settings
from eda.session.chain import links
from eda.session.log import JsonlLog, Log, MemoryLog, disk_errors
from eda.session.schema import stamped

AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
QUICK = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def said(seq, text="yes", **fields):
    return stamped([MessagePosted(number=seq, who="Ann", text=text, **fields)], seq - 1, AT)[0]


def filled(path, groups):
    """A log with one group for each number: how many facts it holds."""
    log, seq = JsonlLog(path), 0
    for size in groups:
        log.append([said(seq + 1 + place) for place in range(size)], durable=False)
        seq += size
    log.close()
    return path.read_bytes()


def with_crc(body):
    return b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body))


# What every log does


class LogContract:
    """Each test runs for each log."""

    def make(self, folder: Path) -> Log:
        raise NotImplementedError

    @pytest.fixture
    def log(self, tmp_path):
        log = self.make(tmp_path)
        yield log
        log.close()

    def test_it_starts_empty(self, log):
        """A new session must not look like one that can be resumed."""
        assert log.last_seq == 0
        assert list(log.read()) == []

    def test_what_is_appended_is_read_in_order(self, log):
        """A debate resumed in another order is another debate."""
        log.append([said(1), said(2)], durable=True)
        log.append([], durable=True)
        log.append([said(3)], durable=False)
        assert log.last_seq == 3
        assert list(log.read()) == [said(1), said(2), said(3)]
        assert [event.seq for event in log.read(1)] == [2, 3]
        assert list(log.read(3)) == list(log.read(99)) == []
        assert len(list(log.read(-5))) == 3

    def test_many_are_read_from_any_place(self, log):
        """Catching up from message 2,345 must not begin at a remembered offset and miss or repeat any."""
        for start in range(1, 3200, 7):
            log.append([said(seq) for seq in range(start, start + 7)], durable=False)
        for after in (*range(9), 998, 999, 1000, 1001, 2345, 3000, log.last_seq - 1):
            assert [event.seq for event in log.read(after)] == list(range(after + 1, log.last_seq + 1))

    def test_a_read_ends_where_the_log_ended_when_it_began(self, log):
        """A reader that follows its own appends would never end."""
        log.append([said(1), said(2)], durable=False)
        seen = []
        for event in log.read():
            seen.append(event.seq)
            log.append([said(log.last_seq + 1)], durable=False)
        assert seen == [1, 2]

    @pytest.mark.parametrize(
        ("group", "error"),
        [
            ([said(2)], ValueError),
            ([said(1), said(3)], ValueError),
            ([MessagePosted(number=1, who="Ann", text="x")], ValueError),
            ([said(1), CallMade(seq=2, at=AT, purpose="bid", cost=float("nan"))], ValueError),
            ([said(1), MessagePosted(seq=2, at=AT, number=1, who="Ann", text="\ud800")], ValueError),
            ([said(1), TextStreamed(seq=2, at=AT, agent="Ann", text="x")], TypeError),
        ],
    )
    def test_a_group_that_cannot_be_kept_whole_is_not_kept_at_all(self, log, group, error):
        """Half a group would be a grant without its message, or a gap that makes the log unreadable."""
        with pytest.raises(error):
            log.append(group, durable=False)
        assert log.last_seq == 0
        assert list(log.read()) == []
        log.append([said(1)], durable=False)

    def test_after_close_nothing_is_kept(self, log):
        """A fact that is taken and not kept is the one loss nobody notices."""
        log.append([said(1)], durable=False)
        log.close()
        log.close()
        with pytest.raises(SessionError, match="closed"):
            log.append([said(2)], durable=False)
        assert [event.seq for event in log.read()] == [1]


class TestMemoryLog(LogContract):
    def make(self, folder):
        return MemoryLog()


class TestJsonlLog(LogContract):
    def make(self, folder):
        return JsonlLog(folder / "events.jsonl")


# The file


def test_a_line_is_json_with_its_group_and_checksum(tmp_path):
    """People read these files with jq, and other programs check them: the format is a promise."""
    both = '{"seq":2,"at":"2026-01-02T03:04:05.678901Z","type":"message_posted","number":2,"who":"Ann","text":"zwei ✓"'
    log = JsonlLog(tmp_path / "events.jsonl")
    log.append([said(1, "one"), said(2, "zwei ✓", reply_to=1)], durable=True)
    log.close()
    first, second = (tmp_path / "events.jsonl").read_bytes().splitlines()
    body = b'{"seq":1,"at":"2026-01-02T03:04:05.678901Z","type":"message_posted","number":1,"who":"Ann","text":"one"'
    hashes = [sha256(body + b',"more":1').hexdigest()]
    hashes.append(sha256((hashes[0] + both + ',"reply_to":1').encode()).hexdigest())
    assert first + b"\n" == with_crc(body + b',"more":1,"chain":"%b"' % hashes[0].encode())
    assert second + b"\n" == with_crc((both + f',"reply_to":1,"chain":"{hashes[1]}"').encode())


def test_the_chain_goes_on_over_a_resume_a_repair_and_an_older_session(tmp_path):
    """A chain that began anew at each resume would leave whatever came before it open to change."""
    path = tmp_path / "events.jsonl"
    whole = filled(path, (2, 1, 3)).splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:4]))  # a kill within the third group
    log = JsonlLog(path)
    assert log.repaired
    log.append([said(seq) for seq in (4, 5, 6)], durable=False)
    assert path.read_bytes() == b"".join(whole)
    assert [log.head(seq) for seq in (1, 6)] == [orjson.loads(whole[0])["chain"], orjson.loads(whole[5])["chain"]]
    log.close()
    older = [with_crc(line[: line.rindex(b',"chain"')]) for line in whole[:3]]
    path.write_bytes(b"".join(older))
    log = JsonlLog(path)
    log.append([said(4)], durable=False)
    log.close()
    assert path.read_bytes().startswith(b"".join(older))
    stored, made = zip(*links(path.read_bytes().splitlines(keepends=True)), strict=True)
    assert stored[:3] == ("", "", "")
    assert stored[3] == made[3]
    path.write_bytes(path.read_bytes().replace(b'"yes"', b'"no"', 1))
    assert [made for _, made in links(path.read_bytes().splitlines(keepends=True))][3] != stored[3]


def test_settings_are_written_in_full(tmp_path):
    """A resume under a later version, with other defaults, would run another debate than the one that began."""
    path = tmp_path / "events.jsonl"
    log = JsonlLog(path)
    log.append(stamped([SessionStarted(session="s"), SettingChanged(settings=Settings())], 0, AT),
               durable=False)  # fmt: skip
    log.close()
    first, second = map(orjson.loads, path.read_bytes().splitlines())
    assert first["schema_version"] == SCHEMA_VERSION
    assert first["settings"] == second["settings"] == Settings().model_dump()


def test_no_fact_has_a_field_of_the_line_itself():
    """A fact with a field `more`, `chain` or `crc` could be written and never read."""
    assert not [kind for kind in STORED_TYPES if {"more", "chain", "crc"} & set(kind.model_fields)]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.lists(TEXT).map(tuple)
MOVE = st.builds(Move, kind=st.just("note"), text=TEXT, importance=st.none() | st.integers())
BID = st.builds(Bid, agent=TEXT, wants=st.booleans(), urgency=st.floats(0, 1))
FACTS = st.one_of(
    st.builds(
        MessagePosted,
        number=st.integers(0, 2**70),
        who=TEXT,
        text=TEXT | st.sampled_from(['","more":3', ',"crc":"00000000"}', "\n\r\u2028\x00\\", "}", "\U0001f600"]),
        moves=st.lists(MOVE).map(tuple),
        t=st.none() | NUMBER,
    ),
    st.builds(CallMade, purpose=TEXT, cost=st.none() | NUMBER, input_tokens=st.integers(-(2**80), 2**80)),
    st.builds(BidsTaken, bids=st.lists(BID).map(tuple)),
    st.builds(BallotCast, ballot=st.builds(Ballot, agent=TEXT, choice=st.none() | TEXT), choices=TEXTS),
    st.builds(VerdictReached, rule=TEXT, outcome=TEXT, tally=st.dictionaries(TEXT, TEXTS)),
    st.builds(SessionStarted, session=TEXT, documents=st.lists(st.builds(Document, name=TEXT, text=TEXT)).map(tuple)),
)


@QUICK
@given(
    groups=st.lists(st.lists(FACTS, min_size=1, max_size=4), max_size=4),
    at=st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - hypothesis adds it
)
def test_what_is_read_equals_what_was_published(groups, at):
    """A float, a line break or a brace that comes back otherwise changes what a resumed panel remembers."""
    with tempfile.TemporaryDirectory() as folder:
        log, expected = JsonlLog(Path(folder) / "events.jsonl"), []
        for group in groups:
            events = [*stamped(group, len(expected), at)]
            log.append(events, durable=False)
            expected += events
        log.close()
        again = JsonlLog(Path(folder) / "events.jsonl")
        assert list(again.read()) == list(log.read()) == expected
        assert again.repaired is None
        again.close()


def test_times_of_another_zone_are_kept_as_the_same_moment(tmp_path):
    """An hour's shift would put the resume before the message it follows."""
    log = JsonlLog(tmp_path / "events.jsonl")
    event = MessagePosted(seq=1, at=datetime.fromisoformat("2026-01-02T03:00:00+02:00"), number=1, who="A", text="x")
    log.append([event], durable=False)
    assert next(log.read()).at == event.at
    assert next(log.read()).at.utcoffset() == timedelta(0)
    log.close()


# Torn tails and damage


def kept_groups(groups, lines):
    """How many facts the whole groups among the first `lines` lines hold."""
    total = 0
    for size in groups:
        if total + size > lines:
            break
        total += size
    return total


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    groups = (1, 3, 2, 1, 4, 1, 2)
    return groups, filled(tmp_path_factory.mktemp("log") / "events.jsonl", groups)


@QUICK
@given(share=st.floats(0, 1))
def test_a_file_cut_anywhere_opens_with_whole_groups(written, share):
    """A power cut must cost at most what nobody was told is kept."""
    groups, content = written
    cut = int(share * len(content))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        path.write_bytes(content[:cut])
        kept = kept_groups(groups, content[:cut].count(b"\n"))
        reader = JsonlLog(path, readonly=True)
        assert [event.seq for event in reader.read()] == list(range(1, kept + 1))
        assert path.stat().st_size == cut
        log = JsonlLog(path)
        whole = path.stat().st_size
        assert (log.last_seq, content[:whole].count(b"\n")) == (kept, kept)
        assert (log.repaired is None) == (whole == cut)
        assert log.repaired is None or f"dropped {cut - whole} byte" in log.repaired
        log.append([said(kept + 1)], durable=True)
        log.close()
        again = JsonlLog(path)
        assert (again.last_seq, again.repaired) == (kept + 1, None)
        assert len(list(again.read())) == kept + 1
        again.close()


@QUICK
@given(share=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
def test_a_damaged_byte_in_the_middle_is_named(written, share, flip):
    """A bad disk block must not silently change what somebody said, nor cut off the rest of the debate."""
    _, content = written
    middle = content.rindex(b"\n", 0, -1) + 1
    place = int(share * middle)
    damaged = bytearray(content)
    damaged[place] ^= flip
    line = content[:place].count(b"\n") + 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        path.write_bytes(damaged)
        for readonly in (False, True):
            with pytest.raises(LogDamagedError, match=rf"events\.jsonl, line {line}: .*nothing was changed"):
                JsonlLog(path, readonly=readonly)
        assert path.read_bytes() == damaged


def test_two_lines_run_together_at_the_end_are_damage(written, tmp_path):
    """One bad bit in a line end would pass for a tear, and two kept facts would be cut off as one unfinished."""
    _, content = written
    place = content.rindex(b"\n", 0, -1)
    damaged = content[:place] + b"\x0b" + content[place + 1 :]
    for tail in (damaged, damaged[:-30]):
        (tmp_path / "events.jsonl").write_bytes(tail)
        with pytest.raises(LogDamagedError, match="line 13"):
            JsonlLog(tmp_path / "events.jsonl")
        assert (tmp_path / "events.jsonl").read_bytes() == tail


@pytest.mark.parametrize("tail", [b"\0" * 700, b'{"seq":3,', b'{"seq":3,\0\0"}\n', b"\n"])
def test_an_unfinished_tail_is_cut_off_before_anything_is_added(tmp_path, tail):
    """Appending behind half a line would turn a harmless tear into damage in the middle."""
    path = tmp_path / "events.jsonl"
    content = filled(path, (1, 1))
    path.write_bytes(content + tail)
    log = JsonlLog(path)
    assert path.read_bytes() == content
    assert f"dropped {len(tail)} byte" in log.repaired
    log.close()


@pytest.mark.parametrize("facts", [0, 2])
@pytest.mark.parametrize("line", [b"another program's\n", None])
def test_a_whole_line_that_is_damaged_is_no_tear_at_the_end_either(tmp_path, facts, line):
    """A bad byte in the last fact, or a line that somebody else added, would be cut off as if nobody had been told."""
    path = tmp_path / "events.jsonl"
    content = filled(path, (1,) * (facts + 1))
    start = content.rindex(b"\n", 0, -1) + 1 if facts else 0
    damaged = content[:start] + (line or content[start:].replace(b"type", b"tipe"))
    path.write_bytes(damaged)
    for readonly in (False, True):
        with pytest.raises(LogDamagedError, match=rf"line {facts + 1}: .*nothing was changed"):
            JsonlLog(path, readonly=readonly)
    assert path.read_bytes() == damaged


def test_after_a_tear_every_fact_is_found_from_any_place(tmp_path):
    """A resume that begins at a remembered offset would take a whole log for a damaged one."""
    path = tmp_path / "events.jsonl"
    path.write_bytes(filled(path, (4, 2))[:-10])
    log = JsonlLog(path)
    log.append([said(seq) for seq in range(5, 14)], durable=False)
    for after in range(13):
        assert [event.seq for event in log.read(after)] == list(range(after + 1, 14))
    log.close()


NEWER = ("unknown type 'thing_happened'", "extra", "no fact of this schema")
"""What a program of tomorrow may have written into a log of today."""
HEAD = b'{"seq":%d,"at":"2026-01-02T03:04:05Z","type":"%b"'


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (HEAD % (3, b"moderator_spoke") + b',"text":"x"', "has seq 3; 2 is expected"),
        (HEAD % (2, b"thing_happened"), "unknown type 'thing_happened'"),
        (HEAD % (2, b"moderator_spoke") + b',"text":"x","extra":1', "extra"),
        (HEAD % (2, b"moderator_spoke") + b',"text":', "no fact of this schema"),
        (b'["no object"', "does not begin with"),
    ],
)
def test_a_line_that_nobody_wrote_is_named(tmp_path, line, reason):
    """A log edited by hand, checksum and all, must fail where it was edited."""
    path = tmp_path / "events.jsonl"
    filled(path, (1, 1, 1))
    first, _, third = path.read_bytes().splitlines(keepends=True)
    content = first + with_crc(line) + third + b"torn"
    path.write_bytes(content)
    with pytest.raises(LogDamagedError, match=f"line 2: .*{reason}") as caught:
        JsonlLog(path)
    assert path.read_bytes() == content
    assert ("newer program" in caught.value.hint) == (reason in NEWER)


def test_a_group_cut_short_in_the_middle_is_named(tmp_path):
    """A bid round that lost its grant is no prefix of anything that happened."""
    path = tmp_path / "events.jsonl"
    first = said(1)
    log = JsonlLog(path)
    log.append([first, said(2), said(3)], durable=False)
    log.close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.unlink()
    log = JsonlLog(path)
    log.append([first], durable=False)
    log.append([said(2)], durable=False)
    log.close()
    path.write_bytes(lines[0] + path.read_bytes().splitlines(keepends=True)[1])
    with pytest.raises(LogDamagedError, match="line 2: begins a group, but 2 more lines of the group"):
        JsonlLog(path)


def test_a_newer_schema_is_refused_in_plain_words(tmp_path):
    """`damaged` would send somebody to look for a copy, where an update is what is needed."""
    path = tmp_path / "events.jsonl"
    body = HEAD % (1, b"session_started") + b',"schema_version":%d,"session":"s","unheard_of":1' % (SCHEMA_VERSION + 1)
    path.write_bytes(with_crc(body))
    newer = rf"version {SCHEMA_VERSION + 1}; this program reads 6 to {SCHEMA_VERSION}"
    with pytest.raises(SessionError, match=newer) as caught:
        JsonlLog(path)
    assert not isinstance(caught.value, LogDamagedError)


def test_a_reader_changes_nothing_and_needs_a_file(tmp_path):
    """`eda show` on a running debate must not cut off the line that is being written."""
    path = tmp_path / "events.jsonl"
    with pytest.raises(SessionError, match="cannot be opened"):
        JsonlLog(path, readonly=True)
    assert not path.exists()
    filled(path, (2,))
    reader = JsonlLog(path, readonly=True)
    with pytest.raises(SessionError, match="reading only"):
        reader.append([said(3)], durable=False)
    writer = JsonlLog(path)
    writer.append([said(3)], durable=False)
    writer.close()
    assert [event.seq for event in reader.read()] == [1, 2]
    reader.close()


def test_a_file_that_shrinks_under_a_reader_is_an_error(tmp_path):
    """A read that just ends early would resume a debate from its middle."""
    path = tmp_path / "events.jsonl"
    content = filled(path, (1, 1, 1))
    log = JsonlLog(path, readonly=True)
    path.write_bytes(content.splitlines(keepends=True)[0])
    with pytest.raises(LogDamagedError, match="line 2: is missing"):
        list(log.read())
    path.unlink()
    with pytest.raises(SessionError, match="cannot be read"):
        list(log.read())


# Disks that fill up and processes that die


def child(code, *arguments, **options):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "cwd": Path(__file__).parent.parent, **options}
    if sys.platform == "win32":
        return subprocess.Popen(command, **given)
    import warm

    return warm.Popen(warm.PROGRAM, command, **given)


FULL_DISK = """
import resource, sys
from datetime import UTC, datetime
from pathlib import Path
from eda.errors import SessionError
from eda.events import MessagePosted
from eda.session.log import JsonlLog
from eda.session.schema import stamped

def said(seq, size=50):
    return stamped([MessagePosted(number=seq, who="Ann", text="x" * size)], seq - 1, datetime.now(UTC))[0]

path = Path(sys.argv[1])
log = JsonlLog(path)
log.append([said(1)], durable=True)
size = path.stat().st_size
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
sys.dont_write_bytecode = True  # what is imported from here on would be compiled into files cut short
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 300, hard))
for attempt in range(2):
    try:
        log.append([said(2), said(3, 5000)], durable=True)
    except SessionError as error:
        assert str(path) in str(error) and "cannot be written" in str(error), error
        assert "eda resume" in error.hint, error.hint
        assert path.stat().st_size == size, "half a group was left"
        assert [event.seq for event in log.read()] == [1]
    else:
        raise AssertionError("the disk was not full")
log.append([said(2)], durable=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
log.append([said(3, 5000)], durable=True)
log.close()
print("ok")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")
def test_a_full_disk_costs_only_what_did_not_fit(tmp_path):
    """The debate stops with a sentence; after some space is freed it goes on, with nothing torn in between."""
    path = tmp_path / "events.jsonl"
    with child(FULL_DISK, path) as process:
        assert process.stdout.read() == b"ok\n"
    log = JsonlLog(path)
    assert (log.repaired, log.last_seq) == (None, 3)
    assert len(list(log.read())) == 3
    log.close()


def test_nothing_is_written_behind_what_another_program_wrote(tmp_path):
    """All that is said after a stray line could not be read again, however long the debate goes on."""
    path = tmp_path / "events.jsonl"
    content = filled(path, (1, 1))
    log = JsonlLog(path)
    with path.open("ab") as stray:
        stray.write(b"another program's\n")
    with pytest.raises(LogDamagedError, match="line 3: another program has written"):
        log.append([said(3)], durable=True)
    log.close()
    assert path.read_bytes() == content + b"another program's\n"


@pytest.mark.parametrize(("number", "hint"), [(errno.EMFILE, "ulimit -n"), (errno.EACCES, "read and write")])
def test_what_can_be_done_is_said_of_each_refusal(tmp_path, number, hint):
    """Whoever has no file to spare is not helped by looking at permissions."""
    with pytest.raises(SessionError) as refusal, disk_errors(tmp_path / "events.jsonl", "read"):
        raise OSError(number, os.strerror(number))
    assert hint in refusal.value.hint


def test_a_fact_is_on_the_disk_when_its_append_returns(tmp_path, monkeypatch):
    """A loss of power would take what was shown as kept. No other test waits for the disk (`conftest.py`)."""
    sizes = []
    log = JsonlLog(path := tmp_path / "events.jsonl")
    monkeypatch.setattr("eda.session.log.sync", lambda descriptor: sizes.append(os.fstat(descriptor).st_size))
    log.append([said(1)], durable=True)
    assert sizes == [path.stat().st_size]
    log.close()


MAC = """
import fcntl, importlib, os, sys
import eda.session.log as log
synced = []
fcntl.F_FULLFSYNC, fcntl.fcntl = 51, lambda descriptor, command: synced.append(command)
sys.platform = "darwin"
importlib.reload(log).sync(1)
def refused(descriptor, command):
    raise OSError
log.fcntl = refused
os.fsync = lambda descriptor: synced.append("fsync")
log.sync(1)
print(synced)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fcntl")
def test_on_macos_the_disk_is_asked_to_empty_its_own_memory():
    """There `fsync` returns while the disk can still lose what it was given. A network disk may know only that."""
    done = subprocess.run([sys.executable, "-c", MAC], capture_output=True, text=True, check=True)
    assert done.stdout == "[51, 'fsync']\n"


def test_an_interrupt_in_the_middle_of_an_append_leaves_no_gap(tmp_path, monkeypatch):
    """Ctrl-C between the write and its book-keeping: the next fact must not be written behind an unknown one."""
    log = JsonlLog(tmp_path / "events.jsonl")
    log.append([said(1)], durable=False)

    def interrupted(descriptor):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("eda.session.log.sync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            log.append([said(2, "lost")], durable=True)
    assert [event.seq for event in log.read()] == [1]
    log.append([said(2, "kept")], durable=True)
    log.close()
    again = JsonlLog(tmp_path / "events.jsonl", readonly=True)
    assert [event.text for event in again.read()] == ["yes", "kept"]


WRITER = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from eda.events import MessagePosted
from eda.session.log import JsonlLog
from eda.session.schema import stamped

at = datetime(2026, 1, 1, tzinfo=UTC)
for line in sys.stdin:
    if os.fork() == 0:
        log = JsonlLog(Path(line.strip()))
        os.write(1, b"p%d\\n" % os.getpid())
        while log.last_seq < 100_000:
            seq = log.last_seq + 1
            said = MessagePosted(number=seq, who="Ann", text="x" * 4000)
            log.append(stamped([said] * (1 + seq % 3), seq - 1, at), durable=seq % 4 == 0)
            os.write(1, b"a%d\\n" % log.last_seq)
    os.wait()
    os.write(1, b"end\\n")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path):
    """The one promise of a log. Twenty-five processes are killed, each a random number of acknowledgements in."""
    dice, appended = random.Random(4), 0
    with child(WRITER, stdin=subprocess.PIPE) as process:
        for number in range(25):
            path = tmp_path / f"{number % 5}.jsonl"
            process.stdin.write(f"{path}\n".encode())
            process.stdin.flush()
            pid = int(process.stdout.readline()[1:])
            acknowledged = 0
            for _ in range(dice.randrange(60)):
                acknowledged = int(process.stdout.readline()[1:])
            os.kill(pid, signal.SIGKILL)
            while (line := process.stdout.readline()) != b"end\n":
                acknowledged = int(line[1:])
            log = JsonlLog(path)
            assert log.last_seq >= acknowledged
            assert [event.seq for event in log.read()] == list(range(1, log.last_seq + 1))
            appended += log.last_seq
            log.close()
        process.stdin.close()
    assert appended > 25
