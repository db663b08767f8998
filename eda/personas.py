"""Personas, read from files that people write.

The one rule: a file is data. Nothing in it runs, a folder of Claude Code agents works unchanged, and a file
that cannot be read is refused in one sentence that names the file, the line and the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, TypeVar, get_args

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from eda.errors import PersonaError, nearest

__all__ = ["CommentsOn", "Persona", "collect_folder", "load_persona"]

MAX_BYTES = 256 * 1024
_EDA_KEYS = (
    "title", "role", "values", "fears", "moved_by", "voice", "openers", "stubbornness", "talkativeness",
    "comments_on",
)  # fmt: skip
_TOP_KEYS = ("name", "description", "model", "color", "eda")
_NO_PERSONAS = {"readme.md", "claude.md", "agents.md", "changelog.md", "contributing.md", "license.md"}
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
Loc = tuple[int | str, ...]
CommentsOn = Literal["decision", "proposal", "verdict"]


def _shown(text: str) -> str:
    return _CONTROLS.sub("", text).strip()


def _one_line(text: str) -> str:
    return " ".join(_shown(text).split())


Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
Label = Annotated[str, AfterValidator(_one_line), Field(min_length=1, max_length=120)]
Prose = Annotated[str, AfterValidator(_shown), Field(min_length=1)]
_Phrases = tuple[Annotated[str, Field(min_length=1, max_length=400)], ...]
_Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]


class Persona(BaseModel):
    """Who speaks: stored in full in a session's first event, so a resumed panel is the panel that began."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    """Lowercase words joined by hyphens, at most 64 characters; unique in a panel."""
    title: Label
    """How the persona is shown, one line; unique in a panel whatever the case."""
    role: Label
    """What it stands for, one line."""
    description: Prose
    """When to seat it, for the person who picks a panel."""
    instruction: Annotated[str, Field(min_length=1)]
    """The Markdown body, addressed to the persona; kept as written."""
    model: str | None = None
    """A model the file asks for; None leaves it to the debate."""
    color: str | None = None
    """A colour the file asks for, as the file spells it."""
    values: _Phrases = ()
    """What it wants more of: noun phrases."""
    fears: _Phrases = ()
    """What it worries about: noun phrases."""
    moved_by: _Phrases = ()
    """The evidence that changes its mind: noun phrases."""
    voice: str = ""
    """How it talks, a line or two."""
    openers: _Phrases = ()
    """Sentence beginnings of its own, for the simulated runner."""
    stubbornness: _Share = 0.5
    """0 follows the room at once, 1 never moves."""
    talkativeness: _Share = 0.5
    """0 bids only when it must, 1 bids for every turn."""
    comments_on: tuple[CommentsOn, ...] = ()
    """Events on which it comments without being asked, aside from the panel."""
    person: bool = False
    """Somebody in the flesh has this seat: no model speaks for them. Never read from a file."""

    @property
    def called(self) -> frozenset[str]:
        """What it is found by, in lower case: its title and its name."""
        return frozenset((self.title.casefold(), self.name))


class _Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=_Named)


def broken(path: Path, line: int | None, reason: str, hint: str = "") -> PersonaError:
    place = str(path) if line is None else f"{path}, line {line}"
    return PersonaError(f"{place}: {reason}", hint=hint)


