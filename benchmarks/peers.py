"""The same round robin by peers, with canned replies: `make bench` runs it in an environment of their own.

Five agents in turn, each with the next of the same messages; no model, no prompts, no memory, no patterns, no log. Each
peer takes the fastest path that its documentation shows for an agent whose reply is known:

- AG2: `GroupChat` with `GroupChatManager`, the reply function registered in front of the agent's own, which are then
  not tried (`default_auto_reply`, which is tried last, takes three times as long).
- AutoGen: `RoundRobinGroupChat` of agents derived from `BaseChatAgent`.
- LangGraph: a `StateGraph` of five nodes in a ring, compiled without a checkpointer.
"""

# ruff: noqa: PLC0415 - a process imports the peer that it runs

from __future__ import annotations

import argparse
import asyncio
import json
import operator
import resource
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Annotated, Any, TypedDict

from talk import say

NAMES = tuple(f"agent{place}" for place in range(5))


def ag2(messages: int) -> tuple[Callable[[], object], Callable[[], int]]:
    """Return what runs a group chat of AG2, and what counts its messages."""
    from autogen import ConversableAgent, GroupChat, GroupChatManager

    def answer(_: object, messages: Sequence[object] | None = None, **__: object) -> tuple[bool, str]:
        return True, say(len(messages or ()))

    agents = [ConversableAgent(name, llm_config=False, human_input_mode="NEVER") for name in NAMES]
    for agent in agents:
        agent.register_reply([ConversableAgent, None], answer, position=0)
    chat = GroupChat(agents=agents, messages=[], max_round=messages, speaker_selection_method="round_robin")
    manager = GroupChatManager(chat, llm_config=False, silent=True)
    return lambda: agents[0].initiate_chat(manager, message=say(0), silent=True), lambda: len(chat.messages)


def autogen(messages: int) -> tuple[Callable[[], object], Callable[[], int]]:
    """Return the same of AutoGen."""
    from autogen_agentchat.agents import BaseChatAgent
    from autogen_agentchat.base import Response
    from autogen_agentchat.conditions import MaxMessageTermination
    from autogen_agentchat.messages import TextMessage
    from autogen_agentchat.teams import RoundRobinGroupChat

    said = []

    class Canned(BaseChatAgent):
        produced_message_types = (TextMessage,)

        async def on_messages(self, messages: Sequence[Any], cancellation_token: Any) -> Response:  # noqa: ARG002 - its shape
            said.append(self.name)
            return Response(chat_message=TextMessage(content=say(len(said)), source=self.name))

        async def on_reset(self, cancellation_token: Any) -> None:
            """Nothing is kept."""

    agents = [Canned(name, "Talks.") for name in NAMES]
    team = RoundRobinGroupChat(agents, termination_condition=MaxMessageTermination(messages))
    return lambda: asyncio.run(team.run(task=say(0))), lambda: len(said) + 1


def langgraph(messages: int) -> tuple[Callable[[], object], Callable[[], int]]:
    """Return the same of LangGraph."""
    from langgraph.graph import END, START, StateGraph

    class State(TypedDict):
        messages: Annotated[list[dict[str, str]], operator.add]

    def node(name: str) -> Callable[[State], dict[str, Any]]:
        def answer(state: State) -> dict[str, Any]:
            return {"messages": [{"name": name, "content": say(len(state["messages"]))}]}

        return answer

    graph, ended = StateGraph(State), []
    for name, following in zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True):
        graph.add_node(name, node(name))
        goes_on = {following: following, END: END}
        graph.add_conditional_edges(
            name, lambda s, to=following: END if len(s["messages"]) >= messages else to, goes_on
        )
    graph.add_edge(START, NAMES[0])
    compiled = graph.compile()

    def run() -> None:
        ended.append(compiled.invoke({"messages": []}, {"recursion_limit": messages + 5}))

    return run, lambda: len(ended[-1]["messages"])


PEERS = {
    "AG2": ("ag2", ag2),
    "AutoGen": ("autogen-agentchat", autogen),
    "LangGraph": ("langgraph", langgraph),
}


def one(name: str, messages: int, *, waits: bool) -> dict[str, float]:
    """Return seconds of the clock and of the processor a message, and the peak memory, of one run."""
    PEERS[name][1](5)[0]()  # imports and what is made once
    if waits:
        say.waits()
    run, count = PEERS[name][1](messages)
    began, busy = time.perf_counter(), time.process_time()
    run()
    seconds, processor = time.perf_counter() - began, time.process_time() - busy
    if not messages - 1 <= count() <= messages + 1:
        raise SystemExit(f"{name} said {count()} messages of {messages}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"wall": seconds / count(), "processor": (processor - say.waited) / count(), "peak_mb": peak}


def main() -> None:
    """Print one run as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=PEERS)
    parser.add_argument("messages", type=int)
    parser.add_argument("--waits", action="store_true", help="replies come as after a wait for a model")
    args = parser.parse_args()
    print(json.dumps({**one(args.name, args.messages, waits=args.waits), "version": version(PEERS[args.name][0])}))


if __name__ == "__main__":
    main()
