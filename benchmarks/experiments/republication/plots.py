"""Lines over releases: who is exposed beside f, and what the releases cost; drawn by the charts of reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.experiments.republication.results import KNOWN, SELECTIVITIES, Row, dial, settings
from deniable.report.charts import Course, Lines, Panels, Place

COLOURS = {"m-invariance": 1, "cor-split": 2, "stable": 0}
PROMISED = 3
RELEASES = (1.0, 8.0, 16.0, 24.0)
SMALL, LARGE = (f"{share:.0%}" for share in SELECTIVITIES)


def figures(rows: Sequence[Row]) -> dict[str, Panels]:
    """Three of them."""
    return {"exposed": exposed(rows), "cost": cost(rows), "dial": turned(rows)}


def exposed(rows: Sequence[Row]) -> Panels:
    """A row for each setting, a panel for each share known; the band is what was not decided."""
    panels = []
    for name, found in settings(rows).items():
        for place, share in enumerate(KNOWN):
            courses = []
            for algorithm, some in found.items():
                looks = [(row.release, row.looks[place]) for row in some if row.looks]
                shown = tuple(Place(at, 100 * look.least, 100 * look.most) for at, look in looks)
                courses.append(Course(algorithm, shown, COLOURS[algorithm]))
            promised = tuple(Place(at, 100 * look.promised, 100 * look.promised) for at, look in looks)
            courses.append(Course("what f promises", promised, PROMISED, dashed=True))
            title = f"{name}, {share:.0%} known"
            panels.append(Lines(title, "releases", "% of the others exposed", tuple(courses), RELEASES, most=100.0))
    return Panels("People exposed; the band is not decided", tuple(panels), beside=len(KNOWN))


def cost(rows: Sequence[Row]) -> Panels:
    """Unsafe groups, counterfeits and query error; a row for each setting."""
    panels: tuple[tuple[str, Callable[[Row], float | None]], ...] = (
        ("% of groups not hc-safe", lambda row: 100 * row.unsafe / row.groups),
        ("% of rows that are counterfeits", lambda row: 100 * row.added),
        (f"query error in %, at {SMALL}", _error(0)),
        (f"query error in %, at {LARGE}", _error(1)),
    )
    made = []
    for name, found in settings(rows).items():
        for things, number in panels:
            courses = tuple(
                Course(algorithm, _places(some, lambda row: row.release, number), COLOURS[algorithm])
                for algorithm, some in found.items()
            )
            made.append(Lines(name, "releases", things, courses, RELEASES))
    return Panels("What it costs", tuple(made), beside=len(panels))


def turned(rows: Sequence[Row]) -> Panels:
    """What counterfeits buy: who is exposed at most after the last release with 4 % known, and its query error."""
    place = KNOWN.index(0.04)
    panels: tuple[tuple[str, Callable[[Row], float | None]], ...] = (
        ("% of the others exposed at most, 4% known", lambda row: 100 * row.looks[place].most),
        (f"query error in %, at {SMALL}", _error(0)),
        (f"query error in %, at {LARGE}", _error(1)),
    )
    made = []
    for name, found in settings(rows, turned=True).items():
        last = [row for _, row in dial(found)]
        stable = sorted((row for row in last if row.algorithm.startswith("stable")), key=lambda row: row.added)
        lines = {"m-invariance": [last[0]], "cor-split": [last[1]], "stable": stable}
        for k, (things, number) in enumerate(panels):
            courses = tuple(
                Course(algorithm, _places(some, lambda row: 100 * row.added, number), COLOURS[algorithm])
                for algorithm, some in lines.items()
            )
            made.append(
                Lines(name, "% of rows that are counterfeits", things, courses, (0, 5, 10, 15, 20), steep=k == 0)
            )
    return Panels("What counterfeits buy", tuple(made), beside=len(panels))


def _places(
    rows: Sequence[Row], at: Callable[[Row], float], number: Callable[[Row], float | None]
) -> tuple[Place, ...]:
    return tuple(Place(at(row), value, value) for row in rows if (value := number(row)) is not None)


def _error(place: int) -> Callable[[Row], float | None]:
    return lambda row: 100 * row.errors[place] if row.errors else None
