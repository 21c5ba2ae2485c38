"""`products`, compiled: the same products for millions of people, with outward rounding.

Rows come packed as tuple * codes + code, tuples numbered so that those of one group are neighbours; the last bit of a
code says that the association is secret, the rest is the P-side tuple, value * others + other. `count_tuples` gives the
groups' ID sides; `compact` turns people's rows into memberships and secret values; `answer_*` multiply over the groups
of each person, with weights as mantissas and exponents, since a weight spans thousands of bits.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.arrays import first_from

ROWS = 1 << 22  # see answer_dense
UNKNOWN, DRAWN, EXPECTED, ALIKE, LEVEL = range(5)  # how rows are counted in a group: see `_rows`
_ULP = 2.0**-51
_POWERS = np.append(np.ldexp(1.0, -np.arange(1075)), 0.0)  # a look-up is ten times a pow()


@kernel()
def _sort(data, first, last):  # type: ignore[no-untyped-def]
    """data[first:last] in place, by insertion at ever smaller distances (Shell): nearly all lists are short."""
    gap = 1
    while 9 * gap < last - first:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, last):
            item = data[i]
            j = i - gap
            while j >= first and data[j] > item:
                data[j + gap] = data[j]
                j -= gap
            data[j + gap] = item
        gap //= 3


@kernel()
def sort_rows(begin, end, offsets, packed):  # type: ignore[no-untyped-def]
    """Sort each person's rows in place."""
    for person in range(begin, end):
        _sort(packed, offsets[person], offsets[person + 1])


