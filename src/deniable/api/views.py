"""The verbs about a table that is published as views."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from deniable.api.loading import Source, as_it_is, read
from deniable.bind.inputs import kept_scope, scope_of
from deniable.effort import (
    ENGINE,
    LIMIT,
    SECONDS,
    TOLERANCE,
    Effort,
)
from deniable.release import BreachLimit, CrowdLimit, HistoryLimit, LinkageLimit, Release, Requirements
from deniable.spec import arguments

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach
    from deniable.analyses.crowds import Crowds, Method
    from deniable.analyses.explain import Explanation
    from deniable.analyses.history.explain_releases import PersonInReleases
    from deniable.analyses.linkage.explain_groups import PersonInGroups
    from deniable.analyses.repair import Repairs
    from deniable.analyses.verdict import Verdict
    from deniable.bind.everything import Checked
    from deniable.engines.scope import Scope


def audit(
    release: Source,
    *,
    breach: float | BreachLimit | Mapping[str, Any] | None = None,
    crowd: int | CrowdLimit | Mapping[str, Any] | None = None,
    linkage: float | LinkageLimit | Mapping[str, Any] | None = None,
    history: float | HistoryLimit | Mapping[str, Any] | None = None,
    warn_at: float | None = None,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    reveal: bool = False,
    engine: str = ENGINE,
) -> Verdict:
    """Does the release meet its requirements? A verdict that is no pass is false.

    `breach`, `crowd`, `linkage` and `history` set limits in place of the release's: a number, or all that `require` has
    for the check, such as crowd={"at_least": 3, "values": 2}. Checks of probabilities and shares that
    pass with a worst of `warn_at` or more are warned of; the verdict stays what it is. `reveal` has its report name
    the worst groups.
    """
    from deniable.analyses.audit import audit as decide
    from deniable.spec.limits import with_limits

    arguments.insist(
        arguments.number("tolerance", tolerance, 0, 1),
        arguments.whole("limit", limit, 1),
        None if warn_at is None else arguments.number("warn_at", warn_at, 0, 1),
        arguments.flag("reveal", reveal),
    )
    asked = {"breach": breach, "crowd": crowd, "linkage": linkage, "history": history}
    with_limits(Requirements(), asked)  # what is wrong with them is said before anything is read
    loaded = read(release, engine)
    with scope_of(engine, loaded) as scope:
        limited = replace(loaded, require=with_limits(loaded.require, asked))
        return replace(decide(limited, scope, Effort(tolerance, limit), reveal=reveal), warn_at=warn_at)


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
    loaded = read(release, engine)
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
    if private is not None or not isinstance(quasi, (str, Sequence)) or quasi:
        release = as_it_is(release, private, quasi)
    loaded = read(release, engine)
    with kept_scope(engine, loaded) as scope:
        return analyse(loaded, scope, method, Effort(limit=limit, seconds=seconds))


def explain(
    release: Source, *who: str, tolerance: float = TOLERANCE, limit: int = LIMIT, engine: str = ENGINE
) -> Explanation | PersonInReleases | PersonInGroups:
    """One person, shown: their join group, the worlds, each adversary's probability.

    Of a table that was published again and again: their group in each release, and what all releases make of them.
    Of published groups: those with people like them, and each posterior there.
    """
    arguments.insist(
        arguments.texts("who", who), arguments.number("tolerance", tolerance, 0, 1), arguments.whole("limit", limit, 1)
    )
    loaded = read(release, engine)
    with scope_of(engine, loaded) as scope:
        return _explained(loaded, who, scope, Effort(tolerance, limit))


def _explained(
    release: Release, who: Sequence[str], scope: Scope, effort: Effort
) -> Explanation | PersonInReleases | PersonInGroups:
    """What is published says who explains it; only that is imported."""
    if not release.views:
        from deniable.analyses.history.explain_releases import explain_releases, is_published_again

        if is_published_again(release):
            return explain_releases(release, who, scope)
        from deniable.analyses.linkage.explain_groups import explain_groups, is_published_in_groups

        if is_published_in_groups(release):
            return explain_groups(release, who, scope, effort)
    from deniable.analyses.explain import explain as show

    return show(release, who, scope, effort)


def check(release: Source, *, engine: str = ENGINE) -> Checked:
    """Is the release well formed, and does it fit its table and all its files? Raises BadInput if not."""
    from deniable.bind.everything import check as bind_all
    from deniable.bind.files import Mistakes

    loaded, mistakes = read(release, engine), Mistakes()
    with scope_of(engine, loaded) as scope:
        checked = mistakes.of(lambda: bind_all(loaded, scope))
    if loaded.republish and loaded.identifier and loaded.quasi and loaded.private:
        from deniable.analyses.history.ledger import check as check_ledger

        mistakes.of(lambda: check_ledger(loaded))
    mistakes.insist()
    assert checked is not None
    return checked


def repair(
    release: Source,
    *,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    reached: Callable[[int], None] = lambda _: None,
    engine: str = ENGINE,
) -> Repairs:
    """What could be published instead of views that fail? Each repair was tried, the best first; none is false.

    A release that passes needs no steps. `save` writes a repair as a release file, `publish` its views. The result
    keeps its engine: close() ends it. `reached` is told how many releases were tried.
    """
    from deniable.analyses.repair import repair as look_for

    arguments.insist(
        arguments.number("tolerance", tolerance, 0, 1),
        arguments.whole("limit", limit, 1),
        arguments.called("reached", reached),
    )
    loaded = read(release, engine)
    with kept_scope(engine, loaded) as scope:
        return look_for(loaded, scope, Effort(tolerance, limit), reached)
