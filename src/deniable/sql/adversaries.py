"""What each adversary makes of views, as columns over what was counted: value, lower, upper, bound; null: no world.

A person whom these columns answer has one ID-side tuple (a = 1). What they may speak of:

per shape  h.m and h.n, the group's ID-side and P-side tuples; h.k, its values; h.c, the P-side tuples of the value;
           h.least and h.most of them that a value of the group has; quads, the unrestricted answer of (m, n, c);
           restricted, the one of uneven groups (docs/theory/two-views.md, "Any size, with a proof")
per cell   h.c and h.r, the value's P-side tuples and rows; groups.n, groups.k and groups.rows; sides.m
revealed   vals and tuples: how many values, and tuples of the open view, the person has; once: whether everybody can
           have one tuple in the groups that the person stands in
"""

from __future__ import annotations

from dataclasses import dataclass

FIELDS = ("value", "lower", "upper", "bound")


@dataclass(frozen=True)
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


def unrestricted(keeps_duplicates: bool) -> Columns:  # noqa: ARG001
    """Every world counts alike."""
    bound = "CASE WHEN quads.exact THEN 'exact' ELSE 'proved' END"
    return Columns("quads.value", "quads.lower", "quads.upper", bound)


def restricted(keeps_duplicates: bool) -> Columns:  # noqa: ARG001
    """1/k when all values have equally many tuples; nobody else in the group and two values leave no world."""
    even = "WHEN h.m > 1 OR h.k = 1 THEN CAST(1 AS DOUBLE) / h.k END"
    value, lower, upper = (f"CASE WHEN h.least < h.most THEN restricted.{field} {even}" for field in FIELDS[:3])
    return Columns(value, lower, upper, "coalesce(restricted.bound, 'exact')", revealed="vals = 1")


def keyed(keeps_duplicates: bool) -> Columns:  # noqa: ARG001
    """Everybody has one tuple: c of n, if n tuples fit m people."""
    return exact("CASE WHEN h.n <= h.m THEN CAST(h.c AS DOUBLE) / h.n END", revealed="tuples = 1 AND once")


def bag(keeps_duplicates: bool) -> Columns:
    """Duplicates are seen: r of m rows, where the rows of the ID side are known to be different."""
    kept = f"groups.rows = sides.m AND {str(keeps_duplicates).lower()}"
    share = f"CASE WHEN {kept} THEN CAST(h.r AS DOUBLE) / sides.m END"
    bound = f"CASE WHEN {kept} THEN 'exact' END"
    return exact(share, bound=bound, per_cell=True, revealed=str(keeps_duplicates).lower())
