"""What each adversary makes of views, as columns over what was counted: value, lower, upper, bound; null: no world.

A person whom these columns answer has one ID-side tuple (a = 1). What they may speak of:

per shape  h.m and h.n, the group's ID-side and P-side tuples; h.k, its values; h.c, the P-side tuples of the value;
           h.least and h.most of them that a value of the group has; quads, the unrestricted answer of (m, n, c);
           restricted, the one of uneven groups (docs/theory/two-views.md, "Any size, with a proof")
per cell   h.c and h.r, the value's P-side tuples and rows; groups.n, groups.k and groups.rows; sides.m
own        what somebody whose rows repeat has in a group; see `sql.repeating`
revealed   vals and tuples: how many values, and tuples of the open view, the person has; once: whether everybody can
           have one tuple in the groups that the person stands in
"""

from __future__ import annotations

from deniable.frozen import frozen

FIELDS = ("value", "lower", "upper", "bound")


@frozen
class Kept:
    """Which of the two views are published with duplicates, so that their rows are counted; and whether further views
    are, whose columns these two have."""

    ids: bool
    values: bool
    others: bool = False

    @property
    def told(self) -> tuple[bool, bool] | None:
        """Which sides are counted; None where none is, or more is told than is put together with these."""
        return None if self.others or not (self.ids or self.values) else (self.ids, self.values)


@frozen
class Columns:
    """An adversary's answer in two views; `revealed` is the test that it has a world where one view holds the
    association itself, which then is in all of them."""

    value: str
    lower: str
    upper: str
    bound: str
    per_cell: bool = False
    revealed: str = "true"

    def named(self, adversary: str) -> list[str]:
        """The columns under the adversary's name."""
        texts = (self.value, self.lower, self.upper, self.bound)
        return [f"{text} AS {name}" for text, name in zip(texts, fields_of(adversary), strict=True)]


def fields_of(*adversaries: str) -> list[str]:
    """The names of the columns of adversaries."""
    return [f"{adversary}_{field}" for adversary in adversaries for field in FIELDS]


def exact(share: str, *, bound: str = "'exact'", per_cell: bool = False, revealed: str = "true") -> Columns:
    """An answer that is no interval."""
    return Columns(share, share, share, bound, per_cell, revealed)


def unrestricted(kept: Kept) -> Columns:  # noqa: ARG001
    """Every world counts alike."""
    bound = "CASE WHEN quads.exact THEN 'exact' ELSE 'proved' END"
    return Columns("quads.value", "quads.lower", "quads.upper", bound)


def restricted(kept: Kept) -> Columns:  # noqa: ARG001
    """1/k when all values have equally many tuples; nobody else in the group and two values leave no world."""
    even = "WHEN h.m > 1 OR h.k = 1 THEN CAST(1 AS DOUBLE) / h.k END"
    value, lower, upper = (f"CASE WHEN h.least < h.most THEN restricted.{field} {even}" for field in FIELDS[:3])
    return Columns(value, lower, upper, "coalesce(restricted.bound, 'exact')", revealed="vals = 1")


def keyed(kept: Kept) -> Columns:  # noqa: ARG001
    """Everybody has one tuple: c of n, if n tuples fit m people."""
    return exact("CASE WHEN h.n <= h.m THEN CAST(h.c AS DOUBLE) / h.n END", revealed="tuples = 1 AND once")


def counted(kept: Kept) -> Columns:  # noqa: ARG001
    """Everybody has as many tuples as in the table, which is one: c of n."""
    return exact("CAST(h.c AS DOUBLE) / h.n")


def bag(kept: Kept) -> Columns:
    """Duplicates are seen, everybody has one row: r of m rows, or c of n where only the ID side is counted."""
    if kept.others:
        return exact("CAST(NULL AS DOUBLE)", bound="CAST(NULL AS TEXT)", per_cell=True)
    share = "CAST(h.r AS DOUBLE) / sides.m" if kept.values else "CAST(h.c AS DOUBLE) / groups.n"
    return exact(share, per_cell=True)
