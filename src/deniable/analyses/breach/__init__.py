"""breach: a table is published as views; how likely is each secret association?

Computed: for each association (person, value) and adversary, the share of the possible
worlds that hold it. Two views fall apart into complete bipartite join groups, whose
covers are counted in closed form (docs/theory/two-views.md, "Closed forms"); any size is
certified (docs/theory/two-views.md, "Any size, with a proof"). More views make a monotone
formula: counts first, then what they leave open (docs/theory/many-views.md, "The formula").
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from deniable.analyses.breach import many, pair, revealed
from deniable.analyses.breach.many import Options
from deniable.analyses.breach.plan import Many, Pair, Plan, plan
from deniable.analyses.breach.relations import Over, Relations, Tally
from deniable.bind.files import need
from deniable.bind.views import Bound, bind
from deniable.engines.base import Engine
from deniable.engines.scope import Scope
from deniable.release import Release

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Breach", "Options", "Over", "Tally", "analyse", "solve"]


@dataclass(frozen=True)
class Breach:
    """The result of a breach analysis; it keeps its engine until it is dropped."""

    release: Release
    plan: Plan
    relations: Relations

    @property
    def table(self) -> pa.Table:
        """One row for each association and adversary, as the contract lists them."""
        return self.relations.table()

    @property
    def tallies(self) -> list[Tally]:
        """How the probabilities spread, one tally per adversary."""
        return self.relations.tallies()

    @property
    def people(self) -> int:
        """How many different identifiers the views are made from."""
        return self.relations.people

    def highest(self, adversary: str, most: int) -> list[tuple[float, int]]:
        """The highest probabilities, each with how many associations have it."""
        return self.relations.highest(adversary, most)

    def over(self, limit: float) -> list[Over]:
        """How many people have an association that is likelier than the limit."""
        return self.relations.over(limit)

    def close(self) -> None:
        """Let go of the engine; the result cannot be read any more."""
        self.relations.engine.close()

    def save(self, path: str | Path) -> None:
        """Write the table to a .csv or .parquet file without bringing it into memory."""
        self.relations.save(Path(path))


def analyse(
    release: Release,
    engine: Engine,
    *,
    pairs: Literal["secret", "all"] = "secret",
    options: Options = Options(),  # noqa: B008 - frozen
) -> Breach:
    """Fit the release to its table, plan, and solve."""
    need(release, "breach", "identifier", "private", "views")
    return solve(bind(release, Scope(engine)), engine, pairs=pairs, options=options)


def solve(
    bound: Bound,
    engine: Engine,
    *,
    pairs: Literal["secret", "all"] = "secret",
    options: Options = Options(),  # noqa: B008 - frozen
) -> Breach:
    """Plan and solve a release that fits its table."""
    made = plan(bound)
    everything = pairs == "all"
    if isinstance(made, Many):
        relations = many.solve(bound, made, engine, options, everything=everything)
    elif isinstance(made, Pair):
        relations = pair.solve(bound, made, engine, everything=everything)
    else:
        relations = revealed.solve(bound, made, engine)
    if len(bound.views) != 2:
        relations = relations.only(many.ADVERSARIES)
    return Breach(bound.release, made, relations)
