"""The words of acts, one line each, as prompts and readers have them: `supports p9.1: it is cheap`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from eda.events.acts import Act, Unread
from eda.memory.minutes.proposals import end_words, slug
from eda.text import shorten, unbroken
from eda.words import ENGLISH, Words

_MOST = 2000  # Characters of a slot: a message takes no more.
_NAMED = 60  # Characters of what a move names in vain.
_TAGS = {"neutral": "UNDECIDED"}


def act_line(act: Act, words: Words = ENGLISH) -> str:
    """Return an act on one line; prompts have it in English."""
    head, own, rest = act_parts(act, words)
    return f"{head}{(': ' if act.counted else ' ') if own else ''}{own}{rest}"


def act_parts(act: Act, words: Words = ENGLISH) -> tuple[str, str, str]:
    """Return what an act does, the words of its author, and what stands behind them: why it does not count."""
    kind, own, rest = slug(act.kind), act.text or act.why, ""
    end = end_words(act.end, words) if act.end else ""
    match act.kind:
        case "json" | "others' lines" | "misquote":
            own = ""
        case "cite":
            kind, own = kind if act.counted else "cite-nothing", f'"{act.why}"' if act.why else ""
        case _ if not act.counted:
            rest = f" {words.say('act-uncounted', why=unread_words(act.unread_because, words))}"
            kind = "tag" if act.tagged else "in-words"
        case "position":
            own = words.say("act-position", id=act.id, on=act.on) if act.on else act.id or own
        case "support" | "oppose" | "neutral":
            pass
        case _:
            rest = f" ({end})" if end else ""
    head = (
        _tag(act)
        if kind == "tag"
        else words.say(
            "act-does",
            kind=kind,
            on=shorten(act.on, _MOST),
            id=act.id,
            texts=[act.on, *act.joins],
            who=act.who,
            end=end,
            source=act.text if act.kind in ("cite", "misquote") else "",
            condition=condition_of(act),
            clause=shorten(act.condition.replace('"', "'"), _MOST),
        )
    )
    return head.rstrip(), unbroken(own), rest


def condition_of(act: Act) -> str:
    """Return whether a support has a condition, and whether its reason tells it: `no`, `told`, `clause` or `doubt`."""
    if not act.conditional:
        return "no"
    return "doubt" if act.doubt else "told" if act.why.startswith(act.condition) else "clause"


def fault_line(act: Act) -> str:
    """Return for its author what of a message could not be read, and why."""
    own = unbroken(act.text)
    match act.kind:
        case "tag":
            return ENGLISH.say("act-no-tag", tag=own, why=unread_words(act.unread_because))
        case "json":
            return "not all of the JSON was read: write [SUPPORT p4.0] and why, a line each"
        case "others' lines":
            return ENGLISH.say("act-others-lines", who=act.who)
    why = "; ".join(filter(None, (unread_words(act.unread_because), "your text stands as a new proposal" * act.stands)))
    return f"{_tag(act)} {own}".rstrip() + f": {why}" * bool(why)


def unread_words(reasons: Iterable[Unread], words: Words = ENGLISH) -> str:
    """Return why a move counts for nobody."""
    return words.say("act-reasons", reasons=[_unread(each, words) for each in reasons])


def _unread(each: Unread, words: Words) -> str:
    texts = zip_longest(each.ids, each.now, fillvalue="")
    return words.say(
        "act-unread",
        kind=slug(each.kind),
        words=shorten(each.words, _NAMED),
        ids=each.ids,
        who=each.who,
        number=len(each.ids if each.kind == "part" else each.who),
        made=[f"{key}, now {now}" if now else key for key, now in texts],
        message=str(each.message),
    )


def indented(acts: Iterable[Act]) -> Iterator[str]:
    """Yield the acts as they stand below a message: two columns in, where no line of a message can begin."""
    return (f"  {act_line(act)}" for act in acts)


def _tag(act: Act) -> str:
    """Return the tag of a move as its author wrote it: `[SUPPORT p3.0]`."""
    return f"[{_TAGS.get(act.kind, act.kind.upper())}{f' {unbroken(act.on)}' if act.on else ''}]"
