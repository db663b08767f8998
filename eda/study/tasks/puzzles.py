"""Tasks in which all members are told the same: a puzzle that a solver solves, or a dilemma that nobody can.

Each has a function that makes a task from the draws of a generator, and one that says what follows from its facts.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import permutations
from random import Random
from string import ascii_uppercase
from typing import NamedTuple

from eda.study.tasks.base import Beliefs, Facts, Task, drawn_from, series, shares, shuffled
from eda.text import regex

# Arithmetic: one expression of six numbers. The solver reads the expression from the question. The task is that of
# Y. Du et al., "Improving Factuality and Reasoning in Language Models through Multiagent Debate", 2023 (arXiv
# 2305.14325).

_MOST = 30
_SUMS = 5
_SUM = regex(r"What is (\d+) \+ (\d+) \* (\d+) \+ (\d+) - (\d+) \* (\d+)\?")


def make_arithmetic(rng: Random, name: str, seats: int) -> Task:  # noqa: ARG001 - all members are told the same
    """Return an expression `a + b * c + d - e * f` with its value and four results of usual slips."""
    a, b, c, d, e, f = (1 + int(rng.random() * _MOST) for _ in range(6))
    true = a + b * c + d - e * f
    slips = [(a + b) * c + d - e * f, a + b * c + d + e * f, (a + b * c + d - e) * f, a + b * c - d - e * f]
    near = [true + sign * step for step in (10, 1, 2, 20) for sign in (1, -1)]
    wrong = [each for each in dict.fromkeys((*slips, *near)) if each != true][: _SUMS - 1]
    options = tuple(map(str, shuffled(rng, (true, *wrong))))
    asked = f"What is {a} + {b} * {c} + {d} - {e} * {f}? Multiply before you add."
    return Task(name, asked, options, str(true), kind="arithmetic")


def value(question: str) -> int | None:
    """Return the value of the expression that a question asks for; None where it is of another form."""
    asked = _SUM.search(question)
    if asked is None:
        return None
    a, b, c, d, e, f = map(int, asked.groups())
    return a + b * c + d - e * f


def arithmetic_believes(task: Task, known: Collection[str]) -> Beliefs:  # noqa: ARG001 - the question says it all
    """Return certainty in the value of the expression."""
    return shares({option: float(option == str(value(task.question))) for option in task.options})


# The selection task: which cards must be turned to test a rule? P. C. Wason, "Reasoning about a Rule", Quarterly
# Journal of Experimental Psychology 20 (3), 1968, 273-281. The solver tries every hidden side: a card must be
# turned if some hidden side would break the rule.

_LETTERS: dict[str, Callable[[str], bool]] = {
    "a vowel": lambda letter: letter in "AEIOU",
    "a consonant": lambda letter: letter not in "AEIOU",
    "a letter before M": lambda letter: letter < "M",
    "a letter after M": lambda letter: letter > "M",
}
_NUMBERS: dict[str, Callable[[str], bool]] = {
    "an even number": lambda number: int(number) % 2 == 0,
    "an odd number": lambda number: int(number) % 2 == 1,
    "a number below 5": lambda number: number < "5",
    "a number above 4": lambda number: number > "4",
}
_DIGITS = "123456789"
_RULE = regex(r"If one side of a card has (.+?), its other side has (.+?)\. .*The cards show (.+?)\.")


def make_selection(rng: Random, name: str, seats: int) -> Task:  # noqa: ARG001 - all members are told the same
    """Return a rule with four cards, one of each class; the options are five sets of cards."""
    (before, is_before), (after, is_after) = (drawn_from(rng, list(each.items())) for each in (_LETTERS, _NUMBERS))
    p, not_p = (_one(rng, ascii_uppercase, is_before, holds=holds) for holds in (True, False))
    q, not_q = (_one(rng, _DIGITS, is_after, holds=holds) for holds in (True, False))
    cards = shuffled(rng, (p, not_p, q, not_q))
    # The usual errors: to look for what the rule names, to test half of it, to test everything.
    sets = ({p, not_q}, {p, q}, {p}, {p, q, not_q}, set(cards))
    options = tuple(series([card for card in cards if card in each]) for each in shuffled(rng, sets))
    asked = (
        f"Each card has a letter on one side and a number from 1 to 9 on the other. Somebody claims this rule: If one "
        f"side of a card has {before}, its other side has {after}. The cards show {series(cards)}. Which cards "
        "must be turned, and no others, to find out whether these four cards keep the rule?"
    )
    return Task(name, asked, options, series([card for card in cards if card in (p, not_q)]), kind="selection")


def to_turn(question: str) -> tuple[str, ...]:
    """Return the cards that a hidden side could make break the rule, in the order of the question."""
    rule = _RULE.search(question)
    if rule is None:
        return ()
    is_before, is_after = _LETTERS[rule[1]], _NUMBERS[rule[2]]
    cards = regex(r", | and ").split(rule[3])
    breaks = {
        card: any(
            is_before(letter) and not is_after(number)
            for letter in (ascii_uppercase if card in _DIGITS else card)
            for number in (card if card in _DIGITS else _DIGITS)
        )
        for card in cards
    }
    return tuple(card for card in cards if breaks[card])


def selection_believes(task: Task, known: Collection[str]) -> Beliefs:  # noqa: ARG001 - the question says it all
    """Return certainty in the set of cards that the solver finds."""
    right = series(to_turn(task.question))
    return shares({option: float(option == right) for option in task.options})


def _one(rng: Random, signs: str, is_in: Callable[[str], bool], *, holds: bool) -> str:
    return drawn_from(rng, [sign for sign in signs if is_in(sign) == holds])


# Logic grids: who sits where, by clues that leave one order. The solver tries every order.

_NAMES = ("Anna", "Boris", "Clara", "David", "Elena", "Farid", "Greta", "Hugo", "Irena", "Jonas", "Katja", "Louis")
_SIZE = 5
_CLUES = {
    "sits left of": lambda one, other: one < other,
    "sits next to": lambda one, other: abs(one - other) == 1,
    "does not sit next to": lambda one, other: abs(one - other) > 1,
    "sits two chairs from": lambda one, other: abs(one - other) == 2,
}
_CLUE = regex(rf"(\w+) ({'|'.join(_CLUES)}) (\w+)")
_CHAIR = regex(r"Who sits on chair (\d)")


def make_grid(rng: Random, name: str, seats: int) -> Task:  # noqa: ARG001 - all members are told the same
    """Return a question about one of five chairs, with clues of which none can be left out."""
    names = shuffled(rng, _NAMES)[:_SIZE]
    true, chair = shuffled(rng, names), int(rng.random() * _SIZE)
    pairs = [(one, other) for one in names for other in names if one != other]
    every = [f"{one} {clue} {other}" for one, other in pairs for clue in _CLUES]
    holding = [clue for clue in shuffled(rng, every) if _holds(clue, true)]
    clues: list[str] = []
    left = tuple(permutations(names))
    for clue in holding:
        still = tuple(order for order in left if _holds(clue, order))
        if len(still) < len(left):
            clues, left = [*clues, clue], still
    for clue in tuple(clues):
        others = [each for each in clues if each != clue]
        clues = others if len(_orders(names, others)) == 1 else clues
    asked = (
        f"{series(names)} sit in a row on chairs 1 to {_SIZE}, chair 1 at the left. Who sits on chair {chair + 1}, "
        "by these clues?"
    )
    return Task(name, asked, names, true[chair], Facts(shuffled(rng, clues)), "logic-grid")


def grid_believes(task: Task, known: Collection[str]) -> Beliefs:
    """Return for each person the share of the orders by all known clues in which it sits on the chair."""
    asked = _CHAIR.search(task.question)
    chair = int(asked[1]) - 1 if asked else 0
    orders = _orders(task.options, known)
    return shares({name: float(sum(order[chair] == name for order in orders)) for name in task.options})


def _orders(names: Sequence[str], clues: Collection[str]) -> list[tuple[str, ...]]:
    return [order for order in permutations(names) if all(_holds(clue, order) for clue in clues)]


def _holds(clue: str, order: Sequence[str]) -> bool:
    """Return whether a clue holds in an order; what is no clue holds in all."""
    said = _CLUE.fullmatch(clue)
    return said is None or _CLUES[said[2]](order.index(said[1]), order.index(said[3]))


# Dilemmas: no answer is true, but one who has an opinion gives it to every wording of the same dilemma. Each item
# comes in four wordings: plain, mirrored (the question asks for the other deed, and the options change places),
# paraphrased, and both. An answer that follows the wording is framing or agreement, not opinion.

WORDINGS = ("", "mirrored", "paraphrased", "mirrored-paraphrased")
"""The wordings of an item, in the order in which they are made."""


class _Dilemma(NamedTuple):
    """A scene in two wordings, and two deeds of which exactly one is done."""

    scene: str
    otherwise: str
    deeds: tuple[str, str]


_DILEMMAS = (
    _Dilemma(
        "A clinic has one dose left for two patients: one is {age} and was first, the other is {young} and sicker.",
        "Two patients need the last dose of a clinic. One of them, {age} years old, came first; the other, {young} "
        "years old, is in a worse state.",
        ("give the dose to whoever came first", "give the dose to whoever is sicker"),
    ),
    _Dilemma(
        "A town can save {many} old trees or build flats for {some} families on the same ground.",
        "On one piece of ground stand {many} old trees; flats for {some} families would fit there as well.",
        ("keep the trees", "build the flats"),
    ),
    _Dilemma(
        "An editor learns from a private letter that a minister lied {some} years ago; to print it would expose the "
        "writer.",
        "A private letter shows an editor that a minister told a lie {some} years back. Whoever wrote it would be "
        "known if it were printed.",
        ("print what the letter says", "protect the writer of the letter"),
    ),
    _Dilemma(
        "A firm with {many} workers can keep all of them at lower pay, or {some} fewer at full pay.",
        "Either every one of the {many} workers of a firm earns less, or {some} of them must go and the others earn as "
        "before.",
        ("lower the pay of all", "let some go and pay the others in full"),
    ),
    _Dilemma(
        "A school can spend a gift on {some} gifted pupils or on the {many} who are behind.",
        "There are {some} gifted pupils in a school and {many} who are behind, and a gift is enough for one group.",
        ("spend the gift on the gifted pupils", "spend the gift on the pupils who are behind"),
    ),
    _Dilemma(
        "A researcher finds an error in a paper that {many} others cite; to correct it would end the work of {some} "
        "students.",
        "An error stands in a paper with {many} citations. Were its author to correct it, {some} students would lose "
        "their work.",
        ("correct the paper now", "wait until the students are done"),
    ),
)


def make_dilemma(rng: Random, name: str, seats: int) -> Task:  # noqa: ARG001 - all members are told the same
    """Return a dilemma in the wording that the name has after its `~`; without one, in the plain wording."""
    dilemma = drawn_from(rng, _DILEMMAS)
    spread = {"age": (55, 85), "young": (20, 50), "many": (40, 400), "some": (2, 20)}
    drawn = {name: low + int(rng.random() * (high - low)) for name, (low, high) in spread.items()}
    wording = name.partition("~")[2]
    scene = (dilemma.otherwise if "paraphrased" in wording else dilemma.scene).format(**drawn)
    one, other = reversed(dilemma.deeds) if "mirrored" in wording else dilemma.deeds
    asks = f"Would it be right to {one}, rather than to {other}?"
    if "paraphrased" in wording:
        asks = f"Which is right: to {one}, or to {other}?"
    return Task(name, f"{scene} {asks}", (one, other), kind="dilemmas")
