"""Which function lowers which nn op.

A lowering takes the builder, the op and the values of its operands, and returns the value of its
result. ``@lowers(ConvOp)`` enters it for a class of ops and those derived from it, unless one of
them has another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NoReturn, TypeAlias, TypeVar

from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from autodeploy.dialects.locations import node_text
from autodeploy.dialects.nn.base import NNOp
from autodeploy.lowering.nn_to_halide.kernel_builder import KernelBuilder, Value

Op = TypeVar("Op", bound=NNOp)
Lowering: TypeAlias = Callable[[KernelBuilder, Any, Sequence[Value]], Value]

_LOWERINGS: dict[type, Lowering] = {}


def lowers(
    *ops: type[Op],
) -> Callable[
    [Callable[[KernelBuilder, Op, Sequence[Value]], Value]],
    Callable[[KernelBuilder, Op, Sequence[Value]], Value],
]:
    """Enter the decorated function as the lowering of these ops."""

    def enter(
        lowering: Callable[[KernelBuilder, Op, Sequence[Value]], Value],
    ) -> Callable[[KernelBuilder, Op, Sequence[Value]], Value]:
        for op in ops:
            _LOWERINGS[op] = lowering
        return lowering

    return enter


@cache
def _load() -> None:
    """Import the modules of this package, which register their lowerings."""
    for module in iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")


def lower(builder: KernelBuilder, op: NNOp, operands: Sequence[Value]) -> Value:
    """Lower one op; raises ``PassFailedException`` if no lowering is entered for it."""
    _load()
    for kind in type(op).__mro__:
        if kind in _LOWERINGS:
            return _LOWERINGS[kind](builder, op, operands)
    fail(op, "has no lowering to Halide")


def fail(op: Operation, problem: str) -> NoReturn:
    """Raise ``PassFailedException`` that names the op and the ONNX node it came from."""
    message = f"'{op.name}' op{node_text(op)} {problem}"
    op.emit_error(message, PassFailedException(message))
