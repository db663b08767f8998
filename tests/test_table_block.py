"""The table block: every text on the table with who stands where and why, the same for everybody, nothing dropped."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO

from hypothesis import given, settings, strategies as st
from rich.console import Console
from told import Told

from eda import ConversationMemory, Debate, Document, MessagePosted, Motion, Persona, ScriptedRunner, Settings
from eda.cli.terminal.live import StatusArea
from eda.cli.terminal.style import Colours
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.state import DebateState
from eda.events import Event, MemberChanged, PhaseStarted, SessionStarted, VerdictReached
from eda.events.model_minutes import OpenQuestion
from eda.events.records import Decision, Proposal, Reaction, StatusChange
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.shown import motion_table
from eda.memory.table import Rendered, Table, in_quotes, reason_of, standing, table_block
from eda.runners.protocol import Prompt
from eda.serve.shown import table_of

CAP = Proposal(
    "p9.1",
    9,
    "Tomas",
    "Cap Free at 20 bookings a month for new sign-ups from February, offering the existing Solo plan at the cap",
    source="declared",
    reactions=(
        Reaction(10, "Petra", "support", "p9.1", why="Two to three weeks."),
        Reaction(
            11,
            "Maya",
            "support",
            "p9.1",
            why="if the nine who left are called first",
            conditional=True,
            condition="if the nine who left are called first",
        ),
        Reaction(12, "Beatriz", "neutral", "p9.1", why="1,000 euros a month at best"),
    ),
)
ORDER = Proposal("p19.0", 19, "Tomas", "Look-up in December, cap at 20 in February", source="declared")
ORDER_AND_CALLS = Proposal(
    "p21.0",
    21,
    "Anjali",
    "Look-up in December, calls to the nine by 12 December, cap at 20 in February",
    source="declared",
    amends="p19.0",
    joins=("p9.1",),
    reactions=(Reaction(22, "Petra", "oppose", "p21.0", why="three announcements"),),
)
RAISE = Proposal("p5.0", 5, "Beatriz", "Raise Solo to 15 euros", source="declared")
CLAIM = Decision("d20@8", (20,), "", "we are agreed on the cap", supporters=("Beatriz",), status="claimed")


def shown(table: Table, room: int | None = None) -> str:
    return "\n".join(table_block(table, room).lines)


def motion(*versions: Proposal, live: Proposal | None = None, taken_up: bool = True) -> Motion:
    return Motion(versions[0].id, versions, live or versions[0], taken_up)


def person(title: str) -> Persona:
    return Persona(name=title.lower(), title=title, role="r", description="d", instruction="i")


def posted(number: int, who: str, text: str, **fields: object) -> MessagePosted:
    return MessagePosted(number=number, who=who, text=text, **{**read_reply(text)._asdict(), **fields})


def told(*events: Event, members: int = 0) -> ConversationMemory:
    memory = ConversationMemory()
    people = tuple(person(f"P{number}") for number in range(members))
    memory.fold(SessionStarted(seq=1, session="s", question="What now?", members=people))
    for seq, event in enumerate(events, 2):
        memory.fold(event.model_copy(update={"seq": seq}))
    return memory


def test_a_motion_says_who_stands_where_on_its_live_text_and_why() -> None:
    """Of four reasons that members gave, none had reached any of 54 prompts."""
    stances = (
        '    for 2 of 5: Tomas (own), Petra "Two to three weeks."; '
        'for, if ... 1: Maya "if the nine who left are called first"; against nobody; '
        'undecided 1: Beatriz "1,000 euros a month at best"'
    )
    assert shown(Table((motion(CAP),), after=26, members=5)).splitlines() == [
        "Open; only a ballot decides:",
        f'- p9.1 Tomas: "{CAP.content}"',
        stances,
    ]


def test_another_wording_stands_under_its_motion_with_its_own_supporters() -> None:
    """Versions of one text would look like rivals, and support for one would count for the other."""
    lines = shown(Table((motion(ORDER, ORDER_AND_CALLS, live=ORDER_AND_CALLS),), members=5)).splitlines()
    assert lines[1] == f'- p21.0 Anjali [joins p19.0 and p9.1]: "{ORDER_AND_CALLS.content}"'
    assert lines[2] == '    for 1 of 5: Anjali (own); against 1: Petra "three announcements"'
    assert (
        lines[3]
        == f'    other wording p19.0 Tomas [part of p21.0]: "{ORDER.content}" (for 1 of 5: Tomas (own); against nobody)'
    )


def test_a_new_last_clause_is_shown_with_the_figure_at_its_end() -> None:
    """The table broke off right before the figure that was the whole of an amendment."""
    old = "Hold the market on Sunday mornings for six months; the council counts stall takings each month"
    new = f"{old}, and the market returns to Saturday if takings fall by more than a tenth."
    first = Proposal("p1.0", 1, "Rosa", f"{old}.", source="declared")
    second = Proposal("p5.0", 5, "Leila", new, amends="p1.0", source="declared")
    lines = shown(Table((motion(first, second, live=second),), members=2, told_from=1)).splitlines()
    assert lines[1].endswith('more than a tenth."')
    assert "on Sunday mornings" not in lines[1]


def test_who_backed_a_part_of_a_text_is_named_and_counted_for_neither() -> None:
    """Support would pass to words that its giver has never seen."""
    replaced = (StatusChange("modified", (20,), "replaced", "p20.0"),)
    old = replace(CAP, status="modified", amended_by="p20.0", changes=replaced)
    new = Proposal("p20.0", 20, "Tomas", "Cap Free at 30 bookings", amends="p9.1", source="declared")
    text = shown(Table((motion(old, new, live=new),), members=5))
    assert "for 1 of 5: Tomas (own); against nobody" in text
    assert "Closed: p9.1 replaced by p20.0" in text
    assert "not counted for this one" not in text, "its author put it in other words, so what was said of it is past"
    taken = replace(old, changes=(StatusChange("modified", (20,), "taken into", "p20.0"),))
    text = shown(Table((motion(taken, new, live=new),), members=5))
    assert "    for p9.1 (taken into p20.0), not counted for this one: Petra" in text
    condition = '"if the nine who left are called first"'
    assert f"    for p9.1 (taken into p20.0) on a condition, {condition}, not counted for this one: Maya" in text


def test_other_wordings_and_their_stances_come_before_reasons_and_dead_options_last() -> None:
    """The texts that would win were ids alone, while an option that nobody wanted kept three reasons whole."""
    against = tuple(
        Reaction(number, who, "oppose", "o1", why=f"{who} has a long reason against it, which is told in all its words")
        for number, who in enumerate(("Ada", "Ben", "Cleo"), 1)
    )
    dead = Proposal("o1", 0, "", "All online", source="procedure", reactions=against)
    beside = tuple(
        Proposal(f"p{n}.0", n, who, f"{ORDER.content} and {who} makes ten calls to those who left", amends=amends)
        for n, who, amends in ((22, "Ada", "p19.0"), (23, "Ben", "p22.0"))
    )
    reacted = (Reaction(24, "Petra", "oppose", "p22.0", why="three announcements are two too many for a small town"),)
    wordings = (ORDER, replace(beside[0], reactions=reacted), beside[1])
    table = Table((motion(dead), motion(*wordings)), members=5, after=24)
    rooms = {room: shown(table, room) for room in range(80, 320, 5)}
    for text in rooms.values():
        if "long reason" in text:
            assert "two too many" in text
        assert ("two too many" in text) <= ("other wording p23.0 Ben" in text)
    assert any("p22.0 Ada [amends p19.0]" in text and "against 1: Petra)" in text for text in rooms.values())
    assert "long reason" in rooms[315]


def test_who_stands_on_an_open_wording_or_a_withdrawn_one_is_told_by_that_id() -> None:
    """A member that was for a text until its author withdrew it stood as undecided on another that was replaced."""
    old = replace(CAP, status="modified", amended_by="p20.0")
    other = Proposal("p12.0", 12, "Anjali", "Cap at 50", amends="p9.1", source="declared", status="withdrawn")
    other = replace(other, reactions=(Reaction(13, "Beatriz", "support", "p12.0"),))
    new = Proposal("p20.0", 20, "Tomas", "Cap Free at 30 bookings", amends="p9.1", source="declared")
    third = Proposal("p21.0", 21, "Maya", "Cap Free at 20 bookings", amends="p20.0", source="declared")
    text = shown(Table((motion(old, other, new, third, live=new),), members=5))
    assert "    for p12.0 (withdrawn), not counted for this one: Beatriz" in text
    assert "    for p9.1 (replaced by p20.0), not counted for this one: Petra" in text
    assert "undecided p9.1" not in text
    assert text.count("Maya") == 2, "of her own wording only"


def test_an_older_stance_does_not_come_back_once_the_newer_text_is_replaced() -> None:
    """A condition that a member had given up stood below the text as its word."""
    old = replace(CAP, status="modified", changes=(StatusChange("modified", (12,), "taken into", "p12.0"),))
    newer = Proposal("p12.0", 12, "Anjali", "Cap at 50", amends="p9.1", source="declared", status="modified")
    newer = replace(newer, changes=(StatusChange("modified", (20,), "replaced", "p20.0"),))
    newer = replace(newer, reactions=(Reaction(13, "Maya", "support", "p12.0"),))
    new = Proposal("p20.0", 20, "Anjali", "Cap Free at 30 bookings", amends="p12.0", source="declared")
    text = shown(Table((motion(old, newer, new, live=new),), members=5))
    assert "undecided p9.1 (taken into p12.0), not counted for this one: Beatriz" in text
    assert "Maya" not in text


def test_what_was_declared_when_asked_is_of_then_and_not_of_the_message_that_was_asked_about() -> None:
    """A condition declared after the text was reworded stood nowhere; who had declared on the newer was not counted."""
    reacted = (
        Reaction(11, "Maya", "support", "p9.1", conditional=True, condition="if it has a lid", asked=22),
        Reaction(21, "Petra", "support", "p9.1"),
    )
    old = replace(CAP, status="modified", changes=(StatusChange("modified", (20,), "replaced", "p20.0"),))
    new = Proposal("p20.0", 20, "Tomas", "Cap Free at 30 bookings", amends="p9.1", source="declared")
    new = replace(new, reactions=(Reaction(21, "Petra", "support", "p20.0", conditional=True, asked=22),))
    text = shown(Table((motion(replace(old, reactions=reacted), new, live=new),), members=5))
    assert '    for p9.1 (replaced) on a condition, "if it has a lid", not counted for this one: Maya' in text
    assert "for this one: Petra" not in text


def test_what_may_be_a_condition_of_an_older_text_is_told_as_perhaps_one() -> None:
    """A reason that may state a condition stood as one."""
    perhaps = Reaction(14, "Maya", "support", "p9.1", conditional=True, condition="with a ramp", doubt=True)
    old = replace(CAP, status="modified", changes=(StatusChange("modified", (20,), "taken into", "p20.0"),))
    old = replace(old, reactions=(perhaps,))
    new = Proposal("p20.0", 20, "Tomas", "Cap Free at 30 bookings", amends="p9.1", source="declared")
    text = shown(Table((motion(old, new, live=new),), members=5))
    assert (
        '    for p9.1 (taken into p20.0) perhaps on a condition, "with a ramp", not counted for this one: Maya' in text
    )


def test_closed_texts_stand_on_one_line_with_why() -> None:
    """A superseded text stood as open; a member that still names its id learns nothing of what became of it."""
    closed = [
        replace(RAISE, id="p1.0", status="withdrawn"),
        replace(RAISE, id="p2.0", status="rejected"),
        replace(RAISE, id="p3.0", status="accepted"),
    ]
    struck = replace(RAISE, id="p4.0", message=6, status="struck", corrected="Ada")
    table = Table(tuple(Motion(each.id, (each,), None) for each in closed), dropped=(struck,), members=3)
    assert shown(table) == ("Closed: p1.0 withdrawn, p2.0 turned down, p3.0 adopted, p4.0 struck by Ada")


def test_a_claim_is_told_apart_from_a_decision_and_says_who_denies_it() -> None:
    """One member's typed [DECISION] stood as a decision of all, supported by who had denied it."""
    decided = Decision("v26.0", (24, 26), "majority", "Cap it", supporters=("Tomas",), source="procedure", votes=4)
    denied = replace(CLAIM, status="disputed", denied_by=("Maya",), denied_in=(21,))
    contradicted = replace(denied, id="d22@0", messages=(22,), status="contradicted", denied_in=(23,))
    gone = replace(decided, id="v3.0", status="superseded")
    assert shown(Table(decisions=(gone, CLAIM, denied, contradicted, decided), members=5)).splitlines() == [
        "Stands now, by vote:",
        '- v26.0 [majority; adopted with 1 of 4 votes: Tomas]: "Cap it"',
        "Claimed, not voted on:",
        '- m20 [by Beatriz]: "we are agreed on the cap"',
        '- m20 [by Beatriz; denied by Maya in m21]: "we are agreed on the cap"',
        "Closed: m22 claimed, a ballot said otherwise, denied by Maya in m23",
    ]


