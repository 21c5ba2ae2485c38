"""The bytes of a release: random group numbers, rows in random order, counterfeits that look like rows.

docs/theory/history.md, "What the bytes say": the values of a group are sorted before all rows are shuffled, and what
is drawn depends on the numbers of groups and rows only: two tables with the same groups that differ by values swapped
inside a group give the same bytes under the same seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from deniable.arrow import arrow_array, arrow_text, arrow_texts
from deniable.frozen import frozen
from deniable.publish.spreadsheets import harmless
from deniable.worlds.arrays import Int32s, Int64s

if TYPE_CHECKING:
    import pyarrow as pa


def group_numbers(groups: int, rng: np.random.Generator) -> Int64s:
    """A number from 1 on for each group, at random."""
    return rng.permutation(groups).astype(np.int64) + 1


@frozen(eq=False)
class ReleaseRows:
    """The rows of release.csv: row i is in group[i] and has the value domain[values[i]].

    A group has a number, and says what `extents` has for it.
    """

    numbers: Int64s
    extents: Mapping[str, pa.Array]
    private: str
    group: Int64s
    values: Int32s
    domain: pa.Array


def release_csv(rows: ReleaseRows, rng: np.random.Generator, *, excel_safe: bool = False) -> bytes:
    """release.csv, in an order drawn at random; `excel_safe`: with no cell that a spreadsheet would compute."""
    import pyarrow as pa

    def written(cells: pa.Array) -> pa.Array:
        texts = cells.cast(pa.large_string())
        return quoted(harmless(texts) if excel_safe else texts)

    order = np.lexsort((rows.values, rows.group))[rng.permutation(len(rows.group))]
    cells = [arrow_array(rows.numbers).cast(pa.large_string()), *(written(cells) for cells in rows.extents.values())]
    groups = _joined(*cells).take(arrow_array(rows.group[order]))
    lines = _joined(groups, written(rows.domain).take(arrow_array(rows.values[order])))
    header = arrow_texts(["group", *rows.extents, rows.private], pa.large_string())
    return _text(written(header), lines)


def counterfeits_csv(numbers: Int64s, counts: Int64s) -> bytes:
    """counterfeits.csv: how many of a group's rows are counterfeit, for groups that have some."""
    import pyarrow as pa

    some = np.flatnonzero(counts)
    some = some[np.argsort(numbers[some])]
    cells = [arrow_array(column[some]).cast(pa.large_string()) for column in (numbers, counts)]
    return _text(arrow_texts(["group", "count"], pa.large_string()), _joined(*cells))


def quoted(cells: pa.Array) -> pa.Array:
    """CSV cells: null is nothing at all, an empty text a pair of quotes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = cells.cast(pa.large_string())
    must = pc.or_(pc.match_substring_regex(cells, '[",\r\n]'), pc.equal(cells, _large("")))
    within = _joined(_large('"'), pc.replace_substring(cells, '"', '""'), _large('"'), by="")
    return pc.if_else(must, within, cells).fill_null(_large(""))


def _text(header: pa.Array, lines: pa.Array) -> bytes:
    first = ",".join(header.to_pylist()) + "\n"
    if not len(lines):
        return first.encode()
    ended = _joined(lines, _large("\n"), by="")  # whose cells lie one after the other in memory
    start, *_, end = np.frombuffer(ended.buffers()[1], np.int64)[[ended.offset, ended.offset + len(ended)]]
    return first.encode() + memoryview(ended.buffers()[2])[start:end].tobytes()


def _joined(*cells: pa.Array | pa.Scalar, by: str = ",") -> pa.Array:
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(*cells, _large(by))


def _large(text: str) -> pa.Scalar:
    import pyarrow as pa

    return arrow_text(text, pa.large_string())
