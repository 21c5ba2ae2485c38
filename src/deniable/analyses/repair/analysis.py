"""repair: what could be published instead of views that fail?

Computed: of all settings of the dials (`space`: columns along ladders, DISTINCT, views that go), those that pass every
check and of which no finer one does, as far as the trials last (`search`); beside them settings that pass once a few
people are withheld. Each is audited in full before it is offered (docs/theory/repair.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from math import ceil, prod
from pathlib import Path
from typing import TYPE_CHECKING

from deniable.analyses.audit import allowed, audit
from deniable.analyses.repair.dials import dialled
from deniable.analyses.repair.publishing import Format, publish_views, saved_release
from deniable.analyses.repair.query_error import query_errors
from deniable.analyses.repair.search import Point, Tried, Try, search
from deniable.analyses.repair.space import Space, Step, WithholdStep
from deniable.analyses.repair.trials import Table, Trials, passes
from deniable.analyses.repair.withholding import withhold
from deniable.analyses.utility import Errors
from deniable.analyses.verdict import Verdict
from deniable.bind.files import need
from deniable.bind.views import attach_table
from deniable.effort import Effort
from deniable.engines.scope import Attached, Scope
from deniable.errors import BadInput, Mistake, Reason
from deniable.frozen import frozen
from deniable.release import Release, Requirements
from deniable.shown import Shown
from deniable.sql import repair as queries
from deniable.steps import whole_step

if TYPE_CHECKING:
    import pyarrow as pa

TRIALS = 10.0  # audits that the search may take
OFFERED = 4  # repairs at the most
FEW = 0.05  # of the people may be withheld
WITHHOLDING = 3  # points at which that is tried


@frozen(repr=False)
class Repair(Shown):
    """A release that passes, what leads to it, what it keeps, and the full audit that says so."""

    release: Release  # with `withhold` still to be named, where people are withheld
    steps: tuple[Step, ...]
    kept: float
    verdict: Verdict
    attached: Attached
    withheld: pa.Table | None = None  # identifiers as text: private
    error: Errors | None = None  # of counts that are read from it (`query_error`)


@frozen
class InGroups:
    """What groups would keep in which no value has more than 1/r of its group: every column but the identifier."""

    r: int
    kept: float


@frozen(repr=False)
class Repairs(Shown):
    """What could be published instead, best first. `tried` of `combinations` were tried; `complete`: of these, no other
    passes that keeps more. It keeps its engine until it is closed."""

    release: Release
    scope: Scope
    verdict: Verdict  # of the release as it is
    repairs: tuple[Repair, ...]
    tried: int = 0
    combinations: int = 1
    complete: bool = True
    groups: InGroups | None = None  # where they would keep more than the best repair

    def __bool__(self) -> bool:
        """Whether there is something to publish."""
        return bool(self.repairs)

    def chosen(self, number: int = 1) -> Repair:
        """A repair by its place, from 1. Raises BadInput if there is none."""
        if not 1 <= number <= len(self.repairs):
            raise BadInput(Mistake("--choose", Reason("repair.no_such", number=number, repairs=len(self.repairs))))
        return self.repairs[number - 1]

    def save(self, path: str | Path, choose: int = 1, remark: Sequence[str] = ()) -> Path | None:
        """Write a repair as a release file; people whom it withholds go to a private file beside it, whose path is
        returned."""
        with self.saved(path, choose, remark) as listed:
            return listed

    def saved(
        self, path: str | Path, choose: int = 1, remark: Sequence[str] = ()
    ) -> AbstractContextManager[Path | None]:
        """The same for some work: if that fails, both files go again."""
        return saved_release(self.release, self.chosen(choose), Path(path), remark)

    def publish(
        self, folder: str | Path, choose: int = 1, *, kind: Format = "csv", excel_safe: bool = False
    ) -> list[str]:
        """Write the views of a repair into a folder, in an order that says nothing; returns the files' names."""
        return publish_views(self.scope, self.release, self.chosen(choose), Path(folder), kind, excel_safe=excel_safe)

    def close(self) -> None:
        """Let go of the engine; views cannot be written any more."""
        self.scope.close()


@frozen
class _Offer:
    release: Release
    steps: tuple[Step, ...]
    kept: float
    attached: Attached
    withheld: pa.Table | None = None
    verdict: Verdict | None = None  # where it is known already


