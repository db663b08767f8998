"""Declared moves: read in any common dress, anywhere in a reply, and never shown."""

from __future__ import annotations

import re
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given, strategies as st
from in_turn import in_one

from eda.debate.prompts.texts import Prompts
from eda.debate.speech import ShownText
from eda.events.messages import talk_of
from eda.events.records import Move
from eda.memory.minutes.declared_moves import ReadReply, ReplyWithData, read_reply
from eda.memory.minutes.move_words import tag_reader
from eda.memory.minutes.names import name_lines, without_name
from eda.memory.minutes.reply_reader import MOST_ACTS
from eda.memory.patterns import default_language


@in_one(
    ("line", "move"),
    [
        ("[PROPOSE] Use Postgres 17.", Move("propose", "Use Postgres 17.")),
        ("[propose] use it", Move("propose", "use it")),
        ("- **[SUPPORT p12.0]** because it is cheap", Move("support", "because it is cheap", "p12.0")),
        ("* [Oppose p12.0]: too dear", Move("oppose", "too dear", "p12.0")),
        ("`[PROPOSE] use 3.12`", Move("propose", "use 3.12")),
        ("**[NEUTRAL p3.1] no figures yet**", Move("neutral", "no figures yet", "p3.1")),
        ("[SUPPORT] p3.1, as Ann says", Move("support", "as Ann says", "p3.1")),
        ("[SUPPORT] good idea", Move("support", "good idea")),
        ("[SUPPORT the first one]", Move("support", "", "the first one")),
        ("1. [AMEND p3.1] two weeks, not one", Move("amend", "two weeks, not one", "p3.1")),
        ("• [WITHDRAW p3.1]", Move("withdraw", "", "p3.1")),
        ("[SUPPORTS p3.1] it is cheap", Move("support", "it is cheap", "p3.1")),
        (r"\[SUPPORT p3.1\] it is cheap", Move("support", "it is cheap", "p3.1")),
        (r"\[PROPOSE\] Use it.", Move("propose", "Use it.")),
        ("[support_p3.1] it is cheap", Move("support", "it is cheap", "p3.1")),
        ("[OPPOSE-p3.1] too dear", Move("oppose", "too dear", "p3.1")),
        ("* Support → p3.1", Move("support", "", "p3.1")),
        ("## PROPOSE\nUse Postgres 17.", Move("propose", "Use Postgres 17.")),
        ("**POSITION**\n\nUse it.", Move("position", "Use it.")),
        ("[SUPPORT p3.1] it is cheap\n\n---", Move("support", "it is cheap", "p3.1")),
        ("[POSITION] I am for B – now.", Move("position", "I am for B – now.")),
        ("[NOTE 700] ask legal", Move("note", "ask legal", None, 700)),
        ("[NOTE 99999] x", Move("note", "x", None, 1000)),
        ("[NOTE 0] x", Move("note", "x", None, 1)),
        ("[NOTE] x", Move("note", "x", None, 500)),
        ("［SUPPORT p1.0］ full width", Move("support", "full width", "p1.0")),
        ("【SUPPORT p1.0】 for it", Move("support", "for it", "p1.0")),
        ("✅ [SUPPORT p1.0] for it", Move("support", "for it", "p1.0")),
        ("[SUPPORT] (p1.0) for it", Move("support", "for it", "p1.0")),
        ("[SUPPORT] #p1.0: for it", Move("support", "for it", "p1.0")),
        ("[SUPPORT][p1.0] for it", Move("support", "for it", "p1.0")),
        ("[SUPPORT p1.0: it is cheap]", Move("support", "it is cheap", "p1.0")),
        ("[SUPPORT p1.0, p2.0]", Move("support", "", "p1.0, p2.0")),
        ("[SUPPORT Ann's p1.0's idea]", Move("support", "", "Ann's p1.0's idea")),
        ("[PROPOSE: move " + "very " * 20 + "soon.]", Move("propose", "move " + "very " * 20 + "soon.")),
        ("**SUPPORT p1.0** it is cheap", Move("support", "it is cheap", "p1.0")),
        ("- OPPOSE (p1.0): too dear", Move("oppose", "too dear", "p1.0")),
        ("**PROPOSE:** use it", Move("propose", "use it")),
        ("[NOTE 700, costs] ask legal", Move("note", "ask legal", None, 700, "costs")),
        ("[NOTE 700/1000 costs] ask legal", Move("note", "ask legal", None, 700, "costs")),
        ("[NOTE importance=700 topic=costs] ask", Move("note", "ask", None, 700, "costs")),
        ("<PROPOSE> use it", Move("propose", "use it")),
        ("<PROPOSE>use it</PROPOSE>", Move("propose", "use it")),
        ("{OPPOSE p2.0} six months is a guess", Move("oppose", "six months is a guess", "p2.0")),
        ("(SUPPORT p1.0) for it", Move("support", "for it", "p1.0")),
        ("PROPOSE Use Postgres 17.", Move("propose", "Use Postgres 17.")),
        ("**Position:** Rewrite in Flutter", Move("position", "Rewrite in Flutter")),
        ("My position: wait", Move("position", "wait")),
        ("### [POSITION] 12-hour shifts.", Move("position", "12-hour shifts.")),
        ("👉 [POSITION] Wood in one hall.", Move("position", "Wood in one hall.")),
        ("1️⃣ [WITHDRAW p1.0]", Move("withdraw", "", "p1.0")),
        ("| [SUPPORT p1.0] | it is cheap |", Move("support", "it is cheap", "p1.0")),
        ("My vote: [SUPPORT p1.0] cheap", Move("support", "cheap", "p1.0")),
        ("[DENY m20] I never agreed to that.", Move("deny", "I never agreed to that.", "m20")),
        ("[UNDECIDED p9.1] no figure", Move("neutral", "no figure", "p9.1")),
        ("[ABSTAIN p2.0] no figure", Move("neutral", "no figure", "p2.0")),
        ("[AMEND p9.1 p12.2] both in one", Move("amend", "both in one", "p9.1 p12.2")),
        ("[SUPPORT p1.0, p3.0] both are cheap", Move("support", "both are cheap", "p1.0, p3.0")),
        ('[SUPPORT "p3.0"] It has a limit.', Move("support", "It has a limit.", "p3.0")),
        ("[SUPPORT p3.0, Keiko] It has a limit.", Move("support", "It has a limit.", "p3.0, Keiko")),
        ("[SUPPORT p3.0 if it is capped] yes", Move("support", "if it is capped; yes", "p3.0")),
        ("[SUPPORT] p6.0 - it stops me", Move("support", "it stops me", "p6.0")),
        ("[SUPPORT p6.0: it stops me", Move("support", "it stops me", "p6.0")),
        ("[COUNTER-PROPOSAL p6.1] Build two screens.", Move("propose", "Build two screens.")),
        ("[MY POSITION] For it.", Move("position", "For it.")),
        ("[STRONGLY SUPPORT p3.0] yes", Move("support", "yes", "p3.0")),
        ("[AGREE p5.2] yes", Move("support", "yes", "p5.2")),
        ("[SECOND p3.0] for the reason given", Move("support", "for the reason given", "p3.0")),
        ("[REJECT p2.0] for the reason given", Move("oppose", "for the reason given", "p2.0")),
        ("[VORSCHLAG] Halle eins bekommt Holz.", Move("propose", "Halle eins bekommt Holz.")),
        ("[POSICION] Doce primero.", Move("position", "Doce primero.")),
        ("[APOYO p1.0] no hay vuelta atrás", Move("support", "no hay vuelta atrás", "p1.0")),
        ("[CONTRE p2.0] non", Move("oppose", "non", "p2.0")),
        ("[反对 p2.0] 太贵", Move("oppose", "太贵", "p2.0")),
        ("[PROPOSE]\n- one\n- two", Move("propose", "one; two")),
        ("[POSITION] Thanks to Ann: wait.\nThanks, everyone.", Move("position", "Thanks to Ann: wait.")),
        ("[NOTE 700 costs: ask legal]", Move("note", "ask legal", None, 700, "costs")),
        ("**[PROPOSE]**\nUse Postgres 17.", Move("propose", "Use Postgres 17.")),
        ("[NOTE 700 costs]\n\nAsk legal.", Move("note", "Ask legal.", None, 700, "costs")),
        ("[SUPPORT p1.0]\nIt is cheap.", Move("support", "It is cheap.", "p1.0")),
        ("[PROPOSE] In this order:\n\n- one,\n- two.", Move("propose", "In this order: one; two.")),
        (
            "[PROPOSE] Use only the newest release that Ann has\ntried, and no other.",
            Move("propose", "Use only the newest release that Ann has tried, and no other."),
        ),
    ],
)
def test_a_move_line_is_read_whatever_stands_around_it(line: str, move: Move) -> None:
    """Models decorate; a vote lost to an asterisk is a wrong tally."""
    assert read_reply(f"Some talk first.\n\n{line}")[:2] == (18, (move,))


