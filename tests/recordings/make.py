"""Makes the recordings anew: `python tests/recordings/make.py`. After a change of prompts that was meant.

The sessions are real ones: the SDK asks the fake server over HTTP. Of each, `NAME.jsonl` keeps the calls and
`NAME.log.jsonl` the facts, but for times and checksums. What is written is the same each time.

`german.jsonl` has the calls of a debate in German, made on the command line, without their prompts.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from answering import answered, asked_for, first_fails, own_words  # noqa: E402 - it lies beside this folder
from click.testing import CliRunner  # noqa: E402 - same
from fake_anthropic import Fail, Say  # noqa: E402 - same
from fake_chat import FakeServer, local_runner  # noqa: E402 - same
from german_panel import ARGUMENTS, CALLS, Gremium  # noqa: E402 - same

from eda import Debate, Session, Settings, TextStreamed  # noqa: E402 - same
from eda.cli import cli  # noqa: E402 - same
from eda.panels.persona import Persona  # noqa: E402 - same
from eda.runners.messages_api.anthropic import AnthropicRunner  # noqa: E402 - same
from eda.runners.protocol import Runner, close_runner  # noqa: E402 - same
from eda.runners.recorded import RecordingRunner  # noqa: E402 - same

NAMES = ("claude", "local")
KEY = "sk-ant-not-a-key-4711"
DAY = "2026-01-05"  # what members are told, whenever it is made
MEMBERS = tuple(
    Persona(name=title.lower(), title=title, role=role, description=role, instruction=f"You weigh what is {word}.")
    for title, role, word in (
        ("Ruth", "sceptic", "unproven"),
        ("Walter", "historian", "old"),
        ("Maya", "engineer", "simple"),
    )
)


def debate(name: str, runner: Runner | str, session: Session, members: tuple[Persona, ...] = MEMBERS) -> Debate:
    """The debate that was recorded under this name."""
    limits = {"claude": {"max_messages": 14, "summary_every": 4}, "local": {"max_messages": 9, "summary_every": 20}}
    settings = Settings(
        full_budget=1500, brief_budget=300, bids="together" if name == "claude" else "each", **limits[name]
    )
    return Debate("Shall we go?", members, runner, options=("Go", "Wait"), settings=settings, seed=7, session=session)


def facts(session: Session) -> list[str]:
    """The log's lines, but for times and checksums, and but for the runner: a replay's is the recording."""
    rows = [json.loads(line) for line in (Path(session.folder or "") / "events.jsonl").read_text().splitlines()]
    for row in rows:
        for field in ("at", "chain", "crc", "runner"):
            row.pop(field, None)
    return [json.dumps(row, ensure_ascii=False) for row in rows]


def recorded(name: str, fake: FakeServer) -> Runner:
    """The runner that is recorded; the server answers it, each after its kind."""
    if name == "claude":
        stormy = first_fails(Say("Half a thou", then="drop"))
        refused = iter([Say("I can", stop="refusal")])  # paid for, and a turn that failed

        def claude(body: dict[str, Any]) -> Say | Fail:
            if asked_for(body):
                return stormy(body)
            late = "m6" in str(body) and "You are Walter," in own_words(body)
            return next(refused, None) or answered(body) if late else answered(body)

        fake.answer = claude
        return AnthropicRunner(api_key=KEY, base_url=fake.url, sleep=_no_time)
    clumsy = first_fails(Say("I think {so}.", usage=None))
    fake.models = ["tiny"]
    again = "Your answer was not taken"
    fake.answer = lambda body: clumsy(body) if asked_for(body) and again not in own_words(body) else answered(body)
    return local_runner(fake.url, sleep=_no_time)


async def _no_time(_: float) -> None:
    return


def make(name: str, folder: Path) -> None:
    """Run the session, and write what is kept of it."""
    calls = folder / "calls.jsonl"
    with FakeServer() as fake, Session.create(name, folder) as session:
        runner = RecordingRunner(recorded(name, fake), calls)
        runner.day = DAY
        runner.deterministic = True  # the server is: so a summary has its place in the log, here and in a replay
        of = debate(name, runner, session)
        of.on(TextStreamed)(lambda _: None)

        async def once() -> None:
            await of.run()
            await close_runner(runner)

        asyncio.run(once())
        (HERE / f"{name}.log.jsonl").write_text("".join(f"{line}\n" for line in facts(session)))
    rows = [json.loads(line) for line in calls.read_text().splitlines()]
    for row in rows:
        row.pop("latency", None)
        row["runner"] = row["runner"].replace(fake.url, "http://127.0.0.1:8080")
    rows.sort(key=lambda row: row["key"])  # what is asked side by side is answered in any order
    (HERE / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def make_german(folder: Path) -> None:
    """Record the debate in German as it is asked on the command line; prompts are left out."""
    with FakeServer() as fake:
        fake.answer = Gremium()
        fake.models = ["tiny"]
        given = ("--runner", f"local:{fake.url}#tiny", "--record", "--session", "german", "--sessions", str(folder))
        ran = CliRunner().invoke(cli, [*ARGUMENTS, *given])
    assert ran.exit_code == 0, ran.output
    rows = [json.loads(line) for line in (folder / "german" / "calls.jsonl").read_text().splitlines()]
    kept = [{key: row[key] for key in row if key not in ("latency", "prompt", "digest")} for row in rows]
    for row in kept:
        row["runner"] = row["runner"].replace(fake.url, "http://127.0.0.1:8080")
    kept.sort(key=lambda row: row["key"])
    CALLS.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in kept), encoding="utf-8")


if __name__ == "__main__":
    for made in NAMES:
        with tempfile.TemporaryDirectory() as temporary:
            make(made, Path(temporary))
    with tempfile.TemporaryDirectory() as temporary:
        make_german(Path(temporary))
