"""Measures of what the panel decided, and of how its members changed their choices on the way."""

from collections import Counter
from collections.abc import Callable, Iterator

from eda.memory.minutes.consensus import ahead
from eda.study.measures.base import Measure, difference, mean, share
from eda.study.rows import CellData, OutcomeRow, Vote


def _right(data: CellData, vote: Vote) -> float | None:
    outcome = data.outcome(vote)
    return None if outcome is None or outcome.right is None else float(outcome.right)


def _last(read: Callable[[OutcomeRow], bool | None]) -> Callable[[CellData], float | None]:
    """Return what reads the outcome of the last vote as 1 or 0; None where there is none, or it says nothing."""

    def fold(data: CellData) -> float | None:
        outcome = data.outcome("last")
        value = None if outcome is None else read(outcome)
        return None if value is None else float(value)

    return fold


def _changed(data: CellData) -> float | None:
    before, after = data.outcome("first"), data.outcome("last")
    if before is None or after is None:
        return None
    # What was not offered before cannot be compared.
    comparable = not data.cell.options or after.outcome in (None, *data.cell.options)
    return float(before.outcome != after.outcome) if comparable else None


_CHOI = "Choi et al. 2025, arXiv:2508.17536"


Flips = Counter[tuple[bool, bool]]


def flip_table(data: CellData) -> Flips:
    """Return how often a member went from right or wrong to right or wrong between two asks: `(before, after)`."""
    return Counter(
        (bool(row.right), bool(after[who].right))
        for before, after in zip(data.asks, data.asks[1:], strict=False)
        for who, row in before.items()
        if who in after.keys() - data.scripted and row.right is not None and after[who].right is not None
    )


def _after(data: CellData, *, right: bool) -> list[bool]:
    """Return for each time that a member was right, or wrong, whether it was not so after."""
    return [after is not right for before, after in flip_table(data).elements() if before is right]


def _right_at(data: CellData, place: int) -> list[bool]:
    """Return for each member whether it is right at the first ask, or the last; nothing where they were asked once."""
    asks = data.asks if len(data.asks) > 1 else ()
    rows = [row for who, row in asks[place].items() if who not in data.scripted] if asks else []
    return [row.right for row in rows if row.right is not None]


def _right_from_none(data: CellData) -> float | None:
    before, after = _right_at(data, 0), _right_at(data, -1)
    return float(not any(before)) if before and any(after) else None


def _outvoted(data: CellData) -> Iterator[tuple[str | None, str, str | None]]:
    """Yield the choice, the other one of most others, and the next choice, of each member that differs from them."""
    for before, after in data.steps:
        for who, choice in before.items():
            peers = ahead(Counter(each for other, each in before.items() if other != who and each is not None))
            if who in after.keys() - data.scripted and peers not in (None, choice):
                yield choice, str(peers), after[who]


def _conformed(data: CellData) -> list[bool]:
    return [after == peers for _, peers, after in _outvoted(data)]


def _stayed(data: CellData) -> list[bool]:
    return [after == before for before, _, after in _outvoted(data)]


def _votes_changed(data: CellData) -> list[bool]:
    if len(data.trajectory) < 2:
        return []
    first, last = data.trajectory[0], data.last
    return [first[who] != last[who] for who in first if who in last.keys() - data.scripted]


_BENCHFORM = "Weng et al. 2025 (BenchForm), arXiv:2501.13381"
_DELIDATA = "Karadzhov et al. 2023 (DeliData), arXiv:2108.05271"
_IDENTITY = "Choi et al. 2025, arXiv:2510.07517"

MEASURES = (
    Measure(
        "accuracy",
        "1 where the outcome is the true answer, else 0; no outcome is 0",
        "used throughout the field",
        lambda data: _right(data, "last"),
    ),
    Measure(
        "undecided",
        "1 where the vote had no winner, else 0",
        "companion of accuracy",
        _last(lambda vote: vote.outcome is None),
    ),
    Measure(
        "gain_over_blind_vote",
        "accuracy minus the accuracy of the same rule on the ballots before the first message",
        _CHOI,
        lambda data: difference(_right(data, "last"), _right(data, "first")),
        bounds=(-1.0, 1.0),
    ),
    Measure(
        "gain_over_single",
        "accuracy minus the accuracy of the most frequent of the answers that the model gave alone",
        "Wang et al. 2023, arXiv:2203.11171; Smit et al. 2024, arXiv:2311.17371",
        lambda data: difference(_right(data, "last"), _right(data, "single")),
        bounds=(-1.0, 1.0),
    ),
    Measure(
        "outcome_changed",
        "1 where the first ballots and the last ones come to different outcomes under one rule, else 0; not defined "
        "where the outcome was not offered before",
        "companion of gain_over_blind_vote",
        _changed,
    ),
    Measure(
        "condorcet_efficiency",
        "of the votes that have an option which beats each other one by pairs: 1 where that wins, else 0",
        "Merrill 1984, American Journal of Political Science 28 (1)",
        _last(lambda vote: None if vote.condorcet is None else vote.outcome == vote.condorcet),
    ),
    Measure(
        "cycle",
        "1 where the best options beat each other in a circle, else 0",
        "Condorcet 1785",
        _last(lambda vote: vote.cycle),
    ),
    share(
        "members_right_first",
        "share of the members that are right at the first ask, where there are more",
        "used throughout the field",
        lambda data: _right_at(data, 0),
    ),
    share(
        "members_right_last",
        "share of the members that are right at the last ask, where there are more",
        "used throughout the field",
        lambda data: _right_at(data, -1),
    ),
    Measure(
        "members_gain",
        "members_right_last minus members_right_first",
        _DELIDATA,
        lambda data: difference(mean(_right_at(data, -1)), mean(_right_at(data, 0))),
        bounds=(-1.0, 1.0),
    ),
    Measure(
        "right_from_none",
        "of the panels of which a member is right at the last ask: 1 where none was at the first, else 0",
        _DELIDATA,
        _right_from_none,
    ),
    share(
        "corrected",
        "P(right at the next ask, given wrong at this one), over members and asks",
        "Bertalanic et al. 2026, arXiv:2605.00914 (flip table)",
        lambda data: _after(data, right=False),
    ),
    share(
        "vulnerability",
        "P(wrong at the next ask, given right at this one), over members and asks",
        "Bertalanic et al. 2026, arXiv:2605.00914 (flip table)",
        lambda data: _after(data, right=True),
    ),
    share(
        "votes_changed",
        "share of the members whose last answer is not their first one",
        "companion of outcome_changed",
        _votes_changed,
    ),
    share(
        "conformity",
        "P(next choice = choice of most others, given own choice is another one), over members and asks; a raw rate, "
        "from which a contrast with members that hear nobody subtracts what they would do anyway",
        _BENCHFORM,
        _conformed,
    ),
    share(
        "obstinacy",
        "P(next choice = own choice, given most others hold another one), over members and asks",
        _IDENTITY,
        _stayed,
    ),
    Measure(
        "identity_bias",
        "conformity minus obstinacy; its contrast of shown with hidden names is the identity bias coefficient",
        _IDENTITY,
        lambda data: difference(mean(_conformed(data)), mean(_stayed(data))),
        bounds=(-1.0, 1.0),
    ),
)
