"""Crowds as text: how small they get, whether that is proved, and who is exposed all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deniable import words
from deniable.report.sentences.crowds import of_view
from deniable.report.text import columns

if TYPE_CHECKING:
    from deniable.analyses.crowds import Crowds
    from deniable.analyses.crowds.one_person import Standing


def crowds_text(result: Crowds) -> str:
    """The summary: counts only, never a cell."""
    title = f"{result.release.name}: {words.people(result.people)} in {result.count:,} crowds"
    return "\n\n".join([title, columns(count_rows(result)), columns(_spread(result)), "\n".join(_said(result))])


def count_rows(result: Crowds) -> list[tuple[str, ...]]:
    """How small crowds get, and who is exposed."""
    least = result.least_values
    return [
        ("smallest crowd", words.people(result.k)),
        ("crowds", f"{result.count:,}"),
        ("fewest values in a crowd", "not known" if least is None else f"{least:,}"),
        ("exposed", f"{words.people(result.exposed)}{_perhaps(result.unsettled)}"),
    ]


def _spread(result: Crowds) -> list[tuple[str, str, str]]:
    rows = [("people in a crowd", "crowds", "people")]
    for low, high in result.sizes:
        crowds, people = result.between(low, high)
        if crowds:
            band = f"{low}" if low == high else f"{low} and more" if high is None else f"{low} to {high}"
            rows.append((band, f"{crowds:,}", f"{people:,}"))
    return rows


def _said(result: Crowds) -> list[str]:
    said = [_method(result)]
    private = result.release.private
    if result.undecided:
        said.append(
            f"{words.people(result.undecided)}: not decided in time whether their crowd is larger; counted as if not."
        )
    if result.silent:
        says, are = ("says", "is") if len(result.silent) == 1 else ("say", "are")
        said.append(f"{', '.join(result.silent)} {says} nothing of {private} and {are} left out.")
    if result.taken_as_known:
        are = "is" if len(result.taken_as_known) == 1 else "are"
        said.append(f"{', '.join(result.taken_as_known)} {are} not public, but taken as known: the worst case.")
    if result.exposed:
        said.append(f"exposed: only one {private} is possible for everybody in the crowd, however large it is.")
    return said


def _method(result: Crowds) -> str:
    if result.method == "restricted":
        if result.exact:
            return "restricted: people who can swap the values they have now; proved to be the best partition."
        best = f"{result.k:,} to {result.k_at_most:,}"
        return f"restricted: people who can swap the values they have now; the best smallest crowd is {best}."
    if result.exact:
        return f"{result.method}: proved to be the crowds."
    if result.method == "exact":
        return "exact: a refinement, not decided everywhere; the real crowds may be larger, never smaller."
    return "conservative: a refinement; the real crowds may be larger, never smaller (--method exact)."


def _perhaps(count: int) -> str:
    return f", and {count:,} more not known (--method exact)" if count else ""


def standing_json(standing: Standing) -> dict[str, Any]:
    """One person's crowd; what each view says of them is a sentence here too."""
    return {
        "size": standing.size,
        "values": standing.values,
        "exposed": standing.exposed,
        "exact": standing.exact,
        "says": [of_view(told) for told in standing.told],
        "others": list(standing.others),
    }
