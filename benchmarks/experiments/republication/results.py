"""Rows of the experiment as values, as csv and as tables of its page."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.experiments.page import markdown

KNOWN = (0.01, 0.04, 0.10)
SELECTIVITIES = (0.01, 0.05)
STABLE = 0.2  # counterfeits that stable groups may have where they stand beside the other algorithms
COUNTS = ("people", "turnover", "algorithm", "release", "groups", "unsafe", "counterfeits")
ERRORS = tuple(f"error_at_{share:g}" for share in SELECTIVITIES)
LOOK = ("unknown", "exposed", "undecided", "promised")
COLUMNS = (*COUNTS, *ERRORS, *(f"{what}_at_{share:g}" for share in KNOWN for what in LOOK))


@dataclass(frozen=True)
class Look:
    """What the joint adversary finds who knows a share of the people: `unknown` are the others."""

    unknown: int
    exposed: int  # proved: one value is left
    undecided: int  # neither that nor its contrary was proved in time
    promised: float  # f for as many releases

    @property
    def least(self) -> float:
        """At least this share is exposed."""
        return self.exposed / self.unknown

    @property
    def most(self) -> float:
        """At most this share is exposed."""
        return (self.exposed + self.undecided) / self.unknown


@dataclass(frozen=True)
class Row:
    """One release under one algorithm; errors and looks are empty where nobody looked."""

    people: int
    turnover: float
    algorithm: str
    release: int
    groups: int
    unsafe: int  # groups that are not hc-safe
    counterfeits: int
    errors: tuple[float, ...]  # median relative error of COUNT queries, by SELECTIVITIES
    looks: tuple[Look, ...]  # by KNOWN

    @property
    def setting(self) -> str:
        return f"{self.people:,} people, {self.turnover:.0%} exchanged"

    @property
    def at_most(self) -> float | None:
        """Counterfeits allowed, where it is another share than that of the algorithms side by side."""
        _, _, share = self.algorithm.partition(" ")
        return float(share) if share else None

    @property
    def added(self) -> float:
        """Counterfeits as a share of the published rows."""
        return self.counterfeits / (self.people + self.counterfeits)


def save(rows: Sequence[Row], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            errors = [f"{error:.5f}" for error in row.errors] or [""] * len(ERRORS)
            looks = [(look.unknown, look.exposed, look.undecided, f"{look.promised:.8g}") for look in row.looks]
            seen = [cell for look in looks for cell in look] or [""] * len(KNOWN) * len(LOOK)
            writer.writerow([*(getattr(row, name) for name in COUNTS), *errors, *seen])


def load(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [_row(cells) for cells in csv.DictReader(file)]


def _row(cells: dict[str, str]) -> Row:
    return Row(
        people=int(cells["people"]),
        turnover=float(cells["turnover"]),
        algorithm=cells["algorithm"],
        release=int(cells["release"]),
        groups=int(cells["groups"]),
        unsafe=int(cells["unsafe"]),
        counterfeits=int(cells["counterfeits"]),
        errors=tuple(float(cells[name]) for name in ERRORS if cells[name]),
        looks=tuple(_looks(cells)),
    )


def _looks(cells: dict[str, str]) -> Iterator[Look]:
    for share in KNOWN:
        unknown, exposed, undecided, promised = (cells[f"{what}_at_{share:g}"] for what in LOOK)
        if unknown:
            yield Look(int(unknown), int(exposed), int(undecided), float(promised))


Found = dict[str, list[Row]]  # by algorithm


def settings(rows: Sequence[Row], turned: bool = False) -> dict[str, Found]:
    """The rows of each setting, by algorithm; those of other settings of the dial only if they are asked for."""
    found: dict[str, Found] = {}
    for row in rows:
        if turned or row.at_most is None:
            found.setdefault(row.setting, {}).setdefault(row.algorithm, []).append(row)
    return found


def dial(found: Found) -> list[tuple[str, Row]]:
    """The last release of every algorithm, stable groups by how many counterfeits they may have, most first."""
    last = {name: rows[-1] for name, rows in found.items()}
    turned = sorted((row for row in last.values() if row.at_most is not None), key=lambda row: -(row.at_most or 0.0))
    names = [
        (f"stable, {STABLE:g}" if name == "stable" else name, row) for name, row in last.items() if not row.at_most
    ]
    return [*names, *((f"stable, {row.at_most:g}", row) for row in turned)]


def tables(rows: Sequence[Row]) -> str:
    """For each setting: who is exposed, what the releases look like, how well they answer queries."""
    parts = []
    for name, found in settings(rows).items():
        parts += [f"### {name}: people exposed by all releases together", _exposed(found)]
        parts += [f"### {name}: groups and counterfeits", _groups(found)]
        parts += [f"### {name}: query error", _errors(found)]
    for name, found in settings(rows, turned=True).items():
        parts += [f"### {name}: the dial, last release", _dial(found)]
    return "\n\n".join(parts)


def _dial(found: Found) -> str:
    head = ["", "counterfeits", "rows a group", *(f"exposed, {share:.0%} known" for share in KNOWN)]
    head += [f"query error at {share:.0%}" for share in SELECTIVITIES]
    body = [
        [name, percent(row.added), f"{(row.people + row.counterfeits) / row.groups:.1f}"]
        + [interval(look) for look in row.looks]
        + [f"{error:.1%}" for error in row.errors]
        for name, row in dial(found)
    ]
    return markdown(head, body)


def _exposed(found: Found) -> str:
    """A line for each share that is known and each release that was looked at."""
    seen = {name: [row for row in rows if row.looks] for name, rows in found.items()}
    body = [
        [f"{share:.0%}", str(rows[0].release), percent(rows[0].looks[place].promised)]
        + [interval(row.looks[place]) for row in rows]
        for place, share in enumerate(KNOWN)
        for rows in zip(*seen.values(), strict=True)
    ]
    return markdown(["known", "release", "f", *seen], body)


def _groups(found: Found) -> str:
    head = ["release", *(f"{name}: not hc-safe" for name in found), *(f"{name}: counterfeits" for name in found)]
    body = [
        [str(rows[0].release)]
        + [f"{row.unsafe:,} of {row.groups:,}" if row.unsafe else "0" for row in rows]
        + [f"{row.counterfeits:,} ({percent(row.added)})" if row.counterfeits else "0" for row in rows]
        for rows in zip(*found.values(), strict=True)
    ]
    return markdown(head, body)


def _errors(found: Found) -> str:
    asked = {name: [row for row in rows if row.errors] for name, rows in found.items()}
    head = ["release", *(f"{name}: at {share:.0%}" for share in SELECTIVITIES for name in asked)]
    body = [
        [str(rows[0].release), *(f"{row.errors[place]:.1%}" for place in range(len(SELECTIVITIES)) for row in rows)]
        for rows in zip(*asked.values(), strict=True)
    ]
    return markdown(head, body)


def interval(look: Look) -> str:
    """From who is proved exposed to who is not proved safe."""
    least, most = percent(look.least), percent(look.most)
    return least if least == most else f"{least} to {most}"


def percent(share: float) -> str:
    """Two figures of a small share, one place of a large one; 0 only for nobody, 100% only for everybody."""
    if share in (0.0, 1.0):
        return f"{100 * share:.0f}%"
    if share >= 0.1:
        return f"{min(100 * share, 99.9):.1f}%"
    return f"{100 * share:.2g}%" if share >= 1e-6 else "<0.0001%"
