"""Words of the report and the screens: for an ending, a vote without a winner, and the verdict in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from eda.events import NONE, Adopted, CallDelayed, CallMade, EvidenceFound, MessagePosted, VerdictReached
from eda.panels.registry import STOPS
from eda.report.effect import Helped
from eda.report.effect_words import difference
from eda.report.formatting import count, one_line, shown_id
from eda.report.model import ChoiceRow, Counted, Dissent, Stood, Text
from eda.text import all_condition
from eda.voting import counts_of, rule_known
from eda.voting.naming import NONE_NAMED
from eda.voting.rules import VOTES

_ENDINGS = {
    "person": "a person ended the talk",
    "verdict": "a verdict was reached",
    "lap": "once more",
    "errors": "too many turns failed",
}
"""Ends that are no stop condition, or none any more; a stop condition has its own phrase."""
_LONGEST_TALK = 10_000_000_000  # Seconds from the start that are shown as a time.


def ended_phrase(reason: str, *, voted: bool = False) -> str:
    """Return why a debate or a phase ended, in words; of one that came to its verdict what ended its discussion."""
    condition = STOPS.called(reason)
    phrase = one_line(condition.phrase) if condition is not None else _ENDINGS.get(reason, one_line(reason))
    return f"the vote was taken after the discussion had ended: {phrase}" if voted and condition else phrase


def delay_phrase(delay: CallDelayed) -> str:
    """Return `again in 8 s: Overloaded (529) (Ada, speak, attempt 1)`; without a time where another model is asked."""
    when = f"again in {delay.seconds:.0f} s: " if delay.seconds else ""
    call = f"{one_line(delay.agent) or 'the engine'}, {one_line(delay.purpose)}, attempt {delay.attempt}"
    return f"{when}{one_line(delay.reason)} ({call})"


def live_phrase(call: CallMade) -> str:
    """Return where a replay goes live, and why: `from the speak call of Ruth after m12 on, as ...`."""
    who = one_line(call.agent) or "the engine"
    return f"from the {one_line(call.purpose)} call of {who} after m{call.last} on, as {one_line(call.live)}"


def of_source(message: MessagePosted) -> list[str]:
    """Return the id and the time that an imported message has in its source; of each an empty text where it has none.

    The time is that of a clock, as the source gives it, or the time since the start: `1:02:09`.
    """
    since = timedelta(seconds=int(message.t)) if message.t is not None and abs(message.t) < _LONGEST_TALK else ""
    time = message.sent.isoformat(" ", "minutes") if message.sent else str(since)
    return [one_line(message.ref or ""), time]


def none_phrase(verdict: VerdictReached) -> str:
    """Return why no choice won."""
    needed = "all votes" if verdict.rule == "unanimity" else f"a {one_line(verdict.rule)}"
    return one_line(verdict.note) or f"no choice has {needed}"


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
    """Return `4 of 5 accept it`; of several texts `4 of 5 accept a text of its motion, 3 this one`.

    A `part` of the text decided is said to be that.
    """
    exact = len(item.exact) if item.exact and item.id else len(item.voters)
    words = (
        "also a part of what was decided, " * part
        + f"{len(item.voters)} of {of} {does}{'s' * (len(item.voters) == 1)} "
    )
    return words + (f"a text of its motion, {exact} this one" if exact != len(item.voters) else "it")


def doubted_phrase(verdict: VerdictReached) -> str:
    """Return `, one of them (Ada) with a reason that refuses it: without that p7.1 would be the text`; mostly empty."""
    if not verdict.doubted:
        return ""
    to, few = one_line(verdict.undoubted), len(verdict.doubted) == 1
    would = {"no wording": "no wording of it would stand", "no verdict": "there would be no verdict"}
    what = f": without {'that' if few else 'those'} {would.get(to, f'{to} would be the text')}" if to else ""
    reason = "a reason that refuses" if few else "reasons that refuse"
    many = "one" if few else str(len(verdict.doubted))
    return f", {many} of them ({names_of(verdict.doubted)}) with {reason} it{what}"


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


IN_ANY = " in any text of its motion"
"""Beside a figure that counts a motion of several texts."""
FREE = "a wording of it is blocked by nobody"
"""Under consent, of a motion without a text that stands."""
RESTS_ON = (
    "they made it or what it comes from, support one of these, on a condition or without, hold it as their last"
    " position, or moved its authors or voters by their own word"
)
"""What the messages do that a text rests on."""


def figure_phrase(rule: str, figure: float) -> str:
    """Return the figure of a choice under a rule: `3 points`."""
    return rule_known(rule).figure.words.format(figure, s="" if figure == 1 else "s")


def verdict_sentences(
    counted: Counted,
    dissent: Sequence[Dissent],
    stood: Sequence[Stood],
    torn: Sequence[tuple[Text, Stood]],
) -> tuple[str, ...]:
    """Return the verdict in sentences: what was decided, the votes, what stands beside it, and who is against."""
    parts = (
        _decided(counted),
        f"It is a wording of {named_text(counted.option)}." if counted.option else "",
        *_votes(counted),
        *_beside(counted),
        *_conditions(counted, stood),
        *_against(counted, dissent, stood),
        *(_torn(text, each) for text, each in torn),
        _least(counted),
    )
    return tuple(filter(None, parts))


def compared(helps: Helped) -> str:
    """Return what differs between the first ballot and the last, in sentences; empty where they cannot be compared."""
    return "" if helps.why and not helps.new else sentence(difference(helps))


def sentence(text: str) -> str:
    """Return a text that begins with a capital and ends with a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.!?' else '.'}"