@in_one(
    "text",
    [
        "",
        "No moves at all.",
        "I would write [SUPPORT p1.0] here.",
        "If the log shows none, I will write [WITHDRAW p1.0] myself.",
        'Ruth wrote "[PROPOSE] wait" in m3.',
        "See [Notebook] x",
        "POSITION",
        "## Position\nWe know too little.",
        "WE SUPPORT, as p1.0 says, OPPOSE p1.1",
        "[FOR the record] we met twice.",
        "(Note that it ends in June.)",
        "[PROPOSE " + "x" * 70 + "] a tag of that length is talk",
        "- [ ] a task",
        "Look.\n```\ncode\n[SUPPORT p1.0]\n```",
        "```\ncode\n[SUPPORT p1.0]\n```\nSo it said.",
        "A proposal should look like this:\n\n```\n[PROPOSE] Do X by Friday.\n```\n\nNone of ours does.",
        "The format, for those who forgot it:\n```\n[SUPPORT p12.0] why not\n```",
        "[link](https://example.org)",
        "I SUPPORT p1.0 in all of it.",
        "SUPPORT for p1.0 is thin.",
        "Support p1.0 if you must.",
        "Proposals are many.",
        "Position is not the word.",
        "NOTE: it ends in June.",
        "Note: I kept to the limit of 150 words.",
        "I hold this.\n\n> Proposal: use it.\n\nNo.",
        "Jonah wrote:\n\n> [PROPOSE] Rewrite the app in Flutter in six months.\n\nI read no number in it.",
        "Ann ended with this:\n> [OPPOSE p1.0] too dear",
        "Ann ended with this:\n[PROPOSE]\n> Too dear.",
        "So Ann ended her turn:\n\n[SUPPORT p1.0]\nI differ.",
        "Jonah's line was:\n[PROPOSE] Rewrite.\n[POSITION] Rewrite.\nI differ.",
        "In m1 Tomas ended with:\n> [PROPOSE] A cap.\n> [POSITION] Cap Free at 30.",
        "In short:\n\n> Ruth differs.\n> [POSITION] No.",
        "[DO NOT SUPPORT p3.0] too dear",
        "[SUPPORT/OPPOSE p3.0] ?",
        "[SUPPORT or OPPOSE p3.0] ?",
        "[PARTLY SUPPORT p3.0] the limit",
        "[CONSENSUS] We all agree on this.",
    ],
)
def test_what_is_no_move_of_the_speaker_stays_talk(text: str) -> None:
    """Quoting somebody, or the rules of the house, must not cast a vote."""
    read = read_reply(text, "Ann", dict.fromkeys(("Ruth", "Jonah"), ""))
    assert (read.moves_at, read.moves, read.cut) == (None, (), ())


@in_one(
    "body",
    [
        "none",
        "None.",
        "nothing",
        "N/A",
        "-",
        "—",
        "no proposal at this time",
        "No new proposals.",
        "a proposal in one sentence",
        "",
    ],
)
def test_a_tag_that_says_nothing_is_no_act_and_is_not_shown(body: str) -> None:
    """Small models fill in every line of a form; "none" must not stand on the ballot."""
    read = read_reply(f"I stay native.\n\n[PROPOSE] {body}\n[POSITION] Stay native")
    assert read.moves == (Move("position", "Stay native"),)
    assert talk_of(f"I stay native.\n\n[PROPOSE] {body}\n[POSITION] Stay native", read.cut) == "I stay native."


def test_a_reaction_to_nothing_is_no_act() -> None:
    """A form filled with "None" would be three reactions that the member is told to correct."""
    text = "I stay.\n\n[SUPPORT] None\n[OPPOSE none]\n[WITHDRAW] N/A\n[NEUTRAL]\n[POSITION] Stay native"
    assert read_reply(text).moves == (Move("position", "Stay native"),)
    assert read_reply("[SUPPORT p3.0] none").moves == (Move("support", "", "p3.0"),)


def test_each_line_of_the_form_that_a_prompt_shows_is_no_act_if_it_is_echoed() -> None:
    """A model that copies the form would propose "a proposal in one sentence"."""
    form = Prompts().fill("house")
    lines = re.findall(r"^\[[A-Z]+[^\]]*\] .+$", form, re.MULTILINE)
    assert len(lines) > 4
    assert [line for line in lines if read_reply(line).moves] == []
    parts = [line[: end.start()] for line in lines for end in re.finditer(r"[,;.] ", line)]
    assert len(parts) > 6
    assert [part for part in parts if any(move.text for move in read_reply(part).moves)] == []


OTHERS = {
    "Ruth": "the sceptic of the board",
    "Ada": "finance director, who guards the budget",
    "Maya": "engineer",
    "Keiko": "nurse",
}
AFTER = [
    "Thank you for the log, Kofi.",
    "Shall I go on with the log?",
    "Best regards,\nYour colleague",
    "</s>",
    "**End of statement.**",
    "P.S. I will be away on Thursday.",
    "[CHALLENGE] Where is the count?",
    "[EVIDENCE] m4",
    "[AGREE] with Maya",
    "[PARTLY AGREE] with that",
    "(118 words are enough)",
    "(I hold this)",
    "[CONSENSUS] We all agree on this.",
    "[QUESTION] Who pays for it?",
]


@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_courtesy_or_an_unknown_tag_after_the_moves_voids_none_and_is_shown(after: str, gap: str) -> None:
    """In one played debate "(118 words)" below the moves deleted all of them."""
    text = f"Keiko is right.\n\n[SUPPORT p3.0] The limit matters.\n[POSITION] 12-hour shifts.{gap}{after}"
    read = read_reply(text)
    assert read.moves == (Move("support", "The limit matters.", "p3.0"), Move("position", "12-hour shifts."))
    assert talk_of(text, read.cut) == f"Keiko is right.\n\n{after}"


@in_one(
    "courtesy",
    [
        "Looking forward to hearing what the others think!",
        "I hope this helps!",
        "Hope this helps! Let me know if you need anything else.",
        "Thanks for listening. Feel free to ask!",
        "Best regards,\n[Your Name]",
        "Let me know if you need anything else! 😊",
        "Thank you for this fruitful discussion!",
        "Would you like me to elaborate on any of these points?",
        "Do you have any other questions?",
        "Shall I go on?",
        "(Word count: 98)",
        "Warmly, Rosa",
        "Best wishes to all of you, Rosa",
    ],
)
def test_a_line_of_nothing_but_a_courtesy_is_not_shown(courtesy: str) -> None:
    """A courtesy stood among the key moments, and an offer to say more among the open questions of the report."""
    members = {"Rosa": "resident", "Kofi": "health officer"}
    for text in (f"Talk.\n\n[SUPPORT p3.0] cheap\n\n{courtesy}", f"Talk.\n\n{courtesy}\n[SUPPORT p3.0] cheap"):
        read = read_reply(text, "Rosa", members)
        assert read.moves == (Move("support", "cheap", "p3.0"),)
        assert talk_of(text, read.cut) == "Talk."


