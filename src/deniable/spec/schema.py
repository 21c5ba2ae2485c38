"""The keys of a release file, as pydantic models: what each may hold, and which there are."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from deniable import release as values


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Text = Annotated[str, Field(pattern=r"\S")]
Texts = Annotated[list[Text], BeforeValidator(_as_list)]
LONGEST = 10_000  # releases that n-Choose counts with, in exact arithmetic
Share = Annotated[float, Field(ge=0, le=1)]
Adversary = Literal["unrestricted", "restricted", "keyed", "bag"]
ColumnType = Literal["text", "integer", "number", "date", "timestamp", "boolean"]


class Keys(BaseModel):
    """A mapping in the release file; a key that it does not know is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class BreachKeys(Keys):
    """`require: breach`."""

    at_most: Share
    adversaries: Annotated[list[Adversary], Field(min_length=1)] = list(values.DEFAULT_ADVERSARIES)  # type: ignore[arg-type]


class CrowdKeys(Keys):
    """`require: crowd`."""

    at_least: Annotated[int, Field(ge=1)]
    values: Annotated[int, Field(ge=1)] = 1


class LinkageKeys(Keys):
    """`require: linkage`."""

    at_most: Share
    adversaries: Annotated[list[Literal["marginal", "full"]], Field(min_length=1)] = ["marginal", "full"]


class HistoryKeys(Keys):
    """`require: history`."""

    exposed_at_most: Share
    known: Share = 0.0


class RequireKeys(Keys):
    """`require`."""

    breach: BreachKeys | None = None
    crowd: CrowdKeys | None = None
    linkage: LinkageKeys | None = None
    history: HistoryKeys | None = None


class PublishedKeys(Keys):
    """`published`: a bucketized release, whoever made it."""

    people: Text
    values: Text
    group: Text


class KnowledgeKeys(Keys):
    """One entry of `knowledge`."""

    given: Texts
    file: Text | None = None
    estimate: bool = False


class CounterfeitKeys(Keys):
    """`republish: counterfeits`."""

    at_most: Share


class RepublishKeys(Keys):
    """`republish`: m and n, or m and what chooses n."""

    m: Annotated[int, Field(ge=2)]
    n: Annotated[int, Field(ge=1)] | None = None
    compromise: Share | None = None
    lifespan: Annotated[int, Field(ge=1, le=LONGEST)] | None = None
    threshold: Share | None = None
    counterfeits: CounterfeitKeys | None = None


class HistoryFilesKeys(Keys):
    """`history`: releases that others published, and who was in which group."""

    releases: Texts
    population: Text


class ReleaseKeys(Keys):
    """The whole release file."""

    table: Text
    name: Text | None = None
    identifier: Texts = []
    quasi: Texts = []
    private: Text | None = None
    public: Texts = []
    domain: list[str | None] = []
    views: dict[str, Text] = {}
    secret: Text | None = None
    published: PublishedKeys | None = None
    knowledge: list[KnowledgeKeys] = []
    republish: RepublishKeys | None = None
    ledger: Text | None = None
    history: HistoryFilesKeys | None = None
    algorithm: Literal["m-invariance", "cor-split", "stable"] | None = None
    generalize: dict[str, Text] = {}
    types: dict[str, ColumnType] = {}
    require: RequireKeys = RequireKeys()
