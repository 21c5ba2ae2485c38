"""n-Choose of Cor-Split (Riboni & Bettini, Figure 3): how many people a historical correlation must at least hold.

f(p, L, m, n) = (1 - (1-p)^L (1 - (p - p/m)^n)^(L floor(m/n)))^(m-1) bounds the chance that somebody is exposed by
pairs of releases (Theorem 2); n is the least in [1, m] with f < h. Whether it is below is decided exactly, by bounds
that are as close as that needs (`exposure_chance`): the fraction itself has millions of digits before long.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from deniable.frozen import frozen
from deniable.publish.again import exposure_chance

Number = int | float | str | Decimal | Fraction


@frozen
class Choice:
    """The least n with f(n) below the threshold, or None; curve[i] is f(i + 1), rounded once."""

    m: int
    n: int | None
    curve: tuple[float, ...]

    @property
    def can_be_published(self) -> bool:
        """Whether groups of degree n exist: with n = m no two releases may share a member of a group."""
        return self.n is not None and self.n < self.m


def as_fraction(number: Number) -> Fraction:
    """The decimal that was written: 0.04 is 1/25, not the nearest double."""
    return Fraction(str(number)) if isinstance(number, float) else Fraction(number)


def f(p: Number, lifespan: int, m: int, n: int) -> Fraction:
    """The chance that somebody published `lifespan` times is exposed when each person is known with chance p.

    As a fraction: for those who need all its digits, where there are few.
    """
    known = _checked(p, lifespan, m, n)
    by_exclusion = (1 - known) ** lifespan
    by_correlation = (1 - (known * Fraction(m - 1, m)) ** n) ** (lifespan * (m // n))
    return Fraction((1 - by_exclusion * by_correlation) ** (m - 1))


def chance_of_exposure(p: Number, lifespan: int, m: int, n: int) -> float:
    """f, rounded once."""
    return exposure_chance.nearest(_checked(p, lifespan, m, n), lifespan, m, n)


def is_below(p: Number, lifespan: int, m: int, n: int, threshold: Number) -> bool:
    """Whether f is below a threshold; the threshold itself is not."""
    known, limit = _checked(p, lifespan, m, n), _chance("threshold", threshold)
    return exposure_chance.is_below(known, lifespan, m, n, limit)


def choose(m: int, compromise: Number, lifespan: int, threshold: Number) -> Choice:
    """n-Choose with its curve; n = m may come out, which no algorithm here can publish."""
    _chance("threshold", threshold)
    _at_least("m", m, 2)
    below = (n for n in range(1, m + 1) if is_below(compromise, lifespan, m, n, threshold))
    curve = tuple(chance_of_exposure(compromise, lifespan, m, n) for n in range(1, m + 1))
    return Choice(m, next(below, None), curve)


def _checked(p: Number, lifespan: int, m: int, n: int) -> Fraction:
    """The chance that somebody is known, where f is asked for with numbers that it has."""
    known = _chance("p", p)
    _at_least("lifespan", lifespan, 1)
    _at_least("m", m, 2)
    if not 1 <= n <= m:
        raise ValueError(f"The 'n' parameter must be an int in [1, {m}]. Got {n} instead.")
    return known


def _chance(name: str, number: Number) -> Fraction:
    chance = as_fraction(number)
    if not 0 <= chance <= 1:
        raise ValueError(f"The '{name}' parameter must be a number in [0, 1]. Got {number} instead.")
    return chance


def _at_least(name: str, number: int, least: int) -> None:
    if number < least:
        raise ValueError(f"The '{name}' parameter must be an int in [{least}, inf). Got {number} instead.")
