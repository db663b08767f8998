"""The figure of an effect, as SVG in the colour of the text around it: for the report, and for a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from eda.study.effects import Pair
from eda.study.words import asked, estimate, signed

_WIDTH, _MARGIN, _TALL = 400, 16, 110
"""Of the figure, beside its axis, and of the highest pile of dots, in units of the drawing."""
_DOT = 9.0
"""The width of a dot, where there is room."""
_THIN = 2.0
"""Below this width dots are drawn as one bar."""


class Svg(str):
    """A drawing, which a notebook shows."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def clusters_of(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Return the pairs of each cluster."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(pair.cluster, []).append(pair)
    return found


def figure(row: Mapping[str, Any], pairs: Sequence[Pair], links: Mapping[str, str] | None = None) -> Svg:
    """Return the figure of an effect: a dot for the mean difference of each cluster, and below the estimate.

    Args:
        row: Of the effect, as `eda.study.effects.effects` gives it.
        pairs: Its pairs.
        links: Where the dot of each cluster leads; None for nowhere.
    """
    means = {name: sum(pair.difference for pair in of) / len(of) for name, of in clusters_of(pairs).items()}
    smallest = row["smallest"] or 0.0
    ends = [abs(row[end]) for end in ("low", "high")] if means else []
    reach: float = max([*map(abs, means.values()), *ends, smallest, 0.05]) * 1.06

    def across(value: float) -> float:
        return _WIDTH / 2 + value / reach * (_WIDTH / 2 - _MARGIN)

    bins = {name: round((across(value) - _WIDTH / 2) / _DOT) for name, value in means.items()}
    piles = Counter(bins.values())
    step = min(_DOT, _TALL / max([1, *piles.values()]))
    ground = step * max([1, *piles.values()]) + 8
    reached = across(smallest) - across(-smallest)
    shade = _tag("rect", x=across(-smallest), y=0.0, width=reached, height=ground, fill_opacity=".1")
    parts = [shade] if smallest else []
    dashed = {"stroke_dasharray": "3 3", "stroke_opacity": ".6"}
    parts.append(_line(_WIDTH / 2, 0.0, _WIDTH / 2, ground + 32, **dashed))
    parts.append(_line(_MARGIN / 2, ground, _WIDTH - _MARGIN / 2, ground, stroke_opacity=".45"))
    if step < _THIN:
        for place, number in piles.items():
            left, high = _WIDTH / 2 + (place - 0.4) * _DOT, step * number
            parts.append(_tag("rect", x=left, y=ground - high, width=0.8 * _DOT, height=high, fill_opacity=".6"))
    else:
        parts += _dots(means, bins, step, ground, links or {})
    if means:
        low, mid, high = (across(row[key]) for key in ("low", "estimate", "high"))
        below = ground + 14
        parts.append(_line(low, below, high, below, stroke_width="3"))
        parts.append(_tag("rect", x=mid - 5, y=below - 5, width="10", height="10", fill="currentColor"))
        style = {"text_anchor": "middle", "font_size": "12", "font_family": "sans-serif"}
        for value in (-reach / 1.06, 0, reach / 1.06):
            parts.append(_tag("text", signed(value), x=across(value), y=ground + 46, **style))
    label = f"{asked(row)}: {estimate(row) if means else 'no pairs'}"
    form = {"viewBox": f"0 0 {_WIDTH} {ground + 52:.0f}", "style": "max-width:34rem", "width": "100%", "role": "group"}
    given = {"xmlns": "http://www.w3.org/2000/svg", **form, "aria_label": label, "stroke": "none"}
    return Svg(_tag("svg", "".join(parts), **given, fill="currentColor"))


def _dots(
    means: Mapping[str, float], bins: Mapping[str, int], step: float, ground: float, links: Mapping[str, str]
) -> list[str]:
    """Return a dot for each cluster, piled where differences are alike."""
    dots, height = [], Counter[int]()
    for name, value in sorted(means.items(), key=lambda item: item[1]):
        x, y = _WIDTH / 2 + bins[name] * _DOT, ground - 3 - step * (height[bins[name]] + 0.5)
        height[bins[name]] += 1
        title = _tag("title", escape(f"{name}: {signed(value)}"))
        dot = _tag("circle", title, cx=x, cy=y, r=step / 2 - 0.6)
        dots.append(f'<a href="{escape(links[name])}" tabindex="-1">{dot}</a>' if name in links else dot)
    return dots


def _line(x1: float, y1: float, x2: float, y2: float, **style: str) -> str:
    return _tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="currentColor", **style)


def _tag(name: str, content: str = "", **given: str | float) -> str:
    """Return an element of the drawing, its `_` written as `-`; numbers have one digit after the point."""
    texts = {key.replace("_", "-"): each if isinstance(each, str) else f"{each:.1f}" for key, each in given.items()}
    opened = " ".join((name, *(f'{key}="{escape(text)}"' for key, text in texts.items())))
    return f"<{opened}>{content}</{name}>" if content else f"<{opened}/>"
