"""Texts that a prompt has for the moment: what the phase asks, which side a member argues, who cannot answer now."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import accumulate, chain, takewhile
from typing import Any

from eda.debate.addressing import addressing_of
from eda.debate.floor.stop import left_out, room
from eda.debate.prompts.withdrawals import denied_claims, taken_back, texts_named
from eda.debate.state import DebateState
from eda.debate.verdict import argued_by
from eda.events import Act, Move, Reaction
from eda.memory import ConversationMemory
from eda.memory.context.acts import fault_line
from eda.memory.context.sections import Section
from eda.memory.minutes.items import CLAIM_STATUSES
from eda.memory.minutes.motions import table_rows
from eda.memory.minutes.move_words import NEEDS_TEXT
from eda.memory.minutes.otherwise import own_text_called, tags_meant
from eda.memory.minutes.positions import text_held
from eda.memory.minutes.proposals import what_became
from eda.memory.minutes.remark_words import IDS, may_take_side
from eda.memory.patterns.conditions import conditional, read_condition
from eda.memory.sources import MESSAGE
from eda.panels.agenda import Agenda, Phase
from eda.panels.persona import Persona
from eda.text import mask_quotes, plain_low, quoted, regex, sentences
from eda.words import ENGLISH

_HEADING = regex(r"^#.*$", "M")
_LONGEST = 400  # Characters of what a phase asks, told to those who do not speak in it yet.
_TERMS = 12  # Blanks in a sentence that may be the condition of who puts a text.

Hears = Callable[[int], bool]  # True for the number of a message that the member has heard.
_FIRST = regex(r"[\s*_`>-]*([op]\d+(?:\.[1-9]\d*)?)(?:\.0)?\b(?!['’])", "I")  # The id that a line begins with.
_OPTION = regex(r"\boption (\d+)\b")
_NUMBER = regex(r"\[m(\d+)\]")  # The number of a message, as a line of a prompt begins with it.


def phase_line(phase: str, instruction: str) -> str:
    """Return the phase and what it asks of a speaker, as data: in whole sentences, up to a length; empty for nothing.

    Headings are left out, and sentences that have a slot or lead up to one.
    """
    text = _HEADING.sub("", instruction)
    plain = (
        said
        for start, end in sentences(text)
        if "{{" not in (said := " ".join(text[start:end].split())) and not said.endswith(":")
    )
    line = "".join([*takewhile(lambda line: len(line) <= _LONGEST, accumulate(plain, "{} {}".format))][-1:])
    return f"The phase is: {quoted(phase)}. Of whoever speaks in it, it asks:\n    {quoted(line)}" if line else ""


def heard(section: Section, hears: Hears) -> Section:
    """Return the section; transcript and recalled passages without messages that the member has not heard."""
    if section.name not in ("transcript", "recalled"):
        return section
    numbered = ((line, _NUMBER.match(line)) for line in section.lines)
    lines = tuple(line for line, number in numbered if number is None or hears(int(number[1])))
    return section if len(lines) == len(section.lines) else replace(section, lines=lines)


def uncounted(
    persona: Persona, state: DebateState, memory: ConversationMemory, *, own: bool = False
) -> tuple[int, tuple[str, ...]]:
    """Return the member's last message, and what of it does not count: unresolved, or no option where fixed.

    `own`: without lines in the name of others.
    """
    who, number, rows = persona.title, state.spoke_at.get(persona.title, 0), memory.state.rows
    lost, answer = lost_acts(who, memory) if own else memory.unread(who)[1], state.last_answer(who)
    unread = [*map(fault_line, lost)]
    # Of a message of which its author has said what it declares, all else is settled.
    if answer.message != number or answer.denied or answer.unread or not (answer.moves or answer.at_once):
        unread += [
            *on_closed_texts(who, number, memory),
            *(
                f"[POSITION] {text}: it is shown as your words and counts for no text: "
                + (f"did you mean {meant}?" if (meant := own_text_called(text, who, rows)) else "an id by itself does")
                for text in position_in_words(who, number, memory)
            ),
            *(
                f'"{said}": it has no tag' + (f"; [{tag}] is what counts" if tag else ", so it is talk")
                for said, _, tag in in_words(who, number, memory)
            ),
        ]
    if state.settings.fixed_options:
        why = "the options are fixed, so it is not on the ballot and is kept as a note"
        unread += [f"{each.id}: {why}" for each in memory.proposals if (each.proposer, each.message) == (who, number)]
    return number, tuple(unread)


def lost_acts(who: str, memory: ConversationMemory) -> list[Act]:
    """Return the acts of a member's last message that were not counted, but what takes back a side on a closed text."""
    gone = {text.id.removesuffix(".0") for text in memory.proposals if text.status == "withdrawn"}
    return [
        act
        for act in memory.unread(who)[1]
        if act.kind != "others' lines"
        if act.kind != "withdraw" or gone.isdisjoint(IDS.findall(act.on.lower()))
    ]


