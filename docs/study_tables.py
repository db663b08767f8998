"""The page of all columns and measures, made of the code: `python docs/study_tables.py > docs/study-tables.md`."""

from __future__ import annotations

from eda.study.measures import MEASURES
from eda.study.rows import ROWS
from eda.study.tables import to_arrow


def reference() -> str:
    """Return the page in Markdown: what each column of each table holds, and what each measure is."""
    lines = [
        "# The tables and measures of a study",
        "",
        "This page is made of the code: `python docs/study_tables.py > docs/study-tables.md`. `eda study table FILE",
        "--format parquet` writes the tables. DuckDB, polars and pandas read them in place; every table has the column",
        "`cell`.",
    ]
    for name, table in to_arrow({}).items():
        lines += ["", f"## `{name}`", "", (ROWS[name].__doc__ or "").split("\n", 1)[0], ""]
        lines += ["| column | type | meaning |", "|---|---|---|"]
        fields = [(each.name, str(each.type), each.metadata[b"description"].decode()) for each in table.schema]
        lines += [f"| `{column}` | {kind.replace('item: ', '')} | {meaning} |" for column, kind, meaning in fields]
    lines += [
        "",
        "## Measures",
        "",
        "An ask is one private poll, survey or ballot of all members; a measure follows one instrument, the one that",
        "was used most often. A measure that is not defined for a cell leaves it out.",
        "",
        "| measure | definition | source |",
        "|---|---|---|",
    ]
    lines += [f"| `{each.name}` | {each.definition} | {each.citation} |" for each in MEASURES.values()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(reference(), end="")
