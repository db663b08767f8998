"""In a list, whoever sees that two motions exclude one another says so on its ballot, and the verdict names it."""

from __future__ import annotations

import json

import pytest
from voting_table import PANEL

from eda import Debate, Prompt, Reply, ScriptedRunner, Settings
from eda.debate.prompts.ballot_prompt import ballot_schema
from eda.events import BallotText
from eda.report.gather import report_of
from eda.runners.answers import BallotAnswer
from eda.voting.answers import read_ballot

TEXTS = [BallotText(id=key, motion=key, text=text) for key, text in (("p1.0", "Buy a house"), ("p2.0", "Keep renting"))]
BOTH = {"ranking": ["p1.0", "p2.0"], "confidence": 0.5, "reason": "Both have merits."}


def debated(answer: str, **own: object) -> Debate:
    """Two texts, which all accept; Walter's ballot says more."""

    def ballot(prompt: Prompt) -> dict[str, object]:
        return {**BOTH, **(own if prompt.agent == "Walter" else {})}

    says = {"Ruth": "[PROPOSE] Buy a house", "Walter": "[PROPOSE] Keep renting"}

    def speech(prompt: Prompt) -> Reply:
        opens = prompt.stage == "opening" and prompt.agent in says
        return Reply(f"Case {prompt.agent} {prompt.last}.\n\n{says[prompt.agent] if opens else ''}", model="scripted")

    settings = Settings(max_messages=10, answer=answer)  # type: ignore[arg-type]  # one of the two
    debate = Debate("What now?", PANEL, ScriptedRunner(speech, ballots=ballot), settings=settings)
    debate.run_sync()
    return debate


def test_the_verdict_names_the_contradiction_and_who_says_so() -> None:
    """A list that tells to buy and to rent tells nothing, and looks like a decision."""
    debate = debated("list", apart=[["p2.0", "p1.0"]])
    verdict = debate.progress.verdict
    assert verdict is not None
    assert {each.id for each in verdict.adopted} == {"p1.0", "p2.0"}
    assert verdict.apart == (("p1.0", "p2.0", "Walter"),)
    report = report_of(debate.session, debate.progress, debate.memory)
    (line,) = [line for line in report.rest if "contradiction" in line]
    assert all(word in line for word in ("p1.0", "p2.0", "Walter"))


@pytest.mark.parametrize(
    "apart",
    [[], [["p1.0", "p9.0"]], [["p1.0", "p2.0", "p9.0"]], [["p1.0"]], ["p1.0", "p2.0"], "p1.0", None, [[["p1.0"], 3]]],
)
def test_what_is_no_pair_says_nothing_and_costs_no_vote(apart: object) -> None:
    """The field is beside the vote: a slip in it must not lose a ballot."""
    ids = {text.id: text.text for text in TEXTS}
    fields, wrong = read_ballot({**BOTH, "apart": apart}, "", [*ids.values()], ids=ids)
    assert (fields or {})["apart"] == ()
    assert not wrong
    assert BallotAnswer.model_validate({"choice": None, "apart": apart}).choice is None


def test_only_a_ballot_on_a_list_asks_for_it() -> None:
    """One answer wins alone: nothing can contradict it."""
    for answer, first, asks in (("list", False, True), ("list", True, False), ("one", False, False)):
        schema = ballot_schema(TEXTS, "firsts", first=first, answer=answer)  # type: ignore[arg-type]  # one of the two
        assert ("apart" in schema["properties"]) == asks
        assert schema["required"] == [*schema["properties"]]
    debate = debated("one")
    assert debate.progress.verdict is not None
    assert debate.progress.verdict.apart == ()
    assert "apart" not in json.dumps([cast.model_dump(mode="json") for cast in debate.progress.ballots])
