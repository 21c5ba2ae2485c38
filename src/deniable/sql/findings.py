"""From answers per (group, value) to what users read: summaries, people, the file."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.sql.build import column, number, of, select

FIELDS = ("value", "lower", "upper", "bound")


def tallies(adversaries: Sequence[str], source: str, weight: str) -> exp.Select:
    """One row of counts: `weight` says how many associations each answer stands for."""
    items: list[str | exp.Expr] = [_summed(weight, "true", "associations")]
    for adversary in adversaries:
        items += [
            _summed(weight, f"{adversary}_value IS NULL", f"{adversary}_no_world"),
            _summed(weight, f"{adversary}_lower = 1", f"{adversary}_certain"),
            _summed(weight, f"{adversary}_lower > 0.5", f"{adversary}_over_half"),
            f"max({adversary}_value) FILTER (WHERE {weight} > 0) AS {adversary}_worst",
        ]
    return select(*items).from_(source)


def highest(adversary: str, source: str, weight: str, most: int) -> exp.Select:
    """The highest probabilities, each with how many associations have it."""
    query = select(f"{adversary}_value AS value", f"CAST(sum({weight}) AS BIGINT) AS associations")
    query = query.from_(source).where(f"{weight} > 0", f"{adversary}_value IS NOT NULL")
    return query.group_by(f"{adversary}_value").order_by("value DESC").limit(most)


def over_limit(adversaries: Sequence[str], source: str, weight: str, limit: float) -> exp.Select:
    """One row of counts of associations over the limit, where each person has one."""
    items: list[str | exp.Expr] = []
    for adversary in adversaries:
        tests = limit_tests(adversary, limit)
        items += [exp.alias_(_summed_tree(weight, test), f"{adversary}_{name}") for name, test in tests.items()]
        items.append(f"max({adversary}_value) FILTER (WHERE {weight} > 0) AS {adversary}_worst")
    return select(*items).from_(source)


def limit_tests(adversary: str, limit: float) -> dict[str, exp.Expr]:
    """What an association can be: over the limit, undecided, without a world, pinned down.

    Pinned: this adversary has no world, but the association is in every world there is.
    """
    value, lower, upper = (exp.column(f"{adversary}_{field}") for field in FIELDS[:3])
    bar = number(limit)
    missing = exp.Is(this=value, expression=exp.Null())
    pinned = exp.and_(missing, exp.column("unrestricted_lower").eq(1))
    return {
        "over": exp.or_(exp.GT(this=lower, expression=bar), exp.paren(pinned)),
        "undecided": exp.and_(
            exp.LTE(this=lower.copy(), expression=bar.copy()), exp.GT(this=upper, expression=bar.copy())
        ),
        "no_world": missing.copy(),
        "pinned": pinned.copy(),
    }


def _summed(weight: str, test: str, name: str) -> str:
    return f"CAST(coalesce(sum({weight}) FILTER (WHERE {test}), 0) AS BIGINT) AS {name}"


def _summed_tree(weight: str, test: exp.Expr) -> exp.Expr:
    total = exp.Filter(this=exp.Sum(this=exp.column(weight)), expression=exp.Where(this=test.copy()))
    return exp.cast(exp.func("coalesce", total, number(0)), "BIGINT")


def summed(source: str, column_name: str) -> exp.Select:
    """The sum of a column of ours."""
    return select(f"CAST(sum({column_name}) AS BIGINT) AS total").from_(source)


def people_where(ids: Sequence[str], source: str, test: exp.Expr) -> exp.Select:
    """How many different people have an association that meets the test."""
    distinct = select(*ids).distinct().from_(source).where(test.copy())
    return select("count(*) AS people").from_(distinct.subquery("d"))


def wide_once(ids: Sequence[str], joins: Sequence[str], adversaries: Sequence[str], everything: bool) -> exp.Select:
    """Associations with their answers when every identifier stands in one row."""
    query = select(*of("rows", *ids), "answers.v", *of("answers", *_fields(adversaries))).from_("rows")
    if everything:
        return query.join("answers", on=same(joins, "rows", "answers"))
    query = query.join("values_", on=same(["p0"], "rows", "values_"))
    on = exp.and_(same(joins, "rows", "answers"), exp.column("v", "values_").eq(exp.column("v", "answers")))
    return query.join("answers", on=on).where("rows.s")


def wide_settled(ids: Sequence[str], adversaries: Sequence[str], everything: bool) -> exp.Select:
    """The same when identifiers repeat, each in one ID-side tuple."""
    source = "settled" if everything else "single_pairs"
    query = select(*of(source, *ids), "answers.v", *of("answers", *_fields(adversaries))).from_(source)
    on = f"{source}.g = answers.g" + ("" if everything else f" AND {source}.v = answers.v")
    return query.join("answers", on=on)


def wide_roaming(ids: Sequence[str], adversaries: Sequence[str]) -> exp.Select:
    """The same when somebody has several ID-side tuples."""
    return select(*ids, "v", *_fields(adversaries)).from_("roaming")


def _fields(adversaries: Sequence[str]) -> list[str]:
    return [f"{adversary}_{field}" for adversary in adversaries for field in FIELDS]


def long_form(
    ids: Sequence[str],
    id_names: Sequence[str],
    private: str,
    adversaries: Sequence[str],
    *,
    ordered: bool,
) -> exp.Select:
    """One row per association and adversary, under the user's names for its columns."""
    items: list[exp.Expr] = [
        exp.alias_(exp.cast(exp.column(i, "wide"), "VARCHAR"), name, quoted=True)
        for i, name in zip(ids, id_names, strict=True)
    ]
    items.append(exp.alias_(exp.column("p0", "values_"), private, quoted=True))
    items.append(exp.column("adversary", "adversaries"))
    for field in FIELDS:
        case = exp.Case()
        for adversary in adversaries:
            test = exp.column("adversary", "adversaries").eq(exp.Literal.string(adversary))
            case = case.when(test, exp.column(f"{adversary}_{field}", "wide"))
        items.append(exp.alias_(case, "probability" if field == "value" else field))
    query = select(*items).from_("wide").join("values_", on="wide.v = values_.v")
    query = query.join("adversaries", join_type="cross")
    if ordered:
        query = query.order_by(*(column(name) for name in (*id_names, private)), "adversaries.place")
    return query
