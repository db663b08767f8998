"""What a message does stands below it in words, for members and readers alike, as it was read when it was posted."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner
from folded import debated, folded
from in_turn import in_one
from rich.console import Console

from eda import Act, ConversationMemory, Debate, MessagePosted, Session, Settings
from eda.cli import cli
from eda.cli.terminal.acts import in_brief
from eda.cli.terminal.entries import Context
from eda.cli.terminal.live import LiveView
from eda.cli.terminal.printers import PlainView, Sitting, plain_lines
from eda.debate.replay import memory_of
from eda.events import (
    ActsRead,
    Ballot,
    BallotCast,
    DecisionFound,
    Event,
    FloorGranted,
    LineAnswered,
    MessageWritten,
    ModeratorSpoke,
    PhaseStarted,
    ProposalMade,
    ReactionSeen,
    SessionPaused,
    SessionStarted,
    SummaryWritten,
    VerdictReached,
)
from eda.events.acts import ActKind, End, Unread, UnreadKind, Unresolved
from eda.events.records import Decision, Move, Proposal, Reaction, StatusChange, TakenBack
from eda.memory.context.acts import ActsHeard, act_line, acts_of, fault_line, indented
from eda.memory.minutes.declared_moves import read_reply
from eda.panels.persona import Persona
from eda.runners.human import persona_of
from eda.words import Words

DEAD = Unread("no such id", "p3.0", message=3)
MEASURED = "Stay native until one screen is measured"


def posted(number: int, who: str, text: str, **fields: object) -> MessagePosted:
    return MessagePosted(seq=number + 1, number=number, who=who, text=text, **{**read_reply(text)._asdict(), **fields})


def told(*messages: Event) -> ConversationMemory:
    memory = ConversationMemory()
    for event in (SessionStarted(seq=1, session="s", question="Native or Flutter?"), *messages):
        memory.fold(event)
    return memory


def bare(number: int, **fields: object) -> MessagePosted:
    return MessagePosted(number=number, who="Maya", text="Well.", **fields)


MAYA = posted(1, "Maya", f"I never said that.\n[PROPOSE] We build one screen in two weeks\n[POSITION] {MEASURED}")
RUTH = posted(2, "Ruth", "What is the evidence?\n[OPPOSE p1.0] two weeks is a guess")


def test_the_transcript_that_members_read_has_the_acts_of_each_message() -> None:
    """Reasons in moves reached nobody, and nobody saw how a move was read."""
    transcript = told(MAYA, RUTH).full_context("Jonah").section("transcript")
    assert transcript.lines == (
        f"[m1] Maya: I never said that.\n  proposes p1.0: We build one screen in two weeks\n  position: {MEASURED}",
        "[m2] Ruth: What is the evidence?\n  opposes p1.0: two weeks is a guess",
    )


def test_acts_are_read_once_and_stay(tmp_path: Path) -> None:
    """A prompt whose beginning changes is paid for in full by everybody."""
    memory = told(MAYA, RUTH)
    before = memory.acts(1)
    memory.fold(posted(3, "Maya", "Less then.\n[AMEND p1.0] We build one screen in one week"))
    assert memory.acts(1) == before
    assert memory.acts(3) == (Act("amend", "p1.0", "p3.0", text="We build one screen in one week"),)
    assert memory.acts(99) == ()
    memory.save(tmp_path / "memory.json")
    loaded = ConversationMemory.load(tmp_path / "memory.json")
    assert loaded.acts(3) == memory.acts(3)
    assert loaded.full_context().section("transcript") == memory.full_context().section("transcript")


@pytest.mark.parametrize("tag", ["[SUPPO", "[OPPOSE", "[POSITION", "[SUPPORT p1.0"])
def test_a_tag_that_was_cut_off_is_named_to_its_author(tag: str) -> None:
    """A reply that reached its limit lost a move, and nobody was told."""
    memory = told(MAYA, posted(2, "Ruth", f"What is the evidence?\n{tag}"))
    number, (fault,) = memory.unread("Ruth")
    assert (number, fault.text, [why.kind for why in fault.unread_because]) == (2, tag, ["cut off"])
    assert memory.acts(2) == memory.below(2) == (fault,)
    assert act_line(fault) == f"{tag} (not counted): it was cut off"


def test_a_claim_below_a_move_is_no_reason_of_it() -> None:
    read = read_reply("We all agree.\n[SUPPORT p1.0]\n[CONSENSUS] p1.0", "Ruth")
    assert [(move.kind, move.target, move.text) for move in read.moves] == [("support", "p1.0", "")]


def test_a_signature_behind_a_tag_is_no_text_of_it() -> None:
    read = read_reply("We wait.\n[POSITION] — Ruth", "Ruth", {"Ruth": "sceptic", "Maya": "nurse"})
    assert (read.moves, read.unknown_tags) == ((), ("[POSITION]",))


def test_sealed_messages_have_acts_once_they_are_heard() -> None:
    """Openings would not be blind."""
    memory = told(MAYA.model_copy(update={"sealed": True}))
    assert memory.acts(1) == ()
    derived = memory.fold(PhaseStarted(seq=3, phase="discussion"))
    assert derived[0] == ActsRead(message=1, who="Maya", acts=memory.acts(1))


def test_every_kind_of_act_has_its_words() -> None:
    """An act that no line tells is an act that nobody can correct."""
    joint = Proposal("p5.0", 5, "Maya", "One\nscreen", amends="p1.0", joins=("p2.0",), source="declared")
    heard = Proposal("p5@3", 5, "Maya", "we should " + "really " * 20 + "stop", source="pattern")
    gone = Proposal("p1.0", 1, "Maya", "x", "withdrawn", changes=(StatusChange("withdrawn", (5,)),))
    reopened = (StatusChange("withdrawn", (4,)), StatusChange("active", (5,), "again"))
    back = Proposal("p2.0", 2, "Maya", "x", changes=reopened)
    passed_over = (StatusChange("not chosen", (4,)), StatusChange("active", (5,), "supported again", "Ben"))
    assert acts_of(bare(5), [ProposalMade(proposal=replace(back, changes=passed_over))]) == (Act("reopen", "p2.0"),)
    replaced = Proposal("p3.0", 3, "Maya", "x", "modified", changes=(StatusChange("modified", (5,)),))
    reactions = (
        Reaction(5, "Maya", "support", "p1.0", why="if it is cheap", conditional=True, condition="if it is cheap"),
        Reaction(5, "Maya", "oppose", "p2.0", source="declared"),
        Reaction(5, "Maya", "neutral", "o1", why="no\nview"),
        Reaction(4, "Ruth", "support", "p1.0", why="earlier"),
        Reaction(5, "Maya", "support", None, why="to a remark"),
    )
    claims = (
        Decision("d5@0", (5,), "", "we go native", status="claimed"),
        Decision("d2@0", (2,), "", "we rewrite", status="disputed"),
    )
    events = [
        *(ProposalMade(proposal=each) for each in (joint, heard, gone, back, replaced)),
        *(ReactionSeen(reaction=each) for each in reactions),
        *(DecisionFound(decision=each) for each in claims),
    ]
    message = bare(
        5, moves=(Move("position", "Stay"), Move("deny", "I did not", "m2"), Move("note", "n", importance=9))
    )
    assert Act("deny claim", "m2") in acts_of(bare(5), events)
    assert tuple(map(act_line, acts_of(message, events))) == (
        "joins p1.0 and p2.0 as p5.0: One screen",
        "proposes p5@3: we should really really really really really really really…",
        "withdraws p1.0",
        "proposes p2.0 again",
        "supports p1.0, on a condition: if it is cheap",
        "opposes p2.0",
        "is undecided on o1: no view",
        "claims, not voted on: we go native",
        "position: Stay",
        "denies m2: I did not",
        "notes: n",
    )


def test_what_is_not_counted_and_what_was_cut_is_said() -> None:
    """Support under a dead id looked as if it had counted; lines in another's name vanished without a word."""
    lost = Unresolved(6, "Maya", "support", "p3.0", "my own test", (DEAD,))
    vague = Unresolved(6, "Maya", "neutral", "")
    denial = Unresolved(6, "Maya", "deny", "m9", "no", (Unread("no claim", "m9"),))
    message = bare(6, puppets=("Ruth", "Ada"), moves=(Move("deny", "no", "m9"),))
    assert tuple(map(act_line, acts_of(message, [], [lost, vague, denial]))) == (
        "[SUPPORT p3.0] my own test (not counted): p3.0 does not exist",
        "[UNDECIDED] (not counted)",
        ("[DENY m9] no (not counted): m9 holds no claim that something was decided: name the message, as in [DENY m8]"),
        "(lines in the name of Ruth, Ada were left out)",
    )


