"""What a member takes back in words alone: it is asked about where its own text, or one that it stands on, is named."""

from folded import debated
from in_turn import in_one

from eda.debate.prompts.withdrawals import bears_out_withdrawal, taken_back

OPTIONS = ("Sell the cellar", "Rain barrels at each plot")
TALK = (
    ("Ada", "[PROPOSE Square] We sing on the square in June."),
    ("Ben", "[PROPOSE Three coach evenings] A coach comes for three rehearsals.\n\n[SUPPORT o2] dry\n[OPPOSE o1] damp"),
    ("Eva", "[PROPOSE Suppenabende im Gasthof] Vier Freitage lang gibt es Suppe."),
)


def _taken_back(who: str, said: str) -> list[str]:
    memory = debated(*TALK, (who, f"It rains.\n\n{said}\n\n[SUPPORT p1.0] cheap"), options=OPTIONS)
    return [each for each, _ in taken_back(who, 4, memory)]


@in_one(
    ("who", "said"),
    [
        ("Ben", "I take my three evenings off the table, they cost too much."),
        ("Ben", "My coach I take off the table."),
        ("Ben", "The evenings are off the table, I take them back."),
        ("Ben", "I'm taking the coach off the table."),
        ("Ben", "My coach can go."),
        ("Ben", "Mine can go in the bin, then."),
        ("Ben", "You can bin my p2.0."),
        ("Ben", "My coach evenings I hereby retire."),
        # A condition, or a side, that it set in words.
        ("Ben", "The clause I put on the barrels, a lid, I take back."),
        ("Ben", "What I held against the cellar I take back."),
        ("Eva", "Meine Suppenabende können weg."),
        ("Eva", "Meine Suppenabende nehme ich vom Tisch."),
        ("Eva", "Die Suppenabende sind vom Tisch."),
        ("Eva", "Den Gasthof lasse ich also fallen."),
        ("Eva", "Die Suppenabende ziehe ich zurück."),
    ],
)
def test_what_words_of_ones_own_text_take_back_is_asked_about(who: str, said: str) -> None:
    """Nobody would be asked, and a text that its author gave up would stand on the ballot."""
    assert _taken_back(who, said) == [said]


@in_one(
    ("who", "said"),
    [
        ("Ben", "My coach evenings are not off the table."),
        ("Ben", "Nothing is off the table."),
        ("Ben", "Mine can go first."),
        ("Ben", "Mine can go on the ballot."),
        ("Ben", "My evenings go now to the singers."),
        ("Ben", "I retire at nine, and the coach stays."),
        ("Ben", "I take my tools off the table."),
        ("Ben", "I take the square off the table."),
        ("Ben", "Ada takes her square off the table."),
        ("Ben", "I take the barrels back to the shed."),
        ("Ben", "The coach takes his chair off the table."),
        ("Ben", "The evenings with a coach cost little."),
        ("Ada", "I take the coach off the table."),
        ("Eva", "Meine Suppenabende sind nicht vom Tisch."),
        ("Eva", "Den Platz lasse ich fallen."),
        ("Ada", "Die Suppenabende nehme ich vom Tisch."),
    ],
)
def test_what_takes_nothing_of_ones_own_back_is_not_asked_about(who: str, said: str) -> None:
    """Each question costs a call, and what another holds is nobody else's to take back."""
    assert _taken_back(who, said) == []


def test_words_of_one_text_bear_out_no_withdrawal_of_another() -> None:
    """Who took its evenings back in words, and answered the form with the wrong id, lost the other text."""
    memory = debated(
        ("Ben", "[PROPOSE Coach evenings] A coach comes for three rehearsals.\n\n[PROPOSE Stove] We buy a stove."),
        ("Ben", "My coach evenings are off the table."),
    )
    own = [memory.parts.messages.message(2)]
    assert [bears_out_withdrawal(name, "", own, memory) for name in ("p1", "p1.1")] == [True, False]
