"""Ballots of a debate: asked again once, shown as invalid, without names, in an order of each voter's own."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable

import pytest
from deciding import decided
from told import verdict_lines

from eda import (
    AgentListener,
    ConversationMemory,
    Debate,
    MessageBus,
    Persona,
    Prompt,
    Reply,
    analyze,
)
from eda.cli.terminal.verdict import ballot_phrase
from eda.debate.state import DebateState
from eda.debate.verdict import Paper, verdict_of
from eda.events import Ballot, BallotCast, BallotText, CallMade, TurnFailed
from eda.events.outcome import Undecided
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner

PANEL = ["sceptic", "historian", "pragmatic-engineer", "finance-director"]
OPTIONS = ("Go now", "Wait", "Ask the bank")


class Voting(SimulatedRunner):
    """The simulated panel, whose ballots a test gives."""

    def __init__(self, ballot: Callable[[Prompt], dict[str, object] | str | None]) -> None:
        self.prompts: list[Prompt] = []
        self._ballot = ballot

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.prompts.append(prompt)
        given = self._ballot(prompt) if prompt.purpose == "ballot" else None
        if given is None:
            return await super().run(prompt, on_text)
        return Reply(given) if isinstance(given, str) else Reply(json.dumps(given), data=given)


def held(runner: Voting, *, agenda: str = "panel", options: tuple[str, ...] = OPTIONS, **settings: object) -> Debate:
    return decided(runner, PANEL, options, agenda, **{"max_messages": 10, "first_vote": False, **settings})


def cast(debate: Debate) -> dict[str, Ballot]:
    last = (fact for fact in debate.session.events() if isinstance(fact, BallotCast) and not fact.first)
    return {fact.ballot.agent: fact.ballot for fact in last}


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"choice": "Fly"}, "which is not one of the texts to vote on: "),
        ({"choice": "Wait", "ranking": ["Go now", "Wait"]}, "not the first of `ranking`"),
        ({"choice": "Wait", "approved": ["Go now"], "blocked": ["Go now"]}, "name the same option"),
        ('{"choice": "Wait"} {"choice": "Go now"}', "two JSON objects that differ"),
        ("I like them all.", "is not one of the texts to vote on"),
    ],
)
def test_a_ballot_is_asked_for_three_times_and_is_then_unreadable_and_no_abstention(
    wrong: dict[str, object] | str, why: str
) -> None:
    """A ballot that says two things must not be bent into a vote, nor be lost without a word."""
    runner = Voting(lambda prompt: wrong if prompt.agent == "Ruth" else {"choice": "Go now"})
    debate = held(runner)
    asked = [prompt for prompt in runner.prompts if prompt.purpose == "ballot" and prompt.agent == "Ruth"]
    assert [prompt.attempt for prompt in asked] == [1, 2, 3]
    assert why in asked[1].own
    ballot = cast(debate)["Ruth"]
    assert ballot.invalid
    assert ballot.choice is None
    assert "Could not be read." in ballot_phrase(BallotCast(ballot=ballot, choices=()))
    written = wrong if isinstance(wrong, str) else json.dumps(wrong)
    assert (ballot.raw, ballot.reason, ballot.missing) == ((written,) * 3, "", False)
    verdict = debate.progress.verdict
    assert verdict is not None
    assert (verdict.abstained, verdict.unreadable) == ((), ("Ruth",))
    assert "verdict: The ballot of Ruth could not be read." in verdict_lines(verdict)
    assert [f.who for f in debate.session.events() if isinstance(f, TurnFailed) and f.purpose == "ballot"] == ["Ruth"]
    counted = [f for f in debate.session.events() if isinstance(f, CallMade) and f.purpose == "ballot"]
    assert len(counted) == len(PANEL) + 2


def test_a_second_ballot_that_is_right_counts() -> None:
    """Who is told what is wrong can put it right."""
    debate = held(Voting(lambda prompt: {"choice": "Fly" if prompt.attempt == 1 else "Wait"}))
    assert {ballot.choice for ballot in cast(debate).values()} == {"Wait"}
    assert not any(ballot.invalid for ballot in cast(debate).values())


def test_an_abstention_is_valid_and_no_vote() -> None:
    """Whoever may not abstain invents an opinion."""
    runner = Voting(
        lambda prompt: {"choice": OPTIONS[0] if prompt.agent == "Ruth" else None, "reason": "too little is known"}
    )
    debate = held(runner)
    assert not any(ballot.invalid for ballot in cast(debate).values())
    verdict = debate.progress.verdict
    assert verdict is not None
    assert verdict.outcome is None
    assert verdict.note == Undecided("no quorum", 1, 4)
    assert verdict_lines(verdict)[0].startswith("verdict: No verdict: 1 of 4 voted, which is no quorum")


def test_each_voter_sees_an_order_of_its_own() -> None:
    """The first on the list must not win by standing there."""

    def first(prompt: Prompt) -> dict[str, object]:
        return {"choice": re.findall(r"\b[op][\d.]+\b", prompt.own[prompt.own.index("# The ballot") :])[0]}

    runner = Voting(first)
    debate = held(runner, options=("One", "Two", "Three", "Four"))
    for who, ballot in cast(debate).items():
        asked = next(p for p in runner.prompts if p.purpose == "ballot" and p.agent == who)
        paper = asked.own[asked.own.index("# The ballot") :]
        places = {text.text: re.search(rf"\b{re.escape(text.id)}\b", paper) for text in asked.texts}
        assert ballot.choice == min(places, key=lambda text: places[text].start())  # type: ignore[union-attr]  # all are there
    assert len({ballot.choice for ballot in cast(debate).values()}) > 1
    again = held(Voting(first), options=("One", "Two", "Three", "Four"))
    assert cast(again) == cast(debate), "the order is drawn from the seed"


def test_a_member_may_be_kept_from_voting_for_its_own_proposal() -> None:
    """Self-preference must not decide."""
    runner = Voting(lambda prompt: {"choice": prompt.options[0]} if prompt.options else None)
    debate = held(runner, agenda="brainstorm", options=(), own_proposals=False)
    own = {proposal.content: proposal.proposer for proposal in debate.memory.proposals}
    ballots = [prompt for prompt in runner.prompts if prompt.purpose == "ballot"]
    assert ballots
    assert not any(own[choice] == prompt.agent for prompt in ballots for choice in prompt.options)
    free = Voting(lambda _: None)
    held(free, agenda="brainstorm", options=())
    assert any(own.get(c) == p.agent for p in free.prompts if p.purpose == "ballot" for c in p.options)


@pytest.mark.parametrize("agenda", ["red-team", "brainstorm"])
def test_whoever_may_not_vote_for_its_own_proposal_does_not_dissent_from_it(agenda: str) -> None:
    """The author of what won would be named as the one who scored it 0."""

    def first(prompt: Prompt) -> dict[str, object]:
        weighed = sorted(prompt.options)
        return {
            "scores": {choice: 10 - place for place, choice in enumerate(weighed)},
            "approved": weighed[:1],
        }

    debate = held(Voting(first), agenda=agenda, options=(), own_proposals=False)
    reached = debate.progress.verdict
    assert reached is not None
    assert isinstance(reached.outcome, tuple)
    best = reached.outcome[0]
    proposer = next(p.proposer for p in debate.memory.proposals if p.content == best)
    assert best in cast(debate)[proposer].withheld
    assert proposer not in {ballot.agent for ballot in reached.dissent}


def test_whoever_has_only_its_own_proposal_to_vote_for_abstains_without_a_call() -> None:
    """A ballot without a choice on it must not be asked for, or counted as a mistake."""

    class One(Voting):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            if prompt.purpose == "speak" and prompt.agent == "Ruth" and prompt.stage == "opening":
                return Reply(
                    "I have one idea, and it is a small queue.\n\n[PROPOSE] Put a small queue before the batch."
                )
            if prompt.purpose == "speak":
                return Reply(f"{prompt.agent} says {prompt.last} things on the matter at hand.")
            return await super().run(prompt, on_text)

    runner = One(lambda prompt: {"choice": prompt.options[0]})
    debate = held(runner, agenda="brainstorm", options=(), own_proposals=False)
    assert cast(debate)["Ruth"].choice is None
    assert not cast(debate)["Ruth"].invalid
    assert "its own" in cast(debate)["Ruth"].reason
    assert "Ruth" not in {prompt.agent for prompt in runner.prompts if prompt.purpose == "ballot"}


def test_a_tie_is_said_with_how_it_was_broken() -> None:
    """A coin toss that looks like a majority is a lie."""
    runner = Voting(lambda prompt: {"choice": OPTIONS[prompt.members.index(prompt.agent) % 2]})
    debate = held(runner, rule="plurality")
    verdict = debate.progress.verdict
    assert verdict is not None
    assert any(line.startswith("tie: ") and "lots drawn with seed 2" in line for line in verdict_lines(verdict))
    assert held(runner).progress.verdict.outcome is None  # type: ignore[union-attr]  # a debate that has ended has one


def test_a_proposal_rests_on_all_its_wordings() -> None:
    """The reader of a verdict is sent to the message that began it, and not to the last amendment alone."""
    moves = ("[PROPOSE] Open on Monday.", "[AMEND p1.0] Open on Monday at nine.", "[AMEND p2.0] Open with tea at nine.")
    memory = analyze({"speaker": who, "text": f"So be it.\n\n{move}"} for who, move in zip("ABC", moves, strict=True))
    last = memory.proposals[-1].content
    progress = DebateState()
    progress.fold(BallotCast(ballot=Ballot(agent="A", choice=last), choices=(last,)))
    assert verdict_of(progress, memory).behind == {last: (1, 2, 3)}


def test_a_verdict_does_not_rest_on_a_message_that_opposes_it() -> None:
    """An author names the message that moved it; it opposes the very text, and stood as its ground."""
    said = (
        ("Kofi", "[PROPOSE] An hour for all."),
        ("Kofi", "[AMEND p1.0] Half an hour."),
        ("Ruth", "[OPPOSE p2.0] no source"),
        ("Rosa", "[SUPPORT p2.0] bearable"),
    )
    memory = analyze({"speaker": who, "text": f"So be it.\n\n{move}"} for who, move in said)
    last, progress = memory.proposals[-1].content, DebateState()
    for who, moved in (("Kofi", 3), ("Rosa", 2)):
        progress.fold(BallotCast(ballot=Ballot(agent=who, choice=last, moved_by=moved), choices=(last,)))
    assert verdict_of(progress, memory).behind == {last: (1, 2, 4)}


@pytest.mark.parametrize(
    "answer",
    [
        "I vote for p2.0 because it costs nobody an evening.",
        '{"choice": "p2.0: Every Friday at 20:00", "confidence": "high"}',
        '{"choice": "p2.0 (Tomas)", "ranking": ["p2.0", "p1"]}',
        '{"choice": "p2"}',
        '```json\n{"choice": "p2.0, because it is simple",}\n```',
    ],
)
def test_a_vote_that_writes_more_than_an_id_counts_for_that_text(answer: str) -> None:
    """A member that wrote "p6.0: Every Friday" would abstain, and the quorum would be missed by that vote."""
    texts = ("Freeze the rest.", "Every Friday at 20:00 the shelter fetches the rest.")

    async def asked() -> tuple[object, ...]:
        bus = MessageBus()
        keiko = Persona(name="keiko", title="Keiko", role="a cook", description="Cooks.", instruction="Cook.")
        listener = AgentListener(keiko, Voting(lambda _: answer))
        listener.join(bus)
        ConversationMemory().attach(bus)
        await bus.say("Ada", f"Cold.\n\n[PROPOSE] {texts[0]}")
        await bus.say("Tomas", f"Simple.\n\n[PROPOSE] {texts[1]}")
        offered = tuple(BallotText(id=f"p{n}.0", motion=f"p{n}.0", text=text) for n, text in enumerate(texts, 1))
        return (await listener.vote(Paper(offered), offered)).facts

    votes = [fact.ballot for fact in asyncio.run(asked()) if isinstance(fact, BallotCast)]
    assert [(vote.choice, vote.invalid) for vote in votes] == [(texts[1], False)]
