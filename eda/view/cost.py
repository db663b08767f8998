"""What a session took or will take. The one rule: a price that is unknown is said, never counted as 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from eda.events import CallMade
from eda.runners.models import model_table
from eda.spending import reply_lengths
from eda.spent import Spent
from eda.view.phrases import ended_phrase
from eda.view.style import columns
from eda.view.text import money, one_line

__all__ = ["cost_data", "dollars", "forecast_data", "print_cost", "print_forecast"]

if TYPE_CHECKING:
    from eda.forecast import Forecast

_GROUPS: Mapping[str, Callable[[CallMade], str]] = {
    "agent": lambda call: call.agent or "(the engine)",
    "purpose": lambda call: call.purpose,
    "model": lambda call: call.model or "(not named)",
}
_COLUMNS = ("calls", "input", "cached", "written", "output", "share", "cost")
"""`input` is what was neither read from the cache (`cached`) nor written to it (`written`)."""
_REPLIES = {"least": "short replies", "usual": "usual replies", "most": "long replies"}


def cost_data(calls: Iterable[CallMade]) -> dict[str, Any]:
    """Every call that was paid for: the total, and rows by agent, purpose and model, the largest first."""
    total = Spent()
    groups: dict[str, dict[str, Spent]] = {name: {} for name in _GROUPS}
    for call in calls:
        total.add(call)
        for group, name_of in _GROUPS.items():
            groups[group].setdefault(name_of(call), Spent()).add(call)
    return {
        "total": _row("total", total, total),
        **{
            f"by_{group}": [
                _row(name, spent, total)
                for name, spent in sorted(found.items(), key=lambda item: (-item[1].tokens, item[0]))
            ]
            for group, found in groups.items()
        },
    }


def print_cost(data: Mapping[str, Any], console: Console) -> None:
    """A table for each way to group on a terminal; in a pipe a line a row, its first field the kind of group."""
    total = data["total"]
    for group in _GROUPS:
        rows = data[f"by_{group}"]
        shown = [(group, row["name"], *_cells(row)) for row in rows]
        if console.is_terminal:
            console.print(_table([group, *_COLUMNS], [cells[1:] for cells in shown]))
        else:
            console.file.writelines("\t".join(map(one_line, cells)) + "\n" for cells in shown)
    if not console.is_terminal:
        console.file.write("\t".join(("total", "", *_cells(total))) + "\n")
        return
    hit = f", {total['cache_hit_rate']:.0%} of the input read from the cache" if total["cache_hit_rate"] else ""
    line = f"total: {total['calls']:,} calls, {total['tokens']:,} tokens, {dollars(total)}{hit}"
    console.print(Text(line, style="bold"))


def _table(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    table = columns(titles, _COLUMNS, close=True)
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    return table


def dollars(row: Mapping[str, Any]) -> str:
    """What a row cost; `unknown` where none of its calls has a known price."""
    calls, unpriced = row["calls"], row["unpriced_calls"]
    return "unknown" if unpriced and unpriced == calls else money(row["known_cost"], unpriced)


def forecast_data(found: Forecast) -> dict[str, Any]:
    """A forecast: a row for each purpose and model as is usual, the totals of all three, and what was assumed."""
    whole = found.totals[1]
    rows = sorted(found.usual.items(), key=lambda item: (-item[1].tokens, item[0]))
    return {
        "rows": [{"purpose": p, "model": m, **_row(f"{p} {m}", spent, whole)} for (p, m), spent in rows],
        "totals": {name: _row(name, spent, spent) for name, spent in zip(_REPLIES, found.totals, strict=True)},
        "ended": dict(zip(_REPLIES, found.ended, strict=True)),
        "reply_tokens": {purpose: list(length.tokens) for purpose, length in reply_lengths().items()},
        "prices_checked": model_table().checked.isoformat(),
    }


def print_forecast(data: Mapping[str, Any], console: Console) -> None:
    """A table on a terminal; in a pipe a row a line with tabs, the totals last, then what was assumed."""
    rows = [(row["purpose"], row["model"], *_cells(row, share=False)) for row in data["rows"]]
    rows += [("total", _REPLIES[name], *_cells(row, share=False)) for name, row in data["totals"].items()]
    if console.is_terminal:
        console.print(_table(["purpose", "model", *(name for name in _COLUMNS if name != "share")], rows))
    else:
        console.file.writelines("\t".join(map(one_line, cells)) + "\n" for cells in rows)
    lengths = ", ".join(
        f"{purpose} {usual} ({least} to {most})" for purpose, (least, usual, most) in data["reply_tokens"].items()
    )
    least, usual, most = (dollars(data["totals"][name]) for name in _REPLIES)
    about = f"about {usual}; {least} where replies are short, {most} where they are long; no call was made"
    console.print(Text(about, style="bold"), soft_wrap=not console.is_terminal)
    if (ended := data["ended"]["usual"]) in ("money", "tokens"):
        console.print(Text(f"where replies are usual the talk is cut short: {ended_phrase(ended)}", style="yellow"))
    assumed = (
        f"assumed: prices of {data['prices_checked']}; tokens of a reply: {lengths}; four characters are a token; what "
        "was sent within five minutes is read from the cache; no thinking, no failed call, no limit of time, "
        "nobody repeats what was said; stances settle and blocks end at once where replies are short, half-way where "
        "they are usual, never where they are long"
    )
    console.print(Text(assumed, style="dim"), soft_wrap=not console.is_terminal)


def _row(name: str, spent: Spent, total: Spent) -> dict[str, Any]:
    fresh = spent.input_tokens - spent.cache_read_tokens - spent.cache_write_tokens
    return {
        "name": name,
        "calls": spent.calls,
        "input_tokens": fresh,
        "cache_read_tokens": spent.cache_read_tokens,
        "cache_write_tokens": spent.cache_write_tokens,
        "output_tokens": spent.output_tokens,
        "tokens": spent.tokens,
        "cost": None if spent.unpriced_calls else spent.cost,
        "known_cost": spent.cost,
        "unpriced_calls": spent.unpriced_calls,
        "share_of_tokens": _share(spent.tokens, total.tokens),
        "share_of_cost": None if total.unpriced_calls else _share(spent.cost, total.cost),
        "cache_hit_rate": _share(spent.cache_read_tokens, spent.input_tokens),
    }


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _cells(row: Mapping[str, Any], *, share: bool = True) -> tuple[str, ...]:
    """The share is that of the cost where all prices are known, else that of the tokens."""
    part = row["share_of_tokens"] if row["share_of_cost"] is None else row["share_of_cost"]
    counts = ("calls", "input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
    shown = ("" if part is None else f"{part:.0%}",) if share else ()
    return (*(str(row[name]) for name in counts), *shown, dollars(row))
