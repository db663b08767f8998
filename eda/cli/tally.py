"""`eda show --tally`: the same ballots under several rules, where these disagree, and who abstains or blocks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from rich.console import Console
from rich.text import Text

from eda.cli.common import print_data, say, spoken
from eda.cli.terminal.style import console_for, print_rows, print_tabbed
from eda.debate.prompts.ballot_prompt import kin_phrase
from eda.debate.replay import progress_of
from eda.debate.verdict import counted_members, rule_of, votes_of
from eda.events import NONE, BallotText, Doubt, Tie
from eda.memory.minutes.proposals import slug
from eda.panels.registry import RULES
from eda.report.formatting import listed, one_line, voters_words
from eda.report.vote_words import doubts_phrase, lots_phrase, tie_phrase, undecided_phrase
from eda.session import Session
from eda.voting import Account, Comparison, Tally, compare, counts_of, kinship, rule_known, rule_named


def show_tally(session: Session, *, as_json: bool) -> None:
    """Count the last ballots of a session again, under all rules, and print the result.

    Prints, for each rule, the winner, the margin and how many ballots would have to change for another outcome, and
    where the rules disagree. Figures stand behind what they count. If the format has no ballot, the last poll is
    counted, by the rules for which one choice of each is enough; `shift` compares it with the first poll. In a pipe
    each row is a line with tabs: `rule`, name, winner, figures, margin, ballots to change. Further lines have a kind
    and a text. A motion goes by the id of the text that most put first of it.
    """
    progress, started = progress_of(session), session.started()
    votes, settings, reached = votes_of(session, progress), progress.settings, progress.verdict
    rules = (
        [name for name in RULES.names() if rule_named(name).counts in ("firsts", "judge", "polls")]
        if votes.polled
        else None
    )
    asked = counts_of(rule_of(progress)) == "blocks"
    counts = compare(votes, started.seed, rules=rules, judge=settings.judge, blocks_asked=asked)
    data = {
        "session": started.session,
        "seed": started.seed,
        "counted": "poll" if votes.polled else "ballots",
        "answer": votes.answer,
        "adopted": [text.model_dump(mode="json") for text in (reached.adopted if reached else ())],
        **tally_data(counts, votes, members=counted_members(progress, votes), quorum=settings.quorum),
    }
    print_data(data, lambda: print_tally(data, console_for()), as_json=as_json)


_COLUMNS = ("rule", "winner", "figures", "margin", "to-change")
# Longest option, in characters, that is printed in the table; longer ones get a letter.
_SHORT = 14


def tally_data(comparison: Comparison, account: Account, *, members: Sequence[str], quorum: float) -> dict[str, Any]:
    """Return everything that is printed, as data. A motion goes by the words of the text that most put first of it."""
    names = account.names
    lists = any(one.adopted for one in comparison.tallies)
    worded = {**names, **{text.id: text.text for text in account.texts}} if lists else names
    return {
        "choices": [words for option, words in names.items() if option != NONE or not account.texts],
        "texts": _votes_of(account),
        "members": list(members),
        "voted": list(account.who("voted")),
        "doubted": {
            ballot.agent: [asdict(each) for each in ballot.doubts] for ballot in account.ballots if ballot.doubts
        },
        "abstained": list(account.who("abstained")),
        "unreadable": {b.agent: list(b.raw) for b in account.ballots if b.agent in account.who("unreadable")},
        "missing": list(account.who("missing")),
        "blocked": account.blocked,
        "quorum": quorum,
        "quorate": len(account.who("voted")) > quorum * len(members),
        "rules": [_row(tally, names, worded) for tally in comparison.tallies],
        "winners": [{"winner": _named(won, worded), "rules": list(rules)} for won, rules in comparison.winners.items()],
        "condorcet": _named(comparison.condorcet, names),
        "cycle": [
            {**duel._asdict(), "winner": names[duel.winner], "loser": names[duel.loser]} for duel in comparison.cycle
        ],
    }


def _votes_of(account: Account) -> list[dict[str, Any]]:
    """Return each text with who put it first, who accepts it, and who wants it beside the answer, if another wins."""
    also, rows = account.beside().acceptors, []
    for text in account.texts:
        first, accepted = list(account.firsts[text.text]), list(account.acceptors[text.id])
        rows.append({**text.model_dump(), "first": first, "accepted": accepted, "beside": list(also[text.id])})
    return rows


def print_tally(data: Mapping[str, Any], console: Console) -> None:
    """Print a table on a terminal, in a pipe lines with tabs; motions go by ids, other long options by letters."""
    ids = {text["text"]: text["id"] for text in reversed(data["texts"])}
    labels = [ids.get(words) or one_line(words) for words in data["choices"]]
    long = console.is_terminal and not data["texts"] and any(len(label) > _SHORT for label in labels)
    if long:
        labels = [chr(ord("A") + place % 26) * (place // 26 + 1) for place in range(len(labels))]
    names = {**dict(zip(data["choices"], labels, strict=True)), NONE: say("tally-none")}
    if data.get("answer") == "list":
        names |= {text["text"]: text["id"] for text in data["texts"]}
    rows = [_cells(row, names) for row in data["rules"]]
    if not console.is_terminal:
        print_tabbed(console, [("rule", *cells) for cells in rows])
        print_tabbed(console, _lines(data, names))
        return
    for choice in data["choices"] if long else ():
        console.print(Text.assemble((f"{names[choice]}  ", "bold"), one_line(choice)))
    heads = [say("tally-column", name) for name in _COLUMNS]
    print_rows(
        console, heads, [(_rule(rule), *cells) for rule, *cells in rows], {say("tally-column", "margin")}, close=True
    )
    for kind, text in _lines(data, names):
        console.print(Text.assemble((f"{say('tally-kind', kind=slug(kind))}: ", "bold"), one_line(text)))


def _rule(name: str) -> str:
    return say("votes-rule", rule=name.replace("/", "-"))


def _named(option: str | Sequence[str] | None, names: Mapping[str, str]) -> str | list[str] | None:
    """Return the words of an option, or of several."""
    if option is None or isinstance(option, str):
        return None if option is None else names[option]
    return [names[each] for each in option]


def _row(tally: Tally, names: Mapping[str, str], worded: Mapping[str, str]) -> dict[str, Any]:
    outcome, figure = tally.outcome, rule_known(tally.rule).figure
    return {
        "rule": tally.rule,
        "kind": figure,
        "missing": tally.missing,
        "winner": _named(tally.winner, worded),
        "motion": outcome.winner if NONE in names else None,
        "text": tally.text.model_dump() if tally.text else None,
        "adopted": [each.model_dump(mode="json") for each in tally.adopted or ()],
        "figures": {names[option]: figure for option, figure in outcome.figures.items()},
        "order": _named(outcome.order, names),
        "rounds": [{names[option]: votes for option, votes in one.items()} for one in outcome.rounds],
        "margin": tally.margin,
        "level_with_none": outcome.winner not in (None, NONE)
        and outcome.figures.get(NONE) == outcome.figures.get(outcome.winner or ""),
        "changes": tally.changes,
        "changes_exact": tally.exact,
        "tied": _named(outcome.tied, names),
        "tie": tally.tie.renamed(names) if tally.tie else None,
        "wording_ties": [tie for tie in (tally.wording_tie, *(each.tie for each in tally.adopted or ())) if tie],
        "lots": Tie(lots=outcome.lots).renamed(names).lots,
        "note": outcome.note,
    }


def _cells(row: Mapping[str, Any], names: Mapping[str, str]) -> tuple[str, ...]:
    if row["missing"]:
        why = undecided_phrase(replace(row["missing"], rule=""), spoken())
        return row["rule"], say("tally-lacking", why=why), "", "", ""
    left = row["rounds"][-1] if row["rounds"] else row["figures"]
    order = (choice for choice in row["order"] or left if choice in left)
    figures = ", ".join(say("tally-figure", name=names[choice], figure=left[choice]) for choice in order)
    figures = f"{say('tally-unit', kind=row['kind'])}: {figures}" if figures else ""
    figures += f"; {say('tally-level')}" if row["level_with_none"] else ""
    changes = say("tally-changes", "none") if row["changes"] is None else str(row["changes"])
    changes = "" if isinstance(row["winner"], list) else changes  # each motion has its own
    return (
        row["rule"],
        _winner(row, names),
        figures,
        "" if row["margin"] is None else say("tally-figure", name="", figure=row["margin"]),
        changes if row["changes_exact"] else say("tally-at-least", changes=changes),
    )


def _winner(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return what won; of a motion that was decided in other words than those that it goes by, their id."""
    name, text = _won(row["winner"], names), row["text"]
    if not isinstance(row["winner"], str):
        return name
    other = text["id"] != name if text else row["motion"]
    return say("tally-winner", name=name, text=text["id"] if text else "") if other else name