def test_what_a_pattern_heard_is_listed_apart_until_somebody_names_its_id() -> None:
    """A remark that nobody meant as a proposal would look like one; one that was meant would be lost."""
    heard = replace(RAISE, id="p5@40", source="pattern")
    lines = shown(Table((motion(CAP), motion(heard, taken_up=False)), members=5)).splitlines()
    assert lines[3] == "Heard in the talk; not put to the vote before somebody names its id:"
    assert lines[4].startswith("- p5@40 Beatriz: ")
    assert shown(Table((motion(heard, taken_up=False),))).startswith("Open:\n"), "a transcript has no ballot"


def test_an_option_is_on_the_table_and_says_when_a_ballot_has_taken_it() -> None:
    """A member could neither support an option by its id nor tell that the first ballot had chosen it."""
    option = Proposal("o2", 0, "", "Cap it at 30 bookings a month", source="procedure")
    decided = Decision("v9.0", (9,), "approval", option.content, source="procedure", proposal="o2", votes=2)
    assert '- o2: "Cap it at 30 bookings a month"\n    nobody stands for or against it now' in shown(
        Table((motion(option),), members=2)
    )
    taken = replace(option, status="accepted")
    assert shown(Table((motion(taken),), (replace(decided, supporters=("Maya",)),), members=2)) == (
        'Stands now, by vote:\n- o2 [v9.0, approval; adopted with 1 of 2 votes: Maya]: "Cap it at 30 bookings a month"'
    )


