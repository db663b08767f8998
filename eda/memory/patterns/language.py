"""`Language`: what the code that reads messages looks for beside the patterns, as data of a pack.

An entry of a pack's `[language]` table is one of five kinds, told by the type of its field: an expression (a text, or a
list of alternatives between word boundaries), phrases (a list), words (a text, divided at white space), a table of
phrases, or words for moves (a table of lists). `default.toml` says what each entry is for.
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

Expression = re.Pattern[str]
Phrases = tuple[str, ...]
Words = frozenset[str]
Table = Mapping[str, str]
WordsByMove = Mapping[MoveKind, Phrases]


class Language:
    """The entries of `[language]`. An expression that EDA ships is compiled when it is first used."""

    cue_words: Words
    offices: Expression
    option_label: Expression
    option_words: Phrases
    number_words: Table
    letter_words: Phrases
    after_letter: Phrases
    counted_qualities: Phrases
    counted: Phrases
    before_figure: Phrases
    clause_breaks: Expression
    option_joints: Expression
    refuses: Expression
    conditions: Expression
    binding: Expression
    undecided: Expression
    tentative: Expression
    turns: Expression
    supposes: Expression
    reports: Expression
    imperatives: Words
    determiners: Words
    hollow_words: Words
    speaker: Expression
    before_option: Expression
    leads: Expression
    bare_option: Expression
    orders_option: Expression
    affirms: Expression
    takes_up: Expression
    gives_up: Expression
    it: Expression
    both: Expression
    content: Expression
    reasons: Expression
    adds: Expression
    only: Expression
    negations: Expression
    all_options: Expression
    all_but: Expression
    rejects: Expression
    chooses: Expression
    past: Expression
    asks: Expression
    others_want: Expression
    yields: Expression
    bare_yes: Expression
    offers: Expression
    first_person: Expression
    proposing_person: Expression
    amends: Expression
    amended_title: Expression
    replaces: Expression
    consensus_claim: Expression
    resolved_alone: Expression
    behind: Expression
    as_put: Expression
    turned_down: Expression
    dates: Expression
    takes: Expression
    search_stop_words: Words
    before_move_word: Phrases
    move_headings: Phrases
    move_labels: Phrases
    move_joints: Phrases
    id_nouns: Phrases
    which_text: Phrases
    json_lists: Phrases
    json_kinds: Phrases
    json_targets: Phrases
    json_texts: Phrases
    json_conditions: Phrases
    json_figures: Phrases
    text_of_member: Expression
    part_of_text: Expression
    text_above: Expression
    move_conditions: Expression
    side_taken_back: Expression
    claim_tags: Expression
    says_nothing: Expression
    move_template: Expression
    claims_agreement: Expression
    idle_tags: Expression
    courtesies: Expression
    tells_length: Expression
    denies_support: Expression
    denies_opposition: Expression
    refuses_named: Expression
    of_the_talk: Expression
    note_labels: Expression
    introduces: Expression
    of_ones_own: Expression
    seatless_roles: Phrases
    sign_offs: Phrases
    speaks_as_itself: Expression
    speaks_to_another: Expression
    asks_another: Expression
    spelled_figures: Phrases
    summary_headings: Words
    summary_heading: Expression
    told_of_one: Expression
    no_names: Words
    told_unsure: Expression
    asked_for_effect: Expression
    called_open: Expression
    closing_offers: Expression
    move_words: WordsByMove
    move_words_before_id: WordsByMove

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


_KINDS: dict[str, str] = Language.__annotations__  # by the name of the entry
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


def _plain(value: Expression | str | Phrases | Words | Table | WordsByMove) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    return value if isinstance(value, str | tuple | Mapping) else value.pattern
