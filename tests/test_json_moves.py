"""Moves that a reply says as JSON beside its speech are made; JSON that says none is cut, and its author is told."""

from __future__ import annotations

import json

import pytest
from folded import debated
from in_turn import in_one

from eda.events.acts import Act
from eda.events.messages import JSON, talk_of
from eda.events.records import Move
from eda.memory.context.acts import fault_line
from eda.memory.minutes.declared_moves import read_reply
from eda.runners.answer_text import without_json

LIST = "Vacant plots are offered strictly in the order of the waiting list, in writing, with fourteen days to answer."
ORCHARD = "The vacant plots beside the ditch become one shared meadow orchard; every other vacant plot is halved."
SAID = "Show me a scheme of choosing that stayed honest for five years and I yield."


def reply(data: str) -> str:
    return f"{SAID}\n\n{data}"


WALTER = reply(f'{{"moves": [{{"tag": "PROPOSE", "text": "{LIST}"}}, {{"tag": "POSITION", "text": "p1.0"}}]}}')
SUNNIVA = reply(
    f"""```json
{{"moves": [{{"tag": "AMEND", "targets": ["p1.0", "p2.0"], "text": "{ORCHARD}"}},
 {{"tag": "UNDECIDED", "target": "p2.0", "text": "nobody is named for the watering in July"}},
 {{"tag": "POSITION", "text": "p3.0"}}]}}
```

(72 words)"""
)


def test_moves_as_json_after_a_speech_are_made_and_the_json_is_not_shown() -> None:
    """A whole opening and a joined text were lost, and nobody was told."""
    memory = debated(("Walter", WALTER), ("Kofi", "**Proposal:** Two plots get raised beds."), ("Sunniva", SUNNIVA))
    first, _, joined = memory.proposals
    assert (first.id, first.content, first.proposer) == ("p1.0", LIST, "Walter")
    assert (joined.id, joined.content, joined.amends, joined.joins) == ("p3.0", ORCHARD, "p1.0", ("p2.0",))
    assert memory.last_position("Walter") == "p1.0"
    assert Act("neutral", "p2.0", why="nobody is named for the watering in July") in memory.acts(3)
    assert memory.unread("Walter") == memory.unread("Sunniva") == (0, ())
    transcript = "\n".join(memory.full_context("Kofi").section("transcript").lines)
    assert "{" not in transcript
    assert "72 words" not in transcript


@in_one(
    ("data", "moves"),
    [
        ('{"support":"p4.0"}', [Move("support", "", "p4.0")]),
        ('{"support": ["p4.0", "p5.0"]}', [Move("support", "", "p4.0, p5.0")]),
        (
            '{"support": "p4.0", "reason": "it is dry", "if": "it lasts"}',
            [Move("support", "it is dry; if it lasts", "p4.0")],
        ),
        ('[{"move": "AMEND", "target": "p3.0", "text": "Half."}]', [Move("amend", "Half.", "p3.0")]),
        ('{"propose": "Half of it."}', [Move("propose", "Half of it.")]),
        (
            '{"type": "propose", "title": "Half", "text": "Half of it."}',
            [Move("propose", "Half of it.", title="Half")],
        ),
        (
            '{"amend": "p3.0", "name": "Half", "text": "Half of it."}',
            [Move("amend", "Half of it.", "p3.0", title="Half")],
        ),
        ('{"type": "SUPPORT p4.0", "confidence": 0.8}', [Move("support", "", "p4.0")]),
        ('{"moves": ["[OPPOSE p4.0] too dear"]}', [Move("oppose", "too dear", "p4.0")]),
        ('```\n{\n "oppose": "p4.0",\n "reason": "it is {far}"\n}\n```', [Move("oppose", "it is {far}", "p4.0")]),
    ],
)
def test_each_plain_form_is_read(data: str, moves: list[Move]) -> None:
    read = read_reply(reply(data))
    assert (list(read.moves), read.unknown_tags, talk_of(reply(data), read.cut)) == (moves, (), SAID)
    before = f"{data}\n\n{SAID}"
    assert (list(read_reply(before).moves), talk_of(before, read_reply(before).cut)) == (moves, SAID)


