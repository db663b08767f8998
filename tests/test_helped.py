"""The first private vote beside the last one, by one instrument; and what the talk took."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_anthropic import Fail, FakeAnthropic, Say
from hypothesis import given
from hypothesis import strategies as st
from told import CHOICES, MOVE, TALK, WAIT, Told, asked, persona

from eda import ConversationMemory, MessagePosted, PhaseStarted, Session, Settings
from eda.cli import cli
from eda.debate.baseline import MOST_ANSWERS, take_baseline
from eda.debate.replay import progress_of
from eda.debate.verdict import verdict_of
from eda.events import NONE, Ballot, BallotCast, BallotText, BaselineTaken, CallMade, SettingChanged, StanceTaken
from eda.panels.agenda import load_agenda
from eda.panels.registry import RULES
from eda.report.effect import Helped, gini, helped
from eda.report.effect_words import baseline_words
from eda.report.json_data import session_data
from eda.runners.simulated.runner import SimulatedRunner
from eda.voting import Account, verdict
from eda.words import ENGLISH


def of(told: Told) -> Helped:
    found = helped(told.progress, told.memory)
    assert found is not None
    return found


def voted(told: Told, first: bool, given: dict[str, tuple[str, ...]], moved: dict[str, int] | None = None) -> Told:
    """One ballot: what each accepts, best first; `none` for nobody's text."""
    texts = tuple(BallotText(id=f"o{at}", motion=f"o{at}", text=text) for at, text in enumerate(CHOICES, 1))
    texts += (BallotText(id="p6.0", motion="p6.0", text=THIRD),) if not first else ()
    told.tell(PhaseStarted(phase="first ballot" if first else "ballot"))
    for who, ranking in given.items():
        choice = next(iter(ranking), None)
        accepted = () if choice == NONE else ranking
        ballot = Ballot(agent=who, choice=choice, ranking=accepted, approved=accepted, moved_by=(moved or {}).get(who))
        told.tell(BallotCast(ballot=ballot, choices=tuple(t.text for t in texts), texts=texts, first=first))
    return told


THIRD = "Move the invoices alone"
PANEL = {"Ada": (MOVE, WAIT), "Ben": (WAIT,), "Cleo": (MOVE,), "Dan": (MOVE,), "Eve": (WAIT,)}


def twice(after: dict[str, tuple[str, ...]], rule: str = "majority", **moved: int) -> Told:
    """The same private ballot before the first message and at the end."""
    told = voted(Told(talk=(), settings=Settings(rule=rule)), True, PANEL)
    for number, (who, text) in enumerate(TALK, 1):
        told.tell(MessagePosted(number=number, who=who, text=text))
    voted(told, False, {**PANEL, **after}, moved)
    return told.tell(verdict(Account.cast(told.progress.ballots), rule, 0.5, 0, list(PANEL)))


def test_who_votes_otherwise_at_the_end_is_named_with_the_message_that_it_names() -> None:
    """ "Petra changed her mind (after Tomas)", who had named Maya."""
    helps = of(twice({"Ada": (WAIT, MOVE), "Dan": (WAIT,)}, Ada=6))
    assert [(d.who, d.before_id, d.after_id, d.moved_by) for d in helps.differs] == [
        ("Ada", "o1", "o2", 6),
        ("Dan", "o1", "o2", None),
    ]
    assert (helps.before, helps.after, helps.stayed) == (MOVE, WAIT, ("Ben", "Cleo", "Eve"))


def test_where_nobody_votes_otherwise_it_says_who_led_before() -> None:
    """A debate that moved nobody would look as useful as one that did."""
    helps = of(twice({}))
    assert (helps.differs, helps.compared, helps.same) == ((), 5, True)


