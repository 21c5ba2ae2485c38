"""What is said of a verdict: the headline of each check, the reasons in people's terms, and what to type next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from deniable import words
from deniable.analyses.verdict import BreachPart, CrowdPart, Finding, HistoryPart, LinkagePart, ShownView
from deniable.frozen import frozen

if TYPE_CHECKING:
    from deniable.analyses.verdict import Verdict
    from deniable.release import Release


def nothing_to_check(left_out: Sequence[tuple[str, object]]) -> str:
    """A release of which no check can be made."""
    why = "; ".join(f"{check}: {reason}" for check, reason in left_out)
    expected = "expected views: with identifier: and private:, published: with knowledge:, or a ledger"
    return f"there is nothing to audit: {why or expected}"


def nothing_secret() -> str:
    """A secret query that selects nothing: there is nothing to be safe."""
    return "secret: expected a condition that some rows meet; found none, so nothing would be audited"


def not_met(verdict: Verdict) -> str:
    """A verdict that was required to be a pass: what does not pass, and for how many."""
    title = verdict.release.title
    wrong = [finding for finding in verdict.findings if finding.verdict == "fail"]
    if not verdict.required:
        return f"{title}: nothing was required, so nothing passes; expected require:, or limits such as breach=0.5"
    return f"{title} does not meet what is required: {'; '.join(map(finding_line, wrong))}"


def finding_name(finding: Finding) -> str:
    """A check, and who is asked if it knows several."""
    return f"{finding.check}, {finding.adversary}" if finding.adversary else finding.check


def finding_line(finding: Finding) -> str:
    """A check in one line."""
    at = "at most" if finding.more_is_worse else "at least"
    found = "not known" if finding.worst is None else f"{finding.worst:.4g}"
    people = f"{finding.over + finding.undecided:,} of {words.people(finding.of)}"
    return f"{finding_name(finding)} ({finding.verdict}): {at} {finding.limit:g} was asked, worst {found}, {people}"


def left_out_line(check: str, why: object) -> str:
    """A check that this release does not allow."""
    return f"{check} was not checked: {why}."


def warnings(verdict: Verdict) -> Iterator[str]:
    """What passes, and reaches the threshold from which on it is warned of; and what no threshold is about."""
    if verdict.warn_at is None:
        return
    yield from (warning(finding, verdict.warn_at) for finding in verdict.findings if verdict.warns_of(finding))
    sizes = [finding_name(finding) for finding in verdict.findings if not finding.more_is_worse]
    if sizes:
        yield (
            f"No warning is given of {' and '.join(sizes)}: less is worse there, and {verdict.warn_at:g} is a "
            "probability or a share of people."
        )
    limits = [finding.limit for finding in verdict.findings if finding.more_is_worse]
    if limits and verdict.warn_at > max(limits):
        yield f"No warning can be given at {verdict.warn_at:g}: what reaches that is beyond every limit, and fails."


def warning(finding: Finding, threshold: float) -> str:
    """A check that passes, and is near its limit."""
    highest = finding.worst if finding.worst_at_most is None else finding.worst_at_most
    return (
        f"Warning: {finding_name(finding)} passes, but its worst, {highest:.4g}, is not below {threshold:g} "
        f"(the limit is {finding.limit:g})."
    )


def cannot_read(unknown: Sequence[str], known: Sequence[str]) -> str:
    """Adversaries that these views do not have."""
    why = "bag needs a view without DISTINCT" if unknown == ["bag"] else "some need two views"
    what = f"{', '.join(unknown)} cannot be answered for these views ({why}); expected {', '.join(known)}"
    return f"require.breach.adversaries: {what}"


def published(views: Sequence[ShownView]) -> str:
    """How the table is published, in one line."""
    told = " and ".join(f"{view.name}({', '.join(view.columns)})" for view in views)
    return f"published as {told}" if told else "published as it is"


def headline(views: Sequence[ShownView], join: Sequence[str]) -> str:
    """How the table is published, and what joins the views, in one line."""
    joined = f"joined on {', '.join(join)}" if join else "which have no column in common"
    return f"{published(views)}, {joined}"


def _breach_title(part: BreachPart, release: Release) -> str:
    return f"{release.name}: {words.people(part.people)}, {headline(part.views, part.join)}"


def _crowd_title(part: CrowdPart, release: Release) -> str:
    return f"{release.name}: {words.people(part.people)}, {published(part.views)}"


def _linkage_title(part: LinkagePart, release: Release) -> str:
    people, given = words.people(part.people), "; ".join(part.given)
    return f"{release.name}: {people} in {part.groups:,} groups, read by somebody who knows {given}"


def _history_title(part: HistoryPart, release: Release) -> str:
    found = part.exposure
    return f"{release.name}: {found.releases} releases of {words.people(found.people + found.drawn)}"


def _breach_reasons(part: BreachPart, release: Release) -> Iterator[str]:  # noqa: ARG001
    if part.revealed_by is not None:
        yield (
            f"The view {part.revealed_by} publishes the identifier and the private column together: "
            "no guessing is needed."
        )
    if part.certain and part.two_views:
        on = ", ".join(part.join) or "nothing"
        are = "is" if part.certain == 1 else "are"
        yield (
            f"{words.people(part.certain)} {are} certain: nobody else, or no other value, shares the same {on}, "
            "so whoever joins the two views reads it off."
        )
    for finding in part.findings:
        yield from _open_reasons(finding)
    yield from _counted_reasons(part)


def _open_reasons(finding: Finding) -> Iterator[str]:
    """Why somebody is undecided or has no world."""
    if finding.unanswered:
        yield (
            f"{finding.adversary}: not answered for {words.people(finding.unanswered)}, who are counted as unsafe: "
            "what the rows of these files tell together is not known; `deniable breach` says why."
        )
    if finding.no_world:
        yield (
            f"{finding.adversary}: no world for {words.people(finding.no_world)}: no table fits both the views and "
            "what this adversary assumes, so it says nothing of them; `deniable breach` says why."
        )
    rest = finding.undecided - finding.unanswered
    if rest > 0:
        yield (
            f"{finding.adversary}: {words.people(rest)} undecided, and so counted as unsafe: too close to the limit, "
            "or none of these adversaries has a world for them."
        )


def _counted_reasons(part: BreachPart) -> Iterator[str]:
    """What DISTINCT would change, where counting rows is what fails."""
    counting = [finding for finding in part.findings if finding.adversary == "bag" and finding.verdict == "fail"]
    if not counting:
        return
    others = [finding for finding in part.findings if finding.adversary != "bag"]
    then = "fail all the same" if any(finding.verdict == "fail" for finding in others) else "pass"
    told = f", and the other checks {then}" if others else ""
    views = ", ".join(part.counted_views)
    yield f"With SELECT DISTINCT in {views} nobody could count rows: bag would not be an adversary{told}."


OTHERS = {  # who else there is, by the check that asks for them
    LinkagePart: "whoever knows how values are distributed (linkage)",
    CrowdPart: "whoever knows everybody's public columns (crowd)",
    HistoryPart: "whoever keeps earlier releases (history)",
}


def not_considered(parts: Sequence[object]) -> str:
    """Whom an audit of views did not ask."""
    unasked = [name for part in parts if isinstance(part, BreachPart) for name in part.unasked]
    told = [f"{', '.join(unasked)}, who read the same files"] if unasked else []
    told += [text for kind, text in OTHERS.items() if not any(isinstance(part, kind) for part in parts)]
    return f"Not considered: {'; '.join(told)}." if told else ""


def _crowd_reasons(part: CrowdPart, release: Release) -> Iterator[str]:
    if part.exposed:
        are = "is" if part.exposed == 1 else "are"
        yield (
            f"{words.people(part.exposed)} {are} exposed whatever the size of the crowd: "
            f"only one {release.private} is possible for them."
        )
    if any(finding.verdict == "fail" for finding in part.findings) and not part.exact:
        yield (
            "These crowds are never too large, but may be too small: "
            "`deniable crowds --method exact` looks at the tables that fit."
        )


_NOT_SAID = "the knowledge does not say enough or the group is too large"
_UNDECIDED = {"calibrated": "no weights were proved to fit the table's counts to the groups"}


def _linkage_reasons(part: LinkagePart, release: Release) -> Iterator[str]:  # noqa: ARG001
    for finding in part.findings:
        if finding.undecided:
            yield (
                f"linkage, {finding.adversary}: {words.people(finding.undecided)} not decided, because "
                f"{_UNDECIDED.get(finding.adversary or '', _NOT_SAID)}; counted as unsafe."
            )
        if finding.no_world:
            yield (
                f"linkage, {finding.adversary}: for {words.people(finding.no_world)} the knowledge contradicts the "
                "release: no assignment of the group's values is possible."
            )
    yield "Posteriors assume that the grouping itself says nothing about who has which value."


def _history_reasons(part: HistoryPart, release: Release) -> Iterator[str]:  # noqa: ARG001
    found = part.exposure
    yield (
        f"{words.people(found.exposed)} of {found.people:,} exposed to somebody who reads all {found.releases} "
        f"releases and knows {found.known:.1%} of the people, drawn at random."
    )
    if found.undecided:
        yield f"history: {words.people(found.undecided)} not decided in time; counted as unsafe."


def _breach_steps(part: BreachPart, release: Release) -> Iterator[str]:
    who = " ".join(f"<{name}>" for name in release.id_columns)
    yield f"who:    deniable breach {_spec(release)} --out associations.csv"
    yield f"why:    deniable explain {_spec(release)} --who {who}"
    yield from _repair_step(part, release)


def _repair_step(part: BreachPart | CrowdPart, release: Release) -> Iterator[str]:
    if any(finding.verdict == "fail" for finding in part.findings):
        yield f"repair: deniable repair {_spec(release)}"


def _crowd_steps(part: CrowdPart, release: Release) -> Iterator[str]:
    yield f"crowds: deniable crowds {_spec(release)} --out crowds.csv"
    if release.views:
        yield from _repair_step(part, release)


def _linkage_steps(part: LinkagePart, release: Release) -> Iterator[str]:  # noqa: ARG001
    yield f"linkage: deniable linkage {_spec(release)} --out posteriors.csv"


def _history_steps(part: HistoryPart, release: Release) -> Iterator[str]:  # noqa: ARG001
    yield f"who:    deniable attack {_spec(release)} --out exposed.csv"


def _spec(release: Release) -> str:
    return release.locations.file or "release.yaml"


@frozen
class SaidOfCheck:
    """What is said of one kind of check: what was looked at, why the findings are what they are, what to type next."""

    title: Callable[[Any, Release], str]
    reasons: Callable[[Any, Release], Iterator[str]]
    steps: Callable[[Any, Release], Iterator[str]]


SAID: dict[type, SaidOfCheck] = {
    BreachPart: SaidOfCheck(_breach_title, _breach_reasons, _breach_steps),
    CrowdPart: SaidOfCheck(_crowd_title, _crowd_reasons, _crowd_steps),
    LinkagePart: SaidOfCheck(_linkage_title, _linkage_reasons, _linkage_steps),
    HistoryPart: SaidOfCheck(_history_title, _history_reasons, _history_steps),
}
