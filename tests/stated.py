"""A summary as a model is asked for it: who said what in which message, in their words."""

from __future__ import annotations

import json
import re
from typing import Any

from eda import Prompt

_TOLD = re.compile(r'(\w+) \(m(\d+)\): "([^"\n]*)"')


def points(prompt: Prompt, words: int = 6) -> list[dict[str, Any]]:
    """The beginnings of all messages to sum up; of summaries to fold, what they quote."""
    told = [(line.who, line.number, " ".join(line.text.split()[:words])) for line in prompt.lines]
    return [
        {"who": who, "did": "said", "on": None, "message": int(number), "quote": quote}
        for who, number, quote in told or _TOLD.findall(prompt.own)
    ]


def stated(prompt: Prompt, words: int = 6) -> str:
    """The reply."""
    return json.dumps({"summary": points(prompt, words)})
