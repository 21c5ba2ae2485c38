"""COUNT queries answered from a bucketized release, and from the table itself, compiled.

A query allows some codes of each column. The release tells who is in a group and which values the group
has, but not who has which: it expects, for each person who matches, the share of the group's values that
match.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel


@kernel()
def _matching(rows, allowed):  # type: ignore[no-untyped-def]
    """How many rows have an allowed code in every column."""
    count = 0
    for i in range(rows.shape[1]):
        fits = True
        for c in range(rows.shape[0]):
            fits &= allowed[c, rows[c, i]]
        count += 1 if fits else 0
    return count


@kernel()
def _expected(people, group, value_group, values, sizes, share, allowed):  # type: ignore[no-untyped-def]
    """How many the release expects; the last row of `allowed` is for the private value."""
    last = allowed.shape[0] - 1
    for g in range(len(share)):
        share[g] = 0.0
    for i in range(len(values)):
        share[value_group[i]] += 1.0 if allowed[last, values[i]] else 0.0
    total = 0.0
    for i in range(len(group)):
        fits = True
        for c in range(last):
            fits &= allowed[c, people[c, i]]
        if fits:
            total += share[group[i]] / sizes[group[i]]
    return total


@kernel("void(i8, i8, i4[:, ::1], i4[:, ::1], i4[::1], i4[::1], i4[::1], f8[::1], b1[:, :, ::1], f8[::1], f8[::1])")
def answer_queries(first, last, table, people, group, value_group, values, sizes, queries, truth, told):  # type: ignore[no-untyped-def]
    """Fill truth[q] from the table and told[q] from the release; `sizes`: how many people each group has."""
    share = np.empty(len(sizes))
    for q in range(first, last):
        truth[q] = _matching(table, queries[q])
        told[q] = _expected(people, group, value_group, values, sizes, share, queries[q])


@kernel("void(i8, i8, i4[:, ::1], b1[:, :, ::1], f8[::1])")
def count_matching(first, last, table, queries, truth):  # type: ignore[no-untyped-def]
    """Fill truth[q] from the table."""
    for q in range(first, last):
        truth[q] = _matching(table, queries[q])


@kernel("void(i8, i8, f8[:, ::1], i8[:, ::1], f8[::1], i8[::1], i8[::1], f8[::1], b1[:, ::1], f8[::1])")
def expect(first, last, shares, places, people, starts, values, often, matching, told):  # type: ignore[no-untyped-def]
    """Fill told[q] from generalized groups: shares[q, places[c, g]] is the part of group g's extent of column c that
    query q allows, people[g] how many people one of its rows stands for, and its values lie between its starts."""
    for q in range(first, last):
        total = 0.0
        for g in range(len(people)):
            part = people[g]
            for c in range(len(places)):
                part *= shares[q, places[c, g]]
            if part > 0.0:
                rows = 0.0
                for i in range(starts[g], starts[g + 1]):
                    if matching[q, values[i]]:
                        rows += often[i]
                total += part * rows
        told[q] = total
