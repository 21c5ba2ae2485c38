"""The verbs about a table that is published as groups."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from deniable.api.loading import Source, read
from deniable.bind.inputs import kept_scope, scope_of
from deniable.effort import (
    ENGINE,
    MOST_QUERIES,
    MOST_STATES,
    QUERIES,
    STATES,
    Effort,
)
from deniable.spec import arguments

if TYPE_CHECKING:
    from deniable.analyses.bucketize import Bucketize
    from deniable.analyses.linkage import Linkage
    from deniable.analyses.utility import Utility


PUBLISHED = ("people.csv", "values.csv", "release.csv", "counterfeits.csv")  # what a published folder may hold


def linkage(release: Source, *, states: int = STATES, engine: str = ENGINE) -> Linkage:
    """What do published groups say to someone who knows the statistics? close() ends the result.

    `states` is how large the exact count of one group may get before it is sampled.
    """
    from deniable.analyses.linkage import analyse

    arguments.insist(arguments.whole("states", states, 1, MOST_STATES))
    loaded = read(release, engine)
    with kept_scope(engine, loaded) as scope:
        return analyse(loaded, scope, Effort(states=states))


def bucketize(
    release: Source,
    folder: str | PathLike[str],
    *,
    r: float,
    suppress: bool = False,
    by_lot: bool = False,
    reveal: bool = False,
    seed: int | None = None,
    excel_safe: bool = False,
    engine: str = ENGINE,
) -> Bucketize:
    """Publish people.csv and values.csv into a folder: groups in which no posterior exceeds 1/r.

    Without `knowledge` that holds against somebody who knows nothing; `columns` of the result says what others learn.
    Raises Unachievable where it cannot be had for everybody; `suppress` allows to withhold people. Groups are drawn by
    lot, so that their choice says nothing; for those whom lots leave over a place is searched by their values, unless
    `by_lot`: `searched` of the result says how many people are in such groups.
    `excel_safe` puts an apostrophe before cells that a spreadsheet would compute. `seed` is for tests: what is
    published under a known seed can be told apart.
    """
    from deniable.analyses.bucketize import BucketizeRequest, publish
    from deniable.bind.outputs import insist_apart

    arguments.insist(
        arguments.new_folder("folder", folder),
        arguments.number("r", r, 1),
        arguments.flag("suppress", suppress),
        arguments.flag("reveal", reveal),
        None if seed is None else arguments.whole("seed", seed, 0),
        arguments.flag("excel_safe", excel_safe),
    )
    loaded, files = read(release, engine), [Path(folder) / name for name in ("people.csv", "values.csv")]
    insist_apart(loaded, {"--out": files}, groups=False)
    with scope_of(engine, loaded) as scope:
        request = BucketizeRequest(r, suppress, reveal, seed, excel_safe, by_lot)
        return publish(loaded, Path(folder), scope, request)


def utility(
    release: Source, folder: str | PathLike[str], *, queries: int = QUERIES, seed: int = 0, engine: str = ENGINE
) -> Utility:
    """How well does a published release (people.csv and values.csv in a folder) answer COUNT queries?"""
    from deniable.analyses.utility import analyse

    arguments.insist(
        arguments.path("folder", folder),
        arguments.whole("queries", queries, 1, MOST_QUERIES),
        arguments.whole("seed", seed, 0),
    )
    loaded, published = read(release, engine), (Path(folder) / name for name in PUBLISHED)
    with scope_of(engine, loaded, *published) as scope:
        return analyse(loaded, Path(folder), scope, queries, seed)
