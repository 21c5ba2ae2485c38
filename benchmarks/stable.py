"""Stable groups: counterfeits, exposure, query error, time, and what the choice of newcomers tells.

Claims, m = 6, n = 3, 4 % of the people known, on tax units (200,000 with 10 % replaced, 21 releases; 60,000 with 33 %,
24 releases): at most 20 % counterfeits and 0.02 % exposed with no larger query error than m-invariance; at most 8 % and
0.05 %; a release at most 1.5× Cor-Split's time, the 21st at most 1.2× the 2nd; who guesses which newcomer has which
value gains at most one percentage point (upper end of the 99 % interval).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import alternating
from deniable.publish.history.lineage import Seats, StableGrouping, story
from deniable.publish.history.past import Grouping, History, Table, coordinates
from deniable.publish.history.republish import cor_split, m_invariance
from deniable.publish.history.stable import stable
from deniable.publish.history.stable_refill import Places, newcomers, refill

UNITS = Path(__file__).parents[2] / "shared" / "data" / "units.parquet"
QUASI, PRIVATE = ("age", "state", "filing", "members"), "income_band"
M, N, KNOWN = 6, 3, 0.04
SETTINGS = {"200,000 × 10 % × 21": (200_000, 0.1, 21), "60,000 × 33 % × 24": (60_000, 0.33, 24)}
DIALS = (0.2, 0.08, 0.05)
SEEDS = 5
QUERIES, SELECTIVITIES = 1000, (0.01, 0.05)
SURE = 2.576  # standard deviations of a 99 % interval

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class People:
    """Everybody who can be drawn: codes of the quasi-identifiers, and a value."""

    columns: tuple[Ints, ...]
    values: Ints

    def table(self, person: Longs, unit: Longs) -> Table:
        return Table(person, tuple(np.ascontiguousarray(column[unit]) for column in self.columns), self.values[unit])


def main() -> None:
    """Print one line for each claim; with a word, only that part."""
    parts = {"speed": speed, "choice": choice, "exposure": exposure}
    for name, part in parts.items():
        if name in sys.argv[2:] or not set(parts) & set(sys.argv[2:]):
            part(units())


def units() -> People:
    import pyarrow.parquet as pq

    read = pq.read_table(UNITS)
    coded = [np.unique(read.column(name).to_numpy(), return_inverse=True)[1] for name in (*QUASI, PRIVATE)]
    *columns, values = (codes.astype(np.int32) for codes in coded)
    return People(tuple(columns), values)


def tables(people: People, rows: int, turnover: float, releases: int, seed: int) -> Iterator[Table]:
    """Some are replaced by units that are not in the table; whoever comes again is a new person."""
    rng = np.random.default_rng(seed)
    unit, person = rng.permutation(len(people.values))[:rows], np.arange(rows)
    changed = int(rows * turnover)
    for release in range(releases):
        yield people.table(person, unit)
        outside = np.ones(len(people.values), np.bool_)
        outside[unit] = False
        stay = np.sort(rng.permutation(rows)[changed:])
        unit = np.concatenate([unit[stay], rng.permutation(np.flatnonzero(outside))[:changed]])
        person = np.concatenate([person[stay], rows + release * changed + np.arange(changed)])


def published(given: Sequence[Table], at_most: float, seed: int) -> tuple[list[Seats], StableGrouping]:
    rng, releases = np.random.default_rng(seed), [Seats.empty()]
    for table in given:
        made = stable(table, releases[-1], M, N, at_most=at_most, seed=rng)
        releases.append(made.seats)
    return releases[1:], made


def exposed(releases: Sequence[Seats], people: int, values: int, known: float, seed: int) -> tuple[int, int]:
    """How many people have one possible value left by propagation, of how many unknown ones."""
    from deniable.worlds.histories import Knowledge, counts, history
    from deniable.worlds.propagate import propagate

    told = story(releases, people)
    seen = history(
        told.people, values, told.release, told.member_offsets, told.members, told.member_offsets, told.codes
    )
    ever = np.isin(np.arange(people), told.members)
    compromised = np.flatnonzero(ever & (np.random.default_rng(seed).random(people) < known)).astype(np.int32)
    words, _ = propagate(seen, Knowledge(compromised, told.truth[compromised]))
    ever[compromised] = False
    return int(np.count_nonzero(counts(words[:people][ever]) == 1)), int(ever.sum())


def exposure(people: People) -> None:
    """Counterfeits, exposed people and query error for each setting of the dial."""
    for name, setting in SETTINGS.items():
        for seed in range(SEEDS):
            given = list(tables(people, *setting, seed))
            everybody = 1 + max(int(table.person.max()) for table in given)
            if seed == 0:
                past = History.empty()
                for table in given:
                    plain = m_invariance(table, past, M)
                    past = past.extended(table, plain)
                print(f"{name}, m-invariance: query error {errors(given[-1], plain)}", flush=True)
            for at_most in DIALS:
                releases, made = published(given, at_most, seed)
                share = max(100 * seats.counterfeits for seats in releases)
                some, of = exposed(releases, everybody, len(np.unique(people.values)), KNOWN, seed)
                print(
                    f"{name}, seed {seed}, counterfeits at most {at_most}: {share:.2f} % at most, "
                    f"{100 * some / of:.4f} % exposed ({some} of {of:,}), "
                    f"{len(made.seats.person) / len(made.seats):.1f} rows a group"
                    + (f", query error {errors(given[-1], made.grouping)}" if seed == 0 else ""),
                    flush=True,
                )


def errors(table: Table, grouping: Grouping) -> str:
    """The median relative error of COUNT queries over three columns and the value, rows spread evenly in their box."""
    rng, groups, kinds = np.random.default_rng(0), len(grouping.signature), int(table.values.max()) + 1
    low, high = np.full((len(table.columns), groups), 1 << 30), np.full((len(table.columns), groups), -1)
    for c, column in enumerate(table.columns):
        np.minimum.at(low[c], grouping.group, column)
        np.maximum.at(high[c], grouping.group, column)
    real = np.bincount(grouping.group, minlength=groups)
    false = np.diff(grouping.counterfeit_starts)
    told = np.zeros((groups, kinds))
    np.add.at(told, (grouping.group, table.values), 1)
    np.add.at(told, (np.repeat(np.arange(groups), false), grouping.counterfeits), 1)
    told *= (real / (real + false))[:, None]
    found = []
    for share in SELECTIVITIES:
        off: list[float] = []
        while len(off) < QUERIES:
            truth, answer = _query(table, low, high, told, share ** (1 / 4), rng)
            if truth:
                off.append(abs(answer - truth) / truth)
        found.append(f"{100 * float(np.median(off)):.1f} %")
    return " / ".join(found)


def _query(
    table: Table, low: Longs, high: Longs, told: Floats, part: float, rng: np.random.Generator
) -> tuple[int, float]:
    weight, match = np.ones(len(told)), np.ones(len(table), np.bool_)
    for c in rng.permutation(len(table.columns))[:3]:
        size = int(table.columns[c].max()) + 1
        kept = max(1, round(part * size))
        first = int(rng.integers(0, size - kept + 1))
        last = first + kept - 1
        inside = np.maximum(0, np.minimum(high[c], last) - np.maximum(low[c], first) + 1)
        weight *= inside / (high[c] - low[c] + 1)
        match &= (table.columns[c] >= first) & (table.columns[c] <= last)
    kinds = told.shape[1]
    asked = np.zeros(kinds, np.bool_)
    asked[rng.permutation(kinds)[: max(1, round(part * kinds))]] = True
    return int(np.count_nonzero(match & asked[table.values])), float(weight @ told[:, asked].sum(axis=1))


def speed(people: People) -> None:
    """The 2nd and the 21st release, and Cor-Split's 21st, in turns."""
    rows, turnover, releases = SETTINGS["200,000 × 10 % × 21"]
    given = list(tables(people, rows, turnover, releases, 0))
    seats, past = [Seats.empty()], History.empty()
    for table in given[:-1]:
        seats.append(stable(table, seats[-1], M, N, seed=1).seats)
        past = past.extended(table, cor_split(table, past, M, N))
    second, last, other = alternating(
        7,
        lambda: timed(given[1], seats[1]),
        lambda: timed(given[-1], seats[-1]),
        lambda: _seconds(lambda: cor_split(given[-1], past, M, N)),
    )
    print(
        f"release 21 of {rows:,} rows: {last * 1000:.0f} ms, Cor-Split {other * 1000:.0f} ms, ratio {last / other:.2f}"
    )
    print(f"release 21 beside release 2: ratio {last / second:.2f} (at most 1.2)", flush=True)


