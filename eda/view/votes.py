"""How votes, polls and verdicts are said: by the figures of the rule that decided. The same words in every view."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from eda.events import Ballot, StanceTaken, TurnFailed, VerdictReached
from eda.view.text import listed, messages, one_line, shorten
from eda.voting import counts_of

__all__ = [
    "ballot_phrase",
    "block_lines",
    "choice_phrase",
    "dissent_phrase",
    "figure_phrase",
    "is_ranked",
    "none_phrase",
    "outcome_phrase",
    "renamed",
    "rests_on",
    "shift_phrase",
    "stance_phrase",
    "tie_phrase",
    "told_by_the_vote",
    "vote_phrase",
    "votes_phrase",
]

_WIDEST = 40
"""Characters of a choice that is named in passing."""
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
"""What the figure of each rule is; first choices, where it is not said."""


def told_by_the_vote(failed: TurnFailed) -> bool:
    """Whether the abstention, or the stance, that follows says the same."""
    return failed.purpose in ("ballot", "poll")


def choice_phrase(choice: str) -> str:
    """A choice within a sentence or before figures: a whole sentence loses its full stop."""
    said = one_line(choice)
    return said if said.endswith("..") else said.removesuffix(".")


def _several(choices: Sequence[str]) -> str:
    """Choices side by side, told apart also where they hold commas."""
    return ("; " if any("," in choice for choice in choices) else ", ").join(map(choice_phrase, choices))


def vote_phrase(ballot: Ballot) -> str:
    """`Ada for Ship, blocks Wait (reason)`."""
    reason = one_line(ballot.reason)
    return f"{one_line(ballot.agent)} {ballot_phrase(ballot)}" + (f" ({reason})" if reason else "")


def ballot_phrase(ballot: Ballot) -> str:
    """`for Ship, blocks Wait`."""
    if ballot.invalid:
        return "abstains: no valid ballot"
    said = []
    if ballot.choice is not None:
        said.append(f"for {choice_phrase(ballot.choice)}")
    elif ballot.approved:
        said.append(f"approves {_several(ballot.approved)}")
    elif ballot.scores:
        scores = (f"{choice_phrase(choice)} {score:g}" for choice, score in ballot.scores.items())
        said.append(f"scores {', '.join(scores)}")
    if ballot.blocked:
        said.append(f"blocks {_several(ballot.blocked)}")
    return ", ".join(said) or "abstains"


def stance_phrase(stance: StanceTaken) -> str:
    """`Ada holds Ship, 0.70 sure; what would change it: a failed trial`."""
    who = one_line(stance.who)
    if stance.invalid:
        return f"{who} gave no usable answer"
    held = f"holds {choice_phrase(stance.choice)}" if stance.choice is not None else "holds none of the choices"
    sure = f", {stance.confidence:.2f} sure" if stance.confidence is not None else ""
    change = f"; what would change it: {one_line(stance.change_mind)}" if stance.change_mind else ""
    return f"{who} {held}{sure}{change}"


def outcome_phrase(verdict: VerdictReached) -> str:
    """What the panel came to, in a line."""
    if verdict.outcome is not None:
        return choice_phrase(verdict.outcome)
    return f"No verdict: {none_phrase(verdict)}"


def none_phrase(verdict: VerdictReached) -> str:
    """Why nothing won."""
    wanted = "all votes" if verdict.rule == "unanimity" else f"a {one_line(verdict.rule)}"
    return verdict.note or f"no choice has {wanted}"


def votes_phrase(verdict: VerdictReached) -> str:
    """`majority rule, 4 of 5 votes, abstained: Ada`; `consent rule, nobody blocks it, 2 of 5 put it first`."""
    votes = sum(len(voters) for voters in verdict.tally.values())
    if verdict.rule in _FIGURES and verdict.outcome is not None:
        said = figure_phrase(verdict, verdict.outcome)
    else:
        won = len(verdict.tally.get(verdict.outcome, ())) if verdict.outcome is not None else 0
        said = f"{won} of {votes} votes" if won else f"{votes} vote" + "s" * (votes != 1)
        if verdict.outcome is not None and verdict.rule == "judge":
            said = f"{one_line(verdict.judge)} decides; {said}" if verdict.judge else f"the judge's choice; {said}"
        elif won and verdict.rule == "consent":
            said = f"nobody blocks it, {won} of {votes} put it first"
    abstained = f", abstained: {listed(verdict.abstained)}" if verdict.abstained else ""
    return f"{one_line(verdict.rule)} rule, {said}{abstained}"


def is_ranked(verdict: VerdictReached) -> bool:
    """Whether it is a list of all choices, best first, and no count of first choices."""
    return bool(verdict.order) and counts_of(verdict.rule) in ("approvals", "scores", "rankings")


def figure_phrase(verdict: VerdictReached, choice: str) -> str:
    """What a choice has under the rule."""
    figure = verdict.figures.get(choice, 0.0)
    return _FIGURES.get(verdict.rule, "{:g} vote{s}").format(figure, s="" if figure == 1 else "s")


def tie_phrase(verdict: VerdictReached) -> str:
    """How a tie was broken, long choices shortened; empty where there was none."""
    return one_line(renamed(verdict.tie, {choice: f"“{shorten(choice, _WIDEST)}”" for choice in verdict.tally}))


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The same with each option by another name."""
    longest = sorted(names, key=len, reverse=True)  # "Wait a year" before "Wait", which it begins with
    any_of = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)") if names else None
    return any_of.sub(lambda found: names[found[0]], text) if any_of else text


def shift_phrase(verdict: VerdictReached, choice: str) -> str:
    """`from 3 to 5` where a poll was taken before the talk; empty otherwise."""
    if not verdict.before:
        return ""
    return f"from {len(verdict.before.get(choice, ()))} to {len(verdict.tally.get(choice, ()))}"


def rests_on(verdict: VerdictReached, choice: str) -> str:
    """`m1, m8`; empty where no message is behind it."""
    return messages(verdict.behind.get(choice, ()))


def dissent_phrase(verdict: VerdictReached, ballot: Ballot) -> str:
    """What somebody wanted instead: `for Wait`, `blocks Ship`, `for Wait, blocks Ship`."""
    blocked = [choice for choice in ballot.blocked if verdict.outcome in (None, choice)]
    if blocked:  # the reason that follows is of the whole ballot
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
    """Each choice that somebody cannot live with, and who that is; only what won, where the rule counts no blocks."""
    for choice, who in verdict.blocked.items():
        if choice == verdict.outcome or counts_of(verdict.rule) == "blocks":
            yield choice_phrase(choice), listed(who)
