"""Loops over arrays, each written once: interpreted while the work is small, compiled when it is large.

Compiling costs seconds, once on a machine, and loading what was compiled a good part of a second in every process;
interpreting costs about a microsecond a step. So whoever starts some work says how many steps it takes, and `LARGE`
decides: below it nothing is compiled, and the compiler is not even imported. A process may interpret one call and
compile the next; the answers are the same bits (`tests/kernels` holds that).

A kernel is plain Python over NumPy arrays. So that both ways agree:
- numbers from int8, int32 and float32 arrays are widened before they are calculated with (`int(...)`, `float(...)`):
  interpreted they would keep their width, compiled they would not;
- sums of floats are loops, sorts are stable (`kind="mergesort"`), functions are those of `math`;
- what is shared among cores (`in_pieces`) does not depend on how it is shared.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from threading import RLock, Thread
from typing import Any

import numpy as np

LARGE: float = 300_000  # steps from which on compiling pays; if infinite, nothing is ever compiled
CORES = os.cpu_count() or 1
_PIECES = 32  # for each core, so that none waits long for another

listeners: list[Callable[[], None]] = []  # who is told that compiling takes long
_one_at_a_time = RLock()
_is_large: ContextVar[bool | None] = ContextVar("_is_large", default=None)  # None: nobody said


class Kernel:
    """A function over arrays, and what is compiled of it when it is first asked for."""

    def __init__(self, function: Callable[..., Any], signature: str | None) -> None:
        self.function, self.signature = function, signature
        self._called: Any = None
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__

    def __call__(self, *arguments: Any) -> Any:
        """Interpreted where the work that this is part of is small."""
        return self.function(*arguments) if _is_large.get() is False else self.compiled(*arguments)

    @property
    def compiled(self) -> Any:
        """What numba makes of it."""
        if self._called is None:
            with _one_at_a_time:
                from deniable.kernels.compiler import called

                self._called = self._called or called(self.function, self.signature)
        return self._called

    @cached_property
    def _linked(self) -> Any:
        """What it is inside of another kernel."""
        from deniable.kernels.compiler import linked

        return linked(self.function)

    @property
    def _numba_type_(self) -> Any:
        """How numba recognizes that."""
        return self._linked._numba_type_


def kernel(signature: str | None = None) -> Callable[[Callable[..., Any]], Any]:
    """Make a function a kernel. With a signature it is compiled for those types only; small ones need none."""
    return lambda function: Kernel(function, signature)


@contextmanager
def work(steps: float) -> Iterator[None]:
    """Kernels inside are compiled if there are many steps, or if this is part of work that has many."""
    before = _is_large.set(_is_large.get() is True or steps >= LARGE < math.inf)
    try:
        with np.errstate(all="ignore"):  # as compiled code has it
            yield
    finally:
        _is_large.reset(before)


@contextmanager
def telling(tell: Callable[[], None]) -> Iterator[None]:
    """Have it told when compiling takes more than a second, since nothing else moves then."""
    listeners.append(tell)
    try:
        yield
    finally:
        listeners.remove(tell)


def prepare(steps: float, *needed: Kernel) -> None:
    """Get kernels ready beside what is done next, if the work that will ask for them is large: the compiler is
    imported, and those that have a signature are compiled."""
    if steps >= LARGE < math.inf:
        Thread(target=lambda: [one.compiled for one in needed], daemon=True).start()


def in_pieces(loop: Kernel, count: int, *arguments: Any) -> None:
    """loop(first, last, *arguments) over the whole range(count), in pieces on all cores if it is compiled."""
    pieces = min(CORES * _PIECES, count) if CORES > 1 and _is_large.get() is not False else 1
    if pieces <= 1:
        loop(0, count, *arguments)
        return
    from concurrent.futures import ThreadPoolExecutor

    cuts = [count * piece // pieces for piece in range(pieces + 1)]
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(lambda first, last: loop(first, last, *arguments), cuts[:-1], cuts[1:]))