def timed(table: Table, seats: Seats) -> float:
    return _seconds(lambda: stable(table, seats, M, N, seed=1))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@dataclass(frozen=True)
class Guess:
    """How often a newcomer's value is guessed right beyond chance, in percentage points, with its 99 % interval."""

    batches: int
    gain: float
    within: float
    rule: str

    def __str__(self) -> str:
        return f"{self.gain:+.2f} ± {self.within:.2f} points over {self.batches:,} batches ({self.rule})"


def choice(people: People) -> None:
    """What the choice tells, beside the control that fills seats in the order of their values, nearest first.

    Values that are shuffled among the people have nothing to do with the quasi-identifiers, so that only the choice can
    tell. With the values as they are, the distance to a group that has nothing to do with the batch tells, too.
    """
    rows, turnover, releases = SETTINGS["60,000 × 33 % × 24"]
    shuffled = People(people.columns, np.random.default_rng(3).permutation(people.values))
    for name, some, way in (
        ("values shuffled", shuffled, "ours"),
        ("values shuffled", shuffled, "nearest first"),
        ("values skewed", skewed(), "ours"),
        ("values skewed", skewed(), "nearest first"),
        ("values as they are", people, "ours"),
        ("values as they are", people, "another group"),
    ):
        seen = [chosen(tables(some, rows, turnover, releases, seed), way, seed) for seed in range(2)]
        print(f"refill adversary, {name}, {way}: {guess([batch for run in seen for batch in run])}", flush=True)


