"""The bundle: a folder that builds into a program that runs the network.

``bundle_folder`` puts it into its place, whole or not at all.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Region

from autodeploy.analysis.memory_map import lower_bound
from autodeploy.codegen.bundle.build_files import (
    DEMO_SOURCES,
    KERNEL_HEADER_SUFFIXES,
    KERNEL_SUFFIXES,
    POOL_HEADERS,
    POOL_SOURCES,
    cmake_lists,
    headers,
    kernels_source,
    library_sources,
    makefile,
    package_files,
    programs_header,
    python_module,
    text_file,
    toolchain_file,
    variant_sources,
)
from autodeploy.codegen.bundle.code_bytes import code_bytes
from autodeploy.codegen.bundle.folder import place_bundle
from autodeploy.codegen.bundle.located_text import located_text
from autodeploy.codegen.bundle.manifest import (
    FILE_NAME,
    WASM_FOLDER,
    KernelEntry,
    Manifest,
    VariantEntry,
    WeightsEntry,
)
from autodeploy.codegen.bundle.tensor_entry import ExtentEntry, PartShape, StateEntry, TensorEntry
from autodeploy.codegen.bundle.weight_file import HEADER_BYTES, part_sums, write_weight_file
from autodeploy.codegen.bundle.weight_source import write_weight_source
from autodeploy.codegen.c.cxx_header import cxx_header_text
from autodeploy.codegen.c.device import kernel_lines
from autodeploy.codegen.c.driver import driver_text, programs_header_text
from autodeploy.codegen.c.header import arena_size, header_text, memory_sizes, title
from autodeploy.codegen.c.main import main_text
from autodeploy.codegen.c.names import model_prefix
from autodeploy.codegen.c.program import Program, Tensor
from autodeploy.codegen.c.read_program import find_program, read_program
from autodeploy.codegen.c.reserved_names import names_after, names_of_models
from autodeploy.codegen.c.several import several_programs
from autodeploy.codegen.c.states import counted_numbers
from autodeploy.codegen.c.template import runtime_file
from autodeploy.codegen.halide.device_code import DeviceCode, program_lines
from autodeploy.codegen.halide.kernels import CompiledKernel
from autodeploy.codegen.halide.tables import pipelines_of
from autodeploy.codegen.js.wasm import wasm_files
from autodeploy.diagnostics import UserError
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.halide.pipeline import HOST_REASON, PipelineOp
from autodeploy.dialects.machine import find_machine, machine_of
from autodeploy.frontend.names import original_text
from autodeploy.machine import Machine
from autodeploy.templates.registry import template_of

_TOOLS = ("autodeploy", "xdsl", "halide", "onnx")


@dataclass(frozen=True)
class BundleOptions:
    """The texts of a bundle besides the module, and the output of its program.

    ``label`` is what the program prints before the index of the largest score; without one it
    prints neither. ``machine``, ``opset``, ``doc_string``, ``metadata`` and ``options`` go into the
    manifest; ``producer`` and the two texts before go into the header.
    """

    label: str | None = None
    machine: Machine | None = None
    opset: int | None = None
    doc_string: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    producer: str = ""

    @property
    def texts(self) -> dict[str, str]:
        """Return what the model says of itself, by name."""
        named = {"doc_string": self.doc_string, "producer": self.producer, **self.metadata}
        return {name: text for name, text in named.items() if text}


@dataclass(frozen=True)
class Variant:
    """A planned module with its kernels, which may be one of several, and further files."""

    module: ModuleOp
    kernels: Sequence[CompiledKernel]
    texts: Mapping[str, str] = field(default_factory=dict[str, str])


def write_bundle(
    ctx: Context,
    module: ModuleOp,
    kernels: Sequence[CompiledKernel],
    folder: Path,
    options: BundleOptions | None = None,
    texts: Mapping[str, str] | None = None,
    inner: Callable[[Path], object] | None = None,
) -> Manifest:
    """Write the bundle of a planned module to ``folder`` and return its manifest.

    The module's text is a file of the bundle, from which the C sources follow. ``texts`` are
    further files by name, for people to read; the program does not need them. ``inner`` writes the
    bundle in WebAssembly of a page, for browsers without a device, to the folder that it gets.

    Raises ``UserError`` if the module is not planned, a kernel is missing or takes other memory
    than its pipeline says, ``folder`` holds anything but an older bundle, or it cannot be written;
    then nothing there has changed.
    """
    return write_bundle_of(ctx, [Variant(module, kernels, texts or {})], folder, options, inner)


def write_bundle_of(
    ctx: Context,
    parts: Sequence[Variant],
    folder: Path,
    options: BundleOptions | None = None,
    inner: Callable[[Path], object] | None = None,
) -> Manifest:
    """Write the bundle of a network for several machines, the best one first, or for parts.

    The programs have one weight file (``share-weights``). Raises as ``write_bundle`` does, and
    where the programs for parts of open extents do not have one interface.
    """
    programs = [read_program(part.module) for part in parts]
    for part, program in zip(parts, programs, strict=True):
        _check_kernels(program, part.kernels)
        _check_memory(part.module, part.kernels)
    program = several_programs(programs) if len(programs) > 1 else programs[0]
    _check_names(program)
    return place_bundle(
        folder,
        lambda made: _write_files(ctx, parts, program, made, options or BundleOptions(), inner),
    )


def _check_names(program: Program) -> None:
    """Each of several programs has a name of its own, also where capitals do not count."""
    kind = "machine" if program.for_machines else "part"
    taken: dict[str, str | None] = dict.fromkeys(names_of_models() | names_after(program.prefix))
    for variant in program.variants:
        name = variant.variant_name.lower()
        if name in taken:
            other = f"{kind} '{taken[name]}'" if taken[name] else "something else"
            raise UserError(
                f"{kind} '{variant.variant}' has the name of {other} in C; give it another name"
            )
        taken[name] = variant.variant
    symbols = [symbol for variant in program.variants for symbol in variant.symbols.values()]
    if len(set(symbols)) < len(symbols):
        twice = next(symbol for symbol in symbols if symbols.count(symbol) > 1)
        raise UserError(f"two programs have a kernel '{twice}'; give a {kind} another name")


def _check_kernels(program: Program, kernels: Sequence[CompiledKernel]) -> None:
    given = {kernel.name for kernel in kernels}
    missing = [
        name
        for name, symbol in program.symbols.items()
        if symbol in program.arities and name not in given
    ]
    if missing:
        raise UserError(f"no compiled kernel for {', '.join(map(repr, missing))}")
    unknown = sorted(given - set(program.symbols))
    if unknown:
        raise UserError(f"the module has no halide.pipeline {', '.join(map(repr, unknown))}")
    for kernel in kernels:
        if kernel.symbol != program.symbols[kernel.name]:
            raise UserError(
                f"kernel '{kernel.name}' was compiled as '{kernel.symbol}', "
                f"expected '{program.symbols[kernel.name]}'"
            )
    files = (path.suffix for kernel in kernels for path in kernel.files)
    kinds = set(files) - set(KERNEL_HEADER_SUFFIXES)
    if len(kinds) > 1 or not kinds <= set(KERNEL_SUFFIXES):
        raise UserError(
            f"kernels are all {' files or all '.join(KERNEL_SUFFIXES)} files, found "
            f"{', '.join(sorted(kinds))}"
        )


def _check_memory(module: ModuleOp, kernels: Sequence[CompiledKernel]) -> None:
    """The plan of the memory, which the C sources follow, counts on what the pipelines say."""
    pipelines = find_program(module).pipelines()
    for kernel in kernels:
        pipeline = pipelines[kernel.name]
        for what, found, said in (
            ("scratch", kernel.scratch_bytes or None, pipeline.scratch_bytes),
            ("worker_scratch", kernel.worker_scratch_bytes, pipeline.worker_scratch_bytes),
            ("stack", kernel.stack_bytes or None, pipeline.stack_bytes),
        ):
            expected = None if said is None else said.value.data
            if found != expected:
                raise UserError(
                    f"kernel '{kernel.name}' takes {what} of {found or 0} bytes, its "
                    f"halide.pipeline says {expected or 0}; run compile-kernels, then plan-memory"
                )


def _write_files(
    ctx: Context,
    parts: Sequence[Variant],
    program: Program,
    folder: Path,
    options: BundleOptions,
    inner: Callable[[Path], object] | None,
) -> Manifest:
    prefix = program.prefix
    compiled = [kernel for part in parts for kernel in part.kernels]
    copied = {f"kernels/{path.name}": path for kernel in compiled for path in kernel.files}
    is_page = _is_page(parts[0])
    if is_page:
        from autodeploy.codegen.js.module import web_files

        texts = web_files(program, _codes(compiled), with_wasm=inner is not None)
    else:
        texts = _sources(ctx, program, compiled, list(copied), options)
    for part, one in zip(parts, program.variants or [program], strict=True):
        texts |= {text_file(one): located_text(part.module, _bodies(part)), **part.texts}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    if copied:
        (folder / "kernels").mkdir()
    for name, path in copied.items():
        shutil.copyfile(path, folder / name)
    if inner is not None:
        inner(folder / WASM_FOLDER)
    weights = _write_weights(ctx, program, folder)
    variants = tuple(
        VariantEntry(
            one.variant or "",
            machine_of(part.module),
            text_file(one),
            source,
            _kernel_entries(part),
            arena_size(one),
            lower_bound(find_program(part.module)) + program.state_bytes,
            tuple(number.parts[0] for number in one.numbers) if one.is_for_part else (),
            one.bytes_in_outputs,
        )
        for part, one, source in zip(
            parts, program.variants, variant_sources(program), strict=False
        )
    )
    files = [path for kernel in compiled for path in kernel.files]
    code = None if is_page else code_bytes(files)
    sizes = memory_sizes(program, options.machine, code)
    manifest = Manifest(
        program.name,
        prefix,
        _tensor_entries(program, lambda one: one.inputs),
        _tensor_entries(program, lambda one: one.outputs),
        tuple(entry for part in parts for entry in _kernel_entries(part)),
        weights,
        arena_size(program),
        max(lower_bound(find_program(part.module)) for part in parts) + program.state_bytes,
        None if program.for_machines else options.machine,
        options.opset,
        _tool_versions(),
        dict(options.options),
        _digests(folder),
        variants,
        _extents(program),
        None if is_page else sizes.stack,
        program.bytes_in_outputs,
        tuple(
            StateEntry(
                original_text(state.input),
                original_text(state.left.name),
                state.left.dtype,
                state.shape,
                state.axis,
                state.place,
            )
            for state in program.states
        ),
        program.state_bytes,
        options.doc_string,
        options.metadata,
        sizes.code,
        sizes.context,
        sizes.pools,
    )
    (folder / FILE_NAME).write_text(manifest.to_json(), encoding="utf-8", newline="\n")
    return manifest


def _is_page(part: Variant) -> bool:
    """Return whether a program runs on the device of a page, and so has no sources in C."""
    machine = find_machine(part.module)
    return machine is not None and machine.is_page


def _sources(
    ctx: Context,
    program: Program,
    kernels: Sequence[CompiledKernel],
    copied: Sequence[str],
    options: BundleOptions,
) -> dict[str, str]:
    """Return the sources of a program in C, and the files that build it."""
    prefix = program.prefix
    pool = (*POOL_SOURCES, *POOL_HEADERS) if program.threads.has_pool else ()
    runtime = (*library_sources(program), *headers(program), *pool)
    sums = part_sums(ctx, program) if program.for_machines and not program.embeds_weights else ()
    return {
        f"{prefix}.h": header_text(program, options.texts),
        f"{prefix}.c": driver_text(program, sums),
        **_variant_files(program),
        "Makefile": makefile(program, copied, options.machine),
        "CMakeLists.txt": cmake_lists(program, copied, options.machine),
        **({} if program.is_freestanding else _for_systems(program, copied, options.label)),
        **_device_files(program, kernels),
        **python_module(program, options.machine),
        **toolchain_file(program, options.machine),
        **wasm_files(program, options.machine),
        **{name: runtime_file(name) for name in runtime},
    }


def _bodies(part: Variant) -> dict[Region, str]:
    """Return the texts of the bodies of pipelines, those that are known from the compilation."""
    known = {kernel.name: kernel.body for kernel in part.kernels}
    pipelines = [(op.body, known.get(op.sym_name.data)) for op in pipelines_of(part.module)]
    return {body: text for body, text in pipelines if text is not None}


def _codes(kernels: Sequence[CompiledKernel]) -> list[DeviceCode]:
    return [kernel.device for kernel in kernels if kernel.device is not None]


def _device_files(program: Program, kernels: Sequence[CompiledKernel]) -> dict[str, str]:
    """Return the source with the text of the kernels of a device."""
    if program.device is None:
        return {}
    lines = program_lines(_codes(kernels))
    return {kernels_source(program): kernel_lines(program.prefix, title(program), lines)}


def _variant_files(program: Program) -> dict[str, str]:
    """Return the sources of the programs among which a driver chooses."""
    if not program.variants:
        return {}
    sources = zip(variant_sources(program), program.variants, strict=True)
    return {
        programs_header(program): programs_header_text(program),
        **{source: driver_text(variant) for source, variant in sources},
    }


def _kernel_entries(part: Variant) -> tuple[KernelEntry, ...]:
    pipelines = {op.sym_name.data: op for op in part.module.ops if isinstance(op, PipelineOp)}
    suffix = ".wgsl" if _is_page(part) else "_kernels.c"
    source = f"{model_prefix(find_program(part.module).sym_name.data)}{suffix}"
    return tuple(_kernel_entry(k, pipelines[k.name], source) for k in part.kernels)


def _for_systems(program: Program, kernels: Sequence[str], label: str | None) -> dict[str, str]:
    """Return what only programs on an operating system have: the demo, C++, installation."""
    return {
        f"{program.prefix}.hpp": cxx_header_text(program),
        "main.c": main_text(program, label),
        **{name: runtime_file(name) for name in DEMO_SOURCES},
        **package_files(program, kernels),
    }


def _write_weights(ctx: Context, program: Program, folder: Path) -> WeightsEntry:
    fingerprint = program.fingerprint().hex()
    if program.embeds_weights:
        source = f"{program.prefix}_weights.c"
        write_weight_source(ctx, program, folder / source)
        return WeightsEntry(source, program.data_bytes, fingerprint, embedded=True)
    file = f"{program.prefix}.weights"
    write_weight_file(ctx, program, folder / file)
    return WeightsEntry(file, HEADER_BYTES + program.data_bytes, fingerprint)


def _kernel_entry(kernel: CompiledKernel, pipeline: PipelineOp, source: str) -> KernelEntry:
    config, reason = pipeline.config, pipeline.attributes.get(HOST_REASON)
    return KernelEntry(
        kernel.name,
        kernel.symbol,
        None if config is None else config.template_name,
        f"kernels/{kernel.files[0].name}" if kernel.files else source,
        kernel.prefetches,
        0.0 if config is None else template_of(config.template_name).error(config),
        kernel.device is not None,
        reason.data if isinstance(reason, StringAttr) else None,
    )


def _tensor_entry(
    program: Program, tensor: Tensor, parts: Sequence[Tensor], on_device: bool
) -> TensorEntry:
    """Return the entry of a tensor; ``parts`` is what it is in each of several programs."""

    def told(growths: Sequence[Growth]) -> tuple[Growth, ...]:
        return tuple(own if program.is_told(own) else CONSTANT for own in growths)

    keys = [original_text(key) if isinstance(key, str) else key for key in tensor.keys]
    name = original_text(tensor.name)
    plain = all(g and g.is_proportional and not g.place for g in tensor.growths)
    growths = () if plain else told(tensor.growths)
    shapes: tuple[PartShape, ...] = ()
    if tensor.open and not tensor.growths:
        shapes = tuple(PartShape(part.shape, part.open, told(part.growths)) for part in parts)
    default = (tensor.default or b"").hex()
    return TensorEntry(
        name,
        tensor.dtype,
        tensor.shape,
        tensor.open,
        tuple(keys),
        growths,
        shapes,
        default,
        on_device,
    )


def _tensor_entries(
    program: Program, of: Callable[[Program], tuple[Tensor, ...]]
) -> tuple[TensorEntry, ...]:
    count = len(program.inputs)
    unified = program.device is not None and program.device.api == "cuda"
    only = program.only_transferred if unified else [False] * (count + len(program.outputs))
    only = only[:count] if of(program) is program.inputs else only[count:]
    return tuple(
        _tensor_entry(program, tensor, [of(one)[index] for one in program.for_parts], only[index])
        for index, tensor in enumerate(of(program))
    )


def _extents(program: Program) -> tuple[ExtentEntry, ...]:
    return tuple(
        ExtentEntry(
            original_text(number.label),
            number.least,
            number.most,
            number.step,
            number.parts if len(number.parts) > 1 else (),
            place in counted_numbers(program),
        )
        for place, number in enumerate(program.numbers)
    )


def _digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below ``folder``, by its path there."""
    digests: dict[str, str] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        digests[path.relative_to(folder).as_posix()] = digest
    return digests


@cache
def _tool_versions() -> dict[str, str]:
    versions: dict[str, str] = {}
    for tool in _TOOLS:
        try:
            versions[tool] = version(tool)
        except PackageNotFoundError:
            continue
    return versions
