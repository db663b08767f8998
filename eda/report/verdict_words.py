"""The verdict in sentences: what was decided, the votes, what was adopted as well, who is against, and how sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from eda.events import NONE
from eda.events.outcome import ChoiceRow, Dissent, Outcome, Stood, Text
from eda.report.formatting import count, one_line, shown_id
from eda.report.vote_words import (
    FREE,
    IN_ANY,
    doubted_phrase,
    figure_phrase,
    names_of,
    none_phrase,
    rule_line,
    wanted_by,
)
from eda.voting import counts_of
from eda.words import ENGLISH

_WHOLE = 3
"""Opponents whose reasons the verdict has; of more it has the names."""
_AS_WORDS = ("plurality", "majority", "unanimity", "consent", "approval", "score")
"""Rules whose names are read as words."""
_SINGLE = str.maketrans({"“": "‘", "”": "’", '"': "'"})


def verdict_sentences(
    counted: Outcome,
    dissent: Sequence[Dissent],
    stood: Sequence[Stood],
    torn: Sequence[tuple[Text, Stood]],
) -> dict[str, tuple[str, ...]]:
    """Return the verdict in sentences, by what they tell; see `Report.sentences`."""
    parts = {
        "decided": (decided(counted), f"It is a wording of {named_text(counted.option)}." if counted.option else ""),
        "votes": (*_votes(counted), *_accepted(counted)),
        "beside": ()
        if isinstance(counted.outcome, tuple)
        else [f"Also adopted: {item}." for item in items_of(counted)],
        "rival": [f"More votes prefer {named_text(counted.rival)} to it, one against one."] if counted.rival else (),
        "talk": (*_conditions(counted, stood), *(_torn(text, each) for text, each in torn)),
        "against": _against(counted, dissent, stood),
        "least": (_least(counted),),
    }
    return {kind: told for kind, each in parts.items() if (told := tuple(filter(None, each)))}


def sentence(text: str) -> str:
    """Return a text that begins with a capital and ends with a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.!?' else '.'}"


def in_marks(words: str) -> str:
    """Return words in quotation marks, with single ones inside."""
    return f"“{one_line(words).translate(_SINGLE)}”"


def quoted_text(text: str) -> str:
    """Return a whole text in quotation marks, without its full stop; the item of none as words."""
    return "none of these" if text == NONE else f"“{one_line(text).rstrip('.')}”"


def named_text(text: Text) -> str:
    """Return a whole text with its id and its author: `“Ship in May” (p9.1, by Maya)`."""
    about = ", ".join(filter(None, (shown_id(text.id), f"by {one_line(text.by)}" if text.by else "")))
    return quoted_text(text.text) + (f" ({about})" if about else "")


def items_of(counted: Outcome) -> list[str]:
    """Return each text that was adopted, with its votes."""
    does = "accept" if isinstance(counted.outcome, tuple) else "want"
    return [f"{named_text(each)}, {wanted_by(each, does, counted.cast, part=each.part)}" for each in counted.adopted]


def decided(counted: Outcome, *, below: bool = False) -> str:
    """Return what was decided; never as the panel's word what no majority holds. With `below` the text stands there."""
    if isinstance(counted.outcome, tuple):
        if not counted.adopted:
            return "The panel adopted nothing."
        items = "" if below else f": {'; '.join(items_of(counted))}"
        return f"The panel adopted {count(len(counted.adopted), 'text')}{items}."
    if counted.outcome is None:
        return f"No verdict: {none_phrase(counted.rule, counted.note)}."
    rule = f"by {'' if counted.rule in _AS_WORDS else 'the rule '}{counted.rule}"
    rule += ", a tie broken by lot" if counted.tie else ""
    if counted.won is None:
        motion = named_text(Text(counted.motion, counted.outcome))
        return f"No text was decided: {motion} won {rule}, but no wording of it has more votes for it than against it."
    text = "the text below" if below else named_text(counted.won)
    if 2 * len(counted.accepted) > counted.cast:
        return f"The panel decided {rule}{' on' if below else ':'} {text}."
    return sentence(f"{text} won {rule}, but no majority {'accepts it' if counted.known else 'put it first'}")


