"""The tables of a study, in Arrow: made of its sessions, written as Parquet, CSV or JSON, and read back by measures."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import orjson
from pydantic import TypeAdapter, ValidationError

from eda.errors import InputError, UsageError
from eda.panels.installer import to_install
from eda.session import Session
from eda.session.names import LOG_FILE
from eda.session.store import replace_file
from eda.study.cells import Cell
from eda.study.fold import Rows, missing_row, rows_of
from eda.study.rows import ROWS, CellData, Row
from eda.study.status import CELLS, states_of

if TYPE_CHECKING:
    import pyarrow as pa


class Frames(dict[str, Any]):
    """Arrow tables by name, whose rows are read once however many measures are taken of them."""

    @cached_property
    def data(self) -> list[CellData]:
        """The rows of each cell, in the order of the table `cells`.

        Raises:
            InputError: a table lacks a column, as one that another version wrote may.
        """
        by_cell: dict[str, dict[str, Any]] = {}
        for name, model in ROWS.items():
            table = self[name]
            if lacking := [column for column in model.model_fields if column not in table.column_names]:
                raise InputError(
                    f"the table {name!r} has no column {lacking[0]!r}", hint="Make the tables again: eda study table."
                )
            origins = {column: get_origin(info.annotation) for column, info in model.model_fields.items()}
            wraps = {column: origin for column, origin in origins.items() if origin in (tuple, dict)}
            for record in table.select(list(origins)).to_pylist():
                for column, wrap in wraps.items():
                    record[column] = wrap(record[column])
                by_cell.setdefault(record["cell"], {}).setdefault(name, []).append(model.model_construct(**record))
        return [CellData(cell=parts.pop("cells")[0], **parts) for parts in by_cell.values() if "cells" in parts]

    def __repr__(self) -> str:
        return f"<Frames: {', '.join(f'{name} {table.num_rows:,}' for name, table in self.items())}>"


_CELLS = TypeAdapter(list[Cell])
CELLS_FILE = "cells.json"
"""What the cells are, in the study's folder."""


def arrow() -> Any:
    """Return the module pyarrow.

    Raises:
        UsageError: it is not installed.
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise UsageError(
            "the tables of a study need pyarrow, which is not installed", hint=to_install("study")
        ) from None
    return pa


def keep_cells(folder: Path, cells: Iterable[Cell]) -> None:
    """Write what the cells of a study are into its folder, so that a later version of EDA can make its tables."""
    replace_file(folder / CELLS_FILE, orjson.dumps([asdict(cell) for cell in cells], option=orjson.OPT_NON_STR_KEYS))


def cells_in(folder: Path) -> list[Cell]:
    """Return the cells of the study in a folder, as `keep_cells` wrote them.

    Raises:
        InputError: there are none, or the file is damaged.
    """
    try:
        found = _CELLS.validate_json((folder / CELLS_FILE).read_bytes())
    except OSError:
        raise InputError(f"{folder} holds no study", hint="Run one there: eda study run FILE --out DIR.") from None
    except ValidationError as error:
        raise InputError(f"{folder / CELLS_FILE} is damaged: {error.errors()[0]['msg']}") from None
    return found


def tables(folder: Path, cells: Iterable[Cell] | None = None) -> Frames:
    """Return the tables of a study, by name, as `ROWS` lists them.

    The rows stand in the order of the cells. The same logs give the same tables.

    Args:
        folder: Of the study; `cells/<id>` in it are the sessions.
        cells: All cells of the study; None for those that its folder names. One that has no session is a row of
            `cells` with the status `absent`, or `failed`, and the reason.

    Raises:
        LogDamagedError, SessionError: the log of a session cannot be read.
        InputError: the folder holds no study.
        UsageError: pyarrow is not installed.
    """
    rows: Rows = {name: [] for name in ROWS}
    own = cells_in(folder) if cells is None else list(cells)
    states = states_of(own, folder)
    for cell in own:
        place, state = folder / CELLS / cell.id, states[cell.id]
        made: Rows = {"cells": [missing_row(cell)]}
        if (place / LOG_FILE).exists():
            with Session.read(place) as session:
                made = rows_of(session, cell)
        if state.state in ("failed", "absent"):  # why it has no result is known beside its log
            why = {"status": state.state, "reason": state.reason}
            made["cells"] = [row.model_copy(update=why) for row in made["cells"]]
        for name, more in made.items():
            rows[name] += more
    return to_arrow(rows)


def to_arrow(rows: Mapping[str, Sequence[Row]]) -> Frames:
    """Return rows as Arrow tables; a table of which there are no rows is empty and has its columns."""
    made, pa = Frames(), arrow()
    for name, model in ROWS.items():
        columns: dict[str, list[Any]] = {column: [] for column in model.model_fields}
        for row in rows.get(name, ()):
            for column, values in columns.items():
                value = getattr(row, column)
                values.append(list(value.items()) if isinstance(value, dict) else value)
        fields = []
        for column, info in model.model_fields.items():
            fields.append(pa.field(column, _kind(info.annotation), metadata={"description": info.description or ""}))
        made[name] = pa.table(columns, schema=pa.schema(fields))
    return made


def _kind(annotation: Any) -> pa.DataType:
    """Return the Arrow type of a field of a row; any value may be missing."""
    pa, origin = arrow(), get_origin(annotation)
    kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
    if origin is tuple:
        return pa.list_(_kind(kinds[0]))
    if origin is dict:
        return pa.map_(pa.string(), _kind(kinds[1]))
    if kinds and origin is not Literal:
        return _kind(kinds[0])
    plain = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    return plain[str if kinds else annotation]


def write_parquet(tables: Frames, folder: Path, metadata: Mapping[str, str] | None = None) -> list[Path]:
    """Write each table as `NAME.parquet` and return the files. DuckDB, polars and pandas read them in place.

    Args:
        tables: As `tables` returns them.
        folder: Made if it is not there.
        metadata: Stored with each table, such as the study's manifest.
    """
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, table in tables.items():
        paths.append(folder / f"{name}.parquet")
        pq.write_table(table.replace_schema_metadata({**(table.schema.metadata or {}), **(metadata or {})}), paths[-1])
    return paths


def to_csv(table: pa.Table) -> str:
    """Return a table as CSV with a line of heads. Lists and maps are JSON; null is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.column_names)
    for record in to_records(table):
        nested = (bool, list, dict)
        writer.writerow([json.dumps(v, ensure_ascii=False) if isinstance(v, nested) else v for v in record.values()])
    return out.getvalue()


def to_records(table: pa.Table) -> list[dict[str, Any]]:
    """Return a table as rows in plain JSON types."""
    maps = {field.name for field in table.schema if arrow().types.is_map(field.type)}
    return [
        {name: dict(value) if name in maps else value for name, value in record.items()} for record in table.to_pylist()
    ]
