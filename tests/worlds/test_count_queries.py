"""Queries answered by compiled code against plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.worlds.groups.count_queries import answer_queries


@settings(max_examples=100)
@given(st.integers(0, 10**9), st.integers(1, 12), st.integers(1, 4))
def test_queries_are_answered_as_defined(seed: int, rows: int, groups: int) -> None:
    rng = np.random.default_rng(seed)
    codes, values = rng.integers(0, 4, (2, rows)).astype(np.int32), rng.integers(0, 3, rows).astype(np.int32)
    group = rng.integers(0, groups, rows).astype(np.int32)
    order = rng.permutation(rows)
    queries = rng.random((5, 3, 4)) < 0.6
    truth, told = np.empty(5), np.empty(5)
    sizes = np.bincount(group, minlength=groups).astype(np.float64)
    table = np.ascontiguousarray(np.vstack([codes, values[None]]))
    answer_queries(0, 5, table, codes, group, group[order], values[order], sizes, queries, truth, told)
    for q, allowed in enumerate(queries):
        fits = [allowed[0, codes[0, i]] and allowed[1, codes[1, i]] for i in range(rows)]
        assert truth[q] == sum(fits[i] and allowed[2, values[i]] for i in range(rows))
        expected = 0.0
        for i in range(rows):
            mine = [values[j] for j in range(rows) if group[j] == group[i]]
            expected += fits[i] * sum(allowed[2, v] for v in mine) / len(mine)
        assert told[q] == pytest.approx(expected)
