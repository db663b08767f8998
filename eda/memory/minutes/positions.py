"""Records positions: what each agent stands for, by its own statements and by its agreements."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import takewhile

from eda.events import MessagePosted, Position, Source, Unread
from eda.memory.minutes.items import MAX_POSITIONS, OWN, ProposalItem, ReadAct
from eda.memory.minutes.polarity import affirmed
from eda.memory.minutes.remark_words import IDS, untitled
from eda.memory.minutes.resolve import (
    closed_called,
    is_called,
    knows,
    open_texts,
    text_of_id,
    text_or_option,
    text_spoken_of,
)
from eda.memory.minutes.state import State
from eda.memory.patterns.conditions import is_reason, read_condition
from eda.text import bare, clean, lower, plain_low, regex, words

_MARKS = " .,;:!?\"'()[]*`"
# The id that a position begins with, and what parts it from further words: a comma, a colon, a dash.
_FIRST = regex(r"[\s\W]*([po]\d+(?:\.\d+|@\d+)?)\b[)*`_]*(\s*[,:–—]\s*|\s+-\s+)?[\s.,;:!?()*`_\-]*", "I")
_PARTS = regex(r"\s*[,:–—]\s*|\s+-\s+")
_LETTERED = 6  # Characters of a position up to which it is an id or a letter.


def declare_position(state: State, message: MessagePosted, act: ReadAct) -> Unread | None:
    """Record a position that was declared as a move; return why it was not, where it is an id that no text has."""
    act = replace(act, text=_with_id(state, act))
    text = act.text
    item, why = text_of_id(state, text)
    if why:
        return why
    if item is not None and not knows(state, act, item):
        return Unread("not heard yet", text.strip(_MARKS))
    item = _text_meant(state, message, act, item)
    letter = len(bare(text)) == 1 and not _options_held(state, message, text, item)  # which its author was not shown
    if item is None and letter:
        return Unread("no such text", clean(text), ids=tuple(state.given))
    own = (state.language.text_above, state.language.own_text)
    if item is None and any(names.fullmatch(plain_low(text)) for names in own):  # its message puts no text, or several
        return Unread("any of", ids=tuple(state.by_message.get(message.number, ())))
    parted = bool((first := _FIRST.match(text)) and first[2])
    text = f"{first[1]}, {clean(text[first.end() :])}".rstrip(", ") if first and parted else text
    rest = _more_than_a_name(state, item, text) if item else ""
    name = f"{item.id}{',' * parted} {rest}" if item and rest else item.id if item else clean(text)
    take(state, message, name, _options_held(state, message, text, item), "declared")
    return None


def _options_held(state: State, message: MessagePosted, text: str, item: ProposalItem | None) -> tuple[str, ...]:
    """Return the options that a position affirms; none where it is on another text, or its words fit one as well."""
    options = () if item and item.by else affirmed(state.options, text)
    given = words(text)
    shared = words(" ".join(options)) & given
    texts = ((each, each.words | words(each.title)) for each in state.newest_open())
    fits = any(  # "Tar now" is about the text that one put
        each.message == message.number or (shared <= own and (each.by == message.who or shared < given <= own))
        for each, own in texts
    )
    named = state.same_text(text) or (
        not any(move.kind in ("propose", "amend") for move in message.moves)
        and {*options} <= {*state.options.mentioned(text, exactly=True)}
    )
    terms = read_condition(untitled(text, ({"title": each.text} for each in state.given.values())), "position")
    # "o2, unless Ada waters it" counts for none, nor does an id with what may be a condition
    sure = terms.conditional is False or not (terms.conditional or IDS.search(text))
    return options if sure and (item or named or not fits) else ()


def _text_meant(state: State, message: MessagePosted, act: ReadAct, item: ProposalItem | None) -> ProposalItem | None:
    """Return the text that a position names, by its id as `item`, its title or its place; None where it is words."""
    item = item or _text_called(state, act)
    if item is None and not state.language.negations.search(lower(act.text)):
        item = text_spoken_of(state, act) or _text_first(state, act.text)
    if item is not None and item.status == "modified" and item.changes[-1].messages == (message.number,):
        item = state.proposal(item.amended_by) or item  # this message replaces the text, and means the new one
    return item


def _text_called(state: State, act: ReadAct) -> ProposalItem | None:
    """Return the text that a position names by its exact title, where it is one alone, heard, and no option."""
    named = [each for each in open_texts(state) if is_called(each, act.text)]
    if len(named) != 1:
        return closed_called(state, act, act.text)
    return named[0] if named[0].by and knows(state, act, named[0]) else None


def _text_first(state: State, text: str) -> ProposalItem | None:
    """Return the text or the option whose id a position begins with, and has no other: `p7.0, Monthly pilot`."""
    low = lower(text) if (first := _FIRST.match(text)) else ""
    either = len({*IDS.findall(low)}) > 1 and not state.language.negations.search(low)  # "p7.1 or p9.0"
    return text_or_option(state, first[1].lower()) if first and not either else None


def _with_id(state: State, act: ReadAct) -> str:
    """Return a position with the id in place of the exact title that it begins with: `Monthly pilot - it is cheap`."""
    text, heard = act.text, [each for each in open_texts(state) if knows(state, act, each)]
    marks = [(each, mark) for mark in _PARTS.finditer(text) for each in heard if is_called(each, text[: mark.start()])]
    begins = {item.id: f"{item.id}, {text[mark.end() :]}" for item, mark in marks}
    return begins.popitem()[1] if len(begins) == 1 else text


def _more_than_a_name(state: State, item: ProposalItem, text: str) -> str:
    """Return what a position that begins with an id says beside that, the title of its text, and a courtesy."""
    first = _FIRST.match(text)
    rest = clean(text[first.end() :]) if first else ""
    return "" if not bare(rest) or is_called(item, rest) or state.language.is_courtesy(rest) else rest


def one_motion(state: State, text: str, other: str) -> bool:
    """Return whether the texts of two ids come from one, or one of them from the other."""
    return not lineage(state, text).isdisjoint(lineage(state, other))


def had_put(state: State, agent: str, text: str, at: int) -> bool:
    """Return whether a text comes from one that an agent had put by message `at`."""
    return any(
        each.by == agent and each.message <= at and one_motion(state, text, each.id)
        for each in state.proposals.values()
    )


def lineage(state: State, text: str) -> set[str]:
    """Return the ids of a text and of all that it comes from; nothing for an id that no text has."""
    known, todo = set[str](), [text]
    while todo:
        if (key := todo.pop()) not in known and (each := state.proposal(key)):
            known.add(key)
            todo += filter(None, (each.amends, *each.joins))
    return known


def held(state: State) -> dict[str, dict[str, str]]:
    """Return, by the id of a text, whose declared last position it is, with its words where they say more."""
    members: dict[str, dict[str, str]] = {}
    for agent in state.agents.values():
        last = next((each for each in reversed(agent.positions[-OWN:]) if each.source == "declared"), None)
        if last is None or last.left or (last.options and last.options != agent.holds):
            continue  # it took that back, or holds another option by now
        if (text := text_held(state, last)) is not None:
            rest, first = _more_than_a_name(state, text, last.text), _FIRST.match(last.text)
            named = first is not None and (
                not rest or is_reason(rest) or (first[2] and _adds_nothing(state, agent.agent, rest))
            )
            short = len(last.text) <= _LETTERED or bare(last.text) == text.plain or named
            members.setdefault(text.id, {})[agent.agent] = "" if short else last.text
    return members


def _adds_nothing(state: State, who: str, rest: str) -> bool:
    """Return whether what follows an id and a mark names nobody and no text, denies nothing, states no condition."""
    named = [*state.options.mentioned(rest), *(name for name in state.agents if name != who and name in rest)]
    return (
        not (named or _FIRST.search(rest) or state.language.negations.search(lower(rest)))
        and read_condition(rest, "position").conditional is False
    )


def moved_on(state: State, held_now: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Return, by the id of a text that members held, or of which they backed a wording, which other one each holds now.

    Who took a side on it since is left out, and who holds a closed text, or one with words of its own. `held_now` is
    what `held` returns.
    """
    members: dict[str, dict[str, str]] = {}
    stands = {key for key in held_now if (text := state.proposal(key)) and text.status in ("active", "accepted")}
    for now, who in ((key, who) for key in stands for who, rest in held_now[key].items() if not rest):
        for key in _left(state, who, now):
            members.setdefault(key, {})[who] = now
    return members