def read_text(path: Path) -> str:
    if path.is_dir():
        raise broken(path, None, "is a folder, and no file", "Name a file in it.")
    if not path.is_file():
        raise broken(path, None, "there is no such file", "Check the spelling of the path.")
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = f"cannot be read ({error.strerror})"
        raise broken(path, None, reason, "Check its permissions.") from error
    if len(raw) > MAX_BYTES:
        reason = f"is larger than {MAX_BYTES // 1024} kB"
        raise broken(path, None, reason, "Give long material to the debate as a context file.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise broken(path, line, "is not UTF-8 text", "Save the file as UTF-8.") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise broken(path, line, "holds a zero byte, so it is no text", "Save the file as UTF-8.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


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


@dataclass(frozen=True)
class _Document:
    """One persona file taken apart, able to say on which line a key stands."""

    path: Path
    head: str
    """The front matter between its two `---` lines."""
    start: int
    """Line of the file on which `head` begins."""
    body: str
    keys: dict[str, Any]
    node: yaml.Node | None
    """The YAML tree `keys` came from; None where it is no valid YAML and was read leniently."""

    def line(self, loc: Loc) -> int:
        """The line of the deepest place along `loc` that the file has."""
        if loc == ("instruction",):
            return self.start + self.head.count("\n") + 1
        if self.node is None:
            found = re.search(rf"^{re.escape(str(loc[0]))}\s*:", self.head, re.MULTILINE) if loc else None
            return self.start - 1 if found is None else self.start + self.head.count("\n", 0, found.start())
        node, index = self.node, None
        for step in loc:
            if isinstance(node, yaml.MappingNode):
                pair = next(((k, v) for k, v in node.value if k.value == step), None)
                if pair is None:
                    break
                index, node = pair[0].start_mark.index, pair[1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
                node = node.value[step]
                index = node.start_mark.index
        return self.start - 1 if index is None else self.start + self.head.count("\n", 0, index)

    def repeated(self, block: str) -> Iterable[tuple[str, int]]:
        """Keys that stand in a block a second time, with their line; YAML would keep the last unasked."""
        pairs = self.node.value if isinstance(self.node, yaml.MappingNode) else []
        blocks: list[yaml.Node] = [value for key, value in pairs if key.value == block]
        seen: set[str] = set()
        for key, _ in blocks[0].value if blocks else []:
            if key.value in seen:
                yield key.value, self.start + self.head.count("\n", 0, key.start_mark.index)
            seen.add(key.value)

    def error(self, loc: Loc, reason: str, hint: str = "") -> PersonaError:
        return broken(self.path, self.line(loc), reason, hint)


def _split(path: Path) -> tuple[str, int, str]:
    lines = read_text(path).split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[first].rstrip() != "---":
        hint = "A persona begins with '---', 'name: ...', 'description: ...' and '---'."
        raise broken(path, first + 1, "does not begin with front matter ('---')", hint)
    last = next((n for n in range(first + 1, len(lines)) if lines[n].rstrip() == "---"), None)
    if last is None:
        reason = "the front matter that opens here never closes"
        raise broken(path, first + 1, reason, "Put a line '---' under the last key.")
    # A raw escape code is no YAML; without it the line still reads, and no line moves.
    head = _CONTROLS.sub("", "\n".join(lines[first + 1 : last]))
    return head, first + 2, "\n".join(lines[last + 1 :]).strip()


def _lenient(head: str) -> dict[str, Any]:
    """Top-level `key: rest of line` pairs, the first of a name winning; other lines continue the last key."""
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
    return {key: _unquoted(value.strip()) for key, value in keys.items()}


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def _yaml_fault(error: Exception, head: str) -> tuple[int | None, str]:
    """How many lines into `head` the fault is, where that is known, and what it is."""
    if isinstance(error, RecursionError):
        return None, "it nests too deep"
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    mark = getattr(error, "problem_mark", None)
    if "end of stream" in problem:
        mark = getattr(error, "context_mark", None) or mark  # A quote is missing where the text opens.
    index = mark.index if mark is not None else getattr(error, "position", 0)
    return head.count("\n", 0, index), problem


def _construct(loader: _PlainLoader, node: yaml.MappingNode) -> dict[str, Any]:
    """The keys that are read here; any other may hold what it likes."""
    keys: dict[str, Any] = {}
    for key, value in node.value:
        if key.value in _TOP_KEYS:
            try:
                keys[key.value] = loader.construct_object(value, deep=True)
            except ValueError as error:
                problem, mark = str(error), value.start_mark
                raise yaml.constructor.ConstructorError(problem=problem, problem_mark=mark) from error
    return keys


def _document(path: Path) -> _Document:
    head, start, body = _split(path)
    try:
        loader = _PlainLoader(head)
        node = loader.get_single_node()
        keys = _construct(loader, node) if isinstance(node, yaml.MappingNode) else {}
    except (yaml.YAMLError, RecursionError) as error:
        if not re.search(r"^eda\s*:", head, re.MULTILINE):
            return _Document(path, head, start, body, _lenient(head), None)
        offset, problem = _yaml_fault(error, head)
        line = None if offset is None else start + offset
        tab = "\\t" in problem
        hint = "Indent with spaces." if tab else "Put quotes around a text that holds ': ' or begins with a sign."
        raise broken(path, line, f"the front matter is no valid YAML: {problem}", hint) from error
    if node is not None and not isinstance(node, yaml.MappingNode):
        reason = "the front matter is no list of 'key: value' lines"
        raise broken(path, start, reason, "Begin with 'name: ...'.")
    return _Document(path, head, start, body, keys, node)


def unknown_key(key: object, known: Sequence[str], where: str, what: str = "key") -> tuple[str, str]:
    close = nearest(str(key), known)
    guess = f"; did you mean '{close[0]}'?" if close else ""
    return f"'{key}' is no {what} of {where}{guess}", f"{what.capitalize()}s of {where}: {', '.join(known)}."


def _our_keys(document: _Document) -> dict[str, Any]:
    ours = document.keys.get("eda")
    if ours is None:
        return {}
    if not isinstance(ours, dict):
        raise document.error(("eda",), "'eda:' holds no keys", "Indent its keys under it.")
    for key in ours:
        if key not in _EDA_KEYS:
            raise document.error(("eda", key), *unknown_key(key, _EDA_KEYS, "'eda:'"))
    for key, line in document.repeated("eda"):
        raise broken(document.path, line, f"'{key}' stands twice in 'eda:'", "Keep one of them.")
    return ours


def _first_sentence(text: str) -> str:
    line = re.split(r"\n|<example>|Examples?:", _shown(text))[0].strip()
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z])", line)[0].rstrip(".").strip()
    return sentence if len(sentence) <= 100 else sentence[:97].rsplit(" ", 1)[0] + "..."


