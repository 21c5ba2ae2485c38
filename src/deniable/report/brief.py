"""Results and releases in a line, and in a small table of counts: never a cell, and never an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deniable import words
from deniable.errors import DeniableError
from deniable.frozen import frozen

Rows = list[tuple[str, ...]]


@frozen
class Brief:
    """A line, and rows of counts, computed when they are asked for."""

    line: str
    counts: Callable[[], Rows]

    def rows(self) -> Rows:
        """The counts; a result that was closed has none any more."""
        try:
            return self.counts()
        except DeniableError:
            return [("closed",)]


def brief(value: Any) -> Brief:
    """What a value is, by the name of its class."""
    try:
        return _BRIEFS[type(value).__name__](value)
    except DeniableError:
        return Brief("closed", lambda: [("closed",)])


def _release(one: Any) -> Brief:
    roles = {"identifier": one.identifier, "private": (one.private,), "quasi": one.quasi, "views": tuple(one.views)}
    rows = [(key, ", ".join(names)) for key, names in roles.items() if any(names)]
    return Brief(one.title, lambda: [("table", one.title), *rows])


def _proposal(one: Any) -> Brief:
    from deniable.report.first_release import proposal_rows

    roles = f"identifier {', '.join(one.identifier) or 'none'}, private {one.private or 'none'}"
    return Brief(f"{one.profile.table}: {roles}", lambda: proposal_rows(one))


def _first_release(one: Any) -> Brief:
    return Brief(f"{one.file}: {one.verdict.verdict}", lambda: _verdict(one.verdict).rows())


def _verdict(one: Any) -> Brief:
    from deniable.report.verdict import finding_rows

    wrong = sum(finding.verdict == "fail" for finding in one.findings)
    checks = "1 check" if len(one.findings) == 1 else f"{len(one.findings)} checks"
    told = f"{one.release.title}: {one.verdict}, {wrong} of {checks} without a pass" if wrong else ""
    return Brief(told or f"{one.release.title}: {one.verdict}, {checks}", lambda: finding_rows(one))


def _repairs(one: Any) -> Brief:
    from deniable.report.verdict import finding_rows

    count = words.count(len(one.repairs), "repair")
    best = f", the best keeps {one.repairs[0].kept:.1%}" if one.repairs else ""
    return Brief(f"{one.release.title}: {count}{best}", lambda: finding_rows(one.verdict))


def _repair(one: Any) -> Brief:
    line = f"{one.release.title}: {words.count(len(one.steps), 'step')}, keeps {one.kept:.1%}"
    return Brief(line, lambda: _verdict(one.verdict).rows())


def _breach(one: Any) -> Brief:
    from deniable.report.breach import tally_rows

    told = ", ".join(one.adversaries)
    return Brief(f"{one.release.title}: {told}", lambda: [("people", f"{one.people:,}"), *tally_rows(one.tallies)])


def _crowds(one: Any) -> Brief:
    from deniable.report.crowds import count_rows

    line = f"{one.release.title}: {words.people(one.people)} in {one.count:,} crowds of at least {one.k:,}"
    return Brief(f"{line}, {one.method}", lambda: count_rows(one))


def _linkage(one: Any) -> Brief:
    from deniable.report.linkage import posterior_rows

    line = f"{one.release.title}: {words.people(one.people)} in {words.count(one.groups, 'group')}"
    return Brief(line, lambda: posterior_rows(one))


def _attack(one: Any) -> Brief:
    from deniable.report.attack import run_rows

    first = one.runs[0]
    line = f"{one.adversary}: {first.exposed:,} of {words.people(first.people - first.known)} exposed"
    return Brief(line, lambda: run_rows(one))


def _utility(one: Any) -> Brief:
    from deniable.report.utility import error_rows

    line = f"{one.release.title}: {words.people(one.people)} in {words.count(one.groups, 'group')}"
    return Brief(line, lambda: error_rows(one))


def _bucketize(one: Any) -> Brief:
    groups = f"{words.people(one.people)} in {words.count(one.groups, 'group')}"
    promise = "no posterior above" if one.release.knowledge else "no value with a share of its group above"
    line = f"{one.release.title}: {groups}, {promise} {one.worst:.4g}"
    return Brief(line, lambda: _named(one, "people", "withheld", "groups", "worst", "r"))


def _republished(one: Any) -> Brief:
    told = f"{one.exposure.exposed:,} exposed" if one.exposure else "not audited"
    groups = f"{words.people(one.people)} in {words.count(one.groups, 'group')}"
    line = f"{one.release.title}: release {one.number}, {groups}, {told}"
    line += f", {words.people(len(one.withheld))} kept back" if one.withheld else ""
    rows = _named(one, "number", "people", "newcomers", "groups", "counterfeits")
    return Brief(line, lambda: [*rows, ("withheld", f"{len(one.withheld):,}"), ("all releases together", told)])


def _exported(one: Any) -> Brief:
    line = f"{words.count(one.releases, 'release')}, {one.table.num_rows:,} seats"
    return Brief(line, lambda: [("releases", f"{one.releases:,}"), ("seats", f"{one.table.num_rows:,}")])


def _verified(one: Any) -> Brief:
    line = f"{words.count(one.releases, 'release')}, {len(one.mismatches):,} mismatches"
    return Brief(line, lambda: [("releases", f"{one.releases:,}"), ("mismatches", f"{len(one.mismatches):,}")])


def _person(one: Any) -> str:
    return f"{one.release}: one person; print it to see private values"


def _explanation(one: Any) -> Brief:
    worlds = [] if one.worlds is None else [("worlds", f"{one.worlds:,}")]
    return Brief(
        _person(one), lambda: [("join groups", f"{len(one.groups):,}"), ("values", f"{len(one.cover):,}"), *worlds]
    )


def _person_in_releases(one: Any) -> Brief:
    return Brief(
        _person(one), lambda: [("releases", f"{one.releases:,}"), ("respondents", f"{len(one.respondents):,}")]
    )


def _person_in_groups(one: Any) -> Brief:
    return Brief(_person(one), lambda: [("people", f"{one.people:,}"), ("groups", f"{len(one.groups):,}")])


def _checked(one: Any) -> Brief:
    line = f"{one.release.title}: {words.count(len(one.columns), 'column')}, {len(one.views):,} views"
    return Brief(line, lambda: [(name, str(kind)) for name, kind in one.columns.items()])


def _named(one: Any, *names: str) -> Rows:
    return [(name, f"{getattr(one, name):,.4g}" if isinstance(getattr(one, name), float) else f"{getattr(one, name):,}")
            for name in names]  # fmt: skip


_BRIEFS: dict[str, Callable[[Any], Brief]] = {
    "Release": _release, "Proposal": _proposal, "FirstRelease": _first_release,
    "Repairs": _repairs, "Repair": _repair,
    "Verdict": _verdict, "Breach": _breach, "Crowds": _crowds, "Linkage": _linkage,
    "Attack": _attack, "Utility": _utility, "Bucketize": _bucketize, "Republished": _republished,
    "PersonInReleases": _person_in_releases, "PersonInGroups": _person_in_groups,
    "Exported": _exported, "Verified": _verified, "Explanation": _explanation, "Checked": _checked,
}  # fmt: skip
