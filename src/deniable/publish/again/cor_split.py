"""Cor-Split (Riboni & Bettini, Figure 4): m-invariance's buckets, cut by Cor-Partition into hc-safe groups.

Groups have each value of their signature equally often (weak m-uniqueness) and are hc-safe of degree n against every
earlier release: (m, n)-historical safety. That is no safety from somebody who uses all releases at once
(docs/theory/history.md, "Pairwise safety is not safety").
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import in_pieces, work
from deniable.publish.again.algorithm import Before, Made, Wanted
from deniable.publish.again.assignment import assign
from deniable.publish.again.cor_partition import cor_partition
from deniable.publish.again.releases import Grouping, Memberships, Table, check, coordinates, steps
from deniable.publish.again.units import grouping, halved, segments

_ROUNDS = 3  # the least that Cor-Split fills an old bucket to if newcomers can: what is alone cannot exchange


def cor_split(table: Table, before: Memberships, m: int, n: int, *, cover: int = 0) -> Grouping:
    """Groups with each value of their signature equally often, hc-safe of degree n against every earlier release."""
    check(table, before.signatures, m)
    if not 1 <= n < m:
        raise ValueError(f"The 'n' parameter must be an int in [1, {m - 1}], less than m. Got {n} instead.")
    with work(steps(table) * (2 if before.releases else 1)):
        buckets = assign(table, before, m, _ROUNDS, cover)
        units = halved(table, buckets)
        links = np.arange(len(units.signature))
        if before.releases and len(links):
            who = np.where(table.person < before.people, table.person, -1)
            codes, scale = coordinates(table)
            parts = segments(units, buckets)
            in_pieces(cor_partition, len(parts), parts, units.slots, who, codes, scale, n, before.groups, links)
    return grouping(table, buckets, units, links)


def next_release(table: Table, before: Before, wanted: Wanted) -> Made:
    """What the algorithm's record runs."""
    assert wanted.n is not None
    return Made(cor_split(table, before.memberships(), wanted.m, wanted.n, cover=wanted.cover))
