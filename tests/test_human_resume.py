"""A person's seat when a session is taken up again: by them, by somebody else, by nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from test_human import PANEL, human, of, spoken, with_ada
from test_resume import OPTIONS, QUESTION, cut, facts

from eda import Debate, Prompt, Reply, Session
from eda.debate.control.changes import Seat, steer
from eda.debate.replay import memory_of, progress_of
from eda.events import BallotCast, MemberChanged, MessagePosted, StanceTaken
from eda.panels.agenda import load_agenda
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner


def resumable(folder: Path) -> Session:
    session = Session.create("s", folder)
    debate = with_ada(spoken, session, most=20)
    debate.bus.subscribe(MessagePosted, lambda m: debate.stop() if m.number == 7 else None)
    debate.run_sync()
    return session


def test_a_resume_without_the_person_mutes_the_seat_and_ends(tmp_path: Path) -> None:
    """A colleague goes on with the session; nobody waits for who is on holiday, nor counts their silence."""
    with resumable(tmp_path) as session:
        debate = Debate.resume(session)
        result = debate.run_sync()
        assert [(e.who, e.change, e.by) for e in of(debate, MemberChanged)] == [("Ada", "muted", "Ada")]
    assert result.verdict is not None
    assert "Ada" not in result.verdict.abstained
    assert "Ada" not in {cast.ballot.agent for cast in of(debate, BallotCast)}


def test_who_has_left_is_not_polled_and_is_no_bar_to_agreement(tmp_path: Path) -> None:
    """An empty chair would hold a panel of one mind back until its messages ran out."""

    class Agreeing(SimulatedRunner):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            if prompt.purpose == "poll":
                return Reply("", {"choice": prompt.options[0], "confidence": 0.9})
            return await super().run(prompt, on_text)

    with resumable(tmp_path) as session:
        debate = Debate.resume(session, Agreeing(), settings={"consensus": 1.0, "poll_every": 2})
        assert debate.run_sync().reason == "consensus"
        assert "Ada" not in {stance.who for stance in of(debate, StanceTaken)}


def test_a_person_whom_somebody_muted_stays_so_and_votes_until_they_leave(tmp_path: Path) -> None:
    """Muting keeps somebody from talking: it must take nobody's vote away, nor wear off at a resume."""
    with resumable(tmp_path) as session:
        steer(session, [Seat("muted", "Ada", by="Bea")])
        first = Debate.resume(session, human="Ada", seats={"Ada": human(spoken)})
        first.run_sync()
        assert "Ada" in {cast.ballot.agent for cast in of(first, BallotCast)}
        assert [message.number for message in of(first, MessagePosted) if message.who == "Ada"][-1] <= 7
        Debate.resume(session, max_messages=40).run_sync()
        assert [(e.by, e.change) for e in of(first, MemberChanged)] == [("Bea", "muted"), ("Ada", "muted")]
        assert "Ada" not in progress_of(session).voters


def test_a_resume_with_the_person_gives_the_seat_back(tmp_path: Path) -> None:
    """Who comes back after the holiday sits where they sat."""
    with resumable(tmp_path) as session:
        first = Debate.resume(session)
        first.bus.subscribe(MessagePosted, lambda m: first.stop() if m.number == 9 else None)
        first.run_sync()
        again = Debate.resume(session, human="Ada", seats={"Ada": human(spoken)})
        result = again.run_sync()
        assert [e.change for e in of(again, MemberChanged)] == ["muted", "unmuted"]
    assert result.verdict is not None
    assert "Ada" in {cast.ballot.agent for cast in of(again, BallotCast)}


def test_somebody_else_may_join_at_a_resume(tmp_path: Path) -> None:
    """The boss wants a word before the vote, and the vote."""
    with resumable(tmp_path) as session:
        debate = Debate.resume(session, human="Bea", seats={"Bea": human(spoken)})
        debate.run_sync()
        changes = [(e.who, e.change) for e in of(debate, MemberChanged)]
    assert changes == [("Ada", "muted"), ("Bea", "added")]
    assert [message.talk for message in of(debate, MessagePosted) if message.who == "Bea"] == ["My closing word."]
    (ballot,) = [cast.ballot for cast in of(debate, BallotCast) if cast.ballot.agent == "Bea"]
    assert ballot.choice is not None


def test_who_joins_anonymous_members_is_anonymous() -> None:
    """One real name in a Delphi round tells everybody who the boss is, and by whom a seat was taken."""
    debate = Debate(QUESTION, PANEL, options=OPTIONS, agenda=load_agenda("delphi"))

    @debate.on(MessagePosted)
    def steer(message: MessagePosted) -> None:
        if message.number == 3:
            debate.add("finance-director")
            debate.replace("sceptic", "user-researcher")
        if message.number == 5:
            debate.stop()

    debate.run_sync()
    again = Debate.resume(debate.session, human="Bea", seats={"Bea": human(spoken)})
    again.run_sync()
    assert [(member.title, member.name) for member in again.members] == [
        ("Panelist E", "user-researcher"),
        ("Panelist B", "historian"),
        ("Panelist C", "pragmatic-engineer"),
        ("Panelist D", "finance-director"),
        ("Panelist F", "bea"),
    ]
    names = {"Beatriz", "Anjali", "Bea", "Ruth"}
    assert not [fact for fact in of(again, MemberChanged) if names & {fact.who, fact.persona and fact.persona.title}]
    assert all(not names & set(message.text.split()) for message in of(again, MessagePosted))


@pytest.mark.parametrize("name", ["Panelist D", "ada"])
def test_an_anonymous_seat_is_taken_again_by_its_title_or_by_name(name: str) -> None:
    """`--human 'Panelist D'`, as the program itself advised, seated a stranger and left the seat empty."""
    first = Debate(QUESTION, PANEL, options=OPTIONS, agenda=load_agenda("delphi"), human="Ada")
    first.bus.subscribe(MessagePosted, lambda _: first.stop())
    first.run_sync()
    again = Debate.resume(first.session, human=name, seats={name: human(spoken)})
    again.run_sync()
    assert [member.title for member in again.members if member.person] == ["Panelist D"]
    assert "Panelist D" in {message.who for message in of(again, MessagePosted)}
    assert not of(again, MemberChanged)


@pytest.mark.long
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(floor=st.sampled_from(["bidding", "round-robin"]), step=st.integers(5, 9))
def test_cut_anywhere_a_debate_with_a_person_who_answers_alike_goes_on_alike(
    tmp_path_factory: pytest.TempPathFactory, floor: str, step: int
) -> None:
    """A person's seat must not break the promise that nothing is lost."""
    folder = tmp_path_factory.mktemp("person")
    with Session.create("s", folder) as session:
        with_ada(spoken, session, floor).run_sync()
        expected = facts(session)
    for kept in range(2, len(expected), step):
        name = cut(Session.read("s", folder), folder / str(kept), kept)
        with Session.open(name, folder / str(kept)) as again:
            Debate.resume(again, human="Ada", seats={"Ada": human(spoken)}).run_sync()
            assert facts(again) == expected, kept


def test_the_memory_of_such_a_session_is_the_memory_of_its_log(tmp_path: Path) -> None:
    """The export and the log must agree on what a person said."""
    with resumable(tmp_path) as session:
        exported = memory_of(session).to_json()
        (tmp_path / "s" / "memory.json").unlink()
        assert memory_of(session).to_json() == exported
