"""Everything the program may import, at once: for processes that are forked for each command."""

from __future__ import annotations

import atexit
import gc
import pkgutil
from importlib import import_module

import deniable
from tests.quick import copy_places_flatly

# Which runs when it is imported; numba, which most processes never need.
LEFT_OUT = ("deniable.__main__", "deniable.kernels.compiler")
LAZY = ("duckdb", "encodings.cp437", "encodings.utf_8_sig", "numpy.random", "pyarrow.compute")  # by some library


def everything() -> None:
    """Import the whole package, and make the dialect's generator, which sqlglot puts off."""
    for name in LAZY:
        import_module(name)
    for module in pkgutil.walk_packages(deniable.__path__, f"{deniable.__name__}."):
        if module.name not in LEFT_OUT:
            import_module(module.name)
    from sqlglot import parse_one

    parse_one("SELECT 1", dialect="duckdb").sql("duckdb")
    copy_places_flatly()
    gc.collect()
    gc.freeze()  # or each that is forked would copy what it looks through for garbage
    atexit.register(gc.unfreeze)  # some libraries complain of what is left at the end
