"""Polls: private, counted by what was asked and never by words, and what ends a discussion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from deciding import decided
from test_resume import cut

from eda import Debate, Library, Prompt, Reply, RunnerError, Session, Settings
from eda.debate.floor.stop import agreed, settled
from eda.debate.prompt_preview import speaker_prompt
from eda.debate.seating import anonymous, in_its_seat
from eda.debate.state import DebateState
from eda.events import MemberChanged, MessagePosted, PhaseStarted, SessionStarted, StanceTaken, TurnFailed
from eda.panels.agenda import load_agenda
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner

PANEL = ["sceptic", "historian", "pragmatic-engineer", "finance-director", "support-lead"]
OPTIONS = ("Go now", "Wait")
PRIVATE = "A leaked memo about the zeppelin would change my mind."


class Polled(SimulatedRunner):
    """The simulated panel, whose stances a test gives: a choice, a whole answer, or an error to raise."""

    def __init__(self, stance: Callable[[Prompt], object]) -> None:
        self.prompts: list[Prompt] = []
        self._stance = stance

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.prompts.append(prompt)
        if prompt.purpose != "poll":
            return await super().run(prompt, on_text)
        given = self._stance(prompt)
        if isinstance(given, Exception):
            raise given
        if isinstance(given, dict):
            return Reply("", data=given)
        return Reply("", data={"choice": given, "confidence": 0.9, "change_mind": PRIVATE})


def held(runner: Polled, *, agenda: str = "panel", options: tuple[str, ...] = OPTIONS, **settings: object) -> Debate:
    return decided(runner, PANEL, options, agenda, **{"max_messages": 14, **settings})


def stances(debate: Debate) -> list[StanceTaken]:
    return [fact for fact in debate.session.events() if isinstance(fact, StanceTaken)]


def test_the_discussion_ends_when_the_polls_show_the_agreement_that_was_asked_for() -> None:
    """A talk that goes on when four of five agree costs money and moves nobody."""
    runner = Polled(lambda prompt: OPTIONS[prompt.agent == "Ruth"] if prompt.last >= 10 else None)
    debate = held(runner, consensus=0.8, poll_every=5, max_messages=24)
    assert debate.progress.ended == "consensus"
    moved = next(f for f in debate.session.events() if isinstance(f, PhaseStarted) and f.phase == "closing")
    assert moved.why == "consensus"
    assert {stance.after for stance in stances(debate)} == {10}


@pytest.mark.parametrize("none", ["null", "None", "abstain"])
def test_none_in_words_is_none(none: str) -> None:
    """Models write "null" in quotes; asked again they do so again, and an honest answer becomes a failed one."""
    debate = held(Polled(lambda prompt: none), agenda="delphi", max_messages=10)
    assert {(stance.choice, stance.invalid) for stance in stances(debate)} == {(None, False)}


@pytest.mark.parametrize(("threshold", "ends"), [(0.8, True), (0.81, False), (1.0, False)])
def test_the_threshold_is_a_share_of_all_members(threshold: float, ends: bool) -> None:
    """0.8 of five is four, and no rounding makes it five, or three."""
    debate = held(Polled(lambda prompt: OPTIONS[prompt.agent == "Ruth"]), consensus=threshold, poll_every=4)
    assert (debate.progress.ended == "consensus") == ends


def test_who_has_left_agrees_with_nobody() -> None:
    """Two of the three that sit hold it: the stance of one who was sent away would end their talk."""
    sitting = tuple(map(Library().persona, PANEL))
    progress = DebateState()
    progress.fold(SessionStarted(session="s", members=sitting, settings=Settings(consensus=0.8)))
    progress.fold(PhaseStarted(phase="discussion"))
    progress.fold(MessagePosted(number=1, who=progress.members[0], text="..."))
    for place, who in enumerate(progress.members):
        progress.fold(StanceTaken(who=who, poll=1, choices=OPTIONS, choice=OPTIONS[place > 2], after=1))
    progress.fold(MemberChanged(who=progress.members[4], change="removed"))
    assert not agreed(progress)
    progress.fold(MemberChanged(who=progress.members[0], change="removed"))
    assert not agreed(progress)
    progress.fold(MemberChanged(who=progress.members[2], change="removed"))
    assert agreed(progress)


def test_a_session_that_is_taken_up_again_settles_by_its_own_polls() -> None:
    """What stood still last week would end the talk of today before it has begun."""
    progress = DebateState()
    sitting = tuple(map(Library().persona, PANEL[:2]))
    progress.fold(SessionStarted(session="s", members=sitting, agenda=load_agenda("delphi")))
    for poll, (turn, still) in enumerate([(1, False), (1, True), (2, False), (2, True)], 1):
        if poll == 3:
            progress.fold(PhaseStarted(phase=progress.agenda.phases[0].name, round=turn))
        for who in progress.members:
            progress.fold(StanceTaken(who=who, poll=poll, choices=OPTIONS, choice=OPTIONS[0]))
        assert settled(progress) == still


def test_only_a_poll_of_this_talk_ends_it_where_the_share_is_just_reached() -> None:
    """What all held before they talked is no outcome of it; and 0.56 of 25 is fourteen, whatever floats make of it."""
    progress = DebateState()
    sitting = tuple(Library().personas.values())[:25]
    progress.fold(SessionStarted(session="s", members=sitting, settings=Settings(consensus=0.56)))
    for poll, phase in enumerate(("opening", "discussion"), 1):
        progress.fold(PhaseStarted(phase=phase))
        assert not agreed(progress)
        progress.fold(MessagePosted(number=poll, who=progress.members[0], text="..."))
        for place, who in enumerate(progress.members):
            progress.fold(StanceTaken(who=who, poll=poll, choices=OPTIONS, choice=OPTIONS[place > 13], after=poll))
    assert agreed(progress)


def test_words_of_agreement_end_nothing() -> None:
    """One agent's "we all agree" is no agreement of all."""

    class Agreeing(Polled):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            reply = await super().run(prompt, on_text)
            if prompt.purpose != "speak":
                return reply
            return Reply(
                f"We all agree on Go now, consensus is reached, see point {prompt.last} of {prompt.agent}. {reply.text}"
            )

    runner = Agreeing(lambda prompt: OPTIONS[len(prompt.agent) % 2] if prompt.agent != "Ruth" else None)
    assert held(runner, consensus=0.8, poll_every=4).progress.ended != "consensus"


