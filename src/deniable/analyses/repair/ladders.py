"""The ladder of a column: ever coarser ways to publish it, each a function of the one before.

Numbers go in bands, each twice as wide as the one before; codes of one length by their first characters; dates by
month, quarter and year; whatever has a hierarchy along its levels. What is left is to leave the column out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from deniable.engines.dialect import ColumnType, Kind
from deniable.frozen import frozen
from deniable.release import Coarser

_BANDS = 5  # widths that are tried
_PREFIXES = 4  # lengths that are tried
_LONGEST = 16  # characters of a code
PARTS = ("month", "quarter", "year")


@frozen
class Shape:
    """What the cells of a column are like: how many there are that differ, and how far they reach."""

    kind: ColumnType
    distinct: int
    low: Decimal | None = None  # numbers
    high: Decimal | None = None
    shortest: int = 0  # characters of texts
    longest: int = 0
    codes: bool = False  # texts of letters, digits and signs between them, without spaces


@frozen
class Levels:
    """A hierarchy that the release has for a column, and how many levels it has above the finest."""

    file: str
    count: int


def ladder(column: str, shape: Shape, levels: Levels | None = None) -> tuple[Coarser, ...]:
    """Finest first; neither the column itself nor leaving it out is among them."""
    if shape.distinct <= 2:
        return ()
    if levels is not None:
        return tuple(Coarser(column, hierarchy=levels.file, level=level) for level in range(1, levels.count + 1))
    if shape.kind.is_number and shape.low is not None and shape.high is not None:
        return tuple(Coarser(column, width=width) for width in widths(shape.low, shape.high, _whole(shape.kind)))
    if shape.kind.kind in (Kind.DATE, Kind.TIMESTAMP):
        return tuple(Coarser(column, part=part) for part in PARTS)
    if shape.codes and 1 < shape.shortest == shape.longest <= _LONGEST:
        return tuple(Coarser(column, prefix=length) for length in prefixes(shape.longest))
    return ()


def _whole(kind: ColumnType) -> bool:
    return kind.kind in (Kind.INTEGER, Kind.WIDE)


def widths(low: Decimal, high: Decimal, whole: bool) -> list[Decimal]:
    """Widths of bands, each twice the one before: 5, 10, 20, 40 for ages, 5000, 10000, … for incomes."""
    reach = high - low
    if reach <= 0:
        return []
    tens = reach.adjusted() - 1  # of a reach of 70, tens; of 900, hundreds
    width = Decimal(5).scaleb(max(tens, 0) if whole else tens)
    found: list[Decimal] = []
    while width < reach and len(found) < _BANDS:
        found.append(width)
        width *= 2
    return found


def prefixes(length: int) -> list[int]:
    """Lengths of prefixes, longest first: every one of short codes, evenly spaced ones of long codes."""
    if length - 1 <= _PREFIXES:
        return list(range(length - 1, 0, -1))
    return [round(length * part / (_PREFIXES + 1)) for part in range(_PREFIXES, 0, -1)]


def name_of(coarser: Coarser, taken: Sequence[str]) -> str:
    """What a coarser column is called: age_10, zip_3, visited_year; never as another column is."""
    if coarser.width is not None:
        told = format(coarser.width.normalize(), "f").replace(".", "_")
    elif coarser.prefix is not None:
        told = str(coarser.prefix)
    elif coarser.part is not None:
        told = coarser.part
    else:
        told = f"level{coarser.level}"
    name = f"{coarser.of}_{told}"
    while name.lower() in {other.lower() for other in taken}:
        name += "_"
    return name


def further(own: Coarser) -> tuple[Coarser, ...]:
    """The rungs above a coarser column that the release has already."""
    if own.width is not None:
        return tuple(replace(own, width=own.width * 2**k) for k in range(1, _BANDS))
    if own.prefix is not None:
        return tuple(replace(own, prefix=length) for length in range(own.prefix - 1, 0, -1))
    if own.part in PARTS:
        return tuple(replace(own, part=part) for part in PARTS[PARTS.index(own.part) + 1 :])
    return ()
