"""The verdict in sentences: what was decided, the votes, what was adopted as well, who is against, and how sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

from eda.events import NONE, VerdictReached
from eda.events.outcome import ChoiceRow, Dissent, Outcome, Stood, Text
from eda.report.formatting import shown_id
from eda.report.vote_words import doubted_sentence, in_marks, named_text, none_phrase, title_of, wanted_by
from eda.voting import counts_of, rule_known
from eda.words import ENGLISH, Words

_WHOLE = 3
"""Opponents whose reasons the verdict has; of more it has the names."""


def verdict_sentences(
    counted: Outcome,
    dissent: Sequence[Dissent],
    stood: Sequence[Stood],
    torn: Sequence[tuple[Text, Stood]],
    words: Words,
) -> dict[str, tuple[str, ...]]:
    """Return the verdict in sentences, by what they tell; see `Report.sentences`."""
    say = words.say
    one = not isinstance(counted.outcome, tuple)
    parts = {
        "decided": (
            decided(counted, words),
            *[say("verdict-wording", text=named_text(text, words)) for text in (counted.option,) if text],
        ),
        "votes": (*_votes(counted, words), *_accepted(counted, words)),
        "beside": [say("verdict-beside", item=item) for item in items_of(counted, words) if one],
        "rival": [say("verdict-rival", text=named_text(text, words)) for text in (counted.rival,) if text],
        "more": [*_more_accepted(counted, words)],
        "talk": (*_conditions(counted, stood, words), *(_torn(text, each, words) for text, each in torn)),
        "against": _against(counted, dissent, stood, words) if isinstance(counted.outcome, str) else (),
        "least": _least(counted, words),
    }
    return {kind: told for kind, each in parts.items() if (told := tuple(each))}


def items_of(counted: Outcome, words: Words = ENGLISH) -> list[str]:
    """Return each text that was adopted, with its votes."""
    does: Literal["accept", "want"] = "accept" if isinstance(counted.outcome, tuple) else "want"
    return [
        f"{named_text(each, words)}, {wanted_by(each, does, counted.cast, part=each.part, words=words)}"
        for each in counted.adopted
    ]


def decided(counted: Outcome, words: Words = ENGLISH, *, below: bool = False) -> str:
    """Return what was decided, and whether ballots that were lost could change it.

    Never as the panel's word what no majority holds. With `below` the text stands there.
    """
    return " ".join((_decided(counted, words, below=below), *open_sentence(counted, words)))


def answer(counted: Outcome, dissent: Sequence[Dissent], words: Words) -> str:
    """Return the answer in one line: the title of what was decided, how, the votes, and who is against it."""
    if counted.won is None:
        return decided(counted, words, below=True)
    title = named_text(replace(counted.won, text=title_of(counted.won), by=""), words)
    told = words.say(
        "verdict-answer",
        text=title,
        rule=counted.rule,
        tie=bool(counted.tie),
        majority=2 * len(counted.accepted) > counted.cast,
        known=counted.known,
    )
    row = next((row for row in counted.rows if row.choice == counted.outcome), None)
    votes = votes_for(counted, row, words) if row else ()
    against = [one.who for one in dissent]
    opposed = [words.say("verdict-opposed", who=against, count=len(against))] if against else []
    return " ".join((told, *votes, *opposed, *open_sentence(counted, words)))


def _more_accepted(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield which other text more voters accept than the one decided."""
    for row in counted.rows if counted.won and counted.known else ():
        if row.choice != counted.outcome and (row.accepted or 0) > len(counted.accepted):
            text = _row_text(counted, row.choice, words)
            yield words.say("verdict-more", text=text, count=row.accepted or 0, of=counted.cast)


def open_sentence(counted: Outcome | VerdictReached, words: Words) -> Iterator[str]:
    """Yield that ballots which could not be read, or did not come, could change the outcome; mostly nothing."""
    if counted.open_to:
        texts = [each for each in counted.open_to if each not in ("no wording", "no verdict")]
        yield words.say(
            "verdict-open",
            unreadable=counted.unreadable,
            missing=counted.missing,
            texts=[shown_id(each) or in_marks(each, words) for each in texts],
            none=len(texts) < len(counted.open_to),
            count=len(counted.unreadable) + len(counted.missing),
        )


