"""What is shown of long work while it runs: which step it is at, how far, and how long still."""

from __future__ import annotations

from deniable.frozen import frozen


@frozen
class SaidOfStep:
    """What a step is called, and what is counted in it."""

    words: str
    counted: str = "people"


STEPS = {
    "read.table": SaidOfStep("reading the table"),
    "read.ledger": SaidOfStep("reading the ledger"),
    "write": SaidOfStep("writing"),
    "breach": SaidOfStep("counting worlds of the views"),
    "breach.several_groups": SaidOfStep("people in several join groups"),
    "breach.kinds": SaidOfStep("counting worlds one by one", "kinds"),
    "crowd": SaidOfStep("comparing people"),
    "crowd.exact": SaidOfStep("proving who looks like whom"),
    "crowd.values": SaidOfStep("looking for possible values"),
    "linkage": SaidOfStep("posteriors of groups", "attribute sets"),
    "linkage.large": SaidOfStep("drawing in large groups", "groups"),
    "linkage.fit": SaidOfStep("fitting weights", "rounds at most"),
    "history": SaidOfStep("reading all releases together"),
    "history.count": SaidOfStep("counting worlds of releases"),
    "history.search": SaidOfStep("looking for worlds of releases"),
    "history.draw": SaidOfStep("drawing worlds of releases"),
    "history.run": SaidOfStep("drawing known people", "attacks"),
    "history.group": SaidOfStep("making the next groups"),
    "history.expose": SaidOfStep("asking what all releases tell", "shares"),
    "repair.try": SaidOfStep("trying what could change", "releases"),
    "repair.withhold": SaidOfStep("withholding a few people", "releases"),
    "repair.audit": SaidOfStep("auditing what passes", "repairs at most"),
    "repair.queries": SaidOfStep("asking queries of what passes"),
    "groups.place": SaidOfStep("grouping similar people"),
    "groups.rest": SaidOfStep("placing those who are left"),
    "groups.prove": SaidOfStep("proving what was made"),
    "groups.smaller": SaidOfStep("trying what can be had", "builds at most"),
    "utility": SaidOfStep("asking queries", "selectivities"),
    "verify": SaidOfStep("verifying", "releases"),
}
_MINUTE, _HOUR = 60, 3600


def step_words(name: str, done: int, of: int | None, left: float | None) -> str:
    """A step in a line."""
    said = STEPS[name]
    parts = [said.words]
    if of is not None:
        parts.append(f"{done:,} of {of:,} {said.counted}")
    elif done:
        parts.append(f"{done:,} {said.counted}")
    if left is not None:
        parts.append(f"~{duration(left)} left")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """5 s, 3 min, 2 h: as round as a guess is."""
    if seconds < _MINUTE:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / _MINUTE)} min" if seconds < _HOUR else f"{seconds / _HOUR:.1f} h"
