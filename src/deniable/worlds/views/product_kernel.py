"""`products`, compiled: the same products for millions of people, with outward rounding.

Rows come packed as tuple * codes + value, tuples numbered so that those of one group are
neighbours. `count_tuples` gives the groups' ID sides; `compact` turns people's rows into
memberships and secret values; `answer_*` multiply over the groups of each person, with
weights as mantissas and exponents, since a weight spans thousands of bits.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel

ROWS = 1 << 22  # see answer_dense
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
def compact(offsets, packed, codes, group_of_tuple):  # type: ignore[no-untyped-def]
    """Sorted rows of some people as memberships (group, a) and secret values, each once."""
    people = len(offsets) - 1
    rows = offsets[-1] - offsets[0]
    group_offsets = np.zeros(people + 1, np.int64)
    groups = np.empty(rows, np.int32)
    owned = np.empty(rows, np.int32)
    value_offsets = np.zeros(people + 1, np.int64)
    values = np.empty(rows, np.int32)
    ng = nv = 0
    for person in range(people):
        first_group, first_value = ng, nv
        previous = -1
        for i in range(offsets[person], offsets[person + 1]):
            t = packed[i] // codes
            v = packed[i] - t * codes
            if v != codes - 1:
                values[nv] = v
                nv += 1
            if t == previous:
                continue
            previous = t
            g = group_of_tuple[t]
            if ng == first_group or groups[ng - 1] != g:
                groups[ng] = g
                owned[ng] = 0
                ng += 1
            owned[ng - 1] += 1
        _sort(values, first_value, nv)
        last, nv = nv, first_value
        for i in range(first_value, last):
            if i == first_value or values[i] != values[nv - 1]:
                values[nv] = values[i]
                nv += 1
        group_offsets[person + 1] = ng
        value_offsets[person + 1] = nv
    return group_offsets, groups[:ng], owned[:ng], value_offsets, values[:nv]


@kernel()
def _find(values, low, high, wanted):  # type: ignore[no-untyped-def]
    stop = high
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < stop and values[low] == wanted else -1


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
def _write(out, pair, miss_low, miss_high, sure, bag_miss, steps):  # type: ignore[no-untyped-def]
    """Unrestricted and bag bounds from the chances to miss the value, rounded outwards."""
    error = steps * _ULP
    out[0, pair] = 1.0 if sure else max(0.0, 1.0 - miss_high * (1.0 + error) - _ULP)
    out[1, pair] = 1.0 if sure else min(1.0, 1.0 - miss_low * (1.0 - error) + _ULP)
    if np.isnan(bag_miss) or bag_miss == 0.0:
        out[4, pair] = out[5, pair] = 1.0 - bag_miss
    else:
        out[4, pair] = max(0.0, 1.0 - bag_miss * (1.0 + error) - _ULP)
        out[5, pair] = min(1.0, 1.0 - bag_miss * (1.0 - error) + _ULP)


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
def _bag(chance, size, rows, own):  # type: ignore[no-untyped-def]
    """The chance that none of `own` rows drawn out of `size` is one of `rows`."""
    for j in range(own):
        chance *= max(0.0, size - rows - j) / (size - j)
    return chance


@kernel()
def answer_sparse(  # type: ignore[no-untyped-def]
    begin, end, group_offsets, groups, owned, places, value_offsets, asked,
    offsets, values, rows, index, lower, upper, mantissa, exponent, sizes, bags, out,
):  # fmt: skip
    """Fill out[:, pair] with lower and upper of unrestricted, restricted and bag.

    `places` says which row of `index` belongs to each membership's a. NaN: no world.
    """
    cursor = np.empty(1, np.int64)
    for person in range(begin, end):
        start, stop = group_offsets[person], group_offsets[person + 1]
        if stop - start > len(cursor):
            cursor = np.empty(2 * (stop - start), np.int64)
        total, top, common = _total_weight(
            groups[start:stop], places[start:stop], cursor, offsets, values, index, mantissa, exponent
        )
        for pair in range(value_offsets[person], value_offsets[person + 1]):
            miss_low, miss_high, bag_miss = 1.0, 1.0, 1.0
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
                miss_low *= 1.0 - upper[quad]
                miss_high *= 1.0 - lower[quad]
                f *= mantissa[quad]
                e += exponent[quad]
                if f < 0.5:
                    f *= 2.0
                    e -= 1
                steps += 2 * owned[i] + 4
                bag_miss = _bag(bag_miss, sizes[g], rows[cell], owned[i]) if bags[g] else np.nan
            _write(out, pair, miss_low, miss_high, sure, bag_miss, steps)
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
    begin, end, group_offsets, groups, owned, places, value_offsets, asked,
    cells, lower, upper, sizes, bags, out,
):  # fmt: skip
    """The same where groups x values fit into memory. `cells[place, g, 0, v]` is a value's
    weight (0: absent) and `cells[place, g, 1, v]`, near it in memory,
    its rows and quadruple as rows * ROWS + quadruple + 1."""
    product = np.empty(cells.shape[3], np.float64)
    for person in range(begin, end):
        start, stop = group_offsets[person], group_offsets[person + 1]
        _multiply(product, cells, places[start:stop], groups[start:stop])
        total, common = 0.0, 0
        for v in range(len(product)):
            total += product[v]
            common += product[v] > 0.0
        for pair in range(value_offsets[person], value_offsets[person + 1]):
            miss_low, miss_high, bag_miss = 1.0, 1.0, 1.0
            sure = False
            steps = 4
            for i in range(start, stop):
                g = groups[i]
                cell = np.int64(cells[places[i], g, 1, asked[pair]])
                if cell == 0:
                    continue
                quad = cell % ROWS - 1
                sure = sure or lower[quad] == 1.0
                miss_low *= 1.0 - upper[quad]
                miss_high *= 1.0 - lower[quad]
                steps += 2 * owned[i] + 4
                bag_miss = _bag(bag_miss, sizes[g], cell // ROWS, owned[i]) if bags[g] else np.nan
            _write(out, pair, miss_low, miss_high, sure, bag_miss, steps)
            share = product[asked[pair]] / total if total > 0.0 else 0.0
            _write_share(out, pair, share, common, stop - start)
