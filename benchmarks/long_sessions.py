"""What long sessions cost: `python benchmarks/long_sessions.py [--write]`.

A debate of 10,000 messages by a panel that never settles, resumed; and a log of 100,000 messages, shown in a pipe and
on a terminal.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import Counter
from pathlib import Path

from memory_cost import Talk

from eda import Debate, Session, Settings
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner

DEBATED = 10_000
SHOWN = 100_000
QUESTION, OPTIONS = "Should we move the billing service?", ("Move it", "Wait a quarter")


def english() -> list[str]:
    """Words of the project's own texts, the most frequent first: a name of random letters takes more room."""
    home = Path(__file__).parents[1]
    paths = (path for pattern in ("*.md", "docs/*.md", "personas/*.md") for path in sorted(home.glob(pattern)))
    texts = [path.read_text("utf-8") for path in paths]
    return [word for word, _ in Counter(re.findall("[a-z]{2,}", " ".join(texts).lower())).most_common()]


class Talkers(SimulatedRunner):
    """The simulated panel, but each message has new words and moves, so that no discussion ends by itself."""

    def __init__(self) -> None:
        super().__init__()
        self._talk, self._numbers = Talk(), itertools.count(1)
        words = english()
        self._talk.words = [words[place % len(words)] for place in range(len(self._talk.words))]
        self._proposed = ""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return eighty new words and the moves of a real message; all else is the simulated panel's."""
        if prompt.purpose != "speak":
            return await super().run(prompt, on_text)
        number = prompt.last + 1
        text = self._talk.message(9 * next(self._numbers) + 1).text
        words = self._talk.draw.choices(self._talk.words, cum_weights=self._talk.cumulative, k=30)
        if number % 6 == 1:
            text += f"\n\n[PROPOSE] We {' '.join(words[:14])}."
            self._proposed = f"p{number}.0"
        elif number % 6 in (2, 3, 5):
            kind = "OPPOSE" if number % 6 == 5 else "SUPPORT"
            text += f"\n\n[{kind} {self._proposed}] because {' '.join(words[14:22])}"
        if number % 9 == 6:
            text += f"\n[NOTE {number % 1000 + 1}] {' '.join(words[22:30])}"
        return Reply(f"{text}\n[POSITION] For the {' '.join(words[:8])}")


def debate(folder: Path, messages: int) -> None:
    """Run a debate of so many messages."""
    with Session.create("debate", folder) as session:
        settings = Settings(max_messages=messages, floor="round-robin")
        asyncio.run(
            Debate(QUESTION, "product-decision", Talkers(), options=OPTIONS, settings=settings, session=session).run()
        )
