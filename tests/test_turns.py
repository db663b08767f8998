"""How messages are shared out, what a speaker is told of them, and when the panel is asked for one text."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_prompt_slots import MAYA, RUTH, Keeping
from told import Told

from eda import Debate, Session, Settings
from eda.cli import cli
from eda.debate.floor.stop import shares, without_room
from eda.debate.prompts.slots import turns_left
from eda.events import FloorGranted, MessagePosted, ModeratorSpoke, PhaseStarted, TurnPassed
from eda.panels.agenda import load_agenda
from eda.runners.protocol import OnText, Prompt, Reply

PANEL = ("sceptic", "historian", "pragmatic-engineer")
OPTIONS = ("Go", "Wait")


@dataclass
class Bidding(Keeping):
    """The simulated panel, in which all bid with a reason that a test knows."""

    seen: list[str] = field(default_factory=list)

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose == "bid":
            self.asked.append(prompt)
            bids = [{"agent": p.title, "wants": True, "urgency": 0.8, "reason": "zebra"} for p in prompt.asked]
            return Reply("", {"bids": bids})
        return await super().run(prompt, on_text)


def played(
    runner: Keeping | None = None, session: Session | None = None, agenda: str = "panel", **given: object
) -> Debate:
    settings = Settings.model_validate({"max_messages": 14, **given})
    debate = Debate(
        "Shall we go?", PANEL, runner or Keeping(), options=OPTIONS, settings=settings, seed=3, session=session,
        agenda=agenda,
    )  # fmt: skip
    debate.run_sync()
    return debate


def by_phase(debate: Debate) -> dict[str, int]:
    """How many messages each phase had."""
    counts: dict[str, int] = {}
    phase = ""
    for event in debate.session.events():
        if isinstance(event, PhaseStarted):
            phase = event.phase
            counts.setdefault(phase, 0)
        elif isinstance(event, MessagePosted):
            counts[phase] += 1
    return counts


@pytest.mark.parametrize("most", [2, 5, 8, 11, 12, pytest.param(20, marks=pytest.mark.long)])
def test_at_least_half_of_the_messages_are_discussion(most: int) -> None:
    """Without it a panel that is given eight messages opens, closes, and never talks."""
    debate = played(max_messages=most)
    counts = by_phase(debate)
    assert counts["discussion"] * 2 >= most
    assert counts["opening"] == min(3, most // 2)
    passed = sum(isinstance(event, TurnPassed) for event in debate.session.events())
    assert counts.get("closing") == (3 - passed if most >= 12 else None)
    assert sum(counts.values()) == most - passed


def test_a_single_message_is_an_opening() -> None:
    """Without it nobody says anything, and the panel votes on nothing."""
    assert by_phase(played(max_messages=1))["opening"] == 1


@pytest.mark.parametrize("name", ["delphi", "mediation", "oxford", "red-team", "brainstorm"])
def test_each_format_shares_its_messages_out(name: str) -> None:
    """Without it a format without an open phase loses the rounds that it is made of."""
    agenda = load_agenda(name)
    room = shares(agenda, 6, 5)
    if name == "delphi":
        assert room.closings
    else:
        assert room.closings == (name in ("mediation", "brainstorm"))
        assert room.openings == (3 if name in ("red-team", "brainstorm") else 0)
    assert shares(agenda, 60, 5).closings


def test_what_a_limit_has_no_room_for_is_said_before_the_debate(tmp_path: Path) -> None:
    """Without it somebody waits for closing words that never come."""
    agenda = load_agenda("panel")
    assert without_room(agenda, 12, 3) == ""
    assert without_room(agenda, 8, 3) == (
        "note: the debate may have 8 messages, of which 5 are kept for the discussion: nobody has a closing word. With "
        "--max-messages 12 there is room for all"
    )
    more = without_room(agenda, 4, 3, done=20)
    assert "may have 4 more messages" in more
    assert "With --max-messages 26 there is room for all" in more, "a limit counts what was said before"
    assert "of which 6 are kept for the discussion" in without_room(agenda, 10, 4), "it is more than half"
    assert "only 2 of 3 members open the debate and nobody has a closing word" in without_room(agenda, 4, 3)
    command = ["debate", "Shall we go?", "--runner", "simulated", "--max-messages", "8", "--sessions", str(tmp_path)]
    ran = CliRunner().invoke(cli, command, prog_name="eda")
    assert "only 4 of 5 members open the debate and nobody has a closing word. With --max-messages 20" in ran.output


def test_a_speaker_knows_how_many_messages_are_left_and_when_it_speaks_last() -> None:
    """Without it the best proposal comes when nobody can answer it any more."""
    runner = Keeping()
    played(runner)
    speeches = runner.of("speak")
    opening, closing = speeches[0], speeches[-1]
    assert "After it: up to 8 messages of discussion, then one closing word of each." in opening.own
    discussion = [p for p in speeches if p.stage == "discussion" and p.attempt == 1]
    for prompt in discussion:
        left = 11 - prompt.last
        assert f"Messages left in this phase: {left}, yours included. After it: one closing word of each." in prompt.own
        assert ("This may be your last word in it" in prompt.own) == (left <= 3)
    assert "This is your last word; only the vote follows." in closing.own
    bids = runner.of("bid")
    assert all(f"Messages left in this phase: {11 - p.last}. After it:" in p.own for p in bids if p.attempt == 1)
    for prompt in speeches:
        assert "Messages left" not in "".join((prompt.system, *prompt.shared))


def test_the_count_is_right_after_a_resume_that_extends_the_debate() -> None:
    """Without it members spare their words for a closing that is past, or are cut off in mid-debate."""
    for more, left, then in ((8, 5, "After it: one closing word of each."), (4, 4, "")):
        session, runner = Session.in_memory(), Keeping()
        said = played(session=session, floor="round-robin").progress.messages
        Debate.resume(session, runner, max_messages=said + more).run_sync()
        first, last = runner.of("speak")[0], runner.of("speak")[-1]
        assert first.last == said
        assert f"Messages left in this phase: {left}, yours included. {then}".strip() in first.own
        assert "no closing words" not in first.own, "who has turns left need not read it each time"
        assert last.stage == ("closing" if left == 5 else "discussion")
        if left == 4:
            assert "This is your last word in it" in last.own, "nobody speaks after it"
            assert "This may be your last word in it: the ballot comes next, and" in runner.of("speak")[-2].own


def test_after_the_last_message_nobody_is_told_how_many_are_left() -> None:
    """The prompt of whoever would speak after the verdict said "Messages left in this phase: 0, yours included"."""
    state = Told(agenda=load_agenda("panel")).progress
    assert "Messages left" in turns_left(state, yours=True)
    state.settings = state.settings.model_copy(update={"max_messages": state.messages})
    assert "Messages left" not in turns_left(state, yours=True)


def test_no_machinery_is_in_a_speaker_s_prompt() -> None:
    """Without it a member talks about its urgency, and is bound to what it wrote to get the floor."""
    runner = Bidding()
    debate = played(runner)
    grants = [e.reason for e in debate.session.events() if isinstance(e, FloorGranted)]
    assert any("zebra" in reason for reason in grants)
    for prompt in runner.of("speak"):
        for word in ("zebra", "urgency", '{"', "JSON", "bid for"):
            assert word not in prompt.text, word


def asked_together(debate: Debate) -> list[int]:
    """After which messages the moderator asked for one text."""
    numbers, last = [], 0
    for event in debate.session.events():
        if isinstance(event, MessagePosted):
            last = event.number
        elif isinstance(event, ModeratorSpoke) and event.why == "together":
            numbers.append(last)
    return numbers


def test_two_thirds_through_the_panel_is_asked_once_for_one_text() -> None:
    """Without it the text that most could sign is written after the vote."""
    session, runner = Session.in_memory(), Keeping()
    debate = played(runner, session, max_messages=18)
    assert asked_together(debate) == [11]
    told = {p.last: "one text that most here could sign" in p.own for p in runner.of("speak") if p.stage != "opening"}
    assert {last for last, asks in told.items() if asks} == set(range(11, 15))
    again = Keeping()
    Debate.resume(session, again, max_messages=40).run_sync()
    assert asked_together(debate) == [11]
    assert not any("most here could sign" in p.own for p in again.of("speak"))


@pytest.mark.parametrize(("agenda", "given"), [("delphi", {}), ("oxford", {}), ("panel", {"fixed_options": True})])
def test_nobody_is_asked_for_a_text_that_could_not_be_voted_on(agenda: str, given: dict) -> None:
    """Without it a panel spends its last third on a text that no ballot has."""
    assert asked_together(played(agenda=agenda, **given)) == []


@pytest.mark.parametrize("agenda", ["brainstorm", "red-team", "mediation"])
def test_a_list_is_asked_to_merge_too(agenda: str) -> None:
    """Without it five wordings of one finding share its votes."""
    assert len(asked_together(played(agenda=agenda, max_messages=20))) == 1


def test_each_prompt_says_whether_the_panel_makes_a_list() -> None:
    """In a list that nobody knew of, proposals that belong side by side were argued as rivals."""
    one, many = Keeping(), Keeping()
    played(one)
    played(many, agenda="brainstorm")
    assert all("gives one answer" in prompt.text for prompt in one.of("speak"))
    assert all("makes a list" in prompt.text for prompt in many.of("speak"))


def test_who_closes_sees_its_own_first_ballot_and_who_opens_does_not() -> None:
    """Openings are written beside the first ballot; a closing word that forgets it tells of a change as of none."""
    runner = Keeping()
    debate = played(runner)
    first = {cast.ballot.agent: cast.ballot.choice for cast in debate.progress.first_ballots}
    assert len(first) == 3
    for prompt in runner.of("speak"):
        told = f'In the first ballot you chose "{first[prompt.agent]}".' in prompt.own
        assert told == (prompt.stage == "closing" and bool(first[prompt.agent]))


def test_who_speaks_of_a_closed_text_is_told_what_replaced_it() -> None:
    """A support of a text that had been replaced counted for nobody, and its author was not told."""

    @dataclass
    class Late(Keeping):
        """Ruth amends her own text in her second message; Maya supports the older one after that."""

        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            await super().run(prompt, on_text)
            texts = {
                ("speak", RUTH, "opening"): "I have a plan.\n[PROPOSE] Go by train",
                ("speak", RUTH, "discussion"): f"Better so, {prompt.last}.\n[AMEND p1.0] Go by night train",
                ("speak", MAYA, "discussion"): f"I like the first one, {prompt.last}.\n[SUPPORT p1.0] cheap",
            }
            text = texts.get((prompt.purpose, prompt.agent, prompt.stage))
            return Reply(text) if text else await super().run(prompt, on_text)

    runner = Late()
    debate = played(runner, floor="round-robin", max_messages=16)
    last = {p.agent: p.own for p in runner.of("speak") if p.stage == "closing"}
    texts = [text.id for text in debate.memory.proposals if text.proposer == RUTH]
    assert f"what you said on {texts[0]}: it was replaced by" in last[MAYA], debate.memory.proposals


def test_one_s_own_opening_is_shown_where_one_closes_and_votes() -> None:
    """Without it a member that was worn down cannot see it."""
    runner = Keeping()
    debate = played(runner)
    opened = debate.progress.opened
    assert set(opened) >= {RUTH, MAYA}
    for prompt in (*runner.of("speak"), *(p for p in runner.of("ballot") if p.last)):
        number, position = opened.get(prompt.agent, (0, ""))
        changed = bool(position) and debate.memory.last_position(prompt.agent) != position
        shows = f'In your opening (m{number}) you held: "{position}"' in prompt.own
        others = [f"(m{n}) you held" in prompt.own for who, (n, _) in opened.items() if who != prompt.agent]
        assert not any(others)
        if prompt.purpose == "ballot":
            assert shows == changed
        elif prompt.stage != "closing":
            assert not shows
