"""When a discussion stops, and how the messages of a round are shared out: at least half of them are discussion.

A condition looks at the state of the debate and at its memory, and keeps nothing.
"""

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

from eda.debate.floor.policies import floor_of
from eda.debate.state import DebateState
from eda.errors import RunnerUnavailableError
from eda.memory import ConversationMemory
from eda.panels.agenda import Agenda, Phase
from eda.panels.registry import STOPS, completed
from eda.panels.settings import SETTINGS, limit
from eda.words import ENGLISH, Words


class Shares(NamedTuple):
    """What a round has room for beside its discussion."""

    openings: int  # The most messages of the phases that come before the discussion and are hidden until their end.
    closings: bool  # Whether each member has a closing word.


def shares(agenda: Agenda, most: int, members: int, *, opens: bool = True) -> Shares:
    """Return the openings and closing words for which a round of `most` messages has room.

    At least half of the messages are discussion, where the format has an open phase. So closing words are left out
    first; then there are as many openings as fit, in seat order, at least one.

    Args:
        agenda: the format.
        most: messages of the round.
        members: who may speak.
        opens: False for a debate that is taken up again: nobody opens once more.
    """
    openings, closings = _beside(agenda, members, opens=opens)
    half = most // 2
    if openings + closings <= half:
        return Shares(openings, closings=True)
    return Shares(min(openings, max(1, half)), closings=closings == 0)


def _beside(agenda: Agenda, members: int, *, opens: bool) -> tuple[int, int]:
    """Return the messages that all openings and all closing words of an agenda with a discussion take."""
    openings, closings = agenda.beside_talk
    return members * openings * opens, members * closings


def shares_now(state: DebateState) -> Shares:
    """Return the shares of the present round, for those who may speak now."""
    return shares(state.agenda, state.settings.max_messages - state.round_at, len(state.active), opens=state.round == 1)


def left_out(state: DebateState, phase: Phase) -> bool:
    """True for a phase of closing words for which the messages of this round have no room."""
    return state.agenda.is_closing(phase) and not shares_now(state).closings


def votes_beside(state: DebateState, phase: Phase) -> bool:
    """Return whether a first ballot is taken beside the blind phase after it: a person does one thing at a time."""
    after = state.agenda.after(phase.name)
    blind = after is not None and after.does.sealed and phase.does.asks == "first-ballot"
    return blind and not any(map(state.is_person, state.voters))


def first_voters(state: DebateState) -> list[str]:
    """Return who owes a first vote beside the blind phase that the debate is in."""
    beside = any(at.name == state.phase and votes_beside(state, before) for before, at in pairwise(state.agenda))
    cast = {each.ballot.agent for each in state.first_ballots}
    return [who for who in state.voters if who not in cast] if beside and not state.messages else []


def is_opening(state: DebateState) -> bool:
    """True in a phase before the discussion that is hidden until its end."""
    return state.does.sealed and any(phase.does.open for phase in state.agenda.later(state.phase))


def without_room(agenda: Agenda, most: int, members: int, *, done: int = 0, words: Words = ENGLISH) -> str:
    """Return a note on the openings and closing words for which `most` messages have no room; empty if they have.

    `done`: the messages before them, of a debate that goes on and has no openings any more.
    """
    opens = not done
    openings, closings = _beside(agenda, members, opens=opens)
    room = shares(agenda, most, members, opens=opens)
    talk, needed = most - room.openings - closings * room.closings, done + 2 * (openings + closings)
    few = room.openings < openings
    if room.closings and not few:
        return ""
    numbers = {"most": most, "talk": talk, "openings": room.openings, "members": openings, "needed": needed}
    shown = {name: str(number) for name, number in numbers.items()}
    return words.say("procedure-short", more=not opens, few=few, closing=bool(room.closings), **shown)


HELD_BACK = 0.1
"""Share of each budget that is kept for the ballot and the verdict."""
SILENT_ROUNDS = 2
"""Rounds of bids in a row in which all members pass that end a discussion."""
TRIES = 2
"""After this many failed or repetitive turns a member is skipped until someone else speaks. It has one more turn once
the moderator has asked whether anything is left to say."""

_ROUNDING = 1e-9
_RESUME = "Look at what answers for the members; `eda resume` asks them again."


