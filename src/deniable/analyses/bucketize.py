"""bucketize: publish a table as groups that stay safe from everybody who knows the statistics.

Computed: groups in which every person and value has a posterior of at most 1/r, for the marginal and the full
adversary and every attribute set of `knowledge` (docs/theory/linkage.md, "Groups that stay safe"), proved by the
exact posterior before anything is written. The rows travel as arrays of codes; `publish` groups them and orders the
bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from deniable.analyses.coded import Coded, encode
from deniable.analyses.linkage.knowledge import Knowledge, check_entries, given_columns, read_knowledge
from deniable.analyses.linkage.published import Published
from deniable.arrow import arrow_table, column_ints
from deniable.bind.files import need
from deniable.engines.base import Engine
from deniable.errors import BadInput, Mistake, Unachievable, in_order
from deniable.release import Release
from deniable.sql import linkage as queries
from deniable.sql import publishing
from deniable.sql.build import select
from deniable.words import unknown_column

if TYPE_CHECKING:
    from deniable.publish.bucketize.feasibility import Shortfall

Ints = NDArray[np.int32]
ROW = "row of the table"  # a column of ours beside the user's


@dataclass(frozen=True)
class Rows:
    """The table as arrays: codes of quasi-identifiers and private values, and one signature code per attribute set."""

    coded: Coded
    quasi: list[Ints]
    values: Ints
    knowledge: list[Knowledge]
    signatures: list[Ints]


def read_rows(release: Release, engine: Engine) -> Rows:
    """Attach the table and code what groups are made from. Raises BadInput with every mistake."""
    need(release, "bucketize", "private", "quasi")
    check_entries(release)
    given = given_columns(release)
    wanted = (*release.quasi, release.private)
    columns = engine.attach(release.table, "table_file", text=wanted, types={}, folder=release.folder, row=ROW)
    mistakes = [*_unknown(release, wanted, list(columns)), *_unpublished(release)]
    if mistakes:
        raise BadInput(in_order(mistakes))
    coded = encode(engine, wanted, {"table_file": wanted}, row=ROW)
    *quasi, values = coded.rows["table_file"]
    knowledge = _knowledge(release, engine, given)
    if not knowledge:  # somebody who knows nothing still sees how often each value is in a group
        alone = np.bincount(values, minlength=len(coded.columns[-1].values)) / len(values)
        return Rows(coded, quasi, values, [Knowledge((), ((),), alone[None])], [np.zeros(len(values), np.int32)])
    signatures = [
        _signatures(engine, k, [f"q{given.index(n)}" for n in known.given]) for k, known in enumerate(knowledge)
    ]
    order = _value_order(engine, coded)
    ordered = [
        Knowledge(known.given, known.signatures, np.ascontiguousarray(known.priors[:, order])) for known in knowledge
    ]
    return Rows(coded, quasi, values, ordered, signatures)


def _unknown(release: Release, wanted: Sequence[str], columns: list[str]) -> Iterator[Mistake]:
    for name in wanted:
        if name not in columns:
            key = "private" if name == release.private else "quasi"
            place = (key,) if key == "private" else (key, list(release.quasi).index(name))
            yield Mistake(release.locations.at(*place), f"{key}: {unknown_column(name, columns)}")


def _unpublished(release: Release) -> Iterator[Mistake]:
    for i, entry in enumerate(release.knowledge):
        outside = [name for name in entry.given if name not in release.quasi]
        if outside:
            what = f"knowledge.given: expected quasi-identifiers, which are published; found {', '.join(outside)}"
            yield Mistake(release.locations.at("knowledge", i, "given"), what)


def _knowledge(release: Release, engine: Engine, given: tuple[str, ...]) -> list[Knowledge]:
    """What the adversary knows, the table's people taken as the published ones."""
    if not release.knowledge:
        return []
    engine.store("published_people", publishing.as_people("table_file", ROW, given))
    engine.store("published_values", publishing.as_values("table_file", release.private))
    engine.store("named", queries.numbered("published_values", ["x"], "v"))
    names = engine.fetch(select("x").from_("named").order_by("v")).column("x").to_pylist()
    return read_knowledge(release, engine, Published(given, 0, 0, tuple(names)), "table_file")