@pytest.mark.parametrize(
    "aside",
    [
        "[CONFIDENCE] high",
        "[CONFIDENCE] very high",
        "**[CONFIDENCE]** 0.8",
        "- [CONFIDENCE: 80%]",
        "[VOTE] as above",
        "(87 words)",
        "(etwa 87 Wörter)",
        "**(87 words)**",
        "[150 words]",
        "Word count: 142",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_what_says_nothing_to_the_others_is_not_shown(aside: str, gap: str) -> None:
    """In a played debate `[CONFIDENCE] high` and "(87 words)" stood in what every member and reader read."""
    text = f"Eli is right.{gap}{aside}{gap}[SUPPORT p3.0] The limit matters.{gap}{aside}\n\nSo much for today."
    read = read_reply(text)
    assert read.moves == (Move("support", "The limit matters.", "p3.0"),)
    assert talk_of(text, read.cut).split("\n") == [
        "Eli is right.",
        *[""] * (talk_of(text, read.cut).count("\n") - 1),
        "So much for today.",
    ]
    assert len(read.unknown_tags) == 2 * ("[C" in aside or "[V" in aside)
    shown = shown_of(text, 1)
    assert shown.split() == talk_of(text, read.cut).split()
    assert read_reply(aside, loose=False).cut == ()


RUTH = """```
Which school measured what a ban did, before it banned? I have not seen one.

[PROPOSE] Years 7 and 9 go without phones in lessons for one term.
[POSITION] A one-term trial before any rule for the whole school.
```"""


@pytest.mark.parametrize(
    "text",
    [
        RUTH,
        RUTH.replace("```", "~~~"),
        RUTH.replace("```", "```markdown", 1),
        RUTH.removesuffix("```"),
        f"\n{RUTH}\n\n",
    ],
)
def test_a_fence_around_the_whole_reply_is_decoration(text: str) -> None:
    """In a played debate such a proposal was lost, and its author was not told why."""
    read = read_reply(text, "Ruth", OTHERS)
    assert [move.kind for move in read.moves] == ["propose", "position"]
    assert talk_of(text, read.cut).strip() == RUTH.splitlines()[1]
    assert shown_of(text, 3) == ""  # it may go on below the fence
    goes_on = f"{RUTH}\nSo she wrote."
    assert shown_of(goes_on, 3).split() == goes_on.split()


GERARD = """One entry by the secretary on the first day joins both.

Eli: Agreed, Gerard, that is my text now. [SUPPORT p9.0] it is signed
[AMEND p1.0 p4.0] A pupil whose phone works as an aid keeps it on from the first day.
[OPPOSE p8.0] two kinds of years are two kinds of law
[OPPOSE p3.0]
it was never applicable
[POSITION] my own text

I remain, respectfully yours.
[UNDECIDED p2.0] why not"""


def test_moves_below_a_line_in_anothers_name_are_kept_apart() -> None:
    """In a played debate four moves of a member were lost so, and it was told of none of them."""
    read = read_reply(GERARD, "Gerard", {"Eli": "", "Gerard": ""})
    assert read.puppets == ("Eli",)
    assert [(move.kind, move.target, move.text) for move in read.unclaimed] == [
        ("amend", "p1.0 p4.0", "A pupil whose phone works as an aid keeps it on from the first day."),
        ("oppose", "p8.0", "two kinds of years are two kinds of law"),
        ("oppose", "p3.0", "it was never applicable"),
        ("position", None, "my own text"),
    ]
    assert [move.target for move in read.moves] == ["p2.0"]
    assert read_reply(GERARD.replace("Eli:", "And"), "Gerard", {"Eli": ""}).unclaimed == ()


def test_moves_without_brackets_may_share_a_line() -> None:
    """The second would be the reason of the first."""
    read = read_reply("SUPPORT p3.0, OPPOSE p3.1 and NEUTRAL p4.0: no figures")
    assert [(move.kind, move.target) for move in read.moves] == [
        ("support", "p3.0"),
        ("oppose", "p3.1"),
        ("neutral", "p4.0"),
    ]
    assert read.moves[-1].text == "no figures"


def test_unknown_tags_are_kept_to_be_told_to_the_speaker() -> None:
    """Whoever writes [AGREE] and is not told goes on writing it, and never votes."""
    text = (
        "So.\n\n[OPPOSE p2.0] a guess\n[EVIDENCE] m4\n[POSITION] Wait. **[AGREE]** with Maya\n[CONFIDENCE: 0.8]\n[m4] x"
    )
    read = read_reply(text)
    assert [move.kind for move in read.moves] == ["oppose", "position"]
    assert read.moves[1].text == "Wait."
    assert read.unknown_tags == ("[EVIDENCE]", "[AGREE]", "[CONFIDENCE: 0.8]")
    assert talk_of(text, read.cut) == "So.\n\n[EVIDENCE] m4\n **[AGREE]** with Maya\n\n[m4] x"
    assert read_reply("Yes.\n1. **SUPPORT** Tar now - cheap").unknown_tags == ("SUPPORT** Tar now - cheap",)
    assert read_reply("Yes.\n**Support Tar now**: cheap\n**Support for all**: yes").unknown_tags == ("Support Tar now",)
    assert read_reply("Yes.\n`[suport p3.0]`\n[oppse p4]\n[see p3.0]").unknown_tags == ("[suport p3.0]", "[oppse p4]")
    assert read_reply("Yes.\n- [Positon] p3.0\n[Propse] Buy a van").unknown_tags == ("[Positon]", "[Propse]")
    assert read_reply("Yes.\n[laughs] so\n[noted] thanks\nThe [report] says so.").unknown_tags == ()


def test_moves_may_stand_anywhere() -> None:
    """Half of the small models give their moves first, or in the middle, and then go on talking."""
    first = "[WITHDRAW p1.0]\n[AMEND p8.0] A cap at 20.\n\nAnjali is right about the figure."
    read = read_reply(first)
    assert read.moves == (Move("withdraw", "", "p1.0"), Move("amend", "A cap at 20.", "p8.0"))
    assert (read.moves_at, talk_of(first, read.cut)) == (0, "Anjali is right about the figure.")
    twice = "Hm.\n\n[POSITION] Wait.\n\nNo, on reflection:\n\n[POSITION] Go in April."
    read = read_reply(twice)
    assert read.moves == (Move("position", "Wait."), Move("position", "Go in April."))
    assert talk_of(twice, read.cut) == "Hm.\n\nNo, on reflection:"


def test_moves_in_a_line_with_talk_are_read_after_a_sentence() -> None:
    """A model that writes no line ends would have no vote."""
    text = "Native. Show me the screen first. [PROPOSE] one screen as a test. [POSITION] native"
    read = read_reply(text)
    assert read.moves == (Move("propose", "one screen as a test."), Move("position", "native"))
    assert talk_of(text, read.cut) == "Native. Show me the screen first."


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("So put them together, [AMEND p7 & p6] Open it each month.", ("[AMEND p7 & p6]",)),
        ("Thus [SUPPORT p7.0] and I mean it.", ("[SUPPORT p7.0]",)),
        ("So we agree. [CONSENSUS] the joined text", ("[CONSENSUS]",)),
        ("See [Support us], [m12] or [the position] above.", ()),
    ],
)
def test_a_move_amid_a_sentence_counts_for_nothing_and_is_told(line: str, tags: tuple[str, ...]) -> None:
    """A member put the compromise of its panel so, and never learnt that nobody could vote on it."""
    read = read_reply(line)
    assert (read.moves, read.unknown_tags, read.cut) == ((), tags, ())


def test_several_moves_on_a_line_are_several() -> None:
    """Models save lines; without it the second vote is read as the reason of the first."""
    both = (Move("support", "cheap", "p1.0"), Move("oppose", "dear", "p2.0"))
    assert read_reply("[SUPPORT p1.0] cheap. [OPPOSE p2.0] dear").moves[1:] == both[1:]
    assert read_reply("**[SUPPORT p1.0]** cheap **[OPPOSE p2.0]** dear").moves == both
    assert [move.target for move in read_reply("[SUPPORT p1.0], [SUPPORT p2.0]: cheap").moves] == ["p1.0", "p2.0"]
    joint = read_reply("[SUPPORT p1.0] and [OPPOSE p2.0] dear").moves
    assert joint == (Move("support", "", "p1.0"), Move("oppose", "dear", "p2.0"))
    assert len(read_reply("[OPPOSE p2.0] it undoes my [SUPPORT p1.0]").moves) == 1


