"""A debate in a notebook: cards, the live display, rows, and the notebooks of `examples/` in a real kernel."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from told import Told

from eda import BallotCast, Debate, MessagePosted, Session, Settings, StanceTaken, TextStreamed, VerdictReached
from eda.bus import MessageBus
from eda.events.outcome import Undecided
from eda.session.frames import verdict_card
from eda.words import ENGLISH

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.ipynb"))
PAGE = re.findall(
    r"```python\n(.*?)```", (EXAMPLES[0].parent.parent / "docs" / "notebook.md").read_text("utf-8"), re.DOTALL
)
MARKUP = '<img src=x onerror="alert(1)">'
OPTIONS = ["Ship", "Wait"]
SHORT = Settings(max_messages=6)
WATCHED = """
import asyncio
from collections import Counter
from eda import Debate, Settings
from eda.runners.protocol import Reply
from eda.runners.simulated.runner import SimulatedRunner

class Halting(SimulatedRunner):
    async def run(self, prompt, on_text=None):
        reply = await super().run(prompt)
        if on_text:
            on_text("half a <b>sentence\\n")
            while not any("half a &lt;b&gt;sentence" in page for page in pages):
                await asyncio.sleep(0.01)
        return reply

def debate(**more):
    return Debate("Ship?", ["sceptic", "historian"], Halting(), options=["Yes", "No"], settings=SHORT, **more)

def sent(message):
    kinds[message["header"]["msg_type"]] += 1
    pages.append(message["content"]["data"].get("text/html", ""))
    return message

SHORT, pages, kinds = Settings(max_messages=6), [], Counter()
get_ipython().display_pub.register_hook(sent)
await debate().run()
print(kinds["display_data"], kinds["update_display_data"] > 1, "is writing" in pages[-1], "Messages" in pages[-1])
await asyncio.gather(debate(seed=3).run(), debate(seed=4).run())
print(kinds["display_data"])
before = sum(kinds.values())
await debate(seed=5).run(show=False)
print(sum(kinds.values()) - before)
"""


def shown(cell: Any) -> list[Any]:
    """What a cell shows, without what differs from run to run."""
    return [(output.get("data"), output.get("text")) for output in cell.get("outputs", [])]


def test_the_notebooks_show_what_they_show_when_they_are_run(tmp_path: Path) -> None:
    """Whoever runs an example would see another debate than the one it tells of, or an error.

    One kernel runs both, the page on notebooks, and debates whose every display is counted: one place each.
    """
    stored = [nbformat.read(file, as_version=4) for file in EXAMPLES]
    assert [file.stem for file in EXAMPLES] == ["first_debate", "resume_and_fork"]
    code = [cell for book in stored for cell in book.cells if cell.cell_type == "code"]
    cells = [nbformat.v4.new_code_cell(source) for source in (*(cell.source for cell in code), *PAGE, WATCHED)]
    file = tmp_path / "all.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), file)
    own = {"IPYTHONDIR": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    run = [Path(sys.executable).parent / "jupyter-execute", "--inplace", "--KernelManager.transport=ipc", file]
    done = subprocess.run(run, check=False, env={**os.environ, **own}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    book = nbformat.read(file, as_version=4)
    expected = [shown(cell) for cell in code]
    assert [shown(cell) for cell in book.cells[: len(code)]] == expected
    assert len(PAGE) == len([cell for cell in book.cells[len(code) : -1] if cell.outputs])
    assert any("Put another text first" in json.dumps(each) for each in expected)
    printed = [output.text for output in book.cells[-1].outputs if output.output_type == "stream"]
    assert "".join(printed).split("\n") == ["1 True False True", "3", "0", ""]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_a_stored_notebook_is_small_and_names_no_machine(file: Path) -> None:
    """Its outputs are read on the project's page; they must not carry a folder of whoever ran it."""
    text = file.read_text("utf-8")
    assert len(text) < 50_000
    assert not re.search(r"/(?:home|root|tmp|work|Users)/", text)
    assert "simulated" in text


def hostile() -> Session:
    session = Session.in_memory()
    Told(session, question=f"Shall we? {MARKUP}").votes()
    return session


async def finished() -> Debate:
    debate = Debate(f"Ship? {MARKUP}", ["sceptic", "historian"], options=["Ship", MARKUP], settings=SHORT)
    await debate.run()
    return debate


OBJECTS: dict[str, Callable[[Debate], Any]] = {
    "Debate": lambda debate: debate,
    "Session": lambda debate: debate.session,
    "ConversationMemory": lambda debate: debate.memory,
}


