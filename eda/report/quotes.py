"""Finds the sentences that a report quotes: whole, in their speaker's words, each with its message.

The one rule: a quote that a model names is looked up in the message itself. What is not there is not quoted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from eda.events import MessagePosted
from eda.events.records import Cited
from eda.memory.minutes.options import Options
from eda.text import clean, lower, normalise, sentences
from eda.text import words as content_words

_FEWEST_WORDS = 3
"""Words of a quote: fewer prove nothing."""
_MARKS = "*_`"
"""Of bold, italics and code."""
_NO_MARKS = str.maketrans(dict.fromkeys(_MARKS))
_ACT = re.compile(
    r"^\W*(?:position|notes|"
    r"(?:supports|opposes|is undecided on|proposes|amends|joins|withdraws|denies|claims)\b[^:\n]*): "
)
"""The engine's words before a member's own in the line of an act."""
_FEWEST_MORE = 2
"""A text that gives a reason has this many content words beside those of the choice and the question."""
_STANCES = content_words(
    "my view position vote choice option lean leaning towards stand support supporting favour favor prefer choose back "
    "go for remain stay still now therefore clearly strongly slightly firmly final answer"
)
"""Words of a text that says which choice it is for, and not why."""
_USUAL = range(6, 46)
"""Words of a sentence that says one thing."""
_WHY = re.compile(
    r"\b(?:because|since|so that|that is why|that's why|therefore|for that reason|otherwise|means)\b", re.IGNORECASE
)
_WHY_OR_GAIN = re.compile(
    _WHY.pattern
    + r"|\b(?:brings?|gives?|gains?|helps?|protects?|saves?|allows?|lets?|does more|speaks for|case for)\b",
    re.IGNORECASE,
)
_RISK = re.compile(
    r"\b(?:risks?|danger\w*|worr(?:y|ied|ies)|afraid|fears?|scare[sd]?|uneasy|nervous|threat\w*|fail\w*|breaks?|"
    r"lose|loses|could lead|may lead|can lead|may end|ends? in|the price of|what if|nobody owns|uncertain|unknown)\b",
    re.IGNORECASE,
)
_NO_CASE = re.compile(
    r"^(?:for that reason|that is why|that's why|therefore|it follows)\b|"
    r"\b(?:torn between|equally|undecided|concede|admit|grant|granted|fair (?:point|question)|(?:is|are|was) right|"
    r"(?:the )?other side|opponents?|they (?:say|argue|claim)|what stays open)\b",
    re.IGNORECASE,
)
"""Sentences that do not argue for the speaker's choice: conclusions, doubts, concessions, the other side's case."""
_NO_RISK = re.compile(
    r"\b(?:no|less|lower(?:s|ed|ing)?|fewer|smaller|smallest|half|halves|reduc(?:es?|ed|ing)|cuts?|without|avoids?|"
    r"removes?|limits?)(?: of)?(?: (?:the|our|that|this|any|all|a|an))?(?: [\w-]+)? $",
    re.IGNORECASE,
)
"""Stands before a word of risk that the sentence denies or reduces."""
_MIND = re.compile(
    r"\bchang(?:e|es|ing) my mind|reopen|(?<!made me )(?:reconsider|think again)|"
    r"(?:move|convince|persuade|sway|win) me\b|to convince|show me|"
    r"\bi(?:'d| would| will|'ll| want| need| wait)\b[^.]*\b(?:if|once|when|until|unless|see)\b|"
    r"\bi(?:'d| would)? (?:want|need)\b[^.,;]*\bfirst\b|\bi(?:'d| would) first\b|"
    r"\bi(?:'d| would| will|'ll)? wait for\b|"
    r"\b(?:given|once(?!,)|after|if|until|unless)\b[^.]*\b(?:i would|i'd|i will|i'll|we can)\b|"
    r"(?:still|what is|what i am|the) missing\b|i am open to|it would help|what i miss|would settle it|"
    r"my test\b|(?:come back|return) with",
    re.IGNORECASE,
)


_AS_IT_IS = re.compile(
    r"\bstatus quo\b|\bdo(?:ing)? nothing\b|\bas (?:things|they|it) (?:are|is|stands?)\b|\bno change\b", re.IGNORECASE
)
_KEEPS = re.compile(r"\b(?:keep|stay|wait|leave|remain|continue|stop|status quo|not)\b|n't\b", re.IGNORECASE)
"""Words of a question whose yes, or no, may leave things as they are."""
_TURNED = re.compile(r"\b(?:not?|never|without|instead|unless|cannot)\b|n['’]t\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\s*\w+ (?:we|i|you|they|he|she|it|one)\b", re.IGNORECASE)
"""The beginning of a question whose next word is the action; in other questions the second word is."""
_ENDING = re.compile(r"(?:ing?|ed|es|e|s)$")
_SHARED = 2
"""A sentence about the motion has this many of its words, the action among them."""


class About:
    """Says which choice a sentence is about: it names the choice, or speaks of a yes-or-no question's motion.

    Args:
        choices: what was voted on.
        question: of the debate; read only where the choices are yes and no.
    """

    def __init__(self, choices: Sequence[str], question: str = "") -> None:
        self.options = Options(tuple(choices))
        self.yes_or_no = [choice.casefold() for choice in choices] == ["yes", "no"]
        self._choices = tuple(choices)
        asked_about = [stem for word in re.findall(r"\w+", question) for stem in _stems(word)]
        self._motion = frozenset(asked_about if self.yes_or_no and not _KEEPS.search(question) else ())
        self._action = (asked_about if _PRONOUN.match(question) else asked_about[1:] or asked_about)[:1]

    def choice_in(self, text: str) -> str | None:
        """Return the one choice that a text is about; None where it is about none, about several, or unclear.

        The words yes and no alone prove nothing: "no audit has found one" is no vote.
        """
        if not self.yes_or_no:
            named = self.options.mentioned(text, strictly=True)
            return named[0] if len(named) == 1 else None
        if not self._motion or _TURNED.search(text):
            return None
        shared = self._motion & _stems(text)
        yes, no = len(shared) >= _SHARED and shared.issuperset(self._action), bool(_AS_IT_IS.search(text))
        return None if yes == no else self._choices[no]

    def choice_of(self, position: str) -> str | None:
        """Return the one choice that a declared position is for: there yes and no are votes."""
        named = self.options.mentioned(position, strictly=True)
        return named[0] if len(named) == 1 else self.choice_in(position)


def _stems(text: str) -> frozenset[str]:
    return frozenset(_ENDING.sub("", word) for word in content_words(text))


class Quotes:
    """The messages of a session, searched for quotes.

    Args:
        messages: in order.
        choices: what was voted on.
        question: of the debate.
        argued: the choice that each member was assigned to argue; empty where all spoke for themselves.
        acts: the acts of a message as a reader sees them below it; without it only the talk can be quoted.
    """

    def __init__(
        self,
        messages: Iterable[MessagePosted],
        choices: Sequence[str],
        question: str = "",
        argued: Mapping[str, str] | None = None,
        acts: Callable[[int], Sequence[str]] = lambda _: (),
    ) -> None:
        self._messages = {message.number: message for message in messages}
        self._shown = {number: "\n".join((each.talk, *acts(number))) for number, each in self._messages.items()}
        self._by: dict[str, list[MessagePosted]] = {}
        for message in self._messages.values():
            self._by.setdefault(message.who, []).append(message)
        self._about, self._argued = About(choices, question), argued or {}
        self._asked = content_words(question)
        self._split: dict[str, list[tuple[int, str]]] = {}

    def find(self, number: int, quote: str) -> Cited | None:
        """Return the whole sentences of message `number` that hold a quote; None where it is not there.

        White space, case, and the marks of bold and code are ignored: whoever copies a sentence drops them. A quote of
        fewer than three words counts only where it is the whole message.
        """
        message = self._messages.get(number)
        words = _words(quote)
        if message is None or (len(words) < _FEWEST_WORDS and len(message.talk.split()) > len(words)):
            return None
        shown = self._shown[number]
        plain = normalise(shown)
        place = _place(words, plain)
        if place is None:
            return None
        unmarked = [at for at, char in enumerate(plain) if char not in _MARKS]
        first, last = unmarked[place.start()], unmarked[place.end() - 1]
        whole = [span for span in sentences(plain) if span[0] <= last and first < span[1]]
        start, end = min((span[0] for span in whole), default=0), max((span[1] for span in whole), default=len(plain))
        return Cited("", number, plain_line(_ACT.sub("", shown[start:end])), message.who)

    def holds(self, number: int) -> bool:
        """Return whether there is such a message."""
        return number in self._messages

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of all messages."""
        return tuple(self._messages)

    @property
    def speakers(self) -> dict[str, set[int]]:
        """The numbers of each speaker's messages."""
        return {who: {message.number for message in messages} for who, messages in self._by.items()}

    def somewhere(self, quote: str, numbers: Collection[int] = ()) -> bool:
        """Return whether the words stand in one of these messages (without numbers: in any), or in a choice."""
        words = _words(quote)
        shown = (text for number, text in self._shown.items() if not numbers or number in numbers)
        texts = (*self._about.options.options, *shown)
        return any(_place(words, normalise(text)) is not None for text in texts)

    def case_for(self, who: str, choice: str) -> Cited | None:
        """Return the sentence in which `who` argues best for a choice; None where it never did.

        A member with an assigned side argues for that side only.
        """
        if self._argued:
            return self._best(self._speech(who, choice)) if self._argued.get(who) == choice else None
        cases = [
            (2 * bool(_WHY.search(quote)) + _form(quote), number, quote)
            for number, quote in self._stated(who, choice)
            if not _NO_CASE.search(quote) and self._says_more(quote, choice)
        ]
        return self._best(cases)

    def shown(self, number: int) -> str:
        """Return what a reader sees of a message: its talk, and its acts."""
        return self._shown[number]

    def was_answered(self, number: int) -> bool:
        """Return whether the member to whom a message was addressed spoke after it."""
        message = self._messages.get(number)
        later = self._by.get(message.to, []) if message is not None and message.to else []
        return any(each.number > number for each in later)

    def _says_more(self, text: str, choice: str) -> bool:
        """Return whether a text says more than that it is for a choice."""
        return len(content_words(text) - content_words(choice) - self._asked - _STANCES) >= _FEWEST_MORE

    def _best(self, candidates: Iterable[tuple[int, int, str]]) -> Cited | None:
        """Return the candidate of the highest weight; of equals the latest."""
        best = max(candidates, default=None)
        if best is None:
            return None
        _, number, quote = best
        return Cited("", number, quote, self._messages[number].who)

    def _stated(self, who: str, choice: str) -> Iterator[tuple[int, str]]:
        """Yield the positions that a member declared for a choice, and its sentences about it that are no doubt."""
        declared = [each for each in self._positions(who) if self._about.choice_of(each[1]) == choice]
        yield from declared
        if not (declared and self._about.yes_or_no):
            for number, quote in self._sentences(who):
                doubts = quote[-1] == "?" or _names_risk(quote) or _MIND.search(quote)
                if self._about.choice_in(quote) == choice and not doubts:
                    yield number, quote

    def _speech(self, who: str, choice: str) -> Iterator[tuple[int, int, str]]:
        """Yield the arguments of a member for its assigned side; a risk of the other choice is an argument, too."""
        for number, quote in self._sentences(who):
            about = self._about.choice_in(quote)
            sign = _WHY if about is None else _WHY_OR_GAIN if about == choice else _RISK
            argues = bool(sign.search(quote))
            if (argues or about == choice) and quote[-1] != "?" and not _NO_CASE.search(quote):
                yield 3 * argues + bool(about) + _form(quote), number, quote

    def _positions(self, who: str) -> Iterator[tuple[int, str]]:
        for message in self._by.get(who, ()):
            declared = (plain_line(move.text) for move in message.moves if move.kind == "position")
            yield from ((message.number, text) for text in declared if self.somewhere(text, (message.number,)))

    def _sentences(self, who: str) -> list[tuple[int, str]]:
        if who not in self._split:
            self._split[who] = list(_split(self._by.get(who, ())))
        return self._split[who]


def _split(messages: Iterable[MessagePosted]) -> Iterator[tuple[int, str]]:
    for message in messages:
        for start, end in sentences(normalise(message.talk)):
            quote = plain_line(message.talk[start:end])
            if quote:  # a line of dashes or stars is none
                yield message.number, quote


def _names_risk(quote: str) -> bool:
    return any(not _NO_RISK.search(quote[: match.start()]) for match in _RISK.finditer(quote))


def _form(quote: str) -> int:
    """Return one point for a usual length and one for a figure."""
    return (len(quote.split()) in _USUAL) + any(map(str.isdigit, quote))


def _words(quote: str) -> list[str]:
    return _unmarked(lower(normalise(quote))).strip(" \n\"'.").split()


def _place(words: Sequence[str], plain: str) -> re.Match[str] | None:
    """Return where the words stand in the text without its marks, one after the other, with any white space between."""
    if not words:
        return None
    return re.search(r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)", _unmarked(lower(plain)))


def _unmarked(text: str) -> str:
    return text.translate(_NO_MARKS)


def plain_line(text: str) -> str:
    """Return a text on one line, without its Markdown."""
    return clean(text, len(text))
