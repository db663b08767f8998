"""Ballots that end in a courtesy or a name, beside refusals, or with names that titles have: none is guessed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from in_turn import in_one
from test_asked_again import held

from eda import Reply
from eda.debate.asking import read_vote
from eda.debate.tries import Tries
from eda.events import NONE, BallotText
from eda.runners.simulated.runner import SimulatedRunner

TEXTS = (
    BallotText(id="o1", motion="o1", text="Keep the kitchen as it is"),
    BallotText(id="p6.0", motion="p6", title="The long Friday", text="We cook on Friday until ten.", by="Hannes"),
    BallotText(id="p9.0", motion="p9", title="Normal Friday", text="We cook on Friday until eight.", by="Bert"),
    BallotText(id="p7.1", motion="p7", title="May opens early", text="In May the hall opens at six.", by="Omar Rose"),
    BallotText(id="p8.0", motion="p8", title="Rose garden", text="The roses get a fence.", by="May"),
)
MEMBERS = ("Hannes", "Bert", "Omar Rose", "May", "Quill")
MEMORY = held(SimulatedRunner()).memory
ASKED = None
READ: list[tuple[str, str, Any]] = [
    ("p6.0, o1\nEuer Hannes", "Hannes", ["p6.0", "o1"]),
    ("Zuerst p6.0, danach o1. Bewegt hat mich m3. Sonst nichts. Euer Hannes", "Hannes", ["p6.0", "o1"]),
    ("Meine Stimme:\n1. p9.0\n2. p8.0\n3. o1\nmoved_by: m11\nMahlzeit, Bert", "Bert", ["p9.0", "p8.0", "o1"]),
    ("p6.0, p9.0\nCheers, Omar", "Omar Rose", ["p6.0", "p9.0"]),
    ("p6.0, p9.0\nBest wishes", "Bert", ["p6.0", "p9.0"]),
    ("Good evening. I vote for p6.0 and p9.0 alike, they are the same to me. Hannes", "Hannes", [["p6.0", "p9.0"]]),
    ("Hannes: p9.0 first and o1 second. Moved by Bert in m9.", "Hannes", ["p9.0", "o1"]),
    ("**Quill:** I rank o1 first. p9.0 I refuse, there is no place in it, and p6.0 I refuse.", "Quill", ["o1"]),
    ("p6.0 and p9.0 alike, then o1. Moved by Bert in m9. Hannes", "Hannes", [["p6.0", "p9.0"], "o1"]),
    ("not p6.0, but p9.0\nCheers, Bert", "Bert", ["p9.0"]),
    ("p6.0, not p9.0. Best, Hannes", "Hannes", ["p6.0"]),
    ("none. Euer Hannes", "Hannes", NONE),
    ("abstain\nHannes", "Hannes", "abstain"),
    ("Anything but o1. Euer Hannes", "Hannes", [["p6.0", "p9.0", "p7.1", "p8.0"]]),
    ("p6.0, p9.0 – Hannes", "Hannes", ["p6.0", "p9.0"]),
    ("p6.0\nGood night and thanks for everything, Hannes", "Hannes", ["p6.0"]),
    ("o1\nOmar Rose", "Omar Rose", ["o1"]),
    ('Dear all:\n{"ranking": ["p9.0"], "reason": "Hannes is right."}\nYours, Bert', "Bert", ["p9.0"]),
]
HOSTILE: list[tuple[str, str, tuple[Any, ...]]] = [
    *((raw, "Hannes", ()) for raw in ("Hannes: o1, Bert: p7.1", "Hannes: o1\nBert: p7.1", "Quill: p9.0, then o1")),
    ("May: first, Bert: second", "May", (["p8.0", "p9.0"],)),
    ("anything but o1", "Hannes", ([["p6.0", "p9.0", "p7.1", "p8.0"]],)),
    ("All but p9.0. Thanks, Omar", "Omar Rose", ([["o1", "p6.0", "p7.1", "p8.0"]],)),
    *((raw, "Hannes", ()) for raw in ("not p6.0, p9.0", "not p6.0, p9.0\nHannes", "not o1. Hannes", "p6.0? Hannes")),
    ("neither p6.0 nor p9.0\nCheers, Omar", "Omar Rose", ()),
    ("p6.0 and p9.0 alike, not o1. Cheers, Quill", "Quill", ([["p6.0", "p9.0"]],)),
    ("p6.0 and p9.0 alike, o1", "Quill", ([["p6.0", "p9.0"], "o1"],)),
    ("p9.0, o1\nNot the long one, Hannes", "Hannes", (["p9.0", "o1"],)),
    ("p9.0, o1\nNever, Hannes", "Hannes", (["p9.0", "o1"],)),
    *(
        (f"p6.0, o1\n{end}", "Hannes", ())
        for end in ("On second thought no, Hannes", "No, Hannes", "Only if it rains, Hannes", "I abstain, Hannes")
    ),
    ("p6.0, o1\nYes, Hannes", "Hannes", (["p6.0", "o1"],)),
    *((raw, "May", (["o1", "p6.0"],)) for raw in ("o1, p6.0\nMay", "o1, p6.0\nMay first")),
    *(
        (f"o1{end}", "Hannes", (["o1", "p6.0"],))
        for end in (
            *("\nand Hannes", ",\nHannes", "\nthen Hannes", "\nHannes's", "\nHannes'", "! Vote Hannes!", "\n2. Hannes"),
            *("\nI support my own too, Hannes", "\nMine too, Hannes", "\nAlso Hannes", "\n> Hannes", "\n= Hannes"),
        )
    ),
    ("o1\nAlso May", "May", (["o1", "p8.0"],)),
    ("o1\nRose", "Omar Rose", (["o1"], ["o1", "p8.0"])),
    ("1. o1\n2. Hannes", "Hannes", (["o1", "p6.0"],)),
    ("1. o1 2. Hannes", "Hannes", (["o1", "p6.0"],)),
    ("- o1\n- Hannes", "Hannes", (["o1", "p6.0"],)),
    ("o1 > p9.0\n> Hannes", "Hannes", (["o1", "p9.0", "p6.0"],)),
    *((raw, "Hannes", (["p9.0", "o1"],)) for raw in ("Bert's, then o1. Hannes", "Bert, o1\nHannes")),
    ("Bert's first. Hannes", "Hannes", (["p9.0"],)),
    ("o1 and\nHannes", "Hannes", (["o1", "p6.0"],)),
    ("o1 or", "Hannes", ()),
    ("Bert, Hannes", "Hannes", (["p9.0", "p6.0"],)),
    ("- Bert\n- Hannes", "Hannes", (["p9.0", "p6.0"],)),
    *((raw, "Hannes", (["p6.0"],)) for raw in ("I vote for\nHannes", "Vote Hannes!", "Hannes")),
    ("p6.0\nNone of the others, Hannes", "Hannes", (["p6.0"],)),
    ("None of them, Hannes", "Hannes", (NONE,)),
    ("p6.0, p9.0\nOnly Fridays, Hannes", "Hannes", (["p6.0", "p9.0"],)),
    *(
        (f"p6.0\n{end}", "Hannes", ())
        for end in ("But the roses are better, Hannes", "Both Fridays, Hannes", "if Bert agrees. Hannes")
    ),
    ("p6.0\nAs Bert says, Hannes", "Hannes", (["p6.0"],)),
    ("p6.0 – or Bert", "Bert", (["p6.0", "p9.0"],)),
    ("p9.0, p6.0\n\nBest,\nThe long Friday man, Hannes", "Hannes", (["p9.0", "p6.0"],)),
    *(
        (f"p6.0, p9.0, o1\n\n{reason}", "Quill", ())
        for reason in ("No Fridays though.", "Fridays never.", "Only if Fridays stay.", "Wait, Fridays cost us a lot.")
    ),
    *((f"p6.0, p9.0\n\n{reason}", "Quill", ()) for reason in ("Sorry, I meant the roses.", "Actually o1.")),
    ("p6.0, o1\n\nI like Fridays too.", "Quill", ()),
    ("p6.0, p9.0\n\nI accept the roses too.", "Quill", (["p6.0", "p9.0", "p8.0"],)),
    ("p6.0, p9.0, p8.0\n\nRoses before Fridays.", "Quill", ()),
    ("p6.0 > p9.0. Moved by m6. The roses come first.", "Quill", ()),
    ("p6.0 > p9.0. Moved by m6. I refuse the roses.", "Quill", (["p6.0", "p9.0"],)),
]


def read(raw: str, who: str) -> Any:
    """Return the ranks of ids that a ballot is read as, `none`, `abstain`, or ASKED."""
    personas = {name: SimpleNamespace(role="member") for name in MEMBERS}
    prompts: Any = SimpleNamespace(state=SimpleNamespace(personas=personas), memory=MEMORY)
    fields, wrong = Tries(lambda each: read_vote(each.data, each.text, TEXTS), TEXTS, prompts, who).read(Reply(raw))
    if fields is None or wrong:
        return ASKED
    ids = {each.text: each.id for each in TEXTS}
    ranks = [ids[each] if isinstance(each, str) else [ids[text] for text in each] for each in fields["ranking"]]
    return ranks or fields["choice"] or "abstain"


@in_one(("raw", "who", "meant"), READ)
def test_a_last_line_with_one_s_own_name_and_no_vote_is_none(raw: str, who: str, meant: Any) -> None:
    """ "Euer Hannes" and "... in m9. Pelle" had a clear ballot asked again."""
    assert read(raw, who) == meant


@in_one(("raw", "who", "meant"), HOSTILE)
def test_a_name_a_refusal_or_a_reason_makes_no_other_vote(raw: str, who: str, meant: tuple[Any, ...]) -> None:
    """ "o1\\nMine too, Hannes" was a vote for o1 alone, "not o1. Hannes" one for the text of Hannes."""
    assert read(raw, who) in (ASKED, *meant)