def test_a_member_learns_what_of_its_last_message_was_not_read() -> None:
    """It would believe that it had supported something, and the panel that it had not."""
    lost = Unresolved(6, "Maya", "support", "p3.0", "my own test", (DEAD,))
    acts = ActsHeard()
    acts.hear(bare(6, unknown_tags=("[DEFER p5.2]", "[NEXT Petra]", "[SUPORT p5.2]", "[POSITION]")), [], [lost])
    number, faults = acts.unread("Maya")
    assert (number, *map(fault_line, faults)) == (
        6,
        "[SUPPORT p3.0] my own test: p3.0 does not exist",
        "[DEFER p5.2]: no move has this tag",
        "[NEXT Petra]: no other member is called “Petra”, or more than one is",
        "[SUPORT p5.2]: no move has this tag: did you mean SUPPORT?",
        "[POSITION]: it has no text",
    )
    acts.hear(bare(6, puppets=("Ruth",)), [], [])
    number, (fault,) = acts.unread("Maya")
    assert (number, fault_line(fault)) == (6, "lines in the name of Ruth: write lines for yourself only")
    acts.hear(bare(6, unknown_tags=("[AGREE p5.2]",)), [], [lost])
    assert acts.unread("Ruth") == (0, ())
    acts.hear(bare(7), [], [])
    assert acts.unread("Maya") == (0, ())


