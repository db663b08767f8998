"""What a conversation leaves behind: summaries, proposals, decisions, reactions, positions, notes, and context from them."""

from eda.memory.context import Context, Section
from eda.memory.conversation import ConversationMemory

__all__ = ["Context", "ConversationMemory", "Section"]
