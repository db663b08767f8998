"""Each measure gives the published value, or the one that a formula closes; and the tables hold what the log holds."""

from __future__ import annotations

import random
import runpy
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from in_turn import each_other

pytest.importorskip("pyarrow", reason="the extra `study` is not installed")
pytest.importorskip("scipy", reason="the extra `study` is not installed")

from nulls import MODELS, NULLS, fit_nulls, nulls
from proofs.opinion_dynamics import hegselmann_krause

from eda import Debate, Library, Settings
from eda.debate.replay import progress_of
from eda.errors import InputError, UnknownNameError
from eda.session import Session
from eda.study import words
from eda.study.cells import Cell
from eda.study.effects import effects, pairs, rates
from eda.study.file import Hypothesis
from eda.study.measures import MEASURES, measure_named
from eda.study.measures.outcomes import flip_table
from eda.study.measures.panel import (
    argument_diversity,
    entropy,
    krippendorff_alpha,
    tastle_wierman,
    time_to_consensus,
)
from eda.study.measures.polarisation import clusters, prediction_errors
from eda.study.rows import (
    CellData,
    CellRow,
    FactRow,
    MemberRow,
    MessageRow,
    OutcomeRow,
    Row,
    StanceRow,
)
from eda.study.tables import Frames, Stored, keep_cells, to_arrow
from eda.study.tasks.base import Facts, Task


def of(asks: Sequence[Sequence[str | None]], *, answer: str | None = None, options: Sequence[str] = "ABC") -> CellData:
    """Return a cell whose members made these choices at each ask."""
    rows = [
        StanceRow(
            cell="c",
            member=f"m{seat}",
            seat=seat,
            instrument="poll",
            ask=ask,
            choice=choice,
            right=None if answer is None else choice == answer,
        )
        for ask, choices in enumerate(asks)
        for seat, choice in enumerate(choices)
    ]
    cell = CellRow(cell="c", task="t", item="t", arm="talk", seed=0, options=tuple(options), answer=answer)
    return CellData(cell, stances=rows)


def value(name: str, data: CellData) -> float | None:
    return measure_named(name).fold(data)


# 1 Agreement


def test_ordinal_consensus_is_the_figure_of_the_package_agrmt() -> None:
    """R's agrmt prints .7256876 for this distribution; halves at both ends are 0, one step is 1."""
    assert tastle_wierman([30, 40, 210, 130, 530, 50, 10]) == pytest.approx(0.7256876, abs=1e-7)
    assert tastle_wierman([5, 0, 0, 5]) == pytest.approx(0)
    assert tastle_wierman([0, 7, 0]) == 1
    assert value("ordinal_consensus", of([["A", "A", "C", "C"]])) == pytest.approx(0)


def test_alpha_is_that_of_the_table_of_three_coders() -> None:
    """The table that is printed with the measure: .691 nominal; a fourth of the ratings is missing."""
    coders = ("*****34121133*3", "1*213343*******", "**21344*21133*4")
    units = [[int(row[place]) for row in coders if row[place] != "*"] for place in range(15)]
    assert krippendorff_alpha(units) == pytest.approx(0.691, abs=5e-4)
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None


def test_entropy_and_consensus_share_of_a_split() -> None:
    """Half and half of three options is ln 2 / ln 3; a share counts who holds nothing."""
    data = of([["A", "A", "B", "B"]])
    assert value("entropy", data) == pytest.approx(0.6309298)
    assert (value("consensus_share", data), value("consensus", data)) == (0.5, 0.0)
    assert value("consensus_share", of([["A", "A", "A", None]])) == 0.75
    assert entropy([4, 0], 2) == 0
    assert entropy([], 2) is None


def test_consensus_must_last_to_the_end() -> None:
    """A consensus that breaks up again was none; one that is not reached is as late as the last ask, and censored."""
    assert value("time_to_consensus", of(["AB", "AA", "AB", "AA", "AA"])) == 3
    assert time_to_consensus([{"x": "A", "y": "B"}]) is None
    assert value("time_to_consensus", of(["AB", "AB"])) == 2


