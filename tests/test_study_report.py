"""The report of a study, its notebook and its page in the documentation: what a researcher reads and can check."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from started import PLAIN, on_terminal

from eda.cli import cli
from eda.study import Study, words
from eda.study.cells import plan_of
from eda.study.effects import Pair
from eda.study.page import figure, page
from eda.study.status import CellState, Status, failure, note_cell
from eda.study.study import Results

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "study.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", GUIDE, re.DOTALL)
EVIL = "<script>alert(1)</script>"
FILE = """
name = "small"
tasks = "tasks.jsonl"
seeds = 2
[fixed]
personas = ["sceptic", "historian", "economist"]
runner = "player"
skill = 0.8
conformity = 0.3
max_messages = 3
[factors]
floor = ["round-robin", "bidding"]
seats = {permute = 2}
[arms]
talk = {}
"<b>alone</b>" = {exchange = "none"}
[[hypotheses]]
measure = "accuracy"
contrast = ["talk", "<b>alone</b>"]
smallest = 0.1
[[hypotheses]]
measure = "sharing"
contrast = ["floor=bidding", "floor=round-robin"]
"""


SEEDS = int(os.environ.get("GUIDE_SEEDS", "2"))
"""Seeds of the study of the page: 30 there, and in `make test-study`; fewer find no effect, and find it sooner. With
fewer, one of the formats stands for all that the shell's loop has."""
_FOUND = re.compile(r": (?:differs|covers 0: this study cannot tell|smaller than .*)$", re.MULTILINE)


def eda(*args: str) -> Result:
    return CliRunner().invoke(cli, ["study", *args], prog_name="eda", catch_exceptions=False)


def shown(command: str) -> str:
    """What the program prints, both streams as they come."""
    done = CliRunner().invoke(cli, shlex.split(command)[1:], prog_name="eda", catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return str(done.output)


def as_printed(expected: str) -> str:
    """A pattern of the output on a page: `...` is what it leaves out; the next version may find other numbers."""
    plain = re.escape(masked(expected))
    return plain.replace(re.escape("...\n"), "(?:.*\n)+?").replace(re.escape("..."), ".*")


def masked(output: str) -> str:
    """The output without its numbers, and with fewer seeds without what they show."""
    output = re.sub(r"[+−]?\d[\d,.]*\b", "0", output)
    return output if SEEDS == 30 else _FOUND.sub(": found", output)


def execute(notebook: Path) -> list[str]:
    """Run the code cells as a kernel does, and return what the last line of each shows as HTML."""
    found, space = [], {}
    for cell in json.loads(notebook.read_bytes())["cells"]:
        if cell["cell_type"] == "code":
            tree = ast.parse(cell["source"])
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "cell", "exec"), space)  # noqa: S102 - the notebook's own
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), space) if last else None  # noqa: S307
            found += [value._repr_html_()] if hasattr(value, "_repr_html_") else []
    return found


def figures_in(html: str) -> list[str]:
    """The drawings, without their links."""
    return re.findall(r"<svg.*?</svg>", re.sub(r"</?a\b[^>]*>", "", html), re.DOTALL)


