"""Tokens that prompts take as a debate grows, beside sending the whole transcript: `python benchmarks/prompts.py`.

Five agents, messages of 200 tokens, everything on. What all calls took is counted from the prompts that were sent, four
characters a token on both sides.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections import Counter

from results import write_section

from eda import Debate, Prompt, Reply, Settings

LENGTHS = (200, 500, 1_000)
WORDS = 150
"""Of about five letters and a space: 200 tokens."""
VOCABULARY = 60_000


class Talker:
    """Answers each prompt with new words, so that nobody repeats anybody, and counts what it was sent."""

    summarises = True
    deterministic = True

    def __init__(self) -> None:
        self.sent: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.speeches: list[int] = []
        draw = random.Random(1)
        self.words = ["".join(draw.choices("abcdefghijklmnoprstu", k=draw.randint(3, 7))) for _ in range(VOCABULARY)]

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:  # noqa: ARG002 - the protocol's shape
        """Some sentences, or what the purpose asks for."""
        size = len(prompt.text) // 4
        self.sent[prompt.purpose] += size
        self.calls[prompt.purpose] += 1
        if prompt.purpose == "speak":
            self.speeches.append(size)
        draw = random.Random(f"{prompt.agent} {prompt.last} {prompt.attempt}")
        if prompt.purpose == "bid":
            return Reply("", data={"bids": [_bid(one.agent, draw) for one in prompt.each]})
        if prompt.purpose == "ballot":
            return Reply("", data={"choice": prompt.options[0], "reason": ""})
        sentences = [" ".join(draw.choices(self.words, k=15)).capitalize() + "." for _ in range(WORDS // 15)]
        return Reply(" ".join(sentences))


def _bid(agent: str, draw: random.Random) -> dict[str, object]:
    return {"agent": agent, "wants": True, "urgency": round(draw.random(), 3), "reason": ""}


def measured(messages: int) -> tuple[Talker, int]:
    """One debate, and the tokens that its speakers would have been sent with the whole transcript each time."""
    talker = Talker()
    debate = Debate(
        "Should we move the billing service out of the monolith?",
        "architecture-review",
        talker,
        options=("move it", "leave it"),
        settings=Settings(max_messages=messages),
    )
    asyncio.run(debate.run())
    whole = said = 0
    for event in debate.session.events():
        if event.type == "message_posted":
            whole += said
            said += len(event.text) // 4
    return talker, whole


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    lines = [
        "| messages | speak calls | each | whole transcript | share | bids | summaries | ballots | all | share |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for messages in LENGTHS:
        talker, whole = measured(messages)
        speak, everything = talker.sent["speak"], talker.sent.total()
        cells = [f"{messages:,}", f"{speak:,}", f"{speak / talker.calls['speak']:,.0f}", f"{whole:,}"]
        cells += [f"{speak / whole:.2f}", *(f"{talker.sent[purpose]:,}" for purpose in ("bid", "summarise", "ballot"))]
        cells += [f"{everything:,}", f"{everything / whole:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
        if messages >= 500:
            third = len(talker.speeches) // 3
            early, late = (sum(part) / third for part in (talker.speeches[third : 2 * third], talker.speeches[-third:]))
            lines.append(f"| | last third over second third: {late / early:.2f} " + "| " * 8 + "|")
    print("\n".join(lines))
    if args.write:
        write_section("prompts", "python benchmarks/prompts.py --write", "\n".join(lines))


if __name__ == "__main__":
    main()
