"""What a model wrote: one streamed answer as it comes, what can be shown of it meanwhile, and its speech."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from eda.runners.models import Model
from eda.runners.protocol import OnText, Prompt, Usage
from eda.runners.repair import fields_in, is_data, pieces_of, without_thinking
from eda.runners.server import PassingError
from eda.text import regex, rough_tokens, without_escapes
from eda.words import ENGLISH


@dataclass
class CallUsage:
    """What all attempts of one call took, of whichever model."""

    usage: Usage = field(default_factory=Usage)
    model: str = ""
    """The last model that began to answer; empty if none did."""
    answered: str = ""
    """What the server calls it."""
    refused: tuple[str, ...] = ()
    """What a program asked leave for."""
    attempts: int = 0

    def add(self, model: Model, answer: "StreamedAnswer") -> None:
        """Add one attempt, also one that broke off."""
        one = model.priced(Usage(**answer.counts), counted=bool(answer.counts))
        one = one if answer.cost is None else replace(one, cost=answer.cost)
        self.model, self.answered = model.id, answer.model
        self.refused += (*answer.refused,)
        self.usage = Usage(
            input_tokens=self.usage.input_tokens + one.input_tokens,
            output_tokens=self.usage.output_tokens + one.output_tokens,
            cache_read_tokens=self.usage.cache_read_tokens + one.cache_read_tokens,
            cache_write_tokens=self.usage.cache_write_tokens + one.cache_write_tokens,
            cost=None if one.cost is None or self.usage.cost is None else self.usage.cost + one.cost,
        )

    def counted(self, prompt: Prompt, text: str) -> Usage:
        """Return what was taken; an estimate if the server counts no tokens, or no budget would ever be spent."""
        if self.usage.tokens:
            return self.usage
        inputs, outputs = rough_tokens(len(prompt.text)), rough_tokens(len(text))
        return replace(self.usage, input_tokens=inputs, output_tokens=outputs)


_SENTENCE_END = regex(r"[.!?…][\"'”’»)\]*_]*(?=\s|$)|[。！？][」』）”]*")
_LIST_NUMBER = regex(r"\s*(\d{1,3}|[a-z])\.")
_THINK = ("<think>", "<thinking>")
_THOUGHTS = regex(r"(?:\s*<think(?:ing)?>.*?</think(?:ing)?>)*", "SI")
_FENCED = "```json"
_JSON_FENCE = regex(r"\s*```json\s*\n(.*?)\n\s*```(.*)", "S")
# Keys under which models put their speech if they answer in JSON unasked.
_SPEECH = ("speech", "text", "message", "content", "response", "statement", "turn")

# The end of a partial text that may begin an escape code, a line end or a character.
_UNENDED = regex(
    "(?:\x1b(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\x07\x1b\x90\x98\x9c-\x9f\n]{0,500}\x1b?|[ -/]*)|\x9b[0-?]*[ -/]*"
    "|[\x90\x98\x9d-\x9f][^\x07\x1b\x90\x98\x9c-\x9f\n]{0,500}\x1b?|\r|[\ud800-\udbff])\\Z"
)


def joined(text: str) -> str:
    """Return the text with split surrogate pairs joined; a lone half becomes U+FFFD. Some servers split them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def readable(text: str) -> str:
    """Return the text as it may be shown and stored; empty if no character of it is visible."""
    plain = without_escapes(joined(text)).strip()
    return plain if any(letter.isprintable() and not letter.isspace() for letter in plain) else ""


def whole_sentences(text: str) -> str:
    """Return the text up to the end of its last whole sentence; empty if there is none."""
    for match in reversed(list(_SENTENCE_END.finditer(text))):
        whole = text[: match.end()]
        if not _LIST_NUMBER.fullmatch(whole.rpartition("\n")[2]):
            return whole
    return ""


def without_json(text: str) -> str:
    """Return the speech, and below it the moves, of a reply wrapped in a JSON object; else the text itself."""
    fenced = _JSON_FENCE.fullmatch(text)
    bare = (fenced[1] if fenced else text).strip()
    begin, end, fields = next(pieces_of(bare), (0, 0, None)) if bare.startswith("{") else (0, 0, None)
    if begin or not isinstance(fields, dict):
        return text
    key = next((key for key in _SPEECH if isinstance(fields.get(key), str)), "")
    if not str(fields.get(key) or "").strip():
        return text
    lines = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in _beside(fields)]
    rest = bare[end:] + (fenced[2] if fenced else "")
    return "\n\n".join(part.strip() for part in (fields[key], "\n".join(lines), rest) if part.strip())


