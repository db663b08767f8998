"""The tools that members may call, and the file that names the servers which have them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError, model_validator

from eda.errors import InputError
from eda.panels.files import UserFile, complaint, key_line
from eda.panels.settings import Frozen

_Word = Annotated[str, Field(min_length=1)]


class Tool(Frozen):
    """A tool that members may call."""

    name: str
    does: str = ""
    """A line on what it is for."""
    takes: str = ""
    """Its arguments: `query: string, limit?: integer`."""
    most: int = 2
    """Calls of a turn."""


class ToolServer(Frozen):
    """A server of the Model Context Protocol, and what of it members may use."""

    command: _Word | None = None
    """The program to start, with `args`; or the server has a `url`."""
    args: tuple[str, ...] = ()
    env: tuple[_Word, ...] = ()
    """Names of variables that the program is given; of others it is given those alone that every program needs."""
    url: Annotated[str, Field(pattern="^https?://")] | None = None
    allow: tuple[_Word, ...] = Field(min_length=1)
    """Names of its tools that members may call."""
    most: Annotated[int, Field(strict=True, ge=1, le=5)] = 2
    """Calls of a turn."""
    timeout: Annotated[float, Field(gt=0, le=600)] = 20.0
    """Seconds that a call may take."""
    bytes: Annotated[int, Field(strict=True, ge=100, le=100_000)] = 4000
    """Of a result that members are shown."""

    @model_validator(mode="after")
    def _one_way(self) -> "ToolServer":
        if (self.command is None) == (self.url is None):
            raise ValueError("needs a command or a url, and not both")
        return self


def read_servers(path: Path) -> Mapping[str, ToolServer]:
    """Return the servers of a file by name; it is TOML, or JSON where its name ends so.

    Raises:
        InputError: it cannot be read, names no server, or one that cannot be; says file, line and reason.
    """
    file = UserFile(Path(path), InputError, what="tools file")
    text = file.text()
    table = file.json(text) if file.path.suffix == ".json" else file.table(text)
    if not isinstance(table, dict) or not table:
        raise file.fault("names no server", 'Write a table for each: [search], command = "...", allow = ["..."].')
    servers: dict[str, ToolServer] = {}
    for name, given in table.items():
        try:
            servers[name] = ToolServer.model_validate(given)
        except ValidationError as error:
            loc, reason, hint = complaint(error)
            line = key_line(text, name, str(loc[0])) if loc and file.path.suffix != ".json" else None
            reason = reason if loc else "it needs a command or a url, and not both"
            raise file.fault(f"server '{name}': {reason}", hint or "See docs/tools.md.", line) from error
    return servers
