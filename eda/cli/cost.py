"""`eda show --cost`, and the forecast of `eda debate --dry-run`. An unknown price is shown as unknown, never as 0."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from eda.cli.common import note, print_json, say, spoken
from eda.cli.terminal.style import console_for, print_rows, print_tabbed
from eda.events import CallMade, Event, SessionResumed, SessionStarted, UsageTotals
from eda.report.formatting import money
from eda.report.phrases import ended_phrase
from eda.runners.models import model_table, reply_lengths
from eda.session import Session

if TYPE_CHECKING:
    from eda.report.forecast import Forecast


def show_cost(session: Session, *, as_json: bool) -> None:
    """Print what a session cost: calls, tokens and dollars by member, purpose, model and provider.

    All calls count, including repeated calls and side questions. A call that was stopped before its reply began has an
    unknown price. A call that was cut off together with the program is not in the log. If a server reports no tokens,
    four characters count as one token. In a pipe each row is a line with tabs: kind of group, name, calls, input, cache
    read, cache write, output, share, cost.
    """
    data = cost_data(session.events())
    if as_json:
        print_json({"session": session.started().session, **data})
    elif data["total"]["calls"]:
        print_cost(data, console_for())
    else:
        note("this session has made no calls")


_ENGINE = "(the engine)"
# What a group is called, from a call and the spec of the session's runner at that time.
_GROUPS: Mapping[str, Callable[[CallMade, str], str]] = {
    "agent": lambda call, _: call.agent or _ENGINE,
    "purpose": lambda call, _: call.purpose,
    "model": lambda call, _: call.model or "(not named)",
    "provider": lambda call, runner: call.provider or runner.partition(":")[0].partition(",")[0],
}
# What a person reads in place of the name of a row.
_TOLD = {
    "agent": lambda name: say("debate-engine") if name == _ENGINE else name,
    "purpose": lambda name: say("debate-purpose", purpose=name),
}
# `input` counts tokens neither read from the cache (`cached`) nor written to it (`written`).
_COLUMNS = ("calls", "input", "cached", "written", "output", "share", "cost")
_REPLIES = ("least", "usual", "most")


def cost_data(facts: Iterable[Event]) -> dict[str, Any]:
    """Return the total of all calls in a session, and rows by agent, purpose, model and provider, largest first."""
    total, runner = UsageTotals(), ""
    groups: dict[str, dict[str, UsageTotals]] = {name: {} for name in _GROUPS}
    for fact in facts:
        if isinstance(fact, SessionStarted | SessionResumed):
            runner = fact.runner or runner
        if isinstance(fact, CallMade):
            total.add(fact)
            for group, name_of in _GROUPS.items():
                groups[group].setdefault(name_of(fact, runner), UsageTotals()).add(fact)
    return {
        "total": _row("total", total, total),
        **{
            f"by_{group}": [
                _row(name, spent, total)
                for name, spent in sorted(rows.items(), key=lambda item: (-item[1].tokens, item[0]))
            ]
            for group, rows in groups.items()
        },
    }


def print_cost(data: Mapping[str, Any], console: Console) -> None:
    """Print a table for each grouping; in a pipe a line a row, beginning with the kind of group."""
    total = data["total"]
    for group in _GROUPS:
        if group == "provider" and len(data["by_provider"]) == 1:
            continue
        kind = () if console.is_terminal else (group,)
        told = _TOLD.get(group, str) if console.is_terminal else str
        rows = [(*kind, told(row["name"]), *_cells(row)) for row in data[f"by_{group}"]]
        print_rows(console, [_head(group), *map(_head, _COLUMNS)], rows, {*map(_head, _COLUMNS)}, close=True)
    if not console.is_terminal:
        print_tabbed(console, [("total", "", *_cells(total))])
        return
    line = say(
        "cost-total",
        calls=total["calls"],
        tokens=total["tokens"],
        dollars=money(total["known_cost"], total["unpriced_calls"], words=spoken()),
        hit=total["cache_hit_rate"] or 0,
    )
    console.print(Text(line, style="bold"))


def _head(column: str) -> str:
    return say("cost-column", column)


def forecast_data(forecast: "Forecast") -> dict[str, Any]:
    """Return a forecast as data: rows by purpose and model, three totals, and the assumptions."""
    whole = forecast.totals[1]
    rows = sorted(forecast.runs[1].items(), key=lambda item: (-item[1].tokens, item[0]))
    return {
        "rows": [
            {"purpose": purpose, "model": model, **_row(f"{purpose} {model}", spent, whole)}
            for (purpose, model), spent in rows
        ],
        "totals": {name: _row(name, spent, spent) for name, spent in zip(_REPLIES, forecast.totals, strict=True)},
        "ended": dict(zip(_REPLIES, forecast.ended, strict=True)),
        "of_messages": forecast.of,
        "reply_tokens": {purpose: list(length) for purpose, length in reply_lengths().items()},
        "prices_checked": model_table().checked.isoformat(),
    }


def print_forecast(data: Mapping[str, Any], console: Console) -> None:
    """Print a forecast: a row for each purpose and model, the totals, and the assumptions."""
    told = _TOLD["purpose"] if console.is_terminal else str
    rows = [(told(row["purpose"]), row["model"], *_cells(row, share=False)) for row in data["rows"]]
    rows += [(_head("total"), _head(name), *_cells(row, share=False)) for name, row in data["totals"].items()]
    heads = [_head(name) for name in ("purpose", "model", *_COLUMNS) if name != "share"]
    print_rows(console, heads, rows, {*heads[2:]}, close=True)
    lengths = ", ".join(
        say("cost-length", purpose=purpose, least=str(least), usual=str(usual), most=str(most))
        for purpose, (least, usual, most) in data["reply_tokens"].items()
    )
    totals = (data["totals"][name] for name in _REPLIES)
    least, usual, most = (money(each["known_cost"], each["unpriced_calls"], words=spoken()) for each in totals)
    about = say("cost-forecast", usual=usual, least=least, most=most)
    console.print(Text(about, style="bold"), soft_wrap=not console.is_terminal)
    if (ended := data["ended"]["usual"]) in ("money", "tokens"):
        console.print(Text(say("cost-cut-short", ended=ended_phrase(ended, words=spoken())), style="yellow"))
    if data["of_messages"]:
        short, long = map(str, data["of_messages"])
        console.print(
            Text(say("cost-reckoned", short=short, long=long), style="dim"), soft_wrap=not console.is_terminal
        )
    assumed = say("cost-assumed", prices_checked=data["prices_checked"], lengths=lengths)
    console.print(Text(assumed, style="dim"), soft_wrap=not console.is_terminal)


def _row(name: str, spent: UsageTotals, total: UsageTotals) -> dict[str, Any]:
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
    """Return the cells of a row. The share is of the cost if all prices are known, else of the tokens."""
    part = row["share_of_tokens"] if row["share_of_cost"] is None else row["share_of_cost"]
    counts = ("calls", "input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
    shown = ("" if part is None else f"{part:.0%}",) if share else ()
    return (
        *(str(row[name]) for name in counts),
        *shown,
        money(row["known_cost"], row["unpriced_calls"], words=spoken()),
    )
