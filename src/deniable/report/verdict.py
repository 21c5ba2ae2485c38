"""A verdict as text and as JSON: the checks first, then the reasons in people's terms, then what next."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from deniable.analyses.verdict import BreachPart, Finding, Verdict
from deniable.report.sentences.audit import SAID, not_considered
from deniable.report.text import columns, probability

_NOTHING_REQUIRED = (
    "Nothing was required: each check is beside a usual limit, and the release as a whole has no verdict."
)
_INSIDE = ("share", "no_world_at_all")  # of a finding, said by its verdict


def verdict_text(verdict: Verdict, *, steps: bool = True) -> str:
    """The audit, as a terminal shows it; without `steps`, what to type next is left out."""
    parts = [SAID[type(verdict.parts[0])].title(verdict.parts[0], verdict.release), columns(finding_rows(verdict))]
    if not verdict.required:
        parts.insert(1, _NOTHING_REQUIRED)
    reasons, then = verdict_reasons(verdict), verdict_steps(verdict)
    if reasons:
        parts.append("\n".join(reasons))
    if steps and then:
        parts.append("\n".join(then))
    return "\n\n".join(parts)


def finding_rows(verdict: Verdict) -> list[tuple[str, ...]]:
    """The checks beside each other, with a heading."""
    return [("check", "limit", "worst", "over", "verdict"), *map(_finding_row, verdict.findings)]


def verdict_reasons(verdict: Verdict) -> list[str]:
    """Of all checks."""
    reasons = [reason for part in verdict.parts for reason in SAID[type(part)].reasons(part, verdict.release)]
    reasons += [f"{check} was not checked: {why}." for check, why in verdict.left_out]
    views = any(isinstance(part, BreachPart) for part in verdict.parts)
    return reasons + ([told] if views and (told := not_considered(verdict.parts)) else [])


def verdict_steps(verdict: Verdict) -> list[str]:
    """Of all checks, each once."""
    steps = (step for part in verdict.parts for step in SAID[type(part)].steps(part, verdict.release))
    return list(dict.fromkeys(steps))


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """An audit, as the contract lays it out."""
    shown = [
        {key: value for key, value in asdict(finding).items() if key not in _INSIDE} for finding in verdict.findings
    ]
    checks = [{**told, "verdict": finding.verdict} for told, finding in zip(shown, verdict.findings, strict=True)]
    return {"verdict": verdict.verdict, "checks": checks, "reasons": verdict_reasons(verdict)}


def _finding_row(finding: Finding) -> tuple[str, str, str, str, str]:
    return (
        f"{finding.check}, {finding.adversary}" if finding.adversary else finding.check,
        f"{finding.limit:g}",
        _worst(finding),
        f"{finding.over + finding.undecided:,} of {finding.of:,}",
        finding.verdict.upper(),
    )


def _worst(finding: Finding) -> str:
    if finding.adversary and finding.worst is None and finding.unanswered:
        return "not answered"
    if finding.adversary and (finding.worst is not None or finding.no_world):
        return probability(finding.worst, finding.worst_at_most)
    return "not known" if finding.worst is None else f"{finding.worst:,}"