def _beside(fields: Mapping[str, Any]) -> list[str | dict[str, Any]]:
    """Return what an object holds beside its speech that may be moves: objects, and texts in a list."""
    moves = [value for name, value in fields.items() if name == "moves" or isinstance(value, list | dict)]
    several = (each for value in moves for each in (value if isinstance(value, list) else [value]))
    return [line for line in several if isinstance(line, str | dict)]


def is_vain(prompt: Prompt, text: str) -> bool:
    """Return whether a text is blank, or JSON without any field that was asked for."""
    if not text.strip() or prompt.answer is None:
        # a vote that is asked for by ids alone may come in the first form all the same
        return not text.strip() or (
            prompt.purpose not in ("ballot", "poll") and is_data(text) and without_json(text) == text
        )
    return is_data(text) and not fields_in(prompt.answer, text)[0]


_LONGEST_MODEL = 200  # Characters of the name of a model.
_MOST_TOKENS = 10**12  # A count above this, or below 0, is ignored.


@dataclass
class StreamedAnswer:
    """Accumulates one streamed answer of any API. Malformed token counts are ignored."""

    text: str = ""
    size: int = 0
    """Characters written, thinking included, plus one for each event."""
    stop: str | None = None
    """Why the stream ended, in the words of the Messages API; None until then."""
    model: str = ""
    """The model that the server says answers; empty where it does not say."""
    begun: bool = False
    """Whether the call may have to be paid for."""
    counts: dict[str, int] = field(default_factory=dict)
    """Tokens, by their names in `Usage`; empty if the server reports none."""
    cost: float | None = None
    """US dollars that the server says the call costs; None where it does not say."""
    refused: list[str] = field(default_factory=list)
    """What a program asked leave for, and was refused."""

    def add(self, piece: str, thought: str = "") -> str:
        """Add what one event of the stream brought: text, and thinking, which is only counted. Return the text."""
        self.text += piece
        self.size += 1 + len(piece) + len(thought)
        return piece

    def count(self, name: str, number: object) -> None:
        """Set a count. Counts are running totals: a later one replaces an earlier one."""
        if isinstance(number, int) and 0 <= number <= _MOST_TOKENS:
            self.counts[name] = number

    def answers_as(self, model: object) -> None:
        """Note the model that the server says answers."""
        self.model = readable(model)[:_LONGEST_MODEL] if isinstance(model, str) else ""


MESSAGES_COUNTS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}
"""Our names of token counts, and those of the Messages API."""


def counted(answer: StreamedAnswer, usage: Any, names: Mapping[str, str]) -> None:
    """Set the counts of an answer from a server's, whose names stand beside those of `Usage`."""
    for ours, theirs in names.items():
        answer.count(ours, usage.get(theirs) if isinstance(usage, dict) else None)


def check_usable(answer: StreamedAnswer, kind: str) -> None:
    """Raise PassingError for what is no answer of a model, `kind` being the type that the server gives it."""
    if answer.stop is None:
        stream = answer.begun or kind.startswith("text/event-stream")
        raise PassingError(
            "the answer broke off" if stream else f"what came is no answer of a model but {kind}",
            vain=not answer.text,
            hint=ENGLISH.say("server-there") if stream else "",
        )
    if answer.stop == "tool_use" and not answer.text.strip():
        raise PassingError("the answer was a call of a tool and held no text", vain=True)


class VisibleText:
    """Passes on the pieces of one answer, except what will be taken out of the whole: thinking, and a JSON object."""

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self._cut = self._held_back = ""
        self._begun = False

    def __call__(self, piece: str) -> None:
        """Add the next piece. It is held back while it may belong to something that is taken out or joined."""
        piece = self._cut + piece
        match = _UNENDED.search(piece)
        self._cut = match[0] if match else ""
        piece = without_escapes(joined(piece.removesuffix(self._cut)))
        if self._begun:
            if piece:
                self._on_text(piece)
            return
        self._held_back += piece
        head = _THOUGHTS.sub("", self._held_back, count=1).lstrip().lower()
        thinks = head.startswith(_THINK) or any(tag.startswith(head) for tag in _THINK)  # or may be about to
        text = "" if thinks else without_thinking(self._held_back).strip()
        if text.startswith(("{", _FENCED)) or _FENCED.startswith(text):  # nothing yet, or it may be a JSON object
            return
        # The space after the last word stands between it and the next piece.
        space = self._held_back[len(self._held_back.rstrip()) :]
        self._begun, self._held_back = True, ""
        self._on_text(text + space)
