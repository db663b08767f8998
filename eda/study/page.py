"""The report of a study: one HTML file that needs nothing else, made of what the tables say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from eda.study.branches import words
from eda.study.cells import Plan
from eda.study.freeze import manifest_of
from eda.study.status import CELLS, status_of

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{border-bottom:1px solid #ccc;padding:.3rem .8rem;"
    "text-align:left}td.n{text-align:right;font-variant-numeric:tabular-nums}pre{background:#f5f5f5;padding:1rem;"
    "overflow-x:auto}.note{color:#666}"
)
_WIDTH, _ROW = 640, 34
_DOTS = 400
"""Cells that are listed one by one, with links to their sessions."""


def page(plan: Plan, out: Path, found: Mapping[str, Any]) -> str:
    """Return the report as HTML.

    Args:
        plan: Of the study.
        out: Its folder; links are relative to it.
        found: What `eda.study.results.results` returned.
    """
    manifest = manifest_of(out) or {}
    frozen, sha, version, code = (escape(str(manifest.get(key))) for key in ("frozen", "sha256", "eda", "behaviour"))
    parts = [
        f"<h1>{escape(plan.study.name)}</h1>",
        f"<p>Frozen {frozen}, sha256 <code>{sha}</code>, EDA {version} ({code}).</p>",
        "<h2>Flow of cells</h2>",
        _flow(plan, out),
        "<h2>Effects</h2>",
        (
            "<p>An effect is the first side less the second, over pairs; intervals are clustered by task. "
            "<em>Exploratory</em> is what was not frozen before the first call.</p>"
        ),
        _effects(found["effects"]),
        *map(_figure, [row for row in found["effects"] if row["estimate"] is not None]),
        "<h2>Rates by arm</h2>",
        _rates(found["rates"]),
        *(
            ["<h2>What if</h2>", _list([line for fork in found["forks"] for line in words(fork)])]
            if found["forks"]
            else ()
        ),
        "<h2>Deviations from the frozen file</h2>",
        _list([f"{each['at']}: {each['what']}" for each in found["deviations"]]),
        "<h2>Sessions</h2>",
        _sessions(plan, out),
        "<h2>The file</h2>",
        f"<pre>{escape(plan.study.text)}</pre>",
    ]
    head = f'<meta charset="utf-8"><title>{escape(plan.study.name)}</title><style>{_STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'


def _flow(plan: Plan, out: Path) -> str:
    cells = status_of(plan, out).cells
    rows = []
    for arm in plan.study.arms:
        states = Counter(cells[cell.id].state for cell in plan.cells.values() if cell.arm == arm)
        rows.append([arm, sum(states.values()), states["ended"], states["failed"], states["absent"]])
    why = Counter(cell.reason for cell in cells.values() if cell.state == "failed")
    failures = _list([f"{number} failed: {reason}" for reason, number in why.most_common()]) if why else ""
    return _table(["arm", "planned", "ended", "failed", "not run"], rows) + failures


def _effects(rows: Sequence[Mapping[str, Any]]) -> str:
    cells = []
    for row in rows:
        what = f"{row['contrast'][0]} less {row['contrast'][1]}"
        numbers = [_number(row[key]) for key in ("estimate", "low", "high", "p_holm")]
        label = "frozen" if row["frozen"] else "exploratory"
        cells.append([row["measure"], what, *numbers, row["pairs"], row["clusters"], row["method"], label])
    heads = ["measure", "contrast", "estimate", "low", "high", "p (Holm)", "pairs", "clusters", "interval", ""]
    return _table(heads, cells) if cells else '<p class="note">The file names no hypothesis.</p>'


def _figure(row: Mapping[str, Any]) -> str:
    """Return a figure of one effect: the estimate and its interval beside nothing, at 0."""
    reach = max(abs(row["low"]), abs(row["high"]), 0.05) * 1.15
    low, mid, high = (_WIDTH / 2 * (1 + value / reach) for value in (row["low"], row["estimate"], row["high"]))
    title = escape(f"{row['measure']}: {row['contrast'][0]} less {row['contrast'][1]}")
    return (
        f'<figure><svg viewBox="0 0 {_WIDTH} {2 * _ROW}" width="{_WIDTH}" role="img" aria-label="{title}">'
        f'<line x1="{_WIDTH / 2}" x2="{_WIDTH / 2}" y1="0" y2="{_ROW + 6}" stroke="#999" stroke-dasharray="4"/>'
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{_ROW / 2}" y2="{_ROW / 2}" stroke="#235" stroke-width="3"/>'
        f'<circle cx="{mid:.1f}" cy="{_ROW / 2}" r="6" fill="#235"/>'
        f'<text x="{_WIDTH / 2}" y="{2 * _ROW - 8}" text-anchor="middle" font-size="13">0; '
        f"the line reaches from {-reach:.2f} to {reach:.2f}</text></svg><figcaption>{title}</figcaption></figure>"
    )


def _rates(rows: Sequence[Mapping[str, Any]]) -> str:
    cells = [
        [
            row["measure"],
            row["arm"],
            ", ".join(f"{factor}={level}" for factor, level in row["levels"].items()),
            *(_number(row[key]) for key in ("estimate", "low", "high")),
            row["cells"],
        ]
        for row in rows
    ]
    return _table(["measure", "arm", "levels", "estimate", "low", "high", "cells"], cells)


def _sessions(plan: Plan, out: Path) -> str:
    states = status_of(plan, out).cells
    rows = []
    for cell in [*plan.cells.values()][:_DOTS]:
        levels = ", ".join(f"{factor}={level}" for factor, level in cell.levels.items())
        link = f'<a href="{CELLS}/{cell.id}/events.jsonl">{cell.id}</a>'
        rows.append([_Html(link), cell.task.id, cell.arm, levels, cell.seed, states[cell.id].state])
    more = len(plan.cells) - len(rows)
    note = f'<p class="note">and {more} more, in the table <code>cells</code></p>' if more else ""
    return _table(["session", "task", "arm", "levels", "seed", "state"], rows) + note


class _Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    text = value if isinstance(value, _Html) else escape(str(value))
    return f'<td class="n">{text}</td>' if isinstance(value, int | float) else f"<td>{text}</td>"


def _list(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>" if lines else "<p>None.</p>"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
