"""The paper's delta bound (Theorem 1): how far priors may lie apart, where the quick answer is enough.

With f the largest prior of a value that occurs once in a group of N, a deviation of at most
(N - r) f / (f (r - 1) / (1 - f) + N - 1) keeps every posterior of it at 1/r or below for the marginal adversary.
A quick yes: beyond it a group may well be safe. It fails for values that occur twice, and for the full adversary
(docs/theory/linkage.md, "The setting").
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from reprlib import repr as shorten

import numpy as np
from numpy.typing import ArrayLike

from deniable.worlds.arrays import Bools, Floats, Int64s

_SLACK = 1 + 64 * 2.0**-53  # of a few roundings on either side


def delta_ceiling(N: int, r: float, f: float) -> float:  # noqa: N803 - the paper's names
    """How far the priors of a value may lie apart in a group of N people, the largest prior being f."""
    if not _is_whole(N) or N < 1:
        raise ValueError(f"The 'N' parameter must be an int in [1, inf). Got {N!r} instead.")
    if not _is_number(r) or not 1 <= r <= N:
        raise ValueError(f"The 'r' parameter must be a number in [1, N], N = {N}. Got {r!r} instead.")
    if not _is_number(f) or not 0 <= f <= 1:
        raise ValueError(f"The 'f' parameter must be a number in [0, 1]. Got {f!r} instead.")
    return _ceiling(int(N), float(r), float(f))


def deviation(priors: ArrayLike) -> Floats:
    """How far the priors of each value lie apart in a group: one row for each person, one column for each value."""
    checked = _checked(priors)
    apart: Floats = checked.max(axis=0) - checked.min(axis=0)
    return apart


def delta_violations(
    priors: ArrayLike, r: float, *, people: Sequence[int] | None = None, copies: Sequence[int] | None = None
) -> Bools:
    """Which values of a group the ceiling does not clear: those beyond it, and all that occur more than once.

    `priors` has one row for each person, or for each signature with `people` of each, and one column for each value,
    which occurs `copies` times (once by default). No cleared value exceeds 1/r for the marginal adversary.
    """
    checked = _checked(priors)
    if not _is_number(r) or not r >= 1:
        raise ValueError(f"The 'r' parameter must be a number in [1, inf). Got {r!r} instead.")
    size = int(_counts("people", people, checked.shape[0], "row").sum())
    once = _counts("copies", copies, checked.shape[1], "column") == 1
    if size < r:
        return np.ones(checked.shape[1], np.bool_)
    ceilings = np.array([_ceiling(size, float(r), float(f)) for f in checked.max(axis=0)])
    cleared: Bools = once & (deviation(checked) * _SLACK <= ceilings)
    return ~cleared


def _ceiling(people: int, r: float, largest: float) -> float:
    if largest in (0.0, 1.0) or people == r:
        return 0.0  # nothing may differ
    return (people - r) * largest / (largest * (r - 1) / (1 - largest) + (people - 1))


def _is_whole(number: object) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool)


def _is_number(number: object) -> bool:
    return isinstance(number, Real) and not isinstance(number, bool)


def _checked(priors: ArrayLike) -> Floats:
    wanted = "The 'priors' parameter must be rows of numbers in [0, 1], one row for each person."
    try:
        checked = np.asarray(priors, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{wanted} Got {shorten(priors)} instead.") from None
    if checked.ndim != 2 or not checked.size:
        raise ValueError(f"{wanted} Got an array of shape {checked.shape} instead.")
    wrong = checked[~((checked >= 0) & (checked <= 1))]
    if len(wrong):
        raise ValueError(f"{wanted} Got {wrong[0]} instead.")
    return checked


def _counts(name: str, counts: Sequence[int] | None, length: int, what: str) -> Int64s:
    if counts is None:
        return np.ones(length, np.int64)
    given = list(counts)
    if len(given) != length or not all(_is_whole(count) and count >= 1 for count in given):
        wanted = f"{length} ints in [1, inf), one for each {what} of 'priors'"
        raise ValueError(f"The '{name}' parameter must be {wanted}. Got {given} instead.")
    return np.array(given, np.int64)
