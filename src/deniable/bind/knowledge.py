"""What the adversary knows, as the release's entries and their files say it: how likely values are, by signature.

A signature is a combination of values of an attribute set. A file has the columns given…, private, probability. A prior
that nobody gave is NaN: unknown. A signature whose probabilities add up to one is complete, and what it does not list
has probability 0; one that adds up to less is partial, and what it does not list is unknown. A file may be about more
signatures and values than are there: statistics are about a population.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deniable.bind.files import Mistakes
from deniable.bind.small_files import Wrong, lines_of, number_found
from deniable.engines.scope import Relation, Scope
from deniable.errors import Mistake
from deniable.frozen import frozen
from deniable.release import Release
from deniable.sql import linkage as queries
from deniable.words import unknown_column

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SUM_TOLERANCE = 1e-6  # files give rounded numbers
Signature = tuple[str | None, ...]


@frozen
class Subjects:
    """Whom knowledge is about, in the engine: people (person, q0…) and the values that they may have (x, v)."""

    quasi: tuple[str, ...]  # q0, q1, … in the engine
    people: Relation
    named: Relation
    values: tuple[str | None, ...]  # by number

    def columns(self, given: Sequence[str]) -> list[str]:
        """Our names for some quasi-identifiers."""
        return [f"q{self.quasi.index(name)}" for name in given]


@frozen(eq=False)
class AttributeSet:
    """An entry of `knowledge`: its columns, its signatures (in the engine q0…, s), and the priors that its file tells.

    Priors are by signature and value; None where they are to be estimated from the table.
    """

    given: tuple[str, ...]
    columns: Sequence[str]
    numbered: Relation
    signatures: tuple[Signature, ...]
    told: Floats | None

    @property
    def name(self) -> str:
        """The attribute set as the output writes it."""
        return ",".join(self.given)


def given_columns(release: Release) -> tuple[str, ...]:
    """Every column that some knowledge is given by."""
    names = dict.fromkeys(name for entry in release.knowledge for name in entry.given)
    return tuple(name for name in names if name != release.private)


def entry_mistakes(release: Release) -> Iterator[Mistake]:
    """Each entry has a file or an estimate, columns that differ, and an attribute set of its own."""
    seen: set[tuple[str, ...]] = set()
    for i, entry in enumerate(release.knowledge):
        where, given = release.locations.at("knowledge", i), entry.given
        if bool(entry.file) == entry.estimate:
            found = "both" if entry.file else "neither"
            yield Mistake(where, f"knowledge: expected file: or estimate: true; found {found}")
        if len(set(given)) < len(given) or release.private in given:
            what = f"knowledge.given: expected different columns, none of them private; found {', '.join(given)}"
            yield Mistake(release.locations.at("knowledge", i, "given"), what)
        if given in seen:
            what = f"knowledge.given: expected each attribute set once; found {', '.join(given)} twice"
            yield Mistake(release.locations.at("knowledge", i, "given"), what)
        seen.add(given)


def unknown_given(release: Release, columns: Sequence[str]) -> Iterator[Mistake]:
    """Knowledge that is given by something that is no column at all."""
    for i, entry in enumerate(release.knowledge):
        for name in entry.given:
            if name not in columns and name not in release.columns:
                what = f"knowledge.given: {unknown_column(name, columns)}"
                yield Mistake(release.locations.at("knowledge", i, "given"), what)


def unpublished(release: Release) -> Iterator[Mistake]:
    """Knowledge of columns that a bucketized release would not have."""
    for i, entry in enumerate(release.knowledge):
        outside = [name for name in entry.given if name not in release.quasi]
        if outside:
            what = f"knowledge.given: expected quasi-identifiers, which are published; found {', '.join(outside)}"
            yield Mistake(release.locations.at("knowledge", i, "given"), what)


def attribute_sets(
    release: Release, scope: Scope, subjects: Subjects | None, mistakes: Mistakes
) -> tuple[AttributeSet, ...]:
    """Every entry; where nobody is there whom it could be about, its file is read for mistakes only."""
    found = []
    for k, entry in enumerate(release.knowledge):
        wrong: Wrong = []
        lines = _lines(release, k, wrong) if entry.file else []
        if subjects is not None:
            columns = subjects.columns(entry.given)
            numbered = scope.store("signatures", queries.numbered(subjects.people, columns, "s"))
            rows = scope.fetch(queries.by_number(numbered, columns, "s")).to_pylist()
            signatures = tuple(tuple(row[q] for q in columns) for row in rows)
            told = _priors(release, k, lines, signatures, subjects.values, wrong) if entry.file else None
            found.append(AttributeSet(entry.given, columns, numbered, signatures, told))
        mistakes += [mistake for _, mistake in sorted(wrong, key=lambda one: one[0])]
    return tuple(found)


@frozen
class _Line:
    number: int
    signature: Signature
    value: str | None
    probability: float


@dataclass
class _Told:
    """The lines of one signature, while a file is read."""

    first: int
    total: list[float] = field(default_factory=list)
    values: dict[str | None, int] = field(default_factory=dict)  # and the line of each


def _priors(
    release: Release,
    k: int,
    lines: Sequence[_Line],
    signatures: Sequence[Signature],
    values: Sequence[str | None],
    wrong: Wrong,
) -> Floats:
    """What the lines of a file say of those who are there."""
    import numpy as np

    entry, file = release.knowledge[k], release.knowledge[k].file
    number = {signature: s for s, signature in enumerate(signatures)}
    place = {value: v for v, value in enumerate(values)}
    priors = np.full((len(signatures), len(place)), np.nan)
    told: dict[Signature, _Told] = {}
    for line in lines:
        where = f"{file}:{line.number}"
        seen = told.setdefault(line.signature, _Told(line.number))
        if line.value in seen.values:
            what = f"expected each value once for a signature; found it again (line {seen.values[line.value]})"
            wrong.append((line.number, Mistake(where, what)))
            continue
        seen.values[line.value] = line.number
        seen.total.append(line.probability)
        if line.value in place and line.signature in number:
            priors[number[line.signature], place[line.value]] = line.probability
    if not wrong:
        wrong += _sums(f"{file}", told, number, priors)
    if lines and not any(signature in number for signature in told):
        found = ", ".join(f"{n} = {_cell(c)}" for n, c in zip(entry.given, lines[0].signature, strict=True))
        what = f"expected signatures that somebody published has; found none in the file, such as {found}"
        wrong.append((lines[0].number, Mistake(f"{file}", what)))
    return priors


def _sums(
    file: str, told: dict[Signature, _Told], number: dict[Signature, int], priors: Floats
) -> Iterator[tuple[int, Mistake]]:
    """Complete what adds up to one; say what adds up to more. Less leaves something for other values."""
    import numpy as np

    for signature, seen in told.items():
        total = math.fsum(seen.total)
        if abs(total - 1) <= SUM_TOLERANCE:
            s = number.get(signature, -1)
            if s >= 0:
                priors[s, np.isnan(priors[s])] = 0.0
        elif total > 1:
            expected = "expected probabilities of one signature that add up to at most 1"
            yield seen.first, Mistake(f"{file}:{seen.first}", f"{expected}; found {total:.6g} from this line on")


def _lines(release: Release, k: int, wrong: Wrong) -> list[_Line]:
    """The lines of an entry's file; those with mistakes are left out."""
    entry = release.knowledge[k]
    file, wanted = entry.file or "", (*entry.given, release.private, "probability")

    def gone() -> Mistake:
        what = f"knowledge.file: no such file, {file}; expected a csv file with {', '.join(wanted)}"
        return Mistake(release.locations.at("knowledge", k, "file"), what)

    found = []
    for number, (*signature, value, chance) in lines_of(release.folder / file, file, wanted, wrong, gone):
        probability = _probability(chance)
        if probability is None:
            what = f"expected a probability from 0 to 1; found {number_found(chance)}"
            wrong.append((number, Mistake(f"{file}:{number}", what)))
        else:
            found.append(_Line(number, tuple(signature), value, probability))
    return found


def _probability(cell: str | None) -> float | None:
    try:
        number = float(cell or "")
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


def _cell(cell: str | None) -> str:
    return "nothing" if cell is None else cell
