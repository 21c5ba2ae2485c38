"""A history of releases with names: who the people are, what the values are called, and the truth where it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deniable.arrow import column_ints
from deniable.bind.known import HistoryNames
from deniable.bind.releases import Releases
from deniable.engines.scope import Scope
from deniable.frozen import frozen
from deniable.sql import attack as queries
from deniable.worlds.arrays import Int32s, offsets
from deniable.worlds.history.histories import History, history

if TYPE_CHECKING:
    from deniable.analyses.history.ledger_history import LedgerHistory


@frozen(eq=False)
class NamedHistory:
    """A history of releases as the adversary sees it, and the truth beside it."""

    names: HistoryNames
    history: History
    truth: Int32s | None  # value code of each person; None where nobody knows
    told: LedgerHistory | None = None  # what a ledger tells somebody who knows the algorithm
    number: int = 0  # of releases, where the last ones may have nobody

    @property
    def releases(self) -> int:
        """How many releases there are."""
        return max(self.number, int(self.history.release.max(initial=-1)) + 1)


def read_releases(files: Releases, scope: Scope) -> NamedHistory:
    """The history that the files of others tell."""
    people = scope.fetch(queries.names_of_people(files.people, len(files.identifier)))
    values = scope.fetch(queries.names_of_values(files.values)).column("x").to_pylist()
    release = column_ints(scope.fetch(queries.releases_of_groups(files.groups)), "r")
    seats = scope.fetch(queries.members(files.seats))
    codes = scope.fetch(queries.codes(files.published, files.groups, files.values))
    told = history(
        people.num_rows,
        len(values),
        release - 1,
        offsets(np.bincount(column_ints(seats, "u"), minlength=len(release))),
        column_ints(seats, "person"),
        offsets(np.bincount(column_ints(codes, "u"), minlength=len(release))),
        column_ints(codes, "v"),
    )
    truth: Int32s | None = None
    if files.knows_truth:
        truth = column_ints(scope.fetch(queries.truth(files.seats)), "v").astype(np.int32)
    names = HistoryNames(people.rename_columns(list(files.identifier)), tuple(values), files.private)
    return NamedHistory(names, told, truth, number=files.number)
