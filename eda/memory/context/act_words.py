"""The words of acts, one line each, as prompts and readers have them: `supports p9.1: it is cheap`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from eda.events.acts import Act, Unread
from eda.memory.minutes.proposals import end_words
from eda.text import shorten, unbroken
from eda.words import ENGLISH

_NAMED = 60  # Characters of what a move names in vain.
_TAGS = {"neutral": "UNDECIDED"}
_HEADS: dict[str, str] = {
    "propose": "proposes {id}",
    "propose again": "proposes {on} again",
    "reopen": "opens {on} again",
    "amend": "amends {on}",
    "join": "joins {on}",
    "withdraw": "withdraws {on}",
    "support": "supports {on}",
    "oppose": "opposes {on}",
    "neutral": "is undecided on {on}",
    "take back": "takes back what was read of {on}",
    "claim": "claims, not voted on",
    "decide": "decides",
    "retract": "takes back its claim of {on}",
    "deny": "denies {on}",
    "deny proposal": "denies {on}: it is no proposal",
    "deny claim": "denies the claim of {on}",
    "position": "position",
    "note": "notes",
    "json": "(JSON was left out)",
    "others' lines": "(lines in the name of {who} were left out)",
}


def act_line(act: Act) -> str:
    """Return an act on one line."""
    head, own, rest = act_parts(act)
    return f"{head}{(': ' if act.counted else ' ') if own else ''}{own}{rest}"


def act_parts(act: Act) -> tuple[str, str, str]:
    """Return what an act does, the words of its author, and what stands behind them: why it does not count."""
    on = " and ".join((act.on, *act.joins)) or "the claim" * (act.kind == "deny")
    who, end = ", ".join(map(unbroken, act.who)), end_words(act.end) if act.end else ""
    head, own, rest = _HEADS.get(act.kind, "").format(on=on, id=act.id, who=who).rstrip(), act.text or act.why, ""
    match act.kind:
        case "json" | "others' lines":
            own = ""
        case "cite":
            head = f"cites {on}, {act.text if act.counted else 'which nobody has found'}"
            own = f'"{act.why}"' if act.why else ""
        case "misquote":
            head, own = ENGLISH.say("act-misquote", on=on, text=act.text), ""
        case _ if not act.counted:
            reasons = unread_words(act.unread_because)
            rest = " (not counted)" + f": {reasons}" * bool(reasons)
            head = _tag(act) if act.tagged else "in words,"
        case "position":
            head += "" if act.tagged else ", read from the words"
            own = f"{act.id}, which replaces {on}" if on else act.id or own
        case "support" | "oppose" | "neutral":
            head += (f" {ENGLISH.say('act-older-text', end=end)}" if end else "") + _condition(act)
        case "amend" | "join":
            head += f" as {act.id}" * bool(act.id)
        case _:
            rest = f" ({end})" if end else ""
    return head, unbroken(own), rest


def fault_line(act: Act) -> str:
    """Return for its author what of a message could not be read, and why."""
    own = unbroken(act.text)
    match act.kind:
        case "tag":
            return ENGLISH.say("act-no-tag", tag=own)
        case "json":
            return "not all of the JSON was read: write [SUPPORT p4.0] and why, a line each"
        case "others' lines":
            return ENGLISH.say("act-others-lines", who=act.who)
    why = "; ".join(filter(None, (unread_words(act.unread_because), "your text stands as a new proposal" * act.stands)))
    return f"{_tag(act)} {own}".rstrip() + f": {why}" * bool(why)


def unread_words(reasons: Iterable[Unread]) -> str:
    """Return why a move counts for nobody."""
    return " and ".join(map(_unread, reasons))


def _unread(each: Unread) -> str:
    texts = zip_longest(each.ids, each.now, fillvalue="")
    return ENGLISH.say(
        "act-unread",
        kind=each.kind.replace(" ", "-").replace("'", ""),
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


def stated_condition(act: Act) -> str:
    """Return the clause of a condition in quotation marks; empty where the reason begins with it."""
    clause = act.condition.replace('"', "'")
    return "" if act.why.startswith(act.condition) else f'"{clause}"'


def _condition(act: Act) -> str:
    stated = stated_condition(act)
    return f", on a condition{f' ({stated})' * bool(stated)}" if act.conditional else ""


def _tag(act: Act) -> str:
    """Return the tag of a move as its author wrote it: `[SUPPORT p3.0]`."""
    return f"[{_TAGS.get(act.kind, act.kind.upper())}{f' {unbroken(act.on)}' if act.on else ''}]"