def quoted_text(text: str) -> str:
    """Return a whole text in quotation marks, without its full stop; the item of none as words."""
    return "none of these" if text == NONE else f"“{one_line(text).rstrip('.')}”"


def named_text(text: Text) -> str:
    """Return a whole text with its id and its author: `“Ship in May” (p9.1, by Maya)`."""
    about = ", ".join(filter(None, (shown_id(text.id), f"by {one_line(text.by)}" if text.by else "")))
    return quoted_text(text.text) + (f" ({about})" if about else "")


def _row_text(counted: Counted, choice: str) -> str:
    number = next((row.id for row in counted.rows if row.choice == choice), "")
    return named_text(Text(number, choice))


def _decided(counted: Counted) -> str:
    """Return what was decided; never as the panel's word what no majority holds."""
    if isinstance(counted.outcome, tuple):
        if not counted.adopted:
            return "The panel adopted nothing."
        return f"The panel adopted {count(len(counted.adopted), 'text')}: {'; '.join(items_of(counted))}."
    if counted.outcome is None:
        rule = f"no choice has what the rule asks for ({counted.rule}: {counted.line.rstrip('.').lower()})"
        return f"No verdict: {counted.note or rule}."
    rule = f"by the rule {counted.rule}{', and a lot' if counted.tie else ''}"
    if counted.won is None:
        won = f"{rule}{',' * bool(counted.tie)} the motion {named_text(Text(counted.motion, counted.outcome))} won"
        return f"No text was decided: {won}, and no wording of it has more for it than against it."
    if 2 * len(counted.accepted) > counted.cast:
        return f"The panel decided {rule}: {named_text(counted.won)}."
    did = "accepts it" if counted.known else "put it first"
    return f"No majority {did}: {rule} {named_text(counted.won)} won."


def items_of(counted: Counted) -> list[str]:
    """Return each text that was adopted, with its votes."""
    does = "accept" if isinstance(counted.outcome, tuple) else "want"
    return [f"{named_text(each)}, {wanted_by(each, does, counted.cast, part=each.part)}" for each in counted.adopted]


