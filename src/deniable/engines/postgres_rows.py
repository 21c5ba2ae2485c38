"""Between Arrow and PostgreSQL: the type of a column on its way there, and what a column becomes on its way back.

The driver hands over `numeric` as text: here it is a decimal again, as wide as the server says that it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from deniable.engines.postgres_dialect import POSTGRES, binary

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_DIGITS = 38


def for_server(table: pa.Table) -> pa.Table:
    """A table with the types that a server can be given."""
    import pyarrow as pa

    fields = [pa.field(field.name, _sent(field.type)) for field in table.schema]
    return table.cast(pa.schema(fields)) if [f.type for f in fields] != table.schema.types else table


def _sent(kind: pa.DataType) -> pa.DataType:
    import pyarrow as pa
    from pyarrow import types

    sizes = ((types.is_int8, pa.int16()), (types.is_uint8, pa.int16()), (types.is_uint16, pa.int32()),
             (types.is_uint32, pa.int64()), (types.is_uint64, pa.decimal128(20, 0)),
             (types.is_float16, pa.float64()), (types.is_float32, pa.float64()), (types.is_null, pa.string()),
             (types.is_dictionary, pa.string()), (types.is_large_string, pa.string()),
             (types.is_date64, pa.date32()), (types.is_timestamp, pa.timestamp("us")))  # fmt: skip
    return next((sent for asked, sent in sizes if asked(kind)), kind)


def sql_type(kind: pa.DataType) -> str:
    """What a server calls it."""
    from pyarrow import types

    if types.is_decimal(kind):
        return f"NUMERIC({kind.precision}, {kind.scale})"
    names = ((types.is_boolean, "BOOLEAN"), (types.is_int16, "SMALLINT"), (types.is_int32, "INTEGER"),
             (types.is_int64, "BIGINT"), (types.is_float64, "DOUBLE PRECISION"), (types.is_date32, "DATE"),
             (types.is_timestamp, "TIMESTAMP"), (types.is_time, "TIME"))  # fmt: skip
    return next((name for asked, name in names if asked(kind)), "TEXT")


def listed(table: pa.Table) -> exp.Select:
    """A table as a query that lists its cells, for those who may make none."""
    kinds = [exp.DataType.build(sql_type(kind), dialect=POSTGRES) for kind in table.schema.types]
    names = [exp.to_identifier(name, quoted=True) for name in table.column_names]
    rows = [tuple(map(_literal, row.values())) for row in table.to_pylist()]
    none = [exp.Null() for _ in names]
    first = exp.Tuple(expressions=list(map(exp.cast, none, kinds)))  # says the types, and is left out again
    cells = [first, *(exp.Tuple(expressions=list(row)) for row in rows)]
    place = exp.to_identifier("listed")
    numbered = [exp.Tuple(expressions=[*cell.expressions, exp.Literal.number(i)]) for i, cell in enumerate(cells)]
    values = exp.Values(expressions=numbered, alias=exp.TableAlias(this=exp.to_identifier("given"),
                        columns=[*(name.copy() for name in names), place]))  # fmt: skip
    shown = [
        exp.alias_(binary(exp.Column(this=name.copy())), name.name, quoted=True)
        if kind.this == exp.DataType.Type.TEXT
        else exp.Column(this=name.copy())
        for name, kind in zip(names, kinds, strict=True)
    ]
    return exp.select(*shown).from_(values).where(exp.GT(this=exp.column("listed"), expression=exp.Literal.number(0)))


def _literal(cell: Any) -> exp.Expr:
    if cell is None:
        return exp.Null()
    if isinstance(cell, bool):
        return exp.true() if cell else exp.false()
    if isinstance(cell, int):
        return exp.Literal.number(cell) if cell >= 0 else exp.paren(exp.Neg(this=exp.Literal.number(-cell)))
    if isinstance(cell, float):
        return exp.cast(exp.Literal.string(repr(cell)), "DOUBLE")
    return exp.Literal.string(str(cell))


def from_server(table: pa.Table) -> pa.Table:
    """What was fetched, with types of Arrow's own, and nothing of the driver's beside them."""
    import pyarrow as pa

    columns = [_column(table.column(i), field) for i, field in enumerate(table.schema)]
    names = [field.name for field in table.schema]
    fields = [pa.field(name, column.type) for name, column in zip(names, columns, strict=True)]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def _column(column: pa.ChunkedArray, field: pa.Field) -> pa.ChunkedArray:
    if not is_numeric(field):
        return column
    import pyarrow as pa

    texts = pa.chunked_array([chunk.storage for chunk in column.chunks], pa.string())
    return texts.cast(decimal_type(field) or _narrowest(texts.to_pylist()))


def is_numeric(field: pa.Field) -> bool:
    """Whether a column came as the text of a `numeric`."""
    return getattr(field.type, "extension_name", "") == "arrow.opaque" and field.type.type_name == "numeric"


def decimal_type(field: pa.Field) -> pa.DataType | None:
    """How wide the server says that a `numeric` is; None where it does not."""
    import pyarrow as pa

    told = int((field.metadata or {}).get(b"POSTGRESQL:typmod", b"-1")) - 4
    if told < 0:
        return None
    width, scale = told >> 16 & 0xFFFF, told & 0x7FF
    return pa.decimal128(width, scale) if width <= _MOST_DIGITS and scale <= width else None


def _narrowest(texts: Sequence[str | None]) -> pa.DataType:
    """As many decimals as some number has; a double, where there are too many digits."""
    import pyarrow as pa

    parts = [Decimal(text).as_tuple() for text in texts if text is not None]
    if not all(isinstance(part.exponent, int) for part in parts):  # nan
        return pa.float64()
    scale = max((-int(part.exponent) for part in parts), default=0)
    whole = max((len(part.digits) + int(part.exponent) for part in parts), default=0)
    fits = whole + scale <= _MOST_DIGITS
    return pa.decimal128(_MOST_DIGITS, max(scale, 0)) if fits else pa.float64()


def streamed(reader: pa.RecordBatchReader, failed: list[Exception]) -> pa.RecordBatchReader:
    """The same on its way to a file: a `numeric` of no said width stays text, whose digits are all there.

    `failed` is told what the server said in the middle, since whoever writes the file says something of its own.
    """
    import pyarrow as pa

    fields = [
        pa.field(field.name, (decimal_type(field) or pa.string()) if is_numeric(field) else field.type)
        for field in reader.schema
    ]

    def rows() -> Iterator[pa.RecordBatch]:
        try:
            yield from reader
        except Exception as error:
            failed.append(error)
            raise

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in rows():
            columns = [
                column.storage.cast(field.type) if is_numeric(told) else column
                for column, field, told in zip(batch.columns, fields, reader.schema, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))

    return pa.RecordBatchReader.from_batches(pa.schema(fields), batches())
