"""Ballots in any form: read where they have one reading, else asked about."""

from __future__ import annotations

import json
from itertools import product
from time import process_time
from typing import Any

import pytest
from hypothesis import given, strategies as st
from in_turn import each_other, in_one

import eda
from eda import BallotRead
from eda.events import MAX_MESSAGE
from eda.voting.ballot_reader import said_beside
from eda.voting.mentions import texts_of

TABLE = [
    {"id": "o1", "letter": "A", "title": "Plant an oak", "text": "We plant an oak by the gate.", "by": "Edda Marsh"},
    {"id": "o2", "letter": "B", "title": "Oak and limes", "text": "We plant an oak and two limes.", "by": "Jory"},
    {"id": "p3.0", "letter": "C", "title": "Frog pond", "text": "The yard becomes a pond for frogs.", "by": "Ilse"},
    {"id": "p3.1", "letter": "D", "title": "Fenced pond", "text": "A pond with a fence around it.", "by": "Ilse"},
    {
        "id": "p9.0",
        "letter": "E",
        "title": "Drains before trees",
        "text": "First the drains are repaired.",
        "by": "Otis",
    },
]
IDS = [text["id"] for text in TABLE]


def read(raw: str, texts: list[dict[str, str]] = TABLE) -> Any:
    """The accepted texts, `none`, `abstain`, or the kind of the doubt in a set."""
    ballot = eda.read_ballot(raw, texts)
    if ballot.ask:
        assert (ballot.accepts, ballot.none, ballot.abstain) == ([], False, False)
        return {ballot.ask.kind}
    return "none" if ballot.none else "abstain" if ballot.abstain else ballot.accepts


PLANS = [{"id": f"o{at}", "text": text} for at, text in enumerate(("B) a box", "A) a shed", "a fence"), 1)]


@in_one(
    ("raw", "accepts", "shown"),
    [
        ("A, then B", ["o2", "o1"], ""),
        ("o3, then A", ["o3", "o2"], ""),
        ("o3, then C", {"unknown"}, ""),
        ("C", ["o3"], "ABC"),
        ("A", {"two texts"}, "ABC"),
        ("A", ["o2"], "BAC"),
        *((raw, {"two votes"}, "BAC") for raw in ("C, o3", "o3 then C", "o2, o3, C", '["o3", "C"]', "o3 and C")),
        *((raw, ["o3"], "BAC") for raw in ("C. o3", "o3 (C)", "o3: a fence")),
    ],
)
def test_a_letter_names_a_text_where_it_is_its_label_or_was_shown_beside_it(raw: str, accepts: Any, shown: str) -> None:
    """A letter that names a text a second time in a list was meant for another one."""
    assert read(raw, [{**each, "letter": shown[at : at + 1]} for at, each in enumerate(PLANS)]) == accepts