@pytest.mark.parametrize("name", OBJECTS)
async def test_markup_is_shown_as_text_and_a_repr_is_one_line(name: str) -> None:
    """A notebook runs what is in a cell's output: a model's text must not be that."""
    thing = OBJECTS[name](await finished())
    page, line = thing._repr_html_(), repr(thing)
    assert "<img" not in page
    assert "&lt;img" in page
    assert "color" not in page  # the theme's own
    assert line.startswith(f"<{name} ")
    assert "\n" not in line
    assert len(line) < 200


async def test_a_result_has_its_ballots_and_stances_and_can_be_read_after_the_session_was_closed(
    tmp_path: Path,
) -> None:
    with Session.create("closed", tmp_path) as session:
        debate = Debate("Ship?", ["sceptic", "historian"], options=OPTIONS, settings=SHORT, session=session)
        result = await debate.run()
    page = result._repr_html_()
    for head in ("Choice", "Member", "First ballot", "Ballot", "Voter", "Moved by"):
        assert f">{head}</th>" in page
    assert "session closed" in page
    assert repr(result).startswith("<Result ")
    assert result.frames() == debate.frames() == session.frames()


def test_a_text_that_turns_the_reading_direction_turns_nothing_else() -> None:
    page = Debate("Ship \x1b[31m\u202e?", ["sceptic", "historian"])._repr_html_()
    assert "\x1b" not in page
    assert page.startswith("<div><p><strong>Ship \u202e?</strong></p>")  # a paragraph of its own ends it
    assert "<bdi>not begun</bdi>" in page


async def test_frames_have_a_row_for_each_fact() -> None:
    """A study would count other votes than the debate did."""
    settings = Settings(max_messages=6, consensus=1.0, poll_every=2)
    debate = Debate("Ship?", ["sceptic", "historian", "economist"], options=OPTIONS, settings=settings)
    await debate.run()
    facts, rows = list(debate.session.events()), debate.frames()
    said = [fact for fact in facts if isinstance(fact, MessagePosted)]
    assert [(row["number"], row["who"], row["talk"]) for row in rows["messages"]] == [
        (fact.number, fact.who, fact.talk) for fact in said
    ]
    cast = [fact for fact in facts if isinstance(fact, BallotCast)]
    assert [(row["agent"], row["choice"], row["first"]) for row in rows["ballots"]] == [
        (fact.ballot.agent, fact.ballot.choice, fact.first) for fact in cast
    ]
    polled = [fact for fact in facts if isinstance(fact, StanceTaken)]
    assert polled
    assert len(rows["stances"]) == len(polled) + len(cast)
    assert {row["asked"] for row in rows["stances"]} >= {"first ballot", "poll 1", "ballot"}
    last = [row for row in rows["stances"] if row["asked"] == "ballot"]
    assert {row["after"] for row in last} == {said[-1].number}
    assert len({tuple(row) for row in rows["stances"]}) == 1  # the same columns in each row


def test_a_verdict_of_nothing_says_so() -> None:
    verdict = VerdictReached(rule="majority", outcome=None, tally={"none": ("Ann",)}, note=Undecided("no quorum"))
    assert repr(verdict) == "<VerdictReached no verdict: no quorum, majority>"
    assert "<strong>No verdict</strong>" in verdict_card(verdict, ENGLISH)
    assert ">None of these</th>" in verdict_card(verdict, ENGLISH)


def test_help_explains_every_parameter() -> None:
    """`help(Debate)` is what a notebook's user asks first."""
    for made in (Debate.__init__, Debate.resume):
        told = inspect.getdoc(made) or ""
        for name in [*inspect.signature(made).parameters][1:] if made is Debate.__init__ else ["session", "runner"]:
            assert re.search(rf"^    {name}: .+", told, re.MULTILINE), name


async def test_a_stream_has_text_before_the_message_that_it_became() -> None:
    """A page would put the beginning of a message below its end."""
    bus = MessageBus()
    told = bus.stream(also=TextStreamed)
    bus.publish(MessagePosted(number=1, who="Ann", text="One."))
    seen = [await anext(told)]
    bus.announce(TextStreamed(agent="Ben", text="Tw"))
    bus.announce(TextStreamed(agent="Ben", text="o."))
    bus.publish(MessagePosted(number=2, who="Ben", text="Two."))
    bus.announce(TextStreamed(agent="Ann", text="Th"))
    await bus.close()
    seen += [event async for event in told]
    assert [getattr(event, "number", None) or event.text for event in seen] == [1, "Tw", "o.", 2, "Th"]
    assert [event async for event in bus.stream(after=1, also=TextStreamed)] == seen[3:4]