def test_open_questions_are_on_the_table() -> None:
    """What nobody has answered would be asked again, or forgotten."""
    question = OpenQuestion(3, "Ruth", "Who builds the\none screen?")
    assert shown(Table(questions=(question,))) == ("Open, say the minutes:\n- m3 Ruth: “Who builds the one screen?”")


@settings(max_examples=settings().max_examples * 3)
@given(st.lists(st.integers(1, 60), max_size=70), st.integers(1, 1500), st.integers(0, 3))
def test_what_has_no_room_is_named_and_never_dropped_silently(sizes: list[int], room: int, older: int) -> None:
    """Open proposals vanished from prompts for bids, and members proposed them again."""
    texts = [Proposal(f"p{n}.0", n, "Ada", f"text {n} " + "word " * size) for n, size in enumerate(sizes, 1)]
    block = table_block(Table(tuple(motion(text) for text in texts), after=len(sizes), members=3, older=older), room)
    assert block.tokens <= room
    lines = "\n".join(block.lines)
    listed = set(re.findall(r"p\d+\.0", lines))
    left = re.search(r"Left out for want of room: (?:(\d+) older)?", lines)
    counted = int(left[1] or 0) if left else 0
    if block.lines:
        assert len(listed) + counted == len(sizes) + older


def test_reasons_go_before_texts_and_texts_before_items() -> None:
    """The last proposal would be cut for the sake of the first one's reasons."""
    table = Table((motion(CAP), motion(RAISE)), after=26, members=5)
    whole, names, brief, ids = (shown(table, room) for room in (200, 100, 70, 25))
    assert "three weeks" in whole
    assert ("three weeks" in names, "Petra" in names, "at the cap" in names) == (False, True, True)
    assert ("Petra" in brief, "(for 2, for, if ... 1, against 0)" in brief, "Raise Solo" in brief) == (
        False,
        True,
        True,
    )
    assert ids == "Left out for want of room: p9.1, p5.0"


