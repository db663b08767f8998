"""The report of a study: one HTML file that needs nothing else, made of what the tables say."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from eda.study import words
from eda.study.cells import Cell
from eda.study.effects import Pair
from eda.study.figures import clusters_of, figure
from eda.study.fork import words as fork_words
from eda.study.freeze import FROZEN
from eda.study.measures import measure_named
from eda.study.results import Results
from eda.study.status import CELLS, State

_STYLE = """
:root{color-scheme:light dark;--ground:#fcfcfa;--surface:#f4f4f0;--line:#e2e2dc;--ink:#1c1e21;--quiet:#5b6168}
@media(prefers-color-scheme:dark){:root{--ground:#15171a;--surface:#1d2024;--line:#30343a;--ink:#e6e7e5;
--quiet:#a3a9b0}}
body{font:17px/28px Charter,"Bitstream Charter","Charis SIL","Sitka Text",Cambria,Georgia,serif;
background:var(--ground);color:var(--ink);max-width:45rem;margin:3rem auto;padding:0 20px;overflow-wrap:anywhere}
h1{font-size:36px;line-height:44px;margin:0 0 8px}h2{font-size:22px;line-height:30px;margin:56px 0 12px}
h3{font-size:17px;line-height:28px;margin:28px 0 8px}.answer{font-size:24px;line-height:34px;margin:16px 0}
.label,table,figcaption,footer,nav{font:15px/24px system-ui,sans-serif;font-variant-numeric:tabular-nums}
.label,figcaption,.quiet,nav{color:var(--quiet)}a{color:inherit;text-decoration:underline dotted;
text-underline-offset:3px}nav a{margin-right:16px}figure{margin:16px 0}
.wide{overflow-x:auto}table{border-collapse:collapse;min-width:60%}td,th{border-bottom:1px solid var(--line);
padding:4px 16px 4px 0;text-align:left;vertical-align:top;overflow-wrap:normal}
th{font-weight:600}td,th{white-space:nowrap}.n{text-align:right}
pre{background:var(--surface);padding:16px;overflow-x:auto}code,pre{font:14px/22px ui-monospace,monospace}
.flow{list-style:none;padding:0}.flow>li{border-left:1px solid var(--quiet);padding:0 0 12px 16px}
:target{background:var(--surface)}
@media(max-width:480px){h1{font-size:28px;line-height:36px}.answer{font-size:20px;line-height:30px}td,th{padding-right:10px}}
@media print{:root{--ground:#fff;--surface:#f4f4f0;--line:#ccc;--ink:#000;--quiet:#444}body{margin:0;max-width:none}
nav{display:none}figure,tr,li{break-inside:avoid}pre{white-space:pre-wrap}}
"""


class _Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def page(found: Results, folder: Path) -> str:
    """Return the report as HTML.

    Args:
        found: What the study came to.
        folder: In which the page will lie; links to sessions are relative to it.

    Raises:
        EdaError: as `Results.effects`.
    """
    return _Page(found, folder).whole()


class _Page:
    """A report in the making: what its parts share."""

    def __init__(self, found: Results, folder: Path) -> None:
        self._found = found
        self._plan = found.plan
        self._cells = found.status.cells
        self._base = Path(os.path.relpath(found.out / CELLS, folder)).as_posix()
        groups: dict[tuple[str, str], list[Cell]] = {}
        for cell in found.plan.cells.values():
            groups.setdefault((cell.arm, _levels(cell.crossed)), []).append(cell)
        arms = [*found.plan.study.arms]
        self._groups = dict(sorted(groups.items(), key=lambda item: arms.index(item[0][0])))
        self._places = {group: f"g{number}" for number, group in enumerate(self._groups)}
        self._arms = {arm: f"arm{number}" for number, arm in enumerate(arms)}

    def whole(self) -> str:
        study, effects = self._plan.study, self._found.effects
        manifest = self._found.manifest
        frozen = (self._found.out / FROZEN).read_text(encoding="utf-8")
        answers = "".join(f'<p class="answer">{escape(words.answer(row))}</p>' for row in effects)
        deviations = [f"{each['at']}: {each['what']}" for each in manifest["deviations"]]
        sections = {
            "Asked and found": "".join(self._effect(number, row) for number, row in enumerate(effects)),
            "Flow of cells": self._flow(),
            "Rates by arm": self._rates(),
            "What if": _list([line for fork in self._found.forks for line in fork_words(fork)])
            or "<p>Nothing was asked: <code>eda study fork</code>.</p>",
            "What this can and cannot claim": _list(words.outlook(self._found.status.data(), manifest["runners"])),
            "Deviations from the frozen file": _list(deviations) or "<p>None.</p>",
            "Pairs": "".join(self._pairs(number, row) for number, row in enumerate(effects)),
            "Sessions": self._sessions(),
            "The frozen file": f"<pre>{escape(frozen)}</pre><p class='label'>Frozen {escape(manifest['frozen'])},"
            f" sha256 {escape(manifest['sha256'])}; EDA {escape(manifest['eda'])} ({escape(manifest['behaviour'])}),"
            f" Python {escape(manifest['python'])}.</p>",
        }
        contents = "".join(f'<a href="#s{at}">{escape(title)}</a> ' for at, title in enumerate(sections))
        body = "".join(
            f'<h2 id="s{at}">{escape(title)}</h2>{made}' for at, (title, made) in enumerate(sections.items())
        )
        none = '<p class="answer">This study froze no hypothesis.</p>'
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport"'
            ' content="width=device-width,initial-scale=1"><meta http-equiv="Content-Security-Policy"'
            " content=\"default-src 'none';style-src 'unsafe-inline'\">"
            f"<title>{escape(study.name)}</title><style>{_STYLE}</style></head><body>"
            f'<p class="label">A study</p><h1>{escape(study.name)}</h1>{answers or none}'
            f'<p class="label">{escape(str(self._found.status))}. Frozen {escape(manifest["frozen"][:10])}.</p>'
            f"<nav>{contents}</nav>{body}"
            "</body></html>\n"
        )

    def _effect(self, number: int, row: Mapping[str, Any]) -> str:
        """Return what was asked and found of one effect, with its figure."""
        first, second = (escape(side) for side in row["contrast"])
        measure, pairs = measure_named(row["measure"]), self._found.pairs[number]
        links = {name: f"#p{number}-{self._pair_of(number)[name]}" for name in clusters_of(pairs)}
        kind = "Frozen before the first call" if row["frozen"] else "Exploratory: not frozen before the first call"
        numbers = f'<a href="#p{number}">{escape(words.estimate(row))}</a>: ' if pairs else ""
        band = f" The shade is what is too small to matter, {row['smallest']:g} either way." if row["smallest"] else ""
        caption = f"Each dot is the mean difference of one cluster; below, the effect with its interval.{band}"
        drawn = f"<figure>{figure(row, pairs, links)}<figcaption>{caption}</figcaption></figure>" if pairs else ""
        return (
            f"<h3>{escape(words.asked(row))}</h3><p>How much higher is <code>{escape(measure.name)}</code>"
            f" ({escape(measure.definition)}) with {first} than with {second}? {kind}.</p>"
            f"<p><strong>{numbers}{escape(words.finding(row))}.</strong> {escape(words.size(row))}.</p>{drawn}"
            f'<p class="label">{escape(words.tests(row))}</p>'
        )

    def _flow(self) -> str:
        """Return the flow of cells: planned, run, failed and why, and those that each comparison is of."""
        states = Counter(cell.state for cell in self._cells.values())
        why: dict[str, list[str]] = {}
        for cell in self._found.status.failures:
            why.setdefault(cell.reason, []).append(f'<a href="#c{cell.id}">{cell.id}</a>')
        lost: list[str] = [_Html(f"{len(of)} failed: {escape(reason)} ({', '.join(of)})") for reason, of in why.items()]
        lost += [f"{states[state]} {word}" for state, word in _NOT_DONE.items() if states[state]]
        steps = [f"<b>{len(self._cells):,}</b> planned"]
        steps.append(f"<b>{states['ended']:,}</b> have a result{_list(lost) or ', none is missing'}")
        for number, (row, pairs) in enumerate(zip(self._found.effects, self._found.pairs, strict=True)):
            name = escape(words.asked(row))
            used = len({cell for pair in pairs for side in pair.cells for cell in side})
            steps.append(
                f'<a href="#p{number}"><b>{used:,}</b></a> are in the {len(pairs):,} pairs of {name};'
                f" {states['ended'] - used:,} are not: of another arm or level, or without a value or a partner"
                f" ({row['unpaired']:,} have a value and no partner)"
            )
        rows = []
        for arm, place in self._arms.items():
            of = Counter(self._cells[cell.id].state for cell in self._plan.cells.values() if cell.arm == arm)
            link = _Html(f'<a href="#{place}">{escape(arm)}</a>')
            rows.append([link, sum(of.values()), of["ended"], of["failed"], sum(of[state] for state in _NOT_DONE)])
        flow = "".join(f"<li>{step}</li>" for step in steps)
        return f'<ol class="flow">{flow}</ol>' + _table(["arm", "planned", "ended", "failed", "not done"], rows)

    def _rates(self) -> str:
        """Return the rates: of each arm, and below it of each combination of levels."""
        factors = [factor for factor in self._plan.study.levels()[0] if factor != "seats"]
        tables: dict[str, list[list[object]]] = {}
        for row in (*self._found.rates(()), *(self._found.rates(factors) if factors else ())):
            levels = _levels(row["levels"])
            place = self._places.get((row["arm"], levels)) if levels else self._arms.get(row["arm"])
            number = escape(words.estimate(row, sign=False))
            linked = _Html(f'<a href="#{place}">{number}</a>' if place else number)
            tables.setdefault(row["measure"], []).append([row["arm"] or "all", linked, row["cells"], levels])
        order, parts = [*self._arms], []
        for measure, rows in tables.items():
            rows.sort(key=lambda row: (order.index(row[0]) if row[0] in order else -1, row[3] != ""))
            made = [[*more, levels or "all"] for *more, levels in rows]
            parts.append(
                f"<h3>{escape(measure)}</h3>" + _table(["arm", "rate [95\u00a0% interval]", "cells", "levels"], made)
            )
        return "".join(parts) or "<p>No hypothesis, so no measure.</p>"

    def _pair_of(self, number: int) -> dict[str, int]:
        """Return the row of the first pair of each cluster."""
        return {pair.cluster: place for place, pair in reversed([*enumerate(self._found.pairs[number])])}

    def _pairs(self, number: int, row: Mapping[str, Any]) -> str:
        """Return the pairs of an effect, each value with a link to what it comes from."""
        rows = []
        for place, pair in enumerate(self._found.pairs[number]):
            cluster = _Html(f'<span id="p{number}-{place}">{escape(pair.cluster)}</span>')
            seeds = ", ".join(dict.fromkeys(str(self._plan.cells[cell].seed) for cell in pair.cells[0]))
            rows.append([cluster, seeds, *self._values(pair), words.signed(pair.difference)])
        heads = ["cluster", "seed", *row["contrast"], "difference"]
        return f'<h3 id="p{number}">{escape(words.asked(row))}</h3>' + (_table(heads, rows) if rows else "<p>None.</p>")

    def _values(self, pair: Pair) -> list[str]:
        sides = zip((pair.first, pair.second), pair.cells, strict=True)
        return [
            _Html(f'<a href="#c{ids[0]}">{value:.3g}</a>' + "".join(f' <a href="#c{each}">+</a>' for each in ids[1:]))
            for value, ids in sides
        ]

    def _sessions(self) -> str:
        """Return every cell with a link to its log, by arm and levels."""
        folder = Path(os.path.relpath(self._found.out, self._plan.study.folder)).as_posix()
        show = f"<code>eda show {escape(folder)}/{CELLS}/ID</code>"
        parts = [f"<p>A cell is a session. Its id leads to its log; {show}, beside the study's file, prints it.</p>"]
        before = ""
        for (arm, levels), cells in self._groups.items():
            if arm != before:
                parts.append(f'<h3 id="{self._arms[arm]}">{escape(arm)}</h3>')
                before = arm
            rows = []
            for cell in cells:
                state = self._cells[cell.id]
                link = f'<a id="c{cell.id}" href="{escape(self._base)}/{cell.id}/events.jsonl">{cell.id}</a>'
                said = state.state + (f": {state.reason}" if state.reason and state.state != "ended" else "")
                rows.append([_Html(link), cell.task.id, cell.seed, cell.levels.get("seats", ""), said])
            heads = ["session", "task", "seed", "order", "state"]
            parts.append(
                f'<h4 id="{self._places[arm, levels]}">{escape(levels or "all levels")}</h4>' + _table(heads, rows)
            )
        return "".join(parts)


_NOT_DONE: Mapping[State, str] = {"unfinished": "cut or paused", "running": "running", "absent": "not begun"}


_RIGHT = ' class="n"'


def _levels(levels: Mapping[str, str]) -> str:
    return ", ".join(f"{factor}={level}" for factor, level in sorted(levels.items()))


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    figures = [isinstance(value, int) for value in rows[0]] if rows else [False] * len(heads)
    head = "".join(f"<th{_RIGHT * figure}>{escape(each)}</th>" for each, figure in zip(heads, figures, strict=True))
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) else _escaped(value if isinstance(value, str) else str(value))
    return f"<td{_RIGHT * isinstance(value, int)}>{text}</td>"


def _escaped(text: str) -> str:
    return text if isinstance(text, _Html) else escape(text)


def _list(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{_escaped(line)}</li>' for line in lines)}</ul>" if lines else ""
