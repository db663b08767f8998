"""Each shipped format runs to what it promises: offline, and over HTTP with what a model would answer."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fake_anthropic import FakeAnthropic
from fake_panel import FakePanel
from in_turn import each_other
from rich.console import Console
from told import verdict_lines

from eda import Debate, MessagePosted, Prompt, Reply, Session
from eda.cli import cli
from eda.cli.terminal.printers import Page
from eda.cli.terminal.style import Colours
from eda.cli.terminal.verdict import answer_of, count_page
from eda.events import BallotCast, PhaseStarted, SessionEnded, TurnFailed, VerdictReached
from eda.panels.agenda import agenda_names, load_agenda
from eda.panels.settings import Settings
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner
from eda.words import ENGLISH

PANEL = ["sceptic", "historian", "pragmatic-engineer", "finance-director", "support-lead"]
MOTION = "Should we move the billing service out of the monolith?"
QUESTIONS = {
    "brainstorm": "How could we cut the time of the nightly batch?",
    "mediation": "How should support and engineering share on-call duty?",
}


class Listening(SimulatedRunner):
    """Keeps what it is asked; `instead` may answer first."""

    def __init__(self, instead: Callable[[Prompt], Reply | None] = lambda _: None) -> None:
        self.prompts: list[Prompt] = []
        self._instead = instead

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.prompts.append(prompt)
        return self._instead(prompt) or await super().run(prompt, on_text)


def held(name: str, runner: object = None, **given: Any) -> Debate:
    """A debate in that format, run to its end."""
    question = QUESTIONS.get(name, MOTION)
    debate = Debate(question, PANEL, runner or Listening(), agenda=name, seed=4, **given)
    debate.run_sync()
    return debate


def keeps_its_promise(debate: Debate) -> None:
    """What the format says that it ends with is there."""
    facts, verdict = list(debate.session.events()), debate.progress.verdict
    assert isinstance(facts[-1], SessionEnded)
    assert verdict is not None
    lines = "\n".join(verdict_lines(verdict))
    match debate.progress.agenda.name:
        case "panel":
            assert verdict.rule == "majority"
            assert len(verdict.dissent) + len(verdict.tally.get(verdict.outcome or "", ())) <= len(debate.members)
        case "red-team":
            figures = [verdict.figures[finding] for finding in verdict.order]
            assert len(figures) > 1
            assert figures == sorted(figures, reverse=True)
            assert all(0 <= figure <= 10 for figure in figures)
            assert all(verdict.behind[finding] for finding in verdict.order)
            assert all(f"ranked: {place}. " in lines for place in range(1, len(figures) + 1))
        case "oxford":
            before, after = debate.progress.polled
            assert len(before) == len(after) == len(debate.members)
            for choice, figure in verdict.figures.items():
                gained = sum(s.choice == choice for s in after) - sum(s.choice == choice for s in before)
                assert figure == pytest.approx(gained / len(debate.members))
                assert f"from {len(verdict.before[choice])} to {len(verdict.tally[choice])}" in lines
        case "delphi":
            laps = debate.progress.laps["poll"]
            assert 2 <= laps <= 4
            assert len(debate.progress.polled) == laps
        case "brainstorm":
            assert len(verdict.order) > 2
            approved = [verdict.figures[idea] for idea in verdict.order]
            assert approved == sorted(approved, reverse=True)
        case "mediation":
            blocked = {choice for cast in debate.progress.ballots for choice in cast.ballot.blocked}
            assert verdict.outcome not in blocked
            assert verdict.outcome is not None or blocked


@pytest.mark.parametrize("name", each_other(agenda_names(), 1))  # the other half keeps its promise over HTTP
def test_each_format_ends_with_what_it_promises_offline(name: str) -> None:
    """Whoever picks a format by its promise must get that, without a key."""
    debate = held(name)
    keeps_its_promise(debate)
    assert debate.progress.messages <= debate.progress.settings.max_messages


@pytest.mark.parametrize("name", each_other(agenda_names()))
async def test_each_format_ends_with_what_it_promises_over_http(name: str, fake: FakeAnthropic) -> None:
    """The same with a model's answers: structured ones as JSON, with what a real model gets wrong now and then."""
    panel = fake.answer = FakePanel(seed=5)
    runner = AnthropicRunner(api_key="none", base_url=fake.url)
    debate = Debate(
        QUESTIONS.get(name, MOTION),
        PANEL[:3],
        runner,
        agenda=load_agenda(name).with_floor("moderated") if name == "panel" else name,
        settings=Settings(max_messages=11),
        seed=4,
    )
    await debate.run()
    await runner.close()
    keeps_its_promise(debate)
    kinds = {phase.kind for phase in debate.progress.agenda}
    assert ("poll" in kinds) == bool(panel.asked["poll"])
    assert ("ballot" in kinds) == bool(panel.asked["ballot"])
    assert (name == "panel") == bool(panel.asked["moderate"])
    assert not [fact for fact in debate.session.events() if isinstance(fact, TurnFailed) and fact.purpose != "ballot"]