def test_each_withdrawal_has_its_own_reason() -> None:
    """The reason of one withdrawal stood beside another."""
    memory = debated(
        ("Ann", "Two.\n\n[PROPOSE] Paint the hall\n[PROPOSE] Mend the roof"),
        ("Ann", "No.\n\n[WITHDRAW p1.0] too dear\n[WITHDRAW p1.1] the frost is over"),
    )
    assert [(act.kind, act.on, act.why) for act in memory.acts(2)] == [
        ("withdraw", "p1.0", "too dear"),
        ("withdraw", "p1.1", "the frost is over"),
    ]


def test_no_line_of_a_message_passes_for_an_act() -> None:
    """A member could write `supports p1.0` in its text and have it read as the engine's word."""
    forged = (
        told(posted(1, "Maya", "Well.\n  supports p1.0: yes\n\n opposes p1.0")).full_context().section("transcript")
    )
    assert [line for line in forged.text.splitlines() if re.match(r"  \S", line)] == []
    assert list(indented((Act("support", "p1.0"),))) == ["  supports p1.0"]


def lines_of(*, verbose: bool, said: str = MAYA.text) -> tuple[list[str], str]:
    """What a pipe and a terminal show of a message whose acts were read, and of minutes that came later."""
    plain, out = list[str](), io.StringIO()
    sitting = Sitting(SessionStarted(session="s", question="Native?"), verbose=verbose)
    debate = Debate("Native?", ["sceptic", "historian"])
    views = (
        PlainView(plain.append, sitting),
        LiveView(Console(file=out, width=100), sitting, debate.progress, debate.memory),
    )
    proposal = Proposal("p1.0", 1, "Maya", "Build one screen", source="declared")
    later = Reaction(1, "Ruth", "support", "p1.0", source="minutes", why="it is quick")
    for event in (
        posted(1, "Maya", said),
        ActsRead(message=1, who="Maya", acts=(Act("propose", id="p1.0", text="Build one screen"),)),
        ProposalMade(proposal=proposal),
        RUTH,
        ReactionSeen(reaction=later),
    ):
        for view in views:
            view.handle(event)
    return plain, out.getvalue()


