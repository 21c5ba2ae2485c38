"""Kernels inside of kernels, linked once: arrays are what they are for NumPy, and numba is what it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from deniable.kernels import kernel
from tests.kernels.twins import twins

pytestmark = pytest.mark.usefixtures("compiling")


@kernel()
def moved(numbers, table, flags):  # type: ignore[no-untyped-def]
    """One item of each kind, from the front and from the back."""
    numbers[-1] = table[1, -2]
    table[-1, 0] = numbers[0]
    flags[1] = numbers[1] > numbers[-2]
    return numbers[-1], table[0, 1], table[-1][-1], flags[-1]


@kernel()
def kept(count):  # type: ignore[no-untyped-def]
    """Arrays that a kernel makes, cuts and returns are still there."""
    made = np.zeros((count, 3), np.int64)
    rows = made[1:]
    for i in range(len(rows)):
        rows[i, i % 3] += max(i, 1)
    return made, rows[0], np.empty(count, np.int8)[:0]


@pytest.mark.parametrize("kind", [np.int8, np.float64])
def test_items_of_every_kind_and_layout(kind: type) -> None:
    table: NDArray[Any] = np.arange(12).astype(kind)
    with twins():
        moved(np.arange(5).astype(kind), table.reshape(3, 4), np.zeros(3, np.bool_))
        moved(np.arange(10).astype(kind)[::2], table.reshape(4, 3).T, np.zeros(3, np.bool_))


def test_what_is_made_and_returned_stays() -> None:
    with twins():
        for count in (2, 50):
            kept(count)


def test_numba_compiles_what_is_not_ours_as_ever() -> None:
    """Its helpers were made inside of a kernel first, without machine code."""
    from numba import njit

    with twins():
        kept(4)
    made = njit(lambda count: np.zeros((count, 3), np.int64)[1:] + max(count, 2))
    assert made(3).tolist() == [[3, 3, 3], [3, 3, 3]]


def test_with_another_numba_kernels_are_compiled_as_it_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from deniable.kernels import compiler

    assert compiler.is_tried()
    monkeypatch.setattr(compiler, "_TRIED", "none")

    @kernel()
    def inner(numbers):  # type: ignore[no-untyped-def]
        return numbers[0] + numbers[-1]

    inside = compiler.linked(inner.function)
    assert type(inside).__name__ == "CPUDispatcher"
    outer = compiler.called(lambda numbers: inside(numbers) * 2, None)
    assert outer(np.arange(3)) == 4
