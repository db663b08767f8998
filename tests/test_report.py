"""The report: what somebody who was not there must know, and no quote that the log does not hold."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fake_anthropic import Fail, FakeAnthropic, Say
from hypothesis import given, strategies as st
from in_turn import each_other
from told import CHOICES, MEMBERS, MOVE, QUESTION, TALK, WAIT, Told, asked, persona

from eda import Debate, Session, Settings
from eda.cli import cli
from eda.errors import SessionError, UsageError
from eda.events import (
    CallMade,
    Cited,
    MemberChanged,
    MessagePosted,
    RecordFact,
    ReportWritten,
    SettingChanged,
    StanceTaken,
    SummaryWritten,
)
from eda.events.model_minutes import Minuted, RangeMinutes
from eda.memory.sentences.judges import fact_words
from eda.panels.agenda import agenda_names, load_agenda
from eda.report.forms import Written, escaped, report_data, report_markdown
from eda.report.gather import messages_of, report_of
from eda.report.quotes import Quotes
from eda.report.sections import page_of
from eda.report.write import Held, checked, write_report
from eda.words import Words

GOOD = {
    "reasons": [{"message": 2, "quote": "One run of the suite in six fails for no reason."}],
    "dissent": [{"message": 8, "quote": "the risk of waiting is that Oskar is  gone"}],
    "risks": [{"message": 10, "quote": "I worry about two systems"}],
    "open": [{"message": 6, "quote": "Who owns month end while both run?"}],
}


def markdown(told: Told) -> str:
    return report_markdown(report_of(told.session, told.progress, told.memory))


def section(text: str, title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}\n\n(.*?)(?=\n\n## |\n\n\*\d|\Z)", text, re.DOTALL | re.MULTILINE)
    return found[1].strip() if found else ""


def written(told: Told, fake: FakeAnthropic, answer: Any) -> Written:
    fake.play(answer if isinstance(answer, Say | Fail) else Say(json.dumps(answer)))
    work = lambda runner: write_report(told.session, runner, progress=told.progress, memory=told.memory)  # noqa: E731 - a runner's whole life
    return asyncio.run(asked(fake, work))


def test_the_verdict_is_made_of_what_was_counted() -> None:
    """Who reads no further must know the whole text, who stands behind it, and who was against it and why."""
    told = Told().votes()
    report = report_of(told.session, told.progress, told.memory)
    assert WAIT in report.answer
    assert [each.who for each in report.backing] == ["Ben", "Cleo", "Dan", "Eve"]
    (against,) = (line for line in page_of(report)["verdict"] if line.kind == "against")
    told = "“The batch will miss its window before the tests are done.” (ballot)"
    assert (against.who, against.does, against.text) == ("Ada", "puts “Move it this quarter” first", told)


def test_how_sure_to_be_is_told_in_one_place() -> None:
    """Who must act on it would have to gather it from five parts of a report, or would not ask."""
    assert section(markdown(Told().votes()), "How sure to be").split("\n") == [
        "- One model plays all members: their votes are not independent.",
        "- 2 changed votes would have made another winner.",
        "- One debate: another run may end elsewhere.",
        "- What the talk changed is not known: no first ballot was taken.",
    ]


def test_without_an_outcome_it_says_why_and_what_spoke_for_each() -> None:
    """A tie would read like a decision, or like nothing at all."""
    text = markdown(Told().votes(Ben=None, Cleo=MOVE))
    assert section(text, "Verdict").startswith("**No verdict: no choice has more than half of the votes.")
    assert f"“{WAIT}” (o2). Eve: " in section(text, "What spoke for each")
    assert "Ben abstained." in section(text, "Verdict")
    assert "## Dissent" not in text


def test_what_would_change_minds_is_the_last_word_in_private_of_everybody_whose_vote_is_the_same() -> None:
    """Conditions long met were listed as what is still to be won, and what would lose a winner its votes was not."""
    told = Told()
    for poll in (1, 2):
        for who, choice in (("Ada", MOVE), ("Ben", WAIT), ("Cleo", MOVE), ("Dan", MOVE)):
            would = f"A trial, poll {poll}."
            told.tell(StanceTaken(who=who, poll=poll, choices=CHOICES, choice=choice, change_mind=would, after=10))
    text = markdown(told.votes())
    minds = section(text, "What would change minds").splitlines()
    assert f"- **Ben** for “{WAIT}”: “A trial, poll 2.” (asked in private)" in minds
    assert f"- Would persuade: **Ada** for “{MOVE}”: “A trial, poll 2.” (asked in private)" in text.splitlines()
    assert "- **Ada**" not in "".join(minds)
    assert "asked in private" not in markdown(Told().votes())


def test_a_part_that_has_nothing_to_say_is_left_out() -> None:
    """Empty headings look like something that was forgotten."""
    text = markdown(Told().votes(Ada=WAIT))
    assert "Nobody voted against it." in text
    assert "## Dissent" not in text
    assert "## Decisions on the way" not in text
    assert not re.search(r"^## [^\n]+\n\n(?=## |\Z)", text, re.MULTILINE)


BEYOND = "not all of it stands in these words in what was decided"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("No: fix the test suite first.", ""),
        ("No: fix the test suite first, and 30 runs in a row decide.", "it has more than 12 words"),
        ("Dan fixes the test suite first.", BEYOND),
        ("No: let Oskar fix the test suite first.", BEYOND),
        (
            "No: wait and fix the test suite first, since a suite that lies one time in six helps nobody.",
            "it has more than 12 words",
        ),
        ({"text": "No"}, None),
    ],
)
def test_a_model_s_line_stands_where_the_text_decided_has_its_names_and_figures(
    fake: FakeAnthropic, line: Any, why: str | None
) -> None:
    """The largest words of a report would be those that nobody voted for."""
    done = written(Told().votes(), fake, {**GOOD, "line": line})
    told = f"“{line}” (words of {done.report.by})."
    assert (told in done.report.rest) == (why == "")
    assert ("(words of claude" in done.markdown) == (why == "")
    assert [each for each in (BEYOND, "it has more than 12 words") if each in done.markdown] == [why] * bool(why)


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ("I look at the money.", "- **Eve**: “Who pays the two accountants for August?” (m11)"),
        ("Eve, the contracts do.", ""),
        ("In m11 that is asked too late.", ""),
    ],
)
def test_open_questions_are_those_that_nobody_answered(then: str, told: str) -> None:
    """A question that was put to somebody who then spoke would stand as open for ever."""
    debate = Told()
    debate.say([("Eve", "Who pays the two accountants for August?"), ("Dan", then)])
    assert section(markdown(debate.votes()), "Open questions") == told


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_forms_say_in_the_same_words_why_a_line_is_left_out(language: str) -> None:
    """A page said "it says more than was decided" of a line with another word for the same."""
    words = Words(language)
    for most in (0, 12):
        why = fact_words(RecordFact("beyond", number=most), words)
        assert str(most) in why or not most
        assert all(why in words.say("page-left-out", count=0, line=line, number=most) for line in ("only", "too"))


def test_a_question_that_the_minutes_close_with_a_strangers_words_is_told_last() -> None:
    """It vanished from the report where no model named it among the open ones."""
    debate, asked = Told(), "Dan, who pays the two accountants for August?"
    debate.say([("Eve", asked), ("Ben", "The piano is out of tune."), ("Eve", "What becomes of the cat?")])
    question = Minuted(11, asked, asked, who="Eve")
    minutes = RangeMinutes(
        questions=(question,), answered=(Minuted(12, "The piano is out of tune.", asked, to="m11", who="Ben"),)
    )
    debate.tell(SummaryWritten(first=1, last=12, text="They spoke.", by="m", minutes=minutes))
    text = section(markdown(debate.votes()), "Open questions")
    assert text.index("cat") < text.index("Open unless m12 answers it, as the minutes say") < text.index("accountants")


@pytest.mark.parametrize("thanks", [True, False])
def test_a_question_that_was_answered_is_not_listed_as_open(*, thanks: bool) -> None:
    """ "Answered in m6, say the minutes": m6 was not by who was asked, who had answered; or who asked had said so."""
    debate, asked = Told(), "who pays the two accountants for August?"
    said = ("Dan", "The bank pays both accountants until August.")
    talk = [("Eve", f"Well, {asked}" if thanks else f"Dan, {asked}"), ("Ben", "The piano is out of tune."), said]
    talk += [("Eve", "Dan, m13 settles it." if thanks else "What becomes of the cat?")]
    for at, (who, text) in enumerate(talk, 11):
        debate.tell(MessagePosted(number=at, who=who, text=text, to="Dan" if at == 11 and not thanks else None))
    number = 13 if thanks else 12  # by the minutes
    minutes = RangeMinutes(
        questions=(Minuted(11, asked, asked, who="Eve"),),
        answered=(Minuted(number, talk[number - 11][1], asked, to="m11", who=talk[number - 11][0]),),
    )
    debate.tell(SummaryWritten(first=1, last=13, text="They spoke.", by="m", minutes=minutes))
    assert [each.text for each in debate.memory.parts.unanswered if "accountants" in each.text] == []
    debate.tell(ReportWritten(by="m", open=(Cited("", 11, talk[0][1], "Eve"),)))
    text = markdown(debate.votes())
    assert "## Open questions" not in text or "accountants" not in section(text, "Open questions")


def test_an_anonymous_debate_tells_who_was_who_only_in_its_report() -> None:
    """Rank must not count while they write; afterwards somebody has to answer for the words."""
    debate = Debate(QUESTION, ["sceptic", "historian"], options=CHOICES, agenda="delphi", seed=1)
    debate.run_sync()
    text = report_markdown(report_of(debate.session, debate.progress, debate.memory))
    assert "Panelist A was sceptic, sceptic" in text
    assert "Ruth" not in text


@pytest.mark.parametrize("name", each_other(agenda_names()))
def test_every_format_has_a_report_of_its_own(name: str) -> None:
    """A format whose rule counts something else than votes would have a report that miscounts, or none."""
    options = CHOICES if load_agenda(name).choices in ("auto", "options") else ()
    question, few = "How do we share the billing work?", Settings(max_messages=10)
    debate = Debate(question, "architecture-review", options=options, agenda=name, seed=4, settings=few)
    debate.run_sync()
    report = report_of(debate.session, debate.progress, debate.memory)
    text = report_markdown(report)
    assert report.answer
    assert section(text, "The vote")
    assert load_agenda(name).title in section(text, "How it was run")
    assert json.loads(json.dumps(report_data(report)))["counted"]["rule"] == load_agenda(name).rule


def test_a_model_chooses_the_quotations_and_the_count_stays_the_count(fake: FakeAnthropic) -> None:
    """A model that misreads its own panel must not be able to announce another outcome."""
    told = Told().votes()
    done = written(told, fake, GOOD)
    assert done.failed == ""
    assert section(done.markdown, "Verdict").startswith(f"**{done.report.answer}**")
    assert re.fullmatch(r"- \*\*Ben\*\*: “One run of the suite[^”]*” \(m2\)", section(done.markdown, "Reasons"))
    assert "claude-" in section(done.markdown, "How it was run")
    assert not any(words in done.markdown for words in ("and left out", "was left out", "were left out"))


def test_the_call_is_counted_and_its_answer_kept(fake: FakeAnthropic) -> None:
    """The report would be paid for each time that somebody reads it."""
    told = Told().votes()
    calls = told.progress.spent.calls
    done = written(told, fake, GOOD)
    made = [event for event in told.session.events() if isinstance(event, CallMade) and event.purpose == "report"]
    assert (len(made), told.progress.spent.calls) == (1, calls + 1)
    assert asyncio.run(write_report(told.session)).markdown == done.markdown
    assert len(fake.requests) == 1


@pytest.mark.parametrize(
    "point",
    [
        {"message": 2, "quote": "Everybody agrees that waiting is free."},
        {"message": 2, "quote": "the"},
        {"message": 2, "quote": ""},
        {"message": 2, "quote": "One run of the suite ... for no reason."},
        {"message": 2, "quote": ".*"},
    ],
)
def test_a_citation_that_the_log_does_not_hold_is_dropped_and_named(fake: FakeAnthropic, point: dict[str, Any]) -> None:
    """One invented quote is enough to make a whole report worthless."""
    done = written(Told().votes(), fake, {**GOOD, "reasons": [*GOOD["reasons"], point]})
    assert len(done.report.reasons) == 1
    named = any(char.isalpha() for char in point["quote"])
    assert len(done.report.dropped) == named
    assert named == (
        "*1 citation was left out: it is not in the message it names, or is part of a sentence" in done.markdown
    )


@pytest.mark.parametrize("number", [3, 99, -2])
def test_a_quote_that_one_other_message_has_is_cited_from_there(fake: FakeAnthropic, number: int) -> None:
    """A true reason was lost for a slip of its number."""
    point = {"message": number, "quote": "One run of the suite in six fails for no reason."}
    done = written(Told().votes(), fake, {**GOOD, "reasons": [point]})
    assert [(each.message, each.who) for each in done.report.reasons] == [(2, "Ben")]
    assert done.report.dropped == ()


@pytest.mark.parametrize(
    "answer",
    [
        Say("I would rather not."),
        Say("{"),
        Say('{"reasons": '),
        Say("[]"),
        Say("{}"),
        Fail(400, message="no model"),
        Fail(500),
    ],
    ids=str,
)
def test_a_model_that_fails_leaves_the_report_of_memory(fake: FakeAnthropic, answer: Say | Fail) -> None:
    """The server's bad day would cost the user the whole report."""
    told = Told().votes()
    plain = section(markdown(told), "Reasons")
    done = written(told, fake, answer)
    assert done.failed
    assert section(done.markdown, "Reasons") == plain
    assert told.progress.report is None


