"""Between Arrow and NumPy, without a detour: pyarrow's own conversion imports pandas
whenever it is installed, which costs more than most queries here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

_TYPES = {"float64": pa.float64(), "int64": pa.int64(), "int32": pa.int32()}


def arrow_array(data: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> pa.Array:
    """A NumPy array as an Arrow array over the same memory; `missing` entries are null."""
    valid = None if missing is None else pa.py_buffer(np.packbits(~missing, bitorder="little"))
    if data.dtype == np.bool_:
        bits = pa.py_buffer(np.packbits(data, bitorder="little"))
        return pa.Array.from_buffers(pa.bool_(), len(data), [valid, bits])
    kind = _TYPES[str(data.dtype)]
    return pa.Array.from_buffers(kind, len(data), [valid, pa.py_buffer(np.ascontiguousarray(data))])


def arrow_table(**columns: NDArray[Any]) -> pa.Table:
    """NumPy columns as an Arrow table."""
    return pa.table([arrow_array(data) for data in columns.values()], names=list(columns))


def column_ints(table: pa.Table, name: str) -> NDArray[np.int64]:
    """A whole-number column without nulls."""
    chunks = [ints(chunk) for chunk in table.column(name).chunks]
    return np.concatenate(chunks) if chunks else np.zeros(0, np.int64)


def column_numbers(table: pa.Table, name: str) -> NDArray[Any]:
    """A column of numbers without nulls, in the type that it has; a copy of our own."""
    chunks = [_numbers(chunk) for chunk in table.column(name).chunks]
    return np.concatenate(chunks) if chunks else np.zeros(0, np.int64)


def ints(array: pa.Array) -> NDArray[np.int64]:
    """One Arrow array of whole numbers (maybe held as doubles) without nulls."""
    return _numbers(array).astype(np.int64, copy=False)


def _numbers(array: pa.Array) -> NDArray[Any]:
    dtype = np.dtype({"double": "float64"}.get(str(array.type), str(array.type)))
    return np.frombuffer(array.buffers()[1] or b"", dtype)[array.offset : array.offset + len(array)]


def only(table: pa.Table) -> Any:
    """The single cell of a one-by-one answer."""
    return table.column(0)[0].as_py()
