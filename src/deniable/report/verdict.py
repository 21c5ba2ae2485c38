"""A verdict as text and as JSON: the checks first, then the reasons in people's terms, then what next."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from deniable.analyses.verdict import BreachPart, Finding, Verdict
from deniable.report.sentences.audit import SAID, finding_name, left_out_line, not_considered, warnings
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
    return [
        ("check", "limit", "worst", "over", "verdict"),
        *(_finding_row(finding, verdict) for finding in verdict.findings),
    ]


def verdict_reasons(verdict: Verdict) -> list[str]:
    """Of all checks."""
    reasons = [reason for part in verdict.parts for reason in SAID[type(part)].reasons(part, verdict.release)]
    reasons += warnings(verdict)
    reasons += [left_out_line(check, why) for check, why in verdict.left_out]
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
    checks = [
        {**told, "verdict": finding.verdict, "warning": verdict.warns_of(finding)}
        for told, finding in zip(shown, verdict.findings, strict=True)
    ]
    reasons = verdict_reasons(verdict)
    return {"verdict": verdict.verdict, "warn_at": verdict.warn_at, "checks": checks, "reasons": reasons}


def _finding_row(finding: Finding, verdict: Verdict) -> tuple[str, str, str, str, str]:
    return (
        finding_name(finding),
        f"{finding.limit:g}",
        worst_words(finding),
        f"{finding.over + finding.undecided:,} of {finding.of:,}",
        f"{finding.verdict.upper()}{' (warning)' if verdict.warns_of(finding) else ''}",
    )


def worst_words(finding: Finding) -> str:
    """What is known of the worst, an interval as such."""
    if finding.adversary and finding.worst is None and finding.unanswered:
        return "not answered"
    if finding.adversary and (finding.worst is not None or finding.no_world):
        return probability(finding.worst, finding.worst_at_most)
    return "not known" if finding.worst is None else f"{finding.worst:,}"
