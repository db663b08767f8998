"""Exports of meetings, chats and agents: speaker, time, text and id of each message come back as they were."""

from __future__ import annotations

import codecs
import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from eda.cli import cli
from eda.errors import InputError, UnknownNameError
from eda.events import MAX_MESSAGE
from eda.transcripts.kind import Row
from eda.transcripts.read import SHIPPED, read_transcripts

FILES = Path(__file__).parent / "transcripts"
SLACK: list[Path] = []
COLUMNS = {"speaker": "Who", "text": "What", "time": "When", "id": "Nr"}
TEAMS_ID = "6a1f0e52-1c1b-4a0e-9b57-2f0d6c0b1a11/"
Said = tuple[str, float | str | None, str | None, str]
"""Speaker, seconds or moment, id, text."""
LAB = "Proposal: move ten percent to the lab."
JUNE = "Proposal: move in June"
KINDS: list[tuple[str, str, dict[str, list[Said]]]] = [
    (
        "teams.vtt",
        "vtt",
        {
            "teams": [
                ("Ana Lima", 3.12, f"{TEAMS_ID}10-0", "Good morning. We have one question today, R&D's budget."),
                ("Ben Okafor", 9.0, f"{TEAMS_ID}22-0", LAB),
                ("Cleo", 20.0, f"{TEAMS_ID}31-0", "I am against it."),
                ("Ben Okafor", 20.0, None, "Why?"),
                ("unknown", 20.0, None, "[laughter]"),
                ("Ben Okafor", 3600.5, f"{TEAMS_ID}40-0", "We could vote next week, if a < b."),
            ]
        },
    ),
    (
        "zoom.vtt",
        "zoom",
        {
            "zoom": [
                ("Ana Lima", 1.0, "1", "Shall we begin?"),
                ("Ben Okafor", 4.0, "2", "Yes. One point: the rent. It went up."),
                ("Ben Okafor", 30.0, "4", "RESOLVED: move in June"),
            ]
        },
    ),
    (
        "voices.srt",
        "srt",
        {"voices": [("ANA", 1.0, "1", "Shall we begin? It is late."), ("BEN", 10.04, "3", "Then let us begin.")]},
    ),
    (
        "teams.txt",
        "teams",
        {
            "teams": [
                ("Ana Lima", 3.0, None, "Good morning.\nWe have one question today."),
                ("Ben Okafor", 3729.0, None, LAB),
            ]
        },
    ),
    (
        "otter.txt",
        "otter",
        {
            "otter": [
                ("Ana Lima", 3.0, None, "Good morning."),
                ("Speaker 2", 72.0, None, LAB),
                ("Ana Lima", 3729.0, None, "No."),
            ]
        },
    ),
    (
        "chat.json",
        "chat",
        {
            "chat": [
                ("Ana", None, "msg_1", "Shall we move?\nIn June?"),
                ("assistant", None, None, "Yes.\n\nIn June."),
                ("user", None, None, "And this?"),
            ]
        },
    ),
    (
        "slack.zip",
        "slack",
        {
            "general": [
                (
                    "Ana Lima",
                    "2024-03-05T09:00:01.000200+00:00",
                    "1709629201.000200",
                    "@Ben Okafor R&D asks: the plan (https://example.org/a?b=1&c=2)?",
                ),
                ("Ben Okafor", "2024-03-05T09:01:40.123456+00:00", "1709629300.123456", JUNE),
                ("Clerk", "2024-03-06T09:00:00.000300+00:00", "1709715600.000300", "Reminder for @here"),
                ("U99", "2024-03-06T09:00:02.000300+00:00", "1709715602.000300", "+1"),
            ]
        },
    ),
    (
        "autogen.json",
        "chat",
        {
            "autogen": [
                ("user", "2025-05-01T10:00:00.250000+00:00", "a1", "Shall we move in June?"),
                ("writer", "2025-05-01T10:00:04+00:00", "a2", f"{JUNE}."),
                ("critic", "2025-05-01T10:00:06+00:00", "a4", "I am against it."),
            ]
        },
    ),
    (
        "langgraph.json",
        "chat",
        {
            "langgraph": [
                ("Ana", None, "h1", "Shall we move?"),
                ("ai", None, "r1", f"{JUNE}."),
                ("critic", None, "r2", "No."),
            ]
        },
    ),
    (
        "mallm.json",
        "chat",
        {
            "ex-7": [("Economist", None, "0", f"{JUNE}."), ("Tenant", None, "1", "I agree.")],
            "ex-8": [("Expert (ag1)", None, "0", "Friday."), ("Expert (ag2)", None, "1", "Monday.")],
        },
    ),
    (
        "table.csv",
        "csv",
        {
            "table": [
                ("Ana Lima", "2024-03-05T09:00:00+01:00", "7", 'Shall we move?\nSay "yes".'),
                ("Ben Okafor", 65.0, "8", JUNE),
            ]
        },
    ),
]


