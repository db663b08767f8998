"""What a message cites of documents leads to the passage, however it is spelled; what stands nowhere leads nowhere."""

from __future__ import annotations

import pytest

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


def test_a_page_gets_each_line_with_the_place_by_which_it_is_cited() -> None:
    [notes, report, rows] = documents_of([NOTES, REPORT, ROWS])
    assert notes["lines"][2] == ["The batch takes 5 h 20 min.", "l. 3"]
    assert [place for _, place in report["lines"]] == ["p. 6", "p. 6", "p. 7"]
    assert rows["lines"][2] == ["Bern; 7", "row 2"]
    assert Citations().of("In notes.md l. 3.") == []
