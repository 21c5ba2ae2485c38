"""One person in a table that was published again and again, as text and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from deniable.report.text import columns
from deniable.words import cell

if TYPE_CHECKING:
    from deniable.analyses.history.explain_releases import GroupOfRelease, PersonInReleases, Respondent

_TIMES = "×"


def person_text(shown: PersonInReleases) -> str:
    """The groups release by release, and what somebody who keeps all of them makes of the person."""
    who, several = " ".join(shown.who), len(shown.respondents) > 1
    parts = []
    for turn, one in enumerate(shown.respondents, 1):
        again = f" (published as somebody new: {turn} of {len(shown.respondents)})" if several else ""
        releases = "1 release" if shown.releases == 1 else f"{shown.releases:,} releases"
        parts.append(f"{who} in {shown.release}{again}: in {len(one.groups):,} of {releases}")
        if one.groups:
            parts.append(columns([("release", "group", "people", "counterfeits", "values"), *map(_row, one.groups)]))
        parts.append("\n".join(_said(who, one)))
    return "\n\n".join(parts)


def person_json(shown: PersonInReleases) -> dict[str, Any]:
    """The same as a document."""
    told = []
    for one in shown.respondents:
        groups = [{**asdict(group), "values": _values_json(group)} for group in one.groups]
        told.append({**asdict(one), "true_value": list(one.true_value), "groups": groups, "exposed": one.values == 1})
    return {"who": list(shown.who), "releases": shown.releases, "respondents": told}


def _values_json(group: GroupOfRelease) -> list[dict[str, Any]]:
    return [{"value": value, "rows": rows} for value, rows in group.values.items()]


def _row(group: GroupOfRelease) -> tuple[str, ...]:
    values = (cell(value) + (f" {_TIMES}{rows:,}" if rows > 1 else "") for value, rows in group.values.items())
    number = "" if group.group is None else str(group.group)
    return str(group.release), number, f"{group.people:,}", f"{group.counterfeits:,}", ", ".join(values)


def _said(who: str, one: Respondent) -> list[str]:
    lines = []
    if one.kept_back:
        lines.append(f"{who} was kept back by a release, which tells their value, and so counts as exposed.")
    most = "" if one.decided else "at most "
    left = "1 value stays" if one.values == 1 else f"{one.values:,} values stay"
    lines.append(f"To somebody who keeps all releases and knows nobody, {most}{left} possible for {who}.")
    if one.probability is not None and one.lower is not None and one.upper is not None:
        true = f" of the true value, {cell(one.true_value[0])}," if one.true_value else " of the true value"
        ends = "" if one.lower == one.upper else f", from {one.lower:.4g} to {one.upper:.4g}"
        lines.append(f"The chance{true} is {one.probability:.4g} ({one.bound}{ends}).")
    else:
        lines.append("How likely each is cannot be said: nobody knows the true values.")
    return lines
