"""What stable groups remember from one release to the next, in the ledger: arrays, packed narrowly."""

from __future__ import annotations

import io
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.arrow import column_numbers
from deniable.ledgers.file import Ledger, fetch
from deniable.ledgers.store import last_nobody, read_memberships, read_signatures
from deniable.publish.again.releases import Grouping, Signatures, Table
from deniable.publish.again.stable.seats import Seats, adopted
from deniable.worlds.arrays import offsets

_SETS = "signatures"


def pack(seats: Seats) -> bytes:
    """The seats as bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{name: _narrow(array) for name, array in _arrays(seats).items()})
    return buffer.getvalue()


def _arrays(seats: Seats) -> dict[str, NDArray[Any]]:
    """Everything by name, with the sets of the signatures in two arrays."""
    found = {field.name: np.asarray(getattr(seats, field.name)) for field in fields(seats) if field.name != _SETS}
    return {**found, "set_starts": seats.signatures.starts, "set_values": seats.signatures.values}


def _narrow(array: NDArray[Any]) -> NDArray[Any]:
    """The same numbers in the smallest type that holds them: the whole past is written with every release."""
    if array.dtype == np.bool_ or not array.size:
        return array
    ends = np.min_scalar_type(int(array.max())), np.min_scalar_type(min(int(array.min()), -1))
    return array.astype(np.promote_types(*ends))


def unpack(content: bytes) -> Seats:
    """The seats from bytes."""
    types = {name: array.dtype for name, array in _arrays(Seats.empty()).items()}
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        found: dict[str, Any] = {
            name: arrays[name].astype(types.get(name, np.bool_), copy=False) for name in arrays.files
        }
    signatures = Signatures(found.pop("set_starts"), found.pop("set_values"))
    found |= {name: int(found[name]) for name in ("lineages", "nobodies")}
    if found.pop("merged", None) is None:
        return Seats(signatures=signatures, **found)
    found |= {"floor": found["lineage"], "fresh": np.zeros(len(found["person"]), np.bool_)}
    older = Seats(signatures=signatures, **found)  # of a version that did not keep what a group's parts can bear
    return replace(older, floor=older.copies)


def read_seats(ledger: Ledger) -> Seats:
    """The last release's seats; those of another algorithm's release are taken over as they are."""
    query = "SELECT state FROM releases ORDER BY release DESC LIMIT 1"
    rows = ledger.connection.execute(query).fetchall()
    if not rows:
        return Seats.empty()
    return unpack(rows[0][0]) if rows[0][0] else _adopted(ledger)


def _adopted(ledger: Ledger) -> Seats:
    last = "release = (SELECT max(release) FROM releases)"
    groups = fetch(ledger, f"SELECT grp, signature FROM groups WHERE {last} ORDER BY grp")
    seats = fetch(ledger, f"SELECT grp, person, value FROM seats WHERE {last} ORDER BY grp, value")
    number, signature = (column_numbers(groups, name) for name in ("grp", "signature"))
    grp, person, value = (column_numbers(seats, name) for name in ("grp", "person", "value"))
    place = np.searchsorted(number, grp)
    real = person >= 0
    fakes = np.bincount(place[~real], minlength=len(number))
    table = Table(person[real].astype(np.int64), (), value[real].astype(np.int32))
    grouping = Grouping(
        place[real].astype(np.int32), signature.astype(np.int32), offsets(fakes),
        value[~real].astype(np.int32), read_signatures(ledger), np.zeros(0, np.int64),
    )  # fmt: skip
    found = adopted(table, grouping, read_memberships(ledger))
    nobody = np.append(person[~real], 0).astype(np.int64)  # as the ledger numbers them
    known = np.where(found.person < 0, nobody[np.clip(-1 - found.person, 0, len(nobody) - 1)], found.person)
    return replace(found, person=known, nobodies=last_nobody(ledger))
