"""The verbs, as Python functions. Each opens an engine, does one thing, and says what it found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from deniable.bind.inputs import kept_scope, scope_of
from deniable.effort import ENGINE, LIMIT, LONGEST, MOST_STATES, QUERIES, SECONDS, STATES, TOLERANCE, WIDEST, Effort
from deniable.engines import check_engine
from deniable.errors import Mistake
from deniable.release import BreachLimit, CrowdLimit, HistoryLimit, LinkageLimit, Release, Requirements
from deniable.spec import arguments

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach
    from deniable.analyses.bucketize import Bucketize
    from deniable.analyses.crowds import Crowds, Method
    from deniable.analyses.explain import Explanation
    from deniable.analyses.history.attack import Attack
    from deniable.analyses.history.explain_releases import PersonInReleases
    from deniable.analyses.history.ledger import Exported, Verified
    from deniable.analyses.history.republish import Republished
    from deniable.analyses.history.undo import Undone
    from deniable.analyses.linkage import Linkage
    from deniable.analyses.linkage.explain_groups import PersonInGroups
    from deniable.analyses.utility import Utility
    from deniable.analyses.verdict import Verdict
    from deniable.bind.everything import Checked
    from deniable.publish.again.n_choose import Choice

Source = Release | str | PathLike[str]
PUBLISHED = ("people.csv", "values.csv", "release.csv", "counterfeits.csv")  # what a published folder may hold


def load(release: Source) -> Release:
    """A release from its file; a Release is returned as it is. Raises BadInput with every mistake of the file."""
    if isinstance(release, Release):
        return release
    arguments.insist(arguments.release("release", release))
    from deniable.spec import yaml

    return yaml.load(fspath(release))


def _read(release: Source, engine: str) -> Release:
    """The same; beside the mistakes of the file are those that its other keys have with their data."""
    if isinstance(release, Release):
        return release
    from deniable.spec import yaml

    try:
        return load(release)
    except yaml.Malformed as error:
        from deniable.bind.everything import explain

        raise explain(error, engine) from None


def _as_it_is(table: Any, private: str | None, quasi: str | Sequence[str]) -> Release:
    """A table that is published as it is."""
    arguments.insist(
        arguments.table("release", table),
        None if private else Mistake("private", "expected the private column beside quasi; found none"),
        None if len(quasi) else Mistake("quasi", "expected the quasi-identifiers beside private; found none"),
    )
    return Release(table=table, private=private or "", quasi=quasi)


def breach(
    release: Source,
    *,
    pairs: Literal["secret", "all"] = "secret",
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    engine: str = ENGINE,
) -> Breach:
    """How likely is each secret association? The result keeps its engine: close() ends it.

    With three views or more, `tolerance` is how narrow an interval should be, and `limit`
    how many combinations of shared columns the views' join may have.
    """
    from deniable.analyses.breach import analyse

    arguments.insist(
        arguments.one_of("pairs", pairs, ("secret", "all")),
        arguments.number("tolerance", tolerance, 0, 1),
        arguments.whole("limit", limit, 1),
    )
    loaded = _read(release, engine)
    with kept_scope(engine, loaded) as scope:
        return analyse(loaded, scope, Effort(tolerance, limit), pairs=pairs)


def crowds(
    release: Source | Any,
    *,
    private: str | None = None,
    quasi: str | Sequence[str] = (),
    method: Method = "conservative",
    seconds: float = SECONDS,
    limit: int = LIMIT,
    engine: str = ENGINE,
) -> Crowds:
    """Who is indistinguishable from whom? The result keeps its engine: close() ends it.

    With `private` and `quasi`, `release` is a table that is published as it is: its k and its distinct l. `seconds` is
    how long a solver may take (exact and restricted); `limit` how many combinations of public and private values a
    condition may ask to be tried.
    """
    from deniable.analyses.crowds import METHODS, analyse

    arguments.insist(
        arguments.one_of("method", method, METHODS),
        arguments.number("seconds", seconds, 0),
        arguments.whole("limit", limit, 1),
    )
    if private is not None or quasi:
        release = _as_it_is(release, private, quasi)
    loaded = _read(release, engine)
    with kept_scope(engine, loaded) as scope:
        return analyse(loaded, scope, method, Effort(limit=limit, seconds=seconds))


def linkage(release: Source, *, states: int = STATES, engine: str = ENGINE) -> Linkage:
    """What do published groups say to someone who knows the statistics? close() ends the result.

    `states` is how large the exact count of one group may get before it is sampled.
    """
    from deniable.analyses.linkage import analyse

    arguments.insist(arguments.whole("states", states, 1, MOST_STATES))
    loaded = _read(release, engine)
    with kept_scope(engine, loaded) as scope:
        return analyse(loaded, scope, Effort(states=states))


def bucketize(
    release: Source,
    folder: str | PathLike[str],
    *,
    r: float,
    suppress: bool = False,
    reveal: bool = False,
    seed: int | None = None,
    excel_safe: bool = False,
    engine: str = ENGINE,
) -> Bucketize:
    """Publish people.csv and values.csv into a folder: groups in which no posterior exceeds 1/r.

    Without `knowledge` that holds against somebody who knows nothing; `columns` of the result says what others learn.
    Raises Unachievable where it cannot be had for everybody; `suppress` allows to withhold people. `excel_safe` puts
    an apostrophe before cells that a spreadsheet would compute. `seed` is for tests: what is published under a known
    seed can be told apart.
    """
    from deniable.analyses.bucketize import BucketizeRequest, publish
    from deniable.bind.outputs import insist_apart

    arguments.insist(
        arguments.path("folder", folder),
        arguments.number("r", r, 1),
        None if seed is None else arguments.whole("seed", seed, 0),
    )
    loaded, files = _read(release, engine), [Path(folder) / name for name in ("people.csv", "values.csv")]
    insist_apart(loaded, {"--out": files}, groups=False)
    with scope_of(engine, loaded) as scope:
        request = BucketizeRequest(r, suppress, reveal, seed, excel_safe)
        return publish(loaded, Path(folder), scope, request)


def choose(*, m: int, compromise: float, lifespan: int, threshold: float, engine: str = ENGINE) -> Choice:
    """n-Choose: the least degree n of hc-safety whose chance of exposure is below a threshold, with its curve.

    No table is read; `engine` is there as everywhere.
    """
    from deniable.publish.again.n_choose import choose as least

    check_engine(engine)
    arguments.insist(
        arguments.whole("m", m, 2, WIDEST),
        arguments.number("compromise", compromise, 0, 1),
        arguments.whole("lifespan", lifespan, 1, LONGEST),
        arguments.number("threshold", threshold, 0, 1),
    )
    return least(m, compromise, lifespan, threshold)


def republish(
    release: Source,
    folder: str | PathLike[str],
    *,
    begin: bool = False,
    unusual: str | Sequence[str] = (),
    published: Sequence[str | PathLike[str]] = (),
    algorithm: str | None = None,
    withhold: bool = False,
    new_episode: bool = False,
    dry_run: bool = False,
    audit: bool = True,
    seconds: float = SECONDS,
    seed: int | None = None,
    excel_safe: bool = False,
    reached: Callable[[str], None] = lambda _: None,
    warn: Callable[[str], None] = lambda _: None,
    engine: str = ENGINE,
) -> Republished:
    """Publish the next release of a table into a folder, and enter it in the ledger.

    `begin` begins the ledger with a first release; otherwise there must be one. A table that does not look like the
    next one is refused unless `unusual` names why: same-table, old-table, identifiers, gone or all. A ledger that is
    older than a release beside `folder`, or in one of the folders `published`, is refused.
    `withhold` keeps newcomers who cannot be placed for the next release; `new_episode` publishes people whose cells
    changed as somebody new; `dry_run` writes nothing. `audit` asks the joint adversary first, for at most `seconds`.
    `reached` is told of every step, `warn` of what must be said before it is published. `excel_safe` puts an
    apostrophe before cells that a spreadsheet would compute. `seed` is for tests: what is
    published under a known seed can be told apart.
    """
    from deniable.analyses.history.next_table import ALL, UNUSUAL
    from deniable.analyses.history.republish import publish
    from deniable.analyses.history.republish_options import RepublishOptions
    from deniable.publish.again.algorithm import find

    if algorithm is not None:
        find(algorithm)
    allowed = (unusual,) if isinstance(unusual, str) else tuple(unusual)
    arguments.insist(
        arguments.path("folder", folder),
        arguments.number("seconds", seconds, 0),
        None if seed is None else arguments.whole("seed", seed, 0),
        *(arguments.one_of("unusual", word, (*UNUSUAL, ALL)) for word in allowed),
        *(arguments.path("published", one) for one in published),
    )
    places = tuple(Path(one) for one in published)
    options = RepublishOptions(
        algorithm, withhold, new_episode, dry_run, audit, seconds, seed, begin, allowed, places, excel_safe
    )
    loaded = _read(release, engine)
    with scope_of(engine, loaded) as scope:
        return publish(loaded, Path(folder), scope, options, reached, lambda reason: warn(str(reason)))


def undo(release: Source, *, engine: str = ENGINE) -> Undone:
    """Take back the last release of the ledger, if it was never written out. The table is not read."""
    from deniable.analyses.history.undo import undo as take_back

    check_engine(engine)
    return take_back(_read(release, engine))


def attack(
    release: Source,
    *,
    known: str | PathLike[str] | None = None,
    adversary: Literal["joint", "pairs"] = "joint",
    compromise: float | None = None,
    seed: int = 0,
    repeat: int = 1,
    seconds: float = SECONDS,
    engine: str = ENGINE,
) -> Attack:
    """What does somebody work out who keeps every release of the ledger, or of `history` in the release file?

    They know the people in a file, or a share `compromise` of all, drawn at random, `repeat` times anew.
    """
    from deniable.analyses.history.attack import AttackOptions
    from deniable.analyses.history.attack import attack as work_out

    arguments.insist(
        None if known is None else arguments.path("known", known),
        arguments.one_of("adversary", adversary, ("joint", "pairs")),
        None if compromise is None else arguments.number("compromise", compromise, 0, 1),
        arguments.whole("seed", seed, 0),
        arguments.whole("repeat", repeat, 1),
        arguments.number("seconds", seconds, 0),
    )
    options = AttackOptions(adversary, Path(known) if known else None, compromise, seed, repeat, seconds)
    loaded = _read(release, engine)
    with scope_of(engine, loaded, *([known] if known else [])) as scope:
        return work_out(loaded, scope, options)


def ledger(release: Source, *, engine: str = ENGINE) -> Exported:
    """The private history: every member of every group of every release. The table is not read."""
    from deniable.analyses.history.ledger import export

    check_engine(engine)
    return export(_read(release, engine))


def verify(release: Source, *, engine: str = ENGINE) -> Verified:
    """Does the ledger keep what it promises, release by release? The table is not read."""
    from deniable.analyses.history.ledger import verify as check_all

    check_engine(engine)
    return check_all(_read(release, engine))


def utility(
    release: Source, folder: str | PathLike[str], *, queries: int = QUERIES, seed: int = 0, engine: str = ENGINE
) -> Utility:
    """How well does a published release (people.csv and values.csv in a folder) answer COUNT queries?"""
    from deniable.analyses.utility import analyse

    arguments.insist(
        arguments.path("folder", folder), arguments.whole("queries", queries, 1), arguments.whole("seed", seed, 0)
    )
    loaded, published = _read(release, engine), (Path(folder) / name for name in PUBLISHED)
    with scope_of(engine, loaded, *published) as scope:
        return analyse(loaded, Path(folder), scope, queries, seed)


def audit(
    release: Source,
    *,
    breach: float | BreachLimit | Mapping[str, Any] | None = None,
    crowd: int | CrowdLimit | Mapping[str, Any] | None = None,
    linkage: float | LinkageLimit | Mapping[str, Any] | None = None,
    history: float | HistoryLimit | Mapping[str, Any] | None = None,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    engine: str = ENGINE,
) -> Verdict:
    """Does the release meet its requirements? A verdict that is no pass is false.

    `breach`, `crowd`, `linkage` and `history` set limits in place of the release's: a number, or all that `require` has
    for the check, such as crowd={"at_least": 3, "values": 2}.
    """
    from deniable.analyses.audit import audit as decide
    from deniable.spec.limits import with_limits

    arguments.insist(arguments.number("tolerance", tolerance, 0, 1), arguments.whole("limit", limit, 1))
    asked = {"breach": breach, "crowd": crowd, "linkage": linkage, "history": history}
    with_limits(Requirements(), asked)  # what is wrong with them is said before anything is read
    loaded = _read(release, engine)
    with scope_of(engine, loaded) as scope:
        return decide(replace(loaded, require=with_limits(loaded.require, asked)), scope, Effort(tolerance, limit))


def explain(
    release: Source, *who: str, tolerance: float = TOLERANCE, limit: int = LIMIT, engine: str = ENGINE
) -> Explanation | PersonInReleases | PersonInGroups:
    """One person, shown: their join group, the worlds, each adversary's probability.

    Of a table that was published again and again: their group in each release, and what all releases make of them.
    Of published groups: those with people like them, and each posterior there.
    """
    from deniable.analyses.explain import explain as show
    from deniable.analyses.history.explain_releases import explain_releases, is_published_again
    from deniable.analyses.linkage.explain_groups import explain_groups, is_published_in_groups

    arguments.insist(
        arguments.texts("who", who), arguments.number("tolerance", tolerance, 0, 1), arguments.whole("limit", limit, 1)
    )
    loaded = _read(release, engine)
    with scope_of(engine, loaded) as scope:
        if is_published_again(loaded):
            return explain_releases(loaded, who, scope)
        if is_published_in_groups(loaded):
            return explain_groups(loaded, who, scope, Effort(tolerance, limit))
        return show(loaded, who, scope, Effort(tolerance, limit))


def check(release: Source, *, engine: str = ENGINE) -> Checked:
    """Is the release well formed, and does it fit its table and all its files? Raises BadInput if not."""
    from deniable.bind.everything import check as bind_all
    from deniable.bind.files import Mistakes

    loaded, mistakes = _read(release, engine), Mistakes()
    with scope_of(engine, loaded) as scope:
        checked = mistakes.of(lambda: bind_all(loaded, scope))
    if loaded.republish and loaded.identifier and loaded.quasi and loaded.private:
        from deniable.analyses.history.ledger import check as check_ledger

        mistakes.of(lambda: check_ledger(loaded))
    mistakes.insist()
    assert checked is not None
    return checked
