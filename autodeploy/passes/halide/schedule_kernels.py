"""``schedule-kernels``: every pipeline gets the schedule that its config says."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.schedule import ScheduleOp
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.machine import Machine
from autodeploy.templates.registry import is_on_device, template_of
from autodeploy.templates.unsafe_vectors import drop_unsafe_vectors
from autodeploy.templates.view import ScheduledPipeline

PLAIN = ConfigAttr("plain")


class ScheduleKernelsPass(ModulePass):
    """Write the halide.schedule of every halide.pipeline for the machine of the module.

    The template is that of the pipeline's config; without one it is the plain one. Whether a config
    fits was checked when its kernel was lowered, so a pipeline that has a schedule gets no other.
    """

    name = "schedule-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        machine = machine_of(op)
        for pipeline in [p for p in op.body.block.ops if isinstance(p, PipelineOp)]:
            name, config = pipeline.sym_name.data, pipeline.config or PLAIN
            if any(isinstance(part, ScheduleOp) for part in pipeline.body.block.ops):
                raise PassFailedException(
                    f"@{name} has a schedule; another config is given before convert-nn-to-halide, "
                    "which checks it"
                )
            try:
                _schedule(pipeline, config, machine)
            except (LookupError, ValueError, ArithmeticError) as error:
                raise PassFailedException(f"@{name} was not lowered for {config}") from error


def _schedule(op: PipelineOp, config: ConfigAttr, machine: Machine) -> None:
    pipeline = ScheduledPipeline(op)
    tiles_one = config.template_name != PLAIN.template_name and not is_on_device(config)
    if len(pipeline.outputs) > 1 and tiles_one:
        raise PassFailedException(
            f"@{op.sym_name.data} has {len(pipeline.outputs)} outputs: only the plain "
            f"template is for it, found {config}"
        )
    template_of(config.template_name).schedule(pipeline, config, machine)
    drop_unsafe_vectors(pipeline)
    op.body.block.add_op(ScheduleOp(pipeline.block))
