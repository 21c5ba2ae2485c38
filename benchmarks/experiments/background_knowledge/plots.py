"""Bars of who is exposed, and lines of what safety costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.experiments.background_knowledge.results import SELECTIVITIES, Row, load

SHOWN = 0.05  # selectivity of the queries in the figure
BARS = (
    ("plain, at random", "exposed_marginal", "#f2b8a0"),
    ("plain, at random", "exposed_full", "#d1495b"),
    ("plain, neighbours", "exposed_marginal", "#f4dd9b"),
    ("plain, neighbours", "exposed_full", "#edae49"),
    ("robust", "exposed_full", "#00798c"),
)
LINES = ("#00798c", "#d1495b", "#edae49", "#30323d", "#8d6bb8")
MARKS = "os^Dv"


def figures(path: Path) -> dict[str, Any]:
    """Two of them."""
    rows = load(path)
    return {"exposed": exposed(rows), "cost": cost(rows)}


def exposed(rows: Sequence[Row]) -> Any:
    """Bars: the share of people above 1/r, for each knowledge, kind of groups and adversary."""
    import matplotlib.pyplot as plt  # type: ignore[import-not-found,unused-ignore]

    names = list(dict.fromkeys(row.knowledge for row in rows))
    rs = sorted({row.r for row in rows})
    figure, axes = plt.subplots(len(rs), 1, figsize=(8, 7.5), sharex=True, sharey=True, layout="constrained")
    width = 0.8 / len(BARS)
    for axis, r in zip(axes, rs, strict=True):
        found = {(row.knowledge, row.release): row for row in rows if row.r == r}
        for i, (kind, adversary, color) in enumerate(BARS):
            mine = [found[name, kind] for name in names]
            if kind == "robust":
                worst = [max(row.exposed_marginal, row.exposed_full) / row.people for row in mine]
                label = "robust (ours), either"
            else:
                worst = [getattr(row, adversary) / row.people for row in mine]
                label = f"{kind}: {adversary.removeprefix('exposed_')}"
            at = [n + (i - (len(BARS) - 1) / 2) * width for n in range(len(names))]
            axis.bar(at, [100 * share for share in worst], width, color=color, label=label)
            if kind == "robust":
                for x, share in zip(at, worst, strict=True):
                    axis.text(x, 100 * share + 1, f"{100 * share:g}", ha="center", color=color, weight="bold")
        axis.set_ylabel(f"r = {r}: % above 1/{r}")
    axes[-1].set_xticks(range(len(names)), names)
    axes[-1].set_xlabel("what the adversary knows")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    return figure


def cost(rows: Sequence[Row]) -> Any:
    """Lines over r: mean size, people withheld, query error; plain groups in grey."""
    import matplotlib.pyplot as plt

    place = SELECTIVITIES.index(SHOWN)
    names = list(dict.fromkeys(row.knowledge for row in rows))
    rs = sorted({row.r for row in rows})
    panels: tuple[tuple[str, Callable[[Row], float]], ...] = (
        ("mean group size", lambda row: row.mean_size),
        ("% of people withheld", lambda row: 100 * row.withheld / row.people),
        (f"query error in %, selectivity {SHOWN:.0%}", lambda row: 100 * row.errors[place]),
    )
    figure, axes = plt.subplots(1, len(panels), figsize=(10, 3.6), layout="constrained")
    for axis, (title, number) in zip(axes, panels, strict=True):
        for kind, dashes in (("plain, at random", ":"), ("plain, neighbours", "--")):
            known = {row.r: number(row) for row in rows if row.release == kind}
            axis.plot(rs, [known[r] for r in rs], dashes, color="#888888", label=kind)
        for name, color, mark in zip(names, LINES, MARKS, strict=True):
            known = {row.r: number(row) for row in rows if (row.release, row.knowledge) == ("robust", name)}
            axis.plot(rs, [known[r] for r in rs], marker=mark, markersize=4, color=color, label=f"robust: {name}")
        axis.set_title(title, fontsize=9)
        axis.set_xlabel("r")
        axis.set_xticks(rs)
        axis.set_ylim(bottom=0)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return figure
