"""Lines that reach the seat at the terminal from a pipe or a paste: many, at bad moments, too long."""

from __future__ import annotations

import asyncio
import io
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from in_turn import in_one
from rich.console import Console
from test_human import OPTIONS, PANEL, QUESTION, of

from eda import Debate, Settings
from eda.cli.terminal.human_seat import TerminalSeat
from eda.cli.terminal.slash_commands import Commands
from eda.cli.terminal.style import private_line
from eda.cli.terminal.typed import listening
from eda.debate import person
from eda.debate.course import _Line
from eda.debate.person import is_plain, likely_row, parted, read_typed
from eda.errors import UsageError
from eda.events import (
    BallotCast,
    BallotText,
    LineAnswered,
    LineOffered,
    MemberChanged,
    MessagePosted,
    PhaseStarted,
    SessionEnded,
    TermsNamed,
)
from eda.events.acts import Act
from eda.events.records import Move
from eda.report.say_back import say_back
from eda.runners.human import HumanRunner
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner
from eda.serve.ballot import question_lines, question_of
from eda.serve.people import WebSeat
from eda.words import ENGLISH, Words

_PATIENCE = 20.0


def seated(
    show: Callable[[str], None] = lambda _: None,
    *,
    first_vote: bool = False,
    language: str = "en",
    seat: TerminalSeat | None = None,
    most: int = 6,
) -> tuple[TerminalSeat, Debate]:
    """A person's seat at a debate that begins with the openings, or with the first ballot."""
    seat = seat or TerminalSeat("Ada")
    seat.show = show
    limits = Settings(max_messages=most, first_vote=first_vote, language=language)
    debate = Debate(QUESTION, PANEL, options=OPTIONS, settings=limits, human="Ada", seats={"Ada": seat.runner})
    seat.sit(debate)
    return seat, debate


async def ran(seat: TerminalSeat, debate: Debate) -> None:
    async with asyncio.timeout(_PATIENCE):
        running = asyncio.ensure_future(debate.run())
        await asyncio.sleep(0)
        with listening(seat):
            await running


@contextmanager
def piped(monkeypatch: pytest.MonkeyPatch, text: bytes, *, ends: bool) -> Iterator[None]:
    """Those bytes are the standard input."""
    there, here = os.pipe()
    os.write(here, text)
    if ends:
        os.close(here)
    with os.fdopen(there) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        yield
    if not ends:
        os.close(here)


def said(debate: Debate) -> list[str]:
    return [message.text for message in of(debate, MessagePosted) if message.who == "Ada"]


async def test_who_never_stops_writing_has_a_message_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has run wild at a seat would fill the log without end, and the others would never speak."""
    seat, debate = seated(most=8)
    with piped(monkeypatch, b"hello\n" * 9000, ends=False):
        await ran(seat, debate)
    others = [message for message in of(debate, MessagePosted) if message.who != "Ada"]
    assert len(others) >= 4
    assert len(said(debate)) < 20
    ballots = [cast.ballot for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"]
    assert [ballot.invalid for ballot in ballots] == [True] * 3, "the next lines were its answer, and brought new votes"


async def test_lines_are_said_in_order_and_all_of_them_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script of what to say is said as it was written; only then has its writer left."""
    seat, debate = seated()
    with piped(monkeypatch, b"one\ntwo\nthree", ends=True):
        await ran(seat, debate)
    assert said(debate) == ["one", "two", "three"]
    (left,) = of(debate, MemberChanged)
    assert left.seq > max(message.seq for message in of(debate, MessagePosted) if message.who == "Ada")


async def test_who_pauses_and_leaves_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nobody left to type /resume, the debate would hang for ever."""
    seat, debate = seated()
    with piped(monkeypatch, b"My opening.\n/pause\n", ends=True):
        await ran(seat, debate)
    assert of(debate, SessionEnded)
    assert [(fact.who, fact.change) for fact in of(debate, MemberChanged)] == [("Ada", "muted")]


async def test_next_is_no_vote() -> None:
    """Whoever is tired of talk and types /next while the ballot is open must still be able to vote."""
    shown: list[str] = []

    def show(line: str) -> None:
        shown.append(line)
        loop = asyncio.get_running_loop()
        if line.startswith("your ") and "vote" in line and line.endswith("?"):
            loop.call_soon(seat.line, "/next")
            loop.call_soon(seat.line, "A")
        elif "Enter passes" in line:
            loop.call_soon(seat.line, "")

    seat, debate = seated(show, first_vote=True)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    cast = [(cast.first, cast.ballot.choice is None) for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"]
    assert cast == [(True, False), (False, False)]
    assert any(line.startswith("there is no talk to end now") for line in shown)
    ways = ["'also C'" in line for line in shown if line.startswith("which could you accept?")]
    assert ways == [False, True], "nothing is adopted beside a first ballot"


async def voted(*answers: str) -> tuple[Debate, list[str]]:
    """A debate in which Ada answers the first vote that she is asked for so, and what she was shown."""
    shown: list[str] = []
    lines = [*answers]

    def show(line: str) -> None:
        shown.append(line)
        typed = []
        if line.startswith("your vote?"):
            typed, lines[:] = [*lines] or ["A"], []
        elif "Enter passes" in line or "change that would bring you in" in line:
            typed = [""]
        for each in typed:
            asyncio.get_running_loop().call_soon(seat.line, each)

    seat, debate = seated(show)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    return debate, shown


@pytest.mark.parametrize(
    "line",
    ["@Ruth is that your last word?", "I am not done. [PROPOSE] Hire a tester first.", "[SUPPORT o2] Cheap."],
)
async def test_talk_at_the_ballot_is_no_vote(line: str) -> None:
    """A word to somebody was counted as a vote that failed, and the person got an explanation of letters."""
    debate, shown = await voted(line, "B")
    assert said(debate) == [line]
    kept = shown.index(ENGLISH.say("seat-told", "after-the-vote"))
    assert shown[kept + 1] == "your vote is still open"
    assert not [each for each in shown if "could not be counted" in each]
    mine = [cast.ballot for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"]
    assert len(mine) >= 2, "what was said brought a second vote"
    assert not [ballot for ballot in mine if ballot.invalid]


async def test_a_move_that_counts_for_nothing_brings_no_second_vote() -> None:
    """A support of a text that does not exist made the whole panel vote again, for half as many tokens again."""
    debate, _ = await voted("[SUPPORT p99.0] because", "B")
    assert said(debate) == ["[SUPPORT p99.0] because"]
    assert [phase.phase for phase in of(debate, PhaseStarted)].count("ballot") == 1
    assert [cast.ballot.choice for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"] != [None]


async def test_what_is_said_at_the_first_vote_brings_no_second_one_and_is_not_told_to() -> None:
    """It said "and then all vote again", and nobody did."""
    shown: list[str] = []

    def show(line: str) -> None:
        shown.append(line)
        typed = ["@Ruth good morning", "B"] if line.startswith("your first vote") else []
        typed += ["A"] * line.startswith("your vote?")
        typed += [""] * ("Enter passes" in line or "change that would bring you in" in line)
        for each in typed:
            asyncio.get_running_loop().call_soon(seat.line, each)

    seat, debate = seated(show, first_vote=True)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    assert "Kept: the panel hears it once the vote has ended" in shown
    firsts = [cast for cast in of(debate, BallotCast) if cast.first and cast.ballot.agent == "Ada"]
    assert len(firsts) == 1


async def test_prose_at_the_ballot_is_a_vote_that_failed() -> None:
    """Nobody who tries to vote in words may be taken for a speaker: the answer is asked for again."""
    debate, shown = await voted("well, who knows")
    assert said(debate) == []
    (ballot,) = (cast.ballot for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada")
    assert (ballot.raw, ballot.invalid) == (("well, who knows", "A"), False)
    assert [each for each in shown if each.startswith("that answer could not be counted")]


async def test_a_message_that_would_crowd_the_others_out_is_refused() -> None:
    """A log file pasted by mistake is paid for with every prompt that follows."""
    shown: list[str] = []
    seat, debate = seated(shown.append)
    seat.line("word " * 5000)
    assert shown == ["a message has at most 20,000 characters, this one has 25,000."]
    assert not debate.inbox.waits("Ada")


async def test_a_system_whose_loop_waits_for_no_input_hands_over_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows no loop waits for a pipe or a terminal: a seat there must be one, too."""

    def cannot(*_: object) -> None:
        raise NotImplementedError

    seat, debate = seated()
    for name in ("add_reader", "remove_reader"):
        monkeypatch.setattr(asyncio.get_running_loop(), name, cannot)
    ours, theirs = os.openpty()
    os.write(ours, "\nIch fürchte den März.\n\x04".encode())  # and leave
    with os.fdopen(theirs) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        await ran(seat, debate)
    os.close(ours)
    assert said(debate) == ["Ich fürchte den März."]
    assert debate.progress.ended is not None


