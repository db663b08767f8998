"""What can be changed to see whether a verdict hinges on it: premises, wishes, orders, members, who answers.

An arm is data and a change of a fork. What cannot be changed says why.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from math import inf
from typing import Any, Literal

from eda.debate.control.forks import begun_as, changed, reworded
from eda.debate.minds import movers
from eda.debate.seating import FEWEST_MEMBERS
from eda.debate.state import DebateState
from eda.debate.verdict import given_to
from eda.errors import UsageError
from eda.events import Changed, MessagePosted, SessionStarted, VerdictReached
from eda.memory import ConversationMemory
from eda.runners.shipped import make_runner
from eda.session import Session
from eda.session.fork import upto
from eda.words import fault

Only = Literal["", "premises", "terms", "orders", "members", "models"]
# The kinds of arms that go by one name.
ONLY: Mapping[Only, tuple[Changed, ...]] = {
    "premises": ("premise", "joint"), "terms": ("terms",), "orders": ("order",), "members": ("member",),
    "models": ("model",),
}  # fmt: skip
# Why something is not tried: it stands nowhere; a message says nothing else; one of several was said later than the
# start; nobody would be left to talk to; it is the judge; it answers already; members wrote the answer, and those of
# another debate write other texts.
Why = Literal["", "nowhere", "alone", "later", "few", "judge", "same", "written"]
# What stands in the place of a premise of few words, such as a figure: its sentence would make no sense without.
UNKNOWN = "[not known]"
_FEW = 4
_BY_TITLE = ("facts", "stances")


@dataclass(frozen=True, slots=True)
class Arm:
    """One thing that is changed, or several together."""

    kind: Changed
    what: str = ""  # See `VoteTried`.
    places: tuple[str, ...] = ()  # Where it stands: `briefing.md l. 18`, `m4`; of a wish whose it is.
    # The last message that is kept of a debate held again, 0 for none; None where the last vote is taken again.
    at: int | None = None
    why: Why = ""  # Why it cannot be tried; empty where it can.
    parts: tuple[str, ...] = field(default=(), compare=False)  # The words of each, of several premises.
    # Makes the changed session of one in memory that ends at that message.
    change: Callable[[Session], Session] = field(default=lambda past: past, compare=False, repr=False)

    # Whether it is a premise that no document and no message says in these words.
    unsaid: bool = field(default=False, compare=False)

    @property
    def key(self) -> tuple[str, str, int | None]:
        """What tells it from other arms."""
        return self.kind, self.what, self.at

    def comparable(self, newest: float) -> "Arm":
        """Return the arm; with why not, where the debate begins before message `newest`, which made the answer."""
        return replace(self, why="written") if self.at is not None and self.at < newest and not self.why else self

    def data(self) -> dict[str, Any]:
        """Return the arm in plain JSON types."""
        return {"what": self.what, "kind": self.kind, "places": [*self.places], "at": self.at, "why": self.why}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be tried."""

    premises: tuple[str, ...] = ()  # Of the user's own, beside those found.
    only: Only = ""  # One kind of change; empty for all.
    again: bool = False  # Whether debates are held again; else the last vote alone is taken again.
    joint: bool = False  # Whether the user's premises are also changed all at once.
    models: tuple[str, ...] = ()  # Specs of runners that answer for all in a debate held again.

    def __post_init__(self) -> None:
        """Refuse what cannot be tried."""
        if not all(map(str.strip, self.premises)):
            raise fault("error-premise-empty")
        if not self.again and (self.models or self.only in ("members", "models")):
            hint = "The last vote has the same members again: hold the debate again, or leave it out."
            raise UsageError("another model and a panel without a member need a debate held again", hint=hint)


def arms_of(
    session: Session,
    progress: DebateState,
    memory: ConversationMemory,
    wanted: Wanted,
    said: Sequence[MessagePosted] = (),
) -> list[Arm]:
    """Return what could matter: premises, what members said would bring them in, orders, members, models.

    `said`: the messages of the session, where they were read already.
    """
    reached, started = progress.verdict, session.started()
    assert reached is not None
    said = said or [event for event in session.events() if isinstance(event, MessagePosted)]
    found = _premises(session, said, memory, reached, wanted) + _wishes(progress, said, reached)
    found += [Arm("order", "ballots")] if len(reached.offered) > 1 else []
    if wanted.again:
        turned = [("seats", "members"), ("options", "options")][: 1 + (len(started.options) > 1)]
        found += [_without(started, member.title) for member in started.members]
        found += [_turned(*names) for names in turned]
        found += [_played_by(started, spec) for spec in dict.fromkeys(wanted.models)]
    kinds = ONLY.get(wanted.only, [arm.kind for arm in found])
    made = {motion.id: motion.versions[0].message for motion in memory.motions}
    made |= dict.fromkeys((text.motion for text in given_to(progress)), 0)
    newest = max((made.get(each, inf) for each in outcome_of(reached)), default=0)
    return [arm.comparable(newest) for arm in dict.fromkeys(found) if arm.kind in kinds]


