"""The page of repairs: what could be published instead, each beside what it changes, and the release as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable.analyses.verdict import Finding, Verdict
from deniable.report.charts import Forest, Interval
from deniable.report.page.audit import assumed_section, checks_section, overview, verdict_facts
from deniable.report.page.model import Card, Fact, Figure, Page, Section
from deniable.report.repair import instead, passes_as_it_is, repair_steps, tried
from deniable.report.sentences.audit import SAID, finding_name
from deniable.report.sentences.board import needs_nothing, repaired
from deniable.report.sentences.repair import step_text

if TYPE_CHECKING:
    from deniable.analyses.provenance import Provenance
    from deniable.analyses.repair import Repair, Repairs


def repair_page(result: Repairs, provenance: Provenance | None = None) -> Page:
    """Everything that was found and tried."""
    title, now = result.release.title, result.verdict
    if passes_as_it_is(result):
        sentence, sections = needs_nothing(title), []
    else:
        kept = result.repairs[0].kept if result.repairs else 0.0
        sentence, sections = repaired(title, len(result.repairs), kept), [_repairs_section(result)]
    told = tuple(SAID[type(part)].title(part, now.release) for part in now.parts)
    commands = Section("next", "What to do next", commands=repair_steps(result))
    sections += [commands, checks_section(now, "The release as it is"), assumed_section(now, told)]
    return Page("repair", title, now.verdict, sentence, verdict_facts(now), overview(now), tuple(sections), provenance)


def _repairs_section(result: Repairs) -> Section:
    cards = tuple(_card(number, one, result.verdict) for number, one in enumerate(result.repairs, 1))
    text = (tried(result), *instead(result))
    return Section("repairs", "What could be published instead", text, cards)


def _card(number: int, one: Repair, now: Verdict) -> Card:
    """A repair: its steps, what it keeps, and every check before and after."""
    withheld = 0 if one.withheld is None else one.withheld.num_rows
    facts = [Fact("keeps of what is published", f"{one.kept:.1%}"), Fact("steps", f"{len(one.steps)}")]
    facts += [Fact("people withheld", f"{withheld:,}")] if withheld else []
    error = one.error
    if error is not None and error.median_error is not None:
        facts.append(Fact(f"counts of {error.selectivity:.0%} of the rows, off by", f"{error.median_error:.1%}"))
    figures = []
    chances = _intervals(one.verdict.findings, now.findings)
    if chances:
        forest = Forest("The worst chance of each check", "worst chance", chances)
        told = "Filled: with this repair. Ring: now. Dashed: the limit. A bar is an interval that holds the truth."
        figures.append(Figure(forest, told))
    steps = tuple(step_text(step) for step in one.steps)
    return Card(f"Repair {number}", "pass", tuple(facts), tuple(figures), steps=steps, notes=_sizes(one, now))


def _intervals(then: tuple[Finding, ...], now: tuple[Finding, ...]) -> tuple[Interval, ...]:
    before = {finding_name(finding): finding.worst for finding in now}
    found = []
    for finding in then:
        if finding.adversary and finding.worst is not None:
            high = finding.worst if finding.worst_at_most is None else max(finding.worst, finding.worst_at_most)
            name = finding_name(finding)
            found.append(Interval(name, finding.worst, high, finding.limit, before.get(name)))
    return tuple(found)


def _sizes(one: Repair, now: Verdict) -> tuple[str, ...]:
    """Checks that are no chances: the least of something, before and after."""
    before = {finding.check: finding.worst for finding in now.findings if not finding.adversary}
    told = []
    for finding in one.verdict.findings:
        if not finding.adversary and finding.worst is not None and before.get(finding.check) is not None:
            told.append(f"{finding.check}: at least {finding.worst:,}, now {before[finding.check]:,}.")
    return tuple(told)