def test_a_text_that_was_not_offered_before_is_compared_with_nothing() -> None:
    """A vote for a text of the debate's own would be read as a change of mind."""
    helps = of(twice({"Cleo": (THIRD, MOVE), "Dan": (THIRD,)}, Dan=4))
    assert ([each.who for each in helps.new], helps.compared, helps.differs) == (["Cleo", "Dan"], 3, ())
    assert helps.stayed == ("Ada", "Ben", "Eve")
    other = of(twice({"Ada": (THIRD,), "Cleo": (THIRD, MOVE), "Dan": (THIRD,)}, Dan=4))
    assert other.outcome == THIRD
    assert [(d.who, d.before_id, d.after_id, d.moved_by) for d in other.new] == [
        ("Ada", "o1", "p6.0", None),
        ("Cleo", "o1", "p6.0", None),
        ("Dan", "o1", "p6.0", 4),
    ]


def test_where_all_votes_are_for_what_is_new_it_is_told_what_each_held_before() -> None:
    """ "None differs" would hide that the whole panel left what it had chosen first."""
    helps = of(twice(dict.fromkeys(PANEL, (THIRD,)), Eve=2))
    assert (helps.compared, len(helps.new)) == (0, 5)
    assert ("Eve", "o2", "p6.0", 2) in [(d.who, d.before_id, d.after_id, d.moved_by) for d in helps.new]


def test_none_and_an_abstention_are_votes_of_their_own() -> None:
    """Who comes to accept nothing would vanish from the comparison."""
    helps = of(twice({"Ada": (NONE,), "Ben": ()}))
    assert [(d.who, d.before, d.after) for d in helps.differs] == [("Ada", MOVE, NONE), ("Ben", WAIT, None)]


def test_a_tie_in_the_first_ballot_is_told_as_a_tie() -> None:
    """A lot, or the one who sits first, would be called the majority."""
    told = voted(Told(talk=(), settings=Settings(rule="plurality")), True, {**PANEL, "Dan": ()})
    told.tell(MessagePosted(number=1, who="Ada", text="The batch is late."))
    voted(told, False, PANEL).tell(verdict_of(told.progress, told.memory))
    helps = of(told)
    assert (helps.before, set(helps.before_level)) == (None, set(CHOICES))


def test_without_a_first_ballot_nothing_is_compared_and_it_says_so() -> None:
    """What openings say in prose would be counted as votes."""
    told = Told().votes()
    helps = of(told)
    assert (helps.basis, helps.why, helps.differs) == ("none", "no first ballot", ())
    again = ConversationMemory.from_json(told.memory.to_json(), fact=told.session.fact)
    assert helped(told.progress, again) == helps


FIXED = [(("A", "C", "B"), 3), (("B", "C", "A"), 2), (("C", "B", "A"), 2)]


def ask_twice(rule: str, first: list[tuple[str, ...]], last: list[tuple[str, ...]]) -> Helped:
    """A panel whose minds are known, asked by the same ballot before and after messages that nobody heeds."""
    members = tuple(persona(f"M{at}", "member") for at in range(len(first)))
    texts = tuple(BallotText(id=f"o{at}", motion=f"o{at}", text=text) for at, text in enumerate("ABC", 1))
    settings = Settings(rule=rule, judge="M0" if rule == "judge" else "")
    told = Told(talk=(), members=members, options=("A", "B", "C"), settings=settings)
    for at, votes in enumerate((first, last)):
        told.tell(PhaseStarted(phase="first ballot" if not at else "ballot"))
        for member, ranking in zip(members, votes, strict=True):
            scores = {text: 10.0 - 4 * place for place, text in enumerate(ranking)} if rule == "score" else {}
            ballot = Ballot(agent=member.title, choice=ranking[0], ranking=ranking, approved=ranking, scores=scores)
            told.tell(BallotCast(ballot=ballot, choices=tuple("ABC"), texts=texts, first=not at))
        if not at:
            told.tell(MessagePosted(number=1, who="M0", text="I say what I always say."))
    ballots = [cast.ballot for cast in told.progress.ballots]
    who, judge = [member.title for member in members], settings.judge
    told.tell(verdict(Account(ballots, list("ABC"), texts), rule, 0.5, 3, who, judge=judge))
    return of(told)


