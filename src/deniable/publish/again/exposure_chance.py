"""The chance f(p, L, m, n) of n-Choose between bounds that are as close as a question needs them.

f as a fraction has tens of millions of digits in large groups and long lives; whether it is below a threshold,
and which double is nearest to it, seldom needs more than forty. So it is computed with a few digits, rounded down and
rounded up, and with twice as many where that does not decide. What no number of digits would decide, that f *is* the
threshold, is decided by roots of whole numbers.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache

_DIGITS = 40  # that are tried first
_ONE = Decimal(1)


def is_below(known: Fraction, lifespan: int, m: int, n: int, limit: Fraction) -> bool:
    """Whether f < limit, exactly."""
    if known in (0, 1) or not 0 < limit < 1:  # f is 0 or 1 where everybody or nobody is known, and else between them
        return limit > 0 and (known == 0 or limit > 1 or (limit == 1 and known < 1))
    digits = _DIGITS
    while True:
        low, high = _bounds(known, lifespan, m, n, digits)
        down, up = _contexts(digits)
        if high < _quotient(limit, down):
            return True
        if low > _quotient(limit, up) or (digits == _DIGITS and _equals(known, lifespan, m, n, limit)):
            return False
        digits *= 2


def nearest(known: Fraction, lifespan: int, m: int, n: int) -> float:
    """The double that is nearest to f."""
    if known in (0, 1):
        return float(known)
    digits = _DIGITS
    while True:  # ends: where f itself is a double, or half way between two, its digits end, and there are enough
        low, high = map(float, _bounds(known, lifespan, m, n, digits))
        if low == high:
            return low
        digits *= 2


def _bounds(known: Fraction, lifespan: int, m: int, n: int, digits: int) -> tuple[Decimal, Decimal]:
    """f rounded down and rounded up, step by step; every number on the way lies between 0 and 1."""
    down, up = _contexts(digits)
    least, most = (_hidden(known, lifespan, m, n, *ways) for ways in ((down, up), (up, down)))
    rest = down.subtract(_ONE, most).copy_abs()  # nothing, rounded down, would be -0
    return _power(rest, m - 1, down), _power(up.subtract(_ONE, least), m - 1, up)


def _hidden(known: Fraction, lifespan: int, m: int, n: int, this: Context, other: Context) -> Decimal:
    """The chance that nothing tells of one other value, rounded as `this` rounds; `other` rounds what is subtracted."""
    by_exclusion = _power(_quotient(1 - known, this), lifespan, this)
    together = _power(_quotient(known * Fraction(m - 1, m), other), n, other)
    by_correlation = _power(this.subtract(_ONE, together), lifespan * (m // n), this)
    return this.multiply(by_exclusion, by_correlation)


def _equals(known: Fraction, lifespan: int, m: int, n: int, limit: Fraction) -> bool:
    """Whether f is the limit: f undone step by step, each of which must leave a fraction."""
    shown = _root(limit, m - 1)
    hidden = None if shown is None else _root(1 - shown, lifespan)
    apart = None if hidden is None else _root(hidden / (1 - known), m // n)
    together = None if apart is None or apart > 1 else _root(1 - apart, n)
    return together == known * Fraction(m - 1, m)


def _root(number: Fraction, degree: int) -> Fraction | None:
    """The root of a fraction, if that is one."""
    parts = [_whole_root(part, degree) for part in (number.numerator, number.denominator)]
    whole = all(root**degree == part for root, part in zip(parts, number.as_integer_ratio(), strict=True))
    return Fraction(*parts) if whole else None


def _whole_root(number: int, degree: int) -> int:
    """The largest whole number whose power is at most this, by Newton's steps from above."""
    if number < 2 or degree == 1:
        return number
    if degree >= number.bit_length():
        return 1
    root = 1 << -(-number.bit_length() // degree)
    while (closer := ((degree - 1) * root + number // root ** (degree - 1)) // degree) < root:
        root = closer
    return root


def _contexts(digits: int) -> tuple[Context, Context]:
    return tuple(Context(digits, rounding, MIN_EMIN, MAX_EMAX) for rounding in (ROUND_FLOOR, ROUND_CEILING))  # type: ignore[return-value]


def _quotient(number: Fraction, context: Context) -> Decimal:
    return context.divide(_whole(number.numerator), _whole(number.denominator))


@lru_cache(maxsize=8)
def _whole(number: int) -> Decimal:
    """All its digits. One question asks for the same numbers again and again, and they may have tens of thousands."""
    return Decimal(number)


def _power(base: Decimal, times: int, context: Context) -> Decimal:
    """A power by squares, every product rounded as the context rounds."""
    power = _ONE
    while times:
        if times & 1:
            power = context.multiply(power, base)
        base = context.multiply(base, base)
        times >>= 1
    return power
