"""`posteriors` for millions of groups: flat arrays in, flat arrays out, all cores.

Group g has the signatures signatures[signature_offsets[g]:signature_offsets[g+1]] with `people` of each, and
the values values[value_offsets[g]:value_offsets[g+1]] with `copies` of each: rows and columns of one matrix of
priors that all groups share. Groups of equal size in which all people differ are evaluated LANES at a time, one
in each lane of wide instructions.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import in_pieces, kernel, work
from deniable.worlds.arrays import Floats, Int8s, Int32s, Int64s, offsets
from deniable.worlds.groups.matchings import LANES, LEAST, OK, fill_steps, states_of, total_of, walk_lanes
from deniable.worlds.groups.posteriors import STATES, full_group, interval_group, marginal_group

_ROOM = 1 << 16  # for a group's priors and steps, beside its tables
_LANES_FROM, _LANES_TO = 4, 16  # people; below, one by one is as fast, above, tables leave the caches
_FEW = 8  # groups for which lanes are not worth filling
_LATER = -1
_GROUPS = "i8[::1], i4[::1], i4[::1], i8[::1], i4[::1], i4[::1], f8[:, ::1]"


@frozen
class Groups:
    """Groups as flat arrays; see the module."""

    signature_offsets: Int64s
    signatures: Int32s
    people: Int32s
    value_offsets: Int64s
    values: Int32s
    copies: Int32s

    def __post_init__(self) -> None:
        if len(self.signature_offsets) != len(self.value_offsets):
            raise ValueError("signatures and values are of different numbers of groups")
        people = offsets(self.people)[self.signature_offsets]
        copies = offsets(self.copies)[self.value_offsets]
        if not np.array_equal(people, copies):
            raise ValueError("a group must have as many values as people")

    def __len__(self) -> int:
        return len(self.signature_offsets) - 1

    @cached_property
    def offsets(self) -> Int64s:
        """Where each group's block of signatures x values starts in a flat result."""
        return offsets(np.diff(self.signature_offsets) * np.diff(self.value_offsets))

    @cached_property
    def steps(self) -> float:
        """About how many steps the loops below take, all of them: states x kinds, and pairs of kinds."""
        k, m = np.diff(self.signature_offsets), np.diff(self.value_offsets)
        bits = np.minimum(_states(self.people, self.signature_offsets), _states(self.copies, self.value_offsets))
        size = np.diff(offsets(self.people)[self.signature_offsets])
        walked = 2.0 ** np.minimum(bits, math.log2(STATES)) * (k + m)
        return float((walked + k * m * (k + m) + 3 * size * (size + m)).sum())

    @property
    def arrays(self) -> tuple[Int64s, Int32s, Int32s, Int64s, Int32s, Int32s]:
        """What the compiled loops take."""
        return (
            self.signature_offsets, self.signatures, self.people, self.value_offsets, self.values, self.copies,
        )  # fmt: skip


@frozen
class Posteriors:
    """value[offsets[g]:offsets[g+1]] are those of group g, signature by signature; NaN where there are none."""

    groups: Groups
    value: Floats
    status: Int8s

    def block(self, group: int) -> Floats:
        """The posteriors of one group, signatures x values."""
        offsets = self.groups.offsets
        width = int(self.groups.value_offsets[group + 1] - self.groups.value_offsets[group])
        return self.value[offsets[group] : offsets[group + 1]].reshape(-1, width)


def _states(counts: Int32s, at: Int64s) -> Floats:
    """How many bits the number of states has for each group."""
    return np.diff(np.concatenate([np.zeros(1), np.cumsum(np.log2(counts + 1.0))])[at])


def full(groups: Groups, priors: Floats, states: int = STATES) -> Posteriors:
    """Posteriors for the full adversary. `priors` holds probabilities, NaN where the adversary knows none."""
    value = np.empty(int(groups.offsets[-1]))
    status = np.full(len(groups), _LATER, np.int8)
    lanes = np.zeros(len(groups), np.int8)
    with work(groups.steps):
        in_pieces(_choose_lanes, len(groups), *groups.arrays, priors, min(states, 1 << _LANES_TO), lanes)
        for people in range(_LANES_FROM, _LANES_TO + 1):
            chosen = np.flatnonzero(lanes == people)
            if len(chosen) > _FEW:
                bundles = (len(chosen) + LANES - 1) // LANES
                in_pieces(_full_lanes, bundles, *groups.arrays, priors, people, chosen, groups.offsets, value, status)
        rest = np.flatnonzero(status == _LATER)
        if len(rest):
            room = 2 * states + _ROOM
            in_pieces(_full_rest, len(rest), *groups.arrays, priors, rest, groups.offsets, room, value, status)
    return Posteriors(groups, value, status)


def marginal(groups: Groups, priors: Floats, states: int = STATES) -> Posteriors:
    """Posteriors for the marginal adversary, each value on its own."""
    value = np.empty(int(groups.offsets[-1]))
    status = np.empty(len(groups), np.int8)
    room = 2 * states + _ROOM
    with work(groups.steps):
        in_pieces(_marginal_all, len(groups), *groups.arrays, priors, groups.offsets, room, value, status)
    return Posteriors(groups, value, status)


