"""What a message cites of documents leads to the passage, however it is spelled; what stands nowhere leads nowhere."""

from __future__ import annotations

import pytest

from eda.events import MessagePosted, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.context.acts import act_line
from eda.panels.documents.document import Document
from eda.serve.documents import Citations, documents_of

NOTES = Document(
    "notes.md",
    "# Billing\n\nThe batch takes 5 h 20 min.\nBoth times the cause was a migration\nof another team\u2019s table.",
)
REPORT = Document("annual report.pdf", "One page.\nStill one.\nThe next page.", "page", ((1, "6"), (3, "7")))
ROWS = Document("sales.csv", "place; sum\nOslo; 4\nBern; 7", "row")


@pytest.mark.parametrize(
    ("talk", "cited"),
    [
        (
            "Read that line again: \u201ca migration of another team's table\u201d.",
            [("\u201ca migration of another team's table\u201d", 0, 4, 5)],
        ),
        ("In notes.md l. 3 it says so.", [("notes.md l. 3", 0, 3, 3)]),
        ("Zeile 3 von notes.md sagt es.", [("Zeile 3 von notes.md", 0, 3, 3)]),
        ("Annual Report.pdf, p. 7 settles it.", [("Annual Report.pdf, p. 7", 1, 3, 3)]),
        ("Bern is in sales.csv (row 2).", [("sales.csv (row 2", 2, 3, 3)]),
        ("Nothing in notes.md stops that.", [("notes.md", 0, 0, 0)]),
        ("\u201cThe batch takes nine hours\u201d, you say; and \u201cthe batch\u201d is one.", []),
        ("footnotes.md5 is no file here.", []),
    ],
)
def test_a_citation_leads_to_its_passage(talk: str, cited: list[tuple[str, int, int, int]]) -> None:
    told = Citations([NOTES, REPORT, ROWS]).of(talk)
    assert [(each["words"], each["document"], each["line"], each["last"]) for each in told] == cited


@pytest.mark.parametrize(
    ("talk", "missing"),
    [
        ("It costs too much (annual report.pdf p. 8).", ["annual report.pdf p. 8"]),
        ("Seite 9 von Annual Report.pdf sagt es, und Annual Report.pdf S. 7 auch.", ["annual report.pdf p. 9"]),
        ("In notes.md l. 5 and notes.md l. 50 it is.", ["notes.md l. 50"]),
        ("See sales.csv row 2 and sales.csv row 3.", ["sales.csv row 3"]),
        ("annual report.pdf l. 40 counts other things; so does plan.docx p. 3; notes.md stands.", []),
    ],
)
def test_a_place_that_a_document_does_not_have_is_said_below_the_message(talk: str, missing: list[str]) -> None:
    """`(offer.pdf p. 3)` of two pages passed as if somebody had read it there."""
    plan = Document("plan.docx", "# Costs\nMuch.", "heading", ((1, "Costs"),))
    memory = ConversationMemory()
    memory.fold(SessionStarted(session="s", kind="debate", documents=(NOTES, REPORT, ROWS, plan)))
    memory.fold(MessagePosted(number=1, who="Ada", text=talk))
    acts = [act for act in memory.below(1) if act.kind == "cite"]
    assert [act.on for act in acts] == missing
    assert not any(act.counted for act in acts)
    assert [act_line(act) for act in acts] == [f"cites {place}, which nobody has found" for place in missing]


def test_a_page_gets_each_line_with_the_place_by_which_it_is_cited() -> None:
    [notes, report, rows] = documents_of([NOTES, REPORT, ROWS])
    assert notes["lines"][2] == ["The batch takes 5 h 20 min.", "l. 3"]
    assert [place for _, place in report["lines"]] == ["p. 6", "p. 6", "p. 7"]
    assert rows["lines"][2] == ["Bern; 7", "row 2"]
    assert Citations().of("In notes.md l. 3.") == []
    assert [each["line"] for each in Citations([REPORT]).of("Annual report.pdf, p. 9")] == [0], "no page is opened"
    assert (NOTES.size, REPORT.size, ROWS.size) == ("5 lines", "7 pages", "2 rows")
