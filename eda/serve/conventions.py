"""Names of spans and attributes. Those of `gen_ai` are still in development, and change in this file alone."""

from __future__ import annotations

from typing import Final

INVOKE_WORKFLOW: Final = "invoke_workflow"
INVOKE_AGENT: Final = "invoke_agent"
CHAT: Final = "chat"
EXECUTE_TOOL: Final = "execute_tool"

OPERATION: Final = "gen_ai.operation.name"
PROVIDER: Final = "gen_ai.provider.name"
WORKFLOW: Final = "gen_ai.workflow.name"
AGENT: Final = "gen_ai.agent.name"
CONVERSATION: Final = "gen_ai.conversation.id"
MODEL: Final = "gen_ai.request.model"
ANSWERED: Final = "gen_ai.response.model"
INPUT: Final = "gen_ai.usage.input_tokens"
"""All input tokens, cached ones included."""
OUTPUT: Final = "gen_ai.usage.output_tokens"
CACHE_READ: Final = "gen_ai.usage.cache_read.input_tokens"
CACHE_WRITE: Final = "gen_ai.usage.cache_creation.input_tokens"
TOOL: Final = "gen_ai.tool.name"
ERROR: Final = "error.type"

COST: Final = "eda.cost_usd"
"""US dollars; the conventions have no name for it. Absent where the model's price is unknown."""
DECIDED: Final = "eda.decided"
LAP: Final = "eda.lap"
MESSAGE: Final = "eda.message"
MESSAGES: Final = "eda.messages"
PHASE: Final = "eda.phase"
PURPOSE: Final = "eda.purpose"
REASON: Final = "eda.reason"
ROUND: Final = "eda.round"
RUNNER: Final = "eda.runner"
