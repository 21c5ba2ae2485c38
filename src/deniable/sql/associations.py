"""From the answers of adversaries to what users read of associations: tallies, people over a limit, the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sqlglot import exp

from deniable.engines.dialect import DOUBLE, as_text
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql.adversaries import FIELDS
from deniable.sql.build import BIGINT, column, number, select

EVERY_WORLD = "unrestricted"  # the adversary whose certainty is that of every world there is
WIDE = 1e-6  # an interval that is wider has no probability to speak of
Test = Literal["over", "undecided", "unanswered", "no_world", "certain"]
TESTS: tuple[Test, ...] = ("over", "undecided", "unanswered", "no_world", "certain")


def tallies(answers: Relation, adversaries: Sequence[str], weight: str) -> exp.Select:
    """One row of counts: `weight` says how many associations each answer stands for."""
    items: list[str | exp.Expr] = [_summed(weight, "true", "associations")]
    for adversary in adversaries:
        items += [
            _summed(weight, f"{adversary}_value IS NULL AND NOT {adversary}_bound IS NULL", f"{adversary}_no_world"),
            _summed(weight, f"{adversary}_bound IS NULL", f"{adversary}_unanswered"),
            _summed(weight, f"{adversary}_lower = 1", f"{adversary}_certain"),
            _summed(weight, f"{adversary}_lower > CAST(0.5 AS DOUBLE)", f"{adversary}_over_half"),
            *(f"{text} FILTER (WHERE {weight} > 0) AS {adversary}_{name}" for name, text in _worst(adversary).items()),
        ]
    return select(*items).from_(answers.as_("answers"))


def highest(answers: Relation, adversary: str, weight: str, most: int) -> exp.Select:
    """The highest probabilities, each with how many associations have it."""
    query = select(f"{adversary}_value AS value", f"CAST(sum({weight}) AS BIGINT) AS associations")
    query = query.from_(answers.as_("answers")).where(f"{weight} > 0", f"{adversary}_value IS NOT NULL")
    return query.group_by(f"{adversary}_value").order_by("value DESC").limit(most)


def spread(answers: Relation, adversary: str, weight: str, bands: int) -> exp.Select:
    """How many associations have a probability in each of so many equal bands; 1 is in the last."""
    band = f"CAST(least(floor({adversary}_value * {bands}), {bands - 1}) AS BIGINT)"
    query = select(f"{band} AS band", f"CAST(sum({weight}) AS BIGINT) AS associations").from_(answers.as_("answers"))
    return query.where(f"{weight} > 0", f"{adversary}_value IS NOT NULL").group_by(band).order_by("band")


def worst_groups(shapes: Relation, adversary: str, weight: str, most: int) -> exp.Select:
    """The kinds of join groups with the likeliest associations, small ones first: both sides, the probability, and how
    many groups are of the kind."""
    largest = select("g", "m", "n", "k", f"max({adversary}_value) AS value").from_(shapes.as_("shapes"))
    largest = largest.where(f"{weight} > 0", f"{adversary}_value IS NOT NULL").group_by("g", "m", "n", "k")
    kinds = select("m", "n", "k", "max(value) AS value", "count(*) AS groups").from_(largest.subquery("q"))
    kinds = kinds.group_by("m", "n", "k", "round(value, 9)")  # sums of floats differ in their last digits
    return kinds.order_by("value DESC", "m", "n", "k").limit(most)


def likeliest(wide: Relation, ids: Sequence[str], adversary: str, most: int) -> exp.Select:
    """The likeliest associations: whose, and how likely."""
    query = select(*ids, f"{adversary}_value AS value").from_(wide.as_("wide")).where(f"{adversary}_value IS NOT NULL")
    return query.order_by("value DESC", *ids).limit(most)


@frozen
class Required:
    """What is asked of associations: a limit, and the adversaries who have to respect it."""

    limit: float
    adversaries: Sequence[str]


def over_limit(answers: Relation, adversaries: Sequence[str], weight: str, required: Required) -> exp.Select:
    """One row of counts of associations over the limit, where each person has one; `asked` are all of them."""
    items: list[str | exp.Expr] = [_summed(weight, "true", "asked")]
    for adversary in adversaries:
        tests = tests_of(adversary, required)
        items += [exp.alias_(_summed_tree(weight, tests[name]), f"{adversary}_{name}") for name in TESTS]
        worst = _worst(adversary).items()
        items += [f"{text} FILTER (WHERE {weight} > 0) AS {adversary}_{name}" for name, text in worst]
    return select(*items).from_(answers.as_("answers"))


def tests_of(adversary: str, required: Required) -> dict[Test, exp.Expr]:
    """What an association can be to an adversary.

    over        proved likelier than the limit, or pinned down: this adversary has no world, yet the association is in
                every world there is
    undecided   not over, and its interval straddles the limit, or it was not answered, or none of those who have to
                respect the limit has a world
    unanswered  nothing is known
    no_world    no table fits
    certain     in all of this adversary's worlds, or pinned down
    """
    value, lower, upper, bound = (exp.column(f"{adversary}_{field}") for field in FIELDS)
    bar = exp.cast(number(required.limit), DOUBLE.sql)
    missing = _is_null(value)
    everywhere = exp.column(f"{EVERY_WORLD}_lower").eq(1)
    everybody = (_is_null(exp.column(f"{name}_value")) for name in required.adversaries)
    nowhere = exp.and_(missing.copy(), *everybody, wrap=False)
    straddles = exp.and_(exp.LTE(this=lower, expression=bar), exp.GT(this=upper, expression=bar.copy()))
    open_ones = exp.or_(exp.paren(straddles), _is_null(bound), exp.paren(nowhere))
    return {
        "over": exp.or_(exp.GT(this=lower.copy(), expression=bar.copy()), exp.paren(exp.and_(missing, everywhere))),
        "undecided": exp.and_(exp.paren(open_ones), exp.not_(exp.paren(exp.and_(missing.copy(), everywhere.copy())))),
        "unanswered": _is_null(bound.copy()),
        "no_world": exp.and_(missing.copy(), exp.not_(_is_null(bound.copy()))),
        "certain": exp.or_(lower.copy().eq(1), exp.paren(exp.and_(missing.copy(), everywhere.copy()))),
    }


def _is_null(tree: exp.Expr) -> exp.Expr:
    return exp.Is(this=tree, expression=exp.Null())


def _summed(weight: str, test: str, name: str) -> str:
    return f"CAST(coalesce(sum({weight}) FILTER (WHERE {test}), 0) AS BIGINT) AS {name}"


def _summed_tree(weight: str, test: exp.Expr) -> exp.Expr:
    total = exp.Filter(this=exp.Sum(this=exp.column(weight)), expression=exp.Where(this=test.copy()))
    return exp.cast(exp.func("coalesce", total, number(0)), BIGINT)


def summed(relation: Relation, column_name: str) -> exp.Select:
    """The sum of a column of ours."""
    return select(f"CAST(sum({column_name}) AS BIGINT) AS total").from_(relation.as_("a"))


def wider_than(answers: Relation, adversaries: Sequence[str], weight: str, tolerance: float) -> exp.Select:
    """How many associations have an answer, by some adversary, of which only a wider interval is known."""
    tests = (f"{name}_upper - {name}_lower > CAST({tolerance!r} AS DOUBLE)" for name in adversaries)
    return select(_summed(weight, " OR ".join(tests), "associations")).from_(answers.as_("answers"))


def people_over(wide: Relation, ids: Sequence[str], adversaries: Sequence[str], required: Required) -> exp.Select:
    """The same where a person can have several associations: people are counted who have one that meets the test."""
    each: list[str | exp.Expr] = []
    items = ["count(*) AS asked"]
    for adversary in adversaries:
        for name, test in tests_of(adversary, required).items():
            each.append(exp.alias_(exp.LogicalOr(this=test), f"{adversary}_{name}"))
            items.append(f"count(*) FILTER (WHERE {adversary}_{name}) AS {adversary}_{name}")
        for end, text in _worst(adversary).items():
            each.append(f"{text} AS {adversary}_{end}")
            items.append(f"max({adversary}_{end}) AS {adversary}_{end}")
    people = select(*each).from_(wide.as_("wide")).group_by(*ids)
    return select(*items).from_(people.subquery("p"))


def _worst(adversary: str) -> dict[str, str]:
    """Of a wide interval the lower end is what is proved, and its middle is nothing."""
    lower, upper = f"{adversary}_lower", f"{adversary}_upper"
    proved = f"CASE WHEN {upper} - {lower} > CAST({WIDE!r} AS DOUBLE) THEN {lower} ELSE {adversary}_value END"
    return {"worst": f"max({proved})", "worst_at_most": f"max({upper})"}


def most(relation: Relation, column_name: str) -> exp.Select:
    """The largest number of a column of ours."""
    return select(f"max({column_name}) AS most").from_(relation.as_("a"))


def everything(relation: Relation) -> exp.Select:
    """All columns of all rows."""
    return select("*").from_(relation.as_("a"))


@frozen
class Listing:
    """The association table: our names of the identifier's columns, the user's names, whose answers, in what order."""

    ids: Sequence[str]
    id_names: Sequence[str]
    private: str
    adversaries: Sequence[str]
    ordered: bool


def long_form(wide: Relation, values: Relation, adversaries: Relation, listing: Listing) -> exp.Select:
    """One row per association and adversary, under the user's names for its columns."""
    items: list[exp.Expr] = [
        exp.alias_(as_text(exp.column(i, "wide")), name, quoted=True)
        for i, name in zip(listing.ids, listing.id_names, strict=True)
    ]
    items.append(exp.alias_(exp.column("p0", "values_"), listing.private, quoted=True))
    items.append(exp.column("adversary", "adversaries"))
    for field in FIELDS:
        case = exp.Case()
        for place, adversary in enumerate(listing.adversaries):
            test = exp.column("place", "adversaries").eq(number(place))
            case = case.when(test, exp.column(f"{adversary}_{field}", "wide"))
        items.append(exp.alias_(case, "probability" if field == "value" else field))
    query = select(*items).from_(wide.as_("wide")).join(values.as_("values_"), on="wide.v = values_.v")
    query = query.join(adversaries.as_("adversaries"), join_type="cross")
    if listing.ordered:
        query = query.order_by(*(column(name) for name in (*listing.id_names, listing.private)), "adversaries.place")
    return query