Check = Callable[[DebateState, "ConversationMemory"], bool]


class StopCondition(Protocol):
    """What a stop condition must have. It may have all else that `Stop` has."""

    reason: str  # What the log and the result call this end, in a word.

    @abstractmethod
    def check(self, state: DebateState, memory: ConversationMemory, /) -> bool:
        """Return whether the open phase is to end now."""
        ...


class Stop(StopCondition):
    """A stop condition with the defaults of all that it may leave out."""

    line = ""
    """When it holds, in a line."""
    reason = ""
    phrase = ""
    """The reason as screens and the report say it."""
    hard = False
    """Whether no further turn may begin in any phase while it holds."""
    limit = ""
    """The setting that must be higher for a debate that it has ended to go on; empty where any resume goes on."""
    option = ""
    """The option of `eda resume` for that setting."""
    asks_first = False
    """Whether the moderator asks if anything is left to say before it ends the phase."""

    def raised(self, state: DebateState) -> str:
        """Return the option with which a debate that it has ended can go on: two more messages of each member.

        Of a budget it is twice the limit, or twice what is spent where that is more.
        """
        setting = SETTINGS[self.limit or limit("messages")]
        most, of = getattr(state.settings, setting.name), setting.flag.limits
        if of == "messages":
            return f"{setting.option} {most + 2 * len(state.members)}"
        twice = 2 * max(most or 0, getattr(state.spent, of))
        return f"{setting.option} {f'{math.ceil(100 * twice) / 100:.2f}' if of == 'cost' else math.ceil(twice)}"


class Simple(Stop):
    """A condition that is one question to the state or the memory."""

    def __init__(
        self,
        reason: str,
        phrase: str,
        line: str,
        holds: Check,
        limits: str = "",
        *,
        hard: bool = False,
        asks_first: bool = False,
    ) -> None:
        """Stop the discussion for this reason when `holds` returns True; `limits`: what is limited; see `Flag`."""
        self.reason, self.phrase, self.line, self.holds = reason, phrase, line, holds
        self.hard, self.asks_first = hard, asks_first
        if limits:
            self.limit = limit(limits)
            self.option = SETTINGS[self.limit].option

    def check(self, state: DebateState, memory: ConversationMemory, /) -> bool:
        """Return whether it holds."""
        return self.holds(state, memory)


def _budget(reason: str, phrase: str, spent: str) -> Stop:
    """Return the condition that all but a tenth of a budget is spent, the field `spent` of `UsageTotals`.

    It holds too where a call did not fit into the budget, until the limit is raised.
    """
    name = limit(spent)

    def gone(state: DebateState, _: ConversationMemory) -> bool:
        most, took = getattr(state.settings, name), getattr(state.spent, spent)
        return most is not None and (took >= most * (1 - HELD_BACK) or most <= state.ran_out.get(reason, 0))

    return Simple(reason, phrase, f"All but a tenth of {SETTINGS[name].option} is spent.", gone, spent, hard=True)


_MESSAGES = Simple(
    "messages",
    "the messages for the discussion were used up",
    "No message is left beside those that later phases need.",
    lambda state, _: _room(state, len(state.active)) <= 0,
    limits="messages",
)
_SILENCE = Simple(
    "silence",
    "nobody asked for the floor any more",
    f"All members passed in {SILENT_ROUNDS} rounds of bids in a row, or none has anything new to say.",
    lambda state, _: state.silent >= SILENT_ROUNDS,
    asks_first=True,  # and then the phase is over
)
SHIPPED: Mapping[str, Stop] = {
    each.reason: each
    for each in (
        _budget("time", "the time is up", "seconds"),
        _budget("tokens", "the token budget is used up", "tokens"),
        _budget("money", "the money budget is used up", "cost"),
        _MESSAGES,
        Simple(
            "done",
            "the agenda is done",
            "The phase has had the messages that its format gives it.",
            lambda state, _: state.at is not None and state.said >= (state.at.messages or math.inf),
        ),
        Simple(
            "consensus",
            "the panel agrees",
            "The last private poll shows the agreement that --consensus asks for.",
            lambda state, _: agreed(state),
        ),
        _SILENCE,
        Simple(
            "circle",
            "the debate went in circles",
            "The debate repeats itself, also after it was told so.",
            # Members that hear no other can only say again what they hold.
            lambda state, memory: state.hears not in ("none", "self") and memory.parts.stagnation.over,
        ),
    )
}
"""By reason. All of them apply to each debate, in this order: the first that holds is why the discussion ended."""