def test_help_can_be_read_on_a_narrow_screen() -> None:
    """Sixty columns are half a laptop: what a command does must not run into the next command."""
    shown: list[str] = []
    seat, _ = seated(shown.append)
    seat.line("/help")
    console = Console(file=io.StringIO(), width=55)
    for line in shown[1:]:
        console.print(private_line(line))
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]  # a StringIO
    assert {line[:9] for line in lines} == {"to you  /", " " * 9}
    assert {line[29] == " " for line in lines} == {True}
    assert not any(line[8:30].strip() for line in lines if not line.startswith("to you"))


def on_paper(shown: list[str], letters: str = "AB") -> tuple[list[str], list[str]]:
    """The ids of the first texts of a ballot as shown, and their words."""
    rows = [line.split(maxsplit=2) for line in shown if line.startswith(tuple(f"  {each}. " for each in letters))]
    rows = rows[: len(letters)]  # a second question shows them again
    return [row[1] for row in rows], [row[2].rpartition(": ")[2].rstrip(".") for row in rows]


def accepted_in(read: str, words: list[str]) -> list[str]:
    """The words of those texts that a reading accepts, in its order."""
    accepts = read.partition("You refuse")[0]
    for at, each in sorted(enumerate(words), key=lambda row: -len(row[1])):
        accepts = accepts.replace(each, f"<{at}>")
    return [words[int(at)] for at in re.findall(r"<(\d)>", accepts)]


