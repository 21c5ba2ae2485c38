"""Trying a release: counts first, where they may say no; then what the analyses of views say of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from deniable.analyses.repair.counts import Found, TwoViewCounts
from deniable.analyses.repair.search import Point, Tried
from deniable.analyses.repair.space import Space
from deniable.analyses.verdict import Verdict
from deniable.bind.views import Bound, bind
from deniable.effort import Effort
from deniable.engines.scope import Attached, Scope
from deniable.errors import BadInput
from deniable.frozen import frozen
from deniable.release import Release, Requirements
from deniable.sql.associations import EVERY_WORLD

EVERYBODY = 1 << 62  # of whom nothing can be said
SOLVED = 0.4  # what the analyses take of an audit, which reads the table as well


@frozen
class Table:
    """A table that is read, and what is asked of releases of it."""

    scope: Scope
    attached: Attached
    asked: Requirements
    effort: Effort

    def bind(self, release: Release) -> Bound:
        """A release of this table."""
        return bind(release, self.scope, try_conditions=False, table=self.attached)


def passes(verdict: Verdict) -> bool:
    """Whether every check of an audit passes."""
    return all(finding.verdict == "pass" for finding in verdict.findings)


@dataclass
class Trials:
    """A space and what was tried of it: `over` has how many people are over a limit at points that fail."""

    space: Space
    table: Table
    counts: TwoViewCounts | None
    over: dict[Point, int] = field(default_factory=dict)

    def glance(self, point: Point) -> Tried:
        """Whether a point may pass, by counts; where there are none, everything may."""
        if self.counts is None:
            return Tried(passes=True, cost=0)
        found, cost = self.counts.glance(point)
        return self._told(point, found, cost)

    def attempt(self, point: Point) -> Tried:
        """Whether a point passes."""
        return self._told(point, wrong(self.space.made(point), self.table), SOLVED)

    def _told(self, point: Point, found: Found, cost: float) -> Tried:
        if found.over:
            self.over[point] = found.over
        return Tried(passes=not found.over, hopeless=found.hopeless, cost=cost)


def wrong(release: Release, table: Table) -> Found:
    """How many people are over a limit or undecided; everybody where a release cannot be answered. Crowds are asked
    first: they take a fifth of the time, and most of what counts let pass is turned down by them."""
    try:
        bound = table.bind(release)
        found = _of_crowd(bound, table)
        return found if found.over else _of_breach(bound, table)
    except BadInput:  # nothing is left to publish, or nothing that the analyses answer
        return Found(EVERYBODY)


def _of_breach(bound: Bound, table: Table) -> Found:
    from deniable.analyses import breach

    limit = table.asked.breach
    if limit is None:
        return Found(0)
    result = breach.solve(bound, table.effort)
    names = limit.adversaries or result.facing
    if any(name not in result.adversaries for name in names):
        return Found(EVERYBODY)
    over = {one.adversary: one for one in result.over(limit.at_most, names)}
    hopeless = over[EVERY_WORLD].certain > 0 and limit.at_most < 1
    return Found(max(over[name].over + over[name].undecided for name in names), hopeless)


def _of_crowd(bound: Bound, table: Table) -> Found:
    from deniable.analyses import crowds

    limit = table.asked.crowd
    if limit is None:
        return Found(0)
    result = crowds.solve(bound, "conservative", table.effort)
    small = result.fewer_than(limit.at_least)
    under = sum(result.values_under(limit.values)) if limit.values > 1 else 0
    return Found(max(small, under), hopeless=small > 0)