@kernel()
def count_tuples(offsets, packed, codes, group_of_tuple, groups):  # type: ignore[no-untyped-def]
    """Count ID-side tuples of sorted rows.

    Returns per group the number of different tuples that people have in it and whether
    somebody there has several anywhere; and the most tuples that somebody has in one group.
    """
    tuples_in = np.zeros(groups, np.int64)
    roamed = np.zeros(groups, np.bool_)
    most = 1
    for person in range(len(offsets) - 1):
        first, last = offsets[person], offsets[person + 1]
        previous, group, own, several = -1, -1, 0, False
        for i in range(first, last):
            t = packed[i] // codes
            if t == previous:
                continue
            several = previous >= 0
            previous = t
            g = group_of_tuple[t]
            tuples_in[g] += 1
            own = own + 1 if g == group else 1
            group = g
            most = max(most, own)
        if several:
            for i in range(first, last):
                roamed[group_of_tuple[packed[i] // codes]] = True
    return tuples_in, roamed, most


@kernel()
def tuple_sizes(offsets, packed, codes, group_of_tuple):  # type: ignore[no-untyped-def]
    """The group of every ID-side tuple of sorted rows, and how many rows it has."""
    rows = offsets[-1] - offsets[0]
    groups = np.empty(rows, np.int32)
    sizes = np.empty(rows, np.int32)
    found = 0
    for person in range(len(offsets) - 1):
        previous = -1
        for i in range(offsets[person], offsets[person + 1]):
            t = packed[i] // codes
            if t != previous:
                groups[found] = group_of_tuple[t]
                sizes[found] = 0
                found += 1
            sizes[found - 1] += 1
            previous = t
    return groups[:found], sizes[:found]


@kernel()
def compact(offsets, packed, codes, others, group_of_tuple):  # type: ignore[no-untyped-def]
    """Sorted rows of some people as memberships and secret values, each once.

    A membership is (group, a, rows, most rows of one ID-side tuple, joined tuples).
    """
    people = len(offsets) - 1
    rows = offsets[-1] - offsets[0]
    group_offsets = np.zeros(people + 1, np.int64)
    mine = np.zeros((5, rows), np.int32)
    value_offsets = np.zeros(people + 1, np.int64)
    values = np.empty(rows, np.int32)
    ng = nv = 0
    for person in range(people):
        first_group, first_value = ng, nv
        previous, side, run = -1, -1, 0
        for i in range(offsets[person], offsets[person + 1]):
            t = packed[i] // codes
            code = packed[i] - t * codes
            if code % 2 == 1:
                values[nv] = code // 2 // others
                nv += 1
            if t != previous:
                g = group_of_tuple[t]
                if ng == first_group or mine[0, ng - 1] != g:
                    mine[0, ng] = g
                    ng += 1
                mine[1, ng - 1] += 1
                previous, side, run = t, -1, 0
            run += 1
            mine[2, ng - 1] += 1
            mine[3, ng - 1] = max(mine[3, ng - 1], run)
            if code // 2 != side:
                mine[4, ng - 1] += 1
                side = code // 2
        _sort(values, first_value, nv)
        last, nv = nv, first_value
        for i in range(first_value, last):
            if i == first_value or values[i] != values[nv - 1]:
                values[nv] = values[i]
                nv += 1
        group_offsets[person + 1] = ng
        value_offsets[person + 1] = nv
    return group_offsets, mine[:, :ng], value_offsets, values[:nv]


@kernel()
def _find(values, low, high, wanted):  # type: ignore[no-untyped-def]
    at = first_from(values, low, high, wanted)
    return at if at < high and values[at] == wanted else -1


@kernel()
def _total_weight(groups, places, cursor, offsets, values, index, mantissa, exponent):  # type: ignore[no-untyped-def]
    """The sum over common values of the products of weights.

    Returns (mantissa of the sum, its exponent, how many values are common and possible).
    """
    total, top, common = 0.0, np.int64(0), 0
    first = groups[0]
    for i in range(len(groups)):
        cursor[i] = offsets[groups[i]]
    for cell in range(offsets[first], offsets[first + 1]):
        value = values[cell]
        quad = index[places[0], cell]
        f, e = mantissa[quad], exponent[quad]
        for i in range(1, len(groups)):
            stop = offsets[groups[i] + 1]
            at = cursor[i]
            while at < stop and values[at] < value:
                at += 1
            cursor[i] = at
            if at == stop or values[at] != value:
                f = 0.0
                break
            quad = index[places[i], at]
            f *= mantissa[quad]
            e += exponent[quad]
            if f < 0.5:
                f *= 2.0
                e -= 1
        if f == 0.0:
            continue
        common += 1
        if common == 1:
            total, top = f, e
        elif e > top:
            total = total * _power(top - e) + f
            top = e
        else:
            total += f * _power(e - top)
    return total, top, common


@kernel()
def _power(exponent):  # type: ignore[no-untyped-def]
    """2^exponent for exponent <= 0; 0 where it is below any double's reach."""
    return _POWERS[min(-exponent, len(_POWERS) - 1)]


@kernel()
def _write(out, pair, miss, sure, steps):  # type: ignore[no-untyped-def]
    """Unrestricted, bag and counted bounds from the chances to miss the value, rounded outwards."""
    error = steps * _ULP
    for k in range(3):
        low, high = (0, 4, 6)[k], (1, 5, 7)[k]
        if sure or miss[k, 1] == 0.0:
            out[low, pair] = out[high, pair] = 1.0
        elif np.isnan(miss[k, 0]):
            out[low, pair] = out[high, pair] = np.nan
        else:
            out[low, pair] = max(0.0, 1.0 - miss[k, 1] * (1.0 + error) - _ULP)
            out[high, pair] = min(1.0, 1.0 - miss[k, 0] * (1.0 - error) + _ULP)


@kernel()
def _write_share(out, pair, share, common, memberships):  # type: ignore[no-untyped-def]
    """Restricted bounds from a share of the total weight."""
    if common == 0:
        out[2, pair] = out[3, pair] = np.nan
    elif share == 0.0:
        out[2, pair] = out[3, pair] = 0.0
    elif common == 1:
        out[2, pair] = out[3, pair] = 1.0
    else:
        wide = (common + 4 * memberships + 16) * _ULP
        out[2, pair] = share * (1.0 - wide)
        out[3, pair] = min(1.0, share * (1.0 + wide) + 1e-300)


@kernel()
def _undrawn(size, marked, draws):  # type: ignore[no-untyped-def]
    """The chance that so many draws without replacement meet none of the marked ones."""
    chance = 1.0
    for j in range(draws):
        chance *= max(0.0, size - marked - j) / (size - j)
    return chance


@kernel()
def _rows(miss, how, m, n, rows, mine, i, least, c, r):  # type: ignore[no-untyped-def]
    """Where rows are counted: the chances to miss the value in one group, see `worlds.views.own_counts`.

    DRAWN: every tuple of one side is there once; EXPECTED: both sides are counted; ALIKE: only the P side is, so that
    people are alike; LEVEL: only the ID side is.
    """
    a, own = mine[1, i], mine[2, i]
    low, high = 0.0, 1.0
    if how == UNKNOWN:
        low = high = np.nan
    elif how == DRAWN:
        low = high = 1.0 - _undrawn(rows, r, own)
    elif how == EXPECTED:
        low = 1.0 if own + r > rows else 0.0
        high = 1.0 if own + r > rows else a * r / least
    elif how == ALIKE:
        low, high = a / m, a * r / m
    else:
        low, high = c / n, own * c / n
    miss[1, 0] *= 1.0 - min(1.0, high)
    miss[1, 1] *= 1.0 - low


@kernel()
def _tuples(miss, n, mine, i, c):  # type: ignore[no-untyped-def]
    """Everybody has as many tuples as in the table: the chances to miss the value in one group."""
    a, joined = mine[1, i], mine[4, i]
    if a == 1:
        chance = _undrawn(n, c, joined)
        miss[2, 0] *= chance
        miss[2, 1] *= chance
    else:
        expected = joined * c / n
        miss[2, 0] *= 1.0 - min(1.0, expected)
        miss[2, 1] *= 1.0 - min(1.0, expected / min(joined, a * c))


@kernel()
def answer_sparse(  # type: ignore[no-untyped-def]
    begin, end, group_offsets, mine, places, least, value_offsets, asked,
    offsets, values, rows, index, lower, upper, mantissa, exponent, tuples, sizes, how, out,
):  # fmt: skip
    """Fill out[:, pair] with lower and upper of unrestricted, restricted, bag and counted.

    `places` says which row of `index` belongs to each membership's a, `sizes` are (m, n, rows) of groups, `tuples` the
    c of quadruples. NaN: no world, or no answer.
    """
    cursor = np.empty(1, np.int64)
    miss = np.empty((3, 2), np.float64)
    groups = mine[0]
    for person in range(begin, end):
        start, stop = group_offsets[person], group_offsets[person + 1]
        if stop - start > len(cursor):
            cursor = np.empty(2 * (stop - start), np.int64)
        total, top, common = _total_weight(
            groups[start:stop], places[start:stop], cursor, offsets, values, index, mantissa, exponent
        )
        for pair in range(value_offsets[person], value_offsets[person + 1]):
            miss[:] = 1.0
            f, e = 1.0, np.int64(0)
            sure = False
            steps = 4
            for i in range(start, stop):
                g = groups[i]
                cell = _find(values, offsets[g], offsets[g + 1], asked[pair])
                if cell < 0:
                    f = 0.0
                    continue
                quad = index[places[i], cell]
                sure = sure or lower[quad] == 1.0
                miss[0, 0] *= 1.0 - upper[quad]
                miss[0, 1] *= 1.0 - lower[quad]
                f *= mantissa[quad]
                e += exponent[quad]
                if f < 0.5:
                    f *= 2.0
                    e -= 1
                steps += 2 * mine[2, i] + 8
                c, n = tuples[quad], sizes[1, g]
                _rows(miss, how[g], sizes[0, g], n, sizes[2, g], mine, i, least[i], c, rows[cell])
                _tuples(miss, n, mine, i, c)
            _write(out, pair, miss, sure, steps)
            share = f * _power(e - top) / total if f > 0.0 else 0.0
            _write_share(out, pair, share, common, stop - start)


@kernel()
def _multiply(product, cells, places, groups):  # type: ignore[no-untyped-def]
    """The product of a person's weights, value by value (slices, so that it vectorizes)."""
    product[:] = 1.0
    for i in range(len(groups)):
        row = cells[places[i], groups[i], 0]
        for v in range(len(product)):
            product[v] *= row[v]


@kernel()
def answer_dense(  # type: ignore[no-untyped-def]
    begin, end, group_offsets, mine, places, least, value_offsets, asked,
    cells, lower, upper, tuples, sizes, how, out,
):  # fmt: skip
    """The same where groups x values fit into memory. `cells[place, g, 0, v]` is a value's
    weight (0: absent) and `cells[place, g, 1, v]`, near it in memory,
    its rows and quadruple as rows * ROWS + quadruple + 1."""
    product = np.empty(cells.shape[3], np.float64)
    miss = np.empty((3, 2), np.float64)
    groups = mine[0]
    for person in range(begin, end):
        start, stop = group_offsets[person], group_offsets[person + 1]
        _multiply(product, cells, places[start:stop], groups[start:stop])
        total, common = 0.0, 0
        for v in range(len(product)):
            total += product[v]
            common += product[v] > 0.0
        for pair in range(value_offsets[person], value_offsets[person + 1]):
            miss[:] = 1.0
            sure = False
            steps = 4
            for i in range(start, stop):
                g = groups[i]
                cell = np.int64(cells[places[i], g, 1, asked[pair]])
                if cell == 0:
                    continue
                quad = cell % ROWS - 1
                sure = sure or lower[quad] == 1.0
                miss[0, 0] *= 1.0 - upper[quad]
                miss[0, 1] *= 1.0 - lower[quad]
                steps += 2 * mine[2, i] + 8
                c, n = tuples[quad], sizes[1, g]
                _rows(miss, how[g], sizes[0, g], n, sizes[2, g], mine, i, least[i], c, cell // ROWS)
                _tuples(miss, n, mine, i, c)
            _write(out, pair, miss, sure, steps)
            share = product[asked[pair]] / total if total > 0.0 else 0.0
            _write_share(out, pair, share, common, stop - start)