def test_in_an_anonymous_debate_nobody_is_told_who_is_who(tmp_path: Path) -> None:
    """Rank and reputation decide as soon as a name or a role is seen."""
    runner = Listening()
    own = Debate("Should we?", PANEL, seed=1).members
    held("delphi", runner)
    for prompt in runner.prompts:
        assert not any(re.search(rf"\b{member.title}\b", "".join((*prompt.shared, prompt.own))) for member in own)
        assert not any(member.role in part for member in own for part in prompt.shared[:1])
    ask = ["debate", MOTION, "--format", "delphi", "--runner", "simulated", "--sessions", str(tmp_path)]
    shown = CliRunner().invoke(cli, [*ask, "--session", "d", "--panel", "product-decision"]).output
    assert "Panelist A" in shown
    told = CliRunner().invoke(cli, ["show", "d", "--sessions", str(tmp_path)]).output
    assert "Panelist A, who was " in told
    assert "finance-director" in told
    assert "finance director" not in shown


def test_delphi_feeds_back_figures_and_ends_when_nobody_moves() -> None:
    """Rounds that go on when all is said cost money; those that feed nothing back are no Delphi."""
    runner = Listening()
    debate = held("delphi", runner)
    spoken = [prompt for prompt in runner.prompts if prompt.purpose == "speak"]
    assert all("(no poll was taken yet)" in prompt.own for prompt in spoken[: len(PANEL)])
    assert all(" of 5" in prompt.own for prompt in spoken[len(PANEL) :])
    laps = [fact.lap for fact in debate.session.events() if isinstance(fact, PhaseStarted) and fact.phase == "round"]
    held_by = [[stance.choice for stance in poll] for poll in debate.progress.polled]
    assert len(laps) == 4 or held_by[-1] == held_by[-2]
    assert all(one != other for one, other in list(pairwise(held_by))[:-1])


