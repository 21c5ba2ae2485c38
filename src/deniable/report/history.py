"""Re-publication as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable.report.text import columns

if TYPE_CHECKING:
    from deniable.publish.history.choose import Choice


def choice_text(choice: Choice, threshold: float) -> str:
    """The curve, and the n that it leads to."""
    rows = [("n", "chance of exposure")]
    rows += [(f"{n}{' *' if n == choice.n else ''}", f"{chance:.4f}") for n, chance in enumerate(choice.curve, 1)]
    if choice.n is None:
        said = f"No n keeps the chance below {threshold:g}; the least is {min(choice.curve):.4f}."
    elif not choice.can_be_published:
        said = f"n = {choice.n} keeps the chance below {threshold:g}, but n must be less than m to be published."
    else:
        said = f"n = {choice.n} is the least that keeps the chance below {threshold:g}."
    note = "The chance is that of exposure by pairs of releases. Somebody who reads all releases together sees more."
    return "\n\n".join([columns(rows), f"{said}\n{note}"])
