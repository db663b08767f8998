"""What the dollars buy: is what was said early in the prompt that needs it? `python benchmarks/evidence.py [CORPORA]`.

Facts stand in the first sixth of a debate, a member asks about each in the last third, at the beginning or at the end
of a message, and the next speaker's prompt either has the fact or not. With CORPORA (`X.messages.jsonl` and
`X.recall.jsonl`) also: the talk of meetings, and the questions about them of which all evidence lies in the first third
of the debate. The server's summaries say nothing, so that only words that were said count.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from corpora import load
from dollars import ARMS, ROUND_ROBIN, WINDOW, Played, dollars, plain, played
from fake_cache import CachingAnthropic
from results import write_section

from eda import MessagePosted, Prompt
from eda.events.records import Line
from eda.memory.recall.recall import Recall
from eda.panels.panel import Library

SHORT = (60,)
RUNS = {60: 4, 200: 2}
"""Debates of a length; one of any other."""
LENGTH = 900
"""Characters of a message, at least: 150 words."""
SENTENCE = 12
"""Words of a sentence."""
MOST = 40
"""Questions of a debate."""
LAST = 10
"""Messages at the end after which nobody asks: a closing word answers nobody."""
FOUND = 4
"""Messages that a question alone finds: about as many as there is room for in a prompt."""
KNOWN, SHINGLE = 0.8, 4
"""A text is in a prompt if this share of its runs of four words is."""
PLACES = re.findall(
    r"\w+",
    "Arnhem Basel Cork Dresden Elche Faro Genoa Husum Izmir Jaca Kielce Lugano Malmo Namur Odense Parma "
    "Quimper Rostock Sintra Tartu Udine Vaasa Worms Xanten York Zadar Aalst Bergen Celje Delft Evora "
    "Fulda Ghent Hvar Ivrea Jena Kotor Lecce Mainz Narva ",
)
FACTS = (
    (
        "The lease of the depot in {name} costs {value} euros and ends in March.",
        "What does the lease in {name} cost us?",
    ),
    (
        "In {name} the auditors counted {value} invoices without any receipt.",
        "How many invoices without a receipt did they find in {name}?",
    ),
    (
        "Our customers in {name} waited {value} minutes for support last winter.",
        "How long did customers in {name} wait for support?",
    ),
    (
        "The team of {name} has {value} open defects, half of them in billing.",
        "How many defects does the team of {name} still have?",
    ),
    ("The contract with {name} allows {value} calls a day and no more.", "How many calls does {name} get by contract?"),
)
"""What was said early, and what is asked late: other talk is of the same places, other facts of the same subjects."""
PASSING = (
    "People from {name} have asked twice for the new rota.",
    "I spoke to {name} yesterday and they would rather wait for the summer.",
    "Nobody in {name} objects, but nobody there has read the plan either.",
    "If {name} can manage with the old scripts, then so can we.",
    "What worked for {name} need not work for an office of our size.",
)
"""What else is said of a place."""


@dataclass(frozen=True)
class Script:
    """What is said, and what is needed."""

    texts: tuple[str, ...]
    needs: dict[int, tuple[str, ...]]
    """By the number of the message that asks: the texts that answer it."""
    questions: dict[int, str]
    """By the same number: what it asks."""
    late: frozenset[int]
    """The messages that ask at their end; the others ask at their beginning."""


class Talk(CachingAnthropic):
    """Says the texts of a script in order, whoever speaks."""

    def __init__(self, script: Script) -> None:
        super().__init__()
        self._script = script
        self._given: dict[tuple[int, str], int] = {}

    def _answer(self, prompt: Prompt) -> str:
        if prompt.purpose != "speak":
            return super()._answer(prompt)
        place = prompt.members.index(prompt.agent) if not prompt.last else prompt.last
        place = self._given.setdefault((prompt.last, prompt.agent), place)
        return self._script.texts[place]


def planted(messages: int, run: int) -> Script:
    """Facts among other talk of the same places; the rest are words drawn from the personas' texts, and new ones.

    Short words would make proposals of nonsense, and a debate without new words goes in circles.
    """
    draw = random.Random(f"{messages} {run}")
    common = re.findall(
        r"\b[a-z]{6,}\b", " ".join(persona.instruction for persona in Library().personas.values()).lower()
    )
    talks: list[list[str]] = []
    for _ in range(messages):
        said = [draw.choice(PASSING).format(name=draw.choice(PLACES)) for _ in range(2)]
        while sum(map(len, said)) < LENGTH:
            words = draw.choices(common, k=SENTENCE // 2)
            words += ["".join(draw.choices("abcdefghijklmnoprstu", k=draw.randint(5, 9))) for _ in words]
            said.append(" ".join(draw.sample(words, len(words))).capitalize() + ".")
        talks.append(draw.sample(said, len(said)))
    count = min(MOST, messages // 3 - LAST)
    values = draw.sample(range(1_001, 9_999), count)
    pairs = [(name, *FACTS[place % len(FACTS)]) for place, name in enumerate(draw.sample(PLACES, count))]
    facts = [fact.format(name=name, value=value) for value, (name, fact, _) in zip(values, pairs, strict=True)]
    for place, fact in enumerate(facts):
        at = place * (messages // 6) // count
        talks[at].insert(draw.randint(0, len(talks[at])), fact)
    texts = [" ".join(talk) for talk in talks]
    asked = [(question.format(name=name), (fact,)) for fact, (name, _, question) in zip(facts, pairs, strict=True)]
    return _asking(texts, asked, draw)


def meetings(folder: Path, name: str, messages: int, run: int) -> Script:
    """The talk of meetings, packed into messages, and the questions about what the first third of it says."""
    draw = random.Random(f"{name} {messages} {run}")
    rows: dict[str, list[dict[str, str]]] = {}
    for row in load(folder / f"{name}.messages.jsonl"):
        rows.setdefault(row["conv"], []).append(row)
    texts, place_of, said = [""], dict[str, int](), dict[str, str]()
    for conv in draw.sample(sorted(rows), len(rows)):
        for row in sorted(rows[conv], key=lambda row: row["i"]):
            if len(texts[-1]) >= LENGTH:
                texts.append("")
            texts[-1] = f"{texts[-1]} {row['text']}".strip()
            place_of[row["id"]], said[row["id"]] = len(texts), row["text"]
    asked = [
        (question["query"], gold)
        for question in load(folder / f"{name}.recall.jsonl")
        if all(place_of[one] <= messages // 3 for one in question["gold"])
        and (gold := tuple(said[one] for one in question["gold"] if len(said[one].split()) > SHINGLE))
    ]
    return _asking(texts[:messages], draw.sample(asked, min(len(asked), MOST, messages // 3 - LAST)), draw)


def _asking(texts: list[str], asked: Sequence[tuple[str, tuple[str, ...]]], draw: random.Random) -> Script:
    """The texts with the questions in the last third, every other one at the end of a message."""
    first, needs, questions = 2 * len(texts) // 3, dict[int, tuple[str, ...]](), dict[int, str]()
    room, late = len(texts) - LAST - first, set[int]()
    for place, (question, gold) in enumerate(draw.sample(asked, len(asked))):
        at = first + place * room // len(asked)
        text = f"{question.rstrip('.')}?" if not question.endswith("?") else question
        texts[at] = f"{texts[at]} {text}" if place % 2 else f"{text} {texts[at]}"
        needs[at + 1], questions[at + 1] = gold, text
        if place % 2:
            late.add(at + 1)
    return Script(tuple(texts), needs, questions, frozenset(late))


def kept(script: Script, prompts: dict[int, str]) -> dict[int, float]:
    """The share of a question's evidence in the prompt that follows it, by the number of the message that asks."""
    shares = {}
    for number, gold in script.needs.items():
        there = _shingles(prompts[number])
        known = [len((runs := _shingles(text)) & there) >= KNOWN * len(runs) for text in gold]
        shares[number] = sum(known) / len(known)
    return shares