@in_one(
    ("line", "title", "target"),
    [
        ("[PROPOSE June trial] We move it in June, and we look again in July.", "June trial", None),
        ("[AMEND p3.0 Two weeks] We build one screen in two weeks, and not in three.", "Two weeks", "p3.0"),
        ("[AMEND p3.0] We build one screen in two weeks, and not in three.", "", "p3.0"),
        ("[PROPOSE Short title] We move it in June, and we look again in July.", "", None),
        ("[PROPOSE: Move it in June] Nobody can say today that it is too early for that.", "", None),
        ("[PROPOSE We move] the billing service out of the monolith in June", "", None),
        ("[PROPOSE Move it] In June, please.", "", None),
        ("[propose june trial] we move it in june, and we look again in july.", "june trial", None),
        ("[propose june trial] We move it in June, and we look again in July.", "june trial", None),
        ("[amend p3.0 two weeks] we build one screen in two weeks, and not in three.", "two weeks", "p3.0"),
        ("[PROPOSE Erste Stunde frei] Die erste Stunde kostet nichts.", "Erste Stunde frei", None),
        ("[PROPOSE One two three four five six seven] We move it in June, and look again.", "", None),
    ],
)
def test_a_title_stands_in_the_tag_and_is_no_part_of_the_text(line: str, title: str, target: str | None) -> None:
    """The first words of a text would be lost to a title, or a title read as the beginning of the text."""
    (move,) = read_reply(f"Well.\n{line}").moves
    assert (move.title, move.target) == (title, target)
    inside, _, behind = line.partition("]")
    assert move.text.endswith(behind.strip())
    assert (
        title
        or "Short title" in inside
        or all(word in move.text for word in inside.split()[1:] if not word.startswith("p3"))
    )


def test_a_proposal_goes_on_over_the_list_below_it() -> None:
    """A proposal that ends at its colon says nothing on the ballot."""
    text = (
        "So:\n\n[PROPOSE] Before the cutover:\n- rehearse a restore\n- put two people on call\n[POSITION] Not before."
    )
    put = Move("propose", "Before the cutover: rehearse a restore; put two people on call")
    assert read_reply(text).moves == (put, Move("position", "Not before."))


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("p9.0 I refuse without a date", ("p9.0", "I refuse without a date")),
        (
            "- **p9.0**: I cannot accept while nobody has shown a quote.",
            ("p9.0", "I cannot accept while nobody has shown a quote."),
        ),
        ("o2 - I refuse to sign without a ramp", ("o2", "I refuse to sign without a ramp")),
        ("p9.0 I do not refuse.", None),
        ("p9.0 I refuse to discuss without Ada.", None),
        ("p9.0 I would not support alone, but with a date I do.", None),
        ("p9.0 costs too much.", None),
        ("m9 I reject.", None),
    ],
)
def test_an_id_with_words_of_refusal_opposes_it(line: str, move: tuple[str, str] | None) -> None:
    """ "p9.0 I refuse without a date" was talk, and the table said "against nobody"."""
    text = f"Talk.\n\n{line}\n[SUPPORT p1.0]"
    read = read_reply(text, "Eli", OTHERS | {"Eli": "night nurse"})
    assert [(each.target, each.text) for each in read.moves if each.kind == "oppose"] == ([move] if move else [])
    assert talk_of(text, read.cut) == ("Talk." if move else f"Talk.\n\n{line}")


def test_what_announces_the_moves_goes_with_them() -> None:
    """A reader who is shown no moves wonders what "Moves:" and a rule stand there for."""
    for above in (
        "**Moves:**\n",
        "Here are my moves:\n\n",
        "My moves are:\n",
        "---\n\n",
        "## My moves\n\n```\n",
        "Moves:\n---\n",
    ):
        text = f"Talk.\n\n{above}[SUPPORT p1.0]" + ("\n```" if "```" in above else "\n***")
        read = read_reply(text)
        assert read.moves == (Move("support", "", "p1.0"),), above
        assert talk_of(text, read.cut) == "Talk.", above
    assert read_reply("Talk.\n\nHere are my moves:\n\nNone of them is new.").cut == ()


@pytest.mark.parametrize(
    "text",
    [
        "Talk.\n```text\n[SUPPORT p1.0]\n```",
        "Talk.\n\n```\n[SUPPORT p1.0]",
        "Talk.\n\n> [SUPPORT p1.0]\n>\n",
    ],
)
def test_a_fence_or_quotation_of_nothing_but_moves_at_the_end_is_decoration(text: str) -> None:
    """Some models set apart whatever looks like a form."""
    read = read_reply(text)
    assert read.moves == (Move("support", "", "p1.0"),)
    assert talk_of(text, read.cut) == "Talk."


FENCED = """I take it into my text.

```
[DENY m8] nothing is approved, and I did not agree
[AMEND p1.1] Keep a paper log of injuries by the till for three months; then the manager releases 2,000 euros for the
place that it names most often.
[OPPOSE p5.1] 16,000 euros a year and no budget line

[CONFIDENCE] 0.8
```"""


@pytest.mark.parametrize(
    "below",
    [
        "",
        "\n\nKind regards,\nBeatriz, Finance Director",
        "\n\nBest,\nBeatriz",
        "\n(97 words)",
        "\nI hope this helps!",
        "\n\nSo the money waits.\n\n[POSITION] The log first.",
    ],
)
def test_a_fence_of_nothing_but_moves_counts_whatever_follows_it(below: str) -> None:
    """A signature below the fence took all moves of a reply away without a word."""
    read = read_reply(FENCED + below, "Beatriz", {"Beatriz": "finance director", "Rosa": "resident"})
    assert [(move.kind, move.target) for move in read.moves[:3]] == [
        ("deny", "m8"),
        ("amend", "p1.1"),
        ("oppose", "p5.1"),
    ]
    assert read.moves[1].text.endswith("for the place that it names most often.")
    assert len(read.moves) == 3 + ("[POSITION]" in below)
    assert "```" not in talk_of(FENCED + below, read.cut)
    assert read.unclaimed == ()


def test_no_line_below_a_fence_is_the_reason_of_a_move_in_it() -> None:
    """ "That is all." stood in the table as why its author was for a text."""
    read = read_reply("So.\n```\n[SUPPORT p2.0]\n```\nThat is all that I have to say.")
    assert read.moves == (Move("support", "", "p2.0"),)


@pytest.mark.parametrize(
    "text",
    [
        "Look.\n```\ncode\n[WITHDRAW p2.1]\n```\nBest,\nRuth",
        "A withdrawal would look like this:\n```\n[WITHDRAW p2.1]\n```\nNone was made.",
        "Kofi (health officer): I give up.\n```\n[WITHDRAW p2.1]\n\n```\nI differ.",
        "Kofi (health officer): I give up.\n\n```\n[WITHDRAW p2.1]\n```\nI differ.",
        'Kofi (health officer): I give up.\n\n```json\n{"withdraw": "p2.1"}\n```\nI differ.',
        'Kofi (health officer): I give up.\n\n{"withdraw": "p2.1"}\nI differ.',
        'Kofi (health officer): I give up.\n{"withdraw": "p2.1"}\nI differ.',
        'Kofi (health officer): I give up.\n```json\n{"withdraw": "p2.1"}\n```\nI differ.',
    ],
)
def test_moves_in_a_fence_that_may_be_anothers_are_kept_as_nobodys(text: str) -> None:
    """Who wrote them is told at the next turn, so that moves are not lost without a word."""
    read = read_reply(text, "Ruth", {"Ruth": "sceptic", "Kofi": "health officer"})
    assert (read.moves, read.unclaimed) == ((), (Move("withdraw", "", "p2.1"),))


def test_what_is_set_apart_beside_moves_is_not_the_speakers() -> None:
    """Somebody who quotes a position to correct it would be booked for it."""
    quoted = (
        "In m1 Tomas ended with:\n> [POSITION] Cap Free at 30.\n\nThat was before the count.\n\n[POSITION] Cap at 20."
    )
    assert read_reply(quoted).moves == (Move("position", "Cap at 20."),)
    fenced = "The format, for those who forgot it:\n```\n[SUPPORT p12.0] why\n```\n\n[SUPPORT p1.0] counts first"
    assert read_reply(fenced).moves == (Move("support", "counts first", "p1.0"),)
    below = "Jonah wrote:\n[PROPOSE] Rewrite.\n[POSITION] For it.\n\n[OPPOSE p2.0] no\n> [POSITION] For it."
    assert read_reply(below).moves == (Move("oppose", "no", "p2.0"),)
    assert read_reply("> Ruth differs.\n[POSITION] Yes.").moves == (Move("position", "Yes."),)
    code = "So:\n```\nx = 1\n```\n[SUPPORT p1.0]"
    assert read_reply(code)[:2] == (18, (Move("support", "", "p1.0"),))


