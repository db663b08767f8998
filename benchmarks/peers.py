"""The same work by a peer, for the ratio on one machine: `python benchmarks/peers.py` where ag2 is installed.

Five agents in round robin with canned replies of about 60 words; no memory, no patterns, no log, no prompts.
"""

from __future__ import annotations

import statistics
import time

from autogen import ConversableAgent, GroupChat, GroupChatManager
from bench import TALK

LENGTHS = (200, 1_000, 4_000)
RUNS = 3


def rate(messages: int) -> float:
    """Messages a second of one group chat."""
    agents = [
        ConversableAgent(
            f"agent{place}",
            llm_config=False,
            human_input_mode="NEVER",
            default_auto_reply=TALK[place % len(TALK)],
            max_consecutive_auto_reply=messages,
        )
        for place in range(5)
    ]
    chat = GroupChat(agents=agents, messages=[], max_round=messages, speaker_selection_method="round_robin")
    manager = GroupChatManager(chat, llm_config=False, max_consecutive_auto_reply=messages)
    began = time.perf_counter()
    agents[0].initiate_chat(manager, message=TALK[0], silent=True)
    return len(chat.messages) / (time.perf_counter() - began)


def main() -> None:
    """Print a line a length."""
    for messages in LENGTHS:
        figure = statistics.median(rate(messages) for _ in range(RUNS))
        print(f"AG2 group chat, {messages:,} messages: {figure:,.0f} messages/s")


if __name__ == "__main__":
    main()
