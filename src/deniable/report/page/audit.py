"""The page of an audit: the verdict, a card for each check, where it is worst, what to do, what was assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable import words
from deniable.analyses.verdict import Finding, Verdict
from deniable.report.page.cards import finding_card
from deniable.report.page.model import Fact, Page, Section, Table
from deniable.report.page.worst import worst_section
from deniable.report.sentences.audit import SAID, finding_name, warning
from deniable.report.sentences.board import limit_words, summary
from deniable.report.sentences.theorems import assumed
from deniable.report.verdict import verdict_reasons, verdict_steps, worst_words

if TYPE_CHECKING:
    from deniable.analyses.provenance import Provenance


def audit_page(verdict: Verdict, provenance: Provenance | None = None) -> Page:
    """Everything that an audit found."""
    titles = tuple(SAID[type(part)].title(part, verdict.release) for part in verdict.parts)
    sections = [
        checks_section(verdict),
        worst_section(verdict),
        next_section(verdict),
        assumed_section(verdict, titles),
    ]
    return Page(
        "audit",
        verdict.release.title,
        verdict.verdict,
        summary(verdict),
        verdict_facts(verdict),
        overview(verdict),
        tuple(section for section in sections if section is not None),
        provenance,
        revealed=bool(verdict.named),
    )


def verdict_facts(verdict: Verdict) -> tuple[Fact, ...]:
    """What a glance shows: people, checks, and the worst of them."""
    findings = verdict.findings
    wrong = sum(finding.verdict == "fail" for finding in findings)
    worst = max(findings, key=lambda one: (one.over + one.undecided) / max(one.of, 1))
    beyond, certain = worst.over + worst.undecided, max(finding.certain for finding in findings)
    facts = (
        Fact("people", f"{max(finding.of for finding in findings):,}"),
        Fact("checks that fail", f"{wrong} of {len(findings)}", bad=wrong > 0),
        Fact("people beyond a limit", f"{beyond:,}", bad=beyond > 0),
    )
    asked = any(finding.check == "breach" for finding in findings)
    return (*facts, Fact("known beyond doubt", f"{certain:,}", bad=certain > 0)) if asked else facts


def overview(verdict: Verdict) -> Table:
    """Checks below each other."""
    head = ("check", "limit", "worst", "people over", "undecided", "verdict")
    return Table("Every check at a glance", (head, *map(_row, verdict.findings)), numbers=1)


def _row(finding: Finding) -> tuple[str, ...]:
    over = f"{finding.over:,} of {finding.of:,}"
    name, limit = finding_name(finding), limit_words(finding)
    return (name, limit, worst_words(finding), over, f"{finding.undecided:,}", finding.verdict)


def checks_section(verdict: Verdict, title: str = "The checks") -> Section:
    """A card for each finding."""
    cards = tuple(
        finding_card(part, finding, _warnings(verdict, finding)) for part in verdict.parts for finding in part.findings
    )
    return Section("checks", title, tuple(verdict_reasons(verdict)), cards)


def _warnings(verdict: Verdict, finding: Finding) -> tuple[str, ...]:
    return () if verdict.warn_at is None or not verdict.warns_of(finding) else (warning(finding, verdict.warn_at),)


def next_section(verdict: Verdict) -> Section:
    """What to type next."""
    commands = []
    for step in verdict_steps(verdict):
        purpose, _, command = step.partition(":")
        commands.append((purpose, command.strip()))
    return Section("next", "What to do next", commands=tuple(commands))


def assumed_section(verdict: Verdict, titles: tuple[str, ...]) -> Section:
    """What was published, and what was taken for granted."""
    checks = dict.fromkeys(finding.check for finding in verdict.findings)
    told = [text for check in checks for text in assumed(check)]
    if not verdict.required:
        told.insert(0, "No limits were required; those shown are usual ones.")
    published = tuple(f"{title}." for title in titles)
    rows = (
        ()
        if verdict.rows is None
        else (f"The table has {verdict.rows:,} rows of {words.people(max(f.of for f in verdict.findings))}.",)
    )
    return Section("assumed", "What was looked at and assumed", (*published, *rows), items=tuple(dict.fromkeys(told)))
