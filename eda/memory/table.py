"""The table block: what is open, who stands where and why, what was decided or only claimed. One text for everybody.

Prompts, `eda show` and the report have it from `table_block`. Where room is short, reasons and other wordings go first,
then the ends of texts. What has no line at all is named by its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from eda.events.acts import Unresolved
from eda.events.model_minutes import OpenQuestion
from eda.events.records import Decision, Motion, Proposal, Reaction, Stance
from eda.memory.context.sections import NO_ROOM, Section, section_head
from eda.memory.minutes.motions import strands
from eda.memory.minutes.proposals import CLOSED_CLAIMS, reworded_in, why_closed
from eda.text import differs_at, rough_tokens, shorten, third_person, unbroken
from eda.voting.choices import joined_into
from eda.words import ENGLISH

REASON = 120  # Characters of a reason.
_SHORT = 60  # Characters of a text that has no room for more, or stands whole elsewhere in the prompt.
_CLOSED = 24  # Closed texts that are named, the newest.
_KEPT = 500  # Motions that are kept as they were shown.
_FRESH = 10  # Messages for which a text comes first after somebody proposed it or reacted to it.
_NAMED = 40  # Items left out that are named, the newest.
_ID, _BRIEF, _NAMES, _WHOLE = range(4)  # id; text cut; text and who, with other wordings cut; all, with reasons
Standing = Stance | Literal["conditional"]  # A stance on a text. A support with a condition counts for none.
_STANCES: tuple[tuple[Standing, str], ...] = (
    ("support", "for"),
    ("conditional", "for, if ..."),
    ("oppose", "against"),
    ("neutral", "undecided"),
)
_ALWAYS = ("support", "oppose")  # Stances of which the table says that nobody takes them.

_OPEN = "Open; only a ballot decides:"
_PROPOSED = "Open:"
_HEARD = "Heard in the talk; not put to the vote before somebody names its id:"
_UNVOTED = "Proposed in the talk; no proposal is voted on:"
_STANDS_NOW = "Stands now, by vote:"
_DECIDED = "Decided:"
_CLAIMED = "Claimed, not voted on:"
_ASKED = "Questions asked, to which the minutes have no answer:"
_UNCLEAR = "Heard in the talk, and counted for nobody, since it names no one text:"
_GROUPS = (_OPEN, _PROPOSED, _HEARD, _UNVOTED, _STANDS_NOW, _DECIDED, _CLAIMED, "", _ASKED, _UNCLEAR)  # heads, in order


@dataclass(frozen=True, slots=True)
class Table:
    """What memory has on the table; of a long conversation the newest and the open items."""

    motions: tuple[Motion, ...] = ()
    decisions: tuple[Decision, ...] = ()  # Decisions and claims, oldest first.
    questions: tuple[OpenQuestion, ...] = ()
    dropped: tuple[Proposal, ...] = ()  # Proposals that a person struck, or that the minutes denied.
    unresolved: tuple[Unresolved, ...] = ()  # Reactions that the minutes found and that name no one text.
    after: int = 0  # The number of the last message.
    members: int = 0  # How many sit on the panel; 0 where that is not known.
    older: int = 0  # Open texts that are older than those of `motions`.
    positions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # whose last position it is, with words
    moved_on: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # who held it, with the text it holds now
    accepted: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # in the last ballot: how many, of votes
    voted: bool = True  # False in a format that votes on nothing but what was given.
    put_since: Mapping[str, str] = field(default_factory=dict)  # the texts that a member has put since its position
    told_from: int = 0  # The first message that stands beside the table, with texts and reasons; 0 where none does.
    below: frozenset[str] = frozenset()  # Ids of the texts that stand whole below the table.


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


def in_quotes(text: str, most: int | None = None) -> str:
    """Return a text of a member as data: one line in double quotes, with single ones inside; cut at `most`."""
    line = unbroken(text).replace('"', "'")
    return f'"{line if most is None else shorten(line, most)}"'


def reason_of(reaction: Reaction) -> str:
    """Return the reason of a reaction on one line; without one the words that it was read from, if they are known."""
    return unbroken(reaction.why or (reaction.quote.text if reaction.quote else ""))


def standing(proposal: Proposal, stance: Standing) -> tuple[tuple[str, Reaction | None], ...]:
    """Return who takes a stance on a text, with the reaction; None for an author, who supports the own text."""
    own = {each.agent for each in proposal.reactions} | {""}
    other = stance != "support" or proposal.source == "procedure"  # who corrects adopted words may be no member
    author = () if other or proposal.proposer in own else ((proposal.proposer, None),)
    taken = (
        (each.agent, each)
        for each in proposal.reactions
        if ("conditional" if each.conditional else each.reaction) == stance and not each.left
    )
    return (*author, *taken)


Rendered = dict[tuple[object, ...], tuple[Motion, _Item]]  # Motions as shown before: a changed motion is a new object.


def table_block(table: Table, room: int | None = None, rendered: Rendered | None = None) -> Section:
    """Return the table, within `room` rough tokens if given; `rendered` keeps what was put into words before."""
    # A message with a slot in place of data that changes is put together once.
    title = ENGLISH.say("table-title", message="{after}", begun=table.after > 0).format(after=table.after)
    items = [*_items(table, {} if rendered is None else rendered)]
    details = [_WHOLE] * len(items)
    if room is not None:
        details = _details(items, room - section_head(title), table.older)
    lines = _lines(items, details, table.older)
    tokens = section_head(title) + _cost(lines)
    if room is not None and tokens > room:
        lines, details = [], [_ID] * len(items)
    left = details.count(_ID) + table.older
    return Section("table", title, tuple(lines), tokens if lines else 0, left, NO_ROOM if left else "")


def _details(items: Sequence[_Item], room: int, older: int) -> list[int]:
    """Return how much of each item fits: first each in brief, then without reasons, then whole, the best first."""
    details = [_ID] * len(items)
    left = room - _cost({item.group for item in items})
    if older or sum(item.costs[_BRIEF] for item in items) > left:
        left -= _cost([_left_out(items, older)])
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


def _lines(items: Sequence[_Item], details: Sequence[int], older: int) -> list[str]:
    groups: dict[str, list[str]] = {group: [] for group in _GROUPS}
    missing = [item for item, detail in zip(items, details, strict=True) if not detail]
    for item, detail in zip(items, details, strict=True):
        if detail:
            groups[item.group].append(item.forms[detail])
    lines = [line for group, shown in groups.items() for line in ([group, *shown] if shown and group else shown)]
    return [*lines, _left_out(missing, older)] if missing or older else lines


def _left_out(items: Sequence[_Item], older: int) -> str:
    """Return the line that names the items without a line; `older` texts are counted."""
    ids = [item.forms[_ID] for item in items]
    older += max(0, len(ids) - _NAMED)
    named = [*([f"{older} older"] if older else []), *ids[-_NAMED:]]
    return ENGLISH.say("table-left-out", items="{items}").format(items=", ".join(named))


def _cost(lines: Sequence[str] | set[str]) -> int:
    return sum(rough_tokens(len(line) + 1) for line in lines)


def _items(table: Table, rendered: Rendered) -> Iterator[_Item]:
    """Yield the items of the table, oldest first within each group."""
    into = joined_into(table.motions)
    for strand in (each for motion in table.motions for each in strands(motion)):
        if strand.live is not None and strand.live.status == "active":
            yield _shown(strand, strand.live, table, rendered, into)
    yield from _settled(table)
    yield from _not_settled(table)


def _settled(table: Table) -> Iterator[_Item]:
    """Yield the decisions and claims, and the closed texts on one line."""
    stands = {each.proposal for each in table.decisions if each.source == "procedure" and each.status == "decided"}
    struck = {each.id: each for each in table.dropped if each.id in stands}
    ended = (each for motion in table.motions for each in motion.versions if each.status != "active")
    closed = [each for each in (*table.dropped, *ended) if each.id not in stands]
    claims = [each for each in table.decisions if each.status in CLOSED_CLAIMS]
    for decision in table.decisions:
        if decision.status != "superseded" and decision not in claims:
            yield _decision(decision, struck.get(decision.proposal or ""))
    if closed or claims:
        yield _closed(closed, claims)


def _not_settled(table: Table) -> Iterator[_Item]:
    """Yield the questions that nobody has answered, and the reactions that name no one text."""
    for question in table.questions:
        number = str(question.message)
        line = f"- {ENGLISH.say('table-asked', message=number, who=question.who, text=question.text)}"
        yield _item(_ASKED, (0, 0, 0, question.message), ENGLISH.say("table-question", message=number), line)
    for lost in table.unresolved:
        side = next((word for stance, word in _STANCES if stance == lost.kind), lost.kind)
        named = f"{side} {in_quotes(lost.target, _SHORT)}"
        line = f"- m{lost.message} {unbroken(lost.agent)}, {named}: {in_quotes(lost.text, REASON)}"
        yield _item(_UNCLEAR, (0, 0, 0, lost.message), ENGLISH.say("table-unclear", message=str(lost.message)), line)


def _shown(motion: Motion, live: Proposal, table: Table, rendered: Rendered, into: _Into) -> _Item:
    """Return a motion as it was shown before, if nothing of it has changed; fresh ones come first."""
    beside: list[object] = []
    if table.positions or table.accepted:
        holders = (table.positions, table.moved_on)
        beside += [tuple(each.get(text.id, {}).items()) for text in motion.versions for each in holders]
        beside += [*(table.accepted.get(text.id) for text in motion.versions), *table.put_since.items()]
    beside += [table.told_from, table.below]
    key = (*map(id, motion.versions), table.members, *(into.get(each.id) for each in motion.versions), *beside)
    if key not in rendered:
        if len(rendered) > _KEPT:
            rendered.clear()
        rendered[key] = (motion, _motion(motion, live, table, into))  # so that the ids stay its own
    item = rendered[key][1]
    taken_up, _, backed, last = item.interest
    return item._replace(interest=(taken_up, 1, backed, last)) if table.after - last < _FRESH else item


def _group(motion: Motion, table: Table) -> str:
    """Return the head under which an open motion stands."""
    if not table.members:
        return _PROPOSED
    return _UNVOTED if not table.voted else _OPEN if motion.taken_up else _HEARD


def _motion(motion: Motion, live: Proposal, table: Table, into: _Into) -> _Item:
    """Return a motion: its live text, and who is where on it."""
    head = _head(live, into)
    others = [each for each in motion.versions if each.status == "active" and each is not live]
    ids = f"other wordings: {', '.join(each.id for each in others)}" if others else ""
    whole = f"- {head}: {_content(live, others, table)}"
    texts = [live, *others]
    last = max(number for text in texts for number in (text.message, *(each.message for each in text.reactions)))
    backers = {who for text in texts for who, _ in standing(text, "support")}
    contested = sum(len(text.reactions) for text in texts if backers and standing(text, "oppose"))  # reasons matter
    forms = (
        f"- {head}: {in_quotes(live.content, _SHORT)} ({'; '.join(filter(None, (_counts(live), ids)))})",
        *("\n".join((whole, *_beside(motion, texts, table, into, reasons=reasons))) for reasons in (False, True)),
    )
    return _item(
        _group(motion, table), (2 if motion.taken_up else 1, 0, contested + len(backers), last), live.id, *forms
    )


def _counts(text: Proposal) -> str:
    """Return `for 2, against 0`."""
    numbers = {stance: len(standing(text, stance)) for stance, _ in _STANCES}
    return ", ".join(f"{word} {numbers[each]}" for each, word in _STANCES[:3] if numbers[each] or each in _ALWAYS)


def _beside(motion: Motion, texts: Sequence[Proposal], table: Table, into: _Into, *, reasons: bool) -> Iterator[str]:
    """Yield who stands where on the open texts, the live one first, and who stands on a closed one.

    Without `reasons` a wording besides the live one is cut.
    """
    yield f"    {_stands(texts[0], table, reasons=reasons)}"
    for text in texts[1:]:
        words = _content(text, texts, table) if reasons else in_quotes(text.content, _SHORT)
        yield f"    other wording {_head(text, into)}: {words} ({_stands(text, table, reasons=reasons)})"
    yield from left_behind(motion, texts)


def left_behind(motion: Motion, texts: Sequence[Proposal]) -> Iterator[str]:
    """Yield who last took a stance on a closed text, and has said nothing since on the open ones.

    What was said of a text before its author put it in other words is past.
    """
    since: dict[str, int] = {}
    for text in texts:
        for who, number in ((text.proposer, text.message), *((each.agent, each.message) for each in text.reactions)):
            since[who] = max(number, since.get(who, 0))
    newest: dict[str, tuple[int, str]] = {}
    for text in (text for text in motion.versions if text.status in ("modified", "withdrawn")):
        for stance, word in _STANCES:
            for who, reaction in standing(text, stance):
                number, gone = (reaction or text).message, text.status == "withdrawn" and who == text.proposer
                if not gone and number > max(since.get(who, 0), newest.get(who, (0, ""))[0], reworded_in(text)):
                    given = reaction if stance == "conditional" else None
                    on = f" on a condition, {in_quotes(given.condition, REASON)}" if given else ""
                    newest[who] = (number, f"{'for' if given else word} {text.id} ({why_closed(text)}){on}")
    for line in dict.fromkeys(line for _, line in sorted(newest.values())):
        of = [who for who, each in newest.items() if each[1] == line]
        yield f"    {ENGLISH.say('table-not-counted', stance=line, who=of)}"


def _content(text: Proposal, wordings: Iterable[Proposal], table: Table) -> str:
    """Return a text in quotes; of one that stands whole beside the table or below it, where it differs from others."""
    told = table.told_from > 0 and (text.message >= table.told_from or text.source == "procedure")
    if not told and text.id not in table.below:
        return in_quotes(text.content)
    at = differs_at(text.content, _SHORT, (each.content for each in wordings))
    return in_quotes(f"{'… ' * bool(at)}{shorten(text.content[at:], _SHORT)}")


def _head(text: Proposal, into: _Into) -> str:
    earlier = " and ".join(filter(None, (text.amends, *text.joins)))
    beside = [f"{'joins' if text.joins else 'amends'} {earlier}"] if earlier else []
    beside += [f"part of {into[text.id]}"] if text.id in into else []
    beside += [f"corrected by {third_person(text.corrected)}"] if text.corrected else []
    who = f" {unbroken(text.proposer)}" if text.proposer else ""
    return f"{text.id}{who}" + (f" [{'; '.join(beside)}]" if beside else "")


def _stands(text: Proposal, table: Table, *, reasons: bool) -> str:
    """Return `for 2 of 3: Ada (own), Ben "it keeps the calls"; against nobody; undecided 1: Cleo`."""
    holders, positions = _only_positions(text, table)
    beside = [f"position of {', '.join(positions)}"] if positions else []
    beside[:0] = [ENGLISH.say("table-before", who=r.agent, id=r.left) for r in text.reactions if r.left]
    if text.id in table.accepted:
        beside.append("accepted by {} of {} in the last ballot".format(*table.accepted[text.id]))
    if not holders and not any(standing(text, stance) for stance, _ in _STANCES):
        return "; ".join(beside) or "nobody has declared for or against it"
    parts = []
    for stance, word in _STANCES:
        takers = (*standing(text, stance), *((who, None) for who in holders if stance == "support"))
        of = f" of {table.members}" if table.members and stance == "support" else ""
        left = table.moved_on.get(text.id, {}) if stance in ("support", "conditional") else {}
        notes = {name: ["own"] * (name == text.proposer) + ["in doubt"] * bool(r and r.doubt) for name, r in takers}
        notes |= {name: ["position"] for name in holders}
        notes |= {name: [*note, f"now holds {left[name]}"] for name, note in notes.items() if name in left}
        told = [reasons and (not r or r.conditional or not 0 < table.told_from <= r.message) for _, r in takers]
        who = ", ".join(_taker(name, r, notes[name], reasons=why) for (name, r), why in zip(takers, told, strict=True))
        if takers:
            parts.append(f"{word} {len(takers)}{of}: {who}")
        elif stance in _ALWAYS:
            parts.append(f"{word} nobody")
    return "; ".join((*parts, *beside))


def _only_positions(text: Proposal, table: Table) -> tuple[list[str], list[str]]:
    """Return who holds a text as it stands, and who in words or beside a newer text, of those without a move."""
    takes = {text.proposer, *(each.agent for each in text.reactions)}
    holders = {who: words for who, words in table.positions.get(text.id, {}).items() if who not in takes}
    since = {who: f" (has put {put})" for who, put in table.put_since.items()}
    plain = [who for who, words in holders.items() if not words and who not in since]
    said = ((f"{unbroken(who)}{since.get(who, '')}", holders[who]) for who in holders if who not in plain)
    return plain, [f"{name} {in_quotes(words, REASON)}" if words else name for name, words in said]


def _taker(who: str, reaction: Reaction | None, notes: Sequence[str], *, reasons: bool) -> str:
    """Return a member with its reason: `Maya "each can be undone"`, `Tomas (own)`, `Eve (now holds p9.1)`."""
    why = (reaction.condition or reason_of(reaction)) if reaction and reasons else ""
    return unbroken(who) + (f" ({'; '.join(notes)})" if notes else "") + (f" {in_quotes(why, REASON)}" if why else "")


def _decision(decision: Decision, struck: Proposal | None = None) -> _Item:
    """Return a decision of the procedure or of written minutes; or a claim, with what became of it."""
    if decision.source == "procedure":
        return _stands_now(decision, struck)
    claim, words = decision.status != "decided", decision.outcome
    number = f"m{decision.messages[0]}" if decision.messages else ""
    if not claim and decision.topic not in words:
        words = f"{decision.topic}: {words}"
    beside = [f"{'by' if claim else 'for it:'} {_names(decision.supporters)}"] if decision.supporters else []
    beside += [unbroken(decision.dispute)] if decision.dispute else []
    beside += [f"corrected by {third_person(decision.corrected)}"] if decision.corrected else []
    proposal = f" = {decision.proposal}" if decision.proposal else ""
    notes = f" [{'; '.join(beside)}]" if beside else ""
    name = number if claim else f"{decision.id} {number}".rstrip()
    line, last = f"- {name}{proposal}{notes}: {in_quotes(words)}", max(decision.messages, default=0)
    key = ENGLISH.say("table-claim", message=number) if claim else decision.id
    return _item(_CLAIMED if claim else _DECIDED, (1 if claim else 3, 0, 0, last), key, line)


def _stands_now(decision: Decision, struck: Proposal | None) -> _Item:
    """Return what a ballot decided, with its count; a text that was struck since still stands by the vote."""
    who = decision.supporters
    accepted = ENGLISH.say("table-accepted", number=str(len(who)), votes=str(decision.votes))
    votes, names = (f"; {accepted}", f": {_names(who)}") if who else ("", "")
    corrected = f"; corrected by {third_person(decision.corrected)}" if decision.corrected else ""
    corrected += f"; its text {why_closed(struck)}" if struck else ""
    begins = f"{decision.proposal} [{decision.id}, " if decision.proposal else f"{decision.id} ["
    head = f"- {begins}{unbroken(decision.topic)}{votes}"
    line = f"{head}{names}{corrected}]: {in_quotes(decision.outcome)}"
    brief = f"{head}{'' if who else corrected}]: {in_quotes(decision.outcome)}"
    return _item(_STANDS_NOW, (3, 0, 0, max(decision.messages, default=0)), decision.id, brief, line)


def _closed(texts: Sequence[Proposal], claims: Sequence[Decision]) -> _Item:
    """Return the closed texts and claims on one line, each with why it is closed."""
    ends = [(text.message, f"{text.id} {why_closed(text)}") for text in texts]
    ends += [(each.messages[0], f"m{each.messages[0]} {CLOSED_CLAIMS[each.status]}") for each in claims]
    newest = [end for _, end in sorted(ends, key=lambda each: each[0])[-_CLOSED:]]
    older = f"{len(ends) - _CLOSED} older, " if len(ends) > _CLOSED else ""
    return _item("", (0, 0, 0, 0), "the closed texts", f"Closed: {older}{', '.join(newest)}")


def _names(people: Iterable[str]) -> str:
    return ", ".join(map(unbroken, people))
