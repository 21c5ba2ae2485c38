"""The checks of a verb's arguments in Python, before anything is read: all mistakes at once, as for a release."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from os import PathLike
from pathlib import Path

from deniable.errors import BadInput, Mistake
from deniable.words import did_you_mean, is_unicode


def insist(*mistakes: Mistake | None) -> None:
    """Raises BadInput with those that there are."""
    found = [mistake for mistake in mistakes if mistake is not None]
    if found:
        raise BadInput(found)


def one_of(name: str, value: object, choices: Sequence[str]) -> Mistake | None:
    """One of some words."""
    if isinstance(value, str) and value in choices:
        return None
    hint = did_you_mean(value, choices) if isinstance(value, str) else ""
    return Mistake(name, f"expected {', '.join(choices[:-1])} or {choices[-1]}; found {_shown(value)}{hint}")


def whole(name: str, value: object, least: int, most: int | None = None) -> Mistake | None:
    """A whole number in a range."""
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if is_whole and least <= value and (most is None or value <= most):  # type: ignore[operator]
        return None
    upto = f" and at most {most:,}" if most is not None else ""
    return Mistake(name, f"expected a whole number of at least {least}{upto}; found {_shown(value)}")


def number(name: str, value: object, least: float, most: float | None = None) -> Mistake | None:
    """A number in a range; NaN is in none."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if is_number and least <= value and (most is None or value <= most):  # type: ignore[operator]
        return None
    wanted = f"a number of at least {least:g}" if most is None else f"a number from {least:g} to {most:g}"
    return Mistake(name, f"expected {wanted}; found {_shown(value)}")


def flag(name: str, value: object) -> Mistake | None:
    """True or False, also NumPy's. Asked by their type: most of what else there is would count as one of the two, words
    such as "no" among it, and frames have no truth."""
    is_flag = isinstance(value, bool) or (type(value).__module__, type(value).__name__) in _NUMPY_FLAGS
    return None if is_flag else Mistake(name, f"expected True or False; found {_shown(value)}")


_NUMPY_FLAGS = (("numpy", "bool"), ("numpy", "bool_"))  # of version 2, and before


def called(name: str, value: object) -> Mistake | None:
    """What is to be told something while a verb is at work."""
    return None if callable(value) else Mistake(name, f"expected a function; found {_shown(value)}")


def path(name: str, value: object) -> Mistake | None:
    """A file or a folder by its path."""
    if not isinstance(value, (str, PathLike)) or str(value) == "":
        return Mistake(name, f"expected a path; found {_shown(value)}")
    if "\0" in str(value):
        return Mistake(name, "expected a path; found one with the character U+0000")
    return texts(name, [str(value)])


def folder(name: str, value: object) -> Mistake | None:
    """A folder that is there."""
    wrong = path(name, value)
    is_there = wrong is None and os.path.isdir(str(value))
    return wrong if wrong or is_there else Mistake(name, f"expected a folder; found {value}")


def new_folder(name: str, value: object) -> Mistake | None:
    """A folder that is there, or can be made."""
    wrong = path(name, value)
    if wrong:
        return wrong
    place = Path(str(value))
    files = [one for one in (place, *place.parents) if os.path.exists(one) and not os.path.isdir(one)]
    return Mistake(name, f"expected a folder; found the file {files[0]}") if files else None


def listed(name: str, value: object) -> Mistake | None:
    """A list, or whatever else has one after the other."""
    return None if isinstance(value, Iterable) else Mistake(name, f"expected a list; found {_shown(value)}")


def columns(name: str, value: object) -> Mistake | None:
    """A column by its name, or a list of them; what they are called is the release's business."""
    if isinstance(value, (str, Sequence)):
        return None
    return Mistake(name, f"expected a column or a list of columns; found {_shown(value)}")


def release(name: str, value: object) -> Mistake | None:
    """A release file by its path; a Release is none of our business here."""
    if isinstance(value, (str, PathLike)):
        return path(name, value)
    hint = "; deniable.Release(table=…) makes a release of a table" if is_table(value) else ""
    return Mistake(name, f"expected a deniable.Release or the path of a release file; found {_shown(value)}{hint}")


def table(name: str, value: object) -> Mistake | None:
    """A table by its path, or in memory."""
    if is_table(value) or (isinstance(value, (str, PathLike)) and not str(value).endswith((".yaml", ".yml"))):
        return None
    found = "a release file" if isinstance(value, (str, PathLike)) else _shown(value)
    return Mistake(name, f"expected a table beside private and quasi; found {found}")


def is_table(value: object) -> bool:
    """Whether a value is a frame, an Arrow table or reader, a dataset or a relation."""
    return any(hasattr(value, can) for can in TABLES)


# What frames, Arrow tables and readers, datasets and relations can do, one of these at least.
TABLES = ("__arrow_c_stream__", "__dataframe__", "read_all", "scanner", "to_arrow_table")


def texts(name: str, found: Iterable[object]) -> Mistake | None:
    """Text, each of them: identifiers are always read as text."""
    listed = list(found)
    wrong = [one for one in listed if not isinstance(one, str)]
    if wrong:
        return Mistake(name, f"expected text; found {_shown(wrong[0])}")
    return None if is_unicode("".join(map(str, listed))) else Mistake(name, "expected UTF-8 text; found other bytes")


def _shown(value: object) -> str:
    if value is None:
        return "None"
    if isinstance(value, str) and not value.strip():
        return "empty text"
    return str(value) if isinstance(value, (str, int, float)) else of_type(value)


def of_type(value: object) -> str:
    """What a value is, without what is in it, which may be cells."""
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeio' or name == 'ndarray' else 'a'} {name}"
