"""explain, where a table was published again and again: one person's groups, and what all releases make of them.

Computed: the groups that the person was in, what was published of each, and the row that `attack` has for them, nobody
known (docs/theory/history.md, "The joint adversary"). Like `explain` of views it shows private values beside a person,
because it was asked for by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deniable.analyses.history.attack import Attack, AttackOptions, attack
from deniable.analyses.history.ledger_history import layout_of, ledger_path
from deniable.bind.files import need
from deniable.engines.scope import Scope
from deniable.errors import BadInput, Mistake, Reason
from deniable.frozen import frozen
from deniable.ledgers.file import ledger
from deniable.ledgers.read import groups_of
from deniable.release import Release
from deniable.shown import Shown

if TYPE_CHECKING:
    import pyarrow as pa

Value = str | None


@frozen
class GroupOfRelease:
    """One group of the person: its number where a ledger has it, its people, and all values that were published."""

    release: int
    group: int | None
    people: int
    counterfeits: int
    values: dict[Value, int]  # how often each was published


@frozen
class Respondent:
    """A person as the releases have them: once, or once more for each time they were published as somebody new.

    `values` private values stay possible; where it is not `decided`, fewer may. Probabilities are the true value's.
    """

    groups: tuple[GroupOfRelease, ...]
    true_value: tuple[Value, ...]  # empty where nobody knows it
    kept_back: bool
    values: int
    decided: bool
    probability: float | None
    lower: float | None
    upper: float | None
    bound: str


@frozen(repr=False)
class PersonInReleases(Shown):
    """Everything `explain` shows of a release that was published again, as values."""

    who: tuple[str, ...]
    release: str
    releases: int
    respondents: tuple[Respondent, ...]

    def __str__(self) -> str:
        from deniable.report.person_in_releases import person_text

        return person_text(self)


def is_published_again(release: Release) -> bool:
    """Whether there are no views to explain, but releases that a ledger or files of others tell of."""
    return not release.views and bool(release.history or release.republish or release.ledger)


def explain_releases(release: Release, who: Sequence[str], scope: Scope) -> PersonInReleases:
    """Ask the joint adversary, who knows nobody, and show one person. Raises BadInput if nobody is called so."""
    need(release, "explain", "identifier", "private")
    names = release.id_columns
    if len(who) != len(names):
        raise BadInput(Mistake("--who", Reason("views.incomplete_who", names=names, found=len(who))))
    found = attack(release, scope, AttackOptions())
    table = found.table
    rows = _rows_of(table, who)
    if not rows:
        people = [name for name in table.column(0).to_pylist() if name is not None]
        where = release.history.population if release.history else str(ledger_path(release))
        raise BadInput(Mistake("--who", Reason("views.nobody_called", table=where, who=tuple(who), people=people)))
    numbers = _numbers(release, rows)
    told = tuple(_respondent(found, table, row, numbers.get(row, {})) for row in rows)
    return PersonInReleases(tuple(who), release.name, found.history.releases, told)


def _rows_of(table: pa.Table, who: Sequence[str]) -> list[int]:
    """Where the identifier's columns, which are the first, have these cells."""
    cells = zip(*(table.column(place).to_pylist() for place in range(len(who))), strict=True)
    return [row for row, found in enumerate(cells) if found == tuple(who)]


def _numbers(release: Release, people: Sequence[int]) -> dict[int, dict[int, int]]:
    """By person and release, the number that was published for the group; files of others have their own names."""
    if release.history:
        return {}
    with ledger(ledger_path(release), layout_of(release), reading=True) as book:
        return {person: groups_of(book, person) for person in people}


def _respondent(found: Attack, table: pa.Table, row: int, numbers: dict[int, int]) -> Respondent:
    history, chances = found.history, table.slice(row, 1).to_pylist()[0]
    published = row < history.names.people.num_rows
    told = history.told
    truth = (history.names.values[int(history.truth[row])],) if published and history.truth is not None else ()
    late = not published or (told is not None and bool(np.isin(row, told.kept_back)))
    return Respondent(
        _groups(found, row, numbers) if published else (),
        truth,
        late,
        chances["values"],
        bool(found.answer.decided[row]),
        *(chances[name] for name in ("probability", "lower", "upper", "bound")),
    )


def _groups(found: Attack, person: int, numbers: dict[int, int]) -> tuple[GroupOfRelease, ...]:
    """What was published of the person's groups, the first release first."""
    history, names = found.history.history, found.history.names.values
    starts, group = history.memberships
    shown = []
    for g in group[starts[person] : starts[person + 1]].tolist():
        codes = history.codes[history.value_offsets[g] : history.value_offsets[g + 1]].tolist()
        people = int(history.member_offsets[g + 1] - history.member_offsets[g])
        release = int(history.release[g]) + 1
        values = dict(Counter(names[code] for code in codes))
        shown.append(GroupOfRelease(release, numbers.get(release), people, len(codes) - people, values))
    return tuple(shown)
