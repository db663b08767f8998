"""What would change a member's mind, as it says itself in the talk; and the words by which promises are found."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from eda.events import MessagePosted
from eda.memory.patterns.conditions import read_condition
from eda.text import clean, mask_quotes, normalise, regex, sentences

_HELD = regex(r"(?<!\w)p(\d+)")


def _expressions(table: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    """Return the expressions of a language. An entry stands in place of its name in the entries below it."""
    made = dict[str, str]()
    for name, entry in table.items():
        made[name] = re.sub(r"@(\w+)@", lambda part: made[part[1]], "".join(entry.splitlines()))
    return {name: regex(entry, "IS") for name, entry in made.items()}


_TABLES = tomllib.loads(Path(__file__).with_name("minds.toml").read_text("utf-8")).values()
# For what takes long to look for the texts of which one must stand there, by language.
SIGNS = [table.pop("signs") for table in _TABLES]
# What members say of their own minds and deeds: the entries of `minds.toml`, by language.
SPOKEN = tuple(map(_expressions, _TABLES))


@dataclass(frozen=True, slots=True)
class Condition:
    """What would change the mind of a member, in its own words."""

    who: str
    text: str
    message: int = 0  # 0 where it said so in a poll or on its ballot.
    holds: str = ""  # What it chose in that poll; empty where it chose nothing, or said so elsewhere.
    polled: bool = False  # True if it was asked for it, in a poll.
    of: str = ""  # The id of the text that it was said of; empty where that is not known.


def main_clause(reason: str, most: int) -> str:
    """Return the longest clause of a reason of more than `most` words.

    The reason is returned whole where it has no more, or that clause has more, or a word in it bounds what it says.
    """
    joints = [0, *sorted(at for words in SPOKEN for match in words["joins"].finditer(reason) for at in match.span())]
    clauses = [reason[start:end] for start, end in zip(joints[::2], [*joints[1::2], None], strict=True)]
    nth, longest = max(enumerate(clauses), key=lambda pair: (len(pair[1].split()), pair[0]))
    if not len(longest.split()) <= most < len(reason.split()) or any(each["bounded"].search(reason) for each in SPOKEN):
        return reason
    return "…" * bool(nth) + longest.rstrip(",;") + "…" * (nth < len(clauses) - 1)


def bare_condition(text: str) -> str:
    """Return what would move a member without the end that says that it would."""
    end = min((tail.start() for words in SPOKEN if (tail := words["tail"].search(text))), default=len(text))
    return text[:end] + "…" * (end < len(text))


def sets_terms(reason: str) -> bool:
    """Return whether a reason against a text says on what condition it would fall."""
    return bool(read_condition(reason, "oppose").condition)


def spoken(of: str, text: str) -> list[Mapping[str, re.Pattern[str]]]:
    """Return the expressions of each language of which a text has a sign: without one it says nothing of that kind."""
    low = f" {text.lower()}"
    return [words for words, signs in zip(SPOKEN, SIGNS, strict=True) if any(sign in low for sign in signs[of])]


def says_promise(sentence: str) -> bool:
    """Return whether a sentence says what its speaker will do, with a date or in words that need none."""
    return any(
        (words["will"].search(sentence) and words["when"].search(sentence)) or words["pledges"].search(sentence)
        for words in spoken("promises", sentence)
        if words["self"].search(sentence)
    )


def movers(messages: Iterable[MessagePosted], who: str, choice: str) -> tuple[Condition, ...]:
    """Return the sentences in which a member says what would move it, the newest first.

    What it said before any text of its last `choice` was made is past.
    """
    texts = [int(number) for number in _HELD.findall(choice)]
    told = []
    for message in messages:
        if message.who != who or (texts and all(number > message.number for number in texts)):
            continue
        plain = normalise(message.talk)
        masked = mask_quotes(plain)
        for start, end in sentences(plain) if spoken("moves", masked) else ():
            if any(
                words["moves"].search(masked, start, end) and not words["moved"].search(masked, start, end)
                for words in spoken("moves", masked[start:end])
                if words["self"].search(masked, start, end)
            ):
                told.append(Condition(who, clean(message.talk[start:end], end - start), message.number))
    return tuple(reversed(told))
