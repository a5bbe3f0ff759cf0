"""Invariants of a module after each stage of the pipeline, and their check.

A contract is a tuple of invariants. Each says in one sentence what holds of every op; the pages of
passes and stages print these sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation
from xdsl.traits import get_effects
from xdsl.utils.exceptions import VerifyException

from autodeploy.analysis.live_ranges import scratch_blocks
from autodeploy.dialects.driver import BufferOp, ProgramOp, WeightOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.prefetch import PrefetchLineOp
from autodeploy.dialects.halide.schedule import ScheduleOp
from autodeploy.dialects.machine import MACHINE_ATTRIBUTE
from autodeploy.dialects.nn.base import AnchorOp, NNOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_FIRST
from autodeploy.dialects.nn.movement import is_left_to_driver


@dataclass(frozen=True)
class Invariant:
    """One thing that holds of all ops of a module.

    ``text`` says it in a sentence without a full stop; ``broken`` tells whether an op breaks it.
    """

    text: str
    broken: Callable[[Operation], bool]


def check_contract(module: ModuleOp, stage: str) -> None:
    """Raise ``VerifyException`` for the first op that breaks an invariant of ``stage``."""
    invariants = CONTRACTS[stage]
    for op in module.walk():
        for invariant in invariants:
            if invariant.broken(op):
                raise VerifyException(
                    f"{op.name} breaks the contract of stage '{stage}': {invariant.text}"
                )


def _is_outermost(op: Operation) -> bool:
    return isinstance(op.parent_op(), ModuleOp)


def _is_in(op: Operation, *dialects: str) -> bool:
    return op.dialect_name() in dialects


def _is_unused(op: Operation) -> bool:
    used = not op.results or any(result.uses for result in op.results)
    return not used and not get_effects(op)


def _is_dynamic(op: Operation) -> bool:
    arguments = (arg for region in op.regions for block in region.blocks for arg in block.args)
    types = [value.type for value in (*op.results, *arguments)]
    return any(not isinstance(type_, TensorType) or not type_.has_static_shape() for type_ in types)


def _is_outside(op: Operation) -> bool:
    return (
        isinstance(op, NNOp)
        and not isinstance(op.parent_op(), KernelOp)
        and not is_left_to_driver(op)
    )


def _has_one_schedule(pipeline: PipelineOp) -> bool:
    return sum(isinstance(op, ScheduleOp) for op in pipeline.body.block.ops) == 1


_MAIN_ALONE = Invariant(
    "the module holds `@main` and nothing else",
    lambda op: _is_outermost(op) and not (isinstance(op, FuncOp) and op.sym_name.data == "main"),
)
_MODEL_OPS = Invariant(
    "constants are `nn.constant`, all other ops are of the onnx dialect, or of nn in tmfiles",
    lambda op: (
        not isinstance(op, ModuleOp | FuncOp | ReturnOp | ConstantOp)
        and not _is_in(op, "onnx", "nn")
    ),
)
_USED = Invariant("every result is used, but for those of calls that check", _is_unused)

_CONFIGURED = (
    Invariant(
        "the module names its machine",
        lambda op: isinstance(op, ModuleOp) and MACHINE_ATTRIBUTE not in op.attributes,
    ),
    Invariant("every op but constants, views, concats and transposes is in a kernel", _is_outside),
    Invariant(
        "every kernel has a config",
        lambda op: isinstance(op, KernelOp) and op.config is None,
    ),
)

CONTRACTS: Mapping[str, tuple[Invariant, ...]] = {
    "import": (_MAIN_ALONE, _MODEL_OPS),
    "onnx": (_MAIN_ALONE, _MODEL_OPS),
    "nn": (
        _MAIN_ALONE,
        Invariant("no op of onnx is left", lambda op: _is_in(op, "onnx")),
        Invariant("every value is a tensor of static shape", _is_dynamic),
        _USED,
    ),
    "simplified": (_USED,),
    "layouts": (
        _USED,
        Invariant(
            "windows read channels last, or few planes",
            lambda op: (
                isinstance(op, AnchorOp)
                and op.WANTS_CHANNELS_LAST
                and op.properties["layout"] == CHANNELS_FIRST
            ),
        ),
    ),
    "fused": (
        Invariant(
            "every result is used, but for those of constants and of calls that check",
            lambda op: not isinstance(op, ConstantOp) and _is_unused(op),
        ),
    ),
    "configured": _CONFIGURED,
    "kernels": _CONFIGURED,
    "halide": (
        Invariant(
            "the module holds pipelines and a `driver.program`",
            lambda op: _is_outermost(op) and not isinstance(op, PipelineOp | ProgramOp),
        ),
        Invariant("no op of nn is left", lambda op: _is_in(op, "nn")),
        Invariant(
            "every pipeline has a config",
            lambda op: isinstance(op, PipelineOp) and op.config is None,
        ),
        Invariant(
            "every pipeline has a schedule",
            lambda op: isinstance(op, PipelineOp) and not _has_one_schedule(op),
        ),
        Invariant("no `halide.prefetch_line` is left", lambda op: isinstance(op, PrefetchLineOp)),
    ),
    "driver": (
        Invariant(
            "every weight and every buffer has an offset",
            lambda op: isinstance(op, WeightOp | BufferOp) and op.offset is None,
        ),
        Invariant(
            "every call of a kernel with scratch memory has an offset for it",
            lambda op: (
                isinstance(op, ProgramOp)
                and any(call.scratch is None for call in scratch_blocks(op))
            ),
        ),
        Invariant(
            "the sizes of the arena and of the weights are known",
            lambda op: (
                isinstance(op, ProgramOp) and (op.arena_bytes is None or op.weight_bytes is None)
            ),
        ),
    ),
}
"""The contract of each stage, and of the import before the first."""