@pytest.fixture(scope="module")
def guided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[tuple[str, str, str]]]]:
    """A folder in which all that the page says was done, and each command with what it should print and printed."""
    here, printed = tmp_path_factory.mktemp("guide"), []
    with chdir(here), pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(here / "data"))
        for kind, block in BLOCKS:
            if kind == "toml":
                Path(block.split()[1]).write_text(block.replace("seeds = 30", f"seeds = {SEEDS}"))
            elif kind == "console":
                for part in block.split("$ ")[1:]:
                    command, _, expected = part.partition("\n")
                    printed.append((command, expected, shown(command)))
            elif kind == "python":
                code = compile(block, "study.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
                made = eval(code, {})  # noqa: S307 - the page's own
                if inspect.iscoroutine(made):
                    asyncio.run(made)
        yield here, printed


@pytest.mark.long
def test_the_guide_runs_word_for_word(guided: tuple[Path, list[tuple[str, str, str]]]) -> None:
    """A researcher who copies a line that is no longer true trusts no other line."""
    here, printed = guided
    for kind, block in BLOCKS:
        if kind == "sh":
            path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            fewer = block if SEEDS == 30 else block.replace("in panel delphi oxford", "in oxford")
            assert "in panel delphi oxford" in block
            subprocess.run(["bash", "-ec", fewer], check=True, cwd=here, env={**os.environ, "PATH": path})
    for command, expected, output in printed:
        assert re.fullmatch(as_printed(expected), masked(output)), f"{command}\n{output}"
    assert {kind for kind, _ in BLOCKS} == {"toml", "console", "python", "sh"}
    debate = json.loads((here / "oxford.json").read_text())
    assert (debate["format"], debate["seed"]) == ("oxford", 1)
    assert "differs" in debate["helped"]


def test_the_notebook_makes_the_figures_of_the_page(
    guided: tuple[Path, list[tuple[str, str, str]]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A figure that only the program can make is one that no reviewer can check."""
    out = guided[0] / "ways"
    monkeypatch.chdir(out)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (drawn,) = execute(out / "report.ipynb")
    assert figures_in(drawn) == figures_in((out / "report.html").read_text())
    assert drawn.count("<circle") == SEEDS  # a dot a task
    (frozen, _), printed = (
        [line for _, _, line in guided[1] if line.startswith("accuracy, talk")][:2],
        capsys.readouterr(),
    )
    assert frozen.strip() in printed.out
    assert "reask" in printed.out


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with hostile names, of which a cell failed and another was never begun."""
    here = tmp_path_factory.mktemp("small")
    rows = [
        {"id": f"{EVIL}{n}", "question": f"Which way? {EVIL}{n}", "options": ["North", "South"], "answer": "South"}
        for n in range(2)
    ]
    (here / "tasks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (here / "small.toml").write_text(FILE)
    study = Study.load(here / "small.toml")
    asyncio.run(study.run())
    lost, failed, *_ = plan_of(study).cells
    for cell in (lost, failed):
        shutil.rmtree(study.out() / "cells" / cell)
    note_cell(study.out(), failure(study.out(), failed, ValueError(f"the wire is cut {EVIL}")))
    return here


class _Links(HTMLParser):
    """The links of a page, its anchors and its tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        self.anchors += [value or "" for name, value in attrs if name == "id"]


def test_every_number_leads_to_its_sessions(small: Path) -> None:
    """A number that cannot be followed to what it comes from has to be believed."""
    assert eda("report", str(small / "small.toml")).exit_code == 0
    found = _Links((small / "small" / "report.html").read_text())
    inner = [link[1:] for link in found.links if link.startswith("#")]
    assert len(set(found.anchors)) == len(found.anchors)
    assert set(inner) <= set(found.anchors)
    plan = plan_of(Study.load(small / "small.toml"))
    logs = {link for link in found.links if not link.startswith("#")}
    assert logs == {f"cells/{cell}/events.jsonl" for cell in plan.cells}
    assert sum((small / "small" / log).exists() for log in logs) == len(plan.cells) - 2
    _, failed, *rest = plan.cells
    assert f"c{failed}" in inner  # named where the flow tells of failures
    assert {f"c{cell}" for cell in rest} & set(inner)


def test_a_page_elsewhere_still_finds_the_sessions(small: Path, tmp_path: Path) -> None:
    """A link that holds only in one folder is dead where the page is read."""
    assert eda("report", str(small / "small.toml"), "--file", str(tmp_path / "page.html")).exit_code == 0
    logs = [link for link in _Links((tmp_path / "page.html").read_text()).links if not link.startswith("#")]
    assert sum((tmp_path / log).exists() for log in logs) == len(logs) - 2


def test_the_page_needs_nothing_and_holds_no_foreign_markup(small: Path) -> None:
    """A task from the web must not run a script in the report on it."""
    study = Study.load(small / "small.toml")
    html = page(Results(plan_of(study), study.out()), study.out())
    found = _Links(html)
    assert not found.tags & {"script", "img", "link", "iframe", "object"}
    assert EVIL not in html
    assert "<b>alone" not in html
    assert "://" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "14 of 16 cells" in html
    assert "1 failed: ValueError: the wire is cut &lt;script&gt;" in html
    assert "1 not begun" in html
    assert "2 of 16 cells have no result" in html
    assert "Nothing is known yet of sharing" in html  # no task has facts of its own


def test_text_can_be_read_in_both_themes() -> None:
    """A contrast below 4.5 to 1 is lost on who sees less."""

    def light(colour: str) -> float:
        shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        parts = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    style = (files("eda.study") / "report.html.j2").read_text()
    themes = re.findall(r"--ground:(#\w{6});--surface:(#\w{6});--line:#\w{6};--ink:(#\w{6});\s*--quiet:(#\w{6})", style)
    assert len(themes) == 2
    for ground, surface, *texts in themes:
        for text in texts:
            for below in (ground, surface):
                low, high = sorted((light(text), light(below)))
                assert (high + 0.05) / (low + 0.05) >= 4.5


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "differs"),
        ({"low": -0.1}, "covers 0: this study cannot tell"),
        ({"low": -0.1, "estimate": 0.0, "high": 0.1, "equivalent": 0.01}, "smaller than 0.2 either way"),
        ({"low": 0.01, "high": 0.1, "equivalent": 0.01}, "differs from 0, and is smaller"),
        ({"p_holm": 0.06}, "the test does not bear it out (p = 0.06): this study cannot tell"),
        ({"estimate": None}, "no pairs yet"),
    ],
)
def test_a_finding_says_no_more_than_the_interval(changed: dict[str, Any], said: str) -> None:
    """What an interval that covers 0 is called decides what is believed of it."""
    row = {
        "measure": "accuracy", "contrast": ["talk", "reask"], "estimate": 0.3, "low": 0.1, "high": 0.5, "pairs": 9,
        "clusters": 3, "pooled": 0.3, "method": "t", "p": 0.01, "p_holm": 0.02, "equivalent": 0.9, "detectable": 0.2,
        "alpha": 0.05, "smallest": 0.2, "frozen": True, "unpaired": 0, "if_failed": None, "mixed": None,
    } | changed  # fmt: skip
    assert said in words.finding(row)
    sure = "differs" in said
    assert sure == any(word in words.answer(row) for word in ("higher", "lower", "differs from 0"))
    assert said in words.claims(row)


def test_a_great_study_has_a_figure_too(small: Path) -> None:
    """A thousand dots in one pile would be a line as tall as a page."""
    row = {"estimate": 0.0, "low": -0.1, "high": 0.1, "smallest": None, "measure": "gini", "contrast": ["a", "b"]}
    many = [Pair(str(n), float(n % 2), 0.0, ((), ())) for n in range(1000)]
    assert "<circle" not in figure(row, many)
    assert figure(row, many).count("<rect") == 1 + 2  # the estimate, and a bar for each value
    assert figure(row, many[:20]).count("<circle") == 20


def test_the_table_names_what_is_wrong(small: Path) -> None:
    """A newcomer has to find the names, and what to write instead."""
    file = str(small / "small.toml")
    listed = json.loads(eda("measures", "--json").stdout)
    assert {"accuracy", "outcome_changed", "conformity", "gini"} <= {each["name"] for each in listed}
    assert "accuracy\t" in eda("measures").stdout
    asked = ("--measure", "gini", "--contrast", "talk")
    for args, code, said in (
        (("--contrast", "talk", "reask"), 2, "--measure and --contrast go together"),
        (("--measure", "ginni", "--contrast", "talk", "<b>alone</b>"), 2, "Did you mean gini?"),
        ((*asked, "alone"), 2, "unknown arm 'alone'"),
        ((*asked, "<b>alone</b>", "--format", "csv"), 2, "--format writes every table"),
    ):
        refused = eda("table", file, *args)
        assert (refused.exit_code, said in refused.output) == (code, True), refused.output
    found = json.loads(eda("table", file, *asked, "<b>alone</b>", "--json").stdout)["effects"]
    assert [(row["measure"], row["frozen"]) for row in found] == [
        ("accuracy", True),
        ("sharing", True),
        ("gini", False),
    ]
    assert {row["measure"] for row in json.loads(eda("table", file, "--measure", "gini", "--json").stdout)} == {"gini"}
    done = eda("table", file, *asked, "<b>alone</b>")
    assert "gini, talk minus <b>alone</b> (exploratory): " in done.stdout
    assert "2 of 16 cells have no result" in done.stderr
    again = eda("table", file, "--format", "json", "--json")
    assert all(Path(path).exists() for path in json.loads(again.stdout)["files"])


@pytest.mark.long
def test_a_terminal_shows_a_table_and_a_live_line(small: Path, tmp_path: Path) -> None:
    """Somebody who waits for an hour looks at one line."""
    (small / "few.toml").write_text(FILE.replace("seeds = 2", "seeds = 12").replace("seats = {permute = 2}", ""))
    file = str(small / "few.toml")
    with on_terminal(tmp_path, "study", "run", file, "--out", "anew", script=PLAIN) as terminal:
        assert terminal.end() == 0
        assert re.search(r"\d of 96 cells done, .*; .* left", terminal.shown)
        assert " ".join(terminal.shown.split()).endswith("`eda study report`")  # wherever a long path breaks the line
    with on_terminal(tmp_path, "study", "table", file, "--out", "anew", script=PLAIN) as terminal:
        assert terminal.end() == 0
        assert "accuracy, talk minus" in terminal.shown


def test_a_notebook_shows_how_far_a_run_has_come(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A cell that says nothing for an hour is taken for one that hangs; a script asked for nothing."""
    study = Study.load(small / "small.toml")
    asyncio.run(study.run(tmp_path))
    assert capsys.readouterr().out == ""
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    found = asyncio.run(study.run(tmp_path))
    assert "16 of 16 cells done; $0.00" in capsys.readouterr().out
    assert repr(study) == "<Study small: 2 seeds, arms talk, <b>alone</b>>"
    assert repr(found).startswith("<Status: 16 of 16 cells done; $0.00, ")


def test_money_that_nobody_knows_is_not_nothing() -> None:
    """`$0.00` beside a bill of a hundred dollars is a lie."""
    cells = {"a": CellState("a", "ended", unpriced_calls=7), "b": CellState("b")}
    status = Status(cells, (0.0, 900))
    assert str(status) == "1 of 2 cells done, 1 absent; 7 calls not priced, 900 tokens"
    assert repr(Status(cells, (0.0, 900), "no answer")) == f"<Status: {status}; paused: no answer>"
