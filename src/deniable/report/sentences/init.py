"""What is said of a table that nobody has described yet: why a column is proposed for what, and what is missing."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from deniable import words
from deniable.words import unknown_column

if TYPE_CHECKING:
    from deniable.analyses.init.profile import Column
    from deniable.analyses.init.proposal import Proposal


def _rows(column: Column) -> str:
    """How many rows somebody who is named may have, and how many nobody is named in."""
    empty = f", and {column.nulls:,} rows have none" if column.nulls else ""
    if column.is_unique:
        return f"no two of its {column.cells:,} cells are the same{empty}"
    return f"{column.different:,} different cells in {column.cells:,} rows{empty}"


def names_people(column: Column) -> str:
    """An identifier by its name."""
    several = "" if column.is_unique else ": people may have several"
    return f"its name says that it names people; {_rows(column)}{several}"


def only_different(column: Column) -> str:
    """An identifier by its cells."""
    return f"{_rows(column)}, and no other column looks more like one that names people"


def part_of_name(column: Column) -> str:
    """An identifier of several columns."""
    return f"a part of somebody's name; {_rows(column)}"


def private_name(column: Column) -> str:
    """A private column by its name."""
    return f"its name says that people keep it to themselves; {_values(column)}"


def last_column(column: Column) -> str:
    """A private column by its place."""
    return f"no name says what is private, and the last column often is; {_values(column)}"


def told_identifier(column: Column) -> str:
    """An identifier that somebody said."""
    return f"as you said; {_rows(column)}"


def told(column: Column) -> str:
    """What somebody said."""
    return f"as you said; {_values(column)}"


def not_told() -> str:
    """What somebody did not say."""
    return "not among the quasi-identifiers that you said"


def known_name(column: Column) -> str:
    """A quasi-identifier by its name."""
    return f"its name says that others may know it; {_values(column)}"


def perhaps_known(column: Column) -> str:
    """A column of which nothing is known: what others may know must be expected."""
    return f"others may know it, unless you know better; {_values(column)}"


def nested(column: Column) -> str:
    """Cells that are no single values."""
    return f"its cells are {column.kind.kind.value} than text, numbers and dates"


def one_value(column: Column) -> str:
    """A column that says nothing."""
    return "it has no cell" if not column.different else "every row has the same cell"


def second_identifier(named: bool) -> str:
    """A further column that names people."""
    return f"it names people{', as the identifier does' if named else ''}: published, it would be read as a name"


def second_private() -> str:
    """A further private column: a release has one."""
    return "its name says that people keep it to themselves too: audit it in a release of its own"


def all_different(column: Column) -> str:
    """A column that names everybody."""
    return f"no two of its {column.cells:,} cells are the same: whoever knows one knows the person"


def nearly_all_different(column: Column) -> str:
    """A column that names nearly everybody."""
    return (
        f"{column.different:,} of its {column.cells:,} cells are different: nearly whoever knows one knows the person"
    )


def prose(column: Column) -> str:
    """Free text."""
    return f"free text of up to {column.longest:,} characters: nobody knows what stands in it"


def too_many(columns: int, most: int) -> str:
    """The columns of a table that is wider than its first release."""
    return f"{words.count(columns, 'more column')}: at most {most} are in a first release; add those that you publish"


def _values(column: Column) -> str:
    """How many different cells there are, a null among them."""
    different = "1 value" if column.different == 1 else f"{column.different:,} values"
    without = f" and {column.nulls:,} rows without" if column.nulls else ""
    if column.commas:
        return f"{different}{without}, numbers with decimal commas"
    return f"{different}{without}{', codes with zeros before them' if column.zeros else ''}"


def one_column() -> str:
    """A table of which nothing can be told apart."""
    return "expected a table of at least two columns, who and what; found one"


def no_header(odd: int, columns: int) -> str:
    """A first line that looks like a row; it is not shown, since it may hold somebody's cells."""
    return (
        f"expected column names; found a line of which {odd:,} of {columns:,} parts look like cells (numbers, dates, "
        "what stands again in the rows below): it may be a row, and the header missing"
    )


def header_goes_on(place: int) -> str:
    """A name of a column that has taken up rows; it is not shown, since it holds somebody's cells."""
    return (
        f"expected the names of the columns in one line; found that of column {place:,} going on over other lines that "
        "have separators: a quote may be left open"
    )


def needed(proposal: Proposal, missing: Sequence[str]) -> str:
    """What must be said where nobody can be asked, and what is proposed."""
    options = " and ".join(f"--{name}" for name in missing)
    why = (
        "; ".join(f"{part.column.name}: {part.why}" for part in proposal.parts if part.role in missing)
        or "no column looks like it"
    )
    return f"expected {options}, since nobody can be asked here; proposed: {typed(proposal)} ({why})"


def typed(proposal: Proposal) -> str:
    """The command that accepts what is proposed."""
    said = ["--identifier", listed(proposal.identifier), "--private", proposal.private or "COLUMN"]
    return f"deniable init {' '.join(map(shlex.quote, (proposal.profile.table, *said)))}"


def listed(columns: Sequence[str]) -> str:
    """Columns as an option has them: a name that holds a comma stands in quotes, unless it is alone."""
    if len(columns) < 2:
        return columns[0] if columns else "none"
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(columns)
    return line.getvalue()


def there_already(file: str) -> str:
    """A release file is never written over something."""
    return f"expected a name that no file has; found {file}, which is there already"


def other_ending(file: str) -> str:
    """A release file says by its name that it is one."""
    return f"expected a path that ends in .yaml or .yml; found {file}"


def no_folder(file: str) -> str:
    """A folder that is not there, or not ours."""
    return f"expected a path in a folder that exists and may be written to; found {file}"


def unknown(column: str, names: Sequence[str]) -> str:
    """A column that there is not."""
    return unknown_column(column, names)


def twice(column: str) -> str:
    """A column that is said again."""
    return f"expected every column once; found {column} more than once"


def two_roles(column: str) -> str:
    """A column that cannot be both."""
    return f"expected a column of one role; found {column} in another too"
