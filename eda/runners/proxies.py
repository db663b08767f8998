"""Proxies that the environment names. The one rule: one that cannot be used is said before a call is made."""

from __future__ import annotations

from importlib.util import find_spec
from urllib.request import getproxies

from eda.errors import RunnerUnavailableError

__all__ = ["check_proxies"]


def check_proxies() -> None:
    """What the SDK would only say with a traceback.

    Raises:
        RunnerUnavailableError: the environment names a proxy of a kind that cannot be used.
    """
    named = getproxies()
    for name in sorted(named.keys() & {"http", "https", "all"}):
        kind, found, _ = named[name].casefold().partition("://")
        if not found or kind in ("http", "https") or (kind in ("socks5", "socks5h") and find_spec("socksio")):
            continue
        lacks = "it needs the package socksio" if kind.startswith("socks5") else "it is of no known kind"
        raise RunnerUnavailableError(
            f"the proxy that {name.upper()}_PROXY names cannot be used: {lacks}",
            hint="`pip install socksio`, or write it as http://HOST:PORT.",
        )
