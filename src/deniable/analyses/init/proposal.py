"""Which column is what: proposed by names, types and counts, each with its reason; what somebody said goes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deniable.analyses.init.profile import Column, Profile
from deniable.analyses.init.vocabulary import Meaning
from deniable.engines.dialect import Kind
from deniable.errors import Reason
from deniable.frozen import frozen
from deniable.release import BreachLimit, CrowdLimit, Requirements
from deniable.shown import Shown
from deniable.sql.writing import statement

_NEARLY = 0.9  # different cells, of all: names nearly everybody
_MANY = 100  # cells, from which on that says something
_PROSE = 60  # characters of a cell that is no word
_WIDEST = 100  # columns that others may know, of those that are proposed
_NAMES = 40  # characters of a cell that is no name


@frozen
class Roles:
    """What somebody said; None where they did not. An empty identifier is none at all."""

    identifier: tuple[str, ...] | None = None
    private: str | None = None
    quasi: tuple[str, ...] | None = None


@frozen
class Part:
    """A column, what it is to the release, and why."""

    column: Column
    role: str  # identifier, private, quasi or none; more: it would be too many
    why: Reason


IDENTIFIER, PRIVATE, QUASI, NONE, MORE = "identifier", "private", "quasi", "none", "more"


@frozen(repr=False)
class Proposal(Shown):
    """A first release of a table: every column with its role, and the views that follow."""

    profile: Profile
    roles: Roles
    parts: tuple[Part, ...]

    def _in(self, role: str) -> tuple[str, ...]:
        return tuple(part.column.name for part in self.parts if part.role == role)

    @property
    def identifier(self) -> tuple[str, ...]:
        """The columns that name people; none where nothing does."""
        return self.roles.identifier if self.roles.identifier is not None else self._in(IDENTIFIER)

    @property
    def private(self) -> str:
        """The column that must not be tied to a person; empty where none could be."""
        return next(iter(self._in(PRIVATE)), "")

    @property
    def quasi(self) -> tuple[str, ...]:
        """What others may know of people."""
        return self.roles.quasi if self.roles.quasi is not None else self._in(QUASI)

    @property
    def told(self) -> tuple[Part, ...]:
        """The columns of which something is said each: all but those that are too many."""
        return tuple(part for part in self.parts if part.role != MORE)

    @property
    def left_out(self) -> tuple[Part, ...]:
        """Columns that no view publishes, for a reason of their own."""
        return tuple(part for part in self.parts if part.role == NONE)

    @property
    def too_many(self) -> Reason | None:
        """Why all others are in no view, if there are others."""
        return next((part.why for part in self.parts if part.role == MORE), None)

    @property
    def repeats(self) -> bool:
        """Whether somebody may have several rows: of an identifier of several columns that is not counted."""
        return len(self.identifier) == 1 and not self.profile.column(self.identifier[0]).is_unique

    def views(self, table: str) -> dict[str, str]:
        """First views: who is in the table, and what there is; nobody beside a value."""
        what = {"values": statement([*self.quasi, self.private], table)}
        if not self.identifier:
            return what
        return {"people": statement([*self.identifier, *self.quasi], table, distinct=self.repeats), **what}

    @property
    def require(self) -> Requirements:
        """What the first audit decides on: the limits that audits have where none is set."""
        return Requirements(BreachLimit(0.5) if self.identifier else None, CrowdLimit(3))

    @property
    def types(self) -> dict[str, str]:
        """Columns that are to be read otherwise than they look: codes that are no sizes, dates that are no text."""
        used = [self.profile.column(name) for name in dict.fromkeys((*self.quasi, self.private))]
        codes = {c.name: "text" for c in used if c.said.is_code and c.kind.kind in (Kind.INTEGER, Kind.WIDE)}
        return codes | {c.name: "date" for c in used if self.profile.is_text and c.is_written_date}


def propose(profile: Profile, roles: Roles) -> Proposal:
    """A role and a reason for every column."""
    identifier = _identifier(profile.columns, roles)
    rest = [column for column in profile.columns if column.name not in identifier]
    private = _private(rest, roles)
    known = {**identifier, **private}
    parts = (
        known[c.name] if c.name in known else _other(c, roles.quasi, named=bool(identifier)) for c in profile.columns
    )
    return Proposal(profile, roles, tuple(parts if roles.quasi is not None else _few_enough(list(parts))))


def _few_enough(parts: list[Part]) -> list[Part]:
    """Of a table that is wider than anybody reads, the views publish so many columns: first those that are known by
    their name, then those that come first. What is left out is not published, so that nothing is promised of it."""
    places = [i for i, part in enumerate(parts) if part.role == QUASI]
    by_name = sorted(places, key=lambda i: parts[i].column.said.meaning is not Meaning.KNOWN)
    more = by_name[_WIDEST:]
    why = Reason("init.too_many", columns=len(more), most=_WIDEST)
    for i in more:
        parts[i] = Part(parts[i].column, MORE, why)
    return parts


def _identifier(columns: Sequence[Column], roles: Roles) -> dict[str, Part]:
    proposed = _proposed_identifier(columns, roles)
    if roles.identifier is None or set(roles.identifier) == set(proposed):
        return proposed
    named = [column for column in columns if column.name in roles.identifier]
    return {c.name: Part(c, IDENTIFIER, Reason("init.told_identifier", column=c)) for c in named}


def _proposed_identifier(columns: Sequence[Column], roles: Roles) -> dict[str, Part]:
    free = [c for c in columns if c.name not in (roles.private, *(roles.quasi or ()))]
    best = max(free, key=_names_people, default=None)
    parts = [column for column in free if column.said.is_part and column.names_many]
    if len(parts) > 1 and (best is None or _names_people(best) <= _names_people(parts[0])):
        return {c.name: Part(c, IDENTIFIER, Reason("init.part_of_name", column=c)) for c in parts}
    if best is None or not _names_people(best):
        return {}
    return {best.name: Part(best, IDENTIFIER, _why_identifier(best))}


def _why_identifier(column: Column) -> Reason:
    if column.said.meaning in (Meaning.NOTHING, Meaning.EVENT):
        return Reason("init.only_different", column=column)
    return Reason("init.names_people", column=column)


_SCORES = {Meaning.PERSON: 100, Meaning.CONTACT: 80, Meaning.NAME: 70}


def _names_people(column: Column) -> int:
    """How much a column looks like one that names people; 0 where it does not."""
    if column.kind.is_date or column.kind.kind in (Kind.NUMBER, Kind.BOOLEAN) or column.is_nested:
        return 0
    meaning = column.said.meaning
    if meaning in _SCORES and column.names_many:
        return _SCORES[meaning] + (10 if column.is_unique else 0) - (25 if column.mail else 0)
    if meaning is Meaning.NUMBER and column.names_many:
        return 60 if column.is_unique else 30
    if not column.is_unique or column.longest > _NAMES or meaning in (Meaning.KNOWN, Meaning.PRIVATE):
        return 0
    return 50 if meaning is Meaning.EVENT else 20


def _private(columns: Sequence[Column], roles: Roles) -> dict[str, Part]:
    proposed = _proposed_private(columns, roles)
    if roles.private is None or roles.private in proposed:
        return proposed
    named = [column for column in columns if column.name == roles.private]
    return {c.name: Part(c, PRIVATE, Reason("init.told", column=c)) for c in named}


def _proposed_private(columns: Sequence[Column], roles: Roles) -> dict[str, Part]:
    free = [c for c in columns if c.name not in (roles.quasi or ())]
    best = max(free, key=_is_private, default=None)
    if best is not None and _is_private(best):
        return {best.name: Part(best, PRIVATE, Reason("init.private_name", column=best))}
    plain = [column for column in free if _proposed_other(column, named=True).role == QUASI]
    unknown = [column for column in plain if column.said.meaning is not Meaning.KNOWN] or plain
    return {c.name: Part(c, PRIVATE, Reason("init.last_column", column=c)) for c in unknown[-1:]}


def _is_private(column: Column) -> int:
    """How much a column looks like what people keep to themselves; 0 where it does not."""
    if column.said.meaning is not Meaning.PRIVATE or column.different < 2 or column.is_nested or _is_prose(column):
        return 0
    rare = 40 if 10 * column.commonest >= 9 * column.rows else 0  # nearly everybody has the same
    return column.said.weight - rare - (15 if column.different == 2 else 0)


def _is_prose(column: Column) -> bool:
    return column.kind.is_text and column.longest > _PROSE and 2 * column.different > column.cells


def _other(column: Column, quasi: tuple[str, ...] | None, *, named: bool) -> Part:
    """A column that is neither the identifier nor private; what somebody said has another reason where it is not what
    would be proposed."""
    part = _proposed_other(column, named=named)
    if quasi is None or (column.name in quasi) == (part.role == QUASI):
        return part
    if column.name in quasi:
        return Part(column, QUASI, Reason("init.told", column=column))
    return Part(column, NONE, Reason("init.not_told"))


def _proposed_other(column: Column, *, named: bool) -> Part:
    """Known of people, or left out of the views."""
    why_not = next(_reasons_against(column, named=named), None)
    if why_not is not None:
        return Part(column, NONE, why_not)
    if column.said.meaning is Meaning.KNOWN:
        return Part(column, QUASI, Reason("init.known_name", column=column))
    return Part(column, QUASI, Reason("init.perhaps_known", column=column))


def _reasons_against(column: Column, *, named: bool) -> Iterator[Reason]:
    meaning, nearly = column.said.meaning, column.different >= _NEARLY * column.cells
    if column.is_nested:
        yield Reason("init.nested", column=column)
    if column.different == 0 or (column.different == 1 and not column.nulls):
        yield Reason("init.one_value", column=column)
    if column.mail or column.said.is_part or (meaning in _SCORES and column.names_many):
        yield Reason("init.second_identifier", named=named)
    if meaning is Meaning.PRIVATE:
        yield Reason("init.second_private")
    if column.is_unique:
        yield Reason("init.all_different", column=column)
    if _is_prose(column):
        yield Reason("init.prose", column=column)
    if nearly and column.cells >= _MANY and meaning is not Meaning.KNOWN:
        yield Reason("init.nearly_all_different", column=column)
