"""What the ids and marks in Slack's messages stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

import orjson

_MARK = re.compile(r"<([@#!])?([^<>|\n]+)(?:\|([^<>\n]*))?>")


def called(*profiles: object) -> str:
    """Return the first name in the profiles, the displayed one before others; empty without one."""
    keys = ("display_name", "real_name", "username", "name")
    names = (each.get(key) for each in profiles if isinstance(each, dict) for key in keys)
    return next((name for name in names if isinstance(name, str) and name.strip()), "")


def names_of(users: str | bytes) -> dict[str, str]:
    """Return the names of users by id; none where the list cannot be read."""
    try:
        value = orjson.loads(users)
    except orjson.JSONDecodeError:
        return {}
    known = [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
    return {str(each.get("id")): called(each.get("profile"), each) for each in known}


def written(text: str, names: Mapping[str, str]) -> str:
    """Return a text as people read it: `@Ana`, `#general`, the address of a link after its words."""

    def read(mark: re.Match[str]) -> str:
        sign, target, label = mark.groups()
        if sign in ("@", "#"):
            return sign + (names.get(target) or label or target)
        if sign == "!":
            return f"@{(label or target).lstrip('@')}"
        return target if label in (None, target) else f"{label} ({target})"

    return unescape(_MARK.sub(read, text))
