"""All sentences that a person reads, in message files of one folder a language: `en/*.ftl`, `de/*.ftl`.

Code chooses a message and passes data: ids, numbers, names and people's own words. No code takes a sentence apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from eda.errors import EdaError, UnknownNameError, UsageError
from eda.words.languages import FALLBACK, languages

__all__ = ["ENGLISH", "FALLBACK", "Words", "fault", "languages", "refuse_if"]


@dataclass(frozen=True, slots=True)
class Words:
    """The messages of one language. It holds no state, so that one server shows several languages at once."""

    language: str = FALLBACK  # One of `languages()`; sets `lang=` of a page.

    def __post_init__(self) -> None:
        """Refuse a language without messages."""
        if self.language not in languages():
            raise UnknownNameError("language", self.language, languages())

    def say(self, key: str, attr: str | None = None, **data: str | float | date | Sequence[str]) -> str:
        """Return a message, or its attribute `attr`, filled with data, as one line.

        `key` begins with the name of its file: `dissent-blocks` stands in `dissent.ftl`. A message that the language
        lacks is said in English. Numbers choose plurals; ids are passed as `str`, for 12345 prints as 12,345. A list
        of texts prints as `a, b and c`, and True selects `yes`. Texts lose line ends and what could steer a terminal.

        Raises:
            LookupError: No language has the message: a mistake in the code.
            ValueError: Data that the message names is missing or of another type.
        """
        from eda.words.catalogue import say  # noqa: PLC0415 - what shows no sentence does not load its reader

        return say(self.language, key, attr, data)

    def labels(self, *keys: str) -> dict[str, str]:
        """Return all attributes of messages by their names, for a page that fills in `{n}` and the like itself."""
        from eda.words.catalogue import labels  # noqa: PLC0415 - as above

        return {name: text for key in keys for name, text in labels(self.language, key).items()}

    def error(self, error: EdaError) -> tuple[str, str]:
        """Return what was wrong and what to do, in this language; an error without a message says it in its own."""
        return (str(error), error.hint) if error.told is None else self.told(*error.told)

    def told(self, key: str, data: dict[str, Any]) -> tuple[str, str]:
        """Return a message and its attribute `hint`."""
        if "reason" in data:  # it is a message with its data, too
            data = data | dict(zip(("reason", "hint"), self.told(*data["reason"]), strict=True))
        return self.say(key, **data), self.say(key, "hint", **data)


ENGLISH = Words()


def fault(key: str, kind: type[EdaError] = UsageError, /, **data: Any) -> EdaError:
    """Return an error that a message says, and what to do the message's attribute `hint`.

    A `reason` in its data is the key of another message with its data.
    """
    what, hint = ENGLISH.told(key, data)
    error = kind(what, hint=hint)
    error.told = key, data
    return error


def refuse_if(cases: Mapping[str, object], **data: Any) -> None:
    """Raise the error of the first case that holds, by the key of its message; do nothing where none does."""
    for key in filter(cases.get, cases):
        raise fault(key, **data)
