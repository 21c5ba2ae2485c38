"""An audit as one document: all that its page shows. Its shape is docs/schema/audit.json."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from deniable.analyses.verdict import BreachPart, CrowdPart, HistoryPart, LinkagePart, Part, Verdict
from deniable.report.json import AUDIT
from deniable.report.sentences.board import summary
from deniable.report.sentences.theorems import assumed, reader
from deniable.report.verdict import verdict_json, verdict_steps

if TYPE_CHECKING:
    from deniable.analyses.provenance import Provenance

_CHECKS = {BreachPart: "breach", CrowdPart: "crowd", LinkagePart: "linkage", HistoryPart: "history"}


def audit_json(verdict: Verdict, provenance: Provenance | None) -> dict[str, Any]:
    """The verdict as the contract lays it out, what it rests on, and where it comes from."""
    checks = dict.fromkeys(finding.check for finding in verdict.findings)
    readers = dict.fromkeys(finding.adversary or finding.check for finding in verdict.findings)
    named = {"named": [asdict(group) for group in verdict.named]} if verdict.named else {}
    return {
        "schema": AUDIT,
        **verdict_json(verdict),
        "summary": summary(verdict),
        "parts": [_part(part, revealed=bool(verdict.named)) for part in verdict.parts],
        "readers": {name: asdict(reader(name)) for name in readers},
        "assumed": list(dict.fromkeys(text for check in checks for text in assumed(check))),
        "next": verdict_steps(verdict),
        **named,
        "provenance": None if provenance is None else provenance_json(provenance),
    }


def _part(part: Part, *, revealed: bool) -> dict[str, Any]:
    """What a check was decided on: distributions, worst groups; the findings stand among the checks."""
    told = {name: value for name, value in asdict(part).items() if name != "findings"}
    if isinstance(part, LinkagePart) and not revealed:
        told["worst_groups"] = [{**group, "group": None} for group in told["worst_groups"]]
    return {"check": _CHECKS[type(part)], **told}


def provenance_json(told: Provenance) -> dict[str, Any]:
    """Where a document comes from."""
    return {**asdict(told), "versions": dict(told.versions)}