@pytest.mark.parametrize(
    "answer",
    [
        {"line": None, "reasons": {"quote": "x"}, "dissent": [1, None, "x"], "risks": [{"message": "two"}]},
        {"line": ["a"], "reasons": [{"who": 3, "message": True, "quote": []}] * 50, "open": "none"},
        {"line": "\ud800 x", "reasons": [{"who": "", "message": 2, "quote": "\ud800"}], "extra": {}},
    ],
    ids=["shapes", "types", "surrogates"],
)
def test_an_answer_of_the_wrong_shape_loses_what_is_wrong_in_it(answer: dict[str, Any]) -> None:
    """One slip of a model would void the whole answer that was paid for."""
    told = Told().votes()
    said = Quotes(())
    fact = checked(answer, said, "test", Held())
    assert (fact.reasons, fact.risks, fact.open) == ((), (), ())
    told.tell(fact)
    assert markdown(told)


@given(st.text(max_size=60), st.integers(-1, 12))
def test_whatever_is_cited_only_whole_sentences_of_that_message_come_back(quote: str, number: int) -> None:
    """A quote that slips through the check would be printed as somebody's own words."""
    found = SAID.find(number, quote)
    if found is not None:
        assert " ".join(found.quote.split()) in " ".join(TALK[number - 1][1].split())
        assert found.who == TALK[number - 1][0]


