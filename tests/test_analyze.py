"""A recorded conversation through the same bus and memory: ids kept, bad rows named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from eda import MessagePosted, Session, analyze
from eda.cli import cli
from eda.errors import InputError
from eda.events import MAX_MESSAGE
from eda.events.records import Decision
from eda.transcripts.analysis import conversation_report
from eda.transcripts.kind import Row
from eda.transcripts.read import read_transcripts

ROWS = [
    {"conv": "call", "id": "call:0", "speaker": "Ana", "text": "PROPOSED: merge the two documents", "topic": "merge"},
    {"conv": "call", "id": "call:1", "speaker": "Ben", "text": "+1"},
    {"conv": "call", "id": "call:2", "speaker": "Cy", "text": "-1, they have different editors"},
    {"conv": "call", "id": "call:3", "speaker": "Ana", "text": "RESOLVED: merge the two documents"},
]


def written(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), "utf-8")
    return path


def test_a_transcript_gives_its_decisions_proposals_and_reactions_by_its_own_ids() -> None:
    """A finding whose message cannot be looked up in the file is of no use."""
    memory = analyze(ROWS)
    report = conversation_report("call", [Row.model_validate(row) for row in ROWS], memory)
    assert report["messages"] == 4
    assert report["proposals"][0]["message_id"] == "call:0"
    assert report["proposals"][0]["proposer"] == "Ana"
    assert {r["message_id"]: r["reaction"] for r in report["proposals"][0]["reactions"]} == {
        "call:1": "support",
        "call:2": "oppose",
    }
    assert report["decisions"][0]["message_ids"][0] == "call:3"
    assert report["agents"]["Ben"]["message_count"] == 1
    json.dumps(report)


def test_without_ids_messages_are_numbered() -> None:
    """A plain export has only speakers and texts."""
    rows = [Row(speaker="Ana", text="PROPOSED: merge them")]
    assert conversation_report("x", rows, analyze(rows))["proposals"][0]["message_id"] == "1"


def test_summaries_cover_a_long_transcript_without_gap() -> None:
    """Two hours of meeting are read as summaries first."""
    memory = analyze(
        [{"speaker": "AB"[n % 2], "text": f"We looked at the point number {n} again."} for n in range(100)]
    )
    assert [(s.first, s.last) for s in memory.summaries] == [(n + 1, n + 12) for n in range(0, 96, 12)]


def test_minutes_alone_say_the_same_and_hold_no_transcript() -> None:
    """`--minutes` keeps only what it prints, which must be what a whole memory says, folded summaries too."""
    talk = Path("docs/examples/meeting.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) | {"id": f"{number}.{place}"} for number in range(40) for place, line in enumerate(talk)]
    for row in rows:
        row["text"] += f" That was round {row['id'].partition('.')[0]}, wasn't it?"
    rows.append({"id": "end", "speaker": "Ana", "text": "RESOLVED: freeze all features until June"})
    whole, minutes = analyze(rows), analyze(rows, minutes_only=True)
    read = [Row.model_validate(row) for row in rows]
    report = conversation_report("call", read, minutes)
    assert report == conversation_report("call", read, whole)
    assert report["proposals"]
    assert report["decisions"]
    assert any(each["level"] > 1 for each in report["summaries"])
    assert minutes.decisions == whole.decisions
    assert whole.recall("round", k=1)
    assert not minutes.recall("round", k=1)
    assert minutes.stats().verbatim < 12
    assert minutes.stats().total_messages == len(rows)


def test_the_record_of_a_decision_is_made_anew_once_it_has_changed() -> None:
    """A record that was kept too long would show supporters who have left."""
    memory = analyze(ROWS)
    before = memory.decisions[0]
    assert memory.decisions[0] == before
    item = memory.parts.minutes.state.decisions[before.id]
    item.opposers["Cy"] = 4
    assert memory.decisions[0] == before  # only a disputed decision names who denies it
    item.supporters["Dee"] = 4
    assert memory.decisions[0].supporters == (*before.supporters, "Dee")
    item.change(status="disputed")
    assert memory.decisions[0].denied_by == ("Cy",)


def test_each_message_is_announced_and_can_be_kept_in_a_session(tmp_path: Path) -> None:
    """A transcript that was analyzed can be opened again like a debate."""
    heard: list[MessagePosted] = []
    with Session.create("call", tmp_path) as session:
        memory = analyze(ROWS, session=session, on_message=heard.append)
    assert [message.ref for message in heard] == ["call:0", "call:1", "call:2", "call:3"]
    with Session.read("call", tmp_path) as session:
        assert session.started().kind == "transcript"
    assert all(isinstance(decision, Decision) for decision in memory.decisions)


def test_options_come_from_the_first_row_or_from_the_caller() -> None:
    """Positions can only be told where the choices are known."""
    rows = [{"speaker": "Ana", "text": "My position is that we buy.", "options": ["buy", "build"]}]
    assert analyze(rows).agents["Ana"].holds == ("buy",)
    assert analyze(rows, options=["sell", "keep"]).agents["Ana"].holds == ()


def test_options_that_say_nothing_are_left_out() -> None:
    """An empty option would be held by everybody."""
    memory = analyze([{"speaker": "Ana", "text": "I hold A.", "options": ["A", "", " A "]}])
    assert "" not in memory.agents["Ana"].holds


def test_a_reply_answers_the_message_that_it_names() -> None:
    """A thread keeps what answers what; guessing by words would be worse."""
    rows = [
        {"id": "a", "speaker": "Ana", "text": "PROPOSED: merge the two documents"},
        {"id": "b", "speaker": "Ben", "text": "PROPOSED: print the annual report"},
        {"id": "c", "speaker": "Cy", "text": "+1", "reply_to": "a"},
        {"id": "d", "speaker": "Di", "text": "+1", "reply_to": "nowhere"},
    ]
    first, second = analyze(rows).proposals
    assert first.backers("support") == ("Cy",)
    assert second.backers("support") == ("Di",)


def test_declared_moves_in_a_transcript_are_read_exactly() -> None:
    """A debate that was exported with its move lines keeps its votes."""
    rows = [
        {"speaker": "Ana", "text": "The rent is high.\n\n[PROPOSE] Move in June\n[PROPOSE] Ask for less rent"},
        {"speaker": "Ben", "text": "Hm.\n[oppose P1.0] too far\n- **[SUPPORT p1.1]** cheap"},
        {"speaker": "Cy", "text": "Fine.\n[NEUTRAL p1.0]"},
    ]
    memory = analyze(rows)
    assert [(p.content, p.backers("support"), p.backers("oppose")) for p in memory.proposals] == [
        ("Move in June", (), ("Ben",)),
        ("Ask for less rent", ("Ben",), ()),
    ]
    assert memory.proposals[0].backers("neutral") == ("Cy",)
    assert "[PROPOSE]" not in memory.full_context().text


def test_what_a_callback_raises_is_raised() -> None:
    """A bug in one's own code must not be swallowed."""
    with pytest.raises(ZeroDivisionError):
        analyze(ROWS, on_message=lambda message: message.number / 0)


