"""What numba is told: nothing outside of this module speaks to it.

What was compiled is kept beside the source, or in the user's cache folder, and holds as long as the text of the
kernel's module and of all that it imports: numba itself looks at the module alone, and would go on using a caller
that has an old callee inside.
"""

from __future__ import annotations

import gc
import hashlib
import re
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any

from numba.core import event
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    InTreeCacheLocator,
    UserProvidedCacheLocator,
    UserWideCacheLocator,
)
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.types.misc import unliteral

from deniable.kernels import listeners

_LONG = 1.0  # seconds
_IMPORTS = re.compile(r"^from (deniable(?:\.\w+)+) import", re.M)


@cache
def _stamp(file: str) -> str:
    """A digest of a module's text and of what it imports of ours."""
    text = Path(file).read_text(encoding="utf-8")
    imported = (sys.modules.get(name) for name in sorted(set(_IMPORTS.findall(text))))
    parts = [text, *(_stamp(str(module.__file__)) for module in imported if module is not None)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class _Stamped:
    _py_file: str

    def get_source_stamp(self) -> str:
        return _stamp(self._py_file)


class _WhereTold(_Stamped, UserProvidedCacheLocator):
    """NUMBA_CACHE_DIR."""


class _BesideSource(_Stamped, InTreeCacheLocator):
    """__pycache__."""


class _InUsersFolder(_Stamped, UserWideCacheLocator):
    """Where the package may only be read."""


class _Implementation(CompileResultCacheImpl):
    _locator_classes = (_WhereTold, _BesideSource, _InUsersFolder)


class _Cache(FunctionCache):
    _impl_class = _Implementation


class _Patience(event.Listener):
    """Tells that compiling takes long, once it has taken a second in all. Numba compiles one thing at a time."""

    def __init__(self) -> None:
        self._depth, self._spent, self._began = 0, 0.0, 0.0
        self._timer = Timer(0, _tell)

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        self._depth += 1
        if self._depth == 1:
            self._began = time.monotonic()
            self._timer = Timer(max(0.0, _LONG - self._spent), _tell)
            self._timer.daemon = True
            self._timer.start()

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        self._depth -= 1
        if self._depth == 0:
            self._timer.cancel()
            self._spent += time.monotonic() - self._began


def _tell() -> None:
    for tell in list(listeners):
        tell()


event.register("numba:compile", _Patience())


class _Inside(CPUDispatcher):
    """A kernel that others call: brought into LLVM's form and linked into its callers, which are optimized whole.

    Numba would turn it into machine code of its own as well, and each of its callers again with it inside: with deep
    chains of kernels that is most of the time that compiling takes.
    """

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock:
            given, returned = normalize_signature(sig)
            types = tuple(unliteral(one) for one in given)  # one form for 0 and 1 that a caller writes out
            if types not in self.overloads:
                self.overloads[types] = self._linkable(self._compiler.compile(types, returned))
            return self.overloads[types].entry_point

    def _linkable(self, made: Any) -> Any:
        library, key = made.library, object()
        library._optimize_final_module = lambda: None
        library._finalize_final_module = lambda: setattr(library, "_finalized", True)
        self.targetctx.insert_user_function(key, made.fndesc, [library])
        return made._replace(entry_point=key)


class _Called(CPUDispatcher):
    """A kernel that Python calls. Compiling makes very many objects and leaves little garbage: looking for it in
    between takes a sixth of the time."""

    def compile(self, sig: Any) -> Any:
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return super().compile(sig)
        finally:
            if was_enabled:
                gc.enable()


def _without_machine_code(flags: Any) -> Any:
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    return flags


def _without_c_wrapper(flags: Any) -> Any:
    flags.no_cfunc_wrapper = True
    return flags


_OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}


def linked(function: Callable[..., Any]) -> Any:
    """What other kernels find when they call this one."""
    made = _Inside(function, targetoptions=dict(_OPTIONS))
    made._compiler._customize_flags = _without_machine_code
    return made


def called(function: Callable[..., Any], signature: str | None) -> Any:
    """What Python calls; without a signature it is compiled when its types are known."""
    made = _Called(function, targetoptions=dict(_OPTIONS))
    made._compiler._customize_flags = _without_c_wrapper
    made._cache = _Cache(function)
    if signature is not None:
        made.compile(signature)
        made.disable_compile()
    return made