@pytest.mark.parametrize(
    "data",
    [
        '{"wants": true, "urgency": 0.8}',
        '{"type": "CONCEDE", "target": "p4.0"}',
        '{"support": "no", "proposal": "p4.0"}',
        '{"support": "p4.0", "negated": true}',
        '{"support": "p4.0", "oppose": "p3.0", "reason": "whose?"}',
        '{"supporting evidence": "p4.0"}',
    ],
)
def test_json_that_says_no_move_plainly_is_cut_and_its_author_is_told(data: str) -> None:
    """A guess would be a vote; a blob would be counted as words and come back in what was said earlier."""
    read = read_reply(reply(data))
    assert (read.moves, read.unknown_tags, talk_of(reply(data), read.cut)) == ((), (f"{JSON} {data}",), SAID)
    memory = debated(("Ada", reply(data)))
    assert memory.unread("Ada") == (1, (Act("json", text=data, counted=False),))
    assert memory.acts(1) == (Act("json", text=data, counted=False),)
    assert data in fault_line(memory.acts(1)[0])


@pytest.mark.parametrize(
    "text",
    [
        "{Costs} are what we differ on.",
        "{",
        "[]",
        '{"a": 1} is the form that I mean.',
        '{"support": "p4.0\n\nI never closed that, and here is what I hold.',
        "[1] The survey of 2019.",
        'For example:\n\n```json\n{"support": "p4.0"}\n```',
    ],
)
def test_what_is_no_json_by_itself_stays_talk(text: str) -> None:
    """A reader that takes more than the data takes a part of the speech."""
    read = read_reply(reply(text))
    assert (read.moves, talk_of(reply(text), read.cut)) == ((), reply(text))


def test_moves_in_a_reply_that_is_all_json_are_read_by_the_same_reader() -> None:
    """Only moves written as lines were kept of such a reply."""
    text = without_json(f'{{"speech": "{SAID}", "moves": [{{"type": "support", "id": "p4.0"}}, "[OPPOSE p3.0] far"]}}')
    assert read_reply(text).moves == (Move("support", "", "p4.0"), Move("oppose", "far", "p3.0"))
    assert talk_of(text, read_reply(text).cut) == SAID


def test_moves_beside_a_speech_in_json_count_under_any_key() -> None:
    """The speech was taken, and the opposition beside it was lost without a word."""
    act = {"action": "oppose", "id": "p10.2", "reason": "too dear"}
    text = without_json(json.dumps({"content": SAID, "actions": [act], "confidence": 0.4}))
    assert read_reply(text).moves == (Move("oppose", "too dear", "p10.2"),)


def test_moves_in_lines_count_before_the_same_in_json() -> None:
    """Who wrote its proposal twice, with "the notice" and with "a notice", had two texts on the ballot."""
    text = reply('{"moves": [{"tag": "PROPOSE", "text": "The notice says so."}]}\n[PROPOSE] A notice says so.')
    read = read_reply(text)
    assert read.moves == (Move("propose", "A notice says so."),)
    assert (read.unknown_tags, talk_of(text, read.cut)) == (("JSON propose : The notice says so.",), SAID)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('"mood": "calm", "words": 72', ()),
        ('"reply_to": "m12", "feel": {"tone": "calm"}', ()),
        ('"mood": "p1.0 is dear"', ('"mood": "p1.0 is dear"',)),
        ('"second": "Two plots"', ('"second": "Two plots"',)),
        ('"oppose": "all"', ('{"oppose": "all"}',)),
    ],
)
def test_what_stands_beside_moves_in_json_is_told_where_it_may_be_one(more: str, told: tuple[str, ...]) -> None:
    """ "mood" was "not counted": the question about it replaced a support on a condition by one without."""
    memory = debated(
        ("Kofi", "[PROPOSE Two plots] Two plots get raised beds."),
        ("Ada", reply(f'{{"moves": [{{"type": "support", "id": "p1.0", "reason": "if they are dry"}}], {more}}}')),
    )
    support, *left = memory.acts(2)
    assert (support.kind, support.conditional, tuple(act.text for act in left)) == ("support", True, told)
    assert memory.unread("Ada")[1] == tuple(left)


@pytest.mark.parametrize("key", ["stance", "position"])
def test_a_stance_whose_value_is_a_move_is_that_move(key: str) -> None:
    """{"stance": "oppose", "target": "p5.0"} was a position on p5.0."""
    assert read_reply(reply(json.dumps({key: "oppose", "target": "p5.0", "why": "it is dear"}))).moves == (
        Move("oppose", "it is dear", "p5.0"),
    )
    assert [each.kind for each in read_reply(reply(json.dumps({key: "p5.0, it is cheap"}))).moves] == ["position"]
