"""The verbs in Python, with odd arguments and odd frames: errors of ours, which quote no private cell."""

# ruff: noqa: E501

from __future__ import annotations

import datetime
import decimal
import traceback
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pyarrow as pa

import deniable
from deniable.errors import DeniableError
from tests.campaign.calls import Told, left, listing
from tests.campaign.cheap import Dice
from tests.campaign.material import AGAIN, COLUMNS, CROWDS, GROUPS, MARK, VIEWS, write_material

ODD: list[Any] = [
    None, True, 0, 1, -1, 2**70, 0.5, float("nan"), float("inf"), "", " ", "\0", "\ud800", "no", "age", b"age", (), [], {}, [None], {"a": 1},
    {1: 2}, object(), Path("no.csv"), Path(), decimal.Decimal("0.5"), np.float64(0.5), np.int64(3), np.array([1, 2]), datetime.date(2020, 1, 1),
    1j, range(3), "t.csv", "views.yaml", ["age", "age"], ["age", None], {"breach": 0.5}, pd.Series([1, 2]), pd.NA, pd.NaT, int, len,
]  # fmt: skip
CELLS: list[Any] = [
    None, float("nan"), pd.NA, pd.NaT, "", "é", "\ud800", "\0", b"x", 1, 2**70, -0.0, decimal.Decimal("1.50"), True, [1], {"a": 1}, (1, 2),
    datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC), datetime.time(1), datetime.timedelta(1), 1j,
    np.datetime64("2020-01-01"), "x" * 3_000, "=1+1", "NULL",
]  # fmt: skip
OURS = Path(deniable.__file__).parent
RELEASES = {"views": VIEWS, "crowds": CROWDS, "groups": GROUPS, "again": AGAIN}
VERBS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "check": (deniable.check, {"engine": "duckdb"}),
    "audit": (deniable.audit, dict.fromkeys(("breach", "crowd", "linkage", "history", "tolerance", "limit"))),
    "breach": (deniable.breach, {"pairs": "all", "tolerance": 0, "limit": 1}),
    "crowds": (deniable.crowds, {"method": "exact", "seconds": 0, "private": "problem", "quasi": ["age"]}),
    "explain": (deniable.explain, {"tolerance": 0}),
    "linkage": (deniable.linkage, {"states": 1}),
    "bucketize": (deniable.bucketize, {"r": 2, "seed": 1, "folder": "new", "suppress": True}),
    "republish": (
        deniable.republish,
        {"folder": "new", "begin": True, "unusual": "all", "seed": 3, "published": ["."]},
    ),
    "utility": (deniable.utility, {"folder": ".", "queries": 3}),
    "attack": (
        deniable.attack,
        {"known": "who.csv", "hazard": "leaving.csv", "compromise": 0.5, "repeat": 2, "seed": 1},
    ),
    "ledger": (deniable.ledger, {}),
    "verify": (deniable.verify, {}),
}
NEEDED: dict[str, dict[str, Any]] = {
    "bucketize": {"folder": "new", "r": 2},
    "republish": {"folder": "new", "begin": True, "dry_run": True, "audit": False},
    "utility": {"folder": ".", "queries": 3},
}
SENSIBLE = {
    "views": ("check", "audit", "breach", "explain"),
    "crowds": ("check", "crowds"),
    "groups": ("check", "linkage", "bucketize", "utility"),
    "again": ("check", "republish", "ledger", "verify"),
}


def verb(of: Dice, folder: Path) -> list[str]:
    """One of the verbs about a release that is made in Python, of a frame or a file."""
    rows = write_material(folder, of)
    kind = of.turn(tuple(RELEASES))
    before, verb = listing(folder), of.choice(SENSIBLE[kind])
    told = _told(lambda: _asked(of, kind, verb, rows))
    found = [f"traceback: {told.escaped}"] if told.escaped else []
    found += ["private cell in a message"] if MARK.lower() in told.err.lower() else []
    return found + left(folder, before, told, "new", "no", "age", " ")  # folders that it was told to make


