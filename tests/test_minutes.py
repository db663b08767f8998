"""What the minutes of a conversation hold: who proposed, agreed, opposed and decided, and what follows from it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from in_turn import in_one

from eda.events import Ballot, DecisionFound, MessagePosted, ProposalMade, ReactionSeen, VerdictReached
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.state import BY_HAND, TRANSCRIPT, Genre, State
from eda.memory.patterns import default_pack
from eda.memory.snapshot import dump, load
from eda.transcripts import free_talk

PACK = default_pack()
DEBATE = Genre("debate")
Line = tuple[str, str]


def message(number: int, who: str, text: str, *, genre: Genre = BY_HAND, **more: Any) -> MessagePosted:
    read = read_reply(text, loose=genre is not TRANSCRIPT)
    return MessagePosted(number=number, who=who, text=text, **read._asdict(), **more)


def minutes(lines: Iterable[Line], *, genre: Genre = TRANSCRIPT, options: tuple[str, ...] = ()) -> Minutes:
    held = Minutes(State(pack=PACK)).begin(options, genre)
    for number, (who, text) in enumerate(lines, 1):
        held.hear(message(number, who, text, genre=genre))
    return held


def tally(held: Minutes, item: str) -> dict[str, str]:
    return {r.agent: r.reaction for p in held.proposals if p.id == item for r in p.reactions}


# ---------------------------------------------------------------- declared moves


def test_declared_moves_are_counted_exactly() -> None:
    """The engine asked for them: a tally that differs from what was declared is a lie."""
    held = minutes(
        [
            ("Ann", "Two options, really.\n[PROPOSE] Use Postgres 17 for the ledger."),
            ("Ben", "Fine.\n[SUPPORT p1.0] proven"),
            ("Cleo", "I agree with most of it, yet:\n[OPPOSE p1.0] cost\n[PROPOSE] Keep SQLite."),
            ("Dan", "Hm, I agree with Ann.\n[NEUTRAL p1.0]\n[SUPPORT p3.1]"),
        ]
    )
    assert [p.id for p in held.proposals] == ["p1.0", "p3.1"]
    assert held.proposals[0].content == "Use Postgres 17 for the ledger."
    assert tally(held, "p1.0") == {"Ben": "support", "Cleo": "oppose", "Dan": "neutral"}
    assert tally(held, "p3.1") == {"Dan": "support"}
    assert len(held.reactions) == 4
    assert all(reaction.link == "id" and reaction.score == 1 for reaction in held.reactions)


def test_who_forgets_its_moves_is_still_heard() -> None:
    """A person who types `I agree with Cleo` among models with moves would have no vote."""
    held = minutes([("Cleo", "So:\n[PROPOSE] Use SQLite."), ("Eve", "Hm.\n[PROPOSE] Use Mongo.")])
    held.hear(message(3, "Dan", "I agree with Cleo."))
    held.hear(message(4, "Fay", "I agree."))
    held.hear(message(5, "Eve", "I agree with Cleo.\n[NEUTRAL p1.0]"))
    assert tally(held, "p1.0") == {"Dan": "support", "Eve": "neutral"}
    assert tally(held, "p2.0") == {}


@in_one(
    ("target", "ids"),
    [
        ("p1", ["p1.0"]),
        ("m1", ["p1.0"]),
        ("#1", ["p1.0"]),
        ("p01.0", ["p1.0"]),
        ("P1.0.", ["p1.0"]),
        ("p1.0 and p2.0", ["p1.0", "p2.0"]),
        ("p01.0, Ann", ["p1.0"]),
        ('"p1.0"', ["p1.0"]),
        ("1.0", ["p1.0"]),
        ("Proposal p1.0", ["p1.0"]),
    ],
)
def test_an_id_is_known_however_it_is_typed(target: str, ids: list[str]) -> None:
    """A vote typed with a slip would go to another proposal, or to none."""
    held = minutes(
        [("Ann", "[PROPOSE] Move the ledger."), ("Ben", "[PROPOSE] Hire Joe."), ("Dan", f"[OPPOSE {target}]")]
    )
    assert [p.id for p in held.proposals if p.reactions] == ids
    assert all((r.link, r.score) == ("id", 1) for r in held.reactions)
    assert [r.to for r in held.reactions] == ids
    assert held.unresolved == ()


def test_a_later_reaction_replaces_the_earlier_one_and_both_are_kept() -> None:
    """Minds change; the minutes say when."""
    held = minutes([("Ann", "[PROPOSE] Wait."), ("Ben", "[SUPPORT p1.0]"), ("Ben", "[OPPOSE p1.0] no")])
    proposal = held.proposals[0]
    assert [(r.message, r.reaction) for r in proposal.reactions] == [(3, "oppose")]
    assert [(r.message, r.reaction) for r in proposal.history] == [(2, "support")]


@pytest.mark.parametrize("text", ["I support p1.0, not p1.1.", "While p1.1 is cheap, I support p1.0."])
def test_of_several_ids_in_a_sentence_none_is_taken(text: str) -> None:
    """Who supports one text over another would be booked for both."""
    held = minutes([("Ann", "Two ways.\n[PROPOSE] Use Postgres.\n[PROPOSE] Keep SQLite."), ("Ben", text)])
    assert not any(reaction.to for reaction in held.reactions)
    assert [each.agent for each in held.unresolved] == ["Ben"]


def test_only_the_proposer_withdraws() -> None:
    """Anybody could otherwise make a rival's proposal vanish."""
    held = minutes([("Ann", "[PROPOSE] Wait."), ("Ben", "[WITHDRAW p1.0]")])
    assert held.proposals[0].status == "active"
    held.hear(message(3, "Ann", "[WITHDRAW p1.0]"))
    assert held.proposals[0].status == "withdrawn"
    assert held.proposals[0].changes[-1].messages == (3,)
    assert held.active == ()


