"""m-invariance (Xiao & Tao 2007): everybody stays under one signature of at least m values, each once in a group."""

from __future__ import annotations

import numpy as np

from deniable.publish.again.assignment import assign
from deniable.publish.again.releases import Grouping, History, Table, check
from deniable.publish.again.units import grouping, halved


def m_invariance(table: Table, history: History, m: int, *, cover: int = 0) -> Grouping:
    """Groups with each value of their signature once; `cover` counterfeits may place newcomers of frequent values."""
    check(table, history.signatures, m)
    buckets = assign(table, history, m, 1, cover)
    units = halved(table, buckets)
    return grouping(table, buckets, units, np.arange(len(units.signature)))