def test_a_fresh_text_is_shown_before_one_that_more_members_back() -> None:
    """Nobody could answer the proposal that was just made."""
    fresh = replace(RAISE, id="p30.0", message=30)
    table = Table((motion(CAP), motion(fresh)), after=31, members=5)
    assert shown(table, 45).startswith("Open; only a ballot decides:\n- p30.0 Beatriz: ")


def test_texts_names_and_reasons_stay_on_one_line() -> None:
    """A text with a line of its own would pass for another item."""
    assert in_quotes('Go "now"\n- p2.0 Ben: "x"') == "\"Go 'now' - p2.0 Ben: 'x'\""
    assert reason_of(Reaction(2, "Ben", "support", "p1.0", why="it is\ncheap")) == "it is cheap"
    assert reason_of(Reaction(2, "Ben", "support", "p1.0")) == ""


def test_an_author_supports_the_own_text_until_it_says_otherwise() -> None:
    """The count would lack the member who wrote the text, or hold one that has turned against it."""
    turned = replace(RAISE, reactions=(Reaction(8, "Beatriz", "oppose", "p5.0"),))
    assert [who for who, _ in standing(RAISE, "support")] == ["Beatriz"]
    backed = replace(RAISE, reactions=(Reaction(8, "Beatriz", "support", "p5.0", why="it pays"),))
    assert '    for 1 of 5: Beatriz (own) "it pays"; against nobody' in shown(Table((motion(backed),), members=5))
    assert [[who for who, _ in standing(turned, stance)] for stance in ("support", "oppose")] == [[], ["Beatriz"]]


