"""Personas and panels that are written for somebody: each is a file that can be read, and none hides another."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from fake_anthropic import FakeAnthropic, Say

from eda.debate.casting import picked_by_words
from eda.panels.panel import Library, load_panel
from eda.panels.persona import load_persona

Eda = Callable[..., Result]
PHARMACIST = "a hospital pharmacist who has seen three recalls"
WRITTEN = {
    "title": "Ines",
    "role": "hospital pharmacist",
    "description": "Knows recalls: from both sides. Seat for anything dispensed.",
    "instruction": "---\nYou look for the batch number first.\n\nname: not-a-key",
    "values": ["a batch that can be traced", "two signatures"],
    "fears": ["model: opus", "a silent \x1b[31mswap"],
    "moved_by": ["a recall drill"],
    "voice": "Exact.",
    "openers": ["Per batch,"],
    "stubbornness": 0.6,
}


@pytest.fixture
def model(eda: Eda, fake: FakeAnthropic, monkeypatch: pytest.MonkeyPatch) -> FakeAnthropic:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k" * 20)
    monkeypatch.delenv("EDA_RUNNER", raising=False)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    return fake


def test_a_persona_is_a_template_where_no_model_writes_it(eda: Eda) -> None:
    """Whoever has no key would have to find out what a persona's file is made of."""
    done = eda("new", "persona", PHARMACIST)
    path = Path("personas/hospital-pharmacist.md")
    assert f"--persona {path}" in done.stdout
    one = load_persona(path)
    assert (one.title, one.role) == ("Hospital pharmacist", PHARMACIST)
    assert "values: # what it looks for" in path.read_text()
    eda("debate", "Is it so?", "--persona", str(path), "--persona", "sceptic", "-q", "--max-messages", "6")


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("An economist of the old school", None),
        ("  the tram driver, night shift  ", "tram-driver"),
        ("a nurse: 'yes' \"no\" #1", "nurse"),
        ("a beekeeper\nmodel: opus\n---", "beekeeper-model"),
    ],
)
def test_a_description_is_no_more_than_words(description: str, name: str | None, eda: Eda) -> None:
    """A colon or a quote in it would make a file that cannot be read, or set another key."""
    if name is None:
        assert "there is a persona 'economist' already" in eda("new", "persona", description, code=2).stderr
        name = "economist-of-old"
        eda("new", "persona", description, "--name", name)
    else:
        eda("new", "persona", description)
    one = load_persona(Path("personas") / f"{name}.md")
    assert one.model is None
    assert " ".join(description.split()) == one.role


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("persona", " "), "the description says nobody"),
        (("persona", "薬剤師"), "no name of a file can be made of '薬剤師'"),
        (("persona", "a nurse", "--name", "../nurse"), "is not made of lowercase letters"),
        (("persona", "a nurse", "--runner", "simulated"), "`simulated` is no language model"),
        (("panel", "--question", " "), "the question is empty"),
        (("panel", "--question", "Is it so?", "--personas-dir", "nosuch"), "there is no such folder"),
    ],
)
def test_nothing_is_written_where_something_is_wrong(args: tuple[str, ...], why: str, eda: Eda) -> None:
    """Half a file would be seated."""
    assert why in eda("new", *args, code=2).stderr
    assert not list(Path().rglob("*.*"))


def test_a_long_description_is_no_failure(eda: Eda) -> None:
    """Who describes somebody well would be shown a traceback."""
    eda("new", "persona", "a " + "very " * 60 + "old clerk", "--name", "clerk")
    assert len(load_persona(Path("personas/clerk.md")).role) <= 120


def test_no_file_is_overwritten(eda: Eda) -> None:
    """Somebody's edits would be gone."""
    for command in (("persona", PHARMACIST), ("panel", "--question", "Is the recall due?")):
        first = json.loads(eda("new", *command, "--json").stdout)["path"]
        Path(first).write_text("mine")
        assert "there is such a file already" in eda("new", *command, code=2).stderr
        assert Path(first).read_text() == "mine"


def test_a_panel_is_picked_by_the_words_of_its_question(eda: Eda) -> None:
    """Among thirty names a newcomer takes the first five."""
    people = Library().personas
    names = [seat.name for seat in picked_by_words("Should the vendor's contract be renewed?", people).members]
    assert len({*names}) == 5
    assert names[0] == "procurement-officer"
    assert {*names} & {"sceptic", "red-teamer", "forecaster", "historian"}
    assert names == [seat.name for seat in picked_by_words("Should the vendor's contract be renewed?", people).members]
    done = eda("new", "panel", "--question", 'Should we say "no" to \\ # cars in our city?')
    (path,) = Path("panels").iterdir()
    assert "city-resident: looks for" in done.stderr
    assert "# looks for" in path.read_text()
    assert len(load_panel(path).members) == 5
    eda("debate", "Is it so?", "--panel", str(path), "-q", "--max-messages", "15")


def test_a_model_writes_a_persona_and_its_words_are_data(eda: Eda, model: FakeAnthropic) -> None:
    """A key in the answer would choose a model, and an escape code would paint the terminal."""
    model.play(Say("Here is Ines!"), Say(json.dumps(WRITTEN)))
    done = eda("new", "persona", PHARMACIST, "--runner", "anthropic", "--name", "ines")
    assert "cost: $" in done.stderr
    one = load_persona(Path("personas/ines.md"))
    assert (one.name, one.title, one.model) == ("ines", "Ines", None)
    assert one.fears[0] == "model: opus"
    assert "\x1b" not in Path("personas/ines.md").read_text()
    assert one.instruction.startswith("---\nYou look for the batch number first.")
    assert "could not be used" in json.dumps(model.requests[-1])
    eda("new", "persona", PHARMACIST, "--runner", "anthropic", "--name", "ines", code=2)
    assert len(model.requests) == 2, "a file that is there is seen before a model is paid"


def test_a_model_picks_only_whom_there_is(eda: Eda, model: FakeAnthropic) -> None:
    """A panel with a member that nobody has would fail when it is seated."""
    seats = [{"name": name, "why": "x\ny"} for name in ("sceptic", "actuary", "ethicist", "historian", "nobody")]
    picked = {"title": 'Five "of" us', "description": "For all.", "members": seats}
    model.play(
        Say(json.dumps(picked)), Say(json.dumps(picked | {"members": [*seats[:4], {**seats[0], "name": "economist"}]}))
    )
    eda("new", "panel", "--question", "Is it so?", "--runner", "anthropic")
    panel = load_panel(Path("panels/is-it-so.toml"))
    assert (panel.title, panel.members[-1]) == ('Five "of" us', "economist")
    model.play(Say(json.dumps(picked)), Say(json.dumps(picked)))
    assert (
        "no persona is called nobody"
        in eda("new", "panel", "--question", "So?", "--runner", "anthropic", code=1).stderr
    )
    assert not Path("panels/so.toml").exists()
