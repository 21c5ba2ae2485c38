"""A first release file: where it stands, what it calls the table, and the text, which `report` writes."""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path

from deniable.analyses.init.proposal import Proposal
from deniable.engines.tables import is_table_file, is_text_file
from deniable.errors import BadInput, Mistake, Reason
from deniable.frozen import frozen
from deniable.release import Release
from deniable.sql.writing import is_plain

_ENDINGS = (".yaml", ".yml")
_PACKED = (".gz", ".zst")


def place_of(table: str | os.PathLike[str], out: str | os.PathLike[str] | None) -> Path:
    """Where a table's release file goes: in the working directory under the table's name, unless somebody said.

    Raises BadInput where it cannot, or where something is already.
    """
    place = Path(f"{_stem(table)}.yaml") if out is None else Path(out)
    if os.path.lexists(place):
        raise BadInput(Mistake("--out", Reason("init.there_already", file=str(place))))
    if place.suffix not in _ENDINGS:
        raise BadInput(Mistake("--out", Reason("init.other_ending", file=str(place))))
    if not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
        raise BadInput(Mistake("--out", Reason("init.no_folder", file=str(place))))
    return place


def _stem(table: str | os.PathLike[str]) -> str:
    """A table's name without its ending, and without what stands for other names."""
    path = Path(table)
    path = path.with_suffix("") if path.suffix.lower() in _PACKED else path
    known = is_table_file(path) or is_text_file(path)
    stem = path.stem if known else path.name
    return stem if path.exists() or Path(table).exists() else re.sub(r"[*?\[\]]+", "", stem).strip("-_. ") or "table"


@frozen
class Draft:
    """A release file that is not written yet; as text it is what will be in it."""

    proposal: Proposal
    place: Path

    @cached_property
    def table(self) -> str:
        """The table as the file names it: from its own folder on, unless it was named from the root and is elsewhere.

        Behind links: `..` of a folder that is one leads elsewhere.
        """
        named = Path(self.proposal.profile.table)
        if self.proposal.profile.stored:
            return self.proposal.profile.table
        folder = os.path.realpath(self.place.parent)
        where = os.path.join(os.path.realpath(named.parent), named.name)
        relative = os.path.relpath(where, folder)
        return str(named) if named.is_absolute() and relative.startswith("..") else relative

    @cached_property
    def name(self) -> str:
        """What FROM calls the table: its file's stem, where that needs no quotes, or nearly."""
        stem = Release(table=self.table).name
        plain = re.sub(r"\W+", "_", stem, flags=re.ASCII).strip("_")
        return next((name for name in (stem, plain) if is_plain(name)), "t")

    @property
    def has_own_name(self) -> bool:
        """Whether the file must say it."""
        return self.name != Release(table=self.table).name

    def __str__(self) -> str:
        from deniable.report.release_file import text

        return text(self)
