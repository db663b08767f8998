"""What cannot be read, is empty or is no speech is asked for once more, with the fault and the first answer."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from in_turn import in_one

from eda import Debate, Prompt, Reply
from eda.debate.asking import CALLS_A_TURN, Answer, ask_for_fields, read_vote
from eda.debate.prompts.texts import Prompts
from eda.debate.speech import REFUSED, no_speech
from eda.debate.tries import Tries
from eda.errors import RunnerUnavailableError
from eda.events import BallotCast, BallotText, BidsTaken, CallMade, MessagePosted, StanceTaken, TurnFailed, TurnPassed
from eda.panels.settings import Settings
from eda.runners.protocol import OnText
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.runners.simulated.runner import SimulatedRunner
from eda.text import Read

PANEL = ("sceptic", "historian", "pragmatic-engineer")
OPTIONS = ("Go now", "Wait", "Ask the bank")
GOOD = '{"choice": "Wait", "reason": "r", "confidence": 0.7}'
BID = '{"wants": true, "urgency": 0.7, "reason": "I know it"}'
REFUSAL = "I'm sorry, but I can't help with that."


class Saying(SimulatedRunner):
    """The simulated panel, but for the replies that a test gives."""

    def __init__(self, given: Callable[[Prompt], str | None]) -> None:
        self.prompts: list[Prompt] = []
        self._given = given

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.prompts.append(prompt)
        text = self._given(prompt)
        return await super().run(prompt, on_text) if text is None else Reply(text)

    def asked(self, purpose: str, agent: str) -> list[Prompt]:
        return [prompt for prompt in self.prompts if (prompt.purpose, prompt.agent) == (purpose, agent)]


def held(runner: object, agenda: str = "panel", **settings: object) -> Debate:
    chosen = Settings.model_validate({"max_messages": 6, "first_vote": False, **settings})
    debate = Debate("What now?", PANEL, runner, options=OPTIONS, settings=chosen, seed=2, agenda=agenda)
    debate.run_sync()
    return debate


def facts(debate: Debate, kind: type) -> list:
    return [event for event in debate.session.events() if isinstance(event, kind)]


def maya(purpose: str, *replies: str) -> Callable[[Prompt], str | None]:
    """Replies of Maya's to a purpose, in turn, by the attempt; the last of them for all further attempts."""
    return lambda p: replies[p.attempt - 1] if (p.purpose, p.agent) == (purpose, "Maya") else None


def test_who_is_asked_again_sees_the_fault_and_the_answer() -> None:
    """Without it a member guesses what was wrong, and writes the same again."""
    runner = Saying(maya("ballot", '{"choice": "Wait or Go now"}', GOOD))
    debate = held(runner)
    first, second = runner.asked("ballot", "Maya")
    assert second.text.startswith(first.text)
    remark = second.text.removeprefix(first.text)
    assert "it is not clear in which order the ballot accepts " in remark
    assert '\n    {"choice": "Wait or Go now"}\n' in remark
    cast = next(fact.ballot for fact in facts(debate, BallotCast) if fact.ballot.agent == "Maya")
    assert (cast.choice, cast.invalid) == ("Wait", False)


@pytest.mark.parametrize(
    ("ranking", "ids", "kept"),
    [
        (["o2", "p9.9"], "o2", ("the bank waits", 0.8, 2)),
        (["o2", "p9.9"], "o1", ("", None, None)),
        (["Wait", "p9.9"], "o2", ("the bank waits", 0.8, 2)),  # by its title
        (["Wait", "p9.9"], "o1", ("", None, None)),
        (["p9.9"], "o1", ("the bank waits", None, 2)),
        (["borrow a van"], "o1", ("", None, 2)),  # it was sure of a text that nobody put, and gave a reason for that
        (["Wait or Go now"], "o1", ("", None, None)),
    ],
)
def test_ids_alone_keep_the_reason_that_stood_beside_no_other_text(
    ranking: list[str], ids: str, kept: tuple[str, float | None, int | None]
) -> None:
    """A voter who had named one text too many, or none of them, lost its reason by answering as it was asked to."""
    said = {"also": [], "moved_by": "m2", "confidence": 0.8, "reason": "the bank waits"}
    debate = held(Saying(maya("ballot", json.dumps({"ranking": ranking, **said}), ids)))
    cast = next(fact.ballot for fact in facts(debate, BallotCast) if fact.ballot.agent == "Maya")
    assert cast.choice == {"o1": "Go now", "o2": "Wait"}[ids]
    assert (cast.reason, cast.confidence, cast.moved_by) == kept