def verdict(outcome: str, **tallies: tuple[str, ...]) -> VerdictReached:
    return VerdictReached(rule="majority", outcome=outcome, tally=tallies or {outcome: ("Ann",)}, evidence=(1,))


def test_an_amended_proposal_is_superseded_once_its_amendment_is_accepted() -> None:
    """An amendment that nobody took must not kill what it wanted to change."""
    held = minutes([("Ann", "[PROPOSE] Wait a week."), ("Ben", "[AMEND p1.0] Wait two weeks.")])
    assert [p.status for p in held.proposals] == ["active", "active"]
    assert held.proposals[1].amends == "p1.0"
    assert held.proposals[0].amended_by == "p2.0"
    found = held.rule(verdict("p2.0", **{"p2.0": ("Ann", "Ben")}))
    assert [p.status for p in held.proposals] == ["superseded", "accepted"]
    decision = held.decisions[0]
    assert (decision.source, decision.status, decision.outcome) == ("procedure", "decided", "Wait two weeks.")
    assert decision.supporters == ("Ann", "Ben")
    assert decision.proposal == "p2.0"
    assert any(isinstance(event, DecisionFound) for event in found)
    assert any(isinstance(event, ProposalMade) for event in found)


def test_a_verdict_without_outcome_decides_nothing() -> None:
    """A tie is not a decision."""
    held = minutes([("Ann", "[PROPOSE] Wait.")])
    event = VerdictReached(rule="majority", outcome=None, tally={}, dissent=(Ballot(agent="Ben", choice="x"),))
    assert held.rule(event) == []
    assert held.decisions == ()


# ---------------------------------------------------------------- claims and decisions


def test_in_a_transcript_a_written_resolution_decides() -> None:
    """Minutes of a working group are read as what they are."""
    held = minutes(
        [
            ("Rob", "PROPOSAL: Close issue 12 as a duplicate"),
            ("Ann", "+1"),
            ("Ben", "+1"),
            ("Cleo", "-1 (too early)"),
            ("Dan", "+0"),
            ("scribe", "RESOLVED: Close issue 12 as a duplicate"),
        ],
        genre=TRANSCRIPT,
    )
    proposal = held.proposals[0]
    assert proposal.status == "accepted"
    assert proposal.changes[-1].messages == (6,)
    assert {r.agent: r.reaction for r in proposal.reactions} == {
        "Ann": "support",
        "Ben": "support",
        "Cleo": "oppose",
        "Dan": "neutral",
    }
    assert [(d.status, d.outcome, d.proposal) for d in held.decisions] == [
        ("decided", "Close issue 12 as a duplicate", proposal.id)
    ]