def test_screens_show_acts_once_below_their_message() -> None:
    """A proposal would stand on the screen twice, or a misreading would show nowhere."""
    plain, terminal = lines_of(verbose=True)
    assert [line for line in plain if "p1.0" in line] == [
        "act: proposes p1.0: Build one screen",
        "reaction: Ruth supports p1.0: it is quick",
    ]
    assert terminal.count("p1.0") == 2
    assert "     proposes p1.0: Build one screen" in terminal


OPENED = ["phase:discussion", "m3Jonah:"]
SEATED: tuple[Persona, ...] = ()


def shown_of(*events: Event) -> list[str]:
    """The lines of a pipe, by how they begin."""
    plain = list[str]()
    view = PlainView(
        plain.append, Sitting(SessionStarted(session="s", question="Native?", members=SEATED), verbose=True)
    )
    for event in events:
        view.handle(event)
    return [line.split(" ", 2)[0] + line.split(" ", 2)[1] for line in plain[5:]]


def test_sealed_messages_are_shown_as_they_are_written_and_their_acts_once_the_seal_is_broken() -> None:
    """A newcomer looked at an empty screen until the slowest of five had written."""
    sealed = [message.model_copy(update={"sealed": True}) for message in (MAYA, RUTH)]
    written = [MessageWritten(message=message) for message in sealed]
    acts = [
        ActsRead(message=number, who=who, acts=(Act("propose", id="p", text="Stay"),))
        for number, who in ((1, "Maya"), (2, "Ruth"))
    ]
    begun = PhaseStarted(seq=1, phase="opening")
    opened = PhaseStarted(seq=4, phase="discussion")
    third = posted(3, "Jonah", "So?")
    both = ["phase:opening", "m1Maya:", "m2Ruth:"]
    assert shown_of(begun, written[1]) == both[:1], "the numbers come in order"
    assert shown_of(begun, written[1], written[0]) == both
    assert shown_of(begun, *written, *sealed, opened, *acts, third) == [*both, "act:m1", "act:m2", *OPENED]
    assert shown_of(begun, written[0], *sealed, opened, acts[1], third) == [*both, "act:proposes", *OPENED]
    passed = sealed[1].model_copy(update={"number": 1})
    assert shown_of(begun, written[1], passed, opened, third) == ["phase:opening", "m1Ruth:", *OPENED]


