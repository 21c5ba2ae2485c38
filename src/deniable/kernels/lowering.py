"""How kernels are brought into LLVM's form: what numba writes out for them and nobody needs is left out.

Numba's general way makes about ten instructions of what is one here, and everything after it takes time for each of
them. What a kernel calculates is the same.
- An item of an array that lies row by row is read and written where it is, without a copy of the array's description.
- Arrays that a kernel is given, and views of them, are its caller's, who keeps them until it returns: nobody counts
  who refers to them. Those that it makes, and those that it returns, are counted as ever.
- Numbers are not set to zero when they are used for the last time.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

from numba.core import cgutils, ir
from numba.core import types as numbas
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering
from numba.np.arrayobj import fix_integer_index

types: Any = numbas  # most of its names are made when it is imported
_PLAIN = (types.Number, types.Boolean)
_LEVEL = 2  # of LLVM's optimizations; the third takes a quarter longer, and kernels are no faster
_NEEDLESS = (  # steps for what no kernel has: contexts, literals, inlined functions; and notes for readers
    "WithLifting", "InlineInlinables", "DeadBranchPrune", "FindLiterallyCalls", "LiteralUnroll",
    "LiteralPropagationSubPipelinePass", "InlineOverloads", "AnnotateTypes", "DumpParforDiagnostics",
)  # fmt: skip
_FOR_FUNCTIONS = ("InlineClosureLikes", "MakeFunctionToJitFunction")  # functions and comprehensions inside of a kernel
_OF_VALUE = ("cast", "exhaust_iter", "getiter", "iternext", "pair_first")
_VIEWS = ("view", "reshape")  # methods of arrays that copy nothing


class _Shorter(Lower):  # type: ignore[misc]
    """One function."""

    def pre_lower(self) -> None:
        super().pre_lower()
        self._borrowed = _borrowed(self.context, self.func_ir, self.fndesc.typemap)

    def _is_counted(self, name: str) -> bool:
        """Whether a variable counts among those who refer to its arrays."""
        return name not in self._borrowed and _has_arrays(self.context, self.typeof(name))

    def lower_inst(self, inst: Any) -> Any:
        if not isinstance(inst, ir.Assign) or inst.target.name not in self._borrowed:
            return super().lower_inst(inst)
        self.context.enable_nrt = False  # the context is this function's own
        try:
            return super().lower_inst(inst)
        finally:
            self.context.enable_nrt = True

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:  # noqa: ARG002
        return cgutils.alloca_once(self.builder, lltype, name=name, zfill=False)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        if argidx is None and self._is_counted(name):
            super().storevar(value, name)
            return
        self._alloca_var(name, self.typeof(name))
        if name in self._singly_assigned_vars and not self._disable_sroa_like_opt:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        if self._is_counted(name):
            super().delvar(name)
        elif name not in self._blk_local_varmap and not self._disable_sroa_like_opt:
            self._singly_assigned_vars.discard(name)  # it is used in a block before the one that it is set in

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        place = self._place(value, index, signature)
        if place is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        item = self.context.unpack_value(self.builder, self.typeof(value.name).dtype, place)
        return self.context.cast(self.builder, item, signature.return_type, resty)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        given, asked = self.typeof(value_var.name), signature.args[2]
        place = self._place(target_var, index_var, signature) if isinstance(asked, _PLAIN) else None
        if place is None:
            return super().lower_setitem(target_var, index_var, value_var, signature)
        kind = self.typeof(target_var.name).dtype
        value = self.context.cast(self.builder, self.loadvar(value_var.name), given, asked)
        value = self.context.cast(self.builder, value, asked, kind)
        self.context.pack_value(self.builder, kind, value, place)
        return None

    def _place(self, array: Any, index: Any, signature: Any) -> Any:
        """Where one item of a simple array is; None if this is not about such."""
        kind, asked = self.typeof(array.name), signature.args[1]
        each = asked.types if isinstance(asked, types.BaseTuple) else (asked,)
        if not _is_simple(kind) or kind.ndim != len(each) or self.context.enable_boundscheck:
            return None
        if not all(isinstance(one, types.Integer) for one in each):
            return None
        builder, described = self.builder, self.loadvar(array.name)
        whole = self.context.cast(builder, self.loadvar(index.name), self.typeof(index.name), asked)
        parts = cgutils.unpack_tuple(builder, whole, len(each)) if isinstance(asked, types.BaseTuple) else [whole]
        model = self.context.data_model_manager[kind]
        data, shape = (model.get_field_position(name) for name in ("data", "shape"))
        place = None
        for axis, (one, part) in enumerate(zip(each, parts, strict=True)):
            length = builder.extract_value(described, [shape, axis])
            at = fix_integer_index(self.context, builder, one, part, length)
            place = at if place is None else builder.add(builder.mul(place, length), at)
        return builder.gep(builder.extract_value(described, data), [place])


def _is_simple(kind: Any) -> bool:
    return isinstance(kind, types.Array) and kind.layout == "C" and kind.aligned and isinstance(kind.dtype, _PLAIN)


def _has_arrays(context: Any, kind: Any) -> bool:
    return bool(context.data_model_manager[kind].contains_nrt_meminfo())


def _borrowed(context: Any, function: Any, kinds: Any) -> set[str]:
    """The variables that never have an array other than the caller's, nor are returned."""
    sources: dict[str, list[set[str] | None]] = {}
    own: set[str] = set()
    for block in function.blocks.values():
        for made in block.find_insts(ir.Assign):
            if _has_arrays(context, kinds[made.target.name]):
                names = _sources(made.value, kinds)
                arrays = None if names is None else {name for name in names if _has_arrays(context, kinds[name])}
                sources.setdefault(made.target.name, []).append(arrays)
        own |= {inst.value.name for inst in block.find_insts((ir.Return, ir.Yield))}
    borrowed = sources.keys() - own
    while True:
        kept = {name for name in borrowed if all(one is not None and one <= borrowed for one in sources[name])}
        if kept == borrowed:
            return kept
        borrowed = kept