def _premises(
    session: Session, said: Sequence[MessagePosted], memory: ConversationMemory, reached: VerdictReached, wanted: Wanted
) -> list[Arm]:
    """Return the premises given, passages that messages behind the verdict cite, and figures without a source."""
    given = dict.fromkeys(" ".join(text.split()) for text in wanted.premises)
    where: dict[str, tuple[str, ...]] = dict.fromkeys(given, ())
    where |= {each.text: (f"m{each.message}",) for each in memory.questions if each.unsourced}
    where |= {
        each.text: (each.source, *(f"m{number}" for number in each.messages))
        for each in memory.parts.evidence.used
        if {*reached.evidence} & {*each.messages}
    }
    found = [_premise(session, said, text, near, again=wanted.again) for text, near in where.items()]
    for place, text in enumerate(given):
        if not found[place].places:  # in other words than anybody's: where the talk is about it
            near = tuple(f"m{hit.message_id}" for hit in memory.recall(text, 3))
            found[place] = replace(found[place], places=near, unsaid=True)
    return found + ([_joint(found[: len(given)])] if wanted.joint and len(given) > 1 else [])


def _wishes(progress: DebateState, said: Sequence[MessagePosted], reached: VerdictReached) -> list[Arm]:
    """Return what members named, when they were asked, as what would bring them in; of who is against it also unasked.

    Of who is against the outcome it is the last sentence of the talk that says so.
    """
    wishes: dict[str, tuple[str, ...]] = {each.change: (each.who, f"m{each.after}") for each in progress.terms}
    wishes |= {each.change_mind: (each.who,) for stances in progress.polled for each in stances}
    newest = (wish for ballot in reached.dissent for wish in movers(said, ballot.agent, "")[:1])
    wishes |= {wish.text: (wish.who, f"m{wish.message}") for wish in newest}
    return [Arm("terms", wish, whose) for wish, whose in wishes.items() if wish]


def outcome_of(reached: VerdictReached) -> tuple[str, ...]:
    """Return the motions that won or were adopted, by id: another wording of the same one is no other outcome."""
    if isinstance(reached.outcome, tuple):
        return tuple(sorted(each.motion or each.id for each in reached.adopted))
    return (reached.motion or reached.outcome,) if reached.outcome else ()


def _premise(session: Session, said: Sequence[MessagePosted], text: str, near: tuple[str, ...], *, again: bool) -> Arm:
    """Return the arm in which a premise is not known; `near`: where it stands in other words.

    In a debate held again it is taken away, or has `UNKNOWN` in its place if it is of few words: what stands in
    documents, or in what members were told, from the start; what a member said first from the first message that says
    it.
    """
    started = session.started()
    wanted = re.compile(r"\s+".join(map(re.escape, text.split())), re.IGNORECASE)
    without = partial(wanted.sub, UNKNOWN if len(text.split()) < _FEW else "")
    places = [
        f"{document.name} {document.place(*(document.text.count(chr(10), 0, end) + 1 for end in match.span()))}"
        for document in started.documents
        for match in wanted.finditer(document.text)
    ]
    places += [who for who, facts in started.facts.items() if any(map(wanted.search, facts))]
    saying = [each for each in said if wanted.search(each.text)]
    arm = Arm("premise", text, (*places, *(f"m{each.number}" for each in saying)) or near, parts=(text,))
    if not again:
        return arm
    if places:
        return replace(arm, at=0, change=lambda past: _untold(past, without))
    if not saying:
        return replace(arm, at=0, why="nowhere")
    first = saying[0]
    try:
        change = reworded(without(first.text))
        change(upto(session, first.number))
    except UsageError:
        return replace(arm, at=first.number, why="alone")
    return replace(arm, at=first.number, change=lambda past: change(past)[0])


def _untold(past: Session, without: Callable[[str], str]) -> Session:
    """Return the session with changed documents, and changed facts that members were told."""
    first = past.started()
    facts = {who: tuple(filter(None, map(without, told))) for who, told in first.facts.items()}
    documents = tuple(replace(each, text=without(each.text)) for each in first.documents)
    return begun_as(past, first.model_copy(update={"documents": documents, "facts": facts}))


def _joint(parts: Sequence[Arm]) -> Arm:
    """Return the arm in which several premises are not known; in a debate held again they stand at its start."""
    later: Why = "later" if any(part.at for part in parts) else ""
    why = next((part.why for part in parts if part.why), later)
    return Arm(
        "joint",
        " + ".join(part.what for part in parts),
        tuple(place for part in parts for place in part.places),
        parts[0].at,
        why,
        tuple(part.what for part in parts),
        lambda past: reduce(lambda session, part: part.change(session), parts, past),
    )


def _without(started: SessionStarted, title: str) -> Arm:
    """Return the arm in which a member takes no part."""

    def change(past: Session) -> Session:
        first = past.started()
        own = {name: {who: each for who, each in getattr(first, name).items() if who != title} for name in _BY_TITLE}
        members = tuple(member for member in first.members if member.title != title)
        return begun_as(past, first.model_copy(update={"members": members, **own}))

    few: Why = "few" if len(started.members) <= FEWEST_MEMBERS else ""
    return Arm("member", title, (), 0, "judge" if title == started.settings.judge else few, change=change)


def _turned(order: str, field_name: str) -> Arm:
    """Return the arm in which a field of the setup comes in the reverse order."""

    def change(past: Session) -> Session:
        first = past.started()
        return begun_as(past, first.model_copy(update={field_name: tuple(reversed(getattr(first, field_name)))}))

    return Arm("order", order, (), 0, change=change)


def _played_by(started: SessionStarted, spec: str) -> Arm:
    """Return the arm in which another runner answers for all members."""
    make_runner(spec)
    change = changed([f"runner:{spec}"])
    return Arm("model", spec, (), 0, "same" if spec == started.runner else "", change=lambda past: change(past)[0])
