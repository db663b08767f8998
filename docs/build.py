"""Makes the documentation site: the pages with their links, the reference, and a check of what was built.

`python docs/build.py DIR` writes pages to DIR; `python docs/build.py --check SITE` reads the built site. `make docs`
does both.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import click
from pydantic import BaseModel

import eda
from eda.cli.program import cli

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\]\()(?!https?:|#)([^)#\s]+)((?:#[^)\s]*)?\))")
ELSEWHERE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "benchmarks/RESULTS.md": "results.md",
    "sessions/example/report.md": "examples/panel-report.md",
    "docs/examples/oxford-report.md": "examples/oxford-report.md",
}
"""Pages of the site that are not in docs/, by their path in the repository."""
POLICY = "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'"
"""What a page may load, enforced by the browser: nothing of another host."""


def sources() -> dict[str, str]:
    """Return the path in the site of each page and example, by its path in the repository."""
    pages = {f"docs/{path.name}": path.name for path in sorted((ROOT / "docs").glob("*.md"))}
    return (
        pages
        | ELSEWHERE
        | {f"examples/{path.name}": f"examples/{path.name}" for path in (ROOT / "examples").glob("*.*")}
    )


def moved(source: str, text: str) -> str:
    """Return a page's text with its links as they are in the site.

    Raises:
        SystemExit: A link leads to a file that the site does not have.
    """
    pages = sources()
    here = Path(pages[source]).parent

    def link(match: re.Match[str]) -> str:
        target = os.path.normpath(Path(source).parent / match[2])
        to = pages.get(target) or (target.removeprefix("docs/") if target.startswith("docs/images/") else None)
        if to is None:
            raise SystemExit(f"{source}: the site has no page for {match[2]}: name it in ELSEWHERE of docs/build.py")
        return f"{match[1]}{os.path.relpath(to, here)}{match[3]}"

    return LINK.sub(link, text)


def cell(text: str) -> str:
    """Return text for a cell of a table, in which no word is read as HTML."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def every_command(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the lines of a command and of those below it: usage, help and a table of its options."""
    yield f"## {context.command_path}"
    yield "```text\n" + " ".join([context.command_path, *command.collect_usage_pieces(context)]) + "\n```"
    yield from (" ".join(part.split()) for part in inspect.cleandoc(command.help or "").replace("\b", "").split("\n\n"))
    shown = [record for param in command.get_params(context) if (record := param.get_help_record(context))]
    shown = [record for record in shown if record[0] != "--help" and record[1]]
    if shown:
        rows = [f"| `{name.replace('|', chr(92) + '|')}` | {cell(told)} |" for name, told in shown]
        yield "\n".join(["| option | what it does |", "|---|---|", *rows])
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from every_command(below, click.Context(below, info_name=name, parent=context))


def prose(docstring: str | None) -> str:
    """Return a docstring as Markdown: its sections are lists."""
    lines: list[str] = []
    section = False
    for line in inspect.cleandoc(docstring or "").splitlines():
        if re.fullmatch(r"(Args|Returns|Raises|Yields|Attributes):", line):
            section = True
            lines += ["", f"**{line[:-1]}**", ""]
        elif section and re.match(r" {4}\S", line):
            name, colon, text = line.strip().partition(": ")
            lines.append(f"- `{name}`: {text}" if colon and " " not in name.split(" (")[0] else f"- {line.strip()}")
        elif section and line.startswith(" " * 8):
            lines.append(f"  {line.strip()}")
        else:
            section = section and not line
            lines.append(line)
    return "\n".join(lines)


BOUNDS = {"ge": "{} or more", "gt": "more than {}", "le": "{} or less", "lt": "less than {}"}
"""The words of a field's bounds, by their names in `annotated_types`."""


def homes(thing: type) -> list[type]:
    """Return the classes of the project that a class is made of, the most general first."""
    return [base for base in reversed(thing.__mro__) if base.__module__.startswith("eda.")]


def body_of(thing: type) -> list[ast.stmt]:
    """Return the statements of a class, by its source."""
    return ast.parse(inspect.cleandoc("\n" + inspect.getsource(thing))).body[0].body  # type: ignore[attr-defined, no-any-return]


