"""What an adversary works out of a history of releases, as text and as JSON: counts of people, never a value."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from deniable import words
from deniable.report.json import ATTACK
from deniable.report.text import columns

if TYPE_CHECKING:
    from deniable.analyses.history.attack import Attack, Run

WHAT_THEY_DO = {
    "joint": "reads all releases together, every group at once",
    "pairs": "compares two groups at a time (the papers' adversary)",
}


def attack_text(result: Attack) -> str:
    """The summary: one line for each run, and their mean."""
    history, first = result.history, result.runs[0]
    releases = "1 release" if history.releases == 1 else f"{history.releases:,} releases"
    title = f"{words.people(first.people)} in {releases}, {history.history.groups:,} groups"
    return "\n\n".join([title, columns(run_rows(result)), "\n".join(attack_notes(result))])


def run_rows(result: Attack) -> list[tuple[str, ...]]:
    """Runs below each other, with a heading and, where there are several, their mean."""
    rows = [_heading(result.runs[0]), *(_row(str(turn), run) for turn, run in enumerate(result.runs, 1))]
    return [*rows, _mean(result)] if len(result.runs) > 1 else [row[1:] for row in rows]


def attack_json(result: Attack) -> dict[str, Any]:
    """The same, as a document."""
    return {
        "schema": ATTACK,
        "adversary": result.adversary,
        "people": result.runs[0].people,
        "releases": result.history.releases,
        "groups": result.history.history.groups,
        "exposed_share": result.exposed_share,
        "promised": result.promised,
        "leaving": result.leaving,
        "runs": [_run_json(run) for run in result.runs],
    }


def _run_json(run: Run) -> dict[str, Any]:
    exact, proved, sampled = run.bounds
    told = {name: getattr(run, name) for name in ("known", "exposed", "undecided", "seconds")}
    over = [asdict(one) for one in run.over]
    return {**told, "share": run.share, "over": over, "bounds": {"exact": exact, "proved": proved, "sampled": sampled}}


def _heading(run: Run) -> tuple[str, ...]:
    over = (f"over 1/{one.one_in}" for one in run.over)
    return ("run", "known", "exposed", "share of the others", "not decided", *over, "seconds")


def _row(name: str, run: Run) -> tuple[str, ...]:
    over = (f"{one.people:,}" + (f" to {one.people + one.undecided:,}" if one.undecided else "") for one in run.over)
    counts = f"{run.known:,}", f"{run.exposed:,}", _percent(run.share), f"{run.undecided:,}"
    return (name, *counts, *over, f"{run.seconds:.1f}")


def _mean(result: Attack) -> tuple[str, ...]:
    runs = result.runs

    def mean(numbers: list[float]) -> str:
        return f"{sum(numbers) / len(numbers):,.1f}"

    over = (mean([run.over[k].people for run in runs]) for k in range(len(runs[0].over)))
    return (
        "mean",
        mean([run.known for run in runs]),
        mean([run.exposed for run in runs]),
        _percent(result.exposed_share),
        mean([run.undecided for run in runs]),
        *over,
        mean([run.seconds for run in runs]),
    )


def attack_notes(result: Attack) -> list[str]:
    """What the figures mean, and what they rest on."""
    run = result.runs[0]
    said = [f"{result.adversary}: {WHAT_THEY_DO[result.adversary]}."]
    said.append("exposed: one value is left to somebody whom the adversary did not know.")
    if any(one.undecided for one in result.runs):
        said.append("not decided: several values are left, and not all are proved to be possible (--seconds).")
    if run.over:
        _, proved, sampled = run.bounds
        said.append("over 1/k: the true value has a larger share of the worlds that fit all releases.")
        if proved or sampled:
            said.append(f"Shares of {proved:,} people are only bounded, of {sampled:,} sampled (99.9 %).")
    elif result.adversary == "joint":
        said.append("No probabilities: the true values are not known.")
    if result.leaving is not None:
        often = f"{_percent(result.leaving)} leave before each release where the file of --hazard says 1"
        said.append(f"Worlds count for as much as they make it likely who left when; {often}.")
    if result.promised is not None:
        said.append(f"n-Choose's formula promises {_percent(result.promised)} at most, for pairs of releases.")
    said.append("All of it assumes that the grouping itself says nothing about who has which value.")
    return said


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"