def _lines(data: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from _agreement(data, names)
    polled = data.get("counted") == "poll"
    if not polled:  # there each has one choice: duels would say again what the votes say
        yield from _duels(data, names)
    for row in data["rules"]:
        if row["note"]:
            yield row["rule"], undecided_phrase(row["note"], spoken())
        tie = (row["tie"] or Tie(lots=row["lots"])).renamed(names)
        if words := tie_phrase(tie, spoken()) or lots_phrase(tie.lots, spoken()):
            yield row["rule"], words
    for words in dict.fromkeys(tie_phrase(tie, spoken()) for row in data["rules"] for tie in row["wording_ties"]):
        yield "wording", words
    if polled:
        yield "counted", say("tally-polled")
    yield from _text_lines(data, names)
    if data.get("answer") == "list":
        yield "list", say("tally-list")
    yield from _turnout(data)
    ids = {text["text"]: text["id"] for text in data["texts"]} or names
    for choice, who in data["blocked"].items():
        yield "blocked", say("report-blocked", who=who, text=ids[choice])


def _text_lines(data: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each text of the ballot with who accepts it, whose first it is, and who wants it beside the answer."""
    words = dict(zip(dict.fromkeys(text["motion"] for text in data["texts"]), data["choices"], strict=False))
    texts = [BallotText(**{key: text[key] for key in BallotText.model_fields if key in text}) for text in data["texts"]]
    beside = any(text["beside"] for text in data["texts"])
    decided = {row["text"]["id"] for row in data["rules"] if row["text"]}
    for motion, choice in words.items():
        wordings = [text.id for text in texts if text.motion == motion]
        if len(wordings) > 1 and data.get("answer") != "list":
            yield "wording", say("tally-wordings", name=names[choice], ids=wordings)
    for text, own in zip(data["texts"], texts, strict=True):
        first = names[words[own.motion]]  # the text by which its motion goes
        first = "" if own.into and first not in decided else first
        told = {key: text[key] for key in ("id", "accepted", "beside", "text")}
        told["first"] = text["first"] if text["first"] != text["accepted"] else []
        yield "text", say("tally-text", kin=kin_phrase(kinship(own, first, texts), spoken()), answer=beside, **told)


def _duels(data: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    others = [names[choice] for choice in data["choices"] if choice != data["condorcet"]]
    if data["condorcet"] is not None and others:
        yield "duels", say("tally-condorcet", winner=names[data["condorcet"]], others=len(others), loser=others[0])
    if data["cycle"]:
        duels = [d | {"winner": names[d["winner"]], "loser": names[d["loser"]]} for d in data["cycle"]]
        yield "cycle", say("tally-cycle", duels=[say("tally-duel", **duel) for duel in duels])


def _turnout(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    voted, members = len(data["voted"]), len(data["members"])
    quorum = {"quorum": data["quorum"], "reached": data["quorate"]}
    yield "quorum", say("tally-quorum", voted=voted, members=members, **quorum)
    for who, doubts in data["doubted"].items():
        yield "in doubt", f"{who}: {doubts_phrase((Doubt(**each) for each in doubts), spoken())}"
    for who, tries in data["unreadable"].items():
        yield "unreadable", say("tally-unreadable", who=who, words=voters_words(tries[-1]) if tries else "")
    for kind in ("abstained", "missing"):
        if data[kind]:
            yield kind, listed(data[kind])


def _won(winner: str | Sequence[str] | None, names: Mapping[str, str]) -> str:
    if isinstance(winner, str):
        return names[winner]
    return (
        say("tally-won", "none")
        if winner is None
        else listed([names[each] for each in winner]) or say("tally-won", "nothing")
    )


def _agreement(data: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the winners with the rules that name them, by a lot or not, and whether the rules disagree."""
    winners = data["winners"]
    close = {row["rule"]: f" ({say('tally-close', 'lot')})" for row in data["rules"] if row["tie"]}
    close |= {row["rule"]: f" ({say('tally-close', 'level')})" for row in data["rules"] if row["level_with_none"]}
    rules = [[_rule(rule) + close.get(rule, "") for rule in group["rules"]] for group in winners]
    groups = [
        say("tally-under", won=_won(group["winner"], names), rules=shown)
        for group, shown in zip(winners, rules, strict=True)
    ]
    if sum(len(group["rules"]) for group in winners) > 1:
        yield "disagree" if (sum(bool(group["winner"]) for group in winners) > 1) else "agree", "; ".join(groups)
