"""Which algorithm, and its m and n: as written, or n by n-Choose from what the publisher expects.

docs/theory/history.md, "n-Choose".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deniable.errors import BadInput, Mistake, Unachievable
from deniable.publish.again.algorithm import DEFAULT, find
from deniable.publish.again.n_choose import Choice, as_fraction, choose, f
from deniable.release import Release


@dataclass(frozen=True)
class Parameters:
    """m, and for algorithms that have one the degree n of hc-safety; `chosen` is what led to n."""

    algorithm: str
    m: int
    n: int | None
    counterfeits: float
    chosen: Choice | None = None
    compromise: float | None = None
    lifespan: int | None = None
    threshold: float | None = None


def parameters(release: Release, algorithm: str | None) -> Parameters:
    """The parameters of the next release. Raises Unachievable where no n keeps the threshold."""
    named = find(algorithm or release.algorithm or DEFAULT)
    given = release.republish
    if not given:
        where = release.locations.at() if release.locations.file else "release"
        raise BadInput(Mistake(where, "republish needs republish:, such as republish: {m: 6, n: 3}"))
    m, n = given.m, given.n
    fakes = given.counterfeits.at_most if given.counterfeits else named.counterfeits
    wants: list[Any] = [given.compromise, given.lifespan, given.threshold]
    if not named.has_degree:
        return Parameters(named.name, m, None, fakes)
    if n is not None:
        if any(value is not None for value in wants):
            raise _wrong(release, "expected n, or compromise, lifespan and threshold, which choose it; found both")
        if n >= m:
            raise _wrong(release, f"expected n below m = {m}, since n = m can never be published; found {n}", "n")
        return Parameters(named.name, m, n, fakes)
    missing = [key for key in ("compromise", "lifespan", "threshold") if getattr(given, key) is None]
    if missing:
        found = "neither" if len(missing) == len(wants) else f"no {' and no '.join(missing)}"
        raise _wrong(release, f"expected n, or compromise, lifespan and threshold, which choose it; found {found}")
    compromise, lifespan, threshold = wants
    choice = choose(m, compromise, lifespan, threshold)
    if not choice.can_be_published:
        raise Unachievable(_nearest(m, compromise, lifespan, threshold, choice))
    return Parameters(named.name, m, choice.n, fakes, choice, compromise, lifespan, threshold)


def _wrong(release: Release, what: str, *key: str) -> BadInput:
    where = release.locations.at("republish", *key)
    return BadInput(Mistake(where, f"{'.'.join(('republish', *key))}: {what}"))


def _nearest(m: int, compromise: float, lifespan: int, threshold: float, found: Choice) -> str:
    """What cannot be had, and the nearest that can: another threshold, or a shorter lifespan."""
    least, longest = min(found.curve[: m - 1]), _longest(m, compromise, threshold, lifespan)
    told = [f"a threshold above {least:.4g}"] if float(f"{least:.4g}") < 1 else []
    told += [f"a lifespan of at most {longest}"] if longest else []
    return (
        f"no n below m = {m} keeps the chance of exposure under {threshold:g} with {compromise:g} of the people known "
        f"over {lifespan} releases; within reach: {', or '.join(told) or 'a larger m'}"
    )


def _longest(m: int, compromise: float, threshold: float, lifespan: int) -> int:
    """The longest lifespan for which some n does, 0 if none; f rises with the lifespan."""

    def holds(releases: int) -> bool:
        return any(f(compromise, releases, m, n) < as_fraction(threshold) for n in range(1, m))

    low, high = 0, lifespan
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