def test_delphi_ends_after_four_rounds_where_stances_never_settle() -> None:
    """Two who swap their stances must not go on for ever."""

    def swap(prompt: Prompt) -> Reply | None:
        if prompt.purpose != "poll":
            return None
        choice = prompt.options[(prompt.last // len(PANEL)) % 2]
        return Reply("", data={"choice": choice, "confidence": 0.5, "change_mind": ""})

    debate = held("delphi", Listening(swap))
    assert debate.progress.laps == {"round": 4, "poll": 4, "verdict": 1}
    assert debate.progress.verdict is not None


def test_mediation_goes_back_to_the_text_until_nobody_blocks_it() -> None:
    """A block is an objection to answer: the next draft is told what it was and why."""

    def ballot(prompt: Prompt) -> Reply | None:
        if prompt.purpose != "ballot":
            return None
        block = list(prompt.options) if prompt.nth < 2 and prompt.agent == "Ruth" else []
        choice = None if block else prompt.options[0]
        return Reply("", data={"choice": choice, "blocked": block, "reason": "It leaves nights to support."})

    runner = Listening(ballot)
    debate = held("mediation", runner)
    assert debate.progress.laps["consent"] == 2
    again = [prompt for prompt in runner.prompts if prompt.purpose == "speak" and prompt.phase == "drafting"][-1]
    assert "It leaves nights to support." in again.own
    assert re.search(r"^- p\d+\.0, by Ruth: It leaves nights to support\.$", again.own, re.MULTILINE)
    bids = [prompt.own for prompt in runner.prompts if prompt.purpose == "bid"]
    assert "by Ruth: It leaves nights to support." in bids[-1]
    assert "locked in the last vote" not in bids[0]
    assert debate.progress.verdict is not None
    assert debate.progress.verdict.outcome is not None


def test_mediation_hears_wishes_before_texts_and_asks_for_the_price_of_the_leading_one() -> None:
    """A solution of the first round stood on the table before anybody had said what it needed."""

    def speech(prompt: Prompt) -> Reply | None:
        if prompt.purpose == "terms":
            return Reply("", data={"takes": "with a change", "change": "pay the nights"})
        if prompt.purpose != "speak" or prompt.phase != "interests":
            return None
        return Reply(f"{prompt.agent} needs sleep.\n\n[PROPOSE] Share the nights by {prompt.agent}\n[POSITION] sleep")

    runner = Listening(speech)
    runner.terms = True  # type: ignore[attr-defined]  # as a model is asked
    debate = held("mediation", runner)
    first = len(PANEL)
    assert all(text.message > first for text in debate.memory.proposals)
    wishes = [note for note in debate.memory.notes if note.topic == "wish"]
    assert [note.message for note in wishes] == list(range(1, first + 1))
    assert {prompt.purpose for prompt in runner.prompts} >= {"terms"}


def test_mediation_that_finds_no_text_says_what_is_blocked_and_why() -> None:
    """Whoever has to decide on Monday needs the objection, not the word "no"."""

    def ballot(prompt: Prompt) -> Reply | None:
        if prompt.purpose != "ballot":
            return None
        if prompt.agent == "Ruth":
            return Reply("", data={"choice": None, "blocked": list(prompt.options), "reason": "Nights stay unpaid."})
        return Reply("", data={"choice": prompt.options[0], "reason": "fine"})

    debate = held("mediation", Listening(ballot))
    verdict = debate.progress.verdict
    assert debate.progress.laps["consent"] == 3
    assert verdict is not None
    assert verdict.outcome is None
    lines = verdict_lines(verdict)
    assert lines[0].startswith("verdict: No verdict: somebody blocks every text that anybody accepts")
    assert any(line.startswith("blocked: Ruth cannot live with ") for line in lines)
    assert any("Nights stay unpaid." in line for line in lines if line.startswith("against: Ruth cannot live with "))
    screen = Console(file=io.StringIO(), width=200)
    Page(screen, Colours(debate.progress.members)).decision(count_page(verdict), ENGLISH)
    assert "Nights stay unpaid." in screen.file.getvalue()  # type: ignore[attr-defined]  # it is the StringIO above


def test_oxford_speakers_argue_their_side_and_are_polled_for_themselves() -> None:
    """A speech for a side must not count as its speaker's stance."""
    runner = Listening()
    debate = held("oxford", runner)
    sides = {prompt.agent: prompt.side for prompt in runner.prompts if prompt.purpose == "speak"}
    assert list(sides.values()) == ["for", "against", "for", "against", "for"]
    speeches = [prompt for prompt in runner.prompts if prompt.phase == "speeches"]
    choices = {"for": "Yes", "against": "No"}
    told = {prompt.agent: f'{prompt.side} ("{choices[prompt.side]}")' for prompt in speeches}
    assert all(f"whatever you think yourself: {told[prompt.agent]}." in prompt.own for prompt in speeches)
    rebuttals = [prompt for prompt in runner.prompts if prompt.phase == "rebuttals" and prompt.purpose == "speak"]
    assert all(f"You argue: {told[prompt.agent]}." in prompt.own for prompt in rebuttals)
    said = [fact for fact in debate.session.events() if isinstance(fact, MessagePosted)]
    assert not [move for fact in said for move in fact.moves if move.kind == "position"]


@pytest.mark.parametrize("name", each_other(agenda_names(), first=1, of=3))
def test_the_verdict_of_each_format_is_printed_and_in_the_json(name: str, tmp_path: Path) -> None:
    """A script that reads the outcome gets the ranking, the figures and the messages behind them; a person, too."""
    where = ["--sessions", str(tmp_path)]
    ask = ["debate", QUESTIONS.get(name, MOTION), "--format", name, "--runner", "simulated", "--json"]
    told = json.loads(CliRunner().invoke(cli, [*ask, *where, "--session", name]).stdout)["verdict"]
    assert set(told["figures"]) == set(told["tally"])
    assert json.loads(CliRunner().invoke(cli, ["show", name, "--json", *where]).stdout)["verdict"] == told
    printed = CliRunner().invoke(cli, ["show", name, *where]).output
    with Session.read(name, tmp_path) as session:
        verdict = next(fact for fact in session.events() if isinstance(fact, VerdictReached))
    assert answer_of(verdict) in printed


def test_no_ballot_names_who_proposed_what_and_each_has_an_order_of_its_own() -> None:
    """On a ballot the words decide, and not who wrote them or what stands first."""
    runner = Listening()
    debate = held("brainstorm", runner)
    ballots = [prompt for prompt in runner.prompts if prompt.purpose == "ballot"]
    asked = [prompt.own[prompt.own.index("# The ballot") :] for prompt in ballots]
    assert not any(f"{title}" in text for text in asked for title in debate.progress.members)
    orders = {tuple(re.findall(r"^(p[\d.]+): ", text, re.MULTILINE)) for text in asked}
    assert len(orders) > 1
    cast = [fact for fact in debate.session.events() if isinstance(fact, BallotCast)]
    assert len({fact.choices for fact in cast}) == 1
