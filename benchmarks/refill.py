"""What the choice of newcomers tells: somebody guesses who has which value of those who came to a group.

Claim: whoever knows the algorithm, everybody's quasi-identifiers and the values that came gains at most one percentage
point over chance (upper end of the 99 % interval); where seats are filled in the order of their values, nearest first,
the same test finds more (control).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks import turnover
from benchmarks.measure import at_most
from benchmarks.sizes import FULL, Sizes
from benchmarks.turnover import M, N, People, Setting, tables
from deniable.kernels import work
from deniable.publish.again.releases import Table, coordinates, steps
from deniable.publish.again.stable.next_release import stable
from deniable.publish.again.stable.refilling import SeatPlaces, newcomers, points_of, refill
from deniable.publish.again.stable.seats import Seats

SURE = 2.576  # standard deviations of a 99 % interval

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Guess:
    """How often a newcomer's value is guessed right beyond chance, in percentage points, with its 99 % interval."""

    batches: int
    gain: float
    within: float
    rule: str

    def __str__(self) -> str:
        return f"{self.gain:+.2f} ± {self.within:.2f} points over {self.batches:,} batches ({self.rule})"

    @property
    def limit(self) -> str:
        """One percentage point, for the upper end of the interval."""
        return at_most(self.gain + self.within, 1)


def main(sizes: Sizes = FULL) -> None:
    """What the choice tells, beside the control that fills seats in the order of their values, nearest first.

    Values that are shuffled among the people have nothing to do with the quasi-identifiers, so that only the choice can
    tell. With the values as they are, it is asked what it tells beyond the statistics.
    """
    if not (sizes.data / turnover.UNITS).exists():
        print("refill adversary: the table of tax units is not there")
        return
    people, odd = turnover.units(sizes.data), skewed(sizes.units)
    shuffled = People(people.columns, np.random.default_rng(3).permutation(people.values))
    for name, some, way in (
        ("values shuffled", shuffled, "ours"),
        ("values shuffled", shuffled, "nearest first"),
        ("values skewed", odd, "ours"),
        ("values skewed", odd, "nearest first"),
    ):
        seen = [chosen(tables(some, sizes.small, seed), way, seed) for seed in range(2)]
        told = guess([batch for run in seen for batch in run])
        limit = f" {told.limit}" if way == "ours" else ""
        print(f"refill adversary, {name}, {way}: {told}{limit}", flush=True)
    for way in ("ours", "nearest first"):
        seen = [chosen(tables(people, sizes.small, seed), way, seed) for seed in range(3)]
        found = beyond([batch for run in seen for batch in run], people)
        print(f"refill adversary who knows the statistics, values as they are, {way}: {found}", flush=True)
    for name, some in (("values shuffled", shuffled), ("values skewed", odd)):
        for count, times in sizes.first_releases:  # among 2,000, few newcomers have the same value
            setting = Setting(count, 0.33, 1)
            begun = [founded(next(tables(some, setting, seed)), seed) for seed in range(times)]
            told = guess(begun)
            print(f"new groups of {count:,}, {name}: {told} {told.limit}", flush=True)


def skewed(count: int = FULL.units) -> People:
    """Values of very different frequency that have nothing to do with the quasi-identifiers."""
    rng = np.random.default_rng(5)
    chance = 1 / (10 + np.arange(40))
    values = rng.choice(40, count, p=chance / chance.sum()).astype(np.int32)
    return People(tuple(rng.integers(0, codes, count).astype(np.int32) for codes in (80, 50, 5, 9)), values)


class Batches(NamedTuple):
    """Of each newcomer: the batch, how far from it, the value, how many newcomers have it, the quasi-identifiers."""

    batch: Longs
    distance: Floats
    value: Ints
    often: Longs
    cells: NDArray[np.int32]


