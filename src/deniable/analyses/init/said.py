"""What somebody says of the columns: read, held against the table, and insisted on where nobody can be asked."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from deniable.analyses.init.proposal import Proposal, Roles
from deniable.errors import BadInput, Mistake, Reason

NOBODY = "none"  # in place of a column: there is none


def roles_of(
    names: Sequence[str], identifier: str | Sequence[str] | None, private: str | None, quasi: str | Sequence[str] | None
) -> Roles:
    """Columns by their names in a table. Raises BadInput with every mistake."""
    said = Roles(
        None if identifier is None else columns_of(identifier, names),
        private if private is None or private in names else private.strip(),
        None if quasi is None else columns_of(quasi, names),
    )
    wrong = list(mistakes_of(said, names))
    if wrong:
        raise BadInput(wrong)
    return said


def columns_of(said: str | Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Columns that are named in a list or, parted by commas, in text; a name that holds a comma stands in quotes,
    unless it stands alone. `none` is no column, unless one is called so."""
    if not isinstance(said, str):
        return tuple(said)
    if said in names:
        return (said,)
    try:
        (parts, *_) = [*csv.reader([said], skipinitialspace=True), []]
    except csv.Error:  # lines in it: nobody's list
        parts = [said]
    found = tuple(part if part in names else part.strip() for part in parts)
    return () if found in ((), ("",), (NOBODY,)) else found


def mistakes_of(said: Roles, names: Sequence[str]) -> Iterator[Mistake]:
    """Columns that there are not, and those in two roles."""
    identifier, quasi = said.identifier or (), said.quasi or ()
    private = () if said.private is None else (said.private,)
    options = {"--identifier": identifier, "--private": private, "--quasi": quasi}
    for option, columns in options.items():
        for column in dict.fromkeys(columns):
            if column not in names:
                yield Mistake(option, Reason("init.unknown", column=column, names=names))
            elif columns.count(column) > 1:
                yield Mistake(option, Reason("init.twice", column=column))
    for option, columns, others in (
        ("--private", private, identifier),
        ("--quasi", quasi, (*identifier, *private)),
    ):
        for column in dict.fromkeys(columns):
            if column in names and column in others:
                yield Mistake(option, Reason("init.two_roles", column=column))


def insist_said(proposal: Proposal) -> None:
    """Nothing is guessed where nobody can say no. Raises BadInput with what is proposed."""
    roles, missing = proposal.roles, []
    if roles.identifier is None:
        missing.append("identifier")
    if roles.private is None:
        missing.append("private")
    if missing:
        raise BadInput(Mistake(proposal.profile.table, Reason("init.needed", proposal=proposal, missing=missing)))
