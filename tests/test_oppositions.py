"""An opposition whose words end it: it counts as any other, and shows them."""

from folded import debated
from in_turn import in_one

from eda.memory import ConversationMemory
from eda.memory.context.acts import act_line
from eda.memory.table import Table, table_block
from eda.words import Words

OPTIONS = ("A borehole behind the shed", "Barrels at each plot")


def _said(message: str) -> ConversationMemory:
    return debated(("Ben", message.replace("|", "\n\n")), options=OPTIONS)


def _ends(message: str) -> list[tuple[str, str, bool]]:
    return [(act.kind, act.condition, act.counted) for act in _said(message).acts(1)]


@in_one(
    ("message", "ends"),
    [
        ("[OPPOSE o1] as long as the pump hums at night", "as long as the pump hums at night"),
        ("[OPPOSE o1] until three gauges have been read", "until three gauges have been read"),
        ("[OPPOSE o1] unless the mill signs", "unless the mill signs"),
        ("[OPPOSE o1 until the gauge is read]", "until the gauge is read"),
        ("[OPPOSE o1] no, unless the mill signs", "no, unless the mill signs"),
        ("[OPPOSE o1] I am against it if it costs more than a cart", "I am against it if it costs more than a cart"),
        ("[OPPOSE o1] The pump hums. Until it is wrapped I am against it.", "Until it is wrapped I am against it"),
        ("[OPPOSE o1] solange die Pumpe brummt", "solange die Pumpe brummt"),
        ("[OPPOSE o1] bis drei Pegel abgelesen sind", "bis drei Pegel abgelesen sind"),
        ("[OPPOSE o1] es sei denn, die Mühle unterschreibt", "es sei denn, die Mühle unterschreibt"),
        ("[OPPOSE o1] dagegen, solange die Pumpe brummt", "dagegen, solange die Pumpe brummt"),
        ("I oppose the borehole until three gauges have been read.|[OPPOSE o1]", "until three gauges have been read"),
        ("I am against o1 as long as the pump hums.|[OPPOSE o1] it is dear", "as long as the pump hums"),
        ("Solange die Pumpe brummt, lehne ich o1 ab.|[OPPOSE o1]", "Solange die Pumpe brummt"),
    ],
)
def test_an_opposition_has_the_words_that_end_it_and_counts_as_any_other(message: str, ends: str) -> None:
    """Who is against a text until something happens would be shown as against it for good."""
    assert _ends(message) == [("oppose", ends, True)]
    (text,) = [text for motion in _said(message).motions for text in motion.versions if text.id == "o1"]
    assert text.backers("oppose") == ("Ben",)


@in_one(
    "message",
    [
        # What is so whatever happens to the side.
        "[OPPOSE o1] it runs only if somebody cranks it all day",
        "[OPPOSE o1] when it rains the shed floods",
        "[OPPOSE o1] until ten at night the pump hums",
        "[OPPOSE o1] until nine in the evening six carts would stand in the mud, as they did last year",
        "[OPPOSE o1] if it stands open until May",
        "[OPPOSE o1] as long as I have lived here, the ground has sunk",
        "[OPPOSE o1] unless I am mistaken it costs a cart",
        "[OPPOSE o1] bis 20 Uhr ist es dort laut",
        # A head that is for it: the clause would say the opposite.
        "[OPPOSE o1] it is fine as long as it stays dry",
        "I could live with the borehole if the pump is wrapped.|[OPPOSE o1]",
        "I am not against the borehole as long as it is wrapped.|[OPPOSE o1]",
        # Somebody else's, of another text, and of the past.
        "Ada opposes the borehole until three gauges have been read.|[OPPOSE o1]",
        "I oppose the borehole and back the barrels as long as they stay small.|[OPPOSE o1]",
        "I opposed the borehole until Ada had read the gauge.|[OPPOSE o1]",
    ],
)
def test_a_reason_of_an_opposition_is_no_end_of_it(message: str) -> None:
    """A member would be shown as open to what it is against for good."""
    assert _ends(message) == [("oppose", "", True)]


def test_an_opposition_with_an_end_shows_it_in_the_line_and_on_the_table() -> None:
    """The reader would have the end among reasons, or, where the table stands beside the message, not at all."""
    memory = _said("I oppose the borehole until three gauges have been read.|[OPPOSE o1] it is dear")
    (act,) = memory.acts(1)
    assert act_line(act) == 'opposes o1, on a condition ("until three gauges have been read"): it is dear'
    assert act_line(act, Words("de")).startswith("ist gegen o1, unter einer Bedingung (")
    shown = "\n".join(table_block(Table(memory.motions, members=2, told_from=1)).lines)
    assert 'against 1: Ben (on a condition) "until three gauges have been read"' in shown
