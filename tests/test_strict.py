"""Votes and bids by strict schema over real HTTP: a server that enforces one is never asked again for a form."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fake_anthropic import Fail, FakeAnthropic, Say
from fake_chat import FakeChat, as_messages
from fake_panel import FakePanel
from in_turn import each_other

from eda import Debate, Settings
from eda.events import BallotCast, CallMade
from eda.runners.shipped import make_runner

OPTIONS = ("Move billing now", "Wait a year")
PANEL = ("sceptic", "historian", "pragmatic-engineer")
Answers = Callable[[dict[str, Any]], Say | Fail]


def schema_in(body: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema of a request of the Messages API, also of one that a `FakeChat` has made of another."""
    return body.get("output_config", {}).get("format", {}).get("schema")


def of_schema(schema: dict[str, Any]) -> Any:
    """Return what a grammar makes of a careless model: the last that is allowed, with texts that say nothing."""
    if "anyOf" in schema:
        return of_schema(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][-1]
    if schema["type"] == "object":
        return {name: of_schema(schema["properties"][name]) for name in schema["required"]}
    if schema["type"] == "array":
        return [of_schema(schema["items"])] * (2 if schema.get("minItems") else 0)
    return {"number": 0.5, "boolean": True}.get(schema["type"], "none")


def enforcing(body: dict[str, Any]) -> Say | Fail:
    """Answer as a server that holds its model to the schema; without one as a panel that writes no ballot."""
    schema = schema_in(body)
    if schema is not None and {"ranking", "choice", "bids", "wants"} & schema.get("properties", {}).keys():
        return Say(json.dumps(of_schema(schema)))
    return FakePanel()(body)


@pytest.fixture(params=["vllm", "openai"])
def server(request: pytest.FixtureRequest) -> Iterator[tuple[FakeChat, str]]:
    with FakeChat(request.param) as fake:
        yield fake, f"{request.param}:{fake.base}#m"


def held(spec: str, agenda: str = "panel", **settings: Any) -> Debate:
    chosen = Settings.model_validate({"max_messages": 6, **settings})
    runner = make_runner(spec)
    debate = Debate("What now?", PANEL, runner, options=OPTIONS, settings=chosen, seed=3, agenda=agenda)
    debate.run_sync()
    return debate


def ballots(debate: Debate) -> list[BallotCast]:
    return [fact for fact in debate.session.events() if isinstance(fact, BallotCast)]


@pytest.mark.parametrize("rule", each_other(["majority", "consent", "score", "borda"]))
def test_a_server_that_enforces_schemas_is_asked_once_for_each_ballot(server: tuple[FakeChat, str], rule: str) -> None:
    """A schema that lets a model say two things costs a second call, or the vote."""
    fake, spec = server
    fake.answer = enforcing
    debate = held(spec, rule=rule)
    cast = ballots(debate)
    assert len(cast) == 2 * len(PANEL)
    assert not any(fact.ballot.invalid or fact.ballot.doubts for fact in cast)
    assert {fact.ballot.choice for fact in cast if fact.first} == {OPTIONS[-1]}
    calls = [fact for fact in debate.session.events() if isinstance(fact, CallMade) and fact.purpose == "ballot"]
    assert {call.attempt for call in calls} == {1}
    assert all(json.loads(fact.ballot.raw[0])["ranking"] for fact in cast)


def test_polls_and_ballots_enumerate_what_can_be_answered(server: tuple[FakeChat, str]) -> None:
    """An id that exists nowhere would be asked about again."""
    fake, spec = server
    fake.answer = enforcing
    held(spec, consensus=0.9, poll_every=3)
    held(spec, "delphi", max_messages=9)
    schemas = [schema for body in fake.requests if (schema := schema_in(as_messages(body)))]
    votes = [each["properties"]["ranking"]["anyOf"] for each in schemas if "ranking" in each.get("properties", {})]
    assert votes
    for ranks, word in votes:
        one, tied = ranks["items"]["anyOf"]
        assert {"o1", "o2"} <= {*one["enum"]} == {*tied["items"]["enum"]}
        assert tied["minItems"] == 1
        assert word["enum"] == ["none", "abstain"]
    polls = [each["properties"]["choice"]["anyOf"] for each in schemas if "change_mind" in each.get("properties", {})]
    assert polls
    assert all({"o1", "o2"} <= {*ids["enum"]} and null == {"type": "null"} for ids, null in polls)


