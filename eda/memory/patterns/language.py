"""`Language`: what the code that reads messages looks for beside the patterns, as data of a pack.

An entry of a pack's `[language]` table is one of five kinds: an expression (a text, or a list of alternatives between
word boundaries), phrases (a list), words (a text, divided at white space), a table of phrases, or words for moves (a
table of lists). `default.toml` says what each entry is for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from pydantic import TypeAdapter

from eda.errors import PatternError, nearest
from eda.events.records import MoveKind
from eda.memory.patterns.pattern import Engine, compile_expression

Phrases = tuple[str, ...]
WordsByMove = Mapping[MoveKind, Phrases]

_NAMES = {
    "Words": """
        cue_words imperatives determiners hollow_words search_stop_words summary_headings no_names
    """,
    "Expression": """
        offices option_label clause_breaks option_joints refuses conditions binding undecided tentative turns
        supposes reports speaker before_option leads bare_option orders_option affirms takes_up gives_up it both
        content reasons adds only negations all_options all_but rejects chooses past asks others_want yields
        bare_yes offers first_person proposing_person amends amended_title replaces consensus_claim
        resolved_alone behind as_put turned_down dates takes text_of_member part_of_text text_above
        move_conditions side_taken_back claim_tags says_nothing move_template claims_agreement idle_tags
        courtesies tells_length denies_support denies_opposition refuses_named of_the_talk note_labels
        introduces of_ones_own speaks_as_itself speaks_to_another asks_another summary_heading told_of_one
        told_unsure asked_for_effect called_open closing_offers
    """,
    "Phrases": """
        option_words letter_words after_letter counted_qualities counted before_figure before_move_word
        move_headings move_labels move_joints id_nouns which_text json_lists json_kinds json_targets json_texts
        json_conditions json_figures seatless_roles sign_offs spelled_figures
    """,
    "Table": "number_words",
    "WordsByMove": "move_words move_words_before_id",
}
_KINDS = {name: kind for kind, names in _NAMES.items() for name in names.split()}  # by the name of the entry


class Language:
    """The entries of `[language]`, each an attribute. An expression that EDA ships is compiled when first used."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.entries = entries
        """Each by its name, of those that EDA ships an expression as a text."""

    def __getattr__(self, name: str) -> Any:
        """Return an entry that is used for the first time."""
        if name not in _KINDS:
            raise AttributeError(name)
        value = self.entries[name]
        if isinstance(value, str):
            value = re.compile(value, re.IGNORECASE)
        setattr(self, name, value)
        return value

    def is_chair(self, name: str) -> bool:
        """Return whether a name is that of an office that leads a discussion and takes no side by itself."""
        return self.offices.search(name) is not None

    def to_json(self) -> dict[str, Any]:
        """Return the content of each entry in plain JSON types."""
        return {name: _plain(self.entries[name]) for name in _KINDS}


def read_language(table: object, engine: Engine, source: str) -> dict[str, Any]:
    """Return the entries of a `[language]` table, or raise PatternError. RE2 compiles expressions, `re` when needed."""
    if not isinstance(table, dict):
        raise PatternError(f"{source}: language must be a table")
    entries: dict[str, Any] = {}
    for name, value in table.items():
        where = f"{source}: language entry {name!r}"
        if name not in _KINDS:
            close = [_RENAMED[name]] if name in _RENAMED else nearest(name, _KINDS)
            raise PatternError(f"{where}: unknown", hint=f"Did you mean {close[0]}?" if close else "")
        try:
            content = _read(_KINDS[name], value)
        except ValueError:
            raise PatternError(f"{where}: must be {_MUST_BE[_KINDS[name]]}") from None
        if _KINDS[name] == "Expression" and engine == "re2":
            content = compile_expression(content, engine, where, re.IGNORECASE)
            if content.groups < _GROUPS.get(name, 0):
                raise PatternError(f"{where}: must have a group", hint="A group is a part in round brackets, as (x).")
        entries[name] = content
    return entries


def with_inherited(own: dict[str, Any], default: Language) -> dict[str, Any]:
    """Return a pack's entries with the default's words for the kinds of moves left out; one word, one kind."""
    whole = dict(own)
    for name in own.keys() & {name for name, kind in _KINDS.items() if kind == "WordsByMove"}:
        taken = {word for words in own[name].values() for word in words}
        inherited = {kind: tuple(w for w in words if w not in taken) for kind, words in getattr(default, name).items()}
        whole[name] = inherited | own[name]
    return whole


def _read(kind: str, value: object) -> Any:
    """Return a value of TOML as an entry of a kind; ValueError where it is none."""
    content: Any = _adapter(kind).validate_python(value)
    if kind == "Expression" and isinstance(content, tuple):
        return rf"\b(?:{'|'.join(content)})\b"
    if kind == "WordsByMove":
        words = [word.strip().casefold() for phrases in content.values() for word in phrases]
        if "" in words or len({*words}) < len(words):
            raise ValueError("a word is empty, or there for two kinds of moves")
    return frozenset(content.split()) if kind == "Words" else content


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(_TOML[kind])


_GROUPS = {"option_label": 1, "amended_title": 1, "summary_heading": 1}  # groups that it must have
_RENAMED = {
    "option_negated": "refuses",
    "option_outdone": "refuses",
    "option_dropped": "refuses",
    "drops_options": "refuses",
    "hypothesis": "conditions",
    "reported": "reports",
}  # For each entry of older packs that is gone: the entry that does its work.
_TOML: Mapping[str, Any] = {
    "Expression": str | Phrases,
    "Phrases": Phrases,
    "Words": str,
    "Table": dict[str, str],
    "WordsByMove": dict[MoveKind, Phrases],
}
_MUST_BE = {
    "Expression": "a regular expression or a list of alternatives",
    "Phrases": "a list of texts",
    "Words": "a text of words",
    "Table": "a table of texts",
    "WordsByMove": f"a table of lists of words, each word once, by kind of move: {', '.join(get_args(MoveKind))}",
}


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    return value if isinstance(value, str | tuple | Mapping) else value.pattern