def looked_up(script: Script) -> dict[int, float]:
    """The share of a question's evidence in the messages that recall finds first for the question alone."""
    said = [Line(number, "", text) for number, text in enumerate(script.texts, 1)]
    recall, found = Recall(lambda number: said[number - 1]), dict[int, str]()
    for line in said:
        if line.number - 1 in script.questions:
            hits = recall.search(script.questions[line.number - 1], FOUND, until=line.number - 2)
            found[line.number - 1] = "\n".join(said[hit.message_id - 1].text for hit in hits)
        recall.add(MessagePosted(number=line.number, who="Ada", text=line.text))
    return kept(script, found)


def rows(name: str, messages: int, write: Callable[[int, int], Script]) -> Iterator[str]:
    """The rows of the table for a length."""
    scripts = [write(messages, run) for run in range(RUNS.get(messages, 1))]
    if min(len(script.texts) for script in scripts) < messages:
        yield f"| {messages:,} | {name} | too little talk |{' |' * 6}"
        return
    plainly = {"append-only": None, f"window of {WINDOW[0]:,}": WINDOW}
    ways: dict[str, list[tuple[float, dict[int, float]]]] = {way: [] for way in plainly}
    for script in scripts:
        server = partial(Talk, script)
        for arm in ARMS:
            run = played(arm, messages, server)
            if arm is ROUND_ROBIN:
                for way, window in plainly.items():
                    ways[way].append(_plainly(run, script, window))
            asked = {prompt.last: prompt.text for prompt in run.speeches}
            ways.setdefault(f"EDA, {arm.name}", []).append((run.cost(run.calls), kept(script, asked)))
    ways[f"the question alone, {FOUND} messages"] = [(0.0, looked_up(script)) for script in scripts]
    cut = sum(cost for cost, _ in ways[f"window of {WINDOW[0]:,}"])
    for way, of in ways.items():
        every, first, last = (
            [
                share
                for script, (_, shares) in zip(scripts, of, strict=True)
                for number, share in shares.items()
                if number in script.late or when != "last"
                if number not in script.late or when != "first"
            ]
            for when in ("", "first", "last")
        )
        cost = sum(each for each, _ in of)
        cells = [f"{messages:,}", name, way, f"{len(every)}"]
        cells += [f"{sum(shares) / max(1, len(shares)):.2f}" for shares in (every, first, last)]
        cells += [f"{cost / len(of):.3f}", f"{cost / cut:.2f}"] if cost else ["", ""]
        yield f"| {' | '.join(cells)} |"