def _decided(counted: Outcome, words: Words, *, below: bool) -> str:
    if isinstance(counted.outcome, tuple):
        items = items_of(counted, words)
        return words.say("verdict-adopted", count=len(items), items=items, below=below).strip()
    if counted.outcome is None:
        return words.say("verdict-none", why=none_phrase(counted.rule, counted.note, words))
    text = named_text(counted.won or Text(counted.motion, counted.outcome), words)
    rule: dict[str, Any] = {"rule": counted.rule, "tie": bool(counted.tie), "text": text}
    if counted.won is None:
        return words.say("verdict-unworded", **rule)
    if 2 * len(counted.accepted) > counted.cast:
        return words.say("verdict-decided", below=below, **rule)
    return words.say("verdict-won", below=below, known=counted.known, **rule)


def _row_text(counted: Outcome, choice: str, words: Words) -> str:
    number = next((row.id for row in counted.rows if row.choice == choice), "")
    return named_text(Text(number, choice), words)


def votes_for(counted: Outcome, won: ChoiceRow, words: Words) -> Iterator[str]:
    """Yield how many accept what was decided, and what the rule counted of it."""
    first, several, counts = len(won.voters), bool(won.texts), counts_of(counted.rule)
    known = counted.won if counted.known else None
    own = len(won.texts.get(known.id, won.voters)) if known else first
    if known:
        item = replace(known, id=known.id or known.text, voters=counted.accepted)
        yield wanted_by(item, "accept", counted.cast, words=words, sentence=True)
        yield from doubted_sentence(counted, words)
    match counts:
        case "approvals" if known and not several:
            return
        case "approvals" | "scores" | "rankings" | "polls":
            kind = rule_known(counted.rule).figure
            yield words.say("votes-of-rule", kind=kind, figure=won.figure, wordings=several)
        case "judge":
            yield words.say("votes-judge", judge=counted.judge)
        case "blocks":
            yield words.say("votes-unblocked", worded=counted.won is not None or not several)
    if counts not in ("approvals", "scores") and not (known and own == first == len(counted.accepted)):
        wordings = several and not known
        yield words.say("votes-first", count=own, of=counted.cast, others=first - own, wordings=wordings)


