"""The first ballot: private, before the first message, on what was given; it decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from voting_table import OPTIONS, PANEL, PLAN, Given, cast, table

from eda import Debate, Session, votes_of
from eda.debate.prompt_preview import speaker_prompt
from eda.debate.replay import progress_of
from eda.errors import AgendaError, RunnerUnavailableError, UsageError
from eda.events import BallotCast, MessagePosted, PhaseStarted, SessionStarted
from eda.panels.agenda import load_agenda, read_agenda
from eda.panels.settings import Settings
from eda.report.phrases import asked_phrase
from eda.runners.protocol import Prompt
from eda.words import Words


def opposite(prompt: Prompt) -> dict[str, object]:
    """All wait at first, and go in the end; each first reason has a word that nobody else uses."""
    first = not prompt.last
    return {"choice": "Wait" if first else "Go now", "reason": "a zeppelin" if first else "it is time"}


def test_it_is_cast_in_seat_order_before_anybody_speaks_and_decides_nothing() -> None:
    """What members held before the talk can be known only if they are asked before it."""
    debate = table(Given(vote=opposite))
    debate.run_sync()
    facts = list(debate.session.events())
    votes = [fact for fact in facts if isinstance(fact, BallotCast) and fact.first]
    assert [fact.ballot.agent for fact in votes] == list(debate.progress.members)
    assert max(fact.seq for fact in votes) < next(fact.seq for fact in facts if isinstance(fact, MessagePosted))
    assert [(text.id, text.motion, text.text) for text in votes[0].texts] == [
        ("o1", "o1", "Go now"),
        ("o2", "o2", "Wait"),
    ]
    assert debate.progress.first_ballots == votes
    assert not any(ballot.first for ballot in debate.progress.ballots)
    assert debate.progress.verdict is not None
    assert debate.progress.verdict.outcome == "Go now"
    assert {ballot.choice for ballot in votes_of(debate.session, debate.progress).ballots} == {"Go now"}


def test_nobody_is_shown_it() -> None:
    """A first vote that others see would bind its voter."""
    runner = Given(vote=opposite)
    table(runner, full_budget=20_000).run_sync()
    later = [prompt.text for prompt in runner.prompts if prompt.last]
    assert later
    assert not any("zeppelin" in text for text in later)


@pytest.mark.parametrize(
    ("question", "options", "agenda", "offered"),
    [
        (PLAN, OPTIONS, "panel", set(OPTIONS)),
        ("Should we go now?", (), "panel", {"Yes", "No"}),
        (PLAN, (), "panel", set()),
        (PLAN, OPTIONS, "red-team", set(OPTIONS)),
        ("Should we go now?", (), "red-team", set()),
        (PLAN, OPTIONS, "brainstorm", set()),
    ],
)
def test_it_is_taken_where_something_was_given(
    question: str, options: tuple[str, ...], agenda: str, offered: set[str]
) -> None:
    """Where nothing was given there is nothing to compare with, and the calls would be wasted."""
    runner = Given()
    debate = table(runner, options, question, agenda)
    debate.run_sync()
    assert {choice for prompt in runner.ballots(first=True) for choice in prompt.options} == offered
    assert len(cast(debate, first=True)) == (len(PANEL) if offered else 0)
    assert next(fact.phase for fact in debate.session.events() if isinstance(fact, PhaseStarted)) != "first-ballot"


def test_it_can_be_left_out() -> None:
    """Whoever does not want the comparison need not pay for it."""
    runner = Given()
    debate = table(runner, first_vote=False)
    debate.run_sync()
    assert not runner.ballots(first=True)
    assert "first-ballot" not in [phase.name for phase in debate.progress.agenda]
    with pytest.raises(UsageError, match="first_vote cannot be changed"):
        Debate.resume(debate.session, Given(), max_messages=30, settings={"first_vote": True})


def test_it_goes_on_where_it_was_cut(tmp_path: Path) -> None:
    """Nobody is asked twice, and a debate that was stopped in mid-vote ends as one that was not."""

    def stopped(prompt: Prompt) -> dict[str, object]:
        if prompt.agent == "Maya":
            raise RunnerUnavailableError("the server is gone")
        return opposite(prompt)

    undisturbed = table(Given(vote=opposite))
    undisturbed.run_sync()
    with Session.create("half", tmp_path) as half:
        with pytest.raises(RunnerUnavailableError):
            table(Given(vote=stopped), session=half).run_sync()
        assert len(progress_of(half).first_ballots) == len(PANEL) - 1
        assert "The ballot" in speaker_prompt(half, "Maya")
        runner = Given(vote=opposite)
        again = Debate.resume(half, runner)
        again.run_sync()
        assert [prompt.agent for prompt in runner.ballots(first=True)] == ["Maya"]
        assert cast(again, first=True) == cast(undisturbed, first=True)
        assert cast(again) == cast(undisturbed)


def test_it_is_not_repeated_after_the_verdict() -> None:
    """The second round begins from what was said, and so cannot be a first vote."""
    debate = table(Given(vote=opposite))
    debate.run_sync()
    runner = Given(vote=opposite)
    again = Debate.resume(debate.session, runner, max_messages=18)
    again.run_sync()
    assert not runner.ballots(first=True)
    assert runner.ballots()
    assert len(again.progress.first_ballots) == len(PANEL)
    assert not any(fact.first for fact in again.progress.ballots)


def test_a_budget_pays_for_it_and_leaves_enough_for_the_vote() -> None:
    """A first vote that eats what is kept for the last one would leave a debate without a verdict."""
    debate = table(Given(vote=opposite), max_tokens=60_000)
    debate.run_sync()
    first = [fact for fact in debate.session.events() if isinstance(fact, BallotCast) and fact.first]
    assert len(first) == len(PANEL)
    assert debate.progress.by_purpose["ballot"].calls == 2 * len(PANEL)
    assert debate.progress.spent.tokens <= 60_000


def test_a_format_has_it_at_its_beginning_or_not_at_all() -> None:
    """A first vote after the openings would not be one."""
    text = (Path(load_agenda.__code__.co_filename).parent / "agendas" / "panel.toml").read_text("utf-8")
    assert read_agenda(text, "own.toml").phases[0].kind == "first-ballot"
    first = '[[phase]]\nname = "first-ballot"\nkind = "first-ballot"\n\n'
    late = text.replace(first, "").replace('kind = "open"\n', 'kind = "open"\n\n' + first, 1)
    with pytest.raises(AgendaError, match="phase 'first-ballot': a phase of kind 'first-ballot' comes before all"):
        read_agenda(late, "own.toml")


def test_settings_of_a_debate_keep_what_was_asked_of_the_vote() -> None:
    """A resume that forgot them would hold another vote."""
    wanted = Settings(answer="list", fixed_options=True, first_vote=False)
    assert Settings.model_validate_json(wanted.model_dump_json()) == wanted


@pytest.mark.parametrize(("fixed", "asked"), [(False, " oder ein Text des Gremiums"), (True, "")])
def test_what_a_question_asks_for_names_the_texts_of_the_panel_where_one_can_win(fixed: bool, asked: str) -> None:
    """ "Gesucht: eine der Optionen" stood above a verdict for a text that the panel wrote."""
    settings = Settings(fixed_options=fixed)
    started = SessionStarted(
        session="s", question="Which?", options=OPTIONS, settings=settings, agenda=load_agenda("panel")
    )
    assert asked_phrase(started, settings, Words("de")) == f"eine der Optionen{asked}"
