"""What was misread or told wrongly of a debate that was played carefully: each test has the words of it."""

from __future__ import annotations

from io import StringIO

import pytest
from played_library import OPTIONS, PLAYED, TALK, library
from rich.console import Console
from told import Told

from eda.cli.terminal.transcript import print_minutes
from eda.debate.addressing import Addressing
from eda.events import MessagePosted, SummaryWritten
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.state import DEBATE, TRANSCRIPT, Genre
from eda.memory.patterns import default_pack
from eda.memory.table import why_closed

FACTS = (
    "Second, a tool takes 12 minutes at the desk.",
    "A tool takes 12 minutes at the desk and a book takes 1.",
    "So I begin with books and media.",
    "I stand with books and media.",
    "Lend where the door is open.",
    "The trial takes a year.",
    "Third, the law takes no account of tools.",
)


def heard(*said: str, genre: Genre = DEBATE) -> Minutes:
    minutes = Minutes(default_pack(), options=OPTIONS, genre=genre)
    for number, text in enumerate(said, 1):
        minutes.hear(MessagePosted(number=number, who="Gerard", text=text))
    return minutes


@pytest.mark.parametrize("genre", [DEBATE, TRANSCRIPT], ids=["debate", "transcript"])
@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_that_names_an_option_is_no_proposal(fact: str, genre: Genre) -> None:
    assert heard(fact, genre=genre).proposals == ()


def test_words_of_will_propose_though_options_are_given() -> None:
    (put,) = heard("I propose the trial, and a deposit of 20 for each tool.").proposals
    assert put.content.startswith("I propose the trial")


def test_no_fact_of_the_played_debate_is_on_its_table() -> None:
    assert {text.id for text in library().memory.proposals} == {"p3.1", "p5.0", "p9.0", "p10.1", "p11.0"}


def test_who_denies_a_proposal_that_was_found_in_its_words_takes_it_off_the_table() -> None:
    """ "p2@149 is not a proposal of mine" closed nothing: only minutes that came later did."""
    minutes = heard("We should lend the tools with a deposit of 20.")
    (found,) = minutes.proposals
    denial = TALK[7][1].replace("p2@149", found.id)
    minutes.hear(MessagePosted(number=2, who="Rosa", text=denial))
    assert minutes.newest_motions(9)[-1].id == found.id, "only its proposer can deny it"
    minutes.hear(MessagePosted(number=3, who="Gerard", text=denial))
    assert [(text.id, why_closed(text)) for text in minutes.newest_dropped(9)] == [(found.id, "denied by Gerard")]
    assert found.id not in {motion.id for motion in minutes.newest_motions(9)}


def shown(told: Told) -> str:
    """What `eda show` prints of it in a pipe."""
    out = StringIO()
    facts = told.session.events()
    print_minutes(Console(file=out, width=2000), told.session.started(), told.progress, told.memory, facts)
    return out.getvalue()


def test_show_marks_below_a_message_the_proposal_that_was_denied() -> None:
    plain = "We should lend the tools with a deposit of 20."
    openings = [("Ada", plain), *((who, "I listen.") for who in ("Ben", "Cleo", "Dan", "Eve"))]
    told = Told(talk=(*openings, ("Ada", "p1@0 is not a proposal of mine.")), options=())
    text = shown(told)
    assert f"proposes p1@0: {plain} (denied by Ada)" in text
    assert "denies p1@0: it is no proposal" in text


@pytest.mark.parametrize(("number", "first", "all_of_them"), [(6, "Leila", "Leila, Gerard"), (8, "Rosa", "Rosa")])
def test_the_first_who_is_asked_is_addressed_and_show_names_all(number: int, first: str, all_of_them: str) -> None:
    """A question to Leila and Gerard was shown as Gerard's, and Leila had the floor for it."""
    who, text = TALK[number - 1]
    names = Addressing([title for title, _ in PLAYED["members"]])
    assert names.find(text, who) == first
    assert ", ".join(names.called(text, who)) == all_of_them
    assert f"m{number} {who}  to {all_of_them}\n" in shown(library())


def test_show_names_whom_a_message_speaks_to_though_it_asks_nobody() -> None:
    """Four messages that spoke to two or three members showed no addressee."""
    text = shown(library())
    assert "m11 Sunniva  to Leila, Gerard, Rosa\n" in text
    assert "m13 Rosa  to Minh, Sunniva\n" in text
    assert "m1 Leila\n" in text, "openings are written blind"


def test_show_has_how_a_summary_begins() -> None:
    told = Told()
    told.tell(SummaryWritten(first=1, last=10, text="Ada wants it out. " * 60, by="bridge"))
    (line,) = (line for line in shown(told).splitlines() if "summed up" in line)
    assert "m1 to m10 summed up, bridge: Ada wants it out. Ada" in line
    assert 400 < len(line) < 560