def test_to_hold_none_is_no_consensus() -> None:
    """Where all want something else, ending the talk would be the opposite of what they said."""
    debate = held(Polled(lambda _: "none"), consensus=0.6, poll_every=3)
    assert {stance.choice for stance in stances(debate)} == {None}
    assert debate.progress.ended != "consensus"


def test_polls_come_as_often_as_asked_and_not_at_all_unless_asked_for() -> None:
    """Each poll costs a call of every member."""
    debate = held(Polled(lambda _: None), consensus=0.9, poll_every=7, floor="round-robin", max_messages=30)
    taken = sorted({stance.after for stance in stances(debate)})
    assert taken == [12, 19]
    assert [len(poll) for poll in debate.progress.polls.values()] == [5] * 2
    assert not stances(held(Polled(lambda _: None)))


def test_what_was_polled_is_in_nobodys_context() -> None:
    """A stance that others see is said for the others."""
    runner = Polled(lambda prompt: OPTIONS[prompt.agent == "Ruth"])
    debate = held(runner, consensus=0.9, poll_every=5, full_budget=20_000, max_messages=40)
    assert all(stance.change_mind == PRIVATE for stance in stances(debate))
    assert not any("zeppelin" in prompt.text for prompt in runner.prompts)
    assert "zeppelin" not in debate.memory.full_context("Ruth").text + debate.memory.brief_context().text


@pytest.mark.parametrize(
    "wrong",
    [
        {"choice": "Fly", "confidence": 0.5},
        {"choice": ["Go now", "Wait"], "confidence": 0.5},
        {"confidence": 0.5},
        {},
    ],
)
def test_an_answer_that_cannot_be_counted_is_asked_for_once_more(wrong: dict[str, object]) -> None:
    """A typing slip of a model is no stance; nor is it worth more than one more call."""
    runner = Polled(lambda prompt: wrong if prompt.agent == "Ruth" else "Go now")
    debate = held(runner, agenda="delphi", max_messages=10)
    asked = [prompt for prompt in runner.prompts if prompt.purpose == "poll" and prompt.agent == "Panelist B"]
    assert len({prompt.key for prompt in asked}) == len(asked)
    debate = held(Polled(lambda prompt: wrong if prompt.agent == "Panelist B" else "Go now"), agenda="delphi")
    invalid = [stance for stance in stances(debate) if stance.invalid]
    assert {stance.who for stance in invalid} == {"Panelist B"}
    assert all(stance.choice is None and stance.confidence is None for stance in invalid)
    failed = [fact for fact in debate.session.events() if isinstance(fact, TurnFailed)]
    assert len(failed) == len(invalid)
    assert debate.progress.laps["poll"] == 2, "what nobody knows keeps no round from ending"


