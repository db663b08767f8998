"""One vote, asked up to three times, each time more simply: the form, then ids alone, then the reading to confirm.

A reading is offered only of an answer that refuses nothing, states no condition and names no text that is not there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from eda.debate.asking import Checked
from eda.debate.prompts.builder import PromptBuilder
from eda.events import NONE, BallotText
from eda.runners.protocol import Prompt, Reply
from eda.text import bounded
from eda.voting.mentions import NamedText, mentions
from eda.voting.vote_words import phrase_at, roles_of, words_of

_EMPTY = (NONE, "abstain")
_UNCLEAR = frozenset({"refuse", "rest", "all_rest", "none", "abstain", "condition", "correction", "tied", "no"})
"""Roles of words beside which a list of the texts that are named is no likely reading."""


class Tries:
    """What a voter wrote, try by try, and how it is asked the next time."""

    def __init__(
        self,
        read: Callable[[Reply], Checked],
        shown: Sequence[BallotText],
        prompts: PromptBuilder,
        *,
        simpler: bool = True,
    ) -> None:
        """Read by `read`; not `simpler` where ids alone do not say what is counted."""
        self._read, self._shown, self._prompts, self._simpler = read, shown, prompts, simpler
        self._offered: tuple[str, ...] = ()
        self._readable = False
        self.raw: list[str] = []
        """The voter's own words."""

    def read(self, reply: Reply) -> Checked:
        """Return what the answer says: what was offered, where it says yes to that."""
        text = reply.text.strip() or (json.dumps(reply.data) if "choice" in (reply.data or {}) else "")
        self.raw += [bounded(text)] if text else []
        data = _ranking(self._offered) if self._offered and says_yes(text) else _by_schema(reply)
        fields, wrong = self._read(replace(reply, data=data) if data else reply)
        self._readable = fields is not None
        return fields, wrong

    def corrected(self, prompt: Prompt, wrong: str, answer: str) -> Prompt:
        """Return the next prompt."""
        self._offered = ()
        if self._readable or not self._simpler:
            return self._prompts.corrected(prompt, wrong, answer)
        if prompt.attempt > 1:
            self._offered = self._likely(answer)
        if self._offered:
            read = ", ".join(self._offered)
            return self._prompts.corrected(prompt, wrong, answer, "ballot-read", read=read)
        ids = ", ".join(each.id for each in self._shown)
        return self._prompts.corrected(prompt, wrong, answer, "ballot-ids", ids=ids)

    def _likely(self, text: str) -> tuple[str, ...]:
        """Return the texts that an answer names, in their order; empty where it says more of them, or names others."""
        texts = [NamedText(each.id, each.text) for each in self._shown]
        named, words = mentions(text, texts), words_of(text)
        unclear = any(
            phrase.roles & _UNCLEAR for at in range(len(words)) if (phrase := phrase_at(words, at)) is not None
        )
        if unclear or not all(each.one for each in named) or {"yes", "no"} & {each.id for each in self._shown}:
            return ()
        return tuple(dict.fromkeys(each.one for each in named))


def says_yes(text: str) -> bool:
    """Return whether an answer says yes, and nothing else."""
    words = [roles_of(word) for word in words_of(text)]
    only = all(roles & {"yes", "filler"} and "no" not in roles for roles in words)
    return only and any("yes" in roles for roles in words)


def _by_schema(reply: Reply) -> dict[str, Any] | None:
    """Return the fields of an answer in the form of `ballot_schema`, whose `ranking` is the whole vote; else None."""
    try:
        said = json.loads(reply.text)
    except ValueError:
        return None
    wanted = said.get("ranking") if isinstance(said, dict) and "choice" not in said else None
    listed = [wanted] if wanted in _EMPTY else wanted
    if not (isinstance(listed, list) and listed and all(isinstance(each, str) for each in listed)):
        return None
    return {**said, **_ranking(list(dict.fromkeys(listed)))}


def _ranking(listed: Sequence[str]) -> dict[str, Any]:
    """Return the fields of an answer that ranks these, the first of which may be `none` or `abstain`."""
    empty = listed[0] in _EMPTY and len(listed) == 1
    return {"choice": listed[0], "ranking": [] if empty else [*listed]}