def chosen(given: Iterable[Table], way: str, seed: int) -> list[Batches]:
    """The batches of all releases as the adversary sees them, who also knows which values a batch has."""
    rng, seats, found = np.random.default_rng(seed), Seats.empty(), []
    for table in given:
        row_of = np.full(max(len(seats.published), int(table.person.max()) + 1) + 1, -1, np.int64)
        row_of[table.person] = np.arange(len(table))
        made = stable(table, seats, M, N, seed=rng)
        if way == "nearest first" and len(seats):
            group, row, joined = _nearest_first(table, seats, row_of[np.maximum(seats.person, -1)], rng)
        else:
            group, row = made.seats.group, np.where(made.seats.ghost, -1, row_of[made.seats.person])
            joined = np.zeros(len(row), np.bool_)
            joined[made.batches] = True
        if joined.any():
            new = np.bincount(table.values[np.setdiff1d(np.arange(len(table)), row[(row >= 0) & ~joined])])
            values = table.values[row[joined]]
            cells = np.stack([column[row[joined]] for column in table.columns], axis=1)
            far = _distances(table, group, row, joined)
            found.append(Batches(group[joined], far, values, new[values], cells))
        seats = made.seats
    return found


def _nearest_first(table: Table, seats: Seats, row: Longs, rng: np.random.Generator) -> tuple[Longs, Longs, Bools]:
    """Refilling that speaks: seats in the order of their values."""
    there = row >= 0
    codes, scale = coordinates(table)
    points = points_of(codes, scale)
    waiting, kinds = np.setdiff1d(np.arange(len(table)), row[there]), int(seats.values.max()) + 1
    pool = newcomers(table.values, waiting, points, kinds, rng)
    ghosts = np.bincount(seats.group[~there], minlength=len(seats))
    ready = rng.permutation(np.flatnonzero((ghosts >= N) & (ghosts < np.diff(seats.starts))))
    places = SeatPlaces(
        seats.starts, seats.values, row, seats.values.astype(np.float64) + 1, np.zeros(len(seats), np.bool_)
    )
    with work(steps(table)):
        refill(np.arange(len(ready) + 1), ready, places, pool, points, M, N, False, len(row))
    return seats.group, row, ~there & (row >= 0)


def _distances(table: Table, group: Longs, row: Longs, joined: Bools) -> Floats:
    """How far each newcomer stretches the box of those who were there."""
    stayed = (row >= 0) & ~joined
    total = np.zeros(np.count_nonzero(joined))
    for column in table.columns:
        low, high = np.full(group.max() + 1, 1 << 30), np.full(group.max() + 1, -1)
        np.minimum.at(low, group[stayed], column[row[stayed]])
        np.maximum.at(high, group[stayed], column[row[stayed]])
        code, g = column[row[joined]], group[joined]
        stretch = np.maximum(np.maximum(low[g] - code, code - high[g]), 0)
        total += (stretch + 0.05 * np.abs(code - (low[g] + high[g]) / 2)) / max(1, int(column.max()))
    return total


def founded(table: Table, seed: int) -> Batches:
    """The groups of a first release: how far each member stretches the box of the others."""
    seats = stable(table, Seats.empty(), M, N, seed=seed).seats
    row_of = np.full(int(table.person.max()) + 1, -1, np.int64)
    row_of[table.person] = np.arange(len(table))
    whole = ~np.logical_or.reduceat(seats.ghost, seats.starts[:-1])[seats.group]
    group, row = np.unique(seats.group[whole], return_inverse=True)[1], row_of[seats.person[whole]]
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    last = np.append(starts[1:], len(group)) - 1
    total = np.zeros(len(group))
    for column in table.columns:
        codes = column[row].astype(np.int64)
        ordered = codes[np.lexsort((codes, group))]
        least, second, most, before = ordered[starts], ordered[starts + 1], ordered[last], ordered[last - 1]
        low = np.where(codes == least[group], second[group], least[group])  # whoever is not alone there changes nothing
        high = np.where(codes == most[group], before[group], most[group])
        stretch = np.maximum(np.maximum(low - codes, codes - high), 0)
        total += (stretch + 0.05 * np.abs(codes - (low + high) / 2)) / max(1, int(column.max()))
    values = seats.values[whole]
    cells = np.stack([column[row] for column in table.columns], axis=1)
    return Batches(group, total, values, np.bincount(table.values)[values], cells)


