"""Formats of debate as data: phases in order, which `Driver` runs. The shipped ones are files in `agendas`.

The one rule: an agenda that could not reach a verdict is refused when it is read.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, ValidationError, model_validator

from eda.errors import AgendaError, UnknownNameError
from eda.panels.files import UserFile, complaint, unknown_key
from eda.panels.hearing import Hearing
from eda.panels.persona import Label, Name, Prose
from eda.panels.registry import PHASES, RULES
from eda.panels.settings import FROM_FILE, FloorName, Frozen, PhaseKindName, RuleName
from eda.text import regex
from eda.words import ENGLISH

Stage = Literal["opening", "discussion", "closing"]


class PhaseKind:
    """What a phase asks of the members. `eda.debate.phases` has the shipped kinds, with what each does when it runs."""

    line = ""
    """What happens in it, in a line."""
    waiting = "the panel is at work"
    """What a screen shows while nobody's words come in."""
    asks: Literal["speech", "poll", "first-ballot", "ballot", "nothing"] = "speech"
    each = False
    """Whether each member speaks once; else the floor policy says who speaks, until a stop condition holds."""
    sealed = False
    """Whether what is said is heard by the others only when the phase ends."""

    @property
    def speaks(self) -> bool:
        """Whether members speak in it."""
        return self.asks == "speech"

    @property
    def open(self) -> bool:
        """Whether the floor policy says who speaks."""
        return self.speaks and not self.each

    @property
    def ballots(self) -> bool:
        """Whether each member votes on what will be decided."""
        return self.asks == "ballot"

    @cached_property
    def votes(self) -> bool:
        """Whether each member is asked in private what it is for."""
        return self.asks in ("poll", "first-ballot", "ballot")


_UNKNOWN = PhaseKind()  # Stands for a kind that is not installed where a session is read.


class Phase(Frozen):
    """One part of a debate."""

    name: Name
    kind: PhaseKindName
    """The name of a phase kind: `first-ballot`, `blind`, `open`, `round`, `poll`, `ballot`, `verdict`, or one of your
    own. See `eda.debate.phases`."""
    instruction: Annotated[str, Field(max_length=8000)] = ""
    """What the speakers are told; empty for the text that fits the phase's place in the debate. `{{side}}` is the
    speaker's side and the choice that this argues for, `{{statistics}}` what the last poll
    came to, `{{blocks}}` what was blocked in the last ballot, and why."""
    floor: FloorName | None = None
    """Of an open phase; None for that of the settings."""
    messages: Annotated[int, Field(strict=True, ge=1)] | None = None
    """At most so many in an open phase; None for what the debate's limit leaves."""
    wishes: bool = Field(default=False, exclude_if=lambda heard: not heard)
    """Whether it hears wishes alone: what a member proposes in it is kept as a note, and is no text on the table."""
    until: Literal["settled", "unblocked"] | None = None
    """`settled`: nobody's stance moved since the poll before. `unblocked`: the ballot has a choice that nobody blocks.
    Where that does not hold when this phase is over, the debate goes `back_to` an earlier one."""
    back_to: str = ""
    laps: Annotated[int, Field(strict=True, ge=1, le=20)] = 1
    """How often the phase runs at most."""

    @cached_property
    def does(self) -> PhaseKind:
        """What its kind asks of the members."""
        kind: PhaseKind = PHASES.shipped.get(self.kind) or PHASES.known(self.kind) or _UNKNOWN
        return kind


_SLOTS = ("side", "statistics", "blocks")
_SLOT = regex(r"\{\{([^{}]*)\}\}")


