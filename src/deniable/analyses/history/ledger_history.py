"""The ledger's history as the adversary sees it: who was in which group, and which values each group had."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from deniable.analyses.history.named_history import NamedHistory
from deniable.arrow import column_numbers
from deniable.bind.known import HistoryNames
from deniable.bind.roles import rename_mistakes
from deniable.errors import BadInput, Mistake
from deniable.frozen import frozen
from deniable.ledgers import read
from deniable.ledgers.chain import broken
from deniable.ledgers.file import Ledger
from deniable.ledgers.schema import Layout
from deniable.release import Release
from deniable.worlds.arrays import Int32s, Int64s, expand, offsets
from deniable.worlds.history.histories import History, history

if TYPE_CHECKING:
    import pyarrow as pa


@frozen(eq=False)
class LedgerHistory:
    """All releases at once, and everybody's true value."""

    history: History
    truth: Int32s
    releases: int
    people: int  # those from here on are nobodies
    kept_back: Int64s = field(default_factory=lambda: np.zeros(0, np.int64))  # published late, which tells their value
    waiting: pa.Table | None = None  # identifiers of people who are kept back and were not published since

    @property
    def waits(self) -> int:
        """How many are kept back and were not published since."""
        return 0 if self.waiting is None else int(self.waiting.num_rows)


def ledger_path(release: Release) -> Path:
    """The private history: as the release file says, else beside it and named after it."""
    if release.ledger:
        return release.folder / release.ledger
    return (
        Path(release.locations.file).with_suffix(".ledger")
        if release.locations.file
        else Path(f"{release.name}.ledger")
    )


def layout_of(release: Release) -> Layout:
    """The columns that the ledger is about. Raises BadInput where it is not clear which is which."""
    mistakes = list(rename_mistakes(release))
    if mistakes:
        raise BadInput(mistakes)
    return Layout(release.id_columns, tuple(release.quasi), release.private, release.rename)


def insist_on_whole(book: Ledger) -> None:
    """A ledger that is not what was entered in it is not gone on from, nor believed. Raises BadInput."""
    wrong = [] if book.is_new else list(broken(book.connection, book.layout))
    if wrong:
        raise BadInput([Mistake(str(book.path), reason) for reason in wrong])


def read_named_history(book: Ledger) -> NamedHistory:
    """The history with names: who the people are, and what the values are called; and as the audit has it."""
    told = read_ledger_history(book)
    names = HistoryNames(read.read_people(book), read.read_values(book), book.layout.private)
    return NamedHistory(names, told.history, told.truth, read_ledger_history(book, identified=True))


def read_ledger_history(book: Ledger, *, identified: bool = False) -> LedgerHistory:
    """Everything that was published so far. A ghost is a counterfeit to the adversary: a value, and no member.

    Somebody who knows the algorithm has ghosts `identified`: members with the value of whoever held the seat. Nobodies
    among them are people from `people` on, with values of which nothing is asked.
    """
    seats = read.read_all_seats(book, identified=identified)
    release, group, person, value = (column_numbers(seats, name) for name in ("release", "grp", "person", "value"))
    fresh = np.ones(len(release), np.bool_)
    fresh[1:] = (release[1:] != release[:-1]) | (group[1:] != group[:-1])
    starts = np.flatnonzero(fresh)
    sizes = np.diff(np.append(starts, len(release)))
    truth = column_numbers(read.read_truth(book), "value").astype(np.int32)
    if identified:
        truth = _with_nobodies(truth, person, value)
        lineage = column_numbers(read.read_lineages(book), "lineage")
        kept = is_new(release[starts], lineage, starts, sizes, person)
        rows = np.repeat(kept, sizes)
        starts, sizes, person, value = starts[kept], sizes[kept], person[rows], value[rows]
    ends = offsets(sizes)
    real = person >= 0
    members = offsets(real)[ends]
    values = read.count_values(book)
    told = history(len(truth), values, release[starts] - 1, members, person[real], ends, value)
    back = read.read_kept_back(book)
    releases = int(release.max(initial=0))
    return LedgerHistory(told, truth, releases, read.count_people(book), back.people, back.waiting)


def is_new(release: Int64s, lineage: Int64s, starts: Int64s, sizes: Int64s, person: Int64s) -> NDArray[np.bool_]:
    """Which groups are not as in the release before: a group of the same lineage that has the same members says
    nothing new, if all its rows have one (person >= 0). Members are in order."""
    new = np.ones(len(release), np.bool_)
    complete = person[starts] >= 0
    first = np.searchsorted(release, np.arange(1, int(release.max(initial=0)) + 2))
    home = np.full(int(lineage.max(initial=0)) + 1, -1, np.int64)
    for before, here, after in zip(first[:-2], first[1:-1], first[2:], strict=True):
        home[:] = -1
        home[lineage[before:here]] = np.arange(before, here)
        now = np.arange(here, after)
        was = home[lineage[now]]
        same = (was >= 0) & complete[now]
        same[same] = (sizes[was[same]] == sizes[now[same]]) & complete[was[same]]
        at, old = now[same], was[same]
        moved = person[expand(starts[at], sizes[at])] != person[expand(starts[old], sizes[at])]
        changed = np.repeat(at, sizes[at])[moved]
        new[at] = False
        new[changed] = True
    return new


def _with_nobodies(truth: Int32s, person: Int64s, value: Int64s) -> Int32s:
    found = np.zeros(max(len(truth), int(person.max(initial=-1)) + 1), np.int32)
    found[person[person >= 0]] = value[person >= 0]
    found[: len(truth)] = truth
    return found
