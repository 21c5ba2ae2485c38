"""The analysis and its result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from deniable.analyses.breach.adversaries import Adversary, answered_by
from deniable.analyses.breach.answers import Answers, Over, Tally, WorstGroup, association_query
from deniable.analyses.breach.engine_answers import EngineAnswers
from deniable.analyses.breach.plan import AnyViews, Plan, TwoViews, plan, published
from deniable.bind.files import need
from deniable.bind.views import Bound, bind
from deniable.effort import Effort
from deniable.engines.scope import Scope
from deniable.frozen import frozen
from deniable.release import Release
from deniable.shown import Shown
from deniable.sql.associations import EVERY_WORLD, Required
from deniable.steps import reach

if TYPE_CHECKING:
    import pyarrow as pa

Pairs = Literal["secret", "all"]


@frozen(repr=False)
class Breach(Shown):
    """The result of a breach analysis; it keeps its engine until it is dropped."""

    bound: Bound
    plan: Plan
    answers: Answers

    @property
    def release(self) -> Release:
        """What was analysed."""
        return self.bound.release

    @property
    def adversaries(self) -> tuple[str, ...]:
        """Who is answered, by name."""
        return self.answers.adversaries

    @property
    def table(self) -> pa.Table:
        """One row for each association and adversary, as the contract lists them."""
        return self.bound.scope.fetch(association_query(self.bound, self.answers))

    @property
    def tallies(self) -> list[Tally]:
        """How the probabilities spread, one tally per adversary."""
        return self.answers.tallies()

    @property
    def left_wide(self) -> int:
        """How many associations have an interval that is wider than was asked for; only three views and more have."""
        return self.answers.left_wide if isinstance(self.answers, EngineAnswers) else 0

    @property
    def people(self) -> int:
        """How many different identifiers the views are made from."""
        return self.answers.people

    def highest(self, adversary: str, most: int) -> list[tuple[float, int]]:
        """The highest probabilities, each with how many associations have it."""
        return self.answers.highest(adversary, most)

    def spread(self, adversary: str, bands: int) -> tuple[int, ...]:
        """How many associations have a probability in each of so many equal bands."""
        return self.answers.spread(adversary, bands)

    def worst_groups(self, adversary: str, most: int) -> tuple[WorstGroup, ...]:
        """Kinds of join groups with the likeliest associations; none where associations belong to no single group."""
        return self.answers.worst_groups(adversary, most)

    @property
    def facing(self) -> tuple[str, ...]:
        """Whom the release faces as it is published: all who read the files, but for those who count every table, who
        never believe less than 1/2, and for `counted` where it says what `keyed` says."""
        same = () if self.answers.repeats else ("counted",)
        return tuple(name for name in self.adversaries if name not in ("unrestricted", *same))

    def over(self, limit: float, required: Sequence[str] = ()) -> list[Over]:
        """How many people have an association that is likelier than the limit, to each adversary.

        `required` are those who have to respect it (all whom the release faces): somebody for whom none of them has a
        world is undecided. Beside them only certainty is looked at.
        """
        asked = required or self.facing
        names = [name for name in self.adversaries if not required or name in (EVERY_WORLD, *required)]
        return self.answers.over(Required(limit, asked), names)

    def close(self) -> None:
        """Let go of the engine; the result cannot be read any more."""
        self.bound.scope.close()

    def save(self, path: str | Path) -> None:
        """Write the table to a .csv or .parquet file without bringing it into memory."""
        self.bound.scope.save(association_query(self.bound, self.answers), Path(path))


def analyse(release: Release, scope: Scope, effort: Effort, *, pairs: Pairs = "secret") -> Breach:
    """Bind the release to its table, plan, and solve."""
    need(release, "breach", "identifier", "private", "views")
    bound = bind(release, scope)
    reach("breach")
    return solve(bound, effort, pairs=pairs)


def answering(bound: Bound, made: Plan) -> tuple[Adversary, ...]:
    """Who reads such a release."""
    two = isinstance(made, TwoViews) or len(bound.views) == 2 or (isinstance(made, AnyViews) and len(made.views) == 2)
    return answered_by(two, any(not view.distinct for view in bound.views))


def solve(bound: Bound, effort: Effort, *, pairs: Pairs = "secret") -> Breach:
    """Plan and solve a release that fits its table."""
    bound = published(bound)
    made = plan(bound)
    asked = answering(bound, made)
    everything = pairs == "all"
    answers: Answers
    if isinstance(made, AnyViews):
        from deniable.analyses.breach import any_views

        answers = any_views.solve(bound, made, asked, effort, everything=everything)
    elif isinstance(made, TwoViews):
        from deniable.analyses.breach import two_views

        answers = two_views.solve(bound, made, asked, everything=everything)
    else:
        from deniable.analyses.breach import revealed

        answers = revealed.solve(bound, made, asked, everything=everything)
    return Breach(bound, made, answers)
