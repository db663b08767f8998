"""The first private vote beside the last one, by one instrument; and what the talk took."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st
from told import CHOICES, MOVE, TALK, WAIT, Told, persona

from eda import ConversationMemory, MessagePosted, PhaseStarted, Settings
from eda.cli import cli
from eda.debate.verdict import verdict_of
from eda.events import NONE, Ballot, BallotCast, BallotText, StanceTaken
from eda.panels.agenda import load_agenda
from eda.panels.registry import RULES
from eda.report.effect import Helped, gini, helped
from eda.report.json_data import session_data
from eda.voting import Account, verdict


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


def test_wordings_of_one_motion_that_are_equally_good_are_one_answer() -> None:
    """Of four who put a new text first in the end, the verdict left out the one who had two wordings of it as equal."""
    told = voted(Told(talk=(), settings=Settings(rule="approval")), True, PANEL)
    told.tell(PhaseStarted(phase="ballot"))
    texts = [BallotText(id=f"o{at}", motion=f"o{at}", text=text) for at, text in enumerate(CHOICES, 1)]
    texts += [BallotText(id=f"p6.{at}", motion="p6.0", text=f"{THIRD}{' in May' * at}") for at in range(2)]
    new = (texts[-2].text, texts[-1].text)
    for who, ranking in ({**PANEL, "Dan": (new[0],)} | {"Cleo": (new,)}).items():
        ballot = Ballot(agent=who, choice=None, ranking=ranking, approved=new if who == "Cleo" else ranking)
        told.tell(BallotCast(ballot=ballot, choices=tuple(t.text for t in texts), texts=tuple(texts), first=False))
    told.tell(verdict(Account.cast(told.progress.ballots), "approval", 0.5, 0, list(PANEL)))
    assert [(each.who, each.after_id, each.answer) for each in of(told).new] == [
        ("Cleo", "p6.0", True),
        ("Dan", "p6.0", True),
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
