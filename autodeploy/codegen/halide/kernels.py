"""Compiling pipelines of the halide dialect ahead of time, by Halide.

A kernel is one C function: ``int symbol(const void *user_context, struct halide_buffer_t *x, …)``,
inputs before outputs. ``user_context`` is a ``struct autodeploy_runtime *`` of the runtime library
(``runtime/halide_runtime.h``). Kernels check nothing: buffers have the extents, strides and types
that the pipeline says and least coordinates of 0. Halide takes an output that the pipeline itself
reads (one with an update, or one that another func reads) to be aligned to the machine's vectors,
so output buffers are aligned to 64 bytes; input buffers need only their element's alignment. The
result is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from autodeploy.codegen.c.names import unique_names
from autodeploy.codegen.c.template import runtime_file
from autodeploy.codegen.halide.device_code import DeviceCode
from autodeploy.codegen.halide.kernel_cache import KernelCache
from autodeploy.codegen.halide.kernel_code import HEADERS, Emit, Form, KernelCode, KernelRequest
from autodeploy.codegen.halide.pipeline_text import pipeline_text
from autodeploy.codegen.halide.tables import argument_hints, pipelines_of
from autodeploy.diagnostics import UserError, io_errors
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.prefetch import Prefetches
from autodeploy.dialects.halide.types import BufferType, buffer_type
from autodeploy.machine import Machine
from autodeploy.machine.devices import APIS

Progress = Callable[[int, int, str], None]
"""Called as work goes on with how many kernels are done, how many there are, and the name of one:
that which comes next, or, of several compiled at once, that which was just done."""


@dataclass(frozen=True)
class KernelArgument:
    """A buffer that a kernel takes: its name, its type, and whether the kernel fills it."""

    name: str
    type: BufferType
    is_output: bool


@dataclass(frozen=True)
class CompiledKernel:
    """A compiled pipeline.

    ``name`` is the pipeline's, ``symbol`` that of the C function, ``files`` what was written (with
    C++ source the header is among them), ``scratch_bytes`` the memory that the runtime must
    offer while it runs, ``warnings`` what Halide had to say. ``worker_scratch_bytes`` is the memory
    for each further thread that takes part in a parallel loop, ``None`` if there is none.
    ``prefetches`` is what has become of those of the pipeline, ``stack_bytes`` are those of all
    arrays that the kernel keeps on the C stack at one time. A kernel on a device has its code in
    ``device``, and no files. ``body`` is the text of the pipeline's body, ``None`` if the pipeline
    is another one now, or if the text has locations.
    """

    name: str
    symbol: str
    files: tuple[Path, ...]
    arguments: tuple[KernelArgument, ...]
    scratch_bytes: int
    warnings: tuple[str, ...]
    worker_scratch_bytes: int | None = None
    prefetches: Prefetches | None = None
    stack_bytes: int = 0
    device: DeviceCode | None = None
    body: str | None = None


_SUFFIXES: Mapping[Form, str] = {"object": ".o", "c++": ".cpp", "c99": ".c"}


def kernel_form(machine: Machine, emit: Emit | None) -> Form:
    """Return what kernels for a machine are written as; raises ``UserError`` if it cannot be."""
    if emit == "object" and not machine.has_objects:
        raise UserError(
            f"there are no object files for machine '{machine}', its kernels are C source"
        )
    if emit == "object" or (emit is None and machine.has_objects):
        return "object"
    return "c++" if machine.has_vectors else "c99"


def compile_pipelines(
    source: ModuleOp | Iterable[PipelineOp],
    machine: Machine,
    *,
    directory: Path,
    emit: Emit | None = None,
    symbols: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    cache: KernelCache | None = None,
    jobs: int = 1,
) -> list[CompiledKernel]:
    """Compile all pipelines of a module, or those given, in order, into ``directory``.

    ``symbols`` gives the C name of each pipeline; the default is its own name made safe. A kernel
    becomes ``<symbol>.o``, ``<symbol>.cpp`` or, for a machine without vectors, ``<symbol>.c``;
    sources include one header. Without ``emit`` kernels are objects where the machine has any.
    The same pipeline always gives the same bytes. Kernels that ``cache`` holds are taken from
    there, others are put into it; ``jobs`` of them are compiled at once, in processes of their own.

    Raises ``ToolchainError`` naming the kernel where Halide refuses it or if it needs memory of
    no constant size, and ``UserError`` if ``directory`` cannot be made or the machine has no
    object files.
    """
    form = kernel_form(machine, emit)
    pipelines = list(pipelines_of(source) if isinstance(source, ModuleOp) else source)
    names = [pipeline.sym_name.data for pipeline in pipelines]
    if symbols is None:
        symbols = dict(zip(names, unique_names(names), strict=True))
    with io_errors(f"cannot make folder '{directory}'"):
        directory.mkdir(parents=True, exist_ok=True)
    texts = [pipeline_text(pipeline) for pipeline in pipelines]
    requests = [
        _request(pipeline, text, symbols[name], machine, form)
        for name, pipeline, (text, _) in zip(names, pipelines, texts, strict=True)
    ]
    codes = dict(_compile(names, requests, progress or _silent, cache, jobs))
    if form in HEADERS and requests:
        header = HEADERS[form]
        (directory / header).write_text(runtime_file(header), encoding="utf-8")
    return [
        _write(pipeline, request, codes[index], directory, body)
        for index, (pipeline, request, (_, body)) in enumerate(
            zip(pipelines, requests, texts, strict=True)
        )
    ]


def _request(
    pipeline: PipelineOp, text: str, symbol: str, machine: Machine, form: Form
) -> KernelRequest:
    if pipeline.on_device is not None:
        return KernelRequest(text, symbol, machine.device_target(), machine.device_api)
    return KernelRequest(text, symbol, machine.kernel_target(), form)


def _silent(done: int, total: int, name: str) -> None:
    """Report to nobody."""


def _compile(
    names: Sequence[str],
    requests: Sequence[KernelRequest],
    progress: Progress,
    cache: KernelCache | None,
    jobs: int,
) -> Iterator[tuple[int, KernelCode]]:
    """Yield the code of each kernel by its index, in the order in which it comes."""
    missing: list[int] = []
    for index, request in enumerate(requests):
        code = cache.get(request) if cache is not None else None
        if code is None:
            missing.append(index)
        else:
            yield index, code
    if not missing:
        return
    done, total = len(requests) - len(missing), len(requests)
    progress(done, total, names[missing[0]])
    chosen, given = [names[index] for index in missing], [requests[index] for index in missing]
    for place, code in _compile_missing(chosen, given, jobs):
        if cache is not None:
            cache.put(given[place], code)
        done += 1
        progress(done, total, chosen[place])
        yield missing[place], code


def _compile_missing(
    names: Sequence[str], requests: Sequence[KernelRequest], jobs: int
) -> Iterator[tuple[int, KernelCode]]:
    """Yield the code of each of these kernels by its index, as they are done."""
    # The translators of kernels are loaded where the cache lacks one.
    from autodeploy.codegen.halide.compile_kernel import compile_kernel
    from autodeploy.codegen.halide.kernel_jobs import can_fork, compile_in_processes

    if can_fork():
        return compile_in_processes(names, requests, min(jobs, len(requests)))
    return ((index, compile_kernel(request)) for index, request in enumerate(requests))


def _write(
    pipeline: PipelineOp,
    request: KernelRequest,
    code: KernelCode,
    directory: Path,
    body: str | None,
) -> CompiledKernel:
    """Write the files of a kernel."""
    if request.form in APIS:
        return CompiledKernel(
            pipeline.sym_name.data,
            request.symbol,
            (),
            _arguments(pipeline),
            code.scratch_bytes,
            code.warnings,
            device=code.device,
            body=body,
        )
    path = directory / f"{request.symbol}{_SUFFIXES[request.form]}"
    header = HEADERS.get(request.form)
    files = (path,) if header is None else (path, directory / header)
    included = "" if header is None else f'#include "{header}"\n\n'
    path.write_bytes(included.encode() + code.code)
    return CompiledKernel(
        pipeline.sym_name.data,
        request.symbol,
        files,
        _arguments(pipeline),
        code.scratch_bytes,
        code.warnings,
        code.worker_scratch_bytes,
        code.prefetches,
        code.stack_bytes,
        body=None if code.prefetches is Prefetches.DROPPED else body,
    )


def _arguments(pipeline: PipelineOp) -> tuple[KernelArgument, ...]:
    values = (*pipeline.inputs, *pipeline.outputs)
    names = unique_names(argument_hints(pipeline), ["user_context"])
    return tuple(
        KernelArgument(name, buffer_type(value), index >= len(pipeline.inputs))
        for index, (value, name) in enumerate(zip(values, names, strict=True))
    )
