"""Words of the report and the screens: for an ending, a vote without a winner, and the verdict in three sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from eda.events import CallDelayed, ReportWritten, VerdictReached
from eda.memory.polls import first_choice
from eda.panels.registry import STOPS
from eda.report.effect import Helped
from eda.report.formatting import one_line
from eda.report.model import Counted
from eda.voting import HALF, counts_of

_ENDINGS = {"person": "a person ended the talk", "verdict": "a verdict was reached", "lap": "once more"}
"""Ends that are no stop condition; a stop condition has its own phrase."""


def ended_phrase(reason: str) -> str:
    """Return why a debate or a phase ended, in words."""
    condition = STOPS.called(reason)
    return one_line(condition.phrase) if condition is not None else _ENDINGS.get(reason, one_line(reason))


def delay_phrase(delay: CallDelayed) -> str:
    """Return `again in 8 s: Overloaded (529) (Ada, speak, attempt 1)`; without a time where another model is asked."""
    when = f"again in {delay.seconds:.0f} s: " if delay.seconds else ""
    call = f"{one_line(delay.agent) or 'the engine'}, {one_line(delay.purpose)}, attempt {delay.attempt}"
    return f"{when}{one_line(delay.reason)} ({call})"


def none_phrase(verdict: VerdictReached) -> str:
    """Return why no choice won."""
    needed = "all votes" if verdict.rule == "unanimity" else f"a {one_line(verdict.rule)}"
    return verdict.note or f"no choice has {needed}"


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return the text with each option replaced by its other name."""
    longest = sorted(names, key=len, reverse=True)  # "Wait a year" before "Wait", which it begins with
    any_of = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)") if names else None
    return any_of.sub(lambda match: names[match[0]], text) if any_of else text


_FIGURES = {
    "borda": "{:g} points",
    "instant-runoff": "{:g} votes in its last round",
    "copeland": "{:g} of {} duels won",
}
"""The figure of the winner, under rules by which the most first choices need not win."""


def verdict_sentences(
    counted: Counted, reached: VerdictReached, helps: Helped, prose: ReportWritten | None, noun: str
) -> tuple[str, ...]:
    """Return the sentences of the verdict; the first is always the count's."""
    if prose is not None and prose.verdict:
        return (_came_to(counted, noun), prose.verdict)
    return (_came_to(counted, noun), _against(counted, reached), _talk(helps, counted))


def _came_to(counted: Counted, noun: str) -> str:
    votes = sum(len(row.voters) for row in counted.rows)
    if counted.outcome is None:
        level = ", ".join(f"{len(row.voters)} for {_named(row.choice)}" for row in counted.rows if row.voters)
        why = (
            counted.note or f"no choice has what the rule asks for ({counted.rule}: {counted.line.rstrip('.').lower()})"
        )
        return f"The panel came to no verdict: {why}" + (f"; the votes were {level}." if level else ".")
    won = next(row for row in counted.rows if row.choice == counted.outcome)
    how = {
        "approvals": f"{won.figure:g} of {counted.asked} approve it",
        "scores": f"a mean score of {won.figure:.1f} of 10",
        "judge": f"{counted.line.rstrip('.')}, and {len(won.voters)} of {votes} put it first",
        "blocks": f"nobody blocks it, and {len(won.voters)} of {votes} put it first",
        "polls": f"its share grew by {100 * won.figure:.0f} points, to {len(won.voters)} of {counted.asked}",
    }.get(counts_of(counted.rule), f"{len(won.voters)} of {votes} votes put it first")
    figure = _FIGURES.get(counted.rule)
    how = f"{figure.format(won.figure, len(counted.rows) - 1)}, and {how}" if figure else how
    how += "; a lot broke the tie" if counted.tie else ""
    if len(counted.rows) > 1 and noun and counted.rule != "consent":  # what nobody blocks need be first for few
        first = f"Of {len(counted.rows)} {noun}s the panel put {_named(counted.outcome)} first"
        return f"{first} by the rule {counted.rule}: {how}."
    return f"The panel came to {_named(counted.outcome)} by the rule {counted.rule}: {how}."


def _against(counted: Counted, reached: VerdictReached) -> str:
    silent = _silent(counted)
    if counted.outcome is None:
        return f"{'; '.join(silent)}." if silent else "Nobody abstained."
    kind = counts_of(counted.rule)
    if kind in ("approvals", "scores"):
        gave = "did not approve it" if kind == "approvals" else f"scored it below {HALF}"
        deeds: dict[str, list[str]] = {}
        for ballot in reached.dissent:
            low = kind == "approvals" or ballot.scores.get(counted.outcome, 0) < HALF
            did = [gave] * low + ["cannot live with it"] * (counted.outcome in ballot.blocked)
            deeds.setdefault(" and ".join(did), []).append(ballot.agent)
        parts = [f"{names_of(who)} {did}" for did, who in deeds.items()] or ["Nobody was against it"]
        return f"{'; '.join([*parts, *silent])}."
    against: dict[str, list[str]] = {}
    wanted = "would rather have had" if kind == "blocks" else "wanted"
    for ballot in reached.dissent:
        first = first_choice(ballot)
        several = "cannot live with it" if counted.outcome in ballot.blocked else f"{wanted} one of several others"
        against.setdefault(f"{wanted} {_named(first)}" if first else several, []).append(ballot.agent)
    parts = [f"{names_of(who)} {did}" for did, who in against.items()]
    parts += silent
    if not parts:
        return "Nobody voted against it."
    return f"{'; '.join(parts)}." if against else f"Nobody voted against it; {'; '.join(parts)}."


def _silent(counted: Counted) -> list[str]:
    """Return who abstained, and who gave no usable ballot."""
    abstained = [who for who in counted.abstained if who not in counted.invalid]
    groups = ((abstained, "abstained"), (counted.invalid, "gave no usable ballot"))
    return [f"{names_of(who)} {did}" for who, did in groups if who]


def _talk(helps: Helped, counted: Counted) -> str:
    moved = f"{len(helps.moved) or 'none'} of {helps.compared} changed their mind"
    if helps.basis == "none" and counted.changes is not None:
        ballots = "ballot" if counted.changes == 1 else "ballots"
        least = "" if counted.exact else "at least "
        return f"For another outcome {least}{counted.changes} {ballots} would have to be different."
    if helps.before_by_lot:
        return f"Before the talk only a lot would have decided by the rule {helps.rule}: several were level; {moved}."
    if helps.changed is None:
        few = f"of {helps.members} members, {helps.with_known_opening or 'none'} had said before it where they stood"
        few += f", and {helps.voted or 'none'} voted in the end" if helps.voted < helps.with_known_opening else ""
        return f"Whether the talk changed the outcome is not known: {few}."
    then = f"{_named(helps.before)} would have won" if helps.before is not None else "nothing would have won"
    if helps.rule != counted.rule:  # what decided cannot be applied to one poll
        after = f"{_named(helps.after)} would" if helps.after is not None else "nothing would"
        after = f", after it {after if helps.changed else 'the same would'}"
        return f"Before the talk {then} by the rule {helps.rule}{after}; {moved}."
    if not helps.changed and helps.before is not None:
        then = "the same would have won"
    return f"Before the talk {then} by the rule {helps.rule}, and {moved}."


def _named(choice: str) -> str:
    return f"“{choice.rstrip('.')}”"


def names_of(names: Sequence[str]) -> str:
    """Return names as `Ada, Ben and Cleo`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
