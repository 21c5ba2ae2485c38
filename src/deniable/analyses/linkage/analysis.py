"""The analysis of published groups, from the files to what each adversary makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from deniable.analyses.linkage.beliefs import BeliefCounts
from deniable.analyses.linkage.priors import Priors, priors_of
from deniable.analyses.verdict import Belief
from deniable.bind.groups import ReadGroups, read_groups
from deniable.bind.published import PublishedGroups
from deniable.effort import Effort
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.kernels import work
from deniable.release import LINKAGE_ADVERSARIES, LinkageLimit, Release, asked_adversaries
from deniable.shown import Shown
from deniable.sql import linkage as queries
from deniable.steps import reach

if TYPE_CHECKING:
    import pyarrow as pa
    from sqlglot import exp

    from deniable.analyses.linkage.posterior import PosteriorCells
    from deniable.worlds.arrays import Int64s
    from deniable.worlds.groups.batches import Groups


@frozen
class AboveLimit:
    """What one adversary makes of the release, for some limit: people, over all attribute sets.

    `worst` is the largest posterior; where of some only an interval is known, what is proved of it. No posterior
    exceeds `worst_at_most`; None where there are some of which nothing is known.
    """

    adversary: str
    worst: float | None
    worst_at_most: float | None
    over: int
    undecided: int
    no_world: int
    people: int


@frozen
class WorstPublishedGroup:
    """A published group by its name, how many people it has, and the largest posterior of anybody in it."""

    group: str | None
    people: int
    posterior: float


@frozen(eq=False, repr=False)
class Linkage(Shown):
    """The posteriors, kept in the engine until the result is closed."""

    release: Release
    published: PublishedGroups
    knowledge: tuple[Priors, ...]
    scope: Scope
    grouped: queries.Grouped
    weighed: tuple[queries.Weighed, ...]  # by attribute set
    adversaries: tuple[str, ...] = LINKAGE_ADVERSARIES
    beliefs: dict[str, tuple[Belief, ...]] = field(default_factory=dict)  # by adversary, over all attribute sets
    _worst: dict[int, Relation] = field(default_factory=dict, repr=False)  # by attribute set, once asked for

    @property
    def people(self) -> int:
        """How many people are published."""
        return self.published.people_count

    @property
    def groups(self) -> int:
        """In how many groups."""
        return self.published.group_count

    @property
    def table(self) -> pa.Table:
        """One row for each person, distinct value of their group, adversary and attribute set."""
        return self.scope.fetch(queries.in_order(self._answer()))

    def save(self, path: str | Path) -> None:
        """Write the table to a .csv or .parquet file without bringing it into memory."""
        self.scope.save(self._answer(), Path(path))

    def _answer(self) -> exp.Select:
        group = self.release.published.group if self.release.published else ""
        return queries.answer(self.grouped, self.weighed, group, self.release.private)

    def over(self, limit: float, given: str | None = None) -> list[AboveLimit]:
        """People whose posterior passes a limit, for some attribute set or for one."""
        sets = [self._worst_of(k) for k, weighed in enumerate(self.weighed) if given in (None, weighed.given)]
        rows = self.scope.fetch(queries.over(sets, limit)).to_pylist()
        names = ("adversary", "worst", "worst_at_most", "over_", "undecided", "no_world", "people")
        found = {row["adversary"]: AboveLimit(*(row[name] for name in names)) for row in rows}
        return [found[name] for name in self.adversaries]

    def worst_groups(self, most: int) -> tuple[WorstPublishedGroup, ...]:
        """The groups with the largest posteriors, whoever the adversary and whatever the attribute set."""
        sets = [self._worst_of(k) for k in range(len(self.weighed))]
        rows = self.scope.fetch(queries.worst_groups(self.grouped, sets, most)).to_pylist()
        return tuple(WorstPublishedGroup(row["g"], row["people"], row["probability"]) for row in rows)

    def _worst_of(self, k: int) -> Relation:
        """Everybody's largest posterior for one attribute set: found once, it answers every limit."""
        if k not in self._worst:
            self._worst[k] = self.scope.store("worst", queries.worst(self.grouped, self.weighed[k]))
        return self._worst[k]

    def close(self) -> None:
        """Let go of the engine; the result cannot be read any more."""
        self.scope.close()