_PLAIN_KINDS = (
    ("valid tuple", "list"),
    ("a valid string", "text"),
    ("valid number", "number"),
    ("valid integer", "whole number"),
    ("a valid boolean", "true or false"),
)


def complaint(error: ValidationError) -> tuple[Loc, str, str]:  # noqa: PLR0911 - one for each kind of fault
    """Where the first fault is, what it is, and what to do, in words for a person."""
    first = error.errors()[0]
    loc, kind = tuple(first["loc"]), first["type"]
    key = str(loc[0]) if loc else ""
    what = f"'{key}'" if len(loc) < 2 else f"item {int(loc[1]) + 1} of '{key}'"
    if kind == "missing":
        return loc, f"{what} is missing", f"Add a line that gives {what}."
    if kind == "string_pattern_mismatch":
        slug = re.sub(r"[^a-z0-9]+", "-", str(first["input"]).lower()).strip("-")
        reason = f"{what} {str(first['input'])!r} is not made of lowercase letters, digits and hyphens"
        return loc, reason, f"Write {slug!r}." if slug else ""
    if key == "instruction":
        reason = "there is no instruction under the front matter"
        return loc, reason, "Write who the persona is, as 'You ...'."
    if key == "comments_on" and kind == "literal_error":
        return loc, *unknown_key(first["input"], get_args(CommentsOn), f"'{key}'", "event")
    if kind == "too_short" and isinstance(first["input"], str):
        return loc, f"{what} is empty", ""
    if kind == "too_long" and isinstance(first["input"], str):
        return loc, f"{what} is longer than {first['ctx']['max_length']} characters", ""
    said = re.sub(r"^(Input|String|Value|Tuple) ", "", first["msg"]).replace(" after validation", "")
    for theirs, plain in _PLAIN_KINDS:
        said = said.replace(theirs, plain)
    return loc, f"{what} {said[:1].lower()}{said[1:]}", ""


def load_persona(path: Path) -> Persona:
    """Read one persona, ours or an agent file of Claude Code.

    Raises:
        PersonaError: the file cannot be read; the message names file, line and reason.
    """
    document = _document(Path(path))
    ours = _our_keys(document)
    fields = {key: document.keys[key] for key in ("name", "description") if key in document.keys} | ours
    for key in ("model", "color"):
        value = document.keys.get(key)
        fields[key] = str(value) if isinstance(value, str | int | float) else None
    fields["instruction"] = document.body
    name, description = fields.get("name"), fields.get("description")
    if isinstance(name, str):
        fields.setdefault("title", name.replace("-", " ").title())
    if isinstance(description, str):
        if "eda" not in document.keys:
            # Claude Code writes its descriptions on one line, with the line ends spelled out.
            fields["description"] = description = description.replace("\\n", "\n")
        fields.setdefault("role", _first_sentence(description) or name)
    try:
        return Persona.model_validate(fields)
    except ValidationError as error:
        loc, reason, hint = complaint(error)
        place = ("eda", *loc) if loc and loc[0] in ours else loc
        raise document.error(place, reason, hint) from error


def collect(paths: Iterable[Path], load: Callable[[Path], T], errors: list[PersonaError]) -> dict[str, T]:
    """Load each path, by name; what cannot be loaded goes to `errors`, so that it does not hide the rest."""
    found: dict[str, T] = {}
    source: dict[str, Path] = {}
    for path in sorted(paths):
        try:
            item = load(path)
        except PersonaError as error:
            errors.append(error)
            continue
        if item.name in found:
            reason = f"the name '{item.name}' is taken by {source[item.name]}"
            errors.append(broken(path, None, reason, "Rename one of the two."))
            continue
        found[item.name], source[item.name] = item, path
    return found


def _persona_files(folder: Path) -> Iterable[Path]:
    if not folder.is_dir():
        raise broken(folder, None, "there is no such folder", "Name a folder that holds persona files.")
    for path in folder.rglob("*.md"):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inside.parts)
        of_a_session = (path.parent / "events.jsonl").exists()
        if inside.name.lower() not in _NO_PERSONAS and not hidden and not of_a_session:
            yield path


def collect_folder(folder: Path) -> tuple[dict[str, Persona], tuple[PersonaError, ...]]:
    """Every persona under `folder` that can be read, by name, and an error for each file that cannot."""
    errors: list[PersonaError] = []
    return collect(_persona_files(Path(folder)), load_persona, errors), tuple(errors)
