"""Values that show themselves without a cell of anybody's table: a short line, and counts where a notebook asks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deniable.report.brief import Brief


class Shown:
    """What a result or a release is printed as when nobody said how: fields may hold private rows."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._brief().line}>"

    def _repr_html_(self) -> str:
        told = self._brief()
        rows = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in told.rows()]
        lines = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<p>{escape(type(self).__name__)} {escape(told.line)}</p><table>{lines}</table>"

    def _brief(self) -> Brief:
        from deniable.report.brief import brief

        return brief(self)