def test_a_reworded_written_proposal_replaces_the_one_before() -> None:
    """Votes on the old wording are not votes on the new one."""
    held = minutes(
        [
            ("Rob", "PROPOSAL: Allow prefixes in keys"),
            ("Ann", "+1"),
            ("Rob", "PROPOSAL: Allow prefixes in keys, with a warning"),
            ("Ann", "+1"),
            ("scribe", "RESOLVED: Allow prefixes in keys, with a warning"),
        ],
        genre=TRANSCRIPT,
    )
    assert [p.status for p in held.proposals] == ["modified", "accepted"]
    assert held.proposals[1].amends == held.proposals[0].id


def test_what_is_voted_on_without_a_title_is_a_proposal() -> None:
    """Many groups just vote on the last thing said."""
    held = minutes(
        [("Rob", "the new draft as the only text of the group"), ("Ann", "+1"), ("Ben", "+1"), ("Cleo", "0")],
        genre=TRANSCRIPT,
    )
    assert [(p.message, p.pattern) for p in held.proposals] == [(1, "voted-on")]
    assert {r.agent: r.reaction for r in held.proposals[0].reactions} == {
        "Ann": "support",
        "Ben": "support",
        "Cleo": "neutral",
    }


def test_a_denied_decision_is_not_shown_as_made() -> None:
    """The loudest voice does not write the minutes."""
    held = minutes(
        [
            ("Ann", "I think two teams should start with the new process, and the others watch for a quarter."),
            ("Ben", "That leaves out the people who need it most, and I can't support it."),
            ("Wei", "Great, so we have agreed to start with two teams!"),
            ("Ann", "No, that isn't where we are."),
        ],
        genre=TRANSCRIPT,
    )
    assert [d.status for d in held.decisions if 3 in d.messages] in ([], ["claimed"])


def test_a_restatement_joins_the_decision_and_adds_a_supporter() -> None:
    """Five restatements made five decisions elsewhere."""
    held = minutes(
        [
            ("Ann", "RESOLVED: The ledger moves to Postgres in March"),
            ("Ben", "RESOLVED: the ledger moves to Postgres in March."),
            ("Cleo", "RESOLVED: In March the ledger moves to Postgres"),
        ],
        genre=TRANSCRIPT,
    )
    assert len(held.decisions) == 1
    assert held.decisions[0].messages == (1, 2, 3)
    assert held.decisions[0].supporters == ("Ann", "Ben", "Cleo")
    assert [quote.message for quote in held.decisions[0].quotes] == [1, 2, 3]


def test_a_decision_that_replaces_another_supersedes_it() -> None:
    """Acting on the old one would be acting on nothing."""
    held = minutes(
        [
            ("Ann", "RESOLVED: The ledger moves to Postgres in March"),
            ("Ann", "RESOLVED: The ledger moves to SQLite in March instead of Postgres"),
        ],
        genre=TRANSCRIPT,
    )
    old, new = held.decisions
    assert (old.status, old.superseded_by) == ("superseded", new.id)
    assert (new.status, new.supersedes) == ("decided", old.id)


# ---------------------------------------------------------------- extraction, links, restatement


def test_topic_and_outcome_are_whole() -> None:
    """`use Python 3` is not what was decided."""
    held = minutes(
        [("Ann", "RESOLVED: **use Python 3.12**, e.g. on the [build](https://x.org) machines. Nothing else.")],
        genre=TRANSCRIPT,
    )
    assert held.decisions[0].outcome == "use Python 3.12, e.g. on the build machines. Nothing else."
    long = minutes([("Ann", "PROPOSED: " + "a rather long wording of it " * 40)], genre=TRANSCRIPT)
    assert len(long.proposals[0].content) <= 240
    assert long.proposals[0].content.endswith("…")


def test_quotes_point_at_the_words() -> None:
    """Whoever doubts an item must be able to look."""
    text = "Good point — but listen. I propose that we wait a week. Then we see."
    held = minutes([("Ann", text)])
    quote = held.proposals[0].quote
    assert quote is not None
    assert text[quote.start : quote.end] == "I propose that we wait a week."


