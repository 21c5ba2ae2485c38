"""Answers that are kept here, person by person: those of people in several groups, read as often as somebody asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from deniable.analyses.breach.adversaries import Adversary
from deniable.analyses.breach.answers import Over, Tally, Wide, WorstGroup
from deniable.analyses.breach.several_groups import SeveralGroups, Solved
from deniable.arrow import arrow_array, arrow_words
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.sql.associations import EVERY_WORLD, TESTS, WIDE, Required

KEPT = 2_000_000  # rows whose answers are kept from one question to the next; those of more are found anew


@frozen
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
        counts = {name: np.zeros(5, np.int64) for name in self.adversaries}
        silent = {adversary.name: adversary.counts_rows for adversary in self.several.adversaries}
        worst = {name: np.full(2, -1.0) for name in self.adversaries}
        for piece in self._pieces():
            for name in self.adversaries:
                found = piece.found[name]
                lower = found.lower
                missing = int(np.isnan(lower).sum())
                empty = (0, missing) if silent[name] else (missing, 0)
                counts[name] += (len(lower), *empty, (lower == 1).sum(), (lower > 0.5).sum())
                proved = np.where(found.upper - lower > WIDE, lower, found.value)
                for end, ends in enumerate((proved, found.upper)):
                    worst[name][end] = max(worst[name][end], float(np.fmax.reduce(ends, initial=-1.0)))
        tallies = []
        for name in self.adversaries:
            least, most = (None if end < 0 else end for end in worst[name].tolist())
            associations, no_world, unanswered, certain, over_half = counts[name].tolist()
            tallies.append(Tally(name, associations, no_world, unanswered, certain, over_half, least, most))
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

    @property
    def repeats(self) -> bool:
        """They do: somebody stands in several groups."""
        return True

    def over(self, required: Required, adversaries: Sequence[str]) -> list[Over]:
        """People over the limit, to these adversaries; see `sql.associations` for the tests."""
        return [self._over(one, required) for one in self.several.adversaries if one.name in adversaries]

    def _over(self, adversary: Adversary, required: Required) -> Over:
        counts = dict.fromkeys((*TESTS, "asked"), 0)
        for piece in self._kept:
            lower, upper = piece.found[adversary.name].lower, piece.found[adversary.name].upper
            missing = np.isnan(lower)
            pinned = missing & (piece.found[EVERY_WORLD].lower == 1)
            silent = missing & adversary.counts_rows
            nowhere = missing.copy()
            for name in required.adversaries:
                nowhere &= np.isnan(piece.found[name].lower)
            straddles = (lower <= required.limit) & (upper > required.limit)
            tests = {
                "over": (lower > required.limit) | pinned,
                "undecided": (straddles | silent | nowhere) & ~pinned,
                "unanswered": silent,
                "no_world": missing & ~silent,
                "certain": (lower == 1) | pinned,
                "asked": np.ones_like(missing),
            }
            for test, holds in tests.items():  # people stand together, so that each begins once
                counts[test] += int(np.count_nonzero(np.diff(piece.person[holds], prepend=-1)))
        tally = next(tally for tally in self._tallies if tally.adversary == adversary.name)
        return Over.counted(adversary.name, (tally.worst, tally.worst_at_most), **counts)

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
            unknown = missing if adversary.counts_rows else np.zeros_like(missing)
            table = table.append_column(f"{adversary.name}_bound", arrow_words(choice, ("exact", "proved"), unknown))
        return table
