"""The tables of a study, in Arrow: made of its sessions, written as Parquet, CSV or JSON, and read back by measures.

The rows of a cell are kept beside its log when it has ended, and the ledger has their hash: who makes tables reads no
log again, and holds the rows of a few cells at a time.
"""

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import orjson
from pydantic import TypeAdapter, ValidationError

from eda.errors import InputError
from eda.session import Session
from eda.session.names import LOG_FILE
from eda.session.store import replace_file
from eda.study import fold, rows
from eda.study.cells import Cell, behaviour
from eda.study.fold import Rows, missing_row, rows_of
from eda.study.ledger import Entry, entries, standing
from eda.study.measures import measure_named
from eda.study.rows import ROWS, CellData, CellRow, Row
from eda.study.statistics import library
from eda.study.status import CELLS, ROWS_FILE, states_of

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(slots=True)
class Score:
    """What measures come to in one cell."""

    cell: CellRow
    rules: set[str]
    """Those that count its ballots."""
    values: dict[tuple[str, str], float | None] = field(default_factory=dict)
    """By measure, and by the rule that counts; empty for the rule of the session."""
    cases: dict[tuple[str, str], Sequence[float]] = field(default_factory=dict)
    """Sum and number of what the value is the mean of."""


class Source:
    """Where the rows of cells come from: what measures come to is kept, and the rows are not."""

    data: Iterable[CellData]
    """The rows of each cell; it can be read again and again."""

    @cached_property
    def _scores(self) -> dict[str, Score]:
        return {}

    def scores(self, wanted: Iterable[tuple[str, str]]) -> list[Score]:
        """Return what measures, each with a rule, come to in each cell; all that is not known is read in one pass.

        Raises:
            UnknownNameError: there is no such measure.
        """
        known: Iterable[tuple[str, str]] = next((score.values for score in self._scores.values()), {})
        new = {(name, rule): measure_named(name) for name, rule in wanted if (name, rule) not in known}
        if new or not self._scores:
            for data in self.data:
                score = self._scores.setdefault(data.cell.cell, Score(data.cell, {row.rule for row in data.outcomes}))
                for (name, rule), measure in new.items():
                    counted = replace(data, rule=rule) if rule and "rule" not in data.cell.levels else data
                    value = score.values[name, rule] = measure.fold(counted)
                    cases = measure.cases(counted) if measure.cases else [] if value is None else [value]
                    score.cases[name, rule] = sum(cases), len(cases)
        return [*self._scores.values()]


class Frames(dict[str, Any], Source):
    """Arrow tables by name, whose rows are read once however many measures are taken of them."""

    @cached_property
    def data(self) -> list[CellData]:  # type: ignore[override]  # read-only
        """The rows of each cell, in the order of the table `cells`.

        Raises:
            InputError: a table lacks a column, as one that another version wrote may.
        """
        by_cell: dict[str, Rows] = {}
        for name, model in ROWS.items():
            table = self[name]
            if lacking := [column for column in model.model_fields if column not in table.column_names]:
                raise InputError(
                    f"the table {name!r} has no column {lacking[0]!r}", hint="Make the tables again: eda study table."
                )
            for row in _read(name, table.select(list(model.model_fields)).to_pylist()):
                by_cell.setdefault(row.cell, {}).setdefault(name, []).append(row)
        return [_data(parts) for parts in by_cell.values() if "cells" in parts]

    def __repr__(self) -> str:
        return f"<Frames: {', '.join(f'{name} {table.num_rows:,}' for name, table in self.items())}>"


def _read(name: str, records: Iterable[dict[str, Any]]) -> Iterator[Row]:
    """Yield the rows of a table, from the columns that each has, as JSON or Arrow has them."""
    model, wraps = ROWS[name], {column: origin for column, origin in _origins(name).items() if origin in (tuple, dict)}
    for record in records:
        yield model.model_construct(**record | {column: wrap(record[column]) for column, wrap in wraps.items()})