LISTS = {
    "Thanks. Having considered the reasons, my final vote is p9.0": ["p9.0"],
    "My vote, friends: p9.0 then o1": ["p9.0", "o1"],
    "Leute, p9.0 vor o1": ["p9.0", "o1"],
    "Dear all, C, then A": ["p3.0", "o1"],
    "Liebe Kollegen: C": ["p3.0"],
    "1. p9.0\n2. o1": ["p9.0", "o1"],
    "p9, o1": ["p9.0", "o1"],
    "I accept: p9.0, o1, o2.": ["p9.0", "o1", "o2"],
    "E then B": ["p9.0", "o2"],
    "C>A": ["p3.0", "o1"],
    "b d": ["o2", "p3.1"],
    "🅱️ then 🅰️": ["o2", "o1"],
    "Here is my ballot:\n\n1. **p3.0** – Frog pond\n2. **o1** – it is cheap and it lasts\n\nI refuse the rest.": [
        "p3.0",
        "o1",
    ],
    "2. o1\n1. o2": ["o2", "o1"],
    "lake first": {"other words"},
    "ausschließlich E": ["p9.0"],
    "A, anschliessend E": ["o1", "p9.0"],
    "A, anschließend E": ["o1", "p9.0"],
    "alle außer C": [["o1", "o2", "p3.1", "p9.0"]],
    "frogs 1st, drains 2nd": ["p3.0", "p9.0"],
    "First: o2. Second: Frog pond": ["o2", "p3.0"],
    "C 1, A 2": ["p3.0", "o1"],
    "Otis, otherwise Jory": ["p9.0", "o2"],
    "Zuerst o2, danach C. Den Rest lehne ich ab.": ["o2", "p3.0"],
    "d'abord A, puis D": ["o1", "p3.1"],
    "E first. Second nothing.": ["p9.0"],
    "what Otis wrote, Jorys idea as a backup": ["p9.0", "o2"],
    "1. limes 2. drains": ["o2", "p9.0"],
    "1st choice: Frog pond\n2nd choice: Oak and limes": ["p3.0", "o2"],
    "1. **Frog pond** – lively, needs no money\n2. **o1**": ["p3.0", "o1"],
    "Meine Stimme gebe ich o2, zur Not C. Den Rest lehne ich ab.": ["o2", "p3.0"],
    "primero la D y después la C, los demás no": ["p3.1", "p3.0"],
    "Prima o2, poi E": ["o2", "p9.0"],
    "primeiro a C, depois a B, mais nenhuma": ["p3.0", "o2"],
    "eerst o2, daarna o1, de rest niet": ["o2", "o1"],
    "najpierw o2, potem o1": ["o2", "o1"],
    "| # | ID | Reason |\n|--|--|--|\n| 1 | o2 | if it lives |\n| 2 | o1 | ok |": [
        "o2",
        "o1",
    ],
    "<ballot>\n<accept>o2</accept><accept>o1</accept><reject>p3.0</reject></ballot>": ["o2", "o1"],
    "Ilse's, the fenced one": ["p3.1"],
    "Ilse's, then the fenced one": {"two texts"},
    "I could say C > A. But trees take time.\n\nVOTE: A, C": ["o1", "p3.0"],
}
REFUSALS = {
    "o2 ja, o1 nehme ich nicht an": ["o2"],
    "zuerst o2, dann p3.0; o1 akzeptiere ich nicht": ["o2", "p3.0"],
    "o1 kommt für mich nicht in Frage, ich stimme für o2.": ["o2"],
    "E first. I do not find A, B or D acceptable": ["p9.0"],
    "Best: E. Acceptable: A, B. Unacceptable: C": ["p9.0", "o1", "o2"],
    "Accept:\n- o1\n- o2\n\nReject:\n- p3.0\n- p3.1": ["o1", "o2"],
    "C and D are unacceptable; A then E": ["o1", "p9.0"],
    "I support C. D I oppose.": ["p3.0"],
    "not A but B": ["o2"],
    "neither A nor B, only C": ["p3.0"],
    "anything but D": [["o1", "o2", "p3.0", "p9.0"]],
    "not A": {"no vote"},
    "A. B, D and E are not acceptable.": ["o1"],
    "B, D, E: rejected. A": ["o1"],
    "I accept A and reject B, C and D": ["o1"],
    "A, B no": ["o1"],
    "E over A; none of the others is acceptable": ["p9.0", "o1"],
    "I rank o1 over C and reject o2, p3.1 and p9.0.": ["o1", "p3.0"],
    "A is fine. I prefer B": {"no order"},
    "A and B tied. B is best": {"two votes"},
    "Both A and B are acceptable; I prefer B": {"no order"},
    "E first, the rest is fine, not C": {"other words"},
    "A would be fine, the rest is not": ["o1"],
    "B, A. C over my dead body": ["o2", "o1"],
    "## My vote\n- o2\n- p9.0\n\n## Not acceptable\n- o1: too big\n- p3.0: too wet": ["o2", "p9.0"],
    "not A, B": {"other words"},
    "A, not B, C": {"other words"},
    "I accept o1. I reject o1 and o2.": {"refuses"},
    "o1 is not a bad idea": {"other words"},
    "A over B": {"no order"},
    "A over B, both ok": ["o1", "o2"],
    "o2 over p9.0. I reject the rest.": ["o2", "p9.0"],
    "1. p9.0\n2. o2\n3. o1\n4. p3.0\nI only accept the first two.": {"other words"},
    "My vote is p9.0. I could also live with o2. The remaining texts I reject.": ["p9.0", "o2"],
    "Ich stimme fuer p9.0, danach o2.": ["p9.0", "o2"],
    "1. p9.0\n2. o2\nThe second is not acceptable.": {"other words"},
    "I accept o2 or p9.0, but o1 ok": {"no order"},
    "I refuse A, B, C, D and E": "none",
}
TIES = {
    "A and E level at the top": [["o1", "p9.0"]],
    "all of them are fine, best is B": {"no order"},
    "C=A>E": [["p3.0", "o1"], "p9.0"],
    "B and C equal first, then E": [["o2", "p3.0"], "p9.0"],
    "o1 & o2 tied": [["o1", "o2"]],
    "o1 and o2 alike, then C": [["o1", "o2"], "p3.0"],
    "o1 = o2 equally": [["o1", "o2"]],
    "o1 = o2 equally, C": [["o1", "o2"], "p3.0"],
    "C, o1 = o2 equally": ["p3.0", ["o1", "o2"]],
    "o1 and o2 equally, C": {"no order"},
    "o1 and o2 equally, not C": [["o1", "o2"]],
    "o1, o2 and C equally": [["o1", "o2", "p3.0"]],
    "o1 or C, dont mind which": [["o1", "p3.0"]],
    "A: yes\nB: no\nC: yes": [["o1", "p3.0"]],
    "o1 ✅\no2 ❌\np9.0 ✅ (favourite)": ["p9.0", "o1"],
    "[x] o1\n[ ] o2\n[x] p9.0": [["o1", "p9.0"]],
    "A and B": {"no order"},
    "A ok, then B ok": ["o1", "o2"],
    "D and A tied, B next": [["p3.1", "o1"], "o2"],
    "1. o2 = o1 (tied)\n2. p9.0": [["o2", "o1"], "p9.0"],
}
NOTHING = {
    "Since the yard is leased, I accept none": "none",
    "none of the arguments convince me, so B": {"two votes"},
    "none": "none",
    "none of them, they all cost too much": "none",
    "keine davon": "none",
    "I accept none. Each pond brings gnats and mud.": "none",
    "abstain": "abstain",
    "i'll sit this one out": "abstain",
    "Ich enthalte mich.": "abstain",
    "I won't abstain": {"no vote"},
    "not none": {"other words"},
    "none. but A": {"two votes"},
}
REASONS = {
    "1. p3.0\n2. p3.1\n3. o1\nMoved by m6. Ponds cost us nothing.": ["p3.0", "p3.1", "o1"],
    "C, D\n\nPonds are what the children ask for.": ["p3.0", "p3.1"],
    **{f"p3.0, p3.1\n\n{end}": {"refuses"} for end in ("No ponds though.", "Ponds never.")},
    "p3.0, p3.1\n\nI want nothing of ponds.": {"two texts"},
    "p3.0, p3.1\n\nOnly if the ponds are fenced.": {"on a condition"},
    "p3.0, o1\n\nPonds are what the children ask for.": {"two texts"},
    "p3.0, p3.1\n\no1 is what the children ask for.": {"other words"},
    "Oak and limes, p3.0, p3.1\n\nOaks and ponds are what I live for.": {"two texts"},
}
DOUBTS = {
    "ich nehme o1 nicht an": "no vote",
    "o1 nehme ich nicht an und o2 auch nicht": "other words",
    "o1 is fine not great": "other words",
    "": "no vote",
    "bad": "other words",
    "Losers, p9.0, o1": "other words",
    "friends, then o1": "other words",
    "Not today, friends: p9.0": "other words",
    "F then A": "other words",
    "G": "other words",
    "p12.0 then o1": "unknown",
    "a e c": "unknown",
    "Ilse": "two texts",
    "the pond": "two texts",
    "o3 (option C)": "unknown",
    "p3.0 (option B)": "two texts",
    "A if the gate stays": "on a condition",
    "A, wenn das Tor bleibt": "on a condition",
    "C once it is paid": "on a condition",
    "A, but the gate has to be locked": "on a condition",
    "A, aber das Tor muss zu sein": "on a condition",
    "A (must be locked)": "on a condition",
    "Should we take A?": "question",
    "A 7, B 3": "no order",
    "A: 3, B: 9": "scores unsaid",
    "A < B": "no order",
    "worst: A, best: C": "other words",
    "last: o1, first: o2": "no order",
    "o1, o2 first": "no order",
    "Everyone likes o1; I don't.": "other words",
    "I was for o1, now for o2": "other words",
    "o1 is a terrible idea": "other words",
    "everyone but Ilse wants o1": "two texts",
    "o2 instead of o1": "other words",
    "Problems with these:\n- o1\n- o2": "other words",
    "vote: o2\nvote: o1": "two votes",
    "accept: o1\nreason: I accept it provided that the gate is paid": "on a condition",
    "| ID | accept |\n|--|--|\n| o1 | yes |\n| o2 | no |\nOnly if it is paid.": "on a condition",
    "the first one is awful": "other words",
    "A then B. Actually C": "two votes",
    "E, after that D, and then": "other words",
    "I could vote A but I must say E": "two votes",
    "I accept all but p9.0, o2 first": "other words",
    "I take B, Frog pond": "two texts",
    "The texts:\n" + "\n".join(f"{each['letter']}. {each['title']} ({each['id']})" for each in TABLE): "no vote",
}
CORRECTIONS = {
    "A... no wait, B": ["o2"],
    "A then B, no wait, B then A": ["o2", "o1"],
    "vote: o2\nfinal vote: o1": ["o1"],
    "Choice: o2\nRanking: o2, o1": ["o2", "o1"],
}
DATA = {
    '{"choice": "Plant an oak", "ranking": ["o1", "C"], "confidence": 0.8, "reason": "not B"}': ["o1", "p3.0"],
    '```json\n{"vote": ["C", "A"]}\n```\nTell me if I can help.': ["p3.0", "o1"],
    "{'choice': 'p9.0', 'ranking': ['p9.0', 'o2',], 'reason': 'Travel isn't it'}": ["p9.0", "o2"],
    '{"ranking": [{"id": "o1", "rank": 2}, {"id": "o2", "rank": 1}]}': ["o2", "o1"],
    '{"1st": "o2", "2nd": "o1", "third": null, "unacceptable": "p3.0"}': ["o2", "o1"],
    '{"o1": true, "o2": false, "p3.0": true}': [["o1", "p3.0"]],
    '{"o1": "yes", "o2": "no"}': ["o1"],
    '{"o1": "✅", "o2": "not accepted", "p3.0": "❌"}': ["o1"],
    '{"o1": {"accept": true, "rank": 2}, "o2": {"accept": true, "rank": 1}, "C": {"accept": false}}': ["o2", "o1"],
    '{"ranks": {"o1": 2, "o2": 1, "p3.0": null}}': ["o2", "o1"],
    '{"ranks": {"o1": 2, "o2": 1}}': ["o2", "o1"],
    '{"my_ballot": {"accepted_texts": ["o1", "o2"], "rejected": ["p3.0"]}}': ["o1", "o2"],
    '{"Reihenfolge": ["o2", ["o1", "C"]], "Begründung": "o9"}': ["o2", ["o1", "p3.0"]],
    '{"choice": "none", "ranking": []}': "none",
    '{"choice": null, "abstain": true}': "abstain",
    '["o1", "o2"]': ["o1", "o2"],
    "[o2], [o1]": ["o2", "o1"],
    '{"choice": "o1", "ranking": ["o2", "o1"]}': {"not first"},
    '{"accept": ["o1"], "refuse": ["o1"]}': {"refuses"},
    '{"accept": ["o1", "o2"], "best": "o2"}': {"not first"},
    '{"first": "o1", "ranking": ["o2"]}': {"not first"},
    '{"choice": "o1", "ranking": ["o1", "o2"], "reason": "o2 must be rejected in any case."}': {"refuses"},
    '{"o1": 2, "o2": 1}': {"scores unsaid"},
    '{"scores": {"o1": 5, "o2": 7}}': {"scores unsaid"},
    '{"choice": "<id>", "ranking": ["<id>"]}': {"no vote"},
    '{"choice": "o7"}': {"unknown"},
    '{"choice": "o1", "ranking": ["o1", "o': {"other words"},
    '{"choice": "o1", "ranking": ["o1", "o2"], "reason": "It lasts lon': ["o1", "o2"],
    '{"ranking": ["o1"], "reason": "I support it provided that the gate is paid."}': {"on a condition"},
    '{"choice": null, "ranking": [], "reason": "I accept none of them."}': {"no choice"},
    '{"choice": "o1"}\n{"choice": "o2"}': {"two votes"},
    "[()]": {"no vote"},
    '{"choice": "o1"}\nMy final answer:\n{"choice": "o2"}': ["o2"],
    '{"choice": "o1"} But I would also take o2.': {"other words"},
    "Hallo zusammen, ich bleibe bei o2. Schönen Gruß, Edda": ["o2"],
    "I stay with o2, then o1. Cheers, Jory": ["o2", "o1"],
    "o2\nMfG Otis": ["o2"],
    "hiya, o2. thx!": ["o2"],
    "o2 thx": ["o2"],
    "Dear moderator, o2, then E": ["o2", "p9.0"],
    "Guten Tag, o2, danke schön": ["o2"],
    "My dear friends: o2": ["o2"],
    "Meine lieben Freunde, erst o2, dann E": ["o2", "p9.0"],
    "Liebe Wahlleitung, ich nehme zuerst p9.0 und danach o1. Bewegt hat mich m6. Herzlich, Gudrun": ["p9.0", "o1"],
    "Na gut, hier meine Liste, ihr Lieben:\n1. p9.0\n2. o1": ["p9.0", "o1"],
    "My first choice is p9.0, then o1.\nOtis's m8 moved me most. Warmly, Ottilie": ["p9.0", "o1"],
    "Hello no, p9.0": {"no vote"},
    "Otis's from m8; o2": {"other words"},
    "o2, moved by m8, then o1": ["o2", "o1"],
    "Liebe Otis, lieber Ilse, ich nehme o1": {"two texts"},
    "I gladly give my vote to o2": ["o2"],
    "I would give my vote to o2 if it lived": {"on a condition"},
    "I do not give my vote to o2": {"no vote"},
    "Gerne: p9.0. Danke an alle!": ["p9.0"],
    "o2 > o1\nLG": ["o2", "o1"],
    "o2\nBest, Ilse": ["o2"],
    "- o2: yes\n- o1: no, sorry": ["o2"],
    "- o2: yes\n- o1: no, sorry!\n- p9.0: no": ["o2"],
    "o2\nno, sorry\no1": ["o1"],
    "Quick one:\n1. o2\n2. o1": ["o2", "o1"],
    "o2\nBest, Frog pond": {"no order"},
    "o2\nBest: o1": {"no order"},
    "ich bleibe nicht bei o2": {"other words"},
    "o2, best regards, Jory": ["o2"],
    "B, with best regards from Jory": ["o2"],
    "o2 mit besten Grüßen": ["o2"],
    "o2, liebe Grüße, Edda": ["o2"],
    "o2, cheers, Edda": ["o2"],
    "o2, vielen Dank": ["o2"],
    "o2. Thanks but never": {"other words"},
    "o2. Thanks but nothing": {"two votes"},
    "o2. Sorry for the delay.": ["o2"],
    "o2, sorry Edda": ["o2"],
    "Sorry to be late. o2": ["o2"],
    "Sorry I'm late! o2 then o1": ["o2", "o1"],
    "After long thought, o2. Bless you all.": ["o2"],
    "Nach reiflicher Überlegung o2. Bleibt gesund!": ["o2"],
    "With all due respect, o2 only.": ["o2"],
    "o2, sorry Otis": ["o2"],
    "o2. Sorry, the first one.": {"no vote"},
    "o2. Sorry, none.": {"no vote"},
    "Hello dear moderator, I vote for o2 first, and o1 second. What moved me most was m4. Kind regards, Cyd": [
        "o2",
        "o1",
    ],
    "Here is my ballot: o2 > o1. Hope that helps!": ["o2", "o1"],
    "Here is my ballot, friends:\n1. o2\n2. o1": ["o2", "o1"],
    "Hier ist meine Liste, liebe Leute:\n1. o2\n2. o1": ["o2", "o1"],
    "Well then, friends, o2 and then o1.": ["o2", "o1"],
    "1. o2\n2. o1\n\nKind regards\nAda Lovelace": ["o2", "o1"],
    "1. o2\n2. o1\nGrüße, Ada": ["o2", "o1"],
    "1. o2\n2. o1\n\nKind regards\nBut none of them": {"two votes"},
    "My vote: o2. The yard is dry.": ["o2"],
    "My vote: o2. But not really.": {"other words"},
    "My vote: o2. None.": {"two votes"},
    "I rank o2 above o1 and accept nothing else.": ["o2", "o1"],
    "o2, und nichts anderes nehme ich an.": ["o2"],
    "Please put me down for o2, then o1. Ta!": ["o2", "o1"],
    "o1 und o2 sind mir gleich lieb, p9.0 lehne ich ab.": [["o1", "o2"]],
}


