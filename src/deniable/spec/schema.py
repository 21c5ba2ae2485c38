"""The checks of a release: what each key may hold, and what is said of a value that it may not.

They stand behind `Release(...)` in Python as behind release.yaml: the same data has the same mistakes, in the same
sentences; only the place differs, a path of keys instead of a file's line and column.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from deniable import release as values
from deniable.effort import LONGEST, WIDEST
from deniable.errors import BadInput, Mistake
from deniable.spec.arguments import is_table, of_type
from deniable.spec.checks import (
    MAPPING,
    SHARE,
    SOURCE,
    Check,
    Key,
    Refused,
    T,
    Wrong,
    any_text,
    flag,
    list_of,
    mapping_of,
    maybe,
    number,
    one_of,
    record,
    refused,
    share,
    text,
    whole,
)
from deniable.spec.locations import Locations
from deniable.spec.locations import Path as KeyPath
from deniable.words import did_you_mean, shortened


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _as_texts(value: Any) -> Any:
    """Values of a domain that were given as numbers or dates, as text."""
    if isinstance(value, (str, Mapping)) or not isinstance(value, Sequence):
        return value
    return [one if one is None or isinstance(one, (str, list, dict)) else str(one) for one in value]


def _as_path(value: Any) -> Any:
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _after(change: Callable[[Any], Any], check: Check[T]) -> Check[T]:
    return lambda value: check(change(value))


def _source(value: Any) -> Any:
    """A file by its path, or a table in memory."""
    if not isinstance(value, (str, os.PathLike)) and not is_table(value):
        raise refused(value, SOURCE)
    return _path(value) if isinstance(value, str) else value


def _path(value: Any) -> str:
    """Text that can be a file's name: bytes that are no characters can, half a character cannot."""
    found = text(value)
    try:
        os.fsencode(found)
    except UnicodeEncodeError:
        raise refused(ascii(found), "the path of a file") from None
    return found


def _encoding(value: Any) -> str:
    try:
        found = codecs.lookup(text(value))
        "".encode(found.name)  # what turns bytes into bytes, or text into text (hex, rot13), reads no file
    except (LookupError, ValueError):  # ValueError: half a character, or a zero byte, in the name itself
        raise refused(value, "an encoding such as utf-8, latin-1, cp1252 or utf-16") from None
    return found.name


def _named(kind: str) -> Check[str]:
    return lambda value: one_of(*_names(kind))(any_text(value))


def _names(kind: str) -> tuple[str, ...]:
    """The names that there are records for; looked up when asked, since records can be registered."""
    if kind == "algorithm":
        from deniable.publish.again.algorithm import names
    else:
        from deniable.analyses.breach.adversaries import names
    return names()


_A_SHARE, _A_VALUE, _PEOPLE = Key(share, SHARE), "a value", "a whole number of people"
_TEXTS = _after(_as_list, list_of(text))
_FILE = _after(_as_path, _path)
_FILES = _after(_as_path, _after(_as_list, list_of(_FILE)))
_MAYBE_SHARE = Key(maybe(share))
_COLUMN_TYPE = one_of("text", "integer", "number", "date", "timestamp", "boolean")

_BREACH = record(
    values.BreachLimit, {"at_most": _A_SHARE, "adversaries": Key(maybe(list_of(_named("adversary"), least=1)))}
)
_CROWD = record(values.CrowdLimit, {"at_least": Key(whole(1), _PEOPLE), "values": Key(whole(1))})
_LINKAGE = record(
    values.LinkageLimit,
    {"at_most": _A_SHARE, "adversaries": Key(list_of(one_of(*values.EVERY_LINKAGE_ADVERSARY), least=1))},
)
_HISTORY = record(values.HistoryLimit, {"exposed_at_most": _A_SHARE, "known": Key(share)})
_CHECKS = {"breach": _BREACH, "crowd": _CROWD, "linkage": _LINKAGE, "history": _HISTORY}
_REQUIRE = record(values.Requirements, {name: Key(maybe(check)) for name, check in _CHECKS.items()})
_PUBLISHED = record(
    values.Published, {"people": Key(_source, _A_VALUE), "values": Key(_source, _A_VALUE), "group": Key(text, _A_VALUE)}
)
_KNOWLEDGE = record(
    values.Knowledge,
    {
        "given": Key(_after(_as_list, list_of(text, least=1)), "a column or a list of columns"),
        "file": Key(maybe(_FILE)),
        "estimate": Key(flag),
    },
)
_REPUBLISH = record(
    values.Republish,
    {
        "m": Key(whole(2, WIDEST), _A_VALUE),
        "n": Key(maybe(whole(1, WIDEST))),
        "compromise": _MAYBE_SHARE,
        "lifespan": Key(maybe(whole(1, LONGEST))),
        "threshold": _MAYBE_SHARE,
        "counterfeits": Key(maybe(record(values.Counterfeits, {"at_most": _A_SHARE}))),
    },
)
_HISTORY_FILES = record(values.HistoryFiles, {"releases": Key(_FILES, _A_VALUE), "population": Key(_FILE, _A_VALUE)})


