"""What is no speech to the panel: a bid, a form, the prompt again. A real speech is never one."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st
from in_turn import in_one

from eda import Debate, MessagePosted, Prompt, Reply, Settings
from eda.debate.prompts.texts import Prompts
from eda.debate.speech import no_speech, passes
from eda.events import TurnPassed
from eda.panels.panel import Library
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner
from eda.text import Read, split

MAYA = Library().persona("pragmatic-engineer")
PROMPT = Prompt(
    purpose="speak",
    agent="Maya",
    persona=MAYA,
    question="Should the panel end the free plan this winter?",
    system=Prompts().fill("house"),
    own=f"{MAYA.instruction}\n\n{Prompts().fill('speak-discussion')}",
)
ENGLISH = (
    "Petra, in m6 you count nine customers who left, and the file says that five of them gave the price as the reason. "
    "I would call them before we cap anything.\n\n[SUPPORT p9.1] it can be undone\n[POSITION] A cap for new sign-ups."
)
GERMAN = (
    "Ich bin nicht überzeugt, dass wir die Obergrenze brauchen, denn die Zahlen in m6 sind für mich zu dünn. "
    "Wenn wir das tun, dann mit einem Anruf bei den neun Kunden, und nicht ohne eine Frist."
)


@in_one(
    ("reply", "why"),
    [
        ("", "empty"),
        ("I'm sorry, but I can't help with that.", "refused"),
        ('{"wants": true, "urgency": 0.8, "reason": "answer Petra"}', "data"),
        ('Here is my bid:\n```json\n{"wants": true, "urgency": 0.8, "reason": "answer Petra"}\n```', "bid"),
        ("<your speech in at most 150 words>\n\n[PROPOSE] <text>\n[POSITION] <option>", "form"),
        ("{{speech}}\n[SUPPORT p12.0] ...", "form"),
        ("[Your statement here]\n\n[POSITION] [your position]", "form"),
        ("\n".join(Prompts().fill("house").splitlines()[-11:]), "prompt"),
        (Prompts().fill("speak-discussion"), "prompt"),
        (MAYA.instruction, "prompt"),
        (f"I hold with Petra. {Prompts().fill('house').splitlines()[0]} So much for the rules.", "prompt"),
        ("I am a language model made by a company.", "language model"),
        ("As an AI language model, I have no vote, but Petra is right.", "language model"),
        ("Petra, you are right in m6. But as an AI assistant I cannot judge that.", "language model"),
        ("I'm Nimbus 3, an AI assistant created by a vendor. How can I help?", "language model"),
        ("As Qwen, created by Alibaba Cloud, I have no stake in this.", "language model"),
        ("As Qwen, created by Alibaba Cloud.", "language model"),
        ("Being an AI model, I hold no view.", "language model"),
        ("My training data only goes to 2023, so I cannot know.", "language model"),
        ("Als KI-Sprachmodell habe ich dazu keine Meinung.", "language model"),
        ("Ich bin nur ein Sprachmodell.", "language model"),
        ("En tant qu'IA, je ne peux pas voter.", "language model"),
        ("Je suis un modèle de langage entraîné par une société.", "language model"),
        ("Como modelo de lenguaje, no tengo opinión.", "language model"),
        ("Soy una inteligencia artificial y no voto.", "language model"),
    ],
)
def test_a_reply_that_is_no_speech_is_told_why(reply: str, why: str) -> None:
    """Without it machinery, or words that nobody at the table reads, stand in the record as what a member holds."""
    assert why in no_speech(Read(reply), PROMPT)


@in_one(
    "reply",
    [
        ENGLISH,
        GERMAN,
        "I hold.",
        "[SUPPORT p9.1] it can be undone",
        "I reject p9.1. [OPPOSE p9.1]",
        f'The letter says: "{GERMAN}" I read that as a no, and nobody has answered it.',
        "Anjali said <b>twenty</b>, and the file says nine; which is it?",
        'Our server answers {"wants": true} to everybody, so the count in the plan is worth nothing to us here.',
        "You are right, Tomas: what is not on the table cannot be voted on, so I put the call to the nine up myself.",
        "Ja. Genau so.",
        "As an AI engineer I would not ship it before somebody has read the file.",
        "I am an AI sceptic, and I am a language model researcher.",
        "I am not an AI.",
        "As Copilot, built by Microsoft, showed us, a tool is no colleague.",
        "Being an AI engineer, I would not ship it.",
        "My training data is what the gauges wrote down.",
        'The vendor says "I am a language model", and I do not buy it.',
        "As an AI company, we should wait. An AI, as the file says, cannot sign.",
        "Als KI-Beauftragte habe ich das geprüft.",
        "En tant qu'ingénieure en IA, je doute.",
        "Soy ingeniera de IA.",
        "A fact names its source, says the house: yours names none.",
    ],
)
def test_a_speech_is_a_speech(reply: str) -> None:
    """Without it an honest turn costs a second call, and is then lost."""
    assert no_speech(Read(reply), PROMPT) == ""


def test_a_pass_stands_alone() -> None:
    """Without it a speech that mentions the word is lost."""
    assert all(map(passes, ("[PASS]", "**[Pass]**", " [pass].\n")))
    assert not any(map(passes, ("", "pass", "[PASS] but the bank waits", "I pass.")))


class Sloppy(SimulatedRunner):
    """The simulated panel, in which Maya answers with a bid until she is asked again."""

    def __init__(self, *replies: str) -> None:
        self.replies = replies

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if (prompt.purpose, prompt.agent) == ("speak", "Maya"):
            return Reply(self.replies[prompt.attempt - 1])
        return await super().run(prompt, on_text)


@pytest.mark.parametrize("second", ["The nine customers were never called.", "<your speech>"])
def test_it_is_asked_again_with_the_reason_and_then_passed(second: str) -> None:
    """Without it one slip costs the turn, or a second one stands in the transcript."""
    debate = Debate(
        "Shall we go?",
        ("sceptic", "historian", "pragmatic-engineer"),
        Sloppy("<your speech>", second),
        settings=Settings(max_messages=6),
    )
    debate.run_sync()
    events = list(debate.session.events())
    spoken = [e.text for e in events if isinstance(e, MessagePosted) and e.who == "Maya"]
    whys = {e.fault for e in events if isinstance(e, TurnPassed) and not e.repeats}
    if second.startswith("<"):
        assert (spoken, whys) == ([], {"the reply was a form whose blanks were not filled in"})
    else:
        assert (spoken[0], whys) == (second, set())


def test_each_text_that_asks_for_a_speech_is_no_speech_itself() -> None:
    """Without it a model that repeats what it was told is quoted in the report."""
    for name in ("speak-opening", "speak-discussion", "speak-closing"):
        task = Prompts().fill(name)
        assert no_speech(Read(task), replace(PROMPT, own=task))


def test_a_persona_that_is_a_model_may_say_so() -> None:
    """A panel may seat an assistant, to hear what it would say."""
    assistant = MAYA.model_copy(update={"instruction": "You are an AI assistant that books rooms."})
    reply = Read("I am an AI assistant, and I book rooms.")
    assert no_speech(reply, replace(PROMPT, persona=assistant)) == ""
    assert no_speech(reply, PROMPT)


@given(st.text("aB_9 .,\n'\"-é中\x1c\u00a0") | st.text())
def test_words_of_a_text_are_those_of_the_expression(text: str) -> None:
    assert split(text) == re.findall(r"\w+", text)
    assert Read(text).tokens == re.findall(r"\w+(?:\.[0-9]+)*", Read(text).plain.casefold())