def meanings(thing: type) -> Iterator[tuple[str, str]]:
    """Yield each field of a class with what stands below it in the source; another public name tells its own."""
    for home in homes(thing):
        if home is thing or home.__name__ not in eda.__all__:
            for field, below in pairwise(body_of(home)):
                if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                    yield ast.unparse(field.target), " ".join(ast.literal_eval(below.value).split())
    for key, info in getattr(thing, "model_fields", {}).items():
        yield from ((key, each.help) for each in info.metadata if hasattr(each, "help"))  # of a setting's option


def fields(model: type[BaseModel]) -> Iterator[str]:
    """Yield each field of a record: its type, its default, and as a comment its bounds."""
    model.model_rebuild()
    noted = (each for home in homes(model) for each in body_of(home) if isinstance(each, ast.AnnAssign))
    typed = {ast.unparse(each.target): ast.unparse(each.annotation) for each in noted}
    for key, info in model.model_fields.items():
        given = "" if info.is_required() else f" = {info.get_default(call_default_factory=True)!r}"
        bounds = [
            words.format(getattr(each, name))
            for each in info.metadata
            for name, words in BOUNDS.items()
            if hasattr(each, name)
        ]
        yield f"{key}: {plain_type(typed[key])}{given},{'  # ' if bounds else ''}{', '.join(bounds)}"


def plain_type(text: str) -> str:
    """Return a type without what is noted beside it: `int` of `Annotated[int, Flag("...")]`."""
    noted = ast.parse(text, mode="eval").body
    if (
        isinstance(noted, ast.Subscript)
        and ast.unparse(noted.value) == "Annotated"
        and isinstance(noted.slice, ast.Tuple)
    ):
        return ast.unparse(noted.slice.elts[0])
    return text


def in_source(thing: Any) -> dict[str, str]:
    """Return the types of arguments, and of what is returned as `return`, in the words of the code."""
    made = vars(thing).get("__init__") if isinstance(thing, type) else thing
    homes = thing.__mro__[-2::-1] if isinstance(thing, type) and not inspect.isfunction(made) else [made]
    found = dict[str, str]()
    for home in homes:
        try:
            (node,) = ast.parse(textwrap.dedent(inspect.getsource(home))).body
        except (OSError, TypeError):  # what is built in, or made at run time, has no source
            continue
        if isinstance(node, ast.ClassDef):
            typed = [each for each in node.body if isinstance(each, ast.AnnAssign)]
            rows = [(each.target.id, each.annotation) for each in typed if isinstance(each.target, ast.Name)]
        else:
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
            rows = [(each.arg, each.annotation) for each in every if each] + [("return", node.returns)]
        found |= {name: ast.unparse(kind).replace("'", "") for name, kind in rows if kind}
    return found


def argument(param: inspect.Parameter, typed: str | None) -> str:
    """Return a parameter as the code has it, with its type in the code's words."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(param.kind, "")
    typed = f": {typed}" if typed else ""
    if param.default is param.empty:
        return f"{stars}{param.name}{typed}"
    return f"{param.name}{typed} = {getattr(param.default, '__name__', None) or repr(param.default)}"


def signature(name: str, thing: Any) -> str:
    """Return how a class or function is called, one argument a line where it is long; of a record its fields."""
    if isinstance(thing, type) and issubclass(thing, BaseModel):
        return f"{name}(\n" + "".join(f"    {field}\n" for field in fields(thing)) + ")"
    if getattr(thing, "_is_protocol", False):
        return f"class {name}(Protocol)"
    called, types = inspect.signature(thing), in_source(thing)
    given = (each for each in called.parameters.values() if each.name not in {"self", "cls"})
    args = [argument(each, types.get(each.name)) for each in given]
    end = "" if "return" not in types or isinstance(thing, type) else f" -> {types['return']}"
    name = f"async {name}" if inspect.iscoroutinefunction(thing) else name
    line = f"{name}({', '.join(args)}){end}"
    return line if len(line) < 90 else f"{name}(\n" + "".join(f"    {arg},\n" for arg in args) + f"){end}"


def every_name() -> Iterator[str]:
    """Yield the lines of each public name: how it is called, its docstring, and of a class its members."""
    for name in eda.__all__:
        thing = getattr(eda, name)
        if name.startswith("_"):
            continue
        yield f"## {name}"
        if not isinstance(thing, type) and not inspect.isroutine(thing):  # a name for a type
            yield f"```python\n{name} = {thing}\n```"
            continue
        yield f"```python\n{signature(name, thing)}\n```"
        yield prose(inspect.getdoc(thing))
        if isinstance(thing, type):
            yield from every_member(name, thing)


def every_member(name: str, thing: type) -> Iterator[str]:
    """Yield the lines of a class's fields, of how it is made, and of its public methods."""
    if told := [f"- `{field}`: {meaning}" for field, meaning in meanings(thing)]:
        yield "\n".join(["**Fields**", "", *told])
    members = {key: value for home in homes(thing) for key, value in vars(home).items()}
    if "__init__" in members and members["__init__"].__doc__:
        yield prose(members["__init__"].__doc__)
    for member, raw in members.items():
        value = raw.__func__ if isinstance(raw, classmethod | staticmethod) else raw
        if member.startswith("_") or not getattr(value, "__doc__", None):
            continue
        if inspect.isfunction(value):
            yield f"### {name}.{member}"
            yield f"```python\n{signature(member, value)}\n```\n\n{prose(value.__doc__)}"
        elif isinstance(value, property):
            yield f"### {name}.{member}"
            yield prose(value.__doc__)


