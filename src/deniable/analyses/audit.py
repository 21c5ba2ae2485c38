"""audit: the release's findings beside what `require` asks for, and a verdict.

A finding counts people, not cells: somebody is over the limit when one of their secret
associations is proved likelier than it, or when the adversary has no world for them and
yet the association is in every world there is; or when their crowd is smaller than asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from deniable.analyses.verdict import (
    Band,
    BreachPart,
    CrowdPart,
    Finding,
    HistoryPart,
    LinkagePart,
    NamedGroup,
    Part,
    ShownView,
    Verdict,
)
from deniable.arrow import only
from deniable.bind.files import Mistakes, need
from deniable.bind.views import Bound, bind
from deniable.effort import Effort
from deniable.engines.scope import Attached, Scope
from deniable.errors import BadInput, Mistake, Reason, Unsupported
from deniable.release import (
    BreachLimit,
    CrowdLimit,
    HistoryLimit,
    LinkageLimit,
    Release,
    Requirements,
)
from deniable.steps import reach

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach, Over
    from deniable.bind.groups import ReadGroups

BANDS = 20  # of probabilities
MOST = 10  # groups that stand out
POSTERIORS = (0.25, 1 / 3, 0.5, 0.75, 0.9)  # above which people are counted


def audit(
    release: Release, scope: Scope, effort: Effort, table: Attached | None = None, *, reveal: bool = False
) -> Verdict:
    """Decide every check that the release requires; if it requires none, all that it allows, with stated limits.

    `table` is the release's own, where it is attached already. `reveal`: the worst groups by name as well.
    """
    required = release.require != Requirements()
    asked = release.require if required else allowed(release)
    if required:
        need(release, "audit", *(["identifier", "private", "views"] if asked.breach else ["private"]))
    mistakes = Mistakes()
    bound = mistakes.of(lambda: bind(release, scope, table=table)) if asked.breach or asked.crowd else None
    read = mistakes.of(lambda: _read_groups(release, scope)) if asked.linkage else None
    mistakes.insist()
    named: list[NamedGroup] | None = [] if reveal else None
    checks: dict[str, Callable[[], Part]] = {}
    if asked.breach and bound:
        checks["breach"] = partial(_breach, bound, asked.breach, effort, named)
    if asked.crowd and bound:
        checks["crowd"] = partial(_crowd, bound, asked.crowd, effort, named)
    if asked.linkage and read:
        checks["linkage"] = partial(_linkage, release, read, scope, asked.linkage, effort, named)
    if asked.history:
        checks["history"] = partial(_history, release, asked.history, effort)
    verdict = _decided(release, checks, required=required)
    return replace(verdict, rows=_rows(bound), named=tuple(named or ()))


def _rows(bound: Bound | None) -> int | None:
    """How many rows the table has, where it was read as such."""
    from deniable.sql.crowds import how_many

    return None if bound is None else int(only(bound.scope.fetch(how_many(bound.source))))


def _decided(release: Release, checks: Mapping[str, Callable[[], Part]], *, required: bool) -> Verdict:
    """Every check made; one that cannot be answered is refused, or where none was required, named with the reason."""
    parts, left_out = [], []
    for name, check in checks.items():
        try:
            parts.append(check())
        except Unsupported as refused:
            if required:
                raise
            left_out.append((name, refused.mistakes[0].what))
    if not parts:
        where = release.locations.at() if release.locations.file else "release"
        raise BadInput(Mistake(where, Reason("audit.nothing_to_check", left_out=left_out)))
    return Verdict(release, tuple(parts), required, tuple(left_out))


def allowed(release: Release) -> Requirements:
    """The checks that a release without requirements has the parts for, with limits that anybody might ask for."""
    views = bool(release.views and release.private)
    return Requirements(
        BreachLimit(0.5) if views and release.id_columns else None,
        CrowdLimit(3) if views else None,
        LinkageLimit(0.5) if release.published and release.knowledge else None,
        HistoryLimit(0.001, 0.04) if _has_ledger(release) else None,
    )


def _has_ledger(release: Release) -> bool:
    if not (release.ledger or release.republish):
        return False
    from deniable.analyses.history.ledger_history import ledger_path

    return ledger_path(release).exists()


# An audit imports only what it was asked for: each part below brings its own.


def _read_groups(release: Release, scope: Scope) -> ReadGroups:
    from deniable.bind.groups import read_groups

    return read_groups(release, scope)


def _shown(bound: Bound) -> tuple[ShownView, ...]:
    return tuple(ShownView(view.name, view.columns) for view in bound.views)


def _breach(bound: Bound, limit: BreachLimit, effort: Effort, named: list[NamedGroup] | None) -> BreachPart:
    from deniable.analyses import breach
    from deniable.analyses.breach.plan import Revealed, TwoViews
    from deniable.sql.associations import EVERY_WORLD

    reach("breach")
    result = breach.solve(bound, effort)
    names = _named(bound.release, limit, result)
    over = {found.adversary: found for found in result.over(limit.at_most, names)}
    if not over[EVERY_WORLD].asked:  # a pass about nobody
        raise BadInput(Mistake(bound.release.locations.at("secret"), Reason("audit.nothing_secret")))
    if named is not None:
        from deniable.analyses.named_groups import of_breach

        named += of_breach(result, names[0], effort)
    return BreachPart(
        tuple(_breach_finding(over[name], limit.at_most, result.people) for name in names),
        people=result.people,
        views=_shown(bound),
        join=result.plan.join,
        two_views=isinstance(result.plan, TwoViews),
        revealed_by=result.plan.open_view.name if isinstance(result.plan, Revealed) else None,
        tallies=tuple(result.tallies),
        spread={name: _bands(result.spread(name, BANDS)) for name in names},
        worst_groups={name: result.worst_groups(name, MOST) for name in names},
        certain=over[EVERY_WORLD].certain,
        unasked=tuple(name for name in result.facing if name not in names),
        counted_views=tuple(view.name for view in bound.views if not view.distinct),
    )


def _bands(counts: Sequence[int]) -> tuple[Band, ...]:
    return tuple(Band(i / len(counts), (i + 1) / len(counts), count) for i, count in enumerate(counts))


def _named(release: Release, limit: BreachLimit, result: Breach) -> tuple[str, ...]:
    """The adversaries who were named, some of whom need two views; else those whom the release faces."""
    if limit.adversaries is None:
        return result.facing
    unknown = [name for name in limit.adversaries if name not in result.adversaries]
    if unknown:
        where = release.locations.at("require", "breach", "adversaries")
        raise Unsupported(Mistake(where, Reason("audit.cannot_read", unknown=unknown, known=result.adversaries)))
    return limit.adversaries


def _breach_finding(found: Over, limit: float, people: int) -> Finding:
    return Finding(
        "breach", found.adversary, limit, found.worst, found.over, people,
        undecided=found.undecided,
        unanswered=found.unanswered,
        no_world=found.no_world,
        certain=found.certain,
        worst_at_most=found.worst_at_most,
        no_world_at_all=0 < found.asked == found.no_world,
    )  # fmt: skip


def _crowd(bound: Bound, limit: CrowdLimit, effort: Effort, named: list[NamedGroup] | None) -> CrowdPart:
    """Everybody's crowd, found the conservative way: never too large."""
    from deniable.analyses import crowds

    reach("crowd")
    result = crowds.solve(bound, "conservative", effort)
    small = result.fewer_than(limit.at_least)
    findings = [Finding("crowd", None, limit.at_least, result.k, small, result.people)]
    if limit.values > 1:
        under, perhaps = result.values_under(limit.values)
        findings.append(
            Finding("values", None, limit.values, result.least_values, under, result.people, undecided=perhaps)
        )
    sizes = tuple(Band(low, high, result.between(low, high)[1]) for low, high in crowds.SIZES)
    smallest = Band(result.k, result.k, result.between(result.k, result.k)[0])
    if named is not None:
        from deniable.analyses.named_groups import of_crowds

        named += of_crowds(result)
    return CrowdPart(
        tuple(findings), result.people, _shown(bound), result.exposed, result.exact, sizes, smallest,
        result.smallest(MOST),
    )  # fmt: skip


