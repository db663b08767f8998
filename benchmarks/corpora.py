"""Corpora as files: every `X.messages.jsonl` of a folder, with what gold lies beside it. None is known by name."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def load(path: Path) -> list[Row]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf8").splitlines() if line.strip()]


@dataclass
class Corpus:
    name: str
    folder: Path
    conversations: dict[str, list[Row]]
    gold: dict[str, Row] = field(default_factory=dict)
    options: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def file(self, kind: str) -> Path:
        return self.folder / f"{self.name}.{kind}.jsonl"

    def has(self, kind: str) -> bool:
        return self.file(kind).exists()


def corpora(folder: Path) -> Iterator[Corpus]:
    for path in sorted(folder.glob("*.messages.jsonl")):
        name = path.name.removesuffix(".messages.jsonl")
        if not (folder / f"{name}.gold.jsonl").exists():
            continue
        conversations: dict[str, list[Row]] = defaultdict(list)
        options: dict[str, tuple[str, ...]] = {}
        for row in load(path):
            conversations[row["conv"]].append(row)
            if row.get("options"):
                options[row["conv"]] = tuple(row["options"])
        for rows in conversations.values():
            rows.sort(key=lambda row: row["i"])
        corpus = Corpus(name, folder, dict(conversations))
        corpus.gold = {row["id"]: row for row in load(corpus.file("gold"))}
        for row in load(corpus.file("positions")):
            options[row["conv"]] = tuple(row["cards"])
        corpus.options = options
        yield corpus


class Scorers:
    """The corpora's own scorers, called as their command line does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, name: str, arguments: Sequence[str]) -> str:
        sys.path.insert(0, str(self.folder))
        try:
            spec = importlib.util.spec_from_file_location(f"scorer_{name}", self.folder / f"{name}.py")
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                module.main([str(argument) for argument in arguments])
            return out.getvalue()
        finally:
            sys.path.remove(str(self.folder))
