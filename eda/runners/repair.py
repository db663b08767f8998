"""Reads a structured answer out of what a model wrote: first tolerantly, by the steps below, then by its schema.

1. The text is searched for JSON, however loosely written; without any, for lines of `field: value` or tags.
2. What is wrapped in another object or in a list of one is taken out; a schema that was echoed is no answer.
3. Fields under a common other name get their own; a map stands for a list of rows.
4. Two objects that agree are one. Of two that differ the second counts if the words between them correct the first.
5. The schema checks the rest: an optional field that is wrong takes its default.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from eda.runners.labelled import labelled
from eda.runners.protocol import Reply
from eda.text import grouped, regex, without_escapes
from eda.words import ENGLISH

Piece = tuple[int, int, Any]
"""Where an object or a list begins and ends in a text, and its value."""

_TRIED = 50  # Most brackets of a text that are tried as the beginning of a value.
# Brackets within one another, and characters, of a value that is repaired; JSON without a fault may be longer.
_DEEPEST_JSON, _LONGEST = 30, 20_000
_BEGINS = regex(r"[{\[]")
_DECODER = json.JSONDecoder(strict=False)
_TOKEN = regex(
    r"""(?P<string>(?:["“„](?:\\.|[^\\])*?["”“]|(?<=[\s:,{\[])['‘](?:\\.|[^\\])*?['’])
          (?=\s*(?:\Z|[}\]:]|//|/\*|\#|\n\s*["'“}\]]|"\w+"\s*:
                 |,\s*(?:\Z|["'“„‘{\[}\]\d/\#-]|[^\W\d]\w*\s*:|\w+\s*[,}\]]))))  # else the mark belongs to the string
      |(?P<cut>["“„]|(?<=[\s:,{\[])['‘])
      |(?P<comment>//[^\n]*|/\*.*?\*/|(?<![^\s,])\#[^\n]*)
      |(?P<nothing>:(?=\s*[,}\]]))
      |(?P<null>\b(?:NaN|undefined)\b)
      |(?P<words>(?<=[:,\[\s])\d[\d.]*\s*(?![eE][-+]?\d)[^\W\d_][^,:\[\]{}"\n]*|<[^,:\[\]{}"\n]*)
      |(?P<mark>[{}\[\],:])""",
    "SX",
)
_ESCAPE = regex(r"(\\[\"\\/bfnrtu])|\\?(.)", "S")


def pieces_of(text: str) -> Iterator[Piece]:
    """Yield the outermost objects and lists of a text, in order. What a cut answer holds in full is kept."""
    at = 0
    for _ in range(_TRIED):
        begin = _BEGINS.search(text, at)
        if begin is None:
            return
        at = begin.start()
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            try:
                value, end = _repaired(text, at)
            except (ValueError, RecursionError):
                at += 1
                continue
        yield at, end, value
        at = end


def _repaired(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins at an offset, and where it ends; raises ValueError where none stands there.

    The library completes a value that breaks off, and ends words after a figure: it is given what is whole, in quotes.
    """
    inside, before, parts, whole, last = "", "", [""], 0, at
    for token in _TOKEN.finditer(text, at, at + _LONGEST):
        kind, mark = token.lastgroup, token[0]
        if kind == "nothing" or len(inside) > _DEEPEST_JSON:
            raise ValueError("no value, or too deep")
        if kind == "cut":
            break
        written = {"comment": " ", "null": "null", "words": json.dumps(mark.strip()), "mark": mark}
        parts += [text[last : token.start()], written.get(str(kind)) or _quoted(mark)]
        last = token.end()
        if mark in "{[":
            inside += mark
        elif mark in "}]":
            inside, whole = inside[:-1], len(parts)
        elif mark == "," or (kind == "string" and (before == ":" or inside[-1] == "[")):
            whole = len(parts) - (mark == ",")
        before = before if kind == "comment" else mark
        if not inside:
            break
    if inside and len(text) > at + _LONGEST:
        raise ValueError("too long")
    import json_repair  # noqa: PLC0415 - few replies need it

    value = json_repair.loads("".join(parts[:whole]), skip_json_loads=True)
    if type(value) is not {"{": dict, "[": list}[text[at]]:
        raise ValueError("no value")
    return value, len(text) if inside else last


def _quoted(string: str) -> str:
    """Return a string of any marks in those of JSON."""
    inner = _ESCAPE.sub(lambda each: each[1] or {'"': '\\"', "\\": "\\\\"}.get(each[2], each[2]), string[1:-1])
    return f'"{inner}"'


EMPTY = "the answer was empty"
# Names under which models write the fields of an answer.
_OTHER_NAMES = {
    "choice": "choices vote voted selection selected chosen pick option answer decision preference",
    "ranking": "ranked rank ranks order",
    "approved": "approve approves approval approvals acceptable accept accepted",
    "blocked": "block blocks veto vetoes vetoed",
    "scores": "score rating ratings points",
    "score": "rating points value",
    "confidence": "certainty confident",
    "reason": "reasoning rationale why explanation justification",
    "why": "reason reasoning rationale",
    "wants": "want wants_to_speak wants_floor wants_the_floor speak floor",
    "urgency": "priority urgent",
    "agent": "name member speaker who next",
    "bids": "bid",
    "change_mind": "changes_mind would_change_my_mind what_would_change_my_mind",
}
# Words that may stand beside the name of a field.
_BESIDE = frozenset(["my", "your", "the", "final", "first", "top", "best", "preferred", "selected", "chosen", "for"])
# Words that say that what follows them replaces what stands before them.
_CORRECTS = regex(
    r"\b(?:sorry|i meant?|correct(?:ion|ed|ing)|instead|scratch that|mistake|oops|revis(?:ed|ing|ion)|"
    r"on reflection|chang(?:e|ed|ing) my (?:mind|vote)|final|actually|disregard)\b",
    "I",
)
_TAKES_BACK = regex(r"\b(?:i meant|scratch that|disregard (?:that|the above)|correction:)", "I")
_BLANK = regex(r"\s*(?:\.{3}|…|<[^<>]*>)\s*")
_THOUGHT = regex(r"(?:\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z))+", "SI")
_DEEPEST = 3  # Objects around an answer that are opened.


def without_thinking(text: str) -> str:
    """Return the text after leading `<think>` blocks, which some servers pass on."""
    match = _THOUGHT.match(text)
    return text[match.end() :].strip() if match else text


def is_data(text: str) -> bool:
    """True if a text is one JSON object, or a list of some, and nothing else: no speech."""
    plain = regex(r"```\w*").sub("", text).strip()
    begin, end, value = next(pieces_of(plain) if plain[:1] in ("{", "[") else iter(()), (0, 0, None))
    objects = value if isinstance(value, list) else [value]
    return bool(plain) and (begin, end) == (0, len(plain)) and all(isinstance(each, dict) for each in objects)


def fit(schema: type[BaseModel], text: str) -> tuple[dict[str, Any] | None, str]:
    """Return the answer that a text holds, if all of it fits the schema, and ""; or None, and what is wrong with it."""
    fields, wrong = fields_in(schema, text)
    if fields is None:
        return None, wrong or "the answer holds no JSON object with the fields asked for"
    try:
        return _plain(schema.model_validate(fields).model_dump(mode="json")), ""
    except ValidationError as error:
        return None, faults_of(error)


def fields_of(schema: type[BaseModel], reply: Reply) -> tuple[dict[str, Any] | None, str]:
    """Return the fields of a structured answer as `fields_in` does.

    They are the data that the runner has beside its text; where it has none, they are read from the text.
    """
    if isinstance(reply.data, Mapping):
        return _plain(_shaped(schema, reply.data) or dict(reply.data)), ""
    return fields_in(schema, reply.text)


def fields_in(schema: type[BaseModel], text: str) -> tuple[dict[str, Any] | None, str]:
    """Return the fields that a text holds under their own names, unchecked, and ""; or None, and what is wrong with it.

    A text without any such field is not wrong: it may be prose that says the same.
    """
    text = without_thinking(text)
    if not text.strip():
        return None, EMPTY
    pieces = list(pieces_of(text))
    many = _only_list(schema)
    if many and len(pieces) > 1:
        rows = [value for _, _, value in pieces if isinstance(value, dict) and _is_row(_rows(schema)[many], value)]
        if len(rows) > 1:
            return _plain(_shaped(schema, {many: rows})), ""
    answers = [(begin, end, fields) for begin, end, value in pieces if (fields := _shaped(schema, value))]
    return _the_one_meant(answers, text) if answers else (_plain(labelled(text, partial(_field, schema))), "")


def _the_one_meant(answers: Sequence[tuple[int, int, dict[str, Any]]], text: str) -> tuple[dict[str, Any] | None, str]:
    """Return the fields of the answers that stand in a text, where they agree or one corrects the one before it."""
    _, last, fields = answers[0]
    for begin, end, other in answers[1:]:
        if all(other[name] == fields[name] for name in other.keys() & fields.keys()):
            fields = {**fields, **other}
        elif _CORRECTS.search(text[last:begin]):
            fields = other
        else:
            return None, "the answer holds two JSON objects that differ"
        last = end
    if _TAKES_BACK.search(text, last):
        return None, "the answer takes back in words what its JSON says"
    return _plain(fields), ""


def validated(schema: type[BaseModel], fields: Mapping[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """Return the fields as the schema has them, and ""; or None, and what is wrong.

    An optional field that is wrong takes its default; of a list that must be there, wrong rows are left out.
    """
    fields = dict(fields)
    for name, row in _rows(schema).items():
        if schema.model_fields[name].is_required() and isinstance(fields.get(name), list):
            right = [each for each in fields[name] if isinstance(each, Mapping) and validated(row, each)[0] is not None]
            fields[name] = right or fields[name]
    while True:
        try:
            answer = schema.model_validate(fields)
        except ValidationError as error:
            wrong = {str(each["loc"][0]) for each in error.errors() if each["loc"]} & fields.keys()
            wrong = {name for name in wrong if not schema.model_fields[name].is_required()}
            if not wrong:
                return None, faults_of(error)
            fields = {name: value for name, value in fields.items() if name not in wrong}
        else:
            return _plain(answer.model_dump(mode="json")), ""


def answer_in(schema: type[BaseModel], reply: Reply) -> tuple[dict[str, Any] | None, str]:
    """Return the answer that a reply holds, as the schema has it, and ""; or None, and what is wrong with it."""
    fields, wrong = fields_of(schema, reply)
    return (None, wrong) if fields is None else validated(schema, fields)


def faults_of(error: ValidationError) -> str:
    """Return the first three faults of an answer, in words that can be sent back."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)[:3]
    return "; ".join(
        ENGLISH.say("prompt-answer-lacks", name=name) if each["type"] == "missing" else f"`{name}`: {each['msg']}"
        for each in faults
        for name in [".".join(map(str, each["loc"])) or "the answer"]
    )


def _plain(value: Any) -> Any:
    """Return the same data without escape codes and lone surrogates."""
    if isinstance(value, str):
        if value.isascii() and value.isprintable():
            return value
        return without_escapes(value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return {key: _plain(one) for key, one in value.items()} if isinstance(value, dict) else value


# Shape


@cache
def _rows(schema: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """Return the fields of a schema that are lists of rows, with the schema of a row."""
    lists = {name: get_args(info.annotation) for name, info in schema.model_fields.items()}
    rows = {name: inner[0] for name, inner in lists.items() if len(inner) == 1 and isinstance(inner[0], type)}
    return {name: row for name, row in rows.items() if issubclass(row, BaseModel)}


def _only_list(schema: type[BaseModel]) -> str:
    """Return the one field of a schema that has no other and is a list of rows; else an empty name."""
    return next(iter(_rows(schema)), "") if len(schema.model_fields) == 1 else ""


@lru_cache(maxsize=1024)
def _field(schema: type[BaseModel], key: str) -> str:
    """The field of a schema that a key means; empty if it means none."""
    plain = regex(r"[\W_]+").sub("_", key.casefold()).strip("_")
    for name in (plain, "_".join(word for word in plain.split("_") if word not in _BESIDE)):
        if name in schema.model_fields:
            return name
        for field in schema.model_fields:
            if name in _OTHER_NAMES.get(field, "").split():
                return field
    return ""


def _shaped(schema: type[BaseModel], value: Any, depth: int = 0) -> dict[str, Any] | None:
    """Return the fields that an object, or a list, has for a schema; None if it has none."""
    many = _only_list(schema)
    if isinstance(value, list):
        value = _of_list(schema, value, many, depth)
    if not isinstance(value, Mapping) or depth > _DEEPEST or isinstance(value.get("properties"), Mapping):
        return None
    if not value.keys() & schema.model_fields.keys():
        inside = [fields for each in value.values() if (fields := _inside(schema, each, depth + 1))]
        if len(inside) == 1:
            return inside[0]
    fields = _with_own_names(schema, value)
    if many and not fields:
        fields = _by_name(_rows(schema)[many], value, many)
    for name, row in _rows(schema).items():
        if name in fields:
            fields[name] = _as_rows(row, fields[name])
    return fields or None


def _of_list(schema: type[BaseModel], items: list[Any], many: str, depth: int) -> Any:
    """Return the object that a list stands for: its items as the rows of the field `many`, or its only item."""
    if many and not (len(items) == 1 and _shaped(schema, items[0], depth + 1)):
        return {many: items} if any(isinstance(each, Mapping) for each in items) else None
    return items[0] if len(items) == 1 else None


def _by_name(row: type[BaseModel], value: Mapping[str, Any], many: str) -> dict[str, Any]:
    """Return a map from names to rows or values as the field `many`; the map may stand within another object."""
    inner = next(iter(value.values())) if len(value) == 1 else None
    if isinstance(inner, Mapping) and not _with_own_names(row, inner):
        value = inner
    rows = bool(value) and all(isinstance(each, Mapping | bool | str) for each in value.values())
    return {many: value} if rows else {}


def _inside(schema: type[BaseModel], value: Any, depth: int) -> dict[str, Any] | None:
    """Return the fields of an object that stands within another; a row of a list is no answer."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return _shaped(schema, value, depth) if isinstance(value, Mapping) and _with_own_names(schema, value) else None


def _with_own_names(schema: type[BaseModel], value: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the fields of an object under their own names. Two other names with different values are left out."""
    fields = {name: value[name] for name in schema.model_fields if name in value and not _is_blank(value[name])}
    others = grouped((_field(schema, str(key)), each) for key, each in value.items() if not _is_blank(each))
    new = ((name, each) for name, each in others.items() if name and name not in fields)
    return {**fields, **{name: each[0] for name, each in new if all(one == each[0] for one in each)}}


def _is_blank(value: Any) -> bool:
    """True for "..." and "<your choice>", with which models show the form before they fill it in."""
    return isinstance(value, str) and _BLANK.fullmatch(value) is not None


def _is_row(row: type[BaseModel], value: Mapping[Any, Any]) -> bool:
    needed = {name for name, info in row.model_fields.items() if info.is_required()}
    return bool(needed) and needed <= _with_own_names(row, value).keys()


def _as_rows(row: type[BaseModel], value: Any) -> Any:
    """Return the rows that a list, a single row or a map from names to rows or values stands for."""
    if isinstance(value, Mapping):
        value = [value] if _is_row(row, value) else [{key: each} for key, each in value.items()]
    if not isinstance(value, list):
        return value
    return [_as_row(row, each) if isinstance(each, Mapping) else each for each in value]


def _as_row(row: type[BaseModel], value: Mapping[Any, Any]) -> dict[str, Any]:
    fields = _with_own_names(row, value)
    if fields or len(value) != 1:
        return fields
    needed = [name for name, info in row.model_fields.items() if info.is_required()]
    named = next((name for name in needed if row.model_fields[name].annotation is str), "")
    ((key, each),) = value.items()
    if isinstance(each, Mapping):
        return {**_with_own_names(row, each), named: key} if named else {}
    rest = [name for name in needed if name != named]
    return {named: key, rest[0]: each} if named and len(rest) == 1 else {}
