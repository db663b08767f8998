"""The selection task: which cards must be turned to test a rule?

P. C. Wason, "Reasoning about a Rule", Quarterly Journal of Experimental Psychology 20 (3), 1968, 273-281. The solver
tries every hidden side: a card must be turned if some hidden side would break the rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from random import Random
from string import ascii_uppercase

from eda.study.tasks.base import Beliefs, Task, drawn_from, shares, shuffled
from eda.text import series

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
_RULE = re.compile(r"If one side of a card has (.+?), its other side has (.+?)\. .*The cards show (.+?)\.")


def make(rng: Random, name: str, seats: int) -> Task:  # noqa: ARG001 - all members are told the same
    """Return a rule with four cards, one of each class; the options are five sets of cards."""
    (before, is_before), (after, is_after) = (drawn_from(rng, list(each.items())) for each in (_LETTERS, _NUMBERS))
    p, not_p = (_one(rng, ascii_uppercase, is_before, holds=holds) for holds in (True, False))
    q, not_q = (_one(rng, _DIGITS, is_after, holds=holds) for holds in (True, False))
    cards = shuffled(rng, (p, not_p, q, not_q))
    # The usual errors: to look for what the rule names, to test half of it, to test everything.
    sets = ({p, not_q}, {p, q}, {p}, {p, q, not_q}, set(cards))
    options = tuple(_named([card for card in cards if card in each]) for each in shuffled(rng, sets))
    asked = (
        f"Each card has a letter on one side and a number from 1 to 9 on the other. Somebody claims this rule: If one "
        f"side of a card has {before}, its other side has {after}. The cards show {series(cards)}. Which cards "
        "must be turned, and no others, to find out whether these four cards keep the rule?"
    )
    return Task(name, asked, options, _named([card for card in cards if card in (p, not_q)]), kind="selection")


def to_turn(question: str) -> tuple[str, ...]:
    """Return the cards that a hidden side could make break the rule, in the order of the question."""
    rule = _RULE.search(question)
    if rule is None:
        return ()
    is_before, is_after = _LETTERS[rule[1]], _NUMBERS[rule[2]]
    cards = re.split(r", | and ", rule[3])
    breaks = {
        card: any(
            is_before(letter) and not is_after(number)
            for letter in (ascii_uppercase if card in _DIGITS else card)
            for number in (card if card in _DIGITS else _DIGITS)
        )
        for card in cards
    }
    return tuple(card for card in cards if breaks[card])


def believes(task: Task, known: Collection[str]) -> Beliefs:  # noqa: ARG001 - the question says it all
    """Return certainty in the set of cards that the solver finds."""
    right = _named(to_turn(task.question))
    return shares({option: float(option == right) for option in task.options})


def _named(cards: Collection[str]) -> str:
    return series(tuple(cards))


def _one(rng: Random, signs: str, is_in: Callable[[str], bool], *, holds: bool) -> str:
    return drawn_from(rng, [sign for sign in signs if is_in(sign) == holds])