class Agenda(Frozen):
    """A format of debate: its phases and its decision rule."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    name: Name
    title: Label
    description: Prose
    """Which questions it is for."""
    promise: Prose
    """What it ends with, one sentence."""
    rule: RuleName = "majority"
    """What decides, unless the settings name another rule."""
    choices: Literal["auto", "options", "proposals", "both"] = "auto"
    """What is voted on. `auto`: what was given (options, or yes and no) and the panel's open proposals."""
    answer: Literal["one", "list"] | None = None
    """What the question wants, unless the settings say otherwise; None: one answer."""
    noun: str = ""
    """What is voted on, in a word: `finding`, `idea`; empty for a choice."""
    ballot_text: str = ""
    """What voters are asked for; empty for the shipped text."""
    sides: tuple[Label, ...] = ()
    """Taken by the members in turn, in seat order; empty where everybody speaks for itself."""
    hears: Hearing = Field(default="all", exclude_if=lambda graph: graph == "all")
    """Who hears whom; see `eda.panels.hearing`. The settings may name another graph."""
    anonymous: Annotated[bool, Field(strict=True)] = False
    """Members are known to each other as Panelist A, B, C; the report says who was who."""
    phases: tuple[Phase, ...] = Field(min_length=2, validation_alias="phase")
    """Two or more, in order; the last is of kind `verdict`."""

    @model_validator(mode="after")
    def _can_be_walked(self) -> Self:
        if any(PHASES.known(phase.kind) is None for phase in self.phases):
            return self  # of a session whose kinds are not installed here; a debate looks them up before it begins
        if fault := next(self._faults(), ""):
            raise ValueError(fault)
        return self

    def _faults(self) -> Iterator[str]:
        """Yield why the agenda could not reach a verdict, or a phase not run."""
        names = [phase.name for phase in self.phases]
        yield from (ENGLISH.say("agenda-same-name", name=name) for name in names if names.count(name) > 1)
        kinds, asks = [phase.kind for phase in self.phases], {phase.does.asks for phase in self.phases}
        shifts = getattr(RULES.known(self.rule), "counts", "") == "polls"
        faults = {
            "the last phase, and no other, must be of kind 'verdict'": "verdict" in kinds[:-1]
            or kinds[-1] != "verdict",
            "nothing is counted: a phase of kind 'ballot' or 'poll' is missing": not asks & {"ballot", "poll"},
            "nobody speaks: a phase of kind 'blind', 'open' or 'round' is missing": "speech" not in asks,
        }
        yield from (fault for fault, is_so in faults.items() if is_so)
        if shifts and not self.compares_polls:
            yield ENGLISH.say("agenda-polls", rule=self.rule)
        for place, phase in enumerate(self.phases):
            if fault := self._fault(phase, self.phases[:place]):
                yield ENGLISH.say("agenda-phase", name=phase.name, fault=fault)
            if place and phase.does.asks == "first-ballot":
                yield ENGLISH.say("agenda-first", name=phase.name, kind=phase.kind)

    def _fault(self, phase: Phase, before: Sequence[Phase]) -> str:
        """Return why a phase could not run; empty where it could."""
        open_only = [key for key in ("floor", "messages") if getattr(phase, key) is not None]
        if open_only and not phase.does.open:
            return ENGLISH.say("agenda-open-only", name=open_only[0], kind=phase.kind)
        if phase.instruction and not phase.does.speaks:
            return ENGLISH.say("agenda-no-speech", kind=phase.kind)
        slots = map(self._slot_fault, _SLOT.findall(phase.instruction))
        return next(filter(None, slots), "") or _lap_fault(phase, before)

    def _slot_fault(self, slot: str) -> str:
        """Return why a slot could never be filled; empty where it could."""
        given = {
            "side": self.sides,
            "statistics": any(phase.does.asks == "poll" for phase in self.phases),
            "blocks": any(phase.until == "unblocked" for phase in self.phases),
        }
        written = f"{{{{{slot}}}}}"
        if slot not in _SLOTS:
            return ENGLISH.say("agenda-slot-unknown", slot=written, slots=[f"{{{{{known}}}}}" for known in _SLOTS])
        return "" if given.get(slot, True) else ENGLISH.say("agenda-slot", slot=written, lacks=slot)

    def __iter__(self) -> Iterator[Phase]:  # type: ignore[override]  # an agenda is its phases
        return iter(self.phases)

    @cached_property
    def has_ballot(self) -> bool:
        """Whether the members vote; else the last poll is counted."""
        return any(phase.does.ballots for phase in self.phases)

    @property
    def votes_on_proposals(self) -> bool:
        """Whether what members propose can be voted on."""
        return self.has_ballot and self.choices != "options"

    @property
    def compares_polls(self) -> bool:
        """Whether it takes a poll before and a poll after, and no ballot."""
        return not self.has_ballot and sum(phase.does.asks == "poll" for phase in self.phases) > 1

    def side(self, seat: int) -> str:
        """Return the side of the member in that seat; empty where all speak for themselves."""
        return self.sides[seat % len(self.sides)] if self.sides else ""

    def after(self, name: str) -> Phase | None:
        """Return the phase after `name`; the first one for an empty name; None after the last."""
        return next(iter(self.later(name)), None)

    def later(self, name: str) -> tuple[Phase, ...]:
        """Return the phases after `name`; all where this agenda has none of that name."""
        names = [phase.name for phase in self.phases]
        return self.phases[names.index(name) + 1 :] if name in names else self.phases

    @cached_property
    def stages(self) -> defaultdict[str, Stage]:
        """The stage of each phase: openings are blind or come before them, a closing round has no talk after it.

        The same in a copy with another floor or without a first ballot.
        """
        stages = {phase.name: _stage(phase.does, self.later(phase.name)) for phase in self.phases}
        return defaultdict(lambda: "opening", stages)

    @cached_property
    def needs(self) -> dict[tuple[str, bool], tuple[int, int]]:
        """How many messages the phases after a phase need, by its name and whether there are closing words.

        The first number counts those of each member. The second counts those of the phases that have a number of their
        own. A copy keeps both, as it keeps `stages`.
        """
        names = ("", *(phase.name for phase in self.phases))
        later = {
            (at, all_): [p for p in self.later(at) if all_ or not self.is_closing(p)]
            for at in names
            for all_ in (False, True)
        }
        return {key: (sum(p.does.each for p in of), sum(p.messages or 0 for p in of)) for key, of in later.items()}

    def is_closing(self, phase: Phase) -> bool:
        """Return whether each member has its closing word in a phase."""
        return self.stages[phase.name] == "closing" and phase.does.speaks

    @cached_property
    def beside_talk(self) -> tuple[int, int]:
        """The phases of openings and of closing words beside the discussion; none where there is no discussion."""
        discussion = next((place for place, phase in enumerate(self.phases) if phase.does.open), None)
        if discussion is None:
            return 0, 0
        return sum(phase.does.sealed for phase in self.phases[:discussion]), sum(map(self.is_closing, self.phases))

    @property
    def taken_up_at(self) -> str:
        """The phase that an ended debate goes on with when it is taken up again."""
        speaking = [phase for phase in self.phases if phase.does.speaks]
        return min(speaking, key=lambda phase: (not phase.does.open, phase.does.sealed)).name

    @property
    def without_first_ballot(self) -> "Agenda":
        """The same agenda without a first ballot."""
        phases = tuple(phase for phase in self.phases if phase.does.asks != "first-ballot")
        return self.model_copy(update={"phases": phases})

    def with_floor(self, floor: FloorName) -> "Agenda":
        """Return the same agenda with that floor policy in every open phase."""
        phases = tuple(p.model_copy(update={"floor": floor}) if p.does.open else p for p in self.phases)
        return self.model_copy(update={"phases": phases})