def intervals(posteriors: Posteriors, priors: Floats, is_full: bool) -> tuple[Floats, Floats]:
    """Proved lower and upper bounds of posteriors from `full` (is_full) or `marginal`; NaN where there are none."""
    groups = posteriors.groups
    lower, upper = np.empty_like(posteriors.value), np.empty_like(posteriors.value)
    told = (priors, groups.offsets, posteriors.value, is_full, lower, upper)
    with work(groups.steps):
        in_pieces(_intervals, len(groups), *groups.arrays, *told)
    return lower, upper


@kernel(f"void(i8, i8, {_GROUPS}, i8, i1[::1])")
def _choose_lanes(begin, end, sig_at, sigs, people, value_at, values, copies, priors, most, lanes):  # type: ignore[no-untyped-def]
    """lanes[g] = the group's size if it has that many different people and no better way."""
    for g in range(begin, end):
        first, last, low, high = sig_at[g], sig_at[g + 1], value_at[g], value_at[g + 1]
        size = last - first
        if not _LANES_FROM <= size <= _LANES_TO or 1 << size > most or total_of(people[first:last]) > size:
            continue
        if 8 * states_of(copies[low:high]) < 1 << size:
            continue
        differ = True
        for i in range(first, last):
            for x in range(low, high):
                differ &= not np.isnan(priors[sigs[i], values[x]])
            for j in range(i + 1, last):
                x = low
                while x < high and priors[sigs[i], values[x]] == priors[sigs[j], values[x]]:
                    x += 1
                differ &= x < high
        if differ:
            lanes[g] = size


@kernel(f"void(i8, i8, {_GROUPS}, i8, i8[::1], i8[::1], f8[::1], i1[::1])")
def _full_lanes(begin, end, sig_at, sigs, people, value_at, values, copies, priors, size, chosen, offsets, out, status):  # type: ignore[no-untyped-def]
    """Groups of `size` different people, LANES at a time; what is too small for plain doubles is left for later."""
    steps = size * size
    q, sums = np.empty((steps, LANES)), np.empty((steps, LANES))
    back, fore = np.empty((1 << size, LANES)), np.empty((1 << size, LANES))
    weights, one = np.empty((size, size)), np.empty(steps)
    for bundle in range(begin, end):
        for lane in range(LANES):  # the last bundle repeats its last group
            g = chosen[min(bundle * LANES + lane, len(chosen) - 1)]
            first, last, low, high = sig_at[g], sig_at[g + 1], value_at[g], value_at[g + 1]
            for i in range(size):
                for x in range(high - low):
                    weights[i, x] = priors[sigs[first + i], values[low + x]]
            fill_steps(people[first:last], copies[low:high], weights, False, size, one)
            for step in range(steps):
                q[step, lane] = one[step]
        walk_lanes(size, q, back, fore, sums)
        for lane in range(min(LANES, len(chosen) - bundle * LANES)):
            g = chosen[bundle * LANES + lane]
            if not back[0, lane] >= LEAST:
                continue
            status[g] = OK
            t, low, m = 0, value_at[g], value_at[g + 1] - value_at[g]
            for x in range(m):
                c = int(copies[low + x])
                for i in range(size):
                    share = sums[t * size + i, lane] / back[0, lane]
                    out[offsets[g] + i * m + x] = min(c * share, 1.0)
                t += c


@kernel(f"void(i8, i8, {_GROUPS}, i8[::1], i8[::1], i8, f8[::1], i1[::1])")
def _full_rest(begin, end, sig_at, sigs, people, value_at, values, copies, priors, chosen, offsets, room, out, status):  # type: ignore[no-untyped-def]
    scratch = np.empty(room)
    for at in range(begin, end):
        g = chosen[at]
        first, last, low, high = sig_at[g], sig_at[g + 1], value_at[g], value_at[g + 1]
        status[g] = full_group(
            sigs[first:last], people[first:last], values[low:high], copies[low:high], priors,
            out[offsets[g] : offsets[g + 1]].reshape((last - first, high - low)), scratch,
        )  # fmt: skip


@kernel(f"void(i8, i8, {_GROUPS}, i8[::1], i8, f8[::1], i1[::1])")
def _marginal_all(begin, end, sig_at, sigs, people, value_at, values, copies, priors, offsets, room, out, status):  # type: ignore[no-untyped-def]
    scratch = np.empty(room)
    for g in range(begin, end):
        first, last, low, high = sig_at[g], sig_at[g + 1], value_at[g], value_at[g + 1]
        status[g] = marginal_group(
            sigs[first:last], people[first:last], values[low:high], copies[low:high], priors,
            out[offsets[g] : offsets[g + 1]].reshape((last - first, high - low)), scratch,
        )  # fmt: skip


@kernel(f"void(i8, i8, {_GROUPS}, i8[::1], f8[::1], b1, f8[::1], f8[::1])")
def _intervals(begin, end, sig_at, sigs, people, value_at, values, copies, priors, offsets, out, is_full, lower, upper):  # type: ignore[no-untyped-def]
    for g in range(begin, end):
        first, last, low, high = sig_at[g], sig_at[g + 1], value_at[g], value_at[g + 1]
        shape = (last - first, high - low)
        start, stop = offsets[g], offsets[g + 1]
        interval_group(
            sigs[first:last], people[first:last], values[low:high], copies[low:high], priors,
            out[start:stop].reshape(shape), is_full, lower[start:stop].reshape(shape), upper[start:stop].reshape(shape),
        )  # fmt: skip
