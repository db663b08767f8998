"""What a report leaves out so that it can be read: Markdown, what was said twice, and what tells nothing."""

from __future__ import annotations

import pytest
from told import CHOICES, MOVE, WAIT, Told

from eda.debate.verdict import verdict_of
from eda.events import Ballot, BallotCast, PhaseStarted
from eda.panels.agenda import load_agenda
from eda.panels.settings import Settings
from eda.report.forms import report_markdown
from eda.report.gather import messages_of, report_of
from eda.report.model import Report
from eda.report.quotes import Quotes
from eda.report.sections import page_of
from eda.report.write import Held, checked

BOLD = "**My view:** 92 % of the firms **kept the shorter week**, and `revenue` held. It is *cheap*."
WORDS = "92 % of the firms kept the shorter week, and revenue held."
ALL = ("Ada", "Ben", "Cleo", "Dan", "Eve")


def said(*talk: tuple[str, str]) -> Report:
    """Who said what, before all but Eve vote for moving it."""
    told = Told(talk=talk).votes(**dict.fromkeys(ALL[:4], MOVE), Eve=WAIT)
    return report_of(told.session, told.progress, told.memory)


def weighed(agenda: str, texts: tuple[str, ...], *ballots: Ballot, talk: tuple[tuple[str, str], ...] = ()) -> str:
    told = Told(talk=talk, agenda=load_agenda(agenda), options=())
    told.tell(PhaseStarted(phase="ballot"), *(BallotCast(ballot=ballot, choices=texts) for ballot in ballots))
    told.tell(verdict_of(told.progress, told.memory))
    return report_markdown(report_of(told.session, told.progress, told.memory))


@pytest.mark.parametrize("quote", [WORDS, BOLD[13:].partition(" It")[0], "kept the shorter week, and revenue held"])
def test_a_quote_is_found_with_and_without_its_marks_and_read_without(quote: str) -> None:
    """Models write in bold and copy without it: each true quote would be named as one that nobody said."""
    told = Told(talk=[("Ada", BOLD)]).tell(PhaseStarted(phase="discussion"))
    found = Quotes(messages_of(told.session), acts=told.memory.acts).find(1, quote)
    assert found is not None
    assert (found.quote, found.who) == (WORDS, "Ada")


def test_the_words_of_a_model_and_of_a_ballot_are_read_without_marks() -> None:
    """A report, which is passed on, would be full of asterisks."""
    told = Told(talk=[("Ada", BOLD)]).tell(PhaseStarted(phase="discussion"))
    found = Quotes(messages_of(told.session), acts=told.memory.acts)
    made = checked({"reasons": [{"message": 1, "quote": f"**{WORDS}**"}]}, found, "m", Held())
    assert (made.reasons[0].quote, made.dropped) == (WORDS, ())


def test_why_an_act_does_not_count_is_no_word_of_its_author() -> None:
    """ "they cost us money (not counted): p3.0 does not exist" stood in a report as what Ada said."""
    told = Told(talk=[("Ada", "Well.\n\n[OPPOSE p3.0] two evenings of heating cost us money")])
    told.tell(PhaseStarted(phase="discussion"))
    found = Quotes(messages_of(told.session), acts=told.memory.acts)
    assert [bool(act.unread_because) for act in told.memory.below(1)] == [True]
    cited = found.find(1, "two evenings of heating cost us money")
    assert cited
    assert cited.quote == "two evenings of heating cost us money"


def test_the_report_tells_what_is_left_open_and_that_a_claim_was_not_voted_on() -> None:
    """Whoever must act would take what one member called agreed for a decision, and never read what was opposed."""
    text = report_markdown(
        said(
            ("Ada", "[PROPOSE] Measure it monthly."),
            ("Ben", "I have no view of that yet."),
            ("Cleo", "[CONSENSUS] We have agreed to wait a year."),
        )
    )
    texts = text.partition("## The other texts")[2].partition("\n## ")[0]
    assert "Measure it monthly." in texts
    assert "Claimed to be decided, and not voted on in these words. Cleo: " in text
    assert "## Decisions on the way" not in text


def test_a_stance_is_no_reason() -> None:
    """ "For moving it speaks: my view is to move it" tells whoever must decide nothing."""
    made = said(("Ada", f"My view: I lean towards {MOVE.lower()}.\n\n[POSITION] {MOVE}"))
    assert not [each for each in made.reasons if each.who == "Ada"]


