"""The values that everything else passes around. All frozen, none knows SQL or files.

A `Release` is what the publisher intends to publish; a `Finding` is what one
adversary makes of it; a `Verdict` is the findings beside what was required.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from deniable.errors import BadInput, Mistake
from deniable.spec.locations import Locations

ADVERSARIES = ("unrestricted", "restricted", "keyed", "bag")
DEFAULT_ADVERSARIES = ("restricted", "keyed")
LINKAGE_ADVERSARIES = ("marginal", "full")


@dataclass(frozen=True)
class BreachLimit:
    """`require: breach`: no association may be likelier than this to these adversaries."""

    at_most: float
    adversaries: tuple[str, ...] = DEFAULT_ADVERSARIES


@dataclass(frozen=True)
class CrowdLimit:
    """`require: crowd`: nobody may stand in a smaller crowd, or in one with fewer possible values."""

    at_least: int
    values: int = 1


@dataclass(frozen=True)
class LinkageLimit:
    """`require: linkage`: no value of a published group may be likelier than this for anybody in it."""

    at_most: float
    adversaries: tuple[str, ...] = LINKAGE_ADVERSARIES


@dataclass(frozen=True)
class HistoryLimit:
    """`require: history`: how many people all releases together may expose to somebody who knows some of them."""

    exposed_at_most: float
    known: float = 0.0


@dataclass(frozen=True)
class Requirements:
    """What `audit` decides on; `republish` minds `history`."""

    breach: BreachLimit | None = None
    crowd: CrowdLimit | None = None
    linkage: LinkageLimit | None = None
    history: HistoryLimit | None = None


@dataclass(frozen=True)
class Release:
    """A private table and what is to be published of it.

    `table` is a path (or a glob of paths), or a pandas or polars frame, an Arrow
    table or a DuckDB relation. Column roles are names; views are SELECT statements.
    """

    table: Any
    identifier: str | Sequence[str] = ()
    private: str = ""
    views: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    secret: str | None = None
    quasi: Sequence[str] = ()
    public: Sequence[str] = ()
    domain: Sequence[str | None] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    require: Requirements = field(default_factory=Requirements)
    published: Mapping[str, Any] | None = None
    knowledge: Sequence[Mapping[str, Any]] = ()
    republish: Mapping[str, Any] | None = None
    ledger: str | None = None
    history: Mapping[str, Any] | None = None
    algorithm: str | None = None
    generalize: Mapping[str, str] = field(default_factory=dict)
    locations: Locations = field(default_factory=Locations, compare=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.identifier, str):
            object.__setattr__(self, "identifier", (self.identifier,) if self.identifier else ())
        for name in ("identifier", "quasi", "public", "domain", "knowledge"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise BadInput(Mistake(name, f"expected a list; found the text {value!r}"))
            object.__setattr__(self, name, tuple(value))
        if not self.name:
            stem = Path(self.table).stem if isinstance(self.table, (str, Path)) else "t"
            object.__setattr__(self, "name", stem)

    @property
    def id_columns(self) -> tuple[str, ...]:
        """The identifier's columns (the identifier may be written as one name)."""
        return tuple(self.identifier)

    @property
    def title(self) -> str:
        """What messages call the table: the file as the user wrote it, or the name."""
        return str(self.table) if isinstance(self.table, (str, Path)) else self.name

    @property
    def folder(self) -> Path:
        """The folder that relative paths start from: the release file's own."""
        return Path(self.locations.file).parent if self.locations.file else Path()


RELEASE_KEYS = tuple(f.name for f in fields(Release) if f.name != "locations")


@dataclass(frozen=True)
class Finding:
    """What one adversary makes of the release, beside the limit that was set.

    `over` counts people for whom some secret association is proved likelier than
    the limit; `undecided` those whose interval straddles it (counted as unsafe);
    `no_world` those for whom no table fits both the views and what this adversary
    takes for granted; `certain` those among them whom the views pin down anyway. Checks that
    ask for at least something (crowds, values) count those who have less.
    """

    check: str
    adversary: str | None  # None: the check knows no adversaries
    limit: float
    worst: float | None
    over: int
    of: int
    undecided: int = 0
    no_world: int = 0
    certain: int = 0
    share: bool = False  # the limit is on the share of people who are over, which `worst` is

    @property
    def verdict(self) -> str:
        """`pass` only when nobody is over the limit, pinned down or undecided, or few enough where a share is."""
        if self.share:
            return "fail" if self.worst is None or self.worst > self.limit else "pass"
        return "fail" if self.over or self.undecided else "pass"


@dataclass(frozen=True)
class Verdict:
    """Every finding of an audit, with sentences that say why in people's terms."""

    release: Release
    headline: str
    findings: tuple[Finding, ...]
    reasons: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """`fail` as soon as one finding fails."""
        return "fail" if any(f.verdict == "fail" for f in self.findings) else "pass"

    def __str__(self) -> str:
        from deniable.report.text import verdict_text

        return verdict_text(self)
