"""Between Arrow and NumPy, without a detour: pyarrow's own conversion imports pandas
whenever it is installed, which costs more than most queries here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

_TYPES = {"float64": pa.float64(), "int64": pa.int64(), "int32": pa.int32(), "int8": pa.int8()}

_FEW = 1_000  # words up to which Arrow's functions, which take a tenth of a second to import, are not worth it


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


def arrow_texts(values: Iterable[str | None], kind: pa.DataType | None = None) -> pa.Array:
    """Texts as an Arrow array, of type string unless another is asked for."""
    encoded = [None if value is None else value.encode("utf-8") for value in values]
    return arrow_bytes(encoded, kind or pa.string())


def arrow_text(value: str | None, kind: pa.DataType | None = None) -> pa.Scalar:
    """One text, to be compared, joined or filled in."""
    return arrow_texts([value], kind)[0]


def arrow_bytes(cells: Sequence[bytes | None], kind: pa.DataType | None = None) -> pa.Array:
    """Bytes as an Arrow array, of type large_binary unless another is asked for."""
    width = np.int32 if kind == pa.string() else np.int64
    ends = np.cumsum([0, *(len(cell or b"") for cell in cells)], dtype=width)
    missing = np.fromiter((cell is None for cell in cells), np.bool_, len(cells))
    valid = pa.py_buffer(np.packbits(~missing, bitorder="little")) if missing.any() else None
    content = pa.py_buffer(b"".join(cell or b"" for cell in cells))
    return pa.Array.from_buffers(kind or pa.large_binary(), len(cells), [valid, pa.py_buffer(ends), content])


def arrow_words(codes: NDArray[Any], words: Sequence[str | None], missing: NDArray[np.bool_] | None = None) -> pa.Array:
    """One of a few words for each code; `missing` entries are null."""
    if len(codes) < _FEW:
        nothing = np.zeros(len(codes), np.bool_) if missing is None else missing
        return arrow_texts(None if no else words[int(code)] for code, no in zip(codes, nothing, strict=True))
    places = arrow_array(codes.astype(np.int32), missing)
    return pa.DictionaryArray.from_arrays(places, arrow_texts(words)).cast(pa.string())


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
