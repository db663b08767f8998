"""A listener works by itself: it joins a bus, hears, bids and speaks; and a debate seats listeners of one's own."""

from __future__ import annotations

import asyncio

import pytest

from eda import AgentListener, Debate, MessageBus, Prompt, RunnerError, ScriptedRunner, Settings
from eda.debate.asking import Turn
from eda.debate.person import HumanListener
from eda.errors import UsageError
from eda.events import BidsTaken, CallMade, MessagePosted, PhaseStarted
from eda.panels.panel import Library
from eda.panels.persona import Persona
from eda.runners.human import HumanRunner, persona_of

PANEL = ("sceptic", "historian", "pragmatic-engineer")
RUTH, WALTER, MAYA = "Ruth", "Walter", "Maya"


class Keeping(ScriptedRunner):
    """Says how many messages it was shown, and keeps its prompts."""

    def __init__(self, bid: bool = True) -> None:
        self.prompts: list[Prompt] = []
        super().__init__(lambda prompt: f"{prompt.agent} was shown {len(prompt.lines)}.", bids=lambda _: {"wants": bid})

    async def run(self, prompt: Prompt, on_text=None):
        self.prompts.append(prompt)
        return await super().run(prompt, on_text)

    def of(self, who: str, purpose: str = "speak") -> list[Prompt]:
        return [prompt for prompt in self.prompts if (prompt.agent, prompt.purpose) == (who, purpose)]


def persona(name: str) -> Persona:
    return Library().persona(name)


def debated(runner: Keeping, **given) -> Debate:
    settings = Settings(**{"max_messages": 9, **given.pop("settings", {})})
    of = Debate("Shall we go?", PANEL, runner, options=("Go", "Wait"), settings=settings, **given)
    of.run_sync()
    return of


async def test_a_persona_and_a_runner_are_enough_to_take_part_on_a_bus() -> None:
    """Without it whoever wants one agent beside their own program has to build a whole debate."""
    bus, runner = MessageBus(), Keeping()
    ruth = AgentListener(persona("sceptic"), runner).join(bus)
    walter = AgentListener(persona("historian"), runner).join(bus)
    await bus.say("Ada", "Shall we begin with the ferry?")
    (bid,) = (await ruth.bid()).bids or ()
    assert (bid.agent, bid.wants) == (RUTH, True)
    first, second = await ruth.speak(), await walter.speak()
    assert [(m.number, m.who, m.text) for m in (first, second)] == [
        (2, RUTH, "Ruth was shown 1."),
        (3, WALTER, "Walter was shown 2."),
    ]
    assert first.seq > 0  # it is a fact of the bus
    assert bus.messages == 3
    calls = [(call.agent, call.purpose) for call in bus.facts() if isinstance(call, CallMade)]
    assert calls == [(RUTH, "bid"), (RUTH, "speak"), (WALTER, "speak")]
    text = runner.of(WALTER)[0].text
    assert "[m1] Ada: Shall we begin with the ferry?" in text
    assert "[m2] Ruth: Ruth was shown 1." in text
    assert "- Ada, a member of the panel" in text
    assert "You are Walter" in text
    assert not bus.failures


async def test_two_who_speak_at_once_get_numbers_of_their_own() -> None:
    """Without it the second of two answers is refused, although it was paid for."""
    bus, runner = MessageBus(), Keeping()
    listeners = [AgentListener(persona(name), runner).join(bus) for name in PANEL]
    messages = await asyncio.gather(*(each.speak() for each in listeners))
    assert [message.number for message in messages] == [1, 2, 3]


async def test_who_joins_late_has_heard_what_the_bus_holds_and_who_left_hears_nothing_more() -> None:
    """Without it a latecomer answers a talk that it does not know."""
    bus, runner = MessageBus(), Keeping()
    await bus.say("Ada", "The ferry leaves at nine.")
    ruth = AgentListener(persona("sceptic"), runner).join(bus)
    assert ruth.has_heard(1)
    ruth.leave()
    await bus.say("Ada", "The ferry has left.")
    assert not ruth.has_heard(2)


async def test_a_sealed_message_is_in_the_prompt_once_its_phase_has_ended() -> None:
    """Without it openings that nobody should hear yet are heard by whoever is asked second."""
    bus, runner = MessageBus(), Keeping()
    ruth = AgentListener(persona("sceptic"), runner).join(bus)
    bus.publish(
        PhaseStarted(phase="opening"), MessagePosted(number=1, who="Ada", text="I take the ferry.", sealed=True)
    )
    await ruth.bid()
    assert not ruth.has_heard(1)
    bus.publish(PhaseStarted(phase="discussion"))
    await ruth.bid()
    assert ruth.has_heard(1)
    assert ["ferry" in prompt.text for prompt in runner.prompts] == [False, True]