def _signatures(engine: Engine, k: int, quasi: list[str]) -> Ints:
    """Each row's signature, in the rows' order."""
    return column_ints(engine.fetch(publishing.signatures(k, quasi)), "s").astype(np.int32)


def _value_order(engine: Engine, coded: Coded) -> NDArray[np.int64]:
    """The number that knowledge gives each value, by the code that the arrays give it."""
    names = engine.fetch(select("x", "v").from_("named")).to_pylist()
    number = {row["x"]: row["v"] for row in names}
    return np.array([number[value] for value in coded.columns[-1].values], np.int64)


def write_files(
    engine: Engine,
    folder: Path,
    release: Release,
    people: tuple[NDArray[np.int64], ...],
    values: tuple[NDArray[np.int64], ...],
) -> None:
    """people.csv (row, group, in this order) and values.csv (group, value code, in this order); both or none."""
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    row, group = people
    engine.put("placed_people", arrow_table(row=row, grp=group, place=np.arange(len(row))))
    value_group, code = values
    engine.put("placed_values", arrow_table(grp=value_group, code=code, place=np.arange(len(code))))
    private = len(release.quasi)
    try:
        engine.save(publishing.people(release.quasi), folder / "people.csv")
        engine.save(publishing.values(release.private, private), folder / "values.csv")
    except BaseException:
        (folder / "people.csv").unlink(missing_ok=True)
        if made:
            folder.rmdir()
        raise


@dataclass(frozen=True)
class Bucketize:
    """What was published: how many people in how many groups, how many not, and the largest posterior."""

    release: Release
    people: int
    withheld: int
    groups: int
    worst: float
    r: float


@dataclass(frozen=True)
class Options:
    """r, whether people may be withheld, whether a binding value may be named, and a seed for tests."""

    r: float
    suppress: bool = False
    reveal: bool = False
    seed: int | None = None


def publish(release: Release, folder: Path, engine: Engine, options: Options) -> Bucketize:
    """Group, prove, and write; raises Unachievable where r cannot be had for everybody."""
    from deniable.publish.bucketize.feasibility import Shortfall, bucketize
    from deniable.publish.bucketize.robust import Knowledge as Known
    from deniable.publish.bytes import shuffle

    rows = read_rows(release, engine)
    if options.r > len(rows.values):
        raise Unachievable(f"r = {options.r:g} cannot be had: a group needs as many people, and the table has fewer")
    known = [Known(codes, entry.priors) for codes, entry in zip(rows.signatures, rows.knowledge, strict=True)]
    found = bucketize(rows.quasi, rows.values, known, options.r, suppress=options.suppress)
    if isinstance(found, Shortfall):
        raise Unachievable(_shortfall(release, rows, found, options))
    if not found.groups:
        raise Unachievable(
            f"r = {options.r:g} cannot be had: nobody could be placed in a group, so nothing is published"
        )
    told = shuffle(found.group_of, rows.values, options.seed)
    people = (told.rows + 1, told.group_of_row.astype(np.int64) + 1)
    values = (told.group_of_value.astype(np.int64) + 1, told.values.astype(np.int64))
    write_files(engine, folder, release, people, values)
    return Bucketize(release, len(told.rows), found.withheld, found.groups, found.worst, options.r)


def _shortfall(release: Release, rows: Rows, found: Shortfall, options: Options) -> str:
    """Which signature and value stand in the way, what can be had instead, and at what price."""
    known = rows.knowledge[found.attribute_set]
    cells = known.signatures[found.signature]
    signature = ", ".join(
        f"{name} = {'(null)' if cell is None else cell}" for name, cell in zip(known.given, cells, strict=True)
    )
    value = rows.coded.columns[-1].values[found.value]
    name = f"{release.private} = {'(null)' if value is None else value}" if options.reveal else f"one {release.private}"
    whom = signature or "any quasi-identifiers"
    most = f", and no grouping with each value once goes beyond {found.limit:.4g}" if np.isfinite(found.limit) else ""
    return (
        f"r = {options.r:g} cannot be had for everybody: {name} has {found.share:.1%} of the people with "
        f"{whom}; without withholding anyone r = {found.reachable:.4g} was reached{most}; "
        f"--suppress would withhold {found.withheld:,} of {len(rows.values):,} people"
    )