def test_what_one_wrote_before_and_repeats_is_ones_own() -> None:
    """ "As I wrote in m4:" above one's own move must not make it somebody else's."""
    assert read_reply("As I wrote in m4:\n[SUPPORT p3.0] cheap").moves == (Move("support", "cheap", "p3.0"),)
    assert read_reply("I agree with Keiko:\n\n[SUPPORT p3.0] cheap").moves == (Move("support", "cheap", "p3.0"),)


def test_further_moves_than_eight_stay_in_the_talk_and_are_told() -> None:
    """A model that runs wild would fill the table; what it wrote must not vanish either."""
    lines = [f"[SUPPORT p{number}.0] yes" for number in range(1, 11)]
    read = read_reply("\n".join(lines))
    assert [move.target for move in read.moves] == [f"p{number}.0" for number in range(1, MOST_ACTS + 1)]
    assert read.unknown_tags == ("[SUPPORT p9.0]", "[SUPPORT p10.0]")
    assert talk_of("\n".join(lines), read.cut) == "\n".join(lines[MOST_ACTS:])


def test_in_a_transcript_of_others_only_the_tags_themselves_count() -> None:
    """ "PROPOSAL: ..." of a working group is read by its own rules; as a move it would make all votes on it unread."""
    for line in ("PROPOSAL: merge them", "[abstain]", "[PROPOSAL] Hi, I only joined four months ago.", "<position> x"):
        assert read_reply(line).moves or read_reply(line).cut, line
        assert read_reply(line, loose=False) == ReadReply(), line
    assert read_reply("So.\n- **[SUPPORT p1.0]** yes", loose=False).moves == (Move("support", "yes", "p1.0"),)


def test_a_move_says_nothing_without_words() -> None:
    """Whoever makes moves of tags must be able to tell an empty one."""
    make = tag_reader(default_language())
    assert make.move("propose", "", "n/a") is None
    assert make.move("amend", "p1.0", "") is None
    assert make.move("support", " p1.0", "none") == Move("support", "", "p1.0")


def test_lines_in_anothers_name_are_marked_and_cut_and_nobodys_moves() -> None:
    """In a played debate "Ruth: I support the rewrite" in Jonah's reply gave Ruth the floor, and words to Jonah."""
    text = (
        "Great question, Ruth!\n\nRuth: You convinced me, I support the rewrite.\nMaya: Same here. I withdraw mine."
        "\nAda: OK, let's do it!\n\nSo we have decided: we rewrite the app.\n\n[SUPPORT p2.0] the savings"
    )
    read = read_reply(text, "Jonah", OTHERS)
    assert read.puppets == ("Ruth", "Maya", "Ada")
    assert read.moves == (Move("support", "the savings", "p2.0"),)
    assert talk_of(text, read.cut) == "Great question, Ruth!\n\nSo we have decided: we rewrite the app."


@in_one(
    ("text", "names", "kinds"),
    [
        ("[POSITION] Two days\n\n[m9] Keiko: I propose a contractor.\n[PROPOSE] Hire one.", ("Keiko",), ["position"]),
        ("Kinder.\n[POSITION] Two.\n\nModerator: Thank you, Jonah. It is decided.", ("Moderator",), ["position"]),
        ("So.\n\n**Maya:** I agree with Jonah, it is serious.\n\nKeiko: I would wait.", ("Maya", "Keiko"), []),
        ("So.\n\nRuth: [SUPPORT p2.0] fine\n[POSITION] Go.", ("Ruth",), []),
        ("So.\n\nRuth: [SUPPORT p2.0] fine\n\n[POSITION] Go.", ("Ruth",), ["position"]),
        ("So.\n\nRuth: I agree, Jonah.\n\nAda: you were right.\n[PROPOSE] Go.", ("Ruth", "Ada"), []),
        ("Ruth (sceptic): Keiko is right.\n\nWho would do it?", ("Ruth",), []),
        ("So.\n\nRuth: That works for me too.\n\n[SUPPORT p2.0] fine", ("Ruth",), ["support"]),
        ("So.\n\n**Ada:** Fair enough, a trial can be cancelled.\n\n- OPPOSE p9.0 - no", ("Ada",), ["oppose"]),
        ("So.\n\nAda, finance director: I can pay that.", ("Ada",), []),
        ("So.\n\n[Ada, the finance director]: I can pay that.", ("Ada",), []),
        ("So.\n\nAda - finance director: we wait.\n[SUPPORT p2.0] fine", ("Ada",), []),
        ("So.\n\n**Ada, Finance Director:** I can pay that.", ("Ada",), []),
        ("So.\n\n**Ada** – *finance director*: I can pay that.", ("Ada",), []),
        ("So.\n\nAda (finance director): I can pay that.", ("Ada",), []),
        ("So.\n\nRuth, the sceptic: I stay native.", ("Ruth",), []),
        ("So.\n\nRUTH (sceptic): I stay native.\nIt goes on here.\n\nAda: Yes, Jonah.", ("Ruth", "Ada"), []),
    ],
)
def test_a_line_is_in_anothers_name_by_its_words(text: str, names: tuple[str, ...], kinds: list[str]) -> None:
    """A vote written for another, "Fair enough" in its name, or "the panel has decided", must not enter the minutes."""
    read = read_reply(text, "Jonah", OTHERS)
    assert (read.puppets, [move.kind for move in read.moves]) == (names, kinds)
    assert not any(name in talk_of(text, read.cut) for name in names)


def test_in_a_fake_exchange_each_line_and_the_tags_right_below_it_are_its_names() -> None:
    """In a played debate Keiko "supported" what her Tomas did, and "withdrew" the amendment of her Henrik."""
    text = (
        "Who is called? Tomas, what happens to 15 meals if the shelter does not come?\n\n"
        "Tomas: Great point, Keiko! Let's freeze it then.\n[SUPPORT p3.0] freezing is simpler\n"
        "Henrik: I can live with that. I withdraw my amendment.\n[WITHDRAW p4.0]\n\nKeiko:\n"
        "[OPPOSE p4.0] no second driver and no fallback when the shelter does not come\n[POSITION] p3.0"
    )
    read = read_reply(text, "Keiko", dict.fromkeys(("Tomas", "Henrik", "Keiko"), ""))
    assert read.puppets == ("Tomas", "Henrik")
    assert [(move.kind, move.target or move.text) for move in read.moves] == [("oppose", "p4.0"), ("position", "p3.0")]
    assert talk_of(text, read.cut) == text.partition("\n")[0]


@pytest.mark.parametrize(
    ("back", "talk", "kinds"),
    [
        ("Jonah: I hold on.\n[POSITION] Wait.", "So.\n\nI hold on.", ["position"]),
        ("**Jonah:** [OPPOSE p1.0] too dear", "So.", ["oppose"]),
        ("\n---\nJonah:\nI hold on.", "So.\n\nI hold on.", []),
    ],
)
def test_the_speakers_own_name_takes_the_words_back(back: str, talk: str, kinds: list[str]) -> None:
    """What a member says after its fake exchange would be lost, or be shown behind its name like a line of a play."""
    text = f"So.\n\nRuth: I agree, Jonah.\n[SUPPORT p2.0] fine\n{back}"
    read = read_reply(text, "Jonah", OTHERS)
    assert ([move.kind for move in read.moves], talk_of(text, read.cut)) == (kinds, talk)


@in_one(
    "text",
    [
        "Ruth: I think you are wrong. The number is missing.",
        "Ruth: agreed. And I would wait.",
        "So.\n\nRuth: what would convince you?",
        "So.\n\nRuth: I think you are wrong.\n\nMaya: you never showed a number.",
        "So.\n\nRuth: please show the restore, I say.",
        "Ruth (m4): the number is missing.",
        "Where we stand:\n* Ruth (sceptic): native\n* Maya (o2): one screen",
        "Where we stand:\n- Ruth: native, I believe\n- Maya: one screen",
        'So.\n\nRuth: "I see no number." That was all.',
        "Jonah: Two days are kinder, and I, Jonah, carried them.",
        "So.\n\n> Ruth: I see no number.",
        "Ruth's point: I see no number.",
        "Ada, we agree: the number is missing.",
        "So.\n\nAda, one question: who pays?",
        "So.\n\nAda, the budget: I would not touch it.",
        "So.\n\nAda - and I mean it: who pays?",
        "So.\n\nAda, director: the word is yours, but not the budget.",
    ],
)
def test_words_to_another_are_ones_own(text: str) -> None:
    """Cutting what a member said to Ruth is worse than showing a line that it wrote for her."""
    read = read_reply(text, "Jonah", OTHERS)
    assert (read.puppets, read.cut) == ((), ())
    own = read_reply(f"{text}\n\n[POSITION] Wait.\nJonah: [SUPPORT p1.0] yes", "Jonah", OTHERS)
    assert [move.kind for move in own.moves] == ["position", "support"]