def write(folder: Path) -> None:
    """Write the pages, the reference and the generator's settings into a folder, which is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "pages"
    for source, page in sources().items():
        path = pages / page
        path.parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / source).read_text("utf-8")
        path.write_text(moved(source, text) if page.endswith(".md") else text, "utf-8")
    shutil.copytree(ROOT / "docs" / "images", pages / "images")
    shutil.copy(ROOT / "docs" / "mkdocs.yml", folder)
    head = "# Every command\n\nAs `--help` says it; with `eda COMMAND --help` the same stands in the terminal."
    commands = every_command(cli, click.Context(cli, info_name="eda"))
    (pages / "reference-commands.md").write_text("\n\n".join([head, *commands]) + "\n", "utf-8")
    head = "# Every public name\n\nWhat `from eda import ...` has, with what its docstring says."
    (pages / "reference-python.md").write_text("\n\n".join([head, *every_name()]) + "\n", "utf-8")


class Page(HTMLParser):
    """Reads the ids of a built page, where its links lead and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids, self.links, self.loads = {""}, list[str](), list[str]()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what the tag names."""
        has = {key: value or "" for key, value in attrs}
        self.ids |= {has[key] for key in ("id", "name") if key in has}
        if tag == "a" and "href" in has:
            self.links.append(has["href"])
        elif tag == "link" and has.get("rel") not in {"canonical", "prev", "next"}:
            self.loads.append(has.get("href", ""))
        self.loads += [has[key] for key in ("src", "srcset", "poster", "data") if key in has and tag != "a"]


def faults(site: Path) -> list[str]:
    """Return what is wrong with a built site: links that lead nowhere, and what is loaded from elsewhere."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    wrong = []
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme in {"http", "https", "mailto"} and link in page.links:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                wrong.append(f"{path.relative_to(site)} loads {link}")
            elif not target.is_file() or (target in pages and unquote(parts.fragment) not in pages[target].ids):
                wrong.append(f"{path.relative_to(site)}: {link} leads nowhere")
    for sheet in site.rglob("*.css"):
        loaded = re.findall(r"(?:url\(|@import\s+)[\"']?(?:https?:)?//[^\"')]*", sheet.read_text("utf-8"))
        wrong += [f"{sheet.relative_to(site)} loads {each}" for each in loaded]
    return wrong


def check(site: Path) -> None:
    """Give each page its policy, and end with an error that names each fault of the site."""
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        if POLICY not in text:
            meta = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
            path.write_text(text.replace("<head>", f"<head>{meta}", 1), "utf-8")
    if wrong := faults(site):
        raise SystemExit("\n".join(wrong))
    print(f"{site}/index.html: each link leads somewhere, and nothing is loaded from elsewhere")


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        check(Path(sys.argv[2]).resolve())
    else:
        write(Path(sys.argv[1]))