def _left(state: State, who: str, now: str) -> Iterator[str]:
    """Yield the ids of other texts than the one that an agent holds `now`: held before, or a wording that it backs."""
    declared = [each for each in state.agents[who].positions[-OWN:] if each.source == "declared"]
    earlier, at = (*(text_held(state, each) for each in declared[:-1]), *state.given.values()), declared[-1].message
    since, _ = held_since(state, who)
    left = [
        item.id
        for item in earlier
        if item
        if who not in item.standing or item.standing[who].message < (at if one_motion(state, now, item.id) else since)
    ]
    backed = (
        item.id
        for item in state.newest_open()
        if (item.standing[who].message <= at if who in item.standing else item.by == who and item.message < at)
    )
    yield from (key for key in (*left, *(key for key in backed if one_motion(state, now, key))) if key != now)


def held_since(state: State, who: str) -> tuple[int, str]:
    """Return since when the declared positions of an agent are texts of one motion, and the last; 0 and "" if none."""
    declared = [each for each in state.agents[who].positions[-OWN:] if each.source == "declared"]
    held = [(each.message, text.id if (text := text_held(state, each)) else "") for each in reversed(declared)]
    now = held[0][1] if held else ""
    return [(0, ""), *((at, now) for at, _ in takewhile(lambda each: one_motion(state, each[1], now), held))][-1]


def text_held(state: State, position: Position) -> ProposalItem | None:
    """Return the text that a declared position is: the one option that it names, or a proposal."""
    if position.options:
        return next((option for option in state.given.values() if position.options == (option.text,)), None)
    words = position.text
    return state.proposal(words.strip(_MARKS).lower()) or state.same_text(words) or _text_first(state, words)


def take(state: State, message: MessagePosted, text: str, options: tuple[str, ...], source: Source) -> None:
    """Record a position of the author of a message."""
    if not state.genre.own:
        return
    agent, before = state.agents[message.who], None if message.sealed else state.last_speaker
    agent.positions.append(Position(message.number, message.who, text, options, before, source))
    del agent.positions[:-MAX_POSITIONS]
    if options != agent.holds and (options or source == "declared"):
        agent.holds, agent.since = options, message.number
