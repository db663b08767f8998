"""Words for votes and ballots: who accepts what, in which wording, why nothing won, and which ballot is in doubt."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from eda.events import Adopted, VerdictReached
from eda.events.outcome import Otherwise, Outcome, Text, Voter
from eda.report.formatting import one_line
from eda.voting import counts_of, rule_known
from eda.voting.naming import NONE_NAMED
from eda.voting.rules import VOTES

_ASKED = {
    "majority": "more than half of the votes",
    "supermajority-2/3": "two thirds of the votes",
    "supermajority-3/4": "three quarters of the votes",
    "unanimity": "all votes",
}


def none_phrase(rule: str, note: str = "") -> str:
    """Return why no choice won: the count's own note, else what the rule asks for and no choice has."""
    return one_line(note) or f"no choice has {_ASKED.get(rule) or f'what the rule {one_line(rule)} asks for'}"


def rule_line(outcome: Outcome) -> str:
    """Return what the rule of a vote does, or who decides."""
    return f"{outcome.judge} decides." if outcome.judge else rule_known(outcome.rule).line


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return the text with each option replaced by its other name."""
    longest = sorted(names, key=len, reverse=True)  # "Wait a year" before "Wait", which it begins with
    any_of = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)") if names else None
    return any_of.sub(lambda match: names[match[0]], text) if any_of else text


def wordings(verdict: VerdictReached, choice: str) -> dict[str, tuple[str, ...]]:
    """Return by id who puts each text of a motion first, most first; in a list and of approvals who accepts it.

    Empty where nobody votes for another text of the motion than `choice`, by which it goes.
    """
    motion = next((text.motion for text in verdict.offered if text.text == choice), "")
    approves = verdict.answer == "list" or counts_of(verdict.rule) == "approvals"
    of = verdict.accepted if approves else verdict.firsts
    shows = of if rule_known(verdict.rule).figure is VOTES else verdict.accepted
    texts = [t for t in verdict.offered if t.motion == motion and (t.text == choice or shows.get(t.id))]
    if len(texts) < 2 or not verdict.firsts:
        return {}
    return dict(sorted(((t.id, of.get(t.id, ())) for t in texts), key=lambda each: -len(each[1])))


def split_phrase(texts: Mapping[str, Sequence[str]], *, names: bool = False) -> str:
    """Return `p11.0 3, p8.0 1`, the votes of a motion by its texts, with the `names` of voters; empty without texts."""
    by = {key: f" ({names_of(who)})" if names else "" for key, who in texts.items() if who}
    return ", ".join(f"{one_line(key)} {len(texts[key])}{who}" for key, who in by.items())


def is_part(verdict: VerdictReached, key: str) -> bool:
    """Return whether the text decided joins the text of that id."""
    won = next((text for text in verdict.offered if text.id == verdict.version), None)
    return won is not None and any(text.id == key and won.takes_in(text) for text in verdict.offered)


def wanted_by(item: Text | Adopted, does: str, of: int, *, part: bool = False) -> str:
    """Return `4 of 5 accept it`; of several wordings `4 of 5 accept a wording of it, 3 of them this one`.

    A `part` of the text decided is said to be that, and so is it where no wording was accepted.
    """
    voters, exact = len(item.voters), len(item.exact or item.voters)
    words = f"{voters} of {of} {does}{'s' * (voters == 1)} "
    words += "it" if item.id and exact == voters else "a wording of it"
    words += f", {exact} of them this one" if item.id and exact != voters else ""
    words += "" if item.id else ", but no single wording was accepted"
    return words + "; it is also a part of what was decided" * part


_OTHERWISE: Mapping[Otherwise, str] = {
    "": "",
    "none": "accepts none of the texts",
    "abstained": "abstained",
    "invalid": "gave no usable ballot",
}


def ballot_words(voter: Voter, name: Callable[[str], str], part: str = "") -> str:
    """Return `accepts p9.1, p8.0, would also adopt p3.0, blocks o1`; `name` names a text, `part` what it is part of."""
    did = f"accepts {', '.join(map(name, voter.accepts))}" if voter.accepts else _OTHERWISE[voter.otherwise]
    also = (name(words) + f" (part of {part})" * (bool(part) and words in voter.part) for words in voter.also)
    did += f", would also adopt {', '.join(also)}" if voter.also else ""
    did += f", blocks {', '.join(map(name, voter.blocks))}" if voter.blocks else ""
    return did + (f", scores what was decided {voter.scored:g} of 10" if voter.scored is not None else "")


def doubted_phrase(verdict: VerdictReached | Outcome) -> str:
    """Return `, though Ada's reason refuses it (without that vote p7.1 would be decided)`; mostly empty."""
    if not verdict.doubted:
        return ""
    to, few = one_line(verdict.undoubted), len(verdict.doubted) == 1
    would = {"no wording": "no wording of it would stand", "no verdict": "there would be no verdict"}
    without = f"without {'that vote' if few else 'those votes'}"
    what = f" ({without} {would.get(to, f'{to} would be decided')})" if to else ""
    who = names_of(verdict.doubted)
    return f", though {f'the reason of {who} refuses' if few else f'the reasons of {who} refuse'} it{what}"


_DOUBTS = (
    ("the ballot accepts (.*), which you opposed in (.*)", r"it accepts \1, which its voter opposed in \2 (counted)"),
    ("the answer votes for .* and also names (.*): .*", r"in prose it names \1 beside its vote (not counted)"),
    (
        "the reason (refuses|at first refused) (.*?), which the ballot accepts(?:: .*)?",
        r"its reason \1 \2, which it accepts (counted)",
    ),
    ("`choice` is none, .*", "it is for none of the texts, and lists some all the same (counted for none)"),
    (
        rf"`\w+` says ('.*'), which (?:names none of the choices|.*{NONE_NAMED}.*)",
        r"it names \1, which is no text of the ballot (left out)",
    ),
    (r"`\w+` says ('.*'), which (.*)", r"where it says \1, it \2 (left out)"),
    (r"`\w+` names (.*) twice", r"it names \1 twice (counted once)"),
    (r"`\w+` must .*", "a list in it cannot be read (left out)"),
)
"""What a voter was asked about a ballot, and how a reader is told of it, with how it was counted."""


def doubt_phrase(doubt: str) -> str:
    """Return for a reader what of a ballot is unclear, also after its voter was asked about it, and what counted."""
    parts = re.split(r"; (?=`\w+` |the ballot |the reason |the answer )", one_line(doubt))
    for question, told in _DOUBTS:
        parts = [re.sub(f"^{question}$", told, part) for part in parts]
    return "; ".join(parts)


IN_ANY = ", counting all its wordings"
"""Beside a figure that counts a text in several wordings."""
FREE = "one of its wordings is blocked by nobody"
"""Under consent, of a motion without a text that stands."""
RESTS_ON = (
    "the messages that proposed it or what it comes from, support one of these, on a condition or without, hold it as"
    " a last position, or moved its authors or voters by their own word"
)
"""What the messages do that a text rests on."""


def figure_phrase(rule: str, figure: float) -> str:
    """Return the figure of a choice under a rule: `3 points`."""
    return rule_known(rule).figure.words.format(figure, s="" if figure == 1 else "s")


def names_of(names: Sequence[str]) -> str:
    """Return names as `Ada, Ben and Cleo`."""
    names = [one_line(name) for name in names]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
