"""The breach adversaries, one record for each.

Everything that lists, answers or shows adversaries asks these records: a new one is a record here, its mathematics in
`worlds.views`, its columns in `sql.adversaries`, and its sentences in `report.sentences.adversaries`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from deniable.frozen import frozen
from deniable.sql import adversaries as columns
from deniable.worlds.views import own_counts, products

if TYPE_CHECKING:
    from deniable.analyses.breach.several_groups import Batch, Intervals
    from deniable.sql.adversaries import Columns, Kept
    from deniable.worlds.views.covers import Probability
    from deniable.worlds.views.own_counts import OwnCounts
    from deniable.worlds.views.products import Membership

# The worlds that are counted where views are no complete join groups: all, those with a single value, those of counted
# rows; and of two views those in which everybody has one tuple, or as many as in the table; or none that are known.
ALL, SINGLE, ROWS, ONE_EACH, AS_MANY, NOBODY = range(6)
OF_TWO = (ONE_EACH, AS_MANY)


@frozen
class Adversary:
    """Who reads the views, and how what they make of them is computed.

    `exactly` answers one person from their memberships, where there are two views: None when no world fits what the
    adversary takes for granted. `columns` is the same over counts in the engine, for everybody with one ID-side tuple;
    it is told which views keep duplicates. `own` is the same where people's rows repeat and it matters how often (None:
    it does not). `many_people` is the same for people in several groups, many at once (None: `exactly`, for each
    person). `any_views` says which worlds are counted when views are not two, or their join is cut (None: none).
    """

    name: str
    exactly: Callable[[Sequence[Membership], Hashable], Probability | None]
    columns: Callable[[Kept], Columns]
    own: Callable[[OwnCounts], Probability | None] | None = None
    many_people: Callable[[Batch], Intervals] | None = None
    any_views: int | None = None
    counts_rows: bool = False  # it is one only where some view keeps duplicates, and it may be without an answer
    sentences: str = ""  # their key in `report`, if it is not the name

    @property
    def needs_two_views(self) -> bool:
        """Whether a release of more views, or of one, says nothing to it."""
        return self.any_views is None or self.any_views in OF_TWO


ADVERSARIES: dict[str, Adversary] = {}  # in the order in which they are shown


def register(adversary: Adversary) -> None:
    """Make an adversary known. Raises ValueError if another has its name."""
    if adversary.name in ADVERSARIES:
        raise ValueError(adversary.name)
    ADVERSARIES[adversary.name] = adversary


def worlds_of(adversary: Adversary) -> int:
    """Which worlds it counts where join groups are not complete."""
    return NOBODY if adversary.any_views is None else adversary.any_views


def names() -> tuple[str, ...]:
    """In the order in which they are shown."""
    return tuple(ADVERSARIES)


def answered_by(two_views: bool, keeps_duplicates: bool) -> tuple[Adversary, ...]:
    """Those who can read such views: two of them or any number, some with duplicates or none."""
    return tuple(
        adversary
        for adversary in ADVERSARIES.values()
        if (two_views or not adversary.needs_two_views) and (keeps_duplicates or not adversary.counts_rows)
    )


register(
    Adversary(
        "unrestricted",
        exactly=products.unrestricted,
        columns=columns.unrestricted,
        many_people=lambda batch: batch.unrestricted,
        any_views=ALL,
    )
)
register(
    Adversary(
        "restricted",
        exactly=products.restricted,
        columns=columns.restricted,
        many_people=lambda batch: batch.restricted,
        any_views=SINGLE,
    )
)
register(
    Adversary(
        "keyed",
        exactly=products.keyed,
        columns=columns.keyed,
        many_people=lambda batch: batch.keyed,
        any_views=ONE_EACH,
    )
)
register(
    Adversary(
        "counted",
        exactly=products.counted,
        columns=columns.counted,
        own=own_counts.counted,
        many_people=lambda batch: batch.counted,
        any_views=AS_MANY,
    )
)
register(
    Adversary(
        "bag",
        exactly=products.bag,
        columns=columns.bag,
        own=own_counts.bag,
        many_people=lambda batch: batch.bag,
        any_views=ROWS,
        counts_rows=True,
    )
)
