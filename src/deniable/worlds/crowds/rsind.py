"""A partition of people into cliques of the CSIND graph whose smallest is as large as can be.

k-RSIND holds when the graph on (class, current value) types has a partition into cliques of at
least k people (Yao et al. 2005, section 3.2; finding the best is NP-hard). Types that no other
type tells apart are merged, and every type's people may be spread over several cliques. Each
connected part is settled by itself: a clique at once, others greedily, small ones by CP-SAT.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import work
from deniable.worlds.arrays import Bools, Int64s, different, offsets
from deniable.worlds.components import components

SMALL = 60  # types that the solver is asked about
TRIES = 24  # sizes that the greedy search aims at


@frozen
class Cliques:
    """Which clique how many people of each type are in, and between what the best k lies."""

    type: Int64s
    clique: Int64s
    people: Int64s
    k: int
    at_most: int  # no partition has a larger smallest clique


@dataclass
class _Partition:
    """Cliques under construction: how many people of which node each has."""

    members: list[dict[int, int]] = field(default_factory=list)

    def sizes(self) -> list[int]:
        return [sum(clique.values()) for clique in self.members]

    @property
    def k(self) -> int:
        return min(self.sizes(), default=0)


def partition(linked: Bools, people: Int64s, seconds: float) -> Cliques:
    """The best partition that was found; `k == at_most` when it is proved to be the best."""
    deadline = time.monotonic() + seconds
    rows = np.ascontiguousarray(linked).view(np.dtype((np.void, linked.shape[1]))).reshape(-1)
    _, first, node = np.unique(rows, return_index=True, return_inverse=True)
    graph = linked[np.ix_(first, first)]
    weight = np.bincount(node, people).astype(np.int64)
    whole, at_most = _Partition(), int(people.sum())
    for part in _parts(graph):
        found, bound = _settle(graph[np.ix_(part, part)], weight[part], deadline)
        whole.members += [{int(part[n]): count for n, count in clique.items()} for clique in found.members]
        at_most = min(at_most, bound)
    return _spread(whole, node, people, at_most)


def _spread(found: _Partition, node: Int64s, people: Int64s, at_most: int) -> Cliques:
    """From nodes back to the types that were merged into them."""
    left = people.copy()
    rows: list[tuple[int, int, int]] = []
    for clique, members in enumerate(found.members):
        for n, wanted in members.items():
            missing = wanted
            for t in np.flatnonzero((node == n) & (left > 0)).tolist():
                taken = min(missing, int(left[t]))
                if taken:
                    rows.append((t, clique, taken))
                left[t] -= taken
                missing -= taken
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    return Cliques(columns[0], columns[1], columns[2], found.k, max(at_most, found.k))


def _parts(graph: Bools) -> list[Int64s]:
    """The connected parts of a graph."""
    with work(graph.size):
        label = components(offsets(graph.sum(axis=1)), np.nonzero(graph)[1], len(graph))
    return [np.flatnonzero(label == least) for least in different(label)]


def _settle(graph: Bools, weight: Int64s, deadline: float) -> tuple[_Partition, int]:
    """One connected part: its partition, and a size that its smallest clique cannot pass."""
    if np.all(graph):
        return _Partition([{n: int(w) for n, w in enumerate(weight)}]), int(weight.sum())
    reach = graph @ weight  # nobody's clique is larger than everybody they are linked to
    at_most = min(int(reach.min()), int(weight.sum()) // 2)  # and it takes two cliques at least
    best = _greedy(graph, weight, 1)
    for aim in _aims(best.k + 1, at_most):
        tried = _greedy(graph, weight, aim)
        best = tried if tried.k > best.k else best
    if best.k < at_most and len(weight) <= SMALL:
        return _solve(graph, weight, best, at_most, deadline)
    return best, at_most


def _aims(low: int, high: int) -> list[int]:
    """A few sizes to aim at, the largest first."""
    if low > high:
        return []
    return sorted({round(x) for x in np.linspace(low, high, TRIES)}, reverse=True)


def _greedy(graph: Bools, weight: Int64s, aim: int) -> _Partition:
    """Grow cliques of at least `aim` people around those with the fewest links; then help the small ones."""
    free = np.ones(len(weight), np.bool_)
    reach = graph @ weight
    found = _Partition()
    while np.any(free):
        seed = int(np.flatnonzero(free)[np.argmin(reach[free])])
        clique, common = [seed], graph[seed] & free
        common[seed] = free[seed] = False
        size = int(weight[seed])
        while np.any(common) and (size < aim or aim == 1):
            options = np.flatnonzero(common)
            joint = graph[np.ix_(options, options)] @ weight[options]
            chosen = int(options[np.argmax(joint)])
            clique.append(chosen)
            size += int(weight[chosen])
            free[chosen] = False
            common &= graph[chosen]
            common[chosen] = False
        found.members.append({n: int(weight[n]) for n in clique})
    return _helped(graph, found, aim)


def _helped(graph: Bools, found: _Partition, aim: int) -> _Partition:
    """Small cliques dissolve into others that take all their members, or borrow from those with some to spare."""
    for clique in sorted(found.members, key=lambda members: sum(members.values())):
        others = [other for other in found.members if other is not clique and other]
        if sum(clique.values()) >= aim:
            continue
        homes = {n: [o for o in others if all(graph[n, other] for other in o)] for n in clique}
        if all(homes.values()):
            for n, count in clique.items():
                home = min(homes[n], key=lambda members: sum(members.values()))
                if all(graph[n, other] for other in home):
                    home[n] = home.get(n, 0) + count
                    clique[n] = 0
        for n in [n for n, count in clique.items() if count == 0]:
            del clique[n]
        if clique:
            _borrow(graph, clique, others, aim)
    return _Partition([clique for clique in found.members if clique])


def _borrow(graph: Bools, clique: dict[int, int], others: list[dict[int, int]], aim: int) -> None:
    for other in others:
        for n in list(other):
            spare = min(sum(other.values()) - aim, other[n], aim - sum(clique.values()))
            if spare > 0 and all(graph[n, member] for member in clique):
                clique[n] = clique.get(n, 0) + spare
                other[n] -= spare
                if not other[n]:
                    del other[n]


def _solve(graph: Bools, weight: Int64s, best: _Partition, at_most: int, deadline: float) -> tuple[_Partition, int]:
    """Ask CP-SAT for a better partition, or for the proof that there is none.

    More cliques than nodes are never needed: a partition with the fewest (node, clique) pairs
    makes a forest of nodes and cliques, in which a clique of one node is that node's only one.
    """
    from ortools.sat.python import cp_model

    total, nodes = int(weight.sum()), len(weight)
    model = cp_model.CpModel()
    k = model.new_int_var(best.k + 1, at_most, "k")
    slots = range(min(nodes, total // (best.k + 1)))
    count = {(n, s): model.new_int_var(0, int(weight[n]), "") for n in range(nodes) for s in slots}
    inside = {key: model.new_bool_var("") for key in count}
    used = [model.new_bool_var("") for _ in slots]
    for (n, s), variable in count.items():
        model.add(variable == 0).only_enforce_if(~inside[n, s])
        model.add_implication(inside[n, s], used[s])
    for n in range(nodes):
        model.add(sum(count[n, s] for s in slots) == int(weight[n]))
    for s in slots:
        model.add(sum(count[n, s] for n in range(nodes)) >= k).only_enforce_if(used[s])
        if s:
            model.add_implication(used[s], used[s - 1])
        for n, m in zip(*np.nonzero(~np.triu(graph) & np.triu(np.ones_like(graph), 1)), strict=True):
            model.add_bool_or(~inside[int(n), s], ~inside[int(m), s])
    model.maximize(k)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = max(0.01, deadline - time.monotonic())
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return best, best.k
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return best, at_most
    members = [{n: solver.value(count[n, s]) for n in range(nodes) if solver.value(count[n, s])} for s in slots]
    return _Partition([clique for clique in members if clique]), int(solver.best_objective_bound)