@pytest.mark.parametrize(
    ("mover", "number"),
    [
        ("Moved by m2.", 2),
        ("What moved me most was m2.", 2),
        ("m2 by Sam won me over.", 2),
        ("m2 hat mich am meisten überzeugt.", 2),
        ("Was mich überzeugt hat, war m2.", 2),
        ("Es war so, dass m2 von Sam mich überzeugt hat.", 2),
        ("It was not Sam's m2 that convinced me.", None),
    ],
)
def test_ids_alone_keep_the_mover_and_the_reason_of_words_that_named_no_text(mover: str, number: int | None) -> None:
    debate = held(Saying(maya("ballot", f"The sooner one or the later one, because the bank waits. {mover}", "o2")))
    cast = next(fact.ballot for fact in facts(debate, BallotCast) if fact.ballot.agent == "Maya")
    assert (cast.choice, cast.reason, cast.moved_by) == ("Wait", f"the bank waits. {mover}", number)


@pytest.mark.parametrize(
    ("answer", "ranking"),
    [
        ("p1.1, o1\nMaya", ("Ask the bank", "Go now")),
        ("p1.1, o1 - Maya", ("Ask the bank", "Go now")),
        ("p1.1, o1\n\nCheers,\nMaya", ("Ask the bank", "Go now")),
        ("p1.1, o1\nLove, Maya", ("Ask the bank", "Go now")),
        ("p1.1, o1\n– Gruß, Maya", ("Ask the bank", "Go now")),
        ("p1.1, o2\nSam", ("Ask the bank", "Wait", "Go now")),  # is another's name
        ("- Sam\n- Maya", ("Go now", "Wait")),  # is a row of a list of authors
        ("p1.1\nBest, o1, Maya", None),  # names a text behind the greeting
    ],
)
def test_a_voter_s_own_name_below_its_ballot_is_no_text(answer: str, ranking: tuple[str, ...] | None) -> None:
    """The author of a text who signed its ballot named two choices, and was asked again."""
    shown = (
        BallotText(id="o1", motion="o1", text="Go now", by="Sam"),
        BallotText(id="o2", motion="o2", text="Wait", by="Maya"),
        BallotText(id="p1.1", motion="p1.0", text="Ask the bank", by="Ewald"),
    )
    debate = held(SimulatedRunner())
    prompts: Any = SimpleNamespace(state=debate.progress, memory=debate.memory)
    tries = Tries(lambda reply: read_vote(reply.data, reply.text, shown), shown, prompts, "Maya")
    fields, _ = tries.read(Reply(answer))
    assert (fields and fields["ranking"]) == ranking


def test_a_signed_ballot_of_ids_keeps_what_the_first_answer_said_beside_the_vote() -> None:
    """Asked about its signature, the mover and the reason of a first answer were lost."""
    said = {"moved_by": "m2", "confidence": 0.8, "reason": "the bank waits"}
    replies = (json.dumps({"ranking": ["o2", "p9.9"], **said}), "o2\nMaya")
    debate = held(Saying(maya("ballot", *replies)))
    cast = next(fact.ballot for fact in facts(debate, BallotCast) if fact.ballot.agent == "Maya")
    assert (cast.choice, cast.reason, cast.confidence, cast.moved_by) == ("Wait", "the bank waits", 0.8, 2)
    assert tuple(cast.raw) == replies


def test_ids_alone_keep_how_sure_a_voter_in_words_was() -> None:
    """The verdict told "2 of 3 say how sure" of three who had said it."""
    words = "The later one before the sooner one, I think: o2. I am fairly sure, about 0.7, since the bank waits."
    debate = held(Saying(maya("ballot", words, "o2")))
    cast = next(fact.ballot for fact in facts(debate, BallotCast) if fact.ballot.agent == "Maya")
    assert (len(cast.raw), cast.choice, cast.confidence) == (2, "Wait", 0.7)