@pytest.mark.parametrize("rule", sorted(RULES.names()))
def test_seven_fixed_minds_differ_under_no_rule(rule: str) -> None:
    """First choices before and full rankings after made six rules report that talk had changed the outcome."""
    minds = [ranking for ranking, times in FIXED for _ in range(times)]
    helps = ask_twice(rule, minds, minds)
    assert (helps.differs, helps.new, helps.compared) == ((), (), 7)
    assert helps.before_level or helps.before == helps.after


def test_noise_is_said_to_differ_and_never_to_have_been_caused() -> None:
    """In twelve of sixty panels that voted at random, talk was said to have changed the outcome."""
    for seed in range(60):
        draw = random.Random(seed)
        first, last = ([tuple(draw.sample("ABC", 3)) for _ in range(5)] for _ in range(2))
        helps = ask_twice("majority", first, last)
        assert len(helps.differs) == sum(one[0] != two[0] for one, two in zip(first, last, strict=True))


def test_a_debate_with_polls_compares_the_first_with_the_last() -> None:
    """Oxford debates compare two polls; their rule needs both, so majority counts each."""
    told = Told(talk=(), agenda=load_agenda("oxford"))
    for poll, held in ((1, (MOVE, MOVE, MOVE, WAIT, None)), (2, (WAIT, MOVE, MOVE, WAIT, WAIT))):
        told.tell(
            *(
                StanceTaken(who=member.title, poll=poll, choices=CHOICES, choice=choice, after=poll - 1)
                for member, choice in zip(told.session.started().members, held, strict=True)
            )
        )
    told.tell(verdict_of(told.progress, told.memory))
    helps = of(told)
    assert (helps.basis, helps.rule, helps.before, helps.after) == ("poll", "majority", MOVE, WAIT)
    assert {each.who: each.before for each in helps.differs} == {"Ada": MOVE, "Eve": None}


def test_a_poll_after_the_vote_that_counts_is_no_poll_before_it() -> None:
    """A tally would tell what members thought last as what they came from."""
    told = Told(talk=()).tell(PhaseStarted(phase="ballot"))
    told.tell(BallotCast(ballot=Ballot(agent="Ada", choice=MOVE), choices=CHOICES))
    told.tell(StanceTaken(who="Ada", poll=1, choices=CHOICES, choice=WAIT, after=1))
    assert verdict_of(told.progress, told.memory).before == {}


def test_shares_are_of_words_and_count_who_said_nothing() -> None:
    """A member that never spoke would vanish from its own participation figures."""
    found = of(Told(talk=TALK[:4]).votes())
    shares = {share.who: share for share in found.shares}
    assert (shares["Eve"].messages, shares["Eve"].words) == (0, 0)
    assert sum(share.share for share in found.shares) == pytest.approx(1)
    assert shares["Ada"].words == len(TALK[0][1].partition("\n\n")[0].split())


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=8))
def test_the_gini_coefficient_is_what_its_definition_says(words: list[int]) -> None:
    """A figure that researchers quote must be theirs: 0 where all are equal, below 1 - 1/n, scale free."""
    found = gini(words)
    assert -1e-12 <= found <= 1 - 1 / len(words) + 1e-12
    assert gini([7 * count for count in words]) == pytest.approx(found)
    assert gini([5] * len(words)) == pytest.approx(0)
    assert gini([0, 0, 0, 9]) == pytest.approx(0.75)


def test_it_stands_under_the_verdict_wherever_that_is_shown(tmp_path: Path) -> None:
    """Whoever reads a verdict must see what the talk changed, on a screen, later, and in a program."""
    run: Callable[..., str] = lambda *words: CliRunner().invoke(cli, [*words, "--sessions", str(tmp_path)]).stdout  # noqa: E731 - three calls of one line
    live = run("debate", "Should we wait?", "--session", "one", "--seed", "5")
    assert live.index("verdict: ") < live.index("\nhow: ") < live.index("\nhow sure: ")
    shown = run("show", "one")
    assert shown.index("\nVerdict") < shown.index("\nHow it came to this") < shown.index("\nHow sure to be")
    data = json.loads(run("show", "one", "--json"))
    assert data["helped"]["members"] == 5
    assert [each["who"] for each in data["helped"]["differs"]] == sorted(
        (each["who"] for each in data["helped"]["differs"]), key=[m["title"] for m in data["members"]].index
    )


