"""Between Arrow and Spark: the type of a column on its way there, and parts of a file on their way to one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def for_spark(table: pa.Table) -> pa.Table:
    """A table with the types that Spark has."""
    import pyarrow as pa

    fields = [pa.field(field.name, _sent(field.type)) for field in table.schema]
    return table.cast(pa.schema(fields)) if [f.type for f in fields] != table.schema.types else table


def _sent(kind: pa.DataType) -> pa.DataType:
    import pyarrow as pa
    from pyarrow import types

    sizes = ((types.is_uint8, pa.int16()), (types.is_uint16, pa.int32()), (types.is_uint32, pa.int64()),
             (types.is_uint64, pa.decimal128(20, 0)), (types.is_float16, pa.float64()),
             (types.is_float32, pa.float64()), (types.is_null, pa.int32()), (types.is_dictionary, pa.string()),
             (types.is_large_string, pa.string()), (types.is_string_view, pa.string()),
             (types.is_date64, pa.date32()), (types.is_time, pa.string()),
             (types.is_timestamp, pa.timestamp("us")))  # fmt: skip
    return next((sent for asked, sent in sizes if asked(kind)), kind)


def streamed(parts: Iterable[Path], schema: pa.Schema) -> pa.RecordBatchReader:
    """The rows of parts, one after the other, some at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def batches() -> Iterator[pa.RecordBatch]:
        for part in parts:
            with pq.ParquetFile(part) as file:
                for batch in file.iter_batches():
                    yield from pa.Table.from_batches([batch]).cast(schema).to_batches()

    return pa.RecordBatchReader.from_batches(schema, batches())
