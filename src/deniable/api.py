"""The verbs, as Python functions. Each opens an engine, does one thing, and says what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Literal

from deniable.analyses.verdict import Verdict
from deniable.engines import open_engine
from deniable.engines.base import Engine
from deniable.release import BreachLimit, CrowdLimit, Release

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach
    from deniable.analyses.bucketize import Bucketize
    from deniable.analyses.crowds import Crowds, Method
    from deniable.analyses.explain import Explanation
    from deniable.analyses.history.attack import Attack
    from deniable.analyses.history.export import Exported, Verified
    from deniable.analyses.history.republish import Republished
    from deniable.analyses.linkage import Linkage
    from deniable.analyses.utility import Utility
    from deniable.bind.views import Bound
    from deniable.publish.again.n_choose import Choice

Source = Release | str | PathLike[str]

TOLERANCE = 1e-6  # how narrow intervals are made, where they are needed
LIMIT = 50_000_000  # different combinations: of shared columns in a join, or of public and private values
STATES = 1 << 20  # of the exact count of one published group
SECONDS = 60.0  # how long a solver may take, for a release


def load(release: Source) -> Release:
    """A release from its file; a Release is returned as it is."""
    if isinstance(release, Release):
        return release
    from deniable.spec import yaml as spec

    return spec.load(str(release))


@contextmanager
def _engine(name: str) -> Iterator[Engine]:
    engine = open_engine(name)
    try:
        yield engine
    finally:
        engine.close()


@contextmanager
def _kept(name: str) -> Iterator[Engine]:
    """An engine that the result goes on using: closed here only if there is no result."""
    engine = open_engine(name)
    try:
        yield engine
    except BaseException:
        engine.close()
        raise


def breach(
    release: Source,
    *,
    pairs: Literal["secret", "all"] = "secret",
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    engine: str = "duckdb",
) -> Breach:
    """How likely is each secret association? The result keeps its engine: close() ends it.

    With three views or more, `tolerance` is how narrow an interval should be, and `limit`
    how many combinations of shared columns the views' join may have.
    """
    from deniable.analyses.breach import Options, analyse

    with _kept(engine) as opened:
        return analyse(load(release), opened, pairs=pairs, options=Options(tolerance, limit))


def crowds(
    release: Source,
    *,
    method: Method = "conservative",
    seconds: float = SECONDS,
    limit: int = LIMIT,
    engine: str = "duckdb",
) -> Crowds:
    """Who is indistinguishable from whom? The result keeps its engine: close() ends it.

    `seconds` is how long a solver may take (exact and restricted); `limit` how many combinations of
    public and private values a condition may ask to be tried.
    """
    from deniable.analyses.crowds import Options, analyse

    with _kept(engine) as opened:
        return analyse(load(release), opened, Options(method, seconds, limit))


def linkage(release: Source, *, states: int = STATES, engine: str = "duckdb") -> Linkage:
    """What do published groups say to someone who knows the statistics? close() ends the result.

    `states` is how large the exact count of one group may get before it is sampled.
    """
    from deniable.analyses.linkage import Options, analyse

    with _kept(engine) as opened:
        return analyse(load(release), opened, Options(states))


def bucketize(
    release: Source,
    folder: str | PathLike[str],
    *,
    r: float,
    suppress: bool = False,
    reveal: bool = False,
    seed: int | None = None,
    engine: str = "duckdb",
) -> Bucketize:
    """Publish people.csv and values.csv into a folder: groups in which no posterior exceeds 1/r.

    Raises Unachievable where that cannot be had for everybody; `suppress` allows to withhold people. `seed` is for
    tests: what is published under a known seed can be told apart.
    """
    from pathlib import Path

    from deniable.analyses.bucketize import Options, publish

    with _engine(engine) as opened:
        return publish(load(release), Path(folder), opened, Options(r, suppress, reveal, seed))


def choose(*, m: int, compromise: float, lifespan: int, threshold: float, engine: str = "duckdb") -> Choice:
    """n-Choose: the least degree n of hc-safety whose chance of exposure is below a threshold, with its curve.

    No table is read; `engine` is there as everywhere.
    """
    from deniable.engines import check_engine
    from deniable.publish.again.n_choose import choose as least

    check_engine(engine)
    return least(m, compromise, lifespan, threshold)


def republish(
    release: Source,
    folder: str | PathLike[str],
    *,
    algorithm: str | None = None,
    withhold: bool = False,
    new_episode: bool = False,
    dry_run: bool = False,
    audit: bool = True,
    seconds: float = SECONDS,
    seed: int | None = None,
    reached: Callable[[str], None] = lambda _: None,
    engine: str = "duckdb",
) -> Republished:
    """Publish the next release of a table into a folder, and enter it in the ledger.

    `withhold` keeps newcomers who cannot be placed for the next release; `new_episode` publishes people whose cells
    changed as somebody new; `dry_run` writes nothing. `audit` asks the joint adversary first, for at most `seconds`.
    `reached` is told of every step. `seed` is for tests: what is published under a known seed can be told apart.
    """
    from pathlib import Path

    from deniable.analyses.history.republish import Options, publish

    options = Options(algorithm, withhold, new_episode, dry_run, audit, seconds, seed)
    with _engine(engine) as opened:
        return publish(load(release), Path(folder), opened, options, reached)


def attack(
    release: Source,
    *,
    known: str | PathLike[str] | None = None,
    adversary: Literal["joint", "pairs"] = "joint",
    compromise: float | None = None,
    seed: int = 0,
    repeat: int = 1,
    seconds: float = SECONDS,
    engine: str = "duckdb",
) -> Attack:
    """What does somebody work out who keeps every release of the ledger, or of `history` in the release file?

    They know the people in a file, or a share `compromise` of all, drawn at random, `repeat` times anew.
    """
    from pathlib import Path

    from deniable.analyses.history.attack import Options
    from deniable.analyses.history.attacked import attack as work_out

    options = Options(adversary, Path(known) if known else None, compromise, seed, repeat, seconds)
    with _engine(engine) as opened:
        return work_out(load(release), opened, options)


def ledger(release: Source, *, engine: str = "duckdb") -> Exported:
    """The private history: every member of every group of every release. The table is not read."""
    from deniable.analyses.history.export import export
    from deniable.engines import check_engine

    check_engine(engine)
    return export(load(release))


def verify(release: Source, *, engine: str = "duckdb") -> Verified:
    """Does the ledger keep what it promises, release by release? The table is not read."""
    from deniable.analyses.history.export import verify as check_all
    from deniable.engines import check_engine

    check_engine(engine)
    return check_all(load(release))


def utility(
    release: Source, folder: str | PathLike[str], *, queries: int = 1000, seed: int = 0, engine: str = "duckdb"
) -> Utility:
    """How well does a published release (people.csv and values.csv in a folder) answer COUNT queries?"""
    from pathlib import Path

    from deniable.analyses.utility import analyse

    with _engine(engine) as opened:
        return analyse(load(release), Path(folder), opened, queries, seed)


def audit(
    release: Source,
    *,
    breach: float | None = None,
    crowd: int | None = None,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    engine: str = "duckdb",
) -> Verdict:
    """Does the release meet its requirements? `breach` and `crowd` set limits in place of the file's."""
    from deniable.analyses.audit import audit as decide
    from deniable.analyses.breach import Options

    loaded = load(release)
    if breach is not None:
        adversaries = loaded.require.breach.adversaries if loaded.require.breach else None
        asked = BreachLimit(breach, adversaries) if adversaries else BreachLimit(breach)
        loaded = replace(loaded, require=replace(loaded.require, breach=asked))
    if crowd is not None:
        values = loaded.require.crowd.values if loaded.require.crowd else 1
        loaded = replace(loaded, require=replace(loaded.require, crowd=CrowdLimit(crowd, values)))
    with _engine(engine) as opened:
        return decide(loaded, opened, Options(tolerance, limit))


def explain(
    release: Source, *who: str, tolerance: float = TOLERANCE, limit: int = LIMIT, engine: str = "duckdb"
) -> Explanation:
    """One person, shown: their join group, the worlds, each adversary's probability."""
    from deniable.analyses.breach import Options
    from deniable.analyses.explain import explain as show

    with _engine(engine) as opened:
        return show(load(release), who, opened, Options(tolerance, limit))


def check(release: Source, *, engine: str = "duckdb") -> Bound:
    """Is the release well formed, and does it fit its table? Raises BadInput if not."""
    from deniable.bind.views import bind
    from deniable.engines.scope import Scope

    with _engine(engine) as opened:
        return bind(load(release), Scope(opened))