KINDS = ("width", "prefix", "hierarchy", "part", "cap")  # of coarser columns


def _coarser(**given: Any) -> values.Coarser:
    """One function of a column, whole. Raises Refused."""
    made = values.Coarser(**{"start" if key == "from" else key: value for key, value in given.items()})
    kinds = [kind for kind in KINDS if getattr(made, kind) is not None]
    if len(kinds) != 1:
        raise refused(" and ".join(kinds) or "none", "one of width, prefix, hierarchy, part and cap")
    if made.start and kinds != ["width"]:
        raise refused(kinds[0], "width beside from")
    if (made.level is None) == (kinds == ["hierarchy"]):
        beside = "no level" if made.level is None else f"level beside {kinds[0]}"
        raise refused(beside, "hierarchy and level together")
    return made


_COARSER = record(
    _coarser,
    {
        "of": Key(text, "a column of the table"),
        "width": Key(maybe(lambda value: number(value, above=0))),
        "from": Key(number),
        "prefix": Key(maybe(whole(1))),
        "hierarchy": Key(maybe(_FILE)),
        "level": Key(maybe(whole(0))),
        "part": Key(maybe(one_of("year", "quarter", "month", "week", "day", "hour"))),
        "cap": Key(maybe(number)),
    },
)


def _from_python(value: Any) -> Any:
    """`from` is no name in Python: there it is `start`."""
    if isinstance(value, Mapping) and "start" in value and "from" not in value:
        return {"from" if key == "start" else key: one for key, one in value.items()}
    return value


def _made(*, table: Any = None, name: str | None = None, private: str | None = None, **others: Any) -> dict[str, Any]:
    """What a Release is made of; a part that is left out is nothing."""
    parts = {key: kind() if kind else None for key, kind in _OTHERS.items()}
    return {"table": table, "name": name or "", "private": private or "", **parts, **others}


# What other parts are where they are left out.
_OTHERS: dict[str, Callable[[], Any] | None] = {
    "identifier": tuple, "quasi": tuple, "public": tuple, "domain": tuple, "views": dict, "secret": None,
    "published": None, "knowledge": tuple, "republish": None, "ledger": None, "history": None, "algorithm": None,
    "columns": dict, "generalize": dict, "rename": dict, "withhold": None, "types": dict, "encoding": None,
    "decimal": None, "require": values.Requirements,
}  # fmt: skip
_RELEASE = record(
    _made,
    {
        "table": Key(_source),
        "name": Key(maybe(text)),
        "identifier": Key(_TEXTS),
        "quasi": Key(_TEXTS),
        "private": Key(maybe(text)),
        "public": Key(_TEXTS),
        "domain": Key(_after(_as_texts, list_of(maybe(any_text)))),
        "views": Key(mapping_of(text)),
        "secret": Key(maybe(text)),
        "published": Key(maybe(_PUBLISHED)),
        "knowledge": Key(list_of(_KNOWLEDGE)),
        "republish": Key(maybe(_REPUBLISH)),
        "ledger": Key(maybe(_FILE)),
        "history": Key(maybe(_HISTORY_FILES)),
        "algorithm": Key(maybe(_named("algorithm"))),
        "columns": Key(mapping_of(_after(_from_python, _COARSER))),
        "generalize": Key(mapping_of(_FILE)),
        "rename": Key(mapping_of(text)),
        "withhold": Key(maybe(_FILE)),
        "types": Key(mapping_of(_COLUMN_TYPE)),
        "encoding": Key(maybe(_encoding)),
        "decimal": Key(maybe(one_of(".", ","))),
        "require": Key(_REQUIRE),
    },
)