def _sources(value: Any, kinds: Any) -> set[str] | None:
    """The variables whose arrays a value may have; None if it has some of its own."""
    if isinstance(value, (ir.Arg, ir.Const, ir.Global, ir.FreeVar)):
        return set()
    if isinstance(value, ir.Var):
        return {value.name}
    if not isinstance(value, ir.Expr):
        return None
    if value.op == "build_tuple":
        return {item.name for item in value.items}
    if value.op == "call":
        return _of_call(value, kinds)
    if value.op == "getattr":
        is_part = isinstance(kinds[value.value.name], types.BaseTuple) or value.attr in _VIEWS
    else:
        is_part = value.op in _OF_VALUE or _is_view(value, kinds)
    return {value.value.name} if is_part else None


def _of_call(value: Any, kinds: Any) -> set[str] | None:
    called = kinds[value.func.name]
    if isinstance(called, types.NamedTupleClass) and not value.kws and value.vararg is None:
        return {argument.name for argument in value.args}
    is_method = isinstance(called, types.BoundFunction) and isinstance(called.this, types.Array)
    return {value.func.name} if is_method and called.typing_key in {f"array.{name}" for name in _VIEWS} else None


def _is_view(value: Any, kinds: Any) -> bool:
    """Whether this takes a part of a tuple, or of an array by numbers and slices: the same memory."""
    if value.op not in ("getitem", "static_getitem"):
        return False
    of, index = kinds[value.value.name], value.index if value.op == "getitem" else value.index_var
    if isinstance(of, types.BaseTuple):
        return True
    asked = None if index is None else kinds[index.name]
    each = asked.types if isinstance(asked, types.BaseTuple) else (asked,)
    return isinstance(of, types.Array) and all(isinstance(one, (types.Integer, types.SliceType)) for one in each)


class _Inside(JITCodeLibrary):  # type: ignore[misc]
    """A kernel that others call: not optimized, nor turned into machine code, but within those that Python calls."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "external":
                function.linkage = "linkonce_odr"
        return self._final_module


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """A kernel that Python calls, with all that it calls."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def add_linking_library(self, library: Any) -> None:
        if library not in self._linking_libraries:
            super().add_linking_library(library)
            for further in library._linking_libraries if isinstance(library, _Inside) else ():
                self.add_linking_library(further)

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(opt=_LEVEL)
        passes.run(self._final_module, builder)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(BaseNativeLowering):  # type: ignore[misc]
    _name = "deniable_lowering"

    @property
    def lowering_class(self) -> Any:
        return _Shorter

    def run_pass(self, state: Any) -> bool:
        codegen, kind = state.targetctx.codegen(), _Inside if state.flags.no_compile else _Whole
        state.library = kind(codegen, state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class Pipeline(CompilerBase):  # type: ignore[misc]
    """Numba's way from a function to LLVM's form, with the last step ours."""

    def define_pipelines(self) -> list[Any]:
        """All steps, in their order."""
        made = DefaultPassBuilder.define_nopython_pipeline(self.state)
        has_functions = any(isinstance(one, CodeType) for one in self.state.func_id.code.co_consts)
        left_out = _NEEDLESS if has_functions else (*_NEEDLESS, *_FOR_FUNCTIONS)
        made.passes = [
            (_Lowering, told) if step is NativeLowering else (step, told)
            for step, told in made.passes
            if step.__name__ not in left_out
        ]
        made._finalized = False
        made.finalize()
        return [made]