def _asked(of: Dice, kind: str, verb: str, rows: list[list[str]]) -> None:
    call, known = VERBS[verb]
    given = {**NEEDED.get(verb, {})}
    for name in of.sample(sorted(known), min(len(known), of.choice((0, 0, 1, 2)))):
        given[name] = of.choice(ODD) if of.random() < 0.7 else known[name]
    who = [of.choice(["p1", "p1", *ODD])] if verb == "explain" else []
    where = [given.pop("folder")] if "folder" in given else []
    result = call(_release(of, kind, rows), *who, *where, **given)
    shown = f"{result!r} {type(result)._repr_html_(result) if hasattr(result, '_repr_html_') else ''}"
    if hasattr(result, "close"):
        result.close()
    if MARK in shown and verb != "explain":
        raise _Shown


class _Shown(Exception):
    """A result shows a private cell of its own accord."""


def _release(of: Dice, kind: str, rows: list[list[str]]) -> Any:
    if of.random() < 0.1:
        return of.choice([*ODD, f"{kind}.yaml", Path(f"{kind}.yaml")])
    keys: dict[str, Any] = deepcopy(RELEASES[kind])
    if of.random() < 0.8:
        keys["table"], keys["name"] = _table(of, rows), "t"
    for _ in range(of.choice((0, 0, 0, 1, 2))):
        keys[of.choice([*keys, "types", "domain", "public", "secret", "encoding"])] = of.choice(ODD)
    return deniable.Release(**keys)


def _table(of: Dice, rows: list[list[str]]) -> Any:
    """The table in memory, as somebody has it who did not make it for us."""
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype({"age": int})
    for _ in range(of.choice((0, 1, 1, 2))):
        _change(of, frame)
    frame = _otherwise(of, frame)
    way = of.randrange(9)
    if way < 4:
        return frame
    if way == 4 or not frame.columns.is_unique:
        return of.choice([frame.T.to_dict(), frame.values, frame.to_records(), frame["age"], list(frame), iter(())])
    arrow = pa.Table.from_pandas(frame, preserve_index=of.random() < 0.3)
    return (
        arrow, pa.RecordBatchReader.from_batches(arrow.schema, arrow.to_batches()), duckdb.from_arrow(arrow),
        arrow.to_batches()[0] if arrow.num_rows else arrow,
    )[way - 5]  # fmt: skip


def _change(of: Dice, frame: pd.DataFrame) -> None:
    """Some cells of a column; in the private one all others stay marked."""
    name = of.choice(COLUMNS)
    column = frame[name].astype(object)
    for at in of.sample(range(len(frame)), of.choice((1, 1, 3, len(frame)))):
        column.iloc[at] = of.choice(CELLS)
    frame[name] = column


def _otherwise(of: Dice, frame: pd.DataFrame) -> pd.DataFrame:
    """A frame of another shape, half of the time."""
    column = of.choice(COLUMNS)
    name = of.choice([0, 1.5, None, "AGE", "", "age", ("a", "b"), "é", "\0", "a b"])
    kind = of.choice(("float32", "int8", "Int64", "string", "bool", "complex64", "datetime64[ns]"))
    ways: list[Callable[[], pd.DataFrame]] = [
        lambda: frame.rename(columns={column: name}),
        lambda: frame.set_index(column),
        lambda: frame.astype("category"),
        lambda: frame.iloc[: of.choice((0, 1))],
        lambda: frame.astype({"age": kind}, errors="ignore"),
        lambda: pd.concat([frame, frame[[column]]], axis=1),  # a name twice
        lambda: frame.assign(age=pd.arrays.SparseArray(np.arange(len(frame)))),
        lambda: frame.assign(age=pd.interval_range(0, len(frame))),
    ]
    return of.choice(ways)() if of.random() < 0.5 else frame


def _told(work: Callable[[], None]) -> Told:
    try:
        work()
    except DeniableError as error:
        return Told(2, "", f"{error} {error.typed()} {error!r}")
    except RecursionError:
        return Told(None, "", "", "RecursionError")
    except TypeError as error:  # a verb that is called with other arguments than it has
        frame = traceback.extract_tb(error.__traceback__)[-1]
        is_call = Path(frame.filename).name == Path(__file__).name and "argument" in str(error)
        return Told(2, "", "") if is_call else _escaped(error)
    except Exception as error:
        return _escaped(error)
    return Told(0, "", "")


def _escaped(error: Exception) -> Told:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(OURS)] or frames
    if not Path(ours[-1].filename).is_relative_to(OURS):
        return Told(2, "", "")  # pandas or Arrow could not make the frame: nobody has it
    last, frame = frames[-1], ours[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno} ({Path(last.filename).name}:{last.lineno})"
    return Told(None, "", str(error), f"{type(error).__name__} at {where}")
