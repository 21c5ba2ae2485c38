"""The queries of any number of views whose rows are counted: shares, multiplied along the views."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.engines.scope import Relation
from deniable.sql.build import of, select


def repeats(rows: Relation, home: Relation, k: int) -> exp.Select:
    """Whether a row of the identifier's view is there twice."""
    different = select(f"sum(mu{k})").from_(home.as_("home")).subquery()
    found = exp.NEQ(this=exp.Count(this=exp.Star()), expression=different)
    return select(exp.alias_(found, "found")).from_(rows.as_("rows"))


def chances(
    rows: Relation, values: Relation, home: Relation, k: int, steps: Sequence[Sequence[str]], private: str
) -> exp.Select:
    """How likely an ID-side tuple of each kind has each value: a, v, chance, and of how many terms it is a sum."""
    last = steps[-1]
    value = exp.NullSafeEQ(this=exp.column(private, "rows"), expression=exp.column("p0", "values_"))
    coded = select(*of("rows", *last), "v").from_(rows.as_("rows")).join(values.as_("values_"), on=value).subquery("q")
    found = _shares(select(*last, "v", "count(*) AS k").from_(coded).group_by(*last, "v"), last)
    for one, two in zip(reversed(steps[:-1]), reversed(steps[1:]), strict=True):
        found = _before(rows, found, one, two)
    first = steps[0]
    query = select(f"home.u{k} AS a", "d.v", "d.chance", "d.terms").from_(home.as_("home"))
    return query.join(found.subquery("d"), on=same(first, "home", "d") if first else "true")


def _shares(counted: exp.Select, by: Sequence[str]) -> exp.Select:
    total = f"sum(k) OVER (PARTITION BY {', '.join(by)})" if by else "sum(k) OVER ()"
    share = f"CAST(k AS DOUBLE) / CAST({total} AS DOUBLE) AS chance"
    return select(*by, "v", share, "1 AS terms").from_(counted.subquery("s"))


def _before(rows: Relation, after: exp.Select, one: Sequence[str], two: Sequence[str]) -> exp.Select:
    """The same one view before: summed over what the next view may say."""
    both = list(dict.fromkeys([*one, *two]))
    counted = (
        select(*both, "count(*) AS k").from_(rows.as_("rows")).group_by(*both)
        if both
        else (select("count(*) AS k").from_(rows.as_("rows")))
    )
    total = f"sum(k) OVER (PARTITION BY {', '.join(one)})" if one else "sum(k) OVER ()"
    shares = select(*both, f"CAST(k AS DOUBLE) / CAST({total} AS DOUBLE) AS share").from_(counted.subquery("s"))
    sums = ("sum(share * chance) AS chance", "CAST(sum(terms) AS BIGINT) AS terms")
    query = select(*of("w", *one), "v", *sums).from_(shares.subquery("w"))
    query = query.join(after.subquery("n"), on=same(two, "w", "n") if two else "true")
    return query.group_by(*of("w", *one), "v")


def of_kinds(chances: Relation, members: Relation) -> exp.Select:
    """Per kind of person and value: the likeliest of their rows, all of them together, and how many these are."""
    sums = ("max(chance) AS least", "least(sum(times * chance), 1) AS most", "CAST(sum(times) AS BIGINT) AS many")
    query = select("members.kind", "c.v", *sums).from_(members.as_("members"))
    return query.join(chances.as_("c"), on="members.a = c.a").group_by("members.kind", "c.v")
