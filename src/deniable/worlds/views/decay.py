"""Certified intervals for formulas of any shape, by *correlation decay* (Liu & Lu 2015), compiled.

For a variable x let R = Z(x=0)/Z(x=1), so P(x=1) = 1/(1+R). With c_1..c_d the clauses of x:
    R_x = prod_i (1 - prod_j R_ij / (1 + R_ij)),
j over the other variables of c_i, R_ij the ratio of y_j where x and y_1..y_(j-1) are 0, the
clauses c_i..c_d are removed and c_1..c_(i-1) are kept. R is in [0,1] and falls when any R_ij
rises; so an interval for each R_ij gives one for R_x. A clause with n other variables that is
not looked into (the budget is spent, or not all its members are listed) has an inner product
in [0, 2^-n], since no R_ij exceeds 1. Stepping into a clause costs as much budget as it has
variables, because it damps what lies behind it by about as many halvings: correlations decay
with distance (docs/theory/many-views.md, "Why the recursion's interval is rigorous").
"""

from __future__ import annotations

import math

import numpy as np

from deniable import kernels
from deniable.frozen import frozen
from deniable.kernels import kernel
from deniable.worlds.arrays import Int32s, Int64s

_UP = 1.0 + 2.0**-50
_DOWN = 1.0 - 2.0**-50
_DEPTH = 600  # a step costs at least one of the budget
_HEAVY = 5  # a step of the recursion beside one of an ordinary loop
_BUDGETS = (8, 16, 24, 32, 48, 64, 96, 128, 256, 512)


@kernel()
def _enter(x, depth, of, dead, removed, live):  # type: ignore[no-untyped-def]
    dead[x] = depth
    for clause in of[x]:
        live[clause] -= 1
        removed[clause] += 1


@kernel()
def _set_zero(x, depth, of, dead, live):  # type: ignore[no-untyped-def]
    dead[x] = depth
    for clause in of[x]:
        live[clause] -= 1


@kernel()
def _set_free(x, of, dead, live):  # type: ignore[no-untyped-def]
    dead[x] = 0
    for clause in of[x]:
        live[clause] += 1


@kernel()
def _ratio(x, budget, of, in_offsets, inside, full, dead, removed, live, work, frames, numbers):  # type: ignore[no-untyped-def]
    """An interval for R_x under the present zeros (`dead`) and removed clauses.

    The recursion on a stack of its own. `live[c]` counts the variables of clause c that are
    not 0, listed or not; dead[y] is the depth at which y was set to 0. A frame is (variable,
    budget, which of its clauses, place in it or -1, budget behind it) and the numbers (low,
    high) of the product so far and (low, high) of the clause's inner product.
    """
    top = 0
    frames[0, 0], frames[0, 1], frames[0, 2], frames[0, 3] = x, budget, 0, -1
    numbers[0, 0] = numbers[0, 1] = 1.0
    _enter(x, 2, of, dead, removed, live)
    work[0] -= 1
    while True:
        x, place = frames[top, 0], frames[top, 2]
        if place == of.shape[1]:  # every clause of x has been looked at
            _set_free(x, of, dead, live)
            low, high = numbers[top, 0], min(1.0, numbers[top, 1])
            if top == 0:
                return low, high
            top -= 1
            y = inside[frames[top, 3]]
            numbers[top, 2] *= low / (1.0 + low) * _DOWN
            numbers[top, 3] *= min(0.5, high / (1.0 + high) * _UP)
            _set_zero(y, top + 3, of, dead, live)
            frames[top, 3] += 1
            continue
        clause = of[x, place]
        inner_low, inner_high = 0.0, 1.0
        if frames[top, 3] < 0:
            others = live[clause]
            inner_high = 2.0 ** -float(min(others, 1000))
            if removed[clause] > 1:  # removed further up: it says nothing here
                inner_low = inner_high = 0.0
            elif others == 0:
                inner_low = 1.0
            elif full[clause] == 1 and others <= frames[top, 1] and work[0] > 0 and top + 1 < len(frames):
                frames[top, 3], frames[top, 4] = in_offsets[clause], frames[top, 1] - others
                numbers[top, 2] = numbers[top, 3] = 1.0
        if frames[top, 3] >= 0:
            at, stop = frames[top, 3], in_offsets[clause + 1]
            if numbers[top, 3] < 1e-18:  # the rest cannot change the interval
                numbers[top, 2] = 0.0
                at = stop
            while at < stop and dead[inside[at]] != 0:
                at += 1
            if at < stop:
                frames[top, 3] = at
                top += 1
                frames[top, 0], frames[top, 1] = inside[at], frames[top - 1, 4]
                frames[top, 2], frames[top, 3] = 0, -1
                numbers[top, 0] = numbers[top, 1] = 1.0
                _enter(inside[at], top + 2, of, dead, removed, live)
                work[0] -= 1
                continue
            for j in range(in_offsets[clause], stop):
                if dead[inside[j]] == top + 3:
                    _set_free(inside[j], of, dead, live)
            inner_low, inner_high = numbers[top, 2], numbers[top, 3]
        numbers[top, 0] *= max(0.0, 1.0 - inner_high) * _DOWN
        numbers[top, 1] *= min(1.0, (1.0 - inner_low) * _UP)
        removed[clause] -= 1
        frames[top, 2], frames[top, 3] = place + 1, -1