def _row_text(counted: Outcome, choice: str) -> str:
    number = next((row.id for row in counted.rows if row.choice == choice), "")
    return named_text(Text(number, choice))


def _votes_for(counted: Outcome, won: ChoiceRow) -> Iterator[str]:
    """Yield how many accept what was decided, and what the rule counted of it."""
    first, wider = len(won.voters), IN_ANY if won.texts else ""
    if counted.won is not None and counted.known:
        own = len(won.texts.get(counted.won.id, won.voters))
        accept = replace(counted.won, id=counted.won.id or counted.won.text, voters=counted.accepted)
        yield wanted_by(accept, "accept", counted.cast) + doubted_phrase(counted)
        firsts = f"{own} put{'s' * (own == 1)} it first" if first != len(counted.accepted) or own != first else ""
        firsts += f", {first - own} another wording of it" if own != first else ""
    else:
        firsts = f"{first} of {counted.cast} put it first{wider}"
    how = {
        "approvals": "" if counted.known and not wider else f"{won.figure:g} of {counted.asked} approve it{wider}",
        "scores": f"a mean score of {won.figure:.1f} of 10{wider}",
        "judge": f"{rule_line(counted).rstrip('.')}, and {firsts}",
        "blocks": f"{'nobody blocks it' if counted.won or not wider else FREE}, and {firsts}",
        "polls": f"its share grew by {100 * won.figure:.0f} points, to {first} of {counted.asked}",
    }.get(counts_of(counted.rule), firsts)
    if counts_of(counted.rule) == "rankings":  # the most first choices need not win
        yield figure_phrase(counted.rule, won.figure) + wider
    if how:
        yield how.removesuffix(", and ")


def _votes(counted: Outcome) -> Iterator[str]:
    """Yield the tally in words, those that accept none and those that abstained among them."""
    parts: list[str] = []
    won = next((row for row in counted.rows if row.choice == counted.outcome), None)
    if won is not None:
        parts += _votes_for(counted, won)
    elif counted.outcome is None:
        rows = (row for row in counted.rows if row.voters)
        parts += [f"{len(row.voters)} for {_row_text(counted, row.choice)}{IN_ANY * bool(row.texts)}" for row in rows]
    elif isinstance(counted.outcome, tuple) and counted.rows:
        parts.append(f"{counted.cast} of {counted.asked} voted")
    if counted.none and counted.outcome is not None:
        none = "accepts none of the texts" if len(counted.none) == 1 else "accept none of the texts"
        beside = " as the answer" * bool(isinstance(counted.outcome, str) and counted.adopted)
        parts.append(f"{names_of(counted.none)} {none}{beside}")
    abstained = [who for who in counted.abstained if who not in counted.invalid]
    groups = ((abstained, "abstained"), (counted.invalid, "gave no usable ballot"))
    parts += [f"{names_of(who)} {did}" for who, did in groups if who]
    if parts:
        yield sentence("; ".join(parts))


def _accepted(counted: Outcome) -> Iterator[str]:
    """Yield what more than half accept though nothing was decided: it was not the first choice of so many."""
    for row in counted.rows if counted.outcome is None else ():
        if row.accepted is not None and len(row.voters) < row.accepted and 2 * row.accepted > counted.cast:
            named = shown_id(row.id) or _row_text(counted, row.choice)
            yield f"{row.accepted} of {counted.cast} accept {named}, which {len(row.voters)} put first."


def _it(counted: Outcome) -> str:
    """Return what to call the text decided: by its id where another was adopted as well."""
    return (shown_id(counted.won.id) if counted.won and counted.adopted else "") or "it"


def stance_phrase(stood: Stood) -> str:
    """Return how a member stands on the text decided, or on one that it comes from: `for`, `for, on a condition`."""
    clause = "" if stood.reason.startswith(stood.condition) else f" ({in_marks(stood.condition)})"
    how = f"on a condition{clause}"
    return f"{stood.stance.removesuffix('if')}{how}" if stood.stance.endswith(", if") else stood.stance