@pytest.mark.parametrize(
    "text",
    [
        "### Eli (night nurse)\n\nWe wait.",
        "**Eli, night nurse**\n\nWe wait.",
        "We wait.\n\n### Eli (night nurse)",
        "We wait.\n\nBest, Eli",
        "We wait.\n\n-- Eli",
        "We wait.\n\nKind regards,\n\n*Eli Roth*",
        "We wait.\n\nKind regards,\nEli\n(night nurse)",
        "We wait.\n\n---\n— Eli\n\n[SUPPORT p1.0] cheap",
        "We wait.\n\nA hug to each of you, Eli",
    ],
)
def test_ones_own_heading_and_signature_are_not_shown(text: str) -> None:
    """Each message stands under its speaker's name already; "Best, Tomas" was the end of every turn of a debate."""
    read = read_reply(text, "Eli Roth", OTHERS | {"Eli Roth": "night nurse"})
    assert (talk_of(text, read.cut), read.puppets) == ("We wait.", ())


@pytest.mark.parametrize(
    "text",
    [
        "We wait.\n\nBest, Ruth",
        "Thanks,\nRuth, we wait.",
        "Eli waits.",
        "We wait.\n\nThanks!",
        "Best\n\nI wait.",
        "(A night nurse waits.)",
        "I take back p1.0, Eli",
        "I am against it, Eli",
        "Thanks for m2, but no, Eli",
    ],
)
def test_only_ones_own_heading_and_signature_go(text: str) -> None:
    """Whatever else a member wrote is its own words, and others may answer it."""
    assert read_reply(text, "Eli", OTHERS).cut == ()


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "Talk with [brackets] in it.",
                "",
                "[SUPPORT p12.0] yes",
                "p9.0 I refuse without a date",
                "- **[OPPOSE p1@33]** no",
                "[NOTE 30] keep",
                "[Not a move",
                "* item",
                "12. item",
                "1. [SUPPORT p1.0] a",
                "```",
                "~~~",
                "[PROPOSE] x",
                "[PROPOSE] none",
                "**",
                "---",
                "[",
                "Ann says:",
                "Ruth wrote:",
                "**Moves:**",
                "## Moves",
                "[PROPOSE]",
                "[SUPPORT p1.0]",
                "[POSITION] Three things:",
                "- one thing",
                "[PROPOSE: " + "so long a proposal that it takes more than a tag may hold.]",
                "[PROPOSE] A proposal that is broken where the page ends, and",
                "goes on below.",
                "[OPPOSE p1.0], [NEUTRAL p2.0]: no figures",
                "> [OPPOSE p1.0]",
                "> quote",
                "SUPPORT p1.0: yes",
                "SUPPORT of all",
                "PROPOSE Lay it",
                "**POSITION:** for it",
                "**Proposal:** use it",
                "Proposals are",
                "My position is x",
                "<PROPOSE> a b",
                "(SUPPORT p1.0) yes",
                "(Note that it is)",
                "👉 [PROPOSE] x",
                "[VOTE] x",
                "[CONFIDENCE] very high",
                "(87 words)",
                "Word count: 87",
                "[CONSENSUS] all agree",
                "Native. Show me. [PROPOSE] one screen",
                'He said "no." [SUPPORT p1.0] yes',
                "Done.** [POSITION] x. **[AGREE]** with",
                "Ruth: You convinced me, I agree.",
                "Ruth: you are wrong.",
                "**Ada:** I agree with it.",
                "[m9] Ada: I propose.",
                "Moderator: we vote.",
                "Max: [POSITION] x",
                "Max: I hold on.",
                "**Max:**",
                "Ruth",
                "Ada, finance director: I agree.",
                "Ada - finance",
                "Best, Max",
                "Thanks,",
                "### Max, clerk",
                "Max (clerk) says",
                '{"moves": [{"type": "support", "id": "p1.0"}]}',
                '{"support": ',
                '"p1.0"}',
                '[{"wants": true}] and',
                "{",
                "}",
            ]
        ),
        st.text(alphabet="[]abSUPORT p1.0*-`>\t (){}<>:", max_size=30),
    ),
    max_size=8,
)
CHAIR = {"Max": "clerk", "Ruth": "sceptic", "Ada": "finance director"}


def shown_of(text: str, size: int) -> str:
    """What a stream of the text shows, in pieces of so many characters."""
    pieces: list[str] = []
    shown = ShownText(pieces.append, "Max", CHAIR)
    for start in range(0, len(text), size):
        shown(text[start : start + size])
    shown("\n")
    return "".join(pieces)


@given(LINES, st.integers(1, 9))
def test_a_stream_shows_only_talk_and_never_takes_back_a_word(lines: list[str], size: int) -> None:
    """The reader of the live view must not see the machinery, nor see words vanish."""
    text = "Well.\n" + "\n".join(lines)
    talk = talk_of(text, read_reply(text, "Max", CHAIR).cut)
    assert " ".join(talk.split()).startswith(" ".join(shown_of(text, size).split()))


@given(LINES, st.integers(1, 9))
def test_talk_is_shown_as_soon_as_no_move_can_hide_in_it(lines: list[str], size: int) -> None:
    """A stream that lags behind by whole paragraphs is no stream."""
    text = "Well.\n" + "\n".join([*lines, "", "And that is all I say.", "Truly all of it. " * 12])
    talk = talk_of(text, read_reply(text, "Max", CHAIR).cut)
    assert shown_of(text, size).split() == talk.split()


@given(LINES)
def test_what_is_cut_and_what_is_talk_are_all_of_a_reply(lines: list[str]) -> None:
    """A word that is neither shown nor a move would have been deleted without a trace."""
    text = "\n".join(lines)
    read = read_reply(text, "Max", CHAIR)
    assert all(0 <= start < end <= len(text) for start, end in read.cut)
    assert all(one[1] <= two[0] for one, two in pairwise(read.cut))
    assert len(read.moves) <= MOST_ACTS
    assert (read.moves_at is None) == (not read.moves)
    reader, at = ReplyWithData("Max", CHAIR), 0
    for line in text.split("\n"):
        reader.read(line, at)
        at += len(line) + 1
    reader.close()
    covered = {offset for span in (*reader.talk, *reader.cut) for offset in range(*span)}
    assert all(offset in covered or text[offset].isspace() for offset in range(len(text)))


@in_one("length", range(40, 75))
def test_what_was_shown_while_a_long_tag_came_in_is_never_taken_back(length: int) -> None:
    """A stream that shows a line and then hides it shows the reader syntax."""
    text = "Some talk.\n\n[PROPOSE " + "x" * length + "] and on"
    talk = talk_of(text, read_reply(text).cut)
    assert talk.startswith(shown_of(text, 1))


NAMED = st.lists(st.sampled_from(["Ann", "ANN", ":", "**", "*", " ", "\n", "m1", "[", "]", " (", "x)", "I", "#"]))


@given(NAMED.map("".join).map(str.strip), st.integers(1, 5))
def test_the_speakers_own_name_is_not_shown_twice(text: str, size: int) -> None:
    """Models go on in the form of a transcript; without it half of the lines read "Ann: Ann: I think"."""
    pieces: list[str] = []
    shown = ShownText(pieces.append, "Ann")
    for start in range(0, len(text), size):
        shown(text[start : start + size])
    said, seen = without_name(text, "Ann"), "".join(pieces)
    talk = talk_of(said, read_reply(said, "Ann").cut)
    assert " ".join(talk.split()).startswith(" ".join(seen.split()))


