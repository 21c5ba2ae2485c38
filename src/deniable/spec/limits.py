"""Limits that a verb is given in place of those that the release requires."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from deniable.errors import BadInput, Mistake
from deniable.release import Release, Requirements
from deniable.spec import arguments


def with_limits(require: Requirements, asked: Mapping[str, object]) -> Requirements:
    """Requirements with the limits that were asked for: a number alone changes the limit and keeps the rest.

    Raises BadInput with every mistake.
    """
    given = {check: limit for check, limit in asked.items() if limit is not None}
    plain = {check: one for check, one in given.items() if not isinstance(one, Mapping) and not is_dataclass(one)}
    arguments.insist(*(_wrong(check, limit) for check, limit in plain.items()))
    whole = {check: limit if check not in plain else {_FIRST[check]: limit} for check, limit in given.items()}
    try:
        read = Release(table="-", require=whole).require
    except BadInput as error:
        raise BadInput([_of_verb(mistake) for mistake in error.mistakes]) from None
    made: dict[str, Any] = {}
    for check in given:
        limit, before = getattr(read, check), getattr(require, check)
        first = fields(limit)[0].name
        keeps = check in plain and before is not None
        made[check] = replace(before, **{first: getattr(limit, first)}) if keeps else limit
    return replace(require, **made)


_FIRST = {"breach": "at_most", "crowd": "at_least", "linkage": "at_most", "history": "exposed_at_most"}


def _wrong(check: str, limit: object) -> Mistake | None:
    return arguments.whole(check, limit, 1) if check == "crowd" else arguments.number(check, limit, 0, 1)


def _of_verb(mistake: Mistake) -> Mistake:
    """`require.breach` of a release is `breach` of the verb."""
    where, what = (text.removeprefix("require.") for text in (mistake.where, str(mistake.what)))
    return Mistake(where, what)
