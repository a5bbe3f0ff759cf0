"""A candidate: a kernel compiled by one config, and a program that times it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from autodeploy.codegen.halide.kernels import compile_pipelines
from autodeploy.codegen.halide.tables import pipelines_of
from autodeploy.diagnostics import ToolchainError
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.kernel import CallLikeOp, KernelOp
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    ELEMENT_NAMES,
    bounds_of,
    element_of,
    is_float,
)
from autodeploy.dialects.registry import new_context
from autodeploy.json_values import from_json, to_json
from autodeploy.lowering.nn_to_halide.convert_nn_to_halide import ConvertNnToHalidePass
from autodeploy.passes.halide.expand_prefetch_lines import expand_prefetch_lines
from autodeploy.passes.halide.schedule_kernels import ScheduleKernelsPass
from autodeploy.passes.kernels.pack_weights import PackWeightsPass
from autodeploy.passes.nn.fold_nn_constants import FoldNnConstantsPass
from autodeploy.records.record import parse_config
from autodeploy.runner.program import UNLIMITED, Job, Limits
from autodeploy.templates.registry import is_on_device
from autodeploy.tuning.device_candidate import device_source
from autodeploy.tuning.harness import (
    CANDIDATE_FILES,
    ON_DEVICE,
    RESULTS,
    SYMBOL,
    Buffer,
    Harness,
    Role,
)
from autodeploy.tuning.task import weights_file
from autodeploy.weights import WeightStore, constant_array, numpy_dtype

_DESCRIPTION = "description.json"

Array = npt.NDArray[np.generic]


@dataclass(frozen=True)
class Description:
    """The needs of a run of a candidate: the memory of the kernel, the elements of its results.

    ``threads`` is ``ON_DEVICE`` for a kernel of a device. A result has the name of its element
    type, and the number of its elements.
    """

    scratch_bytes: int
    worker_scratch_bytes: int
    threads: int
    results: tuple[tuple[str, int], ...]

    @staticmethod
    def load(folder: Path) -> Description:
        """Read the description that ``build_candidate`` wrote."""
        values = json.loads((folder / _DESCRIPTION).read_text())
        return from_json(Description, values, _DESCRIPTION)

    def job(self, between: int, limits: Limits, launcher: Sequence[str] = ()) -> Job:
        """Return how the program is run in its folder.

        ``between`` are the bytes that are touched from one call to the next.
        """
        memory = (self.scratch_bytes, self.worker_scratch_bytes)
        numbers = (*memory, self.threads, between, limits.batches)
        most = (str(min(seconds, 1e9)) for seconds in (limits.call, limits.batch))
        return Job(
            (*CANDIDATE_FILES, RESULTS, *map(str, numbers), *most),
            limits.run,
            UNLIMITED if self.threads == ON_DEVICE else limits.bytes,
            self.threads == 1,
            tuple(launcher),
            (RESULTS,),
        )


def build_candidate(tasks: Path, kernel: str, config: str, harness: Harness, folder: Path) -> None:
    """Compile a task's kernel by a config, and build the program that times it, in ``folder``.

    ``tasks`` is the folder to which tasks were saved. Raises a ``DiagnosticException`` if the
    config is not for the kernel, or if a compiler refuses it.
    """
    context = new_context()
    WeightStore.of(context).load(weights_file(tasks, kernel))
    text = (tasks / f"{kernel}.mlir").read_text(encoding="utf-8")
    module = Parser(context, text).parse_module()
    op = next(op for op in module.walk() if isinstance(op, KernelOp))
    op.config = parse_config(config)
    again = lower(context, module)
    machine = machine_of(module)
    (compiled,) = compile_pipelines(
        module, machine, directory=folder, symbols=dict.fromkeys(_names(module), SYMBOL)
    )
    call = next(op for op in module.walk() if isinstance(op, CallLikeOp))
    arrays = list(_arrays(context, call))
    inputs = [*arrays, *(arrays[index] for index in again)]
    own = [*range(len(arrays)), *again]
    buffers = [
        Buffer(Role.WEIGHTS if is_weights else Role.COMPUTED, array.nbytes, number, argument.type)
        for (is_weights, array), number, argument in zip(
            inputs, own, compiled.arguments, strict=False
        )
    ]
    for result, argument in zip(call.results, compiled.arguments[len(buffers) :], strict=True):
        size = prod(bounds_of(result.type)) * ELEMENT_BYTES[element_of(result.type)]
        buffers.append(Buffer(Role.RESULT, size, len(buffers), argument.type))
    values = [array for _, array in arrays]
    if compiled.device is None:
        harness.link(folder, compiled.files, buffers, values)
    else:
        api, sizes = machine.device_api, [buffer.bytes for buffer in buffers]
        source = device_source(api, call, compiled.device, sizes)
        harness.link_device(folder, api, source, buffers, values)
    results = tuple(
        (ELEMENT_NAMES[element_of(value.type)], prod(bounds_of(value.type)))
        for value in call.results
    )
    worker_scratch = compiled.worker_scratch_bytes
    threads = machine.cores if worker_scratch is not None else 1
    if compiled.device is not None:
        threads = ON_DEVICE
    description = Description(compiled.scratch_bytes, worker_scratch or 0, threads, results)
    (folder / _DESCRIPTION).write_text(json.dumps(to_json(description)))


def lower(context: Context, module: ModuleOp) -> Sequence[int]:
    """Lower a module with one configured kernel to a scheduled pipeline.

    Returns the numbers of the inputs that the pipeline takes a second time.
    """
    for step in (
        PackWeightsPass(),
        FoldNnConstantsPass(),
        ConvertNnToHalidePass(objects=True),
        CommonSubexpressionElimination(),
        ScheduleKernelsPass(),
    ):
        step.apply(context, module)
    (pipeline,) = pipelines_of(module)
    if is_on_device(pipeline.config):
        pipeline.on_device = UnitAttr()
    again = expand_prefetch_lines(pipeline)
    module.verify()
    return again


def _names(module: ModuleOp) -> list[str]:
    return [pipeline.sym_name.data for pipeline in pipelines_of(module)]


def _arrays(context: Context, call: CallLikeOp) -> Iterator[tuple[bool, Array]]:
    """Yield for each operand of a call whether it is constant, and its elements.

    Intermediate values of the network are random here, the same for all configs.
    """
    for number, value in enumerate(call.inputs):
        if isinstance(value.owner, CallLikeOp):
            raise ToolchainError("a kernel reads what another one computes")
        array = constant_array(context, value)
        yield array is not None, _random(value, number) if array is None else array


def _random(value: SSAValue, seed: int) -> Array:
    """Return elements for computed inputs: small ones, which overflow nowhere."""
    element: Attribute = element_of(value.type)
    random = np.random.default_rng(seed)
    shape = bounds_of(value.type)
    if is_float(element):
        return random.standard_normal(shape, np.float32).astype(numpy_dtype(element))
    return random.integers(0, 2, shape).astype(numpy_dtype(element))
