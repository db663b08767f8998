"""A verdict in words: lines for a pipe, and on a terminal the votes as bars in the members' colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from eda.cli.terminal.ballots import choice_phrase, in_brackets
from eda.cli.terminal.style import Colours, marked
from eda.debate.prompts.ballot_prompt import kin_phrase
from eda.debate.state import DebateState
from eda.events import NONE, Ballot, VerdictReached
from eda.events.records import Decision
from eda.memory.minutes.items import CLAIM_STATUSES
from eda.report.count_words import tie_phrase
from eda.report.formatting import corrected_by, in_short, listed, messages, one_line, shorten, shown_id
from eda.report.outcome import dissent_of, is_part, outcome_of, wordings
from eda.report.phrases import ended_phrase
from eda.report.verdict_words import deeds_of, open_sentence, turnout, votes_for
from eda.report.vote_words import figure_phrase, none_phrase, split_phrase, unused, wanted_by
from eda.voting import counts_of
from eda.voting.choices import kinship
from eda.words import ENGLISH, Words

_BAR = 24
"""Columns of the longest bar."""
_WIDEST = 40
"""Characters of a choice within a sentence."""


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


def _tie_phrase(verdict: VerdictReached, words: Words) -> str:
    """Return how a tie was broken, with long choices shortened; empty if there was no tie."""
    short = {choice: f"“{shorten(choice, _WIDEST)}”" for choice in verdict.tally}
    return tie_phrase(verdict.tie.renamed(short), words) if verdict.tie else ""


def shift_phrase(verdict: VerdictReached, choice: str, words: Words = ENGLISH) -> str:
    """Return `from 3 to 5` if a poll was taken before the discussion; else empty."""
    if not verdict.before:
        return ""
    before, after = (len(votes.get(choice, ())) for votes in (verdict.before, verdict.tally))
    return words.say("votes-moved", before=before, after=after)


def dissent_deeds(verdict: VerdictReached, ballot: Ballot, *, brief: bool = False, words: Words = ENGLISH) -> list[str]:
    """Return what a dissenter's ballot says: `puts “Wait” (o2) first`, `cannot live with p3.0`; `brief`: cut short."""
    one = dissent_of(verdict, ballot)
    other = one.choice if one.choice not in ("", verdict.outcome, NONE) else ""
    text = _row(verdict, other, words, brief=brief) + _kin(verdict, other, words) if other else ""
    ids = {text.text: shown_id(text.id) for text in verdict.offered}
    return deeds_of(one, text, words, [ids.get(text) or choice_phrase(text) for text in one.blocked])


def _kin(verdict: VerdictReached, choice: str, words: Words) -> str:
    """Return how another text of the motion that won came about from the one that won; empty of any other choice."""
    same = (text for text in verdict.offered if text.text == choice and text.motion == verdict.motion)
    version = one_line(verdict.version)
    return next((f", {kin_phrase(kinship(text, version, verdict.offered), words)}" for text in same if version), "")


def block_lines(verdict: VerdictReached) -> Iterator[tuple[str, str]]:
    """Yield each blocked choice and who blocks it; only the winner if the rule counts no blocks."""
    for choice, who in verdict.blocked.items():
        if choice == leader(verdict) or counts_of(verdict.rule) == "blocks":
            yield choice_phrase(choice), listed(who)


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


def _rows(verdict: VerdictReached, words: Words) -> Iterator[tuple[str, str, str]]:
    """Yield for each choice of a ranking its place, its figure and the messages behind it."""
    for place, choice in enumerate(verdict.order, 1):
        several = bool(wordings(verdict, choice))
        figure = figure_phrase(verdict.rule, verdict.figures.get(choice, 0.0), words, several=several)
        yield f"{place}.", figure, messages(verdict.behind.get(choice, ()))


def verdict_lines(verdict: VerdictReached, words: Words = ENGLISH) -> list[str]:
    """Return the outcome, what stands beside it, each choice with its voters, the dissent and the evidence."""
    doubt = "".join(f" {each}" for each in open_sentence(verdict, words))
    lines = [f"verdict: {outcome_phrase(verdict, words)} ({votes_phrase(verdict, words)}){doubt}"]
    lines += [f"{label}: {text}" for label, text in beside_lines(verdict, words)]
    if is_ranked(verdict):
        rows = zip(verdict.order, _rows(verdict, words), strict=True)
        lines += [
            f"ranked: {at} {_row(verdict, text, words)}, {figure}{in_brackets(m)}" for text, (at, figure, m) in rows
        ]
    else:
        for choice, voters in _as_answer(verdict):
            moved = f", {shift}" if (shift := shift_phrase(verdict, choice, words)) else ""
            split = split_phrase(wordings(verdict, choice), names=True)
            text = _row(verdict, choice, words)
            votes = words.say("votes-for", count=len(voters), text=text, wordings=bool(split))
            lines.append(f"votes: {votes}{moved}" + (f": {split}" if split else in_brackets(listed(voters))))
    lines += [f"tie: {_tie_phrase(verdict, words)}"] if verdict.tie else []
    lines += [f"{words.say('verdict-label', kind='blocked', of=choice)}: {who}" for choice, who in block_lines(verdict)]
    for ballot in verdict.dissent:
        deeds = dissent_deeds(verdict, ballot, words=words)
        data: dict[str, Any] = {"who": ballot.agent, "reason": ballot.reason, "at": ""}
        lines.append(f"dissent: {words.say('dissent-member', deeds=deeds, **data)}")
    return lines + ([f"rests on: {_rests_on(verdict, words)}"] if _shows_evidence(verdict) else [])