@given(st.integers(1, len(TALK)), st.data())
def test_a_quote_is_found_whatever_its_case_and_white_space(number: int, data: st.DataObject) -> None:
    """A model that breaks a line would have its true quotes thrown away."""
    words = TALK[number - 1][1].partition("\n")[0].split()
    start = data.draw(st.integers(0, len(words) - 3))
    end = data.draw(st.integers(start + 3, len(words)))
    gap = data.draw(st.sampled_from([" ", "  ", "\n", "\t "]))
    found = SAID.find(number, gap.join(words[start:end]).upper())
    assert found is not None
    assert " ".join(words[start:end]).rstrip(".") in found.quote


SAID = Quotes(messages_of(Told().session))


HOSTILE = (
    "# Fired\n\n<script>alert(1)</script> [click](javascript:x) ![i](http://x.y/z.png) `c` **b** | a | "
    "https://evil.example www.evil.example <b>x</b> &lt;i&gt; $x^2$ ~~s~~ a@b.example "
    "because I say so.\n\n---\n\n> quote\n- item"
)


def test_words_of_members_are_text_and_nothing_else() -> None:
    """A member's words, or a question, could forge a heading of the report, or have a reader's browser fetch a page."""
    talk = [(who, text.partition("\n")[0] + f" {HOSTILE}\n\n[POSITION] {WAIT} {HOSTILE}") for who, text in TALK]
    told = Told(talk=talk, question=HOSTILE, options=(*CHOICES, "<img src=x>|y")).votes((*CHOICES, "<img src=x>|y"))
    text = markdown(told)
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in text.splitlines() if line.startswith(("# \\# Fired", "## "))
    ]
    assert not re.search(r"(?<!\\)<|(?<!\\)\]\(|(?<!\\)\[|https?://|(?<!\\)`|www\.|(?<!\\)\$x", text)
    table = [line for line in text.splitlines() if line.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {4}


@given(st.text(max_size=200))
def test_escaped_text_is_one_line_without_live_marks(text: str) -> None:
    """What the example above does not try."""
    found = escaped(text)
    assert "\n" not in found
    assert not re.search(r"(?<!\\)(?:\\\\)*[<\[`]", found)


Eda = Callable[..., Any]


@pytest.fixture
def eda(tmp_path: Path) -> Eda:
    return lambda *words: CliRunner().invoke(cli, [*words, "--sessions", str(tmp_path)])


def test_a_debate_leaves_its_report_in_its_folder(eda: Eda, tmp_path: Path) -> None:
    """The file that is sent round the next morning."""
    assert eda("debate", QUESTION, "--session", "one", "--seed", "2").exit_code == 0
    text = (tmp_path / "one" / "report.md").read_text("utf-8")
    assert text.startswith(f"# {QUESTION}\n")
    assert eda("report", "one").stdout == text
    data = json.loads(eda("report", "one", "--json").stdout)
    assert data == json.loads((tmp_path / "one" / "report.json").read_text("utf-8"))
    assert data["question"] == QUESTION


def test_a_debate_with_a_model_has_its_prose_written_once(
    eda: Eda, tmp_path: Path, fake: FakeAnthropic, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole way over HTTP: openings, talk, ballots, and then one more call for the report."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.delenv("EDA_RUNNER")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    fake.answer = panel
    done = eda(
        "debate", QUESTION, "--session", "one", "--max-messages", "8", "--persona", "sceptic", "--persona", "historian"
    )
    assert done.exit_code == 0, done.output
    text = (tmp_path / "one" / "report.md").read_text("utf-8")
    assert "chose what is quoted" in text
    sent = len(fake.requests)
    assert eda("report", "one").stdout == text
    assert len(fake.requests) == sent
    purposes = [row["name"] for row in json.loads(eda("show", "--cost", "one", "--json").stdout)["by_purpose"]]
    assert "report" in purposes


def panel(body: dict[str, Any]) -> Say:
    """A panel of two over HTTP, whatever it is asked."""
    text = json.dumps(body["messages"])
    if "Choose what its report quotes" in text:
        return Say(json.dumps({"dissent": [], "risks": [], "open": [], "reasons": []}))
    if '"wants\\' in text:
        return Say('{"wants": true, "urgency": 0.5, "reason": "a word"}')
    if "# The ballot" in text:
        return Say('{"choice": "Yes", "ranking": ["Yes", "No"], "reason": "so"}')
    return Say(f"Point {len(text)}.\n\n[POSITION] Yes, because of {len(text)}.")


def test_a_session_without_a_verdict_has_no_report(eda: Eda, tmp_path: Path) -> None:
    """Half a debate would be sent round as a decision."""
    with Session.create("half", tmp_path) as session:
        Told(session)
    found = eda("report", "half")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "has no verdict" in found.stderr
    told = Told()
    with pytest.raises(UsageError):
        report_of(told.session, told.progress, told.memory)


def test_a_session_that_is_being_written_can_still_be_read(eda: Eda, tmp_path: Path) -> None:
    """The report of the first round is wanted while the second one runs."""
    with Session.create("busy", tmp_path) as session:
        Told(session).votes()
        assert eda("report", "busy").stdout.startswith(f"# {QUESTION}")
    with Session.read("busy", tmp_path) as session, pytest.raises(SessionError):
        session.write_report("x", {}, "x")


def test_a_temperature_of_nothing_is_not_passed_over(eda: Eda, tmp_path: Path) -> None:
    """Whoever asks for prose at temperature 0 would be given that of memory, and not be told why."""
    with Session.create("done", tmp_path) as session:
        Told(session).votes()
    found = eda("report", "done", "--runner", "anthropic:opus,temperature=0")
    assert (found.exit_code, found.stdout) == (2, "")


def test_another_round_has_another_report(fake: FakeAnthropic) -> None:
    """The prose on the first verdict would stand under the second one."""
    told = Told().votes()
    written(told, fake, GOOD)
    told.tell(SettingChanged(settings=Settings())).votes(Ada=WAIT)
    assert told.progress.report is None
    assert "One run of the suite" not in section(markdown(told), "Reasons")


def test_who_came_later_sat_too() -> None:
    """The report would name as a dissenter somebody who never sat on the panel."""
    told = Told()
    told.tell(MemberChanged(who="Eve", change="replaced", persona=persona("Finn", "lawyer"), by="you"))
    assert "Finn, lawyer" in section(markdown(told.votes()), "How it was run")


def test_a_report_is_a_fact_that_reads_back() -> None:
    """The choice that was paid for would be lost with the derived file."""
    told = Told().votes()
    said = Quotes([])
    told.tell(checked({"reasons": []}, said, "m", Held()))
    (fact,) = (event for event in told.session.events() if isinstance(event, ReportWritten))
    assert ReportWritten.model_validate_json(fact.model_dump_json()) == fact
    assert MEMBERS[0].title in markdown(told)
