"""Which results have a page, by the names of their classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deniable.report.page.audit import audit_page
from deniable.report.page.model import Page
from deniable.report.page.results import breach_page, crowds_page, linkage_page, utility_page


def _first_release(one: Any) -> Page:
    return audit_page(one.verdict)


def _repairs(one: Any) -> Page:
    from deniable.report.page.repair import repair_page

    return repair_page(one)


def _attack(one: Any) -> Page:
    from deniable.report.page.attack import attack_page

    return attack_page(one)


def _republished(one: Any) -> Page:
    from deniable.report.page.republish import republish_page

    return republish_page(one)


PAGES: dict[str, Callable[[Any], Page]] = {
    "Verdict": audit_page,
    "FirstRelease": _first_release,
    "Repairs": _repairs,
    "Breach": breach_page,
    "Crowds": crowds_page,
    "Linkage": linkage_page,
    "Utility": utility_page,
    "Attack": _attack,
    "Republished": _republished,
}