def test_reply_beats_quotation_beats_name_beats_words_and_nearness_is_none_by_hand() -> None:
    """Agreement was given to the oldest of the last five messages elsewhere."""
    base = [
        ("Ann", "I propose that we move the ledger to Postgres."),
        ("Ben", "I propose that we hire a second designer for the app."),
        ("Cleo", "I propose that we close the office on Fridays."),
    ]

    def answered(text: str, genre: Genre = BY_HAND, **more: Any) -> tuple[str | None, str]:
        held = minutes(base, genre=genre)
        held.hear(message(4, "Dan", text, **more))
        reaction = held.reactions[-1] if held.reactions else None
        return ((reaction.to or "").split("@")[0], reaction.link) if reaction else (None, "")

    assert answered("I agree.", reply_to=1) == ("p1", "reply")
    assert answered("I agree: I propose that we hire a second designer for the app. Ann?") == ("p2", "quotation")
    assert answered("I agree with Ann.") == ("p1", "name")
    assert answered("I support the second designer.")[0] == "p2"
    assert answered("I agree.") == (None, "")
    assert answered("I agree.", TRANSCRIPT) == ("p3", "recency")


def test_nobody_agrees_with_themselves() -> None:
    """A proposer's own words would otherwise be the first vote."""
    held = minutes([("Ann", "I propose that we wait."), ("Ann", "I agree with that.")])
    assert tally(held, held.proposals[0].id) == {}


def test_saying_a_proposal_again_is_no_second_proposal() -> None:
    """The list of what is open must not grow by repetition."""
    held = minutes(
        [
            ("Ann", "I propose that we move the ledger to Postgres in March."),
            ("Ben", "Why?"),
            ("Ann", "I propose that we move the ledger to Postgres in March."),
        ]
    )
    assert len(held.proposals) == 1
    assert [quote.message for quote in held.proposals[0].restated] == [3]


# ---------------------------------------------------------------- resolutions, claims, status

REDIS = [("Ann", "PROPOSED: use Redis for the cache layer"), ("Ben", "-1"), ("Cleo", "-1")]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("RESOLVED: the audit report is published in June", "active"),
        ("RESOLVED: not adopted", "rejected"),
        ("RESOLVED: reject the proposal to use Redis", "rejected"),
        ("RESOLVED: accepted as proposed", "accepted"),
        ("RESOLVED", "accepted"),
        ("Resolved?", "active"),
        ("RESOLVED: use Redis for the cache layer", "accepted"),
    ],
)
def test_a_resolution_accepts_only_what_it_is_about(text: str, status: str) -> None:
    """A proposal that was voted down would be shown as accepted, because something else was resolved."""
    assert minutes([*REDIS, ("Ann", text)], genre=TRANSCRIPT).proposals[0].status == status


def test_a_resolution_in_other_words_accepts_what_was_voted_for() -> None:
    """A scribe who rewords a resolution would leave the proposal open."""
    voted = [REDIS[0], ("Ben", "+1"), ("Cleo", "+1"), ("Ann", "RESOLVED: memory stores as in the slides")]
    assert minutes(voted, genre=TRANSCRIPT).proposals[0].status == "accepted"


CLAIMED = [
    ("Ann", "I propose that we use Postgres for the job queue."),
    ("Ben", "Hm, the cost of it."),
    ("Cleo", "What of the backups?"),
]


def test_nobody_is_a_consensus_alone_and_late_objections_count() -> None:
    """One writer of a resolution would be a consensus, and who objects to it later would be passed over."""
    resolved = ("Ann", "RESOLVED: use Postgres for the job queue")
    assert not minutes([resolved], genre=TRANSCRIPT).consensus()
    voted = [("Ann", "PROPOSED: use Postgres for the job queue"), ("Ben", "+1"), resolved]
    held = minutes([*voted, ("Dan", "And the lunch?"), ("Ben", "Pizza please."), ("Ann", "Fine.")], genre=TRANSCRIPT)
    assert held.consensus()
    held.hear(message(7, "Dan", "I object to the Postgres job queue after all."))
    assert not held.consensus()
    assert held.consensus().others == ("Dan",)


@pytest.mark.parametrize(
    ("who", "text", "status"),
    [
        ("Ann", "I withdraw my proposal.", "withdrawn"),
        ("Ben", "The proposal is rejected.", "active"),
    ],
)
def test_what_is_said_of_a_proposal_settles_it(who: str, text: str, status: str) -> None:
    """A list of what is open that holds what was given up is no list of what is open."""
    put = ("Ann", "I propose that we use Redis for the cache layer.")
    held = minutes([put, ("Cleo", "Hm, and what would that cost?"), (who, text)], genre=TRANSCRIPT)
    assert held.proposals[0].status == status
    assert not [p for p in held.proposals[1:] if status != "active"]


