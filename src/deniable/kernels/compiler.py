"""What numba is told: nothing outside of this module and `linking` speaks to it.

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
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from functools import cache
from pathlib import Path
from threading import Timer, local
from typing import Any

import numba
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
from numba.core.target_extension import cpu_target, dispatcher_registry
from numba.core.types import functions
from numba.core.types.misc import unliteral

from deniable.kernels import linking, listeners
from deniable.kernels.linking import OfKernels, OfNumba

_LONG = 1.0  # seconds
_TRIED = "0.68."
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
        return _stamp(self._py_file) + _stamp(str(linking.__file__))


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
    """A kernel that others call: brought into LLVM's form, and linked into those that Python calls."""

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock:
            given, returned = normalize_signature(sig)
            types = tuple(unliteral(one) for one in given)  # one form for 0 and 1 that a caller writes out
            if types not in self.overloads:
                self.overloads[types] = self._linkable(self._compiler.compile(types, returned))
            return self.overloads[types].entry_point

    def _linkable(self, made: Any) -> Any:
        key = object()
        self.targetctx.insert_user_function(key, made.fndesc, [made.library])
        return made._replace(entry_point=key)


class _Helper(CPUDispatcher):
    """What numba brings itself, for `np.empty` and the like: while kernels are compiled, the same."""

    def compile(self, sig: Any) -> Any:
        if not _compiling.under_way:
            return super().compile(sig)
        with global_compiler_lock:
            given, returned = normalize_signature(sig)
            found = self.overloads.get(tuple(given))
            if found is None:
                compiler = copy(self._compiler)
                compiler.pipeline_class, compiler._customize_flags = OfNumba, _without_machine_code
                made, key = compiler.compile(given, returned), object()
                self.targetctx.insert_user_function(key, made.fndesc, [made.library])
                found = self.overloads[tuple(given)] = made._replace(entry_point=key)
            return found.entry_point


class _Compiling(local):
    under_way = False  # in this thread


_compiling = _Compiling()
_answers: dict[Any, Any] = {}  # what an operator or a function of numba's gives for which types


class _Called(CPUDispatcher):
    """A kernel that Python calls. Compiling makes very many objects and leaves little garbage: looking for it in
    between takes a sixth of the time."""

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock, _without_garbage(), ExitStack() as ways:
            if is_tried():
                ways.enter_context(_remembering())
                ways.enter_context(_bringing_helpers())
            return super().compile(sig)


@contextmanager
def _without_garbage() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def _remembering() -> Iterator[None]:
    """Ask numba once what 1 + 1 is: it tries all that plus can mean, for each plus in all kernels, several times."""
    asked: Any = functions.BaseFunction
    ask = asked.get_call_type

    def answer(function: Any, context: Any, given: Any, named: Any) -> Any:
        key = (id(function), tuple(given), tuple(named.items()))
        if key not in _answers:
            _answers[key] = function, ask(function, context, given, named)  # kept, so that its number stays its own
        return _answers[key][1]

    asked.get_call_type = answer
    try:
        yield
    finally:
        asked.get_call_type = ask


@contextmanager
def _bringing_helpers() -> Iterator[None]:
    """Have numba make its own functions the way that kernels are made."""
    _compiling.under_way = True
    del dispatcher_registry[cpu_target]
    dispatcher_registry[cpu_target] = _Helper
    try:
        yield
    finally:
        del dispatcher_registry[cpu_target]
        dispatcher_registry[cpu_target] = CPUDispatcher
        _compiling.under_way = False


def _without_machine_code(flags: Any) -> Any:
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    return flags


def _without_c_wrapper(flags: Any) -> Any:
    flags.no_cfunc_wrapper = True
    return flags


_OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}


def is_tried() -> bool:
    """Whether our way from kernels to machine code was tried with this numba: it rests on its insides. With another one
    kernels are compiled as numba does it, which takes longer and gives the same."""
    return str(numba.__version__).startswith(_TRIED)


def linked(function: Callable[..., Any]) -> Any:
    """What other kernels find when they call this one."""
    if not is_tried():
        return CPUDispatcher(function, targetoptions=dict(_OPTIONS))
    made = _Inside(function, targetoptions=dict(_OPTIONS), pipeline_class=OfKernels)
    made._compiler._customize_flags = _without_machine_code
    return made


def called(function: Callable[..., Any], signature: str | None) -> Any:
    """What Python calls; without a signature it is compiled when its types are known."""
    ours = {"pipeline_class": OfKernels} if is_tried() else {}
    made = _Called(function, targetoptions=dict(_OPTIONS), **ours)
    if ours:
        made._compiler._customize_flags = _without_c_wrapper
    made._cache = _Cache(function)
    if signature is not None:
        made.compile(signature)
        made.disable_compile()
    return made
