"""Cut rows into groups of distinct values by halving, compiled (after Mondrian, LeFevre et al. 2006).

A piece with n rows is to become g groups, where no value has more than g rows. It is cut in two, of g1 + g2 = g
groups and n1 = floor(n g1 / g) + n2 = n rows, along the column with the widest range. Each part may hold a value at
most g1 (g2) times, so the first part takes between max(0, c - g2) and min(c, g1) of the c rows of a value. As
c <= g, both bounds lie on their side of c g1 / g, so their sums lie on their side of n1: a cut always exists, and
the one that moves fewest rows across is taken. At g = 1 every value occurs at most once; all sizes are n / g, rounded
down or up.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import in_pieces, kernel, work
from deniable.publish.sorting import stable_order
from deniable.worlds.arrays import Floats, Int32s, Int64s

_SHORT = 40  # rows; up to here insertion beats counting
_SHARES = 16  # no core is given more than this part of the rows at once
_STEPS = 50  # for each row: as many cuts as the logarithm of the groups


@kernel()
def _widest(records, first, last, scale):  # type: ignore[no-untyped-def]
    """The column whose range, as a part of the whole table's, is largest; its least and largest code."""
    best, found, least, most = -1.0, 0, 0, 0
    for column in range(len(scale)):
        low = high = int(records[first, column])
        for i in range(first + 1, last):
            code = int(records[i, column])
            low = min(low, code)
            high = max(high, code)
        width = (high - low) * scale[column]
        if width > best:
            best, found, least, most = width, column, low, high
    return found, least, most


@kernel()
def _copy(target, to, source, at):  # type: ignore[no-untyped-def]
    for j in range(source.shape[1]):
        target[to, j] = source[at, j]


@kernel()
def _put(table, at, first, last, groups, number):  # type: ignore[no-untyped-def]
    table[at, 0], table[at, 1], table[at, 2], table[at, 3] = first, last, groups, number


@kernel()
def _sort_piece(records, buffer, first, last, column, least, most, starts):  # type: ignore[no-untyped-def]
    """buffer[first:last] = the piece's rows, ordered by one column."""
    n, spread = last - first, most - least + 1
    if n <= _SHORT:
        for i in range(first, last):
            j = i
            while j > first and buffer[j - 1, column] > records[i, column]:
                _copy(buffer, j, buffer, j - 1)
                j -= 1
            _copy(buffer, j, records, i)
        return
    if spread >= len(starts):
        keys = np.empty(n)
        for i in range(n):
            keys[i] = records[first + i, column]
        order = stable_order(keys)
        for i in range(n):
            _copy(buffer, first + i, records, first + order[i])
        return
    for code in range(spread + 1):
        starts[code] = 0
    for i in range(first, last):
        starts[records[i, column] - least + 1] += 1
    for code in range(spread):
        starts[code + 1] += starts[code]
    for i in range(first, last):
        code = records[i, column] - least
        _copy(buffer, first + starts[code], records, i)
        starts[code] += 1