def test_a_supported_proposal_is_not_dropped_by_one_voice() -> None:
    """One voice would strike what another stands behind."""
    talk = [CLAIMED[0], ("Cleo", "I agree with Ann."), ("Ben", "Let's drop that idea.")]
    assert minutes(talk, genre=TRANSCRIPT).proposals[0].status == "active"


@pytest.mark.parametrize("lead", ["Amended proposal", "I propose to amend that"])
def test_a_spoken_amendment_links_to_what_it_changes(lead: str) -> None:
    """Old and new wording would both stand as rivals."""
    held = minutes(
        [
            ("Ann", "I propose that we use Redis for the cache layer."),
            ("Ben", f"{lead}: use Redis for the sessions only."),
            ("Ann", "RESOLVED: use Redis for the sessions only"),
        ],
        genre=TRANSCRIPT,
    )
    old, new = held.proposals
    assert (new.amends, new.content) == (old.id, "use Redis for the sessions only.")
    assert (old.status, new.status) == ("modified", "accepted")


@pytest.mark.parametrize("text", ["{}", "The meeting is on {}"])
def test_another_day_for_the_same_supersedes(text: str) -> None:
    """Two days for one meeting would both stand as decided."""
    days = [("Ann", f"RESOLVED: {text.format(day)}") for day in ("Monday", "Tuesday")]
    old, new = minutes(days, genre=TRANSCRIPT).decisions
    assert (old.status, old.superseded_by, new.status, new.supersedes) == ("superseded", new.id, "decided", old.id)
    numbered = [("Ann", "RESOLVED: Close issue 12"), ("Ann", "RESOLVED: Close issue 13")]
    assert all(d.status == "decided" for d in minutes(numbered, genre=TRANSCRIPT).decisions)


def test_a_name_beats_shared_words() -> None:
    """Agreement with Raj would count for Maya, because the remark mentions her subject."""
    held = minutes(
        [
            ("Raj", "I propose that we use Redis for the cache."),
            ("Maya", "I propose that we use Postgres for the job queue."),
            ("Ben", "I agree with Raj; Postgres for the job queue can wait."),
        ]
    )
    assert [sorted(r.agent for r in p.reactions) for p in held.proposals] == [["Ben"], []]


# ---------------------------------------------------------------- positions and consensus

OPTIONS = ("A: Keep seats", "B: Pay by use", "C: Mix both")


def test_positions_carry_their_history_and_who_moved_whom() -> None:
    """Who changed sides, and after whose words, is what a researcher asks first."""
    held = minutes(
        [
            ("Ann", "[POSITION] I am for B."),
            ("Ben", "[POSITION] A, as ever."),
            ("Ann", "[POSITION] I come round to A."),
        ],
        options=OPTIONS,
    )
    ann = held.agents["Ann"]
    assert ann.last_position == "I come round to A."
    assert [(p.message, p.options, p.after) for p in ann.positions] == [
        (1, ("B: Pay by use",), None),
        (3, ("A: Keep seats",), "Ben"),
    ]
    assert ann.holds == ("A: Keep seats",)
    assert ann.message_count == 2


def test_consensus_is_that_all_who_spoke_up_hold_the_same() -> None:
    """It is counted, not claimed."""
    lines = [("Ann", "[POSITION] I am for B."), ("Ben", "[POSITION] A for me."), ("Cleo", "No view yet.")]
    held = minutes(lines, options=OPTIONS)
    judged = held.consensus()
    assert not judged
    assert judged.basis == "options"
    held.hear(message(4, "Ben", "[POSITION] Then B."))
    judged = held.consensus()
    assert judged
    assert (judged.on, judged.holders, judged.since) == ("B: Pay by use", ("Ann", "Ben"), 4)


def test_without_options_consensus_stands_behind_the_accepted_proposal() -> None:
    """One voice against is no consensus, whatever the vote."""
    held = minutes([("Ann", "[PROPOSE] Wait."), ("Ben", "[SUPPORT p1.0]"), ("Cleo", "[OPPOSE p1.0] no")])
    assert held.consensus().basis == "none"
    held.rule(verdict("p1.0"))
    assert not held.consensus()
    assert held.consensus().others == ("Cleo",)
    held.hear(message(4, "Cleo", "All right.\n[SUPPORT p1.0]"))
    assert held.consensus()


