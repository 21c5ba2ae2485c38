"""The checks of a verb's arguments in Python, before anything is read: all mistakes at once, as for a release."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral, Real

from deniable.errors import BadInput, Mistake
from deniable.words import did_you_mean


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


def texts(name: str, found: Iterable[object]) -> Mistake | None:
    """Text, each of them: identifiers are always read as text."""
    wrong = [one for one in found if not isinstance(one, str)]
    return Mistake(name, f"expected text; found {_shown(wrong[0])}") if wrong else None


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    return str(value) if isinstance(value, (str, int, float)) else f"a {type(value).__name__}"
