"""What a provider's cache saves: the accounting of the server that says so, then a whole debate over real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from anthropic import AsyncAnthropic, BadRequestError
from fake_cache import LIFE, MARKS, POSITIONS, Bill, Caches, CachingAnthropic, Panel, least_cached
from hypothesis import given, strategies as st

from eda import Debate, Document, MessagePosted, Result
from eda.events import CallMade
from eda.events.records import Line
from eda.panels.settings import Settings
from eda.runners.messages_api.anthropic import request
from eda.runners.models import look_up
from eda.runners.protocol import Prompt

QUESTION = "Should we move the billing service out of the monolith?"
SPEECH = "claude-sonnet-5-5"
LONG = "Some long text. " * 600
"""2,400 tokens."""


def asked(*texts: str, marks: tuple[int, ...] = (), model: str = SPEECH, **more: Any) -> dict[str, Any]:
    """A request of one turn, its blocks at these places marked."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text} for text in texts]
    for place in marks:
        content[place]["cache_control"] = {"type": "ephemeral"}
    return {"model": model, "max_tokens": 99, "messages": [{"role": "user", "content": content}], **more}


def called(caches: Caches, body: dict[str, Any], now: float = 0.0) -> Bill:
    """A call that is over before the next begins."""
    bill, written = caches.count(body, now)
    caches.keep(written, now)
    return bill


# The accounting


def test_what_was_written_is_read_and_what_follows_is_not() -> None:
    """Without it the proof below rests on a server that is kinder than the provider."""
    caches = Caches()
    first = called(caches, asked(LONG, "Ada?", marks=(0,)))
    second = called(caches, asked(LONG, "And you, Bo?", marks=(0,)))
    assert (first.uncached, first.read, first.written) == (1, 0, 2400)
    assert (second.uncached, second.read, second.written) == (3, 2400, 0)
    assert first.cost == pytest.approx((1 * 2 + 2400 * 2.5) / 1e6)
    assert second.cost == pytest.approx((3 * 2 + 2400 * 0.2) / 1e6)


@pytest.mark.parametrize(
    "other",
    [
        asked("New: " + LONG, "x", marks=(0,)),
        asked(LONG, "x", marks=(0,), system=[{"type": "text", "text": "You are Ada."}]),
        asked(LONG, "x", marks=(0,), tools=[{"name": "look", "input_schema": {}}]),
        asked(LONG, "x", marks=(0,), output_config={"format": {"type": "json_schema", "schema": {}}}),
        asked(LONG, "x", marks=(0,), output_config={"effort": "low"}),
        asked(LONG, "x", marks=(0,), thinking={"type": "disabled"}),
        asked(LONG, "x", marks=(0,), model="claude-opus-5-5"),
        asked(LONG[:5000], LONG[5000:], "x", marks=(1,)),
        asked(LONG, "x"),
    ],
    ids=["text", "system", "tools", "schema", "effort", "thinking", "model", "cut elsewhere", "no mark"],
)
def test_another_beginning_is_a_miss(other: dict[str, Any]) -> None:
    """Without it a layout that breaks every cache looks as cheap as one that keeps it."""
    caches = Caches()
    called(caches, asked(LONG, "x", marks=(0,)))
    assert called(caches, other).read == 0


def test_a_prefix_that_is_too_short_is_silently_not_kept() -> None:
    """Without it the short prompts of a debate's beginning are counted as read, and the provider reads none."""
    for model in (SPEECH, "claude-haiku-4-5", "claude-new-1"):
        least = least_cached(model)
        for tokens, kept in ((least - 1, 0), (least, least)):
            caches = Caches()
            body = asked("word" * tokens, "x", marks=(0,), model=model)
            assert called(caches, body).written == kept
            assert called(caches, body).read == kept
    assert [least_cached(model) for model in (SPEECH, "claude-haiku-4-5", "claude-new-1")] == [512, 4096, 1024]


def test_a_cache_lives_five_minutes_from_its_last_use() -> None:
    """Without it a debate with slow speakers is forecast as if every cache lived for ever."""
    caches = Caches()
    body = asked(LONG, "x", marks=(0,))
    assert [called(caches, body, now).read > 0 for now in (0, LIFE, 2 * LIFE, 3 * LIFE + 60)] == [
        False,
        True,
        True,
        False,
    ]