@pytest.mark.parametrize("begun", ["Ann: ", "**Ann:** ", "**Ann**: ", "## Ann:\n\n", "[m13] Ann: ", "Ann (lawyer): "])
def test_ones_own_name_before_ones_words_goes_and_no_other(begun: str) -> None:
    """What is said in another's name is a quotation, and stays one."""
    assert without_name(f"{begun}I hold.", "Ann") == "I hold."
    for text in ("Bob: I hold.", "Ann holds: no.", "Anna: I", "Ann's view: no", "**Ann: I hold.**", "Ann:"):
        assert without_name(text, "Ann") == text


@pytest.mark.parametrize(
    "line",
    ["So the queue blocks the ledger, and the ledger the queue.\n\n", "[SUPPORT p1.0] It is right.\n", "\n" * 50],
)
def test_showing_a_long_reply_looks_at_each_word_a_few_times_only(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """Without it the longer a reply is, the slower each of its words comes, until the debate stands still."""
    looked_at = 0

    class Counting(ReplyWithData):
        def read(self, line: str, at: int) -> None:
            nonlocal looked_at
            looked_at += len(line)
            super().read(line, at)

        def certain(self, begun: str, known: int = 0) -> int:
            nonlocal looked_at
            looked_at += len(begun) - known
            return super().certain(begun, known)

    monkeypatch.setattr("eda.debate.speech.ReplyWithData", Counting)
    text = "Talk.\n" + line * 500
    shown = ShownText(lambda _: None)
    for start in range(0, len(text), 12):
        shown(text[start : start + 12])
    assert looked_at < 4 * len(text)


def test_the_tags_of_the_house_rules_sent_back_are_no_acts() -> None:
    """A small model that repeats its instructions would put "a new proposal, whole" to the vote."""
    echoed = "\n".join(line for line in Prompts().fill("house").splitlines() if line.startswith("["))
    assert echoed.count("\n") > 7
    kinds = {move.kind for move in read_reply(f"I see.\n\n{echoed}").moves if move.text}
    assert kinds == set()


@pytest.mark.parametrize("signature", ["Best, Ada", "— Ada", "Kind regards,\nAda"])
def test_a_position_of_nothing_but_a_signature_is_none(signature: str) -> None:
    """ "Best, Ada" stood on the table as what Ada held."""
    read = read_reply(f"[POSITION]\n{signature}", "Ada", {"Ada": "a tenant", "Ben": "a baker"})
    assert (read.moves, read.unknown_tags) == ((), ("[POSITION]",))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("it is cheap (Best, Ada)", "it is cheap"),
        ("it is cheap. (Viele Grüße, Ada.)", "it is cheap."),
        ("it is cheap (Best, Ben)", "it is cheap (Best, Ben)"),
        ("it is cheap (the baker, Ada)", "it is cheap (the baker, Ada)"),
        ("the keys are with the baker (Ada)", "the keys are with the baker (Ada)"),
        ("it is (best, Ada) cheap", "it is (best, Ada) cheap"),
        ("it is cheap. Best wishes, Ada", "it is cheap."),
        ("it is cheap - thanks everyone, Ada", "it is cheap"),
        ("it is cheap, kind regards Ada", "it is cheap"),
        ("it is cheap. Ada", "it is cheap."),
        ("it stays free, Ada", "it stays free, Ada"),
        ("it is cheap. The keys stay here, Ada", "it is cheap. The keys stay here, Ada"),
        ("one carries the keys - Ada", "one carries the keys - Ada"),
    ],
)
@pytest.mark.parametrize("tag", ["SUPPORT p1.0", "PROPOSE"])
def test_a_signature_that_ends_a_text_is_none_of_it(tag: str, text: str, kept: str) -> None:
    """ "It is cheap (Best, Oona)" stood so on the table; "[POSITION] o2. Best wishes, Cal" was lost as a signature."""
    read = read_reply(f"So.\n[{tag}] {text}", "Ada", {"Ada": "a tenant", "Ben": "a baker"})
    assert [move.text for move in read.moves] == [kept]


def test_a_row_that_begins_like_a_move_is_read_or_told() -> None:
    told = read_reply("I speak.\n\n- Support p3.0 once the firm pays")
    assert (told.moves, told.unknown_tags) == ((), ("Support p3.0",))
    held = read_reply("I speak.\n\n- Undecided on p6.0: who pays?")
    assert [(move.kind, move.target, move.text) for move in held.moves] == [("neutral", "p6.0", "who pays?")]
    titled = read_reply("**Proposal (Keep the gate):** We keep the gate by the bridge until May.")
    assert [(move.kind, move.title) for move in titled.moves] == [("propose", "Keep the gate")]
    assert read_reply("Support p3.0 and you lose the gate.").unknown_tags == ()


@pytest.mark.parametrize("row", ["gegen p7.0 hab ich auch nix mehr", "Against p7.0 I have nothing left"])
def test_a_row_of_talk_that_begins_with_a_preposition_is_no_move_without_its_brackets(row: str) -> None:
    """A member that gave its opposition up was told that "gegen p7.0" needs brackets."""
    read = read_reply(f"I speak.\n\n[SUPPORT p11.0] it is dry\n- {row}")
    assert ([move.kind for move in read.moves], read.unknown_tags) == (["support"], ())


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("support p8.0", ("support", "p8.0", "")),
        ("oppose p5: it is dear", ("oppose", "p5", "it is dear")),
        ("undecided p5.0, because the rate is open", ("neutral", "p5.0", "because the rate is open")),
        ("amend p3.0: We close at eight.", ("amend", "p3.0", "We close at eight.")),
    ],
)
def test_a_move_in_small_letters_is_read_where_nothing_but_a_reason_follows_its_id(line: str, move: object) -> None:
    """A member wrote "support p8.0" beside "[oppose p2.0]", and only the second counted."""
    read = read_reply(f"Three euros are fine.\n{line}\n[oppose p2.0]")
    assert [(each.kind, each.target, each.text) for each in read.moves] == [move, ("oppose", "p2.0", "")]
    assert read_reply(f"On the whole I cannot\n{line}").moves == ()
    assert read_reply("support p8.0, and oppose p9.0").moves == ()


@pytest.mark.parametrize("line", ["Support p5.", "rejected p5: it is dear", "- support p5"])
def test_a_move_without_its_brackets_is_talk_of_which_its_author_is_told(line: str) -> None:
    """A member that wrote "support p5" each time supported nothing, and nobody told it."""
    read = read_reply(f"So I think.\n{line}")
    assert (read.moves, read.cut) == ((), ())
    assert read.unknown_tags == (line.partition(":")[0].strip("-. "),)
    assert read_reply("Support p5 grows.").unknown_tags == ()


@pytest.mark.parametrize("tag", ["SUPPORT Probemonat mit Papierliste", "OPPOSE the trial month"])
def test_a_shouted_move_that_names_no_id_is_talk_of_which_its_author_is_told(tag: str) -> None:
    """ "SUPPORT Probemonat mit Papierliste: ..." supported nothing, and its author never knew."""
    read = read_reply(f"So denke ich.\n{tag}: weil niemand leer ausgeht\n[POSITION] p5.0")
    assert ([move.kind for move in read.moves], read.unknown_tags) == (["position"], (tag,))
    assert read_reply(f"So denke ich.\n{tag.capitalize()}: weil niemand leer ausgeht").unknown_tags == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[support p2.0, it costs little]\nThank you all!", "it costs little"),
        ("[support p2.0, it costs little] Thank you all!", "it costs little"),
        ("[support p2.0, if it costs little]\nThank you all!", "if it costs little"),
        ("[support p2.0, it costs little] and lasts", "it costs little and lasts"),
        ("[SUPPORT p2.0]\nThank you all!", ""),
        ("[SUPPORT p2.0] Thanks everyone!", ""),
        ("[SUPPORT p2.0] Thanks to Ann it is cheap", "Thanks to Ann it is cheap"),
    ],
)
def test_words_behind_an_id_in_a_tag_are_the_reason_and_a_courtesy_is_none(text: str, reason: str) -> None:
    """A support had "Thank you all!" as its reason, and the reason that stood in its tag was lost."""
    assert [(move.target, move.text) for move in read_reply(text, "Ann").moves] == [("p2.0", reason)]