def read_agenda(text: str, where: str) -> Agenda:
    """Return the agenda that a TOML text holds.

    Raises:
        AgendaError: the text holds none; the message says what is wrong and where.
    """
    file = UserFile(Path(where), AgendaError)
    table = file.table(text, "Texts stand in quotes, lists in [ ]; each phase begins with a line [[phase]].")
    try:
        agenda = Agenda.model_validate(table, context=FROM_FILE)
    except ValidationError as error:
        reason, hint = _faulty(error, table)
        raise file.fault(reason, hint or _HINT) from None
    if RULES.get(agenda.rule).needs_ballot and not agenda.has_ballot:
        raise file.fault(
            f"rule '{agenda.rule}' counts what only a ballot asks for, and no phase is of kind 'ballot'",
            "Add one, or name a rule that counts first choices, such as plurality.",
        )
    return agenda


_SHIPPED = Path(__file__).with_name("agendas")
_KEYS = ["phase" if key == "phases" else key for key in Agenda.model_fields]


def _stage(does: PhaseKind, later: Sequence[Phase]) -> Stage:
    if does.sealed or does.asks == "first-ballot":
        return "opening"
    return "closing" if does.each and not any(each.does.asks == "speech" for each in later) else "discussion"


def _lap_fault(phase: Phase, before: Sequence[Phase]) -> str:
    """Return why the debate could not go back from a phase to an earlier one; empty where it could, or does not."""
    if (phase.until is None) != (not phase.back_to):
        return "'until' and 'back_to' go together: give both, or none"
    if phase.until is None:
        return "'laps' counts how often 'back_to' is followed, and there is none" if phase.laps > 1 else ""
    wanted = {"settled": "poll", "unblocked": "ballot"}[phase.until]
    if phase.does.asks != wanted:
        return ENGLISH.say("agenda-until", until=phase.until, wanted=wanted, kind=phase.kind)
    names = [each.name for each in before if each.does.asks != "first-ballot"]
    if phase.back_to not in names:
        return ENGLISH.say("agenda-back-to", phase=phase.back_to, names=names)
    if not any(each.does.speaks for each in before if each.name in names[names.index(phase.back_to) :]):
        return ENGLISH.say("agenda-in-vain", phase=phase.back_to)
    return ""


