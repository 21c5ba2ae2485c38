"""Lines over r: who is exposed, and what safety costs; drawn by the charts of reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.experiments.background_knowledge.results import SELECTIVITIES, Row
from deniable.report.charts import Course, Lines, Panels, Place

SHOWN = 0.05  # selectivity of the queries in the figure
KINDS = (("plain, at random", 1), ("plain, neighbours", 2), ("robust", 0))


def figures(rows: Sequence[Row]) -> dict[str, Panels]:
    """Two of them."""
    return {"exposed": exposed(rows), "cost": cost(rows)}


def exposed(rows: Sequence[Row]) -> Panels:
    """For each knowledge: the share of people above 1/r, by kind of groups and adversary."""
    panels = []
    for name in dict.fromkeys(row.knowledge for row in rows):
        courses = []
        for kind, colour in KINDS:
            mine = [row for row in rows if (row.knowledge, row.release) == (name, kind)]
            for adversary in ("marginal", "full"):
                number = _share(f"exposed_{adversary}")
                courses.append(_course(f"{kind}: {adversary}", mine, number, colour, dashed=adversary == "marginal"))
        panels.append(Lines(f"knows {name}", "r", "% of people above 1/r", tuple(courses), _rs(rows), most=100.0))
    return Panels("People above 1/r", tuple(panels), beside=2)


def cost(rows: Sequence[Row]) -> Panels:
    """Mean size, people withheld, query error; plain groups dashed."""
    place = SELECTIVITIES.index(SHOWN)
    names = list(dict.fromkeys(row.knowledge for row in rows))
    panels: tuple[tuple[str, str, Callable[[Row], float]], ...] = (
        ("How large groups are", "people a group", lambda row: row.mean_size),
        ("Who is withheld", "% of people", lambda row: 100 * row.withheld / row.people),
        (f"Query error, selectivity {SHOWN:.0%}", "%", lambda row: 100 * row.errors[place]),
    )
    made = []
    for title, things, number in panels:
        plain = [
            _course(kind, _once([row for row in rows if row.release == kind]), number, colour, dashed=True)
            for kind, colour in (("plain, at random", 3), ("plain, neighbours", 5))
        ]
        robust = [
            _course(
                f"robust: {name}", [r for r in rows if (r.release, r.knowledge) == ("robust", name)], number, colour
            )
            for name, colour in zip(names, (0, 1, 2, 4, 6), strict=True)
        ]
        made.append(Lines(title, "r", things, (*plain, *robust), _rs(rows)))
    return Panels("What it costs", tuple(made), beside=3)


def _rs(rows: Sequence[Row]) -> tuple[float, ...]:
    return tuple(sorted({float(row.r) for row in rows}))


def _once(rows: Sequence[Row]) -> list[Row]:
    """Plain groups do not depend on the knowledge."""
    return list({row.r: row for row in rows}.values())


def _share(name: str) -> Callable[[Row], float]:
    return lambda row: 100 * float(getattr(row, name)) / row.people


def _course(
    name: str, rows: Sequence[Row], number: Callable[[Row], float], colour: int, dashed: bool = False
) -> Course:
    return Course(name, tuple(Place(row.r, number(row), number(row)) for row in rows), colour, dashed)
