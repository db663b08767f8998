"""Phrases by which people decide, propose, agree and object, and phrases that only look like them."""

from __future__ import annotations

import pytest
from in_turn import in_one

from eda import analyze, default_pack
from eda.text import Read
from eda.transcripts.findings import search_text, weigh

PACK = default_pack()
APOSTROPHES = "'’ʼ`´"
BEFORE = {"speaker": "Ann", "text": "I propose that we use slate on the roof."}


def kinds(text: str) -> set[str]:
    return {finding.kind for finding in weigh(search_text(Read(text), PACK))}


@pytest.mark.parametrize("apostrophe", APOSTROPHES)
@pytest.mark.parametrize(
    "text",
    [
        "We agreed on tar.",
        "We've agreed on tar.",
        "We've decided: tar.",
        "We have concluded: tar.",
        "We've concluded that tar is best.",
        "Consensus reached: tar.",
        "Consensus is reached: tar.",
        "Consensus is tar.",
        "Let's go with tar.",
        "Final decision: tar.",
        "Our final decision is tar.",
        "Final answer: tar.",
        "The final answer is tar.",
        "[CONSENSUS] tar",
        "[DECISION] tar",
    ],
)
def test_a_decision_is_found_in_plain_words(text: str, apostrophe: str) -> None:
    """What a group settled in other words than the engine's would be missing from its minutes."""
    text = text.replace("'", apostrophe)
    assert "decision" in kinds(text)
    memory = analyze([BEFORE, {"speaker": "Ben", "text": text}])
    assert ["tar" in decision.outcome for decision in memory.decisions] == [True]


@pytest.mark.parametrize("apostrophe", APOSTROPHES)
@pytest.mark.parametrize(
    "text",
    [
        "I propose tar.",
        "I propose that we use tar.",
        "What if we use tar?",
        "What if we used tar",
        "Let's consider tar.",
        "My suggestion is tar.",
        "My suggestion: tar.",
        "[PROPOSAL] tar",
    ],
)
def test_a_proposal_is_found_in_plain_words(text: str, apostrophe: str) -> None:
    """What somebody put forward would get no vote."""
    text = text.replace("'", apostrophe)
    assert "proposal" in kinds(text)
    memory = analyze([BEFORE, {"speaker": "Ben", "text": text}])
    assert [proposal.proposer for proposal in memory.proposals] == ["Ann", "Ben"]


@pytest.mark.parametrize("apostrophe", APOSTROPHES)
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I agree.", "support"),
        ("Great idea!", "support"),
        ("That's a great idea.", "support"),
        ("Let's do it.", "support"),
        ("I disagree.", "oppose"),
        ("That won't work.", "oppose"),
        ("Slate won't work.", "oppose"),
        ("I have a problem with that.", "oppose"),
        ("The problem with slate is the price.", "oppose"),
    ],
)
def test_a_reaction_is_found_in_plain_words(text: str, kind: str, apostrophe: str) -> None:
    """A yes or a no in the most common words would be counted for nobody."""
    text = text.replace("'", apostrophe)
    assert kinds(text) & {"support", "oppose", "neutral"} == {kind}
    memory = analyze([BEFORE, {"speaker": "Ben", "text": text}])
    assert [(proposal.proposer, [r.reaction for r in proposal.reactions]) for proposal in memory.proposals] == [
        ("Ann", [kind])
    ]


@in_one(
    ("text", "kind"),
    [
        ("Consensus is far away.", "decision"),
        ("Consensus is hard.", "decision"),
        ("[CONSENSUS] Is it so?", "decision"),
        ("There is no final answer.", "decision"),
        ("Should we go with tar?", "decision"),
        ("If nothing else works, let's go with tar.", "decision"),
        ("I think support cost is the real issue", "proposal"),
        ("No problem with that.", "oppose"),
        ("I have no problem with slate.", "oppose"),
        ("If slate won't work, say so.", "oppose"),
        ("Not a great idea.", "support"),
        ("It would be a great idea to wait.", "support"),
        ("Let's not do it.", "support"),
    ],
)
def test_what_only_looks_like_it_is_not_found(text: str, kind: str) -> None:
    """A wrong entry in the minutes costs more than a missing one."""
    assert kind not in kinds(text)