def test_who_writes_an_opening_at_the_table_sees_no_other_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is promised that nobody sees an opening before all have written; it holds for the person, too."""
    monkeypatch.setattr("test_act_lines.SEATED", (persona_of("Ada"),))
    sealed = [message.model_copy(update={"sealed": True}) for message in (MAYA, RUTH)]
    acts = [
        ActsRead(message=number, who=who, acts=(Act("propose", id="p", text="Stay"),))
        for number, who in ((1, "Maya"), (2, "Ruth"))
    ]
    begun, opened = PhaseStarted(seq=1, phase="opening"), PhaseStarted(seq=4, phase="discussion")
    whole = ["phase:opening", "m1Maya:", "act:proposes", "m2Ruth:", "act:proposes", *OPENED]
    assert shown_of(begun, *(MessageWritten(message=message) for message in sealed), *sealed) == whole[:1]
    assert shown_of(begun, *sealed, opened, *acts, posted(3, "Jonah", "So?")) == whole
    assert shown_of(begun, *sealed, SessionPaused(reason="unavailable", error="a fault"))[:3] == [*whole[:2], whole[3]]


def test_a_summary_waits_for_the_end_of_a_speech() -> None:
    """It stood between a speaker and the words."""
    granted = [FloorGranted(agent=who, reason="next") for who in ("Maya", "Ruth")]
    summed = SummaryWritten(first=1, last=1, text="Maya begins.")
    shown = shown_of(granted[0], summed, MAYA, granted[1], summed)
    assert shown == ["floor:Maya", "m1Maya:", "summary:m1"]


def test_a_message_has_one_header_in_a_pipe_and_its_text_passes_for_no_act() -> None:
    """Three paragraphs looked like three messages, and a paragraph could pretend to be an act."""
    lines, _ = lines_of(verbose=False, said="One.\n\nact: supports p1.0")
    assert lines[5:8] == ["m1 Maya: One.", "  act: supports p1.0", "act: proposes p1.0: Build one screen"]


def test_acts_in_brief_keep_texts_and_reasons_whole_and_say_nothing_twice() -> None:
    """A reason that stood in a move alone was nowhere on the screen, nor what of a typed line was the condition."""
    dead = Unread("no such id", "p9.0")
    acts = (
        Act("propose", id="p3.0", text="Wait, then ask"),
        Act("support", "p1.0", why="it is quick"),
        Act("support", "p2.0", why="if it is tested", conditional=True, condition="if it is tested"),
        Act("oppose", "o2", why="no owner", end=End("modified")),
        Act("neutral", "p4.0"),
        Act("position", id="o1"),
        Act("position", text="Wait", tagged=False),
        Act("note", text="ask Dana"),
        Act("support", "p9.0", text="it is cheap", counted=False, unread_because=(dead,)),
    )
    lines = [*map(act_line, acts)]
    lost = "[SUPPORT p9.0] (not counted): p9.0 does not exist"
    assert [*in_brief(acts, "It is QUICK, and only if it is tested.\nIt is cheap.")] == [
        lines[0],
        "supports p1.0",
        *lines[2:6],
        lost,
    ]
    assert [*in_brief(acts)] == [*lines[:6], lines[8]]
    assert [*in_brief(acts[5:6], "Have o1 then.")] == lines[5:6], "an id that the text names for another reason"
    assert [*in_brief(acts[6:8])] == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_kind_of_act_and_every_reason_has_words_in_each_language(language: str) -> None:
    """A kind without words would end the page of a report; one that a language lacks would stand there in English."""
    words, kinds = Words(language), [kind for kind in get_args(ActKind) if kind not in ("tag", "others' lines")]
    of = {act_line(Act(kind, "p1.0", "p2.0", text="so"), words) for kind in kinds}
    assert len(of) == len(kinds)
    lost = [Unread(kind, "p9.0", ("Ada",), ("p1.0",), message=9) for kind in get_args(UnreadKind)]
    why = {act_line(Act("support", "p9.0", counted=False, unread_because=(each,)), words) for each in lost}
    assert len(why) == len(lost)
    closed = Act("support", "p1.0", why="it is quick", end=End("modified", "p4.0"))
    told = {
        "en": "supports p1.0 (the older text, replaced by p4.0)",
        "de": "ist für p1.0 (der ältere Text, durch p4.0 ersetzt)",
    }
    assert act_line(closed, words) == f"{told[language]}: it is quick"


def test_a_message_of_moves_alone_has_them_as_its_text() -> None:
    """The treasurer's only argument was a blank line."""
    text = "[OPPOSE o1] because nobody pays the heating\n[PROPOSE] Half a year as a trial"
    acts = (
        Act("oppose", "o1", why="because nobody pays the heating"),
        Act("propose", id="p1.0", text="Half a year as a trial"),
    )
    moves = ["opposes o1: because nobody pays the heating", "proposes: Half a year as a trial"]
    for verbose in (False, True):
        context = Context(Settings(), verbose=verbose)
        (entry,) = context.entries(posted(1, "Maya", text))
        assert entry.body.split("\n") == moves
        below = [act.text for act in context.entries(ActsRead(message=1, who="Maya", acts=acts))]
        assert below == ([*map(act_line, acts)] if verbose else ["proposes p1.0"])


def test_ballots_are_told_with_the_verdict_and_not_before() -> None:
    """Everybody's vote was on the screen while the talk went on."""
    context = Context(Settings(), people=["Maya"])
    cast = [BallotCast(ballot=Ballot(agent=who, choice="Wait"), choices=("Go", "Wait")) for who in ("Maya", "Ruth")]
    told = [entry.text for ballot in cast for entry in context.entries(ballot)]
    assert told == ["Maya has voted"]
    lost = [Ballot(agent="Maya", choice=None, invalid=True, missing=missing) for missing in (False, True)]
    told = [entry.text for ballot in lost for entry in context.entries(BallotCast(ballot=ballot, choices=("Go",)))]
    assert told == ["the ballot of Maya could not be read", "no ballot of Maya came"]
    context.entries(cast[0])
    context.entries(posted(1, "Maya", "But who pays?"))
    for ballot in cast:
        again = ballot.model_copy(update={"ballot": Ballot(agent=ballot.ballot.agent, choice="Go")})
        context.entries(again)
    shown = context.entries(VerdictReached(rule="majority", outcome="Go", tally={"Go": ("Maya", "Ruth"), "Wait": ()}))
    assert [line for entry in shown[:2] for line in plain_lines(entry, context.words)] == [
        "vote: Maya: Accepts “Go”.",
        "vote: Ruth: Accepts “Go”.",
    ]
    assert shown[2].verdict is not None


