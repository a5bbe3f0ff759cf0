"""``schedule-kernels``: every pipeline gets the schedule of its kind of kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.machine import machine_of
from autodeploy.machine import Machine
from autodeploy.templates.attention import schedule_attention
from autodeploy.templates.copy import schedule_copy
from autodeploy.templates.direct_conv import schedule_direct_conv
from autodeploy.templates.gemm import schedule_gemm, schedule_gemv
from autodeploy.templates.lrn import schedule_lrn
from autodeploy.templates.plain import schedule_plain, schedule_roots
from autodeploy.templates.row import schedule_row
from autodeploy.templates.row_bands import schedule_row_bands
from autodeploy.templates.view import PipelineView, ScheduleBuilder
from autodeploy.templates.window import schedule_window
from autodeploy.templates.winograd import schedule_winograd

Template: TypeAlias = Callable[[PipelineView, ScheduleBuilder, Machine], None]

TEMPLATES: dict[str, Template] = {
    "copy": schedule_copy,
    "depthwise_conv": schedule_window,
    "window": schedule_window,
    "direct_conv": schedule_direct_conv,
    "grouped_conv": schedule_direct_conv,
    "conv_transpose": schedule_direct_conv,
    "gemm": schedule_gemm,
    "gemv": schedule_gemv,
    "softmax": schedule_row,
    "normalise": schedule_row,
    "lrn": schedule_lrn,
    "reduce": schedule_row,
    "winograd_2": schedule_winograd,
    "winograd_4": schedule_winograd,
    "row_bands": schedule_row_bands,
    "attention": schedule_attention,
}
"""The template of each algorithm; the others take the plain one."""


@dataclass(frozen=True)
class ScheduleKernelsPass(ModulePass):
    """Write the halide.schedule of every halide.pipeline for the machine of the module.

    A schedule that is there is replaced. With ``plain`` every kernel takes the plain template.
    """

    name = "schedule-kernels"

    plain: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Schedule all pipelines of the module."""
        machine = machine_of(op)
        for pipeline in [p for p in op.body.block.ops if isinstance(p, PipelineOp)]:
            view, builder = PipelineView(pipeline), ScheduleBuilder()
            kind = "" if pipeline.algorithm is None else pipeline.algorithm.data
            template = schedule_plain if self.plain else TEMPLATES.get(kind, schedule_plain)
            if len(view.outputs) > 1:
                template = schedule_roots  # the templates tile a single output
            template(view, builder, machine)
            builder.finish(pipeline)
