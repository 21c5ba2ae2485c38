"""Answers that are kept here, person by person: those of people in several groups, read as often as somebody asks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from deniable.analyses.breach.answers import Over, Tally, Wide, WorstGroup
from deniable.analyses.breach.several_groups import SeveralGroups, Solved
from deniable.arrow import arrow_array, arrow_words
from deniable.engines.scope import Relation, Scope
from deniable.sql.associations import EVERY_WORLD

KEPT = 2_000_000  # rows whose answers are kept from one question to the next; those of more are found anew


@dataclass(frozen=True)
class ListedAnswers:
    """The answers of everybody in a table where somebody stands in several groups."""

    scope: Scope
    ids: list[str]
    values: Relation
    several: SeveralGroups

    @property
    def adversaries(self) -> tuple[str, ...]:
        """Who is answered."""
        return tuple(adversary.name for adversary in self.several.adversaries)

    @property
    def people(self) -> int:
        """How many they are."""
        return self.several.people

    @cached_property
    def _kept(self) -> tuple[Solved, ...]:
        return tuple(self.several.solve())

    def _pieces(self) -> Iterable[Solved]:
        """Everybody's answers: found once and kept, where they are few or somebody needed them all; else anew."""
        few = len(self.several.packed) <= KEPT
        return self._kept if few or "_kept" in vars(self) else self.several.solve()

    def tallies(self) -> list[Tally]:
        """How the probabilities spread."""
        return list(self._tallies)

    @cached_property
    def _tallies(self) -> tuple[Tally, ...]:
        """All adversaries at once, since it may be that everybody is solved for it."""
        counts = {name: np.zeros(4, np.int64) for name in self.adversaries}
        worst = dict.fromkeys(self.adversaries, -1.0)
        for piece in self._pieces():
            for name in self.adversaries:
                found = piece.found[name]
                lower = found.lower
                counts[name] += (len(lower), np.isnan(lower).sum(), (lower == 1).sum(), (lower > 0.5).sum())
                worst[name] = max(worst[name], float(np.fmax.reduce(found.value, initial=-1.0)))
        tallies = []
        for name in self.adversaries:
            associations, no_world, certain, over_half = counts[name].tolist()
            top = None if worst[name] < 0 else worst[name]
            tallies.append(Tally(name, associations, no_world, certain, over_half, top))
        return tuple(tallies)

    def highest(self, adversary: str, most: int) -> list[tuple[float, int]]:
        """The highest probabilities, each with how many associations have it."""
        counts: dict[float, int] = {}
        for piece in self._pieces():
            value = piece.found[adversary].value
            found, times = np.unique(value[~np.isnan(value)], return_counts=True)
            for probability, count in zip(found[-most:].tolist(), times[-most:].tolist(), strict=True):
                counts[probability] = counts.get(probability, 0) + count
        return sorted(counts.items(), reverse=True)[:most]

    def spread(self, adversary: str, bands: int) -> tuple[int, ...]:
        """How many associations have a probability in each of so many equal bands."""
        counts = np.zeros(bands, np.int64)
        for piece in self._pieces():
            value = piece.found[adversary].value
            band = np.minimum(value[~np.isnan(value)] * bands, bands - 1).astype(np.int64)
            counts += np.bincount(band, minlength=bands)
        return tuple(counts.tolist())

    def worst_groups(self, adversary: str, most: int) -> tuple[WorstGroup, ...]:  # noqa: ARG002
        """None: an association of somebody in several groups belongs to all of them."""
        return ()

    def over(self, limit: float) -> list[Over]:
        """People over the limit, per adversary; see `sql.associations` for the tests."""
        return [self._over(name, limit) for name in self.adversaries]

    def _over(self, name: str, limit: float) -> Over:
        counts = {"over": 0, "undecided": 0, "no_world": 0, "pinned": 0}
        for piece in self._kept:
            lower, upper, person = piece.found[name].lower, piece.found[name].upper, piece.person
            missing = np.isnan(lower)
            pinned = missing & (piece.found[EVERY_WORLD].lower == 1)
            tests = {
                "over": (lower > limit) | pinned,
                "undecided": (lower <= limit) & (upper > limit),
                "no_world": missing,
                "pinned": pinned,
            }
            for test, holds in tests.items():  # people stand together, so that each begins once
                counts[test] += int(np.count_nonzero(np.diff(person[holds], prepend=-1)))
        worst = next(tally.worst for tally in self._tallies if tally.adversary == name)
        return Over.counted(name, worst, **counts)

    def wide(self) -> Wide:
        """One row for each association."""
        return self._wide

    @cached_property
    def _wide(self) -> Wide:
        table = pa.concat_tables([self._table(piece) for piece in self._pieces()])
        return Wide(self.scope.put("wide", table), self.values, self.ids, table.num_rows)

    def _table(self, piece: Solved) -> pa.Table:
        """i*, v and every adversary's fields."""
        rows = self.several.offsets[piece.person]  # anybody's first row names them
        table = self.several.identifiers.take(arrow_array(rows))
        table = table.append_column("v", arrow_array(piece.asked))
        for adversary in self.several.adversaries:
            found = piece.found[adversary.name]
            missing = np.isnan(found.lower)
            for name, data in (("value", found.value), ("lower", found.lower), ("upper", found.upper)):
                table = table.append_column(f"{adversary.name}_{name}", arrow_array(data, missing))
            choice = np.where(found.exact | missing, 0, 1)
            unknown = missing if adversary.may_not_answer else np.zeros_like(missing)
            table = table.append_column(f"{adversary.name}_bound", arrow_words(choice, ("exact", "proved"), unknown))
        return table