def test_an_option_with_a_comma_is_printed_whole() -> None:
    """Where somebody dissents, "Ship in May, blocks of two weeks each" was printed as "Ship in May"."""
    ship, wait = "Ship in May, blocks of two weeks each", "Wait"
    ballots = [Ballot(agent="Maya", choice=ship, blocked=(wait,)), Ballot(agent="Ruth", choice=wait)]
    context = Context(Settings())
    for ballot in ballots:
        context.entries(BallotCast(ballot=ballot, choices=(ship, wait)))
    tally = {ship: ("Maya",), wait: ("Ruth",)}
    shown = context.entries(VerdictReached(rule="majority", outcome=wait, tally=tally, dissent=tuple(ballots[:1])))
    assert [entry.text for entry in shown[:2]] == [f"Accepts “{ship}”.", "Accepts “Wait”."]


def test_acts_that_come_after_other_messages_name_theirs() -> None:
    """After blind openings nobody could tell whose acts these are."""
    context = Context(Settings(), verbose=True)
    context.entries(RUTH)
    (entry,) = context.entries(ActsRead(message=1, who="Maya", acts=(Act("position", text="Stay"),)))
    assert entry.text == "m1 Maya position: Stay"


def test_show_prints_changes_of_the_table_and_their_reasons_on_request(tmp_path: Path) -> None:
    """A reader of a stored session saw moves nowhere and the table only in lists of its own."""
    with Session.create("s", tmp_path) as session:
        Debate("Should we go?", ["sceptic", "historian"], session=session, settings=Settings(max_messages=8)).run_sync()
        memory = memory_of(session)
    acts = [act_line(act) for number in range(1, 9) for act in memory.acts(number)]
    assert acts

    def show(*args: str) -> str:
        return CliRunner().invoke(cli, ["show", "s", *args, "--sessions", str(tmp_path)], prog_name="eda").output

    brief, whole = show(), show("--verbose")
    assert all(act in whole for act in acts)
    assert "bids:" not in brief
    assert "has the floor" in whole
    assert "The table after m8" in brief
    assert all(act in brief for act in acts if act.startswith(("proposes", "amends", "supports", "opposes")))
    assert "has the floor" not in brief
    assert show("--quiet").splitlines()[-1] == "session: s"
    assert '"acts": [' in show("--json")
    assert '"motions": [' in show("--json")


def test_a_position_on_a_text_that_its_message_replaces_is_on_the_new_one() -> None:
    """He stood on the text that he had just closed, and support of the old one seemed to count for the new one."""
    memory = ConversationMemory()
    said = (
        ("Kofi", "All.\n[PROPOSE] Make a 60-minute induction compulsory."),
        ("Kofi", "I give way on the length.\n[AMEND p1.0] Make a 30-minute induction compulsory.\n[POSITION] p1.0"),
        ("Rosa", "Half an hour.\n[SUPPORT p1.0] thirty minutes are bearable"),
    )
    acts = []
    for number, (who, text) in enumerate(said, 1):
        read = read_reply(text, who)
        events = memory.fold(MessagePosted(number=number, who=who, text=text, **read._asdict()))
        acts += [each.acts for each in events if isinstance(each, ActsRead)][:1]
    assert memory.last_position("Kofi") == "p2.0"
    assert Act("position", "p1.0", "p2.0") in acts[1]
    assert acts[2] == (Act("support", "p1.0", why="thirty minutes are bearable", end=End("modified", "p2.0")),)
    assert act_line(acts[2][0]) == "supports p1.0 (the older text, replaced by p2.0): thirty minutes are bearable"
    assert {each.id: each.backers("support") for each in memory.proposals} == {"p1.0": ("Rosa",), "p2.0": ()}


