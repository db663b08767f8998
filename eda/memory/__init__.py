"""What a conversation leaves behind: summaries, items, positions, notes, and the context that is made of them."""

from eda.memory.context.sections import Context, Section
from eda.memory.conversation import ConversationMemory

__all__ = ["Context", "ConversationMemory", "Section"]
