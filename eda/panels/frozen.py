"""The base class of all data that a file or a log holds."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value that cannot be changed and takes no unknown fields.

    What validates a class is built when it is first used: a command needs few of them, and to build all takes as long
    as to import pydantic. A file with many such classes imports no annotations from the future: pydantic would compile
    each of them from text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