def _origins(name: str) -> dict[str, Any]:
    """Return what the type of each column of a table is made of: `tuple`, `dict`, or what wraps no values."""
    return {column: get_origin(info.annotation) for column, info in ROWS[name].model_fields.items()}


def _data(parts: Mapping[str, Any]) -> CellData:
    return CellData(parts["cells"][0], **{name: parts[name] for name in parts.keys() - {"cells"}})


CELLS_FILE = "cells.json"
"""What the cells are, in the study's folder."""


def keep_cells(folder: Path, cells: Iterable[Cell]) -> None:
    """Write what the cells of a study are into its folder, so that a later version of EDA can make its tables."""
    replace_file(folder / CELLS_FILE, orjson.dumps([*cells], option=orjson.OPT_NON_STR_KEYS))


def cells_in(folder: Path) -> list[Cell]:
    """Return the cells of the study in a folder, as `keep_cells` wrote them.

    Raises:
        InputError: there are none, or the file is damaged.
    """
    try:
        return TypeAdapter(list[Cell]).validate_json((folder / CELLS_FILE).read_bytes())
    except OSError:
        raise InputError(f"{folder} holds no study", hint="Run one there: eda study run FILE --out DIR.") from None
    except ValidationError as error:
        raise InputError(f"{folder / CELLS_FILE} is damaged: {error.errors()[0]['msg']}") from None


@cache
def _made_by() -> str:
    """Return what tells the code that makes rows from another version of it."""
    return sha256("".join((behaviour(), *map(inspect.getsource, (fold, rows)))).encode()).hexdigest()


def keep_rows(folder: Path, cell: Cell) -> None:
    """Keep the rows of a cell that has ended, beside its log in the folder of the study."""
    place = folder / CELLS / cell.id
    with Session.read(place) as session:
        made = {name: [vars(row) for row in some] for name, some in rows_of(session, cell).items()}
    replace_file(place / ROWS_FILE, orjson.dumps([_made_by(), made]))


