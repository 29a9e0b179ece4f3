"""How compiled functions come to call each other, so that nothing is optimised twice.

Left to itself, numba optimises every function together with all that it calls, turns all of that into machine code, and does
it again for each caller: at the end of a long chain of calls the work has grown with the square of its length. Here

- a helper is neither optimised nor turned into machine code by itself, only as a part of the kernels that call it;
- a kernel calls another one at its address, under a name that is the same in every process, since a kernel that was kept in
  one process finds there what it calls in the next.

Knows: the inner parts of numba that link libraries of code and register what can be called.
Does not know: which functions there are, where they are kept.
"""

from collections.abc import Callable
from copy import copy
from typing import Any

from llvmlite.binding import add_symbol
from numba.core import codegen, compiler

_Library: Any = codegen.JITCodeLibrary
_Compiler: Any = compiler.Compiler


class _NoMemory:
    """Stands for the memory of machine code where there is none."""

    @staticmethod
    def set_env(_name: str, _environment: object) -> None:
        """Nothing: a helper is never called from Python."""


class _LinkedOnly(_Library):  # type: ignore[misc]
    """Code that is kept as it is, with all that it calls, for a kernel to take in."""

    codegen = _NoMemory

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class HelperCompiler(_Compiler):  # type: ignore[misc]
    """The pipeline of numba for functions that are called by compiled ones only."""

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Compile `function` as numba does, into code that is only linked."""
        self.state.library = _LinkedOnly(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


def call_by_address(dispatcher: Any, name: str) -> None:
    """Have what is compiled from now on call this kernel at its address, instead of taking a copy of its code in.

    `name` is what the callers' machine code knows it by.
    """
    (compiled,) = dispatcher.overloads.values()
    add_symbol(name, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
    described = copy(compiled.fndesc)
    described.mangled_name = name
    context = compiled.target_context
    context.remove_user_function(compiled.entry_point)
    context.insert_user_function(compiled.entry_point, described)
