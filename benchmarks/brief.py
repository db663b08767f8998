"""Do decisions survive in a brief context at the end of a meeting: `python benchmarks/brief.py CORPORA_DIR [--write]`.

Each conversation is fed through memory as a user's transcript is. Scored are the messages that `Salience` ranks first,
and the text that `ConversationMemory.brief_context` gives.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import defaultdict
from pathlib import Path

from corpora import Corpus, Scorers, corpora
from counting import teach
from results import told

from eda.events import MessagePosted
from eda.memory.context.salience import Salience
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.state import TRANSCRIPT, State
from eda.transcripts.analysis import analyze
from eda.transcripts.kind import Row as Message

BUDGETS = (500, 1000, 2000)
"""Tokens: words and punctuation marks of `speaker: text`, as the corpora's scorer counts them."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_KEPT = re.compile(r"decisions kept (\S+)")


def listen(corpus: Corpus, conv: str, salience: Salience) -> None:
    minutes = Minutes(State()).begin(corpus.options.get(conv, ()), TRANSCRIPT)
    for number, row in enumerate(corpus.conversations[conv], 1):
        message = MessagePosted(number=number, who=row["speaker"], text=row["text"], topic=row.get("topic"))
        salience.hear(message, minutes.hear(message))


def best_ids(corpus: Corpus, conv: str) -> list[str]:
    salience = Salience()
    listen(corpus, conv, salience)
    return [corpus.conversations[conv][moment.number - 1]["id"] for moment in salience.best(salience.keep)]


def linked(corpus: Corpus, conv: str) -> dict[str, list[str]]:
    """The messages of each decision; a corpus that links none has one message a decision."""
    out: dict[str, list[str]] = defaultdict(list)
    for row in corpus.conversations[conv]:
        gold = corpus.gold[row["id"]]
        for decision in gold.get("dec") or ([row["id"]] if gold.get("decision") and "da" not in gold else ()):
            out[decision].append(row["id"])
    return out


def kept_by_ids(corpus: Corpus, ids: dict[str, list[str]], budget: int) -> tuple[int, int]:
    """Decisions of which a message is taken while messages fit, and all decisions."""
    kept = total = 0
    for conv, order in ids.items():
        texts = {row["id"]: f"{row['speaker']}: {row['text']}" for row in corpus.conversations[conv]}
        left, got = budget, set()
        for key in order:
            size = len(_TOKEN.findall(texts[key]))
            if size <= left:
                left -= size
                got.add(key)
        for messages in linked(corpus, conv).values():
            total += 1
            kept += not got.isdisjoint(messages)
    return kept, total


def texts(corpus: Corpus, folder: Path) -> list[str]:
    """What the scorer says of the brief context, a budget each."""
    scorers = Scorers(folder / "scorers")
    memories = {
        conv: analyze([Message.model_validate(row) for row in rows], options=corpus.options.get(conv, ()))
        for conv, rows in corpus.conversations.items()
    }
    for memory in memories.values():
        teach(memory)
    shares = []
    with tempfile.TemporaryDirectory() as work:
        for budget in BUDGETS:
            path = Path(work) / "predicted.jsonl"
            rows = [{"conv": conv, "context": m.brief_context(budget).text} for conv, m in memories.items()]
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf8")
            files = [corpus.file("gold"), corpus.file("messages"), path]
            said = scorers.run("score_brief", [*map(str, files), "--budget", str(budget)])
            shares.append(said.partition(" = ")[2].split()[0])
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    lines = [
        "| corpus | form | decisions | " + " | ".join(f"{budget} tokens" for budget in BUDGETS) + " |",
        "|---|---|---|" + "---|" * len(BUDGETS),
    ]
    for corpus in corpora(given.folder):
        total = sum(len(linked(corpus, conv)) for conv in corpus.conversations)
        if not total:
            continue
        ids = {conv: best_ids(corpus, conv) for conv in corpus.conversations}
        shares = [f"{kept / every:.3f}" for kept, every in (kept_by_ids(corpus, ids, budget) for budget in BUDGETS)]
        lines.append(f"| {corpus.name} | messages, ranked | {total} | {' | '.join(shares)} |")
        if any(row.get("dec") for row in corpus.gold.values()):
            lines.append(f"| {corpus.name} | brief context | {total} | {' | '.join(texts(corpus, given.folder))} |")
    body = "\n".join(lines)
    told("brief", "python benchmarks/brief.py CORPORA_DIR --write", body, write=given.write)


if __name__ == "__main__":
    main()