# 2 Polarisation


def test_clusters_are_those_of_bounded_confidence() -> None:
    """Hegselmann and Krause: 625 opinions with a bound of .25 end as one cluster, with .1 as several."""
    rng = random.Random(5)
    start = sorted(rng.random() for _ in range(200))
    wide, narrow = start, start
    for _ in range(40):
        wide, narrow = list(hegselmann_krause(wide, 0.3)), list(hegselmann_krause(narrow, 0.1))
    assert clusters(wide) == 1
    assert 3 <= clusters(narrow) <= 5
    assert clusters([0.0, 0.04, 0.08, 0.5], 0.05) == 2
    assert clusters([0.0] * 999 + [1.0], least=0.01) == 1


# 3 Change


def test_the_flip_table_counts_both_ways() -> None:
    """Of three that were right one goes wrong; of two that were wrong one is corrected."""
    data = of([["A", "A", "A", "B", "B"], ["A", "A", "B", "A", "B"]], answer="A")
    assert flip_table(data) == {(True, True): 2, (True, False): 1, (False, True): 1, (False, False): 1}
    assert value("vulnerability", data) == pytest.approx(1 / 3)
    assert value("corrected", data) == 0.5
    assert value("votes_changed", data) == 0.4
    assert value("drift", data) == 0


def test_conformity_counts_who_goes_where_most_others_are() -> None:
    """The two outvoted have one conformist; who is with most others, or sees them level, had no occasion."""
    data = of([["A", "A", "A", "B", "C"], ["A", "A", "B", "A", "C"]])
    assert (value("conformity", data), value("obstinacy", data), value("identity_bias", data)) == (0.5, 0.5, 0)
    assert value("conformity", of([["A", "B", "B"], ["B", "B", "B"]])) == 1
    assert value("conformity", of([["A", "B", "C"], ["B", "B", "B"]])) is None  # the two others are level


def test_planted_conformity_is_recovered() -> None:
    """Members that follow most others with 30 % and else keep their answer show .3."""
    rng, found = random.Random(7), []
    for _ in range(400):
        before = [rng.choice("AB") for _ in range(5)]
        most = ["A" if (before.count("A") - (own == "A")) > 2 else "B" for own in before]
        tied = [(before.count("A") - (own == "A")) == 2 for own in before]
        after = [
            m if m != own and not level and rng.random() < 0.3 else own
            for own, m, level in zip(before, most, tied, strict=True)
        ]
        found.append(value("conformity", of([before, after])))
    rates_found = [each for each in found if each is not None]
    assert sum(rates_found) / len(rates_found) == pytest.approx(0.3, abs=0.05)


def test_an_instrument_is_compared_with_itself() -> None:
    """A poll between two ballots is another question: a member that polls B and votes A twice did not change."""
    data = of([["B"], ["B"]])
    ballots = [StanceRow(cell="c", member="m0", seat=0, instrument="ballot", ask=ask, choice="A") for ask in range(2)]
    both = CellData(data.cell, stances=[*data.stances[:1], *ballots])
    assert both.trajectory == [{"m0": "A"}, {"m0": "A"}]


# 4 Truth, talk, coders


def test_the_error_of_the_mean_is_the_mean_error_less_diversity() -> None:
    """Page's theorem is an identity: of any estimates, exactly; and the measures are its three terms."""
    rng = random.Random(8)
    estimates = [rng.uniform(-50, 50) for _ in range(9)]
    collective, single, spread = prediction_errors(estimates, 12.5)
    assert collective == pytest.approx(single - spread, abs=1e-12 * single)
    data = of([["10", "20", "60"]], answer="20", options=())
    assert [value(name, data) for name in ("collective_error", "individual_error", "diversity")] == pytest.approx(
        [100, 1700 / 3, 1400 / 3]
    )