@pytest.mark.parametrize("between", [PhaseStarted(phase="discussion"), ModeratorSpoke(text="What of o2?")])
def test_acts_that_come_after_a_phase_or_the_moderator_name_their_message(between: Event) -> None:
    """Below "Phase: discussion" stood "is against o1", and nobody knew whose it was."""
    context = Context(Settings())
    for event in (posted(1, "Maya", "I am not for it."), between):
        context.entries(event)
    (entry,) = context.entries(ActsRead(message=1, who="Maya", acts=(Act("oppose", on="o1"),)))
    assert entry.text.startswith("m1 Maya ")


SPEAKS = tuple(
    Persona(name=n.lower(), title=n, role="r", description="d", instruction="i") for n in ("Ada", "Ben", "Cleo")
)


@in_one(
    ("said", "line"),
    [
        ("Ben said in m2 that he pays the sweepers.", "not so in m2, by Ben: "),
        ("Ben, in m2 you said that you pay the sweepers.", "not so in m2, by Ben: "),
        ("Wie Ben in m2 sagte, bezahlt er die Feger.", "not so in m2, by Ben: "),
        ("As Ada said in m2, Friday brings people past the shops.", "not so in m2, by Ben: "),
        ('Ben wrote in m2 "I pay the sweepers".', "not so in m2, by Ben: "),
        ("Wie Ada in m2 vorrechnete, bringt der Freitag Leute.", "not so in m2, by Ben: "),
        ("Ada hat in m2 gefragt, wer unterschreibt.", "not so in m2, by Ben: "),
        ("Ada, in m2 fragst du, wer unterschreibt.", "not so in m2, by Ben: "),
        ("Ada, deine Frage aus m2 ist gut.", "not so in m2, by Ben: "),
        ("Ada in m2 put it well.", "not so in m2, by Ben: "),
        ("Ada, your good question in m2 is mine.", "not so in m2, by Ben: "),
        ("Ada has asked in m2 who signs.", "not so in m2, by Ben: "),
        ("Ada, in m2 fragt Ben, wer unterschreibt.", ""),
        ("Ada, du hast recht in m2.", ""),
        ("Ada, deine Antwort auf m2 ist gut.", ""),
        ("Ada, danke für deine Antwort auf die Frage aus m2.", ""),
        ("Ada answered the question in m2.", ""),
        ("Ada asked Ben in m2 who signs.", ""),
        ("Ben, deine Frage aus m2 beantworte ich: die Feger kosten elf.", ""),
        ("Ada agrees with m2.", ""),
        ("Ben said in m2 that Friday brings people.", ""),
        ("As Ben said in m2, people walk past the shops.", ""),
        ("Ben asks in m2 who signs.", ""),
        ("Ben's point in m2 about pay persuades me, so I change my text.", ""),
        ("Ada, in m2 you got your sweepers.", ""),
        ("Ben never said in m2 that he pays the sweepers.", ""),
        ("Ben said in m2 nothing about sweepers or guards.", ""),
        ("If Ben said in m2 that he pays the sweepers, good.", ""),
        ("Did Ben say in m2 that he pays the sweepers?", ""),
        ("Ben said in m1 and m2 that he pays the sweepers.", ""),
        ("Ben said in m9 that he pays the sweepers.", ""),
        ('Ada, you wrote "Ben said in m2 that he pays the sweepers", and he did not.', ""),
    ],
)
def test_what_a_message_attributes_to_another_that_has_it_not_is_marked_below_it(said: str, line: str) -> None:
    """ "Omar said in m3 that he pays the sweepers" stood unmarked where nobody denied it; m3 had no word of it."""
    talk = (("Ada", "The square is free."), ("Ben", "Friday brings people past the shops. Who signs?"), ("Cleo", said))
    _, memory = folded(talk, SPEAKS, ())
    acts = memory.below(3)
    assert [act_line(act) for act in acts] == [f'{line}"{said}"'] * bool(line)
    shown = memory.full_context("Ada").text
    assert ("not so in m2" in shown) == bool(line)
    again = ConversationMemory.from_json(memory.to_json())
    assert again.below(3) == acts


