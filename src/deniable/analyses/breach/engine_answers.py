"""Answers that the engine keeps, each for all the associations that share it, and how to read them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from deniable.analyses.breach.answers import Over, Tally, Wide, WorstGroup
from deniable.arrow import only
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.sql import associations, two_views
from deniable.sql.associations import Required

if TYPE_CHECKING:
    from sqlglot import exp


_TALLIED = ("no_world", "unanswered", "certain", "over_half", "worst", "worst_at_most")


@frozen
class EachOnce:
    """Every person has one row, so that counting associations counts people: all answers, and the groups' rows."""

    answers: Relation
    groups: Relation


@frozen
class EngineAnswers:
    """Answers in the engine.

    `counted` are the relations that tallies are taken from, each with its adversaries; `weight` is their column that
    says how many associations an answer stands for; `listed` is the query of one row per association; `bundles` is the
    join of three views or more, `shapes` those of the join groups of two, with the adversaries whom they decide.
    """

    scope: Scope
    adversaries: tuple[str, ...]
    ids: list[str]
    rows: Relation
    values: Relation
    counted: tuple[tuple[Relation, tuple[str, ...]], ...]
    weight: str
    listed: exp.Query
    once: EachOnce | None = None
    bundles: Relation | None = None
    shapes: tuple[Relation, tuple[str, ...]] | None = None
    left_wide: int = 0  # associations with an interval that is wider than was asked for
    repeats: bool = False

    @cached_property
    def people(self) -> int:
        """How many different identifiers the views are made from."""
        if self.once:  # then every row is somebody else's
            return int(only(self.scope.fetch(associations.summed(self.once.groups, "rows"))))
        return int(only(self.scope.fetch(two_views.count_people(self.rows, self.ids))))

    def tallies(self) -> list[Tally]:
        """One tally per adversary."""
        found = {}
        for source, adversaries in self.counted:
            row = self.scope.fetch(associations.tallies(source, adversaries, self.weight)).to_pylist()[0]
            for name in adversaries:
                counts = (row[f"{name}_{key}"] for key in _TALLIED)
                found[name] = Tally(name, row["associations"], *counts)
        return [found[name] for name in self.adversaries]

    def highest(self, adversary: str, most: int) -> list[tuple[float, int]]:
        """The highest probabilities, each with how many associations have it."""
        source = next(source for source, adversaries in self.counted if adversary in adversaries)
        rows = self.scope.fetch(associations.highest(source, adversary, self.weight, most)).to_pylist()
        return [(row["value"], row["associations"]) for row in rows]

    def spread(self, adversary: str, bands: int) -> tuple[int, ...]:
        """How many associations have a probability in each of so many equal bands."""
        source = next(source for source, adversaries in self.counted if adversary in adversaries)
        rows = self.scope.fetch(associations.spread(source, adversary, self.weight, bands)).to_pylist()
        counts = {row["band"]: row["associations"] for row in rows}
        return tuple(counts.get(band, 0) for band in range(bands))

    def worst_groups(self, adversary: str, most: int) -> tuple[WorstGroup, ...]:
        """The kinds of join groups with the likeliest associations, where it is their shape that decides."""
        if self.shapes is None or adversary not in self.shapes[1]:
            return ()
        rows = self.scope.fetch(associations.worst_groups(self.shapes[0], adversary, self.weight, most)).to_pylist()
        return tuple(WorstGroup(row["m"], row["n"], row["k"], row["value"], row["groups"]) for row in rows)

    def over(self, required: Required, adversaries: Sequence[str]) -> list[Over]:
        """People over the limit, to these adversaries: associations, where everybody has one, else people."""
        if self.once:
            query = associations.over_limit(self.once.answers, adversaries, self.weight, required)
        else:
            query = associations.people_over(self._wide, self.ids, adversaries, required)
        row = self.scope.fetch(query).to_pylist()[0]
        found = []
        for name in adversaries:
            counts = {test: row[f"{name}_{test}"] for test in associations.TESTS}
            worst = (row[f"{name}_worst"], row[f"{name}_worst_at_most"])
            found.append(Over.counted(name, worst, asked=row["asked"], **counts))
        return found

    @cached_property
    def _wide(self) -> Relation:
        return self.scope.view("wide", self.listed)

    def wide(self) -> Wide:
        """One row for each association."""
        counted = only(self.scope.fetch(associations.summed(self.counted[0][0], self.weight))) or 0
        return Wide(self._wide, self.values, self.ids, int(counted))