@pytest.mark.parametrize(("answer", "first"), [("", 1), ("yes", 1), ("A", 0), ("A, then B", 0)])
async def test_a_vote_in_words_counts_once_its_reading_has_a_yes(answer: str, first: int) -> None:
    """The screen said "your vote: E then B", and after the count "Ana abstains"."""
    shown: list[str] = []

    def show(line: str) -> None:
        shown.append(line)
        typed = "B then A" if line.startswith("your vote?") else answer if line.startswith("read as: ") else None
        asks = "Enter passes" in line or "change that would bring you in" in line
        typed = "" if asks or shown.count(line) > 1 else typed
        if typed is not None:
            asyncio.get_running_loop().call_soon(seat.line, typed)

    seat, debate = seated(show)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    letters, words = on_paper(shown)
    assert accepted_in(next(line for line in shown if line.startswith("read as: ")), words) == words[::-1]
    (cast,) = (cast for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada")
    ids = {text.text: text.id for text in cast.texts}
    assert next(ids[text] for text in cast.ballot.ranking) == letters[first]
    assert not cast.ballot.invalid


@pytest.mark.parametrize("line", ["B", "b > a", "o2, o1", "none", "abstain", ""])
async def test_a_plain_row_needs_no_yes(line: str) -> None:
    """Who names ids would be asked about what cannot be misread."""
    _, shown = await voted(line)
    assert not [each for each in shown if each.startswith("read as: ")]


async def voted_at_a_terminal(types: dict[str, str]) -> tuple[list[str], BallotCast]:
    """What a terminal shows that answers each question once, by how it begins, and passes; and the last ballot."""
    shown, waiting = list[str](), dict(types)

    def show(line: str) -> None:
        shown.append(line)
        begin = next((begin for begin in waiting if line.startswith(begin)), "")
        passes = "Enter passes" in line or "change that would bring you in" in line or line.startswith(tuple(types))
        if begin or passes:
            asyncio.get_running_loop().call_soon(seat.line, waiting.pop(begin, ""))

    seat, debate = seated(show)
    seat.editor = SimpleNamespace(text="")  # type: ignore[assignment]  # a terminal on which lines are edited
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    (cast,) = (cast for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada")
    return shown, cast


_NOTHING = {"Adopt something beside it?": ""}


def ids_of(cast: BallotCast) -> list[str]:
    ids = {text.text: text.id for text in cast.texts}
    return [ids[text] for text in cast.ballot.ranking]


async def test_a_terminal_asks_the_questions_of_the_page_that_a_vote_leaves_open() -> None:
    """A text that was to be adopted beside the answer needed a word that nobody guesses."""
    types = {"Which first?": "B > A", "Adopt something beside it?": "", "read as: ": "yes", "your vote?": "A B"}
    shown, cast = await voted_at_a_terminal(types)
    asked = [line.split("?")[0] for line in shown if line.startswith(("Which first", "Adopt", "read as"))]
    assert [each.partition(":")[0] for each in asked] == ["Which first", "Adopt something beside it", "read as"]
    assert ids_of(cast) == on_paper(shown)[0][::-1]


@pytest.mark.parametrize("typed", ["B then A", "b, and if that fails a", "B > A", "none"])
async def test_each_vote_that_can_be_read_is_asked_what_to_adopt_beside_it(typed: str) -> None:
    """A vote in words was counted without the question that a row of letters was asked."""
    shown, _ = await voted_at_a_terminal({"your vote?": typed, **_NOTHING, "read as: ": "yes"})
    assert sum(line.startswith("Adopt something beside it?") for line in shown) == 1


@pytest.mark.parametrize(
    ("typed", "beside", "which", "counts"),
    [("p3.0", "yes", "", 1), ("o1", "yes", "p2.0", 1), ("o1", "yes", "", 0), ("p3.0", "no", "", 0)],
)
async def test_a_yes_names_the_one_measure_beside_the_answer_and_is_asked_which_of_several(
    typed: str, beside: str, which: str, counts: int
) -> None:
    """A yes to "Adopt something beside it?" counted for nothing."""
    types = {"your vote?": typed, "Adopt something beside it?": beside, "Which of them": which, "read as: ": "yes"}
    shown, cast = await voted_at_a_terminal(types)
    assert [text.id for text in cast.texts if text.text in cast.ballot.also] == ["p2.0"] * counts
    asked = [line for line in shown if line.startswith("Which of them")]
    assert asked == ["Which of them: p3.0 or p2.0? Enter: nothing"] * (typed == "o1")


@pytest.mark.parametrize(
    ("at", "again", "counts"),
    [
        ("read as: ", "nah, B then A", "BA"),
        ("read as: ", "nope, just B", "B"),
        ("read as: ", "hm, B instead", "B"),
        ("read as: ", "nein, B", "B"),
        ("Adopt something beside it?", "no wait, B only", "B"),
    ],
)
async def test_a_vote_that_takes_another_back_is_read_back_and_counts(at: str, again: str, counts: str) -> None:
    """ "nope, just b" was not read, and Enter counted the vote that it took back."""
    shown, cast = await voted_at_a_terminal({**_NOTHING, "your vote?": "A", "read as: ": "", at: again})
    letters = dict(zip("AB", on_paper(shown)[0], strict=False))
    assert ids_of(cast) == [letters[each] for each in counts]
    assert sum(line.startswith("read as: ") for line in shown) == (2 if at[0] == "r" else 1)


def _lettered(texts: list[BallotText]) -> list[BallotText]:
    return [each.model_copy(update={"lettered": True}) for each in texts]


_FERRY = _lettered(
    [BallotText(id=f"p{at}.0", motion=f"p{at}", text=f"Text {at}.", title=f"Ferry {at}") for at in range(1, 4)]
)


@in_one(
    ("typed", "ranking", "also"),
    [
        *((f"A > B{sign} {word} C", "12", "3") for sign in ("", ",", ";") for word in ("also", "auch", "außerdem")),
        ("A > B zusätzlich p3.0", "12", "3"),
        ("A auch C, B", "1", "32"),
        ("keinen auch C", "", "3"),
        ("keinen", "", ""),
        ("none", "", ""),
        ("also C", "3", ""),  # "so" in German, with nothing before it
    ],
)
def test_what_a_screen_teaches_of_a_ballot_is_read_at_once(typed: str, ranking: str, also: str) -> None:
    """The German screen taught 'auch C', which was a third rank, or not clear; the English one was asked back."""
    fields, wrong = read_typed(Reply(typed), _FERRY)
    assert fields is not None
    assert not wrong
    ids = {each.text: each.id[1] for each in _FERRY}
    assert ("".join(ids[each] for each in fields["ranking"]), "".join(ids[each] for each in fields["also"])) == (
        ranking,
        also,
    )
    assert is_plain(typed, _FERRY) == (typed != "also C")


@pytest.mark.parametrize("typed", ["A > B and C also", "A and C also fine", "A, ich nehme auch C nicht"])
def test_words_that_say_more_than_a_row_are_asked_about(typed: str) -> None:
    assert not is_plain(typed, _FERRY)


_PIPE = _lettered(
    [
        BallotText(id="o1", motion="o1", text="Lay a mains pipe."),
        BallotText(id="p6.0", motion="o2", text="Put tanks by the shed.", title="Tanks with lids", by="Edvin"),
        BallotText(id="p11.0", motion="o1", text="Dig in May.", title="Dated pipe", by="Mirela"),
        BallotText(id="p4.1", motion="p4", text="Water by turns in July.", title="Watering rota", by="Tobi"),
    ]
)


@in_one(
    ("typed", "ranking", "also"),
    [
        ("Mirela's text first, then Edvin's, and the rota too", ["p11.0", "p6.0"], ["p4.1"]),
        ("C > B, and D too", ["p11.0", "p6.0"], ["p4.1"]),
        ("C then B, the rota too", ["p11.0", "p6.0"], ["p4.1"]),
        ("C first and the rota as well", ["p11.0"], ["p4.1"]),
        ("C then B; the rota only beside it.", ["p11.0", "p6.0"], ["p4.1"]),
        ("C, with the rota beside it", ["p11.0"], ["p4.1"]),
        ("C > B, die rota nur daneben", ["p11.0", "p6.0"], ["p4.1"]),
        ("the tanks, and the rota beside it. not the dated pipe", ["p6.0"], ["p4.1"]),
        ("A first, C too", ["o1", "p11.0"], []),
        ("C > B. The rota too", ["p11.0", "p6.0"], ["p4.1"]),
        ("zuerst C, dann B, und D auch", ["p11.0", "p6.0"], ["p4.1"]),
        ("D > C, and B too", ["p4.1", "p11.0", "p6.0"], []),
        ("C, B and D too", ["p11.0", "p6.0", "p4.1"], []),
    ],
)
def test_a_measure_that_the_end_of_an_order_adds_is_beside_it(typed: str, ranking: list[str], also: list[str]) -> None:
    """ "And the rota too" was a third answer, and it was asked whether to adopt something beside."""
    fields, _ = read_typed(Reply(typed), _PIPE)
    ids = {each.text: each.id for each in _PIPE}
    assert fields is not None
    assert ([ids[each] for each in fields["ranking"]], [ids[each] for each in fields["also"]]) == (ranking, also)
    assert not is_plain(typed, _PIPE)


@pytest.mark.parametrize(
    ("typed", "ranking", "also"),
    [
        ("b dann a, c auch", "21", "3"),
        ("B then A, C too", "21", "3"),
        ("B > A, C too", "21", "3"),
        ("A > B also C, but only in addition", "12", "3"),
        ("A > B auch c, aber nur zusätzlich", "12", "3"),
    ],
)
def test_the_last_of_texts_that_are_all_measures_is_beside_an_order_that_adds_it(
    typed: str, ranking: str, also: str
) -> None:
    """ "A dann b, c auch" was read as three ranks where no option was given."""
    fields, _ = read_typed(Reply(typed), _FERRY)
    ids = {each.text: each.id[1] for each in _FERRY}
    assert fields is not None
    assert ["".join(ids[each] for each in fields[of]) for of in ("ranking", "also")] == [ranking, also]


@pytest.mark.parametrize("typed", ["C, but only in addition", "c, aber nur zusätzlich", "C only as an extra"])
def test_what_is_wanted_in_addition_alone_is_no_vote_for_it(typed: str) -> None:
    """ "C, aber nur zusätzlich", typed where it was asked what to adopt beside, was read as a vote for C alone."""
    assert read_typed(Reply(typed), _FERRY)[0] is None
    assert parted(typed, _FERRY) == ("", typed[0])


def test_a_vote_with_a_thousand_joints_is_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end behind each joint was read anew: 9,000 characters took minutes."""
    counted = Mock(side_effect=person.mentions)
    monkeypatch.setattr(person, "mentions", counted)
    assert parted("C, " * 1000, _PIPE)[1] == ""
    assert counted.call_count < 10


def test_a_vote_that_names_a_text_a_thousand_times_is_read_at_once() -> None:
    """Each word was looked for in the place of each name: 20,000 characters took seconds, for all at the table."""
    calls = Counter[int]()
    for times in (300, 600):
        sys.setprofile(lambda *_, times=times: calls.update([times]))
        try:
            parted("o1 also o2 " * times, _PIPE)
        finally:
            sys.setprofile(None)
    assert calls[600] < 3 * calls[300]


async def test_a_measure_that_a_vote_adds_is_not_asked_about_but_read_back() -> None:
    types = {"your vote?": "o1 then o2, and p2.0 too", "read as: ": "yes"}
    shown, cast = await voted_at_a_terminal(types)
    assert (ids_of(cast), [text.id for text in cast.texts if text.text in cast.ballot.also]) == (["o1", "o2"], ["p2.0"])
    asked = [line for line in shown if line.startswith(("Adopt something", "read as: "))]
    assert [line.startswith("read as: ") for line in asked] == [True]


async def test_a_text_that_is_adopted_beside_is_not_told_as_refused() -> None:
    """The reading refused a text, and said of the same that it holds whatever wins."""
    shown, cast = await voted_at_a_terminal({"your vote?": "A also B"})
    _, words = on_paper(shown)
    (read,) = (line for line in shown if line.startswith("your vote: A also B"))
    assert cast.ballot.also
    refused, _, adopts = read.partition("You refuse: ")[2].partition(". Whichever")
    assert words[1] not in refused.split("; ")
    assert words[1] in adopts


async def test_a_line_at_a_vote_is_no_message_after_three_that_could_not_be_read() -> None:
    """The fourth was posted for all to read, summarised, and brought a new vote: a secret ballot."""
    shown, late, seat = list[str](), Late(), TerminalSeat("Ada")
    typed = ["A maybe", "B perhaps", "who knows", "A if it rains", "/vote hm", "B > A"]

    def show(line: str) -> None:
        shown.append(line)
        if line.startswith("your vote: B > A"):
            late.may.set()
        asks = line.startswith(("your vote?", "this does not count", "no vote of yours waits"))
        if line.startswith("no vote of yours waits"):
            typed.insert(0, "B > A")
        passes = "Enter passes" in line or "change that would bring you in" in line
        if (asks and typed) or passes:
            asyncio.get_running_loop().call_soon(seat.line, "" if passes else typed.pop(0))

    seat.show = show
    limits = Settings(max_messages=8, first_vote=False)
    seats = {"Ada": seat.runner, "sceptic": late}
    debate = Debate(QUESTION, PANEL, options=OPTIONS, settings=limits, human="Ada", seats=seats)
    seat.sit(debate)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    assert said(debate) == []
    assert len([line for line in shown if line.startswith("this does not count: ") and "eda vote" in line]) == 3
    (cast,) = (cast for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada")
    assert ids_of(cast) == on_paper(shown)[0][::-1]


async def test_what_is_read_of_a_vote_in_words_is_shown_before_each_question_that_it_leaves_open() -> None:
    shown, _ = await voted_at_a_terminal({"your vote?": "A then C", **_NOTHING, "read as: ": "yes"})
    at = next(at for at, line in enumerate(shown) if line.startswith("Adopt something"))
    assert shown[at - 1].startswith("You accept: ")


async def test_a_vote_typed_again_at_a_question_replaces_the_vote() -> None:
    """`/vote A`, as the screen had advertised it, became what to adopt beside the vote that it was to replace."""
    types = {"Which first?": "B > A", "Adopt something beside it?": "/vote A", "read as: ": "yes", "your vote?": "A B"}
    shown, cast = await voted_at_a_terminal(types)
    assert (ids_of(cast), cast.ballot.also) == ([on_paper(shown)[0][0]], ())


@pytest.mark.parametrize(
    "typed", ["nope, nothing", "no, just that", "no", "nein danke", "nee sonst nix", "nothing else", "nix"]
)
async def test_a_no_to_what_is_adopted_beside_leaves_the_ranking(typed: str) -> None:
    """ "nope, nothing" made a ballot of two choices one that accepts none."""
    shown, cast = await voted_at_a_terminal({"your vote?": "A > C", "Adopt something": typed, "read as: ": "yes"})
    assert (ids_of(cast), cast.ballot.also) == (on_paper(shown, "AC")[0], ())


@pytest.mark.parametrize("typed", ["B, but only in addition", "b, aber nur zusätzlich", "B beside it", "B"])
async def test_what_is_wanted_in_addition_alone_is_adopted_beside_where_that_was_asked(typed: str) -> None:
    """ "C, aber nur zusätzlich" took back the whole vote before it, and was one for C."""
    shown, cast = await voted_at_a_terminal({"your vote?": "A", "Adopt something": typed, "read as: ": ""})
    (first, second), _ = on_paper(shown, "AB")
    assert ids_of(cast) == [first]
    assert [text.id for text in cast.texts if text.text in cast.ballot.also] == [second]


@pytest.mark.parametrize(
    ("again", "accepts", "beside"),
    [
        ("C also ok tho", (0, 1, 2), ()),
        ("C too", (0, 1, 2), ()),
        ("auch D", (0, 1), (3,)),
        ("no, D first, then A", (3, 0), ()),
        ("nope D", (3,), ()),
        ("c ok", (2,), ()),
        ("no, B only beside it", (0,), (1,)),
        ("B beside it", (0,), (1,)),
        ("C first, and D as well", (2,), (3,)),
    ],
)
async def test_a_line_at_how_a_vote_is_read_adds_to_it_or_replaces_it(
    again: str, accepts: tuple[int, ...], beside: tuple[int, ...]
) -> None:
    """ "tarn also ok tho" took back the text that it was to stand beside; "c ok" was a yes to the others."""
    types = {"your vote?": "A then B", **_NOTHING, "read as: ": again}
    shown, cast = await voted_at_a_terminal(types)
    ids, _ = on_paper(shown, "ABCD")
    by_words = {text.text: text.id for text in cast.texts}
    assert ids_of(cast) == [ids[at] for at in accepts]
    assert [by_words[each] for each in cast.ballot.also] == [ids[at] for at in beside]


@pytest.mark.parametrize("again", ["no both, A first", "no", "hm rather x y"])
async def test_a_reading_behind_which_a_line_cannot_be_read_does_not_count_after_enter(again: str) -> None:
    shown = list[str]()
    types = {"your vote?": "A then B", **_NOTHING, "read as: ": again}

    def show(line: str) -> None:
        rejected = any(each.startswith("read as: ") for each in shown)
        shown.append(line)
        begin = next((begin for begin in types if line.startswith(begin)), "")
        passes = "Enter passes" in line or "bring you in" in line or (rejected and line.startswith(("not", "read")))
        if begin or passes:
            asyncio.get_running_loop().call_soon(seat.line, types.pop(begin, ""))

    seat, debate = seated(show)
    seat.editor = SimpleNamespace(text="")  # type: ignore[assignment]
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    at = next(at for at, line in enumerate(shown) if line.startswith("read as: "))
    read = shown[at].removeprefix("read as: ").partition(" Enter is yes")[0]
    begins, _, why = shown[at + 1].partition(" (")
    assert begins == f"not read as a vote: “{again}”", "and why not"
    assert f"). Until now your vote is read as: {read} Type 'yes'" in why
    assert [cast.ballot.ranking for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"] == [()]


_TRIP = tuple(
    BallotText(id=key, motion=key, text=text, title=title, lettered=True)
    for key, title, text in (
        ("o1", "Rent the boat", "We row to the island."),
        ("o2", "Tents by the mill", "We sleep by the mill."),
        ("p2.0", "Supper at the inn", "We eat at the inn."),
        ("p5.0", "Boat with music", "A band plays on board."),
    )
)


def test_a_vote_that_is_asked_for_again_shows_the_texts_again_in_short() -> None:
    """The second question wanted letters, and the letters stood a screen above it."""
    long = "A band plays on board, and the boat goes on to the island, where the tents stand, "
    twins = tuple(_TRIP[3].model_copy(update={"id": f"p5.{at}", "text": f"{long}{end}."}) for at, end in _ENDS)
    prompt = Prompt(purpose="ballot", agent="Ada", texts=(*_TRIP[:2], *twins), attempt=2, wrong="it names two")
    *_, boat, tents, first, second = question_lines(prompt, ENGLISH)
    assert (boat, tents) == (
        "  A. o1  Rent the boat: We row to the island.",
        "  B. o2  Tents by the mill: We sleep by the mill.",
    )
    for letter, (at, end), line in zip("CD", _ENDS, (first, second), strict=True):
        assert line.startswith(f"  {letter}. p5.{at}  Boat with music")
        assert line.endswith(f"{end}.")
        assert len(line) < len(long)


_ENDS = ((0, "in June"), (1, "in May"))


async def typed_in_turn(*lines: str) -> tuple[list[str], str]:
    """What a terminal shows that answers each question with the next line; and the vote that it takes."""
    shown, waiting = list[str](), [*lines]
    seat, debate = seated(shown.append)
    seat.editor = SimpleNamespace(text="")  # type: ignore[assignment]
    seat.free = lambda: seat.line(waiting.pop(0))
    prompt = Prompt(purpose="ballot", agent="Ada", persona=debate.members[0], texts=_TRIP)
    async with asyncio.timeout(_PATIENCE):
        return shown, await seat.ask(prompt)


@pytest.mark.parametrize(
    "line",
    [
        *("no supper", "no more supper", "no supper please", "no supper after all", "not the supper any more"),
        *("without the supper", "supper out", "kein Supper mehr", "no p2.0", "no C"),
    ],
)
async def test_a_text_that_the_last_line_refuses_is_not_read_back_as_accepted(line: str) -> None:
    """ "no supper" was read back as a vote for the supper alone."""
    shown, vote = await typed_in_turn("tents then supper", line, "yes")
    assert f"not read as a vote: “{line}”" in shown[-2]
    assert vote == "tents then supper", "it stands only by a typed yes"
    shown, vote = await typed_in_turn("tents then supper", line, "B", "")
    assert vote == "B"


@pytest.mark.parametrize(
    ("typed", "answer", "ranks"),
    [
        *(("A B", answer, "BA") for answer in ("B", "b first", "tents first", "erst die Tents", "B > A")),
        *((row, "B", "BA") for row in ("a b", "A, B")),
        *(
            (("A B C"), answer, ranks)
            for answer, ranks in (("C", "CAB"), ("C > B", "CBA"), ("only C", "C"), ("", "ABC"))
        ),
        *(("A B", answer, "B") for answer in ("just B", "B, not A", "nope, B")),
    ],
)
async def test_an_answer_to_which_first_leaves_out_only_what_it_says(typed: str, answer: str, ranks: str) -> None:
    """ "b first" was read back as a refusal of all others."""
    shown, vote = await typed_in_turn(typed, answer, "yes")
    fields, _ = read_typed(Reply(vote), _TRIP)
    assert fields is not None
    assert [*fields["ranking"]] == [_TRIP["ABCD".index(letter)].text for letter in ranks]
    assert any(line.startswith("Which first?") for line in shown)


@pytest.mark.parametrize(
    ("typed", "until", "counts"),
    [
        (["I am for o1 because it is cheap"], "Adopt something", ["o1"]),
        (["A"], "Adopt something", ["A"]),
        (["B A"], "Which first?", ["B", "A"]),
        (["B A", "A > B"], "Adopt something", ["A", "B"]),
        (["B then A", ""], "read as: ", ["B", "A"]),
        (["A", "whichever the others like"], "not read as a vote", None),
        (["either of them, hmm"], "that answer could not be counted", None),
        ([], "your vote?", None),
    ],
)
async def test_a_vote_that_was_read_back_counts_when_the_time_is_up(
    typed: list[str], until: str, counts: list[str] | None
) -> None:
    """A vote was dropped for want of an answer to what to adopt beside it, and the verdict hung on it."""
    shown, waiting, late = list[str](), [*typed], asyncio.Event()

    def show(line: str) -> None:
        shown.append(line)
        if line.startswith(until) and not waiting:
            late.set()
        elif "Enter passes" in line or "change that would bring you in" in line:
            asyncio.get_running_loop().call_soon(seat.line, "")
        elif waiting and line.startswith(("your vote?", "Which first?", "Adopt something")):
            asyncio.get_running_loop().call_soon(seat.line, waiting.pop(0))

    seat = TerminalSeat("Ada")
    seat.runner = HumanRunner(seat.ask, seconds=40, letters=True, wait=lambda _: late.wait())
    seat, debate = seated(show, seat=seat)
    seat.editor = SimpleNamespace(text="")  # type: ignore[assignment]
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    (cast,) = (cast for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada")
    letters = dict(zip("AB", on_paper(shown)[0], strict=True))
    assert ids_of(cast) == [letters.get(each, each) for each in counts or ()]
    assert (cast.ballot.also, cast.ballot.missing) == ((), counts is None)
    assert any(line.startswith("your time is up") and ("You accept" in line) == bool(counts) for line in shown)


async def test_one_enter_passes_no_opening() -> None:
    """Who said yes to a vote with Enter passed the opening that had begun meanwhile, for good."""
    shown, lines = list[str](), ["", "I fear the river."]
    seat, debate = seated(shown.append)
    seat.editor = SimpleNamespace(text="")  # type: ignore[assignment]
    seat.free = lambda: [seat.line(line) for line in lines]
    prompt = Prompt(purpose="speak", agent="Ada", persona=debate.members[0], stage="opening", phase="opening")
    async with asyncio.timeout(_PATIENCE):
        seat.sit(debate)
        assert await seat.ask(prompt) == "I fear the river."
        assert shown.count(ENGLISH.say("seat-told", "no-words")) == 1
        lines[1] = ""
        assert await seat.ask(prompt) == "", "a second Enter passes"


async def test_what_is_added_to_a_vote_for_none_stands_beside_it() -> None:
    _, vote = await typed_in_turn("none of them please", "also C", "yes")
    fields, _ = read_typed(Reply(vote), _TRIP)
    assert fields is not None
    assert (fields["choice"], [*fields["also"]]) == ("none", ["We eat at the inn."])


async def test_an_answer_to_which_first_that_cannot_be_read_leaves_the_vote_as_it_was() -> None:
    """Such an answer took the whole vote with it: "that answer could not be counted"."""
    shown, vote = await typed_in_turn("A B", "does not matter", "yes")
    assert vote == "A B"
    assert "not read as a vote: “does not matter”" in shown[-2]


class Late(SimulatedRunner):
    """A member who gives its vote once it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may = asyncio.Event()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose == "ballot":
            await self.may.wait()
        return await super().run(prompt, on_text)


async def test_a_vote_is_changed_until_all_are_in() -> None:
    """Who saw that it was read otherwise than meant had a vote that was "in and stays"."""
    shown, lines = list[str](), list[str]()
    late, seat = Late(), TerminalSeat("Ada")
    types = {"your vote?": "B = A", "read as: ": "yes", "your vote: B = A": "A", "your vote: A": "/vote none"}

    def show(line: str) -> None:
        shown.append(line)
        if line.startswith("your vote: none"):
            late.may.set()
        typed = next(
            (types[begin] for begin in types if line.startswith(begin)),
            "" if "Enter passes" in line or "change that would bring you in" in line else None,
        )
        if line.startswith("no vote of yours waits"):  # a hand is slower
            typed = lines.pop()
        if typed is not None:
            lines.append(typed)
            asyncio.get_running_loop().call_soon(seat.line, typed)

    seat.show = show
    limits = Settings(max_messages=8, first_vote=False)
    seats = {"Ada": seat.runner, "sceptic": late}
    debate = Debate(QUESTION, PANEL, options=OPTIONS, settings=limits, human="Ada", seats=seats)
    seat.sit(debate)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    _, words = on_paper(shown)
    read = next(line for line in shown if line.startswith("read as: "))
    assert (accepted_in(read, words), "equal" in read) == (words[::-1], True)
    assert [cast.ballot.choice for cast in of(debate, BallotCast) if cast.ballot.agent == "Ada"] == ["none"]
    with pytest.raises(UsageError):
        debate.inbox.take_back_vote("Ada")
    shown.clear()
    seat.line("B > A")
    assert shown == ["no vote is being taken. The ballot comes, and asks you."], "nor is it a message now"


ASKS = ("your opening", "your word", "you have the floor", "your vote?", "(first yes or no")
FRAGT = ("Ihre Eröffnung", "Ihr Wort", "Sie haben das Wort", "Ihre Stimme?", "(zuerst ja oder nein")


async def said_at_a_terminal(*lines: str, language: str = "en") -> tuple[list[str], Debate]:
    """Have Ada type lines, each once the one before it was read, after another member's message; pass otherwise."""
    shown, waiting = list[str](), [*lines]

    def show(line: str) -> None:
        shown.append(line)
        if line.startswith((*ASKS, *FRAGT)):
            asyncio.get_running_loop().call_soon(seat._reply, "")

    seat, debate = seated(show, language=language)

    def next_line(message: MessagePosted) -> None:
        if waiting and message.number > 4 and not debate.inbox.waits("Ada"):
            asyncio.get_running_loop().call_soon(seat.line, waiting.pop(0))

    debate.bus.subscribe(MessagePosted, next_line)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    return shown, debate


@pytest.mark.parametrize(
    ("text", "sealed", "told"),
    [
        ("So all three of us agree on it.", False, "Maya says that all agree (m5). If not so, type: [DENY m5] and why"),
        ("So all three of us agree on it.", True, ""),
        ("So the two of us disagree on it.", False, ""),
    ],
)
def test_a_person_is_told_who_spoke_for_all_and_how_to_deny_it(text: str, *, sealed: bool, told: str) -> None:
    """ "We never agreed about weekdays tho" was talk, and nothing had said how to deny the claim."""
    shown = list[str]()
    seat, _ = seated(shown.append)
    seat._heard(MessagePosted(number=5, who="Maya", text=text, sealed=sealed))
    assert shown == [told] * bool(told)


async def test_a_line_that_begins_with_yes_or_no_answers_how_the_one_before_it_was_read() -> None:
    """ "no, without any!" was talk, and the offer that it answered went on waiting."""
    shown, debate = await said_at_a_terminal("o2 yes, but not in winter", "no, I am for o1")
    answer, refused = of(debate, LineAnswered)
    assert [(each.answer, [move.target for move in each.moves]) for each in (answer, refused)] == [
        ("yes", ["o1"]),
        ("no", ["o2"]),
    ]
    assert not debate.progress.waiting("Ada"), "o2 was asked about once more"
    assert said(debate) == ["o2 yes, but not in winter"]
    assert [act for act in debate.memory.acts(answer.message) if act.on == "o1"] == [
        Act("support", "o1", why="I am for o1", asked=True)
    ]
    assert sum("(o1)" in each for each in shown if each.startswith("Counted")) == 1


OFFER = "o2 yes, but not in winter"


@pytest.mark.parametrize(
    ("line", "given", "on", "sent"),
    [
        ("nope thats wrong", "no", [], []),
        ("nope not that", "no", [], []),
        ("hm nah scratch that, o1 is beter", "no", [], ["hm nah scratch that, o1 is beter"]),
        ("nee, lieber nicht", "no", [], []),
        ("no not that, I am for o1", "yes", ["o1"], []),
        ("no, not o2. I support o1", "yes", ["o1"], []),
        ("no, not in winter. I support o1", "yes", ["o1"], []),
        ("yes and yes to o1 too", "yes", ["o2", "o1"], []),
        ("yes, but o2 in full, it says so already", "", [], []),
        ("yes, but no condition on o2", "", [], []),
        ("ja, aber ohne Bedingung", "", [], []),
        ("yes but forget the mowing", "", [], []),
        ("yes. no more ifs", "", [], []),
        ("yes and no", "", [], []),
        ("yes, no condition", "yes", ["o2"], []),
        ("ja, ohne Wenn und Aber!", "yes", ["o2"], []),
        ("yes i meant o2, not the whole river", "", [], ["yes i meant o2, not the whole river"]),
        ("yes, and I support o2", "yes", ["o2"], []),
        ("yes. o1 would be a pity, I fear", "yes", ["o2"], ["yes. o1 would be a pity, I fear"]),
        ("no wait, o1 would be a pity", "no", [], ["no wait, o1 would be a pity"]),
        ("y", "yes", ["o2"], []),
    ],
)
async def test_a_line_that_begins_with_yes_or_no_is_no_message_but_for_what_it_states_beside(
    line: str, given: str, on: list[str], sent: list[str]
) -> None:
    """ "nope thats wrong" was published, and the question that it answered stayed open."""
    shown, debate = await said_at_a_terminal(OFFER, line)
    facts = of(debate, LineAnswered)
    answers = [(fact.answer, [move.target for move in fact.moves if given == "yes"]) for fact in facts]
    refused = [("no", ["o2"])] * line.startswith(("no not that", "no, not"))  # it is no answer to what else is said
    assert answers == [(given, on), *refused] * bool(given)
    if line in ("yes, no condition", "ja, ohne Wenn und Aber!"):  # it counted with the one that was offered
        assert [move.text for fact in facts for move in fact.moves] == [""]
    assert bool(debate.progress.waiting("Ada")) == (not given)
    assert said(debate) == [OFFER, *sent]
    assert any(each.startswith("Taken as your no to: you support") for each in shown) == (bool(sent) and given == "no")
    assert any(each.startswith("not sent: ") for each in shown) == (line in ("nope thats wrong", "nee, lieber nicht"))
    asked = [each for each in shown if each.startswith("nothing counts yet, and nothing is sent: ")]
    assert len(asked) == (not given and not sent), "a yes that goes on with more than that counts for nothing"
    assert all("as in “I am for o2”" in each for each in asked), asked


@pytest.mark.parametrize(
    ("line", "answer", "on"),
    [
        ("no not against o2, rest yes", ["yes", "no"], ["o1"]),
        ("o2 nicht, alles andere ja", ["yes", "no"], ["o1"]),
        ("not o1 and not o2, the others yes", ["no"], None),
        ("not o1, o2, the others yes", ["no"], None),
    ],
)
async def test_a_yes_to_the_rest_accepts_what_else_was_offered(
    line: str, answer: list[str], on: list[str] | None
) -> None:
    """ "no not against tarn, rest yes" was a message, and of three acts none counted."""
    _, debate = await said_at_a_terminal("im for o1, against o2 ok?", line)
    facts = of(debate, LineAnswered)
    assert ([fact.answer for fact in facts], on and [move.target for move in facts[0].moves]) == (answer, on)
    assert said(debate) == ["im for o1, against o2 ok?"]
    assert not debate.progress.waiting("Ada")


@pytest.mark.parametrize("line", ["the river is high this year", "gym yes, barn not"])
async def test_an_offer_that_a_line_passes_over_is_shown_once_more(line: str) -> None:
    """ "gym yes, barn not" was sent as a message, and of the offer that it answered nobody heard again."""
    shown, debate = await said_at_a_terminal(OFFER, line, line)
    number = next(each.number for each in of(debate, MessagePosted) if each.text == OFFER)
    assert (said(debate), of(debate, LineAnswered)) == ([OFFER, line, line], [])
    still, again = [at for at, each in enumerate(shown) if each == f"Of m{number} nothing counts yet."]
    assert (shown[still + 1].startswith("Did you mean"), shown[still + 2]) == (True, "(yes or no)")
    assert shown[again + 2].startswith("(first yes or no"), "before the vote"
    assert shown[again + 3].startswith(f"m{number} counts for nobody")


async def test_an_offer_on_a_text_is_not_shown_again_once_a_later_line_on_it_counted() -> None:
    """ "Of m13 nothing counts yet: you take back your condition" followed a support in full that had counted."""
    shown, debate = await said_at_a_terminal(OFFER, "for o2, no ifs", "the river is high this year")
    assert said(debate)[1:] == ["for o2, no ifs", "the river is high this year"]
    assert [each for each in shown if "nothing counts yet" in each] == []


@pytest.mark.parametrize(("answer", "given"), [("nope", "no"), ("nö", "no"), ("yes", "yes")])
async def test_an_answer_is_for_the_reading_that_was_shown_last(answer: str, given: str) -> None:
    """A second line, sent before the first one was read back, made a message of the no to "Did you mean"."""
    seat, debate = seated()
    waiting = ["o2 yes, but not in winter", "the river is high this year"]

    def next_line(message: MessagePosted) -> None:
        if message.who != "Ada" and message.number > 4:
            while waiting:
                seat.line(waiting.pop(0))
        elif message.text.startswith("the river"):
            asyncio.get_running_loop().call_soon(seat.line, answer)

    seat.free = lambda: seat._reply("") and None
    debate.bus.subscribe(MessagePosted, next_line)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    assert [fact.answer for fact in of(debate, LineAnswered)] == [given]
    assert said(debate) == ["o2 yes, but not in winter", "the river is high this year"]


async def test_a_vote_that_is_typed_before_it_is_asked_for_is_no_message() -> None:
    """A row of letters, typed while the record before the ballot was still being made, was published as talk."""
    shown = list[str]()
    passes, debate = seated()
    passes.free = lambda: passes._reply("") and None
    seat = TerminalSeat("Ada")  # another, which is asked nothing
    seat.show, seat._debate = shown.append, debate
    debate.bus.subscribe(PhaseStarted, lambda phase: seat.line("B > A") if phase.phase == "ballot" else None)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    assert shown == ["no vote is being taken. The ballot comes, and asks you."]
    assert "B > A" not in said(debate)


async def test_what_is_not_read_beside_what_counts_is_told() -> None:
    """The second half of a line counted for nothing, and nobody was told."""
    shown, _ = await said_at_a_terminal("I support o1. And o2 is out for me.")
    at = next(at for at, line in enumerate(shown) if line.startswith("Counted"))
    assert "(o1)" in shown[at]
    assert shown[at + 1].startswith("Not read: ")
    assert "And o2 is out for me" in shown[at + 1]


async def test_a_yes_with_a_condition_behind_it_is_no_yes() -> None:
    _, debate = await said_at_a_terminal("o2 yes, but not in winter", "yes, but only if it is free")
    assert of(debate, LineAnswered) == []
    assert said(debate)[1] == "yes, but only if it is free"


@pytest.mark.parametrize(("voting", "told"), [(False, "before-the-vote"), (True, "after-the-vote")])
def test_who_types_while_the_vote_has_not_been_asked_for_is_heard_before_it(told: str, *, voting: bool) -> None:
    """A line typed while a summary was still being made was told that all would vote again; nobody had voted yet."""
    shown = list[str]()
    does = SimpleNamespace(votes=True, ballots=True, sealed=False)
    progress = SimpleNamespace(does=does, paused=None, settings=Settings())
    debate = SimpleNamespace(say=lambda *_: None, progress=progress, inbox=SimpleNamespace(voting=voting))
    Commands(debate, "Ada", shown.append, shown.append).say("wait")  # type: ignore[arg-type]
    assert shown == [ENGLISH.say("seat-told", told)]


def at_a_late_turn(show: Callable[[str], None], line: str, *, terms: bool) -> tuple[TerminalSeat, Debate]:
    """Return Ada's seat, and a debate in which she types a line behind the sixth message, read without a model."""
    seat, waiting = TerminalSeat("Ada"), [line]
    seat.show, seat.editor = show, SimpleNamespace(text="")  # type: ignore[assignment]
    limits = Settings(max_messages=8, first_vote=False, terms=terms, read_typed="exact")
    debate = Debate(QUESTION, PANEL, options=OPTIONS, settings=limits, human="Ada", seats={"Ada": seat.runner})
    seat.sit(debate)

    def next_line(message: MessagePosted) -> None:
        if message.number == 6 and waiting:
            asyncio.get_running_loop().call_soon(seat.line, waiting.pop())

    debate.bus.subscribe(MessagePosted, next_line)
    return seat, debate


@pytest.mark.parametrize(
    ("typed", "answers", "posted"),
    [
        (["1", "o1 not, the rest yes"], ["yes", "no"], []),
        (["what does it cost?", "no"], ["no"], ["what does it cost?"]),
        (["p1.0", "ok, scratch that"], ["no"], []),
        (["nope thats wrong"], ["no"], []),
        (["ugh no"], ["no"], []),
        (["yes o1 but no ifs, o2 not", "no"], ["no"], ["yes o1 but no ifs, o2 not"]),
        (["both right"], ["yes"], []),
        (["no. o2 would be a pity"], ["no"], ["no. o2 would be a pity"]),
        ([""], [], []),
    ],
)
async def test_one_question_is_open_to_a_person_at_a_time(
    typed: list[str], answers: list[str], posted: list[str]
) -> None:
    """ "o1 not, the rest yes" was taken for an answer on a text, and a "1" behind it was the last message."""
    shown, offer, waiting = list[str](), "im for o1, against o2 ok?", [*typed]

    def show(line: str) -> None:
        shown.append(line)
        lines = [waiting.pop(0)] if line.startswith("(first yes or no") else []
        lines += ["2"] * line.startswith("what is the least change") + [""] * line.startswith(
            ("your ", "nothing was", "you have", "read as")
        )
        for each in lines:
            asyncio.get_running_loop().call_soon(seat.line, each)
            if waiting and each[:2] in ("1", "p1"):
                asyncio.get_running_loop().call_soon(lambda: seat.line(waiting.pop(0)))

    seat, debate = at_a_late_turn(show, offer, terms=True)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    assert not waiting
    assert ([fact.answer for fact in of(debate, LineAnswered)], said(debate)) == (answers, [offer, *posted])
    put = next(at for at, line in enumerate(shown) if line.startswith("(first yes or no"))
    asked = [at for at, line in enumerate(shown) if line.startswith("what is the least change")]
    assert [fact.takes for fact in of(debate, TermsNamed) if fact.who == "Ada"] == ["not at all"] * len(asked)
    assert all(at > put for at in asked)
    assert sum("does not answer what is open: m" in line for line in shown) == (typed[0][:2] in ("1", "p1"))
    passes = [at for at, line in enumerate(shown) if line.startswith("a message: it is read first")]
    assert len(passes) == (len(typed) == 2 and bool(posted))
    assert all(any(line.startswith("(first yes or no") for line in shown[at:]) for at in passes)
    assert bool(debate.progress.waiting("Ada")) == (not answers)


async def test_an_older_question_is_shown_again_once_a_newer_one_is_answered() -> None:
    """Of the older one stood only "(first yes or no to this)", with nothing that "this" could be."""
    shown, waiting = list[str](), ["im against o2 ok?", "no", "yes"]

    def show(line: str) -> None:
        shown.append(line)
        lines = [waiting.pop(0)] if line.startswith("(first yes or no") else []
        for each in lines + [""] * line.startswith(("your ", "nothing was", "you have", "read as")):
            asyncio.get_running_loop().call_soon(seat.line, each)

    seat, debate = at_a_late_turn(show, "im for o1 ok?", terms=False)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    assert [fact.answer for fact in of(debate, LineAnswered)] == ["no", "yes"]
    asked = [at for at, line in enumerate(shown) if line.startswith("(first yes or no")]
    assert "you support" in " ".join(shown[asked[-1] - 2 : asked[-1]])


async def test_no_older_offer_is_put_or_accepted_before_a_newer_line_of_its_author_was_read() -> None:
    """The older offer was put again at once, and a "y" counted it without the condition that the newer line states."""
    shown, newer, reads = list[str](), "for o1 if the lease is short, i guess", list[list[str]]()
    waiting = [newer, "no"]

    def show(line: str) -> None:
        shown.append(line)
        lines = [waiting.pop(0)] if line.startswith("(first yes or no") and waiting else []
        lines += [""] * line.startswith(("your ", "nothing was", "you have", "read as"))
        for each in lines:
            asyncio.get_running_loop().call_soon(seat.line, each)
            if each == newer:
                asyncio.get_running_loop().call_soon(seat.line, "y")

    seat = TerminalSeat("Ada")
    seat.show, seat.editor = show, SimpleNamespace(text="")  # type: ignore[assignment]
    limits = Settings(max_messages=8, first_vote=False, read_typed="exact")
    debate = Debate(QUESTION, PANEL, options=OPTIONS, settings=limits, human="Ada", seats={"Ada": seat.runner})
    seat.sit(debate)

    def next_line(message: MessagePosted) -> None:
        if message.number == 6:
            asyncio.get_running_loop().call_soon(seat.line, "im for o1, against o2 ok?")
        if message.text == newer:  # as a model that reads it
            old = min(debate.progress.waiting("Ada"))
            reads.append([told for told in shown if told.startswith("not sent: what you said last is read before")])
            debate.progress.unread.append(message.number)
            debate._driver._model, debate.progress.settings = True, Settings(read_typed="model")
            for answer in (lambda: debate.past_answer("y", "Ada", old), lambda: debate.answer_line("yes", "Ada", old)):
                with pytest.raises(UsageError, match="what you said last is read before"):
                    answer()
            debate._driver._model = False

    debate.bus.subscribe(MessagePosted, next_line)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    assert list(map(len, reads)) == [1]
    accepted = [move for fact in of(debate, LineAnswered) if fact.answer == "yes" for move in fact.moves]
    assert accepted == []
    again = shown.index(next(line for line in shown if line.startswith("a message: it is read first")))
    assert all("you support “" not in line or "lease is short" in line for line in shown[again:] if "Did" in line)


async def test_a_part_that_is_no_plain_no_is_asked_and_each_answer_names_its_text() -> None:
    """Of "no if on o1, o2 not, the rest yes" the support of o1 was lost in a bare "Not counted"."""
    shown, debate = await said_at_a_terminal("im for o1, against o2 ok?", "no if on o1, o2 not, the rest yes")
    (fact,) = of(debate, LineAnswered)
    assert (fact.answer, [move.target for move in fact.moves]) == ("no", ["o2"])
    assert [[move.target for move in moves] for moves in debate.progress.waiting("Ada").values()] == [["o1"]]
    at = next(at for at, line in enumerate(shown) if line.startswith("Not counted: you oppose “"))
    assert "(o2)" in shown[at]
    assert "(o1)" not in shown[at]
    assert (shown[at + 1][:30], shown[at + 2]) == ("Not counted yet: you support “", "(yes or no)")


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("o1 not, the rest yes", []),
        ("o1 nicht, der rest ja", []),
        ("o1 yes", ["o1 yes"]),
        ("o1 yes, o2 no", ["o1 yes, o2 no"]),
        ("o1 not, it leaks", ["o1 not, it leaks"]),
    ],
)
async def test_ids_with_yes_or_no_that_answer_nothing_and_take_no_side_are_no_message(
    line: str, sent: list[str]
) -> None:
    """ "o1 not, the rest yes", where nothing was open, was a message of the twelve."""
    shown, debate = await said_at_a_terminal(line)
    assert said(debate) == sent
    assert any("answers nothing that is open" in each for each in shown) == (not sent)


