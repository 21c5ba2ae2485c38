"""What two views surely give away, by counts that are rolled up from point to point.

The counts decide nothing that is reported: whatever passes is audited in full. They say "no" early, and sometimes "no"
for all finer points as well: somebody who is certain in every world of a coarser release is certain in every world of a
finer one, and merging join groups never raises the largest share of rows r_p / R (docs/theory/repair.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deniable.analyses.repair.search import Point, is_coarser
from deniable.analyses.repair.space import ColumnDial, Dial, DistinctDial
from deniable.arrow import only
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.release import BreachLimit
from deniable.sql import repair as queries
from deniable.sql import two_views

_LEAST, _EVERY_ROW = 0.02, 0.15  # what a look at counts costs, in audits: at least, and if every row counts for itself


@frozen
class Found:
    """How many people are over a limit or undecided, and whether that holds of every finer point."""

    over: int
    hopeless: bool = False


@frozen
class Cube:
    """Counts of the different cells; `keys` has the column of a table's column as it is, and at each of its rungs."""

    relation: Relation
    rows: int
    keys: Mapping[str, tuple[str, ...]]

    def entropies(self, scope: Scope, column: str) -> list[float]:
        """Of a column as it is, and at each of its rungs."""
        found = []
        for key in self.keys[column]:
            row = scope.fetch(queries.uncertainty(self.relation, key)).to_pylist()[0]
            found.append(math.log(row["rows"]) - row["nlogn"] / row["rows"])
        return found


@frozen
class _Rolled:
    """A cube for a point and all coarser ones."""

    point: Point
    relation: Relation
    rows: int


@dataclass
class TwoViewCounts:
    """Counts of two views in which everybody has one row; the identifier's view stays as it is."""

    scope: Scope
    dials: Sequence[Dial]
    cube: Cube
    join: Sequence[str]
    limit: BreachLimit
    _rolled: list[_Rolled] = field(default_factory=list)
    _seen: dict[Point, Mapping[str, int]] = field(default_factory=dict)

    def glance(self, point: Point) -> tuple[Found, float]:
        """Who is surely over the limit, and what it cost to look."""
        row, cost = self._surely_over(point)
        counting = any(isinstance(d, DistinctDial) and not k for d, k in zip(self.dials, point, strict=True))
        asked = self.limit.adversaries or ("restricted", "keyed", *(("bag",) if counting else ()))
        whatever = [row["certain"], *([row["bag"]] if "bag" in asked and counting else [])]
        if self.limit.at_most >= 1:
            return Found(0), cost
        return Found(max(*(row[name] for name in asked if name in row), *whatever), any(whatever)), cost

    def _surely_over(self, point: Point) -> tuple[Mapping[str, int], float]:
        """By adversary, which the columns alone decide, and what a look costs; the engine is asked once."""
        wanted = self._columns_of(point)
        cube, cost = self._roll_up(wanted)
        if wanted not in self._seen:
            sides = queries.Sides(self._keys(point, inside=True), self._keys(point, inside=False))
            self._seen[wanted] = self.scope.fetch(queries.surely_over(cube, sides, self.limit.at_most)).to_pylist()[0]
        return self._seen[wanted], cost

    def _columns_of(self, point: Point) -> Point:
        """The point with the dials of columns alone."""
        return tuple(k if isinstance(dial, ColumnDial) else 0 for dial, k in zip(self.dials, point, strict=True))

    def _keys(self, point: Point, *, inside: bool) -> list[str]:
        """The cube's columns that a point publishes: those that join the views, or the others."""
        chosen = ((dial, k) for dial, k in zip(self.dials, point, strict=True) if isinstance(dial, ColumnDial))
        return [
            self.cube.keys[dial.column][k]
            for dial, k in chosen
            if (dial.column in self.join) == inside and k < dial.top
        ]

    def _roll_up(self, wanted: Point) -> tuple[Relation, float]:
        """Counts for some columns, from the fewest that have them."""
        if not self._rolled:
            self._rolled.append(_Rolled((0,) * len(self.dials), self.cube.relation, self.cube.rows))
        fewest = min((one for one in self._rolled if is_coarser(wanted, one.point)), key=lambda one: one.rows)
        cost = _LEAST + _EVERY_ROW * fewest.rows / self.cube.rows
        if fewest.point == wanted:
            return fewest.relation, cost
        chosen = zip(self.dials, wanted, strict=True)
        keys = [key for dial, k in chosen if isinstance(dial, ColumnDial) for key in self.cube.keys[dial.column][k:]]
        made = self.scope.store("rolled_up", queries.rolled_up(fewest.relation, keys))
        self._rolled.append(_Rolled(wanted, made, int(only(self.scope.fetch(two_views.count_rows(made))))))
        return made, cost
