"""What a reply becomes on its way: the tags in its lines, the names before them, and the message that is posted."""

from __future__ import annotations

from eda import MessageBus, Persona
from eda.debate.listener import AgentListener
from eda.debate.person import HumanListener
from eda.events import MessagePosted
from eda.events.messages import talk_of
from eda.memory import ConversationMemory
from eda.memory.minutes.move_words import Tag, tag_reader
from eda.memory.minutes.names import NameLine, NameLines
from eda.memory.patterns import default_language
from eda.runners.simulated.runner import SimulatedRunner

READER = tag_reader(default_language())


def test_a_tag_says_where_it_and_its_text_begin() -> None:
    """With a wrong offset a word of talk would be cut, or an asterisk shown."""
    first, second = READER.tags("- **[SUPPORT p1.0]** cheap. [VOTE] x")
    assert first == Tag(0, 18, "support", " p1.0", "[SUPPORT p1.0]")
    assert second == Tag(27, 34, None, "VOTE", "[VOTE]")
    assert READER.tags("No tag here.") == []
    assert READER.tag_after("Yes. [SUPPORT p1.0] cheap", 0) == 4
    assert READER.tag_after("Yes. [SUPPORT p1.0] cheap", 6) is None


def test_a_name_before_a_line_is_read_with_its_voice() -> None:
    """Who is spoken to, and who is made to speak, decides whose words they are."""
    names = NameLines("Jonah", {"Ruth": "", "Ada": ""}, default_language())

    def read(line: str, *, first: bool = False) -> NameLine | None:
        return names.read(line, first=first, makes_moves=lambda words: words.startswith("[SUPPORT"))

    assert read("Ruth says: no") is None
    assert read("ruth: no") is None
    assert read("[m9] Ada: Fine.") == NameLine("Ada", own=False, begins=10)
    assert read("Ruth: [SUPPORT p1.0]") == NameLine("Ruth", own=False, begins=6)
    assert read("**Ruth:** You convinced me.") == NameLine("Ruth", own=False, begins=10)
    assert read("Ruth: I agree.") == NameLine("Ruth", own=False, begins=6)
    assert read("Ruth: I agree.", first=True) == NameLine("Ruth", own=True, begins=6)
    assert read("Ruth: what would convince you?") == NameLine("Ruth", own=True, begins=6)
    assert read("Jonah: So.") == NameLine("Jonah", own=True, begins=7)


def persona(title: str) -> Persona:
    return Persona(name=title.lower(), title=title, role="a member", description="Sits.", instruction="You sit.")


async def seated(kind: type[AgentListener]) -> AgentListener:
    """A listener on a bus on which Ruth and Maya have spoken."""
    bus = MessageBus()
    ConversationMemory().attach(bus)
    listener = kind(persona("Jonah"), SimulatedRunner()).join(bus)
    await bus.say("Ruth", "What is the evidence? I see no numbers at all.")
    await bus.say("Maya", "One screen first.")
    return listener


PUPPETS = (
    "Flutter saves half.\n\nRuth: You convinced me.\nMaya: Same here, I withdraw mine. See m1."
    "\n\n[POSITION] Rewrite\n[VOTE] x"
)


async def test_a_line_in_anothers_name_gives_nobody_the_floor() -> None:
    """In a played debate it gave Ruth the next turn, and her "support" to the speaker."""
    message = (await seated(AgentListener)).message(3, PUPPETS, sealed=False)
    assert (message.puppets, message.unknown_tags) == (("Ruth", "Maya"), ("[VOTE]",))
    assert (message.to, message.reply_to) == (None, None)
    assert [move.kind for move in message.moves] == ["position"]
    assert message.talk == "Flutter saves half."
    assert message.text == PUPPETS


async def test_a_person_writes_for_nobody_else() -> None:
    """A person who types "Ruth: ..." speaks to Ruth; cutting that would take their words away."""
    person = await seated(HumanListener)
    assert person.message(3, PUPPETS, sealed=False).puppets == ()
    assert person.message(3, "Ruth: You convinced me.", sealed=False).to == "Ruth"


async def test_a_bus_reads_what_is_said_on_it() -> None:
    """Whoever builds a panel by hand would have moves in the talk, and none in the minutes."""
    bus = MessageBus()
    memory = ConversationMemory().attach(bus)
    message = await bus.say("Ann", "[PROPOSE] Go in May.\n\nIt is time.\n[VOTE] me")
    assert (message.talk, message.unknown_tags) == ("It is time.", ("[VOTE]",))
    assert [proposal.content for proposal in memory.proposals] == ["Go in May."]


def test_what_is_cut_leaves_no_hole() -> None:
    """Three empty lines where a move stood would tell the reader that something is hidden."""
    text = "One.\n\n[X]\n\nTwo.\n  [Y] z\nThree."
    assert talk_of(text, ((6, 9), (16, 23))) == "One.\n\nTwo.\n\nThree."
    assert talk_of(" as it is\n", ()) == " as it is\n"
    old = MessagePosted(number=1, who="Ann", text="One.\n[SUPPORT p1.0]", moves_at=5)
    assert old.talk == "One."
