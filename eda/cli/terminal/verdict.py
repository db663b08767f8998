"""Ballots and the verdict in words: lines for a pipe, on a terminal with the votes as bars in the members' colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from eda.cli.terminal.style import Colours
from eda.debate.prompts.ballot_prompt import kin_phrase
from eda.debate.state import DebateState
from eda.events import NONE, Ballot, BallotCast, StanceTaken, VerdictReached
from eda.events.records import Decision
from eda.memory.minutes.items import CLAIM_STATUSES
from eda.report.count_words import tie_phrase
from eda.report.formatting import corrected_by, how_sure, in_short, listed, messages, one_line, shorten, shown_id
from eda.report.outcome import dissent_of, is_part, outcome_of, wordings
from eda.report.phrases import ended_phrase
from eda.report.verdict_words import deeds_of, open_sentence, turnout, votes_for
from eda.report.vote_words import (
    ballot_words,
    doubts_phrase,
    figure_phrase,
    in_marks,
    none_phrase,
    split_phrase,
    wanted_by,
)
from eda.voting import counts_of
from eda.voting.account import voter_of
from eda.voting.choices import kinship
from eda.words import ENGLISH, Words

_BAR = 24
"""Columns of the longest bar."""
_WIDEST = 40
"""Characters of a choice within a sentence."""


def choice_phrase(choice: str) -> str:
    """Return a choice for use within a sentence, without its full stop."""
    text = one_line(choice)
    return text if text.endswith("..") else text.removesuffix(".")


def ballot_phrase(cast: BallotCast, *, whole: bool = True, blocks: bool = True, words: Words = ENGLISH) -> str:
    """Return what a ballot says: `Accepts “Ship” (o1), p9.1. Blocks “Wait”. Names m6 as what moved them.`.

    Where not `whole`, of what it accepts and adopts only its first choice is told; without `blocks` not what it blocks.
    """
    ballot, ids = cast.ballot, {text.text: shown_id(text.id) for text in cast.texts}
    first = next((text for text in cast.texts if text.text == ballot.first_choice), None)
    voter = voter_of(ballot, parts={text.text for text in cast.texts if first and first.takes_in(text)})
    voter = replace(voter, sure=None, blocks=voter.blocks if blocks else ())

    def name(text: str) -> str:
        number = ids.get(text, "")
        whole_text = in_short(text, number, others=ids) if number and first and text == first.text else number
        return whole_text or in_marks(choice_phrase(text), words)

    told = ballot_words(voter, name, first.id if first else "", words, brief=not whole and bool(first))
    doubts = [words.say("doubt-ballot", told=doubts_phrase(ballot.doubts, words))] if ballot.doubts else []
    return " ".join((told, *doubts))


def stance_phrase(stance: StanceTaken) -> str:
    """Return what an answer to a poll says: `holds Ship, 0.70 sure; what would change it: a failed trial`."""
    return ENGLISH.say(
        "screen-poll",
        kind="invalid" if stance.invalid else "beliefs" if stance.beliefs else "choice",
        beliefs=[f"{text} {belief:.2f}" for text, belief in stance.beliefs.items()],
        choice=choice_phrase(stance.choice or ""),
        sure="" if stance.confidence is None else how_sure(stance.confidence),
        at=f"m{stance.moved_by}" if stance.moved_by else "",
        change=stance.change_mind,
    )


def in_brackets(text: str) -> str:
    """Return a text in brackets after a blank; empty where it is empty."""
    return f" ({text})" if text else ""


def claim_phrase(decision: Decision) -> str:
    """Return what became of a claim: `m7 on p6.1 taken back: we all agree`; empty for what was decided."""
    if decision.status not in (*CLAIM_STATUSES, "adopted"):
        return ""
    back = decision.status == "disputed" and not {*decision.supporters}.isdisjoint(decision.denied_by)
    about = f" on {one_line(decision.proposal)}" if decision.proposal else ""
    state = "taken back" if back else decision.status
    return f"m{decision.messages[0]}{about} {state}: {one_line(decision.outcome)}"


def decision_phrase(decision: Decision) -> str:
    """Return what was decided, after its topic where the words do not say it, and who corrected it."""
    outcome, topic = one_line(decision.outcome), one_line(decision.topic)
    text = f"{topic}: {outcome}" if topic and topic.casefold() not in outcome.casefold() else outcome
    return text + corrected_by(decision.corrected, decision.status)


def outcome_phrase(verdict: VerdictReached, words: Words = ENGLISH) -> str:
    """Return the outcome with its id, or why there is none; of a list what was adopted."""
    if verdict.outcome is None:
        return words.say("verdict-none", why=none_phrase(verdict.rule, verdict.note, words))
    if isinstance(verdict.outcome, tuple):
        return words.say("verdict-adopted", count=len(verdict.outcome), items=(), below=True).strip()
    if verdict.motion and not verdict.version:
        text = words.say("votes-text", kind="text", text=verdict.outcome, id=verdict.motion, by="")
        return words.say("verdict-unworded", text=text, rule=verdict.rule, tie=bool(verdict.tie))
    given = verdict.motion.startswith("o") and verdict.motion != verdict.version
    about = [shown_id(verdict.version), words.say("votes-wording", of=verdict.motion) if given else ""]
    return choice_phrase(verdict.outcome) + in_brackets(", ".join(filter(None, about)))


def leader(verdict: VerdictReached) -> str:
    """Return the one motion that won, as the tally names it; empty in a list and without a winner."""
    return verdict.outcome if isinstance(verdict.outcome, str) else ""


def votes_phrase(verdict: VerdictReached, words: Words = ENGLISH) -> str:
    """Return the rule and the votes: `Rule: majority. 4 of 5 accept it. Eve accepts none of the texts.`."""
    counted = outcome_of(verdict)
    won = next((row for row in counted.rows if row.choice == counted.outcome), None)
    votes = votes_for(counted, won, words) if won else [words.say("votes-counted", count=counted.cast)]
    return " ".join((words.say("votes-rule", rule=verdict.rule), *votes, *turnout(counted, words)))


def is_ranked(verdict: VerdictReached) -> bool:
    """Return whether the verdict orders all choices, instead of counting first choices."""
    return bool(verdict.order) and counts_of(verdict.rule) in ("approvals", "scores", "rankings")


def shift_phrase(verdict: VerdictReached, choice: str, words: Words = ENGLISH) -> str:
    """Return `from 3 to 5` if a poll was taken before the discussion; else empty."""
    if not verdict.before:
        return ""
    before, after = (len(votes.get(choice, ())) for votes in (verdict.before, verdict.tally))
    return words.say("votes-moved", before=before, after=after)


def dissent_deeds(verdict: VerdictReached, ballot: Ballot, words: Words = ENGLISH) -> list[str]:
    """Return what a dissenter's ballot says: `puts “Wait” (o2) first`, `cannot live with p3.0`."""
    one = dissent_of(verdict, ballot)
    other = one.choice if one.choice not in ("", verdict.outcome, NONE) else ""
    text = _row(verdict, other, words, brief=not is_ranked(verdict)) + _kin(verdict, other, words) if other else ""
    ids = {text.text: shown_id(text.id) for text in verdict.offered}
    return deeds_of(one, text, words, [ids.get(text) or choice_phrase(text) for text in one.blocked])


