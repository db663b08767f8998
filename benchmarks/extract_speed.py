"""How fast talk is read: messages of 60 words a second by extraction alone, and a message's cost early and late."""

from __future__ import annotations

import itertools
import random
import statistics
import time

from eda.events import MessagePosted
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.state import BY_HAND, State
from eda.memory.patterns import default_pack
from eda.text import Read
from eda.transcripts.findings import search_text

SENTENCES = (
    "The export failed again on Tuesday because two of the fields came back as text.",
    "Most of the cost sits with the forty largest accounts and not with the small ones.",
    "I have looked at the figures from the spring survey and they point the other way.",
    "My worry is the second month, when both systems have to be paid for.",
    "We should keep the old report until the new one has run for two weeks.",
    "Nobody has asked the people in the warehouse what they think of it.",
    "That makes sense to me, though the deadline is tight.",
    "The team in Lyon did something similar two years ago with half the people.",
    "What would it take to have the numbers by Friday?",
    "I would rather test it with one customer before we promise it to all of them.",
    "It rained on the day of the count, so the sample may be low.",
    "The contract runs until March and cannot be ended earlier.",
)
WORDS = 60
RUNS = 7
SESSION = 20_000
EDGE = 100


def messages(count: int) -> list[str]:
    rng = random.Random(1)
    texts = []
    for _ in range(count):
        words: list[str] = []
        while len(words) < WORDS:
            words += rng.choice(SENTENCES).split()
        texts.append(" ".join(words[:WORDS]))
    return texts


def table() -> str:
    """Messages a second by extraction alone, and what a message costs the minutes early and late in a session."""
    pack = default_pack()
    texts = messages(2000)
    rates = []
    for _ in range(RUNS):
        start = time.process_time()
        for text in texts:
            search_text(Read(text), pack)
        rates.append(len(texts) / (time.process_time() - start))
    lines = [
        f"Extraction alone, {WORDS} words a message, one core: {statistics.median(rates):,.0f} messages/s.",
        "",
        f"| minutes of {SESSION:,} messages | first 1,000, microseconds each | last 1,000 | last / first |",
        "|---|---|---|---|",
    ]
    for name, options in (("without options", ()), ("with three options", ("A: stay", "B: move", "C: both"))):
        minutes = Minutes(State(pack=pack)).begin(options, BY_HAND)
        stamps = [time.process_time()]
        for number in range(1, SESSION + 1):
            minutes.hear(MessagePosted(number=number, who=f"P{number % 6}", text=texts[number % len(texts)]))
            if number % EDGE == 0:
                stamps.append(time.process_time())
        costs = [(end - start) / EDGE * 1e6 for start, end in itertools.pairwise(stamps)]
        first, last = statistics.median(costs[:10]), statistics.median(costs[-10:])
        lines.append(f"| {name} | {first:.0f} | {last:.0f} | {last / first:.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
