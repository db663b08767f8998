"""The message bus and its subscriptions."""

from eda.bus.message_bus import MessageBus
from eda.bus.subscription import Subscription

__all__ = ["MessageBus", "Subscription"]