@in_one(
    ("raw", "wanted"),
    [*(LISTS | REFUSALS | TIES | NOTHING | REASONS | CORRECTIONS | DATA).items()],
)
def test_what_has_one_reading_is_read(raw: str, wanted: Any) -> None:
    assert read(raw) == wanted


@in_one(("raw", "kind"), [*DOUBTS.items()])
def test_what_has_none_or_two_is_asked(raw: str, kind: str) -> None:
    """A vote that is guessed costs more than a question."""
    assert read(raw) == {kind}


def test_a_vote_for_one_text_and_for_nothing_else_is_read() -> None:
    """It was asked about as "'rest'", a word that nobody had written."""
    assert eda.read_ballot("I vote for p3.0 and for nothing else. Moved by m2.", TABLE).accepts == ["p3.0"]
    asked = eda.read_ballot("p3.0, and the others are fine too", TABLE).ask
    assert asked is not None
    assert asked.words == "fine"


DESCRIBED = {
    "My oak first, o1, and then the frogs, p3.0. Ilse's m5 moved me most.": ["o1", "p3.0"],
    "The mended text (p9.0) has my vote, nothing else. Moved by m7.": ["p9.0"],
    "I put the lone old oak (o1) first and the fenced one (p3.1) second.": ["o1", "p3.1"],
    "I put p9.0 first, o1 second and p3.1 third; the frogs stay out.": ["p9.0", "o1", "p3.1"],
    "I rank o1 first and p3.1 second. p9.0 I refuse, there is no number in it, and o2 I refuse.": ["o1", "p3.1"],
    "My vote: only the drains, so p9.0. The pond I cannot accept this year.": ["p9.0"],
    "I accept p3.1 and nothing else. Überzeugt hat mich Otis in m3.": ["p3.1"],
    "o1 because it is cheap, then p9.0": ["o1", "p9.0"],
    "o1 because it is fair, and p9.0": ["o1", "p9.0"],
    "o1 wegen der Kosten, dann p9.0 wegen der Keller": ["o1", "p9.0"],
    "p9.0 natürlich, sonst nix": ["p9.0"],
    "Am liebsten p9.0, o1 geht aber auch": ["p9.0", "o1"],
    "Ich stimme für o1. p9.0 ginge für mich auch, aber erst danach.": ["o1", "p9.0"],
    "o1 first, then p9.0 if it fails. Moved: m3": ["o1", "p9.0"],
}
NOT_DESCRIBED = (
    *("Jory ranked o2 first and o1 second. The same for me, or nearly.", "Ilse says p3.1, then o1"),
    *("o1 first. The drains I do not refuse", "o1. I don't refuse ponds", "o1. p9.0 lehne ich nicht ab"),
    *("o1 because first p3.0 was promised, then p9.0", "The pond (p3.1) first, says Ilse; I say o1"),
    *("Were the frogs safer, p3.0 first; as it is, o1.", "Otis will p9.0 zuerst"),
    *("p9.0, but only in addition", "p9.0, aber nur zusätzlich", "p9.0 first, p3.0 only on top of it"),
    *("The frogs (o1) first", "First the drains, then the frogs (o2)", "My fear, p9.0, comes first; o1."),
    *("The mended text, o1.", "The mended text first, o1 second", "The neighbours loathe p9.0, first o1."),
    *("The mended text (p9.0) first if a plumber signs", "Otis wants the drains (p9.0) first and o1 second."),
    *("I refuse o1, p9.0 first", "I reject o1, then p9.0", "Gegen o1, p9.0 zuerst", "Ich lehne o1 ab, dann p9.0"),
    *("o1, some say p9.0 too", "o1. They say p9.0 is fine"),
    *("o1. p9.0 ginge auch, wenn es billiger wird", "o1 zuerst, p9.0 danach, aber nur mit Zaun", "o1 if it fails"),
    *("Not the drains (p9.0) first; o1.", "p9.0 nicht zuerst, aber o1", "o1 ja, p9.0 naja"),
    *("The opponents of the drains (p9.0) have my vote.", "Only fools choose the drains (p9.0)."),
    *("I refuse to drop o1, p9.0 first", "o1. p9.0 I refuse, the frogs suit me, and o2 I refuse"),
    *("o1 because of the roots, then p9.0 failed me", "The frogs I would sooner drop (p3.0), o1"),
    *("Before the talk the oak (o1) was first, the frogs (p3.0) second", "Were it cheaper, the drains (p9.0) first"),
)


