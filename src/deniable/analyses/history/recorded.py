"""The ledger's history as the adversary sees it: who was in which group, and which values each group had."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from deniable.analyses.history.chronicle import Chronicle
from deniable.engines.arrow import column_numbers
from deniable.ledgers.file import Ledger, fetch, number
from deniable.ledgers.schema import Layout, id_cells
from deniable.release import Release
from deniable.worlds.histories import History, history


@dataclass(frozen=True, eq=False)
class Recorded:
    """All releases at once, and everybody's true value."""

    story: History
    truth: NDArray[np.int32]
    releases: int
    people: int  # those from here on are nobodies


def ledger_path(release: Release) -> Path:
    """The private history: as the release file says, else beside it and named after it."""
    if release.ledger:
        return release.folder / release.ledger
    return Path(release.places.file).with_suffix(".ledger") if release.places.file else Path(f"{release.name}.ledger")


def layout_of(release: Release) -> Layout:
    """The columns that the ledger is about."""
    return Layout(release.id_columns, tuple(release.quasi), release.private)


def read_chronicle(book: Ledger) -> Chronicle:
    """The same with names: who the people are, and what the values are called."""
    layout, recorded = book.layout, read_story(book)
    people = fetch(book, f"SELECT {', '.join(id_cells(layout))} FROM people ORDER BY person")
    values = tuple(value for (value,) in book.connection.execute("SELECT value FROM domain ORDER BY code").fetchall())
    named = people.rename_columns(list(layout.identifier))
    return Chronicle(named, values, recorded.truth, recorded.story, layout.private)


def read_story(book: Ledger, *, identified: bool = False) -> Recorded:
    """Everything that was published so far. A ghost is a counterfeit to the adversary: a value, and no member.

    Somebody who knows the algorithm has ghosts `identified`: members with the value of whoever held the seat. Nobodies
    among them are people from `people` on, with values of which nothing is asked.
    """
    people = number(book, "SELECT count(*) FROM people")
    ghost = f"CASE WHEN person < 0 THEN {people - 1} - person ELSE person END" if identified else "-1"
    seats = fetch(
        book,
        f"SELECT release, grp, CASE WHEN ghost THEN {ghost} ELSE person END AS person, value FROM seats "
        "ORDER BY release, grp, value",
    )
    release, group, person, value = (column_numbers(seats, name) for name in ("release", "grp", "person", "value"))
    fresh = np.ones(len(release), np.bool_)
    fresh[1:] = (release[1:] != release[:-1]) | (group[1:] != group[:-1])
    starts = np.flatnonzero(fresh)
    ends = np.append(starts, len(release))
    real = person >= 0
    members = np.concatenate([[0], np.cumsum(real)])[ends]
    truth = column_numbers(fetch(book, "SELECT value FROM people ORDER BY person"), "value").astype(np.int32)
    values = number(book, "SELECT count(*) FROM domain")
    if identified:
        truth = _with_nobodies(truth, person, value)
    story = history(len(truth), values, release[starts] - 1, members, person[real], ends, value)
    return Recorded(story, truth, int(release.max(initial=0)), people)


def _with_nobodies(truth: NDArray[np.int32], person: NDArray[np.int64], value: NDArray[np.int64]) -> NDArray[np.int32]:
    found = np.zeros(max(len(truth), int(person.max(initial=-1)) + 1), np.int32)
    found[person[person >= 0]] = value[person >= 0]
    found[: len(truth)] = truth
    return found
