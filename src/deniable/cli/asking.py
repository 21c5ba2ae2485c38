"""Questions at a terminal, each with an answer that Enter accepts."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import click

from deniable.analyses.init.proposal import Proposal, Roles, propose
from deniable.analyses.init.said import columns_of, mistakes_of
from deniable.cli.base import tell
from deniable.cli.stopping import Stopped
from deniable.report.first_release import proposal_text
from deniable.report.sentences.init import listed
from deniable.words import visible

_HOW = "Enter accepts what stands in brackets; several columns are parted by commas; none is no column."
_QUESTIONS = {
    "identifier": "who is it about (identifier)",
    "private": "what must nobody learn of them (private)",
    "quasi": "what may others know of them (quasi)",
}


def can_ask() -> bool:
    """Whether somebody sits there."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def agree(proposal: Proposal) -> Proposal:
    """Show what is proposed, and have somebody say what they mean; what was said already is not asked."""
    tell(f"{proposal_text(proposal)}\n\n{_HOW}")
    for role in _QUESTIONS:
        if getattr(proposal.roles, role) is None:
            proposal = propose(proposal.profile, _answer(proposal, role))
    click.echo()
    return proposal


def _answer(proposal: Proposal, role: str) -> Roles:
    """Ask until the answer fits the table."""
    names, found = proposal.profile.names, getattr(proposal, role)
    proposed = found if isinstance(found, tuple) else (found,) if found else ()
    while True:
        columns = columns_of(answer, names) if (answer := _typed(role, proposed)) else proposed
        if role == "private" and len(columns) != 1:
            click.echo(f"expected one column; found {len(columns)}")
            continue
        said: Any = columns[0] if role == "private" else columns
        roles = replace(proposal.roles, **{role: said})
        wrong = list(mistakes_of(roles, names))
        if not wrong:
            return roles
        tell("\n".join(str(mistake.what) for mistake in wrong))


def _typed(role: str, proposed: tuple[str, ...]) -> str:
    """What somebody types; nothing where they only press Enter."""
    try:
        question = visible(f"{_QUESTIONS[role]} [{listed(proposed)}]")
        return str(click.prompt(question, default="", show_default=False)).strip()
    except click.Abort:
        raise Stopped from None
