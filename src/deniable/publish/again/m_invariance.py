"""m-invariance (Xiao & Tao 2007): everybody stays under one signature of at least m values.

Groups are m-unique: each has every value of its signature once.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import work
from deniable.publish.again.algorithm import Before, Made, Wanted
from deniable.publish.again.assignment import assign
from deniable.publish.again.releases import Grouping, Memberships, Table, check, steps
from deniable.publish.again.units import grouping, halved


def m_invariance(table: Table, before: Memberships, m: int, *, cover: int = 0) -> Grouping:
    """Groups with each value of their signature once; `cover` counterfeits may place newcomers of frequent values."""
    check(table, before.signatures, m)
    with work(steps(table)):
        buckets = assign(table, before, m, 1, cover)
        units = halved(table, buckets)
    return grouping(table, buckets, units, np.arange(len(units.signature)))


def next_release(table: Table, before: Before, wanted: Wanted) -> Made:
    """What the algorithm's record runs."""
    return Made(m_invariance(table, before.memberships(), wanted.m, cover=wanted.cover))
