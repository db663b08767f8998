"""Which choice a sentence is about: it names it or, of a yes-or-no question, speaks of its motion or of leaving it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eda.memory.options import Options
from eda.memory.wording import words

__all__ = ["About"]

_AS_IT_IS = re.compile(
    r"\bstatus quo\b|\bdo(?:ing)? nothing\b|\bas (?:things|they|it) (?:are|is|stands?)\b|\bno change\b", re.IGNORECASE
)
_KEEPS = re.compile(r"\b(?:keep|stay|wait|leave|remain|continue|stop|status quo|not)\b|n't\b", re.IGNORECASE)
"""In a question: its yes leaves things as they are, or its no may."""
_TURNED = re.compile(r"\b(?:not?|never|without|instead|unless|cannot)\b|n['’]t\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\s*\w+ (?:we|i|you|they|he|she|it|one)\b", re.IGNORECASE)
"""How a question begins whose first other word is what is to be done; else its second one is taken for that."""
_ENDING = re.compile(r"(?:ing?|ed|es|e|s)$")
_SHARED = 2
"""Words of the motion that a sentence about it has, at least; what is to be done is one of them."""


class About:
    """The choices of one debate.

    Args:
        choices: what was voted on.
        question: of the debate; read only where the choices are yes and no.
    """

    def __init__(self, choices: Sequence[str], question: str = "") -> None:
        self.options = Options(choices)
        self.yes_or_no = [choice.casefold() for choice in choices] == ["yes", "no"]
        self._choices = tuple(choices)
        told = [stem for word in re.findall(r"\w+", question) for stem in _stems(word)]
        self._motion = frozenset(told if self.yes_or_no and not _KEEPS.search(question) else ())
        self._deed = (told if _PRONOUN.match(question) else told[1:] or told)[:1]

    def choice_in(self, text: str) -> str | None:
        """The one choice that a text is about; None: it is about none, about several, or that cannot be told.

        The words yes and no alone tell nothing: "no audit has found one" is no vote.
        """
        if not self.yes_or_no:
            named = self.options.mentioned(text, strictly=True)
            return named[0] if len(named) == 1 else None
        if not self._motion or _TURNED.search(text):
            return None
        shared = self._motion & _stems(text)
        yes, no = len(shared) >= _SHARED and shared.issuperset(self._deed), bool(_AS_IT_IS.search(text))
        return None if yes == no else self._choices[no]

    def choice_of(self, position: str) -> str | None:
        """The one choice that a declared position is for: there yes and no are votes."""
        named = self.options.mentioned(position, strictly=True)
        return named[0] if len(named) == 1 else self.choice_in(position)


def _stems(text: str) -> frozenset[str]:
    return frozenset(_ENDING.sub("", word) for word in words(text))
