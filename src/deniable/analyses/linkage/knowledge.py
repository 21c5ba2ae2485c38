"""What the adversary knows: for each signature (values of an attribute set) how likely each private value is.

From a file with the columns given…, private, probability, or estimated from the table. A prior that
nobody gave is NaN: unknown. A signature whose probabilities add up to one is complete, and what it does
not list has probability 0; one that adds up to less is partial, and what it does not list is unknown.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.analyses.linkage.published import Published
from deniable.arrow import column_ints
from deniable.engines.base import Engine
from deniable.engines.tables import read_header
from deniable.errors import BadInput, Mistake, in_order
from deniable.release import Release
from deniable.sql import linkage as queries
from deniable.sql.build import select
from deniable.words import did_you_mean

Floats = NDArray[np.float64]
SUM_TOLERANCE = 1e-6  # files give rounded numbers
Signature = tuple[str | None, ...]


@dataclass(frozen=True)
class Knowledge:
    """One attribute set: its columns and what is known, signature by value."""

    given: tuple[str, ...]
    signatures: tuple[Signature, ...]
    priors: Floats

    @property
    def name(self) -> str:
        """The attribute set as the output writes it."""
        return ",".join(self.given)


def given_columns(release: Release) -> tuple[str, ...]:
    """Every column that some knowledge is given by."""
    return tuple(dict.fromkeys(name for entry in release.knowledge for name in entry.given))


def check_entries(release: Release) -> None:
    """Each entry has a file or an estimate, columns that differ, and an attribute set of its own."""
    mistakes = []
    seen: set[tuple[str, ...]] = set()
    for i, entry in enumerate(release.knowledge):
        where, given = release.locations.at("knowledge", i), entry.given
        if bool(entry.file) == entry.estimate:
            found = "both" if entry.file else "neither"
            mistakes.append(Mistake(where, f"knowledge: expected file: or estimate: true; found {found}"))
        if len(set(given)) < len(given) or release.private in given:
            what = f"knowledge.given: expected different columns, none of them private; found {', '.join(given)}"
            mistakes.append(Mistake(release.locations.at("knowledge", i, "given"), what))
        if given in seen:
            what = f"knowledge.given: expected each attribute set once; found {', '.join(given)} twice"
            mistakes.append(Mistake(release.locations.at("knowledge", i, "given"), what))
        seen.add(given)
    if mistakes:
        raise BadInput(mistakes)


def read_knowledge(release: Release, engine: Engine, published: Published, source: str) -> list[Knowledge]:
    """Every attribute set. Raises BadInput with all mistakes of all files."""
    mistakes: list[Mistake] = []
    found = []
    for k, entry in enumerate(release.knowledge):
        given = entry.given
        quasi = published.columns(given)
        engine.store(f"sig{k}", queries.numbered("published_people", quasi, "s"))
        rows = engine.fetch(select(*quasi).from_(f"sig{k}").order_by("s")).to_pylist()
        signatures = tuple(tuple(row[q] for q in quasi) for row in rows)
        if entry.file:
            priors = _from_file(release, k, signatures, published, mistakes)
        else:
            priors = _estimated(engine, k, published, source, given, release.private, len(signatures))
        found.append(Knowledge(given, signatures, priors))
    if mistakes:
        raise BadInput(in_order(mistakes))
    return found


def _estimated(
    engine: Engine, k: int, published: Published, source: str, given: tuple[str, ...], private: str, count: int
) -> Floats:
    rows = engine.fetch(queries.estimate(k, source, given, published.columns(given), private))
    priors = np.full((count, len(published.values)), np.nan)
    s, v = column_ints(rows, "s"), column_ints(rows, "v")
    priors[s] = 0.0  # a signature that the table has is complete
    here = v >= 0
    priors[s[here], v[here]] = column_ints(rows, "n")[here] / column_ints(rows, "total")[here]
    return priors


@dataclass
class _Lines:
    """The lines of one signature, while a file is read."""

    first: int
    total: list[float] = field(default_factory=list)
    values: dict[str | None, int] = field(default_factory=dict)  # and the line of each


def _from_file(
    release: Release, k: int, signatures: tuple[Signature, ...], published: Published, mistakes: list[Mistake]
) -> Floats:
    entry = release.knowledge[k]
    number = {signature: s for s, signature in enumerate(signatures)}
    place = {value: v for v, value in enumerate(published.values)}
    priors = np.full((len(signatures), len(place)), np.nan)
    lines: dict[int, _Lines] = {}
    before = len(mistakes)
    for line, signature, value, chance, where in _read(release, k, mistakes):
        s = number.get(signature)
        if s is None:
            told = ", ".join(f"{n} = {_cell(c)}" for n, c in zip(entry.given, signature, strict=True))
            mistakes.append(Mistake(where, f"expected a signature that somebody published has; found {told}"))
            continue
        seen = lines.setdefault(s, _Lines(line))
        if value in seen.values:
            first = seen.values[value]
            mistakes.append(Mistake(where, f"expected each value once for a signature; found it again (line {first})"))
            continue
        seen.values[value] = line
        seen.total.append(chance)
        if value in place:
            priors[s, place[value]] = chance
    if len(mistakes) == before:
        _check_sums(entry.file or "", lines, place, priors, mistakes)
    return priors


def _check_sums(
    file: str, lines: dict[int, _Lines], place: dict[str | None, int], priors: Floats, mistakes: list[Mistake]
) -> None:
    for s, seen in lines.items():
        total = math.fsum(seen.total)
        partial = any(value not in seen.values for value in place)
        if abs(total - 1) <= SUM_TOLERANCE:
            priors[s, np.isnan(priors[s])] = 0.0
        elif total > 1 or not partial:
            expected = "expected probabilities of one signature that add up to 1"
            mistakes.append(Mistake(f"{file}:{seen.first}", f"{expected}; found {total:.6g} from this line on"))


def _read(release: Release, k: int, mistakes: list[Mistake]) -> Iterator[tuple[int, Signature, str | None, float, str]]:
    """line, signature, value, probability and where that stands; lines with mistakes are left out."""
    entry = release.knowledge[k]
    file, given = entry.file or "", entry.given
    path = release.folder / file
    wanted = (*given, release.private, "probability")
    if not path.is_file():
        what = f"knowledge.file: no such file, {file}; expected a csv file with {', '.join(wanted)}"
        mistakes.append(Mistake(release.locations.at("knowledge", k, "file"), what))
        return
    columns, delimiter = read_header(str(path))
    missing = [name for name in wanted if name not in columns]
    for name in missing:
        hint = did_you_mean(name, columns)
        mistakes.append(Mistake(f"{file}:1", f"expected the column {name}; found {', '.join(columns)}{hint}"))
    if missing:
        return
    at = [columns.index(name) for name in wanted]
    with Path(path).open(newline="", encoding="utf-8-sig") as text:
        reader = csv.reader(text, delimiter=delimiter)
        next(reader)
        for cells in reader:
            if not cells:
                continue
            line = reader.line_num
            if len(cells) != len(columns):
                found = f"expected {len(columns)} cells in the row; found {len(cells)}"
                mistakes.append(Mistake(f"{file}:{line}", found))
                continue
            *signature, value, chance = (cells[i] or None for i in at)
            probability = _probability(chance)
            if probability is None:
                what = "expected a probability from 0 to 1"
                mistakes.append(Mistake(f"{file}:{line}", f"{what}; found {_cell(chance)}"))
                continue
            yield line, tuple(signature), value, probability, f"{file}:{line}"


def _probability(cell: str | None) -> float | None:
    try:
        number = float(cell or "")
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


def _cell(cell: Any) -> str:
    return "nothing" if cell is None else str(cell)
