"""Parts of what a notebook shows: HTML without scripts and colours, so that any theme, light or dark, is readable.

Whatever is passed in is shown as text: none of it has a meaning for a browser. Only what `table` and `fold` return is
HTML, and `card` takes it as it is.
"""

from collections.abc import Iterable, Sequence
from typing import NewType

from eda.text import without_escapes

Html = NewType("Html", str)
_CELL = 'style="text-align: left; vertical-align: top"'


def safe(words: object) -> Html:
    """Return a text as HTML."""
    from html import escape  # noqa: PLC0415 - only a notebook shows cards

    return Html(escape(without_escapes(str(words)).encode("utf-8", "replace").decode()))


def card(head: str, *parts: Html | str) -> str:
    """Return a question or name as a head, and below it each part that is not empty; `Html` as it is."""
    return f"<div><p><strong>{safe(head)}</strong></p>{''.join(parts)}</div>"


def line(*words: object) -> Html:
    """Return a line of what is not empty, a middle dot between. What turns the reading direction turns one of them."""
    return Html(f"<p>{' · '.join(f'<bdi>{safe(each)}</bdi>' for each in words if each != '')}</p>")


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    """Return a table, its first column a head of each row; empty where it has no rows."""
    body = "".join(
        f'<tr><th scope="row" {_CELL}>{safe(first)}</th>'
        + "".join(f"<td {_CELL}>{safe(each)}</td>" for each in rest)
        + "</tr>"
        for first, *rest in rows
    )
    top = "".join(f'<th scope="col" {_CELL}>{safe(head)}</th>' for head in heads)
    return Html(
        f'<table style="margin-bottom: 1em"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>' if body else ""
    )


def said(head: str, text: str) -> Html:
    """Return a message: who says it, and below that the text with its line ends."""
    return Html(f'<p><strong>{safe(head)}</strong></p><div dir="auto" style="white-space: pre-wrap">{safe(text)}</div>')


def fold(head: str, parts: Iterable[str]) -> Html:
    """Return parts that are shown on a click; empty where there are none."""
    inside = "".join(parts)
    return Html(f"<details><summary>{safe(head)}</summary>{inside}</details>" if inside else "")
