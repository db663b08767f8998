"""One account of the votes: verdict, report, page, JSON, tally and study tell the same outcome of the same ballots."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from test_voting_motions import Profile, profiles
from told import Told, persona

from eda.cli.tally import tally_data
from eda.debate.verdict import counted_members, last_vote, verdict_of, votes_of
from eda.events import BallotCast, PhaseStarted, SessionEnded
from eda.events.votes import AnswerKind
from eda.panels.settings import Settings
from eda.report.gather import report_of
from eda.report.json_data import debate_data
from eda.study.fold import Votes
from eda.study.rows import OutcomeRow
from eda.voting import compare, verdict
from eda.voting.rules import SHIPPED

RULES = [name for name in SHIPPED if name != "shift"]


def decided(profile: Profile, rule: str, answer: AnswerKind) -> Told:
    """A debate without talk, in which these ballots were cast."""
    who = [ballot.agent for ballot in profile.ballots]
    members = tuple(persona(title, "member") for title in who)
    told = Told(talk=(), members=members, options=(), settings=Settings(rule=rule, judge=who[0], answer=answer))
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    words = tuple(text.text for text in profile.texts)
    for ballot in profile.ballots:
        told.tell(BallotCast(ballot=ballot, choices=words, texts=tuple(profile.texts), answer=answer))
    told.tell(PhaseStarted(phase="verdict", why="done"))
    return told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))


@given(profiles(), st.sampled_from(RULES), st.sampled_from(["one", "list"]))
def test_all_that_tell_an_outcome_tell_the_same(profile: Profile, rule: str, answer: AnswerKind) -> None:
    """Two screens that name different winners of one vote would both be doubted for good."""
    told = decided(profile, rule, answer)
    reached, progress = told.verdict, told.progress
    counted = report_of(told.session, progress, told.memory).counted
    row = debate_data(told.session.started(), progress, told.memory)["verdict"]
    assert (counted.reached.outcome, counted.reached.motion) == (reached.outcome, reached.motion)
    assert counted.won is None or (counted.won.id, counted.won.text) == (reached.version, reached.text)
    assert counted.accepted == reached.accepted.get(reached.version, ())
    adopted = [(each.id, each.voters) for each in reached.adopted]
    assert [(each.id, each.voters) for each in counted.adopted] == adopted
    assert (tuple(row["outcome"]) if answer == "list" and row["outcome"] else row["outcome"]) == reached.outcome
    assert [(each["id"], tuple(each["voters"])) for each in row["adopted"]] == adopted
    assert row["accepted"] == {key: list(who) for key, who in reached.accepted.items()}
    account = votes_of(told.session, progress)
    members = counted_members(progress, account)
    data = tally_data(
        compare(account, progress.seed, judge=profile.ballots[0].agent), account, members=members, quorum=0.5
    )
    if data["quorate"]:
        (tallied,) = (each for each in data["rules"] if each["rule"] == rule)
        own = {text["id"]: tuple(text["accepted"]) for text in data["texts"]}
        assert own == reached.accepted
        assert (tallied["text"] or {"id": ""})["id"] == reached.version
        assert answer == "one" or [(each["id"], tuple(each["voters"])) for each in tallied["adopted"]] == adopted


@pytest.mark.parametrize("answer", ["one", "list"])
@settings(max_examples=settings().max_examples // 3)
@given(profiles())
def test_ballots_that_are_counted_by_another_rule_give_what_a_debate_under_it_had_decided(
    answer: AnswerKind, profile: Profile
) -> None:
    """A study asks what another rule had done with the same votes; a guess in its place would be a false finding."""
    told = decided(profile, "majority", answer)
    progress, account = told.progress, last_vote(told.progress)
    rows = [row for row in Votes(progress, None).outcomes("cell") if isinstance(row, OutcomeRow)]
    assert [row.rule for row in rows if row.own] == ["majority"]
    roots = {text.id: text.text for text in profile.texts}
    motions = {text.text: roots.get(text.motion, text.text) for text in profile.texts}
    for row in rows:
        under = decided(profile, row.rule, answer).verdict
        assert row.outcome == ("; ".join(motions[words] for words in under.won) or None), row.rule
        again = verdict(account, row.rule, 0.5, progress.seed, counted_members(progress, account), judge=under.judge)
        same = (
            "outcome",
            "motion",
            "version",
            "accepted",
            "adopted",
            "tally",
            "figures",
            "order",
            "margin",
            "tie",
            "note",
        )
        assert {name: getattr(again, name) for name in same} == {name: getattr(under, name) for name in same}, row.rule
