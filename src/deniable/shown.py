"""Values that show themselves without a cell of anybody's table: a short line, and cards and charts in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from deniable.report.notebook import Drawing


class Shown:
    """What a result or a release is printed as when nobody said how: fields may hold private rows."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._report().line(self)}>"

    def _repr_html_(self) -> str:
        return str(self._report().cards(self))

    def chart(self, number: int = 1) -> Drawing:
        """A chart of the result, by its place from 1: a notebook draws it, `save` writes it. Raises BadInput if there
        is none."""
        drawn: Drawing = self._report().chart(self, number)
        return drawn

    def html(self) -> str:
        """The whole report as one page, as `--html` writes it."""
        return str(self._report().page(self))

    def _report(self) -> ModuleType:
        from deniable.report import notebook

        return notebook
