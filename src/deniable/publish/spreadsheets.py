"""Cells that a spreadsheet would compute instead of show, such as =HYPERLINK(…), and the same cells made harmless.

A cell that begins as a formula does gets an apostrophe before it, and so does one that begins with an apostrophe: then
different cells stay different, and whoever takes the first apostrophe of each cell away has what was there. A number is
no formula, whatever its sign. What is written depends on the cell alone, so it says nothing that the cell does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deniable.arrow import arrow_array, arrow_text
from deniable.words import FORMULA, SIGNED_NUMBER

if TYPE_CHECKING:
    import pyarrow as pa


def is_formula(cells: pa.Array) -> pa.Array:
    """Whether each cell begins as a formula does; a null does not."""
    import pyarrow.compute as pc

    begins = pc.match_substring_regex(cells, FORMULA)
    return pc.and_not(begins, pc.match_substring_regex(cells, SIGNED_NUMBER)).fill_null(_no())


def count_formulas(cells: pa.Array | pa.ChunkedArray) -> int:
    """How many cells begin as a formula does."""
    import pyarrow.compute as pc

    return int(pc.sum(is_formula(cells)).as_py() or 0)


def harmless(cells: pa.Array) -> pa.Array:
    """The cells with an apostrophe before those that need it."""
    import pyarrow.compute as pc

    needs = pc.or_(is_formula(cells), pc.starts_with(cells, "'").fill_null(_no()))
    marked = pc.binary_join_element_wise(arrow_text("'", cells.type), cells, arrow_text("", cells.type))
    return pc.if_else(needs, marked, cells)


def as_before(cells: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Harmless cells as they were."""
    import pyarrow.compute as pc

    return pc.replace_substring_regex(cells, "^'", "")


def _no() -> pa.Scalar:
    return arrow_array(np.zeros(1, np.bool_))[0]