def test_a_courtesy_below_an_empty_tag_is_no_text_and_a_row_of_a_table_is_a_move() -> None:
    """A member held the position "Mit freundlichen Grüßen", and a proposal in a table was neither read nor told."""
    read = read_reply("So denke ich.\n[POSITION]\nMit freundlichen Grüßen", "Beatriz", {"Beatriz": "", "Ruth": ""})
    assert (read.moves, read.unknown_tags) == ((), ("[POSITION]",))
    row = "| PROPOSE | Dienstag ab 20 Uhr | Der Chor probt an jedem Dienstag ab 20 Uhr im Saal. |"
    (move,) = read_reply(row).moves
    assert (move.kind, move.title) == ("propose", "Dienstag ab 20 Uhr")
    assert move.text == "Der Chor probt an jedem Dienstag ab 20 Uhr im Saal."
    (amends,) = read_reply("**Ändere p5.0:** Der Chor probt am Montag.").moves
    assert (amends.kind, amends.target, amends.text) == ("amend", "p5.0", "Der Chor probt am Montag.")


@pytest.mark.parametrize(
    "farewell", ["Bye now!", "Have a lovely evening!", "Cheers, all!", "Einen schönen Abend noch!"]
)
def test_a_farewell_below_a_tag_is_no_reason(farewell: str) -> None:
    """ "supports p8.0: Bye now!" stood in the record."""
    assert [move.text for move in read_reply(f"I see.\n[SUPPORT p8.0]\n{farewell}", "Rosa").moves] == [""]


def test_a_title_that_stands_above_its_proposal_is_no_second_one() -> None:
    """Two texts of one name stood on the ballot, of which one was nothing but a title."""
    read = read_reply(
        "So.\n**Proposal:** Insulate first\n- [PROPOSE Insulate first] We insulate the roof before we buy a boiler."
    )
    assert [(move.title, move.text[:11]) for move in read.moves] == [("Insulate first", "We insulate")]


def test_a_proposal_in_long_brackets_is_one() -> None:
    """A careful member's proposal was lost twice, and it was told that its tag does not begin its line."""
    long = "Everything that the archive will do in June with all of the plates and both of the keys of the cellar"
    (move,) = read_reply(f"So.\n[PROPOSE {long}] The archive scans the plates in the cellar.").moves
    assert move.kind == "propose"
    assert move.text.endswith("in the cellar.")


def test_a_title_of_more_than_six_words_is_one_before_a_text_of_twice_as_many() -> None:
    """It was glued to the text, and the decision had no name."""
    title, text = (
        "In der Tasche, auf ein Zeichen heraus",
        "Von Februar bis Ostern " + "liegt es in der Tasche " * 4 + "und basta.",
    )
    (long,) = read_reply(f"So.\n[PROPOSE {title}] {text}").moves
    assert (long.title, long.text) == (title, text)
    (whole,) = read_reply("So.\n[PROPOSE We ship in May with the flag off] It is cheap and safe to do.").moves
    assert whole.title == ""


@pytest.mark.parametrize(
    "line",
    [
        "**[propose] Kleine Runde** Wir fahren nur zwei Stunden und tanzen danach am Steg.",
        "[PROPOSE] **Kleine Runde** Wir fahren nur zwei Stunden und tanzen danach am Steg.",
        "**[PROPOSE] Kleine Runde:** Wir fahren nur zwei Stunden und tanzen danach am Steg.",
    ],
)
def test_a_bold_title_behind_the_tag_is_the_title(line: str) -> None:
    """The title became the beginning of the text."""
    (move,) = read_reply(f"I speak.\n\n{line}").moves
    assert (move.title, move.text) == ("Kleine Runde", "Wir fahren nur zwei Stunden und tanzen danach am Steg.")


def test_a_word_in_bold_at_the_head_of_a_proposal_is_no_title() -> None:
    (move,) = read_reply("I speak.\n\n[PROPOSE] **Nobody** drives the boat after dark.").moves
    assert (move.title, move.text) == ("", "Nobody drives the boat after dark.")


@pytest.mark.parametrize(
    ("below", "why"),
    [
        ("Drück euch, Birte", ""),
        ("Sonnige Tage euch allen, eure Birte", "Sonnige Tage euch allen"),
        ("weil es gerecht ist, sagt Birte", "weil es gerecht ist, sagt Birte"),
        ("die Runde von Ole, Birte", "die Runde von Ole, Birte"),
    ],
)
def test_a_closing_line_that_ends_in_ones_own_name_is_no_reason(below: str, why: str) -> None:
    """ "Drück euch, Nele" stood as why Nele supported a text; a list of names is no signature."""
    (move,) = read_reply(f"So.\n[SUPPORT p1.0]\n{below}", "Birte", {"Birte": "", "Ole": ""}).moves
    assert move.text == why


@pytest.mark.parametrize("sign", ["Eure Birte", "LG Birte", "VG, Birte", "Dein Birte"])
def test_a_german_signature_is_no_position(sign: str) -> None:
    """ "Eure Birte" below an empty [POSITION] stood as what Birte holds, to the end of the debate."""
    read = read_reply(f"So.\n[POSITION]\n{sign}", "Birte", {"Birte": "", "Ole": ""})
    assert (read.moves, read.unknown_tags) == ((), ("[POSITION]",))


@in_one(
    ("line", "text"),
    [
        ("[PROPOSE] Lend fins to all. Hope that is okay, thank you so much!", "Lend fins to all."),
        ("[AMEND p1.0] Lend fins. Thanks, everyone! What do you think?", "Lend fins."),
        ("[PROPOSE: Lend fins to all. Any thoughts?]", "Lend fins to all."),
        ("[PROPOSE] Wir leihen Flossen. Vielen Dank euch! Was meint ihr?", "Wir leihen Flossen."),
        ("[PROPOSE] Lend fins. What do you think of the price?", "Lend fins. What do you think of the price?"),
        ("[PROPOSE] Ask two things. Who pays? What do you think?", "Ask two things. Who pays? What do you think?"),
        ('[PROPOSE] Write "Shut the gate. Thank you!"', 'Write "Shut the gate. Thank you!"'),
        ("[PROPOSE] Lend fins. Thank Ann for them.", "Lend fins. Thank Ann for them."),
        ("[PROPOSE] Wir leihen Flossen. LG", "Wir leihen Flossen."),
        ("[PROPOSE] Thank you all!", "Thank you all!"),
    ],
)
def test_a_courtesy_or_a_question_to_all_that_closes_a_text_is_no_part_of_it(line: str, text: str) -> None:
    """What a panel adopted ended in "What do you think?", in the verdict and on the ballot."""
    (move,) = read_reply(line, "Ann").moves
    assert move.text == text


def test_blanks_are_read_in_the_time_of_their_number() -> None:
    """Forty thousand spaces before a move held a debate up for twenty seconds, and before a signature for longer."""
    begun, blanks = process_time(), " " * 40_000
    text = f"I agree.{blanks}x{blanks}\n[SUPPORT p1.0] It helps."
    assert talk_of(text, read_reply(text).cut) == f"I agree.{blanks}x"
    reads = name_lines("Ben", (("Ada", ""), ("Ben", "")), default_language())
    assert reads.without_signature(f"o1{blanks}, then o2{blanks} (Best, Ben)") == f"o1{blanks}, then o2"
    assert reads.without_signature(many := f"o1 ({blanks.replace(' ', 'a,')}") == many
    assert process_time() - begun < 5


@pytest.mark.parametrize(
    "text",
    [
        "[SUPPORT p2 " + "." * 49_000,
        "[SUPPORT p2] " + "{" * 49_000,
        "[SUPPORT p2] " + "[" * 20_000 + " a [ b",
        "hi [NEXT Ben] " * 2_000,
    ],
    ids=["dots", "curly brackets", "square brackets", "next speakers"],
)
def test_a_message_of_brackets_is_read_in_bounded_steps(text: str) -> None:
    """A tag behind which 50,000 dots or brackets stood held the debate up for 25 s; 500 `[NEXT Ben]` ended it."""
    begun = process_time()
    assert read_reply(text, "Ada", {"Ben": "member"}).next == ""
    assert process_time() - begun < 3


def test_data_is_read_without_escape_codes_and_control_characters() -> None:
    """A condition in JSON kept what a server had written as `\\u001b[31m`."""
    (move,) = read_reply('{"type": "support", "id": "p1.0", "condition": "it\\u0007 is \\u001b[31mpaid"}').moves
    assert (move.target, move.text) == ("p1.0", "if it is paid")
