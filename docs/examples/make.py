"""Makes what the project shows of a recorded debate: `make example` calls it, docs/recording.md tells when.

`make.py NAME ARGUMENTS`: the debate of `NAME-recording.jsonl`, given as the arguments of `eda debate`, is replayed
through the engine. Of `panel` the session becomes sessions/example, the tutorial's excerpt and README's picture; of
`list` and `dissent` it becomes sessions/example-NAME; of another only the report is kept, as NAME-report.md. Where
NAME-stress-recording.jsonl lies beside it, its votes are taken again by that, and the report says what the verdict
hinges on. A recording loses its prompts: a replay needs none, and they are nine tenths of the file.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import shutil
import sys
import tempfile
import textwrap
from pathlib import Path

from click.testing import CliRunner
from rich.console import Console

from eda import ActsRead, MessagePosted, Session, stress
from eda.cli import cli
from eda.cli.common import note
from eda.cli.debate import DEFAULT_PANEL, debate as command
from eda.cli.report import afterwards
from eda.cli.start import ready
from eda.cli.terminal.entries import Context
from eda.cli.terminal.live import StatusArea
from eda.cli.terminal.printers import Page
from eda.cli.terminal.style import Colours
from eda.cli.terminal.verdict import page_now
from eda.debate.replay import read_back
from eda.report.write import write_report
from eda.runners.recorded import RecordedRunner
from eda.session.fork import between, upto
from eda.session.names import EXAMPLES
from eda.words import ENGLISH

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHIPPED = ("events.jsonl", "report.md", "report.json", "report.html")
PICTURED = 16
"""The message of README's picture."""
ROWS = 6
"""Lines of the verdict in it."""
PREMISES = ("Oskar leaves in March", "Both times the cause was a migration of another team's table")
"""What `panel-stress-recording.jsonl` tries of that debate: the two figures of its file that most messages name."""
RUNS = 3
UNSHIPPED = ("prompt", "digest", "latency")
WIDTH = 100
EXCERPT = re.compile(r"(?s)<!-- example.*?<!-- end of the example -->")


def slim(recording: Path) -> None:
    """Take out of a recording what a replay does not need, and of its runner all but the kind."""
    rows = [json.loads(line) for line in recording.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["runner"] = row["runner"].partition(":")[0]
        for name in UNSHIPPED:
            row.pop(name, None)
    recording.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def play(recording: Path, name: str, folder: Path, arguments: list[str]) -> None:
    """Replay a recording into a session with its report."""
    given = dict(
        command.make_context(
            "debate", [*arguments, "--sessions", str(folder), "--runner", f"recorded:{recording}"]
        ).params
    )
    question, panel, names = given.pop("question"), given.pop("panel"), given.pop("names")
    made = ready({"question": question, "panel": panel or DEFAULT_PANEL, "personas": names}, given)
    runner = RecordedRunner(recording)
    runner.spec = f"recorded:{recording.relative_to(recording.parents[2])}"  # without this machine's folders
    shutil.rmtree(folder / name, ignore_errors=True)
    with Session.create(name, folder) as session:
        debate = made.debate(runner, session)

        async def whole() -> None:
            await debate.run()
            await afterwards(debate, note)

        asyncio.run(whole())
        if (votes := recording.with_name(f"{recording.name.partition('-')[0]}-stress-recording.jsonl")).exists():
            slim(votes)
            asyncio.run(stress(session, RecordedRunner(votes), premises=PREMISES, runs=RUNS))
            asyncio.run(write_report(session))
    for each in (folder / name).iterdir():
        if each.name not in SHIPPED:
            each.unlink()


def excerpt(shown: str, about: str) -> str:
    """Return the verdict, two messages of the discussion and the table of what `eda show example` prints."""
    parts = {part.strip().partition("\n")[0]: part for part in shown.split("\n\n")}
    talk = shown.partition("\n— discussion")[2].split("\n\n")[1:3]
    table = "\n".join(next(part for head, part in parts.items() if head.startswith("The table")).split("\n")[:8])
    blocks = (
        f"{parts['Verdict']}\n     ...\n\n{parts['How it came to this']}\n     ...",
        "\n\n".join((*talk, "     ...", f"{table}\n     ...")),
    )
    first, second = ("\n".join(wrapped(line) for line in block.split("\n")) for block in blocks)
    return (
        "<!-- example: written by `make example` -->\n"
        f"`eda show example` prints this session ({about}). It begins with the decision:\n\n"
        f"```text\n{first}\n```\n\nBelow each message stands what EDA read in it:\n\n```text\n{second}\n```\n"
        "<!-- end of the example -->"
    )


def wrapped(line: str) -> str:
    """Return a line in lines that a page has room for, indented as it is."""
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(line.strip(), WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def main(name: str, arguments: list[str], root: Path = ROOT) -> None:
    """Make the example of one recording; see the head of this file."""
    recording = root / "docs" / "examples" / f"{name}-recording.jsonl"
    slim(recording)
    if f"example-{name}" in EXAMPLES:
        play(recording, f"example-{name}", root / "sessions", arguments)
        return
    if name != "panel":
        with tempfile.TemporaryDirectory() as folder:
            play(recording, name, Path(folder), arguments)
            shutil.copy(Path(folder) / name / "report.md", recording.with_name(f"{name}-report.md"))
        return
    play(recording, "example", root / "sessions", arguments)
    shown = CliRunner().invoke(cli, ["show", "example", "--sessions", str(root / "sessions")]).stdout
    tutorial = root / "docs" / "tutorial.md"
    page = excerpt(shown, RecordedRunner(recording).about())
    tutorial.write_text(EXCERPT.sub(lambda _: page, tutorial.read_text(encoding="utf-8")), encoding="utf-8")
    (root / "docs" / "images").mkdir(exist_ok=True)
    (root / "docs" / "images" / "debate.svg").write_text(picture(root / "sessions"), encoding="utf-8")


def picture(sessions: Path) -> str:
    """Return a picture of a part of the example as a terminal shows it while it runs, and of its verdict.

    It loads no font from elsewhere.
    """
    console = Console(
        record=True, width=WIDTH, height=ROWS * 10, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    with Session.read("example", sessions) as session:
        progress, memory = read_back(session)
        seats = Colours(member.title for member in session.started().members)
        page, context = Page(console, seats), Context(session.started().settings)
        number = min(PICTURED, progress.messages)
        for fact in (each for each in between(session, number, number) if isinstance(each, MessagePosted)):
            for event in (fact, ActsRead(message=fact.number, who=fact.who, acts=memory.acts(fact.number))):
                for entry in context.entries(event):
                    page.entry(entry)
        then, table = read_back(upto(session, number))
        then.spent.seconds = 0.0  # the clock of the picture begins
        console.print(StatusArea(seats, then, table))
        page.decision({"verdict": page_now(session, progress, memory)["verdict"][:ROWS]}, ENGLISH)
    svg = console.export_svg(title="eda debate", unique_id="debate")
    return re.sub(r"(?s)@font-face \{.*?\}\s*", "", svg)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
