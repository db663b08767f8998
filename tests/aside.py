"""Asks a member aside where no event loop runs."""

from __future__ import annotations

import asyncio
from typing import Any

from eda import SideReply, ask

__all__ = ["ask_now"]


def ask_now(*given: Any, **chosen: Any) -> SideReply:
    return asyncio.run(ask(*given, **chosen))