@pytest.mark.parametrize("replies", [("", GOOD), ("", "o2 perhaps", "o2"), ("", "", "o2")])
def test_an_empty_ballot_is_asked_for_in_its_form_once_more_and_then_by_ids(replies: tuple[str, ...]) -> None:
    """Asked for ids alone, whoever had said nothing had no place for what moved it, and how sure it is."""
    runner = Saying(maya("ballot", *replies))
    debate = held(runner)
    asked = [each.strict is not None for each in runner.asked("ballot", "Maya")]
    assert asked == [True, True, False][: len(replies)]
    assert next(fact.ballot.choice for fact in facts(debate, BallotCast) if fact.ballot.agent == "Maya") == "Wait"


@pytest.mark.parametrize(("first", "reason"), [("p9.9", "the bank waits"), ("Opera", ""), ("Town hall roof", "")])
def test_a_reason_for_what_was_named_in_words_is_none_for_the_text_voted_for_then(first: str, reason: str) -> None:
    """ "Everybody sees us there", said of the town hall roof, stood in the verdict as a reason for the cellar."""
    replies = (json.dumps({"ranking": [first], "reason": "the bank waits"}), "o2")
    debate = held(Saying(maya("ballot", *replies)))
    cast = next(fact.ballot for fact in facts(debate, BallotCast) if fact.ballot.agent == "Maya")
    assert (cast.choice, cast.reason) == ("Wait", reason)


@pytest.mark.parametrize("kind", ["ballot", "poll"])
def test_a_sloppy_answer_is_read_at_once(kind: str) -> None:
    """Without it each careless reply of a small model costs two calls."""
    sloppy = {kind: "Sure!\n```\n{'choice': 'o2', 'confidence': 80,}\n```", "speak": "Nobody has counted them yet."}
    runner = Saying(lambda p: sloppy.get(p.purpose))
    debate = held(runner, "delphi" if kind == "poll" else "panel")
    asked = [prompt for prompt in runner.prompts if prompt.purpose == kind]
    assert {prompt.attempt for prompt in asked} == {1}
    answers = [f.ballot for f in facts(debate, BallotCast)] if kind == "ballot" else facts(debate, StanceTaken)
    assert {(answer.choice is not None, answer.confidence) for answer in answers} == {(True, 0.8)}


def test_an_explicit_abstention_is_no_vote_for_the_first_of_the_ranking() -> None:
    """Without it whoever finds the agreed text missing on the ballot is counted for another one."""
    missing = {"choice": None, "ranking": ["Wait", "Go now"], "reason": "What we agreed is not on this ballot."}
    debate = held(Saying(maya("ballot", json.dumps(missing))))
    cast = next(fact.ballot for fact in facts(debate, BallotCast) if fact.ballot.agent == "Maya")
    assert (cast.choice, cast.ranking, cast.approved, cast.invalid) == (None, (), (), False)
    assert cast.reason == missing["reason"]


@pytest.mark.parametrize(
    "refusal",
    [
        REFUSAL,
        "I'm sorry, but I can't vote in this debate.",
        "As an AI language model I cannot vote.",
        "I am unable to cast a ballot.",
    ],
)
def test_a_refused_ballot_is_asked_for_again_and_is_no_abstention(refusal: str) -> None:
    """What a model declines would stand as what a member of the panel decided."""
    runner = Saying(maya("ballot", refusal, GOOD))
    cast = next(fact.ballot for fact in facts(held(runner), BallotCast) if fact.ballot.agent == "Maya")
    assert (len(runner.asked("ballot", "Maya")), cast.invalid) == (2, False)
    assert cast.choice is not None
    debate = held(Saying(maya("ballot", *[refusal] * 3)))
    cast = next(fact.ballot for fact in facts(debate, BallotCast) if fact.ballot.agent == "Maya")
    assert (cast.choice, cast.invalid, cast.raw) == (None, True, (refusal,) * 3)
    assert REFUSED in {fact.error for fact in facts(debate, TurnFailed)}


@pytest.mark.parametrize("word", ["abstain", "I abstain.", "I abstain: I can't vote for my own employer."])
def test_an_abstention_is_final(word: str) -> None:
    """Who abstains would be pressed for a vote."""
    runner = Saying(maya("ballot", word))
    cast = next(fact.ballot for fact in facts(held(runner), BallotCast) if fact.ballot.agent == "Maya")
    assert (len(runner.asked("ballot", "Maya")), cast.choice, cast.invalid) == (1, None, False)