def test_a_mark_looks_back_twenty_blocks() -> None:
    """Without it a transcript of many short messages is thought to be found again, and is paid for in full."""
    for added, read in ((POSITIONS - 1, 2400), (POSITIONS, 0)):
        caches = Caches()
        called(caches, asked(LONG, "x", marks=(0,)))
        assert called(caches, asked(LONG, *["more"] * added, marks=(added,))).read == read


def test_what_is_only_being_written_is_not_read() -> None:
    """Without it five bids at once are counted as one write and four reads, where they are five writes."""
    caches, body = Caches(), asked(LONG, "x", marks=(0,))
    side_by_side = [caches.count(body, 0.0) for _ in range(5)]
    assert [bill.read for bill, _ in side_by_side] == [0] * 5
    for _, written in side_by_side:
        caches.keep(written, 0.0)
    assert called(caches, body).read == 2400


@pytest.fixture
def server() -> Iterator[CachingAnthropic]:
    with CachingAnthropic() as fake:
        yield fake


async def test_the_server_counts_over_http_as_the_sdk_reads_it(server: CachingAnthropic) -> None:
    """Without it the figures are of a counter that no real client has ever talked to."""
    server.clock = iter([0.0, 0.0, 1.0, 1.0, 2.0]).__next__
    async with AsyncAnthropic(api_key="none", base_url=server.url, max_retries=0) as client:
        plain = await client.messages.create(**asked(LONG, "x", marks=(0,)))
        async with client.messages.stream(**asked(LONG, "x", marks=(0,))) as streamed:
            again = await streamed.get_final_message()
        with pytest.raises(BadRequestError, match="A maximum of 4 blocks"):
            await client.messages.create(**asked(*["x"] * 6, marks=tuple(range(MARKS + 1))))
    assert (plain.usage.cache_creation_input_tokens, plain.usage.cache_read_input_tokens) == (2400, 0)
    assert (again.usage.cache_creation_input_tokens, again.usage.cache_read_input_tokens) == (0, 2400)
    assert plain.usage.input_tokens == again.usage.input_tokens == 0


# A request


@given(
    st.lists(st.text(min_size=1, max_size=9), max_size=60),
    st.integers(0, 3),
    st.booleans(),
    st.sampled_from(["speak", "bid", "ballot", "ask"]),
)
def test_no_request_marks_more_than_the_provider_takes(texts: list[str], documents: int, summed: bool, purpose) -> None:
    """Without it some long debate ends with a 400 at every call."""
    fixed = ("Question?", *[f"file {number}" for number in range(documents)])
    head = ("## Summaries", "One.", "## Recent") if summed else ("## Recent",)
    prompt = Prompt(
        purpose=purpose,
        documents=tuple(Document(f"{number}.md", "text") for number in range(documents)),
        lines=tuple(Line(number, "Ada", text) for number, text in enumerate(texts)),
        shared=(*fixed, *head, *texts),
        ends=(len(fixed), len(fixed) + len(head) - 1),
        held=("What memory holds.",) if purpose == "ballot" else (),
        own="Speak.",
    )
    content = request(prompt, look_up(SPEECH))["messages"][0]["content"]
    marked = [block["text"].strip() for block in content if "cache_control" in block]
    assert len(marked) <= MARKS
    assert "cache_control" not in content[-1]
    assert fixed[-1] in marked
    assert not summed or "One." in marked


# A debate


class Played:
    """A debate over HTTP, and what it took."""

    def __init__(
        self,
        server: CachingAnthropic,
        settings: Settings,
        documents: tuple[Document, ...] = (),
        cheap_model: str | None = None,
    ) -> None:
        panel = Panel(server, cheap_model=cheap_model)
        self.debate = Debate(
            QUESTION,
            "architecture-review",
            panel,
            options=("move it", "leave it"),
            documents=documents,
            settings=settings,
        )

        async def play() -> Result:
            done = await self.debate.run()
            await panel.close()
            return done

        self.result = asyncio.run(play())
        self.calls = [event for event in self.debate.session.events() if isinstance(event, CallMade)]


