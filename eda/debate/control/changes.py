"""The changes of a session: who sits and may speak, the settings, what memory holds.

Each change is data, so another process can ask for it. Its `fact` returns the fact to publish, or refuses it.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from typing import Literal

from eda.debate.floor.policies import floor_of
from eda.debate.floor.stop import reached_limit
from eda.debate.person import member_called
from eda.debate.replay import publisher, read_back, save_memory
from eda.debate.seating import FEWEST_MEMBERS, in_its_seat
from eda.debate.state import DebateState
from eda.debate.validation import check_fixed, check_settings, checked_parts
from eda.errors import UnknownNameError, UsageError
from eda.events import DecisionFollowedUp, Event, MemberChanged, MemoryCorrected, Move, NoteTaken, SettingChanged
from eda.memory import ConversationMemory
from eda.memory.minutes.rulings import text_of, version_of
from eda.panels.persona import Persona
from eda.panels.settings import SETTINGS, Settings, limit, setting_of
from eda.session import Session
from eda.voting.choices import given
from eda.words import fault, refuse_if


def typed_setting(text: str) -> tuple[str, str | None]:
    """Return the name and the value of a setting typed as `KEY=VALUE`; `none` takes a limit away.

    Raises:
        UsageError: it is not of that form.
    """
    key, _, value = (part.strip() for part in text.partition("="))
    if not (key and value):
        raise UsageError(f"{text!r} is not of the form KEY=VALUE", hint="Such as quorum=0.6.")
    return key, None if value.casefold() == "none" else value


def typed_settings(texts: Iterable[str]) -> dict[str, str | None]:
    """Return the values of settings typed as `KEY=VALUE`, by name.

    Raises:
        UsageError: one is not of that form, or is set twice.
    """
    chosen: dict[str, str | None] = {}
    for key, value in map(typed_setting, texts):
        if key in chosen:
            raise UsageError(f"{key} is set twice", hint="Set it once.")
        chosen[key] = value
    return chosen


def changed_settings(progress: DebateState, changes: Mapping[str, object]) -> Settings:
    """Return the settings with these changes, by their names in `Settings`.

    Raises:
        UnknownNameError: a setting that is none, or a judge that does not sit.
        UsageError: a value that it cannot have, or cannot have any more; one that would change nothing.
    """
    changes = dict(setting_of(name, value) or (name, value) for name, value in changes.items())
    unknown = next((name for name in changes if name not in Settings.model_fields), None)
    if unknown is not None:
        raise UnknownNameError("setting", unknown, Settings.model_fields)
    none = {"judge": ""} if changes.get("judge", "") is None else {}
    for name in ("bids", "answer"):
        if changes.get(name, "") is None:
            raise fault("error-setting-none", name=name, known=SETTINGS[name].choices)
    settings = Settings.of_data(progress.settings.model_dump() | dict(changes) | none)
    if {"floor", "rule", "stop", "summariser"} & changes.keys():
        checked_parts(progress.parts, settings, progress.agenda)
    _check_late(progress, settings)
    if settings.fixed_options and progress.started is not None:
        check_fixed(progress.agenda, given(progress.started.question, progress.started.options))
    if {"rule", "judge", "consensus", "poll_every", "answer"} & changes.keys():
        settings = check_settings(settings, progress.agenda, progress.panel, progress.panel)
    return settings


def extended_settings(
    session: Session, progress: DebateState, memory: ConversationMemory, changes: Mapping[str, object]
) -> Settings:
    """Return the settings that a session is resumed with.

    Raises:
        UnknownNameError: a setting that is none.
        UsageError: a value that it cannot have, the session has ended and no limit is raised, or one is reached
            already.
    """
    name = session.name
    if progress.ended is not None and not changes and not progress.extended:
        raise fault(
            "error-session-ended",
            session=name,
            why=progress.ended,
            typed=session.typed,
            option=SETTINGS[limit("messages")].option,
            most=str(progress.messages + 12),
        )
    settings = changed_settings(progress, changes)
    reached = reached_limit(replace(progress, settings=settings), memory) if progress.ended is not None else None
    if reached is not None:
        raise fault(
            "error-session-limit",
            session=name,
            why=reached.reason,
            limit=reached.limit,
            typed=session.typed,
            option=reached.option or "...",
        )
    return settings


def _check_late(progress: DebateState, settings: Settings) -> None:
    """Refuse a change of a setting by which summaries were written or ballots cast already."""
    before = progress.settings
    refuse_if(
        {
            "error-late-summariser": before.summariser != settings.summariser,
            "error-late-first-vote": before.first_vote != settings.first_vote,
        }
    )
    if not progress.ballots or progress.ended is not None:
        return
    for name in ("rule", "own_proposals", "answer", "fixed_options"):
        if getattr(before, name) != getattr(settings, name):
            raise fault("error-late-ballots", name=name, cast=len(progress.ballots), of=len(progress.voters))


# Characters of a corrected text, and of a note.
_LONGEST = 2000
# Characters of the name of a note's author, and of its topic.
_LONGEST_NAME = 120
_MOST_IMPORTANT = 1000


@dataclass(frozen=True)
class Seat:
    """Who sits, or may speak, changes.

    A member that is muted gets no turns and is asked for no bids; it hears the others, is polled and votes. A persona
    is added after the last seat, or takes the seat of a member, who leaves. The messages of a member that is removed
    stay.
    """

    change: Literal["muted", "unmuted", "added", "replaced", "removed"]
    name: str = ""
    """Of the member; empty where somebody is added."""
    persona: Persona | None = None
    """Who is added, or takes the seat."""
    by: str = ""
    kind: Literal["seat"] = "seat"

    def fact(self, progress: DebateState, _: ConversationMemory) -> Event:
        """Return the fact of this change, checked against the state it would be published in.

        Raises:
            UsageError: the change is impossible; the message says why. So for every change.
        """
        who = "" if self.change == "added" else member_called(progress.personas.values(), self.name).title
        if self.change in ("added", "replaced"):
            if self.persona is None:
                raise fault("error-seat-nobody")
            _check_seat(progress, who, self.persona)
            sits = in_its_seat(self.persona, progress)
            return MemberChanged(who=who or sits.title, change=self.change, persona=sits, by=self.by)
        leaves = progress.personas[who].person and self.by == who and who in progress.voters
        in_turn = floor_of(progress).in_order  # else nobody waits for a person to speak
        others = any(in_turn or not progress.personas[title].person for title in progress.active if title != who)
        refuse_if(
            {
                "error-not-muted": self.change == "unmuted" and who not in progress.muted,
                "error-muted-already": self.change == "muted" and who in progress.muted and not leaves,
                "error-judge-leaves": self.change == "removed" and progress.settings.judge == who,
                "error-panel-small-left": self.change == "removed" and len(progress.members) <= FEWEST_MEMBERS,
                "error-nobody-left": self.change != "unmuted" and not others,
            },
            who=who,
            change=self.change,
        )
        return MemberChanged(who=who, change=self.change, by=self.by)


def _check_seat(progress: DebateState, who: str, persona: Persona) -> None:
    """Refuse a persona that sits already, for a new seat or for that of `who`."""
    others = (other for title, other in progress.personas.items() if title != who)
    refuse_if(
        {
            "error-judge-leaves": bool(who) and progress.settings.judge == who,
            "error-seat-same": bool(who) and progress.personas[who] == persona,
            "error-seat-sits": any(persona.called & other.called for other in others),
        },
        who=who,
        title=persona.title,
    )


@dataclass(frozen=True)
class Changed:
    """Some settings change, by their names in `Settings`."""

    settings: Mapping[str, object]
    kind: Literal["changed"] = "changed"

    def fact(self, progress: DebateState, _: ConversationMemory) -> Event:
        """See `Seat.fact`."""
        settings = changed_settings(progress, self.settings)
        if settings == progress.settings:
            raise fault("error-settings-so")
        return SettingChanged(settings=settings)


@dataclass(frozen=True)
class Corrected:
    """The text of a proposal, decision or note, by its id, is corrected; an empty text strikes it."""

    item: str
    text: str
    by: str
    kind: Literal["corrected"] = "corrected"

    def fact(self, progress: DebateState, memory: ConversationMemory) -> Event:
        """See `Seat.fact`."""
        was = text_of(memory.parts.minutes.state, memory.parts.notes, self.item)
        now, who = " ".join(self.text.split()), " ".join(self.by.split())
        if len(now) > _LONGEST or len(who) > _LONGEST // 10:
            raise fault("error-correction-long", most=_LONGEST)
        if now == was:
            raise fault("error-reads-so", item=self.item)
        version = version_of(memory.parts.minutes.state, self.item, memory.message_count) if now else ""
        return MemoryCorrected(
            item=self.item, was=was, text=now, by=who or "you", after=progress.messages, version=version
        )


@dataclass(frozen=True)
class Noted:
    """Somebody outside the panel takes a note."""

    text: str
    who: str = "you"
    importance: int = 500
    """1 to 1000."""
    topic: str = ""
    """A word or a few; empty for none."""
    private: bool = False
    """Shown to nobody else and in no prompt."""
    kind: Literal["noted"] = "noted"

    def fact(self, progress: DebateState, _: ConversationMemory) -> Event:
        """See `Seat.fact`."""
        begun = progress.started.members if progress.started else ()
        agents = (member for member in (*progress.panel, *begun) if not member.person)
        members = {member.title.casefold() for member in agents}
        text, who, topic = self.text.strip(), " ".join(self.who.split()), " ".join(self.topic.split())
        refuse_if(
            {
                "error-note-long": len(text) > _LONGEST,
                "error-note-empty": not text,
                "error-note-name": not who or max(len(who), len(topic)) > _LONGEST_NAME,
                "error-note-member": who.casefold() in members,
            },
            most=_LONGEST if len(text) > _LONGEST else _LONGEST_NAME,
            count=len(text),
            who=who,
        )
        if not 1 <= self.importance <= _MOST_IMPORTANT:
            raise UsageError(f"an importance of {self.importance} is not between 1 and {_MOST_IMPORTANT}")
        return NoteTaken(
            who=who, text=text, importance=self.importance, topic=topic, private=self.private, after=progress.messages
        )


@dataclass(frozen=True)
class Answered:
    """A person says whether a line of theirs was read rightly, or takes back what it did."""

    who: str
    answer: Literal["yes", "no", "taken back"]
    message: int = 0
    """The message that holds the line; 0 for the last one that can be answered so."""
    moves: tuple[Move, ...] = ()
    """What a yes is for; empty for all that was offered."""
    says: str = ""
    """What the typed line that answers goes on to say, which is posted."""
    kind: Literal["answered"] = "answered"

    def fact(self, progress: DebateState, _: ConversationMemory) -> Event:
        """See `Seat.fact`."""
        if progress.ended is not None:
            raise fault("error-line-closed")
        return progress.answer_to_line(self.who, self.answer, self.message, self.moves).model_copy(
            update={"says": self.says}
        )


@dataclass(frozen=True)
class FollowedUp:
    """Somebody says who owns the decision, when to look at it again, or what came of it.

    None leaves each as it is, an empty text takes it away.
    """

    owner: str | None = None
    revisit: str | None = None
    """A date in ISO form."""
    outcome: str | None = None
    by: str = "you"
    kind: Literal["followed up"] = "followed up"

    def fact(self, progress: DebateState, _: ConversationMemory) -> Event:
        """See `Seat.fact`."""
        if progress.verdict is None or progress.verdict.outcome is None:
            raise UsageError("nothing was decided, so there is nothing to own", hint="A ballot decides: eda debate.")
        if "simulated" in progress.players.marks:
            raise UsageError("no model took part: nothing was decided", hint="Have models debate it: eda debate.")
        stands = progress.followed.model_dump(exclude={"seq", "at"}) if progress.followed else {}
        given = {name: " ".join(value.split()) for name, value in asdict(self).items() if value is not None}
        given.pop("kind")
        return DecisionFollowedUp.of_data({name: value for name, value in (stands | given).items() if value})


Change = Answered | Seat | Changed | Corrected | Noted | FollowedUp


def steer(session: Session, changes: Iterable[Change]) -> tuple[Event, ...]:
    """Publish changes to a saved session, all as one group or none, and return the facts as stored.

    Args:
        session: One open for writing.
        changes: Each is checked against the state after the previous one.

    Raises:
        UsageError: one of them is impossible; nothing was changed.
    """
    progress, memory = read_back(session)
    facts = facts_for(progress, memory, changes)
    if session.started().kind != "debate" and not all(isinstance(fact, MemoryCorrected | NoteTaken) for fact in facts):
        raise UsageError(f"session {session.name!r} is a recorded transcript: nobody sits there")
    stored = publisher(session, progress, memory)(*facts)
    save_memory(session, progress, memory)
    return stored


def facts_for(progress: DebateState, memory: ConversationMemory, changes: Iterable[Change]) -> list[Event]:
    """Return changes as facts in order, each checked against the state after the previous one. Publishes nothing.

    Raises:
        UsageError: one of them is impossible.
    """
    ahead = deepcopy(progress)
    facts: list[Event] = []
    for change in changes:
        facts.append(change.fact(ahead, memory))
        ahead.fold(facts[-1])
    return facts