def only_verdict(state: DebateState, session: str) -> list[str]:
    """Return the lines of `--quiet`: the verdict, or why there is none, and the session."""
    words = Words(state.settings.language)
    none = words.say("screen-unfinished", state=state.state)
    if state.ended:
        none = f"ended: {ended_phrase(state.ended, words=words)}"
    return [*(verdict_lines(state.verdict, words) if state.verdict else [none]), f"session: {one_line(session)}"]


def _rests_on(verdict: VerdictReached, words: Words) -> str:
    """Return the messages that the outcome rests on, and what they do for it."""
    numbers = {number for choice in verdict.won for number in verdict.behind.get(choice, ())}
    numbered = [f"m{number}" for number in sorted(numbers) or verdict.evidence]
    return words.say("votes-rests", messages=numbered)


def _shows_evidence(verdict: VerdictReached) -> bool:
    return bool(verdict.evidence) and not is_ranked(verdict)  # a ranking has it in each row


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
    """Return the outcome, the votes as bars, the dissent and the evidence, for a terminal."""
    tally = _ranking(verdict, words) if is_ranked(verdict) else _tally(verdict, seats, width, words)
    groups: list[Sequence[RenderableType]] = [
        [Text.assemble((f"{head}  ", "dim"), text) for head, text in beside_lines(verdict, words)],
        tally if is_ranked(verdict) or verdict.tally else (),
        [Text(_tie_phrase(verdict, words), style="dim")] if verdict.tie else (),
        [
            Text.assemble((f"{words.say('verdict-blocked', of=text)}  ", "dim"), who)
            for text, who in block_lines(verdict)
        ],
        _titled(
            words.say("report-title", "dissent"),
            [part for ballot in verdict.dissent for part in _dissent(verdict, ballot, seats, words)],
        ),
        [Text(f"{words.say('report-column', 'rests')} {_rests_on(verdict, words)}", style="dim")]
        if _shows_evidence(verdict)
        else (),
    ]
    decided = Text(outcome_phrase(verdict, words), style="bold" if verdict.outcome is not None else "bold yellow")
    outcome = Text.assemble(decided, *((f"  {each}", "yellow") for each in open_sentence(verdict, words)))
    below = [part for group in groups if group for part in (Text(), *group)]
    return [outcome, Text(votes_phrase(verdict, words), style="dim"), *below]


def _titled(title: str, parts: Sequence[RenderableType]) -> Sequence[RenderableType]:
    return [Text(title, style="bold"), *parts] if parts else ()


def _dissent(verdict: VerdictReached, ballot: Ballot, seats: Colours, words: Words) -> Iterator[RenderableType]:
    deeds = dissent_deeds(verdict, ballot, brief=not is_ranked(verdict), words=words)  # the tally has its words
    text = words.say("dissent-deeds", deeds=deeds)
    reason = f"  {words.say('votes-quote', words=ballot.reason)}" if ballot.reason else ""
    yield Text.assemble(seats.name(ballot.agent), (f" {text}", "dim"), reason)


def _ranking(verdict: VerdictReached, words: Words) -> Sequence[RenderableType]:
    rows = []
    for choice, (place, figure, behind) in zip(verdict.order, _rows(verdict, words), strict=True):
        name = (_row(verdict, choice, words), "bold" if choice in verdict.won else "")
        rows.append(
            marked(Text(place, "dim"), Text.assemble(name, (f" · {', '.join(filter(None, (figure, behind)))}", "dim")))
        )
    return rows


def _tally(verdict: VerdictReached, seats: Colours, width: int, words: Words) -> Sequence[RenderableType]:
    ordered = _as_answer(verdict)
    scale = min(_BAR, max(8, width // 5)) / max(1, *(len(voters) for _, voters in ordered))
    rows: list[tuple[Text, Text]] = []
    for choice, voters in ordered:
        won = choice in verdict.won
        bar = "█" * round(len(voters) * scale)
        votes = Text.assemble((bar, "green" if won else "bright_black"), f" {len(voters)}  ", seats.names(voters))
        if moved := shift_phrase(verdict, choice, words):
            votes.append(f"  {moved}", "dim")
        if split := split_phrase(wordings(verdict, choice)):
            votes.append(f"  {split}", "dim")
        name = _row(verdict, choice, words) if verdict.offered or choice == NONE else one_line(choice)
        rows.append(
            (
                Text(
                    name if verdict.offered and choice != NONE else name[:1].upper() + name[1:],
                    style="bold" if won else "",
                ),
                votes,
            )
        )
    for head, who in unused(verdict, words):
        rows.append((Text(head, "dim"), Text.assemble((f" {len(who)}  ", "dim"), seats.names(who))))
    if width >= 70 and all(len(choice.plain) <= 28 for choice, _ in rows):
        table = Table.grid(padding=(0, 2))
        for row in rows:
            table.add_row(*row)
        return [table]
    return [Group(choice, Padding(votes, (0, 0, 0, 2))) for choice, votes in rows]