def test_conversations_are_told_apart_and_may_be_interleaved(tmp_path: Path) -> None:
    """Two meetings in one file must not answer each other."""
    path = written(
        tmp_path / "two.jsonl",
        {"conv": "a", "speaker": "Ana", "text": "one"},
        {"conv": "b", "speaker": "Ben", "text": "two"},
        {"conv": "a", "speaker": "Ana", "text": "three"},
        "",
    )
    conversations = read_transcripts(path).conversations
    assert {conv: len(rows) for conv, rows in conversations.items()} == {"a": 2, "b": 1}
    with pytest.raises(InputError, match="2 conversations"):
        analyze([row for rows in conversations.values() for row in rows])


BAD = [
    ("{nonsense", "is not valid JSON"),
    ('["a", "b"]', "is not a JSON object"),
    ('{"speaker": "Ana"}', "lacks the field 'text'"),
    ('{"text": "hello"}', "lacks the field 'speaker'"),
    ('{"speaker": "", "text": "hello"}', "'speaker'"),
    ('{"speaker": "Ana", "text": 3}', "'text'"),
    ('{"speaker": "Ana", "text": "x", "t": "soon"}', "'t'"),
    ('{"speaker": "Ana", "text": "x", "t": NaN}', "'t'"),
    ('{"speaker": "Ana", "text": "x", "t": 1e999}', "'t'"),
    ('{"speaker": "Ana", "text": "x", "id": "same"}', "occurs twice"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD)
def test_a_bad_row_is_named_with_file_line_and_reason(tmp_path: Path, bad: str, reason: str) -> None:
    """`error: bad row` in a file of 20,000 lines is no help."""
    path = written(tmp_path / "t.jsonl", {"speaker": "Ana", "text": "fine", "id": "same"}, "", bad)
    with pytest.raises(InputError, match="line 3") as caught:
        read_transcripts(path)
    assert reason in str(caught.value)
    assert str(path) in str(caught.value)
    assert "--skip-bad" in caught.value.hint
    assert '{"speaker": "Maya"' in caught.value.hint


def test_bad_rows_can_be_skipped_and_are_counted(tmp_path: Path) -> None:
    """One broken line must not cost the other twenty thousand."""
    path = written(tmp_path / "t.jsonl", {"speaker": "Ana", "text": "fine", "id": "same"}, *(bad for bad, _ in BAD))
    transcripts = read_transcripts(path, skip_bad=True)
    assert transcripts.skipped == len(BAD)
    assert "line 2" in transcripts.faults[0]
    assert len(transcripts.conversations["t"]) == 1


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    """A typing mistake must not look like an empty conversation."""
    with pytest.raises(InputError, match="transcript"):
        read_transcripts(tmp_path / name)


def test_a_file_without_a_row_is_refused(tmp_path: Path) -> None:
    """An empty report would say that nothing was decided."""
    with pytest.raises(InputError, match="no usable row"):
        read_transcripts(written(tmp_path / "t.jsonl", "", ""))


def test_rows_come_through_a_pipe() -> None:
    """What another program makes of a table or of subtitles would have to be written to a file first."""
    row = '{"speaker": "Ana", "text": "PROPOSED: merge the documents"}'
    done = CliRunner().invoke(cli, ["import", "--minutes", "-", "--json"], input=row)
    assert done.exit_code == 0
    (proposal,) = json.loads(done.stdout)["proposals"]
    assert (proposal["content"], proposal["proposer"], proposal["number"]) == ("merge the documents", "Ana", 1)


def test_a_long_message_is_cut_and_says_so(tmp_path: Path) -> None:
    """A log pasted into a chat would fill every prompt, or stop the program."""
    path = written(tmp_path / "t.jsonl", {"speaker": "Ana", "text": "word " * 20_000}, {"speaker": "Ben", "text": "ok"})
    (rows,) = read_transcripts(path).conversations.values()
    text = analyze(rows).recent(2)[0].text
    assert len(text) <= MAX_MESSAGE
    assert text.endswith("(EDA cut this message: it had 100,000 characters.)")
    result = CliRunner().invoke(cli, ["import", "--minutes", str(path)])
    assert "cut 1 message" in result.stderr


def test_one_message_makes_a_bounded_number_of_items() -> None:
    """A pasted list of a thousand proposals would bury those of everybody else."""
    memory = analyze([{"speaker": "Ana", "text": "\n".join(f"PROPOSED: take step number {n}" for n in range(1000))}])
    assert len(memory.proposals) == 20


def test_a_transcript_from_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    """`zcat talks.gz | eda import - --minutes` would need a file of its own."""
    text = "".join(json.dumps(row) + "\n" for row in ROWS)
    from_file = CliRunner().invoke(cli, ["import", "--minutes", str(written(tmp_path / "call.jsonl", *ROWS)), "--json"])
    from_pipe = CliRunner().invoke(cli, ["import", "--minutes", "-", "--json"], input=text)
    assert from_pipe.exit_code == 0
    assert from_pipe.stdout == from_file.stdout
