"""What is counted where: polls in place of ballots, rules that do not fit, and what the reports of all formats say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from told import CHOICES, MOVE, WAIT, Told, verdict_lines

from eda import Debate, Session, Settings
from eda.cli.program import cli
from eda.cli.tally import print_tally, tally_data
from eda.debate.control.changes import Changed, steer
from eda.debate.seating import anonymous, seated
from eda.debate.validation import check_settings
from eda.debate.verdict import verdict_of
from eda.errors import UsageError
from eda.events import Ballot, BallotCast, MemberChanged, PhaseStarted, StanceTaken
from eda.panels.agenda import load_agenda
from eda.panels.panel import Library
from eda.report.forms import report_markdown
from eda.report.gather import report_of
from eda.report.json_data import debate_data
from eda.report.write import report_prompt
from eda.voting import Account, compare

BASE, SOFT, HARD = "Share the on-call duty evenly", "Share it by skill", "Pay an outside firm"
TEXTS = (BASE, SOFT)


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, args)])


def polled(told: Told, poll: int, *held: str | None, after: int = 0) -> Told:
    who = (member.title for member in told.session.started().members)
    stances = (
        StanceTaken(who=title, poll=poll, choices=CHOICES, choice=choice, confidence=0.6, after=after)
        for title, choice in zip(who, held, strict=True)
    )
    return told.tell(*stances)


def oxford(session: Session | None = None) -> Told:
    """Three to one before, two to three after: the side that gained is the smaller one before."""
    told = Told(session, talk=(), agenda=load_agenda("oxford"))
    polled(told, 1, MOVE, MOVE, MOVE, WAIT, None)
    polled(told, 2, MOVE, MOVE, WAIT, WAIT, WAIT, after=9)
    return told.tell(verdict_of(told.progress, told.memory))


def voted(told: Told, *ballots: Ballot, choices: tuple[str, ...] = TEXTS) -> Told:
    told.tell(PhaseStarted(phase="ballot"), *(BallotCast(ballot=ballot, choices=choices) for ballot in ballots))
    return told.tell(PhaseStarted(phase="verdict"), verdict_of(told.progress, told.memory))


def report(told: Told) -> str:
    return report_markdown(report_of(told.session, told.progress, told.memory))


# ---------------------------------------------------------------- what is refused before the first file


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--rule", "judge", "--judge", "Nobody"), "unknown judge 'Nobody'"),
        (("--rule", "judge"), "the rule judge needs a judge"),
        (("--rule", "shift"), "the rule shift compares a poll before with one after"),
        (("--format", "delphi", "--rule", "score"), "a poll gives the rule score nothing to count"),
        (("--format", "delphi", "--consensus", "0.8"), "no open discussion that a consensus could end"),
    ],
)
def test_votes_that_could_count_nothing_are_refused_before_a_file_is_made(
    options: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    """Who pays for a whole debate would learn at its end that the rule could not decide it."""
    done = run("debate", "Should we move?", "--sessions", tmp_path / "s", "--quiet", *options)
    assert done.exit_code == 2, done.output
    assert says in done.output
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (Settings(rule="judge"), "the rule judge needs a judge"),
    ],
)
def test_settings_that_would_change_nothing_are_refused_in_python(settings: Settings, says: str) -> None:
    """Who asks for polls would wait for them in vain: without a consensus to end the talk none is taken."""
    with pytest.raises(UsageError, match=says) as refused:
        Debate("Should we move?", settings=settings)
    assert refused.value.hint


def test_polls_of_a_consensus_are_taken_as_often_as_asked_for() -> None:
    """A setting that is accepted must be one that holds, also as a default that is spelt out."""
    Debate("Should we move?", settings=Settings(poll_every=Settings().poll_every))
    debate = Debate("Should we move?", options=["Move", "Stay"], settings=Settings(consensus=1.0, poll_every=3))
    debate.run_sync()
    assert debate.progress.polls


@pytest.mark.parametrize("name", ["Maya", "maya", "pragmatic-engineer", "Panelist C"])
def test_a_judge_is_known_by_any_of_its_names(name: str) -> None:
    """In an anonymous debate nobody knows beforehand who will sit as Panelist C."""
    _, members = seated("product-decision", Library())
    asked = Settings(rule="judge", judge=name)
    assert check_settings(asked, load_agenda("delphi"), members, anonymous(members)).judge == "Panelist C"


def test_a_judge_who_does_not_sit_cannot_be_named_later_either() -> None:
    """A setting that a saved session takes would void the verdict it is resumed for."""
    told = Told()
    with pytest.raises(UsageError, match="Nobody"):
        steer(told.session, [Changed({"rule": "judge", "judge": "Nobody"})])


# ---------------------------------------------------------------- polls in place of ballots


def test_polls_are_tallied_where_the_format_has_no_ballot(tmp_path: Path) -> None:
    """An Oxford debate could be counted under no rule, not even under its own."""
    with Session.create("ox", tmp_path) as session:
        oxford(session)
    data = json.loads(run("show", "--tally", "ox", "--sessions", tmp_path, "--json").stdout)
    rows = {row["rule"]: row for row in data["rules"]}
    assert data["counted"] == "poll"
    assert (rows["shift"]["winner"], rows["shift"]["figures"]) == (WAIT, {MOVE: -0.2, WAIT: 0.4})
    assert rows["shift"]["changes"] == 2
    assert rows["majority"]["winner"] == WAIT
    assert not {"consent", "approval", "score", "borda", "schulze"} & set(rows), "a poll asks for one choice"
    assert "duels" not in run("show", "--tally", "ox", "--sessions", tmp_path).stdout
    assert "counted\tthe last poll" in run("show", "--tally", "ox", "--sessions", tmp_path).stdout


def test_a_duel_of_two_options_names_both(tmp_path: Path) -> None:
    """ "Beats every other option" makes two options sound like many."""
    with Session.create("two", tmp_path) as session:
        Told(session).votes()
    told = run("show", "--tally", "two", "--sessions", tmp_path).stdout
    assert f"duels\t{WAIT} beats {MOVE}, one against one" in told
    assert "every other" not in told


def test_an_oxford_debate_taken_up_again_is_held_against_its_first_poll() -> None:
    """Its last poll would be compared with itself: whatever the talk moved, no side would have gained."""
    told = oxford()
    told.tell(PhaseStarted(phase="rebuttals", round=2, why="extended"))
    polled(told, 3, MOVE, WAIT, WAIT, WAIT, WAIT, after=12)
    verdict = verdict_of(told.progress, told.memory)
    assert (verdict.outcome, verdict.figures) == (WAIT, {MOVE: -0.4, WAIT: 0.6})
    assert len(verdict.before[MOVE]) == 3


def test_a_person_who_has_left_is_not_waited_for_by_the_quorum_of_a_tally(tmp_path: Path) -> None:
    """The verdict counts without an empty seat, and the tally of the same ballots would say otherwise."""
    with Session.create("left", tmp_path) as session:
        told = Told(session)
        guest = told.session.started().members[0].model_copy(update={"name": "x", "title": "Xu", "person": True})
        left = MemberChanged(who="Xu", change="muted", by="Xu")
        told.tell(MemberChanged(who="Xu", change="added", persona=guest), left)
        told.votes()
    tally = orjson.loads(run("show", "--tally", "--json", "left", "--sessions", tmp_path).stdout)
    assert (len(tally["voted"]), len(tally["members"])) == (5, 5)


def test_what_is_said_for_a_side_is_nobodys_stance() -> None:
    """Who was told to argue against would be shown, and prompted, as being against."""
    talk = [("Ada", "I am for it.\n\n[POSITION] Move it this quarter."), ("Ben", "My choice is Move it this quarter.")]
    assert Told(talk=talk).tell(PhaseStarted(phase="after")).memory.last_position("Ada")
    memory = Told(talk=talk, agenda=load_agenda("oxford")).tell(PhaseStarted(phase="after")).memory
    assert not any(state.positions for state in memory.agents.values())


# ---------------------------------------------------------------- ballots and tallies


def test_ties_are_told_by_the_letters_of_the_table() -> None:
    """Five sentences of thirty words in one line, three times over, are read by nobody."""
    account = Account([Ballot(agent="Ada", choice=BASE), Ballot(agent="Bo", choice=SOFT)], TEXTS)
    data = tally_data(compare(account, 1, rules=["plurality"]), account, members=["Ada"], quorum=0.5)
    console = Console(force_terminal=True, width=100, color_system=None)
    with console.capture() as shown:
        print_tally(data, console)
    assert re.search(r"plurality: [AB] and [AB] could each have won", shown.get())


# ---------------------------------------------------------------- reports


def test_a_report_on_approvals_names_who_approves_and_not_who_put_it_first() -> None:
    """The idea that won would have been chosen by nobody, for no reason."""
    both = {"agent": "Ada", "choice": BASE, "approved": TEXTS, "reason": "It is even."}
    ballots = [
        Ballot(**both),
        Ballot(agent="Ben", choice=None, approved=TEXTS, reason="It is fair."),
        Ballot(agent="Cleo", choice=SOFT, approved=(SOFT,), reason="It is wise."),
        Ballot(agent="Dan", choice=BASE, approved=(BASE,), reason="It is plain."),
        Ballot(agent="Eve", choice=SOFT, approved=(SOFT,)),
    ]
    text = report(voted(Told(talk=(), agenda=load_agenda("brainstorm")), *ballots))
    assert f"| **{SOFT}** | 4 | Ada, Ben, Cleo, Eve |" in text
    assert f"Against: **Dan** does not approve it and puts “{BASE}” first: “It is plain.” (ballot)" in text
    assert "- **Ben**: “It is fair.” (ballot)" in text
    assert text.count("It is even.") == 1, "Ada dissents from nothing"


def test_blocked_texts_that_begin_alike_are_named_by_what_differs() -> None:
    """Four texts that one member blocks had one name."""
    texts = tuple(
        f"We keep the night rota as it is until the summer is over, and then {end}" for end in ("vote", "ask")
    )
    ballots = [
        Ballot(agent="Ada", choice="none", blocked=texts, reason="Nobody asked us."),
        Ballot(agent="Ben", choice=texts[0], blocked=texts[1:]),
        Ballot(agent="Cleo", choice=texts[1], blocked=texts[:1]),
    ]
    told = voted(Told(talk=(), options=texts, agenda=load_agenda("mediation")), *ballots, choices=texts)
    line = next(line for line in report(told).splitlines() if "**Ada** cannot live with" in line)
    assert "then vote”" in line
    assert "then ask”" in line


def test_where_all_texts_are_blocked_the_report_says_why() -> None:
    """A mediation that fails owes its parties what would have to change."""
    ballots = [
        Ballot(agent="Ada", choice=BASE, blocked=(SOFT,), reason="Nobody chose their skills."),
        Ballot(agent="Ben", choice=SOFT, blocked=(BASE,), reason="Nights must be paid."),
        Ballot(agent="Cleo", choice=SOFT),
    ]
    told = voted(Told(talk=(), agenda=load_agenda("mediation")), *ballots)
    text = report(told)
    assert f"**Ben** cannot live with “{BASE}”: “Nights must be paid.”" in text
    assert f"**Ada** cannot live with “{SOFT}”: “Nobody chose their skills.”" in text
    assert text.count("“Nights must be paid.”") == 1, "a reason is told once"
    prompt = report_prompt(
        told.session, told.progress, told.memory, report_of(told.session, told.progress, told.memory)
    )
    assert f"\nagainst Ben cannot live with “{BASE}”: “Nights must be paid.” (ballot)\n" in prompt.own
    assert "Ballot of Ben: " in prompt.own


def test_findings_stand_with_the_messages_behind_them() -> None:
    """A list of findings that cannot be looked up is an opinion."""
    told = Told(talk=[("Ada", f"It is so.\n\n[PROPOSE] {BASE}")], agenda=load_agenda("red-team"))
    told.tell(PhaseStarted(phase="severity"))
    scores: list[dict[str, Any]] = [{BASE: 9.0, SOFT: 2.0}, {BASE: 4.0, SOFT: 3.0}, {BASE: 8.0, SOFT: 1.0}]
    names = ("Ada", "Ben", "Cleo")
    text = report(voted(told, *(Ballot(agent=w, choice=BASE, scores=s) for w, s in zip(names, scores, strict=True))))
    assert f"| **{BASE}** (p1.0) | 7.00 | 3 | Ada, Ben, Cleo | m1 |" in text


def test_a_report_on_polls_says_what_was_held_first_and_how_sure_members_are() -> None:
    """Delphi promises both, and an Oxford debate won by the first."""
    told = oxford()
    text = report(told)
    assert "| Choice | Share gained | First poll | First choices | By whom | Sure (median) |" in text
    assert f"| **{WAIT}** (o2) | 40% | 1 | 3 | Cleo, Dan, Eve | 60% |" in text
    assert (told.verdict.flips, told.verdict.flips_to) == (2, "another winner")


def test_another_rule_than_that_which_decided_is_never_called_the_outcome() -> None:
    """ "No verdict ... the same would have won" contradicts itself."""
    told = Told(talk=(), agenda=load_agenda("oxford"))
    polled(told, 1, MOVE, MOVE, MOVE, MOVE, WAIT)
    polled(told, 2, MOVE, MOVE, MOVE, None, WAIT, after=9)
    told.tell(verdict_of(told.progress, told.memory))
    made = report_of(told.session, told.progress, told.memory)
    helps = made.helped
    assert (helps.before, helps.after, helps.outcome) == (MOVE, MOVE, None)
    assert [(each.who, each.before_id, each.after) for each in helps.differs] == [("Dan", "", None)]


def test_a_text_that_few_put_first_is_not_said_to_be_put_first_by_the_panel() -> None:
    """Consent is that nobody blocks; the panel never put it first, and who preferred another text is no opponent."""
    ballots = [
        Ballot(agent="Ada", choice=BASE, blocked=(SOFT,)),
        *(Ballot(agent=who, choice=SOFT) for who in ("Ben", "Cleo", "Dan", "Eve")),
    ]
    told = voted(Told(talk=(), agenda=load_agenda("mediation")), *ballots)
    made = report_of(told.session, told.progress, told.memory)
    won = f"“{BASE}” won by consent, but no majority put it first. Nobody blocks it. 1 of 5 puts it first. "
    assert made.answer == f"{won}For another text: Ben, Cleo, Dan and Eve."
    assert verdict_lines(told.verdict)[0] == f"verdict: {made.answer}"


def test_a_verdict_that_a_lot_made_says_so_in_its_first_sentence() -> None:
    """Who reads no further takes a coin's side for the panel's."""
    told = Told(settings=Settings(rule="plurality")).votes(Eve=None, Cleo=MOVE)
    made = report_of(told.session, told.progress, told.memory)
    assert "won by plurality, a tie broken by lot, but no majority put it first." in made.answer


@pytest.mark.parametrize(
    ("rule", "title"),
    [
        ("instant-runoff", "Votes in its last round"),
        ("ranked-pairs", "Options below it"),
        ("schulze", "Options below it"),
    ],
)
def test_the_figure_of_a_rule_is_named(rule: str, title: str) -> None:
    """A column of `Figure` with 1 and 0 in it tells nobody what was counted."""
    orders = {"Ada": (BASE,), "Ben": (BASE,), "Cleo": (SOFT, HARD), "Dan": (SOFT, HARD), "Eve": (HARD, SOFT)}
    ballots = [Ballot(agent=who, choice=order[0], ranking=order) for who, order in orders.items()]
    told = voted(Told(talk=(), settings=Settings(rule=rule)), *ballots, choices=(BASE, SOFT, HARD))
    assert f"| {title} |" in report(told)


def test_the_json_of_a_debate_needs_no_second_tool() -> None:
    """Who studies many debates would have to parse logs for what each held when, and whether the talk moved it."""
    told = oxford()
    data = debate_data(told.session.started(), told.progress, told.memory)
    assert [(s["poll"], s["who"], s["choice"], s["confidence"], s["after"]) for s in data["polls"][4:6]] == [
        (1, "Eve", None, 0.6, 0),
        (2, "Ada", MOVE, 0.6, 9),
    ]
    assert (data["helped"]["before"], data["helped"]["after"], data["helped"]["same"]) == (MOVE, WAIT, False)
    assert {"message", "speaker", "direction", "before", "after"} <= set(data["stance_changes"][0])
    assert {"shares", "gini", "differs"} <= set(data["helped"])
    assert orjson.loads(orjson.dumps(data))


def test_a_tie_among_long_proposals_can_be_read() -> None:
    """Three sentences in a row, joined by "and", hide that lots were drawn."""
    texts = tuple(f"{word} the batch in small steps, and look again after three months." for word in ("Move", "Split"))
    ballots = [Ballot(agent=who, choice=text) for who, text in zip(("Ada", "Ben"), texts, strict=True)]
    told = voted(Told(talk=(), settings=Settings(rule="plurality", quorum=0)), *ballots, choices=texts)
    line = next(line for line in verdict_lines(told.verdict) if line.startswith("tie: "))
    assert "“Move the batch in small steps, and…”" in line
    assert len(line) < 220


def test_one_duel_is_no_duels() -> None:
    """ "1 duels won" looks like a program that was never read."""
    ballots = [Ballot(agent=who, choice=BASE, ranking=TEXTS) for who in ("Ada", "Ben", "Cleo")]
    told = voted(Told(talk=(), settings=Settings(rule="copeland")), *ballots)
    assert any(line.endswith(", 1 duel won") for line in verdict_lines(told.verdict))
