"""What `make eval` makes of replies as models write them, before a scorer sees it."""

from __future__ import annotations

import json

import pytest
from live import acts_at, answer, debate, form, measure, minutes_of, stance, tells, votes
from replies import Panel, Server

OPEN = [
    {
        "id": "p1.0",
        "who": "Ruth",
        "text": "Publish the page counts of the last two Christmas fortnights before any rota.",
    },
    {
        "id": "p4.1",
        "who": "Keiko",
        "text": "12-hour shifts with a named secondary, nobody more than two nights in a row.",
    },
]
SHOWN = ["later than 2026", "by September", "by June"]
HEAD = {
    "question": "Should we rewrite the mobile app in Flutter?",
    "options": ["Rewrite in Flutter", "Stay native"],
    "members": [{"title": "Maya"}, {"title": "Jonah"}, {"title": "Beatriz", "joins_after": 2}],
    "format": "panel",
    "rule": "majority",
}


def speech(n: int | None, who: str, raw: str, *, sealed: bool = False) -> dict:
    return {"n": n, "who": who, "purpose": "speak", "sealed": sealed, "raw": raw}


async def test_an_ending_is_read_against_the_proposals_on_the_table():
    """Each row would be scored against an empty table, and every link would be wrong."""
    row = {"open": OPEN, "who": "Maya", "raw": "Yes.\n\n[SUPPORT p4.1] Two nights is what matters.\n[POSITION] Shifts."}
    async with Server() as server:
        acts = await form(row, server)
    assert {(act["act"], act["target"]) for act in acts} == {("support", "p4.1"), ("position", None)}


async def test_a_move_that_names_nothing_is_an_act_without_a_target():
    """A dead id that is left unresolved would count as missed."""
    async with Server() as server:
        acts = await form(
            {"open": OPEN, "who": "Maya", "raw": "No.\n\n[OPPOSE p9.0] too dear\n[POSITION] Wait."}, server
        )
    assert ("oppose", None) in {(act["act"], act["target"]) for act in acts}


async def test_a_letter_is_the_choice_that_was_shown_at_its_place():
    """All letters would be scored by another order than the one that the model saw."""
    rows = (
        {"schema": "ballot", "shown": SHOWN, "raw": '{"choice": "(c)", "confidence": 0.8}', "means": {}},
        {"schema": "poll", "shown": SHOWN, "raw": '{"choice": "C. by June", "confidence": 0.8}', "means": {}},
    )
    async with Server() as server:
        read = [await answer(row, server) for row in rows]
        calls = server.calls
    assert [one["choice"] for one in read] == ["by June", "by June"]
    assert calls == 1


async def test_an_answer_that_is_no_vote_is_told_from_one_that_cannot_be_read():
    """An unreadable answer would be scored as an abstention, and be right by luck."""
    blank = {"schema": "ballot", "shown": SHOWN, "raw": '{"choice": null}', "means": {}}
    odd = {**blank, "raw": '{"choice": "by Easter or so"}'}
    async with Server() as server:
        assert (await answer(blank, server))["choice"] == "abstain"
        assert (await answer(odd, server))["choice"] is None
        assert server.calls == 3


async def test_a_bid_that_no_answer_gave_is_left_out():
    """A member that an answer forgot would be scored as one that does not want to speak."""
    raw = '{"bids": [{"agent": "Maya", "wants": true, "urgency": 0.8}]}'
    async with Server() as server:
        read = await answer({"schema": "bid", "shown": ["Maya", "Jonah"], "raw": raw}, server)
    assert read == {"wants": {"Maya": True}}


async def test_a_statement_behind_a_tag_holds_an_option():
    """A row of the table would say nothing."""
    row = {"options": ["Rewrite in Flutter", "Stay native"], "text": "Stay native."}
    async with Server() as server:
        assert await stance(row, server) == ["Stay native"]


async def test_a_debate_keeps_the_numbers_of_its_messages():
    """From the first refused reply on, every id would name another proposal."""
    calls = [
        speech(1, "Maya", "We know too little.\n\n[PROPOSE] Build one screen and measure it", sealed=True),
        speech(2, "Jonah", "", sealed=True),
        speech(None, "Maya", ""),
        speech(3, "Beatriz", "It can be undone.\n\n[SUPPORT p1.0] it is cheap"),
    ]
    async with Server() as server:
        read = await debate([HEAD, *calls], server)
    assert [(act["message"], act["act"]) for act in read["acts"]] == [(1, "propose"), (3, "support")]
    assert read["acts"][1]["target"] == read["acts"][0]["id"] == "p1.0"


