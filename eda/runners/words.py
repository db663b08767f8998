"""What can be lifted out of other people's text. The one rule: only whole words that stand there, never a paraphrase.

No tagger: a question and a context file are short, and a phrase that cannot be told for sure is quoted or left out.
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

from eda.records import Document

__all__ = ["Frames", "action", "chance", "data", "facts", "noun_of", "points", "shuffled", "stems", "topics"]

T = TypeVar("T", bound=Hashable)
Frames = dict[str, tuple[str, ...]]
_SEEN = 60_000
"""Characters of a context file that are searched for facts: a megabyte must not slow the first turn."""


@lru_cache(maxsize=8)
def data(name: str) -> Frames:
    """One of the data files beside this one; a block of words counts as a list of them."""
    read = tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))
    return {key: tuple(value.split() if isinstance(value, str) else value) for key, value in read.items()}


@lru_cache(maxsize=4)
def _lexicon(key: str) -> frozenset[str]:
    return frozenset(data("lexicon")[key])


def chance(*parts: object) -> Random:
    """A generator that the same parts seed the same way on every machine."""
    return Random(int.from_bytes(hashlib.sha256(repr(parts).encode("utf-8", "replace")).digest()[:8], "big"))


@lru_cache(maxsize=4096)
def _mixed(items: tuple[Hashable, ...], parts: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    rng, mixed = chance(*parts), list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return tuple(mixed)


def shuffled(items: tuple[T, ...], *parts: Hashable) -> tuple[T, ...]:
    """The items in an order that the parts decide; `random.shuffle` may change between versions of Python."""
    return cast("tuple[T, ...]", _mixed(items, parts))


@lru_cache(maxsize=512)
def stems(text: str) -> frozenset[str]:
    """Crude stems of the words that carry meaning."""
    words = re.findall(r"[^\W\d_]{3,}", text.casefold())
    return frozenset(re.sub(r"(ing|ed|es|s|ly)$", "", word)[:7] for word in words if word not in _lexicon("stops"))


@lru_cache(maxsize=256)
def action(question: str) -> str:
    """What "should we ...?" would have us do, without "we"; empty where the question is none of that form."""
    found = re.match(r"(?i)\W*(?:should|shall|must|can|could|do|would|may|ought)\s+we\s+(?:to\s+)?(.+?)\W*$", question)
    return "" if found is None else re.split(r"\s+or\s+not\b|[?;]", found[1])[0].strip(" ,.")


@lru_cache(maxsize=256)
def topics(question: str) -> tuple[str, ...]:
    """Noun phrases of a question, as they stand in it."""
    found: list[str] = []
    for part in re.split(r"[,;:?!.()\"“”]+(?:\s|$)", question):
        phrase: list[str] = []
        for word in [*re.findall(r"[\w’'.&/+-]+", part), "of?"]:
            low = word.casefold()
            opens = low in _lexicon("determiners")
            if (
                opens
                or low == "of?"
                or low in _lexicon("splits")
                or low in _lexicon("stops")
                or low in _lexicon("verbs")
            ):
                if low in _lexicon("articles") and len(phrase) > 2 and phrase[0].casefold() in _lexicon("determiners"):
                    phrase.pop()  # what stands between a noun phrase and the next determiner is a verb we do not know
                found.append(" ".join(phrase))
                # "More" and "any" belong to the sentence, not to the thing.
                phrase = [word] if opens and low not in _lexicon("amounts") else []
            else:
                phrase.append(word)
    kept = [text for text in found if text and stems(text) and len(text.split()) <= 5]
    return tuple(dict.fromkeys(kept)) or ("this choice",)


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "be")):
        return verb[:-1] + "ing"
    short = re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprtl]", verb) or verb in {"begin", "permit", "commit"}
    return verb + (verb[-1] if short else "") + "ing"


@lru_cache(maxsize=256)
def noun_of(option: str, *, quoted: bool) -> str:
    """An option in a form that fits where a noun does: "keeping the monolith", or the words in quotation marks."""
    head = re.split(r"[,;:(]|\s[–-]\s", option.strip().rstrip("."))[0].strip() or option
    words = head.split()
    verb = words[0].casefold()
    if not quoted and len(words) <= 7 and verb in _lexicon("verbs"):
        return " ".join((_gerund(verb), *words[1:]))
    return f"“{head if len(words) <= 7 else ' '.join(words[:6]) + ' …'}”"


@lru_cache(maxsize=64)
def _facts(name: str, text: str) -> tuple[tuple[str, str], ...]:
    found: list[tuple[int, str]] = []
    fenced = False
    for line in text[:_SEEN].splitlines():
        fenced ^= line.lstrip().startswith("```")
        if fenced or re.match(r"\s*(#|\||```|---|<|\[)", line):
            continue
        plain = re.sub(r"[*_`“”\"]|^\s*(?:[-+•>]|\d+[.)])\s+|\[([^\]]*)\]\([^)]*\)", r"\1", line).strip()
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", plain):
            size = len(sentence.split())
            if 4 <= size <= 22 and not sentence.endswith((":", "?")):
                rank = 0 if re.search(r"\d", sentence) else 1
                found.append((rank, sentence.rstrip(".!").strip()))
    # Sentences with numbers first: they are what a panel argues over.
    return tuple((name, fact) for _, fact in sorted(dict.fromkeys(found), key=lambda item: item[0]))


def facts(documents: Sequence[Document]) -> tuple[tuple[str, str], ...]:
    """Sentences worth citing, as (file, sentence): of each file in turn."""
    lists = [_facts(document.name, document.text) for document in documents]
    longest = max(map(len, lists), default=0)
    return tuple(found[number] for number in range(longest) for found in lists if number < len(found))


@lru_cache(maxsize=1)
def _stock() -> frozenset[str]:
    """Words of our own sentences: what a speaker said beyond them is its point."""
    frames = (text for name in ("speech", "talkback") for texts in data(name).values() for text in texts)
    return frozenset(word for text in frames for word in re.findall(r"[a-z]+", text.casefold()))


@lru_cache(maxsize=2048)
def points(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Runs of two or three words that carry what somebody said, the ones with its rarest words first."""
    stops, stock = _lexicon("stops"), _stock()
    known = {name.casefold() for name in names}
    found: dict[str, int] = {}
    for part in re.split(r"[;:?!()“”\"—–]+|[.,]+(?!\d)", text):
        run: list[str] = []
        for word in [*re.findall(r"[^\W_](?:[\w’'-]|[.,](?=\d))*", part), "the"]:
            low = word.casefold()
            if low in stops or re.sub(r"['’]s$", "", low) in known or re.fullmatch(r"[mp]\d+", low):
                if 2 <= len(run) <= 4:
                    run = run[-3:]
                    fresh = sum(each.casefold() not in stock for each in run)
                    if fresh >= 2:
                        found.setdefault(" ".join(run), fresh)
                run = []
            else:
                run.append(word)
    return tuple(sorted(found, key=lambda run: -found[run]))