def checked(part: object) -> Stop | None:
    """Return the condition with the defaults of `Stop` for what it leaves out, or None where it is none."""
    condition = completed(part, Stop, "reason", "check")  # type: ignore[type-abstract]  # it makes a subclass
    if condition is not None:
        condition.phrase = condition.phrase or condition.reason
    return condition


def conditions(state: DebateState) -> list[Stop]:
    """Return all stop conditions of the debate: the shipped ones, then those of the settings."""
    return [*SHIPPED.values(), *(state.parts.get(STOPS, name) for name in state.settings.stop)]


def hard_stop(state: DebateState, memory: ConversationMemory | None = None) -> str | None:
    """Return the reason for which no member is to be asked for another turn, or None. A budget needs no memory."""
    hard = (each for each in conditions(state) if each.hard)
    return next((each.reason for each in hard if each.check(state, memory)), None)  # type: ignore[arg-type]


def why_stop(state: DebateState, memory: ConversationMemory) -> Stop | None:
    """Return the condition that ends the open phase, or None while it goes on."""
    return next((each for each in conditions(state) if each.check(state, memory)), None)


def why_nobody_speaks(state: DebateState) -> Stop:
    """Return the condition that an open phase ends by in which no member may speak.

    Raises:
        RunnerUnavailableError: all turns since the last message failed. That is no end but an outage.
    """
    if state.failures and not state.passes:
        raise RunnerUnavailableError(f"every turn failed, the last with: {state.why_failed}", hint=_RESUME)
    return _SILENCE


def room(state: DebateState) -> int:
    """Return the messages that an open phase has left."""
    own, left = state.at.messages if state.at else None, _room(state, len(state.active))
    return max(0, left if own is None else min(left, own - state.said))


def _room(state: DebateState, members: int) -> int:
    """Return the messages left, less those of later phases: one of each member, or an open phase's own number."""
    closings, needs = shares_now(state).closings, state.agenda.needs
    phases, own = needs.get((state.phase, closings)) or needs["", closings]
    return state.settings.max_messages - state.messages - members * phases - own


def reached_limit(state: DebateState, memory: ConversationMemory) -> Stop | None:
    """Return the condition whose limit keeps an ended debate from going on, or None."""
    limited = (each for each in conditions(state) if each.limit)
    gone = (each for each in limited if (_room(state, 1) <= 0 if each is _MESSAGES else each.check(state, memory)))
    return next(gone, None)


def agreed(state: DebateState) -> bool:
    """Return whether the last poll of this phase shows the agreement that the settings ask for."""
    wanted, polls = state.settings.consensus, state.polled
    if wanted is None or not polls or state.at is None or not state.at.does.open:
        return False
    if state.polled_at <= state.messages - state.said:
        return False  # taken before this phase
    voters = state.voters
    counts = Counter(each.choice for each in polls[-1] if each.who in voters and each.choice is not None)
    most = max(counts.values(), default=0)
    return most > 0 and most >= wanted * len(voters) - _ROUNDING


def poll_due(state: DebateState) -> bool:
    """Return whether the panel is to be polled now, because its agreement may end the phase."""
    if state.settings.consensus is None:
        return False
    return state.messages - max(state.polled_at, state.messages - state.said) >= state.settings.poll_every


def settled(state: DebateState) -> bool:
    """Return whether nobody's stance moved between the last two polls of this round, as far as both are known."""
    polls = state.polled
    if len(polls) < 2:
        return False
    before = {stance.who: stance.choice for stance in polls[-2] if not stance.invalid}
    pairs = [(before[now.who], now.choice) for now in polls[-1] if not now.invalid and now.who in before]
    return bool(pairs) and all(was == now for was, now in pairs)


def may_speak(state: DebateState, members: Sequence[str]) -> list[str]:
    """Return the members that the floor policy lets speak now and whose last turns brought a message often enough."""
    most, passes, failures = TRIES + state.asked, state.passes, state.failures
    tried = [who for who in members if passes.get(who, 0) + failures.get(who, 0) < most]
    return floor_of(state).eligible(tried, state)
