"""The table block: what is open, who stands where and why, what was decided or only claimed. One text for everybody.

Prompts, `eda show` and the report have it from `table_block`. Where room is short, reasons and other wordings go first,
then the ends of texts. What has no line at all is named by its id.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from eda.events import Decision, Motion, OpenQuestion, Proposal, Reaction, Stance
from eda.memory.context.sections import Section, section_head
from eda.memory.minutes.motions import said_in, strands
from eda.memory.minutes.proposals import CLOSED_CLAIMS, corrected_by, denials_of, noted, reworded_in, why_closed
from eda.text import differs_at, rough_tokens, shorten, unbroken
from eda.voting.choices import joined_into
from eda.words import ENGLISH, Words

REASON = 120  # Characters of a reason.
_SHORT = 60  # Characters of a text that has no room for more, or stands whole elsewhere in the prompt.
_LATER = 80  # The same from where a text differs: what is new is often its last clause, with a figure at its end.
_CLOSED = 24  # Closed texts that are named, the newest.
_KEPT = 500  # Motions that are kept as they were shown.
_FRESH = 10  # Messages for which a text comes first after somebody proposed it or reacted to it.
_NAMED = 40  # Items left out that are named, the newest.
_ID, _BRIEF, _NAMES, _WHOLE = range(4)  # id; text cut; text and who, with other wordings cut; all, with reasons
Standing = Stance | Literal["conditional"]  # A stance on a text. A support with a condition counts for none.
_STANCES: tuple[Standing, ...] = ("support", "conditional", "oppose", "neutral")
_ALWAYS = ("support", "oppose")  # Stances of which the table says that nobody takes them.

# The groups of items, as `table-group` names them; the closed texts stand on a line without a head.
_OPEN, _PROPOSED, _HEARD, _UNVOTED = "open", "proposed", "heard", "unvoted"
_STANDS_NOW, _DECIDED, _CLAIMED, _ASKED = "stands-now", "decided", "claimed", "asked"
_IN_ORDER = (_OPEN, _PROPOSED, _HEARD, _UNVOTED, _STANDS_NOW, _DECIDED, _CLAIMED, "", _ASKED, "unsourced")


@dataclass(frozen=True, slots=True)
class Table:
    """What memory has on the table; of a long conversation the newest and the open items."""

    motions: tuple[Motion, ...] = ()
    decisions: tuple[Decision, ...] = ()  # Decisions and claims, oldest first.
    questions: tuple[OpenQuestion, ...] = ()
    dropped: tuple[Proposal, ...] = ()  # Proposals that a person struck.
    after: int = 0  # The number of the last message.
    members: int = 0  # How many sit on the panel; 0 where that is not known.
    older: int = 0  # Open texts that are older than those of `motions`.
    positions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # whose last position it is, with words
    moved_on: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # who held it, with the text it holds now
    accepted: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)  # in the last ballot; of votes
    voted: bool = True  # False in a format that votes on nothing but what was given.
    since: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # voted, and put, since its position
    told_from: int = 0  # The first message that stands beside the table, with texts and reasons; 0 where none does.
    below: frozenset[str] = frozenset()  # Ids of the texts that stand whole below the table.
    words: Words = ENGLISH  # Prompts have English ones.


Rendered = dict[tuple[object, ...], "tuple[Motion, _Item]"]  # Motions as shown before: a changed one is a new object.
_Into = Mapping[str | None, str]  # The open text that joins it, by the id of each text that one joins.


class _Item(NamedTuple):
    """One item, in as many forms as there are details."""

    group: str
    forms: tuple[str, ...]
    costs: tuple[int, ...]  # The rough tokens of each form; one left out stands in the line of those.
    interest: tuple[int, ...]  # What is shown first where not all fit: the highest.


def _item(group: str, interest: tuple[int, ...], key: str, *forms: str) -> _Item:
    """Return an item whose further details add nothing to the last of its forms."""
    forms = (key, *forms, *[forms[-1]] * (_WHOLE - len(forms)))
    return _Item(group, forms, (0, *(rough_tokens(len(form) + 1) for form in forms[1:])), interest)


def in_quotes(text: str, most: int | None = None, words: Words = ENGLISH) -> str:
    """Return a text of a member as data: one line in double quotes, with single ones inside; cut at `most`."""
    line = unbroken(text).replace('"', "'")
    line = line if most is None else shorten(line, most)
    return f'"{line}"' if words == ENGLISH else words.say("table-quoted", text=line)


def reason_of(reaction: Reaction) -> str:
    """Return the reason of a reaction on one line; without one the words that it was read from, if they are known."""
    return unbroken(reaction.why or (reaction.quote.text if reaction.quote else ""))


def standing(proposal: Proposal, stance: Standing) -> tuple[tuple[str, Reaction | None], ...]:
    """Return who takes a stance on a text, with the reaction; None for an author, who supports the own text."""
    own = {each.agent for each in proposal.reactions} | {""}
    other = stance != "support" or proposal.source == "procedure"  # who corrects adopted words may be no member
    author = () if other or proposal.proposer in own else ((proposal.proposer, None),)
    kept = (("conditional" if r.conditional else r.reaction, r.agent, r) for r in proposal.reactions)
    return (*author, *((who, reaction) for kind, who, reaction in kept if kind == stance))


def takers(text: Proposal, stance: Standing, table: Table) -> tuple[tuple[str, Reaction | None], ...]:
    """Return who takes a stance on a text; for it are also those whose last position it is, without a reaction."""
    holders = only_positions(text, table)[0] if stance == "support" else ()
    return *standing(text, stance), *((who, None) for who in holders)


def table_block(table: Table, room: int | None = None, rendered: Rendered | None = None) -> Section:
    """Return the table, within `room` rough tokens if given; `rendered` keeps what was put into words before."""
    # A message with a slot in place of data that changes is put together once.
    title = table.words.say("table-title", message="{after}", begun=table.after > 0).format(after=table.after)
    items = [*_items(table, {} if rendered is None else rendered)]
    details = [_WHOLE] * len(items)
    if room is not None and items:
        details = _details(items, room - section_head(title), table)
    lines = _lines(items, details, table) if items or table.older else []
    tokens = section_head(title) + _cost(lines)
    if room is not None and tokens > room:
        lines = []
    return Section("table", title, tuple(lines), tokens if lines else 0)


def _details(items: Sequence[_Item], room: int, table: Table) -> list[int]:
    """Return how much of each item fits: first each in brief, then without reasons, then whole, the best first."""
    details = [_ID] * len(items)
    left = room - _cost({table.words.say("table-group", item.group) for item in items if item.group})
    if table.older or sum(item.costs[_BRIEF] for item in items) > left:
        left -= _cost([_left_out(items, table)])
    best_first = sorted(range(len(items)), key=lambda place: items[place].interest, reverse=True)
    for detail in range(_BRIEF, _WHOLE + 1):
        cut = False
        for place in best_first:
            costs, backed = items[place].costs, items[place].interest[2] > 0
            more = costs[detail] - costs[detail - 1]
            if details[place] == detail - 1 and more <= left and (backed or not more or not cut):
                details[place], left = detail, left - more
            else:
                cut = cut or (backed and detail == _WHOLE)
    return details


def _lines(items: Sequence[_Item], details: Sequence[int], table: Table) -> list[str]:
    groups: dict[str, list[str]] = {group: [] for group in _IN_ORDER}
    missing = [item for item, detail in zip(items, details, strict=True) if not detail]
    for item, detail in zip(items, details, strict=True):
        if detail:
            groups[item.group].append(item.forms[detail])
    heads = {group: [table.words.say("table-group", group)] for group, shown in groups.items() if group and shown}
    lines = [line for group, shown in groups.items() for line in (*heads.get(group, ()), *shown)]
    return [*lines, _left_out(missing, table)] if missing or table.older else lines


def _left_out(items: Sequence[_Item], table: Table) -> str:
    """Return the line that names the items without a line; older texts are counted."""
    ids = [item.forms[_ID] for item in items]
    older = table.older + max(0, len(ids) - _NAMED)
    named = [*([table.words.say("table-older", number=str(older))] if older else []), *ids[-_NAMED:]]
    return table.words.say("table-left-out", items="{items}").format(items=", ".join(named))


def _cost(lines: Sequence[str] | set[str]) -> int:
    return sum(rough_tokens(len(line) + 1) for line in lines)


def _items(table: Table, rendered: Rendered) -> Iterator[_Item]:
    """Yield the items of the table, oldest first within each group."""
    into = joined_into(table.motions)
    for strand in (each for motion in table.motions for each in strands(motion)):
        if strand.live is not None and strand.live.status == "active":
            yield _shown(strand, strand.live, table, rendered, into)
    yield from _settled(table)
    say = table.words.say
    for question in table.questions:
        number, told = str(question.message), noted(question, table.words)
        note = f" ({told})" * bool(told)
        line = f"- {say('table-asked', message=number, who=question.who, text=question.text)}{note}"
        group, left_out = "unsourced" if question.unsourced else _ASKED, say("table-question", message=number)
        yield _item(group, (-bool(question.answered), 0, 0, question.message), left_out, line)


def _settled(table: Table) -> Iterator[_Item]:
    """Yield the decisions and claims, and the closed texts on one line."""
    stands = {each.proposal for each in table.decisions if each.source == "procedure" and each.status == "decided"}
    struck = {each.id: each for each in table.dropped if each.id in stands}
    ended = (each for motion in table.motions for each in motion.versions if each.status != "active")
    closed = [each for each in (*table.dropped, *ended) if each.id not in stands]
    claims = [each for each in table.decisions if each.status in CLOSED_CLAIMS]
    for decision in table.decisions:
        if decision.status != "superseded" and decision not in claims:
            yield _decision(decision, table.words, struck.get(decision.proposal or ""))
    if closed or claims:
        yield _closed(closed, claims, table.words)


def _shown(motion: Motion, live: Proposal, table: Table, rendered: Rendered, into: _Into) -> _Item:
    """Return a motion as it was shown before, if nothing of it has changed; fresh ones come first."""
    beside: list[object] = []
    if table.positions or table.accepted:
        holders = (table.positions, table.moved_on)
        beside += [tuple(each.get(text.id, {}).items()) for text in motion.versions for each in holders]
        beside += [*(table.accepted.get(text.id) for text in motion.versions), *table.since.items()]
    beside += [table.told_from, table.below, table.words]
    key = (*map(id, motion.versions), table.members, *(into.get(each.id) for each in motion.versions), *beside)
    if key not in rendered:
        if len(rendered) > _KEPT:
            rendered.clear()
        rendered[key] = (motion, _motion(motion, live, table, into))  # so that the ids stay its own
    item = rendered[key][1]
    taken_up, _, backed, last = item.interest
    return item._replace(interest=(taken_up, 1, backed, last)) if table.after - last < _FRESH else item


def _motion(motion: Motion, live: Proposal, table: Table, into: _Into) -> _Item:
    """Return a motion: its live text, and who is where on it."""
    head = _head(live, into, table.words, f" {in_quotes(live.title, words=table.words)}," if live.titled else "")
    others = [each for each in motion.versions if each.status == "active" and each is not live]
    ids = [table.words.say("table-wordings", ids=[each.id for each in others])] if others else []
    counted = "; ".join(filter(None, (_counts(live, table), *ids)))
    whole, texts = f"- {head}: {_content(live, others, table)}", [live, *others]
    last = max(number for text in texts for number in (text.message, *(each.message for each in text.reactions)))
    backers = {who for text in texts for who, _ in standing(text, "support")}
    contested = sum(len(text.reactions) for text in texts if backers and standing(text, "oppose"))  # reasons matter
    forms = (
        f"- {head}: {in_quotes(live.content, _SHORT, table.words)} ({counted})",
        *("\n".join((whole, *_beside(motion, texts, table, into, reasons=reasons))) for reasons in (False, True)),
    )
    voted = _UNVOTED if not table.voted else _OPEN if motion.taken_up else _HEARD
    interest = (2 if motion.taken_up else 1, 0, contested + len(backers), last)
    return _item(voted if table.members else _PROPOSED, interest, live.id, *forms)


def _counts(text: Proposal, table: Table) -> str:
    """Return `for 2, against 0`."""
    numbers = {stance: len(takers(text, stance, table)) for stance in _STANCES}
    counted = (each for each in _STANCES[:3] if numbers[each] or each in _ALWAYS)
    return ", ".join(f"{table.words.say('table-stance', stance=each)} {numbers[each]}" for each in counted)


def _beside(motion: Motion, texts: Sequence[Proposal], table: Table, into: _Into, *, reasons: bool) -> Iterator[str]:
    """Yield who stands where on the texts, the live one first; without `reasons` others are cut."""
    yield f"    {_stands(texts[0], table, reasons=reasons)}"
    for text in texts[1:]:
        words = _content(text, texts, table) if reasons else in_quotes(text.content, _SHORT, table.words)
        other = table.words.say("table-wording", text=_head(text, into, table.words))
        yield f"    {other}: {words} ({_stands(text, table, reasons=reasons)})"
    yield from left_behind(motion, texts, table.words)


def left_behind(motion: Motion, texts: Sequence[Proposal], words: Words = ENGLISH) -> Iterator[str]:
    """Yield who last took a stance on a closed text as it was worded, and said nothing since on the open ones."""
    gone = [text for text in motion.versions if text.status in ("modified", "withdrawn")]
    since, before, newest, say = _last_said(texts), _last_said(gone), dict[str, tuple[int, str]](), words.say
    backers = {("support", who) for text in texts for who, _ in standing(text, "support")}  # they are counted
    stood = ((text, stance, *each) for text in gone for stance in _STANCES for each in standing(text, stance))
    for text, stance, who, reaction in stood:
        number, given = said_in(reaction or text), reaction if stance == "conditional" else None
        past = max(since.get(who, 0), reworded_in(text))
        if number == before.get(who) and number > past and (stance, who) not in backers:
            on = say("table-if", clause=in_quotes(given.condition, REASON, words), doubt=given.doubt) if given else ""
            side = f"{say('table-stance', stance='support' if given else stance)} {text.id}"
            newest.setdefault(who, (number, f"{side} ({why_closed(text, words)}) {on}".rstrip()))
    for line in dict.fromkeys(line for _, line in sorted(newest.values())):
        yield "    " + say("table-not-counted", stance=line, who=[who for who, own in newest.items() if own[1] == line])


def _last_said(texts: Sequence[Proposal]) -> dict[str, int]:
    """Return in which message each member last put one of the texts, or took a stance on it."""
    put = ((text.message, text.proposer) for text in texts if text.status != "withdrawn")
    said = sorted((*put, *((said_in(each), each.agent) for text in texts for each in text.reactions)))
    return {who: number for number, who in said}


def _content(text: Proposal, wordings: Iterable[Proposal], table: Table) -> str:
    """Return a text in quotes; of one that stands whole beside the table or below it, where it differs from others."""
    above = table.told_from > 0 and (text.message >= table.told_from or text.source == "procedure")
    if text.id not in table.below and not above:
        return in_quotes(text.content, words=table.words)
    at = differs_at(text.content, _SHORT, (each.content for each in wordings))
    return in_quotes(f"{'… ' * bool(at)}{shorten(text.content[at:], _LATER if at else _SHORT)}", words=table.words)


def _head(text: Proposal, into: _Into, words: Words, title: str = "") -> str:
    earlier = [key for key, one in into.items() if key and one == text.id] or [*filter(None, [text.amends])]
    beside = [words.say("table-made-of", joins=text.id in into.values(), of=earlier)] if earlier else []
    beside += [words.say("table-part-of", of=into[text.id])] if text.id in into else []
    beside += [corrected_by(text.corrected, words)] if text.corrected else []
    who = f" {unbroken(text.proposer)}" if text.proposer else ""
    return f"{text.id}{title}{who}" + (f" [{'; '.join(beside)}]" if beside else "")


def _stands(text: Proposal, table: Table, *, reasons: bool) -> str:
    """Return `for 2 of 3: Ada (own), Ben "it keeps the calls"; against nobody; undecided 1: Cleo`."""
    positions = only_positions(text, table)[1]
    say = table.words.say
    beside = [say("table-position-of", who=positions)] if positions else []
    if text.id in table.accepted:
        number, also, votes = table.accepted[text.id]
        beside.append(say("table-last-ballot", number=number, also=also, votes=str(votes)))
    taken = {stance: takers(text, stance, table) for stance in _STANCES}
    if not any(taken.values()):
        return "; ".join(beside) or say("table-undeclared")
    told = (each for each in _STANCES if taken[each] or each in _ALWAYS)
    return "; ".join((*(_side(text, table, each, taken[each], reasons=reasons) for each in told), *beside))


def _side(
    text: Proposal, table: Table, stance: Standing, taken: Sequence[tuple[str, Reaction | None]], *, reasons: bool
) -> str:
    """Return who takes a stance on a text: `for 2 of 3: Ada (own), Ben`."""
    say, supports = table.words.say, stance == "support"
    of = f" {say('table-of', of=str(table.members))}" if table.members and supports else ""
    left = table.moved_on.get(text.id, {}) if stance in ("support", "conditional") else {}
    marks = {who: ["own"] * (who == text.proposer) + _hedges(on) for who, on in taken}
    notes = {who: [say("table-note", mark) for mark in marks[who] or ["position"] * (on is None)] for who, on in taken}
    notes |= {name: [*note, say("table-now", id=left[name])] for name, note in notes.items() if name in left}
    who = ", ".join(_taker(who, on, notes[who], table, reasons=reasons) for who, on in taken)
    counted = f"{len(taken)}{of}: {who}" if taken else say("table-note", "nobody")
    return f"{say('table-stance', stance=stance)} {counted}"


def _hedges(side: Reaction | None) -> list[str]:
    """Return the note on a side that is in doubt, or on an opposition that its words may end."""
    ends = bool(side and side.condition and not side.conditional)
    return ["in-doubt"] * bool(side and side.doubt) + ["on-terms"] * ends


def newer_than_position(who: str, table: Table) -> str:
    """Return what a member voted and put since its position, in words; empty for nothing."""
    told = zip(("table-voted-for", "table-has-put"), table.since.get(who, ()), strict=False)
    return ", ".join(table.words.say(key, id=ids) for key, ids in told if ids)


def only_positions(text: Proposal, table: Table) -> tuple[list[str], list[str]]:
    """Return who holds a text as it stands, and who in words or beside a newer text, of those without a move."""
    takes = {text.proposer, *(each.agent for each in text.reactions)}
    holders = {who: words for who, words in table.positions.get(text.id, {}).items() if who not in takes}
    newer = {who: f" ({told})" for who in holders if (told := newer_than_position(who, table))}
    plain = [who for who, words in holders.items() if not words and who not in newer]
    said = ((f"{unbroken(who)}{newer.get(who, '')}", holders[who]) for who in holders if who not in plain)
    return plain, [f"{name} {in_quotes(words, REASON, table.words)}" if words else name for name, words in said]


def _taker(who: str, reaction: Reaction | None, notes: Sequence[str], table: Table, *, reasons: bool) -> str:
    """Return a member with its condition, or its reason where no message beside the table has it: `Maya (own)`."""
    terms = reaction is not None and (reaction.conditional or reaction.condition != "")
    told = not reaction or (not terms and 0 < table.told_from <= reaction.message)
    why = (reaction.condition or reason_of(reaction)) if reaction and reasons and not told else ""
    own = f"{unbroken(who)} ({'; '.join(notes)})" if notes else unbroken(who)
    return f"{own} {in_quotes(why, REASON, table.words)}" if why else own


def _decision(decision: Decision, words: Words, struck: Proposal | None = None) -> _Item:
    """Return a decision of the procedure or of written minutes; or a claim, with what became of it."""
    if decision.source == "procedure":
        return _stands_now(decision, struck, words)
    claim, last = decision.status != "decided", max(decision.messages, default=0)
    key = words.say("table-claim", message=f"m{decision.messages[0]}") if claim and decision.messages else decision.id
    line = f"- {decision_line(decision, words)}"
    return _item(_CLAIMED if claim else _DECIDED, (1 if claim else 3, 0, 0, last), key, line)


def decision_line(decision: Decision, words_in: Words) -> str:
    """Return a decision of written minutes, or a claim, with its message, who made it and who denied it."""
    claim, words = decision.status != "decided", decision.outcome
    number = f"m{decision.messages[0]}" if decision.messages else ""
    words = words if claim or decision.topic in words else f"{decision.topic}: {words}"
    beside = [words_in.say("table-by", claim=claim, who=decision.supporters)] if decision.supporters else []
    by, denied = denials_of(decision, words_in), decision.denied_by
    beside += [words_in.say("table-disputed", back=len(by) < len(denied), by=by)] * bool(denied)
    beside += [corrected_by(decision.corrected, words_in)] if decision.corrected else []
    notes = f" = {decision.proposal}" * bool(decision.proposal) + f" [{'; '.join(beside)}]" * bool(beside)
    return f"{number if claim else f'{decision.id} {number}'.rstrip()}{notes}: {in_quotes(words, words=words_in)}"


def _stands_now(decision: Decision, struck: Proposal | None, words: Words) -> _Item:
    """Return what a ballot decided, with its count; a text that was struck since still stands by the vote."""
    who = decision.supporters
    accepted = words.say("table-accepted", number=str(len(who)), votes=str(decision.votes))
    votes, names = (f"; {accepted}", f": {', '.join(map(unbroken, who))}") if who else ("", "")
    corrected = f"; {corrected_by(decision.corrected, words)}" if decision.corrected else ""
    corrected += f"; {words.say('table-its-text', end=why_closed(struck, words))}" if struck else ""
    begins = f"{decision.proposal} [{decision.id}, " if decision.proposal else f"{decision.id} ["
    votes = f"; {words.say('table-unworded')}" * decision.unworded + votes
    head = f"- {begins}{words.say('votes-rule', rule=decision.topic.replace('/', '-'))}{votes}"
    line = f"{head}{names}{corrected}]: {in_quotes(decision.outcome, words=words)}"
    brief = f"{head}{'' if who else corrected}]: {in_quotes(decision.outcome, words=words)}"
    return _item(_STANDS_NOW, (3, 0, 0, max(decision.messages, default=0)), decision.id, brief, line)


def _closed(texts: Sequence[Proposal], claims: Sequence[Decision], words: Words) -> _Item:
    """Return the closed texts and claims on one line, each with why it is closed."""
    ends = [(text.message, f"{text.id} {why_closed(text, words)}") for text in texts]
    for each in claims:
        end = words.say("table-claim-end", status=each.status, by=denials_of(each, words))
        ends.append((each.messages[0], f"m{each.messages[0]} {end}"))
    newest = [end for _, end in sorted(ends, key=lambda each: each[0])[-_CLOSED:]]
    older = [words.say("table-older", number=str(len(ends) - _CLOSED))] if len(ends) > _CLOSED else []
    line = words.say("table-closed", ends="{ends}").format(ends=", ".join((*older, *newest)))
    return _item("", (0, 0, 0, 0), words.say("table-note", "closed"), line)
