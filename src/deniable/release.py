"""The values that everything else passes around. All frozen, none knows SQL or files.

A `Release` is what the publisher intends to publish. Written in Python or read from release.yaml, it goes through the
same checks (`spec.schema`), so its parts are always of the types below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from decimal import Decimal
from pathlib import Path
from typing import Any

from deniable.frozen import frozen
from deniable.shown import Shown
from deniable.spec.locations import Locations

LINKAGE_ADVERSARIES = ("marginal", "full")  # unless others are named
CALIBRATED = "calibrated"
EVERY_LINKAGE_ADVERSARY = (*LINKAGE_ADVERSARIES, CALIBRATED)
_NOTHING: Mapping[str, Any] = {}
_NOWHERE = Locations()


@frozen
class BreachLimit:
    """`require: breach`: no association may be likelier than this to these adversaries; to all whom the release faces,
    if none is named."""

    at_most: float
    adversaries: tuple[str, ...] | None = None


@frozen
class CrowdLimit:
    """`require: crowd`: nobody may stand in a smaller crowd, or in one with fewer possible values."""

    at_least: int
    values: int = 1


@frozen
class LinkageLimit:
    """`require: linkage`: no value of a published group may be likelier than this for anybody in it."""

    at_most: float
    adversaries: tuple[str, ...] = LINKAGE_ADVERSARIES


@frozen
class HistoryLimit:
    """`require: history`: how many people all releases together may expose to somebody who knows some of them."""

    exposed_at_most: float
    known: float = 0.0


@frozen
class Requirements:
    """What `audit` decides on; `republish` minds `history`, `linkage` and `bucketize` whom `linkage`
    names."""

    breach: BreachLimit | None = None
    crowd: CrowdLimit | None = None
    linkage: LinkageLimit | None = None
    history: HistoryLimit | None = None


@frozen
class Knowledge:
    """An entry of `knowledge`: how likely values are given some columns, from a file or from the table itself."""

    given: tuple[str, ...]
    file: str | None = None
    estimate: bool = False


@frozen
class Coarser:
    """An entry of `columns`: a function of a column, which says less. One of width, prefix, hierarchy, part and cap."""

    of: str
    width: Decimal | None = None  # bands of this width
    start: Decimal = Decimal(0)  # `from`: where one of them begins
    prefix: int | None = None  # the first characters
    hierarchy: str | None = None  # a file with a column for each level, finest first
    level: int | None = None  # of it, from 0
    part: str | None = None  # of a date
    cap: Decimal | None = None  # from here on all values are one

    @property
    def is_of_text(self) -> bool:
        """Whether it is a function of the cell as it is written, whatever its type."""
        return self.prefix is not None or self.hierarchy is not None


@frozen
class Published:
    """`published`: a bucketized release, whoever made it. Files in release.yaml; in Python also tables in memory."""

    people: Any = field(repr=False)  # which may be a table, and its cells private
    values: Any = field(repr=False)
    group: str


@frozen
class Counterfeits:
    """`republish: counterfeits`: the share of the published rows that may be counterfeit."""

    at_most: float


@frozen
class Republish:
    """`republish`: m and n, or m and what chooses n."""

    m: int
    n: int | None = None
    compromise: float | None = None
    lifespan: int | None = None
    threshold: float | None = None
    counterfeits: Counterfeits | None = None


@frozen
class HistoryFiles:
    """`history`: releases that others published, and who was in which group."""

    releases: tuple[str, ...]
    population: str


_FILES = (  # how files end, those too that cannot be read
    ".csv", ".tsv", ".txt", ".tab", ".dat", ".parquet", ".pq", ".arrow", ".feather", ".json", ".jsonl", ".xlsx", ".xls",
    ".ods", ".dta", ".sav", ".sas7bdat", ".gz", ".zst", ".zip", ".bz2", ".xz",
)  # fmt: skip


def _stem(named: str) -> str:
    """A file's name without its ending; of `schema.table` in a database, the table's name."""
    if Path(named).suffix.lower() in _FILES or "/" in named or named.endswith((".yaml", ".yml")):
        return Path(named).stem
    if named.endswith('"') and named.count('"') > 1:
        return named[:-1].rpartition('"')[2]
    return named.rpartition(".")[2] or Path(named).stem


@frozen(init=False, repr=False)
class Release(Shown):
    """A private table and what is to be published of it.

    `table` is a path (or a glob of paths), or a pandas or polars frame, an Arrow table or a DuckDB relation; None where
    only what others published is read. Column roles are names; views are SELECT statements.
    """

    table: Any
    identifier: tuple[str, ...]
    private: str
    views: Mapping[str, str]
    name: str
    secret: str | None
    quasi: tuple[str, ...]
    public: tuple[str, ...]
    domain: tuple[str | None, ...]
    types: Mapping[str, str]
    encoding: str | None
    decimal: str | None
    require: Requirements
    published: Published | None
    knowledge: tuple[Knowledge, ...]
    republish: Republish | None
    ledger: str | None
    history: HistoryFiles | None
    algorithm: str | None
    columns: Mapping[str, Coarser]
    generalize: Mapping[str, str]
    rename: Mapping[str, str]  # new: old
    withhold: str | None  # a file of identifiers that no view shows
    locations: Locations = field(compare=False)

    def __init__(
        self, table: Any = None, identifier: str | Sequence[str] = (), private: str = "",
        views: Mapping[str, str] = _NOTHING,
        name: str = "", secret: str | None = None, quasi: str | Sequence[str] = (), public: str | Sequence[str] = (),
        domain: Sequence[object] = (), types: Mapping[str, str] = _NOTHING,
        encoding: str | None = None, decimal: str | None = None,
        require: Requirements | Mapping[str, Any] = _NOTHING, published: Published | Mapping[str, Any] | None = None,
        knowledge: Sequence[Knowledge | Mapping[str, Any]] = (),
        republish: Republish | Mapping[str, Any] | None = None, ledger: str | None = None,
        history: HistoryFiles | Mapping[str, Any] | None = None, algorithm: str | None = None,
        columns: Mapping[str, Coarser | Mapping[str, Any]] = _NOTHING,
        generalize: Mapping[str, str] = _NOTHING, rename: Mapping[str, str] = _NOTHING, withhold: str | None = None,
        locations: Locations = _NOWHERE,
    ) -> None:  # fmt: skip
        """Parts are the values above or, as in release.yaml, dicts. Raises BadInput with every mistake."""
        given = {key: value for key, value in locals().items() if key not in ("self", "locations")}
        from deniable.spec.schema import insist

        for key, value in insist(given, locations).items():
            object.__setattr__(self, key, value)
        object.__setattr__(self, "locations", locations)
        if not self.name:
            named = self.locations.file if self.table is None else self.table
            stem = _stem(str(named)) if isinstance(named, (str, Path)) and str(named) else "t"
            packed = isinstance(named, (str, Path)) and Path(named).suffix in (".gz", ".zst")  # people.csv.gz: people
            object.__setattr__(self, "name", Path(stem).stem if packed else stem)

    @property
    def id_columns(self) -> tuple[str, ...]:
        """The identifier's columns."""
        return self.identifier

    @property
    def title(self) -> str:
        """What messages call the table: the file as the user wrote it, or the name."""
        return str(self.table) if isinstance(self.table, (str, Path)) else self.name

    @property
    def folder(self) -> Path:
        """The folder that relative paths start from: the release file's own."""
        return Path(self.locations.file).parent if self.locations.file else Path()


def asked_adversaries(release: Release, limit: LinkageLimit | None = None) -> tuple[str, ...]:
    """Who reads published groups: those who always do, and others that `require: linkage` or a limit names."""
    required = limit or release.require.linkage
    named = required.adversaries if required else ()
    return tuple(name for name in EVERY_LINKAGE_ADVERSARY if name in (*LINKAGE_ADVERSARIES, *named))