def test_memory_counts_who_sits_now() -> None:
    """`for 3 of 5` would be wrong once somebody has come or left."""
    text = "I think so.\n[PROPOSE] Measure it first"
    memory = told(posted(1, "P1", text), members=3)
    assert memory.parts.newest_table().members == 3
    memory.fold(MemberChanged(seq=9, who="P2", change="removed"))
    memory.fold(MemberChanged(seq=10, who="P0", change="removed"))
    memory.fold(MemberChanged(seq=11, who="X", change="added", persona=person("X")))
    table = memory.parts.newest_table()
    assert table.members == 2
    assert [[who for who, _ in standing(each.versions[0], "support")] for each in table.motions] == [["P1"]]
    assert "for 1 of 2: " in memory.table().text


def test_full_and_brief_contexts_hold_the_same_table() -> None:
    """Whoever bids would know of other proposals than whoever speaks."""
    memory = told(
        posted(1, "Maya", "Careful.\n[PROPOSE] Measure the batch for two weeks"),
        posted(2, "Ruth", "No.\n[OPPOSE p1.0] we know the numbers"),
        members=3,
    )
    whole = memory.table()
    assert memory.full_context("Maya").section("table").lines == whole.lines
    assert memory.brief_context().section("table").lines == whole.lines
    memory.fold(posted(3, "Tomas", "Yes.\n[SUPPORT p1.0] numbers first").model_copy(update={"seq": 9}))
    assert 'Tomas "numbers first"' in memory.full_context("Maya").section("table").text


def test_a_long_debate_counts_the_open_texts_that_are_too_old_to_be_listed() -> None:
    """A table of the newest sixty would say that these are all."""
    memory = told(*(posted(n, "Ada", f"Well.\n[PROPOSE] Take door {n} and paint it") for n in range(1, 71)))
    assert "Left out for want of room: 10 older" in memory.table(4000).text
    assert len(re.findall(r"^- p", memory.table().text, re.MULTILINE)) == 70


def test_after_a_verdict_the_table_says_what_was_decided() -> None:
    """A text that the ballot adopted stood as active in every list."""
    memory = told(posted(1, "P1", "So.\n[PROPOSE] Measure it first"), members=2)
    tally = {"Measure it first": ("P0", "P1")}
    memory.fold(VerdictReached(seq=9, rule="majority", outcome="Measure it first", tally=tally))
    text = memory.table().text
    decided = '- p1.0 [v1.0, majority; adopted with 2 of 2 votes: P0, P1]: "Measure it first"'
    assert f"Stands now, by vote:\n{decided}" in text
    assert "Closed" not in text
    assert "only a ballot decides" not in text


