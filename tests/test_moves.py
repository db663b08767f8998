"""Declared moves: read exactly, and never shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eda import listener
from eda.memory.moves import parse_moves, visible_prefix
from eda.records import Move


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
    talk = "\n".join([*lines, "And that is all I say."])
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
    shown = listener._Shown(pieces.append)
    for start in range(0, len(text), size):
        shown(text[start : start + size])
    assert "".join(pieces) == text[: visible_prefix(text)]


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

    monkeypatch.setattr(listener, "visible_prefix", counted)
    text = "Talk.\n" + line * 500
    shown = listener._Shown(lambda _: None)
    for start in range(0, len(text), 12):
        shown(text[start : start + 12])
    assert looked_at < 3 * len(text)
