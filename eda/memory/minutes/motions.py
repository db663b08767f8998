"""Groups the texts on the table into motions: a root text and the versions that amend it, directly or not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from eda.events import Motion, Proposal, own_roots
from eda.text import grouped

Grouped = dict[tuple[int, ...], Motion]  # Motions by their versions, which are new objects once they have changed.


def motions_of(
    options: Iterable[Proposal], proposals: Iterable[Proposal], grouped: Grouped | None = None
) -> tuple[Motion, ...]:
    """Return the motions, roots oldest first: each option, and each proposal that amends nothing.

    A text that joins several motions makes one of them, under the oldest root. What it joins with an answer that was
    given with the question stays a motion of its own: who wants a measure beside any answer is for none of them. So
    does a text that joins two of these answers. Struck texts are left out.
    Whoever asks again and again keeps `grouped`: a motion of which nothing has changed is the same object.
    """
    shown = [each for each in (*options, *proposals) if each.status != "struck"]
    linked = [each for each in shown if each.amends or each.joins]
    known = {} if grouped is None else grouped
    motions = []
    for versions in _joined(shown, linked) if linked else ((each,) for each in shown):
        key = tuple(map(id, versions))
        if key not in known:
            known[key] = Motion(versions[0].id, tuple(versions), live_version(versions), _taken_up(versions))
        motions.append(known[key])
    return tuple(motions)


def _joined(shown: Sequence[Proposal], linked: Iterable[Proposal]) -> Iterable[Sequence[Proposal]]:
    """Return the texts of each motion, the root first."""
    order = {each.id: place for place, each in enumerate(shown)}
    roots = {each.id: each.id for each in shown}
    given = {each.id for each in shown if not each.message}
    for each in linked:
        parts = [_root(roots, earlier) for earlier in (each.amends, *each.joins) if earlier in roots]
        options = {part for part in parts if part in given}
        if len(options) > 1:  # it is another answer than each of them, and a vote for one is none for it
            continue
        for part in options or parts:
            one, other = sorted((_root(roots, each.id), _root(roots, part)), key=order.__getitem__)
            roots[other] = one
    return grouped((_root(roots, each.id), each) for each in shown).values()


def live_version(versions: Sequence[Proposal]) -> Proposal | None:
    """Return the open version with most supporters, its author too, of equals the newest; else the accepted one.

    What a version has joined from another motion is a part of it, and no version of this one while that has any.
    """
    roots, joined = own_roots(versions), [each.id for each in versions if each.joins]
    for status in ("active", "accepted"):
        texts = [each for each in versions if each.status == status]
        texts = [each for each in texts if joined and roots[each.id] == roots[joined[-1]]] or texts
        if texts:
            return max(reversed(texts), key=lambda each: len(backers(each)))
    return None


def strands(motion: Motion) -> tuple[Motion, ...]:
    """Return a motion without the parts that a joined text took from other motions, and each of these by itself."""
    if len(motion.versions) == 1:
        return (motion,)
    roots = own_roots(motion.versions)
    texts = grouped((roots[each.id], each) for each in motion.versions)
    if len(texts) == 1:
        return (motion,)
    return tuple(Motion(key, tuple(own), live_version(own), _taken_up(own)) for key, own in texts.items())


def backers(text: Proposal) -> set[str]:
    """Return who is for a text as it stands, its author too."""
    others = {each.agent for each in text.reactions if each.reaction != "support" or each.conditional}
    author = {text.proposer} if text.source != "procedure" else set[str]()
    return {*author, *text.backers("support")} - {"", *others}


def _taken_up(versions: Sequence[Proposal]) -> bool:
    """Return whether somebody declared or reworded a text of the motion, or named one by its id."""
    return any(
        each.source in ("declared", "procedure")
        or each.corrected
        or any(r.link == "id" and r.source != "minutes" for r in (*each.reactions, *each.history))
        for each in versions
    )


def _root(roots: Mapping[str, str], key: str) -> str:
    while roots[key] != key:
        key = roots[key]
    return key


def table_rows(motions: Iterable[Motion], *, closed: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the open texts as `read_remark` takes them, with who holds what to each; or the `closed` ones.

    Each has in `now` the open text that leads its motion; empty where none is open.
    """
    for motion in motions:
        for text in motion.versions:
            if closed != (text.status in ("active", "accepted")):
                held = {
                    "opposition": text.backers("oppose"),
                    "support": text.backers("support"),
                    "condition": tuple(each.agent for each in text.reactions if each.conditional),
                }
                yield {
                    "id": text.id,
                    "by": text.proposer,
                    "title": text.title if text.titled else "",
                    "text": text.content,
                    "at": text.message or 0,
                    "held": held,
                    "now": motion.live.id if motion.live else "",
                    "older": {
                        "condition": {
                            each.agent
                            for old in motion.versions
                            if (old.status, old.proposer) == ("modified", text.proposer)
                            for each in old.reactions
                            if each.conditional
                        }.difference(each.agent for each in text.reactions)
                    },
                    "since": {text.proposer: text.message} | {each.agent: each.message for each in text.reactions},
                }


def sides_held(who: str, rows: Iterable[Mapping[str, Any]]) -> set[tuple[str, str]]:
    """Return the texts of some of `table_rows` on which a member stands, with the side, or the condition."""
    return {(row["id"], side) for row in rows for side, whom in row["held"].items() if who in whom}


def said_in(said: Any) -> int:
    """Return the message in which something was declared, or the last one before its author was asked for it."""
    return int(getattr(said, "asked", 0) or said.message)