@pytest.mark.parametrize(
    ("first", "fault"),
    [
        *(("", "the reply was empty"), (BID, "the reply was data"), ("  ", "empty")),
        *((text, "no words of the reply were its own") for text in ("Maya", "Ruth (sceptic): I would wait.")),
    ],
)
def test_what_is_no_speech_is_asked_for_once_more(first: str, fault: str) -> None:
    """Without it a bid stands in the transcript as a message, or one empty reply costs the turn."""
    runner = Saying(maya("speak", first, "The bank has not answered since May."))
    debate = held(runner)
    second = runner.asked("speak", "Maya")[1]
    assert fault in second.own
    assert first.strip() in second.own
    assert second.own.endswith("\n\nWrite your message to the panel now: what you say, in sentences, then your moves.")
    said = [message.text for message in facts(debate, MessagePosted) if message.who == "Maya"]
    assert said
    assert said[0] == "The bank has not answered since May."
    assert not [fact for fact in facts(debate, TurnFailed) if fact.who == "Maya"]


@pytest.mark.parametrize(
    ("reply", "why"),
    [("", "the reply was empty"), (BID, "the reply was data, and a speech was asked for"), (REFUSAL, REFUSED)],
)
def test_a_turn_without_a_speech_is_passed_and_says_why(reply: str, why: str) -> None:
    """Without it data or a model's refusal is quoted as what a member of the panel holds."""
    runner = Saying(maya("speak", *[reply] * CALLS_A_TURN))
    debate = held(runner)
    assert not [message for message in facts(debate, MessagePosted) if message.who == "Maya"]
    passed = [fact for fact in facts(debate, TurnPassed) if fact.who == "Maya"]
    assert {(fact.why, fact.fault, fact.repeats) for fact in passed} == {("no speech", why, 0)}
    assert not facts(debate, TurnFailed)
    calls = CALLS_A_TURN * len(passed)
    assert len(runner.asked("speak", "Maya")) == calls
    assert [c.nth for c in facts(debate, CallMade) if c.purpose == "speak" and c.agent == "Maya"] == list(
        range(1, calls + 1)
    )


