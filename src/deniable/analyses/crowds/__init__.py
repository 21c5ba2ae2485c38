"""crowds: a table is published as views; who is indistinguishable from whom? (docs/theory/crowds.md)

Computed: classes of people whose private values can be swapped in every world without changing
an answer (SIND, Yao et al. 2005). *Conservative*: people with equal keys (propositions 4 and 5),
always a refinement, and exact where no two classes are pinned to one value. *Exact*: classes
merged where a solver proves that no world tells them apart. *Restricted* (RSIND): only the
current values need to be swappable; a partition into cliques.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from deniable.analyses.crowds.classes import Classes, find_classes
from deniable.analyses.crowds.partition import Partition, conservative
from deniable.analyses.crowds.plan import mentioned
from deniable.bind.files import need
from deniable.bind.views import Bound, bind
from deniable.effort import Effort
from deniable.engines.scope import Scope
from deniable.errors import UnfitQuery
from deniable.frozen import frozen
from deniable.release import Release
from deniable.shown import Shown

if TYPE_CHECKING:
    import pyarrow as pa

    from deniable.analyses.verdict import WorstCrowd

__all__ = ["METHODS", "SIZES", "Crowds", "Method", "analyse", "solve"]

Method = Literal["conservative", "exact", "restricted"]
METHODS: tuple[Method, ...] = ("conservative", "exact", "restricted")
SIZES = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 99), (100, None))  # of crowds, in the bands that are shown


@frozen(repr=False)
class Crowds(Shown):
    """Who is indistinguishable from whom; it keeps its engine until it is closed."""

    sizes: ClassVar = SIZES

    release: Release
    method: Method
    partition: Partition

    @property
    def k(self) -> int:
        """The size of the smallest crowd."""
        return self.partition.k

    @property
    def k_at_most(self) -> int | None:
        """Restricted: no partition could have a larger smallest crowd than this."""
        return self.partition.k_at_most

    @property
    def count(self) -> int:
        """How many crowds there are."""
        return self.partition.crowds

    @property
    def people(self) -> int:
        """How many people the table has."""
        return self.partition.classes.totals.people

    @property
    def exact(self) -> bool:
        """Whether these are proved to be the crowds; else they are a refinement of them."""
        return self.partition.exact

    @property
    def exposed(self) -> int:
        """People in crowds whose members can have one value only."""
        return self.partition.exposed

    @property
    def unsettled(self) -> int:
        """People of whom it is not known whether they are exposed."""
        return self.partition.unsettled

    @property
    def undecided(self) -> int:
        """People whose crowd may be larger than reported, since time ran out (method exact)."""
        return self.partition.undecided

    @property
    def least_values(self) -> int | None:
        """The least number of values that stay possible in a crowd; None when not known of all."""
        return self.partition.least_values

    @property
    def silent(self) -> tuple[str, ...]:
        """The views that say nothing of the private column."""
        return self.partition.classes.plan.silent

    @property
    def taken_as_known(self) -> tuple[str, ...]:
        """Columns that views use although they are not public."""
        return self.partition.classes.plan.unknown

    def between(self, low: int, high: int | None) -> tuple[int, int]:
        """How many crowds have so many people, and how many people those are."""
        return self.partition.between(low, high)

    def smallest(self, most: int) -> tuple[WorstCrowd, ...]:
        """The smallest crowds, each kind with how many there are."""
        return self.partition.smallest(most)

    def fewer_than(self, least: int) -> int:
        """How many people stand in crowds of fewer people."""
        return self.partition.fewer_than(least)

    def values_under(self, least: int) -> tuple[int, int]:
        """How many people surely have fewer possible values, and of how many that is not known."""
        return self.partition.values_under(least)

    @property
    def table(self) -> pa.Table:
        """One row per person, as the contract lists the columns."""
        return self._scope.fetch(self.partition.answer(ordered=True))

    def save(self, path: str | Path) -> None:
        """Write the table to a .csv or .parquet file without bringing it into memory."""
        self._scope.save(self.partition.answer(ordered=Path(path).suffix == ".csv"), Path(path))

    def close(self) -> None:
        """Let go of the engine; the result cannot be read any more."""
        self._scope.close()

    @property
    def _scope(self) -> Scope:
        return self.partition.classes.scope


def analyse(release: Release, scope: Scope, method: Method, effort: Effort) -> Crowds:
    """Fit the release to its table and find the crowds."""
    need(release, "crowds", "private")
    try:
        return solve(bind(release, scope, try_conditions=False, every=True), method, effort)
    except UnfitQuery:
        bind(release, scope)  # finds the condition that is to blame
        raise


def solve(bound: Bound, method: Method, effort: Effort) -> Crowds:
    """Find the crowds of a release that fits its table."""
    bound = mentioned(bound)
    classes = find_classes(bound, effort.limit)
    return Crowds(bound.release, method, _partition(classes, method, effort.seconds))


def _partition(classes: Classes, method: Method, seconds: float) -> Partition:
    """The crowds by a method; the solvers, which are slow to import, only where they are asked."""
    if method == "exact":
        from deniable.analyses.crowds import exact

        return exact.solve(classes, seconds)
    if method == "restricted":
        from deniable.analyses.crowds import restricted

        return restricted.solve(classes, seconds)
    return conservative(classes)
