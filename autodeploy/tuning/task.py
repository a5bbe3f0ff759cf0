"""Tasks of a search: the distinct kernels of a model, each with its templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException, VerifyException

from autodeploy.compiler import CompileOptions
from autodeploy.diagnostics import ModelError, UserError
from autodeploy.dialects.machine import MACHINE_ATTRIBUTE, machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.models import import_any_model
from autodeploy.frontend.onnx.open_inputs import open_inputs
from autodeploy.machine import Machine
from autodeploy.passes.kernels.apply_records import ApplyRecordsPass, is_exact
from autodeploy.passes.kernels.configure_kernels import ConfigureKernelsPass, completed
from autodeploy.pipelines import stages, winograd_use
from autodeploy.records.signature import machine_text, signature, title
from autodeploy.templates.registry import device_templates, is_on_device, templates_by_rank
from autodeploy.templates.space import Space
from autodeploy.weights import WeightStore, used_keys


@dataclass
class Task:
    """A kernel of a model, ``count`` times in it.

    ``module`` holds it alone, as the result of a function of its operands; constants are in it.
    ``templates`` are those that may compute it, with their knobs; ``rule`` is what the rules
    choose. ``bytes`` are those of all operands and results.
    """

    kernel: str
    title: str
    machine: Machine
    module: ModuleOp
    op: KernelOp
    templates: Mapping[str, Space]
    rule: ConfigAttr
    winograd: bool
    bytes: int
    count: int = 1
    machine_text: str = field(init=False)

    def __post_init__(self) -> None:
        self.machine_text = machine_text(self.machine)

    @property
    def size(self) -> int:
        """Return how many points the space has, those with conflicts included."""
        return sum(prod(map(len, space.values())) for space in self.templates.values())

    def completed(self, config: ConfigAttr, like: Machine | None = None) -> ConfigAttr | None:
        """Return a config with all its knobs; ``None`` if it is not for this kernel.

        Rules choose those that it lacks, as they do for the machine ``like`` where that is given.
        """
        try:
            if like is not None:
                config = completed(config, self.op, like)
            found = completed(config, self.op, self.machine)
        except (PassFailedException, VerifyException):
            return None
        return found if self.winograd or is_exact(found) else None


@dataclass(frozen=True)
class Network:
    """The tasks of a model, and the context that holds its weights."""

    context: Context
    tasks: Sequence[Task]

    @property
    def bytes(self) -> int:
        """Return the bytes that one run of the network touches, as a sum over its kernels."""
        return sum(task.count * task.bytes for task in self.tasks)

    def save(self, task: Task, folder: Path) -> None:
        """Write the module of a task and its weights, by the kernel's signature."""
        (folder / f"{task.kernel}.mlir").write_text(str(task.module), encoding="utf-8")
        WeightStore.of(self.context).save(weights_file(folder, task.kernel), used_keys(task.module))


def weights_file(folder: Path, kernel: str) -> Path:
    """Return the file of the weights of a task."""
    return folder / f"{kernel}.safetensors"


def extract_tasks(model: str | Path | bytes, options: CompileOptions) -> Network:
    """Return the distinct kernels of a model, as they are before they are configured.

    With products of bfloat16 some have a config, which told the kernels whose factors are rounded.
    The records of the options say which kernels become one, not how they are computed. Raises
    ``UserError`` as a compilation does.
    """
    context, module, step = run_until(ConfigureKernelsPass, model, options)
    return Network(context, _tasks(context, module, step))


_Pass = TypeVar("_Pass", bound=ModulePass)


def run_until(
    kind: type[_Pass], model: str | Path | bytes, options: CompileOptions
) -> tuple[Context, ModuleOp, _Pass]:
    """Return a model as it is before the last pass of a kind, and that pass.

    Configs of records are not applied. Raises ``UserError`` as a compilation does.
    """
    if options.level < 2:
        raise UserError(f"levels 2 and 3 can be tuned, found {options.level}")
    context = new_context()
    module = import_any_model(
        context,
        model,
        shapes=options.shapes,
        dims=options.dims,
        values=options.values,
        bounds=options.bounds,
        operators=options.operators,
        widen_f16=options.widen_f16,
    )
    if (text := open_inputs(module)) is not None:
        raise ModelError(text)
    winograd = winograd_use(options.level, options.winograd)
    found = stages(
        options.level,
        options.machine,
        winograd,
        threads=options.threads,
        flush_subnormals=options.flush_subnormals,
        precision=options.precision,
        records=None if options.records is None else str(options.records),
    )
    passes = [step for stage in found for step in stage.passes]
    number, last = [(n, step) for n, step in enumerate(passes) if isinstance(step, kind)][-1]
    for step in passes[:number]:
        if not isinstance(step, ApplyRecordsPass):
            step.apply(context, module)
    return context, module, last


def _tasks(context: Context, module: ModuleOp, configure: ConfigureKernelsPass) -> list[Task]:
    found: dict[str, Task] = {}
    for kernel in [op for op in module.walk() if isinstance(op, KernelOp)]:
        digest = signature(kernel)
        if digest in found:
            found[digest].count += 1
            continue
        alone = _alone(kernel, module)
        copy = alone.clone()
        configure.apply(context, copy)
        rule, op = _kernel(copy).config, _kernel(alone)
        assert rule is not None
        found[digest] = Task(
            digest,
            title(kernel),
            machine_of(module),
            alone,
            op,
            _templates(op, machine_of(module), configure.winograd),
            rule,
            configure.winograd,
            sum(map(_bytes, (*kernel.operands, *kernel.results))),
        )
    return list(found.values())


def _templates(kernel: KernelOp, machine: Machine, winograd: bool) -> dict[str, Space]:
    """Return the templates that may compute a kernel; of a config that is there it is its own."""
    on_device = is_on_device(kernel.config)
    # A processor's kernel with a config is several that became one. No search rounds factors.
    is_kept = kernel.config is not None and (not on_device or not is_exact(kernel.config))
    given = kernel.config.template_name if kernel.config is not None and is_kept else None
    return {
        name: template.space(kernel, machine)
        for name, template in (device_templates() if on_device else templates_by_rank())
        if (given is None or name == given)
        and template.runs_on(machine)
        and (template.exact or name == given or (winograd and not on_device))
        and template.applies(kernel)
    }


def _alone(kernel: KernelOp, module: ModuleOp) -> ModuleOp:
    """Return a module with a function that computes a kernel from its operands."""
    variable = [v for v in dict.fromkeys(kernel.operands) if not isinstance(v.owner, ConstantOp)]
    block = Block(arg_types=[value.type for value in variable])
    mapped: dict[SSAValue, SSAValue] = dict(zip(variable, block.args, strict=True))
    for value in dict.fromkeys(kernel.operands):
        if isinstance(value.owner, ConstantOp):
            copy = value.owner.clone()
            block.add_op(copy)
            mapped[value] = copy.result
    clone = kernel.clone(mapped)
    block.add_ops([clone, ReturnOp(*clone.results)])
    types = [value.type for value in variable], [result.type for result in kernel.results]
    function = FuncOp("candidate", FunctionType.from_lists(*types), Region(block))
    return ModuleOp([function], {MACHINE_ATTRIBUTE: module.attributes[MACHINE_ATTRIBUTE]})


def _kernel(module: ModuleOp) -> KernelOp:
    return next(op for op in module.walk() if isinstance(op, KernelOp))


def _bytes(value: SSAValue) -> int:
    return prod(bounds_of(value.type)) * ELEMENT_BYTES[element_of(value.type)]
