"""The full adversary's posteriors of groups with too many states: proved bounds, then worlds drawn at random.

Bounds: exchangeable people, the swap of `posterior_bounds`, and that every person has one value and every copy one
holder.
Drawing: items that resemble each other are put into clusters, whose weight for a slot is the largest of their
members', so few that the table `back` of `matchings` fits. Slot by slot a cluster is drawn from the table, then
an unused member of it, which is kept with chance (its weight / the cluster's weight); one refusal throws the
whole world away. A world that survives was drawn with a chance proportional to its weight: weight(world) /
(weight of all worlds of clusters). In each, the part of a signature's people that holds x is the posterior on
average, which is what `rejection` asks for; its risk is shared by all cells of the group.
Rounding. The chances of a path telescope, so errors of `back` itself do not matter; each of N steps has k + 6
relative roundings, and choosing among k clusters and N members by a 53-bit number is off by (k k + k + 2N + 3)
2^-53 at most. A drawn world is off by at most N (k k + 5 k + 2 N + 16) 2^-53 in total variation.
"""

from __future__ import annotations

import math

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import kernel, work
from deniable.worlds.arrays import Floats, Int32s, Int64s
from deniable.worlds.groups.matchings import LEAST, NO_WORLD, OK, TOO_MANY, UNKNOWN, balance, fill_steps, walk_back
from deniable.worlds.groups.posterior_bounds import swap_bound, swap_floor
from deniable.worlds.rejection import Trials

_KINDS = 400  # beyond, even looking for clusters takes too long
_MATCHED = 1000  # people up to which it is decided whether there is a world
_NARROW = 1e-6  # how wide a proved interval may be whose middle is called a probability


@frozen
class Estimate:
    """Bounds for signatures x values. `draws`: how many worlds the intervals rest on; 0: they are proved outright.

    The value is NaN where nothing but a wide interval is known.
    """

    value: Floats
    lower: Floats
    upper: Floats
    status: int
    draws: int


@frozen
class _Clusters:
    """Items of several kinds: which cluster each kind is in, and the clusters' weights for each kind of slot."""

    items: Int64s
    slots: Int64s
    weights: Floats
    cluster: Int64s
    sizes: Int64s
    largest: Floats
    loss: float


def proved_bounds(people: Int32s, copies: Int32s, priors: Floats) -> tuple[Floats, Floats]:
    """Lower and upper bounds for one group's own priors, signatures x values, if there is a world."""
    lower, upper = swap_floor(people, copies, priors), swap_bound(people, copies, priors)
    for a, row in enumerate(priors):
        alike = people[(priors == row).all(axis=1)].sum()
        upper[a] = np.minimum(upper[a], copies / alike)
    n, c = people[:, None].astype(float), copies[None, :].astype(float)
    slack = (priors.shape[0] + priors.shape[1] + 8) * n.sum() * 2.0**-52  # of the sums below
    for _ in range(3):
        lower = np.maximum(lower, 1 - (upper.sum(axis=1, keepdims=True) - upper) - slack)
        lower = np.maximum(lower, (c - ((n * upper).sum(axis=0, keepdims=True) - n * upper)) / n - slack)
        upper = np.minimum(upper, 1 - (lower.sum(axis=1, keepdims=True) - lower) + slack)
        upper = np.minimum(upper, (c - ((n * lower).sum(axis=0, keepdims=True) - n * lower)) / n + slack)
    return np.clip(np.where(priors == 0, 0.0, lower), 0.0, 1.0), np.clip(np.where(priors == 0, 0.0, upper), 0.0, 1.0)


def large_group(
    people: Int32s, copies: Int32s, priors: Floats, *,
    draws: int = 20_000, trials: int = 10_000_000, states: int = 1 << 20, seed: int = 0,
) -> Estimate:  # fmt: skip
    """Bounds for the full adversary, from drawn worlds; `priors` are the group's own, signatures x values.

    When `trials` attempts give too few worlds, the proved bounds remain, with status TOO_MANY, and a value only where
    they are close.
    """
    if np.isnan(priors).any():
        return _nothing(priors, UNKNOWN)
    size = int(people.sum())
    if size <= _MATCHED and not _has_world(people, copies, priors):
        return _nothing(priors, NO_WORLD)
    lower, upper = proved_bounds(people, copies, priors)
    sides = _both_sides(people, copies, priors, states)
    best = min(sides, key=lambda side: side[0].loss, default=None)
    if best is not None and best[0].loss < math.log(trials):
        clusters, turned = best
        seen, made = _draw_worlds(clusters, draws, trials, seed)
        if made.enough:
            part = (seen.T if turned else seen) / (people[:, None] * float(made.accepted))
            return Estimate(*made.narrow(part, lower, upper), OK, made.accepted)
    middle = np.where(upper - lower <= _NARROW, (lower + upper) / 2, np.nan)
    return Estimate(middle, lower, upper, TOO_MANY, 0)


def _has_world(people: Int32s, copies: Int32s, priors: Floats) -> bool:
    with work(int(people.sum()) ** 3):
        return bool(balance(people.astype(np.int64), copies.astype(np.int64), priors.copy()))


def _nothing(priors: Floats, status: int) -> Estimate:
    none = np.full(priors.shape, np.nan)
    return Estimate(none, none, none, status, 0)


def _both_sides(people: Int32s, copies: Int32s, priors: Floats, states: int) -> list[tuple[_Clusters, bool]]:
    """Clusters of people, or of values (turned), whichever can be had."""
    n, c = people.astype(np.int64), copies.astype(np.int64)
    even = _even_out(n, c, priors)
    sides = (_cluster(n, c, even, states), False), (_cluster(c, n, even.T.copy(), states), True)
    return [(clusters, turned) for clusters, turned in sides if clusters is not None]


