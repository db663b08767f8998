"""Context files that are too long for a prompt: what is said is what is looked up in them."""

from __future__ import annotations

import random
from pathlib import Path

from click.testing import CliRunner
from hypothesis import given, strategies as st

from eda import Debate, Prompt, Reply, ScriptedRunner, Settings
from eda.cli import cli
from eda.debate.prompts.documents import _LONGEST, ROOM, Reading, _passages
from eda.panels.documents.document import Document
from eda.text import rough_tokens

PANEL = "product-decision"
QUESTION = "Should we sign the contract with the new supplier?"
NEEDLE = "The supplier may raise the rental fee of pallets by 9 % a year."


def long_text() -> str:
    """Lines of made-up words, one of which says something."""
    draw = random.Random(5)
    words = ["".join(draw.choices("bcdfgaeiou", k=6)) for _ in range(3_000)]
    text = [" ".join(draw.choices(words, k=9)) + "." for _ in range(6_000)]
    text[3_000] = NEEDLE
    return "\n".join(text)


async def test_a_prompt_holds_the_lines_that_bear_on_what_was_said_and_not_the_whole_file() -> None:
    """A file of hundreds of pages would fill every prompt, until the model refused each of them."""
    prompts: list[Prompt] = []

    def answer(prompt: Prompt) -> str | Reply:
        prompts.append(prompt)
        return f"I worry about the rental fee of pallets, point {prompt.last}." if prompt.purpose == "speak" else ""

    files = (Document("contract.txt", long_text()), Document("memo.txt", "Sign by Friday."))
    debate = Debate(QUESTION, PANEL, ScriptedRunner(answer), documents=files, settings=Settings(max_messages=8))
    await debate.run()
    spoken = [prompt for prompt in prompts if prompt.purpose == "speak"]
    assert all(rough_tokens(len(prompt.text)) < ROOM / 2 for prompt in spoken)
    assert all("Sign by Friday." in "".join(prompt.shared) for prompt in spoken)
    assert "contract.txt l. " in spoken[-1].own
    assert NEEDLE in spoken[-1].own
    assert spoken[-1].shared[:3] == spoken[-2].shared[:3], "what caches begin with must stay as it is"


def test_lines_are_those_of_the_file() -> None:
    """Whoever looks a passage up must find it there."""
    text = long_text()
    found = Reading([Document("contract.txt", text)]).passages("the rental fee of pallets")
    passage = next(each for each in found.split("\n- contract.txt l. ") if NEEDLE in each)
    first, last = map(int, passage.partition(":")[0].split("-"))
    assert NEEDLE in text.splitlines()[first - 1 : last]


@given(st.text(alphabet="ab# \n\u2028é", max_size=4_000))
def test_no_word_is_lost_and_no_passage_is_too_long(text: str) -> None:
    """What is in no passage can never be found."""
    cut = list(_passages(Document("a.txt", text)))
    assert all(len(passage.text) <= 2 * _LONGEST for passage in cut)
    assert "".join("".join(passage.text for passage in cut).split()) == "".join(text.split())


def test_the_shortest_files_are_shown_whole() -> None:
    """One file that is too long must not keep the others from being read."""
    fits = "a b c d. " * 1_000
    reading = Reading([Document("long.txt", long_text()), Document("one.txt", fits), Document("two.txt", "Short.")])
    assert reading.in_part == ("long.txt",)
    assert reading.texts[1:] == (fits, "Short.")
    assert "6,000 lines" in reading.texts[0]
    assert Reading([Document("two.txt", "Short.")]).passages("short") == ""


def test_the_one_who_runs_it_is_told_what_is_not_shown_whole(tmp_path: Path) -> None:
    """A panel that has not read it all must not pass for one that has."""
    file = tmp_path / "contract.txt"
    file.write_text(long_text(), encoding="utf-8")
    flags = ["--max-messages", "6", "--session", "s", "--sessions", str(tmp_path), "--context", str(file)]
    done = CliRunner().invoke(cli, ["debate", QUESTION, *flags])
    assert done.exit_code == 0
    assert "contract.txt is too long for the prompts" in done.stderr
    report = CliRunner().invoke(cli, ["report", "s", "--sessions", str(tmp_path)])
    assert "contract.txt (in part: 6,000 lines, looked up as needed)" in report.stdout
