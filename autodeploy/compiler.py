"""From a model file to a bundle: import, pipeline, kernels, files."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from autodeploy.analysis.memory_map import memory_map
from autodeploy.codegen.bundle.bundle import Variant, write_bundle_of
from autodeploy.codegen.bundle.folder import check_dump, check_target
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.c.names import c_identifier
from autodeploy.codegen.c.read_program import find_program
from autodeploy.codegen.halide.source import emit_source
from autodeploy.compilation import Compilation, Progress
from autodeploy.diagnostics import UserError
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.last_elements import keep_last
from autodeploy.frontend.models import AnyModel, source_of
from autodeploy.frontend.open_sizes import NamedRange, combinations, part_name
from autodeploy.frontend.stage_text import is_stage_text, read_stage_text
from autodeploy.frontend.states import give_rows
from autodeploy.machine import Machine
from autodeploy.machine.several import parse_machines
from autodeploy.options import CompileOptions, options_of_text
from autodeploy.passes.driver.share_weights import ShareWeightsPass
from autodeploy.precision import precision_of_processor


@dataclass
class Report:
    """The report of a compilation: seconds a pass in order, the programs, the manifest."""

    seconds: list[tuple[str, float]]
    programs: list[tuple[str, ModuleOp]]
    """The name of each program, empty if there is one, and its module."""
    manifest: Manifest

    @property
    def memory_map(self) -> str:
        """Return the maps of all programs as text."""
        maps = ((name, memory_map(find_program(module))) for name, module in self.programs)
        return "\n\n".join(f"{name}\n{text}".lstrip("\n") for name, text in maps)


def compile_model(
    model: AnyModel,
    folder: str | Path,
    options: CompileOptions | None = None,
    progress: Progress | None = None,
) -> Report:
    """Compile a model into a bundle: an ONNX file or a tmfile by its path, its bytes, a ModelProto.

    A file whose name ends in ``.mlir`` has the IR of a stage, up to ``kernels``, and is compiled
    from there.

    Raises ``UserError`` for a model, an option or a folder that is no good; then nothing is
    written.
    """
    source, chosen = source_of(model), options or CompileOptions()
    check_target(Path(folder))
    if chosen.dump_ir is not None:
        check_dump(chosen.dump_ir, Path(folder))
    context, text = new_context(), None
    if is_stage_text(source):
        text = read_stage_text(context, Path(str(source)), chosen.stage)
        chosen = options_of_text(chosen, text)
    choices = _choices(chosen)  # a mistake in it is told before any work
    tell: Progress = progress or _silent
    with tempfile.TemporaryDirectory() as objects:
        if len(choices) > 1:
            if chosen.pools or chosen.max_ram is not None or chosen.max_flash is not None:
                raise UserError(f"limits of memory are for one program, found {len(choices)}")
            return _compile_several(source, Path(folder), chosen, choices, tell, Path(objects))
        work = Compilation(chosen, tell, Path(objects), choices[0].ranges, context, text=text)
        (module,) = _lowered([work], source)
        work.check_limits(module)
        manifest = work.write(module, Path(folder))
    return Report(work.seconds, [("", module)], manifest)


def _silent(what: str, done: int, total: int) -> None:
    """Report to nobody."""


@dataclass(frozen=True)
class _Choice:
    """One of several programs: its name, its machine, and the ranges of its open extents."""

    name: str
    machine: str
    ranges: Sequence[NamedRange] = ()
    is_part: bool = False
    """Whether the ranges are a part of those of the bundle."""


def _choices(options: CompileOptions) -> list[_Choice]:
    """Return the programs among which a bundle chooses, one where there is no choice."""
    machines = parse_machines(options.machine)
    specs = options.open_specs
    parts = combinations(specs)
    for machine in machines.values():
        if specs and machine.is_page and machine.device:
            raise UserError(f"device '{machine.device}' is not supported with open extents")
    if options.following and not specs:
        raise UserError(
            f"extent '{options.following[0].names[0]}' follows from others, but none stays open"
        )
    if len(machines) > 1:
        if len(parts) > 1:
            raise UserError(
                f"parts of open extents are for one machine, found {len(machines)}; name one"
            )
        if options.emit == "c":
            raise UserError(
                "kernels as C++ (--emit c) are compiled with the options of one machine, found "
                f"{len(machines)} machines; name one, or take object files"
            )
        (ranges,) = parts
        return [_Choice(str(machine), text, ranges) for text, machine in machines.items()]
    is_part = len(parts) > 1
    return [_Choice(part_name(ranges), options.machine, ranges, is_part) for ranges in parts]


def _compile_several(
    model: str | Path | bytes,
    folder: Path,
    options: CompileOptions,
    choices: Sequence[_Choice],
    progress: Progress,
    objects: Path,
) -> Report:
    """Compile several programs for a model, into one bundle."""
    works: list[Compilation] = []
    seconds: list[tuple[str, float]] = []
    context, first = new_context(), Machine.parse(choices[0].machine)
    for index, choice in enumerate(choices):
        name = choice.name
        dump = None if options.dump_ir is None else options.dump_ir / c_identifier(name)

        def tell(what: str, done: int, total: int, before: int = index) -> None:
            progress(what, before * total + done, len(choices) * total)

        precision = options.precision
        if first.device and not Machine.parse(choice.machine).device:
            precision = precision_of_processor(precision)
        chosen = replace(options, machine=choice.machine, precision=precision, dump_ir=dump)
        works.append(
            Compilation(
                chosen,
                tell,
                objects / str(index),
                choice.ranges,
                context,
                None if first.is_page else name,
                for_page=first.is_page,
                is_part=choice.is_part,
            )
        )
    modules = _lowered(works, model)
    for choice, work in zip(choices, works, strict=True):
        seconds += ((f"{choice.name}: {what}", taken) for what, taken in work.seconds)
    programs = [(choice.name, module) for choice, module in zip(choices, modules, strict=True)]
    if first.is_page:
        (page, wasm), (of_page, of_wasm) = works, modules
        manifest = page.write(of_page, folder, lambda inner: wasm.write(of_wasm, inner))
        return Report(seconds, programs, manifest)
    ShareWeightsPass().apply(context, ModuleOp([*modules]))
    start = time.perf_counter()
    parts = [
        Variant(
            module, work.kernels, {f"op_gen_{c_identifier(choice.name)}.cpp": emit_source(module)}
        )
        for module, work, choice in zip(modules, works, choices, strict=True)
    ]
    manifest = write_bundle_of(context, parts, folder, works[0].bundle_options(modules[0]))
    seconds.append(("write bundle", time.perf_counter() - start))
    return Report(seconds, programs, manifest)


def _lowered(works: Sequence[Compilation], model: str | Path | bytes) -> list[ModuleOp]:
    """Return the planned modules of programs for a model.

    If it has states, all programs are in nn before one of them goes on: they share the memory.
    """
    options = works[0].options
    if options.state is None and not options.last:
        return [work.lower(model) for work in works]
    modules = [work.lower(model, until="nn") for work in works]
    give_rows(modules)
    for module in modules:
        keep_last(module, options.last)
    for work, module in zip(works, modules, strict=True):
        work.lower(module)
    return modules
