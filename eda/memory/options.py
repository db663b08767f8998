"""An option is named by its whole text, its label, or words that no other option has; never where it is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eda.memory.wording import words
from eda.patterns import normalise

__all__ = ["Options"]

_LABEL = re.compile(r"^\s*(?:option\s+)?([A-Za-z0-9]{1,2})\s*[:.)–—-]\s+(?=\S)")
_SINGLE = re.compile(r"^[A-Za-z0-9]$")
_PLAIN_WORD = re.compile(r"\w+")
_FIGURES = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
}
"""Figures that are written as words too; `one` is too often none."""
_WORDLIKE = frozenset("ai")
"""Letters that are words too: in small letters they name an option only beside another."""
_ARTICLE = (
    r"(?! (?!and|or|is|are|options?|only|with|would|because|as|then|too|also|has|needs?|must|should|could|can|"
    r"was|will|if|to|for|on|in|it|but|again|plus|not|alone|does|i |we )[a-z])"
)
"""Not before a word that an article may stand before."""
_COUNTED = (
    r"[ -]?(?:(?:more|other|different|possible|random|whole|remaining|right|correct) )?"
    r"(?:minutes?|mins?|seconds?|secs?|hours?|cards|options|"
    r"choices|answers|people|persons?|others|players|participants|members|dollars|times|things|ways|rounds|sides|"
    r"of (?:us|them|you|the|those|these)|or more)\b"
)
"""What a figure before it counts."""
_COUNTING = ("all", "all the", "these", "those", "other", "first", "last", "line", "least", "about", "these other")
"""Words after which a figure counts, or numbers, something."""
_JOINED = re.compile(r"(?<![\w'])[a-z0-9]{2,6}(?![\w'])", re.IGNORECASE)
_NEGATED = re.compile(
    r"\b(?:not|no|never|without|drop(?:ping|ped)?|against|except|instead of|rather than|"
    r"(?:all|any|anything|every\w*|cards?|ones?|options?|them) but|used to \w+|"
    r"\w+n't)\b[^\w,;.!?]+(?:\w+[^\w,;.!?]+){0,2}$|"
    r"\b(?:switch|mov|chang|migrat|com|shift|walk)\w* (?:\w+ )?(?:from|off)(?: the| using)? $",
    re.IGNORECASE,
)
_OVER = re.compile(r"\w\W+over(?: the)? $", re.IGNORECASE)
"""Before an option that another is preferred to; where the options are cards, they are turned over."""
_DROPPED = re.compile(
    r"(?:\W+\w+){0,4}?\W+(?:off the table|out of the (?:race|running)|(?:is|are|was|were) (?:not|out|gone|dead)|"
    r"(?:isn't|aren't))\b|"
    r"(?: \w+)? (?:is|are|was|would be|will be|sounds like|looks like|seems)(?: \w+)?? (?:an? |too )?(?:\w+ )?"
    r"(?:disaster|mistake|wrong|bad|terrible|awful|nightmare|overkill|risky|dangerous|trap|dead end|non-starter)\b|"
    r" ?\?\W+(?:no|nope|nah|never)\b(?=\W*(?:$|[.!]))",
    re.IGNORECASE,
)
_DROPS = re.compile(
    r"\b(?:off the table|take back|give up|gave up|let (?:it|them|that) go|without naming)\b", re.IGNORECASE
)
FEW = 4
"""Own words of an option up to which one of them names it."""


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s")[:5] for word in words(text))


class Options:
    """The options of one debate, ready to be looked for."""

    def __init__(self, options: Sequence[str]) -> None:
        self.options = tuple(options)
        self.single = bool(options) and all(_SINGLE.match(option.strip()) for option in options)
        self._patterns: list[re.Pattern[str] | None] = []
        bags = [_stems(normalise(option)) for option in options]
        self._own: list[frozenset[str]] = []
        for number, option in enumerate(options):
            others = frozenset().union(*(bag for k, bag in enumerate(bags) if k != number))
            self._own.append(bags[number] - others)
            self._patterns.append(self._pattern(normalise(option)))

    def _pattern(self, option: str) -> re.Pattern[str] | None:
        forms = [re.escape(option.strip())]
        label = _LABEL.match(option)
        if label:
            forms.append(rf"(?:option|plan|choice|alternative|variant) {re.escape(label[1])}")
            if len(label[1]) == 1 and label[1].isupper():
                article = f"(?![\\w'])(?:{_ARTICLE})" if label[1].lower() in _WORDLIKE else ""
                return re.compile(rf"\b(?:(?i:{'|'.join(forms)})|{label[1]}{article})(?![\w'])(?!\. ?[a-z])")
            forms.append(re.escape(option[label.end() :].strip()))
        if self.single:
            letter = option.strip()
            if letter.lower() in _WORDLIKE:
                small = letter.lower()
                near = r"(?:and|&|,|or|\+|\d)"
                return re.compile(
                    rf"(?<![\w']){letter.upper()}(?![\w']){_ARTICLE}|(?<![\w']){small}(?= ?{near}\b| ?[,&]|\W*$)|"
                    rf"(?<=and ){small}(?![\w']){_ARTICLE}"
                )
            word = _FIGURES.get(letter)
            form = f"(?:{letter}|{word})" if word else re.escape(letter)
            counted = f"(?:(?<=and .)|(?<=and the .)|(?!{_COUNTED}))" if letter.isdigit() else ""
            before = "".join(f"(?<!{word} )" for word in _COUNTING) if letter.isdigit() else ""
            return re.compile(rf"(?<![\w'.]){before}{form}(?![\w'%])(?!\.\d){counted}", re.IGNORECASE)
        return re.compile(rf"\b(?i:{'|'.join(forms)})(?!\w)")

    def only(self, text: str, named: tuple[str, ...]) -> bool:
        """Whether a text that names options says hardly anything else: up to three other words."""
        return len(_PLAIN_WORD.findall(text)) <= len(named) + 3

    def mentioned(self, text: str, *, strictly: bool = False) -> tuple[str, ...]:
        """The options that a text names without turning them down, in the debate's order.

        Args:
            text: what is said.
            strictly: one word of a longer option does not name it.
        """
        if not self.options:
            return ()
        plain = normalise(text)
        found = self._joined(plain) if self.single else []
        bag: frozenset[str] | None = None
        for option, pattern, own in zip(self.options, self._patterns, self._own, strict=True):
            match = pattern.search(plain) if pattern else None
            if match:
                before = plain[: match.start()]
                turned_down = _NEGATED.search(before) or _DROPPED.match(plain, match.end())
                turned_down = turned_down or (None if self.single else _OVER.search(before))
                if option not in found and not turned_down:
                    found.append(option)
                continue
            if self.single or not own or (strictly and len(own) < 2):
                continue
            if bag is None:
                bag = _stems(plain)
            if _DROPS.search(plain):
                continue
            enough = (len(own) + 1) // 2 if strictly else 2
            if len(own & bag) >= (max(min(len(own), 2), enough) if strictly or len(own) > FEW else 1):
                found.append(option)
        return tuple(option for option in self.options if option in found)

    def _joined(self, plain: str) -> list[str]:
        """Options that are written together, as `A7`: a token of nothing but option letters, one of them a figure."""
        singles = {option.strip().lower(): option for option in self.options}
        for match in _JOINED.finditer(plain):
            token = match.group().lower()
            listed = len(set(token)) == len(token) and all(char in singles for char in token)
            if listed and (any(char.isdigit() for char in token) or match.group().isupper()):
                return [singles[char] for char in token]
        return []
