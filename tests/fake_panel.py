"""What a language model's panel would answer over HTTP: bids, polls, ballots, grants of the floor and short speeches.

The one rule: an answer is drawn from a seed and the request's own words, so that every run is the same.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from typing import Any

from fake_anthropic import Say

__all__ = ["FakePanel"]

_LETTERED = re.compile(r"^(?:- | {4})?((?:[op][\d.@]+|yes|no): .+?)(?: \(another wording of .+\))?$", re.MULTILINE)
_NAMED = re.compile(r"^- (.+?) \((?:spoke last|has not spoken)", re.MULTILINE)
_TABLE = re.compile(r"\b(p\d+\.\d+)\b")
_NOUNS = [
    "queue",
    "ledger",
    "invoice",
    "rollout",
    "index",
    "migration",
    "alert",
    "tenant",
    "cache",
    "replica",
    "schema",
    "budget",
]
_VERBS = ["breaks", "delays", "doubles", "hides", "splits", "blocks", "loses", "repeats", "skips", "starves"]


_BIDDER = re.compile(r"^- ([^:\n(,]+?)(?:[:,(].*)?$", re.MULTILINE)


def _bid(lot: random.Random) -> dict[str, Any]:
    return {"wants": lot.random() < 0.7, "urgency": round(lot.random(), 2), "reason": "to add a number"}


def _asked(text: str) -> str:
    """The list of those who may ask for the floor."""
    return text.partition("and nobody else:\n")[2].partition("\n\n")[0]


class FakePanel:
    """Answers requests; `asked` counts them by kind, `said` keeps what each kind was sent."""

    def __init__(self, seed: int = 1) -> None:
        self._seed = seed
        self.asked: Counter[str] = Counter()
        self.said: dict[str, list[str]] = {}

    def __call__(self, body: dict[str, Any]) -> Say:
        text = json.dumps(body, ensure_ascii=False).replace("\\n", "\n").replace('\\"', '"')
        own = text[text.rfind("# Who you are") :] if "# Who you are" in text else text
        lot = random.Random(f"{self._seed}:{len(text)}:{own}")
        kind, answer = self._answer(text, own, lot)
        self.asked[kind] += 1
        self.said.setdefault(kind, []).append(text)
        return Say(
            answer if isinstance(answer, str) else json.dumps(answer), usage={"input_tokens": 100, "output_tokens": 40}
        )

    def _answer(  # noqa: PLR0911 - one for each kind of call
        self, text: str, own: str, lot: random.Random
    ) -> tuple[str, str | dict[str, Any]]:
        if "# Who speaks next?" in text:
            return "moderate", {"agent": lot.choice(_NAMED.findall(text)), "why": "has the other view"}
        if "# Who wants the floor?" in text:
            return "bid", {"bids": [{"agent": name, **_bid(lot)} for name in _BIDDER.findall(_asked(text))]}
        if "# Do you want the floor?" in text:
            return "bid", _bid(lot)
        if "# What would bring you in?" in own:
            return "terms", {"takes": lot.choice(["as it is", "not at all"]), "change": ""}
        if "# What do you declare?" in own:
            return "declare", {"acts": []}
        if "# A private poll" in own:
            return "poll", {
                "choice": lot.choice(_LETTERED.findall(own)),
                "confidence": round(lot.random(), 2),
                "change_mind": "A trial that fails.",
            }
        if "# The ballot" in own:
            return "ballot", self._ballot(own, lot, scores='"scores"' in text)
        if "# Your turn" in own or "# Your turn" in text:
            return "speak", self._speech(text, own, lot)
        return "summarise", {"summary": "They talked."}

    def _ballot(self, own: str, lot: random.Random, *, scores: bool) -> dict[str, Any]:
        ranking = lot.sample(choices := _LETTERED.findall(own.partition("# The ballot")[2]), len(choices))
        ballot: dict[str, Any] = {
            "choice": ranking[0],
            "ranking": ranking,
            "approved": ranking[: 1 + len(ranking) // 2],
            "blocked": ranking[-1:] if len(ranking) > 1 and lot.random() < 0.4 else [],
            "confidence": 0.7,
            "reason": "It does the least harm to the queue.",
        }
        if scores:
            ballot["scores"] = [{"choice": choice, "score": round(lot.uniform(0, 10), 1)} for choice in ranking]
        return ballot

    def _speech(self, text: str, own: str, lot: random.Random) -> str:
        def clause() -> str:
            return f"the {lot.choice(_NOUNS)} {lot.choice(_VERBS)} the {lot.choice(_NOUNS)} {lot.randint(2, 900)} times"

        talk = f"I hold that {clause()}, and {clause()}. " + " ".join(f"Then {clause()}." for _ in range(5))
        table = sorted(set(_TABLE.findall(text)))
        moves = []
        if "Make no proposal" not in own and "Make no [POSITION]" not in own and lot.random() < 0.5:
            moves.append(f"[PROPOSE] Watch where {clause()}.")
        if table and lot.random() < 0.6:
            moves.append(f"[SUPPORT {lot.choice(table)}] it holds")
        if "Make no [POSITION]" not in own:
            moves.append(f"[POSITION] I think that {clause()}.")
        return talk + "\n\n" + "\n".join(moves)