def test_a_debate_without_a_verdict_has_nothing_to_compare() -> None:
    """`eda show` of a session that was stopped would fail."""
    told = Told()
    assert helped(told.progress, told.memory) is None
    data = session_data(told.session.started(), told.progress, told.memory, told.session.events())
    assert data["helped"] is None


def single(choice: str) -> Say:
    return Say(f"It depends.\n\nANSWER: {choice}", usage={"input_tokens": 900, "output_tokens": 100})


def baseline_of(told: Told, fake: FakeAnthropic) -> str:
    return asyncio.run(asked(fake, lambda runner: take_baseline(told.progress, runner, told.tell)))


def test_the_baseline_asks_the_question_alone_for_as_many_tokens(fake: FakeAnthropic) -> None:
    """A panel that does no better than ten answers at its own cost should not be run."""
    told = Told().votes()
    fake.play(
        *[single(MOVE)] * 6, *[single(WAIT)] * 2, Say("No line.", usage={"input_tokens": 900, "output_tokens": 99})
    )
    assert baseline_of(told, fake) == ""
    taken = told.progress.baseline
    assert taken is not None
    assert (len(taken.answers), taken.outcome) == (9, MOVE)  # 10,000 tokens, 1,000 an answer, and one to spare
    assert [answer.choice for answer in taken.answers].count(None) == 1
    sent = str(fake.requests[0]["messages"])
    assert WAIT in sent
    assert "Oskar" not in sent
    assert "of 9 single answers at 9.0k tokens, 6 take" in baseline_words(of(told), ENGLISH)


def test_short_answers_are_asked_for_until_they_took_as_much(fake: FakeAnthropic) -> None:
    """Twenty answers of a sentence are a tenth of what the debate took: no comparison at equal cost."""
    told = Told().votes()
    short = Say(f"ANSWER: {MOVE}", usage={"input_tokens": 100, "output_tokens": 100})
    fake.play(*[short] * 30, *[Fail(400)] * MOST_ANSWERS)
    assert baseline_of(told, fake) == ""
    taken = told.progress.baseline
    assert taken is not None
    assert (len(taken.answers), taken.unsteady) == (20, (0, 5))  # and each of five members twice
    assert len(fake.requests) <= 40, "a server that fails is not asked for ever"
    fake.play(*[short] * MOST_ANSWERS)
    assert baseline_of(told, fake) == ""
    assert told.progress.baseline is not None
    assert (len(told.progress.baseline.answers), told.progress.baseline.tokens) == (39, 9_800)


def test_members_who_are_asked_alone_show_how_steady_their_answers_are(fake: FakeAnthropic) -> None:
    """A member that answers otherwise when it is asked again would be taken for one that was convinced."""
    told = Told().votes()
    first, again = [MOVE, MOVE, MOVE, WAIT, WAIT], [MOVE, WAIT, MOVE, WAIT, WAIT]
    short = {"input_tokens": 100, "output_tokens": 10}
    fake.play(*(Say(f"ANSWER: {each}", usage=short) for each in (MOVE, *first, *again, *[MOVE] * MOST_ANSWERS)))
    assert baseline_of(told, fake) == ""
    taken = told.progress.baseline
    assert taken is not None
    assert [each.who for each in taken.reasked] == [*told.progress.members] * 2
    assert sum(map(len, (taken.answers, taken.reasked))) == len(fake.requests)
    sent = [str(request["messages"]) for request in fake.requests[1:11]]
    assert all(sum(f"You are {who}" in text for text in sent) == 2 for who in told.progress.members)
    spoken = [event.text for event in told.session.events() if isinstance(event, MessagePosted)]
    assert spoken
    assert not any(said in text for said in spoken for text in sent)
    assert taken.tokens <= told.progress.spent.tokens
    differ, twice = taken.unsteady
    line = baseline_words(of(told), ENGLISH)
    assert f"asked twice without talk, {differ} of {twice} members changed the answer, most take" in line
    assert progress_of(told.session).baseline == taken