def _linkage(
    release: Release, read: ReadGroups, scope: Scope, limit: LinkageLimit, effort: Effort,
    named: list[NamedGroup] | None,
) -> LinkagePart:  # fmt: skip
    """Everybody's largest posterior, over values and attribute sets."""
    from deniable.analyses import linkage

    result = linkage.solve(release, read, scope, effort, limit)
    findings = tuple(
        Finding(
            "linkage", over.adversary, limit.at_most, over.worst, over.over, over.people,
            undecided=over.undecided, no_world=over.no_world, worst_at_most=over.worst_at_most,
        )
        for over in result.over(limit.at_most)
        if over.adversary in limit.adversaries
    )  # fmt: skip
    above: dict[str, tuple[Band, ...]] = {}
    for bar in POSTERIORS:
        for over in result.over(bar):
            above[over.adversary] = (*above.get(over.adversary, ()), Band(bar, None, over.over))
    given = tuple(known.name for known in result.knowledge)
    if named is not None:
        from deniable.analyses.named_groups import of_linkage

        named += of_linkage(result)
    worst, beliefs = result.worst_groups(MOST), {name: result.beliefs[name] for name in limit.adversaries}
    return LinkagePart(findings, result.people, result.groups, given, above, worst, beliefs)


def _history(release: Release, limit: HistoryLimit, effort: Effort) -> HistoryPart:
    """Who is exposed by all releases of the ledger together, to somebody who knows some people, drawn at random."""
    from deniable.analyses.history import exposure

    reach("history")
    found = exposure.of_ledger(release, limit.known, effort.seconds)
    finding = Finding(
        "history", "joint", limit.exposed_at_most, found.share, found.exposed, found.people, found.undecided, share=True
    )
    return HistoryPart((finding,), found, exposure.recorded(release))