@kernel()
def _all_zero(  # type: ignore[no-untyped-def]
    asked, zero, without, budget, of, in_offsets, inside, full, dead, removed, live, frames, numbers, work
):
    """log2 of an interval for P(asked all 0 | zero all 0), with some clauses left out.

    Leaves the state as it found it.
    """
    for clause in without:
        removed[clause] += 1
    for x in zero:
        _set_zero(x, 1, of, dead, live)
    low, high = 0.0, 0.0
    done = 0
    for x in asked:
        r_low, r_high = _ratio(x, budget, of, in_offsets, inside, full, dead, removed, live, work, frames, numbers)
        low += math.log2(r_low / (1.0 + r_low) * _DOWN) if r_low > 0.0 else -np.inf
        high += min(-1.0, math.log2(r_high / (1.0 + r_high) * _UP)) if r_high > 0.0 else -np.inf
        if high == -np.inf:
            break
        _set_zero(x, 1, of, dead, live)
        done += 1
    for i in range(done):
        _set_free(asked[i], of, dead, live)
    for x in zero:
        _set_free(x, of, dead, live)
    for clause in without:
        removed[clause] -= 1
    return low, high


@frozen
class Graph:
    """Listed variables and all clauses: of[x] are the clauses of x, one per view;
    inside[in_offsets[c]:in_offsets[c+1]] the listed variables of c, sizes[c] how many it has."""

    of: Int64s
    in_offsets: Int64s
    inside: Int64s
    sizes: Int32s

    @property
    def full(self) -> Int32s:
        """1 for each clause whose members are all listed."""
        full: Int32s = (np.diff(self.in_offsets) == self.sizes).astype(np.int32)
        return full

    def members(self, clause: int) -> Int64s:
        """The listed variables of a clause."""
        return self.inside[self.in_offsets[clause] : self.in_offsets[clause + 1]]