def guess(batches: Sequence[Batches]) -> Guess:
    """Learn from half of the batches who has a batch's least, greatest, rarest or commonest value; try the rest."""
    right: dict[str, list[Floats]] = {}
    for batch, distance, value, often, _ in batches:
        order = np.argsort(batch, kind="stable")
        first = np.flatnonzero(np.diff(batch[order], prepend=-1))
        sizes = np.diff(np.append(first, len(order)))
        kept = sizes >= 2
        noise = np.random.default_rng(len(order)).random(len(order)) * 1e-9
        ends = {"nearest": _first(distance + noise, batch, first), "farthest": _first(-distance - noise, batch, first)}
        wanted: dict[str, NDArray[Any]] = {"least": value, "greatest": -value}
        wanted |= {"rarest": often + noise, "commonest": -often - noise}
        for what, key in wanted.items():
            held = _first(key, batch, first)
            for end, who in ends.items():
                right.setdefault(f"{end} has the {what}", []).append(((held == who) - 1 / sizes)[kept])
    gains = {rule: np.concatenate(parts) for rule, parts in right.items()}
    best = max(gains, key=lambda rule: float(gains[rule][::2].mean()))
    tried = gains[best][1::2]
    return Guess(len(tried), 100 * float(tried.mean()), 100 * SURE * float(tried.std()) / len(tried) ** 0.5, best)


@dataclass(frozen=True)
class Beyond:
    """How often two newcomers are told apart from the statistics, and how much more often with their distances."""

    pairs: int
    statistics: float
    gain: float
    within: float

    def __str__(self) -> str:
        return (
            f"{self.gain:+.2f} ± {self.within:.2f} points beyond {self.statistics:.1f} % over {self.pairs:,} pairs of "
            "newcomers"
        )


def beyond(batches: Sequence[Batches], people: People) -> Beyond:
    """Two newcomers of each batch have values a and b: which of them has a?

    How likely each value is, given the quasi-identifiers as if they were independent, is one feature; who is nearer and
    by how much, with the order and the frequency of the values, are four more. Half of the pairs are learned from.
    """
    chances = []
    for column in people.columns:
        table = np.full((int(column.max()) + 1, int(people.values.max()) + 1), 0.5)
        np.add.at(table, (column, people.values), 1)
        chances.append(np.log(table / table.sum(axis=0)))
    rng = np.random.default_rng(0)
    seen = rng.permutation(np.concatenate([_features(one, chances, rng) for one in batches]))
    learned, tried = seen[::2], seen[1::2]
    without = _is_right(tried[:, :1] @ _regress(learned[:, :1]))
    more = _is_right(tried @ _regress(learned)) - without
    return Beyond(
        len(tried), 100 * float(without.mean()), 100 * float(more.mean()),
        100 * SURE * float(more.std()) / len(more) ** 0.5,
    )  # fmt: skip


def _features(one: Batches, chances: Sequence[Floats], rng: np.random.Generator) -> Floats:
    """For two newcomers of each batch, drawn at random: what speaks for each having the value that they have."""
    order = rng.permutation(len(one.batch))
    order = order[np.argsort(one.batch[order], kind="stable")]
    first = np.flatnonzero(np.diff(one.batch[order], prepend=-1))
    first = first[np.diff(np.append(first, len(order))) >= 2]
    i, j = order[first], order[first + 1]
    i, j = i[one.value[i] != one.value[j]], j[one.value[i] != one.value[j]]

    def chance(who: Longs, value: Ints) -> Floats:
        return np.asarray(sum(table[one.cells[who, c], value] for c, table in enumerate(chances)))

    told = chance(i, one.value[i]) + chance(j, one.value[j]) - chance(i, one.value[j]) - chance(j, one.value[i])
    nearer = one.distance[i] - one.distance[j]
    greater = np.sign(one.value[i] - one.value[j])
    commoner = np.sign(one.often[i] - one.often[j])
    return np.stack(
        [told, nearer * greater, nearer * commoner, np.sign(nearer) * greater, np.sign(nearer) * commoner], axis=1
    )


def _regress(features: Floats) -> Floats:
    """Logistic regression without a constant, by Newton's method; all features speak for what is true."""
    scale = features.std(axis=0) + 1e-12
    scaled, weights = features / scale, np.zeros(features.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        curve = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(curve, scaled.T @ (1 - chance) - 1e-3 * weights)
    return np.asarray(weights / scale)


def _is_right(score: Floats) -> Floats:
    return np.asarray((score > 0) + 0.5 * (score == 0))


def _first(key: NDArray[Any], batch: Longs, first: Longs) -> Longs:
    """The place of each batch's newcomer with the least key."""
    return np.asarray(np.lexsort((key, batch))[first])


if __name__ == "__main__":
    main()