def analyse(release: Release, scope: Scope, effort: Effort) -> Linkage:
    """Read the published files and the knowledge, and find every posterior."""
    return solve(release, read_groups(release, scope), scope, effort)


def solve(
    release: Release, read: ReadGroups, scope: Scope, effort: Effort, limit: LinkageLimit | None = None
) -> Linkage:  # fmt: skip
    """Find every posterior of published groups that were read; a limit may name more adversaries than the release."""
    asked = asked_adversaries(release, limit)
    published, subjects = read.published, read.published.subjects
    knowledge = priors_of(scope, read.sets, subjects, read.table, release.private)
    grouped = queries.Grouped(subjects.people, published.groups, subjects.named)
    seen = {name: BeliefCounts() for name in asked}
    weighed = tuple(_weigh(scope, published, grouped, knowledge, effort.states, seen))
    beliefs = {name: counted.beliefs() for name, counted in seen.items()}
    return Linkage(release, published, tuple(knowledge), scope, grouped, weighed, asked, beliefs)


def _weigh(
    scope: Scope, published: PublishedGroups, grouped: queries.Grouped, knowledge: Sequence[Priors], states: int,
    seen: dict[str, BeliefCounts],
) -> Iterator[queries.Weighed]:  # fmt: skip
    """The posteriors of each attribute set, group shape by group shape; `seen` is told of each.

    Groups that are alike are found where they are: of each kind one is fetched, and how many there are.
    """
    import numpy as np
    import pyarrow as pa

    from deniable.arrow import arrow_table, column_ints
    from deniable.worlds.groups.shapes import Counts, people_of, shapes

    values = scope.store("value_counts", queries.value_counts(published.values, grouped.groups, grouped.named))
    value_texts = scope.view("value_texts", queries.in_text(values, "v"))
    for place, known in enumerate(knowledge):
        reach("linkage", place, len(knowledge))
        one = known.attributes
        signatures = scope.store("signature_counts", queries.signature_counts(grouped, one.numbered, one.columns))
        alike = scope.store("alike", queries.alike(scope.view("texts", queries.in_text(signatures, "s")), value_texts))
        kinds = scope.store("kinds", queries.kinds(alike))
        rows = scope.fetch(queries.kinds_in_order(kinds))
        firsts = column_ints(rows, "u")

        def counts(of: Relation, code: str, kinds: Relation = kinds, firsts: Int64s = firsts) -> Counts:
            rows = scope.fetch(queries.counts_of_kinds(of, kinds, code))
            return Counts(
                np.searchsorted(firsts, column_ints(rows, "u")), column_ints(rows, code), column_ints(rows, "n")
            )

        shape, groups = shapes(counts(signatures, "s"), counts(values, "v"), len(firsts))
        often = np.zeros(len(groups), np.int64)
        often[shape] = column_ints(rows, "often")
        with work(groups.steps):
            found = {name: _cells(name, groups, often, known, states) for name in seen}
        for name, answered in found.items():
            pairs = people_of(groups) * often[answered.shape]
            seen[name].add(known.priors[answered.s, answered.v], answered.probability, pairs)
        cells = [answered.table(name) for name, answered in found.items()]
        yield queries.Weighed(
            one.name,
            one.columns,
            one.numbered,
            scope.view("shapes", queries.shapes(alike, scope.put("shape_numbers", arrow_table(u=firsts, shape=shape)))),
            scope.put("cells", pa.concat_tables(cells)),
        )


def _cells(name: str, groups: Groups, often: Int64s, known: Priors, states: int) -> PosteriorCells:
    """What one adversary makes of each shape."""
    if name in LINKAGE_ADVERSARIES:
        from deniable.analyses.linkage.posterior import evaluate

        return evaluate(groups, known.priors, name, states)
    from deniable.analyses.linkage.fitted import evaluate_fitted

    return evaluate_fitted(groups, often, known, states)