def _plainly(run: Played, script: Script, window: tuple[int, int] | None) -> tuple[float, dict[int, float]]:
    sent = list(plain(run, window))
    asked = {number: "\n".join(each.shown) for number, each in enumerate(sent)}
    return sum(dollars(each.usage) for each in sent), kept(script, asked)


def _shingles(text: str) -> set[tuple[str, ...]]:
    said = re.findall(r"\w+", text.lower())
    return set(zip(*(said[at:] for at in range(SHINGLE)), strict=False))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="?")
    parser.add_argument("--messages", type=int, nargs="+", default=SHORT)
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    lines = [
        "| messages | asked about | way | questions | evidence | asked first | asked last | input $ | of window's |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    sources: dict[str, Callable[[int, int], Script]] = {"planted facts": planted}
    for path in sorted(args.corpora.glob("*.recall.jsonl")) if args.corpora else ():
        name = path.name.removesuffix(".recall.jsonl")
        sources[name] = partial(meetings, args.corpora, name)
    print("\n".join(lines))
    for messages in args.messages:
        for name, write in sources.items():
            lines += rows(name, messages, write)
            print("\n".join(line for line in lines if line.startswith(f"| {messages:,} | {name} |")), flush=True)
    if args.write:
        asked = " ".join(map(str, args.messages))
        write_section("evidence", f"python benchmarks/evidence.py CORPORA --messages {asked} --write", "\n".join(lines))


if __name__ == "__main__":
    main()
