"""Reads the YAML between two `---` lines at the head of a Markdown file, and knows on which line each key stands.

The one rule: a file is data. Nothing in it runs, and keys that nobody reads may hold what they like.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import yaml

from eda.errors import EdaError
from eda.panels.files import CONTROLS, Loc, UserFile, shipped


class _PlainLoader(yaml.SafeLoader):
    """Safe YAML with dates as text, and without aliases: a few hundred bytes of them can fill the memory."""

    yaml_implicit_resolvers = {  # noqa: RUF012  # declared so by PyYAML
        first: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:timestamp"]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            problem = "aliases ('*name') are not read here"
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]  # the stubs leave it out
            raise yaml.composer.ComposerError(problem=problem, problem_mark=mark)
        return super().compose_node(parent, index)


class _ShippedLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # PyYAML may lack it
    """The same in C, in a twentieth of the time. It bounds no depth, so it reads only what comes with EDA."""

    yaml_implicit_resolvers = _PlainLoader.yaml_implicit_resolvers


class FrontMatter(NamedTuple):
    """A Markdown file taken apart, able to say on which line a key stands."""

    file: UserFile
    head: str
    """The front matter between its two `---` lines."""
    start: int
    """Line of the file on which `head` begins."""
    body: str
    keys: dict[str, Any]
    node: yaml.Node | None
    """The YAML tree `keys` came from; None where it is no valid YAML and was read leniently."""

    def fault(self, loc: Loc, reason: str, hint: str = "") -> EdaError:
        """Return an error that names the line of the deepest place along `loc` that the file has."""
        return self.file.fault(reason, hint, self._line(loc))

    def _line(self, loc: Loc) -> int:
        if loc == ("instruction",):
            return self.start + self.head.count("\n") + 1
        if self.node is None:
            key = re.search(rf"^{re.escape(str(loc[0]))}\s*:", self.head, re.MULTILINE) if loc else None
            return self.start - 1 if key is None else self._line_at(key.start())
        node, index = self.node, None
        for step in loc:
            if isinstance(node, yaml.MappingNode):
                pair = next(((key, value) for key, value in node.value if key.value == step), None)
                if pair is None:
                    break
                index, node = pair[0].start_mark.index, pair[1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
                node = node.value[step]
                index = node.start_mark.index
        return self.start - 1 if index is None else self._line_at(index)

    def _line_at(self, index: int) -> int:
        return self.start + self.head.count("\n", 0, index)


def read_front_matter(file: UserFile, text: str, known: Sequence[str]) -> FrontMatter:
    """Return a text's front matter and body.

    Only `known` keys are read; any other may hold what it likes. Front matter that is no YAML is read leniently, unless
    the key `eda` marks the file as EDA's own.

    Raises:
        EdaError: of the file's class: there is no front matter, or it cannot be read; the message names the line.
    """
    head, start, body = _split(file, text)
    try:
        loader = (_ShippedLoader if shipped("personas") in file.path.parents else _PlainLoader)(head)
        node = loader.get_single_node()
        keys = _construct(loader, node, known) if isinstance(node, yaml.MappingNode) else {}
    except (yaml.YAMLError, RecursionError) as error:
        if not re.search(r"^eda\s*:", head, re.MULTILINE):
            return FrontMatter(file, head, start, body, _lenient(head), None)
        offset, problem = _yaml_fault(error, head)
        line = None if offset is None else start + offset
        tab = "\\t" in problem
        hint = "Indent with spaces." if tab else "Put quotes around a text that holds ': ' or begins with a sign."
        raise file.fault(f"the front matter is no valid YAML: {problem}", hint, line) from error
    if node is not None and not isinstance(node, yaml.MappingNode):
        raise file.fault("the front matter is no list of 'key: value' lines", "Begin with 'name: ...'.", start)
    return FrontMatter(file, head, start, body, keys, node)


def _split(file: UserFile, text: str) -> tuple[str, int, str]:
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[first].rstrip() != "---":
        raise file.fault(
            "does not begin with front matter ('---')",
            "A persona begins with '---', 'name: ...', 'description: ...' and '---'.",
            first + 1,
        )
    last = next((n for n in range(first + 1, len(lines)) if lines[n].rstrip() == "---"), None)
    if last is None:
        raise file.fault(
            "the front matter that opens here never closes", "Put a line '---' under the last key.", first + 1
        )
    # A raw escape code is no YAML; without it the line still reads, and no line moves.
    return CONTROLS.sub("", "\n".join(lines[first + 1 : last])), first + 2, "\n".join(lines[last + 1 :]).strip()


def _construct(loader: yaml.SafeLoader, node: yaml.MappingNode, known: Sequence[str]) -> dict[str, Any]:
    keys: dict[str, Any] = {}
    for key, value in node.value:
        if key.value in known:
            try:
                keys[key.value] = loader.construct_object(value, deep=True)
            except ValueError as error:
                problem, mark = str(error), value.start_mark
                raise yaml.constructor.ConstructorError(problem=problem, problem_mark=mark) from error
    return keys


def _lenient(head: str) -> dict[str, Any]:
    """Return top-level `key: rest of line` pairs, the first of a name winning; other lines continue the last key."""
    keys: dict[str, Any] = {}
    current = ""
    for line in head.split("\n"):
        pair = re.match(r"([A-Za-z_][\w-]*):(?:\s+(.*)|$)", line)
        if pair and pair[1] not in keys:
            current = pair[1]
            value = (pair[2] or "").strip()
            keys[current] = "" if value in {"|", ">", "|-", ">-", "|+", ">+"} else value
        elif current:
            keys[current] += "\n" + line.strip()
    return {key: re.sub(r"\A([\"'])(.*)\1\Z", r"\2", value.strip(), flags=re.DOTALL) for key, value in keys.items()}


def _yaml_fault(error: Exception, head: str) -> tuple[int | None, str]:
    """Return how many lines into `head` the fault is, where that is known, and what it is."""
    if isinstance(error, RecursionError):
        return None, "it nests too deep"
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    mark = getattr(error, "problem_mark", None)
    if "end of stream" in problem:
        mark = getattr(error, "context_mark", None) or mark  # A quote is missing where the text opens.
    return head.count("\n", 0, mark.index if mark is not None else getattr(error, "position", 0)), problem