@in_one(("raw", "accepts"), [*DESCRIBED.items()])
def test_words_that_describe_the_text_of_an_id_are_no_doubt(raw: str, accepts: list[str]) -> None:
    """ "The joined text (p7.0) has my vote" was asked about: its first adjective could be anything."""
    assert read(raw) == accepts


@in_one("raw", NOT_DESCRIBED)
def test_words_beside_an_id_that_may_say_more_are_asked_about(raw: str) -> None:
    assert eda.read_ballot(raw, TABLE).ask is not None


TWO = [each for each in TABLE if each["id"] in ("o1", "p9.0")]


@in_one(
    ("raw", "wanted"),
    [
        ("p9.0, das andere nur zur not", ["p9.0", "o1"]),
        ("First o1. The other one only if need be.", ["o1", "p9.0"]),
        ("o1 and the other are equal", [["o1", "p9.0"]]),
        ("o1, the other not", ["o1"]),
        *((f"o1, {more}", None) for more in ("as the other says", "the other costs too much")),
        *(
            (f"o1 {more}", None)
            for more in ("or the other", "if the other fails", "on the other hand", "like the other members")
        ),
        ("The other first, then o1", None),
        *((f"o1, {more}", None) for more in ("one after the other", "each as good as the other", "some say the other")),
    ],
)
def test_of_two_texts_the_other_is_the_one_that_was_not_named(raw: str, wanted: list[Any] | None) -> None:
    """A person who named one of two texts, and "the other only if need be", was asked again."""
    vote = eda.read_ballot(raw, TWO)
    assert (vote.accepts if vote.ask is None else None) == wanted


