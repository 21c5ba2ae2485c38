"""The publishing algorithms: one record for each, and whatever depends on the algorithm asks its record.

Names are read to print help, so nothing heavy is imported here: a record's function imports what it runs when it is
called. A new algorithm is its own file and a record here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from deniable.errors import BadInput, Mistake
from deniable.frozen import frozen
from deniable.words import did_you_mean

if TYPE_CHECKING:
    from deniable.publish.again.releases import Grouping, Memberships, Table
    from deniable.publish.again.stable.seats import Seats


@frozen
class Wanted:
    """What the next release shall be: groups of at least m values, hc-safe of degree n, so many counterfeits at most.

    `at_most` is a share of the published rows. `cover` counterfeits may be spent on newcomers whose values are too
    frequent; the rest is not placed. Without a seed, chance comes from the operating system.
    """

    m: int
    n: int | None
    at_most: float
    cover: int
    seed: int | None = None


@frozen
class Before:
    """What is kept of the releases so far; each is read when an algorithm asks for it."""

    memberships: Callable[[], Memberships]
    seats: Callable[[], Seats]


@frozen(eq=False)
class Made:
    """The groups of the next release, and the seats to go on from where the algorithm keeps seats."""

    grouping: Grouping
    seats: Seats | None = None


@frozen
class Algorithm:
    """How releases are made, what the user may say about it, and what is asked of them before and afterwards.

    `counterfeits` is the share of rows that may be counterfeits where the release file does not say; with `limits_all`
    of all counterfeits together, else of those that cover newcomers of too frequent a value.
    `has_degree`: it takes n, and its groups promise hc-safety of degree n, which `ledger --verify` checks.
    `keeps_seats`: leavers' seats stay, held by ghosts. Then n is for life, the ledger keeps the seats, and hc-safety
    takes ghosts for the people whose seats they keep, from the groups on that the algorithm took over. Otherwise only
    who is there counts, in every earlier release.
    `shares` of the people known for which a release is audited besides the one asked for; `has_chances`: the audit also
    bounds how likely the true values are.
    """

    name: str
    next_release: Callable[[Table, Before, Wanted], Made]
    counterfeits: float = 0.05
    limits_all: bool = False
    has_degree: bool = True
    keeps_seats: bool = False
    shares: tuple[float, ...] = ()
    has_chances: bool = False


def _m_invariance(table: Table, before: Before, wanted: Wanted) -> Made:
    from deniable.publish.again.m_invariance import next_release

    return next_release(table, before, wanted)


def _cor_split(table: Table, before: Before, wanted: Wanted) -> Made:
    from deniable.publish.again.cor_split import next_release

    return next_release(table, before, wanted)


def _stable(table: Table, before: Before, wanted: Wanted) -> Made:
    from deniable.publish.again.stable.next_release import next_release

    return next_release(table, before, wanted)


M_INVARIANCE = Algorithm("m-invariance", _m_invariance, has_degree=False)
COR_SPLIT = Algorithm("cor-split", _cor_split)
STABLE = Algorithm(
    "stable",
    _stable,
    counterfeits=0.2,
    limits_all=True,
    keeps_seats=True,
    shares=(0.01, 0.04, 0.1),
    has_chances=True,
)

ALGORITHMS: dict[str, Algorithm] = {record.name: record for record in (M_INVARIANCE, COR_SPLIT, STABLE)}
DEFAULT = STABLE.name


def register(algorithm: Algorithm) -> None:
    """Make an algorithm known under its name."""
    if algorithm.name in ALGORITHMS:
        raise ValueError(f"there is a publishing algorithm {algorithm.name} already")
    ALGORITHMS[algorithm.name] = algorithm


def names() -> tuple[str, ...]:
    """Every algorithm, as release files and options name it, the oldest first."""
    return tuple(ALGORITHMS)


def find(name: str) -> Algorithm:
    """The record of an algorithm. Raises BadInput with the names that there are."""
    if not isinstance(name, str) or name not in ALGORITHMS:
        *others, last = names()
        known = f"{', '.join(others)} or {last}"
        hint = did_you_mean(name, names()) if isinstance(name, str) else ""
        what = f"algorithm: expected one of {known}; found {name}{hint}"
        raise BadInput(Mistake("algorithm", what))
    return ALGORITHMS[name]