def asked() -> list[Prompt]:
    """All prompts of a debate in which a proposal is made, supported and opposed."""
    prompts: list[Prompt] = []
    turns = {
        "Ada": ["We move it.\n[PROPOSE] Move it in March\n[POSITION] Yes", "Two weeks of work.", "Yes."],
        "Ben": [
            "I doubt it.\n[POSITION] No",
            "Who owns it?\n[OPPOSE p1.0] nobody owns it",
            "No.",
        ],
        "Cleo": ["What of it?\n[POSITION] Yes", "It is dear.\n[SUPPORT p1.0] March is quiet", "Yes, then."],
    }
    count = dict.fromkeys(turns, 0)

    def say(prompt: Prompt) -> str:
        prompts.append(prompt)
        if prompt.purpose != "speak":
            return "They talked of the move."
        count[prompt.agent] += 1
        lines = turns[prompt.agent]
        return lines[count[prompt.agent] - 1] if count[prompt.agent] <= len(lines) else f"Turn {count[prompt.agent]}."

    def vote(prompt: Prompt) -> dict[str, object]:
        prompts.append(prompt)
        return {"choice": "p1.0" if "p1.0" in prompt.own else prompt.options[0], "reason": "it is quiet"}

    Debate(
        "What shall we do?",
        list(map(person, turns)),
        ScriptedRunner(say, ballots=vote),
        settings=Settings(max_messages=12, floor="round-robin"),
        documents=(Document("plan.md", "It is a plan."),),
    ).run_sync()
    return prompts


def test_speakers_and_voters_read_the_same_table() -> None:
    """Who votes would read other texts, ids and reasons than who argued about them."""
    prompts = asked()
    closing = next(p for p in prompts if p.purpose == "speak" and p.stage == "closing")
    ballot = next(p for p in prompts if p.purpose == "ballot")
    assert "  proposes p1.0: Move it in March" in closing.text, "since the transcript began"
    for prompt in (ballot,):
        assert '- p1.0 Ada: "Move it in March"' in prompt.text
        assert "Cleo; against 1: Ben\n" in prompt.text, "the reasons stand below the messages"
        assert "\n  opposes p1.0: nobody owns it" in prompt.text
    assert re.search(r'^p1\.0: "Move it in March"$', ballot.own, re.MULTILINE)
    assert "Yes" not in ballot.options


def test_a_speaker_is_told_once_what_of_its_last_message_did_not_work() -> None:
    """Support under a dead id was booked for another proposal, and its giver never learnt of it."""
    memory, state, ben = ConversationMemory(), DebateState(), person("Ben")
    started = SessionStarted(seq=1, session="s", question="What now?", members=(person("Ada"), ben))
    builder = PromptBuilder(started, memory, state)

    def hear(*events: Event) -> None:
        for event in events:
            memory.fold(event)
            state.fold(event)

    hear(started, PhaseStarted(seq=2, phase="discussion"))
    hear(posted(1, "Ben", "I agree.\n[CONFIDENCE] 0.8\n[SUPPORT p7.3] cheap", unknown_tags=("[CONFIDENCE]",)))
    asked_of_ben = builder.speak(ben).own
    assert "Of your last message, m1, this was not counted:\n- [SUPPORT p7.3] cheap: p7.3 does not" in asked_of_ben
    assert "CONFIDENCE" not in asked_of_ben  # it means nothing for a debate, so nothing is lost
    assert [each.on for each in memory.unread("Ben")[1]] == ["p7.3"]
    assert asked_of_ben.partition("was not counted:\n")[2].partition("\n\n")[0].count("\n") == 0
    assert "was not counted" not in builder.speak(person("Ada")).own
    hear(posted(2, "Ada", "So?\n[PROPOSE] Go."), posted(3, "Ben", "Fine.\n[SUPPORT p7.3] cheap"))
    assert "does not exist\n\nTo make a move of your own after all," in builder.speak(ben).own
    hear(posted(4, "Ben", "Fine."))
    assert "was not counted" not in builder.speak(ben).own


