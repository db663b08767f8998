"""What can be altered of a debate to see whether its answer changes: premises, members, orders, who answers.

Each function returns an `Alteration`, which is data and a change of a fork. What a session cannot have is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args

from eda.debate.control.forks import begun_as, changed, reworded
from eda.debate.person import member_called
from eda.debate.replay import progress_of, read_back
from eda.debate.seating import FEWEST_MEMBERS
from eda.errors import UsageError
from eda.events import NONE, MessagePosted
from eda.session import Session
from eda.session.fork import upto
from eda.voting.choices import given

Kind = Literal["premise", "member", "order", "model", "joint"]
Order = Literal["seats", "options"]
UNKNOWN = "[not known]"
"""What stands in the place of a premise of few words, such as a figure: its sentence would make no sense without."""
_FEW = 4


@dataclass(frozen=True, slots=True)
class Alteration:
    """One thing, or several together, that are otherwise in a debate."""

    kind: Kind
    what: str
    """The words of a premise, the title of a member, `seats` or `options`, the spec of a runner."""
    places: tuple[str, ...]
    """Where it stands: `briefing.md l. 18`, `m4`; empty where it stands in no text."""
    at: int
    """The last message that both have: 0 where the debate is held anew from its start."""
    change: Callable[[Session], Session]
    """Makes the altered session of one in memory that ends at that message."""


@dataclass(frozen=True, slots=True)
class Untried:
    """What could matter and cannot be altered in this debate."""

    kind: Kind
    what: str
    why: str


Only = Literal["", "premises", "members", "orders", "models"]


def alterations(
    session: Session, premises: Sequence[str] = (), runners: Sequence[str] = (), only: Only = ""
) -> tuple[list[Alteration], list[Untried]]:
    """Return what could matter: premises, each member, the orders, other runners; and what of it cannot be altered.

    Premises are those given, the passages that messages behind the verdict cite, and figures and assumptions that the
    minutes found without a source.
    """
    progress, memory = read_back(session)
    behind = {*progress.verdict.evidence} if progress.verdict else set[int]()
    cited = [each.text for each in memory.parts.evidence.used if behind & {*each.messages}]
    cited += [each.text for each in memory.questions if each.unsourced]
    texts = dict.fromkeys((*premises, *cited))
    wanted: list[tuple[Only, Kind, str, Callable[[str], Alteration]]] = [
        *(("premises", "premise", text, partial(premise, session)) for text in texts),
        *(("members", "member", each.title, partial(without_member, session)) for each in session.started().members),
        *(("orders", "order", order, partial(turned, session)) for order in get_args(Order)),
        *(("models", "model", spec, played_by) for spec in dict.fromkeys(runners)),
    ]
    found: list[Alteration] = []
    untried: list[Untried] = []
    for group, kind, what, altered in wanted:
        if only not in ("", group):
            continue
        try:
            alteration = altered(what)
            check_comparable(session, alteration)
        except UsageError as error:
            untried.append(Untried(kind, what, str(error)))
        else:
            found.append(alteration)
    return found, untried


def premise(session: Session, text: str) -> Alteration:
    """Return the alteration that takes a premise away, or has `UNKNOWN` in its place if it is of few words.

    What stands in documents, or in what members were told, is taken from there before the debate begins. What a member
    said first is taken from the first message that says it, and the debate goes on from there.

    Raises:
        UsageError: it stands nowhere, or a message says nothing else.
    """
    words = text.split()
    if not words:
        raise UsageError("the premise is empty", hint="Give its words as they stand in a document or a message.")
    wanted = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    put = UNKNOWN if len(words) < _FEW else ""
    started = session.started()

    def without(told: str) -> str:
        return wanted.sub(put, told)

    places = []
    for document in started.documents:
        for match in wanted.finditer(document.text):
            lines = [document.text.count("\n", 0, end) + 1 for end in match.span()]
            places.append(f"{document.name} {document.place(*lines)}")
    places += [who for who, facts in started.facts.items() if any(map(wanted.search, facts))]
    said = [each for each in session.events() if isinstance(each, MessagePosted) and wanted.search(each.text)]
    if places:

        def untold(past: Session) -> Session:
            first = past.started()
            facts = {who: tuple(filter(None, map(without, told))) for who, told in first.facts.items()}
            documents = tuple(replace(each, text=without(each.text)) for each in first.documents)
            return begun_as(past, first.model_copy(update={"documents": documents, "facts": facts}))

        return Alteration("premise", text, tuple(places), 0, untold)
    if not said:
        raise UsageError(f"no document and no message says {text!r}", hint="Give its words as they stand there.")
    change = reworded(without(said[0].text))
    change(upto(session, said[0].number))
    numbers = tuple(f"m{each.number}" for each in said)
    return Alteration("premise", text, numbers, said[0].number, lambda past: change(past)[0])


def without_member(session: Session, name: str) -> Alteration:
    """Return the alteration in which a member does not take part.

    Raises:
        UnknownNameError: nobody of that name sat there when the debate began.
        UsageError: nobody would be left to talk to, or the member is the judge.
    """
    started = session.started()
    title = member_called(started.members, name).title
    if len(started.members) <= FEWEST_MEMBERS:
        raise UsageError(f"without {title} nobody would be left to talk to", hint="Alter something else.")
    if title == started.settings.judge:
        raise UsageError(f"{title} is the judge: without it nothing is decided", hint="Alter something else.")

    def change(past: Session) -> Session:
        first = past.started()
        own = {name: {who: each for who, each in getattr(first, name).items() if who != title} for name in _BY_TITLE}
        members = tuple(member for member in first.members if member.title != title)
        return begun_as(past, first.model_copy(update={"members": members, **own}))

    return Alteration("member", title, (), 0, change)


_BY_TITLE = ("facts", "stances")


def turned(session: Session, order: Order | str) -> Alteration:
    """Return the alteration in which the seats, or the options, come in the reverse order.

    Raises:
        UsageError: no options were given.
    """
    field = {"seats": "members", "options": "options"}[order]
    if len(getattr(session.started(), field)) < 2:
        raise UsageError("no options were given with the question", hint="Alter something else.")

    def change(past: Session) -> Session:
        first = past.started()
        return begun_as(past, first.model_copy(update={field: tuple(reversed(getattr(first, field)))}))

    return Alteration("order", order, (), 0, change)


def played_by(spec: str) -> Alteration:
    """Return the alteration in which another runner answers for all members."""
    change = changed([f"runner:{spec}"])
    return Alteration("model", spec, (), 0, lambda past: change(past)[0])


def together(parts: Sequence[Alteration]) -> Alteration:
    """Return the alteration that makes all of these at once.

    Raises:
        UsageError: one of them begins later than the start.
    """
    if any(part.at for part in parts):
        raise UsageError("only what is altered from the start can be altered together", hint="Alter one by itself.")

    def change(past: Session) -> Session:
        for part in parts:
            past = part.change(past)
        return past

    places = tuple(place for part in parts for place in part.places)
    return Alteration("joint", " + ".join(part.what for part in parts), places, 0, change)


def answer_of(session: Session) -> tuple[str, ...]:
    """Return what a debate came to: the motion that won, of a list all that were adopted; empty for no verdict.

    A motion that was given with the question goes by its words, which every debate of it shares; one that members made
    by its id. Another wording of a motion is the same answer.
    """
    started, verdict = session.started(), progress_of(session).verdict
    if verdict is None or verdict.outcome is None:
        return ()
    names = {text.motion: text.text for text in given(started.question, started.options)}
    if verdict.answer == "list":
        return tuple(sorted(names.get(each.motion, each.motion) for each in verdict.adopted))
    return (names.get(verdict.motion, verdict.motion or str(verdict.outcome)),)


def check_comparable(session: Session, alteration: Alteration) -> None:
    """Refuse to hold a debate anew whose answer members wrote: no code can say which of their new texts is the same.

    Raises:
        UsageError: that is so.
    """
    known = {text.text for text in given(session.started().question, session.started().options)}
    if not alteration.at and not {*answer_of(session)} <= {*known, NONE}:
        raise UsageError(
            "members wrote the answer, and those of another debate write other texts",
            hint="Give options with the question, or alter what was said after that text.",
        )
