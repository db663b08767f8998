"""What a ballot offers: the texts given with the question and the open texts of the motions on the table."""

import random
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from eda.events import BallotText, Motion, own_roots
from eda.text import normalise, regex

MOST_MOTIONS = 8
"""Motions of a ballot, unless more were given as options."""
_YES_NO = regex(r"\s*(should|shall|is|are|do|does|did|can|could|will|would|must|may|has|have)\b", "I")
_EITHER_OR = regex(r"\bor\b(?! not\b)", "I")


_OPEN = ("active", "accepted")


class Slate(NamedTuple):
    """The texts of a ballot."""

    texts: tuple[BallotText, ...]
    """Those of one motion stand side by side."""
    left_out: tuple[str, ...]
    """Ids of the motions that found no place, the most supported first."""


def given(question: str, options: Sequence[str]) -> tuple[BallotText, ...]:
    """Return what was given with the question: its options, or yes and no where it asks for that; else nothing."""
    return _given(question, tuple(options))


@lru_cache(maxsize=512)
def _given(question: str, options: tuple[str, ...]) -> tuple[BallotText, ...]:
    if not options and _YES_NO.match(question) and not _EITHER_OR.search(question):
        return tuple(BallotText(id=word.casefold(), motion=word.casefold(), text=word) for word in ("Yes", "No"))
    return _once(
        BallotText(id=key, motion=key, text=text)
        for key, text in zip((f"o{place}" for place in range(1, len(options) + 1)), options, strict=True)
    )


def slate(
    question: str,
    options: Sequence[str],
    motions: Sequence[Motion],
    *,
    source: Literal["auto", "options", "proposals", "both"] = "auto",
    most: int = MOST_MOTIONS,
) -> Slate:
    """Return what a ballot offers: what was given, then the motions, what stands by an earlier verdict first.

    Args:
        question: of the debate.
        options: given with it; all of them stay, worded as they are.
        motions: on the table. Their open texts count, if a member took the motion up; the more supporters the live text
            has, the earlier the motion stands.
        source: `options`: only what was given; `proposals`: only what members wrote; else both.
        most: motions in all, unless more were given.
    """
    known = {text.id: motion.id for motion in motions for text in motion.versions}
    first = [
        each.model_copy(update={"motion": known.get(each.id, each.id)})
        for each in (given(question, options) if source != "proposals" else ())
    ]
    texts = _once([*first, *([] if source == "options" else _written(motions))])
    places = list(dict.fromkeys(text.motion for text in texts))
    stays = places[: max(most, len({text.motion for text in first}))]
    return Slate(tuple(text for key in stays for text in texts if text.motion == key), tuple(places[len(stays) :]))


def _written(motions: Sequence[Motion]) -> list[BallotText]:
    """Return the open texts of the motions that were taken up."""
    roots = {key: own for motion in motions for key, own in own_roots(motion.versions).items() if own != motion.id}
    into, parts = joined_into(motions), _parts_of(motions)
    return [
        BallotText(
            id=text.id,
            motion=motion.id,
            text=text.content,
            into=into.get(text.id, ""),
            parts=parts[text.id],
            root=roots.get(text.id, ""),
            title=text.title if text.titled else "",
            by=text.proposer,
        )
        for motion in sorted((motion for motion in motions if motion.taken_up), key=_weight)
        for text in motion.versions
        if text.message and text.status in _OPEN
    ]


def joined_into(motions: Iterable[Motion]) -> dict[str | None, str]:
    """Return the id of the open text that joins it, by the id of each text that one joins."""
    texts, into = {each.id: each for motion in motions for each in motion.versions}, dict[str | None, str]()
    for each in (text for text in texts.values() if text.joins):
        now = each
        while now.status == "modified" and now.amended_by in texts:
            now = texts[now.amended_by]  # its author put it in other words
        into |= dict.fromkeys((each.amends, *each.joins), now.id) if now.status in _OPEN else {}
    return into