@kernel()
def _where(buffer, first, last, column, groups):  # type: ignore[no-untyped-def]
    """How many groups go into the first part: half, or where the code changes if that is not far."""
    n = last - first
    middle = first + n // 2
    code = buffer[middle, column]
    low, high = middle, middle
    reach = max(n // 4, 1)
    while low > first + reach and buffer[low - 1, column] == code:
        low -= 1
    while high < last - reach and buffer[high, column] == code:
        high += 1
    cut = middle
    if buffer[low - 1, column] != code and (middle - low <= high - middle or buffer[high, column] == code):
        cut = low
    elif buffer[high, column] != code:
        cut = high
    wanted = ((cut - first) * groups + n // 2) // n
    return min(max(wanted, 1), groups - 1)


@kernel()
def _quotas(kinds, total, left, wanted, g1, g2):  # type: ignore[no-untyped-def]
    """Change left[x], how many rows of x lie before the cut, as little as makes the two parts possible."""
    short = wanted
    for x in kinds:
        left[x] = min(max(left[x], total[x] - g2), min(total[x], g1))
        short -= left[x]
    while short != 0:
        step = 1 if short > 0 else -1
        room = 0
        for x in kinds:
            room += min(total[x], g1) - left[x] if step > 0 else left[x] - max(0, total[x] - g2)
        missing = abs(short)
        for x in kinds:  # in proportion to what each value can give, then one by one
            own = min(total[x], g1) - left[x] if step > 0 else left[x] - max(0, total[x] - g2)
            moved = min(own, max(missing * own // room, 1), abs(short))
            left[x] += step * moved
            short -= step * moved


@kernel()
def _cut(records, buffer, first, last, groups, scale, starts, total, left, kinds):  # type: ignore[no-untyped-def]
    """Cut one piece; returns how many rows and groups its first part has."""
    column, least, most = _widest(records, first, last, scale)
    _sort_piece(records, buffer, first, last, column, least, most, starts)
    g1 = _where(buffer, first, last, column, groups)
    n1 = (last - first) * g1 // groups
    place = buffer.shape[1] - 2
    found = 0
    for i in range(first, last):
        x = buffer[i, place]
        if total[x] == 0:
            kinds[found] = x
            found += 1
        total[x] += 1
        left[x] += i < first + n1
    _quotas(kinds[:found], total, left, n1, g1, groups - g1)
    # Outwards from the cut, the nearest rows change sides: a value takes its last rows back, or gives its first away.
    front, back = first + n1 - 1, last - 1
    for i in range(last - 1, first - 1, -1):
        x = buffer[i, place]
        total[x] -= 1
        if total[x] >= left[x]:
            _copy(records, back, buffer, i)
            back -= 1
        else:
            _copy(records, front, buffer, i)
            front -= 1
    for i in range(found):
        total[kinds[i]] = left[kinds[i]] = 0
    return n1, g1


@kernel("void(i8, i8, i8[:, ::1], i8[:, ::1], i4[:, ::1], i4[:, ::1], f8[::1], i8, i8, i4[::1])")
def _halve_all(begin, end, tasks, parts, records, buffer, scale, values, codes, group_of):  # type: ignore[no-untyped-def]
    """Cut pieces down to single groups; or once, if there is room for two parts of each."""
    starts = np.empty(codes + 1, np.int64)
    total, left = np.zeros(values, np.int64), np.zeros(values, np.int64)
    kinds = np.empty(values, np.int64)
    stack = np.empty((64, 4), np.int64)
    for task in range(begin, end):
        _put(stack, 0, tasks[task, 0], tasks[task, 1], tasks[task, 2], tasks[task, 3])
        depth = 1
        while depth:
            depth -= 1
            first, last, groups, number = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
            while groups > 1:
                n1, g1 = _cut(records, buffer, first, last, groups, scale, starts, total, left, kinds)
                # The larger part waits, so the stack is never deeper than the logarithm of the rows.
                if len(parts):
                    _put(parts, 2 * task, first, first + n1, g1, number)
                    _put(parts, 2 * task + 1, first + n1, last, groups - g1, number + g1)
                    last, groups = first, 0
                elif 2 * g1 >= groups:
                    _put(stack, depth, first, first + n1, g1, number)
                    first, groups, number = first + n1, groups - g1, number + g1
                    depth += 1
                else:
                    _put(stack, depth, first + n1, last, groups - g1, number + g1)
                    last, groups = first + n1, g1
                    depth += 1
            for i in range(first, last):
                group_of[records[i, -1]] = number


def halve(
    records: Int32s, buffer: Int32s, pieces: Int64s, scale: Floats, values: int, codes: int, group_of: Int32s
) -> None:
    """group_of[row] for the rows of all pieces (first, last, groups, first number).

    A record is a row's codes, its value and its number. No value occurs more often in a piece than it has groups.
    `scale` weighs the columns' ranges, `values` and `codes` are above all values and code ranges worth counting.
    """
    told = (records, buffer, scale, values, codes, group_of)
    rows = pieces[:, 1] - pieces[:, 0]
    with work(_STEPS * int(rows.sum())):
        tasks, shared = pieces, int(rows.sum()) // _SHARES
        large = (rows > shared) & (pieces[:, 2] > 1)
        while large.any():  # so that there are enough for all cores
            parts = np.empty((2 * int(large.sum()), 4), np.int64)
            in_pieces(_halve_all, len(parts) // 2, tasks[large], parts, *told)
            tasks = np.concatenate([tasks[~large], parts])
            large = (tasks[:, 1] - tasks[:, 0] > shared) & (tasks[:, 2] > 1)
        in_pieces(_halve_all, len(tasks), tasks, np.empty((0, 4), np.int64), *told)
