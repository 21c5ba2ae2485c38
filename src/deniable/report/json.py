"""Findings as one JSON document. Fractions as text, so that nothing is rounded away."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from deniable.words import CONTROLS

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach
    from deniable.analyses.crowds import Crowds
    from deniable.analyses.explain import Explanation
    from deniable.analyses.history.explain_releases import PersonInReleases
    from deniable.analyses.linkage import Linkage
    from deniable.analyses.linkage.explain_groups import PersonInGroups
    from deniable.analyses.utility import Utility
    from deniable.worlds.views.covers import Probability

# What a document says of its shape, which docs/schema/ lays out in a file of that name.
AUDIT, REPAIR, ATTACK, REPUBLISH, UNDO = (
    f"deniable.{name}.v1" for name in ("audit", "repair", "attack", "republish", "undo")
)
INIT, BREACH, CROWDS, EXPLAIN, CHECK = (
    f"deniable.{name}.v1" for name in ("init", "breach", "crowds", "explain", "check")
)
LINKAGE, BUCKETIZE, UTILITY = (f"deniable.{name}.v1" for name in ("linkage", "bucketize", "utility"))
LEDGER, VERIFY, CHOOSE, EXAMPLES = (f"deniable.{name}.v1" for name in ("ledger", "verify", "choose", "examples"))


def document(value: dict[str, Any]) -> str:
    """The text of a document; NaN never gets here. Characters that the output has no place for, and those
    that a terminal would obey, are escaped."""
    plain = not (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
    text = json.dumps(value, indent=2, ensure_ascii=plain, allow_nan=False)
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def breach_json(result: Breach) -> dict[str, Any]:
    """A breach summary."""
    tallies = [asdict(tally) for tally in result.tallies]
    return {"schema": BREACH, "people": result.people, "adversaries": tallies, "left_wide": result.left_wide}


def crowds_json(result: Crowds) -> dict[str, Any]:
    """A crowds summary."""
    return {
        "schema": CROWDS,
        "k": result.k,
        "k_at_most": result.k_at_most,
        "crowds": result.count,
        "people": result.people,
        "method": result.method,
        "exact": result.exact,
        "undecided": result.undecided,
        "values": result.least_values,
        "exposed": result.exposed,
        "exposed_unknown": result.unsettled,
    }


def linkage_json(result: Linkage) -> dict[str, Any]:
    """A linkage summary: for each attribute set and adversary, and over all sets."""
    return {
        "schema": LINKAGE,
        "people": result.people,
        "groups": result.groups,
        "knowledge": [
            {"given": known.name, "adversaries": [asdict(over) for over in result.over(0.5, known.name)]}
            for known in result.knowledge
        ],
        "adversaries": [asdict(over) for over in result.over(0.5)],
        "limit": 0.5,
    }


def utility_json(result: Utility) -> dict[str, Any]:
    """How a release answers queries, and how tight its groups are."""
    shape = {name: getattr(result, name) for name in ("people", "withheld", "groups", "mean_size", "extent")}
    return {"schema": UTILITY, **shape, "errors": [asdict(error) for error in result.errors]}


def explanation_json(shown: Explanation | PersonInReleases | PersonInGroups) -> dict[str, Any]:
    """One person, in whatever was published."""
    return {"schema": EXPLAIN, **_person_json(shown)}


def _person_json(shown: Explanation | PersonInReleases | PersonInGroups) -> dict[str, Any]:
    from deniable.analyses.history.explain_releases import PersonInReleases
    from deniable.analyses.linkage.explain_groups import PersonInGroups
    from deniable.report import person_in_groups, person_in_releases
    from deniable.report.crowds import standing_json
    from deniable.report.explanation import listed_worlds
    from deniable.report.sentences.views import METHODS

    if isinstance(shown, PersonInReleases):
        return person_in_releases.person_json(shown)
    if isinstance(shown, PersonInGroups):
        return person_in_groups.person_json(shown)
    return {
        "who": list(shown.who),
        "true_values": list(shown.true_values),
        "association_cover": len(shown.cover),
        "groups": [
            {"join": g.join, "m": g.part.m, "n": g.part.n, "a": g.part.a, "keyed": g.keyed} for g in shown.groups
        ],
        "worlds": shown.worlds,
        "single_value_worlds": shown.single_worlds,
        "values": [
            {
                "value": value,
                "worlds": shown.worlds_with.get(value),
                "single_value_worlds": shown.single_worlds_with.get(value),
                **{name: _probability(answer) for name, answer in answers.items()},
            }
            for value, answers in shown.probabilities.items()
        ],
        "listed": listed_worlds(shown),
        "revealed_by": shown.revealed_by,
        "method": METHODS[shown.method] if shown.method else None,
        "no_breach": str(shown.no_breach) if shown.no_breach else None,
        "crowds": [standing_json(standing) for standing in shown.crowds],
    }


def _probability(answer: Probability | None) -> dict[str, Any] | None:
    if answer is None:
        return None
    return {
        "probability": answer.value,
        "lower": answer.lower,
        "upper": answer.upper,
        "bound": answer.bound,
        "fraction": None if answer.exact is None else str(answer.exact),
    }
