"""bucketize: publish a table as groups that stay safe from everybody who knows the statistics.

Computed: groups in which every person and value has a posterior of at most 1/r, for the marginal and the full
adversary and every attribute set of `knowledge` (docs/theory/linkage.md, "Groups that stay safe"), proved by the
exact posterior before anything is written. Without `knowledge` only the shares of values in groups are minded, and what
the statistics of each column would do is counted. The rows travel as arrays of codes; `publish` groups them and orders
the bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from deniable.analyses.coded import Coded, Source, encode
from deniable.analyses.linkage.priors import priors_of
from deniable.arrow import arrow_table, arrow_texts, column_ints
from deniable.bind.groups import ReadTable, read_table
from deniable.bind.knowledge import Signature
from deniable.bind.table import ROW
from deniable.engines.scope import Scope
from deniable.errors import Reason, Unachievable
from deniable.frozen import frozen
from deniable.publish.spreadsheets import is_formula
from deniable.publish.staging import staged
from deniable.release import CALIBRATED, Release, asked_adversaries
from deniable.shown import Shown
from deniable.sql import publishing
from deniable.steps import reach
from deniable.worlds.arrays import Floats, Int32s

if TYPE_CHECKING:
    from deniable.analyses.linkage.column_statistics import ColumnTells
    from deniable.publish.bucketize.feasibility import Shortfall
    from deniable.publish.bytes import Shuffled

PEOPLE, VALUES = "people.csv", "values.csv"


@frozen
class BucketizeRequest:
    """r, whether people may be withheld, whether a binding value may be named, a seed for tests, whether cells that a
    spreadsheet would compute are made harmless, and whether all groups are drawn by lot."""

    r: float
    suppress: bool = False
    reveal: bool = False
    seed: int | None = None
    excel_safe: bool = False
    by_lot: bool = False


@frozen(repr=False)
class Bucketize(Shown):
    """What was published: how many people in how many groups, how many not, and the largest posterior.

    `columns`: where the release was made without knowledge, what somebody learns from it who knows the statistics of
    one quasi-identifier, as the table has them. `formulas`: how many published cells a spreadsheet would compute, which
    `excel_safe` prevents. `fitted`: it holds against statistics fitted to it, too. `searched`: how many people are in
    groups that were not drawn by lot but searched for by their values, of whom somebody who runs the program may learn
    more.
    """

    release: Release
    people: int
    withheld: int
    groups: int
    worst: float
    r: float
    columns: Mapping[str, ColumnTells]
    formulas: int = 0
    excel_safe: bool = False
    fitted: bool = False
    searched: int = 0


@frozen(eq=False)
class KnownOfRows:
    """One attribute set as grouping needs it: each row's signature, and priors by signature and private code."""

    given: tuple[str, ...]
    cells: Sequence[Signature]  # by signature
    signatures: Int32s
    priors: Floats


def publish(release: Release, folder: Path, scope: Scope, request: BucketizeRequest) -> Bucketize:
    """Group, prove, and write; raises Unachievable where r cannot be had for everybody."""
    from deniable.publish.bucketize.feasibility import Shortfall, bucketize
    from deniable.publish.bucketize.robust import KnownPriors
    from deniable.publish.bytes import shuffle

    reach("read.table")
    read = read_table(release, scope)
    wanted = (*release.quasi, release.private)
    coded = encode(scope, wanted, [Source(read.table, wanted, ROW)])
    *quasi, values = coded.rows[0].arrays
    if request.r > len(values):
        raise Unachievable(Reason("groups.fewer_people_than_r", r=request.r))
    sets = _sets(release, scope, read, coded)
    known = [KnownPriors(one.signatures, one.priors) for one in sets]
    if not request.suppress:
        _insist_on_chances(release, sets, values)
    fitted = CALIBRATED in asked_adversaries(release)
    found = bucketize(
        quasi, values, known, request.r,
        suppress=request.suppress, by_lot=request.by_lot, fitted=fitted, seed=request.seed,
    )  # fmt: skip
    if isinstance(found, Shortfall):
        raise Unachievable(_shortfall(release, coded, sets[found.attribute_set], found, request))
    if not found.groups:
        raise Unachievable(Reason("groups.nobody_placed", r=request.r))
    columns = {} if release.knowledge else _columns(release, quasi, values, found.group_of, request.r)
    reach("write")
    told = shuffle(found.group_of, values, request.seed)
    _write(release, folder, scope, coded, told, excel_safe=request.excel_safe)
    return Bucketize(
        release, len(told.rows), found.withheld, found.groups, found.worst, request.r, columns,
        _formulas(coded, told), request.excel_safe, fitted, found.searched,
    )  # fmt: skip