def test_a_fear_of_something_else_is_no_dissent_from_a_proposal() -> None:
    """Whoever names a danger of the plan would be quoted against the finding that says the same."""
    texts = ("Invoices go out twice.", "Nobody is on call in August, because all are away.")
    ballots = (Ballot(agent="Ada", choice=texts[0], scores={texts[0]: 9.0, texts[1]: 3.0}),)
    ballots += (Ballot(agent="Ben", choice=texts[1], scores={texts[0]: 4.0, texts[1]: 6.0}, reason="It is August."),)
    ballots += (Ballot(agent="Cleo", choice=None, scores={texts[0]: 2.0}, blocked=(texts[0],)),)
    talk = (("Ada", f"[PROPOSE] {texts[0]}"), ("Ben", "There is a danger that customers are billed twice in August."))
    text = weighed("red-team", texts, *ballots, talk=talk)
    assert "**Cleo** scores it 2 of 10 and cannot live with it" in text
    first = "puts “Nobody is on call in August, because all are away” first"
    assert f"**Ben** scores it 4 of 10 and {first}: “It is August.” (ballot)" in text
    assert "There is a danger" not in text


def test_texts_that_begin_alike_and_are_level_can_be_told_apart() -> None:
    """A dissent from a joint text would name the same words as the text that won."""
    first = f"We pilot it for one quarter, support keeps {'full ' * 12}weekday coverage"
    texts = (f"{first}.", f"{first}, and pay is reviewed.")
    text = weighed(
        "mediation", texts, *(Ballot(agent=who, choice=texts[who == "Ben"]) for who in ("Ada", "Ben", "Cleo"))
    )
    assert "and pay is reviewed" in text
    level = ("Close at four.", "Meet on Mondays.", "Write it down.")
    each = (Ballot(agent=who, choice=one, approved=(one,)) for who, one in zip(ALL, level, strict=False))
    tied = weighed("brainstorm", level, *each)
    assert "” could each have won" in tied
    assert ".." not in tied
    assert tied.count("” and “") == 1


def test_where_nobody_could_vote_there_is_no_verdict_and_it_says_who_gave_no_ballot() -> None:
    """A server that fails at the ballots would stand as minds that were changed to nothing."""
    told = Told().votes(**dict.fromkeys(ALL))
    broken = (Ballot(agent=who, choice=None, invalid=True, raw=("hmm *er*",)) for who in ALL[:2])
    told.tell(PhaseStarted(phase="ballot"), *(BallotCast(ballot=ballot, choices=CHOICES) for ballot in broken))
    told.tell(verdict_of(told.progress, told.memory))
    made = report_of(told.session, told.progress, told.memory)
    assert made.verdict[:2] == ("No verdict: nobody voted.", "The ballots of Ada and Ben could not be read.")
    assert "- **Ada**: Could not be read. “hmm er”" in report_markdown(made)


def test_where_points_decide_the_verdict_names_them() -> None:
    """ "By the rule borda: 1 of 3 votes put it first" reads as a mistake."""
    told = Told(talk=(), options=("A", "B", "C"), settings=Settings(rule="borda"))
    orders = {"Ada": "ABC", "Ben": "CBA", "Cleo": "BCA"}
    cast = [Ballot(agent=who, choice=order[0], ranking=tuple(order)) for who, order in orders.items()]
    cast.append(Ballot(agent="Dan", choice=None, blocked=("B",)))
    told.tell(PhaseStarted(phase="ballot"), *(BallotCast(ballot=each, choices=("A", "B", "C")) for each in cast))
    told.tell(verdict_of(told.progress, told.memory))
    made = report_of(told.session, told.progress, told.memory)
    assert made.answer.startswith(
        "“B” (o2) won by the rule borda, but no majority put it first. It has 4 points. 1 of 3"
    )
    assert made.rest == ("Dan abstained.",)
    against = {line.who: line.does for line in page_of(made)["verdict"] if line.kind == "against"}
    assert against == {"Ada": "", "Ben": "", "Dan": "cannot live with it"}


def test_who_would_take_any_other_choice_is_not_said_to_block_what_won() -> None:
    """A ballot that names several and no first would stand in the report as a veto."""
    several = Ballot(agent="Cleo", choice=None, approved=("B", "C"))
    told = Told(talk=(), options=("A", "B", "C"))
    cast = (Ballot(agent="Ada", choice="A"), Ballot(agent="Ben", choice="A"), several)
    told.tell(PhaseStarted(phase="ballot"), *(BallotCast(ballot=each, choices=("A", "B", "C")) for each in cast))
    reached = verdict_of(told.progress, told.memory)
    told.tell(reached)
    made = report_of(told.session, told.progress, told.memory)
    assert page_of(made)["verdict"][-1].plain == "Cleo approves “B” and “C”"


def test_a_line_of_marks_is_no_sentence_and_a_bare_tag_no_proposal() -> None:
    """A rule between two paragraphs would end the report in a traceback, and a tag would stand as an empty choice."""
    talk = (
        ("Ada", f"*Sent* from here.\n\n***\n\n~~ ** ~~\n\n{MOVE}, because July is named."),
        ("Ben", "Risk? . [PROPOSE] ..."),
    )
    told = Told(talk=talk).votes(**dict.fromkeys(ALL, MOVE))
    assert "“”" not in report_markdown(report_of(told.session, told.progress, told.memory))
    assert [each for each in told.memory.proposals if each.proposer == "Ben"] == []