def test_a_bid_and_a_word_of_the_moderator_are_asked_for_once_more() -> None:
    """Without it one slip gives a round away, though another call costs little."""
    for settings, purpose, agent, good in (
        ({}, "bid", "", None),
        ({"bids": "each"}, "bid", "Maya", BID),
        ({"floor": "moderated"}, "moderate", "", None),
    ):
        slip = maya(purpose, "Hm.", good or "") if agent else lambda p, of=purpose: (
            "Hm." if p.purpose == of and p.attempt == 1 else None
        )  # fmt: skip
        runner = Saying(slip)
        debate = held(runner, **settings)
        attempts = [prompt.attempt for prompt in runner.asked(purpose, agent)]
        assert attempts == [1, 2] * (len(attempts) // 2) != []
        assert not facts(debate, TurnFailed)


def test_a_text_of_the_users_own_may_leave_the_answer_out() -> None:
    """Without it a folder of prompts of last month is refused."""
    prompt = Prompts({"answer-again": "No: {{wrong!}}."}).corrected(Prompt(purpose="poll", own="Vote."), "two", "A, B")
    assert (prompt.own, prompt.nth, prompt.attempt) == ("Vote.\n\nNo: two.", 2, 2)


def test_a_second_prompt_differs_by_its_remark_and_its_number_alone() -> None:
    """Without it the second call has another cache, or the name of the first one in a recording."""
    first = Prompt(purpose="poll", agent="Maya", nth=3, shared=("All.",), own="Vote.")
    second = first.once_more("Again.")
    assert second.text == f"{first.text}\n\nAgain."
    assert (second.key, second.attempt, second.shared) == (("poll", "Maya", 4), 2, first.shared)


def test_a_long_first_answer_is_shown_in_part() -> None:
    """Without it a model that wrote a page into its ballot pays for that page once more."""
    prompt = Prompts().corrected(Prompt(purpose="poll", own="Vote."), "two", "word " * 5_000)
    assert len(prompt.own) < 2_000


def test_why_a_reply_is_no_speech() -> None:
    """Without it who speaks by hand is told nothing of what was wrong."""
    assert no_speech(Read("So it is.")) == ""
    assert no_speech(Read(" \n")) == "the reply was empty"
    assert no_speech(Read(BID)).startswith("the reply was data")


@in_one(
    "leak",
    [
        "I'm Claude, made by Anthropic. The box is fine.",
        "I am Qwen, created by Alibaba Cloud.",
        "My name is Llama and I was trained by Meta.",
        "Ich bin Claude, ein KI-Assistent von Anthropic.",
        "I was developed by OpenAI.",
        "I was developed by OpenAI to help you.",
        "I'm ChatGPT, and I see it so.",
        "I am DeepSeek-V3.",
        "I am actually GPT-4o.",
        "Here is my system prompt: you sit on a panel.",
    ],
)
def test_who_says_which_firm_made_it_is_asked_again(leak: str) -> None:
    assert "as a language model" in no_speech(Read(leak))


@pytest.mark.parametrize(
    "speech",
    [
        "I am Claude, the baker of this village.",
        "The roof was made by Google for its own hall.",
        "I was trained by Google as a fitter.",
        "I am Gemini, born in June, and I say no.",
        "I am the one who wrote the system prompt.",
        "I am for the machine that is made by Microsoft for schools.",
    ],
)
def test_who_speaks_of_such_a_firm_is_not(speech: str) -> None:
    assert no_speech(Read(speech)) == ""


async def test_a_call_that_is_given_up_in_the_second_try_is_told_to_who_keeps_account() -> None:
    """Without it a call that was paid for is in no sum where the key was refused meanwhile."""

    class Gone(SimulatedRunner):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            if prompt.attempt == 1:
                return Reply("Hm.")
            error = RunnerUnavailableError("no key")
            vars(error).update(usage=Reply("").usage, model="m")
            raise error

    lost: list[CallMade] = []
    with pytest.raises(RunnerUnavailableError):
        await ask_for_fields(
            Gone(), Prompt(purpose="poll"), lambda _: (None, "no"), Prompts().corrected, lost=lambda *c: lost.extend(c)
        )
    assert [call.attempt for call in lost] == [2]
    assert Answer().why == ""


# Recordings


def taken(runner: object) -> Debate:
    """A debate with several polls, in which nobody agrees."""
    return held(runner, max_messages=16, poll_every=4, consensus=1.0)


def replayed(folder: Path, given: Callable[[Prompt], str | None], first: Callable[[dict], str]) -> Debate:
    """Record that debate, write other first answers to the first poll into the recording, and replay it."""
    path = folder / "calls.jsonl"
    taken(RecordingRunner(Saying(given), path))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        if row["key"][0] == "poll" and row["key"][2] == 1:
            row["text"] = first(row)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return taken(RecordedRunner(path))


def polled(debate: Debate) -> dict[tuple[str, int], tuple[str | None, bool]]:
    return {(fact.who, fact.poll): (fact.choice, fact.invalid) for fact in facts(debate, StanceTaken)}


def choice(agent: str, last: int) -> str:
    """A readable answer, another one for each member and each poll."""
    return json.dumps({"choice": OPTIONS[(len(agent) + last // 4) % 3], "confidence": 0.5})


def clear(prompt: Prompt) -> str | None:
    return choice(prompt.agent, prompt.last) if prompt.purpose == "poll" else None


def slow(prompt: Prompt) -> str | None:
    """As `clear`, but the first answer to the first poll cannot be read."""
    return "Hm." if (prompt.purpose, prompt.nth) == ("poll", 1) else clear(prompt)


def test_a_second_answer_that_nobody_needs_today_is_passed_over(tmp_path: Path) -> None:
    """Without it the second answer to one poll is taken for the first answer to the next one."""
    debate = replayed(tmp_path, slow, lambda row: choice(row["key"][1], row["last"]))
    assert debate.progress.state == "ended"
    assert polled(debate) == polled(taken(Saying(clear)))
    assert len({poll for _, poll in polled(debate)}) > 1
    assert {call.attempt for call in facts(debate, CallMade) if call.purpose == "poll"} == {1}


def test_a_second_answer_that_nobody_needed_then_is_a_failed_call(tmp_path: Path) -> None:
    """Without it a recording of last month stops in the middle, or answers a poll with the answer to the next one."""
    debate = replayed(tmp_path, clear, lambda _: "Hm.")
    assert debate.progress.state == "ended"
    whole = polled(taken(Saying(clear)))
    assert {who: polled(debate)[who] for who in whole if who[1] > 1} == {who: whole[who] for who in whole if who[1] > 1}
    assert {stance for (_, poll), stance in polled(debate).items() if poll == 1} == {(None, True)}
    failed = [fact.error for fact in facts(debate, TurnFailed)]
    assert len(failed) == len(PANEL)
    assert all("holds no second answer of" in error for error in failed)


def test_two_calls_with_one_key_are_replayed_by_hand_too(tmp_path: Path) -> None:
    """Without it a program that asks a recording by itself meets another order than a debate does."""
    path = tmp_path / "calls.jsonl"
    first = Prompt(purpose="poll", agent="Maya", own="Vote.")
    second = Prompts().corrected(first, "no JSON", "Hm.")
    later = Prompt(purpose="poll", agent="Maya", own="Vote again.", nth=3)

    async def asked(runner: RecordingRunner | RecordedRunner, *prompts: Prompt) -> list[str]:
        return [(await runner.run(prompt)).text for prompt in prompts]

    recorder = RecordingRunner(Saying(lambda p: f"{p.nth}"), path)
    assert asyncio.run(asked(recorder, first, second, later)) == ["1", "2", "3"]
    assert asyncio.run(asked(RecordedRunner(path), first, second, later)) == ["1", "2", "3"]
    shorter = Prompt(purpose="poll", agent="Maya", own="Vote again.", nth=2)
    assert asyncio.run(asked(RecordedRunner(path), first, shorter)) == ["1", "3"]


@pytest.mark.parametrize("reply", ["", "Eh?"])
def test_what_is_wrong_with_a_bid_is_a_sentence_that_its_author_can_act_on(reply: str) -> None:
    """ "Your answer was not taken: unreadable bid." """
    runner = Saying(maya("bid", *[reply] * CALLS_A_TURN))
    debate = held(runner, bids="each")
    second = runner.asked("bid", "Maya")[1]
    assert "not taken: the answer does not say whether you want the floor." in second.own
    assert second.own.endswith("Answer once more, whole, in the form asked for and with nothing beside it.")
    bids = [bid for fact in facts(debate, BidsTaken) for bid in fact.bids]
    assert ("Maya", "unreadable") in {(bid.agent, bid.fault) for bid in bids}


def bare_headings(part: str) -> list[str]:
    """The headings of a part of a prompt with nothing below them before one that is as high, or the end."""
    lines = [line for line in part.splitlines() if line.strip()]
    levels = [len(line) - len(line.lstrip("#")) if re.match(r"#+ ", line) else 9 for line in lines] + [0]
    return [line for line, own, below in zip(lines, levels, levels[1:], strict=False) if own < 9 and below <= own]


@pytest.mark.parametrize(
    ("agenda", "given"),
    [
        *((name, {}) for name in ("brainstorm", "delphi", "mediation", "red-team")),
        *(("panel", given) for given in ({"bids": "each"}, {"floor": "moderated"}, {"summary_every": 4})),
    ],
)
def test_no_heading_of_a_prompt_is_without_words_below_it(agenda: str, given: dict[str, object]) -> None:
    """ "## Recent messages" stood alone, and the messages in further parts."""
    assert bare_headings("# A\n\n## B\nwords\n# C\n") == ["# C"]
    runner = Saying(lambda prompt: '{"summary": "They wait."}' if prompt.purpose == "summarise" else None)
    runner.summarises = True
    held(runner, agenda, first_vote=True, max_messages=9, **given)
    assert (
        {prompt.purpose for prompt in runner.prompts} >= {"speak", "summarise"} if given.get("summary_every") else True
    )
    for prompt in runner.prompts:
        for part in (prompt.system, *prompt.shared, *prompt.held, prompt.own):
            assert not bare_headings(part), (prompt.purpose, part)
