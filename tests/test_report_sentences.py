"""Sentences that one may write of two recorded debates: no false one is called true, and no true one false."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from eda import Session, check_sentence
from eda.cli import cli

ROOT = Path(__file__).parent.parent
OXFORD = "Should the city close its centre to cars?"
PANEL_TRUE = (
    "One fact settled more than the rest: both failures came from another team's migration.",
    "Maya pointed out that eleven weeks plus four make fifteen, which is more than a quarter has.",
    "The question of who signs for the write access was never resolved by name.",
    "Four of the five members voted for Lucien's text, p14.0, and Viktor stayed with moving now.",
    "Lucien gave up moving this quarter after Keiko's and Maya's arguments.",
    "Keiko dropped her freeze on the calendar because Ruth's wording closes the leak that Viktor found.",
    "Ruth named the thirty runs and the ten planted faults as the figures that can fail.",
    "What carried the panel was a plan with a date, a number that can fail and a consequence.",
    "Neither of the original options survived as written.",
    "Viktor remains unconvinced, since Oskar's last weeks are spent before the move is certain.",
    "The plan leaves the choice about the move itself to week six.",
    "Ruth, who had voted for neither option at first, ended up behind p14.0.",
    "The dry run must reproduce last month's amounts, which answers Viktor's worry about wrong invoices.",
    "It is agreed among the four supporters that the release check is worth having whatever week six says.",
    "Whether a machine for the copy exists is still undecided, as Keiko said in m18.",
)
OXFORD_TRUE = (
    "The side for closing gained two members, Kofi and Minh, between the polls.",
    "Sunniva's argument that bollards can be lifted in a morning settled Kofi's worry about permanence.",
    "Leila argued for the closure but voted against it.",
    "Gerard conceded that a well chosen month removes much of the harm to bakers.",
    "Nobody could show the takings of a baker in a closed street for February.",
    "The panel came down on the side of closing the centre, by four votes to two.",
    "Minh changed his vote after Leila proposed a start in March with no digging.",
    "Rosa would rather have Gerard's signature and her telephone together than choose between them.",
    "Exceptions remain the unsettled part: no form, no deadline and no signature exist.",
    "The market on Tuesdays served as proof that a closed day does no harm.",
    "Kofi thanked Sunniva for her two summers of measuring, although two of his points still stand.",
    "Stockholm's trial of 2006 was a charge rather than a closure, as Leila admitted.",
    "The ring road should be measured from the first day, a point that Sunniva insisted on.",
    "How the night cleaner gets to work is a matter that the debate did not resolve.",
    "A motorist's choice to circle is a response to free parking, in Leila's view.",
)
PANEL_FALSE = (
    "The panel unanimously backed Lucien's text.",
    "Viktor came round in the end and supported p14.0.",
    "Maya and Keiko agreed to extend the tests to seven weeks.",
    "Everyone accepted that the move would begin in January.",
    "Dana promised to finish the tests by 1 March.",
    "The security team approved the write access of other teams.",
    "Ruth persuaded Viktor with the thirty runs.",
    "By a majority of three to two the panel chose the five-week plan.",
    "The panel rejected the dry run as too expensive.",
    "The discussion ended in full consensus on waiting a quarter.",
    "Keiko withdrew her support for the plan in her last message.",
    "The group resolved to hire a contractor in Oskar's place.",
    "Oskar committed to staying until July.",
    "Lucien voted for moving this quarter on the last ballot.",
    "All members were satisfied that the estimate of five weeks is sound.",
)
OXFORD_FALSE = (
    "The motion to close the centre was carried by all six members.",
    "Leila was won over by Gerard's three points.",
    "Rosa switched sides after hearing Kofi.",
    "The council signed off on a start in March.",
    "Minh confirmed that his takings rose by 12 percent on market days.",
    "The panel decided that loading stays open until noon.",
    "Gerard dropped his opposition once the bollards were mentioned.",
    "Most members favoured keeping the cars.",
    "A referendum will be held in autumn.",
    "Kofi and Minh both voted no in the last poll.",
    "The debate concluded with the adoption of a charge like Stockholm's.",
    "Sunniva withdrew her demand to measure the ring road.",
    "It was agreed that the city runs a bus for the night cleaner.",
    "The members settled on a trial of three summers.",
    "Everybody now supports the closure except Gerard.",
)


@pytest.fixture(scope="module")
def debates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Session]:
    folder = tmp_path_factory.mktemp("sessions")
    options = [
        "--panel",
        "public-policy",
        "--format",
        "oxford",
        "--max-messages",
        "14",
        "--seed",
        "1",
    ]
    recording = f"recorded:{ROOT / 'docs' / 'examples' / 'oxford-recording.jsonl'}"
    ran = CliRunner().invoke(cli, ["debate", OXFORD, *options, "--runner", recording, "--sessions", str(folder)])
    assert ran.exit_code == 0, ran.output
    return {
        "panel": Session.read("example", ROOT / "sessions"),
        "oxford": Session.read(next(folder.iterdir()).name, folder),
    }


def test_no_false_sentence_is_called_true_and_no_true_one_false(debates: dict[str, Session]) -> None:
    """What a sentence tells of members without an id or a message can hardly be held against a record."""
    panel, oxford = debates["panel"], debates["oxford"]
    false = [(text, panel) for text in PANEL_FALSE] + [(text, oxford) for text in OXFORD_FALSE]
    true = [(text, panel) for text in PANEL_TRUE] + [(text, oxford) for text in OXFORD_TRUE]
    assert [text for text, session in false if check_sentence(text, session).verdict == "true"] == []
    assert [text for text, session in true if check_sentence(text, session).verdict == "false"] == []
