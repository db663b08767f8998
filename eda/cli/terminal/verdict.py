"""A verdict in words: lines for a pipe, and on a terminal the votes as bars in the members' colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from eda.cli.terminal.style import Colours, marked
from eda.events import Ballot, VerdictReached
from eda.report.formatting import listed, messages, one_line, shorten
from eda.report.phrases import none_phrase, renamed
from eda.voting import counts_of

_BAR = 24
"""Columns of the longest bar."""
_WIDEST = 40
"""Characters of a choice within a sentence."""
_FIGURES = {
    "approval": "approved by {:g}",
    "score": "{:.1f} of 10 on average",
    "borda": "{:g} point{s}",
    "copeland": "{:g} duel{s} won",
    "instant-runoff": "{:g} vote{s} in its last round",
    "ranked-pairs": "{:g} option{s} below it",
    "schulze": "{:g} option{s} below it",
    "shift": "{:+.0%} of the panel",
}
"""The figure of each rule; a rule without an entry counts first choices."""


def choice_phrase(choice: str) -> str:
    """Return a choice for use within a sentence, without its full stop."""
    text = one_line(choice)
    return text if text.endswith("..") else text.removesuffix(".")


def _several(choices: Sequence[str]) -> str:
    """Return a list of choices, joined by semicolons if a choice contains a comma."""
    return ("; " if any("," in choice for choice in choices) else ", ").join(map(choice_phrase, choices))


def ballot_phrase(ballot: Ballot) -> str:
    """Return what a ballot says: `for Ship, blocks Wait`."""
    if ballot.invalid:
        return "abstains: no valid ballot"
    parts = []
    if ballot.choice is not None:
        parts.append(f"for {choice_phrase(ballot.choice)}")
    elif ballot.approved:
        parts.append(f"approves {_several(ballot.approved)}")
    elif ballot.scores:
        scores = (f"{choice_phrase(choice)} {score:g}" for choice, score in ballot.scores.items())
        parts.append(f"scores {', '.join(scores)}")
    if ballot.blocked:
        parts.append(f"blocks {_several(ballot.blocked)}")
    return ", ".join(parts) or "abstains"


def outcome_phrase(verdict: VerdictReached) -> str:
    """Return the outcome, or why there is none."""
    if verdict.outcome is not None:
        return choice_phrase(verdict.outcome)
    return f"No verdict: {none_phrase(verdict)}"


def votes_phrase(verdict: VerdictReached) -> str:
    """Return the rule and the votes: `majority rule, 4 of 5 votes, abstained: Ada`."""
    votes = sum(len(voters) for voters in verdict.tally.values())
    if verdict.rule in _FIGURES and verdict.outcome is not None:
        text = figure_phrase(verdict, verdict.outcome)
    else:
        won = len(verdict.tally.get(verdict.outcome, ())) if verdict.outcome is not None else 0
        text = f"{won} of {votes} votes" if won else f"{votes} vote" + "s" * (votes != 1)
        if verdict.outcome is not None and verdict.rule == "judge":
            text = f"{one_line(verdict.judge)} decides; {text}" if verdict.judge else f"the judge's choice; {text}"
        elif won and verdict.rule == "consent":
            text = f"nobody blocks it, {won} of {votes} put it first"
    abstained = f", abstained: {listed(verdict.abstained)}" if verdict.abstained else ""
    return f"{one_line(verdict.rule)} rule, {text}{abstained}"


def is_ranked(verdict: VerdictReached) -> bool:
    """Return whether the verdict orders all choices, instead of counting first choices."""
    return bool(verdict.order) and counts_of(verdict.rule) in ("approvals", "scores", "rankings")


def figure_phrase(verdict: VerdictReached, choice: str) -> str:
    """Return the figure of a choice under the rule: `3 points`."""
    figure = verdict.figures.get(choice, 0.0)
    return _FIGURES.get(verdict.rule, "{:g} vote{s}").format(figure, s="" if figure == 1 else "s")


def tie_phrase(verdict: VerdictReached) -> str:
    """Return how a tie was broken, with long choices shortened; empty if there was no tie."""
    return one_line(renamed(verdict.tie, {choice: f"“{shorten(choice, _WIDEST)}”" for choice in verdict.tally}))


def shift_phrase(verdict: VerdictReached, choice: str) -> str:
    """Return `from 3 to 5` if a poll was taken before the discussion; else empty."""
    if not verdict.before:
        return ""
    return f"from {len(verdict.before.get(choice, ()))} to {len(verdict.tally.get(choice, ()))}"


def rests_on(verdict: VerdictReached, choice: str) -> str:
    """Return the messages behind a choice: `m1, m8`."""
    return messages(verdict.behind.get(choice, ()))


def dissent_phrase(verdict: VerdictReached, ballot: Ballot) -> str:
    """Return what a dissenter wanted: `for Wait`, `blocks Ship`, `for Wait, blocks Ship`."""
    blocked = [choice for choice in ballot.blocked if verdict.outcome in (None, choice)]
    if blocked:  # the reason that follows is about the whole ballot
        own = ballot.choice if ballot.choice != verdict.outcome else None
        return (f"for {choice_phrase(own)}, " if own is not None else "") + f"blocks {_several(blocked)}"
    other = ballot.choice if ballot.choice != verdict.outcome else None
    first = f", puts {choice_phrase(other)} first" if other is not None else ""
    if counts_of(verdict.rule) == "approvals":
        return f"does not approve it{first}"
    if counts_of(verdict.rule) == "scores":
        return f"scores it {ballot.scores.get(verdict.outcome or '', 0):g}{first}"
    if ballot.choice is None and ballot.approved:
        return f"approves {_several(ballot.approved)}"
    return f"for {choice_phrase(ballot.choice)}" if ballot.choice is not None else "for none of them"


def block_lines(verdict: VerdictReached) -> Iterator[tuple[str, str]]:
    """Yield each blocked choice and who blocks it; only the winner if the rule counts no blocks."""
    for choice, who in verdict.blocked.items():
        if choice == verdict.outcome or counts_of(verdict.rule) == "blocks":
            yield choice_phrase(choice), listed(who)


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def verdict_lines(verdict: VerdictReached) -> list[str]:
    """Return the outcome, each choice with its voters, the dissent and the evidence, a line each."""
    lines = [f"verdict: {outcome_phrase(verdict)} ({votes_phrase(verdict)})"]
    lines += _ranked_lines(verdict) if is_ranked(verdict) else _voter_lines(verdict)
    if verdict.tie:
        lines.append(f"tie: {tie_phrase(verdict)}")
    lines += [f"blocked: {choice}, by {who}" for choice, who in block_lines(verdict)]
    for ballot in verdict.dissent:
        text = dissent_phrase(verdict, ballot)
        lines.append(f"dissent: {one_line(ballot.agent)}, {text}" + _in_brackets(one_line(ballot.reason)))
    if verdict.evidence and not is_ranked(verdict):
        lines.append(f"evidence: {messages(verdict.evidence)}")
    return lines


def _ranked_lines(verdict: VerdictReached) -> list[str]:
    return [
        f"ranked: {place}. {choice_phrase(choice)}, {figure_phrase(verdict, choice)}"
        + _in_brackets(rests_on(verdict, choice))
        for place, choice in enumerate(verdict.order, 1)
    ]


def _voter_lines(verdict: VerdictReached) -> list[str]:
    lines = []
    for choice, voters in verdict.tally.items():
        moved = shift_phrase(verdict, choice)
        text = f"votes: {len(voters)} for {choice_phrase(choice)}" + (f", {moved}" if moved else "")
        lines.append(text + _in_brackets(listed(voters)))
    return lines


def verdict_parts(verdict: VerdictReached, seats: Colours, width: int) -> list[RenderableType]:
    """Return the outcome, the votes as bars, the dissent and the evidence, for a terminal."""
    won = verdict.outcome is not None
    parts: list[RenderableType] = [
        Text(outcome_phrase(verdict), style="bold" if won else "bold yellow"),
        Text(votes_phrase(verdict), style="dim"),
    ]
    if is_ranked(verdict):
        parts += [Text(), *_ranking(verdict)]
    elif verdict.tally:
        parts += [Text(), *_tally(verdict, seats, width)]
    if verdict.tie:
        parts += [Text(), Text(tie_phrase(verdict), style="dim")]
    if blocks := [Text.assemble(choice, (f"  by {who}", "dim")) for choice, who in block_lines(verdict)]:
        parts += [Text(), Text("Blocked", style="bold"), *blocks]
    if verdict.dissent:
        parts += [Text(), Text("Dissent", style="bold")]
        for ballot in verdict.dissent:
            text = dissent_phrase(verdict, ballot)
            text = f"votes {text}" if text.startswith("for ") else text
            parts.append(Text.assemble(seats.name(ballot.agent), (f" {text}", "dim")))
            if ballot.reason:
                parts.append(Padding(Text(f"“{one_line(ballot.reason)}”"), (0, 0, 0, 2)))
    if verdict.evidence and not is_ranked(verdict):
        parts += [Text(), Text(f"Rests on {messages(verdict.evidence)}", style="dim")]
    return parts


def _ranking(verdict: VerdictReached) -> Sequence[RenderableType]:
    rows = []
    for place, choice in enumerate(verdict.order, 1):
        behind = rests_on(verdict, choice)
        figures = figure_phrase(verdict, choice) + (f", {behind}" if behind else "")
        style = "bold" if choice == verdict.outcome else ""
        text = Text.assemble((choice_phrase(choice), style), (f" · {figures}", "dim"))
        rows.append(marked(Text(f"{place}.", "dim"), text))
    return rows


def _tally(verdict: VerdictReached, seats: Colours, width: int) -> Sequence[RenderableType]:
    ordered = sorted(verdict.tally.items(), key=lambda row: -len(row[1]))
    most = max(1, *(len(voters) for _, voters in ordered))
    scale = min(_BAR, max(8, width // 5))
    rows: list[tuple[Text, Text]] = []
    for choice, voters in ordered:
        style = "bold" if choice == verdict.outcome else ""
        bar = "█" * round(len(voters) / most * scale)
        votes = Text.assemble((bar, "green" if choice == verdict.outcome else "bright_black"), f" {len(voters)}  ")
        votes.append_text(seats.names(voters))
        if moved := shift_phrase(verdict, choice):
            votes.append(f"  {moved}", "dim")
        rows.append((Text(one_line(choice), style=style), votes))
    if width >= 70 and all(len(choice.plain) <= 28 for choice, _ in rows):
        table = Table.grid(padding=(0, 2))
        for row in rows:
            table.add_row(*row)
        return [table]
    return [Group(choice, Padding(votes, (0, 0, 0, 2))) for choice, votes in rows]