def _even_out(n: Int64s, c: Int64s, priors: Floats) -> Floats:
    """Rows and columns scaled (which no posterior notices) until a cell is about its posterior / copies.

    How well that succeeds decides how often a drawn world survives, not whether it is right.
    """
    by_row, by_column = np.ones((len(n), 1)), np.ones((1, len(c)))
    for _ in range(100):
        even = priors * by_row * by_column
        total = (even * c[None, :]).sum(axis=1, keepdims=True)
        by_row = by_row / np.where(total > 0, total, 1.0)
        even = priors * by_row * by_column
        total = (even * n[:, None]).sum(axis=0, keepdims=True)
        by_column = by_column / np.where(total > 0, total, 1.0)
    scaled: Floats = priors * by_row * by_column
    return scaled


def _cluster(n: Int64s, c: Int64s, even: Floats, states: int) -> _Clusters | None:
    """Merge the pair that loses least for the states it saves until the rest fits. None: it cannot."""
    if len(n) > _KINDS:
        return None
    members = [[i] for i in range(len(n))]
    sizes = [int(count) for count in n]
    losses = [0.0 for _ in n]

    def loss_of(together: list[int]) -> float:
        rows = even[together]
        ratio = np.where(rows > 0, rows.max(axis=0) / np.where(rows > 0, rows, 1.0), 1.0)
        return float((n[together, None] * c[None, :] * rows * np.log(ratio)).sum())

    pairs: dict[tuple[int, int], float] = {}
    alive = list(range(len(n)))
    while math.prod(sizes[i] + 1 for i in alive) > states:
        if len(alive) == 1:
            return None
        for p, i in enumerate(alive):
            for j in alive[p + 1 :]:
                if (i, j) not in pairs:
                    saved = math.log((sizes[i] + 1) * (sizes[j] + 1) / (sizes[i] + sizes[j] + 1))
                    pairs[i, j] = (loss_of(members[i] + members[j]) - losses[i] - losses[j]) / saved
        i, j = min(pairs, key=lambda pair: pairs[pair])
        members.append(members[i] + members[j])
        sizes.append(sizes[i] + sizes[j])
        losses.append(loss_of(members[-1]))
        alive = [*(other for other in alive if other not in (i, j)), len(members) - 1]
        pairs = {pair: score for pair, score in pairs.items() if i not in pair and j not in pair}
    cluster = np.empty(len(n), np.int64)
    for number, i in enumerate(alive):
        cluster[members[i]] = number
    largest = np.array([even[members[i]].max(axis=0) for i in alive])
    # No weight above 1, as `matchings` wants; columns alone are scaled, so all worlds change alike.
    top = largest.max(axis=0)
    scale = 1.0 / np.where(top > 0, top, 1.0)
    return _Clusters(
        n, c, even * scale, cluster, np.array([sizes[i] for i in alive], np.int64), np.minimum(largest * scale, 1.0),
        sum(losses[i] for i in alive),
    )  # fmt: skip


def _draw_worlds(clusters: _Clusters, draws: int, trials: int, seed: int) -> tuple[Floats, Trials]:
    """How often each kind had each kind of slot in the worlds that survived, and how many did."""
    size = int(clusters.items.sum())
    slot = np.repeat(np.arange(len(clusters.slots)), clusters.slots)
    kind = np.repeat(np.arange(len(clusters.items)), clusters.items)
    order = np.argsort(clusters.cluster[kind], kind="stable")
    k = len(clusters.sizes)
    table = np.empty(math.prod(int(s) + 1 for s in clusters.sizes))
    seen = np.zeros((len(clusters.items), len(clusters.slots)))
    with work(k * (len(table) + draws * size)):
        accepted, tried = _draw(
            np.random.default_rng(seed), draws, trials, clusters.sizes, clusters.slots, slot, kind[order],
            clusters.weights, clusters.largest, table, seen,
        )  # fmt: skip
    return seen, Trials(int(accepted), int(tried), size * (k * k + 5 * k + 2 * size + 16))


@kernel()
def _draw(rng, draws, trials, sizes, slots, slot, kind, weights, largest, back, seen):  # type: ignore[no-untyped-def]
    """`kind` of each item, cluster by cluster; those still free are kept at the front of their cluster."""
    k, people = len(sizes), len(slot)
    q, stride, used = np.empty(people * k), np.empty(k, np.int64), np.empty(k, np.int64)
    fill_steps(sizes, slots, largest, False, people, q)
    walk_back(sizes, people, q, back, stride, used)
    if not back[0] >= LEAST:
        return 0, 1
    start = np.zeros(k, np.int64)
    for i in range(1, k):
        start[i] = start[i - 1] + sizes[i - 1]
    free, holder = np.empty(k, np.int64), np.empty(people, np.int64)
    accepted = tried = 0
    while tried < trials and accepted < draws:
        tried += 1
        for i in range(k):
            free[i] = sizes[i]
        u = t = 0
        while t < people:
            left = rng.random() * back[u]
            chosen = -1
            for i in range(k):
                if free[i] > 0:
                    w = free[i] * q[t * k + i] * back[u + stride[i]]
                    if w > 0.0:
                        chosen = i
                        left -= w
                        if left < 0.0:
                            break
            place = start[chosen] + min(np.int64(rng.random() * free[chosen]), free[chosen] - 1)
            one = kind[place]
            if rng.random() * largest[chosen, slot[t]] >= weights[one, slot[t]]:
                break
            free[chosen] -= 1
            last = start[chosen] + free[chosen]
            kind[place], kind[last] = kind[last], one
            holder[t] = one
            u += stride[chosen]
            t += 1
        if t == people:
            accepted += 1
            for t in range(people):
                seen[holder[t], slot[t]] += 1.0
    return accepted, tried
