"""What a release asks of a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from deniable.engines.tables import Writing
from deniable.frozen import frozen


@frozen
class Asked:
    """What is wanted of a table: see `Engine.attach`."""

    name: str
    title: str
    text: Sequence[str] | None
    types: Mapping[str, str]
    columns: Collection[str] | None
    written: Writing

    def chosen(self, names: Sequence[str]) -> list[str]:
        """Of the columns that there are, those to read; one at least, by which rows are seen."""
        return [name for name in names if self.columns is None or name in self.columns] or list(names[:1])
