"""audit: the release's findings beside what `require` asks for, and a verdict.

A finding counts people, not cells: somebody is over the limit when one of their secret
associations is proved likelier than it, or when the adversary has no world for them and
yet the association is in every world there is; or when their crowd is smaller than asked.
"""

from __future__ import annotations

from dataclasses import replace

from deniable import words
from deniable.analyses import breach, crowds, linkage
from deniable.analyses.breach.plan import Pair, Revealed
from deniable.analyses.explain import headline, published
from deniable.analyses.history import exposure
from deniable.analyses.verdict import Finding, Verdict
from deniable.bind.files import need
from deniable.bind.views import Bound, bind
from deniable.engines.base import Engine
from deniable.engines.scope import Scope
from deniable.errors import BadInput, Mistake, Unsupported
from deniable.release import (
    DEFAULT_ADVERSARIES,
    BreachLimit,
    CrowdLimit,
    HistoryLimit,
    LinkageLimit,
    Release,
    Requirements,
)


def audit(release: Release, engine: Engine, options: breach.Options) -> Verdict:
    """Decide every check that the release requires."""
    require = release.require
    if require == Requirements():
        where = release.locations.at() if release.locations.file else "require"
        raise BadInput(Mistake(where, "audit needs require:, such as require: {breach: {at_most: 0.5}}"))
    need(release, "audit", *(["identifier", "private", "views"] if require.breach else ["private"]))
    parts = []
    if require.breach is not None or require.crowd is not None:
        bound = bind(release, Scope(engine))
        if require.breach is not None:
            parts.append(_breach(bound, engine, require.breach, options))
        if require.crowd is not None:
            parts.append(_crowd(bound, engine, require.crowd, crowds.Options(limit=options.limit)))
    if require.linkage is not None:
        parts.append(_linkage(release, engine, require.linkage))
    if require.history is not None:
        parts.append(_history(release, require.history))
    findings = tuple(finding for part in parts for finding in part.findings)
    reasons = tuple(reason for part in parts for reason in part.reasons)
    steps = tuple(dict.fromkeys(step for part in parts for step in part.next_steps))
    return Verdict(release, parts[0].headline, findings, reasons, steps)


def _breach(bound: Bound, engine: Engine, required: BreachLimit, options: breach.Options) -> Verdict:
    release = bound.release
    result = breach.solve(bound, engine, options=options)
    limit = _answerable(release, required, result)
    findings = _breach_findings(result, limit)
    title = f"{release.name}: {words.people(result.people)}, {headline(bound, result.plan.join)}"
    return Verdict(release, title, findings, _reasons(result, findings), _next_steps(release, findings))


def _crowd(bound: Bound, engine: Engine, limit: CrowdLimit, options: crowds.Options) -> Verdict:
    """Everybody's crowd, found the conservative way: never too large."""
    release = bound.release
    result = crowds.solve(bound, engine, options)
    small = result.fewer_than(limit.at_least)
    findings = [Finding("crowd", None, limit.at_least, result.k, small, result.people)]
    if limit.values > 1:
        under, perhaps = result.values_under(limit.values)
        findings.append(
            Finding("values", None, limit.values, result.least_values, under, result.people, undecided=perhaps)
        )
    reasons = []
    if result.exposed:
        are = "is" if result.exposed == 1 else "are"
        reasons.append(
            f"{words.people(result.exposed)} {are} exposed whatever the size of the crowd: "
            f"only one {release.private} is possible for them."
        )
    if any(finding.verdict == "fail" for finding in findings) and not result.exact:
        reasons.append(
            "These crowds are never too large, but may be too small: "
            "`deniable crowds --method exact` looks at the tables that fit."
        )
    spec = release.locations.file or "release.yaml"
    title = f"{release.name}: {words.people(result.people)}, {published(bound)}"
    return Verdict(
        release, title, tuple(findings), tuple(reasons), (f"crowds: deniable crowds {spec} --out crowds.csv",)
    )


