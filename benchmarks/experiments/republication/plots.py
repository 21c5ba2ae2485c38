"""Lines over releases: who is exposed beside f, and what the releases cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.experiments.republication.results import KNOWN, SELECTIVITIES, STABLE, Row, dial, load, settings

COLORS = {"m-invariance": "#d1495b", "cor-split": "#edae49", "stable": "#00798c"}
PROMISED = "#30323d"


def figures(path: Path) -> dict[str, Any]:
    """Three of them."""
    rows = load(path)
    return {"exposed": exposed(rows), "cost": cost(rows), "dial": turned(rows)}


def exposed(rows: Sequence[Row]) -> Any:
    """A row for each setting, a column for each share known; the band is what was not decided."""
    import matplotlib.pyplot as plt  # type: ignore[import-not-found,unused-ignore]

    found = settings(rows)
    figure, axes = plt.subplots(
        len(found), len(KNOWN), figsize=(10, 2.9 * len(found) + 0.6), sharex=True, sharey=True, squeeze=False,
        layout="constrained",
    )  # fmt: skip
    for line, (name, by_algorithm) in zip(axes, found.items(), strict=True):
        for place, (axis, share) in enumerate(zip(line, KNOWN, strict=True)):
            for algorithm, some in by_algorithm.items():
                seen = [(row.release, row.looks[place]) for row in some if row.looks]
                at = [release for release, _ in seen]
                least, most = [100 * look.least for _, look in seen], [100 * look.most for _, look in seen]
                color = COLORS[algorithm]
                axis.fill_between(at, least, most, color=color, alpha=0.18, linewidth=0)
                axis.plot(at, least, color=color, label=algorithm)
            axis.plot(at, [100 * look.promised for _, look in seen], "--", color=PROMISED, label="what f promises")
            axis.set_title(f"{name}\n{share:.0%} known", fontsize=9)
        line[0].set_ylabel("% of the others exposed")
        line[0].set_yticks((0, 50, 100))
    _over_releases(axes)
    handles, labels = axes[0][0].get_legend_handles_labels()
    band = plt.Rectangle((0, 0), 1, 1, color="#888888", alpha=0.3, linewidth=0)
    figure.legend([*handles, band], [*labels, "not decided"], loc="outside lower center", ncols=5, frameon=False)
    return figure


def cost(rows: Sequence[Row]) -> Any:
    """Unsafe groups, counterfeits and query error; a row for each setting."""
    import matplotlib.pyplot as plt

    found = settings(rows)
    small, large = (f"{share:.0%}" for share in SELECTIVITIES)
    panels: tuple[tuple[str, tuple[Callable[[Row], float | None], ...]], ...] = (
        ("% of groups not hc-safe", (lambda row: 100 * row.unsafe / row.groups,)),
        ("% of rows that are counterfeits", (lambda row: 100 * row.added,)),
        (f"query error in %, at {small} (dotted: {large})", (_error(0), _error(1))),
    )
    figure, axes = plt.subplots(
        len(found), len(panels), figsize=(10, 2.9 * len(found) + 0.6), sharex=True, squeeze=False, layout="constrained"
    )
    for line, (name, by_algorithm) in zip(axes, found.items(), strict=True):
        for axis, (title, numbers) in zip(line, panels, strict=True):
            for algorithm, some in by_algorithm.items():
                for number, dashes in zip(numbers, ("-", ":"), strict=False):
                    shown = [(row.release, value) for row in some if (value := number(row)) is not None]
                    at, values = zip(*shown, strict=True)
                    label = algorithm if dashes == "-" else None
                    axis.plot(at, values, dashes, color=COLORS[algorithm], label=label)
            axis.set_title(f"{name}\n{title}", fontsize=9)
            axis.set_ylim(bottom=0)
            axis.locator_params(axis="y", nbins=5)
    _over_releases(axes)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure


def turned(rows: Sequence[Row]) -> Any:
    """What counterfeits buy: who is exposed after the last release with 4 % known, and its query error."""
    import matplotlib.pyplot as plt

    found = settings(rows, turned=True)
    figure, axes = plt.subplots(
        len(found), 2, figsize=(10, 2.9 * len(found) + 0.6), sharex=True, squeeze=False, layout="constrained"
    )
    place = KNOWN.index(0.04)
    small, large = (f"{share:.0%}" for share in SELECTIVITIES)
    for (exposing, asking), (name, by_algorithm) in zip(axes, found.items(), strict=True):
        last = [row for _, row in dial(by_algorithm)]
        stable = sorted((row for row in last if row.algorithm.startswith("stable")), key=lambda row: row.added)
        lines = {"m-invariance": [last[0]], "cor-split": [last[1]], "stable": stable}
        for algorithm, some in lines.items():
            size = 8 if algorithm == "m-invariance" else 4  # it lies under Cor-Split
            style: dict[str, Any] = {"color": COLORS[algorithm], "marker": "o", "markersize": size}
            at = [100 * row.added for row in some]
            shown = [100 * row.looks[place].most or float("nan") for row in some]  # 0 is nowhere on this axis
            exposing.plot(at, shown, label=algorithm, **style)
            for which, dashes in enumerate(("-", ":")):
                asking.plot(at, [100 * row.errors[which] for row in some], dashes, **style)
        for k, row in enumerate(row for row in stable if row.looks[place].most):
            share = STABLE if row.at_most is None else row.at_most
            where = (100 * row.added, 100 * row.looks[place].most)
            exposing.annotate(f"{share:g}", where, (3, (4, -10)[k % 2]), textcoords="offset points", fontsize=7)
        exposing.set_yscale("log")
        exposing.minorticks_off()
        exposing.set_title(f"{name}\n% of the others exposed at most, 4% known", fontsize=9)
        asking.set_title(f"{name}\nquery error in %, at {small} (dotted: {large})", fontsize=9)
        asking.set_ylim(bottom=0)
    for axis in axes[-1]:
        axis.set_xlabel("% of rows that are counterfeits")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure


def _over_releases(axes: Any) -> None:
    for axis in axes[-1]:
        axis.set_xlabel("releases")
        axis.set_xticks((1, 8, 16, 24))


def _error(place: int) -> Callable[[Row], float | None]:
    return lambda row: 100 * row.errors[place] if row.errors else None
