"""Finds the sentences that a report quotes: whole, in their speaker's words, each with its message.

The one rule: a quote that a model names is looked up in the message itself. What is not there is not quoted.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from eda.events import Act, Cited, MessagePosted
from eda.memory.context.acts import act_line, act_parts
from eda.memory.minutes.model_minutes import whole_sentences
from eda.text import clean, lower, normalise, plain_low, regex

_FEWEST_WORDS = 3  # Words of a quote: fewer prove nothing.
_MARKS = "*_`"  # Of bold, italics and code.
_NO_MARKS = str.maketrans(dict.fromkeys(_MARKS))
# The tag of a move that a member wrote where none counts, such as in code.
_TAG = regex(r"^\W*[A-Z]{4,}\b[^\[\]\n]*\]\s+")


class Quotes:
    """The messages of a session, searched for quotes.

    Args:
        messages: in order.
        acts: the acts of a message as a reader sees them below it; without it only the talk can be quoted.
    """

    def __init__(
        self,
        messages: Iterable[MessagePosted],
        acts: Callable[[int], Sequence[Act]] = lambda _: (),
    ) -> None:
        self._messages = {message.number: message for message in messages}
        self._acts, self._shown_of = acts, cache(self._shown)  # few messages are quoted

    def find(self, number: int, quote: str) -> Cited | None:
        """Return the whole sentences of message `number` that hold a quote; None where it is not there.

        White space, case, and the marks of bold and code are ignored: whoever copies a sentence drops them. A quote of
        fewer than three words counts only where it is the whole message. A question stands without what is said before
        the quote: that may be false, and nobody asks it.
        """
        message = self._messages.get(number)
        words = _words(quote)
        if message is None or (len(words) < _FEWEST_WORDS and len(message.talk.split()) > len(words)):
            return None
        shown, own = self._shown_of(number)
        place = _place(words, plain := normalise(shown))
        if place is None:
            return None
        unmarked = [at for at, char in enumerate(plain) if char not in _MARKS]
        first, last = unmarked[place.start()], unmarked[place.end() - 1]
        start, end = whole_sentences(plain, first, last + 1)
        start, end = next(
            ((max(start, at), min(end, to)) for line, at, to in own if line <= start < to and at < end),
            (first if plain[end - 1] == "?" else start, end),
        )
        return Cited("", number, plain_line(_TAG.sub("", shown[start:end])), message.who)

    def _shown(self, number: int) -> tuple[str, list[tuple[int, int, int]]]:
        """Return what a reader sees of a message: its talk, and its acts, but for those that an answer declared.

        Also return where the line of each act begins, and where its author's words begin and end.
        """
        shown, own = self._messages[number].talk, []
        for act in (act for act in self._acts(number) if not act.asked):
            line, (head, words, _) = act_line(act), act_parts(act)
            begins = len(shown) + 1
            own += [(begins, at := begins + line.index(words, len(head)), at + len(words))] if words else []
            shown += f"\n{line}"
        return shown, own

    def only(self, quote: str) -> Cited | None:
        """Return the sentences of the one message that holds a quote; None where no message or several do."""
        cites = [cited for number in self._messages if (cited := self.find(number, quote))]
        return cites[0] if len(cites) == 1 else None


def _words(quote: str) -> list[str]:
    return plain_low(quote).translate(_NO_MARKS).strip(" \n\"'.").split()


def _place(words: Sequence[str], plain: str) -> re.Match[str] | None:
    """Return where the words stand in the text without its marks, one after the other, with any white space between."""
    if not words:
        return None
    return re.search(r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)", lower(plain).translate(_NO_MARKS))


def plain_line(text: str) -> str:
    """Return a text on one line, without its Markdown."""
    return clean(text, len(text))


def distinct(cited: Iterable[Cited | None]) -> tuple[Cited, ...]:
    """Return the last of those with the same words, whatever their case and marks."""
    by_words = {" ".join(re.findall(r"\w+", (one.quote or one.text).casefold())): one for one in cited if one}
    return tuple(by_words.values())