def test_a_speaker_has_one_table_as_it_stands_now() -> None:
    """Whoever must use ids from the table, exactly, had none of them before the first summary."""
    ada, ben = map(person, ("Ada", "Ben"))
    started = SessionStarted(seq=1, session="s", question="What now?", members=(ada, ben), options=("Go", "Wait"))
    memory, state = ConversationMemory(), DebateState()
    builder = PromptBuilder(started, memory, state)
    said = (
        posted(1, "Ada", "[AMEND o1] Go in March"),
        posted(2, "Ben", "[SUPPORT p1.0] if it is cheap\n[AMEND p1.0] Go in March, by train"),
    )
    for event in (started, PhaseStarted(seq=2, phase="discussion"), *said):
        memory.fold(event)
        state.fold(event)
    asked = builder.speak(ada)
    assert asked.text.count("## The table after") == 1
    assert all(f"{key} " in asked.text.partition("## The table after m2")[2] for key in ("p1.0", "p2.1"))


def test_a_speaker_is_not_told_why_it_has_the_floor() -> None:
    """A prompt that says `urgency 0.80: ...` binds the speaker to what it wrote to get the floor."""
    speeches = [prompt for prompt in asked() if prompt.purpose == "speak"]
    assert any("# Your turn: you have the floor" in prompt.own for prompt in speeches)
    assert not any("next in" in prompt.own or "urgency" in prompt.text for prompt in speeches)


def test_the_table_in_words_kept_from_before_is_the_table_of_now() -> None:
    """A changed reaction or a later message would be shown as it was when the motion was first put into words."""
    kept: Rendered = {}
    for after in (9, 40):
        for reactions in ((), (Reaction(9, "Maya", "support", "p9.1", why="each can be undone"),)):
            table = Table((motion(replace(CAP, reactions=reactions)), motion(RAISE)), after=after, members=5)
            assert table_block(table, 60, kept) == table_block(table, 60)
            assert table_block(table, None, kept) == table_block(table)
    assert len(kept) > 2


def test_one_count_of_who_is_for_a_text_stands_in_prompts_on_the_page_and_the_screen() -> None:
    """Who had declared a position by its id was "Silent" on the page, where prompts said "for 2 of 5"."""
    lines = (
        ("Ada", "[POSITION] o1"),
        ("Ben", "[SUPPORT o1] it is tested"),
        ("Cleo", "[POSITION] o2, but not before the audit"),
        ("Dan", "[POSITION] o2"),
        ("Eve", "[OPPOSE o2] it waits\n[POSITION] o2"),
        ("Dan", "[PROPOSE] Split it in two"),
    )
    done = Told(talk=[(who, f"So.\n\n{said}") for who, said in lines])
    assert 'for 2 of 5: Ben "it is tested", Ada (position); against nobody' in done.memory.table().text
    assert "(for 2, against 0)" in done.memory.table(60).text, "also where there is no room for names"
    cards = {one["id"]: one for card in table_of(done.progress, done.memory)["cards"] for one in card["texts"]}
    who = {
        key: {stance: [each["who"] for each in all_] for stance, all_ in one["stands"].items()}
        for key, one in cards.items()
    }
    assert who["o1"] == {"support": ["Ben", "Ada"], "silent": ["Cleo", "Dan", "Eve"]}
    assert (cards["o1"]["for"], cards["o1"]["stands"]["support"][1]["why"]) == (2, "position")
    assert who["o2"] == {"oppose": ["Eve"], "position": ["Cleo", "Dan"], "silent": ["Ada", "Ben"]}
    assert [each["why"] for each in cards["o2"]["stands"]["position"]] == [
        "o2, but not before the audit",
        "has put p6.0 (m6) since",
    ]
    screen = Console(file=StringIO(), width=200, record=True)
    area = StatusArea(Colours(["Ada", "Ben", "Cleo", "Dan", "Eve"]), done.progress, done.memory)
    screen.print(area)
    assert "for Ben, Ada" in screen.export_text()
    assert "Ben, Ada" in motion_table(done.memory)


def test_a_text_put_in_other_words_still_joins_what_it_joined() -> None:
    """After its author reworded it neither text had the mark, and the vote took one into the other."""
    openings = [(who, "I listen.") for who in ("Ada", "Ben", "Cleo", "Dan", "Eve")]
    joined = ("Ben", "[AMEND o1 o2 Both] Run both lines."), ("Ben", "[AMEND p6.0] Run both lines on weekdays.")
    text = Told(talk=(*openings, *joined), options=("Bus", "Van")).memory.table().text
    assert '- p7.0 "Both", Ben [joins o1 and o2]' in text
    assert text.count("[part of p7.0]") == 2
