"""The verdict paragraph: made of the count and the ledger, so that no majority's word is claimed that none gave."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from in_turn import in_one
from test_report_record import MEMBERS, QUESTION, ROTA, TANKS, WELL, allotment
from told import CHOICES, TALK, Told, verdict_lines

from eda.cli.terminal.entries import Context
from eda.cli.terminal.verdict import ballot_phrase
from eda.debate import minds
from eda.debate.minds import SPOKEN, bare_condition, main_clause, movers, spoken
from eda.debate.verdict import verdict_of
from eda.events import (
    NONE,
    Ballot,
    BallotCast,
    BallotText,
    MessagePosted,
    PhaseStarted,
    SessionEnded,
    TermsNamed,
    VerdictReached,
)
from eda.memory.minutes.declared_moves import read_reply
from eda.panels.settings import Settings
from eda.report.formatting import in_short
from eda.report.forms import report_data, report_html, report_markdown
from eda.report.gather import messages_of, report_of
from eda.report.ledger import promises
from eda.report.model import Report
from eda.report.quotes import Quotes
from eda.report.sections import page_of, story_words
from eda.report.stances import Column, Mark
from eda.report.verdict_words import SIDES
from eda.serve.shown import verdict_of as shown_verdict
from eda.voting import Account, verdict

TEXTS = (
    BallotText(id="o1", motion="o1", text=WELL),
    BallotText(id="p6.0", motion="p6.0", text=TANKS),
    BallotText(id="p6.1", motion="p6.1", text=ROTA),
)
WHO = tuple(member.title for member in MEMBERS)


def counted(
    rule: str = "majority",
    answer: str = "one",
    texts: tuple[BallotText, ...] = TEXTS,
    also: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    **votes: tuple[str, ...],
) -> tuple[Report, VerdictReached]:
    told = Told(talk=(), question=QUESTION, options=(), members=MEMBERS)
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    ballots = []
    for who in WHO:
        ranking = votes.get(who, ())
        accepted = tuple(text for text in ranking if text != NONE)
        choice = next(iter(ranking), None)
        beside = also.get(who, ())
        ballots.append(Ballot(agent=who, choice=choice, ranking=accepted, approved=accepted, also=beside))
    words = tuple(text.text for text in texts)
    told.tell(*(BallotCast(ballot=each, choices=words, texts=texts, answer=answer) for each in ballots))
    told.tell(verdict(Account(ballots, words, texts, answer), rule, 0.5, 1, WHO))
    return report_of(told.session, told.progress, told.memory), told.verdict


def test_who_would_adopt_what_won_beside_another_answer_is_no_plain_no() -> None:
    """ "Against: Jonas" stood in the verdict of who wanted the text adopted whichever one wins."""
    votes = {who: (WELL,) if who in WHO[:2] else (TANKS,) for who in WHO}
    report, _ = counted(also={WHO[0]: (TANKS,)}, **votes)
    assert report.answer.endswith(f"Against: {WHO[1]}. Against it as the answer, for it beside another: {WHO[0]}.")
    assert [(each.kind, each.who) for each in page_of(report)["verdict"] if each.kind in SIDES] == [
        ("beside-another", WHO[0]),
        ("against", WHO[1]),
    ]
    assert f"- For it beside another answer: **{WHO[0]}**" in report_markdown(report)


def test_the_paragraph_has_the_text_the_votes_what_stands_beside_it_conditions_and_the_dissent() -> None:
    """Whoever carries it into a meeting reads this and no more."""
    told = allotment()
    report = report_of(told.session, told.progress, told.memory)
    assert report.verdict == (
        f"“{TANKS}” (p6.0) won. 4 of 5 accept it. Against: Stefan.",
        "Jonas supported p6.0 on a condition: “if the pump is repaired first” (m8).",
    )
    told = {line.kind: line.plain for line in page_of(report)["verdict"]}
    assert told["also"] == f"“{ROTA}” (p6.1, by Pilar), 4 of 5 want it"
    assert told["against"] == "Stefan: “they will be empty in August” (m9)"
    assert [(each.who, each.stance, each.conditional, each.message) for each in report.stood if not each.of] == [
        ("Pilar", "support", False, 6),
        ("Halima", "support", False, 7),
        ("Jonas", "support", True, 8),
        ("Stefan", "oppose", False, 9),
    ]
    assert [(each.who, each.quote) for each in report.promised] == [
        ("Jonas", "I will build the stands by the end of March.")
    ]
    data = report_data(report)
    assert (data["counted"]["won"]["id"], data["counted"]["flips"], data["unproved"]) == ("p6.0", 2, ())


def test_who_puts_another_text_first_is_named_where_nobody_refuses_the_outcome() -> None:
    """ "Nobody voted against it", said the paragraph of a member whose first choice was to stay in the hall."""
    mine, theirs = (text.text for text in (TEXTS[0], next(each for each in TEXTS if each.motion != TEXTS[0].motion)))
    votes = dict.fromkeys(WHO, (theirs,)) | {WHO[0]: (mine, theirs)}
    report, _ = counted(**votes)
    at = report.verdict.index("Nobody refuses it.")
    assert report.verdict[at + 1].startswith(f"{WHO[0]} puts “")
    assert report.verdict[at + 1].endswith(f"({TEXTS[0].id}) first.")


def test_what_no_majority_accepts_is_not_told_as_the_word_of_the_panel() -> None:
    """A plurality of two in five would be read as a decision of the panel."""
    report, _ = counted("plurality", Halima=(TANKS,), Jonas=(TANKS,), Pilar=(WELL,), Stefan=(ROTA,), Wanda=(NONE,))
    text = " ".join(report.verdict)
    assert "The panel decided" not in text
    assert text.startswith("No text was decided: ") or "but no majority accepts it" in text
    assert report.counted.none == ("Wanda",)


def test_a_motion_without_an_accepted_wording_and_no_verdict_are_told_plainly() -> None:
    """Either would be read as a text that the panel has signed."""
    other = BallotText(id="p9.0", motion="p6.0", text=f"{TANKS}, and a third in spring")
    votes = {"Halima": (TANKS,), "Jonas": (TANKS,), "Pilar": (other.text,), "Stefan": (other.text,), "Wanda": (NONE,)}
    report, reached = counted(texts=(*TEXTS, other), **votes)
    assert reached.version == ""
    assert report.verdict[0].startswith("No text was decided: “")
    assert verdict_lines(reached)[0].startswith("verdict: No text was decided: “")
    none, tied = counted(**dict.fromkeys(WHO, (NONE,)))
    assert none.verdict[0].startswith("No verdict: ")
    assert "none of these" in "\n".join(verdict_lines(tied))


def test_a_list_tells_each_item_with_its_votes() -> None:
    """The items of a list would be told as rivals, with one of them as the winner."""
    votes = dict.fromkeys(WHO[:4], (TANKS, ROTA)) | {"Wanda": (WELL,)}
    report, reached = counted(answer="list", **votes)
    assert report.answer.startswith("Adopted: “")
    assert report.answer.count("; ") == 1
    assert "**" + TANKS in report_markdown(report)
    assert next((each.id, each.voters, each.of) for each in reached.adopted) == ("p6.0", WHO[:4], 5)
    assert isinstance(report_data(report)["counted"]["outcome"], list | tuple)


def test_none_and_abstentions_are_rows_of_the_tally() -> None:
    """Who accepts nothing, and who says nothing, would be hidden behind the votes for the winner."""
    report, reached = counted(Halima=(TANKS,), Jonas=(TANKS,), Pilar=(TANKS,), Stefan=(NONE,))
    text = report_markdown(report)
    assert "| None of these | 1 |  | Stefan |" in text
    assert "| Abstained | 1 |  | Wanda |" in text
    assert (report.counted.none, report.counted.abstained) == (("Stefan",), ("Wanda",))
    assert {"verdict: Stefan accepts none of the texts.", "verdict: Wanda abstained."} < {*verdict_lines(reached)}


def test_a_ballot_is_shown_with_its_texts_by_id_and_the_message_that_it_names() -> None:
    """What else a voter accepts, and what moved it, would be lost."""
    ballot = Ballot(agent="Ada", choice=TANKS, ranking=(TANKS, WELL), also=(ROTA,), moved_by=7)
    cast = BallotCast(ballot=ballot, choices=tuple(text.text for text in TEXTS), texts=TEXTS)
    assert ballot_phrase(cast) == (f"Accepts “{TANKS}” (p6.0), o1. Would also adopt p6.1. Names m7 as what moved them.")
    assert (
        ballot_phrase(BallotCast(ballot=Ballot(agent="Ada", choice=NONE), choices=())) == "Accepts none of the texts."
    )


def test_a_text_that_reasons_name_by_its_id_stands_in_the_report() -> None:
    """ "The panel goes by p21.0" tells nobody what the panel goes by."""
    told = Told()
    text = "[PROPOSE] Test the copy for a week."
    told.tell(MessagePosted(number=11, who="Ben", text=text, **read_reply(text)._asdict()))
    told.tell(PhaseStarted(phase="ballot"))
    reason = "I go by p11.0."
    ballots = [Ballot(agent=who, choice=CHOICES[1], reason=reason) for who in ("Ada", "Ben", "Cleo", "Dan")]
    ballots.append(Ballot(agent="Eve", choice=CHOICES[0], reason=reason))
    told.tell(*(BallotCast(ballot=each, choices=CHOICES) for each in ballots))
    told.tell(verdict_of(told.progress, told.memory))
    text = report_markdown(report_of(told.session, told.progress, told.memory))
    assert text.count("Test the copy for a week") == 2, "in the account, and where the text is listed"


def test_only_what_a_reader_sees_can_be_quoted() -> None:
    """33 of 73 quotes stood in lines that no reader could see."""
    text = (
        "We wait.\n\nBen: I am for all of it, whatever it costs us.\n[POSITION] Wait, it keeps July for the accountants"
    )
    cut = text.index("Ben:"), text.index("\n[POSITION")
    told = Told(talk=TALK)
    spans = (cut, (cut[1], len(text)))
    told.tell(MessagePosted(number=11, who="Ada", text=text, **{**read_reply(text)._asdict(), "cut": spans}))
    quotes = Quotes(messages_of(told.session), acts=told.memory.acts)
    assert quotes.find(11, "I am for all of it, whatever it costs us") is None
    position = quotes.find(11, "it keeps July for the accountants")
    assert position is not None
    assert position.quote == "Wait, it keeps July for the accountants"
    assert Quotes(messages_of(told.session)).find(11, "it keeps July for the accountants") is None


def test_a_promise_is_a_first_person_with_a_date_and_nothing_less() -> None:
    """What a member might do, asked about or quoted would be held against it."""
    said = (
        ("Ada", "I will send the list by Friday."),
        ("Ben", "I would send the list by Friday. I will vote by noon. I will think about it."),
        ("Cleo", "If we agree I will draft it by Monday. Ada said “I will send the list by Friday”."),
        ("Dan", "I'll not pay before June. We will finish by May. I'll book the hall before 3 June."),
        ("Eve", "Will I have it by Friday? By 23 January I'll have the check in the pipeline."),
    )
    found = promises(messages_of(Told(talk=said).session))
    assert [(each.who, each.quote) for each in found] == [
        ("Ada", "I will send the list by Friday."),
        ("Dan", "I'll book the hall before 3 June."),
        ("Eve", "By 23 January I'll have the check in the pipeline."),
    ]


@in_one(
    ("said", "promised"),
    [
        ("I'll ring the insurer tomorrow", True),
        ("ok fine, ill bring the pots sunday", True),
        ("Leave it to me.", True),
        ("I can do the list by Friday", True),
        ("I promise to put that into the January budget.", True),
        ("[SUPPORT o1] it is cheap. I'll email the scouts", True),
        ("if somebody lends me a van ill bring the pots sunday", False),
        ("I'll probably ring them tomorrow", False),
        ("Ana thinks I will send it by Friday", False),
        ("Greg and I will have a call next week", False),
        ("They leave it to me. Leave it to me to judge.", False),
        ("So I can do it by Friday I need a van", False),
        ("We shall see what I can get done next week", False),
        ("I promise to be brief. I commit to p3.0", False),
        ("he is ill. bring the list by friday", False),
        ("I will defend the Friday slot", False),
    ],
)
def test_a_promise_in_other_words_is_read_and_an_unclear_one_is_not(said: str, promised: bool) -> None:
    """ "I'll ring the insurer tomorrow" stood nowhere, and an offer that hangs on a van binds nobody."""
    found = promises(messages_of(Told(talk=(("Ben", said),)).session))
    assert [each.quote for each in found] == ([said.removeprefix("[SUPPORT o1] it is cheap. ")] if promised else [])


def test_first_ballots_are_shown_once_the_debate_is_over() -> None:
    """A member at the table would read them while it still votes, or nobody ever."""
    ballot = Ballot(agent="Ada", choice=TANKS, ranking=(TANKS,))
    cast = BallotCast(ballot=ballot, choices=(TANKS,), texts=TEXTS[1:2], first=True)
    assert Context(Settings()).entries(cast) == []
    assert Context(Settings(), over=True).entries(cast)[0].text == f"Accepts “{TANKS}” (p6.0)."


FINAL = "Buy two rain tanks for the lower field, keep a rota for the pump, and ask the council about the path first."


def reworked(against: str = "[OPPOSE p7.0] tanks run dry") -> Told:
    """Two proposals become one text, which is amended; one member stays with the well, one only in its declarations."""
    talk = (
        ("Halima", f"[PROPOSE] {TANKS}."),
        ("Jonas", f"[PROPOSE] {ROTA}."),
        *((who, "Let me think.") for who in WHO[2:]),
        ("Pilar", "[AMEND p1.0 and p2.0] Buy two rain tanks and keep a rota."),
        ("Wanda", f"[AMEND p6.0] {FINAL}"),
        ("Stefan", "Show me a dry August on paper, and I would wait.\n" + against),
        ("Jonas", "[OPPOSE p7.0] the council is slow\n[NOTE 800] Somebody has to sign for the path."),
        ("Halima", "[SUPPORT p7.0] we can pay for it"),
    )
    told = Told(talk=talk, question=QUESTION, options=(WELL,), members=MEMBERS)
    texts = (BallotText(id="o1", motion="o1", text=WELL), BallotText(id="p7.0", motion="p1.0", text=FINAL))
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    votes = dict.fromkeys(("Halima", "Jonas", "Pilar", "Wanda"), FINAL) | {"Stefan": WELL}
    for who, text in votes.items():
        ballot = Ballot(agent=who, choice=text, ranking=(text,), approved=(text,), reason=f"{who} says so.", moved_by=2)
        told.tell(BallotCast(ballot=ballot, choices=tuple(t.text for t in texts), texts=texts))
    return told.tell(verdict_of(told.progress, told.memory))


def test_a_report_tells_what_a_text_was_made_of_each_ballot_and_what_would_move_a_dissenter() -> None:
    """Who must act would not know where the text comes from, nor what each signed for."""
    told = reworked()
    report = report_of(told.session, told.progress, told.memory)
    text = report_markdown(report)
    assert [(step.by, step.text, step.of) for step in report.story if step.kind == "text"] == [
        ("Pilar", "p6.0", ("p1.0", "p2.0")),
        ("Wanda", "p7.0", ("p6.0",)),
    ]
    assert "Jonas accepts it on the ballot, but spoke against it: “the council is slow” (m9)." in report.verdict
    assert [(each.who, each.message) for each in report.minds] == [("Stefan", 8)]
    assert "\n- Would persuade: **Stefan**: “Show me a dry August on paper…” (m8)\n" in text
    assert ".”." not in text


def test_what_a_dissenter_answered_when_it_was_asked_what_would_bring_it_in_is_told_in_any_language() -> None:
    """It was looked for in the words of the talk alone, and those were English."""
    told = reworked()
    named = [("Stefan", "den Brunnen als Reserve behalten"), ("Halima", "die Regel für die Pumpe streichen")]
    told.tell(*(TermsNamed(who=who, on="p7.0", takes="with a change", change=what, after=10) for who, what in named))
    report = report_of(told.session, told.progress, told.memory)
    assert [(each.who, each.text, each.polled) for each in report.minds] == [
        ("Stefan", "den Brunnen als Reserve behalten", True),
        ("Stefan", "Show me a dry August on paper, and I would wait.", False),
    ]
    assert f"“den Brunnen als Reserve behalten” (asked in private; of {in_short(FINAL, 'p7.0')})" in report_markdown(
        report
    )


def test_what_would_change_a_mind_names_the_text_that_it_was_said_of() -> None:
    """ "if the lease can be left" stood there, and of which text it was said could not be read."""
    told = reworked("[OPPOSE p7.0] tanks run dry, unless a third one comes")
    report = report_of(told.session, told.progress, told.memory)
    (where,) = re.findall("unless a third one comes.*", report_markdown(report).partition("change minds")[2])
    assert where.endswith(f"(m8; of {in_short(FINAL, 'p7.0')})")


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("Five weeks and fifteen end in May, and thirty runs in a row tell me whether to start.", True),
        ("Fünf Wochen und fünfzehn enden im Mai, und dreißig Läufe nacheinander zeigen mir den Anfang an.", True),
        ("Five weeks and fifteen end in May, and not one run in a row tells me whether to start.", False),
        ("It asks about the day of leaving before anybody signs, and the people read the offers.", True),
        ("I would sign it if the insurer wrote to us in time, and the council paid for the boat.", False),
        ("Five weeks end in May, and thirty runs tell me.", False),
        ("It names a date and a number that can fail and what we do then and whom we ask.", False),
    ],
)
def test_a_long_reason_is_told_by_its_main_clause_where_nothing_bounds_it(reason: str, told: bool) -> None:
    """A clause without the "if" or the "not" of its sentence would say what nobody said."""
    shown = main_clause(reason, 14)
    assert shown.strip("…") in reason
    assert ("…" in shown) == told


def test_what_would_move_a_member_is_told_without_saying_again_that_it_would() -> None:
    assert bare_condition("Show me a dry August, and I would wait as long as you like.") == "Show me a dry August…"
    assert bare_condition("Zeigt mir einen Probelauf, und ich würde zustimmen.") == "Zeigt mir einen Probelauf…"
    for whole in ("I would wait if July could move.", "Take it away, and I would sign, but not before May."):
        assert bare_condition(whole) == whole


def test_the_winning_text_stands_in_full_once() -> None:
    """A reader finds no figure between six copies of a long text."""
    told = reworked()
    report = report_of(told.session, told.progress, told.memory)
    assert report_markdown(report).count(FINAL.rstrip(".")) == 1


def test_what_a_verdict_rests_on_is_what_made_joined_and_supports_the_text_and_what_voters_name() -> None:
    """The report and the screen would name different messages for one verdict."""
    told = reworked()
    row = next(row for row in report_of(told.session, told.progress, told.memory).counted.rows if row.id == "p7.0")
    assert row.behind == told.verdict.evidence == (1, 2, 6, 7, 10)


def test_what_would_move_a_member_is_its_own_first_person_and_not_what_moved_it_already() -> None:
    """A condition that was met would be held out to whoever wants to win the member over."""
    said = (
        ("Ada", "I would change my mind if the batch ran twice. Ben would change his mind."),
        ("Ada", "Open until midnight, I would agree to that."),
        ("Ben", "I would wait if July could move."),
        ("Ada", "I gave that as the thing that would change my mind, and it does. Would I accept it if you paid?"),
        ("Ada", "I change my mind, and it is Ben's argument in m3 that does it."),
    )
    messages = messages_of(Told(talk=said).session)
    assert [each.text for each in movers(messages, "Ada", "o1")] == ["I would change my mind if the batch ran twice."]
    assert movers(messages, "Ada", "p3.0") == ()


def test_a_verdict_rests_on_a_position_that_is_the_text_of_who_made_no_move_on_it() -> None:
    """Who wrote [POSITION] p6.0, and nothing else on it, was left out of what the winner rests on."""
    openings = tuple((who, "Let us see.") for who in WHO)
    told = Told(
        options=(),
        talk=(*openings, ("Pilar", f"[PROPOSE] {TANKS}"), ("Stefan", "Fine.\n[POSITION] p6.0")),
        members=MEMBERS,
    )
    ballots = [Ballot(agent=member.title, choice=TANKS, ranking=(TANKS,)) for member in MEMBERS]
    text = BallotText(id="p6.0", motion="p6.0", text=TANKS)
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    told.tell(*(BallotCast(ballot=each, choices=(TANKS,), texts=(text,)) for each in ballots))
    told.tell(PhaseStarted(phase="verdict", why="done"))
    assert verdict_of(told.progress, told.memory).evidence == (6, 7)


def test_no_sentence_without_its_speaker_says_a_promise_or_what_would_move_it() -> None:
    """Such sentences are left out before the expressions that take long: a promise left out would be in no report."""
    files = [*Path(__file__).parent.glob("*.py"), *Path(__file__).parent.glob("played*.json"), Path(minds.__file__)]
    told = {part for file in files for part in re.split(r"[\n.!?\"]+", file.read_text("utf-8")) if len(part) > 3}
    hits = [
        (words, part)
        for part in told
        for words in SPOKEN
        if any(words[name].search(part) for name in ("moves", "will", "pledges"))
    ]
    assert len(hits) > 60
    assert [part for words, part in hits if not words["self"].search(part)] == []
    signs = {"moves": "moves", "will": "promises", "pledges": "promises"}
    lost = [
        (name, part)
        for words, part in hits
        for name, of in signs.items()
        if words[name].search(part) and words not in spoken(of, part)
    ]
    assert lost == []


def test_what_was_said_of_a_side_measure_is_told_of_that_alone() -> None:
    """Terms for a cap on costs stood as what would turn who is against the answer; a supporter "left" it."""
    talk = (
        ("Halima", "[PROPOSE Cap] Spend 900 at most."),
        ("Jonas", "[AMEND o1 Meter] Dig a well with a meter."),
        ("Stefan", "[PROPOSE Door] Seal the door."),
        *((who, "Let me think.") for who in WHO[3:]),
        ("Wanda", "[SUPPORT p2.0] if the landlord agrees"),
        ("Jonas", "[OPPOSE p1.0] 900 is too little"),
        ("Wanda", "[AMEND p1.0 p3.0 Both] Spend 1200 at most and seal the door."),
        ("Jonas", "[SUPPORT p8.0] that will do"),
    )
    told = Told(talk=talk, question=QUESTION, options=(WELL, ROTA), members=MEMBERS)
    terms = (("Stefan", "p8.0", "800 at most"), ("Stefan", "p2.0", "no meter"), ("Stefan", "p8.0", "700 at most"))
    terms += ((WHO[-1], "p2.0", "a lock"),)
    told.tell(*(TermsNamed(who=who, on=on, takes="with a change", change=what, after=9) for who, on, what in terms))
    given = (("o1", "o1", WELL), ("p2.0", "o1", "Dig a well with a meter."), ("o2", "o2", ROTA))
    joint = "Spend 1200 at most and seal the door."
    texts = tuple(
        BallotText(id=key, motion=motion, text=text) for key, motion, text in (*given, ("p8.0", "p1.0", joint))
    )
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    for who in WHO:
        choice = ROTA if who == "Stefan" else texts[1].text
        ballot = Ballot(agent=who, choice=choice, ranking=(choice,), approved=(choice,), also=(joint,))
        ballot = Ballot(agent=who, choice=None) if who == WHO[-1] else ballot
        told.tell(BallotCast(ballot=ballot, choices=tuple(text.text for text in texts), texts=texts))
    told.tell(verdict_of(told.progress, told.memory))
    report = report_of(told.session, told.progress, told.memory)
    assert (report.counted.reached.version, [each.id for each in report.counted.adopted]) == ("p2.0", ["p8.0"])
    assert not {"p2.0", "p8.0"} & {each.id for each in report.wordings}, "what was adopted stood under the others"
    against = [(one.who, one.of, end.text) for step in report.story for one in step.against for end in one.ends]
    assert ("Jonas", "p1.0", "p8.0") in against
    assert not [each for each in against if each[0] == "Wanda"], "she never left the meter"
    told_in = "\n".join(line for head, below in story_words(report) for line in (head, *below))
    assert "Asked after m9, Stefan would take it with a change: “no meter”." in told_in
    asked = [(step.text, price.of, price.change) for step in report.story for price in step.terms]
    assert sorted(asked) == sorted((on, on, what) for _, on, what in terms)
    assert [each.text for each in report.minds if each.who == "Stefan"] == ["no meter"]
    shown = shown_verdict(told.session, told.tell(SessionEnded(reason="messages")).progress, told.memory)
    rows = [(each["label"], each["text"].rpartition("(")[2], len(each["who"])) for each in shown["rows"]]
    assert ("p8.0", "Want it too)", 4) in rows, "the page told a measure that all want as of no votes"
    assert "p8.0" not in {label for label, beside, _ in rows if beside != "Want it too)"}
    (also,) = (line for line in shown["lines"] if line.startswith("Also adopted: "))
    assert "4 of 4 want it" in also
    assert joint.rstrip(".") in also
    assert [each["id"] for each in shown["texts"]] == ["p2.0"]


def test_the_page_tells_equal_firsts_as_the_report_does_and_each_wording_with_its_own_votes() -> None:
    """Two first choices stood as the last of them; who refused the text decided had a badge beside it."""
    drawn = "Collect rain in two tanks that the school's pupils draw."
    texts = (*TEXTS[:2], BallotText(id="p8.0", motion="p6.0", text=drawn))
    tied = (WELL, drawn)
    rankings = [(TANKS,), (TANKS,), (TANKS,), (tied,), (drawn,)]
    told = Told(talk=(), question=QUESTION, options=(WELL,), members=MEMBERS)
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    choices = tuple(text.text for text in texts)
    for who, ranking in zip(WHO, rankings, strict=True):
        first = None if ranking == (tied,) else ranking[0]
        cast = Ballot(agent=who, choice=first, ranking=ranking, approved=tied if first is None else ranking)
        told.tell(BallotCast(ballot=cast, choices=choices, texts=texts))
    told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))
    shown = shown_verdict(told.session, told.progress, told.memory)
    marks = {who: [each["label"] for each in cells[-1]] for who, cells in shown["votes"].items()}
    assert (marks[WHO[3]], marks[WHO[4]]) == (["o1", "p8.0"], ["p8.0"])
    page = report_html(report_of(told.session, told.progress, told.memory), told.session, told.memory)
    assert re.search(r"<span>o1</span></span>\s*=\s*<span [^>]*><span>p8.0</span>", page)
    marks_of = {WHO[0]: [Mark("o1", "text", WELL, 1), Mark("p8.0", "text", drawn, 1)]}
    assert Column("The talk", marks=marks_of).steps(WHO[0]) == [[each] for each in marks_of[WHO[0]]]
    votes = {each["label"]: each["who"] for each in shown["rows"]}
    assert votes == {"p6.0": WHO[:3], "p8.0": WHO[3:], "o1": WHO[3:4]}
    assert "counting all its wordings: p6.0 3 (" in shown["parts"]["The vote"][0]
