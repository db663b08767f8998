"""What was misread or told wrongly of a debate that was played carelessly: each test has the words of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from played_phones import ANSWERS, NINTH, PLAYED, ROLES, SAID, WORDS, phones, talk, voted
from told import Told, persona

from eda import MessagePosted
from eda.debate.addressing import addressing_of
from eda.debate.prompts.slots import uncounted
from eda.debate.prompts.texts import Prompts, traits_of
from eda.events.acts import Unread
from eda.events.messages import SummaryWritten, talk_of
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.model_minutes import MinutesAnswer
from eda.memory.minutes.reply_reader import ReplyReader
from eda.memory.summaries.due import Due
from eda.report.gather import report_of
from eda.report.quotes import Quotes
from eda.report.sections import page_of
from eda.runners.answers import BallotAnswer
from eda.runners.repair import fields_in
from eda.voting.answers import read_ballot
from eda.words import ENGLISH


def kinds(text: str, who: str = "Beatriz") -> list[str]:
    return [move.kind for move in read_reply(text, who, ROLES).moves]


def for_it(key: str, *, upto: int, **instead: str) -> list[str]:
    """Who supports a text after message `upto`."""
    text = next(each for each in talk(upto, **instead).memory.proposals if each.id == key)
    return [each.agent for each in text.reactions if each.reaction == "support"]


def test_a_claim_among_the_moves_of_a_fence_voids_none_of_them() -> None:
    """`[CONSENSUS] ...` in a fence of four tag lines made all of them "not counted": the panel lost its best text."""
    memory = talk(9).memory
    assert kinds(SAID[8][1]) == ["amend", "support", "position"]
    joined = memory.proposals[-1]
    assert (joined.id, joined.amends, joined.joins) == ("p9.0", "p5.0", ("p8.0",))
    (claim,) = memory.claims
    assert (claim.outcome, claim.status, claim.supporters) == (
        "We all agree on the locker trial.",
        "claimed",
        ("Beatriz",),
    )
    assert not [each for each in memory.unresolved if each.message == 9]


def test_a_decision_alone_in_a_fence_is_an_example_and_decides_nothing() -> None:
    memory = talk(9, m9="As one could write:\n\n```\n[DECISION] Never open the yard.\n```").memory
    assert memory.decisions == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "\nBest regards,\nAnjali (user researcher)"),
        ("Here is my reply:\n\n", "\n\n(64 words)"),
        ("", "\n---\nI hope this helps!"),
    ],
)
def test_a_fence_around_all_but_courtesies_is_no_code(before: str, after: str) -> None:
    fenced = SAID[12][1].partition("\nBest regards")[0]
    read = read_reply(f"{before}{fenced}{after}", "Anjali", ROLES)
    assert [(move.kind, move.target, move.text) for move in read.moves] == [
        ("support", "p11.0", "it is a trial that watches the lockers"),
        ("position", None, "p11.0"),
    ]
    shown = talk_of(f"{before}{fenced}{after}", read.cut)
    assert "```" not in shown
    assert "Ruth may see it otherwise." in shown


def test_a_fence_with_talk_after_it_stays_code() -> None:
    fenced = SAID[12][1].partition("\nBest regards")[0]
    assert kinds(f"{fenced}\nSo wrote Anjali, and I doubt it.") == []


@pytest.mark.parametrize("step", [1, 7, 400])
def test_what_is_shown_of_a_fenced_reply_while_it_is_written_stays(step: int) -> None:
    who, text = SAID[12]
    reader, at, known = ReplyReader(who, ROLES), 0, 0
    shown: list[tuple[int, int]] = []
    for line in text.split("\n"):
        for end in range(step, len(line), step):
            known = reader.certain(line[:end], known)
        if known:
            shown.append((at, at + known))
        reader.read(line, at)
        at, known = at + len(line) + 1, 0
    reader.close()
    assert all(not (start < end and cut < stop) for start, stop in shown for cut, end in reader.cut)


def test_a_claim_that_all_agree_supports_no_text() -> None:
    """ "True, ... I think we all agree now." became Beatriz's support of p8.0, and stood on the ballot's table."""
    memory = talk(9, m9=NINTH).memory
    assert [each for each in memory.reactions if each.message == 9] == []
    assert memory.claims == ()
    assert for_it("p8.0", upto=10, m9=NINTH) == ["Ruth"]


def read(name: str) -> tuple[dict[str, Any], str]:
    """A ballot as it is read, with ids in place of words; and its fault."""
    texts = {each["id"]: each["text"] for each in PLAYED["first_texts" if name < "0024" else "texts"]}
    ids = {text: key for key, text in texts.items()}
    answer = ANSWERS[name]
    fields, wrong = read_ballot(fields_in(BallotAnswer, answer)[0], answer, tuple(texts.values()), ids=texts)
    assert fields is not None, wrong
    by_id = {name: tuple(ids[each] for each in fields[name]) for name in ("ranking", "also")}
    return {**fields, **by_id, "choice": ids.get(fields["choice"], fields["choice"])}, wrong


@pytest.mark.parametrize(
    ("name", "ranking", "moved_by", "confidence"),
    [
        ("0037", ("p11.0", "p8.0"), 11, 0.7),
        ("0021", ("p8.0", "p4.0"), 8, 0.8),
    ],
    ids=["fields on one line", "fields in lines"],
)
def test_a_ballot_that_states_its_texts_is_read_without_a_doubt(
    name: str, ranking: tuple[str, ...], moved_by: int, confidence: float | None
) -> None:
    """The first two were refused, the third was "in doubt" twice over: its texts hold commas."""
    fields, wrong = read(name)
    assert (fields["choice"], fields["ranking"], fields["also"]) == (ranking[0], ranking, ("p4.1",))
    assert (fields["moved_by"], fields["confidence"], wrong) == (moved_by, confidence, "")
    assert "Beatriz put my trial" in fields["reason"] or "Anjali fixed the number" in fields["reason"]


@pytest.mark.parametrize(
    ("name", "asked"),
    [("0018", "votes in two ways"), ("0020", "'rule' could mean p8.0 .+ or p4.0")],
    ids=["none, one's own included", "a text with its name in other words"],
)
def test_prose_with_words_that_fit_several_texts_is_asked_about(name: str, asked: str) -> None:
    with pytest.raises(AssertionError, match=asked):
        read(name)


@pytest.mark.parametrize(
    "prose",
    [
        "I vote for A and maybe B beside it, if C.",
        "I vote for A. My first choice is B.",
        "I vote for A. B second, and C second.",
    ],
)
def test_what_prose_leaves_open_is_asked_about(prose: str) -> None:
    texts = {"p1.0": "Lend tools on Friday", "p2.0": "Buy a new bus", "p3.0": "Paint the hall"}
    for letter, key in zip("ABC", texts, strict=True):
        prose = re.sub(rf"\b{letter}\b", key, prose)
    fields, wrong = read_ballot(None, prose, tuple(texts.values()), ids=texts)
    assert fields is None or wrong
    assert fields is None or not fields["also"]


def test_a_doubt_names_the_refusal_in_the_reason() -> None:
    _, wrong = read("0019")
    assert wrong.startswith("the reason refuses p5.0, which the ballot accepts")


def test_no_tag_stands_in_a_quote() -> None:
    """A reason began with "[SUPPORT p11.0] it is a trial": a move that did not count."""
    text = "Anjali wrote:\n\n```\nA trial in lockers.\n[SUPPORT p11.0] it is a trial that watches them\n```"
    message = MessagePosted(number=1, who="Ruth", text=text, **read_reply(text, "Ruth", ROLES)._asdict())
    cited = Quotes([message]).find(1, "[SUPPORT p11.0] it is a trial that watches them")
    assert cited is not None
    assert cited.quote == "it is a trial that watches them"


def test_a_position_on_the_text_above_is_the_text_that_its_message_puts() -> None:
    """ "## Your last position - the text above" told Beatriz nothing."""
    assert [talk(number).memory.last_position("Beatriz") for number in (5, 9, 11)] == ["p5.0", "p9.0", "p11.0"]


BELLS = "[PROPOSE Bells] Ring the bells at night."


@pytest.mark.parametrize(
    "words",
    [
        "the text that I have just put",
        "my proposal above",
        "my above text",
        "Der Text, den ich eben vorgelegt habe",
        "mein eigener Vorschlag oben",
        "mein obiger Vorschlag",
        "mein neuer Text oben",
    ],
)
@pytest.mark.parametrize(
    ("put", "holds", "why"),
    [
        (BELLS, "p2.0", ()),
        (f"{BELLS}\n[PROPOSE Dogs] Let two dogs run loose.", "o1", (Unread("any of", ids=("p2.0", "p2.1")),)),
        ("I put nothing.", "o1", (Unread("any of"),)),
    ],
)
def test_a_position_on_what_its_author_has_just_put_is_the_one_text_of_its_message_or_is_asked_about(
    words: str, put: str, holds: str, why: tuple[Unread, ...]
) -> None:
    """It was kept as words, and its author stood beside the option that it held before."""
    said = (("Ruth", "So.\n[POSITION] o1"), ("Ruth", f"So.\n{put}\n[POSITION] {words}"))
    memory = Told(talk=said, options=("Wait", "Go"), members=(persona("Ruth", "sceptic"),)).memory
    assert memory.last_position("Ruth") == holds
    assert [act.unread_because for act in memory.unread("Ruth")[1]] == [why] * bool(why)


@pytest.mark.parametrize("words", ["my first proposal", "mein alter, kürzerer Vorschlag", "meine frühere Fassung"])
def test_a_position_on_some_text_of_its_author_is_asked_about_and_is_not_the_one_of_its_message(words: str) -> None:
    """It was kept as words, and nobody was told that they name no text."""
    said = (("Ruth", "So.\n[POSITION] o1"), ("Ruth", f"So.\n{BELLS}\n[POSITION] {words}"))
    memory = Told(talk=said, options=("Wait", "Go"), members=(persona("Ruth", "sceptic"),)).memory
    assert memory.last_position("Ruth") == "o1"
    assert [act.unread_because for act in memory.unread("Ruth")[1]] == [(Unread("any of", ids=("p2.0",)),)]


def test_who_named_a_dead_id_is_told_all_open_ones() -> None:
    """ "On the table now: p5.0, p3.0, p4.0, p4.1." left out p2.0, which was open."""
    done = talk(7)
    number, what = uncounted(persona("Ruth", "sceptic"), done.progress, done.memory)
    assert number == 7
    assert "p4.7 does not exist" in " ".join(what)
    table = done.memory.table().text
    assert all(f"{key} " in table for key in ("p2.0", "p5.0", "p3.0", "p4.0", "p4.1"))


@pytest.mark.parametrize(("options", "there"), [((), False), (("Lockers", "Yard"), True)])
def test_the_opening_speaks_of_ids_of_options_only_where_some_are_given(options: tuple[str, ...], there: bool) -> None:
    done = Told(talk=(), options=options)
    texts = Prompts(traits=traits_of(done.session.started()))
    assert ("the id of an option" in texts.fill("speak-opening")) is there


def test_who_refuses_the_text_decided_is_not_of_one_mind_with_its_voters() -> None:
    """Ruth voted for p8.0 and against p11.0; "all who took a stance agree on" p11.0, since she is for its motion."""
    agreed = phones().memory.consensus()
    assert (agreed.reached, agreed.on) == (False, WORDS["p11.0"])
    assert (agreed.holders, agreed.others) == (("Beatriz", "Kofi", "Anjali"), ("Ruth",))


def test_a_question_in_the_reason_of_a_move_is_kept_by_the_minutes() -> None:
    """ "Who pays the survey?" was dropped, since m5 asks it beside its [UNDECIDED], and Ruth's of m4 alone stayed."""
    asked = {"message": 5, "quote": "but who pays the survey?", "text": "Who pays the survey?"}
    invented = {"message": 5, "quote": "but who pays the lockers?", "text": "Who pays the lockers?"}
    answer = MinutesAnswer.model_validate({"summary": "So.", "questions": [asked, invented]})
    memory = talk(5).memory
    minutes, _ = memory.parts.minuted(Due(1, 5), answer)
    assert [(each.message, each.who, each.text) for each in minutes.questions] == [(5, "Beatriz", asked["text"])]
    memory.fold(SummaryWritten(seq=memory.seq + 1, first=1, last=5, text="So.", minutes=minutes))
    assert memory.table().text.endswith("- m5 Beatriz: “but who pays the survey?”")


