"""Repairs as text and as JSON: what could be published instead, best first, and what to type next."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import TYPE_CHECKING, Any

from deniable.report.json import REPAIR
from deniable.report.sentences.repair import step_text
from deniable.report.text import columns
from deniable.report.verdict import finding_rows, verdict_json

_DOWN, _UP = (Context(prec=12, rounding=rounding) for rounding in (ROUND_FLOOR, ROUND_CEILING))

if TYPE_CHECKING:
    from deniable.analyses.repair import Repair, Repairs
    from deniable.analyses.utility import Errors


def repairs_json(result: Repairs) -> dict[str, Any]:
    """As the contract lays it out; beside it the audit of the release as it is, and how much was tried."""
    now = verdict_json(result.verdict)
    return {
        "schema": REPAIR,
        "repairs": [
            {
                "steps": [step_text(step) for step in one.steps],
                "kept": one.kept,
                "checks": [steady(check) for check in verdict_json(one.verdict)["checks"]],
                "views": dict(one.release.views),
                "withheld": 0 if one.withheld is None else one.withheld.num_rows,
                "query_error": None if one.error is None else _error_json(one.error),
            }
            for one in result.repairs
        ],
        "now": {**now, "checks": [steady(check) for check in now["checks"]]},
        "tried": result.tried,
        "combinations": result.combinations,
        "complete": result.complete,
        "groups": None if result.groups is None else {"r": result.groups.r, "kept": result.groups.kept},
    }


def _error_json(error: Errors) -> dict[str, Any]:
    """Counts that are read from a repair: of how many queries, about which share of the rows, the median error."""
    return {"selectivity": error.selectivity, "queries": error.queries, "median_error": error.median_error}


def steady(check: dict[str, Any]) -> dict[str, Any]:
    """A check in figures that are the same every time: an engine adds floats in any order, so that their last digits
    differ from run to run. The ends of what is proved are rounded outwards, to twelve digits."""
    ends = {"worst": _DOWN, "worst_at_most": _UP}
    floats = ((key, how) for key, how in ends.items() if isinstance(check[key], float))
    return {**check, **{key: float(how.create_decimal(repr(check[key]))) for key, how in floats}}


def repairs_text(result: Repairs) -> str:
    """The repairs, as a terminal shows them."""
    spec = result.release.locations.file or "release.yaml"
    if passes_as_it_is(result):
        lines = [f"{result.release.title}: passes as it is; nothing is to be repaired."]
        return "\n\n".join([*lines, columns(finding_rows(result.verdict)), _publish(spec)])
    if not result.repairs:
        return "\n\n".join([f"{result.release.title}: no repair was found.", tried(result), *instead(result)])
    told = [_repair_text(number, one) for number, one in enumerate(result.repairs, 1)]
    count = f"{len(told)} repairs that pass, each audited; what keeps most comes first"
    head = f"{result.release.title}: {count if len(told) > 1 else 'a repair that passes its audit'}"
    then = [
        f"write:   deniable repair {spec} --out repaired.yaml        (--choose 2 for the second)",
        _publish(spec),
    ]
    return "\n\n".join([head, *told, tried(result), *instead(result), "\n".join(then)])


def passes_as_it_is(result: Repairs) -> bool:
    """Whether nothing needs to be repaired."""
    return len(result.repairs) == 1 and not result.repairs[0].steps


def repair_steps(result: Repairs) -> tuple[tuple[str, str], ...]:
    """What for, and what to type."""
    spec = result.release.locations.file or "release.yaml"
    publish = ("publish the views", f"deniable repair {spec} --write-views published")
    if passes_as_it_is(result):
        return (publish,)
    if not result.repairs:
        return (("look at who is in the way", f"deniable audit {spec}"),)
    return (
        "write the best as a release file (--choose 2: the second)",
        f"deniable repair {spec} --out repaired.yaml",
    ), publish


def _publish(spec: str) -> str:
    return f"publish: deniable repair {spec} --write-views published"


def _repair_text(number: int, one: Repair) -> str:
    lines = [f"{number}. keeps {one.kept:.1%} of what is published"]
    lines += [f"   - {step_text(step)}" for step in one.steps]
    worst = [f"{_name(f.check, f.adversary)} {f.worst:.4g}" for f in one.verdict.findings if f.worst is not None]
    lines.append(f"   worst then: {', '.join(worst)}")
    error = one.error
    if error is not None and error.median_error is not None:
        about = f"counts of about {error.selectivity:.0%} of the rows"
        lines.append(f"   {about}: off by {error.median_error:.1%} (median of {error.queries} queries)")
    return "\n".join(lines)


def _name(check: str, adversary: str | None) -> str:
    return adversary or check


def tried(result: Repairs) -> str:
    """How much was tried."""
    if not result.combinations:
        return "What fails is no check of views: coarser views would not mend it."
    told = f"{result.tried:,} of {result.combinations:,} combinations of these steps were tried"
    if result.complete:
        return f"{told}; the others cannot pass, or give up more than one above."
    return f"{told}, those first that keep most; others may pass as well."


def instead(result: Repairs) -> list[str]:
    """Groups, where they would keep more."""
    groups = result.groups
    if groups is None:
        return []
    best = f"; the best above keeps {result.repairs[0].kept:.1%}" if result.repairs else ""
    who = ", ".join(result.release.id_columns)
    return [
        f"Groups keep more: `deniable bucketize --r {groups.r}` publishes every column but {who} as it is, "
        f"{groups.kept:.1%} of what is published{best}. No value has more than 1/{groups.r} of its group then, "
        "which holds against somebody who knows no statistics, or those that knowledge: names."
    ]


def remark(result: Repairs, number: int) -> list[str]:
    """What a release file that was written says of itself."""
    one, spec = result.repairs[number - 1], result.release.locations.file or "a release"
    return [
        f"Repaired from {spec.rpartition('/')[2]}; keeps {one.kept:.1%} of what that publishes:",
        *(f"  - {step_text(step)}" for step in one.steps),
    ]
