"""What a string in code stands for, by the name of what it is compared with, given to or kept in."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

__all__ = ["parameters", "uses"]

_AROUND = (ast.Tuple, ast.List, ast.Set, ast.Subscript, ast.IfExp, ast.BoolOp, ast.MatchOr, ast.MatchValue)
"""What may stand between a string and what says what it is."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def parameters(trees: Iterable[ast.Module]) -> dict[str, list[list[str]]]:
    """Return the parameters of each function, and the fields of each class, by its name."""
    known: dict[str, list[list[str]]] = {}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, _FUNCTIONS):
            names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
            known.setdefault(node.name, []).append([name for name in names if name not in ("self", "cls")])
        elif isinstance(node, ast.ClassDef):
            fields = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
            known.setdefault(node.name, []).append([each.id for each in fields if isinstance(each, ast.Name)])
    return known


def uses(tree: ast.Module, text: str, known: Mapping[str, list[list[str]]]) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield each line on which the string `text` stands, with what it is there; nothing where the code does not say.

    A field, parameter, variable or table is given by its name, a parameter also as `function.parameter`, and the key of
    a table that has no name as `key`. `known` is what `parameters` returns for the whole package.
    """
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    asked = _asked_by(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value == text:
            yield node.lineno, frozenset(_roles(node, above, known, asked))


def _asked_by(tree: ast.Module) -> dict[str, set[str]]:
    """Return by the name of each table the names of what it is asked with: `purpose` of `_ANSWERS[prompt.purpose]`."""
    asked: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            asked.setdefault(node.value.id, set()).update(_names(node.slice))
    return asked


def _roles(  # noqa: C901, PLR0911 - a case for each place
    node: ast.AST,
    above: Mapping[ast.AST, ast.AST],
    known: Mapping[str, list[list[str]]],
    asked: Mapping[str, set[str]],
) -> set[str]:
    parent = above[node]
    match parent:
        case ast.Compare() | ast.BinOp():
            return {name for other in ast.iter_child_nodes(parent) if other is not node for name in _names(other)}
        case ast.match_case():
            subject = above[parent]
            return _names(subject.subject) if isinstance(subject, ast.Match) else set()
        case ast.MatchClass():
            return {parent.kwd_attrs[parent.kwd_patterns.index(node)]} if node in parent.kwd_patterns else set()
        case ast.keyword(arg=str(name)):
            return {name}
        case ast.Call() if node in parent.args:
            function, place = next(iter(_names(parent.func)), ""), parent.args.index(node)
            shapes = known.get(function) or known.get(function.lstrip("_"), [])
            names = {shape[place] for shape in shapes if place < len(shape)}
            return names | {f"{function.lstrip('_')}.{name}" for name in names}
        case ast.Subscript() if node is parent.slice and _names(parent.value) != {"Literal"}:
            return {"key"}
        case ast.Dict():
            return _of_table(node, parent, above, asked)
        case ast.Assign() | ast.AnnAssign():
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            return {name.strip("_").lower() for target in targets for name in _names(target)}
        case ast.arg(arg=name):
            return {name}
        case _ if isinstance(parent, _AROUND):
            return _roles(parent, above, known, asked)
        case _:
            return set()


def _of_table(
    node: ast.AST,
    table: ast.Dict,
    above: Mapping[ast.AST, ast.AST],
    asked: Mapping[str, set[str]],
) -> set[str]:
    if node not in table.keys:  # a value is what its key says
        key = table.keys[table.values.index(node)]
        return {key.value} if isinstance(key, ast.Constant) and isinstance(key.value, str) else set()
    home = above[table]
    if not isinstance(home, ast.Assign | ast.AnnAssign):
        return {"key"}
    names = {name for target in getattr(home, "targets", None) or [home.target] for name in _names(target)}
    return {name for table_name in names for name in asked.get(table_name, ())} or names


def _names(node: ast.AST) -> set[str]:
    """Return the last name of an expression: `purpose` of `prompt.purpose` and of `row["purpose"]`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return {name}
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return {key}
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(key)), *_]):
            return {key}
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return _names(inner)
        case ast.IfExp(body=body, orelse=other):
            return _names(body) | _names(other)
        case _:
            return set()
