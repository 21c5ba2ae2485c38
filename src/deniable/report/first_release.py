"""A first release as text and as JSON: what is proposed and why, then what was written, then its audit."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from deniable import words
from deniable.report.json import INIT
from deniable.report.text import columns
from deniable.report.verdict import verdict_json, verdict_text
from deniable.words import cell

if TYPE_CHECKING:
    from deniable.analyses.init import FirstRelease
    from deniable.analyses.init.proposal import Proposal

_ROLES = {"none": "left out"}


def proposal_text(proposal: Proposal) -> str:
    """Every column, what it is proposed for, and why."""
    profile = proposal.profile
    lines = [f"{profile.table}: {words.count(profile.rows, 'row')}, {words.count(len(profile.columns), 'column')}"]
    lines += [f"read as {profile.written.encoding}: some of its bytes are no UTF-8 text"] * (
        not profile.written.is_utf8
    )
    more = [f"{proposal.too_many}"] if proposal.too_many else []
    return "\n\n".join(["\n".join(lines), columns(proposal_rows(proposal)), *more])


def proposal_rows(proposal: Proposal) -> list[tuple[str, ...]]:
    """Columns below each other, with a heading."""
    rows = [
        (cell(part.column.name), part.column.kind.kind.value, _ROLES.get(part.role, part.role), cell(str(part.why)))
        for part in proposal.told
    ]
    return [("column", "read as", "proposed", "why"), *rows]


def first_text(made: FirstRelease, *, proposed: bool = True) -> str:
    """What was written and its audit; what is proposed before it, unless somebody has seen that already."""
    parts = [proposal_text(made.proposal)] if proposed else []
    parts += [f"wrote {made.file}; its first audit:", verdict_text(made.verdict, steps=False), "\n".join(_steps(made))]
    return "\n\n".join(parts)


def _steps(made: FirstRelease) -> list[str]:
    who = " ".join(f"<{name}>" for name in made.proposal.identifier)
    file = quote(made.file)
    steps = [f"next:   deniable audit {file}      once you have changed in it what is not as you mean it"]
    steps += [f"why:    deniable explain {file} --who {who}"] if who else []
    return steps + ([] if made.verdict else [f"repair: deniable repair {file}"])


def first_json(made: FirstRelease) -> dict[str, Any]:
    """The same as data."""
    proposal, profile = made.proposal, made.proposal.profile
    told = [
        {
            "name": part.column.name,
            "type": part.column.kind.kind.value,
            "different": part.column.different,
            "nulls": part.column.nulls,
            "role": None if part.role in ("none", "more") else part.role,
            "why": str(part.why),
        }
        for part in proposal.parts
    ]
    return {
        "schema": INIT,
        "file": made.file,
        "table": profile.table,
        "rows": profile.rows,
        "identifier": list(proposal.identifier),
        "private": proposal.private,
        "quasi": list(proposal.quasi),
        "views": dict(made.verdict.release.views),
        "types": proposal.types,
        "encoding": profile.written.encoding,
        "decimal": profile.decimal,
        "columns": told,
        "audit": verdict_json(made.verdict),
    }