async def test_without_a_bus_a_listener_says_what_to_do() -> None:
    """Without it the first try of a newcomer ends in an AttributeError."""
    for asked in (AgentListener(persona("sceptic"), Keeping()).speak, AgentListener(persona("sceptic"), Keeping()).bid):
        with pytest.raises(UsageError, match="join a bus first"):
            await asked()


async def test_a_turn_by_hand_that_brings_no_message_raises_and_keeps_its_calls() -> None:
    """Without it `speak` returns nothing, and what was paid stands nowhere."""
    bus = MessageBus()
    ruth = AgentListener(persona("sceptic"), ScriptedRunner(lambda _: "")).join(bus)
    with pytest.raises(RunnerError, match="the reply was empty"):
        await ruth.speak()
    assert [call.purpose for call in bus.facts() if isinstance(call, CallMade)] == ["speak", "speak"]
    assert bus.messages == 0


async def test_a_person_takes_part_by_hand_too() -> None:
    """Without it a program that puts one person among agents needs a debate for that."""

    async def typed(_: Prompt) -> str:
        return "I would rather walk."

    bus = MessageBus()
    ada = HumanListener(persona_of("Ada"), HumanRunner(typed)).join(bus)
    assert (await ada.speak()).text == "I would rather walk."
    assert not [call for call in bus.facts() if isinstance(call, CallMade)]


def test_a_listener_that_does_not_hear_is_shown_no_message() -> None:
    """Without it hearing decides nothing: prompts would be made of what somebody else has heard."""

    class Deaf(AgentListener):
        def hear(self, message: MessagePosted) -> None:
            pass

        def unseal(self, _: PhaseStarted) -> None:
            pass

    usual, deaf = Keeping(), Keeping()
    debated(usual, settings={"bids": "each"})
    debated(deaf, settings={"bids": "each"}, listener=Deaf)
    assert max(len(prompt.lines) for prompt in usual.prompts) > 5
    assert all(not prompt.lines and "[m1]" not in "".join(prompt.shared) for prompt in deaf.prompts)


def test_what_one_member_did_not_hear_is_missing_from_its_prompts_alone() -> None:
    """Without it an experiment on who hears whom changes nothing."""

    class Grudge(AgentListener):
        def hear(self, message: MessagePosted) -> None:
            if self.title != RUTH or message.who != WALTER:
                super().hear(message)

    runner = Keeping()
    debated(runner, settings={"floor": "round-robin"}, agenda=None, listener=Grudge)
    last = {who: {line.who for line in runner.of(who)[-1].lines} for who in (RUTH, MAYA)}
    assert WALTER in last[MAYA]
    assert last[RUTH] == {RUTH, MAYA}
    assert "] Walter:" not in runner.of(RUTH)[-1].text


@pytest.mark.parametrize("bids", ["together", "each"])
def test_a_class_of_ones_own_bids_and_speaks_in_a_debate(bids: str) -> None:
    """Without it somebody who studies other agents has to patch the engine."""

    class Eager(AgentListener):
        async def bid(self) -> Turn:
            turn = await super().bid()
            return Turn(turn.facts, tuple(bid.model_copy(update={"urgency": 0.9}) for bid in turn.bids or ()))

        async def take_turn(self, *given, **named):
            turn = await super().take_turn(*given, **named)
            louder = [
                f.model_copy(update={"text": f"{f.text} Now!"}) if isinstance(f, MessagePosted) else f
                for f in turn.facts
            ]
            return Turn(tuple(louder))

    of = debated(Keeping(), settings={"bids": bids}, listener=Eager)
    facts = list(of.session.events())
    assert all(fact.text.endswith("Now!") for fact in facts if isinstance(fact, MessagePosted))
    rounds = [fact.bids for fact in facts if isinstance(fact, BidsTaken)]
    assert {bid.urgency for bids_taken in rounds for bid in bids_taken} == {0.9}


OWN = "You are {{title}}. I ask you in my own words: do you want the floor?"


def test_a_bid_text_of_ones_own_is_what_members_are_asked_with() -> None:
    """Without it `bid.md` in a folder of own prompts is read, checked and never used."""
    runner = Keeping()
    of = debated(runner, prompts={"bid": OWN})
    asked = [prompt.own for prompt in runner.prompts if prompt.purpose == "bid"]
    assert asked
    assert all("in my own words" in own for own in asked)
    assert of.session.started().settings.bids == "each"
