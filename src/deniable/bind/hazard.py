"""The file of `--hazard`: how many times as often people leave who have some value. Others leave once as often."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

from deniable.bind.known import HistoryNames
from deniable.bind.small_files import Wrong, lines_of, number_found
from deniable.errors import BadInput, Mistake

TIMES = "times"
_LEAST, _MOST = 1e-6, 1e6  # beyond that somebody means something else


def read_hazard(path: str | Path, names: HistoryNames) -> list[Fraction]:
    """For each value of the history. Raises BadInput with every mistake; values that no release has are left out."""
    wrong: Wrong = []
    wanted = (names.private, TIMES)
    number = {value: v for v, value in enumerate(names.values)}
    times, first = [Fraction(1)] * len(number), dict[str | None, int]()

    def gone() -> Mistake:
        return Mistake(str(path), f"no such file; expected a csv file with {', '.join(wanted)}")

    for line, (value, cell) in lines_of(Path(path), str(path), wanted, wrong, gone):
        often = _times(cell)
        if often is None:
            what = "expected how many times as often people with the value leave, a number over 0"
            wrong.append((line, Mistake(f"{path}:{line}", f"{what}; found {number_found(cell)}")))
        elif value in first:
            what = f"expected each value once; found it again (line {first[value]})"
            wrong.append((line, Mistake(f"{path}:{line}", what)))
        elif value in number:
            times[number[value]] = often
        first.setdefault(value, line)
    if not wrong and not set(first) & set(number):
        what = f"expected values of {names.private} that some release has; found none"
        wrong.append((1, Mistake(f"{path}:1", what)))
    if wrong:
        raise BadInput([mistake for _, mistake in sorted(wrong, key=lambda one: one[0])])
    return times


def _times(cell: str | None) -> Fraction | None:
    try:
        number = float(cell or "")
    except ValueError:
        return None
    return Fraction(number) if math.isfinite(number) and _LEAST <= number <= _MOST else None
