"""``convert-nn-to-halide``: every kernel of the graph becomes a pipeline and a call of it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.halide.algorithm import PipelineOp
from autodeploy.dialects.nn.kernel import CallOp, KernelOp
from autodeploy.lowering.nn_to_halide.kernel import kernel_label, lower_kernel, signature


@dataclass(frozen=True)
class ConvertNnToHalidePass(ModulePass):
    """Lower each nn.kernel to a halide.pipeline (algorithm only) and call it.

    Kernels that compute the same share one pipeline. Names are made of the ops inside and a number.
    """

    name = "convert-nn-to-halide"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module in place."""
        known: dict[str, PipelineOp] = {}
        start = op.body.block.first_op
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            pipeline = lower_kernel(kernel, f"{kernel_label(kernel)}_{len(known)}")
            shared = known.setdefault(signature(pipeline), pipeline)
            if shared is pipeline:
                point = InsertPoint.before(start) if start else InsertPoint.at_end(op.body.block)
                Rewriter.insert_op(pipeline, point)
            types = [result.type for result in kernel.outputs]
            call = CallOp(shared.sym_name.data, list(kernel.inputs), types)
            call.location = kernel.location
            for old, new in zip(kernel.outputs, call.results, strict=True):
                new.name_hint = old.name_hint
            Rewriter.replace_op(kernel, call)