def _kin(verdict: VerdictReached, choice: str, words: Words) -> str:
    """Return how another text of the motion that won came about from the one that won; empty of any other choice."""
    same = (text for text in verdict.offered if text.text == choice and text.motion == verdict.motion)
    version = one_line(verdict.version)
    return next((f", {kin_phrase(kinship(text, version, verdict.offered), words)}" for text in same if version), "")


def beside_lines(verdict: VerdictReached, words: Words = ENGLISH) -> Iterator[tuple[str, str]]:
    """Yield a label and a text for each item adopted, and for the text that beats the winner one against one."""
    kind: str
    does: Literal["accept", "want"]
    kind, does = ("adopted", "accept") if isinstance(verdict.outcome, tuple) else ("also", "want")
    for item in verdict.adopted:
        wanted = wanted_by(item, does, item.of, part=is_part(verdict, item.id), words=words)
        about = f"{one_line(item.id or item.motion)}, {wanted}"
        yield words.say("verdict-label", kind=kind, of=""), f"{choice_phrase(item.text)} ({about})"
    adopted = {item.motion for item in verdict.adopted}
    for text in verdict.offered:
        key = text.root or text.id if text.motion == verdict.motion else text.motion  # of the motion that won, parts
        if who := verdict.also.get(key if key not in adopted else "", ()):
            adopted.add(key)
            several = sum(key in (each.motion, each.root) for each in verdict.offered) > 1
            part = is_part(verdict, text.id)
            count, of = len(who), verdict.cast
            about = words.say("votes-wanted-beside", count=count, of=of, part=part, wordings=several)
            kind = "beside" if verdict.outcome is None else "part" if part else "refused"
            yield (
                words.say("verdict-label", kind=kind, of=verdict.version),
                f"{choice_phrase(text.text)} ({one_line(text.id)}, {about})",
            )
    rival = next((each for each in verdict.offered if each.id == verdict.rival), None)
    if rival is not None:
        named = words.say("votes-text", kind="text", text=rival.text, id=rival.id, by="")
        yield words.say("verdict-label", kind="rival", of=""), words.say("verdict-rival", text=named)


def _as_answer(verdict: VerdictReached) -> list[tuple[str, tuple[str, ...]]]:
    """Return the tally, most votes first; where texts are wanted beside the answer, without what nobody puts first."""
    beside = verdict.answer == "one" and (verdict.also or verdict.adopted)
    rows = (row for row in verdict.tally.items() if row[1] or not beside)
    return sorted(rows, key=lambda row: -len(row[1]))


