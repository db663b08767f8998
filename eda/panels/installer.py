"""How an extra is installed into the environment in which EDA runs."""

import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import orjson

_NAME = "eda-panel"


def to_install(extra: str) -> str:
    """Return the command that adds an extra, by the installer that made this environment: uv, pipx or pip."""
    home = Path(sys.prefix)
    what = f"'{_source()}[{extra}]'"
    if "pipx" in home.parts:
        return f"pipx install --force {what}"
    if home.parts[-3:-1] == ("uv", "tools"):
        return f"uv tool install {what}"
    return f"{'uv ' * (find_spec('pip') is None)}pip install {what}"


def _source() -> str:
    """Return the folder that EDA was installed from, else its name."""
    try:
        url = orjson.loads(distribution(_NAME).read_text("direct_url.json") or "{}").get("url", "")
    except PackageNotFoundError:
        return _NAME
    return unquote(urlsplit(url).path) if url.startswith("file:") else _NAME
