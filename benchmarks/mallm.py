"""Multiple choice by MALLM and by `eda study run`, at equal calls: `python benchmarks/mallm.py PYTHON [CELLS ...]`.

Both ask one server on loopback, which answers at once; its own time is not counted. Three members without roles, eight
discussions side by side. MALLM: its `memory` paradigm, three turns, each a message and the solution taken out of it,
then three final answers and three votes: 24 calls. EDA: three votes, 18 messages, three votes: 24 calls, so that it
says and hears twice as much.

PYTHON is that of an environment with `datasets<3 huggingface-hub==0.23.0 langchain<0.2 openai<2 pandas<3 pyarrow<18
rich<14 json-repair<0.26 scikit-learn fire`, and then `pip install --no-deps mallm==1.0.5`. As it stands MALLM does not
run without network: its scheduler imports `contextplus`, which loads facebook/bart-large-cnn from a hub when it is
imported, and makes two SentenceTransformers, whether or not they are asked for. This task asks none of them, so they,
torch and the scoring of answers afterwards are replaced by stand-ins, which costs MALLM less. All else is its own.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from answering import asked_for
from fake_anthropic import Say
from fake_chat import FakeChat

RUNS = 3
CALLS = 24
OPTIONS = ("Go", "Wait", "Stay", "Ask")
STUDY = """
name = "speed"
tasks = "tasks.jsonl"
seeds = 1
[fixed]
personas = ["sceptic", "historian", "economist"]
runner = "local:{url}#m"
format = "mallm-memory"
terms = false
fixed_options = true
summariser = "extractive"
max_messages = 18
[arms]
talk = {{}}
"""
MALLM = """
import sys, datasets, sklearn.metrics.pairwise
from unittest.mock import MagicMock
for name in "contextplus mallm.evaluation.evaluator sentence_transformers sentence_transformers.util torch".split():
    sys.modules[name] = MagicMock()
from mallm import scheduler
scheduler.Scheduler(scheduler.Config(
    "tasks.json", "out.json", "Answer the multiple-choice question.", endpoint_url=sys.argv[1], model_name="m",
    discussion_paradigm="memory", decision_protocol="simple_voting", agent_generator="nopersona", num_agents=3,
    use_chain_of_thought=False, concurrent_api_requests=8)).run()
"""


def answer(body: dict[str, Any]) -> Say:
    """Return a vote where one is asked for, else a sentence that nobody has said: both engines can read it."""
    if "choice" in asked_for(body):
        return Say(json.dumps({"choice": OPTIONS[0], "reason": "It weighs more."}))
    draw = random.Random(hashlib.sha256(json.dumps(body["messages"]).encode()).hexdigest())
    words = ["".join(draw.choices("abcdefghilmnoprstu", k=6)) for _ in range(12)]
    return Say(f"I agree, as {' '.join(words)} speaks for option 0 of the four.\n[POSITION] Go.")


def run(command: list[str], folder: Path, cells: int, fake: FakeChat) -> tuple[float, float, float]:
    """Return the seconds of the processor and of the clock of a command, and the peak of its memory in MB."""
    fake.requests.clear()
    began = time.perf_counter()
    with (folder / "out.txt").open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=out)  # noqa: S603 - ours
        _, status, used = os.wait4(process.pid, 0)
    if status or len(fake.requests) != CALLS * cells:
        raise SystemExit(f"{len(fake.requests)} calls for {cells} cells: {(folder / 'out.txt').read_text()[-2000:]}")
    return used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss / 1024


def main() -> None:
    """Print a row for each number of cells."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", help="of the environment that has MALLM")
    parser.add_argument("cells", type=int, nargs="*", default=[50, 200])
    args = parser.parse_args()
    print("| cells | of | processor s | cells a processor hour | of MALLM's | clock s | peak MB |")
    print("|---|---|---|---|---|---|---|")
    with FakeChat("vllm") as fake:
        fake.answer = answer
        for cells in args.cells:
            found: dict[str, list[tuple[float, float, float]]] = {"MALLM 1.0.5": [], "EDA": []}
            for _ in range(RUNS):
                for name, runs in found.items():
                    with tempfile.TemporaryDirectory() as made:
                        runs.append(_one(name, Path(made), cells, fake, args.python))
            theirs = [runs[0] for runs in found["MALLM 1.0.5"]]
            for name, runs in found.items():
                busy, clock, peak = (statistics.median(column) for column in zip(*runs, strict=True))
                ratio = statistics.median(a / b[0] for a, b in zip(theirs, runs, strict=True))
                row = f"{busy:.1f} | {3600 * cells / busy:,.0f} | {ratio:.2f} | {clock:.1f} | {peak:.0f}"
                print(f"| {cells} | {name} | {row} |", flush=True)


def _one(name: str, folder: Path, cells: int, fake: FakeChat, python: str) -> tuple[float, float, float]:
    """Run so many cells by one of the two, in a folder of its own."""
    os.environ["XDG_DATA_HOME"] = str(folder / "data")  # a benchmark is none of the user's studies
    asked = [f"Question {number}: which of the four is right here?" for number in range(cells)]
    if name == "EDA":
        tasks = [{"id": f"q{n}", "question": text, "options": OPTIONS, "answer": "Go"} for n, text in enumerate(asked)]
        (folder / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks))
        (folder / "speed.toml").write_text(STUDY.format(url=fake.base))
        return run(
            [sys.executable, "-m", "eda", "study", "run", "speed.toml", "--allow", fake.base], folder, cells, fake
        )
    listed = "".join(f"\n{letter}) {option}" for letter, option in zip("ABCD", OPTIONS, strict=True))
    tasks = [
        {"example_id": f"q{n}", "dataset_id": None, "inputs": [text + listed], "context": None, "references": ["A) Go"]}
        for n, text in enumerate(asked)
    ]
    (folder / "tasks.json").write_text(json.dumps(tasks))
    return run([str(Path(python).absolute()), "-c", MALLM, fake.base], folder, cells, fake)


if __name__ == "__main__":
    main()