def test_who_accepts_none_of_the_texts_is_told_of_once() -> None:
    """ "Kofi accepts none of the texts. ... Against it: Kofi, who accepts none of the texts." """
    done = voted(ballots={"Kofi": {"choice": "none", "ranking": [], "approved": [], "reason": "Bags are searched."}})
    lines = page_of(report_of(done.session, done.progress, done.memory))["verdict"]
    told = " ".join(line.plain for line in lines)
    once = ENGLISH.say("votes-none", count=1, who=["Kofi"], answer=True)
    assert once in told
    assert ENGLISH.say("dissent-deed", "none") not in told.replace(once, "")
    assert "Kofi: “Bags are searched.” (ballot)" in told


def test_what_each_text_rests_on_leaves_out_what_moved_a_member_away_from_it() -> None:
    """p4.0 rested on m8, which moved Ruth away from it; p4.1 lacked who declared for it in m10, m11 and m12."""
    done = phones()
    behind = {key: done.verdict.behind[WORDS[key]] for key in ("p4.0", "p4.1", "p11.0")}
    assert behind["p4.0"] == (4,)
    assert behind["p4.1"] == (4, 8, 10, 11, 12)
    assert 6 in behind["p11.0"], "a support of p5.0 on a condition"
    (beside,) = (each for each in done.memory.decisions if each.id == "v13.1")
    assert beside.messages == behind["p4.1"]


def test_who_opposes_the_older_text_is_told_beside_the_newer_one() -> None:
    """p11.0 stood "against nobody", though Ruth and Anjali had opposed p5.0; p8.0, with more for it, stood below it."""
    block = talk(11, m9=NINTH).memory.table().text
    newer = block[block.index("- p11.0 ") : block.index("- p2.0 ")]
    assert "against p5.0 (taken into p11.0), not counted for this one: Ruth, Anjali" in newer
    assert 'for p5.0 (taken into p11.0) on a condition, "' in newer
    assert "\n- p8.0 Anjali [amends p3.0; part of p11.0]" in block, "it stands by itself"


def test_all_who_are_addressed_are_found() -> None:
    """m7 was told as "to Kofi, Anjali": it begins with Beatriz."""
    who, text = SAID[6]
    assert addressing_of(*ROLES).called(text, who) == ["Beatriz", "Kofi", "Anjali"]
