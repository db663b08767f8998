"""Declared moves: read exactly, and never shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eda.debate.streaming import ShownText
from eda.events.records import Move
from eda.memory.minutes.declared_moves import parse_moves, visible_prefix
from eda.runners.messages_api.answer_text import may_be_name, without_name


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("[PROPOSE] Use Postgres 17.", Move("propose", "Use Postgres 17.")),
        ("[propose] use it", Move("propose", "use it")),
        ("- **[SUPPORT p12.0]** because it is cheap", Move("support", "because it is cheap", "p12.0")),
        ("* [Oppose p12.0]: too dear", Move("oppose", "too dear", "p12.0")),
        ("`[PROPOSE] use 3.12`", Move("propose", "use 3.12")),
        ("**[NEUTRAL p3.1] no figures yet**", Move("neutral", "no figures yet", "p3.1")),
        ("[SUPPORT] p3.1, as Ann says", Move("support", "as Ann says", "p3.1")),
        ("[SUPPORT]", Move("support")),
        ("[SUPPORT the first one]", Move("support", "", "the first one")),
        ("1. [AMEND p3.1] two weeks, not one", Move("amend", "two weeks, not one", "p3.1")),
        ("• [WITHDRAW p3.1]", Move("withdraw", "", "p3.1")),
        ("[SUPPORTS p3.1] it is cheap", Move("support", "it is cheap", "p3.1")),
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
    text = f"Some talk first.\n\n{line}"
    assert parse_moves(text) == (18, (move,))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No moves at all.",
        "[SUPPORT p1.0]\nand then more talk",
        "I would write [SUPPORT p1.0] here.",
        "See [Notebook] x",
        "[PROPOSAL] an old tag is no move",
        "Ann ended with this:\n> [OPPOSE p1.0] too dear",
        "[PROPOSE " + "x" * 70 + "] a tag of that length is talk",
        "- [ ] a task",
        "```\ncode\n[SUPPORT p1.0]\n```",
        "[link](https://example.org)",
        "I SUPPORT p1.0 in all of it.",
        "SUPPORT for p1.0 is thin.",
        "Support p1.0 if you must.",
        "NOTE: it ends in June.",
        "I hold this.\n\n**Proposal:** use it.",
        "I hold this.\n\n> Proposal: use it.\n\nNo.",
        "So Ann ended her turn:\n\n[SUPPORT p1.0]\nI differ.",
        "Here is what Ann wants.\n\n[SUPPORT p1.0]\n\nI differ.",
        "Ann ended with this:\n[PROPOSE]\n> Too dear.",
        "It is this.\n\n[PROPOSE] Wait.\nAnd I say no to it.",
        "It is this.\n\n[PROPOSE]\nWait.\nI say no to it.",
        "[PROPOSE: wait] was what Ann wrote, and I say that it is far too late for that by now.\nNo.",
    ],
)
def test_what_is_no_closing_move_line_stays_talk(text: str) -> None:
    """Quoting the rules of the house must not cast a vote."""
    assert parse_moves(text) == (None, ())


def test_only_the_closing_block_counts_and_the_talk_before_it_is_whole() -> None:
    """A vote quoted in the middle of a turn is not one's own."""
    text = "Ann wrote:\n[SUPPORT p1.0]\nI differ.\n\n[OPPOSE p1.0] cost\n\n- [NOTE] tell finance\n"
    at, moves = parse_moves(text)
    assert at is not None
    assert text[:at].rstrip() == "Ann wrote:\n[SUPPORT p1.0]\nI differ."
    assert [move.kind for move in moves] == ["oppose", "note"]


def test_several_moves_on_a_line_are_several() -> None:
    """Models save lines; without it the second vote is read as the reason of the first."""
    both = (Move("support", "cheap", "p1.0"), Move("oppose", "dear", "p2.0"))
    assert parse_moves("[SUPPORT p1.0] cheap. [OPPOSE p2.0] dear")[1][1:] == both[1:]
    assert parse_moves("**[SUPPORT p1.0]** cheap **[OPPOSE p2.0]** dear")[1] == both
    assert [move.target for move in parse_moves("[SUPPORT p1.0], [SUPPORT p2.0]: cheap")[1]] == ["p1.0", "p2.0"]
    assert len(parse_moves("[OPPOSE p2.0] it undoes my [SUPPORT p1.0]")[1]) == 1


def test_a_proposal_under_its_name_is_a_move_beside_others() -> None:
    """Without it one line without a tag loses all the moves that stand above it."""
    put = Move("propose", "use it")
    vote = Move("support", "cheap", "p1.0")
    assert parse_moves("Talk.\n[SUPPORT p1.0] cheap\n**Proposal:** use it") == (6, (vote, put))
    assert parse_moves("Talk.\n- Proposal: use it\n- [SUPPORT p1.0] cheap") == (6, (put, vote))
    assert parse_moves("Talk.\n> Proposal: use it\n\n[SUPPORT p1.0] cheap")[1] == (vote,)