def _votes_for(counted: Counted, won: ChoiceRow) -> Iterator[str]:
    """Yield how many accept what was decided, and what the rule counted of it."""
    first, wider = len(won.voters), IN_ANY if won.texts else ""
    if counted.won is not None and counted.known:
        own = len(won.texts.get(counted.won.id, won.voters))
        yield wanted_by(replace(counted.won, voters=counted.accepted), "accept", counted.cast) + counted.doubted
        firsts = f"{own} put{'s' * (own == 1)} it first" if first != len(counted.accepted) or own != first else ""
        firsts += f", {first - own} more another text of its motion" if own != first else ""
    else:
        firsts = f"{first} of {counted.cast} put it first{wider}"
    how = {
        "approvals": f"{won.figure:g} of {counted.asked} approve it{wider}",
        "scores": f"a mean score of {won.figure:.1f} of 10{wider}",
        "judge": f"{counted.line.rstrip('.')}, and {firsts}",
        "blocks": f"{'nobody blocks it' if counted.won or not wider else FREE}, and {firsts}",
        "polls": f"its share grew by {100 * won.figure:.0f} points, to {first} of {counted.asked}",
    }.get(counts_of(counted.rule), firsts)
    if counts_of(counted.rule) == "rankings":  # the most first choices need not win
        yield figure_phrase(counted.rule, won.figure) + wider
    if how:
        yield how.removesuffix(", and ")


def _votes(counted: Counted) -> Iterator[str]:
    """Yield the tally in words, those that accept none and those that abstained among them."""
    parts: list[str] = []
    won = next((row for row in counted.rows if row.choice == counted.outcome), None)
    if won is not None:
        parts += _votes_for(counted, won)
    elif counted.outcome is None:
        rows = (row for row in counted.rows if row.voters)
        parts += [f"{len(row.voters)} for {_row_text(counted, row.choice)}{IN_ANY * bool(row.texts)}" for row in rows]
    elif isinstance(counted.outcome, tuple) and counted.rows:
        parts.append(count(counted.cast, "vote"))
    if counted.none and counted.outcome is not None:
        none = "accepts none of the texts" if len(counted.none) == 1 else "accept none of the texts"
        beside = " as the answer" * bool(isinstance(counted.outcome, str) and counted.adopted)
        parts.append(f"{names_of(counted.none)} {none}{beside}")
    parts += _silent(counted)
    if parts:
        yield sentence("; ".join(parts))


def _beside(counted: Counted) -> Iterator[str]:
    if not isinstance(counted.outcome, tuple):
        yield from (f"Adopted beside it: {item}." for item in items_of(counted))
    if counted.rival is not None:
        yield f"One against one, more votes prefer {named_text(counted.rival)}."


def _it(counted: Counted) -> str:
    """Return what to call the text decided: by its id where another was adopted beside it."""
    return (shown_id(counted.won.id) if counted.won and counted.adopted else "") or "it"


def _conditions(counted: Counted, stood: Sequence[Stood]) -> Iterator[str]:
    for each in stood:
        if each.stance == "for, if" and each.reason:
            how = "on a condition" if all_condition(each.reason) else "and named a condition with it"
            yield f"{one_line(each.who)} declared for {_it(counted)} {how}: {in_marks(each.reason)} (m{each.message})."


_WHOLE = 3
"""Opponents whose reasons the verdict has; of more it has the names."""


def _against(counted: Counted, dissent: Sequence[Dissent], stood: Sequence[Stood]) -> Iterator[str]:
    """Yield who voted against the outcome, with objections in their own words: who blocks it first, then the surest."""
    if not isinstance(counted.outcome, str):
        return
    if not dissent:
        yield from _unopposed(counted)
        return
    first = max(dissent, key=lambda one: (bool(one.blocked), bool(one.reason), one.sure or 0.0))
    told = [first, *(one for one in dissent if one is not first and _objection(one, stood))][:_WHOLE]
    others = [one.who for one in dissent if one not in told]
    head = (
        "For another text" if counts_of(counted.rule) == "blocks" and not first.blocked else f"Against {_it(counted)}"
    )
    words = "; ".join(f"{', '.join(_did(counted, one))}{_objection(one, stood)}" for one in told)
    yield f"{head}: {words}" + (f"; also {names_of(others)}." if others else ".")