def test_drift_is_the_mean_change_of_belief_in_the_truth() -> None:
    """A belief that goes from .2 to .5 and one that goes from .6 to .5 drift by .1."""
    rows = [
        StanceRow(cell="c", member=who, seat=0, instrument="poll", ask=ask, choice="A", beliefs={"A": p, "B": 1 - p})
        for who, path in (("x", (0.2, 0.5)), ("y", (0.6, 0.5)))
        for ask, p in enumerate(path)
    ]
    assert value("drift", CellData(of([], answer="A").cell, stances=rows)) == pytest.approx(0.1)


def test_talk_is_measured_by_words_names_and_facts() -> None:
    """One of two says three quarters of the words: Gini .25; who spoke said half of the facts it knew."""
    cell = of([]).cell
    words = [MemberRow(cell="c", member=who, seat=0, words=many) for who, many in (("x", 30), ("y", 10))]
    said = [
        MessageRow(cell="c", number=1, member="x", seat=0, words=3, names=("y",), text="solid granite bedrock"),
        MessageRow(cell="c", number=2, member="y", seat=1, words=3, text="solid granite cliffs"),
    ]
    facts = [
        FactRow(cell="c", member="x", seat=0, fact="one", said_at=1, heard_at=1),
        FactRow(cell="c", member="y", seat=1, fact="one", heard_at=1),
        FactRow(cell="c", member="y", seat=1, fact="two"),
        FactRow(cell="c", member="x", seat=0, fact="three", said_at=2, heard_at=2),
        FactRow(cell="c", member="z", seat=2, fact="four"),  # of a member that never spoke
    ]
    data = CellData(cell, members=words, messages=said, facts=facts)
    assert (value("gini", data), value("peer_reference", data)) == (0.25, 0.5)
    assert value("argument_diversity", data) == argument_diversity([each.text for each in said]) == 0.5
    assert value("sharing", data) == 0.5
    assert value("pooling", data) == 0.5


# 5 Null models

PLAYED = {
    "constant": (0.0, 0.2),
    "persistent": (0.0, 0.2),
    "alike": (0.5, 0.05),
    "voter": (0.4, 0.1),
    "friedkin-johnsen": (0.5, 0.05),
    "hegselmann-krause": (0.6, 0.1),
    "majority": (0.5, 0.1),
    "dirichlet": (0.5, 0.05),
}
"""The parameter and the noise that data are made with."""


def _played(model: str, asks: int = 5, cells: int = 40) -> list[CellData]:
    """Return cells of five members whose answers follow a model; bounded confidence has beliefs, the others choices."""
    import numpy as np

    rng, (weight, noise), made = np.random.default_rng(1), PLAYED[model], []
    beliefs = model == "hegselmann-krause"
    for place in range(cells):
        path = [rng.dirichlet(np.ones(3), 5) if beliefs else np.eye(3)[rng.integers(3, size=5)]]
        for at in range(asks - 1):
            means = (1 - noise) * MODELS[model][0](np.array(path), at, weight) + noise / 3
            path.append(means if beliefs else np.array([rng.multinomial(1, each) for each in means]))
        rows = [
            StanceRow(
                cell="c",
                member=f"m{seat}",
                seat=seat,
                instrument="poll",
                ask=ask,
                choice="ABC"[each.argmax()],
                beliefs=dict(zip("ABC", map(float, each), strict=True)) if beliefs else {},
            )
            for ask, vectors in enumerate(path)
            for seat, each in enumerate(vectors)
        ]
        made.append(CellData(of([]).cell.model_copy(update={"item": f"t{place}"}), stances=rows))
    return made


@pytest.mark.parametrize("model", each_other(PLAYED))
def test_data_of_each_model_are_won_by_it(model: str) -> None:
    """Parameters come back; a model of influence beats the nulls with its own data, and none with those of a null."""
    fits = fit_nulls(_played(model))
    weight, noise = PLAYED[model]
    assert fits[0].model == model
    assert (fits[0].weight, fits[0].noise) == (pytest.approx(weight, abs=0.11), pytest.approx(noise, abs=0.05))
    assert fits[0].beats is (model not in NULLS)
    assert model not in NULLS or not any(fit.beats for fit in fits)