def closed_lines(memory: ConversationMemory) -> str:
    """Return the texts that a line may name and that are open no more, a line each."""
    return "".join(
        f"\n- {text.id} ({quoted(text.title)}): {what_became(text, motion)}"
        for motion in memory.motions
        for text in motion.versions
        if text.status not in ("active", "accepted")
    )


def offered_in_words(who: str, moves: Iterable[Move]) -> str:
    """Return what was offered to the author of a line, and waits for a yes or no."""
    acts = [" ".join(filter(None, (m.kind, m.of, m.target, m.text and f'("{quoted(m.text)}")'))) for m in moves]
    return ENGLISH.say("prompt-offered", who=quoted(who), offered=acts)


def on_closed_texts(who: str, number: int, memory: ConversationMemory) -> list[str]:
    """Return the texts that the member's last message supports, opposes or holds though they are closed."""
    agent = memory.state.agents.get(who)
    held = [each.text.strip(" .[]") for each in agent.positions[-1:] if each.message == number] if agent else []
    own = {e.to: e.met for e in memory.reactions if (e.message, e.agent) == (number, who)}
    to = dict.fromkeys([*own, *held])
    texts = {text.id: (text, motion) for motion in memory.motions for text in motion.versions} if to else {}
    return [
        f"what you said on {text.id}: it was {what_became(text, motion)}"
        for text, motion in (texts[each] for each in to if each in texts)
        if text.status in ("modified", "withdrawn") and text.changes and text.changes[-1].messages[-1:] < (number,)
        # A condition ends by either id; its author may not have spoken of the text that stands now.
        if not (own.get(text.id) and any(who in row["since"] for row in table_rows([motion])))
    ]


def to_deny(who: str, lost: str, memory: ConversationMemory, hears: Hears) -> dict[str, None]:
    """Return the messages of others that a member may deny: those that claim a decision, or that `lost` names."""
    claims = (each.messages for each in memory.decisions if each.status in CLAIM_STATUSES)
    named = (n for n in (*chain.from_iterable(claims), *map(int, MESSAGE.findall(lost))) if n <= memory.message_count)
    return dict.fromkeys(f"m{n}" for n in named if hears(n) and memory.parts.messages.line(n).who != who)


def position_in_words(who: str, number: int, memory: ConversationMemory) -> list[str]:
    """Return the position of a member's message that counts for none: "o1 or o2", and "the trial, if it pays"."""
    state, agent = memory.state, memory.state.agents.get(who)
    texts = []
    for each in agent.positions[-1:] if agent else ():
        called = own_text_called(each.text, who, state.rows)  # "the bench", of who backs one
        named = (
            called
            or IDS.search(each.text)
            or state.options.mentioned(each.text, exactly=True)
            or any(text_held(state, old) for old in state.agents[who].positions[-2:-1])  # which these words replace
        )
        on_terms = read_condition(each.text, "position").conditional
        negated = state.language.negations.search(plain_low(each.text))
        unclear = conditional(each.text) or (text_held(state, each) is None and not negated)
        if each.message == number and not each.options and (named or on_terms) and unclear:
            texts.append(each.text)
    return texts


