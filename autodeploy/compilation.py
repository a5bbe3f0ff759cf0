"""One run of the compiler: from a model, or the text of a stage, to a program and its kernels."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from autodeploy.analysis.contracts import check_contract
from autodeploy.analysis.memory_limits import check_limits
from autodeploy.codegen.bundle.bundle import BundleOptions, write_bundle
from autodeploy.codegen.bundle.code_bytes import code_bytes
from autodeploy.codegen.bundle.dump import Dump
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.bundle.weight_source import check_embeddable
from autodeploy.codegen.c.header import memory_sizes
from autodeploy.codegen.c.names import model_prefix
from autodeploy.codegen.c.program import MAX_THREADS
from autodeploy.codegen.c.read_program import find_program, read_program, symbols_of
from autodeploy.codegen.halide.compile_kernels import CompileKernelsPass, record_kernels
from autodeploy.codegen.halide.kernel_cache import user_cache
from autodeploy.codegen.halide.kernels import CompiledKernel, compile_pipelines, kernel_form
from autodeploy.codegen.halide.source import emit_source
from autodeploy.codegen.js.whole_device import check_whole_device
from autodeploy.diagnostics import ModelError, UnsupportedError, UserError
from autodeploy.dialects.driver.part import PART_ATTRIBUTE
from autodeploy.dialects.extents import Undecided
from autodeploy.dialects.machine import find_machine, machine_of
from autodeploy.dialects.nn.open_extent import EXTENT_ATTRIBUTE
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.models import import_any_model
from autodeploy.frontend.onnx.description import (
    doc_string_of,
    metadata_of,
    opsets_of,
    producer_of,
    rounds_rows,
)
from autodeploy.frontend.onnx.foreign_operators import give_operators
from autodeploy.frontend.onnx.open_inputs import open_inputs
from autodeploy.frontend.open_sizes import NamedRange, OpenSizes, part_attr
from autodeploy.frontend.problems import report
from autodeploy.frontend.stage_text import StageText
from autodeploy.frontend.states import append_caches, mark_states
from autodeploy.lowering.onnx_to_nn.missing import missing_operators
from autodeploy.machine import Machine
from autodeploy.machine.host import usable_cores
from autodeploy.options import CompileOptions
from autodeploy.passes.fusion.apply_patterns import ApplyPatternsPass
from autodeploy.passes.fusion.integer_use import integer_use
from autodeploy.passes.fusion.pdl.executor import load_patterns
from autodeploy.passes.fusion.use_integers import UseIntegersPass
from autodeploy.pipelines import VERIFY_VARIABLE, stages, winograd_use
from autodeploy.precision import precision_use
from autodeploy.records.record_file import records_path

Progress = Callable[[str, int, int], None]
"""Called as work goes on: what is being done, how many steps are done, how many there are."""


class Compilation:
    """One run of the compiler, which writes what kernels become to the folder ``objects``.

    ``ranges`` are those of the extents that are open, or constants of this program. ``variant`` is
    the name of a program that is one of several, which have one ``context``; if it ``is_part``, the
    ranges decide which of them runs. A ``text`` is compiled from its stage on. A program
    ``for_page`` has the interface of one with a page's device.
    """

    def __init__(
        self,
        options: CompileOptions,
        progress: Progress,
        objects: Path,
        ranges: Sequence[NamedRange] = (),
        context: Context | None = None,
        variant: str | None = None,
        text: StageText | None = None,
        for_page: bool = False,
        is_part: bool = False,
    ):
        self.options = options
        self.progress = progress
        self.objects = objects
        self.ranges = ranges
        self.part = part_attr(ranges) if is_part else None
        self.seconds: list[tuple[str, float]] = []
        if not 1 <= options.threads <= MAX_THREADS:
            raise UserError(f"threads are 1 to {MAX_THREADS}, found {options.threads}")
        if options.jobs is not None and options.jobs < 1:
            raise UserError(f"jobs are at least 1, found {options.jobs}")
        described = None if text is None else find_machine(text.module)
        machine = Machine.parse(options.machine) if described is None else described
        if options.threads > 1 and not machine.has_threads:
            raise UserError(
                f"machine '{options.machine}' has no threads, found {options.threads}; it takes 1"
            )
        self.form = kernel_form(machine, options.emit)
        self.stages = stages(
            options.level,
            options.machine,
            options.winograd,
            threads=options.threads,
            embed_weights=options.embed_weights,
            flush_subnormals=options.flush_subnormals,
            precision=options.precision,
            results_only=options.results_only,
            pools=options.pools,
            objects=self.form == "object",
            patterns=[str(file) for file in options.patterns],
            records=None if options.records is None else str(records_path(options.records)),
            variant=variant,
            string_bytes=options.string_bytes,
            for_page=for_page,
        )
        self._text = text
        first = 0
        if text is not None:
            first = text.number([stage.name for stage in self.stages])
            self.stages = self.stages[first - 1 :]
        if options.name is not None and (prefix := model_prefix(options.name)) != options.name:
            raise UserError(f"name '{options.name}' cannot begin names in C, '{prefix}' can")
        self.context: Context = new_context() if context is None else context
        self._check_patterns()
        if options.operators is not None:
            give_operators(self.context, Path(options.operators))
        self.kernels: list[CompiledKernel] = []
        self._integers: Sequence[str] = ()
        self._next = 0
        # People wrote a text or rules, and others will read the text of a stage.
        self._checks_all = bool(
            text is not None
            or options.patterns
            or options.dump_ir is not None
            or os.environ.get(VERIFY_VARIABLE)
        )
        self._dump = Dump(self.context, options.dump_ir, first)

    def _check_patterns(self) -> None:
        """Raise ``UserError`` for a malformed file of rules, and if no stage applies them."""
        for file in self.options.patterns:
            load_patterns(self.context, Path(file))
        if self.options.patterns and "fused" not in [stage.name for stage in self.stages]:
            raise UserError("patterns are applied before stage 'fused', and this text is later")

    def lower(self, model: str | Path | bytes | ModuleOp, until: str | None = None) -> ModuleOp:
        """Import the model and run the pipeline on it, which compiles the kernels, too.

        With ``until`` that is the last stage; then the module is lowered further. The IR of the
        stages before an error is written all the same: it may show what is wrong.
        """
        try:
            return self._lower(model, until)
        except Undecided as error:
            raise UnsupportedError(f"a size cannot be open: {error}; {error.remedy}") from None
        except VerifyException as error:
            if self._text is None:
                raise
            raise self._text.located(error) from error
        finally:
            self._dump.write()

    def _lower(self, model: str | Path | bytes | ModuleOp, until: str | None) -> ModuleOp:
        total = sum(len(stage.passes) for stage in self.stages) + 1
        module = model if isinstance(model, ModuleOp) else self._imported(model, total)
        done = 1 + sum(len(stage.passes) for stage in self.stages[: self._next])
        for number, stage in enumerate(self.stages[self._next :], self._next):
            for step in stage.passes:
                self.progress(step.name, done, total)
                start = time.perf_counter()
                if isinstance(step, CompileKernelsPass):
                    self._compile_kernels(module)
                else:
                    step.apply(self.context, module)
                if isinstance(step, ApplyPatternsPass):
                    module.verify()  # passes read only what verifies, and rules are a user's
                if isinstance(step, UseIntegersPass):
                    self._integers = integer_use(module)
                self._timed(step.name, start)
                done += 1
            if self._checks_all or stage.is_checked_always:
                stage.check(module, kernels=self._checks_all)
            self._dump.add(stage.name, module)
            self._next = number + 1
            if stage.name == until:
                return module
        self.progress("lowered", total, total)
        return module

    def _imported(self, model: str | Path | bytes, total: int) -> ModuleOp:
        """Import the model, and run the stages on it after which it is in the nn dialect."""
        self.progress("import", 0, total)
        start = time.perf_counter()
        if self._text is not None:
            self._text.module.verify()
            check_contract(self._text.module, self._text.stage)
            self._rename(self._text.module)
            return self._text.module
        module = self._import(model, self._sizes())
        self._rename(module)
        check_contract(module, "import")
        self._timed("import", start)
        self._dump.add("import", module)
        if self.part is not None:
            module.attributes[PART_ATTRIBUTE] = self.part
        return module

    def _rename(self, module: ModuleOp) -> None:
        if self.options.name is not None:
            module.attributes["nn.model"] = StringAttr(self.options.name)

    def _sizes(self) -> OpenSizes | None:
        if not self.ranges:
            return None
        return OpenSizes.of(self.ranges, self.options.dims, self.options.following)

    def _import(self, model: str | Path | bytes, sizes: OpenSizes | None) -> ModuleOp:
        """Import the model; extents that stay open are those of ``sizes``."""
        if self.options.bounds and self.ranges:
            raise UserError("bounds of computed sizes are not supported with open extents")
        module = import_any_model(
            self.context,
            model,
            shapes=self.options.shapes,
            dims=self.options.dims if sizes is None else sizes.dims,
            axes={} if sizes is None else sizes.axes,
            values=self.options.values,
            bounds=self.options.bounds,
            widen_f16=self.options.widen_f16,
        )
        self._check_inputs(module)
        if sizes is not None and sizes.extent is not None:
            module.attributes[EXTENT_ATTRIBUTE] = sizes.extent
        if self.options.state is not None:
            mark_states(module, self.options.state)
            append_caches(module)
        return module

    def _check_inputs(self, module: ModuleOp) -> None:
        """Raise if inputs are open, and then also for nodes that cannot be converted anyway."""
        opened = [name for range_ in self.ranges for name in range_.names]
        if (text := open_inputs(module, opened)) is None:
            return
        trial = module.clone()
        try:
            for step in self.stages[0].passes:
                step.apply(self.context, trial)
        except DiagnosticException:  # open extents may be the reason, and they are reported
            raise ModelError(text) from None
        if missing := missing_operators(trial):
            first, *listed = report(missing)
            raise UnsupportedError(text, f"with any numbers, {first}", *listed)
        raise ModelError(text)

    def _compile_kernels(self, module: ModuleOp) -> None:
        program = find_program(module)
        if machine_of(module).is_page:
            check_whole_device(module)
        if program.embedded is not None and program.weight_bytes is not None:
            check_embeddable(program.weight_bytes.value.data)
        self.kernels = compile_pipelines(
            module,
            machine_of(module),
            directory=self.objects,
            emit=self.options.emit,
            symbols=symbols_of(program),
            progress=lambda done, total, name: self.progress(f"kernel {name}", done, total),
            cache=user_cache() if self.options.cache else None,
            jobs=self.options.jobs or usable_cores(),
        )
        record_kernels(module, self.kernels)

    def check_limits(self, module: ModuleOp) -> None:
        """Raise ``UserError`` if the program takes more memory than the options allow."""
        limits = self.options.max_ram, self.options.max_flash
        if limits == (None, None):
            return
        code = code_bytes(path for kernel in self.kernels for path in kernel.files)
        sizes = memory_sizes(read_program(module), find_machine(module), code)
        check_limits(find_program(module), sizes, *limits)

    def write(
        self, module: ModuleOp, folder: Path, inner: Callable[[Path], object] | None = None
    ) -> Manifest:
        """Write the bundle; ``inner`` writes the one in WebAssembly that a page has."""
        start = time.perf_counter()
        options, texts = self.bundle_options(module), {"op_gen.cpp": emit_source(module)}
        manifest = write_bundle(self.context, module, self.kernels, folder, options, texts, inner)
        self._timed("write bundle", start)
        return manifest

    def bundle_options(self, module: ModuleOp) -> BundleOptions:
        """Return what the bundle says of this compilation."""
        patterns = [Path(file) for file in self.options.patterns]
        return BundleOptions(
            label=self.options.label,
            machine=find_machine(module),
            opset=opsets_of(module).get("ai.onnx"),
            doc_string=doc_string_of(module),
            producer=producer_of(module),
            metadata=metadata_of(module),
            options={
                "level": str(self.options.level),
                "emit": "object" if self.form == "object" else "c",
                "threads": str(self.options.threads),
                "winograd": winograd_use(self.options.level, self.options.winograd),
                "flush_subnormals": str(self.options.flush_subnormals).lower(),
                "precision": precision_use(
                    self.options.level, self.options.precision, rounds_rows(module)
                ),
                "widen_f16": str(self.options.widen_f16).lower(),
                "results_only": str(self.options.results_only).lower(),
                "tuned": str(self.options.records is not None).lower(),
                **({"patterns": ", ".join(p.name for p in patterns)} if patterns else {}),
                **({"layers": "; ".join(self._integers)} if self._integers else {}),
                **({"last": last_text(self.options.last)} if self.options.last else {}),
            },
        )

    def _timed(self, what: str, start: float) -> None:
        self.seconds.append((what, time.perf_counter() - start))


def last_text(axes: Mapping[str, int]) -> str:
    """Return the option ``last`` as the manifest has it."""
    return json.dumps(dict(axes))