def test_minds_that_are_alike_are_not_taken_for_influence() -> None:
    """Four of five members are right, a fourth of all answers slips, nobody listens: no model beats the nulls."""
    rng, cells = random.Random(10), []
    for place in range(60):
        minds = [rng.choices("AB", (4, 1))[0] for _ in range(5)]
        said = [["BA"["AB".index(mind)] if rng.random() < 0.25 else mind for mind in minds] for _ in range(2)]
        data = of(said, options="AB")
        cells.append(CellData(data.cell.model_copy(update={"item": f"t{place}"}), stances=data.stances))
    assert not any(fit.beats for fit in fit_nulls(cells))
    assert fit_nulls([]) == []


# 6 Effects


def _tables(values: dict[tuple[str, str, int], bool | None], **levels: str) -> dict[str, Any]:
    """Return tables of cells by arm, task and seed, right or not; None: it failed."""
    rows: dict[str, list[Row]] = {"cells": [], "outcomes": []}
    for (arm, task, seed), right in values.items():
        cell = f"{arm}{task}{seed}"
        status = "failed" if right is None else "ended"
        rows["cells"].append(
            CellRow(
                cell=cell, task=task, item=task, arm=arm, seed=seed, levels=levels, status=status, options=("A", "B")
            )
        )
        for rule, turned in (("majority", False), ("borda", True)):
            rows["outcomes"].append(
                OutcomeRow(cell=cell, vote="last", rule=rule, own=not turned, right=bool(right) is not turned)
            )
    return to_arrow(rows)


def test_an_effect_is_paired_and_clustered() -> None:
    """Of four pairs in two tasks one gains: .25, two clusters; a cell that failed has no partner."""
    right = {("talk", "t", 0): True, ("reask", "t", 0): False, ("talk", "t", 1): True, ("reask", "t", 1): True}
    right |= {("talk", "u", 0): False, ("reask", "u", 0): False, ("talk", "u", 1): True, ("reask", "u", 1): True}
    right |= {("talk", "v", 0): True, ("reask", "v", 0): None}
    data = _tables(right)
    sides = ("talk", "reask")
    asked = [Hypothesis(measure="accuracy", contrast=sides, smallest=0.1), Hypothesis(measure="gini", contrast=sides)]
    row, again = effects(data, asked)
    assert (row["estimate"], row["pairs"], row["clusters"], row["unpaired"]) == (0.25, 4, 2, 1)
    assert row["low"] <= 0 <= row["high"]
    assert (row["p"], row["p_holm"]) == (1.0, 1.0)
    assert row["equivalent"] is not None
    assert row["if_failed"] == pytest.approx(
        [(0.5 + 0 - 1) / 3, (0.5 + 0 + 1) / 3]
    )  # the cell that failed, at its worst
    assert (again["estimate"], again["pairs"]) == (None, 0)
    counted = effects(data, [Hypothesis(measure="accuracy", contrast=("rule=majority", "rule=borda"))])[0]
    assert (counted["estimate"], counted["pairs"]) == (pytest.approx((0 + 0 + 1) / 3 + 1 / 3), 5)


def test_levels_are_compared_within_talk_and_all_else_alike() -> None:
    """Cells of another arm, or of another level of what is not compared, are no partners."""
    one = _tables({("talk", "t", 0): True, ("single", "t", 0): True}, floor="a", names="x")
    assert one["cells"].to_pylist()[0]["levels"] == [("floor", "a"), ("names", "x")]
    parts = [
        _tables({("talk", "t", 0): right, ("single", "t", 0): False}, floor=floor, names=names)
        for floor, names, right in (("a", "x", True), ("b", "x", False), ("b", "y", True))
    ]
    rows: dict[str, list[Row]] = {"cells": [], "outcomes": []}
    for place, part in enumerate(parts):
        for each in part.data:
            cell = f"{each.cell.cell}{place}"
            rows["cells"].append(each.cell.model_copy(update={"cell": cell}))
            rows["outcomes"] += [row.model_copy(update={"cell": cell}) for row in each.outcomes]
    data = to_arrow(rows)
    row = effects(data, [Hypothesis(measure="accuracy", contrast=("floor=a", "floor=b"))])[0]
    assert (row["estimate"], row["pairs"], row["unpaired"]) == (1.0, 1, 1)
    assert {(each["arm"], each["estimate"]) for each in rates(data, ["accuracy"])} >= {("single", 0.0), ("talk", 1.0)}


