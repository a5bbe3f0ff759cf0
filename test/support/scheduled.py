"""Kernels of the nn dialect as the halide pipelines that a machine gets, and what Halide lowers."""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from autodeploy.codegen.halide.objects import PipelineObjects, halide
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.registry import new_context
from autodeploy.lowering.nn_to_halide.convert_nn_to_halide import ConvertNnToHalidePass
from autodeploy.machine import Machine
from autodeploy.passes.halide.expand_prefetch_lines import ExpandPrefetchLinesPass
from autodeploy.passes.halide.schedule_kernels import ScheduleKernelsPass
from autodeploy.passes.kernels.configure_kernels import ConfigureKernelsPass
from autodeploy.passes.kernels.pack_weights import PackWeightsPass
from autodeploy.passes.kernels.set_machine import SetMachinePass
from autodeploy.passes.nn.fold_nn_constants import FoldNnConstantsPass


def scheduled(text: str, machine: str) -> ModuleOp:
    """Return the module of a function of kernels, with their weights packed, scheduled."""
    context = new_context()
    module = Parser(context, text).parse_module()
    for step in (
        SetMachinePass(machine=machine),
        ConfigureKernelsPass(),
        PackWeightsPass(),
        FoldNnConstantsPass(),
        ConvertNnToHalidePass(),
        ScheduleKernelsPass(),
        ExpandPrefetchLinesPass(),
    ):
        step.apply(context, module)
    module.verify()
    return module


def lowered(pipeline: PipelineOp, machine: str, folder: Path) -> str:
    """Return the program that Halide makes of a pipeline, before it becomes code."""
    objects, file = PipelineObjects(pipeline), folder / "kernel.stmt"
    halide().Pipeline(objects.outputs).compile_to(
        {halide().OutputFileType.stmt: str(file)},
        objects.inputs,
        "kernel",
        halide().Target(Machine.parse(machine).kernel_target()),
    )
    return file.read_text()
