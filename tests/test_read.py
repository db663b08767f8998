"""The analysis of a message: made once, carried with the message, dropped when it is folded."""

from __future__ import annotations

from eda import ConversationMemory
from eda.bus import MessageBus
from eda.events import MessagePosted
from eda.text import Read

TEXT = "Ruth said “we wait”. I’d rather move the billing service in May.\n[POSITION] Move it"


def posted(text: str = TEXT) -> MessagePosted:
    return MessagePosted(number=1, who="Ann", text=text, moves_at=text.find("[") if "[" in text else None)


def test_the_parts_of_an_analysis_are_those_of_the_text() -> None:
    """A check and the minutes that read a text in two ways would disagree about it."""
    read = posted().read
    assert read.text == TEXT.partition("\n")[0]
    assert read.plain == 'Ruth said "we wait". I\'d rather move the billing service in May.'
    assert [read.plain[start:end] for start, end in read.sentences] == [
        'Ruth said "we wait".',
        "I'd rather move the billing service in May.",
    ]
    assert {"billin", "servic", "move"} <= read.words
    assert "wait" not in Read('She wrote "let us all wait for the next audit" and left.').bag
    assert ("move", "billin", "servic") in read.shingles
    assert read.begin(9).text == "Ruth said"


def test_an_analysis_goes_with_its_message_and_never_with_other_words() -> None:
    """A pseudonym in the text of a message whose analysis still has the name would give the member away."""
    message = posted()
    read = message.read
    assert message.model_copy(update={"number": 2}).read is read
    assert message.model_copy(update={"text": "Ben agrees.", "moves_at": None}).read.text == "Ben agrees."
    assert message == posted()
    assert message.model_dump_json() == posted().model_dump_json()
    broken = posted("h\ud800llo")
    assert broken.read.text == "h\ud800llo"
    (stored,) = MessageBus().publish(broken)
    assert isinstance(stored, MessagePosted)
    assert stored.read.text == "h\ufffdllo"


def test_a_folded_message_keeps_no_analysis() -> None:
    """A session in memory would take several times its room."""
    bus = MessageBus()
    memory = ConversationMemory().attach(bus)
    bus.publish(posted())
    (message,) = (fact for fact in bus.facts() if isinstance(fact, MessagePosted))
    assert memory.message_count == 1
    assert "read" not in message.__dict__
