"""What a verdict, its votes and its account say is so: figures, sides, reasons, what stands beside the answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from told import CHOICES, MOVE, WAIT, Told, verdict_lines

from eda import ConversationMemory, MessageBus, Reply
from eda.debate.person import read_typed
from eda.debate.prompts.ballot_prompt import ballot_schema, beside_of
from eda.debate.verdict import verdict_of
from eda.events import Ballot, BallotCast, BallotText, PhaseStarted, SessionEnded
from eda.report.formatting import told_apart
from eda.report.forms import report_html
from eda.report.gather import report_of
from eda.report.json_data import decision_of
from eda.report.model import Report
from eda.report.sections import page_of, story_words
from eda.report.verdict_words import vote_lines
from eda.serve.shown import verdict_of as shown_of
from eda.session.frames import verdict_card
from eda.voting import Account, verdict
from eda.voting.answers import read_ballot
from eda.words import ENGLISH, Words

GIVEN = tuple(BallotText(id=key, motion=key, text=text) for key, text in zip(("o1", "o2"), CHOICES, strict=True))
LATER = BallotText(id="p4.0", motion="o2", text="Wait until the suite is green")
RULE = BallotText(id="p5.0", motion="p5.0", text="Nobody merges on Fridays")
PANEL = ("Ada", "Ben", "Cleo", "Dan", "Eve")
Ranks = Sequence[str | tuple[str, ...]]


def cast(who: str, ranking: Ranks, *also: str, reason: str = "", blocked: tuple[str, ...] = ()) -> Ballot:
    texts = tuple(each for rank in ranking for each in ([rank] if isinstance(rank, str) else rank))
    choice = ranking[0] if isinstance(ranking[0], str) else None
    fields = {"approved": texts, "also": also, "reason": reason, "blocked": blocked}
    return Ballot.model_validate({"agent": who, "choice": choice, "ranking": tuple(ranking), **fields})


def counted(*ballots: Ballot, texts: Sequence[BallotText] = (*GIVEN, LATER, RULE), rule: str = "majority") -> list[str]:
    return verdict_lines(verdict(Account(ballots, texts=texts), rule, 0.5, 1, [ballot.agent for ballot in ballots]))


TIED: tuple[Ranks, ...] = ((MOVE,), (MOVE,), ((MOVE, WAIT),), ((MOVE, WAIT),), (WAIT,), (WAIT,))


def tied(language: str = "en") -> tuple[Told, Report]:
    """Six vote twice alike: two for each, and two rank both as equal."""
    told = Told(talk=())
    ballots = [cast(who, ranks) for who, ranks in zip((*PANEL, "Fay"), TIED, strict=True)]
    told.tell(*(BallotCast(ballot=each, choices=CHOICES, texts=GIVEN, first=True) for each in ballots))
    told.tell(PhaseStarted(phase="ballot"))
    told.tell(*(BallotCast(ballot=each, choices=CHOICES, texts=GIVEN) for each in ballots))
    told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))
    return told, report_of(told.session, told.progress, told.memory, language)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_tied_first_choice_is_told_with_its_share(language: str) -> None:
    """ "4 for Blue. 4 for Red." was said of six voters, of whom three and three were counted."""
    told, report = tied(language)
    words = Words(language)
    lines = [line.plain for line in (*page_of(report)["verdict"], *vote_lines(report.counted, words))]
    three, four = (words.say("votes-for", count=count, text="", wordings=False) for count in (3.0, 4.0))
    assert sum(line.startswith(three) for line in lines) == 4
    assert not any(line.startswith(four) for line in lines)
    assert words.say("votes-equal", "sentence", who=["Cleo", "Dan"], count=2) in lines
    assert "4<span" not in report_html(report, told.session, told.memory)
    assert [row["votes"] for row in shown_of(told.session, told.progress, told.memory)["rows"]] == ["3", "3"]
    assert ">3</td>" in str(verdict_card(told.verdict, words))
    assert ">4</td>" not in str(verdict_card(told.verdict, words))


def test_who_ranks_the_winner_and_another_as_equal_is_told_beside_who_puts_it_first() -> None:
    """Five of six put it first, and four votes were counted."""
    firsts: tuple[Ranks, ...] = ((MOVE,), (MOVE,), (MOVE,), ((MOVE, WAIT),), (WAIT, MOVE))
    lines = counted(*(cast(who, ranks) for who, ranks in zip(PANEL, firsts, strict=True)))
    assert "4 of 5 put it first (1 as equal with another)" in lines[0]
    assert any(line.startswith("votes: 3.5 for “Move it this quarter”") for line in lines)


def test_first_votes_name_those_who_rank_several_as_equal() -> None:
    """The same ballots stood in the account without two voters first, and then with them: as if they had moved."""
    (_, first), (_, last) = story_words(tied()[1])
    sides = [
        {side.split(": ")[0].split(" (o")[0]: side.split(": ")[1] for side in step[0].split(" · ")}
        for step in (first, last)
    ]
    assert (
        sides[0]
        == sides[1]
        == {
            "“Move it this quarter”": "Ada, Ben, Cleo, Dan",
            "“Wait and fix the test suite first”": "Cleo, Dan, Eve, Fay",
        }
    )


@pytest.mark.parametrize("move", ["[OPPOSE o2] it costs a year", "[SUPPORT o2] if the suite stays"])
def test_who_declares_against_what_others_hold_is_none_of_all(move: str) -> None:
    """ "all who took a stance on it are for: Leave" stood below "against 1: Leila"."""
    openings = [(who, "So.") for who in PANEL]
    talk = [*openings, ("Ada", "So.\n[POSITION] o2, fine"), ("Ben", "So.\n[POSITION] o2, yes")]
    assert Told(talk=talk).memory.consensus().reached
    reached = Told(talk=[*talk, ("Cleo", f"No.\n{move}")]).memory.consensus()
    assert (reached.reached, reached.on, reached.others) == (False, WAIT, ("Cleo",))


def test_a_dissenter_s_reason_is_told_as_one_for_what_it_puts_first() -> None:
    """ "Against X:" was followed by what speaks for its member's own choice."""
    won = [cast(who, (MOVE,)) for who in PANEL[:3]]
    lines = counted(*won, cast("Dan", (WAIT,), reason="it does most for the tests"), cast("Eve", (LATER.text,)))
    assert (
        "against: Dan puts “Wait and fix the test suite first” (o2) first: “it does most for the tests” (ballot)"
        in lines
    )
    assert "against: Eve" in lines
    for about in ("o1 leaves August without anybody", "I take it unless the suite stays red"):
        lines = counted(*won, cast("Dan", (WAIT,), reason=about))
        assert f"against: Dan: “{about}” (ballot)" in lines
    blocks = cast("Dan", (WAIT,), reason="it keeps July", blocked=(MOVE,))
    (line,) = (each for each in counted(*won, blocks) if each.startswith("against"))
    assert line.endswith(
        "cannot live with it and puts “Wait and fix the test suite first” (o2) first: “it keeps July” (ballot)"
    )


