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
from numba import njit, prange

_SHORT = 40  # rows; up to here insertion beats counting
_TASKS = 48  # pieces to share among the cores


@njit(cache=True)
def _widest(records, first, last, scale):  # type: ignore[no-untyped-def]
    """The column whose range, as a part of the whole table's, is largest; its least and largest code."""
    best, found, least, most = -1.0, 0, 0, 0
    for column in range(len(scale)):
        low = high = records[first, column]
        for i in range(first + 1, last):
            code = records[i, column]
            low = min(low, code)
            high = max(high, code)
        width = (high - low) * scale[column]
        if width > best:
            best, found, least, most = width, column, low, high
    return found, least, most


@njit(cache=True)
def _copy(target, to, source, at):  # type: ignore[no-untyped-def]
    for j in range(source.shape[1]):
        target[to, j] = source[at, j]


@njit(cache=True)
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
        order = np.argsort(records[first:last, column], kind="mergesort")
        for i in range(n):
            _copy(buffer, first + i, records, first + order[i])
        return
    starts[: spread + 1] = 0
    for i in range(first, last):
        starts[records[i, column] - least + 1] += 1
    for code in range(spread):
        starts[code + 1] += starts[code]
    for i in range(first, last):
        code = records[i, column] - least
        _copy(buffer, first + starts[code], records, i)
        starts[code] += 1


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
def _halve(records, buffer, first, last, groups, number, scale, starts, total, left, kinds, group_of):  # type: ignore[no-untyped-def]
    """Cut one piece down to single groups, numbered from `number` on."""
    stack = np.empty((64, 4), np.int64)
    stack[0] = first, last, groups, number
    depth = 1
    while depth:
        depth -= 1
        first, last, groups, number = stack[depth]
        while groups > 1:
            n1, g1 = _cut(records, buffer, first, last, groups, scale, starts, total, left, kinds)
            # The larger part waits, so the stack is never deeper than the logarithm of the rows.
            if 2 * g1 >= groups:
                stack[depth] = first, first + n1, g1, number
                first, groups, number = first + n1, groups - g1, number + g1
            else:
                stack[depth] = first + n1, last, groups - g1, number + g1
                last, groups = first + n1, g1
            depth += 1
        for i in range(first, last):
            group_of[records[i, -1]] = number


@njit(cache=True)
def _share(records, buffer, pieces, scale, starts, total, left, kinds):  # type: ignore[no-untyped-def]
    """Cut the largest pieces until there are enough for all cores; returns pieces, largest first."""
    found = len(pieces)
    tasks = np.empty((found + _TASKS, 4), np.int64)
    tasks[:found] = pieces
    rows = (pieces[:, 1] - pieces[:, 0]).sum()
    for _ in range(_TASKS):
        largest = np.argmax(tasks[:found, 1] - tasks[:found, 0])
        first, last, groups, number = tasks[largest]
        if groups < 2 or (last - first) * 16 <= rows:
            break
        n1, g1 = _cut(records, buffer, first, last, groups, scale, starts, total, left, kinds)
        tasks[largest] = first, first + n1, g1, number
        tasks[found] = first + n1, last, groups - g1, number + g1
        found += 1
    return tasks[:found][np.argsort(tasks[:found, 0] - tasks[:found, 1])]


@njit("void(i4[:, ::1], i4[:, ::1], i8[:, ::1], f8[::1], i8, i8, i4[::1])", cache=True, parallel=True)
def halve(records, buffer, pieces, scale, values, codes, group_of):  # type: ignore[no-untyped-def]
    """group_of[row] for the rows of all pieces (first, last, groups, first number).

    A record is a row's codes, its value and its number. No value occurs more often in a piece than it has groups.
    `scale` weighs the columns' ranges, `values` and `codes` are above all values and code ranges worth counting.
    """
    tasks = _share(
        records, buffer, pieces, scale, np.empty(codes + 1, np.int64),
        np.zeros(values, np.int64), np.zeros(values, np.int64), np.empty(values, np.int64),
    )  # fmt: skip
    lanes = min(_TASKS, len(tasks))
    for lane in prange(lanes):
        starts = np.empty(codes + 1, np.int64)
        total, left = np.zeros(values, np.int64), np.zeros(values, np.int64)
        kinds = np.empty(values, np.int64)
        for task in range(lane, len(tasks), lanes):
            first, last, groups, number = tasks[task]
            _halve(records, buffer, first, last, groups, number, scale, starts, total, left, kinds, group_of)