def untagged(who: str, number: int, memory: ConversationMemory) -> list[str]:
    """Return the sentences of a message that may be acts on others' texts, which they name, and on which no act is.

    What is asked, told of a member or of a message, or not taken back, is left out.
    """
    state, denies = memory.state, memory.state.language.denies
    others_texts = ((key, each) for key, each in (state.given | state.proposals).items() if each.by != who)
    named = {key.removesuffix(".0"): each.standing.get(who) for key, each in others_texts}
    if not named or not 0 < number <= memory.message_count:
        return []
    message, others = memory.parts.messages.message(number), tuple(f"{name} " for name in state.agents)
    acts = [
        *((act.kind in ("amend", "join"), f"{act.on} {act.id} {act.text}") for act in memory.acts(number)),
        *((True, position.text) for position in state.agents[who].positions * bool(message.moves)),
    ]
    on, put = ({*IDS.findall(" ".join(line for puts, line in acts if puts is way).lower())} for way in (False, True))
    titled, talk = _titled(memory), message.talk
    may_act = partial(_may_act, sides=named, on=on, put=put, moves=message.moves)
    return [
        each
        for each in (talk[start:end].strip() for start, end in sentences(talk))
        if may_act(texts_named(_OPTION.sub(r"o\1", mask_quotes(each).casefold()), titled) & named.keys(), each)
        if not (each.startswith(others) or MESSAGE.search(each) or denies("withdraw", each))
        if not each.endswith("?") or state.language.first_person.match(each)
    ]


def _titled(memory: ConversationMemory) -> list[Mapping[str, Any]]:
    """Return the open texts whose titles have several words: a single one may stand in any talk."""
    return [row for row in memory.state.rows.values() if " " in row["title"]]


def _may_act(
    ids: set[str], said: str, sides: Mapping[str, Reaction | None], on: set[str], put: set[str], moves: Sequence[Move]
) -> bool:
    """Return whether a sentence that names the texts of `ids` may be an act on them, where no other act is `on` one.

    One that names none may be a vote (`+1 ...`), or the condition of who puts a text with `moves`. Else its author
    supports none of the texts that it names, by `sides`, and beside moves has not amended or held one: it is not `put`.
    """
    if ids & on or not ids:
        return said.startswith(("+1 ", "-1 ")) or (
            not ids
            and any(each.kind in ("propose", "amend") for each in moves)
            and said.count(" ") < _TERMS
            and read_condition(said, "support").alone
        )
    stands = (side for side in map(sides.__getitem__, ids) if side and side.reaction == "support")
    return ids.isdisjoint(put) and all(side.conditional for side in stands)


def in_words(who: str, number: int, memory: ConversationMemory) -> Iterator[tuple[str, set[str], str]]:
    """Yield the sentences of the member's last message that take sides, or take some back, without a tag.

    Each comes with the ids of the texts that it names, without a `.0`, and the tag that says the same; empty for none.
    """
    rows = memory.state.rows
    if not rows or not 0 < number <= memory.message_count:
        return
    yield from denied_claims(who, number, memory)
    message = memory.parts.messages.message(number)
    talk, told, on = (
        message.talk,
        dict.fromkeys(message.unknown_tags),
        {act.on.removesuffix(".0") for act in memory.acts(number)},
    )
    stands = any(who in chain(*row["held"].values()) for row in rows.values())  # else there is nothing to take back
    back = {each for each, _ in taken_back(who, number, memory)} if talk else set()
    alone = {*untagged(who, number, memory)}
    for said in (*(talk[start:end].strip() for start, end in sentences(talk)), *_beside(message.moves, on, rows)):
        each = reduce(lambda rest, tag: rest.replace(tag, "").strip(), told, said)
        lone = said in alone and (each == said or _FIRST.match(said))  # else its tag is told
        ids, tags = texts_named(each, rows.values()), list[str]()
        if "[/" not in each and (((stands or ids) and may_take_side(each)) or each in back):
            tags, unread = tags_meant(each, ids, who, rows, back=each in back)
            lone = unread or (lone and not tags)
        yield from ((each, ids, tag) for tag in tags)
        yield from [(said, ids, "")] * bool(lone)


