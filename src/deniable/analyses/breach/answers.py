"""What can be asked of the answers, wherever they are kept: summaries, people over a limit, one row for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from deniable.arrow import arrow_table, arrow_texts
from deniable.bind.views import Bound
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql import associations
from deniable.sql.associations import Listing, Required

if TYPE_CHECKING:
    from sqlglot import exp

_SORTED_UP_TO = 200_000  # associations; longer files come in the engine's own order


@frozen
class Tally:
    """How one adversary's probabilities spread over the associations."""

    adversary: str
    associations: int
    no_world: int
    unanswered: int
    certain: int
    over_half: int
    worst: float | None  # that is proved
    worst_at_most: float | None  # which none exceeds


@frozen
class Over:
    """How many people one adversary puts over a limit, of those who were asked about; see `sql.associations`."""

    adversary: str
    worst: float | None  # that is proved
    worst_at_most: float | None  # which none exceeds
    asked: int
    over: int
    undecided: int
    unanswered: int
    no_world: int
    certain: int

    @classmethod
    def counted(
        cls, adversary: str, worst: tuple[float | None, float | None], *, asked: int, over: int, undecided: int,
        unanswered: int, no_world: int, certain: int,
    ) -> Over:  # fmt: skip
        """Whoever is pinned down although the adversary has no world is certain."""
        ends = (1.0, 1.0) if certain else worst
        return cls(adversary, *ends, asked, over, undecided, unanswered, no_world, certain)


@frozen
class WorstGroup:
    """Join groups whose likeliest association has this probability: tuples on both sides, different values, and how
    many groups there are of this kind."""

    id_tuples: int
    value_tuples: int
    values: int
    probability: float
    groups: int = 1


@frozen
class Wide:
    """One row for each association, adversaries side by side, in the engine."""

    relation: Relation
    values: Relation
    ids: list[str]
    associations: int


class Answers(Protocol):
    """The answers to a release."""

    @property
    def adversaries(self) -> tuple[str, ...]:
        """Who is answered."""

    @property
    def people(self) -> int:
        """How many different identifiers the views are made from."""

    def tallies(self) -> list[Tally]:
        """One tally per adversary."""

    def highest(self, adversary: str, most: int) -> list[tuple[float, int]]:
        """The highest probabilities, each with how many associations have it."""

    def spread(self, adversary: str, bands: int) -> tuple[int, ...]:
        """How many associations have a probability in each of so many equal bands."""

    def worst_groups(self, adversary: str, most: int) -> tuple[WorstGroup, ...]:
        """The kinds of join groups with the likeliest associations, where associations belong to one group each."""

    @property
    def repeats(self) -> bool:
        """Whether somebody has several rows, so that how many everybody has is worth knowing."""

    def over(self, required: Required, adversaries: Sequence[str]) -> list[Over]:
        """People over the limit, to these adversaries."""

    def wide(self) -> Wide:
        """One row for each association."""


def association_query(bound: Bound, answers: Answers) -> exp.Query:
    """The association table of the contract."""
    release, wide = bound.release, answers.wide()
    names = answers.adversaries
    table = arrow_table(place=np.arange(len(names))).append_column("adversary", arrow_texts(names))
    adversaries = bound.scope.put("adversaries", table)
    ordered = wide.associations <= _SORTED_UP_TO
    listing = Listing(wide.ids, release.id_columns, release.private, names, ordered)
    return associations.long_form(wide.relation, wide.values, adversaries, listing)