def skewed() -> People:
    """Values of very different frequency that have nothing to do with the quasi-identifiers."""
    rng = np.random.default_rng(5)
    chance = 1 / (10 + np.arange(40))
    values = rng.choice(40, 200_000, p=chance / chance.sum()).astype(np.int32)
    return People(tuple(rng.integers(0, codes, 200_000).astype(np.int32) for codes in (80, 50, 5, 9)), values)


Batches = tuple[Longs, Floats, Ints, Longs]  # of each newcomer: batch, distance, value, how many newcomers have it


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
            far = _distances(table, group, row, joined, rng if way == "another group" else None)
            found.append((group[joined], far, values, new[values]))
        seats = made.seats
    return found


def _nearest_first(table: Table, seats: Seats, row: Longs, rng: np.random.Generator) -> tuple[Longs, Longs, Bools]:
    """Refilling that speaks: seats in the order of their values."""
    there = row >= 0
    codes, scale = coordinates(table)
    points = (codes * scale).astype(np.float32)
    waiting, kinds = np.setdiff1d(np.arange(len(table)), row[there]), int(seats.values.max()) + 1
    pool = newcomers(table.values, waiting, points, kinds, rng)
    ghosts = np.bincount(seats.group[~there], minlength=len(seats))
    ready = rng.permutation(np.flatnonzero((ghosts >= N) & (ghosts < np.diff(seats.starts))))
    places = Places(seats.starts, seats.values, row, seats.values.astype(np.float64), np.zeros(len(seats), np.bool_))
    refill(np.arange(len(ready) + 1), ready, places, pool, points, M, N, False, len(row))
    return seats.group, row, ~there & (row >= 0)


def _distances(table: Table, group: Longs, row: Longs, joined: Bools, strangers: np.random.Generator | None) -> Floats:
    """How far each newcomer stretches the box of those who were there, or of another refilled group."""
    refilled, at = np.unique(group[joined], return_inverse=True)
    home = refilled[at] if strangers is None else strangers.permutation(refilled)[at]
    stayed = (row >= 0) & ~joined
    total = np.zeros(np.count_nonzero(joined))
    for column in table.columns:
        low, high = np.full(group.max() + 1, 1 << 30), np.full(group.max() + 1, -1)
        np.minimum.at(low, group[stayed], column[row[stayed]])
        np.maximum.at(high, group[stayed], column[row[stayed]])
        code, g = column[row[joined]], home
        stretch = np.maximum(np.maximum(low[g] - code, code - high[g]), 0)
        total += (stretch + 0.05 * np.abs(code - (low[g] + high[g]) / 2)) / max(1, int(column.max()))
    return total


def guess(batches: Sequence[Batches]) -> Guess:
    """Learn from half of the batches who has a batch's least, greatest, rarest or commonest value; try the rest."""
    right: dict[str, list[Floats]] = {}
    for batch, distance, value, often in batches:
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


def _first(key: NDArray[Any], batch: Longs, first: Longs) -> Longs:
    """The place of each batch's newcomer with the least key."""
    return np.asarray(np.lexsort((key, batch))[first])


if __name__ == "__main__":
    main()