def test_of_more_than_two_texts_the_other_may_be_any() -> None:
    assert eda.read_ballot("o1, the other one if need be", TABLE).ask is not None


@in_one(
    ("said", "mover"),
    [
        *((each, "m4") for each in ("Bewegt: m4.", "Moved: Otis in m4", "What moved me: m4", "Überzeugt: **m4**")),
        *((each, None) for each in ("Nicht bewegt: m4", "Least moved by m4", "Am wenigsten bewegt hat mich m4")),
        *(
            (each, "m4")
            for each in (
                *("What moved me most was the frost table in m4.", "What Lena wrote in m4 persuaded me."),
                *("I was mostly convinced by the figures of m4.", "It was the frost table of m4 that swayed me."),
                *("Was Lena in m4 vorrechnet, hat mich bewogen.", "Umgestimmt hat mich die Frosttabelle aus m4."),
            )
        ),
        *(
            (each, None)
            for each in (
                *(
                    "The frost table in m4 did not move me.",
                    "Lena's frost table in m4 moved Tobi.",
                    "We moved on at m4.",
                ),
                *("I moved the frog pond in m4.", "The frost table in m4 nearly convinced me.", "m4 moved me less."),
                *(
                    "What moved me was the frost in m4 and the sum in m7.",
                    "Did the frost in m4 move me, or moved me it?",
                ),
                *("Had it come before, the frost in m4 would have moved me.", "Before m4 the smell moved me."),
                *("Unlike the frost in m4, the smell moved me.", "Tobi said in m4 that the frost moved me."),
                *("Tobi told me in m4 that Lena was moved.", 'What is "moved me most" in m4?', "m4 bewegt sich."),
                *("Bewegt hat mich nicht die Tabelle in m4.", "Die Tabelle in m4 hätte mich fast überzeugt."),
                *("What moved me at first was the frost in m4.", "Moved by m4. The sum in m7 persuaded me."),
            )
        ),
    ],
)
def test_a_mover_is_read_from_a_sentence_that_names_one_message_alone(said: str, mover: str | None) -> None:
    """ "Bewegt: m5." was neither counted nor told nor asked about; "What moved me most was the handover in m6" lost."""
    assert said_beside(f"o1. {said}", texts_of(TABLE)).get("moved_by") == mover


@in_one(
    ("said", "share"),
    [
        *((each, "0.7") for each in ("I am fairly sure, about 0.7, since it rains.", "I'm pretty sure: 0.7")),
        *((each, "70 %") for each in ("I'm 70 % sure.", "Ich bin mir zu 70 % sicher.", "Confidence about 70 %")),
        *((each, "0,7") for each in ("Ziemlich sicher, etwa 0,7.", "Sicherheit: 0,7")),
        *(
            (each, None)
            for each in (
                *("I am sure that 70 % come.", "I'm sure, 70 % will leave.", "I am sure 0.7 litres are enough."),
                *("Lena is sure, about 0.7, of it.", "Lena says: 70 % sure.", "Lena, fairly sure, about 0.7, asked."),
                *("I am not sure, about 0.7.", "I'm unsure, about 0.3.", "Not 70 % sure.", "Are you sure, 0.7?"),
                *("I would be sure, about 0.7, of a bigger one.", "I was 70 % sure.", "I'm 100 % sure it leaks."),
                *("I'm confident that 70 come.", "Lena (70 % sure) wants it.", "About 0.7.", "I am sure of m7."),
            )
        ),
    ],
)
def test_how_sure_a_voter_is_is_read_of_the_voter_alone(said: str, share: str | None) -> None:
    """ "2 of 3 say how sure" was told of three who had said it; a figure of something else is nobody's certainty."""
    assert said_beside(f"o1. {said}", texts_of(TABLE)).get("confidence") == share


