"""What an analysis leaves in the engine, and how to read it: summaries, people, rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from sqlglot import exp

from deniable.arrow import only
from deniable.bind.views import Bound
from deniable.engines.base import Engine
from deniable.sql import findings, pairs

if TYPE_CHECKING:
    from deniable.analyses.breach.roaming import Roaming

_SORTED_UP_TO = 200_000  # associations; longer files come in the engine's own order


@dataclass(frozen=True)
class Tally:
    """How one adversary's probabilities spread over the associations."""

    adversary: str
    associations: int
    no_world: int
    certain: int
    over_half: int
    worst: float | None


@dataclass(frozen=True)
class Over:
    """How many people one adversary puts over a limit."""

    adversary: str
    worst: float | None
    over: int
    undecided: int
    no_world: int
    certain: int


@dataclass(frozen=True)
class Relations:
    """The relation `answers` in the engine, and how people reach it.

    `counted` names the relations that tallies are taken from, each with its adversaries;
    `weight` is their column that says how many associations an answer stands for; `wide`
    gives the query of one row per association; `once` says that every person has one
    association, so that counting associations counts people.
    """

    bound: Bound
    engine: Engine
    adversaries: tuple[str, ...]
    ids: list[str]
    once: bool
    weight: str
    counted: tuple[tuple[str, tuple[str, ...]], ...]
    wide: Callable[[], exp.Query]
    roaming: Roaming | None = None

    def only(self, adversaries: tuple[str, ...]) -> Relations:
        """The same, for some of the adversaries."""
        counted = tuple(
            (source, tuple(a for a in named if a in adversaries))
            for source, named in self.counted
            if set(named) & set(adversaries)
        )
        return replace(self, adversaries=adversaries, counted=counted)

    @property
    def people(self) -> int:
        """How many different identifiers the views are made from."""
        if self.roaming:
            return self.roaming.people
        if self.once:  # then every row is somebody else's
            return int(only(self.engine.fetch(findings.summed("groups", "rows"))))
        return int(only(self.engine.fetch(pairs.count_people(self.ids))))

    def tallies(self) -> list[Tally]:
        """One tally per adversary."""
        if self.roaming:
            return self.roaming.tallies(self.adversaries)
        found = []
        for source, adversaries in self.counted:
            row = self.engine.fetch(findings.tallies(adversaries, source, self.weight)).to_pylist()[0]
            for name in adversaries:
                counts = (row[f"{name}_{key}"] for key in ("no_world", "certain", "over_half", "worst"))
                found.append(Tally(name, row["associations"], *counts))
        return found

    def highest(self, adversary: str, most: int) -> list[tuple[float, int]]:
        """The highest probabilities, each with how many associations have it."""
        if self.roaming:
            return self.roaming.highest(adversary, most)
        source = next(name for name, adversaries in self.counted if adversary in adversaries)
        rows = self.engine.fetch(findings.highest(adversary, source, self.weight, most)).to_pylist()
        return [(row["value"], row["associations"]) for row in rows]

    def over(self, limit: float) -> list[Over]:
        """People over the limit, per adversary."""
        if not self.once:
            return self._over_repeating(limit)
        row = self.engine.fetch(findings.over_limit(self.adversaries, "answers", self.weight, limit)).to_pylist()[0]
        return [
            _over(name, row[f"{name}_worst"], *(row[f"{name}_{key}"] for key in _KEYS)) for name in self.adversaries
        ]

    def _over_repeating(self, limit: float) -> list[Over]:
        """The same where a person can have many associations: people are counted one by one."""
        self.engine.view("wide", self.wide())
        found = []
        for name in self.adversaries:
            tests = findings.limit_tests(name, limit)
            counts = [only(self.engine.fetch(findings.people_where(self.ids, "wide", tests[key]))) for key in _KEYS]
            worst = only(self.engine.fetch(exp.select(exp.Max(this=exp.column(f"{name}_value"))).from_("wide")))
            found.append(_over(name, worst, *counts))
        return found

    def _long(self) -> exp.Select:
        release = self.bound.release
        self.engine.view("wide", self.wide())
        places = list(range(len(self.adversaries)))
        self.engine.put("adversaries", pa.table({"adversary": list(self.adversaries), "place": places}))
        source, weight = ("roaming", "1") if self.roaming else (self.counted[0][0], self.weight)
        ordered = (only(self.engine.fetch(findings.summed(source, weight))) or 0) <= _SORTED_UP_TO
        return findings.long_form(self.ids, release.id_columns, release.private, self.adversaries, ordered=ordered)

    def table(self) -> pa.Table:
        """The association table of the contract."""
        return self.engine.fetch(self._long())

    def save(self, path: Path) -> None:
        """The same, streamed to a file by the engine."""
        self.engine.save(self._long(), path)


_KEYS = ("over", "undecided", "no_world", "pinned")


def _over(name: str, worst: float | None, over: int, undecided: int, no_world: int, pinned: int) -> Over:
    """Whoever is pinned down although the adversary has no world counts as certain."""
    return Over(name, 1.0 if pinned else worst, over, undecided, no_world, pinned)
