"""What an audit found, as data: each adversary's findings beside the limits that were set, how probabilities, sizes and
posteriors spread, and what stands out. The sentences about it are made in `report`.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from deniable.errors import NotMet, Reason
from deniable.frozen import frozen
from deniable.release import Release
from deniable.shown import Shown
from deniable.words import NO_WORLD, NOT_REQUIRED

if TYPE_CHECKING:
    from deniable.analyses import breach, linkage
    from deniable.analyses.breach import Tally
    from deniable.analyses.history.exposure import Exposure


@frozen
class Finding:
    """What one adversary makes of the release, beside the limit that was set.

    `over` counts people for whom some secret association is proved likelier than the limit, or whom the views pin down
    although this adversary has no world; `undecided` those who are not, but whose interval straddles the limit, who
    were not answered, or for whom none of the required adversaries has a world (all counted as unsafe); `unanswered`
    those of whom nothing is known; `no_world` those for whom no table fits both the views and what this adversary
    takes for granted; `certain` those who have an association in every world. Checks that ask for at least something
    (crowds, values) count those who have less.
    """

    check: str
    adversary: str | None  # None: the check knows no adversaries
    limit: float
    worst: float | None
    over: int
    of: int
    undecided: int = 0
    unanswered: int = 0
    no_world: int = 0
    certain: int = 0
    worst_at_most: float | None = None  # what none exceeds, where `worst` is the end of an interval
    share: bool = False  # the limit is on the share of people who are over, which `worst` is
    no_world_at_all: bool = False  # nobody who was asked about has one

    @property
    def more_is_worse(self) -> bool:
        """Whether the limit is one that nothing may exceed: a probability or a share; else it is the least size."""
        return self.adversary is not None or self.share

    def reaches(self, threshold: float) -> bool | None:
        """Whether the check passes and its worst, or what it may be, is at the threshold or above it; None where less
        is worse, and such a threshold says nothing."""
        if not self.more_is_worse:
            return None
        highest = self.worst if self.worst_at_most is None else self.worst_at_most
        return self.verdict == "pass" and highest is not None and highest >= threshold

    @property
    def verdict(self) -> str:
        """`pass` only when nobody is over the limit, pinned down or undecided, or few enough where a share is."""
        if self.share:
            return "fail" if self.worst is None or self.worst > self.limit else "pass"
        if self.over or self.undecided:
            return "fail"
        return NO_WORLD if self.no_world_at_all else "pass"


@frozen
class Band:
    """How many are from `low` to `high` (None: and beyond)."""

    low: float
    high: float | None
    count: int


@frozen
class Belief:
    """So many pairs of a person and a value are about so likely before a release is read, and after."""

    prior: float
    posterior: float
    count: int


@frozen
class WorstCrowd:
    """So many crowds have this size, and so many values stay possible in them (None: that is not known exactly)."""

    size: int
    values: int | None
    crowds: int


@frozen
class RecordedExposure:
    """What was found when a release was published: people of those who were not known, then, with all releases."""

    release: int
    exposed: int
    undecided: int
    people: int


@frozen(repr=False)
class NamedGroup:
    """People and values who stand together, by name: private, and only there where somebody asked to see them.

    `people` and `values` are the first of `people_count` and `values_count`; `at` says which group it is.
    """

    check: str
    at: str
    people: tuple[str, ...]
    values: tuple[str, ...]
    people_count: int
    values_count: int | None
    chance: float | None = None


@frozen
class ShownView:
    """A view as it is published."""

    name: str
    columns: tuple[str, ...]


@frozen
class BreachPart:
    """`require: breach`: how likely associations are. `spread` has for each adversary how many associations have a
    probability in each of equal bands from 0 to 1; `two_views` says that the views are joined group by group."""

    findings: tuple[Finding, ...]
    people: int
    views: tuple[ShownView, ...]
    join: tuple[str, ...]
    two_views: bool
    revealed_by: str | None  # the view that publishes the association itself
    tallies: tuple[Tally, ...]
    spread: dict[str, tuple[Band, ...]]
    worst_groups: dict[str, tuple[breach.WorstGroup, ...]]
    certain: int  # people with an association that is in every world
    unasked: tuple[str, ...]  # adversaries who read the same files and were not asked for
    counted_views: tuple[str, ...]  # views that are published with duplicates


@frozen
class CrowdPart:
    """`require: crowd`: the sizes of crowds, in people, and who is exposed whatever the size."""

    findings: tuple[Finding, ...]
    people: int
    views: tuple[ShownView, ...]
    exposed: int
    exact: bool  # else crowds may be larger, never smaller
    sizes: tuple[Band, ...]  # how many people stand in crowds of these sizes
    smallest: Band  # how many crowds have the smallest size
    worst_crowds: tuple[WorstCrowd, ...] = ()  # the smallest, those with the fewest values first


@frozen
class LinkagePart:
    """`require: linkage`: posteriors in published groups. `above` counts people by adversary and limit."""

    findings: tuple[Finding, ...]
    people: int
    groups: int
    given: tuple[str, ...]  # the attribute sets of which the statistics are known
    above: dict[str, tuple[Band, ...]]
    worst_groups: tuple[linkage.WorstPublishedGroup, ...]
    beliefs: dict[str, tuple[Belief, ...]] = field(default_factory=dict)  # by adversary, over all attribute sets


@frozen
class HistoryPart:
    """`require: history`: who is exposed by all releases together."""

    findings: tuple[Finding, ...]
    exposure: Exposure
    recorded: tuple[RecordedExposure, ...] = ()  # by earlier runs, with people drawn anew each time


Part = BreachPart | CrowdPart | LinkagePart | HistoryPart


@frozen(repr=False)
class Verdict(Shown):
    """Every check of an audit."""

    release: Release
    parts: tuple[Part, ...]
    required: bool = True  # else nothing was, and the checks have limits that anybody might ask for
    left_out: tuple[tuple[str, Reason | str], ...] = ()  # checks that this release does not allow, and why
    warn_at: float | None = None  # checks that pass are warned of from here on
    rows: int | None = None  # of the table, where they were counted
    named: tuple[NamedGroup, ...] = ()  # where it was asked to reveal some

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of all checks."""
        return tuple(finding for part in self.parts for finding in part.findings)

    @property
    def verdict(self) -> str:
        """`fail` as soon as one finding fails; `not required` where nothing was."""
        if not self.required:
            return NOT_REQUIRED
        return "fail" if any(f.verdict == "fail" for f in self.findings) else "pass"

    def warns_of(self, finding: Finding) -> bool | None:
        """Whether a check passes, but reaches the threshold; None where none was set, or less is worse."""
        return None if self.warn_at is None else finding.reaches(self.warn_at)

    def __bool__(self) -> bool:
        """Whether every check that was required passes. Nothing required, or nothing answered, is no pass."""
        return self.verdict == "pass"

    def require(self) -> Verdict:
        """The verdict itself where it is a pass. Raises NotMet with the sentence where it is none."""
        if not self:
            raise NotMet(Reason("audit.not_met", verdict=self))
        return self

    def __str__(self) -> str:
        from deniable.report.verdict import verdict_text

        return verdict_text(self)