def test_two_effects_are_compared_over_the_same_clusters() -> None:
    """Whether talk does more with names shown is no matter of two intervals that do or do not overlap."""
    rows: dict[str, list[Row]] = {"cells": [], "outcomes": []}
    for names, talk in (("shown", (True, True, False)), ("hidden", (True, False, False))):
        right = {("talk", task, 0): each for task, each in zip("tuv", talk, strict=True)}
        part = _tables(right | {("reask", task, 0): False for task in "tuv"}, names=names)
        for each in part.data:
            cell = f"{names}{each.cell.cell}"
            rows["cells"].append(each.cell.model_copy(update={"cell": cell}))
            rows["outcomes"] += [row.model_copy(update={"cell": cell}) for row in each.outcomes]
    sides = tuple(f"{arm}, names={names}" for names in ("shown", "hidden") for arm in ("talk", "reask"))
    asked = Hypothesis(measure="accuracy", contrast=sides, smallest=0.1)
    (row,) = effects(to_arrow(rows), [asked])
    assert (row["estimate"], row["pairs"], row["clusters"]) == (pytest.approx(1 / 3), 3, 3)
    found = pairs(to_arrow(rows), asked)
    assert [(pair.first, pair.second) for pair in found] == [(1, 1), (1, 0), (0, 0)]
    assert [len(side) for pair in found for side in pair.cells] == [2] * 6
    assert words.asked(row) == f"accuracy, ({sides[0]} minus {sides[1]}) minus ({sides[2]} minus {sides[3]})"
    with pytest.raises(ValueError, match="two sides, or four"):
        Hypothesis(measure="accuracy", contrast=sides[:3])


def test_what_does_not_exist_is_named() -> None:
    """A misspelt measure, arm, factor or level must not give a table of nothing."""
    data = _tables({("talk", "t", 0): True}, floor="a")
    for measure, first, said in (
        ("acuracy", "talk", "unknown measure"),
        ("accuracy", "tlak", "unknown arm"),
        ("accuracy", "flor=a", "unknown factor"),
        ("accuracy", "floor=c", "unknown level of 'floor'"),
        ("accuracy", "rule=bord", "unknown rule"),
    ):
        with pytest.raises(UnknownNameError, match=said):
            effects(data, [Hypothesis(measure=measure, contrast=(first, "talk"))])
    broken = Frames({**data, "cells": data["cells"].drop_columns(["arm"])})
    with pytest.raises(InputError, match="no column 'arm'"):
        rates(broken)


# 7 Tables of real sessions

ORE = Task(
    "mine",
    "Which mine?",
    ("North", "South"),
    "North",
    Facts(private={0: ("the north mine has a seam",), 1: ("nobody says this",)}),
)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Cell]]:
    """Two debates of the simulated panel, and a cell that was not run."""
    import asyncio

    folder = tmp_path_factory.mktemp("study")
    cells = [Cell(f"c{seed}", ORE, {"floor": "bidding"}, "talk", seed) for seed in range(3)]
    members = Library().panel("architecture-review").members[:3]
    for cell in cells[:2]:
        with Session.create(cell.id, folder / "cells") as session:
            debate = Debate(
                ORE.question,
                members,
                "simulated",
                options=ORE.options,
                seed=cell.seed,
                session=session,
                settings=Settings(max_messages=5, fixed_options=True),
            )
            asyncio.run(debate.run())
    keep_cells(folder, cells)
    return folder, cells