class Stored(Source):
    """The rows of a study's cells, in the order of these, read from its folder as often as they are asked for.

    Args:
        folder: Of the study; `cells/<id>` in it are the sessions.
        cells: All cells of the study; None for those that its folder names. One that has no session is a row of
            `cells` with the status `absent`, `excluded` or `failed`, and the reason.

    Raises:
        InputError: the folder holds no study.
    """

    def __init__(self, folder: Path, cells: Iterable[Cell] | None = None) -> None:
        self._folder = folder
        self._cells = cells_in(folder) if cells is None else [*cells]

    @property
    def data(self) -> Iterator[CellData]:  # type: ignore[override]  # read-only
        """The rows of each cell, one after the other.

        Raises:
            LogDamagedError, SessionError: the log of a session cannot be read.
        """
        return map(_data, self._rows())

    def _rows(self) -> Iterator[Rows]:
        states, noted = states_of(self._cells, self._folder), standing(entries(self._folder))
        for cell in self._cells:
            state = states[cell.id]
            made = self._made(cell, noted.get(cell.id), begun=state.state != "absent")
            if state.state in ("excluded", "failed", "absent"):  # why it has no result is known beside its log
                why = {"status": state.state, "reason": state.reason}
                made["cells"] = [row.model_copy(update=why) for row in made["cells"]]
            yield made

    def _made(self, cell: Cell, entry: Entry | None, *, begun: bool) -> Rows:
        """Return the rows of a cell: those that are kept, if they are what was noted with this log, else of its log."""
        place = self._folder / CELLS / cell.id
        if not (begun and (place / LOG_FILE).exists()):
            return {"cells": [missing_row(cell)]}
        if entry and (place / ROWS_FILE).exists() and entry["size"] == (place / LOG_FILE).stat().st_size:
            kept = (place / ROWS_FILE).read_bytes()
            if sha256(kept).hexdigest() == entry.get("rows") and (parts := orjson.loads(kept))[0] == _made_by():
                return {name: [*_read(name, records)] for name, records in parts[1].items()}
        with Session.read(place) as session:
            return rows_of(session, cell)

    def _batches(self) -> Iterator[Frames]:
        """Yield the tables of some cells, then of the next ones."""
        left = self._rows()
        while some := [*islice(left, 500)]:  # whose rows are held at once
            yield to_arrow({name: [row for made in some for row in made.get(name, ())] for name in ROWS})

    def frames(self) -> Frames:
        """Return the tables as a whole, by name, as `ROWS` lists them. The same logs give the same tables.

        Raises:
            UsageError: pyarrow is not installed.
        """
        parts = [*self._batches()]
        return Frames({name: library("pyarrow").concat_tables(part[name] for part in parts) for name in ROWS})

    def write(self, folder: Path, kind: str = "parquet", metadata: Mapping[str, str] | None = None) -> list[Path]:
        """Write each table as `NAME.KIND`, some cells at a time, and return the files.

        Args:
            folder: Made if it is not there.
            kind: `parquet`, which DuckDB, polars and pandas read in place; or `csv`, in which lists and maps are JSON
                and null is empty; or `json`.
            metadata: Stored with each Parquet table, such as the study's manifest.
        """
        duckdb, pq = library("duckdb"), library("pyarrow.parquet")
        folder.mkdir(parents=True, exist_ok=True)
        paths = {name: folder / f"{name}.{kind}" for name in ROWS}
        with ExitStack() as stack:
            place = folder if kind == "parquet" else Path(stack.enter_context(TemporaryDirectory()))
            files, writers = {name: place / f"{name}.parquet" for name in ROWS}, dict[str, Any]()
            for batch in self._batches():
                for name, table in batch.items():
                    told = table.schema.with_metadata(metadata)
                    if name not in writers:
                        writers[name] = pq.ParquetWriter(files[name], told)
                    writers[name].write_table(table.replace_schema_metadata(metadata))
            for writer in writers.values():
                writer.close()
            if kind != "parquet":
                database = stack.enter_context(duckdb.connect())
                form = "json, array true" if kind == "json" else "csv"
                for name, path in paths.items():
                    lists = [key for key, kind in _origins(name).items() if kind in (tuple, dict) and form == "csv"]
                    texts = f"replace ({', '.join(f'to_json({key}) as {key}' for key in lists)})" if lists else ""
                    copy = f"copy (select * {texts} from read_parquet($1)) to $2 (format {form})"  # noqa: S608 - ours
                    database.execute(copy, [str(files[name]), str(path)])
        return [*paths.values()]


def to_arrow(rows: Mapping[str, Sequence[Row]]) -> Frames:
    """Return rows as Arrow tables; a table of which there are no rows is empty and has its columns."""
    made, pa = Frames(), library("pyarrow")
    for name, model in ROWS.items():
        columns: dict[str, list[Any]] = {column: [] for column in model.model_fields}
        for row in rows.get(name, ()):
            for column, values in columns.items():
                value = getattr(row, column)
                values.append(list(value.items()) if isinstance(value, dict) else value)
        fields = [
            pa.field(column, _kind(info.annotation), metadata={"description": info.description or ""})
            for column, info in model.model_fields.items()
        ]
        made[name] = pa.table(columns, schema=pa.schema(fields))
    return made


def _kind(annotation: Any) -> "pa.DataType":
    """Return the Arrow type of a field of a row; any value may be missing."""
    pa, origin = library("pyarrow"), get_origin(annotation)
    kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
    if origin is tuple:
        return pa.list_(_kind(kinds[0]))
    if origin is dict:
        return pa.map_(pa.string(), _kind(kinds[1]))
    if kinds and origin is not Literal:
        return _kind(kinds[0])
    return {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}[str if kinds else annotation]