def _beside(moves: Iterable[Move], on: set[str], rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the sentences of reasons that name another text than those `on` which their message acts."""
    reasons = "\n".join(move.text for move in moves if move.kind not in NEEDS_TEXT)
    parts = (reasons[start:end] for start, end in sentences(reasons))
    return [each for each in parts if texts_named(each, rows.values()) - on]


def absent(progress: DebateState) -> str:
    """Return who has left or is muted, so that nobody is asked in vain; empty if all can answer."""
    left = [
        *(who for who in progress.spoke_at if who not in progress.members),
        *(who for who in progress.members if who not in progress.voters),
    ]
    muted = [who for who in progress.voters if who in progress.muted]
    told = [*(f"{quoted(who)} (has left)" for who in left), *(f"{quoted(who)} (is muted)" for who in muted)]
    return f"These cannot answer now, so ask them nothing: {', '.join(told)}." if told else ""


def turns_left(state: DebateState, *, yours: bool = False) -> str:
    """Return how many messages are left, what follows this phase, and when a member has its last word.

    `yours` in a speaker's prompt; else for those who are asked whether they want the floor.
    """
    at, agenda = state.at, state.agenda
    if at is None:
        return ""
    later = [phase for phase in agenda.later(state.phase) if phase.does.speaks and not left_out(state, phase)]
    last = not later and not any(phase.back_to for phase in agenda.later(state.phase))
    left = room(state)
    if not at.does.open:
        return _once_each(state, at, later, left, last=last, yours=yours)
    if not left:
        return _after(later, agenda, left)
    told = [
        f"Messages left in this phase: {left}{', yours included' * yours}.",
        *filter(None, [_after(later, agenda, left)]),
    ]
    if yours and left <= len(state.active):
        why = [] if later else ["the ballot comes next"] if agenda.has_ballot else ["there are no closing words"]
        why += ["what shall be voted on must be on the table"] if agenda.votes_on_proposals else []
        may = "is" if left == 1 and last else "may be"
        told.append(f"This {may} your last word in it{': ' * bool(why)}{', and '.join(why)}.")
    return " ".join(told)


def _once_each(state: DebateState, at: Phase, later: Sequence[Phase], left: int, *, last: bool, yours: bool) -> str:
    """Return what follows a phase in which each speaks once; `last` where no member speaks after it."""
    if last:
        return "This is your last word; only the vote follows." if yours else ""
    here = "Each speaks once in this phase." if yours and not at.does.sealed else ""
    # What became of the others' sealed turns is nobody's to see: all are told the same.
    spoke = state.said if at.does.sealed else sum(who in state.done for who in state.active)
    return f"{here} {_after(later, state.agenda, max(0, left - len(state.active) + spoke))}".strip()


def _after(later: Sequence[Phase], agenda: Agenda, left: int) -> str:
    """Return what follows a phase, as a sentence; empty where nothing does."""
    return f"After it: {', then '.join(_turns_of(phase, agenda, left) for phase in later)}." if later else ""


def _turns_of(phase: Phase, agenda: Agenda, left: int) -> str:
    """Return the turns of a later phase in words; `left` is how many messages there are where it does not say."""
    if agenda.stages[phase.name] == "closing":
        return "one closing word of each"
    return "one turn of each" if phase.does.each else f"up to {phase.messages or left} messages of {quoted(phase.name)}"


def asked_in(who: str, state: DebateState, memory: ConversationMemory) -> str:
    """Return who has asked the member a question, or spoken for all, since it last spoke, and where; empty for nobody.

    A question that stands apart from the name, in a message that addresses nobody else, may be meant for all.
    """
    addressing, since = addressing_of(*state.personas), state.spoke_at.get(who, 0) + 1
    told = []
    for line in (each for each in memory.parts.recent.lines(since, state.heard) if each.who != who):
        if addressing.asks(line.text, who):
            told.append(f"{quoted(line.who)} asks you in m{line.number}.")
        elif "?" in mask_quotes(line.text) and addressing.called(line.text, line.who) == [who]:
            told.append(f"{quoted(line.who)} speaks to you in m{line.number}, and asks something.")
        elif memory.state.language.claims_agreement.search(plain_low(line.text)):
            told.append(f"{quoted(line.who)} says in m{line.number} that all agree: [DENY m{line.number}] if not so.")
    return " ".join(told)


def opened_with(who: str, state: DebateState, memory: ConversationMemory) -> str:
    """Return what a member held before it heard the others, by first ballot and opening; empty if it holds that now."""
    number, _ = state.opened.get(who, (0, ""))
    agent = memory.state.agents.get(who)
    position = next((each.text for each in agent.positions if each.message == number), "") if agent else ""
    cast = next((each for each in state.first_ballots if each.ballot.agent == who), None)
    firsts = cast.ballot.firsts if cast else ()
    others = [f'"{quoted(text)}"' for text in dict.fromkeys(cast.ballot.ranked) if text not in firsts] if cast else []
    too = f" and accepted {', '.join(others)} too" if others else ""
    equals = " = ".join(f'"{quoted(text)}"' for text in firsts)
    lines = [f"In the first ballot you chose {equals}{too}."] if firsts else []
    told = {*firsts, *(text.id for text in cast.texts if text.text in firsts)} if cast else set[str]()
    if position and position not in {*told, memory.last_position(who)}:
        lines.append(f'In your opening (m{number}) you held: "{quoted(memory.in_words(position))}"')
    return " ".join(lines)


def side_of(persona: Persona, state: DebateState) -> str:
    """Return the side that the member speaks for; empty if it speaks for itself."""
    return state.agenda.side(state.seats[persona.title]) if persona.title in state.seats else ""


def argued(persona: Persona, state: DebateState) -> str:
    """Return the member's side, and the choice that this side argues for."""
    side = side_of(persona, state)
    choice = argued_by(state).get(persona.title) if side else None
    return f'{side} ("{quoted(choice)}")' if choice else side


def sides_told(persona: Persona, state: DebateState) -> str:
    """Return which side the member was given, who argues it too, and who argues the others; empty without sides."""
    sides: dict[str, list[str]] = {}
    if not state.agenda.sides:
        return ""
    for title in state.voters:
        sides.setdefault(argued(state.personas[title], state), []).append(quoted(title))
    own = argued(persona, state)
    with_you = [title for title in sides.pop(own, []) if title != quoted(persona.title)]
    told = [f"The side that you were given: {own}."] if own else []
    told += [f"With you: {', '.join(with_you)}."] if own and with_you else []
    return " ".join((*told, *(f"On the other side, {side}: {', '.join(who)}." for side, who in sides.items() if own)))


def told_before(persona: Persona, state: DebateState) -> str:
    """Return what the member's seat alone was told before the debate, and what it opens for; empty where nothing."""
    seat, started = state.seats.get(persona.title), state.started
    if started is None or seat is None or seat >= len(started.members):
        return ""
    title = started.members[seat].title
    facts = "".join(f"\n- {quoted(fact)}" for fact in started.facts.get(title, ()))
    opens = started.stances.get(title)
    told = facts and f"Before the debate you were told:{facts}"
    asked = opens and f'You were asked to open for "{quoted(opens)}". After your opening, hold what convinces you.'
    return "\n".join(filter(None, (told, asked)))


def earlier_answer(who: str, state: DebateState) -> dict[str, str]:
    """Return what a poll says of the member's answer to one before the last messages, and asks where it differs now."""
    polled = (stance for _, stances in sorted(state.polls.items()) for stance in stances)
    answers = [each for each in polled if each.who == who and not each.invalid and each.after < state.heard]
    last = answers[-1] if answers else None
    if last is None:
        return {"earlier": "", "moved": ""}
    chose = f'you chose "{quoted(last.choice)}"' if last.choice else "you held none of them"
    asks = '"moved_by" is the message that moved you most since then, by its id; null if your choice is the same'
    return {
        "earlier": f"\nIn the last poll {chose}. {asks}, or if no message did.\n",
        "moved": '"moved_by": "a message id, or null", ',
    }