def _formulas(coded: Coded, told: Shuffled) -> int:
    """How many published cells begin as a formula does."""
    found = 0
    for column, codes in zip(coded.columns, coded.rows[0].arrays, strict=True):
        begins = np.array(is_formula(arrow_texts(column.values)).to_pylist(), np.bool_)
        found += int(begins[codes[told.rows]].sum())
    return found


def _sets(release: Release, scope: Scope, read: ReadTable, coded: Coded) -> list[KnownOfRows]:
    """What is known of every row, for each attribute set."""
    values, names = coded.rows[0].arrays[-1], coded.columns[-1].values
    if read.subjects is None:  # somebody who knows nothing still sees how often each value is in a group
        alone = np.bincount(values, minlength=len(names)) / len(values)
        return [KnownOfRows((), ((),), np.zeros(len(values), np.int32), alone[None])]
    number = {value: v for v, value in enumerate(read.subjects.values)}
    order = np.array([number[value] for value in names], np.int64)  # knowledge numbers values in its own way
    sets = []
    for known in priors_of(scope, read.sets, read.subjects, read.table, release.private):
        one = known.attributes
        rows = scope.fetch(publishing.signatures(read.subjects.people, one.numbered, one.columns))
        signatures = column_ints(rows, "s").astype(np.int32)
        sets.append(KnownOfRows(one.given, one.signatures, signatures, np.ascontiguousarray(known.priors[:, order])))
    return sets


def _columns(
    release: Release, quasi: Sequence[Int32s], values: Int32s, group_of: Int32s, r: float
) -> dict[str, ColumnTells]:
    """What each quasi-identifier's statistics would do to groups that mind none of them."""
    from deniable.analyses.linkage.column_statistics import column_tells

    named = zip(release.quasi, quasi, strict=True)
    return {name: column_tells(codes, values, group_of, 1.0 / r) for name, codes in named}


def _insist_on_chances(release: Release, sets: Sequence[KnownOfRows], values: Int32s) -> None:
    """What somebody learns whose knowledge does not say how likely a published value is, nobody can promise."""
    for one in sets:
        untold = int(np.isnan(one.priors[one.signatures, values]).sum())
        if untold:
            raise Unachievable(
                Reason(
                    "groups.chances_not_known",
                    private=release.private,
                    given=one.given,
                    untold=untold,
                    people=len(values),
                )
            )


def _write(
    release: Release, folder: Path, scope: Scope, coded: Coded, told: Shuffled, *, excel_safe: bool
) -> None:  # fmt: skip
    """people.csv and values.csv, both or none; rows and groups are numbered from 1 on."""
    group, of_value = told.group_of_row.astype(np.int64) + 1, told.group_of_value.astype(np.int64) + 1
    placed = arrow_table(row=told.rows + 1, grp=group, place=np.arange(len(group)))
    people = publishing.people(scope.put("placed_people", placed), coded.rows[0].cells, release.quasi, excel_safe)
    placed = arrow_table(grp=of_value, code=told.values.astype(np.int64), place=np.arange(len(of_value)))
    values = publishing.values(scope.put("placed_values", placed), coded.codes[-1], release.private, excel_safe)
    with staged(folder, (PEOPLE, VALUES)) as place:
        scope.save(people, place / PEOPLE)
        scope.save(values, place / VALUES)


def _shortfall(
    release: Release, coded: Coded, known: KnownOfRows, found: Shortfall, request: BucketizeRequest
) -> Reason:
    """Which signature and value stand in the way, what can be had instead, and at what price."""
    private = coded.columns[-1].values[found.value]
    return Reason(
        "groups.shortfall",
        r=request.r,
        private=release.private,
        value=(private,) if request.reveal else (),
        signature=dict(zip(known.given, known.cells[found.signature], strict=True)),
        share=found.share,
        reachable=found.reachable,
        limit=found.limit,
        withheld=found.withheld,
        people=len(known.signatures),
    )
