"""Everything that any command would read of a release, with all mistakes at once."""

from __future__ import annotations

from deniable.bind.views import bind
from deniable.engines import opened
from deniable.engines.scope import Scope
from deniable.errors import BadInput, in_order
from deniable.release import Release


def read(path: str, engine: str) -> Release:
    """The release in a file. When the file has mistakes, those of its other keys come with them."""
    from deniable.spec import yaml

    try:
        return yaml.load(path)
    except yaml.Malformed as error:
        if error.rest is None:
            raise
        try:
            with opened(engine) as started:
                bind(error.rest, Scope(started))
        except BadInput as more:
            raise BadInput(in_order([*error.mistakes, *more.mistakes])) from None
        raise
