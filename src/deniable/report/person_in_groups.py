"""One person in groups that were published, as text and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from deniable import words
from deniable.report.text import columns
from deniable.words import cell

if TYPE_CHECKING:
    from deniable.analyses.linkage.explain_groups import PersonInGroups, PossibleGroup, PosteriorOfValue


def person_text(shown: PersonInGroups) -> str:
    """The groups that the person may be in, and each posterior there."""
    who = " ".join(shown.who)
    parts = [f"{who} in {shown.release}, of which {words.people(shown.people)} are published in groups"]
    if not shown.groups:
        parts.append(f"Nobody who was published has the quasi-identifiers of {who}.")
    parts += [_group(one) for one in shown.groups]
    if len(shown.groups) > 1:
        parts.append(f"Which of these {len(shown.groups):,} groups has {who}, the published files do not say.")
    parts.append(f"{who} really has: {', '.join(map(cell, shown.true_values))}")
    return "\n\n".join(parts)


def person_json(shown: PersonInGroups) -> dict[str, Any]:
    """The same as a document."""
    return {
        "who": list(shown.who),
        "people": shown.people,
        "true_values": list(shown.true_values),
        "groups": [asdict(one) for one in shown.groups],
    }


def _group(group: PossibleGroup) -> str:
    cells = ", ".join(f"{name} = {cell(value)}" for name, value in group.cells.items())
    title = f"group {cell(group.group)} has {words.people(group.alike)} with {cells}:"
    rows = [("value", "given", "adversary", "probability", "bound")]
    rows += [(cell(one.value), one.given, one.adversary, _chance(one), one.bound or "") for one in group.posteriors]
    return f"{title}\n{columns(rows)}"


def _chance(one: PosteriorOfValue) -> str:
    if one.probability is not None:
        return f"{one.probability:.4g}"
    if one.lower is None or one.upper is None:
        return one.reason or "not known"
    return f"{one.lower:.4g} to {one.upper:.4g}" + (f" ({one.reason})" if one.reason else "")