def _linkage(release: Release, engine: Engine, limit: LinkageLimit) -> Verdict:
    """Everybody's largest posterior, over values and attribute sets."""
    result = linkage.analyse(release, engine, linkage.Options())
    found = [over for over in result.over(limit.at_most) if over.adversary in limit.adversaries]
    findings = tuple(
        Finding(
            "linkage", over.adversary, limit.at_most, over.worst, over.over, over.people,
            undecided=over.undecided, no_world=over.no_world,
        )
        for over in found
    )  # fmt: skip
    reasons = []
    for finding in findings:
        if finding.undecided:
            reasons.append(
                f"linkage, {finding.adversary}: {words.people(finding.undecided)} not decided, because the knowledge "
                "does not say enough or the group is too large; counted as unsafe."
            )
        if finding.no_world:
            reasons.append(
                f"linkage, {finding.adversary}: for {words.people(finding.no_world)} the knowledge contradicts the "
                "release: no assignment of the group's values is possible."
            )
    reasons.append("Posteriors assume that the grouping itself says nothing about who has which value.")
    spec = release.locations.file or "release.yaml"
    given = "; ".join(known.name for known in result.knowledge)
    title = (
        f"{release.name}: {words.people(result.people)} in {result.groups:,} groups, read by somebody who knows {given}"
    )
    steps = (f"linkage: deniable linkage {spec} --out posteriors.csv",)
    return Verdict(release, title, findings, tuple(reasons), steps)


def _history(release: Release, limit: HistoryLimit) -> Verdict:
    """Who is exposed by all releases of the ledger together, to somebody who knows some people, drawn at random."""
    found = exposure.of_ledger(release, limit.known)
    finding = Finding(
        "history", "joint", limit.exposed_at_most, found.share, found.exposed, found.people, found.undecided, share=True
    )
    reasons = [
        f"{words.people(found.exposed)} of {found.people:,} exposed to somebody who reads all {found.releases} "
        f"releases and knows {found.known:.1%} of the people, drawn at random."
    ]
    if found.undecided:
        reasons.append(f"history: {words.people(found.undecided)} not decided in time; counted as unsafe.")
    spec = release.locations.file or "release.yaml"
    title = f"{release.name}: {found.releases} releases of {words.people(found.people + found.drawn)}"
    return Verdict(release, title, (finding,), tuple(reasons), (f"who:    deniable attack {spec} --out exposed.csv",))


def _answerable(release: Release, limit: BreachLimit, result: breach.Breach) -> BreachLimit:
    """The limit for the adversaries that these views have: keyed and bag need exactly two."""
    known = result.relations.adversaries
    unknown = [name for name in limit.adversaries if name not in known]
    if unknown and limit.adversaries != DEFAULT_ADVERSARIES:
        what = f"{', '.join(unknown)} can be answered for two views only; expected {', '.join(known)}"
        what = f"require.breach.adversaries: {what}"
        raise Unsupported(Mistake(release.locations.at("require", "breach", "adversaries"), what))
    return replace(limit, adversaries=tuple(name for name in limit.adversaries if name in known))


def _breach_findings(result: breach.Breach, limit: BreachLimit) -> tuple[Finding, ...]:
    over = {found.adversary: found for found in result.over(limit.at_most)}
    people = result.people
    return tuple(
        Finding(
            "breach",
            name,
            limit.at_most,
            over[name].worst,
            over[name].over,
            people,
            undecided=over[name].undecided,
            no_world=over[name].no_world,
            certain=over[name].certain,
        )
        for name in limit.adversaries
    )


def _reasons(result: breach.Breach, findings: tuple[Finding, ...]) -> tuple[str, ...]:
    reasons = []
    if isinstance(result.plan, Revealed):
        view = result.plan.open_view.name
        reasons.append(
            f"The view {view} publishes the identifier and the private column together: no guessing is needed."
        )
    certain = next((t.certain for t in result.tallies if t.adversary == "unrestricted"), 0)
    if certain and isinstance(result.plan, Pair):
        on = ", ".join(result.plan.join) or "nothing"
        are = "association is" if certain == 1 else "associations are"
        reasons.append(
            f"{certain:,} {are} certain: nobody else, or no other value, shares the same {on}, "
            "so whoever joins the two views reads them off."
        )
    for finding in findings:
        if finding.undecided:
            reasons.append(
                f"{finding.adversary}: {words.people(finding.undecided)} too close to the limit to decide, "
                "and so counted as unsafe."
            )
        if finding.no_world:
            told = (
                f" ({words.people(finding.certain)} pinned down by the views all the same, and counted)"
                if finding.certain
                else ""
            )
            reasons.append(
                f"{finding.adversary}: for {words.people(finding.no_world)} no table fits both the views "
                f"and what this adversary assumes{told}; `deniable breach` says why."
            )
    return tuple(reasons)


def _next_steps(release: Release, findings: tuple[Finding, ...]) -> tuple[str, ...]:
    spec = release.locations.file or "release.yaml"
    who = " ".join(f"<{name}>" for name in release.id_columns)
    steps = [
        f"who:    deniable breach {spec} --out associations.csv",
        f"why:    deniable explain {spec} --who {who}",
    ]
    if any(f.verdict == "fail" for f in findings):
        steps.append(
            "repair: publish fewer or coarser columns in both views, so that more people share each join group"
        )
    return tuple(steps)
