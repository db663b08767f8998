"""The short form of each proof of `make reproduce`, and the models of opinions as listeners on the bus."""

from __future__ import annotations

import json
from random import Random

import pytest

pytest.importorskip("pyarrow", reason="the extra `study` is not installed")
pytest.importorskip("scipy", reason="the extra `study` is not installed")

from proofs import NAMES, panels as proofs_of_panels, prove
from proofs.base import Check, row_of, spread
from proofs.opinions import deffuant, degroot, friedkin_johnsen, hegselmann_krause, simulate, voter
from reproduce import main

from eda import MessageBus
from eda.errors import UsageError
from eda.events import MessagePosted

_LONG = ("fixed-minds", "stressed", "planted-influence", "opinion-dynamics", "voting-paradoxes")
"""Whose short form takes a second and more. Tests of studies, of stress and of tasks find what is planted there, too,
and tests of the dynamics of opinions and of the rules hold their laws."""
STUBBORN = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
MODELS = {
    "degroot": degroot(),
    "friedkin_johnsen": friedkin_johnsen(STUBBORN),
    "hegselmann_krause": hegselmann_krause(0.2),
    "deffuant": deffuant(0.3),
    "voter": voter(),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in _LONG else ()) for name in NAMES]
)
def test_each_proof_holds_in_its_short_form(name: str) -> None:
    """An estimator that finds no planted truth, or a model that ends elsewhere, would be published as a finding."""
    row = prove(name, 0.01)
    assert row["ok"], row
    assert {"name", "ok", "covered", "studies", "planted", "found", "what"} <= row.keys()


def test_a_proof_fails_where_the_truth_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof that cannot fail proves nothing: talk that does nothing is no talk that moves nine of ten."""
    from dataclasses import replace

    other = replace(proofs_of_panels.PLANTED["null-noise"], truth=0.9)
    monkeypatch.setitem(proofs_of_panels.PLANTED, "null-noise", other)  # type: ignore[arg-type] # it is a dict
    assert not prove("null-noise", 0.01)["ok"]
    assert not row_of("x", "y", [Check("a", 1.0, 1.0), Check("b", 1.0, 1.2, 0.1)])["ok"]


def test_the_command_says_what_was_proved_and_fails_where_it_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    """Who reads JSON gets rows; a name that does not exist is named before anything runs."""
    assert main(["formulas", "juries", "--json"]) == 0
    assert [(row["name"], row["ok"]) for row in json.loads(capsys.readouterr().out)] == [
        ("formulas", True),
        ("juries", True),
    ]
    with pytest.raises(SystemExit) as wrong:
        main(["jurys"])
    assert wrong.value.code == 2
    assert "juries" in capsys.readouterr().err


def test_blocks_of_parts_come_back_in_order() -> None:
    """A figure would be given to another seed."""
    assert spread(list, range(37)) == spread(list, range(37), here=True) == [*range(37)]


# Opinions


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("graph", ["all", "ring", "star"])
def test_one_listener_for_all_says_what_one_for_each_says(name: str, graph: str) -> None:
    """A population of a thousand is another program than a panel of six, unless each step is the same to the bit."""
    rng, model = Random(3), MODELS[name]
    start = [rng.random() for _ in range(6)]
    one = simulate(model, start, graph=graph, seed=2, most=200)
    assert one.path == simulate(model, start, graph=graph, seed=2, most=200, crowd=True).path
    assert one.settled
    assert len(one.path) > 1
    assert all(min(start) <= opinion <= max(start) for opinion in one.path[-1])


def test_a_member_hears_its_neighbours_only() -> None:
    """In a chain of three the ends meet through the middle; a member that hears nobody stays where it is."""
    chain = ((1, 1, 0), (1, 1, 1), (0, 1, 1))
    assert simulate(hegselmann_krause(1), [0.0, 0.5, 1.0], graph=chain, most=1).path[-1] == (0.25, 0.5, 0.75)
    assert simulate(voter(), [0.0, 1.0], graph="self", most=3).path[-1] == (0.0, 1.0)
    with pytest.raises(UsageError, match="no graph"):
        simulate(degroot(), [0.0, 1.0], graph=chain)
    with pytest.raises(UsageError, match="no graph 'rnig'"):
        simulate(degroot(), [0.0, 1.0], graph="rnig")


def test_opinions_are_messages_that_anybody_can_follow() -> None:
    """What a listener heard could not be checked, nor a run be recorded."""
    bus, heard = MessageBus(), list[MessagePosted]()
    bus.on(MessagePosted, heard.append)
    run = simulate(hegselmann_krause(0.3), [0.0, 0.2, 1.0], bus=bus)
    assert [(message.who, message.text) for message in heard] == [("member 0", '{"0":0.1}'), ("member 1", '{"1":0.1}')]
    assert not bus.failures
    assert (len(run.path), run.settled) == (2, True)
    slow = simulate(degroot(), [0.0, 0.0, 1.0], graph="ring", most=1)
    assert (len(slow.path), slow.settled) == (2, False)