def insist(data: Mapping[str, Any], locations: Locations) -> dict[str, Any]:
    """The parts of a release in their types. Raises BadInput with every mistake."""
    unsaid = [key for key in ("identifier", "name", "private") if isinstance(data[key], str) and not data[key]]
    if data["table"] is None and (data["published"] or data["history"]):
        unsaid.append("table")
    given = {key: _plain(value) for key, value in data.items() if key not in unsaid}
    found, mistakes, _ = read(given, locations)
    if found is None or mistakes:
        raise BadInput(mistakes)
    return found


def _plain(value: Any) -> Any:
    """The parts of a release as the release file writes them: keys with values."""
    if type(value) in _PARTS:
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value


_PARTS = (
    values.BreachLimit, values.Coarser, values.Counterfeits, values.CrowdLimit, values.HistoryFiles,
    values.HistoryLimit, values.Knowledge, values.LinkageLimit, values.Published, values.Republish, values.Requirements,
)  # fmt: skip


def read(data: Mapping[str, Any], locations: Locations) -> tuple[dict[str, Any] | None, list[Mistake], frozenset[str]]:
    """The parts of a release in their types, less those with mistakes, if that makes a release; the mistakes, and the
    keys that have some."""
    missing = _missing_table(data, locations)
    try:
        parts = _RELEASE(data)
        return None if missing else parts, missing, frozenset()
    except Refused as error:
        wrong = error.wrong
    mistakes = [*missing, *(_mistake(one, locations) for one in wrong)]
    keys = frozenset(str(one.path[0]) for one in wrong)
    try:
        rest = _RELEASE(_without(data, [one.path for one in wrong]))
        return None if missing or "table" in keys else rest, mistakes, keys
    except Refused:
        return None, mistakes, keys


def _missing_table(data: Mapping[str, Any], locations: Locations) -> list[Mistake]:
    """A release has a table, unless it is about what others published."""
    if "table" in data or data.get("published") or data.get("history"):
        return []
    return [Mistake(locations.at(), f"table is missing; expected {_TABLE}")]


_ENTRIES = ("columns", "generalize", "rename", "require", "types", "views")


def _without(data: Mapping[str, Any], wrong: list[KeyPath]) -> dict[str, Any]:
    """The keys without the wrong ones; of keys whose entries stand for themselves only the wrong entry is left out."""
    kept = dict(data)
    for top, *below in wrong:
        inside = kept.get(str(top))
        if below and isinstance(inside, dict) and top in _ENTRIES:
            kept[str(top)] = {key: value for key, value in inside.items() if key != below[0]}
        else:
            kept.pop(str(top), None)
    return kept


def _mistake(wrong: Wrong, locations: Locations) -> Mistake:
    path, words = wrong.path, _IN_FILE if locations.file else _IN_PYTHON
    name = ".".join(part for part in path if isinstance(part, str))
    *above, key = path
    if wrong.kind == "unknown":
        what = f"unknown key {key}{did_you_mean(str(key), wrong.known)}; expected one of {', '.join(wrong.known)}"
        return Mistake(locations.at(*path, "<key>"), what)
    if wrong.kind == "missing":
        return Mistake(locations.at(*above), f"{name} is missing; expected {wrong.expected}")
    found = _found(wrong.found, words)
    if path[0] == "domain" and isinstance(wrong.found, str):
        found = "a single value"  # which may be a private one
    hint = did_you_mean(found, wrong.known) if wrong.known else ""
    expected = words.get(wrong.expected, wrong.expected)
    return Mistake(locations.at(*path), f"{name}: expected {expected}; found {found}{hint}")


_TABLE = "the path of a csv, tsv or parquet file"

# What a release file calls things, and what Python does.
_IN_FILE = {MAPPING: "keys with values", "none": "nothing", SOURCE: "text"}
_IN_PYTHON = {
    MAPPING: "a dict",
    "none": "None",
    SOURCE: "a path, a pandas or polars frame, an Arrow table or a relation",
}


def _found(value: Any, words: Mapping[str, str]) -> str:
    if value is None:
        return words["none"]
    if isinstance(value, dict):
        return words[MAPPING]
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if not isinstance(value, (str, int, float)):
        return of_type(value)
    return shortened(str(value)) if str(value).strip() else "empty text"