def test_no_option_and_no_wording_of_one_is_adopted_beside_another() -> None:
    """ "Move the office won. also adopted: Do not move the office": of alternatives one can be taken."""
    lines = counted(*(cast(who, (MOVE,), WAIT, LATER.text, RULE.text) for who in PANEL))
    assert [line.split(": ")[1].split(" (")[0] for line in lines if line.startswith("also")] == [
        "“Nobody merges on Fridays”"
    ]
    texts = (*GIVEN, LATER, RULE)
    assert beside_of(texts, first=False, answer="one") == ["p5.0"]
    schema = ballot_schema(texts, "firsts", first=False, answer="one")
    assert schema["properties"]["also"]["items"]["enum"] == ["p5.0"]
    assert not beside_of((*GIVEN, LATER), first=False, answer="one")
    own = (BallotText(id="yes", motion="yes", text="Yes"), BallotText(id="no", motion="no", text="No"), RULE)
    assert beside_of(own, first=False, answer="one") == ["p5.0"]


def test_a_ballot_that_wants_an_option_beside_the_answer_is_asked_about_that() -> None:
    """It would be shown as wanted, and never be adopted."""
    texts = (*GIVEN, RULE)
    ids = {each.id: each.text for each in texts}
    data = {"ranking": ["o1"], "also": ["o2", "p5.0"], "reason": "it keeps July"}
    fields, wrong = read_ballot(data, "", [*ids.values()], ids=ids, shown=texts)
    assert fields is not None
    assert fields["also"] == (RULE.text,)
    assert wrong == "`also` names o2: an option, or a wording of one, can be the answer and stand beside no other"
    typed, _ = read_typed(Reply("o1 also o2, p5.0"), texts)
    assert typed is not None
    assert typed["also"] == (RULE.text,)


