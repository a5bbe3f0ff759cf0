"""Compiling one pipeline of the halide dialect, given as text, by Halide in this process."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from functools import cache
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from autodeploy.codegen.halide.c99_backend import c99_body
from autodeploy.codegen.halide.c_backend import kernel_body
from autodeploy.codegen.halide.contraction import contracted
from autodeploy.codegen.halide.device_code import DeviceCode, device_code
from autodeploy.codegen.halide.kernel_code import KernelCode, KernelRequest
from autodeploy.codegen.halide.objects import PART_WARNING
from autodeploy.codegen.halide.prefetch_hint import fetch_to_second_level
from autodeploy.codegen.halide.run_halide import run_halide
from autodeploy.codegen.halide.scratch import scratch_bytes, stack_bytes, worker_scratch_bytes
from autodeploy.codegen.halide.sums_of_products import sums_of_products
from autodeploy.codegen.halide.tensor_parts import tensor_parts
from autodeploy.diagnostics import ToolchainError
from autodeploy.dialects.halide import HALIDE
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.prefetch import Prefetches, PrefetchOp, stop_fetching
from autodeploy.lowering.nn_to_halide.expand_for_c import expand_for_c
from autodeploy.lowering.nn_to_halide.expand_for_device import expand_for_device
from autodeploy.lowering.nn_to_halide.expand_for_rvv import expand_for_rvv
from autodeploy.machine.devices import APIS, Api, aligned_on_device

_LISTING = "kernel.s"


def compile_kernel(request: KernelRequest) -> KernelCode:
    """Compile a kernel.

    Raises ``ToolchainError`` naming the kernel where Halide refuses it or if it needs memory of
    no constant size.
    """
    pipeline = parse_pipeline(request.text)
    pipeline.verify()
    if request.form in APIS:
        return _compile_for_device(pipeline, request, request.form)
    if request.form != "object":
        expand_for_c(pipeline)
    elif "rvv" in request.target.split("-"):
        expand_for_rvv(pipeline)
    name = pipeline.sym_name.data
    said = io.StringIO()
    # Halide's Python interface prints its warnings.
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
        check_room(Path(folder))
        code, text, prefetches = _run_fetching(pipeline, request, Path(folder))
    if request.form != "object":
        body = kernel_body(code.decode(), name)
        sums = sums_of_products(pipeline)
        if request.form == "c99":
            body = c99_body(body, name, sums)
        else:
            body = "\n".join(contracted(body.split("\n"), sums, "multiply_add"))
        code = body.encode()
    warnings = tuple(line for line in said.getvalue().splitlines() if line)
    scratch, worker_scratch = scratch_bytes(text, name), worker_scratch_bytes(text, name)
    stack = stack_bytes(text, name)
    return KernelCode(code, scratch, worker_scratch, warnings, prefetches, stack)


def _compile_for_device(pipeline: PipelineOp, request: KernelRequest, api: Api) -> KernelCode:
    """Compile a kernel for a device: its text, and its starts."""
    expand_for_device(pipeline)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        parts = tensor_parts(pipeline, request.symbol)
        if parts is None:
            code = _device_code(pipeline, request.symbol, request.target, api)
        else:
            image, rest = (
                part and _device_code(part.pipeline, part.symbol, request.target, api)
                for part in (parts.image, parts.rest)
            )
            assert rest is not None
            code = parts.code(image, rest)
    warnings = tuple(line for line in PART_WARNING.sub("", said.getvalue()).splitlines() if line)
    return KernelCode(
        code.source.encode(), sum(map(aligned_on_device, code.arrays)), None, warnings,
        launches=code.launches, arrays=code.arrays, preamble=code.preamble,
    )  # fmt: skip


def _device_code(pipeline: PipelineOp, symbol: str, target: str, api: Api) -> DeviceCode:
    """Return what Halide makes of a pipeline for a device."""
    with tempfile.TemporaryDirectory() as folder:
        check_room(Path(folder))
        files = {kind: Path(folder) / kind for kind in ("device_code", "stmt")}
        objects = run_halide(pipeline, symbol, target, files)
        # Halide writes no text if no loop is the device's.
        has_kernels = files["device_code"].exists()
        source = files["device_code"].read_bytes() if has_kernels else b""
        lowered = files["stmt"].read_text("latin1")
    buffers = [source.name() for source in (*objects.inputs, *objects.outputs)]
    strict = pipeline.fast_math is None
    name = pipeline.sym_name.data
    return device_code(api, source, lowered, name, symbol, buffers, strict=strict)


_ROOM = 4 << 20
"""Bytes that must be free where a kernel is compiled, more than all but few take."""


def check_room(folder: Path) -> None:
    """Raise ``ToolchainError`` if a folder cannot take the files of a kernel.

    LLVM ends the process that it runs in where it cannot write a file.
    """
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, _ROOM)
            else:
                file.write(bytes(_ROOM))
    except OSError as error:
        reason = error.strerror or error
        raise ToolchainError(
            f"kernels cannot be compiled in '{folder.parent}': {reason}; "
            f"let $TMPDIR be a folder with room for {_ROOM >> 20} MB"
        ) from None


def _run_fetching(
    pipeline: PipelineOp, request: KernelRequest, folder: Path
) -> tuple[bytes, str, Prefetches | None]:
    """Run Halide; what cannot be fetched ahead as the schedule says is not.

    A loop that must be partitioned and cannot be is an error of Halide, which only its text
    distinguishes from others. After any error Halide therefore runs again, without prefetches.
    Another defect of the kernel is raised by that run."""
    if not _fetches(pipeline):
        return *_run_halide(pipeline, request, folder), None
    with contextlib.suppress(ToolchainError):
        code, text = _run_halide(pipeline, request, folder)
        if request.form != "object" or not request.target.startswith("x86"):
            return code, text, None
        patched = fetch_to_second_level(code, (folder / _LISTING).read_text())
        if patched is not None:  # without the hint a kernel is faster without prefetches
            return patched, text, Prefetches.SECOND_LEVEL
    stop_fetching(pipeline)
    return *_run_halide(pipeline, request, folder), Prefetches.DROPPED


def _fetches(pipeline: PipelineOp) -> bool:
    return any(isinstance(op, PrefetchOp) for op in pipeline.walk())


@cache
def _context() -> Context:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(HALIDE)
    return context


def parse_pipeline(text: str) -> PipelineOp:
    """Read the text of a kernel."""
    op = Parser(_context(), text).parse_op()
    assert isinstance(op, PipelineOp)
    return op


def _run_halide(pipeline: PipelineOp, request: KernelRequest, folder: Path) -> tuple[bytes, str]:
    """Return the code and the lowered text; an object's listing is written where it is wanted."""
    kind = "object" if request.form == "object" else "c_source"
    files = {kind: folder / "kernel", "stmt": folder / "kernel.stmt"}
    if _fetches(pipeline):
        files["assembly"] = folder / _LISTING
    run_halide(pipeline, request.symbol, request.target, files)
    # Code for GPUs is in it as it is, which is no text.
    return files[kind].read_bytes(), files["stmt"].read_text(errors="replace")
