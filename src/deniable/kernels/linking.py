"""From LLVM's form of kernels to machine code: once, for what Python calls, with all that it calls inside.

Numba would optimize each kernel, then each of its callers with it inside, and turn all of them into machine code of
their own; with deep chains of kernels that is most of what LLVM does. Here a kernel that others call, and what numba
itself brings for `np.empty` and the like, is only tidied up and waits for the one that is optimized whole.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

from numba.core import codegen
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder

_binding: Any = codegen.ll
_LEVEL = 2  # of LLVM's optimizations; the third takes a quarter longer, and kernels are no faster
_NEEDLESS = (  # steps for what no kernel has: contexts, literals, inlined functions, sums of arrays; notes for readers
    "WithLifting", "InlineInlinables", "DeadBranchPrune", "FindLiterallyCalls", "LiteralUnroll", "NopythonRewrites",
    "LiteralPropagationSubPipelinePass", "InlineOverloads", "AnnotateTypes", "DumpParforDiagnostics",
)  # fmt: skip
_FOR_FUNCTIONS = ("InlineClosureLikes", "MakeFunctionToJitFunction")  # functions and comprehensions inside of a kernel


class _Tidied(JITCodeLibrary):  # type: ignore[misc]
    def _optimize_functions(self, ll_module: Any) -> None:
        """So much that there is less to link; all else is done to the whole."""
        ll_module.data_layout = self._codegen._data_layout
        builder = self._codegen._pass_builder()
        passes = _binding.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


class _Inside(_Tidied):
    """What others call."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == _binding.Linkage.external:
                function.linkage = "linkonce_odr"

    def _get_module_for_linking(self) -> Any:
        """With all that it calls, for a function of numba's that knows nothing of this."""
        whole = self._final_module.clone()
        for library in self._linking_libraries:
            whole.link_in(library._get_module_for_linking(), preserve=True)
        return whole


class _Whole(_Tidied):
    """What Python calls, with all that it calls, each of them once."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._inside: dict[_Inside, None] = {}

    def add_linking_library(self, library: Any) -> None:
        """Whoever calls comes before what it calls: LLVM takes only what is asked for by then."""
        if not isinstance(library, _Inside):
            super().add_linking_library(library)
        elif library not in self._inside:
            library._ensure_finalized()
            for further in library._linking_libraries:
                self.add_linking_library(further)
            self._inside[library] = None

    def finalize(self) -> None:
        for library in reversed(self._inside):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._final_module, preserve=True)
        super().finalize()

    def _optimize_final_module(self) -> None:
        codegen, whole = self._codegen, self._final_module
        first, builder = codegen._module_pass_manager(
            loop_vectorize=codegen._loopvect, slp_vectorize=False, opt=codegen._opt_level, cost="cheap"
        )  # as numba does, so that pairs of references that are counted up and down are seen
        first.run(whole, builder)
        then, builder = codegen._module_pass_manager(opt=_LEVEL)
        then.run(whole, builder)


class OfNumba(CompilerBase):  # type: ignore[misc]
    """Numba's way from a function to LLVM's form, into one of these libraries."""

    def define_pipelines(self) -> list[Any]:
        """All steps, in their order."""
        kind = _Inside if self.state.flags.no_compile else _Whole
        self.state.library = kind(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


class OfKernels(OfNumba):
    """The same without the steps that no kernel needs."""

    def define_pipelines(self) -> list[Any]:
        """Those that are left."""
        (made,) = super().define_pipelines()
        has_functions = any(isinstance(one, CodeType) for one in self.state.func_id.code.co_consts)
        left_out = _NEEDLESS if has_functions else (*_NEEDLESS, *_FOR_FUNCTIONS)
        made.passes = [step for step in made.passes if step[0].__name__ not in left_out]
        made._finalized = False
        made.finalize()
        return [made]
