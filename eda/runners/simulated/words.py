"""Takes phrases from questions, options and documents. The one rule: whole words as they stand, never a paraphrase.

There is no tagger: the texts are short, and a phrase that is uncertain is quoted or left out.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Hashable, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TypeVar, cast

from eda.panels.files import Document

T = TypeVar("T", bound=Hashable)
Frames = dict[str, tuple[str, ...]]
_SEEN = 60_000
"""Characters of a context file that are searched for facts, so that a large file does not slow the first turn."""


@lru_cache(maxsize=8)
def data(name: str) -> Frames:
    """Return one of the data files beside this one; a text in it becomes a list of its words."""
    table = tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))
    return {key: tuple(value.split() if isinstance(value, str) else value) for key, value in table.items()}


@lru_cache(maxsize=4)
def lexicon(key: str) -> frozenset[str]:
    """Return the words under a key of `lexicon.toml`."""
    return frozenset(data("lexicon")[key])


def chance(*parts: object) -> Random:
    """Return a random generator that the same parts seed the same way on every machine."""
    return Random(int.from_bytes(hashlib.sha256(repr(parts).encode("utf-8", "replace")).digest()[:8], "big"))


@lru_cache(maxsize=4096)
def drawn(*parts: Hashable) -> float:
    """Return the first number of `chance`, at least 0 and below 1; repeated draws are cached."""
    return chance(*parts).random()


@lru_cache(maxsize=4096)
def _mixed(items: tuple[Hashable, ...], parts: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    rng, mixed = chance(*parts), list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return tuple(mixed)


def shuffled(items: tuple[T, ...], *parts: Hashable) -> tuple[T, ...]:
    """Return the items in an order that the parts decide, the same in every version of Python."""
    return cast("tuple[T, ...]", _mixed(items, parts))


@lru_cache(maxsize=512)
def stems(text: str) -> frozenset[str]:
    """Return crude stems of the content words."""
    words = re.findall(r"[^\W\d_]{3,}", text.casefold())
    return frozenset(re.sub(r"(ing|ed|es|s|ly)$", "", word)[:7] for word in words if word not in lexicon("stops"))


def _short(words: list[str], most: int) -> list[str]:
    """Return the words, cut before a word that begins a new phrase if there are more than `most`."""
    if len(words) <= most:
        return words
    cuts = [at for at in range(2, most + 1) if words[at].casefold() in lexicon("splits")]
    joined = [at for at in cuts if words[at].casefold() in {"and", "or", "but", "then"}]
    return words[: (joined or cuts[-1:] or [most + 3])[0]]


@lru_cache(maxsize=256)
def action(question: str) -> str:
    """Return the action that "should we ...?" asks about; empty for a question of another form."""
    clause = re.search(
        r"(?i)\b(?:should|shall|must|can|could|do|does|would|will|may|might)\s+(?!you\b)([^?;:,()–—]+)", question
    )
    words = re.split(r"(?i)\s+or\b", clause[1])[0].split() if clause else []
    if "be" in words[1:3]:
        return ""
    if words and words[0].casefold() in {"we", "i", "they", "one", "people"}:
        skip = 3 if [word.casefold() for word in words[1:3]] in (["need", "to"], ["have", "to"]) else 1
        return " ".join(_short(words[skip:], 8))
    verbs = [at for at, word in enumerate(words) if at and word.casefold() in lexicon("verbs")]
    # "The test suite run": of several verbs in a row only the last one is the verb.
    verbs = [at for at in verbs if at + 1 not in verbs and words[at - 1].casefold() not in lexicon("articles")]
    return " ".join(_short(words[verbs[0] :], 8)) if verbs else ""


@lru_cache(maxsize=256)
def subject(question: str) -> str:
    """Return what a question is about as a singular noun phrase: "pricing the new API", "the choice of database"."""
    choice = re.match(
        r"(?i)\W*(?:which|what)\s+(?!should)((?:[\w-]+\s+){1,3}?)(?:should|shall|can|could|do|does|is|would|will)\b",
        question,
    )
    if choice:
        return f"the choice of {choice[1].strip()}"
    about = re.search(r"(?i)\bdo (?:about|with) ([^?;:,()]+)", question)
    if about:
        return f"the question of {about[1].strip()}"
    act = action(question)
    if act:
        return _gerunds(act.split())
    thing = re.match(
        r"(?i)\W*is\s+(.{3,50}?)\s+(?:worth|ready|safe|right|good|better|fair|useful|the|a|an|too|still|really)\b",
        question,
    )
    if thing:
        return thing[1]
    plan = "" if "?" in question else next(filter(_is_plan, re.split(r"[.,;:()]\s+|\.$", question)), "")
    return _gerunds(_short(plan.split(), 8)) if plan else "this question"


def _is_plan(text: str) -> bool:
    """Return whether a text is an instruction: "Move billing out this quarter"."""
    words = text.split()
    return len(words) > 2 and words[0].casefold() in lexicon("verbs")


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "be")):
        return verb[:-1] + "ing"
    short = re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprtl]", verb) or verb in {"begin", "permit", "commit"}
    return verb + (verb[-1] if short else "") + "ing"


def _gerunds(words: list[str]) -> str:
    """Return a verb phrase as a noun phrase: "fix and ship it" becomes "fixing and shipping it"."""
    first, rest = _gerund(words[0].casefold()), words[1:]
    for at, word in enumerate(rest):
        if at and rest[at - 1].casefold() in {"and", "or"} and word in lexicon("verbs"):
            rest[at] = _gerund(word)
    return " ".join((first, *rest))


@lru_cache(maxsize=256)
def noun_of(option: str) -> str:
    """Return a short name of an option that fits where a noun does: "keeping the monolith", “PostgreSQL”."""
    plain = option.replace("“", "").replace("”", "").strip().rstrip(".")
    words = _short((re.split(r"[,;:(]\s|\s[–—-]\s", plain)[0].strip() or plain).split(), 5)
    if not words:
        return "“…”"
    first = words[0].casefold()
    if first in lexicon("verbs"):
        return _gerunds(words)
    if first in lexicon("articles") and len(words) > 1:  # an option may be called A
        return " ".join((first, *words[1:]))
    return f"“{' '.join(words)}”"


@lru_cache(maxsize=64)
def _facts(name: str, text: str) -> tuple[tuple[str, str], ...]:
    facts: list[tuple[int, str]] = []
    fenced = False
    for line in text[:_SEEN].splitlines():
        fenced ^= line.lstrip().startswith("```")
        if fenced or re.match(r"\s*(#|\||```|---|<|\[)", line):
            continue
        plain = re.sub(r"[*_`“”\"]|^\s*(?:[-+•>]|\d+[.)])\s+|\[([^\]]*)\]\([^)]*\)", r"\1", line).strip()
        before = ""
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", plain):
            opening = [word.casefold() for word in sentence.split()[:5]]
            leans = bool({"it", "them", "both"} & set(opening)) or bool(set(opening[:1]) & lexicon("leaning"))
            # A sentence that refers to the one before it is quoted with it.
            whole = f"{before} {sentence}" if leans else sentence
            before = whole
            if (
                4 <= len(whole.split()) <= 30
                and not whole.endswith((":", "?"))
                and (not leans or whole != f" {sentence}")
            ):
                if leans and facts and whole.startswith(facts[-1][1]):
                    facts.pop()
                facts.append((0 if re.search(r"\d", whole) else 1, whole.rstrip(".!").strip()))
    # Sentences with numbers first: they are what a panel argues over.
    return tuple((name, fact) for _, fact in sorted(dict.fromkeys(facts), key=lambda item: item[0]))


def facts(documents: Sequence[Document]) -> tuple[tuple[str, str], ...]:
    """Return sentences worth citing, as (file, sentence), one of each file in turn."""
    lists = [_facts(document.name, document.text) for document in documents]
    longest = max(map(len, lists), default=0)
    return tuple(each[number] for number in range(longest) for each in lists if number < len(each))


@lru_cache(maxsize=1024)
def figure(fact: str) -> str:
    """Return the figure of a sentence as a noun phrase: "the 95 minutes"; empty where there is none."""
    number = re.search(r"(?<![\w.,])\d[\d,.]*(?: ?%| [a-z-]{3,}s\b)", fact)
    return f"the {number[0]}" if number else ""


@lru_cache(maxsize=2048)
def concerns(text: str) -> tuple[str, ...]:
    """Return the noun phrases that a text names as worries, cares or wishes, as they stand there."""
    unquoted = re.sub(r"“[^”]*”", "“", text)
    phrases = []
    for cue in data("lexicon")["cues"]:
        for match in re.finditer(rf"(?i)\b{cue}:? ([^.,;:?!“”()]+?)(?=[.,;:?!])", unquoted):
            words = match[1].split()
            if 2 <= len(words) <= 9 and words[0].casefold() not in lexicon("stale"):
                phrases.append(match[1])
    return tuple(dict.fromkeys(phrases))