def test_a_sentence_that_tells_what_moved_its_voter_does_not_keep_the_vote_from_being_read() -> None:
    assert read("o1. What moved me most was Otis's frost table in m4.") == ["o1"]
    assert read("o1. What moved me most was the frog pond in m4.") == {"other words"}
    assert read("o1. The table in m4 persuaded me to accept all of them.") == {"no order"}
    assert read("o1. The table in m4 persuaded me if the frost stays.") == {"on a condition"}


def test_a_sentence_that_neither_votes_nor_names_a_text_is_the_reason_for_a_vote_in_words() -> None:
    """The verdict said "for Maya" and nothing more of a ballot that gave its reason in a sentence."""
    said = said_beside("I vote for p9.0. The cellar was wet all winter. Moved by Otis in m4.", texts_of(TABLE))
    assert said == {"moved_by": "m4", "reason": "The cellar was wet all winter."}
    assert said_beside("Moved by neither m4 nor m5. Eh?", texts_of(TABLE)) == {}


def test_whoever_is_greeted_is_no_text_unless_one_is_called_so() -> None:
    texts = [*TABLE, {"id": "p7.0", "letter": "F", "title": "Friends", "text": "Friends plant it.", "by": "Ilse"}]
    assert read("Friends, o1", texts) != ["o1"]


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("every second Sunday", ["o2"]),
        ("1. Open all Sundays\n2. every second Sunday", ["o1", "o2"]),
        ("second Sunday", {"two texts"}),  # the second choice, or a part of o2
        ("I take every second Sunday if it is paid", {"on a condition"}),
    ],
)
def test_a_part_of_one_choice_alone_names_it_though_a_word_of_it_could_be_a_place(raw: str, wanted: Any) -> None:
    """ "Every second Sunday" named two choices: "second" was no word of the title, and Sunday is in both."""
    texts = ("Open all Sundays", "Open every second Sunday", "Not at all")
    assert read(raw, [{"id": f"o{at}", "text": text} for at, text in enumerate(texts, 1)]) == wanted


RANKS = st.permutations(IDS).flatmap(lambda ids: st.integers(1, len(ids)).map(lambda size: ids[:size]))


@given(RANKS, st.sampled_from([", ", "\n", " > ", ", then ", "; "]))
def test_a_list_of_ids_reads_back(ids: list[str], between: str) -> None:
    assert read(between.join(ids)) == ids


@given(RANKS)
def test_a_ballot_as_it_is_asked_for_reads_back(ids: list[str]) -> None:
    ranked = [key if at else [key, other] for at, (key, other) in enumerate(zip(ids[::2], ids[1::2], strict=False))]
    for form in ({"ranking": ids}, {"choice": ids[0], "ranking": ids, "reason": "o1 is late"}):
        assert read(json.dumps(form)) == ids
    if ranked:
        assert read(json.dumps({"ranking": ranked})) == ranked
    assert read("\n".join(f"{at}. {key}" for at, key in enumerate(ids, 1))) == ids


@given(
    RANKS,
    st.lists(st.from_regex(r"[bcdfghjk]{4,7}( [bcdfghjk]{4,7}){0,3}\.", fullmatch=True), max_size=4),
    st.randoms(),
)
def test_lines_of_unknown_words_change_no_vote(ids: list[str], lines: list[str], random: Any) -> None:
    vote = ", ".join(ids)
    shuffled = [*lines, vote]
    random.shuffle(shuffled)
    assert read("\n".join(shuffled)) == ids


@given(st.text(max_size=200))
def test_any_text_is_read_or_asked_about(raw: str) -> None:
    ballot = eda.read_ballot(raw, TABLE)
    assert isinstance(ballot, BallotRead)
    assert ballot.ask or ballot.accepts or ballot.none or ballot.abstain
    flat = [key for each in ballot.accepts for key in ([each] if isinstance(each, str) else each)]
    assert len(flat) == len({*flat}) <= len(TABLE)
    assert {*flat} <= {*IDS}


def test_texts_may_lack_titles_and_letters() -> None:
    yes_no = [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]
    assert read("No.", yes_no) == ["no"]
    assert read("yes", yes_no) == ["yes"]
    assert read("none", yes_no) == "none"


@pytest.mark.parametrize("name", ["None", "Abstain", "then", "A", "p9.0", "The rest", "Not"])
@pytest.mark.parametrize("field", ["title", "by"])
def test_a_name_that_says_something_in_a_vote_is_no_vote(name: str, field: str) -> None:
    """An author called None would get every vote for none."""
    texts = [{**text, field: name} if text["id"] == "o2" else text for text in TABLE]
    raw = eda.read_ballot(name, texts)
    assert raw.ask or raw.none or raw.accepts == ["o2"] == [text["id"] for text in texts if name in {*text.values()}]


def test_titles_that_contain_each_other_are_told_apart() -> None:
    texts = [{"id": f"o{at}", "title": " ".join(["very"] * at + ["late"]), "text": "x"} for at in (1, 2, 3)]
    assert read("very very late, very late", texts) == ["o2", "o1"]
    assert read("late", texts) == {"several texts"}


@pytest.mark.parametrize("title", ["\u202eشجرة بلوط\u202c", "бассейн", "池塘", "Ⅻ ½", "🐸🐸"])
def test_titles_of_any_script_are_read_or_asked_about(title: str) -> None:
    texts = [*TABLE, {"id": "p20.0", "title": title, "text": "x y z"}]
    assert read(f"{title}, then o1", texts) in (["p20.0", "o1"], {"other words"}, {"two texts"})
    assert read("p20.0, then o1", texts) == ["p20.0", "o1"]