def _parts_of(motions: Iterable[Motion]) -> dict[str | None, tuple[str, ...]]:
    """Return by id what members wrote that each text, or one that it comes from, has joined; the oldest text first."""
    parts: dict[str | None, tuple[str, ...]] = {}
    for text in sorted((t for motion in motions for t in motion.versions if t.message), key=lambda t: t.message):
        joined = [key for key in (text.amends, *text.joins) if key in parts] if text.joins else []
        earlier = [part for key in (text.amends, *joined) for part in parts.get(key, ())]
        parts[text.id] = tuple(dict.fromkeys([*earlier, *filter(None, joined)]))
    return parts


def shown_order(texts: Sequence[BallotText], seed: int, agent: str) -> tuple[BallotText, ...]:
    """Return the texts in the voter's own order, each beside its motion, so that none gains by standing first."""
    lots = random.Random(f"{seed}:ballot:{agent}")
    motions = list(dict.fromkeys(text.motion for text in texts))
    lots.shuffle(motions)
    shown: list[BallotText] = []
    for motion in motions:
        versions = [text for text in texts if text.motion == motion]
        lots.shuffle(versions)
        shown += versions
    return tuple(shown)


def same_words(one: str, other: str) -> bool:
    """True if two texts are the same but for case, blanks and the marks around them."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    plain = " ".join(normalise(text).casefold().split())
    return plain.strip(" .\"'*_`") or plain


def _once(texts: Iterable[BallotText]) -> tuple[BallotText, ...]:
    """Return the texts, of those with the same words the first."""
    once: dict[str, BallotText] = {}
    for text in texts:
        once.setdefault(_plain(text.text), text)
    return tuple(once.values())


def _weight(motion: Motion) -> tuple[bool, int]:
    """Return what orders motions: what stands by a verdict first, then by the supporters of the live text."""
    supporters = {motion.live.proposer, *motion.live.backers("support")} - {""} if motion.live else ()
    return not any(text.status == "accepted" for text in motion.versions), -len(supporters)


class Kin(NamedTuple):
    """What one text of a ballot is to another of its motion."""

    kind: Literal["", "wording", "original", "part", "taken into", "takes in"] = ""
    """`wording`: it rewords the texts of `of`; `original`: they reword it; empty where it says nothing but `option`."""
    of: tuple[str, ...] = ()
    """Ids of texts."""
    option: str = ""
    """Id of the given option that it rewords; empty where it rewords none."""


def option_of(text: BallotText) -> str:
    """Return the id of the given option that a text rewords; empty where it rewords none."""
    return text.motion if text.motion != text.id and regex(r"o\d+").fullmatch(text.motion) else ""


def kinship(text: BallotText, other: str, texts: Sequence[BallotText]) -> Kin:
    """Return what a text is to `other`, the id of a text of the same motion; nothing where it is itself.

    A wording of a text that was joined is one of that text, whatever stands first.
    """
    option = option_of(text)
    if takers := [each.id for each in texts if each.takes_in(text)]:  # of what was not decided it is a part
        return Kin("taken into", (other,), option) if other in takers else Kin("part", (takers[0],), option)
    parts = [each for each in texts if text.takes_in(each)]
    beside = [each for each in texts if each.id == other != text.id]
    if parts and not any(all(map(each.takes_in, parts)) for each in beside):
        return Kin("takes in", tuple(part.id for part in parts), option)
    return Kin() if text.id == other else _wording(text, other, texts)


def _wording(text: BallotText, other: str, texts: Sequence[BallotText]) -> Kin:
    """Return what a text that joins nothing, and is joined by none, is to another one of its motion."""
    same = tuple(t.id for t in texts if (t.motion, t.root) == (text.motion, text.root) and t.id != text.id)
    if text.id != text.motion:
        option = option_of(text)
        own = [each.id for each in texts if each.id == text.root] or [each for each in same if each == other]
        return Kin(option=option) if option or own in ([], [text.id]) else Kin("wording", tuple(own))
    return Kin("original", same) if same else Kin()
