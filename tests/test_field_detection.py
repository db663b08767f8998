"""Plain sentences of people on a bus without a debate: what memory must find in them, and what it must not."""

from __future__ import annotations

import pytest
from in_turn import in_one

from eda import ConversationMemory, MessagePosted, Pattern, analyze, default_pack

PACK = default_pack()
BEFORE = "I propose that we use Postgres for the ledger."
APOSTROPHES = ["’", "‘", "ʼ", "′", "´", "＇"]


def heard(text: str, *, answers: bool = False) -> set[str]:
    """The kinds that memory holds of one message, which a proposal precedes where it `answers`."""
    memory = ConversationMemory()
    said = [("Ann", BEFORE), ("Ben", text)] if answers else [("Ben", text)]
    for number, (who, words) in enumerate(said, 1):
        memory.fold(MessagePosted(seq=number, number=number, who=who, text=words))
    mine = len(said)
    kinds = {"proposal" for proposal in memory.proposals if proposal.message == mine}
    kinds |= {"decision" for decision in memory.decisions if mine in decision.messages}
    return kinds | {reaction.reaction for reaction in memory.reactions if reaction.message == mine}


@pytest.mark.parametrize(
    "text",
    [
        "Consensus is far away",
        "There is no final decision",
        "Have we agreed?",
        "If we decided to wait, it would cost us the deposit.",
        "As we agreed earlier, the fee stays as it is.",
    ],
)
def test_by_hand_talk_about_deciding_is_no_decision(text: str) -> None:
    """Every agent would be shown, as decided, what somebody doubted, asked, supposed or remembered."""
    assert "decision" not in heard(text)
    assert "decision" not in heard(text, answers=True)


@pytest.mark.parametrize(
    "text",
    [
        "We have agreed.",
        "We have agreed to wait until the spring.",
        "We all agree",
        "We all agree that the tests come first.",
        "Agreed: we wait until the spring.",
        "We're going with SQLite.",
        "We’re going with SQLite.",
        "We’ve agreed to wait until the spring.",
    ],
)
def test_by_hand_a_stated_decision_is_found(text: str) -> None:
    """A decision that nobody was shown is made again an hour later, perhaps otherwise."""
    assert "decision" in heard(text)


def test_a_worry_is_no_proposal_by_hand() -> None:
    """`What if we fail?` would be put to the vote."""
    assert "proposal" not in heard("What if we fail?")


@pytest.mark.parametrize(
    "text",
    [
        "I suggest a trial in one office.",
        "I'd propose a trial in one office.",
        "I’d propose a trial in one office.",
        "My proposal is a trial in one office.",
        "I recommend a trial in one office.",
        "How about a trial in one office?",
        "We should try it in one office.",
    ],
)
def test_by_hand_a_plain_proposal_is_found(text: str) -> None:
    """What was put forward in other words than `I propose` would get no vote."""
    assert "proposal" in heard(text)


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("I don't think I agree", "oppose"),
        ("I don’t think I agree", "oppose"),
        ("Not a great idea", "oppose"),
        ("I don't agree", "oppose"),
        ("I don’t agree", "oppose"),
        ("No problem with that", "support"),
        ("I strongly agree", "support"),
        ("I support this", "support"),
        ("+1", "support"),
    ],
)
def test_by_hand_a_yes_and_a_no_are_told_apart(text: str, stance: str) -> None:
    """A refusal that counts as a yes carries what was refused."""
    assert heard(text, answers=True) & {"support", "oppose", "neutral"} == {stance}


@in_one("pattern", PACK.patterns)
def test_a_curly_apostrophe_is_an_apostrophe_to_every_pattern(pattern: Pattern) -> None:
    """Telephones and word processors type the curly one: whatever they type would be found or missed by chance."""
    for text in (*pattern.examples, *pattern.counter_examples):
        plain = [(hit.pattern, hit.start, hit.end) for hit in PACK.find(text.replace("’", "'").replace("‘", "'"))]
        for other in APOSTROPHES:
            curly = text.replace("’", "'").replace("‘", "'").replace("'", other)
            assert [(hit.pattern, hit.start, hit.end) for hit in PACK.find(curly)] == plain


@pytest.mark.parametrize("apostrophe", ["'", *APOSTROPHES])
def test_what_is_proposed_begins_and_ends_with_whole_words(apostrophe: str) -> None:
    """`s go with Postgres, it` is no topic that anybody could vote on."""
    text = f"Let{apostrophe}s go with Postgres, it{apostrophe}s proven."
    memory = analyze([{"speaker": "Ann", "text": text}])
    contents = [proposal.content for proposal in memory.proposals]
    contents += [decision.outcome for decision in memory.decisions] + [decision.topic for decision in memory.decisions]
    assert contents
    for content in filter(None, contents):
        assert not content.startswith("s ")
        assert not content.endswith((", it", " it"))
        assert "Postgres" in content


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("We have agreed to use Python 3.12.", "Python 3.12"),
        ("I propose that we use Python 3.12 and pin pydantic 2.9.2.", "pydantic 2.9.2"),
        ("We should pay 1.5 million for it, i.e. what we had planned.", "1.5 million"),
        ("RESOLVED: publish it at https://example.org/v1.2 in May.", "https://example.org/v1.2"),
    ],
)
def test_a_full_stop_within_a_figure_ends_nothing(text: str, whole: str) -> None:
    """`use Python 3` was not what was decided, and 1 million not what is to be paid."""
    memory = analyze([{"speaker": "Ann", "text": text}])
    found = [proposal.content for proposal in memory.proposals] + [decision.outcome for decision in memory.decisions]
    assert found
    assert all(whole in content for content in found)


TABLE = [
    {"id": "a", "speaker": "Ann", "text": "I propose that we merge the two handbooks"},
    {"id": "b", "speaker": "Ben", "text": "I propose that we print the annual report"},
    {"id": "c", "speaker": "Cy", "text": "I propose that we hire a second designer"},
    {"id": "d", "speaker": "Di", "text": "I propose that we close the office on Fridays"},
    {"id": "e", "speaker": "Ed", "text": "I propose that we move the ledger to Postgres"},
]


@pytest.mark.parametrize(
    ("answer", "proposer"),
    [
        ({"text": "I agree."}, "Ed"),
        ({"text": "I agree.", "reply_to": "c"}, "Cy"),
        ({"text": "I agree with Cy."}, "Cy"),
        ({"text": "I agree with closing the office on Fridays."}, "Di"),
    ],
)
def test_among_five_open_proposals_the_one_that_is_answered_gets_the_yes(answer: dict[str, str], proposer: str) -> None:
    """The oldest of five would collect all the support, and be carried by people who spoke of another."""
    memory = analyze([*TABLE, {"id": "f", "speaker": "Flo", **answer}])
    assert [p.proposer for p in memory.proposals if "Flo" in p.backers("support")] == [proposer]


def test_who_agrees_with_an_objection_supports_no_proposal() -> None:
    """The tally would show as its supporter somebody who had just been talked out of it."""
    memory = ConversationMemory()
    said = (
        ("Ann", "I propose that we put the audit trail on the queue, too."),
        ("Bob", "I oppose the audit trail on the queue: an outage there is a reportable incident."),
        ("Cy", "I agree. The audit trail on the queue would be a liability."),
    )
    for number, (who, text) in enumerate(said, 1):
        memory.fold(MessagePosted(number=number, who=who, text=text))
    (proposal,) = memory.proposals
    assert {reaction.agent: reaction.reaction for reaction in proposal.reactions} == {"Bob": "oppose"}
