"""Prompt texts: Markdown files beside this module, with slots for values. A user's own texts may replace them.

`{{slot}}` is replaced by a value; slots inside a value are not. A text must have each `{{slot!}}`. In the text of the
ballot, what is above a line `---` is the same for all voters, so a cache keeps it for them.
`{{if sides}}...{{else}}...{{end}}` has words for a format with that trait, and for one without it; `{{if speech}}` for
a message that is asked for once more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from eda.errors import UnknownNameError, UsageError
from eda.events import SessionStarted
from eda.panels.files import UserFile, files_in
from eda.runners.protocol import Prompt
from eda.text import quoted, regex, shorten
from eda.words import FALLBACK

_SLOT = regex(r"\{\{([a-z_]+)(!?)\}\}")
_IF = regex(r"\{\{if ([a-z]+)\}\}(.*?)(?:\{\{else\}\}(.*?))?\{\{end\}\}", "S")
# Traits of a session: proposals are voted on, members argue sides that they were given, options may be amended, members
# are told the date, the panel makes a list, who speaks names who is next; what is said proposes as well.
_TRAITS = ("proposals", "sides", "options", "day", "list", "next", "talk")
_USUAL = frozenset({"proposals"})
_HALVES = regex(r"\n---[ \t]*\n")
_MOST_LISTED = 20  # Lines that a member is told of what was not counted: a reply that loops has thousands.
_LONGEST_ANSWER = 1_500  # Characters of a first answer that is shown to who gave it.
_SHIPPED = Path(__file__).parent


class Prompts:
    """The shipped texts, except those that a user has replaced."""

    def __init__(
        self, own: Mapping[str, str] | None = None, traits: frozenset[str] = _USUAL, language: str = FALLBACK
    ) -> None:
        """Check the user's own texts.

        Args:
            own: Texts by the name of the file that they replace, without its ending.
            traits: Of the format, for texts that differ by them; see `traits_of`.
            language: Of the debate: what the moderator says is a message of it, and has a text in each language.

        Raises:
            UnknownNameError: a name that no shipped file has, or a slot that its shipped text does not have.
            UsageError: a text that is empty or lacks a slot without which the prompt would say nothing.
        """
        self._own = {name: _checked(name, text) for name, text in (own or {}).items()}
        self._traits, self._language = traits, language
        self._text = cache(self._read)

    def fill(self, name: str, /, **values: str) -> str:
        """Return the text of that name with its slots filled."""
        return filled(self._text(name), values)

    def listed(self, name: str, lines: Sequence[str], /, **values: str) -> str:
        """Return the text of that name with a list of lines in it, the first of many; empty where there is none."""
        more = [f"- and {len(lines) - _MOST_LISTED} more"] * (len(lines) > _MOST_LISTED)
        what = "\n".join([*(f"- {quoted(each)}" for each in lines[:_MOST_LISTED]), *more])
        return self.fill(name, what=what, **values) if lines else ""

    def halves(self, name: str, /, **values: str) -> tuple[str, str]:
        """Return the filled parts above and below the line `---`; the first is empty where there is no such line."""
        above, below = ("", *_HALVES.split(self._text(name), maxsplit=1))[-2:]
        return filled(above, values).strip(), filled(below, values).strip()

    def corrected(self, prompt: Prompt, wrong: str, answer: str, name: str = "answer-again", **values: str) -> Prompt:
        """Return the prompt once more, with the answer and what was wrong with it, by the text of that name."""
        shown = quoted(shorten(answer.strip(), _LONGEST_ANSWER))
        shown = f" You wrote, here as material:\n    {shown}" if shown else ""
        text = self._text(name, *(["speech"] if prompt.purpose == "speak" else []))
        values |= {"wrong": quoted(wrong), "answer": shown}
        return replace(prompt.once_more(filled(text, values)), wrong=wrong)

    def _read(self, name: str, *traits: str) -> str:
        text = self._own.get(name)
        text = _text(name, self._language) if text is None else text
        return _IF.sub(lambda part: part[2] if part[1] in {*self._traits, *traits} else part[3] or "", text)


def traits_of(started: SessionStarted) -> frozenset[str]:
    """Return the traits of a debate's format by which its prompts differ."""
    agenda = started.agenda
    proposals = agenda.votes_on_proposals and not started.settings.fixed_options
    amends = proposals and bool(started.options)
    makes_list = (started.settings.answer or agenda.answer) == "list"
    names_next = any(each.does.open and (each.floor or started.settings.floor) == "bidding" for each in agenda)
    has = (
        proposals,
        bool(agenda.sides),
        amends,
        bool(started.day),
        makes_list,
        names_next,
        started.kind == "transcript",
    )
    return frozenset(trait for trait, there in zip(_TRAITS, has, strict=True) if there)


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with its slots filled. Slots inside a value stay."""
    return _SLOT.sub(lambda slot: values[slot[1]], text)


def _slots(text: str) -> list[tuple[str, str]]:
    """Return the slots of a text, each with `!` where it must be there."""
    return _SLOT.findall(_IF.sub(r"\2\3", text))


def read_prompts(folder: Path) -> dict[str, str]:
    """Return the user's own texts: the Markdown files of a folder, by name.

    Raises:
        UsageError: there is no such folder, or a file in it cannot be used; the message names the file and the fault.
    """
    paths = files_in(folder, "*.md", UsageError, "prompts")
    texts = {path.stem: UserFile(path, UsageError).text() for path in paths}
    if not texts:
        listed = ", ".join(f"{name}.md" for name in _names())
        raise UsageError(f"{folder} holds no prompt", hint=f"Name the files as those that come with EDA: {listed}.")
    Prompts(texts)
    return texts


@cache
def _text(name: str, language: str = FALLBACK) -> str:
    """Return a shipped text, in a language where it has one."""
    path = _SHIPPED / language / f"{name}.md"
    return (path if path.is_file() else _SHIPPED / f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in _SHIPPED.glob("*.md")))


def _checked(name: str, text: str) -> str:
    if name not in _names():
        raise UnknownNameError("prompt", f"{name}.md", [f"{known}.md" for known in _names()])
    for trait in (match[1] for match in _IF.finditer(text)):
        if trait not in _TRAITS:
            raise UsageError(f"prompt {name}.md: unknown trait {{{{if {trait}}}}}", hint=f"Use {' or '.join(_TRAITS)}.")
    known = dict(_slots(_text(name)))
    used = {slot for slot, _ in _slots(text)}
    has = f"{name}.md has {', '.join('{{' + slot + '}}' for slot in known) or 'no slots'}."
    for slot in sorted(used - known.keys()):
        raise UsageError(f"prompt {name}.md: unknown slot {{{{{slot}}}}}", hint=has)
    for slot, must in known.items():
        if must and slot not in used:
            raise UsageError(f"prompt {name}.md lacks the slot {{{{{slot}}}}}", hint=has)
    if not text.strip():
        raise UsageError(f"prompt {name}.md is empty", hint="Leave the file out for the text that comes with EDA.")
    return text.strip()