async def test_a_reply_in_another_language_is_read_as_it_stood():
    """A debate that was labelled would lose a message that its members read."""
    spanish = (
        "Creo que lo primero que hay que resolver es la autenticación entre los dos servicios, porque sin ella "
        "cualquiera de la red puede cambiar los importes de las facturas.\n\n[APOYO p1.0] no hay vuelta"
    )
    calls = [speech(1, "Maya", "So.\n\n[PROPOSE] Build one screen and measure it"), speech(2, "Jonah", spanish)]
    async with Server() as server:
        read = await debate([HEAD, *calls], server)
    assert [(act["act"], act["target"]) for act in read["acts"] if act["message"] == 2] == [("support", "p1.0")]


async def test_a_ballot_lasts_until_somebody_speaks():
    """Minutes that were written while the members voted would make two ballots of one."""

    def vote(who: str, raw: str) -> dict:
        return {"n": None, "who": who, "purpose": "ballot", "raw": raw, "shown": HEAD["options"]}

    minutes = {"n": None, "who": None, "purpose": "minutes", "raw": "{}"}
    calls = [
        vote("Maya", "both"),
        minutes,
        vote("Jonah", '{"choice": "B"}'),
        vote("Maya", '{"choice": "A"}'),
        speech(1, "Maya", "Once more."),
        vote("Maya", '{"choice": null}'),
    ]
    async with Server() as server:
        made = await votes(calls, "ballot", server)
    assert made == [
        {"round": 1, "votes": {"Jonah": "Stay native", "Maya": "Rewrite in Flutter"}},
        {"round": 2, "votes": {"Maya": "abstain"}},
    ]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"means": {"choice": "Stay native"}}, True),
        ({"means": {"choice": None}}, False),
        ({"means": {"choice": "Stay native"}, "also": [None]}, False),
        ({"means": {"wants": {"Maya": True}}}, True),
    ],
)
def test_what_cannot_be_told_is_rightly_asked_for_again(row, told):
    """An answer that names two choices would count as one that EDA failed to read."""
    assert tells(row) is told


def test_minutes_belong_to_the_range_that_they_cite():
    """Minutes would be offered for messages that they know nothing of, and be refused."""
    minutes = {"n": None, "who": None, "purpose": "minutes", "raw": '{"summary": "Maya (m1), Jonah (m4)"}'}
    calls = [*(speech(n, "Maya", "So.") for n in (1, 2, 3)), minutes, speech(4, "Jonah", "So."), minutes]
    assert minutes_of(calls) == {4: [minutes["raw"]] * 2}


async def test_the_table_holds_what_the_scorer_says(tmp_path):
    """`make eval` would print dashes for figures that are there."""
    for name, rows in (
        ("forms", [{"id": "f1", "cat": "x", "open": OPEN, "who": "Maya", "raw": "Yes.\n\n[SUPPORT p1.0] so"}]),
        ("answers", []),
        ("stances", [{"id": "s1", "cat": "x", "options": SHOWN, "text": "By June."}]),
    ):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "score_live.py").write_text(
        "import json, pathlib\n"
        "def main(args):\n"
        "    made = json.loads(pathlib.Path(args[0]).read_text())\n"
        "    whole = len(made.get('forms', {}).get('f1', []))\n"
        "    print('== forms: 1 replies, all acts and links right in', whole, '= 1')\n"
        "    print('  all       right 1 too many 0 missed 0   P 1.000  R 1.000  F1 0.875')\n"
        "    print('== stances: right 1 of 1 = 1.000; wrong 2; unknown 3')\n"
    )
    text, made = await measure(tmp_path)
    assert "| endings: all acts and links right | 62 of 126 | 1 of 1 | 0.95 |" in text
    assert "| 0.875 | 0.97 |" in text
    assert "| 1 / 2 / 3 |" in text
    assert [act["act"] for act in made["forms"]["f1"]] == ["support"]


async def test_each_act_is_taken_once():
    """An amendment that names nothing would count as an amendment, a proposal and an unresolved move."""
    async with Server() as server:
        panel = Panel(("Maya", "Ruth"), server)
        panel.begin("discussion")
        message = await panel.speak("Maya", "Smaller.\n\n[AMEND p9.0] Build one camera screen in a week.")
        await panel.bus.close()
    assert message is not None
    assert [(act["act"], act["target"]) for act in acts_at(panel.memory, message)] == [("amend", None)]


@pytest.mark.parametrize("sealed", [True, False])
async def test_a_reply_that_is_none_makes_no_message(sealed):
    """A placeholder would be scored as what a member said."""
    async with Server() as server:
        panel = Panel(("Maya", "Ruth"), server)
        assert await panel.speak("Maya", "", sealed=sealed) is None
        await panel.bus.close()
