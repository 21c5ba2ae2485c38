"""Compiled kernels whose arrays are borrowed, made, returned and cut: the same numbers, and nothing lost or freed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from deniable.kernels import LARGE, kernel, work

pytestmark = pytest.mark.usefixtures("compiling")


class Pair(NamedTuple):
    one: Any
    two: Any


@kernel()
def last_of(pair, rows):  # type: ignore[no-untyped-def]
    """Borrows only: a field, a row, a part, negative places, and what a loop goes over."""
    piece = pair.one[1:]
    row = rows[-1]
    flags = pair.two
    total = 0
    for item in piece:
        total += int(item)
    for k in range(len(flags)):
        if flags[k]:
            total += int(row[-1 - k]) + int(rows[-2, -1])
            flags[k] = False
    return total


@kernel()
def either(given, is_mine):  # type: ignore[no-untyped-def]
    """One variable that is borrowed or made, and is returned."""
    found = given
    if is_mine:
        found = np.zeros(len(given), np.int64)
        found[0] = -7
    return found


@kernel()
def part_of(given):  # type: ignore[no-untyped-def]
    """A view of what is given, returned to another kernel."""
    return given[1:].reshape((2, 2))


@kernel()
def everything(one, two, rows, often):  # type: ignore[no-untyped-def]
    """Calls the others, and returns what it was given and what it made."""
    total = 0
    for k in range(often):
        mine = either(one, k % 2 == 0)
        total += last_of(Pair(mine, two), rows) + int(part_of(one)[1, -1])
        two[k % len(two)] = True
    return one, either(one, True), part_of(one), total


def answers(steps: float) -> Any:
    one, two = np.arange(5), np.array([True, False, True])
    rows = np.arange(6, dtype=np.int32).reshape(2, 3)
    with work(steps):
        found = everything(one, two, rows, 1_000)
    return [*(part.tolist() for part in found[:3]), found[3], two.tolist(), one.tolist()]


def test_arrays_are_neither_lost_nor_freed_too_early() -> None:
    from numba.core.runtime import _nrt_python, rtsys

    assert answers(LARGE) == answers(0)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(3):
        assert answers(LARGE) == answers(0)
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.alloc > before.alloc
    assert after.alloc - before.alloc == after.free - before.free
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free


@pytest.mark.parametrize("width", [np.int8, np.int32, np.int64, np.float32, np.float64, np.bool_], ids=str)
def test_items_of_every_width(width: Any) -> None:
    cells = np.arange(12).reshape(3, 4).astype(width)
    with work(LARGE):
        assert np.array_equal(copied(cells, np.zeros((4, 3), width)), cells.T)


@kernel()
def copied(cells, turned):  # type: ignore[no-untyped-def]
    """Rows as columns, from behind."""
    for i in range(cells.shape[0]):
        for k in range(cells.shape[1]):
            turned[k - cells.shape[1], i] = cells[i, k - cells.shape[1]]
    return turned
