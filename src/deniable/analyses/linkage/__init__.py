"""linkage: groups are published, and read by someone who knows the statistics; what do they learn?

Computed: p(t:x), the share of the weight of a group's worlds in which person t has value x, a world weighing the
product of the priors of its pairs (docs/theory/linkage.md, "The setting"). The *marginal* adversary knows of one
value at a time how likely it is (conditional Bernoulli); the *full* one knows the whole distribution (a ratio of
permanents). Both assume that the grouping itself says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deniable.analyses.linkage.knowledge import Knowledge, check_entries, given_columns, read_knowledge
from deniable.analyses.linkage.published import Published, read_published
from deniable.bind.files import need
from deniable.engines.base import Engine
from deniable.errors import BadInput, Mistake
from deniable.release import Release
from deniable.sql import linkage as queries
from deniable.words import unknown_column

if TYPE_CHECKING:
    import pyarrow as pa
    from sqlglot import exp

__all__ = ["Linkage", "Options", "Over", "analyse"]

STATES = 1 << 20


@dataclass(frozen=True)
class Options:
    """How many states the exact count of one group may have before it is sampled."""

    states: int = STATES


@dataclass(frozen=True)
class Over:
    """What one adversary makes of the release, for some limit: people, over all attribute sets."""

    adversary: str
    worst: float | None
    over: int
    undecided: int
    no_world: int
    people: int


@dataclass(frozen=True)
class Linkage:
    """The posteriors, kept in the engine until the result is closed."""

    release: Release
    published: Published
    knowledge: tuple[Knowledge, ...]
    engine: Engine

    @property
    def people(self) -> int:
        """How many people are published."""
        return self.published.people

    @property
    def groups(self) -> int:
        """In how many groups."""
        return self.published.groups

    @property
    def table(self) -> pa.Table:
        """One row for each person, distinct value of their group, adversary and attribute set."""
        query = self._answer()
        return self.engine.fetch(query.order_by("person", "given", "adversary", "x"))

    def save(self, path: str | Path) -> None:
        """Write the table to a .csv or .parquet file without bringing it into memory."""
        self.engine.save(self._answer(), Path(path))

    def _answer(self) -> exp.Select:
        columns = [self.published.columns(known.given) for known in self.knowledge]
        group = self.release.published.group if self.release.published else ""
        return queries.answer([known.name for known in self.knowledge], columns, group, self.release.private)

    def over(self, limit: float, given: str | None = None) -> list[Over]:
        """People whose posterior passes a limit, for some attribute set or for one."""
        parts = [
            queries.worst(k, self.published.columns(known.given))
            for k, known in enumerate(self.knowledge)
            if given in (None, known.name)
        ]
        self.engine.store("worst", queries.all_of(parts))
        rows = self.engine.fetch(queries.over("worst", limit)).to_pylist()
        found = {
            row["adversary"]: Over(
                row["adversary"], row["worst"], row["over_"], row["undecided"], row["no_world"], row["people"]
            )
            for row in rows
        }
        return [found[name] for name in ("marginal", "full")]

    def close(self) -> None:
        """Let go of the engine; the result cannot be read any more."""
        self.engine.close()


def analyse(release: Release, engine: Engine, options: Options) -> Linkage:
    """Read the published files and the knowledge, and find every posterior."""
    need(release, "linkage", "private", "published", "knowledge")
    check_entries(release)
    quasi = given_columns(release)
    published = read_published(release, engine, quasi)
    source = attach_table(release, engine, quasi) if any(entry.estimate for entry in release.knowledge) else ""
    knowledge = read_knowledge(release, engine, published, source)
    _find(engine, published, knowledge, options)
    return Linkage(release, published, tuple(knowledge), engine)


def attach_table(release: Release, engine: Engine, quasi: Sequence[str]) -> str:
    """The private table, with the columns that matter read as text: they are compared with published ones."""
    wanted = (*quasi, release.private)
    columns = engine.attach(release.table, "table_file", text=wanted, types={}, folder=release.folder)
    missing = [name for name in wanted if name not in columns]
    if missing:
        where = release.locations.at("table")
        raise BadInput([Mistake(where, unknown_column(name, list(columns))) for name in missing])
    return "table_file"


def _find(engine: Engine, published: Published, knowledge: Sequence[Knowledge], options: Options) -> None:
    import numpy as np
    import pyarrow as pa

    from deniable.analyses.linkage.posterior import ADVERSARIES, Counts, evaluate, shapes
    from deniable.arrow import arrow_table, column_ints

    def counts(query: exp.Select, code: str) -> Counts:
        rows = engine.fetch(query)
        return Counts(column_ints(rows, "u"), column_ints(rows, code), column_ints(rows, "n"))

    values = counts(queries.value_counts(), "v")
    for k, known in enumerate(knowledge):
        signatures = counts(queries.signature_counts(k, published.columns(known.given)), "s")
        shape, groups = shapes(signatures, values, published.groups)
        engine.put(f"shapes{k}", arrow_table(u=np.arange(published.groups), shape=shape))
        cells = [evaluate(groups, known.priors, name, options.states).table(name) for name in ADVERSARIES]
        engine.put(f"cells{k}", pa.concat_tables(cells))