def test_a_second_answer_that_is_right_counts() -> None:
    """Who is told what is wrong can put it right."""
    runner = Polled(lambda prompt: "Go now" if prompt.attempt % 2 == 0 else "Fly")
    debate = held(runner, agenda="delphi", max_messages=10)
    assert not any(stance.invalid for stance in stances(debate))
    again = next(prompt for prompt in runner.prompts if prompt.purpose == "poll" and prompt.attempt == 2)
    assert "'Fly', which is not one of the texts to vote on: o2, o1, or none." in again.own


def test_a_poll_whose_calls_all_fail_hangs_nothing() -> None:
    """A dead provider ends the debate without a verdict, and not never."""
    for agenda in ("delphi", "oxford"):
        debate = held(Polled(lambda _: RunnerError("down")), agenda=agenda)
        assert debate.progress.state == "ended"
        assert debate.progress.verdict is not None
        assert debate.progress.verdict.outcome is None


def test_letters_in_a_poll_whose_prompt_shows_none_are_asked_about() -> None:
    """ "A" would be the first choice of an order that was drawn for the member, and that nobody told it."""
    runner = Polled(lambda prompt: "A" if prompt.attempt % 2 else {"choice": "Two"})
    debate = held(runner, agenda="delphi", options=("One", "Two", "Three"), max_messages=5)
    assert {prompt.attempt for prompt in runner.prompts if prompt.purpose == "poll"} == {1, 2}
    assert {stance.choice for stance in stances(debate)} == {"Two"}


def test_no_poll_is_counted_as_a_message() -> None:
    """Limits are limits of what is said."""
    debate = held(Polled(lambda _: "Wait"), agenda="oxford", max_messages=12)
    assert sum(isinstance(fact, MessagePosted) for fact in debate.session.events()) <= 12
    assert len(stances(debate)) == 2 * len(PANEL)


def test_what_is_shown_as_the_next_prompt_in_mid_vote_is_what_is_asked(tmp_path: Path) -> None:
    """Whoever checks with `eda show --prompt` what voters are shown must not be shown another vote."""
    runner = Polled(lambda _: "Wait")
    with Session.create("whole", tmp_path) as whole:
        Debate("Do we wait?", PANEL[:3], runner, options=OPTIONS, session=whole, agenda="oxford").run_sync()
        cuts = [fact.seq for fact in whole.events() if isinstance(fact, PhaseStarted | StanceTaken)]
        polls = {fact.seq: fact.phase for fact in whole.events() if isinstance(fact, PhaseStarted)}
    asked = {prompt.text for prompt in runner.prompts if prompt.purpose == "poll"}
    phase = ""
    for seq in cuts:
        phase = polls.get(seq, phase)
        if phase not in ("before", "after"):
            continue
        name = cut(whole, tmp_path / str(seq), seq)
        with Session.read(name, tmp_path / str(seq)) as half:
            assert {speaker_prompt(half, who) for who in PANEL[:3]} <= asked


def test_a_title_under_which_somebody_was_polled_is_given_to_nobody_else() -> None:
    """Two members called Panelist C, one after the other, would be one in every count of minds that changed."""
    progress = DebateState()
    sitting = anonymous(tuple(map(Library().persona, PANEL[:3])))
    progress.fold(SessionStarted(session="s", members=sitting, agenda=load_agenda("delphi")))
    progress.fold(StanceTaken(who="Panelist C", poll=1, choices=OPTIONS, choice=OPTIONS[0]))
    progress.fold(MemberChanged(who="Panelist C", change="removed"))
    assert in_its_seat(Library().persona("visionary"), progress).title == "Panelist D"