def test_a_tie_is_a_value_and_counts_as_one(server: tuple[FakeChat, str]) -> None:
    """Who finds two texts equal would have to put one first."""
    fake, spec = server

    def answer(body: dict[str, Any]) -> Say | Fail:
        schema = schema_in(body)
        votes = schema is not None and "ranking" in schema.get("properties", {})
        tied = {"ranking": [["o2", "o1"]]}
        return Say(json.dumps({**of_schema(schema), **tied})) if votes and schema else enforcing(body)

    fake.answer = answer
    cast = ballots(held(spec, rule="borda"))
    assert {fact.ballot.ranking for fact in cast} == {(OPTIONS[1::-1],)}
    assert {(fact.ballot.choice, fact.ballot.doubts) for fact in cast} == {(None, ())}


@pytest.mark.parametrize("word", ["none", "abstain"])
def test_none_and_abstain_are_values(server: tuple[FakeChat, str], word: str) -> None:
    """Who accepts nothing, or does not vote, would have to name a text."""
    fake, spec = server

    def answer(body: dict[str, Any]) -> Say | Fail:
        schema = schema_in(body)
        votes = schema is not None and "ranking" in schema.get("properties", {})
        return Say(json.dumps({**of_schema(schema), "ranking": word})) if votes and schema else enforcing(body)

    fake.answer = answer
    cast = ballots(held(spec))
    assert {fact.ballot.choice for fact in cast} == {"none" if word == "none" else None}
    assert not any(fact.ballot.invalid or fact.ballot.accepted for fact in cast)


def test_a_server_that_refuses_schemas_is_told_so_once_and_asked_in_words(server: tuple[FakeChat, str]) -> None:
    """Each vote would be made twice, or fail."""
    fake, spec = server
    refused = Counter[str]()

    def answer(body: dict[str, Any]) -> Say | Fail:
        if schema_in(body) is not None:
            refused["schema"] += 1
            return Fail(400, message="json_schema is not supported by this model: output_config, response_format")
        return Say('{"choice": "o2", "ranking": ["o2"]}') if "# How you vote" in str(body) else FakePanel()(body)

    fake.answer = answer
    cast = ballots(held(spec))
    assert 1 <= refused["schema"] <= len(PANEL)  # those that were on their way together
    assert {fact.ballot.choice for fact in cast} == {OPTIONS[1]}


def test_a_messages_server_that_refuses_schemas_is_noticed_by_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """The debate ended; and the words of the refusal are the server's, in any language."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-none")

    def answer(body: dict[str, Any]) -> Say | Fail:
        if schema_in(body) is not None:
            return Fail(400, "invalid_request_error", "champ inconnu")
        return Say('{"choice": "o2", "ranking": ["o2"]}') if "# How you vote" in str(body) else FakePanel()(body)

    with FakeAnthropic() as fake:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
        fake.answer = answer
        debate = held("anthropic")
    assert {fact.ballot.choice for fact in ballots(debate)} == {OPTIONS[1]}
    assert len([body for body in fake.requests if schema_in(body)]) == 1
    assert not any("worded" in body for body in fake.requests)
    assert debate.progress.verdict is not None


def test_in_words_no_schema_is_sent_for_a_vote(server: tuple[FakeChat, str]) -> None:
    """Who pays for each cache write could not go back."""
    fake, spec = server
    fake.answer = lambda body: (
        Say('{"choice": "o2", "ranking": ["o2"]}') if "# How you vote" in str(body) else FakePanel()(body)
    )
    cast = ballots(held(spec, ballots="words"))
    assert {fact.ballot.choice for fact in cast} == {OPTIONS[1]}
    schemas = [schema for body in fake.requests if (schema := schema_in(as_messages(body)))]
    assert not any({"ranking", "bids", "wants", "choice"} & each["properties"].keys() for each in schemas)


def test_who_never_writes_a_ballot_is_unreadable_after_three_calls(server: tuple[FakeChat, str]) -> None:
    fake, spec = server
    fake.answer = lambda body: Say("hmm" if "# How you vote" in str(body) else FakePanel()(body).text)
    debate = held(spec, first_vote=False)
    assert {fact.ballot.raw for fact in ballots(debate)} == {("hmm",) * 3}
    assert debate.progress.verdict is not None
    assert len(debate.progress.verdict.unreadable) == len(PANEL)
    assert debate.progress.verdict.open_to
