"""What is said of published groups: linkage, bucketize, utility."""

from __future__ import annotations

import math
from collections.abc import Mapping

from deniable.words import cell


def fewer_people_than_r(r: float) -> str:
    """bucketize: no group could be large enough."""
    return f"r = {r:g} cannot be had: a group needs as many people, and the table has fewer"


def nobody_placed(r: float) -> str:
    """bucketize: even withholding people leaves nothing to publish."""
    return f"r = {r:g} cannot be had: nobody could be placed in a group, so nothing is published"


def chances_not_known(private: str, given: tuple[str, ...], untold: int, people: int) -> str:
    """bucketize: knowledge that says nothing of some people's own values, so that nothing can be promised."""
    by = ", ".join(given)
    return (
        f"knowledge by {by} does not say how likely the {private} of {untold:,} of {people:,} people is, so that what "
        f"their groups tell is not known; list every {private} for every {by}, or say estimate: true, or withhold them "
        "with --suppress"
    )


def shortfall(
    r: float,
    private: str,
    value: tuple[str | None, ...],
    signature: Mapping[str, str | None],
    share: float,
    reachable: float,
    limit: float,
    withheld: int,
    people: int,
) -> str:
    """bucketize: which signature and value stand in the way (`value` is empty unless it may be named), and what can
    be had instead, at what price."""
    whom = ", ".join(f"{name} = {cell(value)}" for name, value in signature.items()) or "any quasi-identifiers"
    name = f"{private} = {cell(value[0])}" if value else f"one {private}"
    most = f", and no grouping with each value once goes beyond {limit:.4g}" if math.isfinite(limit) else ""
    built = f"r = {reachable:.10g} was built" if reachable > 1 else "no r above 1 was found"
    return (
        f"r = {r:g} cannot be had for everybody: {name} has {share:.1%} of the people with "
        f"{whom}; without withholding anyone {built}{most}; "
        f"--suppress would withhold {withheld:,} of {people:,} people"
    )


def other_extents() -> str:
    """utility: a group of a re-published release that says two things of its people."""
    return "expected the same extents in all rows of a group; found others"


def unknown_label(column: str) -> str:
    """utility: an extent that nothing in the table or a hierarchy explains."""
    return f"{column}: expected values of the table, or labels of its hierarchy; found others"
