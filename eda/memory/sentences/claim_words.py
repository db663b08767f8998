"""The expressions by which claims are read, of each language: data in `claims.toml`, compiled once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

OWNS = r"(?:'?s\b|'(?!\w))"
"""What makes a name possessive."""


class ClaimWords:
    """The expressions of a language."""

    def __init__(self, table: dict[str, Any]) -> None:
        between = table["between"]
        adverbs, before = _of_list(between["adverbs"]), _of_list(between["before_text"])
        negations = any_of(between["negations"])
        self._adverb = adverbs
        self.entities = {key: self._read(rf"(?<!\w){any_of(ways)}(?!\w)") for key, ways in table["entities"].items()}
        kinds = (f"(?P<{kind}>{any_of(ways)})" for kind, ways in table["verbs"].items())
        self.verb = self._read(rf"\b(?:{'|'.join(kinds)})(?!\w)")
        self.rules = [(kind, self._read(way)) for kind, ways in table["rules"].items() for way in ways]
        self.counts = [self._read(way) for way in table["votes"]["counts"]]
        known = rf"(?:\s|{adverbs}\b|{negations}\b|‹[BM]\d+›|{any_of(between['at'])} (?=‹[BM])|[,()])"
        self.filler = self._read(rf"{known}*")
        self.gap = self._read(rf"(?:\s|{before}\b|{any_of(between['joins'])}\b|‹W\d+›{OWNS}?|‹[BMN]\d+›|[,:(])*(?=‹T)")
        self.articles = _of_list(between["articles"])
        listed = rf"[\s,]*(?:,|{any_of(between['joins'])})\s+(?:{_of_list(between['listed'])}\s+|‹W›{OWNS}?\s*)*$"
        self.listed = self._read(listed)
        self.starts = self._read(rf"(?:[,;(]|\b{any_of(between['starts'])}\b){known}*$")
        self.hedge = self._read(rf"\b{_of_list(between['hedges'])}\b")
        self.denied_after: bool = between.get("denied_after", False)
        self.negation = self._read(rf"\b{negations}\b")
        self.passive = self._read(rf"\b{between['passive']}\s*$")
        self.breaks = self._read(rf";|\b{any_of(between['breaks'])}\b")
        self.by = self._read(rf"\s*(?:{adverbs}\s)*{between['by']}\s+(?=‹W)")
        orders = (rf"\b(?P<{way}>{any_of(ways)})\b" for way, ways in table["sequence"].items())
        self.sequence = self._read("|".join(orders))
        self.be = self._read(between["passive"].split(")")[0] + ")\\b")
        self.group = self._read(rf"(‹but› )?‹W›(?:(?:, |,? {any_of(between['pairs'])} )‹W›)*(?!{OWNS})")
        self.oblique = self._read(rf"\b{any_of(between['oblique'])}\s*$")
        self.message = re.compile(rf"(?<![\w.@]){any_of(between['message'])}(\d{{1,6}})\b")
        self.relative = self._read(rf"(‹T\d+›),? {between['relative']} $")

    def _read(self, way: str) -> re.Pattern[str]:
        known = rf"(?:{self._adverb}|the|a|his|her|their|own|‹W\d+›{OWNS}?)"
        marks = re.sub("‹([WTMBN])›", lambda match: rf"‹{match[1]}\d+›", way.replace("‹A›", known))
        return re.compile(marks.replace(".s", OWNS), re.IGNORECASE)


def any_of(ways: Iterable[str]) -> str:
    """Return an expression for any of some, the longest first."""
    return f"(?:{'|'.join(sorted(ways, key=len, reverse=True))})"


def _of_list(words: str) -> str:
    return any_of(map(re.escape, words.split()))


@cache
def claim_words() -> tuple[ClaimWords, ...]:
    """Return the expressions of each language that is read, English first."""
    tables = tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf8"))
    return tuple(ClaimWords(table) for table in tables.values())
