"""A history of groups as a forest, and its people as arcs in it.

A state is a group with as many people as values, so that it says exactly how many of its people have each value. It is
an arc of the forest, from the node where it starts to the node where the state that follows it starts, or to the root
of its tree. Each state is followed by one at most, several may be followed by the same one (groups merge). Whoever is
in consecutive states is an arc, too: from where they enter to where they leave.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel, work
from deniable.worlds.arrays import Bools, Int64s, Integers, offsets
from deniable.worlds.components import components
from deniable.worlds.history.histories import History

_HEAVY = 2  # steps for each seat


class Forest(NamedTuple):
    """Each stretch of consecutive states of a person is an arc; the arcs of tree t are at starts[t]:starts[t + 1].

    The nodes of a tree are 0..nodes[t]-1, and 0 is its root; the state from node i leads to into[node_starts[t] + i],
    which is less than i. `apart` people are in states only, and each of their arcs is in another tree; those who have
    one arc are `single`.
    """

    starts: Int64s
    nodes: Int64s
    node_starts: Int64s
    into: Int64s
    person: Int64s
    tail: Int64s
    head: Int64s
    apart: Bools
    single: Bools


def forest(history: History) -> Forest:
    """A state is followed by the first one that has some of its people for whom it was the last."""
    is_state = np.diff(history.member_offsets) == np.diff(history.value_offsets)
    order = np.argsort(history.release, kind="stable")
    with work(_HEAVY * len(history.members)):
        after, stretches, found, current, only = _stretches(
            order, history.member_offsets, history.members, is_state, history.people
        )
        (person, first, last), apart = stretches[:, :found], only & (current >= 0)
        tree, node, nodes, trees = _trees(order, is_state, after)
    nodes = nodes[:trees]
    follows = after[last]
    head = np.where(follows < 0, 0, node[follows])
    by_tree = np.argsort(tree[first], kind="stable")
    starts = offsets(np.bincount(tree[first], minlength=len(nodes)))
    node_starts = offsets(nodes)
    into = np.zeros(node_starts[-1], np.int64)
    into[node_starts[tree[is_state]] + node[is_state]] = np.where(after < 0, 0, node[after])[is_state]
    many = np.bincount(person, minlength=history.people)
    twice = np.flatnonzero(many[person] > 1)
    twice = twice[np.lexsort((tree[first[twice]], person[twice]))]
    again = (np.diff(person[twice]) == 0) & (np.diff(tree[first[twice]]) == 0)
    apart[person[twice[1:]][again]] = False
    single = apart & (many == 1)
    return Forest(starts, nodes, node_starts, into, person[by_tree], node[first][by_tree], head[by_tree], apart, single)


@kernel()
def _stretches(order, member_offsets, members, is_state, people):  # type: ignore[no-untyped-def]
    """What follows each state; rows of the person, first and last state of each stretch, and how many there are.

    And everybody's last stretch, and who is in no group that is no state.
    """
    after, current, only = np.empty(len(is_state), np.int64), np.empty(people, np.int64), np.empty(people, np.bool_)
    for g in range(len(is_state)):
        after[g] = -1
    for p in range(people):
        current[p], only[p] = -1, True
    stretches = np.zeros((3, len(members)), np.int64)
    person, first, last = stretches[0], stretches[1], stretches[2]
    found = 0
    for g in order:
        for i in range(member_offsets[g], member_offsets[g + 1]):
            p = members[i]
            if not is_state[g]:
                only[p] = False
                continue
            s = current[p]
            if s >= 0 and after[last[s]] < 0:
                after[last[s]] = g
            if s >= 0 and after[last[s]] == g:
                last[s] = g
                continue
            current[p] = found
            person[found], first[found], last[found] = p, g, g
            found += 1
    return after, stretches, found, current, only


@kernel()
def _trees(order, is_state, after):  # type: ignore[no-untyped-def]
    """The tree of each state and the node where it starts; how many nodes each tree has, and how many are trees."""
    tree, node = np.empty(len(after), np.int64), np.zeros(len(after), np.int64)
    nodes, trees = np.zeros(len(after), np.int64), 0
    for i in range(len(order) - 1, -1, -1):
        g = order[i]
        if not is_state[g]:
            tree[g] = -1
            continue
        if after[g] < 0:
            tree[g] = trees
            nodes[trees] = 1
            trees += 1
        else:
            tree[g] = tree[after[g]]
        node[g] = nodes[tree[g]]
        nodes[tree[g]] += 1
    return tree, node, nodes, trees


def kinds_of_trees(arcs: Forest, value: Int64s) -> tuple[Int64s, Int64s, Int64s]:
    """The different values of each tree's people, in rising order, and where they start; where each arc's is there."""
    tree = np.repeat(np.arange(len(arcs.nodes)), np.diff(arcs.starts))
    order = np.lexsort((value, tree))
    fresh = np.ones(len(value), np.bool_)
    fresh[1:] = (np.diff(tree[order]) != 0) | (np.diff(value[order]) != 0)
    starts = offsets(np.bincount(tree[order][fresh], minlength=len(arcs.nodes)))
    place = np.empty(len(value), np.int64)
    place[order] = np.cumsum(fresh) - 1 - starts[tree[order]]
    return value[order][fresh], starts, place


def connected(history: History, people: Integers) -> Bools:
    """Who shares groups with these people, directly or by others who do."""
    with work(_HEAVY * (len(history.members) + history.people)):
        part = components(history.member_offsets, history.members, history.people)
    there = np.zeros(history.people, np.bool_)
    there[part[people]] = True
    return np.asarray(there[part])