def verdict_rows(verdict: VerdictReached, words: Words = ENGLISH) -> Iterator[tuple[str, str]]:
    """Yield a label and a text for what stands beside the outcome, each choice, the dissent and the evidence."""
    yield from beside_lines(verdict, words)
    if is_ranked(verdict):
        for place, choice in enumerate(verdict.order, 1):
            several = bool(wordings(verdict, choice))
            figure = figure_phrase(verdict.rule, verdict.figures.get(choice, 0.0), words, several=several)
            behind = in_brackets(messages(verdict.behind.get(choice, ())))
            yield "ranked", f"{place}. {_row(verdict, choice, words)}, {figure}{behind}"
    else:
        for choice, voters in _as_answer(verdict):
            moved = f", {shift}" if (shift := shift_phrase(verdict, choice, words)) else ""
            split = split_phrase(wordings(verdict, choice), names=True)
            text = _row(verdict, choice, words)
            votes = words.say("votes-for", count=len(voters), text=text, wordings=bool(split))
            yield "votes", f"{votes}{moved}" + (f": {split}" if split else in_brackets(listed(voters)))
    if verdict.tie:
        short = {choice: f"“{shorten(choice, _WIDEST)}”" for choice in verdict.tally}
        yield "tie", tie_phrase(verdict.tie.renamed(short), words)
    for choice, who in verdict.blocked.items():  # only the winner if the rule counts no blocks
        if choice == leader(verdict) or counts_of(verdict.rule) == "blocks":
            yield words.say("verdict-label", kind="blocked", of=choice_phrase(choice)), listed(who)
    for ballot in verdict.dissent:
        deeds = dissent_deeds(verdict, ballot, words=words)
        data: dict[str, Any] = {"who": ballot.agent, "reason": ballot.reason, "at": ""}
        yield "dissent", words.say("dissent-member", deeds=deeds, **data)
    if verdict.evidence and not is_ranked(verdict):  # a ranking has it in each row
        numbers = {number for choice in verdict.won for number in verdict.behind.get(choice, ())}
        numbered = [f"m{number}" for number in sorted(numbers) or verdict.evidence]
        yield "rests on", words.say("votes-rests", messages=numbered)


def verdict_lines(verdict: VerdictReached, words: Words = ENGLISH) -> list[str]:
    """Return a verdict in lines, the outcome first."""
    doubt = "".join(f" {each}" for each in open_sentence(verdict, words))
    first = f"verdict: {outcome_phrase(verdict, words)} ({votes_phrase(verdict, words)}){doubt}"
    return [first, *(f"{label}: {text}" for label, text in verdict_rows(verdict, words))]


def only_verdict(state: DebateState, session: str) -> list[str]:
    """Return the lines of `--quiet`: the verdict, or why there is none, and the session."""
    words = Words(state.settings.language)
    none = words.say("screen-unfinished", state=state.state)
    if state.ended:
        none = f"ended: {ended_phrase(state.ended, words=words)}"
    return [*(verdict_lines(state.verdict, words) if state.verdict else [none]), f"session: {one_line(session)}"]


def _row(verdict: VerdictReached, choice: str, words: Words, *, brief: bool = False) -> str:
    """Return a row of the tally: text and id, the text cut short where it stands above, or `none of these`."""
    if choice == NONE:
        return words.say("votes-text", kind="none", text="", id="", by="")
    number = next((text.id for text in verdict.offered if text.text == choice), "")
    short = in_short(choice, number, others=[text.text for text in verdict.offered], words=words)
    if isinstance(verdict.outcome, tuple) and number in {item.id for item in verdict.adopted}:
        return short  # its words stand above
    if (brief or choice == verdict.text) and shown_id(number):
        return short
    named = words.say("votes-text", kind="text", text=choice, id=shown_id(number), by="")
    return named if verdict.offered else choice_phrase(choice) + in_brackets(shown_id(number))


def verdict_parts(verdict: VerdictReached, seats: Colours, width: int, words: Words = ENGLISH) -> list[RenderableType]:
    """Return the same for a terminal: under each choice a bar with its voters, and a blank line before each label."""
    decided = Text(outcome_phrase(verdict, words), style="bold" if verdict.outcome is not None else "bold yellow")
    outcome = Text.assemble(decided, *((f"  {each}", "yellow") for each in open_sentence(verdict, words)))
    parts: list[RenderableType] = [outcome, Text(votes_phrase(verdict, words), style="dim")]
    for label, rows in groupby(verdict_rows(verdict, words), key=itemgetter(0)):
        parts.append(Text())
        if label == "votes":
            parts += _bars(verdict, seats, width, words)
        else:
            parts += [Text.assemble((f"{label}  ", "dim"), text) for _, text in rows]
    return parts


def _bars(verdict: VerdictReached, seats: Colours, width: int, words: Words) -> Iterator[RenderableType]:
    ordered = _as_answer(verdict)
    scale = min(_BAR, max(8, width // 5)) / max(1, *(len(voters) for _, voters in ordered))
    for choice, voters in ordered:
        won = choice in verdict.won
        bar = "█" * round(len(voters) * scale), "green" if won else "bright_black"
        beside = shift_phrase(verdict, choice, words), split_phrase(wordings(verdict, choice))
        told = "".join(f"  {each}" for each in beside if each)
        yield Text(_row(verdict, choice, words), style="bold" if won else "")
        yield Padding(Text.assemble(bar, f" {len(voters)}  ", seats.names(voters), (told, "dim")), (0, 0, 0, 2))