@pytest.mark.parametrize(("then", "sent"), [("scratch that", []), ("no, forget it!", [])])
async def test_what_is_scratched_is_the_line_that_is_not_heard_yet(then: str, sent: list[str]) -> None:
    """ "Scratch that", right after a line was sent, named an older one, and the line was posted."""
    shown, lines = list[str](), ["I support o1", "the barn is cold", then]
    seat, debate = seated(shown.append, most=8)
    seat.free = lambda: seat._reply("") and None

    def next_line(message: MessagePosted) -> None:
        if message.who != "Ada" and message.number > 4 and lines:
            seat.line(lines.pop(0))
            while lines and len(lines) < 2:
                seat.line(lines.pop(0))

    debate.bus.subscribe(MessagePosted, next_line)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    assert said(debate) == ["I support o1", *sent]
    assert sum(line.startswith("not sent: “the barn is cold”") for line in shown) == 1
    assert of(debate, LineAnswered) == []


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("scratch that, o1 would be a pity", ["scratch that, o1 would be a pity"]),
        ("vergiss das, wrong window", []),
        ("forget it. I support o1", []),
    ],
)
async def test_a_line_that_begins_with_scratch_that_ends_the_offer_and_goes_on(line: str, sent: list[str]) -> None:
    """The offer was put once more, later: "scratch that" before other words had not answered it."""
    _, debate = await said_at_a_terminal(OFFER, line)
    assert [fact.answer for fact in of(debate, LineAnswered)] == ["yes"] * ("I support" in line) + ["no"]
    assert not any("o2" in {move.target for move in each} for each in debate.progress.waiting("Ada").values())
    assert said(debate) == [OFFER, *sent]


