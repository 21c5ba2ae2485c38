"""The next release of a table whose people come and go: m-invariance and Cor-Split.

m-invariance (Xiao & Tao 2007): everybody stays under one signature of at least m values, each once in a group.
Cor-Split (Riboni & Bettini, Figure 4): the same buckets, groups with each value equally often, hc-safe of degree n
against every earlier release. Pairwise safety is not safety from someone who uses all releases at once (theory 4).
"""

from __future__ import annotations

import numpy as np

from deniable.publish.history.assign import assign
from deniable.publish.history.mend import mend
from deniable.publish.history.past import Grouping, History, Table, check, coordinates
from deniable.publish.history.units import grouping, halved, segments

_ROUNDS = 3  # the least that Cor-Split fills an old bucket to if newcomers can: what is alone cannot exchange


def m_invariance(table: Table, history: History, m: int, *, cover: int = 0) -> Grouping:
    """Groups with each value of their signature once; `cover` counterfeits may place newcomers of frequent values."""
    check(table, history.signatures, m)
    buckets = assign(table, history, m, 1, cover)
    units = halved(table, buckets)
    return grouping(table, buckets, units, np.arange(len(units.signature)))


def cor_split(table: Table, history: History, m: int, n: int, *, cover: int = 0) -> Grouping:
    """Groups with each value of their signature equally often, hc-safe of degree n against every earlier release."""
    check(table, history.signatures, m)
    if not 1 <= n < m:
        raise ValueError(f"The 'n' parameter must be an int in [1, {m - 1}], less than m. Got {n} instead.")
    buckets = assign(table, history, m, _ROUNDS, cover)
    units = halved(table, buckets)
    links = np.arange(len(units.signature))
    if history.releases and len(links):
        who = np.where(table.person < history.people, table.person, -1)
        codes, scale = coordinates(table)
        mend(segments(units, buckets), units.slots, who, codes, scale, n, history.groups, links)
    return grouping(table, buckets, units, links)