def repair(release: Release, scope: Scope, effort: Effort, reached: Callable[[int], None] = lambda _: None) -> Repairs:
    """Audit a release, and look for what passes if it does not. `reached` is told how many were tried."""
    need(release, "repair", "private", "views")
    attached = attach_table(release, scope)
    plain = replace(release, withhold=None)  # the table is without them
    verdict = audit(plain, scope, effort, attached)
    if passes(verdict):
        return Repairs(release, scope, verdict, (Repair(plain, (), 1.0, verdict, attached),))
    asked = _of_views(plain)
    if any(f.verdict == "fail" for f in verdict.findings if f.check in ("linkage", "history")):
        return Repairs(release, scope, verdict, (), combinations=0)
    table = Table(scope, attached, asked, effort)
    space, counts = dialled(plain, table)
    trials = Trials(space, table, counts)

    def counted(point: Point) -> Tried:
        reached(len(trials.over) + 1)
        return trials.attempt(point)

    glance, attempt = _telling(trials.glance, counted)
    searched = search(space.tops, space.kept, glance, attempt, TRIALS)
    offers = [_Offer(space.made(x), space.steps(x), space.kept(x), attached) for x in searched.passing]
    _look_beside(trials, searched.passing)
    offers += _withholding(trials, _people(verdict), max((one.kept for one in offers), default=0.0))
    combinations = prod(top + 1 for top in space.tops)
    certified = _certified(offers, scope, effort)
    with whole_step("repair.queries"):
        errors = query_errors(table, space, certified)
    certified = tuple(replace(one, error=error) for one, error in zip(certified, errors, strict=True))
    groups = _in_groups(table, space, max((one.kept for one in certified), default=0.0))
    return Repairs(release, scope, verdict, certified, searched.tried, combinations, searched.complete, groups)


def _telling(glance: Try, attempt: Try) -> tuple[Try, Try]:
    """The same two, which say what was tried, and what share of the search's costs that was."""
    seen, costs = set[Point](), list[float]()

    def telling(one: Try, point: Point) -> Tried:
        with whole_step("repair.try", len(seen), share=sum(costs) / TRIALS):
            found = one(point)
        seen.add(point)
        costs.append(found.cost)
        return found

    return partial(telling, glance), partial(telling, attempt)


def _of_views(release: Release) -> Requirements:
    """What is asked of views: of a release that requires nothing, what anybody might ask."""
    asked = release.require if release.require != Requirements() else allowed(release)
    return Requirements(asked.breach, asked.crowd)


def _people(verdict: Verdict) -> int:
    return max(finding.of for finding in verdict.findings)


def _in_groups(table: Table, space: Space, best: float) -> InGroups | None:
    """Groups of at least r people with r values, where no value is too frequent for them and they would keep more: all
    that is published but for who it is."""
    limit, release = table.asked.breach, space.release
    if limit is None or not 0 < limit.at_most < 1:
        return None
    r = ceil(1 / limit.at_most)
    row = table.scope.fetch(queries.commonest(table.attached.relation, release.private)).to_pylist()[0]
    names = sum(column in release.id_columns for view in space.views for column in view.columns)
    things = sum(len(view.columns) + (not view.distinct) for view in space.views)
    kept = round(1 - names / things, 9)
    return InGroups(r, kept) if row["most"] * r <= row["rows"] and kept > best else None


def _look_beside(trials: Trials, passing: Iterable[Point]) -> None:
    """How many people are over a limit if nothing is changed, or a step less than passes: the search may have passed by
    such points, since they are hopeless as long as nobody is withheld."""
    plain = (0,) * len(trials.space.dials)
    nearly = [
        (*point[:dial], point[dial] - 1, *point[dial + 1 :])
        for point in passing
        for dial in range(len(point))
        if point[dial]
    ]
    for point in dict.fromkeys([plain, *nearly]):
        if point not in trials.over and trials.glance(point).passes and point == plain:
            trials.attempt(point)


def _withholding(trials: Trials, people: int, best: float) -> Iterable[_Offer]:
    """The points that would keep most if whoever stands in the way were withheld, as far as these are few."""
    space, table = trials.space, trials.table
    if not space.release.id_columns:
        return
    most = int(people * FEW)
    promising = {point: space.kept(point) * (1 - over / people) for point, over in trials.over.items() if over <= most}
    ranked = sorted((point for point in promising if promising[point] > best), key=lambda x: (-promising[x], x))
    for place, point in enumerate(ranked[:WITHHOLDING]):
        release = space.made(point)
        with whole_step("repair.withhold", place, min(WITHHOLDING, len(ranked))):
            found = withhold(release, table, most)
        if found is not None:
            count = found.people.num_rows
            steps = (*space.steps(point), WithholdStep(count))
            kept = round(space.kept(point) * (1 - count / people), 9)
            yield _Offer(release, steps, kept, found.attached, found.people, found.verdict)


def _certified(offers: Iterable[_Offer], scope: Scope, effort: Effort) -> tuple[Repair, ...]:
    """The best offers that pass a full audit."""
    found: list[Repair] = []
    for offer in sorted(offers, key=lambda one: (-one.kept, len(one.steps), repr(one.steps))):
        if len(found) == OFFERED:
            break
        with whole_step("repair.audit", len(found), OFFERED):
            verdict = offer.verdict or audit(offer.release, scope, effort, offer.attached)
        if passes(verdict):
            found.append(Repair(offer.release, offer.steps, offer.kept, verdict, offer.attached, offer.withheld))
    return tuple(found)