def _conditions(counted: Outcome, stood: Sequence[Stood]) -> Iterator[str]:
    for each in stood:
        if each.stance == "for, if" and each.condition:
            words = in_marks(each.condition)
            yield f"{one_line(each.who)} supported {_it(counted)} on a condition: {words} (m{each.message})."


def _against(counted: Outcome, dissent: Sequence[Dissent], stood: Sequence[Stood]) -> Iterator[str]:
    """Yield who voted against the outcome, with objections in their own words: who blocks it first, then the surest."""
    if not isinstance(counted.outcome, str):
        return
    if not dissent:
        yield from _unopposed(counted)
        return
    first = max(dissent, key=lambda one: (bool(one.blocked), bool(one.reason), one.sure or 0.0))
    told = [first, *(one for one in dissent if one is not first and _objection(one, stood))][:_WHOLE]
    others = [one.who for one in dissent if one not in told]
    head = "Against it" if counts_of(counted.rule) != "blocks" or first.blocked else "For another text"
    words = "; ".join(f"{_voted(counted, one)}{_objection(one, stood)}" for one in told)
    yield f"{head.replace('it', _it(counted))}: {words}" + (f"; also {names_of(others)}." if others else ".")


def _unopposed(counted: Outcome) -> Iterator[str]:
    """Yield that nobody refuses the outcome, and who puts something else first."""
    if not counted.cast or counted.none:
        return
    firsts = () if counts_of(counted.rule) == "approvals" else counted.rows
    rows = [row for row in firsts if row.voters and row.choice not in (counted.outcome, NONE)]
    elsewhere = [f"{names_of(row.voters)} put {_row_text(counted, row.choice)} first" for row in rows]
    does = "refuses" if rows else "voted against"
    yield f"Nobody {does} {_it(counted)}{'; ' * bool(rows)}{'; '.join(elsewhere)}."


def _voted(counted: Outcome, one: Dissent) -> str:
    """Return who dissents, and what its ballot says instead of the outcome."""
    did = dissent_words(one, "" if one.choice == counted.outcome else _row_text(counted, one.choice))
    return one_line(one.who) + (f", who {did}" if did else "")


def dissent_words(one: Dissent, other: str) -> str:
    """Return `scored it 2 of 10 and put “Wait” first`: what a ballot says whose first choice is `other`."""
    deeds = [ENGLISH.say("dissent-scored", score=one.score)] if one.score is not None else []
    if other and one.choice not in ("", NONE):
        deeds.append(ENGLISH.say("dissent-first", text=other))
    if one.blocked:
        deeds.append(ENGLISH.say("dissent-blocks"))
    return ENGLISH.say("dissent-deeds", deeds=deeds)


def _objection(one: Dissent, stood: Sequence[Stood]) -> str:
    """Return a dissenter's reason on the ballot, else the first one it declared against the outcome."""
    if one.reason:
        return f": {in_marks(one.reason)} (on the ballot)"
    declared = (each for each in stood if each.who == one.who and each.stance == "against" and each.reason)
    opposed = next(declared, None)
    return f": {in_marks(opposed.reason)} (m{opposed.message})" if opposed else ""


def _torn(text: Text, stood: Stood) -> str:
    why = f": {in_marks(stood.reason)}" if stood.reason else ""
    accepts = f"{one_line(stood.who)} accepts {shown_id(text.id) or 'it'} on the ballot, but spoke against it"
    return f"{accepts}{why} (m{stood.message})."


def _least(counted: Outcome) -> str:
    """Return how many votes would have to be different; empty where one decides alone."""
    if counted.flips is None or counted.won is None or counts_of(counted.rule) == "judge" or counted.cast == 1:
        return ""
    votes = f"{'' if counted.exact else 'at least '}{count(counted.flips, 'changed vote')}"
    to = counted.flips_to or "another outcome"
    end = "to end without a verdict" if to == "no verdict" else f"for {to}"
    wordings = any(row.texts for row in counted.rows if row.choice == counted.outcome)
    lots = ", with the same lots" if counted.tie else ""
    return f"It would have taken {votes} {end}{IN_ANY * wordings}{lots}."
