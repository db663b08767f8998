"""Personas, and the files that they are read from.

The one rule: a folder of Claude Code agents works unchanged, and a file that cannot be read is refused in one sentence
that names the file, the line and the reason.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field, ValidationError, model_validator

from eda.errors import EdaError, PersonaError
from eda.panels.files import CONTROLS, UserFile, complaint, unknown_key
from eda.panels.settings import Frozen
from eda.text import regex

if TYPE_CHECKING:
    from eda.panels.front_matter import FrontMatter

MAX_BYTES = 256 * 1024
_EDA_KEYS = (
    "title", "role", "values", "fears", "moved_by", "voice", "openers", "stubbornness", "talkativeness",
)  # fmt: skip
_TOP_KEYS = ("name", "description", "model", "color", "eda")


def _shown(text: str) -> str:
    return CONTROLS.sub("", text).strip()


Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
Label = Annotated[str, AfterValidator(lambda text: " ".join(_shown(text).split())), Field(min_length=1, max_length=120)]
Prose = Annotated[str, AfterValidator(_shown), Field(min_length=1)]
_Phrases = tuple[Annotated[str, Field(min_length=1, max_length=400)], ...]
_Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]


class Persona(Frozen):
    """A member of a panel. The first event of a session stores it in full, so a resumed panel is the same panel."""

    name: Name
    """Lowercase words joined by hyphens, at most 64 characters; unique in a panel."""
    title: Label
    """How the persona is shown, one line; unique in a panel whatever the case. Made of the name where none is given."""
    role: Label
    """What it stands for, one line that reads on from "You are <title>,". Where none is given it is taken from the
    description, else from the instruction."""
    description: Prose
    """When to seat it: for the person who chooses a panel."""
    instruction: Annotated[str, Field(min_length=1)]
    """The Markdown body, addressed to the persona, as written."""
    model: str | None = None
    """The model that the file names, or a runner with its model: `openrouter:VENDOR/MODEL`. None leaves it to the
    debate."""
    color: str | None = None
    """The colour that the file names, as spelled there."""
    values: _Phrases = ()
    """What it wants more of: noun phrases."""
    fears: _Phrases = ()
    """What it worries about: noun phrases."""
    moved_by: _Phrases = ()
    """Evidence that changes its mind: noun phrases."""
    voice: str = ""
    """How it talks, a line or two."""
    openers: _Phrases = ()
    """Beginnings of sentences, for the simulated runner."""
    stubbornness: _Share = 0.5
    """From 0 (follows the others at once) to 1 (never changes its mind)."""
    talkativeness: _Share = 0.5
    """From 0 (bids only when addressed) to 1 (bids for every turn)."""
    person: bool = False
    """Whether a human has this seat: no model speaks for them. Never read from a file."""

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, given: Any) -> Any:
        """Return the fields with the title and the role, where they are missing and the other fields are texts."""
        if not isinstance(given, dict):
            return given
        fields = {key: value for key, value in given.items() if key != "comments_on"}  # older sessions have it
        if isinstance(name := fields.get("name"), str):
            title = " ".join(_SPELLED.get(word, word) for word in name.split("-"))
            fields.setdefault(
                "title", title if title.split(" ")[0] in _SPELLED.values() else title[:1].upper() + title[1:]
            )
        if isinstance(description := fields.get("description"), str) and "role" not in fields:
            instruction = fields.get("instruction")
            body = instruction if isinstance(instruction, str) else ""
            fields["role"] = _described_role(description) or _addressed_role(body) or _NO_ROLE
        return fields

    @property
    def called(self) -> frozenset[str]:
        """The title and the name in lower case: what the persona is found by."""
        return frozenset((self.title.casefold(), self.name))


_NO_ROLE = "member of the panel"
_CAPITALS = (
    "AI API AR AWS B2B CEO CFO CI CIO CISO CLI CMO COO CPO CRM CSS CTO DB DBA DevOps DevSecOps ERP ETL GCP GDPR GPU "
    "GraphQL HR HTML iOS IoT IT JS KPI LLM MCP ML MLOps NLP NoSQL PHP PM PO PR QA SaaS SDK SEO SQL SRE SVP TDD UI UX "
    "VP VR"
)
# Words of names that a title spells in capitals, by their lower case.
_SPELLED = {word.lower(): word for word in _CAPITALS.split()}
# How a sentence begins that tells when to use an agent, and not what it is.
_WHEN_TO_USE = regex(
    r"(?:(?:always|please|proactively)\s+)?(?:use|invoke|call|consult|choose|pick|seat)\s+"
    r"(?:this|the|it|when|whenever|for|to|if|after|before|during|in|on|as|at|only|proactively|immediately)\b"
    r"|(?:this|the)\s+(?:sub-?)?agent\b|(?:must|should)\s+be\s+used\b|(?:whenever|when)\s+(?:you|the\s+user)\b",
    "I",
)
_SENTENCE_END = regex(r"(?<=[.!?])\s+(?=[A-Z*_`\"])")
_ADDRESSED = regex(
    r"(?:you\s+are|you['’]re|act\s+as|your\s+role\s+is(?:\s+that\s+of)?)\s+(.+)|as\s+((?:an?|the)\s[^,.]+),\s+you\b",
    "I",
)


def _described_role(description: str) -> str:
    """Return the first sentence of a description that says what the persona is; empty where all say when to use it."""
    line = regex(r"\n|<example>|Examples?:").split(_shown(description))[0].strip()
    for sentence in _SENTENCE_END.split(line):
        clauses = regex(r"\s*(?:[;:,(]|\s[-–—])\s*").split(sentence)
        upto = next((place for place, clause in enumerate(clauses) if _WHEN_TO_USE.match(clause)), None)
        if upto is None:
            return _short(sentence)
        if upto:
            return _short(sentence[: sentence.index(clauses[upto])].rstrip(" ;:,(-–—"))
    return ""


def _addressed_role(instruction: str) -> str:
    """Return what an instruction's first sentence of the form "You are ..." says that the persona is; else empty."""
    for line in _shown(instruction).split("\n"):
        for sentence in _SENTENCE_END.split(line.strip()):
            if role := _ADDRESSED.match(regex(r"[*_`#>\"]+").sub("", sentence).strip()):
                return _short(role[1] or role[2])
    return ""


