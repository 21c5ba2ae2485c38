"""What the adversary knows, as numbers: for each signature of an attribute set how likely each private value is."""

from __future__ import annotations

import numpy as np

from deniable.arrow import column_ints
from deniable.bind.knowledge import AttributeSet, Subjects
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.sql import linkage as queries
from deniable.worlds.arrays import Floats, Int64s


@frozen(eq=False)
class Priors:
    """One attribute set with its priors, signature by value; NaN is unknown.

    `counts`: where the table itself is asked, how many of its people of each signature have each value; the last
    column: one that is not published.
    """

    attributes: AttributeSet
    priors: Floats
    counts: Int64s | None = None

    @property
    def name(self) -> str:
        """The attribute set as the output writes it."""
        return self.attributes.name


def priors_of(
    scope: Scope, sets: tuple[AttributeSet, ...], subjects: Subjects, table: Relation | None, private: str
) -> list[Priors]:
    """The priors of every attribute set: those that its file tells, or the table's own shares."""
    found = []
    for one in sets:
        if one.told is not None:
            found.append(Priors(one, one.told))
        elif table is None:
            raise TypeError(one.name)
        else:
            found.append(_estimated(scope, one, subjects, table, private))
    return found


def _estimated(scope: Scope, one: AttributeSet, subjects: Subjects, table: Relation, private: str) -> Priors:
    rows = scope.fetch(queries.estimate(table, one.given, private, one.numbered, one.columns, subjects.named))
    priors = np.full((len(one.signatures), len(subjects.values)), np.nan)
    s, v = column_ints(rows, "s"), column_ints(rows, "v")
    priors[s] = 0.0  # a signature that the table has is complete
    here = v >= 0
    priors[s[here], v[here]] = column_ints(rows, "n")[here] / column_ints(rows, "total")[here]
    counts = np.zeros((len(priors), priors.shape[1] + 1), np.int64)
    np.add.at(counts, (s, v), column_ints(rows, "n"))
    return Priors(one, priors, counts)