class Solver:
    """The recursion over one graph. Holds the state that it changes and restores; one per thread.

    How long it takes is known only afterwards: what it has spent so far says whether the rest is compiled.
    """

    def __init__(self, graph: Graph, tolerance: float, work: int) -> None:
        self.graph, self.tolerance, self.work = graph, tolerance, work
        self._full, self._spent = graph.full, 0
        self._state = (
            np.zeros(len(graph.of), np.int32),
            np.zeros(len(graph.sizes), np.int32),
            graph.sizes.copy(),
            np.zeros((_DEPTH, 5), np.int64),
            np.zeros((_DEPTH, 4)),
        )

    def all_zero(self, asked: Int64s, zero: Int64s, without: Int64s, budget: int) -> tuple[float, float]:
        """log2 of an interval for P(asked all 0 | zero all 0)."""
        graph = self.graph
        work = np.array([self.work], np.int64)
        with kernels.work(_HEAVY * self._spent):
            low, high = _all_zero(
                asked, zero, without, budget, graph.of, graph.in_offsets, graph.inside, self._full, *self._state, work
            )
        self._spent += self.work - int(work[0])
        slack = (len(asked) + 1) * 2.0**-45  # of the logarithms and their sum
        return low - slack, min(0.0, high + slack)

    def unrestricted(self, asked: Int64s) -> tuple[float, float]:
        """An interval for P(some asked variable is 1)."""
        low, high = 0.0, 1.0
        for budget in _BUDGETS:
            zero_low, zero_high = self.all_zero(asked, _NONE, _NONE, budget)
            if zero_high == -math.inf:
                return 1.0, 1.0
            low = max(low, -math.expm1(zero_high * math.log(2.0)) - 2.0**-50)
            high = min(high, -math.expm1(zero_low * math.log(2.0)) + 2.0**-50)
            if high - low <= self.tolerance:
                break
        return max(0.0, low), min(1.0, high)

    def restricted(self, own: Int64s, values: Int64s, id_clauses: Int64s) -> dict[int, tuple[float, float]] | None:
        """Intervals for each of the person's values, among worlds with one value; None: no world.

        A clause that holds only the person's own variables must keep one of them, so a value
        is possible only if it has a variable in each such clause. `own` must be all of them.
        """
        mine = self._own_clauses(own)
        everything = set(values.tolist())
        kept = [set(values[np.isin(own, self.graph.members(c))].tolist()) for c in mine]
        possible = everything.intersection(*kept)
        answers = dict.fromkeys(everything, (0.0, 0.0))
        if not possible:
            return None
        if len(possible) == 1:
            return answers | {possible.pop(): (1.0, 1.0)}
        plain = len(id_clauses) == 1 and all(len(self.graph.members(c)) == len(own) for c in mine)
        shares: dict[int, tuple[float, float]] | None = None
        for budget in _BUDGETS:
            weigh = self._by_having if plain else self._by_lacking
            logs = {v: weigh(own, values, v, possible, mine, budget) for v in possible}
            shares = _shares(logs)
            if shares is None:
                return None
            if max(high - low for low, high in shares.values()) <= self.tolerance:
                break
        return answers | (shares or {})

    def _own_clauses(self, own: Int64s) -> list[int]:
        touched, times = np.unique(self.graph.of[own], return_counts=True)
        return [int(c) for c in touched[times == self.graph.sizes[touched]]]

    def _by_having(
        self, own: Int64s, values: Int64s, v: int, _possible: set[int], mine: list[int], budget: int
    ) -> tuple[float, float]:
        """log2 weight of v when the own clauses only say that the person has something: let
        rho = P(A_v = 0 | the person's others 0) without those clauses; weights are as 1/rho - 1."""
        asked, zero = own[values == v], own[values != v]
        low, high = self.all_zero(asked, zero, np.array(mine, np.int64), budget)
        return _less_one(-high), _less_one(-low)

    def _by_lacking(
        self, own: Int64s, values: Int64s, v: int, possible: set[int], _mine: list[int], budget: int
    ) -> tuple[float, float]:
        """log2 weight of v: P(the other possible values are all absent), given that the
        impossible ones are."""
        can = np.isin(values, sorted(possible))
        return self.all_zero(own[can & (values != v)], own[~can], _NONE, budget)


_NONE = np.zeros(0, np.int64)


def _less_one(log: float) -> float:
    """log2(2^log - 1), rounded by less than the slack that callers carry."""
    if log > 60:
        return log
    rest = math.expm1(log * math.log(2.0))
    return math.log2(rest) if rest > 0 else -math.inf


def _shares(logs: dict[int, tuple[float, float]]) -> dict[int, tuple[float, float]] | None:
    """Each weight's share of the sum, from intervals of log2 weights; None when all are 0."""
    top = max(high for _, high in logs.values())
    if top == -math.inf:
        return None
    if top == math.inf:
        return dict.fromkeys(logs, (0.0, 1.0))
    low = {v: 2.0 ** max(lo - top, -1070.0) if lo > -math.inf else 0.0 for v, (lo, _) in logs.items()}
    high = {v: 2.0 ** max(hi - top, -1070.0) if hi > -math.inf else 0.0 for v, (_, hi) in logs.items()}
    shares = {}
    for v in logs:
        others_low = sum(weight for u, weight in low.items() if u != v)
        others_high = sum(weight for u, weight in high.items() if u != v)
        below = low[v] / (low[v] + others_high) if low[v] else 0.0
        above = high[v] / (high[v] + others_low) if high[v] else 0.0
        shares[v] = (max(0.0, below * (1 - 1e-11)), min(1.0, above * (1 + 1e-11)))
    return shares
