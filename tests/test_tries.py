"""A vote is asked up to three times, each time more simply; its words are kept, and what is lost is no abstention."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from in_turn import in_one
from test_asked_again import OPTIONS, PANEL, Saying, facts, held, maya

from eda import Debate, Prompt, Reply, Session
from eda.debate.asking import read_vote
from eda.debate.tries import Tries, says_yes
from eda.debate.verdict import Paper
from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import Ballot, BallotCast, BallotText, flat
from eda.panels.settings import Settings
from eda.runners.answer_text import is_vain
from eda.voting import Account, open_to, rule_named, verdict
from eda.voting.ballot_reader import read_ballot

DAYS = ("Saturday morning", "Friday afternoon", "Wednesday morning")
SHORT = Settings(max_messages=9, first_vote=False)
IDS = {"Go now": "o1", "Wait": "o2", "Ask the bank": "o3"}
TEXTS = tuple(BallotText(id=key, motion=key, text=text) for text, key in IDS.items())


def ballot_of(debate: Debate, who: str = "Maya") -> Ballot:
    return next(fact.ballot for fact in facts(debate, BallotCast) if fact.ballot.agent == who)


def test_four_lists_make_a_verdict() -> None:
    """A table said "for 4 of 4", its ballots were lists that a child could read, and the verdict was none."""
    written = ("1. o2\n2. o1", "o2, o1", "I accept: o2, o1, o3.", "o2 > o1")

    def vote(prompt: Prompt) -> str | None:
        return written[prompt.members.index(prompt.agent)] if prompt.purpose == "ballot" else None

    runner = Saying(vote)
    debate = Debate("What now?", (*PANEL, "economist"), runner, options=OPTIONS, settings=SHORT, seed=2)
    debate.run_sync()
    reached = debate.progress.verdict
    assert reached is not None
    assert (reached.outcome, len(reached.tally["Wait"]), reached.unreadable) == ("Wait", 4, ())
    ballots = [fact.ballot for fact in facts(debate, BallotCast)]
    assert [ballot.raw for ballot in ballots] == [(text,) for text in written], "each is read at the first try"
    assert [len(ballot.ranking) for ballot in ballots] == [2, 2, 3, 2]


def test_each_try_is_simpler_and_a_yes_takes_the_reading() -> None:
    """Who is asked three times for the same form fails three times."""
    tries = ("I would settle on o2 I think and after that o1 might", "o2 hmm o1", "Yes.")
    runner = Saying(maya("ballot", *tries))
    debate = held(runner)
    first, second, third = runner.asked("ballot", "Maya")
    assert '{"ranking"' in first.text
    ids = second.text.removeprefix(first.text)
    assert {"o1", "o2", "o3"} <= {*ids.rpartition("\n")[2].split(", ")}
    assert "Read as: o2, o1." in third.text.removeprefix(second.text)
    ballot = ballot_of(debate)
    assert (ballot.choice, ballot.ranking, ballot.raw) == ("Wait", ("Wait", "Go now"), tries)


def test_what_to_adopt_beside_it_is_asked_with_the_reading() -> None:
    """Who said yes to a reading of its order lost what it wanted beside it, and a measure of three failed."""
    runner = Saying(maya("ballot", "o2 hmm o1", "o2 hmm o1", "Yes.\nalso: p5.0"))
    ballot = ballot_of(held(runner))
    assert (ballot.ranking, ballot.invalid) == (("Wait", "Go now"), False)
    assert [text.partition(",")[0] for text in ballot.also] == ["Ask the bank"]
    assert "also:" in runner.asked("ballot", "Maya")[-1].text.rpartition("Read as")[2]


@pytest.mark.parametrize(
    ("third", "choice"), [("o3", "Ask the bank"), ("none", "none"), ("abstain", None), ("No, o1, o3", None)]
)
def test_the_reading_can_be_put_right(third: str, choice: str | None) -> None:
    """A reading that cannot be refused would be a guess."""
    ballot = ballot_of(held(Saying(maya("ballot", "o2 hmm o1", "o2 hmm o1", third))))
    assert ballot.choice == choice
    assert ballot.invalid == third.startswith("No,")


class Asking:
    """Keeps what is asked next."""

    def corrected(self, prompt: Prompt, wrong: str, answer: str, name: str = "again", **values: str) -> Prompt:
        self.read = values.get("read", "")
        return replace(prompt, attempt=prompt.attempt + 1)


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("o2 hmm o1", "o2, o1"),
        *(
            (unclear, "")
            for unclear in ("not o2 hmm o1", "o2 hmm if they pay, o1", "o2 hmm o9", "o2 and o1 tied", "hmm")
        ),
    ],
)
def test_a_reading_is_offered_only_of_what_refuses_nothing_and_names_what_is_there(answer: str, read: str) -> None:
    """A small model says yes to whatever it is shown."""
    asking = Asking()
    tries = Tries(lambda _: (None, "unclear"), TEXTS, asking)
    prompt = Prompt(purpose="ballot")
    for _ in range(2):
        assert tries.read(Reply(answer)) == (None, "unclear")
        prompt = tries.corrected(prompt, "unclear", answer)
    assert asking.read == read


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("1) the long friday 2) normal friday, thx", "p8.1, o2"),
        ("1 wednesday i guess\n2 the long friday", "o3, p8.1"),
        ("1) the long friday 2) not friday", ""),
        ("1) friday 2) normal friday", ""),  # two candidates each
        ("1) the long friday 2) the bishop", ""),
        ("1) p9.9 the long friday 2) wednesday", ""),
        ("the long friday i guess", ""),  # is no list
        ("1) the long friday 2) saturday if it is dry", ""),
    ],
)
def test_a_loose_list_with_one_candidate_an_item_is_read_out_at_once(answer: str, read: str) -> None:
    """Its voter had to write the list anew by ids."""
    texts = (
        *(BallotText(id=f"o{at}", motion=f"o{at}", text=day) for at, day in enumerate(DAYS, 1)),
        BallotText(id="p8.1", motion="p8", title="Friday long, closed by noon", text="The market moves to Friday."),
    )
    asking = Asking()
    tries = Tries(lambda _: (None, "unclear"), texts, asking)
    tries.corrected(Prompt(purpose="ballot"), "unclear", answer)
    assert asking.read == read


def test_yes_is_a_text_and_no_confirmation_where_it_is_one() -> None:
    """A vote for Yes would confirm a reading that says No."""
    runner = Saying(maya("ballot", "hmm yes no", "hmm yes no", "Yes"))
    debate = Debate("Is it safe? Yes or no?", PANEL, runner, options=("Yes", "No"), settings=SHORT, seed=2)
    debate.run_sync()
    assert "Read as" not in runner.asked("ballot", "Maya")[-1].text


def test_yes_alone_says_yes() -> None:
    shown = [BallotText(id=f"o{at}", motion=f"o{at}", text=f"Text {at}.") for at in (1, 2)]
    assert says_yes("Yes.", shown)
    assert says_yes("yep thats it", shown)
    assert says_yes("ja", shown)
    other = ("", "no", "yes and no", "o2", "yes, but o3 first", "o2 ok", "b ok")
    assert not any(says_yes(each, shown) for each in other)


def test_what_is_lost_is_told_apart() -> None:
    """Who could not be read, and who did not come, would stand as people who had no opinion."""
    replies = ["hmm", '{"choice": "abstain"}', '{"choice": "o2"}', None]

    def vote(prompt: Prompt) -> str | None:
        if prompt.purpose != "ballot":
            return None
        reply = replies[prompt.members.index(prompt.agent)]
        if reply is None:
            raise RunnerError("gone")
        return reply

    debate = Debate("What now?", (*PANEL, "economist"), Saying(vote), options=OPTIONS, settings=SHORT, seed=2)
    debate.run_sync()
    reached, titles = debate.progress.verdict, [each.title for each in debate.members]
    assert reached is not None
    assert (reached.unreadable, reached.abstained, reached.missing) == ((titles[0],), (titles[1],), (titles[3],))
    assert reached.outcome is None
    assert "o2" in reached.open_to  # one vote of four is no quorum, and three would be one
    assert (ballot_of(debate, titles[0]).raw, ballot_of(debate, titles[3]).raw) == (("hmm",) * 3, ())


def lost(
    *firsts: str | None, lost: int = 1, answer: str = "one", rule: str = "majority", quorum: float = 0.5
) -> tuple[str, ...]:
    ballots = [
        Ballot(agent=f"v{at}", choice=first, ranking=(first,) if first else (), approved=(first,) if first else ())
        for at, first in enumerate(firsts)
    ]
    ballots += [Ballot(agent=f"x{at}", choice=None, invalid=True) for at in range(lost)]
    account = Account(ballots, texts=TEXTS, answer=answer)
    members = [ballot.agent for ballot in ballots]
    found = open_to(account, rule_named(rule), quorum, 1, len(members))
    assert verdict(account, rule, quorum, 1, members).open_to == found
    return found


def test_lost_ballots_that_could_change_the_outcome_are_counted_out() -> None:
    """A verdict that hangs on what nobody could read would stand as sure."""
    assert lost("Wait", "Wait", "Wait", "Go now") == ()
    assert lost("Wait", "Wait", "Go now") == ("no verdict",)
    assert lost("Wait", "Wait", "Go now", lost=2) == ("o1", "no verdict")
    assert lost("Wait", "Wait", lost=2, quorum=0.6) == ("o2",)  # no quorum without them
    assert lost("Wait", lost=0) == ()
    assert lost("Wait", "Wait", "Go now", rule="plurality", lost=0) == ()
    assert "o1" in lost("Wait", "Go now", rule="plurality")
    assert lost("Wait", "Wait", answer="list") == ()
    assert "o1" in lost("Go now", "Wait", answer="list")


class Paid(Saying):
    """Its replies would cost something a second time."""

    deterministic = False


def test_a_vote_that_a_pause_cuts_between_two_tries_goes_on_as_if_it_had_not(tmp_path: Path) -> None:
    """A reply that is paid for would be asked for again, or its words be lost."""
    replies = ("hmm", "o2 hmm o1", "yes")
    broken = [True]

    def vote(prompt: Prompt) -> str | None:
        if (prompt.purpose, prompt.agent) != ("ballot", "Maya"):
            return None
        if prompt.attempt == 2 and broken.pop() if broken else False:
            raise RunnerUnavailableError("no credit")
        return replies[prompt.attempt - 1]

    whole = ballot_of(held(Saying(maya("ballot", *replies))))
    with Session.create("cut", tmp_path) as session:
        debate = Debate("What now?", PANEL, Paid(vote), options=OPTIONS, settings=SHORT, seed=2, session=session)
        with pytest.raises(RunnerUnavailableError):
            debate.run_sync()
    again = Paid(vote)
    with Session.open("cut", tmp_path) as session:
        debate = Debate.resume(session, again)
        debate.run_sync()
        assert ballot_of(debate) == whole
    assert whole.raw == replies
    assert [prompt.attempt for prompt in again.asked("ballot", "Maya")] == [2, 3]


@in_one(
    ("answer", "ranking", "also"),
    [
        ("My ballot:\n1. o2\n2. p1.0\nAlso: p3.0\n\nThank you!", ("Wait", "Go now"), ("Ask the bank",)),
        ("ranking: o2, p1.0\nalso: p3.0\nmoved_by: m1\nreason: cheap", ("Wait", "Go now"), ("Ask the bank",)),
        ("**I accept:** o2\n**Also:**\n- p3.0\n- p1.0", ("Wait",), ("Ask the bank", "Go now")),
        *((f"o2\nalso: {no}", ("Wait",), ()) for no in ("none", "Nichts.", "gar nichts", "nein danke", "no", "-")),
        ("o2\nalso: nichts gegen p3.0", None, None),
        ("Quick one:\n1. o2\n2. p1.0\nand besides: p3.0", ("Wait", "Go now"), ("Ask the bank",)),
        ("1. o2\n2. p1.0\nBeside it: p3.0", ("Wait", "Go now"), ("Ask the bank",)),
        ("1. o2\n2. p1.0\n**Und daneben:** p3.0", ("Wait", "Go now"), ("Ask the bank",)),
        ("o2\nbeside it p3.0", None, None),
        ("First o2, then p1.0 if it fails. p3.0 should be adopted as well.", ("Wait", "Go now"), ("Ask the bank",)),
        ("My vote goes to o2, and I would have p3.0 adopted beside it; p1.0 I refuse", ("Wait",), ("Ask the bank",)),
        ("o2 and p3.0 should be adopted as well", None, None),
        ("o2. I doubt that p3.0 should be adopted too.", None, None),
        ("o2. p3.0 should be adopted as well as p1.0.", None, None),
        ("o2. p3.0 should be adopted too, if they pay.", None, None),
        ("o2. Some say p3.0 should be adopted as well.", None, None),
        ("o2. p1.0, p3.0 should be adopted as well", None, None),
        ("o2, p1.0, and p3.0 should be adopted as well", None, None),
        ("o2. I would have liked p3.0 adopted as well", None, None),
        ("o2. I would have p3.0 adopted too, had it a price", None, None),
        ("1. o2\n2. p1.0 and besides: p3.0", None, None),
        ("o2\nalso: p3.0, p1.0\n\nMfG Ewald", ("Wait",), ("Ask the bank", "Go now")),
        ("o2\nalso: p3.0 if they pay", None, None),
        ("o2\nalso: o9", None, None),
        ("o2\nalso: o2", ("Wait",), ()),
        ("My ballot: o2. Besides: p3.0. Moved by m2.", ("Wait",), ("Ask the bank",)),
        ("My ballot: o2. Besides: p3.0, p1.0.", ("Wait",), ("Ask the bank", "Go now")),
        ("o2. Besides: p3.0. Not p1.0.", ("Wait",), ("Ask the bank",)),
        ("o2, but the bank (p3.0) I'd like adopted beside it.", ("Wait",), ("Ask the bank",)),
        *(
            (f"o2. {beside}", None, None)
            for beside in (
                *("Besides: p3.0 is too dear.", "Besides: p3.0 if it is cheap.", "Besides, p3.0 leaks."),
                *("Besides: not p3.0.", "Besides: p3.0 or p1.0.", "Besides: p3.0?", "Besides: p3.0, I refuse p1.0."),
                *("Besides: p3.0. No, p1.0.", "Besides: p3.0. Besides: p1.0.", "Nothing besides: p3.0."),
                *("Besides: o9.", "Sam says besides: p3.0.", "Besides: p3.0 and p1.0 please", '"Besides: p3.0."'),
            )
        ),
        *(
            (f"o2, {beside}", None, None)
            for beside in (
                *("but p3.0 I'd like adopted too if cheap.", "but the bank (p3.0) I'd never like adopted too."),
                *("and Sam says p3.0 I'd like adopted too.", "if the bank (p3.0) I'd like adopted too."),
                *(
                    "but the bank (p3.0) Sam would like adopted too.",
                    "but some say the bank I'd like adopted too.",
                ),
                *("but the barrels I'd like adopted too.", "but p3.0 or p1.0 I'd like adopted too."),
            )
        ),
    ],
)
def test_a_line_also_names_what_is_wanted_beside_the_answer(
    answer: str, ranking: tuple[str, ...] | None, also: tuple[str, ...] | None
) -> None:
    """Three of four wanted a measure beside the answer in lists; one of them counted as a third choice."""
    ids = zip(("p1.0", "o2", "p3.0"), IDS, strict=True)
    texts = tuple(BallotText(id=key, motion=key, text=text) for key, text in ids)
    tries = Tries(lambda reply: read_vote(reply.data, reply.text, texts), texts, Asking(), paper=Paper(texts))
    fields, wrong = tries.read(Reply(answer))
    assert (fields is None) == (ranking is None)
    assert bool(wrong) == (fields is None or "also: o2" in answer)
    assert fields is None or (fields["ranking"], fields["also"]) == (ranking, also)


@pytest.mark.parametrize("no", ["nichts", ["Nichts"], "nein", "sonst nichts"])
def test_nothing_beside_the_answer_is_said_in_german_too_and_is_no_word_of_a_vote(no: str | list[str]) -> None:
    """ "also: nichts" was asked about twice; in a vote it may say that nothing is refused."""
    fields, wrong = read_vote({"ranking": ["o2"], "also": no}, "", TEXTS)
    assert (fields and fields["also"], wrong) == ((), "")
    assert read_vote(None, "Ich lehne nichts ab: o2, o1", TEXTS)[0] is None


def test_a_second_question_asks_what_is_wanted_beside_the_answer_too() -> None:
    """A measure that a voter wanted beside the answer was lost, since the question asked for accepted texts alone."""
    runner = Saying(maya("ballot", "what a lot of texts", "o2\nalso: p8.0"))
    debate = Debate("What now?", PANEL, runner, options=OPTIONS, settings=SHORT, seed=2)
    debate.run_sync()
    assert "also:" in runner.asked("ballot", "Maya")[-1].own
    assert ballot_of(debate).choice == "Wait"
    assert [text.partition(",")[0] for text in ballot_of(debate).also] == ["Ask the bank"]


def test_a_reason_in_a_line_of_its_own_may_name_another_text() -> None:
    """What the reason says of a text that is left out kept a whole ballot from being read."""
    texts = [{"id": each.id, "text": each.text} for each in TEXTS]
    assert read_ballot("I accept: o2\nReason: it lasts; o1 lands on the same district.", texts).accepts == ["o2"]


def test_ids_alone_are_asked_without_the_schema_that_forbids_them() -> None:
    """The second form asked for ids and nothing else, and a server was told to give an object."""
    runner = Saying(maya("ballot", "hmm", "o2, o1"))
    held(runner)
    first, second = runner.asked("ballot", "Maya")
    assert first.strict is not None
    assert (second.strict, second.answer) == (None, None)
    form = '{"ranking": ["o2", "o1"], "reason": "cheap"}'
    assert not is_vain(second, form)  # many a model answers in the first form all the same
    assert ballot_of(held(Saying(maya("ballot", "hmm", form)))).ranking == ("Wait", "Go now")


@pytest.mark.parametrize(("second", "kept"), [("o2, o1", True), ("o2 = o1", True), ("o1, o2", False)])
def test_the_reason_and_the_mover_of_a_first_form_in_words_are_kept(second: str, kept: bool) -> None:
    """The second form asks for ids alone: what the same voter wrote before stood nowhere on its ballot."""
    first = "o2 hmm o1. Sam moved me, in m2. Reason: the bank is slow."
    ballot = ballot_of(held(Saying(maya("ballot", first, second))))
    assert flat(ballot.ranking)[0] == {"o2": "Wait", "o1": "Go now"}[second[:2]]
    assert (ballot.moved_by, ballot.reason) == ((2, "the bank is slow.") if kept else (None, ""))


@pytest.mark.parametrize(("named", "reason"), [("p80", "it is cheap"), ("Free beer for all", "")])
def test_the_reason_for_something_else_is_none_for_the_text_named_when_asked_again(named: str, reason: str) -> None:
    """ "It fills every pub", of free beer for all, stood beside a vote for another text."""
    first = json.dumps({"choice": named, "ranking": [named], "moved_by": "m2", "reason": "it is cheap"})
    ballot = ballot_of(held(Saying(maya("ballot", first, "o2, o1"))))
    assert (ballot.ranking[0], ballot.moved_by, ballot.reason) == ("Wait", 2, reason)


@pytest.mark.parametrize(
    ("line", "sure"),
    [
        ("Confidence: high", None),
        ("Confidence: 70 %", 0.7),
        ("Confidence: high in the bank", None),
        ("Sicherheit: hoch", None),
        ("Sicherheit 80.", 0.8),
        ("Sicherheit 80 cm", None),
        ("Confidence: highway", None),
    ],
)
def test_how_sure_a_voter_is_only_a_figure_of_its_own_says(line: str, sure: float | None) -> None:
    """ "Confidence: high" was stored as 0.8, a figure that nobody had given."""
    fields, _ = read_vote(None, f"My ballot:\n\n1. o2\n\nMoved by: m8\n{line}\nReason: cheap.", TEXTS)
    assert fields is not None
    assert (fields["choice"], fields["moved_by"], fields["confidence"]) == ("Wait", 8, sure)


def test_a_mover_is_kept_where_the_first_form_named_its_text_by_title() -> None:
    """A ballot that named its first choice by title and its mover was asked for ids, and the mover was lost."""
    lunch = BallotText(id="p11.0", motion="p9.0", text="We hold it at the Linde, with trout.", title="Lunch and trout")

    def read(reply: Reply) -> tuple[dict[str, object] | None, str]:
        if reply.data:
            return {"choice": lunch.text, "moved_by": reply.data["moved_by"]}, ""
        ids = reply.text == "p11.0, o2"
        return ({"choice": lunch.text, "ranking": (lunch.text, "Wait")}, "") if ids else (None, "unclear")

    tries = Tries(read, (lunch, *TEXTS), None)  # type: ignore[arg-type]
    assert tries.read(Reply("1. Lunch and trout - my trout!\n2. o2\n\nMoved by: m11"))[0] is None
    fields, _ = tries.read(Reply("p11.0, o2"))
    assert fields is not None
    assert fields["moved_by"] == "m11"
