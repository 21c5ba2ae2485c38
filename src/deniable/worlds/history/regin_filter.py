"""Regin's filter: which values the members of one group can have when counts of values are bounded.

Give each of n members one value of their own mask so that value v is given low[v] to high[v] times: a flow. From one
such flow, a member at u can also take v iff the residual graph has a path from v back to u (Regin, AAAI 1996).
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel

LOCAL = 63  # different values in one filter; one more bit is for the node that bounds are exchanged through


@kernel()
def _shift(goal, parent, n, at, masks, taken):  # type: ignore[no-untyped-def]
    """Move one member along each step of the path that ends at `goal`; returns where the path starts."""
    v = goal
    while parent[v] >= 0:
        u = parent[v]
        for i in range(n):
            if at[i] == u and (masks[i] >> np.uint64(v)) & np.uint64(1):
                at[i] = v
                break
        taken[v] += 1
        taken[u] -= 1
        v = u
    return v


@kernel()
def _path(sources, goals, n, k, at, masks, parent, queue):  # type: ignore[no-untyped-def]
    """Breadth first from some values to one of the goals, a step being a member who could move on; -1: none."""
    one = np.uint64(1)
    seen, last = np.uint64(0), 0
    for v in range(k):
        if (sources >> np.uint64(v)) & one:
            parent[v] = -1
            seen |= one << np.uint64(v)
            queue[last] = v
            last += 1
    first = 0
    while first < last:
        v = queue[first]
        first += 1
        if (goals >> np.uint64(v)) & one:
            return v
        fresh = np.uint64(0)
        for i in range(n):
            if at[i] == v:
                fresh |= masks[i]
        fresh &= ~seen
        seen |= fresh
        for w in range(k):
            if (fresh >> np.uint64(w)) & one:
                parent[w] = v
                queue[last] = w
                last += 1
    return -1


@kernel()
def _raise(n, k, masks, low, at, taken, parent, queue):  # type: ignore[no-untyped-def]
    """Bring values that are had too seldom up to their lower bounds; False if that cannot be."""
    one = np.uint64(1)
    for v in range(k):
        while taken[v] < low[v]:
            sources = np.uint64(0)
            for w in range(k):
                if taken[w] > low[w]:
                    sources |= one << np.uint64(w)
            end = _path(sources, one << np.uint64(v), n, k, at, masks, parent, queue)
            if end < 0:
                return False
            _shift(end, parent, n, at, masks, taken)
    return True


@kernel()
def _place(n, k, masks, low, high, at, taken, parent, queue):  # type: ignore[no-untyped-def]
    """Give every member a value within the bounds, by augmenting paths; False if that cannot be."""
    one = np.uint64(1)
    for v in range(k):
        taken[v] = 0
    for i in range(n):
        at[i] = -1
    for i in range(n):
        for v in range(k):
            if taken[v] < high[v] and (masks[i] >> np.uint64(v)) & one:
                at[i] = v
                taken[v] += 1
                break
        if at[i] >= 0:
            continue
        goals = np.uint64(0)
        for v in range(k):
            if taken[v] < high[v]:
                goals |= one << np.uint64(v)
        end = _path(masks[i], goals, n, k, at, masks, parent, queue)
        if end < 0:
            return False
        start = _shift(end, parent, n, at, masks, taken)
        at[i] = start
        taken[start] += 1
    return _raise(n, k, masks, low, at, taken, parent, queue)


@kernel()
def narrow(n, k, masks, low, high, at, taken, into, queue):  # type: ignore[no-untyped-def]
    """Keep in masks[:n] what some assignment has that gives value v to low[v]..high[v] members; False: none does.

    A member at u may take v instead iff the residual graph leads from v back to u: along members who can move on,
    and through a last node for values that may be had once less or once more.
    """
    if not _place(n, k, masks, low, high, at, taken, into, queue):
        return False
    one, reach = np.uint64(1), np.zeros(k + 1, np.uint64)  # reach[u]: nodes that lead to u
    for v in range(k):
        reach[v] |= one << np.uint64(v)
        if taken[v] < high[v]:
            reach[k] |= one << np.uint64(v)
        if taken[v] > low[v]:
            reach[v] |= one << np.uint64(k)
    for i in range(n):
        bit, mask = one << np.uint64(at[i]), masks[i]
        for w in range(k):
            if (mask >> np.uint64(w)) & one:
                reach[w] |= bit
    for m in range(k + 1):
        for v in range(k + 1):
            if (reach[v] >> np.uint64(m)) & one:
                reach[v] |= reach[m]
    for i in range(n):
        masks[i] &= reach[at[i]]
    return True