@pytest.mark.parametrize(
    ("begins", "unit"),
    [
        *(("o1 ", "\n"), ("# ", " "), ("confidence", ":"), ("", "o1, "), ("", "moved me m4. ")),
        *(
            ("", unit)
            for unit in ("I am very ", "I said ", "mich ", "sure, say 0.7 x ", "✅ o1 ❌ o2 ", "no: o1, o2, ")
        ),
        *each_other(
            ("", unit) for unit in ("a ", "p9.0 then ", "not ", '{"choice": ', "[", "x", "|-|\n", "because ", "1. o1\n")
        ),
    ],
)
def test_the_time_grows_with_the_length(begins: str, unit: str) -> None:
    raw, begun = f"{begins}{unit * MAX_MESSAGE}"[: MAX_MESSAGE // 2], process_time()  # half of what is read at all
    eda.read_ballot(raw, TABLE)
    said_beside(raw, ())
    assert process_time() - begun < 2


def test_an_order_that_has_one_text_twice_is_asked_about() -> None:
    """ "First the trees, then the beds" was a vote for the text with both, and refused the one that has only beds."""
    texts = [
        {"id": "p5.0", "title": "Trees, path, beds", "text": "Four trees, a path, two beds"},
        {"id": "p4.0", "title": "Seedbeds", "text": "Two of them at the fence"},
    ]
    doubt = eda.read_ballot("first the trees, then the beds", texts).ask
    assert (doubt.kind, [*doubt.texts]) == ("no order", ["p5.0"])
    assert eda.read_ballot("first the trees, then the seedbeds", texts).accepts == ["p5.0", "p4.0"]
    assert eda.read_ballot("p5.0 (Trees, path, beds), then p4.0", texts).accepts == ["p5.0", "p4.0"]


PARTS = {"trees": "p1.0", "path": "p1.0", "beds": "p2.0", "shed": "p2.0", "six": "p3.0", "lamps": "p3.0", "oak": "p4.0"}
NEVER_NAMED = ("hers", "six", "the", "mine of course", "the meadow")


@given(
    st.lists(st.sampled_from(["titled", "untitled"]), min_size=4, max_size=4),
    st.lists(
        st.sampled_from([*PARTS, *IDS[:1], "p1.0", "p2.0", "p3.0", "Ada's", *NEVER_NAMED]), min_size=2, max_size=3
    ),
    st.permutations(["trees", "path", "beds", "shed", "six", "lamps", "oak"]),
    st.sampled_from(["{} > {}", "{}, then {}", "first {}, then {}", "1. {}\n2. {}", "1) {}\n2) {}"]),
)
def test_no_rank_of_an_order_vanishes(kinds: list[str], parts: list[str], shared: list[str], form: str) -> None:
    """ "First the trees, then the beds" was read as the trees alone, and refused the text with the beds.

    Each part of an order is a rank, or the whole is asked about.
    """
    own = {key: [word for word, of in PARTS.items() if of == key] for key in ("p1.0", "p2.0", "p3.0", "p4.0")}
    texts = [
        {
            "id": key,
            "title": ", ".join(words) if kind == "titled" else "",
            "text": f"We want the {', '.join([*words, *shared[at : at + 2]])}",
            "by": "Ada" if at == 0 else "Ben",
        }
        for at, ((key, words), kind) in enumerate(zip(own.items(), kinds, strict=True))
    ]
    named = [part if part in NEVER_NAMED or not part.islower() or "." in part else f"the {part}" for part in parts]
    joint = form[2 + form.index("{}") :].partition("{}")[0]
    rest = (f"\n{at}{joint[2:]}" if joint.startswith("\n") else joint for at in range(3, 9))
    raw = form.format(*named[:2]) + "".join(f"{next(rest)}{part}" for part in named[2:])
    vote = eda.read_ballot(raw, texts)
    assert vote.ask or len(vote.accepts) == len({*parts}) == len(parts) or len({*parts}) < len(parts)


@pytest.mark.parametrize(
    "raw",
    [
        *("p9.0, then hers", "p9.0, then mine", "1. p9.0\n2. mine", "1. p9.0\n2. the swings\n3. o1"),
        *("1) p9.0\n2) the oak", "p9.0 > the six", "first p9.0, then those two, then o1", "1. o1\n2. o1 and more"),
    ],
)
def test_what_stands_at_a_place_and_names_no_text_is_asked_about(raw: str) -> None:
    """It vanished without a word, and the text that was meant counted as refused."""
    assert eda.read_ballot(raw, TABLE).ask


@pytest.mark.parametrize(
    "raw",
    [
        *("1. p9.0\n2. o1\n3. nothing more", "1. p9.0\n2. o1\n3. -", "p9.0, then o1, thanks"),
        *("1. p9.0 – it is dry\n2. o1 – it is green", "1. p9.0\n2. o1\n\nReasons:\n1. It is dry.\n2. It is green."),
        *("1. p9.0\n2. o1\n70 guests come.", "p9.0, then please o1", "1. p9.0\n2. o1\n3. the rest I refuse"),
    ],
)
def test_a_list_that_ends_or_tells_its_reasons_is_read(raw: str) -> None:
    assert read(raw) == ["p9.0", "o1"]


SAILINGS = [{"id": "o1", "text": "keep the six morning ferries"}, {"id": "o2", "text": "run four with a late boat"}]


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        *(
            ("six boats for me", {"two texts"}),
            ("the four ferries", {"two texts"}),
            ("I take six boats", {"two texts"}),
        ),
        *(
            ("the six ferries", ["o1"]),
            ("four with a boat", ["o2"]),
            ("the late boat", ["o2"]),
            ("the ferries", ["o1"]),
        ),
    ],
)
def test_a_number_of_another_text_names_no_text_with_the_word_behind_it(raw: str, wanted: Any) -> None:
    """ "Six boats for me" was a vote for the text with four boats."""
    assert read(raw, SAILINGS) == wanted


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("I would take the drains (p9.0) as the answer and nothing else for an answer", ["p9.0"]),
        ("p9.0. Nothing besides: o1.", {"other words"}),
        ("Nothing besides p9.0", ["p9.0"]),
        ("I would take p9.0 as the answer and o1 for an answer", {"no order"}),
        ("I would not take p9.0 as the answer and nothing else for an answer", {"no vote"}),
    ],
)
def test_nothing_else_for_an_answer_ends_a_vote(raw: str, wanted: Any) -> None:
    assert read(raw) == wanted


