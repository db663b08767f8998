"""How fast talk is read: messages of 60 words a second by extraction alone, and a message's cost early and late."""

from __future__ import annotations

import random
import time

from eda.events import MessagePosted
from eda.memory.extract import read
from eda.memory.minutes import Minutes
from eda.patterns import default_pack

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


def messages(count: int) -> list[str]:
    rng = random.Random(1)
    texts = []
    for _ in range(count):
        words: list[str] = []
        while len(words) < WORDS:
            words += rng.choice(SENTENCES).split()
        texts.append(" ".join(words[:WORDS]))
    return texts


def main() -> None:
    pack = default_pack()
    texts = messages(2000)
    for text in texts[:200]:
        read(text, pack)
    best = 0.0
    for _ in range(5):
        start = time.process_time()
        for text in texts:
            read(text, pack)
        best = max(best, len(texts) / (time.process_time() - start))
    print(f"extraction alone: {best:,.0f} messages of {WORDS} words a second")
    minutes = Minutes(pack, options=("A: stay", "B: move", "C: both"))
    number = 0
    for name, count in (("first", 1000), ("next", 8000), ("last", 1000)):
        start = time.process_time()
        for k in range(count):
            number += 1
            minutes.hear(MessagePosted(number=number, who=f"P{number % 6}", text=texts[k % len(texts)]))
        print(f"hear, {name} {count} messages: {(time.process_time() - start) / count * 1e6:.0f} microseconds each")


if __name__ == "__main__":
    main()