def _unopposed(counted: Counted) -> Iterator[str]:
    """Yield that nobody refuses the outcome, and who puts something else first."""
    if not counted.cast or counted.none:
        return
    firsts = () if counts_of(counted.rule) == "approvals" else counted.rows
    rows = [row for row in firsts if row.voters and row.choice not in (counted.outcome, NONE)]
    elsewhere = [f"{names_of(row.voters)} put {_row_text(counted, row.choice)} first" for row in rows]
    does = "refuses" if rows else "voted against"
    yield f"Nobody {does} {_it(counted)}{'; ' * bool(rows)}{'; '.join(elsewhere)}."


def _did(counted: Counted, one: Dissent) -> Iterator[str]:
    """Yield who dissents, and what its ballot says instead of the outcome."""
    yield one_line(one.who)
    gave = f"who {one.gave}" if one.gave and one.who not in counted.none else ""  # these stand with the votes
    if one.choice not in ("", NONE, counted.outcome):
        other = _row_text(counted, one.choice)
        yield f"{gave} and put {other} first" if gave else f"for {other}"
    elif gave:
        yield gave
    if one.blocked:
        yield "who cannot live with it"


def _objection(one: Dissent, stood: Sequence[Stood]) -> str:
    """Return a dissenter's reason on the ballot, else the first one it declared against the outcome."""
    if one.reason:
        return f": {in_marks(one.reason)} (on the ballot)"
    declared = (each for each in stood if each.who == one.who and each.stance == "against" and each.reason)
    opposed = next(declared, None)
    return f": {in_marks(opposed.reason)} (m{opposed.message})" if opposed else ""


def _torn(text: Text, stood: Stood) -> str:
    why = f": {in_marks(stood.reason)}" if stood.reason else ""
    did = f"{one_line(stood.who)} accepts {shown_id(text.id) or 'it'} on the ballot and had declared against it"
    return f"{did}{why} (m{stood.message})."


def in_marks(words: str) -> str:
    """Return words in quotation marks, with single ones inside."""
    return f"“{one_line(words).translate(_SINGLE)}”"


_SINGLE = str.maketrans({"“": "‘", "”": "’", '"': "'"})


def _silent(counted: Counted) -> list[str]:
    """Return who abstained, and who gave no usable ballot."""
    abstained = [who for who in counted.abstained if who not in counted.invalid]
    groups = ((abstained, "abstained"), (counted.invalid, "gave no usable ballot"))
    return [f"{names_of(who)} {did}" for who, did in groups if who]


def _least(counted: Counted) -> str:
    """Return how many votes would have to be different; empty where one decides alone."""
    if counted.flips is None or counted.won is None or counts_of(counted.rule) == "judge" or counted.cast == 1:
        return ""
    least = ("with the lots as they fell, " if counted.tie else "") + ("" if counted.exact else "at least ")
    outcome = counted.flips_to or "another outcome"
    if any(row.texts for row in counted.rows if row.choice == counted.outcome):
        outcome += " (votes for any text of its motion taken together)"
    return sentence(f"{least}{count(counted.flips, 'vote')} would have to be different for {outcome}")


def names_of(names: Sequence[str]) -> str:
    """Return names as `Ada, Ben and Cleo`."""
    names = [one_line(name) for name in names]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def evidence_phrase(event: EvidenceFound) -> str:
    """Return who looked up what, and where it was found: `Ada looks up "the fee": e1 report.pdf p. 7`."""
    found = ", ".join(f"{one_line(each.id)} {one_line(each.source)}" for each in event.found) or "nothing found"
    if event.tool:
        what = f"{one_line(event.arguments)}: {one_line(event.error) or found}"
        return f"{one_line(event.who)} calls {one_line(event.tool)} {what} ({event.seconds:.1f} s)"
    return f'{one_line(event.who)} looks up "{one_line(event.words)}": {found}'
