"""`Language`: what the code that reads messages looks for beside the patterns, as data: `language.toml`.

An entry is one of five kinds: an expression (a text, or a list of alternatives between word boundaries), phrases (a
list), words (a text, divided at white space), a table of phrases, or words for moves (a table of lists).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eda.events import MoveKind
from eda.text import plain_low, regex, sentences

Phrases = Sequence[str]
WordsByMove = Mapping[MoveKind, Phrases]

_NAMES = {
    "Words": """
        cue_words imperatives determiners hollow_words search_stop_words
    """,
    "Expression": """
        offices option_label clause_breaks option_joints refuses conditions binding undecided tentative turns
        supposes reports speaker before_option leads bare_option orders_option affirms takes_up gives_up it both
        content reasons adds only negations all_options all_but rejects chooses past asks others_want yields
        bare_yes offers first_person proposing_person amends amended_title replaces consensus_claim
        resolved_alone behind as_put turned_down dates takes text_of_member part_of_text text_above own_text takes_back
        move_reasons move_doubts side_taken_back claim_tags says_nothing move_template claims_agreement says_decided
        hedges idle_tags courtesies tells_length denies_support denies_oppose denies_withdraw hesitates
        refuses_named note_labels introduces of_ones_own speaks_as_itself speaks_to_another
        asks_another asked_for_effect called_open closing_offers closes_text own_experience denies_tag own_side
        means_instead reported unsays corrects denies_agreement
    """,
    "Phrases": """
        option_words letter_words after_letter counted_qualities counted before_figure before_move_word
        move_headings move_labels move_joints id_nouns which_text json_lists json_kinds json_targets json_texts
        json_conditions json_titles json_figures seatless_roles sign_offs
    """,
    "Table": "number_words",
    "WordsByMove": "move_words move_words_before_id",
}


_READ: Mapping[str, Callable[[Any], Any]] = {
    "Words": lambda value: frozenset(value.split()),
    "Expression": lambda value: regex(
        "".join(map(str.strip, value.splitlines())) if isinstance(value, str) else rf"\b(?:{'|'.join(value)})\b", "I"
    ),
    "Phrases": tuple,
    "Table": dict,
    "WordsByMove": dict,
}
_READ_BY = {name: _READ[kind] for kind, names in _NAMES.items() for name in names.split()}


class Language:
    """The entries of `language.toml`, each an attribute, which is read when it is first used."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.entries = entries

    def __getattr__(self, name: str) -> Any:
        """Return an entry that is used for the first time."""
        if name not in _READ_BY:
            raise AttributeError(name)
        value = _READ_BY[name](self.entries[name])
        setattr(self, name, value)
        return value

    def is_chair(self, name: str) -> bool:
        """Return whether a name is that of an office that leads a discussion and takes no side by itself."""
        return self.offices.search(name) is not None

    def text_alone(self, text: str) -> str:
        """Return a text that is put without the courtesies, and the question to all, that close it.

        Behind a question, or where a quotation ends in it, such a sentence belongs to the text.
        """
        plain = plain_low(text)
        spans, end = sentences(plain), len(text)
        while len(spans) > 1 and self.is_courtesy(plain[slice(*spans[-1])]):
            spans, end = spans[:-1], spans[-2][1]
        return text if plain[:end].endswith("?") or '"' in plain[end:] else text[:end]

    def denies(self, kind: str, text: str) -> bool:
        """Return whether the text of a move of a `kind` begins by denying its tag, or by asking whether it is meant."""
        kinds = ("tag", *{kind} & {"support", "oppose", "withdraw"})
        return any(getattr(self, f"denies_{each}").match(plain_low(text).lstrip(" *_`")) for each in kinds)

    def strikes(self, sentence: str, *, sides: bool = False) -> bool:
        """Return whether a sentence takes back what stands above it, and says nothing else but what was meant.

        "I take that back" does where `sides` alone stand there.
        """
        taken = self.denies_tag.match(said := plain_low(sentence).lstrip(" *_`("))
        # No quotation, nothing struck out, no question.
        own = sentence.lstrip(" *_`(")[:1].isalpha() and not said.endswith(("?", "~~"))
        alone = taken is not None and self.means_instead.fullmatch(said, taken.end()) is not None
        return own and (alone or (sides and self.unsays.fullmatch(said) is not None))

    def is_courtesy(self, text: str) -> bool:
        """Return whether a text is nothing but a courtesy, or a question to all, as may close a text that is put."""
        return any(each.fullmatch(plain_low(text)) for each in (self.courtesies, self.closes_text))
