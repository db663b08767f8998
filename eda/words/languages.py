"""The languages that have message files."""

from functools import cache
from pathlib import Path

FALLBACK = "en"  # The language that has every message.
FOLDER = Path(__file__).parent


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have messages, English first: `en`, `de`."""
    codes = (folder.name for folder in FOLDER.iterdir() if (folder / "language.ftl").is_file())
    return tuple(sorted(codes, key=lambda code: (code != FALLBACK, code)))
