"""A summary as a model is asked for it: words of messages."""

from __future__ import annotations

import json
import re
from typing import Any

from eda import Prompt

_TOLD = re.compile(r'\(m(\d+)\): "([^"\n]*)"')


def points(prompt: Prompt, words: int = 6) -> list[dict[str, Any]]:
    """The beginnings of all messages to sum up; of summaries to fold, what they quote."""
    told = [(line.number, " ".join(line.text.split()[:words])) for line in prompt.lines]
    return [{"message": int(number), "quote": quote} for number, quote in told or _TOLD.findall(prompt.own)]


def stated(prompt: Prompt, words: int = 6) -> str:
    """The reply."""
    return json.dumps({"summary": points(prompt, words)})