async def test_a_digit_at_an_open_yes_or_no_is_told_what_is_open() -> None:
    """A German error quoted the open line with English marks."""
    german, debate = await said_at_a_terminal(OFFER, "2", language="de")
    number = next(each.number for each in of(debate, MessagePosted) if each.text == OFFER)
    assert sum(f"beantwortet nicht, was offen ist: m{number} „{OFFER}“" in line for line in german) == 1
    shown, debate = await said_at_a_terminal(OFFER, "2")
    number = next(each.number for each in of(debate, MessagePosted) if each.text == OFFER)
    (told,) = [line for line in shown if line.startswith("not sent: “2”")]
    assert f"does not answer what is open: m{number} “{OFFER}”. “m{number} yes” or “m{number} no” does" in told


@pytest.mark.parametrize("line", ["1", "o2!", "p1.0", "b", "yes", "nö", "ok", "forget it", "2 > 1"])
async def test_a_line_that_answers_nothing_and_says_nothing_is_no_message(line: str) -> None:
    """A "1" was the last message of a debate, and its author lost the word that was left."""
    shown, debate = await said_at_a_terminal(line)
    assert said(debate) == []
    assert sum("answers nothing that is open" in each for each in shown) == 1


@pytest.mark.parametrize("line", ["scratch that", "Vergiss das!", "no, forget it", "ok scratch that"])
async def test_what_counts_is_shown_and_stays_where_a_line_would_take_back_all(line: str) -> None:
    """It named the last line that counts alone, and no way to take back one side of several."""
    shown, debate = await said_at_a_terminal("I support o1", "I support o2", "hello", line)
    first, last = (each.number for each in of(debate, MessagePosted) if each.text in ("I support o1", "I support o2"))
    (told,) = [each for each in shown if each.startswith("nothing is taken back yet")]
    assert f"m{first} “I support o1”, m{last} “I support o2”. /back m{last}" in told
    assert "I take back o1" in told
    assert (said(debate), of(debate, LineAnswered)) == (["I support o1", "I support o2", "hello"], [])


