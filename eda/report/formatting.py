"""Text of models, people and files is data: what could steer a terminal is taken out before it is shown."""

import os
import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from eda import text as _text
from eda.words import ENGLISH, Words

if TYPE_CHECKING:  # a list of sessions reads no events
    from eda.events import Proposal

TEXT_ID = _text.regex(r"(?<![\w.@-])(?:[po]\d+(?:[.@]\d+)?)(?![\w@-]|\.\d)")  # The id of a text.
clean, one_line = _text.plain_text, _text.one_line
_MOST_OF_A_VOTER = 300  # Characters.
_WHOLE = 20  # Words of a text that needs no title.
_WORDS = _text.regex(r"(\s*)(\S+)")


def voters_words(text: str) -> str:
    """Return what a voter wrote beside a vote, or in place of one, on one line; the log has the rest of a long text."""
    return _text.shorten(one_line(text), _MOST_OF_A_VOTER)


def fitted(text: str, stream: TextIO, hang: int = 2) -> str:
    """Return the text fitted to `stream`: a terminal would cut a long line within a word, so there it ends between two.

    What follows stands `hang` columns deeper, an item of a list always two. A row of a table is left as it is.
    """
    width = 0
    with suppress(OSError, ValueError):  # no terminal
        width = os.get_terminal_size(stream.fileno()).columns
    return "\n".join(_folded(line, width, hang) if width and line[:1] != "|" else line for line in text.split("\n"))


def _folded(line: str, width: int, hang: int) -> str:
    from rich.cells import cell_len  # noqa: PLC0415 - a pipe needs none of it

    if cell_len(line) <= width:
        return line
    plain = line.lstrip()
    deeper = " " * (len(line) - len(plain) + (2 if plain.startswith(("- ", "> ")) else hang))
    rows = [""]
    for gap, word in _WORDS.findall(line):
        if rows[-1] and cell_len(rows[-1] + gap + word) > width:
            rows.append(deeper + word)
        else:
            rows[-1] += gap + word
    return "\n".join(rows)


def shorten(text: str, most: int) -> str:
    """Return one line of at most `most` characters, cut between words."""
    line = one_line(text)
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[most // 2 :] else cut).rstrip(",;:. ") + "…"


SHORT = 60  # Characters of a text that stands in full elsewhere.


def told_apart(text: str, most: int, others: Collection[str]) -> str:
    """Return the first words of a text; where others have those, fewer, and those by which it differs from the others.

    The first words mostly say for what it is. All of it is returned where another text has both.
    """
    begins = _text.differs_at(text, most, others)
    short = shorten(text[begins:], most)
    held = ((each, each.find(short.rstrip("…"))) for each in others if each != text)
    alike = begins and any(at >= 0 and shorten(each[at:], most) == short for each, at in held)
    return one_line(text) if alike else f"{shorten(text, most // 2)} {short}" if begins else short


def in_short(
    text: str, number: str = "", most: int = SHORT, others: Collection[str] = (), words: Words = ENGLISH
) -> str:
    """Return the first words of a text, with its id: `“Move it this…” (o1)`; from where it differs of `others`."""
    return words.say("votes-text", kind="text", text=told_apart(text, most, others), id=shown_id(number), by="")


def count(number: int, one: str, many: str = "") -> str:
    """Return a number of things: `1 message`, `3 messages`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Iterable[str]) -> str:
    """Return names joined by commas."""
    return ", ".join(one_line(name) for name in names)


def shown_id(number: str) -> str:
    """Return the id of a text in a line; empty for Yes and No, whose ids say nothing more than they do."""
    return "" if number in ("yes", "no") else one_line(number)


def messages(numbers: Iterable[int]) -> str:
    """Return messages by their numbers: `m3, m8`."""
    return ", ".join(f"m{number}" for number in numbers)


_DIME = 0.1  # US dollars; of a smaller limit hundredths of a cent are shown.


def tokens(number: int, most: int | None = None, words: Words = ENGLISH) -> str:
    """Return `950`, `3.4k`, `1.2M` tokens; with a limit `3.4k of 90k tokens`."""
    limit = pointed(_short(most).replace(".0", ""), words) if most is not None else ""
    return words.say("figure-tokens", figure=pointed(_short(number), words), most=limit)


def pointed(figure: str, words: Words) -> str:
    """Return a figure with the decimal point of the language."""
    return figure.replace(".", words.say("figure-point"))


def _short(number: int) -> str:
    if number < 1000:
        return str(number)
    thousands = number < 999_950
    return f"{number / (1000 if thousands else 1_000_000):.1f}" + ("k" if thousands else "M")


def money(
    cost: float, unpriced: int = 0, most: float | None = None, marks: Collection[str] = (), words: Words = ENGLISH
) -> str:
    """Return US dollars, with a limit `$0.12 of $0.50`; for `$0.00` `not priced`, or of a replay `replayed`.

    `marks`: those of who played the panel; see `eda.debate.course`.
    """
    whole = cost == 0 or cost >= 1 if most is None else most >= _DIME
    known, limit = (
        words.say("figure-dollars", figure=pointed(f"{each or 0:.{2 if whole else 4}f}", words))
        for each in (cost, most)
    )
    if most is not None:
        known = words.say("figure-of", part=known, whole=limit)
    if not cost and most is None and (unpriced or "recorded" in marks):
        return words.say("figure-free", priced=not unpriced)
    return known if not unpriced else words.say("figure-unpriced", known=known, number=unpriced)


def span(seconds: float, most: float | None = None, words: Words = ENGLISH) -> str:
    """Return `0:42`, `1:02:03`; with a limit `0:42 of 5:00`."""
    if most is not None:
        return words.say("figure-of", part=span(seconds), whole=span(most))
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def role_of(role: str, words: Words) -> str:
    """Return what a member stands for: of a persona that comes with EDA in the reader's language, else as it says."""
    return words.say("persona-role", kind=role.casefold().replace(" ", "-").replace("'", ""), role=one_line(role))


def title_of(title: str, words: Words) -> str:
    """Return what a panel or a format is called: one that comes with EDA in the reader's language, else as it says."""
    return words.say("formats-title", kind=re.sub(r"[^a-z]+", "-", title.casefold()).strip("-"), title=one_line(title))


def called(text: "Proposal") -> str:
    """Return what a text is called: its author's title, else its words, or the first of them."""
    words = one_line(text.content)
    short = len(words.split()) <= _WHOLE  # it is read at a glance
    return one_line(text.title) if text.titled else words.rstrip(".") if short else f"{one_line(text.title)} …"


def corrected_by(who: str, status: str = "", words: Words = ENGLISH) -> str:
    """Return ` (corrected by Ada)` or ` (struck by Ada)`, empty where nobody corrected the item."""
    return f" ({words.say('act-corrected', struck=status == 'struck', by=who)})" if who else ""