def test_the_baseline_is_no_part_of_what_the_debate_took(fake: FakeAnthropic) -> None:
    """The comparison would make the debate look twice as dear, and use its budget up."""
    told = Told().votes()
    before = (told.progress.spent.tokens, told.progress.spent.calls)
    fake.play(*[single(WAIT)] * MOST_ANSWERS)
    baseline_of(told, fake)
    assert (told.progress.spent.tokens, told.progress.spent.calls) == before
    assert told.progress.aside.calls == 9
    again = progress_of(told.session)
    assert (again.baseline, again.spent) == (told.progress.baseline, told.progress.spent)


def test_answers_that_are_level_have_no_outcome_and_failed_ones_are_left_out(fake: FakeAnthropic) -> None:
    """Chance would decide what the panel is measured against."""
    told = Told().votes()
    fake.play(single(MOVE), single(WAIT), *[Fail(400)] * 9)
    assert baseline_of(told, fake) == ""
    taken = told.progress.baseline
    assert taken is not None
    assert (len(taken.answers), taken.outcome) == (2, None)
    assert "no choice has the most" in baseline_words(of(told), ENGLISH)


def test_a_baseline_that_cannot_be_taken_leaves_the_verdict(fake: FakeAnthropic) -> None:
    """A server that fails after the debate must not cost the debate."""
    told = Told().votes()
    fake.play(Fail(400, message="no such model"))
    assert "no such model" in baseline_of(told, fake)
    assert told.progress.baseline is None
    assert not [
        event
        for event in told.session.events()
        if isinstance(event, BaselineTaken | CallMade) and event.seq > told.verdict.seq
    ]


def test_a_baseline_that_credit_does_not_last_for_is_none(fake: FakeAnthropic) -> None:
    """A few answers would stand beside a panel that took ten times as much, and a dead key would be tried on."""
    told = Told().votes()
    fake.play(single(MOVE), *[Fail(400, message="Your credit balance is too low.")] * MOST_ANSWERS)
    assert "credit balance" in baseline_of(told, fake)
    assert told.progress.baseline is None
    assert len(fake.requests) == 1 + 5  # those that were asked side by side
    assert told.progress.aside.calls == 1


def test_another_round_has_another_baseline(fake: FakeAnthropic) -> None:
    """The second verdict of a session would be compared with answers to the first one's choices."""
    told = Told().votes()
    fake.play(*[single(WAIT)] * MOST_ANSWERS)
    baseline_of(told, fake)
    told.tell(SettingChanged(settings=Settings())).votes(Ada=WAIT)
    assert of(told).baseline is None


def test_a_baseline_is_asked_for_where_somebody_can_answer(tmp_path: Path) -> None:
    """The simulated panel has no answers of its own, and a comparison with them would be a lie."""
    found = CliRunner().invoke(
        cli, ["debate", "Is it?", "--baseline", "--runner", "simulated", "--sessions", str(tmp_path)]
    )
    assert (found.exit_code, "is not one" in found.stderr) == (2, True)
    assert not list(tmp_path.iterdir())
    told = Told().votes()
    asyncio.run(take_baseline(told.progress, SimulatedRunner(), told.tell))
    assert told.progress.baseline is not None
    assert told.progress.baseline.outcome is None


def test_the_baseline_of_a_saved_session_needs_a_verdict() -> None:
    """There is nothing that single answers could be compared with."""
    told = Told(Session.in_memory())
    assert (
        asyncio.run(take_baseline(told.progress, SimulatedRunner(), told.tell))
        == "there is no verdict to compare it with"
    )