async def heard(*said: tuple[str, str]) -> ConversationMemory:
    bus = MessageBus()
    memory = ConversationMemory().attach(bus)
    for who, text in said:
        await bus.say(who, text)
    return memory


async def test_a_question_about_what_is_known_proposes_nothing() -> None:
    """The first line of the program in README was booked as a text to vote on."""
    assert (await heard(("Zoe", "What about the release on Friday?"))).proposals == ()
    assert [each.content for each in (await heard(("Ana", "How about a trial?"))).proposals] == ["How about a trial?"]


async def test_that_all_agree_decides_nothing() -> None:
    """ "Decided: We all agree." has no word on what."""
    memory = await heard(("Zoe", "I suggest we wait."), ("Ben", "Sun is out."), ("Cid", "We all agree."))
    assert [(each.status, each.outcome) for each in memory.decisions] == [("claimed", "We all agree.")]
    assert [each.status for each in (await heard(("Cid", "We have all agreed to ship in May."))).decisions] == [
        "decided"
    ]


def test_a_text_told_apart_by_its_end_keeps_its_beginning() -> None:
    """ "… shared database as an interface" said nothing of whether it is to move or not."""
    same = "Do not move billing out of the monolith this quarter, and think again at the first sign of"
    texts = [f"{same} a shared database.", f"{same} one hero who knows it."]
    assert [told_apart(each, 32, texts) for each in texts] == [
        "Do not move… shared database.",
        "Do not move… one hero who knows it.",
    ]


def test_the_account_says_who_put_a_text_that_lost_before_it_was_changed() -> None:
    """ "Maya changed p13.0" stood there, and nobody had put p13.0."""
    talk = (*((who, "So.") for who in PANEL), ("Ada", "So.\n[PROPOSE] Send the bills by fax."))
    told = Told(talk=(*talk, ("Ada", "Hm.\n[AMEND p6.0] Send the bills by fax at night.")))
    report = report_of(told.votes().session, told.progress, told.memory)
    put = [(step.by, step.text, step.of) for step in report.story if step.kind == "text"]
    assert put == [("Ada", "p6.0", ()), ("Ada", "p7.0", ("p6.0",))]


def test_nobody_is_against_where_nothing_was_decided() -> None:
    """A list of decisions said "No verdict" and "Against 2": against what?"""
    told = Told(talk=())
    told.tell(PhaseStarted(phase="ballot"))
    for who, text, other in (("Ada", MOVE, WAIT), ("Ben", WAIT, MOVE)):
        told.tell(BallotCast(ballot=cast(who, (text,), blocked=(other,)), choices=CHOICES, texts=GIVEN))
    told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))
    row = decision_of(report_of(told.session, told.progress, told.memory), told.verdict)
    assert (row["titles"], row["against"]) == ([], [])
    assert decision_of(report_of((t := Told().votes()).session, t.progress, t.memory), t.verdict)["against"] == ["Ada"]


def test_the_first_line_says_what_all_accept_where_nothing_was_decided() -> None:
    """All five accepted Yes, and the first line told what failed alone."""
    firsts: tuple[Ranks, ...] = ((MOVE, WAIT), (WAIT, MOVE), (RULE.text, MOVE), (RULE.text, MOVE))
    ballots = [cast(who, ranks) for who, ranks in zip(PANEL, firsts, strict=False)]
    first = counted(*ballots, texts=(*GIVEN, RULE))[0]
    lacking = ENGLISH.say("votes-lacking", rule="majority")
    assert first == f"verdict: No verdict: {lacking}. All 4 who voted accept “Move it this quarter” (o1)."