def test_what_announces_the_moves_goes_with_them() -> None:
    """A reader who is shown no moves wonders what "Moves:" and a rule stand there for."""
    for above in ("**Moves:**\n", "---\n\n", "## My moves\n\n```\n", "Moves:\n---\n"):
        text = f"Talk.\n\n{above}[SUPPORT p1.0]" + ("\n```" if "```" in above else "")
        assert parse_moves(text) == (7, (Move("support", "", "p1.0"),)), above
        assert visible_prefix(text) == 5


def test_moves_below_fenced_code_are_moves() -> None:
    """Without it the votes of whoever ends with an example are lost."""
    assert parse_moves("So:\n```\nx = 1\n```\n[SUPPORT p1.0]") == (18, (Move("support", "", "p1.0"),))


def test_a_fence_around_the_moves_is_decoration() -> None:
    """Some models fence whatever looks like a form."""
    text = "Talk.\n```text\n[SUPPORT p1.0]\n```"
    assert parse_moves(text) == (6, (Move("support", "", "p1.0"),))


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "Talk with [brackets] in it.",
                "",
                "[SUPPORT p12.0] yes",
                "- **[OPPOSE p1@33]** no",
                "[NOTE 30] keep",
                "[Not a move",
                "* item",
                "12. item",
                "```",
                "[PROPOSE] x",
                "**",
                "[",
                "Ann says:",
                "**Moves:**",
                "[PROPOSE]",
                "[SUPPORT p1.0]",
                "[POSITION] Three things:",
                "- one thing",
                "[PROPOSE: " + "so long a proposal that it takes more than a tag may hold.]",
                "[PROPOSE] A proposal that is broken where the page ends, and",
                "goes on below.",
                "[OPPOSE p1.0], [NEUTRAL p2.0]: no figures",
                "> [OPPOSE p1.0]",
                "SUPPORT p1.0: yes",
                "SUPPORT of all",
                "**POSITION:** for it",
                "**Proposal:** use it",
                "Proposals are",
            ]
        ),
        st.text(alphabet="[]abSUPORT p1.0*-`>\t ", max_size=30),
    ),
    max_size=8,
)


@given(LINES)
def test_a_stream_never_shows_a_move_line_and_never_takes_back_a_word(lines: list[str]) -> None:
    """The reader of the live view must not see the machinery, nor see words vanish."""
    text = "\n".join(lines)
    at, _ = parse_moves(text)
    talk = text if at is None else text[:at].rstrip()
    shown = 0
    for end in range(len(text) + 1):
        now = visible_prefix(text[:end])
        assert now >= shown
        shown = now
        assert shown <= end
    assert talk.startswith(text[:shown].rstrip())


@given(LINES, st.sampled_from(["[SUPPORT p1.0] fine", "- `[NOTE] x`"]))
def test_talk_is_shown_as_soon_as_no_move_can_hide_in_it(lines: list[str], move: str) -> None:
    """A stream that lags behind by whole paragraphs is no stream."""
    talk = "\n".join([*lines, "And that is all I say.", "Truly all."])
    assert visible_prefix(talk) == len(talk)
    at, _ = parse_moves(f"{talk}\n\n{move}")
    assert at is None or at >= len(talk) or talk.count("```") % 2 == 1


@pytest.mark.parametrize("length", range(40, 75))
def test_what_was_shown_while_a_long_tag_came_in_is_never_taken_back(length: int) -> None:
    """A stream that shows a line and then hides it shows the reader syntax."""
    text = "Some talk.\n\n[PROPOSE " + "x" * length + "] and on"
    shown = 0
    for end in range(len(text) + 1):
        now = visible_prefix(text[:end])
        assert now >= shown
        shown = now


@given(LINES, st.integers(1, 9))
def test_a_stream_shows_the_same_however_it_is_cut(lines: list[str], size: int) -> None:
    """Without it a word of talk is lost, or syntax shown, where the network happens to cut a reply."""
    text, pieces = "\n".join(lines), list[str]()
    shown = ShownText(pieces.append)
    for start in range(0, len(text), size):
        shown(text[start : start + size])
    assert "".join(pieces) == text[: visible_prefix(text)]


NAMED = st.lists(st.sampled_from(["Ann", "ANN", ":", "**", "*", " ", "\n", "m1", "[", "]", " (", "x)", "I", "#"]))


@given(NAMED.map("".join).map(str.strip), st.integers(1, 5))
def test_the_speakers_own_name_is_not_shown_twice(text: str, size: int) -> None:
    """Models go on in the form of a transcript; without it half of the lines read "Ann: Ann: I think"."""
    pieces: list[str] = []
    shown = ShownText(pieces.append, "Ann")
    for start in range(0, len(text), size):
        shown(text[start : start + size])
    said, seen = without_name(text, "Ann"), "".join(pieces)
    assert seen == said[: visible_prefix(said)] or (not seen and may_be_name(text, "Ann"))


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

    def counted(text: str) -> int:
        nonlocal looked_at
        looked_at += len(text)
        return visible_prefix(text)

    monkeypatch.setattr("eda.debate.streaming.visible_prefix", counted)
    text = "Talk.\n" + line * 500
    shown = ShownText(lambda _: None)
    for start in range(0, len(text), 12):
        shown(text[start : start + 12])
    assert looked_at < 3 * len(text)