def test_a_text_that_is_taken_behind_a_reason_is_read_or_asked_about() -> None:
    """Without it what a voter accepts last is lost with the reason before it."""
    texts = [{"id": key, "text": text} for key, text in (("o1", "Paper list"), ("o2", "Calendar"), ("p3.0", "Both"))]
    taken = eda.read_ballot("o2 then o1 because I like both, but p3.0 is acceptable too.", texts)
    assert (taken.accepts, taken.ask) == (["o2", "o1", "p3.0"], None)
    assert eda.read_ballot("o2 because it has the slot, and p3.0 by itself would be fine.", texts).ask
    assert eda.read_ballot("o2, because o1 costs more, and p3.0 is unfair.", texts).accepts == ["o2"]


@pytest.mark.parametrize(
    "raw",
    [
        "p9.0. It is good for the frogs.",
        "p9.0. The frogs would like it.",
        "p9.0. Das ist gut für die frogs.",
        "p9.0. m4 moved me to p5.0.",
    ],
)
def test_a_reason_with_a_word_of_another_text_is_no_second_choice(raw: str) -> None:
    """ "It is good for the frogs" counted a vote for the fence that somebody else wants for them."""
    texts = [
        {"id": "p9.0", "title": "Cart for the square", "text": "Buy a cart"},
        {"id": "p5.0", "title": "Fence for the frogs", "text": "Build a fence along the road"},
    ]
    assert eda.read_ballot(raw, texts).ask is not None
    assert eda.read_ballot("p9.0. Then the frogs.", texts).accepts == ["p9.0", "p5.0"]
    assert eda.read_ballot("p9.0. m4 moved me to the fence.", texts).accepts == ["p9.0"]


@pytest.mark.parametrize(
    ("vote", "text"),
    [
        ("o1 first, then p9.0 as long as it is paid", "p9.0"),
        ("o1 first, and Ilse's p3.0 after it, if the fence stays", "p3.0"),
        ("p9.0 if it is paid, then o1", "p9.0"),
        ("if it is paid, p9.0 then o1", "p9.0"),
    ],
)
def test_what_is_asked_of_a_condition_names_the_text_before_it(vote: str, text: str) -> None:
    """ "The answer names p5.1 on a condition", said the question to who had set one for another text."""
    doubt = eda.read_ballot(vote, TABLE).ask
    assert doubt is not None
    assert (doubt.kind, doubt.texts[0]) == ("on a condition", text)


@in_one(
    ("raw", "wanted"),
    [
        ("No to p3.0, yes to p9.0, yes to o1", ["p9.0", "o1"]),
        ("nein zu p3.0, ja zu p9.0", ["p9.0"]),
        ("yes: p9.0, o1\nno: p3.0, o2", ["p9.0", "o1"]),
        ("p9.0 yes p3.0 no o1 yes", [["p9.0", "o1"]]),
        ("✅ p9.0 ✅ o1 ❌ p3.0", [["p9.0", "o1"]]),
        ("p3.0 is out and I can live with p9.0", ["p9.0"]),
        ("never p3.0 and p9.0 yes", {"other words"}),
        *(
            (raw, {"other words"})
            for raw in ("I do not take C, accept E", "C is out and I take E and A", "yes to C E no")
        ),
        *((raw, {"other words"}) for raw in ("no to p3.0, + p9.0", "p3.0: no and + p9.0")),
    ],
)
def test_a_no_is_about_its_own_texts(raw: str, wanted: Any) -> None:
    """A yes behind it was read as a no, too, and so whole ballots as a vote for nothing."""
    assert read(raw) == wanted


YES = (
    "yes to {}",
    "{} yes",
    "{}: yes",
    "I accept {}",
    "{} is fine",
    "✅ {}",
    "for {}",
    "I can live with {}",
    "ja zu {}",
    "+ {}",
)
NO = (
    "no to {}",
    "{} no",
    "{}: no",
    "I refuse {}",
    "{} is out",
    "❌ {}",
    "against {}",
    "{} is not acceptable",
    "never {}",
)


@pytest.mark.parametrize("parted", each_other((", ", "; ", "\n", ". ", " and ", " / ", " "), of=4))
def test_yes_and_no_beside_each_text_are_read_right_or_asked_about(parted: str) -> None:
    """In any dress, of ids and letters alike: what is read says yes to the same texts, and to no other."""
    read_right = 0
    for yes, no, says, names in product(YES, NO, product((True, False), repeat=3), (IDS[:3], "ABC")):
        given = dict(zip(IDS, says, strict=False))
        raw = parted.join((yes if said else no).format(name) for said, name in zip(says, names, strict=True))
        got = read(raw)
        if not isinstance(got, set):
            accepts = (
                {key for each in got for key in (each if isinstance(each, list) else [each])}
                if got != "none"
                else set()
            )
            assert accepts == {key for key, said in given.items() if said}, raw
            read_right += 1
    assert read_right > 200


@in_one(
    ("key", "wanted"),
    [
        *((key, ["p9.0", "o1"]) for key in ("best_first", "from_best_to_worst", "choices", "shortlist", "my_ranking")),
        *((key, "asks") for key in ("worst", "worst_first", "reverse_order", "last_to_first", "least_preferred_first")),
        *(
            (key, "asks")
            for key in ("considered", "others", "maybe", "acceptable_if", "undecided", "abstain_on", "first")
        ),
    ],
)
def test_a_list_under_a_key_is_a_vote_where_the_key_says_so(key: str, wanted: Any) -> None:
    """Under any key, a list was read as an order: "worst": [...], and what was only considered."""
    got = read(json.dumps({key: ["p9.0", "o1"]}))
    assert isinstance(got, set) if wanted == "asks" else got == wanted
    beside = read(json.dumps({"ranking": ["p9.0"], key: ["p9.0", "o1"]}))
    assert isinstance(beside, set) or beside == wanted


def test_a_list_under_another_key_is_a_second_vote_or_none() -> None:
    assert read('{"worst": ["o1"], "best_first": ["p9.0"]}') == {"two votes"}
    assert read('{"worst": ["o1"]}') == {"no choice"}