_HINT = "A shipped one shows how it is written; its file is named by: eda list formats panel."


def _faulty(error: ValidationError, table: Mapping[str, Any]) -> tuple[str, str]:
    """Return what is wrong, with the phase and the key, and what to do."""
    faults = error.errors(include_url=False)
    fault = next(
        (each for each in faults if each["type"] == "extra_forbidden"), faults[0]
    )  # missing elsewhere, perhaps
    loc, at, known, where = fault["loc"], "", _KEYS, "a format"
    if fault["type"] == "value_error":
        return str(fault["ctx"]["error"]), ""
    if len(loc) > 2 and loc[0] == "phase":
        at = f"phase {int(loc[1]) + 1} ('{table['phase'][loc[1]].get('name', '')}'): "
        loc, known, where = loc[2:], [*Phase.model_fields], "a phase"
    if fault["type"] == "extra_forbidden":
        reason, hint = unknown_key(str(loc[0]), known, where)
    else:
        _, reason, hint = complaint(error, {**fault, "loc": loc})
    return at + reason, hint


def agenda_names() -> list[str]:
    """Return the names of the shipped agendas."""
    return sorted(file.stem for file in _SHIPPED.iterdir())


def agenda_file(name: str) -> str:
    """Return the path of a format's file, for the name of a shipped format or for a path.

    Raises:
        UnknownNameError: there is none of that name.
    """
    if name.endswith(".toml") or "/" in name:
        return name
    plain = "-".join(name.casefold().split())
    if plain not in agenda_names():
        raise UnknownNameError("format", name, agenda_names())
    return str(_SHIPPED / f"{plain}.toml")


@cache
def _shipped(path: str) -> Agenda:
    return read_agenda(UserFile(Path(path), AgendaError).text(), Path(path).name)


def load_agenda(name: str) -> Agenda:
    """Return the shipped agenda of that name, or that of a file.

    Raises:
        UnknownNameError: there is none of that name.
        AgendaError: the file is none.
    """
    path = agenda_file(name)
    return _shipped(path) if path != name else read_agenda(UserFile(Path(name), AgendaError).text(), name)
