"""Text of models, people and files is data: what could steer a terminal is taken out before it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["clean", "count", "listed", "messages", "money", "one_line", "shorten", "span", "tokens"]

_ESCAPES = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]"  # colours, cursor, screen
    "|\x9b[0-?]*[ -/]*[@-~]"
    "|\x1b[\\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\\\)"  # titles, links, clipboard
    "|\x1b[ -/]*[0-~]"
)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_ENDS = re.compile("\r\n?|\u2028|\u2029")


def clean(text: str) -> str:
    """`text` without escape codes, control characters and marks that turn the reading direction."""
    plain = _CONTROLS.sub("", _ESCAPES.sub("", _ENDS.sub("\n", text))).expandtabs(4)
    return plain.encode("utf-8", "replace").decode("utf-8")


def one_line(text: str) -> str:
    """The same as one line."""
    return " ".join(clean(text).split())


def shorten(text: str, most: int) -> str:
    """One line of at most `most` characters, cut between words."""
    line = one_line(text)
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    head = cut.rsplit(" ", 1)[0] if " " in cut[most // 2 :] else cut
    return head.rstrip(",;:. ") + "…"


def count(number: int, one: str, many: str = "") -> str:
    """`1 message`, `3 messages`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Iterable[str]) -> str:
    """Names joined by commas."""
    return ", ".join(one_line(name) for name in names)


def messages(numbers: Iterable[int]) -> str:
    """`m3, m8`."""
    return ", ".join(f"m{number}" for number in numbers)


def tokens(number: int) -> str:
    """`950`, `3.4k`, `1.2M` tokens."""
    if number < 1000:
        return f"{number} tokens"
    return f"{number / 1000:.1f}k tokens" if number < 999_950 else f"{number / 1_000_000:.1f}M tokens"


def money(cost: float, unpriced: int = 0) -> str:
    """US dollars; a call without a known price is never shown as free."""
    known = f"${cost:.2f}" if cost == 0 or cost >= 1 else f"${cost:.4f}"
    return known if not unpriced else f"{known} + {count(unpriced, 'call')} of unknown price"


def span(seconds: float) -> str:
    """`0:42`, `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