def _short(sentence: str) -> str:
    sentence = sentence.rstrip(".").strip()
    return sentence if len(sentence) <= 100 else sentence[:97].rsplit(" ", 1)[0] + "..."


def _eda_keys(matter: "FrontMatter") -> dict[str, Any]:
    ours = matter.keys.get("eda")
    if ours is None:
        return {}
    if not isinstance(ours, dict):
        raise matter.fault(("eda",), "'eda:' holds no keys", "Indent its keys under it.")
    for key in ours:
        if key not in _EDA_KEYS:
            raise matter.fault(("eda", key), *unknown_key(key, _EDA_KEYS, "'eda:'"))
    return ours


def load_persona(path: Path) -> Persona:
    """Return the persona of a file, one of EDA's own or an agent file of Claude Code.

    Raises:
        PersonaError: the file cannot be read; the message names file, line and reason.
    """
    from eda.panels.front_matter import read_front_matter  # noqa: PLC0415 - a saved session needs no YAML

    file = UserFile(Path(path), PersonaError)
    text = file.text(MAX_BYTES, larger="Give long material to the debate as a context file.")
    matter = read_front_matter(file, text, _TOP_KEYS)
    ours = _eda_keys(matter)
    fields = {key: matter.keys[key] for key in ("name", "description") if key in matter.keys} | ours
    for key in ("model", "color"):
        value = matter.keys.get(key)
        fields[key] = str(value) if isinstance(value, str | int | float) else None
    if "://" in (fields["model"] or ""):  # it would send the debate, and a key, to somebody unknown
        raise matter.fault(
            ("model",),
            "a persona's file names no address of a server",
            "Give it with --seat NAME=SPEC, or as the runner of the debate.",
        )
    if isinstance(fields.get("description"), str) and "eda" not in matter.keys:
        # Claude Code writes its descriptions on one line, with the line ends spelled out.
        fields["description"] = fields["description"].replace("\\n", "\n")
    try:
        return Persona.model_validate(fields | {"instruction": matter.body})
    except ValidationError as error:
        raise _refused(matter, ours, error) from error


def _refused(matter: "FrontMatter", ours: dict[str, Any], error: ValidationError) -> EdaError:
    loc, reason, hint = complaint(error)
    if loc == ("instruction",):
        reason, hint = "there is no instruction under the front matter", "Write who the persona is, as 'You ...'."
    return matter.fault(("eda", *loc) if loc and loc[0] in ours else loc, reason, hint)


def modelled(members: Iterable[Persona]) -> dict[str, str]:
    """Return the members whose file names a model, with that model; `inherit` names none."""
    return {m.title: m.model for m in members if m.model and m.model != "inherit"}