def test_a_debate_of_sixty_messages_costs_little_more_than_sending_it_all(server: CachingAnthropic) -> None:
    """Without it what all calls share is paid for at full price at every turn, and nobody notices.

    A third more than an append-only transcript with a perfect cache, which has no bids, summaries and ballots.
    """
    played = Played(server, Settings(max_messages=60), cheap_model="inherit")
    assert played.result.reason == "messages"
    assert played.result.messages == 60
    every = server.bill()
    assert every.calls == len(played.calls) == len(server.requests)
    said = sum(len(event.text) // 4 for event in played.debate.session.events() if isinstance(event, MessagePosted))
    end = sum(call.input_tokens for call in played.calls if call.purpose == "speak")
    assert every.billed <= 4 / 3 * (end + 60 * 0.1 * (425 + said / 2) + 1.25 * said)
    spent = played.result.spent
    assert (spent.input_tokens, spent.cache_read_tokens, spent.cache_write_tokens) == (
        every.sent,
        every.read,
        every.written,
    )


def test_a_context_file_is_written_once_and_read_at_every_turn(server: CachingAnthropic) -> None:
    """Without it a long file is paid for again each time the transcript drops its beginning."""
    file = Document("plan.md", "\n".join(f"Line {number} of the plan says what it costs." for number in range(1200)))
    played = Played(server, Settings(max_messages=24, floor="round-robin"), (file,))
    tokens = len(file.text) // 4
    speeches = [call for call in played.calls if call.purpose == "speak"]
    assert speeches[0].cache_write_tokens >= tokens
    assert all(call.cache_read_tokens >= tokens > call.cache_write_tokens for call in speeches[1:])


def test_the_first_ballot_writes_what_the_others_read(server: CachingAnthropic) -> None:
    """Without it five voters pay five times for the whole transcript."""
    played = Played(server, Settings(max_messages=12, floor="round-robin", first_vote=False))
    first, *others = [call for call in played.calls if call.purpose == "ballot"]
    assert len(others) == 4
    assert first.cache_read_tokens == 0 < first.cache_write_tokens
    assert all(call.cache_write_tokens == 0 and call.cache_read_tokens == first.cache_write_tokens for call in others)


def test_all_calls_of_one_model_share_one_beginning(server: CachingAnthropic) -> None:
    """Without it bids, summaries and ballots each write the transcript once more, for themselves alone."""
    played = Played(server, Settings(max_messages=40, floor="bidding"), cheap_model="inherit")
    written = sum(call.cache_write_tokens for call in played.calls)
    said = sum(len(event.text) // 4 for event in played.debate.session.events() if isinstance(event, MessagePosted))
    assert written < 2 * said
    for purpose in ("speak", "bid", "summarise", "ballot"):
        later = [call for call in played.calls if call.purpose == purpose and call.last > 5]
        read = [call for call in later if call.cache_read_tokens > call.cache_write_tokens]
        assert len(read) >= 0.7 * len(later) > 0, purpose


def test_a_model_that_only_bids_is_asked_as_cheaply_as_can_be(server: CachingAnthropic) -> None:
    """Without it a bid thinks for longer than the speech that it asks for, where no cache is shared with speeches."""
    Played(server, Settings(max_messages=12))
    by_model = {request["model"]: request for request in server.requests}
    assert by_model["claude-haiku-5-5"]["thinking"] == {"type": "disabled"}
    assert by_model["claude-haiku-5-5"]["output_config"]["effort"] == "low"
    assert "thinking" not in by_model[SPEECH]


def test_what_memory_holds_is_written_once_for_all_who_are_polled() -> None:
    """Without it each poll and ballot pays for the same list of proposals and notes once for every member."""
    memory = "## Proposals on the table\n" + "- p1.0 Ada: Wait. " * 300
    shared, caches = ("# The question", "## Recent messages", LONG), Caches()
    prompts = [
        Prompt(purpose="poll", lines=(Line(1, "Ada", LONG),), shared=shared, held=(memory,), own=who) for who in "ab"
    ]
    bills = [called(caches, request(prompt, look_up(SPEECH))) for prompt in prompts]
    assert bills[0].written == bills[1].read > (len(LONG) + len(memory)) // 4
    assert [bill.uncached for bill in bills] == [0, 0]