async def test_what_is_to_be_scratched_is_the_newest_offer_and_the_older_one_is_put_again() -> None:
    """ "scratch that" was a message, and the older offer went on waiting."""
    seat, debate = seated()
    seat.free = lambda: seat._reply("") and None
    waiting = [OFFER, "o1 yes, but not in winter"]

    def next_line(message: MessagePosted) -> None:
        lines = ["forget that", "yes"] if message.text == "o1 yes, but not in winter" else []
        lines += [waiting.pop(0)] if waiting and message.number > 4 and not debate.inbox.waits("Ada") else []
        for line in lines:
            asyncio.get_running_loop().call_soon(seat.line, line)

    debate.bus.subscribe(MessagePosted, next_line)
    async with asyncio.timeout(_PATIENCE):
        await debate.run()
    answers = [(fact.answer, [move.target for move in fact.moves]) for fact in of(debate, LineAnswered)]
    assert answers == [("no", ["o1"]), ("yes", ["o2"])]
    assert said(debate) == [OFFER, "o1 yes, but not in winter"]


@pytest.mark.parametrize(("language", "told"), [("en", "counts for nobody in this vote"), ("de", "zählt in dieser")])
async def test_an_offer_that_waits_as_a_vote_begins_is_told_to_count_for_nobody(language: str, told: str) -> None:
    """The vote was asked for without a word of the question that stood open, and a yes was read as a vote."""
    shown = list[str]()

    def show(line: str) -> None:
        shown.append(line)
        if "B > A" in line:
            asyncio.get_running_loop().call_soon(seat.line, "none")

    seat, debate = seated(show)
    debate.progress.settings = debate.progress.settings.model_copy(update={"language": language})
    debate.progress.lines[7] = _Line("Ada", (Move("support", "", "o1"),), "offered")
    debate.progress.lines[8] = _Line("Ada", (Move("oppose", "", "o2"),), "over")
    paper = Prompt(purpose="ballot", agent="Ada", texts=(BallotText(id="o1", motion="o1", text="Go"),))
    async with asyncio.timeout(_PATIENCE):
        assert await seat.ask(paper) == "none"
    offered = say_back(
        LineOffered(who="Ada", message=7, moves=debate.progress.lines[7].moves), debate.memory, Words("de")
    )
    question = offered.lines[0] if offered and language == "de" else "Did you mean: you support o1?"
    (line,) = [line for line in shown if told in line]
    assert ("m7" in line, question in line, shown.index(line)) == (True, True, 0)
    web = WebSeat("Ada", title="Ada", prompt=paper)
    assert question_of(web, debate.progress, debate.memory)["uncounted"] == [line]
    assert question_of(web, debate.progress, debate.memory)["kept"] is None
    web.stands = (paper, "o1")
    kept = question_of(web, debate.progress, debate.memory)["kept"]
    assert kept["open"], "it is being changed, and stands"
    web.prompt = replace(paper, purpose="poll")
    assert question_of(web, debate.progress, debate.memory)["uncounted"] == []


