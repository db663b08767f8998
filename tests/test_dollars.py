"""The cost benchmarks: the plain ways to which a debate is compared are priced as the strict server prices them."""

from __future__ import annotations

from typing import Any

import pytest
from dollars import BIDDING, SPEAKER, WINDOW, Arm, Played, Sent, dollars, plain, tokens
from evidence import MOST, kept, planted
from fake_cache import Caches

from eda import MessagePosted, Prompt
from eda.events import CallMade

HOUSE, QUESTION, OWN = "House rules. " * 400, "Question? " * 200, "# Who you are\n" + "You are Ada. " * 40
MESSAGES = tuple(
    MessagePosted(number=number, who="Ada", text=f"{number} says something at length. " * 30) for number in range(1, 81)
)
RUN = Played(BIDDING, MESSAGES, (), (Prompt(purpose="speak", system=HOUSE, shared=(QUESTION,), own=OWN),))


def body(sent: Sent) -> dict[str, Any]:
    """What the call would send: the transcript ends with a mark, and so does what stands before it."""
    mark = {"cache_control": {"type": "ephemeral"}}
    content: list[dict[str, Any]] = [{"type": "text", "text": text} for text in (QUESTION, *sent.shown)]
    content[0] |= mark
    content[-1] |= mark
    system = [{"type": "text", "text": HOUSE}]
    return {"model": "claude-sonnet-5-5", "system": system, "messages": [{"content": [*content, {"text": OWN}]}]}


@pytest.mark.parametrize("window", [None, WINDOW], ids=["append-only", "window"])
def test_a_plain_way_costs_what_the_server_would_bill(window: tuple[int, int] | None) -> None:
    """Without it the debate is held against a figure that no server would bill."""
    caches, seen = Caches(), 0
    for call, sent in enumerate(plain(RUN, window)):
        bill, written = caches.count(body(sent), 10.0 * call)
        caches.keep(written, 10.0 * call)
        # Parts counted one by one lose up to three characters each.
        assert sent.usage.cache_read_tokens == pytest.approx(bill.read, abs=len(sent.shown) + 3)
        assert sent.usage.cache_write_tokens == pytest.approx(bill.written, abs=len(sent.shown) + 3)
        assert sent.usage.input_tokens == pytest.approx(bill.uncached, abs=3)
        seen = max(seen, sum(map(tokens, sent.shown)))
        assert window is None or seen <= window[0]
    assert (seen > WINDOW[0]) == (window is None)


def test_a_cheap_model_for_the_rest_is_priced_at_its_own_price() -> None:
    """Without it the rows for one model and for two say the same."""
    cheap = SPEAKER.model_copy(update={"price": SPEAKER.price.model_copy(update={"input": 0.15})})
    calls = tuple(CallMade(purpose=purpose, input_tokens=1_000_000) for purpose in ("speak", "bid"))
    run = Played(Arm("two", rest=cheap), (), calls, ())
    assert run.cost(run.of("speak")) == pytest.approx(3)
    assert run.cost(run.of("bid")) == pytest.approx(0.15)
    assert run.cost(calls, output=True) == run.cost(calls)


def test_evidence_is_what_the_prompt_has_word_for_word() -> None:
    """Without it a prompt that has the words of a fact in other sentences counts as one that has the fact."""
    script = planted(60, 0)
    assert 0 < len(script.needs) <= MOST
    assert 0 < len(script.late) < len(script.needs)
    transcript = {number: "\n".join(script.texts[: number - 1]) for number in script.needs}
    assert set(kept(script, transcript).values()) == {1.0}
    jumbled = {number: " ".join(sorted(text.split())) for number, text in transcript.items()}
    assert set(kept(script, jumbled).values()) == {0.0}
    early = {number: "\n".join(script.texts[10 : number - 1]) for number in script.needs}
    assert set(kept(script, early).values()) == {0.0}


def test_a_window_costs_less_than_the_whole_transcript_in_the_end() -> None:
    """Without it the two plain ways may be mixed up, and the table praises the wrong one."""
    whole, cut = (sum(dollars(sent.usage) for sent in plain(RUN, window)) for window in (None, WINDOW))
    assert cut < whole
