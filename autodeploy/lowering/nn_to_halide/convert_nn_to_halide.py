"""``convert-nn-to-halide``: every kernel of the graph becomes a pipeline and a call of it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.halide.pipeline import HOST_REASON, PipelineOp
from autodeploy.dialects.halide.strict import computes_from_extents, weighs_coordinates
from autodeploy.dialects.halide.types import FuncType
from autodeploy.dialects.machine import find_machine, machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import CallOp, KernelOp
from autodeploy.lowering.nn_to_halide.kernel import kernel_label, lower_kernel, outline, signature
from autodeploy.machine import Machine
from autodeploy.machine.devices import DEVICES
from autodeploy.templates.fitting import check_whole
from autodeploy.templates.registry import PLAIN, is_on_device


@dataclass(frozen=True)
class ConvertNnToHalidePass(ModulePass):
    """Lower each nn.kernel to a halide.pipeline (its algorithm alone) and call it.

    Kernels that compute the same share one pipeline. Names are made of the ops inside and a number.
    The result of each op is rounded to its type. ``objects`` says that kernels become object code,
    where products and sums are one instruction if the machine has any. A config that does not fit
    its kernel, for the machine of the module, is an error.
    """

    name = "convert-nn-to-halide"

    objects: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module in place."""
        known: dict[Hashable, list[PipelineOp]] = {}
        lowered: dict[Hashable, PipelineOp] = {}
        machine = find_machine(op)
        fuses = self.objects and machine is not None and machine.fuses
        start = op.body.block.first_op
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            key = _content(kernel)
            shared = lowered.get(key)
            if shared is None:
                if machine is not None or any(kernel.config or ()):
                    _check_config(kernel, machine_of(op))
                name = f"{kernel_label(kernel)}_{sum(map(len, known.values()))}"
                pipeline = lower_kernel(kernel, name, fuses)
                placed = is_on_device(kernel.config)
                if placed and _stays_on_host(kernel, pipeline, machine_of(op)):
                    pipeline = lower_kernel(kernel, name, fuses)
                alike = known.setdefault(outline(pipeline), [])
                equal = (other for other in alike if signature(other) == signature(pipeline))
                shared = lowered[key] = next(equal, pipeline)
                if shared is pipeline:
                    alike.append(pipeline)
                    end = InsertPoint.at_end(op.body.block)
                    Rewriter.insert_op(pipeline, InsertPoint.before(start) if start else end)
            types = [result.type for result in kernel.outputs]
            call = CallOp(shared.sym_name.data, list(kernel.inputs), types)
            call.location = kernel.location
            for old, new in zip(kernel.outputs, call.results, strict=True):
                new.name_hint = old.name_hint
            Rewriter.replace_op(kernel, call)


def _stays_on_host(kernel: KernelOp, pipeline: PipelineOp, machine: Machine) -> bool:
    """Return whether the device cannot run a kernel, and leave it to the processor then.

    Some ops compute in a type that it lacks. Halide may know floats that follow from coordinates,
    and would pass them to the kernel at each start.
    """
    values = (value for op in pipeline.walk() for value in op.results)
    types = {str(value.type) for value in values if not isinstance(value.type, FuncType)}
    missing = sorted(types - DEVICES[machine.device].elements)
    reason = f"it computes in {missing[0]}" if missing else None
    if any(map(weighs_coordinates, pipeline.walk())):
        reason = "it computes floats from coordinates"
    if any(map(computes_from_extents, pipeline.walk())):
        reason = "it computes floats from extents"
    if reason is not None:
        kernel.config = ConfigAttr(PLAIN)
        kernel.attributes[HOST_REASON] = StringAttr(reason)
    return reason is not None


def _check_config(kernel: KernelOp, machine: Machine) -> None:
    try:
        check_whole(kernel, machine)
    except VerifyException as error:
        name = kernel.outputs[0].name_hint if kernel.outputs else None
        text = f"kernel '{name}': {error}" if name else str(error)
        kernel.emit_error(text, VerifyException(text))


def _content(kernel: KernelOp) -> Hashable:
    """Return a key that two kernels share only if they compute the same.

    It has no names and no locations.

    Attributes count as they are printed: 0.0 and -0.0 compare as equal.
    """
    numbers: dict[SSAValue, int] = {}

    def number(values: Sequence[SSAValue]) -> tuple[Attribute, ...]:
        for value in values:
            numbers[value] = len(numbers)
        return tuple(value.type for value in values)

    content: list[Hashable] = [str(kernel.config), number(kernel.body.block.args)]
    for op in kernel.body.block.ops:
        attributes = {**op.attributes, **op.properties}
        content.append(
            (
                op.name,
                tuple(numbers[operand] for operand in op.operands),
                tuple((name, str(attributes[name])) for name in sorted(attributes)),
                number(op.results),
            )
        )
    return tuple(content)
