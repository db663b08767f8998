"""`eda show --tally`: the same ballots under every rule, how firm each outcome is, and where the rules disagree."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Literal

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings, strategies as st
from rich.console import Console

from eda.bus import MessageBus
from eda.cli.program import cli
from eda.cli.tally import print_tally, tally_data
from eda.events import NONE, Ballot, BallotCast, BallotText, PhaseStarted, SessionStarted
from eda.events.outcome import Undecided
from eda.panels.persona import Persona
from eda.panels.settings import Settings
from eda.session import Session
from eda.voting import RULES, Account, compare, tally, tie_order

ABC = ("A", "B", "C")
CYCLE = ("ABC", "BCA", "BCA", "CAB", "CAB")


def ranks(orders: Sequence[str], **more: object) -> list[Ballot]:
    return [
        Ballot(agent=f"m{n}", choice=order[0] if order else None, ranking=tuple(order), **more)
        for n, order in enumerate(orders)
    ]


def test_a_condorcet_cycle_is_shown_as_one() -> None:
    """Who sees only a winner believes that the panel wanted it; here each option loses to another."""
    found = compare(Account(ranks(CYCLE), ABC), 1)
    assert found.condorcet is None
    duels = [(duel.winner, duel.loser, duel.votes, duel.against) for duel in found.cycle]
    assert duels == [("A", "B", 3, 2), ("B", "C", 3, 2), ("C", "A", 4, 1)]
    assert compare(Account(ranks(["ABC", "ABC", "BCA"]), ABC), 1).cycle == ()


def test_where_rules_disagree_is_said() -> None:
    """The choice of the rule decided: the reader must learn that, and which rule said what."""
    winners = compare(Account(ranks(["ABC", "ABC", "ABC", "BCA", "BCA"]), ABC), 1).winners
    assert winners["A"] == (
        "plurality", "majority", "consent", "instant-runoff", "copeland", "ranked-pairs", "schulze",
    )  # fmt: skip
    assert winners["B"] == ("borda",)
    assert winners[None] == ("supermajority-2/3", "supermajority-3/4", "unanimity")


def test_a_rule_without_its_figures_is_left_out() -> None:
    """A score of nothing is no score of 0."""
    found = {one.rule: one for one in compare(Account(ranks(["ABC"]), ABC), 1).tallies}
    assert found["score"].missing == Undecided("no scores", rule="score")
    assert found["score"].outcome.winner is None
    assert set(found) == set(RULES)


@pytest.mark.parametrize(
    ("rule", "orders", "changes"),
    [
        ("majority", ["A", "A", "A", "B", "B"], 1),
        ("majority", ["A", "A", "A", "A", "B"], 2),
        ("majority", ["A", "B"], 1),
        ("unanimity", ["A", "A", "A"], 1),
        ("supermajority-2/3", ["A", "A", "A", "A", "B", "B"], 1),
        ("supermajority-2/3", ["A", "A", "A", "A", "B"], 1),
        ("plurality", ["A"] * 40 + ["B"] * 30 + ["C"] * 30, 5),
        ("consent", ["A", "A", "A"], 1),
        ("borda", ["ABC", "ABC", "ABC", "ABC"], 2),
        ("copeland", ["ABC", "ABC", "ABC"], 2),
        ("instant-runoff", ["AB", "AB", "AB", "BA", "BA"], 1),
    ],
)
def test_how_many_ballots_would_have_to_change(rule: str, orders: list[str], changes: int) -> None:
    """A verdict that one vote would turn is another thing than one that half the panel would."""
    found = tally(rule, Account(ranks(orders), ABC), 2)
    assert (found.changes, found.exact) == (changes, True)


def brute_force(rule: str, ballots: list[Ballot], seed: int) -> int | None:
    counting = RULES[rule].counting()
    assert counting is not None
    lots = tie_order(ABC, seed)
    now = counting(ballots, ABC, lots).winner
    others: list[Ballot] = [Ballot(agent="", choice=c, blocked=tuple(set(ABC) - {c})) for c in ABC]
    if RULES[rule].counts == "rankings" and any(len(ballot.ranking) > 1 for ballot in ballots):
        others = ranks(["".join(order) for order in permutations(ABC)])
    for changed in range(1, len(ballots) + 1):
        for places in combinations(range(len(ballots)), changed):
            kept = [ballot for place, ballot in enumerate(ballots) if place not in places]
            for new in product(others, repeat=changed):
                if counting([*kept, *new], ABC, lots).winner != now:
                    return changed
    return None


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(["", *("".join(o)[:k] for o in permutations(ABC) for k in (1, 2, 3))]), min_size=1, max_size=4
    ),
    st.sampled_from([name for name, rule in RULES.items() if rule.counts in ("firsts", "rankings", "blocks")]),
    st.integers(0, 5),
)
def test_the_number_is_what_trying_all_ballots_finds(orders: list[str], rule: str, seed: int) -> None:
    """A number that is too high lets a fragile verdict look firm."""
    found = tally(rule, Account(ranks(orders), ABC), seed)
    assert found.exact
    assert found.changes == brute_force(rule, ranks(orders), seed)


def test_a_large_panel_gets_a_lower_bound_in_bounded_work() -> None:
    """A tally of a hundred ballots must not run for hours; where it did not try all, it says "at least"."""
    found = tally("borda", Account(ranks(["ABC"] * 60 + ["BCA"] * 40), ABC), 1)
    assert found.outcome.winner == "B"
    assert not found.exact
    assert found.changes == 5


def member(name: str) -> Persona:
    return Persona(name=name.lower(), title=name, role="speaks", description="d", instruction="i")


def saved(folder: Path, name: str, *rounds: Sequence[Ballot], choices: tuple[str, ...] = ABC) -> None:
    with Session.create(name, folder) as session:
        bus = MessageBus(session.log)
        members = tuple(member(f"M{n}") for n in range(5))
        bus.publish(SessionStarted(session=name, question="Which?", members=members, seed=4))
        for number, ballots in enumerate(rounds, 1):
            bus.publish(PhaseStarted(phase="ballot", round=number))
            for ballot in ballots:
                bus.publish(BallotCast(ballot=ballot, choices=choices))
            bus.publish(PhaseStarted(phase="verdict", round=number))


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, ["show", "--tally", *map(str, args)])


def test_the_last_ballots_of_a_session_are_counted(tmp_path: Path) -> None:
    """A session that was taken up again has two ballots; the first is history."""
    saved(tmp_path, "one", ranks(["A"] * 5), ranks(CYCLE))
    done = run("one", "--sessions", tmp_path)
    assert done.exit_code == 0, done.output
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert [line[1] for line in lines if line[0] == "rule"] == list(RULES)
    assert ["cycle", "A beats B 3-2, B beats C 3-2, C beats A 4-1: a cycle"] in lines
    assert ["quorum", "5 of 5 members voted; more than 50% are needed: reached"] in lines
    assert all(len(line) == 6 for line in lines if line[0] == "rule")


def test_json_holds_all_that_is_shown(tmp_path: Path) -> None:
    """A researcher reads figures, not tables."""
    ballots = [*ranks(["ABC", "ABC", "BA"]), Ballot(agent="m3", choice=None, blocked=("A",))]
    saved(tmp_path, "one", [*ballots, Ballot(agent="m4", choice=None, invalid=True)])
    data = json.loads(run("one", "--sessions", tmp_path, "--json").stdout)
    rows = {row["rule"]: row for row in data["rules"]}
    assert list(rows) == list(RULES)
    assert rows["borda"]["figures"] == {"A": 5, "B": 4, "C": 0}
    assert rows["consent"]["winner"] == "B"
    assert data["abstained"] == ["m3"]
    assert data["unreadable"] == {"m4": []}
    assert data["blocked"] == {"A": ["m3"]}
    won = {row["winner"]: row["rules"] for row in data["winners"]}
    assert ("borda" in won["A"], "consent" in won["B"]) == (True, True)
    assert data["seed"] == 4


def test_errors_say_what_to_do(tmp_path: Path) -> None:
    """A typing error or an unfinished session must not end in a traceback or an empty table."""
    saved(tmp_path, "one", ranks(["A"]))
    saved(tmp_path, "none")
    empty = run("none", "--sessions", tmp_path)
    assert empty.exit_code == 2
    assert "error: session none has no ballots" in empty.output
    assert run("nobody", "--sessions", tmp_path).exit_code == 2


def test_long_options_stand_in_the_table_by_their_letters() -> None:
    """Eight sentences in a table of thirteen rows can be read by nobody."""
    long = ("Move the billing service this quarter", "Wait a quarter and fix the test suite first")
    ballots = [Ballot(agent="Ada", choice=long[1]), Ballot(agent="Bo", choice=long[1], blocked=(long[0],))]
    out = io.StringIO()
    data = tally_data(compare(Account(ballots, long), 1), Account(ballots, long), members=["Ada", "Bo"], quorum=0.5)
    print_tally(data, Console(file=out, force_terminal=True, width=100, color_system=None))
    shown = out.getvalue()
    assert shown.count(long[0]) == 1
    assert "A  Move the billing" in shown
    assert "B 2, A 0" in shown
    assert "Bo cannot live with A." in shown


def test_what_a_model_wrote_cannot_steer_the_terminal() -> None:
    """An option may come from a model: an escape code in it must not reach the screen."""
    choices = ("\x1b[2JGo\tnow", "Wait")
    ballots = [Ballot(agent="A\x1bda", choice=choices[0], blocked=("Wait",))]
    for terminal in (True, False):
        out = io.StringIO()
        data = tally_data(compare(Account(ballots, choices), 1), Account(ballots, choices), members=["Ada"], quorum=0.5)
        print_tally(data, Console(file=out, force_terminal=terminal, color_system=None))
        assert "\x1b[2J" not in out.getvalue()
        assert "Go now" in out.getvalue()


def test_twenty_options_are_counted_by_all_rules() -> None:
    """A tally that tries all orders of twenty options would not come back in a lifetime."""
    options = tuple("ABCDEFGHIJKLMNOPQRST")
    orders = [options[turn * 4 :] + options[: turn * 4] for turn in range(5)]
    found = compare(Account(ranks(["".join(order) for order in orders]), options), 1)
    by_rule = {one.rule: one.outcome for one in found.tallies if not one.missing}
    assert set(by_rule["instant-runoff"].tied) == set("AEIMQ")
    assert {"copeland", "ranked-pairs", "schulze"} <= set(by_rule)
    assert by_rule["ranked-pairs"].winner in by_rule["ranked-pairs"].tied


def test_where_a_voter_was_not_asked_it_says_nothing() -> None:
    """Kept from voting for its own proposal, it would vote against it, and pull its mean score down."""
    ballots = [
        Ballot(agent="Ada", choice="B", ranking=("B", "C"), scores={"B": 8, "C": 2}, withheld=("A",)),
        Ballot(agent="Ben", choice="A", ranking=("A", "C"), scores={"A": 6, "C": 4}, withheld=("B",)),
    ]
    found = {one.rule: one.outcome for one in compare(Account(ballots, ABC), 1).tallies}
    assert found["score"].figures == {"A": 6.0, "B": 8.0, "C": 3.0}
    assert set(found["copeland"].tied) == {"A", "B"}
    assert found["borda"].figures == {"A": 2.5, "B": 2.5, "C": 1.0}
    assert found["copeland"].figures == {"A": 1.5, "B": 1.5, "C": 0.0}


def voted_on_motions(folder: Path, answer: Literal["one", "list"]) -> None:
    """Three of four put a motion first, in two wordings; the first ballot said otherwise."""
    ids = (("o1", "o1"), ("p3.0", "o1"), ("o2", "o2"))
    texts = tuple(BallotText(id=key, motion=motion, text=f"Words of {key}") for key, motion in ids)
    orders = (("p3.0", "o1"), ("o1", "p3.0"), ("p3.0",), ("o2",), ())
    with Session.create(answer, folder) as session:
        bus = MessageBus(session.log)
        members = tuple(member(f"M{n}") for n in range(5))
        bus.publish(SessionStarted(session=answer, question="Which?", members=members, seed=4))
        for first in (True, False):
            bus.publish(PhaseStarted(phase="ballot"))
            for at, order in enumerate(orders if not first else [("o2",)] * 5):
                words = tuple(f"Words of {key}" for key in order)
                cast = Ballot(agent=f"M{at}", choice=words[0] if words else NONE, ranking=words, approved=words)
                bus.publish(
                    BallotCast(
                        ballot=cast, choices=tuple(t.text for t in texts), texts=texts, answer=answer, first=first
                    )
                )


def test_a_tally_of_motions_names_motions_and_the_text_that_stands(tmp_path: Path) -> None:
    """A count of wordings would show two small camps where one motion has three of five."""
    voted_on_motions(tmp_path, "one")
    lines = [line.split("\t") for line in run("one", "--sessions", tmp_path).stdout.splitlines()]
    assert ["rule", "majority", "p3.0", "votes: p3.0 3, o2 1, none 1", "2", "1"] in lines
    assert ["rule", "plurality", "p3.0", "votes: p3.0 3, o2 1, none 1", "2", "2"] in lines
    assert ["text", "p3.0, put first by M0, M2, accepted by M0, M1, M2: Words of p3.0"] in lines
    assert ["text", "o1 (of which p3.0 is another wording), put first by M1, accepted by M0, M1: Words of o1"] in lines
    assert ["quorum", "5 of 5 members voted; more than 50% are needed: reached"] in lines
    data = json.loads(run("one", "--sessions", tmp_path, "--json").stdout)
    row = next(row for row in data["rules"] if row["rule"] == "majority")
    assert (row["winner"], row["motion"], row["text"]["id"]) == ("Words of p3.0", "o1", "p3.0")
    assert row["figures"] == {"Words of p3.0": 3, "Words of o2": 1, "none": 1}
    assert ["rule", "unanimity", "no winner"] in [line[:3] for line in lines]


def test_a_tally_names_who_wants_a_text_beside_the_answer_and_what_was_not_asked(tmp_path: Path) -> None:
    """A text that four of five adopt stood as "accepted by nobody"; nobody can block where nobody is asked to."""
    texts = tuple(BallotText(id=f"o{n}", motion=f"o{n}", text=f"Words of o{n}") for n in range(1, 5))
    words = tuple(text.text for text in texts)
    first, *others = words
    for asked, wins in (("majority", "not on these ballots: nobody was asked for blocks"), ("consent", "o1")):
        with Session.create(asked, tmp_path) as session:
            bus = MessageBus(session.log)
            members = tuple(member(f"M{n}") for n in range(3))
            bus.publish(
                SessionStarted(
                    session=asked, question="Which?", members=members, seed=4, settings=Settings(rule=asked)
                ),
                PhaseStarted(phase="ballot"),
            )
            for at in range(3):
                also = (*others[: at + 1], first)  # whichever wins, also its own first
                cast = Ballot(agent=f"M{at}", choice=first, ranking=(first,), approved=(first,), also=also)
                bus.publish(BallotCast(ballot=cast, choices=words, texts=texts))
        lines = [line.split("\t") for line in run(asked, "--sessions", tmp_path).stdout.splitlines()]
        by_rule = {line[1]: line[2:] for line in lines if line[0] == "rule"}
        assert by_rule["consent"][0] == wins
        assert by_rule["borda"][1].startswith("points: o1 ")
        assert by_rule["ranked-pairs"][1].startswith("options below it: o1 4, none 3, ")
        assert sorted(by_rule["ranked-pairs"][1].split(", ")[2:]) == ["o2 0", "o3 0", "o4 0"]
        beside = "o3, accepted as the answer by nobody, wanted beside the answer by M1, M2: Words of o3"
        assert ["text", beside] in lines
        of_first = "accepted as the answer by M0, M1, M2, wanted beside the answer by M0, M1, M2: Words of o1"
        assert ["text", f"o1, {of_first}"] in lines


def test_a_tally_of_a_list_names_what_each_rule_adopts(tmp_path: Path) -> None:
    """ "No winner" under a list of two adopted motions would be false."""
    voted_on_motions(tmp_path, "list")
    lines = [line.split("\t") for line in run("list", "--sessions", tmp_path).stdout.splitlines()]
    assert ["rule", "majority", "p3.0", "", "", ""] in lines
    assert ["rule", "unanimity", "nothing", "", "", ""] in lines
    data = json.loads(run("list", "--sessions", tmp_path, "--json").stdout)
    assert data["answer"] == "list"
    row = next(row for row in data["rules"] if row["rule"] == "majority")
    assert row["winner"] == ["Words of p3.0"]
    adopted = {"motion": "o1", "id": "p3.0", "text": "Words of p3.0", "voters": ["M0", "M1", "M2"], "of": 5}
    adopted["exact"] = adopted["voters"]
    assert row["adopted"] == [adopted]
