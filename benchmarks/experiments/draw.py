"""The figures of an experiment as SVG, from its csv file. Run in the peers' own environment: matplotlib lives there.

The same numbers give the same bytes: fixed ids, no date, text as text.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

STYLE = {
    "svg.hashsalt": "deniable",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def main() -> None:
    """The module that draws and the csv file are named; figures go beside the file."""
    import matplotlib as mpl  # type: ignore[import-not-found,unused-ignore]

    mpl.use("svg")
    mpl.rcParams.update(STYLE)
    rows = Path(sys.argv[2])
    for name, figure in import_module(sys.argv[1]).figures(rows).items():
        figure.savefig(rows.with_name(f"{rows.stem}-{name}.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
