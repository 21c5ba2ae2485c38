"""A bucketized release as text and as JSON: what was written, for whom its promise holds, and what else to ask for."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from deniable import words
from deniable.report.json import BUCKETIZE
from deniable.report.text import columns

if TYPE_CHECKING:
    from deniable.analyses.bucketize import Bucketize


_FITTED = ("That holds for statistics fitted to these groups, too (calibrated): whatever the weights.",)


def bucketize_text(made: Bucketize, folder: str) -> str:
    """What was written, and what it holds against."""
    withheld = f", {made.withheld:,} withheld" if made.withheld else ""
    wrote = f"wrote {folder}: {words.people(made.people)} in {words.count(made.groups, 'group')}{withheld}; "
    formulas = words.formulas(made.formulas, harmless=made.excel_safe)
    if made.release.knowledge:
        held = f"{wrote}no posterior above {made.worst:.4g} (1/{made.r:g} was asked)"
        return "\n".join([held, *_FITTED[: made.fitted], *_searched(made), *formulas])
    promise = f"no value has more than {made.worst:.4g} of its group (1/{made.r:g} was asked)"
    return "\n".join([wrote + promise, *_searched(made), *formulas, *_without_knowledge(made)])


def _searched(made: Bucketize) -> list[str]:
    """Of whom the choice of the groups may say something."""
    if not made.searched:
        return []
    are = "is in a group" if made.searched == 1 else "are in groups"
    return [
        f"{words.people(made.searched)} {are} not drawn by lot but searched for by their values; somebody who can run",
        "this program may learn more of them than that. With --by-lot --suppress such people are withheld.",
    ]


def bucketize_json(made: Bucketize) -> dict[str, Any]:
    """The same; without knowledge also what each column's statistics would do, and the knowledge to add."""
    shape = {name: getattr(made, name) for name in ("people", "withheld", "groups", "worst", "searched", "formulas")}
    given = [", ".join(one.given) for one in made.release.knowledge] or ["nothing"]
    holds = [f"somebody who knows {one}" for one in given]
    if made.fitted:
        holds += [f"somebody who fits statistics of {one} to these groups" for one in given]
    told: dict[str, Any] = {"schema": BUCKETIZE, **shape, "holds_for": holds}
    if not made.release.knowledge:
        told["without_knowledge"] = [{"given": name, **asdict(tells)} for name, tells in made.columns.items()]
        told["add"] = knowledge_lines(made)
    return told


def knowledge_lines(made: Bucketize) -> list[str]:
    """What to add to the release file so that the statistics of one column say no more than was asked."""
    return [
        f"- {{given: [{_flow(name)}], estimate: true}}"
        for name, tells in made.columns.items()
        if tells.over or tells.undecided
    ]


def _without_knowledge(made: Bucketize) -> list[str]:
    private, above = made.release.private, f"1/{made.r:g}"
    said = [
        "This holds against somebody who knows nothing of how values are spread.",
        f"Who knows how often each {private} occurs by one column is above {above} for:",
    ]
    rows = []
    for name, tells in made.columns.items():
        open_ = f", and {tells.undecided:,} not decided" if tells.undecided else ""
        rows.append((name, f"{words.people(tells.over) if tells.over else 'nobody'}{open_}"))
    said.append(columns(rows))
    lines = knowledge_lines(made)
    if lines:
        file = made.release.locations.file or "the release file"
        said += [f"To hold against them too, add to {file}:", "knowledge:", *(f"  {line}" for line in lines)]
    said.append("Who knows columns together may know more: name them in one given: list.")
    return said


def _flow(name: str) -> str:
    """A column's name as YAML takes it inside of brackets."""
    plain = name.replace("_", "").replace("-", "").isalnum() and name[0].isalpha()
    reserved = name.lower() in {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
    return name if plain and not reserved else "'" + name.replace("'", "''") + "'"
