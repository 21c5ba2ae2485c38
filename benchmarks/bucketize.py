"""Bucketization beside plain sorting.

Claims, in one run on 600,000 generated rows: plain groups of 4 at most 10× the stable argsorts of the four
quasi-identifiers; groups that are safe at r = 4 from knowledge of gender and of education, exact audit included, at
most 4× the plain ones. What the groups are worth on real microdata is an experiment: `make experiments`.
"""

from __future__ import annotations

import resource
import time

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import alternating, ratio
from benchmarks.sizes import FULL, Sizes
from deniable.publish.bucketize import anatomy
from deniable.publish.bucketize.robust import KnownPriors, place

Ints = NDArray[np.int32]

VALUES, R = 50, 4
CODES = {"age": 100, "birthplace": 57, "education": 17, "gender": 2}


def main(sizes: Sizes = FULL) -> None:
    """Print both ratios and the peak memory."""
    columns, values = generate(sizes.bucketize_rows)
    knowledge = [estimated(columns[3], values), estimated(columns[2], values)]
    safe = place(columns, values, knowledge, float(R))  # compiled code is cached, memory is touched
    of_groups = np.bincount(anatomy.bucketize(columns, values, R))

    def sorts() -> float:
        start = time.perf_counter()
        for column in columns:
            np.argsort(column.astype(np.int64), kind="stable")
        return time.perf_counter() - start

    def diverse() -> float:
        start = time.perf_counter()
        anatomy.bucketize(columns, values, R)
        return time.perf_counter() - start

    def robust() -> float:
        start = time.perf_counter()
        place(columns, values, knowledge, float(R))
        return time.perf_counter() - start

    base, simple, proved = alternating(sizes.rounds(5), sorts, diverse, robust)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"plain l = {R}, {len(values):,} rows: {simple:.2f} s, four argsorts {base:.2f} s, {ratio(simple, base, 10)}, "
        f"groups of {of_groups.min()} to {of_groups.max()}",
        flush=True,
    )
    print(
        f"robust r = {R}, gender and education: {proved:.2f} s, beside plain {ratio(proved, simple, 4)}, "
        f"mean size {(len(values) - safe.withheld) / safe.groups:.2f}, {safe.withheld} withheld, "
        f"worst posterior {safe.worst:.4f}; peak {peak:,.0f} MB",
        flush=True,
    )


def estimated(signatures: Ints, values: Ints) -> KnownPriors:
    """Knowledge of one attribute set as the table itself gives it."""
    counts = np.zeros((int(signatures.max()) + 1, int(values.max()) + 1))
    np.add.at(counts, (signatures, values), 1.0)
    return KnownPriors(signatures, counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0))


def generate(rows: int) -> tuple[list[Ints], Ints]:
    """Uniform quasi-identifiers; Zipf's law over values, which value comes first depends on education and gender."""
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, size, rows).astype(np.int32) for size in CODES.values()]
    weights = 1.0 / np.arange(1, VALUES + 1)
    rank = rng.choice(VALUES, rows, p=weights / weights.sum())
    return columns, ((rank + 3 * columns[2] + 25 * columns[3]) % VALUES).astype(np.int32)


if __name__ == "__main__":
    main()
