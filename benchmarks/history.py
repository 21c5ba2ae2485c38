"""Re-publication: 21 releases of 200,000 rows, 10 % of the people exchanged each time, m = 6 and n = 3.

Claims: the 21st Cor-Split release, all phases in memory, at most 10× NumPy's stable argsorts of the three
quasi-identifiers; at most 1.5× the 2nd release; groups at most 1.15× as wide as those of m-invariance;
counterfeits under 0.5 % of the rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.measure import alternating
from deniable.publish.history.past import Grouping, History, Table
from deniable.publish.history.republish import cor_split, m_invariance

ROWS, RELEASES, TURNOVER = 200_000, 21, 0.1
M, N = 6, 3
CODES, VALUES = (100, 57, 17), 50


def main() -> None:
    """Print one line for each claim."""
    rng = np.random.default_rng(1)
    world = people(rng)
    cor_split(world(np.arange(600)), History.empty(), M, N)  # compiled, or read from the cache
    (early, before), (table, history), grouping = run(rng, world, lambda t, h: cor_split(t, h, M, N))
    _, (other, _), plain = run(np.random.default_rng(1), world, lambda t, h: m_invariance(t, h, M))
    second, last, sorting = alternating(
        7,
        lambda: timed(lambda: cor_split(early, before, M, N)),
        lambda: timed(lambda: cor_split(table, history, M, N)),
        lambda: timed(lambda: argsorts(table)),
    )
    print(
        f"release {RELEASES} of {ROWS:,} rows: {last * 1000:.0f} ms, argsorts {sorting * 1000:.0f} ms, "
        f"ratio {last / sorting:.1f} (at most 10)"
    )
    print(f"release {RELEASES} beside release 2: ratio {last / second:.2f} (at most 1.5)")
    ours, theirs = width(table, grouping), width(other, plain)
    print(f"mean semiperimeter {ours:.3f}, m-invariance {theirs:.3f}, ratio {ours / theirs:.3f} (at most 1.15)")
    print(f"counterfeits: {100 * len(grouping.counterfeits) / ROWS:.3f} % of the rows (at most 0.5)")
    print(f"signatures {len(grouping.signatures)}, groups {len(grouping.signature):,}", flush=True)


def people(rng: np.random.Generator) -> Callable[[np.typing.NDArray[np.int64]], Table]:
    """Everybody who will ever come; a table is some of them."""
    total = int(ROWS * (1 + TURNOVER * RELEASES)) + 1
    columns = [rng.integers(0, codes, total).astype(np.int32) for codes in CODES]
    values = rng.integers(0, VALUES, total).astype(np.int32)
    return lambda who: Table(who, tuple(column[who] for column in columns), values[who])


def run(
    rng: np.random.Generator,
    world: Callable[[np.typing.NDArray[np.int64]], Table],
    publish: Callable[[Table, History], Grouping],
) -> tuple[tuple[Table, History], tuple[Table, History], Grouping]:
    """The second and the last table, each with the history before it, and the last release."""
    who, history = np.arange(ROWS), History.empty()
    inputs: list[tuple[Table, History]] = []
    leavers = int(ROWS * TURNOVER)
    for release in range(RELEASES):
        table = world(who)
        grouping = publish(table, history)
        inputs = [*inputs[:2], (table, history)]
        history = history.extended(table, grouping)
        stay = np.sort(rng.permutation(ROWS)[leavers:])
        who = np.concatenate([who[stay], ROWS + release * leavers + np.arange(leavers)])
    return inputs[1], inputs[-1], grouping


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def argsorts(table: Table) -> None:
    for column in table.columns:
        np.argsort(column.astype(np.int64), kind="stable")


def width(table: Table, grouping: Grouping) -> float:
    """The mean over groups of the ranges' sum, each range as a part of the table's."""
    order = np.argsort(grouping.group, kind="stable")
    order = order[grouping.group[order] >= 0]
    counts = np.bincount(grouping.group[order], minlength=len(grouping.signature))
    first = np.cumsum(counts) - counts
    total = np.zeros(len(counts))
    for column in table.columns:
        codes = column[order]
        spread = np.maximum.reduceat(codes, first) - np.minimum.reduceat(codes, first)
        total += spread / max(int(column.max()) - int(column.min()), 1)
    return float(total.mean())


if __name__ == "__main__":
    main()
