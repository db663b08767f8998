"""Did talking help: the verdict beside what the same rule makes of the openings, and what the talk took."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_anthropic import Fail, FakeAnthropic, Say
from hypothesis import given
from hypothesis import strategies as st
from told import CHOICES, MOVE, TALK, WAIT, Told, asked

from eda import ConversationMemory, Debate, MessagePosted, PhaseStarted, Session, Settings
from eda.cli import cli
from eda.debate.baseline import MOST_ANSWERS, take_baseline
from eda.debate.replay import progress_of
from eda.debate.verdict import verdict_of
from eda.events import Ballot, BallotCast, BaselineTaken, CallMade, SettingChanged, StanceTaken
from eda.panels.agenda import load_agenda
from eda.report import report_of
from eda.report.effect import Helped, gini, helped, helped_lines
from eda.report.json_data import session_data
from eda.runners.simulated.runner import SimulatedRunner


def of(told: Told) -> Helped:
    found = helped(told.progress, told.memory)
    assert found is not None
    return found


def test_the_rule_is_applied_to_the_blind_openings() -> None:
    """Nobody could say whether the debate was worth its cost."""
    found = of(Told().votes())
    assert (found.basis, found.with_known_opening) == ("opening", 5)
    assert (found.before, found.after, found.changed) == (MOVE, WAIT, True)
    assert [(c.who, c.before, c.after, c.joined, c.direction) for c in found.moved] == [
        ("Cleo", MOVE, WAIT, "Eve", "away"),
        ("Dan", MOVE, WAIT, "Eve", "away"),
    ]
    assert (found.outside, found.asked, found.left) == (("Ada",), 5, 0.2)
    assert (found.calls, found.tokens, found.cost) == (10, 10_000, pytest.approx(0.1))


def test_a_talk_that_moved_nobody_is_said_to_have_moved_nobody() -> None:
    """A debate that only cost would look as useful as one that changed the outcome."""
    found = of(Told().votes(Cleo=MOVE, Dan=MOVE))
    assert (found.changed, found.moved) == (False, ())
    lines = helped_lines(found)
    assert len(lines) == 3
    assert "it did not change the outcome" in lines[0]
    assert lines[1] == "minds: none of 5 changed their mind"


def test_in_a_level_vote_nobody_is_singled_out_as_standing_apart() -> None:
    """Two against two: whom the screen names as apart would hang on who sits first."""
    found = of(Told().votes(Ada=MOVE, Ben=MOVE, Cleo=WAIT, Dan=WAIT, Eve=None))
    assert found.outside == ("Ada", "Ben", "Cleo", "Dan", "Eve")


def test_openings_that_are_not_known_are_counted_as_such() -> None:
    """An outcome of two openings would pass for one of five."""
    vague = tuple((who, "I cannot say.") if who in ("Ada", "Ben", "Cleo") else (who, text) for who, text in TALK)
    found = of(Told(talk=vague).votes())
    assert (found.with_known_opening, found.members, found.changed, found.before) == (2, 5, None, None)
    assert "too few openings are known to tell (blind openings of 2 of 5)" in helped_lines(found)[0]
    assert found.compared == 2


def test_an_outcome_that_a_lot_would_have_made_is_none_that_the_talk_changed() -> None:
    """Two against two, and the report said that the one the lot favours would have won, and that the talk undid it."""
    level = tuple((who, "I cannot say.") if who == "Cleo" else (who, text) for who, text in TALK)
    told = Told(talk=level, settings=Settings(rule="plurality")).votes()
    found = of(told)
    assert (found.with_known_opening, found.before_by_lot, found.changed) == (4, True, None)
    said = "before it several were level, and only a lot would have decided (plurality, blind openings of 4 of 5)"
    assert said in helped_lines(found)[0]
    report = report_of(told.session, told.progress, told.memory)
    assert "only a lot would have decided by the rule plurality" in report.verdict[2]


def test_a_poll_before_the_talk_counts_and_the_rule_shift_falls_back_on_majority() -> None:
    """Oxford debates compare two polls; their openings are those of the first."""
    told = Told(talk=(), agenda=load_agenda("oxford"))
    for poll, held in ((1, (MOVE, MOVE, MOVE, WAIT, None)), (2, (WAIT, MOVE, MOVE, WAIT, WAIT))):
        told.tell(
            *(
                StanceTaken(who=member.title, poll=poll, choices=CHOICES, choice=choice, after=poll - 1)
                for member, choice in zip(told.session.started().members, held, strict=True)
            )
        )
    told.tell(verdict_of(told.progress, told.memory))
    found = of(told)
    assert (found.basis, found.rule, found.before, found.after, found.changed) == (
        "poll",
        "majority",
        MOVE,
        WAIT,
        True,
    )
    assert {change.who: change.before for change in found.moved} == {"Ada": MOVE, "Eve": None}


def test_a_vote_before_the_talk_is_its_opening_and_is_counted_as_the_vote_that_it_is() -> None:
    """Who votes, talks and votes again would be told that nobody knows what the talk changed."""
    said = (MessagePosted(number=1, who="Eve", text="Two systems would both send invoices."),)
    third = "Move the invoices alone"
    first = {"Ada": (MOVE, third), "Ben": (third,), "Cleo": (MOVE, third), "Dan": (MOVE, third), "Eve": (third,)}
    told = Told(talk=(), settings=Settings(rule="borda")).tell(PhaseStarted(phase="ballot"))
    for who, ranking in first.items():
        ballot = Ballot(agent=who, choice=ranking[0], ranking=(*ranking, WAIT))
        told.tell(BallotCast(ballot=ballot, choices=(*CHOICES, third)))
    found = of(told.tell(PhaseStarted(phase="discussion"), *said).votes((*CHOICES, third)))
    assert (found.basis, found.with_known_opening, found.rule) == ("ballot", 5, "borda")
    assert (found.before, found.changed) == (third, True)
    assert {change.who: change.before for change in found.moved} == {
        "Ben": third,
        "Cleo": MOVE,
        "Dan": MOVE,
        "Eve": third,
    }
    assert "would have won (borda, first ballots of 5 of 5); it changed the outcome" in helped_lines(found)[0]
    again = ConversationMemory.from_json(told.memory.to_json(), fact=told.session.fact)
    assert helped(told.progress, again) == found


def test_a_poll_after_the_vote_that_counts_is_no_poll_before_it() -> None:
    """A tally would tell what members thought last as what they came from."""
    told = Told(talk=()).tell(PhaseStarted(phase="ballot"))
    told.tell(BallotCast(ballot=Ballot(agent="Ada", choice=MOVE), choices=CHOICES))
    told.tell(StanceTaken(who="Ada", poll=1, choices=CHOICES, choice=WAIT, after=1))
    assert verdict_of(told.progress, told.memory).before == {}


def test_what_the_talk_itself_brought_up_has_no_opening() -> None:
    """Scores of findings that nobody knew before the talk would be read as changes of mind."""
    debate = Debate("We move billing out in six weeks", "architecture-review", agenda="red-team", seed=2)
    debate.run_sync()
    found = helped(debate.progress, debate.memory)
    assert found is not None
    assert (found.basis, found.with_known_opening, found.moved) == ("none", 0, ())
    assert "each member could back several, so no opening counts as a vote" in helped_lines(found)[0]


def test_yes_and_no_were_there_before_the_talk_whatever_the_rule() -> None:
    """An opening that says yes is known also where yes and no are approved or scored."""
    debate = Debate("Should we move?", settings=Settings(rule="approval", max_messages=12), seed=2)
    debate.run_sync()
    found = helped(debate.progress, debate.memory)
    assert found is not None
    assert (found.basis, found.open_choices) == ("opening", False)
    assert found.changed is not None


def test_shares_are_of_words_and_count_who_said_nothing() -> None:
    """A member that never spoke would vanish from its own participation figures."""
    found = of(Told(talk=TALK[:4]).votes())
    shares = {share.who: share for share in found.shares}
    assert (shares["Eve"].messages, shares["Eve"].words) == (0, 0)
    assert sum(share.share for share in found.shares) == pytest.approx(1)
    assert shares["Ada"].words == len(TALK[0][1].partition("\n\n")[0].split())


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=8))
def test_the_gini_coefficient_is_what_its_definition_says(words: list[int]) -> None:
    """A figure that researchers quote must be theirs: 0 where all are equal, below 1 - 1/n, scale free."""
    found = gini(words)
    assert -1e-12 <= found <= 1 - 1 / len(words) + 1e-12
    assert gini([7 * count for count in words]) == pytest.approx(found)
    assert gini([5] * len(words)) == pytest.approx(0)
    assert gini([0, 0, 0, 9]) == pytest.approx(0.75)


def test_it_stands_under_the_verdict_wherever_that_is_shown(tmp_path: Path) -> None:
    """Whoever reads a verdict must see what the talk changed, on a screen, later, and in a program."""
    run: Callable[..., str] = lambda *words: CliRunner().invoke(cli, [*words, "--sessions", str(tmp_path)]).stdout  # noqa: E731 - three calls of one line
    live = run("debate", "Should we wait?", "--session", "one", "--seed", "5")
    for text in (live, run("show", "one")):
        assert text.index("verdict: ") < text.index("talk: ") < text.index("minds: ") < text.index("shares: words ")
    data = json.loads(run("show", "one", "--json"))
    assert data["helped"]["members"] == 5
    assert data["stance_changes"] == data["helped"]["moved"]


def test_a_debate_without_a_verdict_has_nothing_to_compare() -> None:
    """`eda show` of a session that was stopped would fail."""
    told = Told()
    assert helped(told.progress, told.memory) is None
    data = session_data(told.session.started(), told.progress, told.memory, told.session.events())
    assert data["helped"] is None


def single(choice: str) -> Say:
    return Say(f"It depends.\n\nANSWER: {choice}", usage={"input_tokens": 900, "output_tokens": 100})


def baseline_of(told: Told, fake: FakeAnthropic) -> str:
    return asyncio.run(asked(fake, lambda runner: take_baseline(told.progress, runner, told.tell)))


def test_the_baseline_asks_the_question_alone_for_as_many_tokens(fake: FakeAnthropic) -> None:
    """A panel that does no better than ten answers at its own cost should not be run."""
    told = Told().votes()
    fake.play(*[single(MOVE)] * 6, *[single(WAIT)] * 3, Say("No line at the end."))
    assert baseline_of(told, fake) == ""
    taken = told.progress.baseline
    assert taken is not None
    assert (len(taken.answers), taken.outcome) == (10, MOVE)  # 10,000 tokens, and 1,000 an answer
    assert [answer.choice for answer in taken.answers].count(None) == 1
    sent = str(fake.requests[0]["messages"])
    assert WAIT in sent
    assert "Oskar" not in sent
    assert "baseline: of 10 single answers at 9.1k tokens, 6 take" in helped_lines(of(told))[3]


def test_short_answers_are_asked_for_until_they_took_as_much(fake: FakeAnthropic) -> None:
    """Twenty answers of a sentence are a tenth of what the debate took: no comparison at equal cost."""
    told = Told().votes()
    short = Say(f"ANSWER: {MOVE}", usage={"input_tokens": 100, "output_tokens": 100})
    fake.play(*[short] * 30, *[Fail(400)] * MOST_ANSWERS)
    assert baseline_of(told, fake) == ""
    taken = told.progress.baseline
    assert taken is not None
    assert len(taken.answers) == 30
    assert len(fake.requests) <= 36, "a server that fails is not asked for ever"
    fake.play(*[short] * MOST_ANSWERS)
    assert baseline_of(told, fake) == ""
    assert told.progress.baseline is not None
    assert (len(told.progress.baseline.answers), told.progress.baseline.tokens) == (50, 10_000)


def test_the_baseline_is_no_part_of_what_the_debate_took(fake: FakeAnthropic) -> None:
    """The comparison would make the debate look twice as dear, and use its budget up."""
    told = Told().votes()
    before = (told.progress.spent.tokens, told.progress.spent.calls)
    fake.play(*[single(WAIT)] * MOST_ANSWERS)
    baseline_of(told, fake)
    assert (told.progress.spent.tokens, told.progress.spent.calls) == before
    assert told.progress.aside.calls == 10
    again = progress_of(told.session)
    assert (again.baseline, again.spent) == (told.progress.baseline, told.progress.spent)


def test_answers_that_are_level_have_no_outcome_and_failed_ones_are_left_out(fake: FakeAnthropic) -> None:
    """Chance would decide what the panel is measured against."""
    told = Told().votes()
    fake.play(single(MOVE), single(WAIT), *[Fail(400)] * 8)
    assert baseline_of(told, fake) == ""
    taken = told.progress.baseline
    assert taken is not None
    assert (len(taken.answers), taken.outcome) == (2, None)
    assert "no choice has the most" in helped_lines(of(told))[3]


def test_a_baseline_that_cannot_be_taken_leaves_the_verdict(fake: FakeAnthropic) -> None:
    """A server that fails after the debate must not cost the debate."""
    told = Told().votes()
    fake.play(Fail(400, message="no such model"))
    assert "no such model" in baseline_of(told, fake)
    assert told.progress.baseline is None
    assert not [
        event
        for event in told.session.events()
        if isinstance(event, BaselineTaken | CallMade) and event.seq > told.verdict.seq
    ]


def test_a_baseline_that_credit_does_not_last_for_is_none(fake: FakeAnthropic) -> None:
    """A few answers would stand beside a panel that took ten times as much, and a dead key would be tried on."""
    told = Told().votes()
    fake.play(single(MOVE), *[Fail(400, message="Your credit balance is too low.")] * MOST_ANSWERS)
    assert "credit balance" in baseline_of(told, fake)
    assert told.progress.baseline is None
    assert len(fake.requests) == 1 + 5  # those that were asked side by side
    assert told.progress.aside.calls == 1


def test_another_round_has_another_baseline(fake: FakeAnthropic) -> None:
    """The second verdict of a session would be compared with answers to the first one's choices."""
    told = Told().votes()
    fake.play(*[single(WAIT)] * MOST_ANSWERS)
    baseline_of(told, fake)
    told.tell(SettingChanged(settings=Settings())).votes(Ada=WAIT)
    assert of(told).baseline is None


def test_a_baseline_is_asked_for_where_somebody_can_answer(tmp_path: Path) -> None:
    """The simulated panel has no answers of its own, and a comparison with them would be a lie."""
    found = CliRunner().invoke(
        cli, ["debate", "Is it?", "--baseline", "--runner", "simulated", "--sessions", str(tmp_path)]
    )
    assert (found.exit_code, "is not one" in found.stderr) == (2, True)
    assert not list(tmp_path.iterdir())
    told = Told().votes()
    asyncio.run(take_baseline(told.progress, SimulatedRunner(), told.tell))
    assert told.progress.baseline is not None
    assert told.progress.baseline.outcome is None


def test_the_baseline_of_a_saved_session_needs_a_verdict() -> None:
    """There is nothing that single answers could be compared with."""
    told = Told(Session.in_memory())
    assert (
        asyncio.run(take_baseline(told.progress, SimulatedRunner(), told.tell))
        == "there is no verdict to compare it with"
    )
