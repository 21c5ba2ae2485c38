"""The joint adversary on 21 releases of 200,000 rows, 10 % of the people exchanged each time, 4 % of them known.

Claims: everybody regrouped in every release (Cor-Split): possible values and probabilities in at most 30 s. Groups
that stay and are refilled three at a time: the same. Printed beside: peak memory, people exposed, what was exact.
"""

from __future__ import annotations

import resource
from itertools import chain

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks.measure import at_most
from benchmarks.sizes import FULL, Sizes
from benchmarks.turnover import M, N, Setting
from deniable.analyses.history.attack import Attack, AttackOptions, Publisher, attack_history
from deniable.analyses.history.named_history import NamedHistory
from deniable.bind.known import HistoryNames
from deniable.engines import opened
from deniable.engines.scope import Scope
from deniable.publish.again.cor_split import cor_split
from deniable.publish.again.releases import Memberships, Table
from deniable.worlds.history import histories

Whole = NDArray[np.integer]
CODES, VALUES = (100, 57, 17), 50
KNOWN, LIMIT = 0.04, 30.0
WARM = 600


def main(sizes: Sizes = FULL) -> None:
    """One line for each history."""
    setting = sizes.large
    if setting.people > WARM:  # compiled, or read from the cache
        for made in (regrouped(Setting(WARM, 0.1, 3)), refilled(Setting(WARM, 0.1, 8))):
            attacked(made, 5.0, 3)
    told("everybody regrouped", regrouped(setting), sizes)
    told("groups that stay", refilled(setting), sizes)


def told(name: str, made: tuple[histories.History, NDArray[np.int32]], sizes: Sizes) -> None:
    result = attacked(made, sizes.seconds, sizes.large.releases)
    run = result.runs[0]
    exact, proved, sampled = run.bounds
    over = ", ".join(f"over 1/{one.one_in} {one.people:,} to {one.people + one.undecided:,}" for one in run.over)
    print(
        f"{name}: {run.people:,} people, {result.history.history.groups:,} groups: {run.seconds:.1f} s "
        f"{at_most(run.seconds, LIMIT)}, peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"
    )
    share = f"{100 * run.share:.4f} %, f promises {promised(result)}"
    print(f"  exposed {run.exposed:,} ({share}), undecided {run.undecided:,}")
    print(f"  exact {exact:,}, proved {proved:,}, sampled {sampled:,}; {over}", flush=True)


def promised(result: Attack) -> str:
    return "nothing" if result.promised is None else f"{100 * result.promised:.2f} %"


def attacked(made: tuple[histories.History, NDArray[np.int32]], seconds: float, releases: int) -> Attack:
    """People and values are called by their numbers."""
    history, truth = made
    people = pa.table({"person": pa.array(np.arange(history.people).astype(str).tolist())})
    named = NamedHistory(HistoryNames(people, tuple(str(v) for v in range(history.values)), "value"), history, truth)
    options = AttackOptions(compromise=KNOWN, seed=1, seconds=seconds)
    with opened() as engine:
        return attack_history(named, options, Scope(engine), Publisher(M, N, releases))


class _Releases:
    """Groups as they are published, release by release."""

    def __init__(self) -> None:
        self.parts: list[tuple[Whole, ...]] = []

    def add(self, group: Whole, members: Whole, room: Whole, codes: Whole, groups: int) -> None:
        """Members and values with the groups that they are in, both in the order of groups."""
        release = np.full(groups, len(self.parts))
        sizes, rooms = (np.bincount(of, minlength=groups) for of in (group, room))
        self.parts.append((release, sizes, members, rooms, codes))

    def made(self, people: int, values: int) -> histories.History:
        release, sizes, members, rooms, codes = (np.concatenate(column) for column in zip(*self.parts, strict=True))
        offsets = [np.concatenate([[0], np.cumsum(lengths)]) for lengths in (sizes, rooms)]
        return histories.history(people, values, release, offsets[0], members, offsets[1], codes)


def regrouped(setting: Setting) -> tuple[histories.History, NDArray[np.int32]]:
    """Cor-Split's"""
    rng, told, past = np.random.default_rng(1), _Releases(), Memberships.empty()
    rows = setting.people
    leavers = int(rows * setting.turnover)
    total = rows + leavers * setting.releases
    columns = [rng.integers(0, codes, total).astype(np.int32) for codes in CODES]
    values = rng.integers(0, VALUES, total).astype(np.int32)
    who = np.arange(rows)
    for release in range(setting.releases):
        table = Table(who, tuple(column[who] for column in columns), values[who])
        made = cor_split(table, past, M, N)
        past = past.extended(table, made)
        placed = np.flatnonzero(made.group >= 0)
        placed = placed[np.argsort(made.group[placed], kind="stable")]
        groups = len(made.signature)
        room = np.concatenate([made.group[placed], np.repeat(np.arange(groups), np.diff(made.counterfeit_starts))])
        order = np.argsort(room, kind="stable")
        codes = np.concatenate([table.values[placed], made.counterfeits])[order]
        told.add(made.group[placed], table.person[placed], room[order], codes, groups)
        stay = np.sort(rng.permutation(rows)[leavers:])
        who = np.concatenate([who[stay], rows + release * leavers + np.arange(leavers)])
    people = 1 + max(int(part[2].max()) for part in told.parts)
    return told.made(people, VALUES), values[:people]


def refilled(setting: Setting) -> tuple[histories.History, NDArray[np.int32]]:
    """Groups of M values that stay; N leavers or more are replaced together by newcomers with their values."""
    rng, told = np.random.default_rng(1), _Releases()

    def fresh(groups: int) -> NDArray[np.int64]:
        return np.argsort(rng.random((groups, VALUES)), axis=1)[:, :M]

    values = fresh(setting.people // M)
    people = values.size
    seat, truth = np.arange(people).reshape(-1, M), [values.ravel()]
    for release in range(setting.releases):
        if release:
            gone = (seat >= 0) & (rng.random(seat.shape) < setting.turnover)
            seat = np.where(gone, -1, seat)
            empty = (seat < 0) & ((seat < 0).sum(axis=1) >= N)[:, None]
            seat[empty] = people + np.arange(empty.sum())
            people += int(empty.sum())
            more = fresh(max(0, int(gone.sum()) - int(empty.sum())) // M)
            truth += [values[empty], more.ravel()]
            seat = np.concatenate([seat, people + np.arange(more.size).reshape(-1, M)])
            values, people = np.concatenate([values, more]), people + more.size
            alive = (seat >= 0).any(axis=1)
            seat, values = seat[alive], values[alive]
        here, at = seat >= 0, np.repeat(np.arange(len(seat)), M)
        told.add(np.nonzero(here)[0], seat[here], at, values.ravel(), len(seat))
    return told.made(people, VALUES), np.array(list(chain(*truth)), np.int32)


if __name__ == "__main__":
    main()