def test_agreeing_with_a_statement_is_standing_where_it_stands() -> None:
    """In a chat most people say what they hold by saying yes."""
    held = minutes(
        [("Ann", "I pick 4 and U"), ("Ben", "I agree with Ann"), ("Cleo", "just U")],
        genre=TRANSCRIPT,
        options=("4", "7", "U", "C"),
    )
    assert {name: agent.holds for name, agent in held.agents.items()} == {
        "Ann": ("4", "U"),
        "Ben": ("4", "U"),
        "Cleo": ("U",),
    }


# ---------------------------------------------------------------- laws

TALK = st.lists(
    st.tuples(
        st.sampled_from(["Ann", "Ben", "Cleo", "Moderator"]),
        st.sampled_from(
            [
                "I propose that we move the ledger to Postgres.",
                "PROPOSAL: Close issue 12",
                "RESOLVED: Close issue 12",
                "+1",
                "-1 too early",
                "0",
                "I agree with Ann.",
                "I disagree.",
                "We have decided to use B.",
                "We do not all agree on that.",
                "I withdraw my proposal.",
                "[CONSENSUS] We move the ledger to Postgres.",
                "Amended proposal: Close issue 12 and 13",
                "Let's drop that idea.",
                "RESOLVED: not adopted",
                "RESOLVED",
                "[PROPOSE] Wait.",
                "[SUPPORT p1.0] yes",
                "[OPPOSE] no",
                "[AMEND p1.0] Wait longer.",
                "[AMEND p1.0 p2.0] Wait, then move.",
                "[AMEND o2] Pay by the hour",
                "[SUPPORT o1] if it lasts",
                "[WITHDRAW p1.0]",
                "[SUPPORT p1@0] yes",
                "I take that back.",
                "I never agreed to that.",
                "[POSITION] I am for C.",
                "I'm for A.",
                "ok",
                "Why?",
                "Let's go with B then, shall we?",
            ]
        ),
    ),
    max_size=14,
)


@settings(max_examples=settings().max_examples * 2)
@given(TALK, st.integers(0, 14), st.sampled_from([DEBATE, TRANSCRIPT]))
def test_a_state_saved_at_any_message_goes_on_as_if_never_saved(lines: list[Line], cut: int, genre: Genre) -> None:
    """A session resumed next week must end where it would have ended."""
    whole = Minutes(State(pack=PACK)).begin(OPTIONS, genre)
    part = Minutes(State(pack=PACK)).begin(OPTIONS, genre)
    for number, (who, text) in enumerate(lines, 1):
        heard = message(number, who, text)
        if number == cut:
            part = load(Minutes, json.loads(json.dumps(dump(part))), pack=PACK)
        assert part.hear(heard) == whole.hear(heard)
    assert dump(part) == dump(whole)
    assert part.consensus() == whole.consensus()


@settings(max_examples=settings().max_examples * 2)
@given(TALK)
def test_every_item_cites_a_message_that_was_said(lines: list[Line]) -> None:
    """An item without evidence is a rumour."""
    held = minutes(lines)
    for proposal in held.proposals:
        assert proposal.quote is not None
        assert lines[proposal.message - 1][0] == proposal.proposer
        assert all(change.messages for change in proposal.changes)
    for decision in held.decisions:
        assert decision.messages
        assert [quote.message for quote in decision.quotes] == list(decision.messages)


def test_events_say_what_is_new_in_order() -> None:
    """The live view shows them as they come."""
    held = Minutes(State(pack=PACK))
    first = held.hear(message(1, "Ann", "[PROPOSE] Wait."))
    assert [type(event) for event in first] == [ProposalMade]
    second = held.hear(message(2, "Ben", "[SUPPORT p1.0]"))
    assert [type(event) for event in second] == [ReactionSeen]


def test_the_work_of_a_message_does_not_grow_with_the_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Message 100,000 must cost what message 100 did."""
    looked: list[int] = []
    original = free_talk._score

    def counting(*arguments: Any) -> Any:
        looked[-1] += 1
        return original(*arguments)

    monkeypatch.setattr(free_talk, "_score", counting)
    held = Minutes(State(pack=PACK))
    for number in range(1, 1201):
        looked.append(0)
        text = f"I propose that we do thing number {number} of the plan." if number % 3 else "I agree with that."
        held.hear(message(number, f"P{number % 7}", text))
    assert max(looked[1000:]) <= max(looked[50:200])
    assert max(looked) <= 24
