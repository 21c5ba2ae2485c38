"""A verdict in one sentence for those who sign: may it be published, and if not, who would learn what of how many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from deniable import words
from deniable.analyses.verdict import Finding

if TYPE_CHECKING:
    from deniable.analyses.verdict import Verdict


def summary(verdict: Verdict) -> str:
    """The sentence."""
    title, findings = verdict.release.title, verdict.findings
    worst = max(findings, key=_gravity)
    if not verdict.required:
        return (
            f"No limit was required of {title}, so this is no verdict; beside usual limits, {_found(worst, verdict)}."
        )
    if verdict.verdict == "fail":
        return f"Do not publish {title} as it is: {_found(worst, verdict)}."
    people = max(finding.of for finding in findings)
    if any(finding.verdict == words.NO_WORLD for finding in findings):
        return f"No check of {title} fails, but one of them has nobody to answer for: read why before you publish."
    checks = "The check" if len(findings) == 1 else f"All {len(findings)} checks"
    passes = "passes" if len(findings) == 1 else "pass"
    allowed = "nobody is beyond a limit that was set"
    if findings[0].share:
        allowed = "no more are exposed than was allowed"
    certain = max(finding.certain for finding in findings)
    told = f", although {certain:,} can be known beyond doubt: the limits allow it" if certain else ""
    return f"{checks} of {title} {passes}: of {words.people(people)}, {allowed}{told}."


def _gravity(finding: Finding) -> tuple[bool, bool, float, float]:
    """A value that is known beyond doubt is worse than any number of people in small crowds, or of mere suspicions."""
    share = (finding.over + finding.undecided) / max(finding.of, 1)
    return finding.verdict == "fail", finding.certain > 0, share, finding.certain


def _found(finding: Finding, verdict: Verdict) -> str:
    """Who learns what of how many."""
    if finding.over:
        who = f"{finding.over:,} of {words.people(finding.of)}"
        rest = f"; of {finding.undecided:,} more it could not be decided" if finding.undecided else ""
        return (
            f"{_LEARNS.get(finding.check, _learns_otherwise)(finding, verdict.release.private or 'value', who)}{rest}"
        )
    if finding.undecided:
        return f"it could not be shown that {finding.undecided:,} of {words.people(finding.of)} are within the limit"
    return f"nobody of {words.people(finding.of)} is beyond one"


def _sure(limit: float) -> str:
    return "more than half sure" if limit == 0.5 else f"more than {100 * limit:.3g} % sure"


def _learns_files(finding: Finding, private: str, who: str) -> str:
    certain = min(finding.certain, finding.over)
    surely = (
        ""
        if not certain
        else ", and certain of each"
        if certain == finding.over
        else f", and certain of {certain:,} of them"
    )
    return f"whoever has the files can be {_sure(finding.limit)} of the {private} of {who}{surely}"


def _learns_crowd(finding: Finding, private: str, who: str) -> str:  # noqa: ARG001
    return f"somebody with a register finds {who} in crowds of fewer than {finding.limit:g}"


def _learns_values(finding: Finding, private: str, who: str) -> str:
    return f"somebody with a register is left with fewer than {finding.limit:g} values of {private} for {who}"


def _learns_linkage(finding: Finding, private: str, who: str) -> str:
    return f"somebody who knows the statistics can be {_sure(finding.limit)} of the {private} of {who}"


def _learns_history(finding: Finding, private: str, who: str) -> str:
    allowed = f"{100 * finding.limit:g} % were allowed"
    return f"somebody who keeps every release knows the {private} of {who} for certain, where {allowed}"


def _learns_otherwise(finding: Finding, private: str, who: str) -> str:
    return f"more is learnt of the {private} of {who} than the limit of {finding.limit:g} allows"


_LEARNS: dict[str, Callable[[Finding, str, str], str]] = {
    "breach": _learns_files,
    "crowd": _learns_crowd,
    "values": _learns_values,
    "linkage": _learns_linkage,
    "history": _learns_history,
}


def over_words(finding: Finding) -> str:
    """What it is to be counted over the limit."""
    return {"crowd": "in smaller crowds", "values": "with fewer values", "history": "exposed"}.get(
        finding.check, "over the limit"
    )


def limit_words(finding: Finding) -> str:
    """The limit as it was set."""
    if finding.share:
        return f"at most {100 * finding.limit:g} % exposed"
    return f"at most {finding.limit:g}" if finding.adversary else f"at least {finding.limit:g}"


def repaired(title: str, repairs: int, kept: float) -> str:
    """That something passes, or nothing does."""
    if repairs == 0:
        return f"Nothing that was tried makes {title} pass: do not publish it as it is."
    ways = "one way" if repairs == 1 else f"{repairs} ways"
    which = "it" if repairs == 1 else "the best"
    return f"{title} fails as it is, but {ways} to publish it would pass every check; {which} keeps {kept:.1%} of it."


def needs_nothing(title: str) -> str:
    """A release that passes."""
    return f"{title} passes every check as it is: nothing needs to be repaired."


def attacked(exposed: Sequence[int], people: int, releases: int) -> str:
    """What somebody works out who keeps every release."""
    told = "1 release" if releases == 1 else f"all {releases:,} releases"
    often = f"{exposed[0]:,}" if min(exposed) == max(exposed) else f"{min(exposed):,} to {max(exposed):,}"
    return f"Whoever keeps {told} knows the private value of {often} of {words.people(people)} for certain."


def published_again(number: int, people: int, exposed: int | None, undecided: int, dry_run: bool) -> str:
    """A release, and what all releases together give away."""
    done = "would publish" if dry_run else "publishes"
    head = f"Release {number} {done} {words.people(people)}"
    if exposed is None:
        return f"{head}; what all releases together give away was not asked."
    rest = f", and {undecided:,} could not be decided" if undecided else ""
    whom = "exposes nobody" if not exposed else f"exposes {words.people(exposed)}"
    return f"{head}; together with all releases before it, it {whom}{rest}."