@pytest.mark.parametrize(("on", "marked"), [("p1.0", False), ("o1", True)])
def test_a_tag_that_did_not_count_is_marked_no_more_once_its_author_has_declared_what_it_is_about(
    on: str, marked: bool
) -> None:
    """ "[ABLEHNEN p9.0] (not counted)" stood below the opposition that its author had declared when asked."""
    talk = (("Ada", "So.\n[PROPOSE Noon] Close it by noon."), ("Ben", "No.\n[ABLEHNEN p1.0] too early"))
    _, memory = folded(talk, SPEAKS, ("Stay", "Go"))
    assert [act.kind for act in memory.below(2)] == ["tag"]
    memory.fold(LineAnswered(seq=9, message=2, who="Ben", answer="asked", moves=(Move("oppose", "too early", on),)))
    assert [act.kind for act in memory.below(2)] == [*["tag"] * marked, "oppose"]


def test_misspelt_tags_are_marked_no_more_once_as_many_moves_of_their_kind_are_declared() -> None:
    """ "[PROPSE Noon] (not counted)" stood below the proposal that its author had declared when asked."""
    put = "So.\n[PROPSE Noon] Close it by noon.\n[PROPSE Dusk] Close it by dusk.\n[POSITON] o1\n[DENNY m1] no"
    _, memory = folded((("Ada", "So."), ("Ben", put)), SPEAKS, ("Stay", "Go"))
    moves = (Move("propose", "Close it by noon."), Move("position", "o1"), Move("deny", "no", "m1"))
    memory.fold(LineAnswered(seq=9, message=2, who="Ben", answer="asked", moves=moves))
    assert [act.text for act in memory.below(2) if act.kind == "tag"] == ["[PROPSE Noon]", "[PROPSE Dusk]"]
    memory.fold(LineAnswered(seq=10, message=2, who="Ben", answer="asked", moves=(*moves, Move("propose", "At dusk."))))
    assert [act.text for act in memory.below(2) if act.kind == "tag"] == []


@pytest.mark.parametrize("of", ["condition", "opposition"])
def test_what_is_taken_back_in_vain_is_told_to_its_author_as_that(of: TakenBack) -> None:
    """The withdrawal of a condition was told as `[WITHDRAW p1.0]`, which takes the text back."""
    _, memory = folded((("Ada", "So.\n[PROPOSE Noon] Close it by noon."), ("Ben", "I waive that.")), SPEAKS, ())
    memory.fold(
        LineAnswered(seq=9, message=2, who="Ben", answer="asked", moves=(Move("withdraw", target="p1.0", of=of),))
    )
    assert [fault_line(act).partition(":")[0] for act in memory.unread("Ben")[1]] == [f"[WITHDRAW my {of} on p1.0]"]


def test_what_is_declared_in_vain_of_an_older_message_is_shown_as_its_own_and_not_as_a_later_ones() -> None:
    """Ben's answer about m2 was shown, and told to him, as the tag that Cleo had written in m3."""
    talk = (("Ada", "So.\n[PROPOSE Noon] Close it by noon."), ("Ben", "So."), ("Cleo", "No.\n[WITHDRAW p1.0]"))
    _, memory = folded(talk, SPEAKS, ())
    denied = (Move("withdraw", "so", "p1.0", of="support"),)
    memory.fold(LineAnswered(seq=9, message=2, who="Ben", answer="asked", denied=denied))
    own = ["[WITHDRAW my support on p1.0]"]
    assert [act_line(act).partition(" so")[0] for act in memory.below(2)] == own
    assert [fault_line(act).partition(" so")[0] for act in memory.unread("Ben")[1]] == own


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("no board, no cost", ", perhaps on a condition: no board, no cost"),
        (
            "it is cheap; no board, no cost",
            ', perhaps on a condition ("no board, no cost"): it is cheap; no board, no cost',
        ),
    ],
)
def test_a_reason_that_may_be_a_condition_stands_once(why: str, told: str) -> None:
    """The whole reason stood in brackets, and again behind them."""
    act = Act("support", "o2", why=why, conditional=True, condition="no board, no cost", doubt=True)
    assert act_line(act) == f"supports o2{told}"