SHIP = (
    BallotText(id="o2", motion="o2", text="im Gemeindesaal"),
    BallotText(id="o3", motion="o3", text="auf dem Ausflugsschiff"),
)


@pytest.mark.parametrize(("language", "typed"), [("en", "b also a"), ("de", "b auch a")])
def test_what_is_adopted_beside_is_said_in_the_words_of_the_screen_and_is_read(language: str, typed: str) -> None:
    """ "Ihre Stimme: c also ja das pfand" told a German a conclusion."""
    assert Words(language).say("seat-step", "adds", text="b", beside="a") == typed
    assert parted(typed, SHIP) == ("b", "a")


@pytest.mark.parametrize(
    ("typed", "row"),
    [("schiff und dann saal", "o3 > o2"), ("saal", "o2"), ("boot", ""), ("nicht schiff", "")],
)
def test_a_part_of_one_title_each_is_a_likely_row_and_nothing_else_is(typed: str, row: str) -> None:
    assert likely_row(typed, SHIP) == row


async def test_a_vote_by_parts_of_titles_is_asked_about_and_never_counted_unasked() -> None:
    """ "schiff und dann saal" was refused three times for "auf dem Ausflugsschiff" and "im Gemeindesaal"."""
    shown, cast = await voted_at_a_terminal({"your vote?": "quart", **_NOTHING, "read as: ": "yes"})
    assert [line for line in shown if line.startswith("read as: ")]
    assert cast.ballot.choice == "Move it this quarter"
