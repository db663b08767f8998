"""Words of a late turn's prompt and of a ballot's, by part: `python benchmarks/prompt_words.py [RECORDING] [--print]`.

The debate of the shipped example is replayed, and its last turn of the discussion and its last ballot are measured.
`--print` shows both prompts whole.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from eda import Session
from eda.cli.debate import debate as command
from eda.cli.start import ready
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.recorded import RecordedRunner

ROOT = Path(__file__).resolve().parent.parent
RECORDING = ROOT / "docs/examples/panel-recording.jsonl"
EXAMPLE = [
    *("Should we move the billing service out of the monolith this quarter?", "--panel", "architecture-review"),
    *("--option", "Move it this quarter", "--option", "Wait a quarter and fix the test suite first"),
    *("--context", str(ROOT / "docs/examples/billing.md"), "--max-messages", "20", "--seed", "3"),
    *("--runner", f"recorded:{RECORDING}"),
]
HEADS = {
    "The question": "question and panel",
    "Context file": "context files",
    "The table": "table",
    "Earlier": "summaries",
    "Notes": "notes",
    "Recent messages": "transcript",
    "Said earlier": "recalled",
    "Your last position": "position",
    "Who you are": "persona",
    "How you vote": "rules of the vote",
    "The ballot": "texts of the vote",
    "Your turn": "task",
    "Put s": "put since the table",
    "Asked after": "prices",
}


class Listening(RecordedRunner):
    """Replays a recording, and keeps the prompts."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.prompts: list[Prompt] = []

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Reply as recorded."""
        self.prompts.append(prompt)
        _ = prompt.text  # as it stands now
        return await super().run(prompt, on_text)


def parts(prompt: Prompt) -> Iterator[tuple[str, str]]:
    """Yield the parts of a prompt by name; a paragraph without a head belongs to the part before it."""
    yield "house rules", prompt.system
    for block in (*prompt.shared, *prompt.held, *prompt.own.split("\n\n")):
        name = next((name for head, name in HEADS.items() if block.lstrip("# ").startswith(head)), "")
        yield name, block


def main() -> None:
    """Print the words of both prompts, by part."""
    read = argparse.ArgumentParser(description=__doc__)
    read.add_argument("recording", nargs="?", type=Path, default=RECORDING)
    read.add_argument("--print", action="store_true")
    told = read.parse_args()
    given = dict(command.make_context("debate", list(EXAMPLE)).params)
    question, panel, names = given.pop("question"), given.pop("panel"), given.pop("names")
    made = ready({"question": question, "panel": panel, "personas": names}, given)
    runner = Listening(told.recording)
    with tempfile.TemporaryDirectory() as folder, Session.create("words", Path(folder)) as session:
        asyncio.run(made.debate(runner, session).run())
    for what, purpose, stage in (("late turn", "speak", "discussion"), ("ballot", "ballot", "")):
        prompt = [each for each in runner.prompts if each.purpose == purpose and stage in ("", each.stage)][-1]
        words, name = Counter[str](), "transcript"
        for part, text in parts(prompt):
            name = part or name
            words[name] += len(text.split())
        print(f"{what} ({prompt.agent}, after m{prompt.last}): {words.total()} words")
        print("\n".join(f"  {name}: {count}" for name, count in words.items()))
        if told.print:
            print(prompt.text)


if __name__ == "__main__":
    main()
