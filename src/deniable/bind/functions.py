"""Which coarser columns are functions of which: what a view tells beside the columns that it shows.

A band of 20 follows from a band of 10 that begins where it does, a prefix from a longer one, a level from a finer one
of the same file, a year from its month, a cap from a higher one, and everything from the column itself. What is not
recognised here is not wrong: views then tell less to each other, and which combinations there can be is looked up
(`analyses.breach.candidates`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from deniable.release import Coarser

_SAID_BY = {  # parts of dates, and those that say them
    "year": ("quarter", "month", "day", "hour"),
    "quarter": ("month", "day", "hour"),
    "month": ("day", "hour"),
    "week": ("day", "hour"),
    "day": ("hour",),
    "hour": (),
}


def is_function(coarse: Coarser, fine: Coarser) -> bool:
    """Whether one coarser column follows from another, whatever the cells are."""
    if coarse.of != fine.of or coarse == fine:
        return coarse.of == fine.of
    said = False
    if coarse.width is not None and fine.width is not None:
        said = coarse.width % fine.width == 0 and (coarse.start - fine.start) % fine.width == 0
    elif coarse.prefix is not None and fine.prefix is not None:
        said = coarse.prefix <= fine.prefix
    elif coarse.hierarchy is not None and coarse.hierarchy == fine.hierarchy:
        said = (coarse.level or 0) >= (fine.level or 0)
    elif coarse.part is not None and fine.part is not None:
        said = fine.part in _SAID_BY[coarse.part]
    elif coarse.cap is not None and fine.cap is not None:
        said = coarse.cap <= fine.cap
    return said


def base_of(name: str, columns: Mapping[str, Coarser]) -> str:
    """The column of the table that a name stands for, or is a function of."""
    return columns[name].of if name in columns else name


def follows(name: str, from_: str, columns: Mapping[str, Coarser]) -> bool:
    """Whether one column is a function of another."""
    if name == from_:
        return True
    if name not in columns:
        return False
    return columns[name].of == from_ or (from_ in columns and is_function(columns[name], columns[from_]))


def told_by(shown: Collection[str], columns: Mapping[str, Coarser], among: Iterable[str]) -> tuple[str, ...]:
    """What some columns tell: themselves, and those of others that are functions of one of them."""
    further = [name for name in among if name not in shown and any(follows(name, one, columns) for one in shown)]
    return (*shown, *dict.fromkeys(further))


def finest(names: Iterable[str], columns: Mapping[str, Coarser]) -> str | None:
    """The column that all of these are functions of, if it is one of them."""
    all_names = list(dict.fromkeys(names))
    return next((one for one in all_names if all(follows(name, one, columns) for name in all_names)), None)