@pytest.fixture(autouse=True, scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The export of Slack as the ZIP file that Slack sends."""
    folder = tmp_path_factory.mktemp("slack")
    SLACK.append(Path(shutil.make_archive(str(folder / "slack"), "zip", FILES / "slack")))
    yield SLACK[0]
    SLACK.clear()


def file_of(name: str) -> Path:
    return SLACK[0] if name == "slack.zip" else FILES / name


def said(row: Row) -> Said:
    return row.speaker, row.t if row.sent is None else row.sent.isoformat(), row.id, row.text


def eda(*args: object, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, [str(each) for each in args])
    assert result.exit_code == code, result.output
    return result


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(("name", "kind", "talks"), KINDS)
def test_speaker_time_id_and_text_come_back_exact(name: str, kind: str, talks: dict[str, list[Said]]) -> None:
    """A quotation of a meeting that differs from the export by a word cannot be trusted."""
    read = read_transcripts(file_of(name), columns=COLUMNS if kind == "csv" else None)
    assert read.kind == kind
    assert {conv: [said(row) for row in rows] for conv, rows in read.conversations.items()} == talks
    assert read.skipped == 0
    named = read_transcripts(file_of(name), kind=kind, columns=COLUMNS if kind == "csv" else None)
    assert named == read


def test_every_shipped_kind_has_a_file_here() -> None:
    """A kind that no test reads may read nothing."""
    assert {kind for _, kind, _ in KINDS} == SHIPPED.keys() - {"jsonl"}


@pytest.mark.parametrize(
    ("encoding", "mark"), [("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE), ("utf-8-sig", b"")]
)
@pytest.mark.parametrize("name", ["teams.vtt", "teams.txt", "chat.json", "table.csv"])
def test_marked_encodings_and_line_ends_of_windows_are_read(
    tmp_path: Path, name: str, encoding: str, mark: bytes
) -> None:
    """Teams exports UTF-16 on some systems; a person would see letters with gaps, or nothing."""
    text = (FILES / name).read_text("utf-8")
    ends = text if name == "table.csv" else text.replace("\n", "\r\n")
    path = written(tmp_path / name, mark + ends.encode(encoding))
    columns = COLUMNS if name == "table.csv" else None
    assert read_transcripts(path, columns=columns) == read_transcripts(FILES / name, columns=columns)


def test_rows_in_utf_16_are_read_too(tmp_path: Path) -> None:
    """Rows are read by their places in the file, which UTF-16 counts in another way."""
    text = '{"speaker": "Ana", "text": "Grüße"}\n{"speaker": "Ben", "text": "Hallo"}\n'
    (rows,) = read_transcripts(written(tmp_path / "t.jsonl", text.encode("utf-16"))).conversations.values()
    assert [row.text for row in rows] == ["Grüße", "Hallo"]
    with pytest.raises(InputError, match="broken UTF-16"):
        read_transcripts(written(tmp_path / "u.jsonl", codecs.BOM_UTF16_LE + b"{\0\0\xd8x\0"))


def test_a_channel_of_slack_is_read_from_its_file() -> None:
    """Whoever wants one day of one channel need not pack it again; without the list of users it has their ids."""
    (rows,) = read_transcripts(FILES / "slack/general/2024-03-05.json").conversations.values()
    assert [(row.speaker, row.reply_to) for row in rows] == [("U01", None), ("U02", "1709629201.000200")]


def test_what_is_no_message_is_counted_by_what_it_is() -> None:
    """Who wonders where a message went can see that it was a tool's."""
    assert read_transcripts(FILES / "chat.json").left_out == {
        "system message": 1,
        "tool message": 1,
        "part without text (tool_use)": 1,
        "part without text (tool_result)": 1,
        "part without text (image_url)": 1,
        "user message without text": 1,
        "assistant message without text": 1,
    }
    assert "line of the export itself (5)" in eda("import", "--minutes", FILES / "teams.txt").stderr


def test_captions_without_voices_have_an_unknown_speaker_and_say_so(tmp_path: Path) -> None:
    """Guessing who spoke would put words into somebody's mouth."""
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nwe should\n\n00:02.000 --> 00:03.000\nmove in June.\n\n"
    text += "00:03.000 --> 00:04.000\nNo, in July.\n"
    path = written(tmp_path / "talk.vtt", text)
    (rows,) = read_transcripts(path).conversations.values()
    assert [said(row) for row in rows] == [
        ("unknown", 1.0, None, "we should move in June."),
        ("unknown", 3.0, None, "No, in July."),
    ]
    assert "names no speaker of 2 messages" in eda("import", "--minutes", path).stderr


def test_a_pause_begins_a_new_message(tmp_path: Path) -> None:
    """Two statements a minute apart are not one."""
    cue = "00:0{}.000 --> 00:0{}.000\n<v Ana>{}\n\n"
    text = "WEBVTT\n\n" + cue.format(1, 2, "One") + cue.format(4, 5, "two.") + cue.format(8, 9, "Three.")
    (rows,) = read_transcripts(written(tmp_path / "t.vtt", text)).conversations.values()
    assert [row.text for row in rows] == ["One two.", "Three."]


def test_a_cut_or_broken_export_keeps_what_is_whole_and_names_the_rest(tmp_path: Path) -> None:
    """A download that broke off is still worth reading, if one knows that it broke off."""
    text = (FILES / "voices.srt").read_text() + "\n4\n00:00:1\n\n5\n00:00:20,000 --> 00:00:21,000\n"
    read = read_transcripts(written(tmp_path / "voices.srt", text))
    assert (len(read.conversations["voices"]), read.skipped) == (2, 2)
    assert read.faults[0].endswith("voices.srt, line 13: is no cue with its times")
    assert read.faults[1].endswith("line 17: is a cue without text")
    said_so = eda("import", "--minutes", tmp_path / "voices.srt").stderr
    assert "skipped 2 parts" in said_so
    assert "line 13" in said_so


def test_a_json_that_breaks_off_is_named_with_its_line(tmp_path: Path) -> None:
    """Half a chat read as a whole one would lack its end, and nobody would know."""
    path = written(tmp_path / "chat.json", (FILES / "chat.json").read_text()[:300])
    with pytest.raises(InputError, match=r"chat\.json, line 4: is no valid JSON"):
        read_transcripts(path)


HOSTILE = {
    "deep.json": '[{"role": "user", "content": ' + "[" * 100_000,
    "odd.json": '[{"role": "user", "content": {"text": 3}}, 7, {"role": ["user"], "content": "x"}, {"role": "user"}]',
    "thread.json": '{"agent_states": {"a": 7, "m": {"message_thread": [7, {"type": 3}, {"type": "TextMessage"}]}}}',
    "none.json": '{"agent_states": []}',
    "values.json": '{"channel_values": {"messages": [7, {"type": "human", "data": 3}, {"type": "ai"}]}}',
    "example.json": '[{"exampleId": 1}, 3, {"exampleId": 2, "globalMemory": [3, {"message": null, "persona": ["x"]}]}]',
    "slack.json": '[{"type": "message", "ts": "1709629200.000100", "text": "", "subtype": {}}, 3, {"ts": "x"}]',
    "voice.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<v." * 200_000,
    "times.vtt": "WEBVTT\n\n" + "00:01.000 --> \n" * 10_000,
    "spaces.txt": "Ana  0:01\n" + "A" + " " * 1_000_000 + "x",
    "quotes.csv": 'speaker,text\nAna,"never closed\n' + "x,y\n" * 10_000,
    "zero.csv": "speaker,text\nAna,\0\n",
    "unmarked.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n".encode("utf-16-le"),
    "report.pdf": b"%PDF-1.7\n\0\1\xff",
    "meeting.docx": b"PK\x03\x04 and more",
    "latin.srt": b"1\n00:00:01,000 --> 00:00:02,000\nAna: Gr\xfc\xdfe\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    """What a stranger sends must end in an error that names the file, neither in a traceback nor in an endless loop."""
    result = eda(
        "import",
        "--minutes",
        written(tmp_path / name, HOSTILE[name]),
        code=0 if name in ("voice.vtt", "spaces.txt") else 2,
    )
    if result.exit_code:
        assert name in result.stderr
        assert "hint: " in result.stderr


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """A few kilobytes could fill the memory."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("general/2024-03-05.json", b" " * 50_000_001)
    with pytest.raises(InputError, match="more than 50 MB"):
        read_transcripts(path)


def test_a_long_talk_and_a_long_message_are_read_and_the_message_is_cut(tmp_path: Path) -> None:
    """Two hours of captions must take a moment; one endless cue must not fill each prompt."""
    cues = "".join(
        f"{n}\n00:{n // 60 % 60:02}:{n % 60:02},000 --> 00:59:59,000\nAna: word {n}\n\n" for n in range(4_000)
    )
    (rows,) = read_transcripts(written(tmp_path / "long.srt", cues)).conversations.values()
    assert all(len(row.text) < MAX_MESSAGE for row in rows)
    assert " ".join(row.text for row in rows) == " ".join(f"word {n}" for n in range(4_000))
    endless = json.dumps([{"role": "user", "content": "x" * 60_000}])
    assert read_transcripts(written(tmp_path / "chat.json", endless)).too_long == 1


def test_ids_that_occur_twice_name_no_message(tmp_path: Path) -> None:
    """A finding by such an id would lead to either of two messages."""
    talk = [{"role": "user", "content": text, "id": "same"} for text in ("one", "two")]
    read = read_transcripts(written(tmp_path / "chat.json", json.dumps(talk)))
    assert [row.id for row in read.conversations["chat"]] == [None, None]
    assert list(read.left_out) == ["set of ids that occur twice (chat)"]


def test_a_table_without_the_columns_names_those_that_it_has(tmp_path: Path) -> None:
    """Whoever exported it can see at once which to name."""
    refused = eda("import", "--minutes", FILES / "table.csv", code=2).stderr
    assert "table.csv, line 1: has no column 'speaker'" in refused
    assert "It has 'When', 'Who', 'What', 'Nr'." in refused
    assert "--columns 'speaker=NAME,text=NAME'" in refused
    assert (
        "has no column 'Whom'"
        in eda("import", "--minutes", FILES / "table.csv", "--columns", "speaker=Whom,text=What", code=2).stderr
    )
    assert (
        "'speeker' is none of speaker, text"
        in eda("import", "--minutes", FILES / "table.csv", "--columns", "speeker=Who", code=2).stderr
    )
    short = written(tmp_path / "t.csv", "Speaker,TEXT,time\nAna,hello,soon\nBen\n,nobody,2\n")
    read = read_transcripts(short)
    assert [said(row) for row in read.conversations["t"]] == [
        ("Ana", None, None, "hello"),
        ("unknown", 2.0, None, "nobody"),
    ]
    assert read.faults[0].endswith("line 3: has 1 of 3 columns")
    assert sum(read.left_out.values()) == 1


def test_a_text_of_several_kinds_or_of_none_says_which_to_choose(tmp_path: Path) -> None:
    """A guess would read the one as the other without a word."""
    both = '[{"role": "user", "content": "x", "type": "message", "ts": "1709629200.000100"}]'
    refused = eda("import", "--minutes", written(tmp_path / "both.json", both), code=2).stderr
    assert "may be of several kinds: slack, chat" in refused
    assert "--as slack" in refused
    assert eda("import", "--minutes", tmp_path / "both.json", "--as", "Chat").stdout.startswith("both: 1 message")
    none = eda("import", "--minutes", written(tmp_path / "none.txt", "Dear all,\nsee you.\n"), code=2).stderr
    assert "is no transcript that EDA knows" in none
    assert ", ".join(SHIPPED) in none
    odd = written(tmp_path / "odd.json", '{\n  "lines": []\n}\n')
    assert "is no transcript that EDA knows" in eda("import", "--minutes", odd, code=2).stderr
    assert (
        "has no message that can be read as otter"
        in eda("import", "--minutes", tmp_path / "none.txt", "--as", "otter", code=2).stderr
    )
    with pytest.raises(UnknownNameError):
        read_transcripts(tmp_path / "none.txt", kind="otters")


def test_times_are_kept_beside_the_time_of_the_log(tmp_path: Path) -> None:
    """A search by date is about the day on which something was said, not about that of the import."""
    eda("import", SLACK[0], "--sessions", tmp_path, "--session", "general")
    found = json.loads(
        eda("recall", "general", "june", "--until", "2024-03-05", "--sessions", tmp_path, "--json").stdout
    )
    assert {row["source_id"] for row in found["found"]} == {"1709629300.123456", "1709629201.000200"}
    assert datetime.fromisoformat(found["found"][0]["sent"]).year == 2024
    assert not json.loads(
        eda("recall", "general", "june", "--since", "2024-03-08", "--sessions", tmp_path, "--json").stdout
    )["found"]


def test_a_kind_of_ones_own_is_read_by_its_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has logs of another program need not wait for us; the guide's class works as it stands."""
    guide = (FILES.parent.parent / "docs" / "transcripts.md").read_text("utf-8")
    written(tmp_path / "irc_of_the_guide.py", guide.partition("```python\n")[2].partition("```")[0])
    monkeypatch.chdir(tmp_path)
    path = written(tmp_path / "talk.log", "<ana> Proposal: meet on Friday\n<ben> +1\n<cy>\n")
    result = eda("import", "--minutes", path, "--as", "./irc_of_the_guide.py:Irc", "--json")
    (proposal,) = json.loads(result.stdout)["proposals"]
    assert (proposal["content"], proposal["proposer"], proposal["number"]) == ("meet on Friday", "ana", 1)
    assert [(each["agent"], each["reaction"]) for each in proposal["reactions"]] == [("ben", "support")]
    assert "line 3: has no text" in result.stderr
    assert set(SHIPPED) <= set(re.findall(r"^\| `(\w+)` \|", guide, re.MULTILINE))


def test_a_kind_of_an_installed_package_is_recognised_and_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever installs a package for logs of another program names no kind: the file is known by its beginning."""
    info = tmp_path / "eda_bell-1.0.dist-info"
    info.mkdir()
    written(info / "entry_points.txt", "[eda.transcripts]\nbell = eda_bell:Bell\n")
    written(
        tmp_path / "eda_bell.py",
        'class Bell:\n    """Lines after a bell."""\n'
        '    def claims(self, head):\n        return head.startswith("BELL")\n'
        "    def rows(self, reading):\n"
        "        for number, line in enumerate(reading.text.splitlines()[1:], 2):\n"
        '            yield from reading.row(number, *line.split(" says ", 1))\n',
    )
    monkeypatch.syspath_prepend(tmp_path)
    read = read_transcripts(written(tmp_path / "talk.log", "BELL 1\nAna says hello\nBen says +1\n"))
    assert (read.kind, [row.speaker for row in read.conversations["talk"]]) == ("bell", ["Ana", "Ben"])
    assert "bell" in eda("import", "--minutes", "--help").stdout
    assert "bell" in eda("import", "--minutes", written(tmp_path / "none.txt", "Dear all,\n"), code=2).stderr
