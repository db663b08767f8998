"""How a vote is set up, asked and stored: what is on the ballot, who is asked, and what the awkward cases come to."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from voting_table import OPTIONS, PANEL, PLAN, Given, cast, table

from eda import Debate, Session
from eda.cli import cli
from eda.debate.replay import progress_of
from eda.debate.verdict import slate_now
from eda.errors import RunnerUnavailableError, UsageError
from eda.events import NONE, Ballot, BallotText, ModeratorSpoke
from eda.panels.settings import Settings
from eda.runners.human import HumanRunner
from eda.runners.protocol import Prompt
from eda.words import Words

QUEUE, BANK = "Put a queue before the batch.", "Ask the bank for a later hour."
Vote = Callable[[Prompt], dict[str, object] | None]


def takes(text: str) -> Vote:
    """All accept that text alone."""
    return lambda _: {"choice": text, "ranking": [text]}


def gone_after(votes: int, vote: Vote) -> Vote:
    """The server goes down once so many ballots are cast."""
    number = itertools.count(1)

    def asked(prompt: Prompt) -> dict[str, object] | None:
        if prompt.phase == "ballot" and next(number) > votes:
            raise RunnerUnavailableError("the server is gone")
        return vote(prompt)

    return asked


def offered(debate: Debate) -> list[BallotText]:
    return list(debate.progress.ballots[0].texts)


def test_a_ballot_stores_each_text_with_its_motion() -> None:
    """A count by motion needs to know which texts are versions of one."""
    debate = table(Given({"Ruth": f"[PROPOSE] {QUEUE}", "Walter": f"[AMEND o2] {BANK}"}, takes("o1")))
    debate.run_sync()
    assert {(text.id, text.motion) for text in offered(debate)} == {
        ("o1", "o1"),
        ("o2", "o2"),
        ("p2.0", "o2"),
        ("p1.0", "p1.0"),
    }
    assert debate.progress.ballots[0].answer == "one"


@pytest.mark.parametrize(
    ("agenda", "options", "answer", "wanted"),
    [
        ("panel", OPTIONS, None, "one"),
        ("panel", (), None, "one"),
        ("panel", OPTIONS, "list", "list"),
        ("panel", (), "list", "list"),
        ("mediation", (), None, "one"),
        ("brainstorm", (), None, "list"),
    ],
)
def test_a_question_has_one_answer_or_a_list(
    agenda: str, options: tuple[str, ...], answer: str | None, wanted: str
) -> None:
    """Proposals that belong together must not be made to compete, nor answers be added up."""
    debate = table(Given(), options, agenda=agenda, answer=answer)
    debate.run_sync()
    assert {fact.answer for fact in debate.progress.ballots} == {wanted}
    assert debate.progress.verdict is not None
    assert debate.progress.verdict.answer == wanted


@pytest.mark.parametrize("language", ["en", "de"])
def test_fixed_options_keep_proposals_as_notes_and_say_so(language: str) -> None:
    """Who may decide only what was given must not be surprised on the ballot, and no idea be lost."""
    runner = Given({"Ruth": f"[AMEND o1] {QUEUE}", "Walter": f"[PROPOSE] {BANK}"}, takes("o1"))
    debate = table(runner, fixed_options=True, language=language)
    debate.run_sync()
    assert [text.id for text in offered(debate)] == ["o1", "o2"]
    notes = {note.topic: note.text for note in debate.memory.notes}
    assert notes == {
        key: Words(language).say("procedure-off-the-ballot", who=who, text=text)
        for key, who, text in (("p1.0", "Ruth", QUEUE), ("p2.0", "Walter", BANK))
    }
    second = next(p for p in runner.prompts if p.purpose == "speak" and p.agent == "Ruth" and p.phase == "discussion")
    assert "p1.0: the options are fixed, so it is not on the ballot and is kept as a note" in second.own
    again = Debate.resume(debate.session, Given({}, takes("o1")), max_messages=15)
    again.run_sync()
    assert len(again.memory.notes) == len(notes), "noted once"


@pytest.mark.parametrize(
    ("given", "settings", "message"),
    [
        ({"options": ()}, {"fixed_options": True}, "--fixed-options needs options"),
        ({"agenda": "brainstorm"}, {"fixed_options": True}, "--fixed-options is for a ballot on options"),
        ({"agenda": "oxford"}, {"answer": "list"}, "--answer says what a ballot asks for"),
        ({"options": ("None", "Wait")}, {}, "an option cannot be 'None'"),
        ({"options": ("abstain", "Wait")}, {}, "an option cannot be 'abstain'"),
        ({"options": ("Wait", " wait. ")}, {}, "an option is given twice"),
        ({"options": ("Wait’s over", "wait's over")}, {}, "an option is given twice"),
    ],
)
def test_what_cannot_be_voted_on_is_refused_at_once(
    given: dict[str, object], settings: dict[str, object], message: str
) -> None:
    """An error after an hour of talk is an hour lost."""
    with pytest.raises(UsageError, match=message):
        table(Given(), **given, **settings)


def test_the_command_line_has_the_same_choices(tmp_path: Path) -> None:
    """What cannot be typed cannot be used."""
    ask = ["debate", PLAN, "--runner", "simulated", "--max-messages", "8", "--sessions", str(tmp_path), "--quiet"]
    both = ["--option", "Go now", "--option", "Wait"]
    done = CliRunner().invoke(
        cli, [*ask, *both, "--answer", "one", "--fixed-options", "--no-first-vote", "--session", "s"]
    )
    assert done.exit_code == 0, done.output
    with Session.read("s", tmp_path) as session:
        settings = session.started().settings
        assert (settings.answer, settings.fixed_options, settings.first_vote) == ("one", True, False)
        assert {text.id for text in progress_of(session).ballots[0].texts} == {"o1", "o2"}
    refused = CliRunner().invoke(cli, [*ask, "--fixed-options", "--session", "t"])
    assert refused.exit_code != 0
    assert "--fixed-options needs options" in refused.output
    shown = CliRunner().invoke(cli, ["list", "formats", "panel"]).output
    assert "first-ballot" in shown


def test_nobody_votes_on_a_text_that_it_wrote() -> None:
    """Self-preference must not decide; a version of somebody else's is not one's own."""
    runner = Given({"Ruth": f"[PROPOSE] {QUEUE}", "Walter": f"[AMEND o1] {BANK}"}, lambda p: {"choice": p.texts[0].id})
    debate = table(runner, own_proposals=False)
    debate.run_sync()
    asked = {prompt.agent: {text.id for text in prompt.texts} for prompt in runner.ballots()}
    assert asked == {
        "Ruth": {"o1", "o2", "p2.0"},
        "Walter": {"o1", "o2", "p1.0"},
        "Maya": {"o1", "o2", "p1.0", "p2.0"},
    }
    assert cast(debate)["Ruth"].withheld == (QUEUE,)


def test_a_ballot_names_the_motions_that_it_has_no_room_for() -> None:
    """What is left out without a word was voted down by nobody."""
    many = [f"[PROPOSE] Try way number {place} of {who}." for who in PANEL for place in range(5)]
    runner = Given({"Ruth": "\n".join(many[:5]), "Walter": "\n".join(many[5:10]), "Maya": "\n".join(many[10:])})
    with pytest.raises(RunnerUnavailableError):
        (debate := table(Given(runner._says, gone_after(1, lambda _: None)))).run_sync()
    again = Debate.resume(debate.session, Given({}))
    again.run_sync()
    told = [fact.text for fact in again.session.events() if isinstance(fact, ModeratorSpoke) and fact.why == "left out"]
    assert len(told) == 1
    assert len({text.motion for text in offered(again)}) == 8
    left = {motion.id for motion in again.memory.motions} - {text.motion for text in offered(again)}
    assert len(left) == 9
    assert all(each in told[0] for each in left)


def test_a_text_put_up_in_closing_words_can_be_voted_on() -> None:
    """The best proposal often comes last."""
    debate = table(Given({"Maya": f"[PROPOSE] {BANK}"}, takes(BANK), stage="closing"), max_messages=14)
    debate.run_sync()
    assert debate.progress.verdict is not None
    assert debate.progress.verdict.outcome == BANK
    assert debate.progress.verdict.version == "p14.0"


def test_an_option_that_is_amended_into_another_is_on_the_ballot_once() -> None:
    """Two boxes with the same words would split the votes for them."""
    debate = table(Given({"Ruth": f"[AMEND o1] {OPTIONS[1]}"}, takes("o2")))
    debate.run_sync()
    assert [text.text for text in offered(debate)] == list(OPTIONS)
    assert debate.progress.verdict is not None
    assert debate.progress.verdict.outcome == OPTIONS[1]


def test_options_in_another_script_can_be_voted_for() -> None:
    """Words are compared as they are, whatever their letters."""
    debate = table(Given({}, takes("バッチを待つ")), options=("今すぐ実行する", "バッチを待つ"))
    debate.run_sync()
    assert debate.progress.verdict is not None
    assert debate.progress.verdict.outcome == "バッチを待つ"
    assert {ballot.choice for ballot in cast(debate).values()} == {"バッチを待つ"}


@pytest.mark.parametrize(
    ("says", "options", "vote", "note"),
    [
        ({}, (), {"choice": None}, "nothing to vote on"),
        (None, OPTIONS, {"choice": "abstain"}, "nobody voted"),
        (None, OPTIONS, {"choice": NONE}, "none first"),
    ],
    ids=["nothing on the table", "all abstain", "all take none"],
)
def test_a_vote_without_a_winner_says_why(
    says: dict[str, str] | None, options: tuple[str, ...], vote: dict[str, object], note: str
) -> None:
    """No verdict is an answer; which of them it is has to be said."""
    runner = Given(says, lambda _: vote)
    debate = table(runner, options)
    debate.run_sync()
    verdict = debate.progress.verdict
    assert verdict is not None
    assert not verdict.outcome
    assert verdict.note is not None
    assert verdict.note.why == note
    assert len(runner.ballots()) == (len(PANEL) if options else 0)


def test_a_reason_that_refuses_what_the_ballot_accepts_is_asked_about_once() -> None:
    """A verdict would name a text that its voters deny in their reasons."""

    def slips(prompt: Prompt) -> dict[str, object]:
        wrong = prompt.agent == "Ruth" and prompt.phase == "ballot" and prompt.attempt == 1
        return {"choice": "o2", "reason": "I cannot accept o2." if wrong else "It is safe."}

    runner = Given({}, slips)
    debate = table(runner)
    debate.run_sync()
    asked = [prompt for prompt in runner.ballots() if prompt.agent == "Ruth"]
    assert [prompt.attempt for prompt in asked] == [1, 2]
    assert "refuses o2" in asked[1].wrong
    assert cast(debate)["Ruth"].reason == "It is safe."
    stubborn = table(Given({}, lambda _: {"choice": "o2", "reason": "I cannot accept o2."}))
    stubborn.run_sync()
    assert {(ballot.choice, ballot.reason, ballot.invalid) for ballot in cast(stubborn).values()} == {
        (OPTIONS[1], "I cannot accept o2.", False)
    }


def halted(folder: Path, says: dict[str, str], vote: Vote, human: str | None = None) -> None:
    """A debate that stops in its ballot after one vote; with `human`, a person who types nothing sits there too."""

    async def silent(_: Prompt) -> str:
        return ""

    with Session.create("half", folder) as session:
        seats = {human: HumanRunner(silent)} if human else None
        settings = Settings(max_messages=9, floor="round-robin")
        debate = Debate(
            PLAN, PANEL, Given(says, gone_after(1, vote)), options=OPTIONS, settings=settings, seed=2, session=session,
            human=human, seats=seats,
        )  # fmt: skip
        with pytest.raises(RunnerUnavailableError):
            debate.run_sync()
        assert debate.progress.ballots


def test_a_voter_who_leaves_in_mid_ballot_is_not_asked_and_the_others_are_offered_the_same(tmp_path: Path) -> None:
    """Who is gone cannot be waited for; what the first voter saw holds for all."""
    halted(tmp_path, {"Ruth": f"[PROPOSE] {QUEUE}"}, takes("p1.0"))
    with Session.open("half", tmp_path) as session:
        before = progress_of(session).ballots
        runner = Given({}, takes("p1.0"))
        debate = Debate.resume(session, runner)
        debate.remove("Maya")
        debate.run_sync()
        assert "Maya" not in cast(debate)
        assert {fact.texts for fact in debate.progress.ballots} == {before[0].texts}
        assert debate.progress.verdict is not None
        assert debate.progress.verdict.outcome == QUEUE


def test_a_motion_that_is_withdrawn_while_it_is_voted_on_is_not_decided(tmp_path: Path) -> None:
    """The ballot was fixed; its author gave the text up, so all vote again without it."""
    ada = {"Ada": f"[PROPOSE] {QUEUE}"}

    async def typed(prompt: Prompt) -> str:
        return ada["Ada"] if prompt.stage == "opening" else "p4.0" if prompt.purpose == "ballot" else ""

    with Session.create("half", tmp_path) as session:
        settings = Settings(max_messages=12, floor="round-robin", first_vote=False)
        debate = Debate(
            PLAN, PANEL, Given({}, gone_after(1, takes("p4.0"))), options=OPTIONS, settings=settings, seed=2,
            session=session, human="Ada", seats={"Ada": HumanRunner(typed)},
        )  # fmt: skip
        with pytest.raises(RunnerUnavailableError):
            debate.run_sync()
        assert "p4.0" in [text.id for text in debate.progress.ballots[0].texts]
        again = Debate.resume(session, Given({}, takes("p4.0")), human="Ada", seats={"Ada": HumanRunner(typed)})
        again.say("Let us drop it.\n\n[WITHDRAW p4.0]", "Ada")
        again.run_sync()
        assert again.progress.again
        assert "p4.0" not in [text.id for cast in again.progress.ballots for text in cast.texts]


def test_what_was_accepted_stays_on_the_ballot_when_the_debate_goes_on() -> None:
    """A second vote that lacks what stands could only take it back."""
    says = {"Ruth": f"[PROPOSE] {QUEUE}", "Walter": f"[PROPOSE] {BANK}"}
    debate = table(Given(says, takes(QUEUE)))
    debate.run_sync()
    assert debate.progress.verdict is not None
    assert debate.progress.verdict.outcome == QUEUE
    accepted = {item.id: item.status for item in debate.memory.proposals}
    assert accepted["p1.0"] == "accepted"
    assert "p1.0" in [text.id for text in slate_now(debate.progress, debate.memory).texts]
    again = Debate.resume(debate.session, Given({}, takes("o1")), max_messages=15)
    again.run_sync()
    assert "p1.0" in [text.id for text in offered(again)]
    assert again.progress.verdict is not None
    assert again.progress.verdict.outcome == OPTIONS[0]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("o2", {"choice": "Wait", "ranking": ("Wait",), "approved": ("Wait",)}),
        ("wait", {"choice": "Wait", "ranking": ("Wait",)}),
        ("p1.0 > o2", {"choice": QUEUE, "ranking": (QUEUE, "Wait"), "approved": (QUEUE, "Wait")}),
        ("p1, o2", {"choice": QUEUE, "ranking": (QUEUE, "Wait")}),
        ("p1.0 = o2 > o1", {"choice": None, "ranking": ((QUEUE, "Wait"), "Go now")}),
        ("o2 = o1 also p1.0", {"choice": None, "ranking": (("Wait", "Go now"),), "also": (QUEUE,)}),
        ("o1 also p1.0", {"choice": "Go now", "ranking": ("Go now",), "also": (QUEUE,)}),
        ("none", {"choice": NONE, "ranking": ()}),
        ("none also p1.0", {"choice": NONE, "also": (QUEUE,)}),
        ("abstain", {"choice": None, "invalid": False}),
        ("", {"choice": None, "invalid": False}),
        ("p1.0 then o2", {"choice": QUEUE, "ranking": (QUEUE, "Wait"), "approved": (QUEUE, "Wait")}),
        ("p7.0", {"invalid": True}),
        ("o1 > p7.0", {"invalid": True}),
        ("o1 also p7.0", {"invalid": True}),
    ],
)
def test_votes_as_a_person_types_them(typed: str, expected: dict[str, object]) -> None:
    """By letter, id or words; several in order; what else to adopt; nothing guessed from what is none of these."""

    async def answers(prompt: Prompt) -> str:
        return typed if prompt.phase == "ballot" else "o1" if prompt.phase == "first-ballot" else ""

    settings = Settings(max_messages=5, floor="round-robin")
    runner = Given({"Ruth": f"[PROPOSE] {QUEUE}"}, takes("o1"))
    debate = Debate(
        PLAN,
        PANEL,
        runner,
        options=OPTIONS,
        settings=settings,
        seed=2,
        human="Ada",
        seats={"Ada": HumanRunner(answers)},
    )
    debate.run_sync()
    ballot = cast(debate)["Ada"]
    assert {name: getattr(ballot, name) for name in expected} == expected
    assert cast(debate, first=True)["Ada"] == Ballot(
        agent="Ada", choice="Go now", ranking=("Go now",), approved=("Go now",), raw=("o1",)
    )
