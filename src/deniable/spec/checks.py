"""What a value of a release may be: small checks, and checks made of them for lists, mappings and whole records.

A check takes a value as it was written, text above all, and returns it in its type. It raises Refused with everything
that is wrong with the value: where in it, what was expected, what was found.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from numbers import Real
from operator import index
from typing import Any, Generic, TypeVar

from deniable.frozen import frozen
from deniable.spec.locations import Path as KeyPath

T = TypeVar("T")
Check = Callable[[Any], T]

# What is expected, where a release file and Python have different words for it.
MAPPING, SOURCE = "<mapping>", "<source>"
TEXT, NOT_EMPTY, WHOLE, SHARE = "text", "text that is not empty", "a whole number", "a number from 0 to 1"
NUMBER = "a number"
_MOST_DIGITS, _PLACES = 18, 9  # of a number, and those after the point
_WHOLE = re.compile(r"\s*([-+]?\d+(?:_\d+)*)(?:\.0+)?\s*", re.ASCII)
_DIGITS = 4000  # of a whole number, since Python reads no longer ones
_TRUE, _FALSE = ("true", "t", "yes", "y", "on", "1"), ("false", "f", "no", "n", "off", "0")


@frozen
class Wrong:
    """A mistake: the path of keys to it, what was expected there and what was found."""

    path: KeyPath
    expected: str
    found: Any
    known: Sequence[str] = ()  # words that might be meant, or the keys that there are
    kind: str = "value"  # or a key that is `missing` or `unknown`


class Refused(Exception):
    """A value that is not what was asked for, with everything that is wrong with it."""

    def __init__(self, *wrong: Wrong) -> None:
        super().__init__()
        self.wrong = wrong


def refused(found: Any, expected: str, known: Sequence[str] = ()) -> Refused:
    """A value that is wrong as a whole."""
    return Refused(Wrong((), expected, found, known))


def any_text(value: Any) -> str:
    """Text, which may be empty."""
    if not isinstance(value, str):
        raise refused(value, TEXT)
    return str(value)


def text(value: Any) -> str:
    """Text with something in it."""
    found = any_text(value)
    if not found.strip():
        raise refused(value, NOT_EMPTY)
    return found


def share(value: Any) -> float:
    """A number from 0 to 1."""
    try:
        found = float(value) if isinstance(value, (str, Real, Decimal)) else -1.0
    except (ValueError, OverflowError):
        found = -1.0
    if not 0 <= found <= 1:
        raise refused(value, SHARE)
    return found


def number(value: Any, above: int | None = None) -> Decimal:
    """A number of at most 18 digits, 9 of them after the point; a float as it is written: 0.1 is a tenth."""
    written = repr(value) if isinstance(value, float) else value
    try:
        found = Decimal(written) if isinstance(written, (str, int, Decimal)) else Decimal("NaN")
    except InvalidOperation:
        found = Decimal("NaN")
    if not found.is_finite():
        raise refused(value, NUMBER)
    if -int(found.normalize().as_tuple().exponent) > _PLACES:
        raise refused(value, f"{NUMBER} of at most {_PLACES} digits after the point")
    if found.adjusted() >= _MOST_DIGITS or len(found.normalize().as_tuple().digits) > _MOST_DIGITS:
        raise refused(value, f"{NUMBER} of at most {_MOST_DIGITS} digits")
    if above is not None and found <= above:
        raise refused(value, f"{NUMBER} above {above}")
    return found


def whole(least: int, most: int | None = None) -> Check[int]:
    """A whole number in a range."""

    def check(value: Any) -> int:
        found = _whole(value)
        if found is None:
            raise refused(value, WHOLE)
        if found < least:
            raise refused(value, f"{WHOLE} of at least {least}")
        if most is not None and found > most:
            raise refused(value, f"{WHOLE} of at most {most:,}")
        return found

    return check


def _whole(value: Any) -> int | None:
    if isinstance(value, str):
        written = _WHOLE.fullmatch(value)
        return int(written[1]) if written and len(written[1]) <= _DIGITS else None
    if not isinstance(value, (Real, Decimal)) or not math.isfinite(value):
        return None
    found = index(math.floor(value))
    return found if found == value else None


def flag(value: Any) -> bool:
    """True or false."""
    word = value.lower() if isinstance(value, str) else value
    is_flag = isinstance(word, (str, int, float)) or type(word).__name__ == "bool"  # NumPy's too
    if not is_flag or word not in (*_TRUE, True, *_FALSE, False):
        raise refused(value, "true or false")
    return word in (*_TRUE, True)


def one_of(*words: str) -> Check[str]:
    """One of some words."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise refused(value, f"one of {listed(words)}", words)
        return value

    return check


def listed(words: Sequence[str]) -> str:
    """Some words, of which one is meant."""
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def maybe(check: Check[T]) -> Check[T | None]:
    """The same, or nothing."""
    return lambda value: None if value is None else check(value)


def list_of(check: Check[T], least: int = 0) -> Check[tuple[T, ...]]:
    """Any number of them, one after the other."""

    def checked(value: Any) -> tuple[T, ...]:
        if isinstance(value, (str, bytes, bytearray, Mapping)) or not isinstance(value, Iterable):
            raise refused(value, "a list")
        entries = list(value)
        if len(entries) < least:
            raise refused(value, "at least one entry")
        return tuple(_gathered((i, check, entry) for i, entry in enumerate(entries)).values())

    return checked


def mapping_of(check: Check[T]) -> Check[dict[str, T]]:
    """Names with values."""

    def checked(value: Any) -> dict[str, T]:
        if not isinstance(value, Mapping):
            raise refused(value, MAPPING)
        names = {key if isinstance(key, (str, int)) else str(key): key for key in value}
        wrong = [Wrong((place, "[key]"), TEXT, key) for place, key in names.items() if not isinstance(key, str)]
        return _gathered(((str(place), check, value[key]) for place, key in names.items()), wrong)

    return checked


@frozen
class Key(Generic[T]):
    """A key of a record: what it may hold, and what is expected of whoever leaves it out although it `must` be there.

    A key that is left out and need not be there is the record's own business.
    """

    check: Check[T]
    must: str = ""


def record(make: Callable[..., T], keys: Mapping[str, Key[Any]]) -> Check[T]:
    """A value made of what its keys hold. A key that it does not know is a mistake."""

    def checked(value: Any) -> T:
        if not isinstance(value, Mapping):
            raise refused(value, MAPPING)
        asked = {name: key for name, key in keys.items() if name in value or key.must}
        parts = (
            (name, key.check, value[name]) if name in value else (name, _left_out, key) for name, key in asked.items()
        )
        unknown = [Wrong((name,), "", None, tuple(keys), "unknown") for name in value if name not in keys]
        return make(**_gathered(parts, unknown))

    return checked


def _left_out(key: Key[Any]) -> Any:
    raise Refused(Wrong((), key.must, None, kind="missing"))


K = TypeVar("K", bound=Hashable)


def _gathered(parts: Iterable[tuple[K, Check[T], Any]], wrong: Sequence[Wrong] = ()) -> dict[K, T]:
    """What each part of a value is, by its place. Raises Refused with the mistakes of all of them, and those known."""
    found: dict[K, T] = {}
    mistakes: list[Wrong] = []
    for place, check, value in parts:
        try:
            found[place] = check(value)
        except Refused as error:
            mistakes += _within(place, error)
    if mistakes or wrong:
        raise Refused(*mistakes, *wrong)
    return found


def _within(place: Any, error: Refused) -> Iterator[Wrong]:
    return (replace(one, path=(place, *one.path)) for one in error.wrong)