def test_the_tables_hold_what_the_logs_hold(study: tuple[Path, list[Cell]]) -> None:
    """The same logs give the same bytes, a cell that was not run has a row, and the votes are those of the verdict."""
    folder, cells = study
    made, again = Stored(folder).frames(), Stored(folder, cells).frames()
    assert all(table.equals(again[name]) for name, table in made.items())
    assert [row["status"] for row in made["cells"].to_pylist()] == ["ended", "ended", "absent"]
    for data in made.data[:2]:
        with Session.read(folder / "cells" / data.cell.cell) as session:
            state = progress_of(session)
        assert state.verdict is not None
        own = data.outcome("last")
        assert own is not None
        assert own.outcome == state.verdict.outcome
        assert len(data.messages) == data.cell.messages == 5
        assert [len(ask) for ask in data.asks] == [3, 3]
        assert [row.member for row in data.stances[:3]] == state.members
        assert data.cell.input_tokens == state.spent.input_tokens
        assert sum(row.words for row in data.members) == sum(row.words for row in data.messages)
        assert {row.said_at for row in data.facts} == {None}
        assert replace(data, rule="borda").outcome("first") is not None
    assert 0 <= (rates(made, ["outcome_changed"])[0]["estimate"]) <= 1
    assert {row["arm"] for row in nulls(made)} == {"talk"}
    assert {"model", "line", "weight", "noise", "score", "gain", "low", "high", "beats"} < nulls(made)[0].keys()


def test_a_rule_that_counts_again_gives_the_verdict_of_that_rule(study: tuple[Path, list[Cell]]) -> None:
    """Nested rules take no call: each gives what `eda show --tally` prints for the same ballots."""
    from eda.debate.verdict import votes_of
    from eda.voting import compare

    folder, _ = study
    for data in [*Stored(folder).data][:2]:
        with Session.read(folder / "cells" / data.cell.cell) as session:
            state = progress_of(session)
            votes = votes_of(session, state)
        names = {text.id: text.text for text in votes.texts}
        for one in compare(votes, state.seed).tallies:
            if not one.missing:
                found = replace(data, rule=one.rule).outcome("last")
                assert found is not None
                assert found.outcome == names.get(str(one.winner))


def test_parquet_is_read_in_place_and_says_what_its_columns_are(study: tuple[Path, list[Cell]]) -> None:
    """DuckDB reads the files by themselves; each column carries its description, and so does the dictionary."""
    duckdb = pytest.importorskip("duckdb")
    import pyarrow.parquet as pq

    folder, _ = study
    paths = Stored(folder).write(folder / "tables", "parquet", {"study": "mines"})
    cells = duckdb.read_parquet(str(folder / "tables" / "cells.parquet"))
    counted = cells.aggregate("levels['floor'], count(*)").fetchall()
    assert counted == [("bidding", 3)]
    schema = pq.read_schema(folder / "tables" / "cells.parquet")
    assert schema.metadata[b"study"] == b"mines"
    assert schema.field("answer").metadata[b"description"].startswith(b"The true answer")
    made = to_arrow({})
    assert len(paths) == len(made)
    assert all(field.metadata[b"description"].endswith(b".") for table in made.values() for field in table.schema)


def test_a_folder_without_a_study_is_named(tmp_path: Path) -> None:
    """It gives no empty table."""
    with pytest.raises(InputError, match="holds no study"):
        Stored(tmp_path)


def test_the_page_of_columns_and_measures_is_made_of_the_code() -> None:
    """A column that was renamed would stand in the documents under its old name."""
    page = Path(__file__).parent.parent / "docs" / "study-tables.md"
    made = runpy.run_path(str(page.with_name("study_tables.py")))["reference"]()
    assert page.read_text(encoding="utf-8") == made, "python docs/study_tables.py > docs/study-tables.md"


def test_every_measure_says_what_it_is(study: tuple[Path, list[Cell]]) -> None:
    """A definition, a source, and a value within its bounds, or none, on any ended session."""
    folder, _ = study
    for row in rates(Stored(folder)):
        bounds = MEASURES[row["measure"]].bounds
        assert bounds is None or bounds[0] <= row["low"] <= row["estimate"] <= row["high"] <= bounds[1], row
    assert all(measure.definition and measure.citation for measure in MEASURES.values())
    assert len(MEASURES) >= 20