def _votes(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield the tally in words, those that accept none and those that abstained among them."""
    won = next((row for row in counted.rows if row.choice == counted.outcome), None)
    if won is not None:
        yield from votes_for(counted, won, words)
    elif counted.outcome is None:
        for row in counted.rows:
            if row.voters:
                text, wordings = _row_text(counted, row.choice, words), bool(row.texts)
                yield words.say("votes-for", "sentence", count=len(row.voters), text=text, wordings=wordings)
    elif isinstance(counted.outcome, tuple) and counted.rows:
        yield words.say("votes-cast", count=counted.cast, of=counted.asked)
    yield from turnout(counted, words)


def turnout(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield who accepts none of the texts, who abstained, whose ballot could not be read, and of whom none came."""
    if counted.none and counted.outcome is not None:
        answer = isinstance(counted.outcome, str) and bool(counted.adopted)
        yield words.say("votes-none", who=counted.none, count=len(counted.none), answer=answer)
    for kind in ("abstained", "unreadable", "missing"):
        if who := getattr(counted, kind):
            yield words.say("votes-unused", kind, who=who, count=len(who))


def _accepted(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield what more than half accept though nothing was decided: it was not the first choice of so many."""
    for row in counted.rows if counted.outcome is None else ():
        if row.accepted is not None and len(row.voters) < row.accepted and 2 * row.accepted > counted.cast:
            text = shown_id(row.id) or _row_text(counted, row.choice, words)
            yield words.say("votes-accepted", count=row.accepted, of=counted.cast, text=text, first=len(row.voters))


def _it(counted: Outcome) -> str:
    """Return the id of the text decided where another was adopted as well; else it is called `it`."""
    return shown_id(counted.won.id) if counted.won and counted.adopted else ""


def _conditions(counted: Outcome, stood: Sequence[Stood], words: Words) -> Iterator[str]:
    for each in stood:
        if each.conditional and each.condition and not each.of_older:
            at = f"m{each.message}"
            yield words.say(
                "verdict-condition", who=each.who, text=_it(counted), clause=each.condition, doubt=each.doubt, at=at
            )


def _against(counted: Outcome, dissent: Sequence[Dissent], stood: Sequence[Stood], words: Words) -> Iterator[str]:
    """Yield who voted against the outcome, with objections in their own words: who blocks it first, then the surest."""
    if not dissent:
        yield from _unopposed(counted, words)
        return
    first = max(dissent, key=lambda one: (bool(one.blocked), bool(one.reason), one.sure or 0.0))
    told = [first, *(one for one in dissent if one is not first and objection(one, stood)[0])][:_WHOLE]
    others = [one.who for one in dissent if one not in told]
    dissents = [_member(counted, one, stood, words) for one in told]
    if counts_of(counted.rule) == "blocks" and not first.blocked:
        yield words.say("verdict-elsewhere", dissents=dissents, others=others)
    else:
        yield words.say("verdict-against", text=_it(counted), dissents=dissents, others=others)


def _unopposed(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield that nobody refuses the outcome, and who puts something else first."""
    if not counted.cast or counted.none:
        return
    firsts = () if counts_of(counted.rule) == "approvals" else counted.rows
    rows = [row for row in firsts if row.voters and row.choice not in (counted.outcome, NONE)]
    yield words.say("verdict-unopposed", others=bool(rows), text=_it(counted))
    for row in rows:
        yield words.say(
            "verdict-first", who=row.voters, count=len(row.voters), text=_row_text(counted, row.choice, words)
        )


def _member(counted: Outcome, one: Dissent, stood: Sequence[Stood], words: Words) -> str:
    """Return who dissents, what its ballot says instead of the outcome, and why."""
    other = "" if one.choice == counted.outcome else _row_text(counted, one.choice, words)
    reason, at = objection(one, stood)
    if one.deed == "none" and one.who in counted.none:  # the tally says so
        one = replace(one, deed="")
    return words.say(
        "dissent-member", who=one.who, deeds=deeds_of(one, other, words), reason=reason, at=f"m{at}" if at else ""
    )


def deeds_of(one: Dissent, other: str, words: Words, blocked: Sequence[str] = ()) -> list[str]:
    """Return what a ballot says whose first choice is `other`: `scores it 2 of 10`, `puts “Wait” first`.

    `blocked` names what it blocks, where that is not clear.
    """
    deeds = list[str]()
    match one.deed:
        case "none":
            deeds.append(words.say("dissent-none"))
        case "scored":
            deeds.append(words.say("dissent-scored", score=one.score or 0))
        case "unapproved":
            deeds.append(words.say("dissent-unapproved"))
        case "approves":
            deeds.append(words.say("dissent-approves", texts=[in_marks(text, words) for text in one.approves]))
    if other and one.choice not in ("", NONE):
        deeds.append(words.say("dissent-first", text=other))
    if one.blocked:
        deeds.append(words.say("dissent-blocks", blocked=blocked))
    return deeds


def objection(one: Dissent, stood: Sequence[Stood]) -> tuple[str, int]:
    """Return a dissenter's reason on the ballot, else the first that it declared, with its message."""
    declared = (each for each in stood if each.who == one.who and each.stance == "oppose" and not each.of_older)
    given = ((each.reason, each.message) for each in declared if each.reason)
    return (one.reason, 0) if one.reason else next(given, ("", 0))


def _torn(text: Text, stood: Stood, words: Words) -> str:
    text_id, at = shown_id(text.id), f"m{stood.message}"
    return words.say("verdict-torn", who=stood.who, text=text_id, reason=stood.reason, at=at)


def _least(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield how many votes would have to be different; nothing where one decides alone."""
    if counted.flips is None or counted.won is None or counts_of(counted.rule) == "judge" or counted.cast == 1:
        return
    wordings = any(row.texts for row in counted.rows if row.choice == counted.outcome)
    yield words.say(
        "verdict-least",
        count=counted.flips,
        to=(counted.flips_to or "another outcome").replace(" ", "-"),
        wordings=wordings,
        tie=bool(counted.tie),
    )
