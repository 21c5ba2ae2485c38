"""Every kernel that is called is run twice, interpreted and compiled, and must do the same to the last bit.

`pytest --twins` does that under all tests; without it kernels run as the program runs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import fields, is_dataclass
from typing import Any
from unittest import mock

import numpy as np

from deniable import kernels
from deniable.kernels import Kernel


@contextmanager
def twins() -> Iterator[None]:
    """Kernels that Python calls run both ways; one core, since what several share cannot be copied in between."""
    is_inside = False

    def both(self: Kernel, *arguments: Any) -> Any:
        nonlocal is_inside
        if is_inside:
            return self.function(*arguments)
        copies = deepcopy(arguments)
        is_inside = True
        try:
            with np.errstate(all="ignore"):
                interpreted = self.function(*copies)
        finally:
            is_inside = False
        compiled = self.compiled(*arguments)
        insist_same(compiled, interpreted, f"what {self.__name__} returns")
        for place, (one, other) in enumerate(zip(arguments, copies, strict=True)):
            insist_same(one, other, f"argument {place} of {self.__name__}")
        return compiled

    with mock.patch.object(Kernel, "__call__", both), mock.patch.object(kernels, "CORES", 1):
        yield


def insist_same(compiled: Any, interpreted: Any, what: str) -> None:
    """The same bits; a NaN is like any other."""
    if isinstance(compiled, np.ndarray):
        assert compiled.dtype == interpreted.dtype, f"{what}: {compiled.dtype} and {interpreted.dtype}"
        assert compiled.shape == interpreted.shape, f"{what}: {compiled.shape} and {interpreted.shape}"
        equal_nan = compiled.dtype.kind == "f"
        assert np.array_equal(compiled, interpreted, equal_nan=equal_nan), f"{what}: {_first(compiled, interpreted)}"
        if equal_nan:
            assert np.array_equal(np.signbit(compiled), np.signbit(interpreted)) or np.isnan(compiled).any(), what
    elif isinstance(compiled, (tuple, list)):
        assert len(compiled) == len(interpreted), what
        for place, (one, other) in enumerate(zip(compiled, interpreted, strict=True)):
            insist_same(one, other, f"{what}, part {place}")
    elif is_dataclass(compiled):
        for field in fields(compiled):
            insist_same(getattr(compiled, field.name), getattr(interpreted, field.name), f"{what}, {field.name}")
    elif isinstance(compiled, (bool, int, float, np.generic)):
        one, other = float(compiled), float(interpreted)
        assert one == other or (np.isnan(one) and np.isnan(other)), f"{what}: {one!r} and {other!r}"


def _first(one: Any, other: Any) -> str:
    place = tuple(int(i[0]) for i in np.nonzero(one != other))
    return f"at {place}: {one[place]!r} and {other[place]!r}"
