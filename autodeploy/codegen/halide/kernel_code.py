"""Compiling one pipeline of the halide dialect, given as text, by Halide in this process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from autodeploy.codegen.halide.c99_backend import c99_body
from autodeploy.codegen.halide.c_backend import kernel_body
from autodeploy.codegen.halide.contraction import contracted
from autodeploy.codegen.halide.device_code import DeviceCode, device_code
from autodeploy.codegen.halide.device_starts import Launch
from autodeploy.codegen.halide.objects import PART_WARNING
from autodeploy.codegen.halide.prefetch_hint import fetch_to_second_level
from autodeploy.codegen.halide.run_halide import run_halide
from autodeploy.codegen.halide.scratch import scratch_bytes, stack_bytes, worker_scratch_bytes
from autodeploy.codegen.halide.sums_of_products import sums_of_products
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.dialects.halide import HALIDE
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.prefetch import Prefetches, PrefetchOp, stop_fetching
from autodeploy.json_values import from_json, to_json
from autodeploy.lowering.nn_to_halide.expand_for_c import expand_for_c
from autodeploy.lowering.nn_to_halide.expand_for_device import expand_for_device
from autodeploy.lowering.nn_to_halide.expand_for_rvv import expand_for_rvv
from autodeploy.machine.devices import APIS, Api, aligned_on_device

Emit = Literal["object", "c"]
"""The form of kernels: object files, or source for any compiler."""

Form: TypeAlias = Literal["object", "c++", "c99"] | Api
"""The form of a kernel; source is C99 if the machine has no vectors.

That of a device is the text of its kernels for an interface."""

_MAGIC = b"autodeploy kernel 13\n"

_LISTING = "kernel.s"


@dataclass(frozen=True)
class KernelRequest:
    """All that the code of a kernel depends on.

    ``text`` is the halide.pipeline as IR, ``symbol`` the C function to make, ``target`` Halide's
    target string.
    """

    text: str
    symbol: str
    target: str
    form: Form


@dataclass(frozen=True)
class KernelCode:
    """The code that Halide generates for a pipeline.

    ``code`` is the object file, or the source less the include of its header. ``scratch_bytes`` is
    the memory that the runtime must offer the thread that runs the kernel, ``worker_scratch_bytes``
    what it must offer each thread that helps with a parallel loop, and ``None`` if there is
    none. ``warnings`` are the lines that Halide had to say, ``prefetches`` is what has become of
    those of the pipeline, ``None`` if they are as Halide makes them. ``stack_bytes`` are those
    of all arrays on the C stack at one time. ``launches`` are the starts of a kernel on a device,
    ``arrays`` the bytes of each array that they pass on, ``preamble`` what its text begins with.
    """

    code: bytes
    scratch_bytes: int
    worker_scratch_bytes: int | None
    warnings: tuple[str, ...]
    prefetches: Prefetches | None = None
    stack_bytes: int = 0
    launches: tuple[Launch, ...] = ()
    arrays: tuple[int, ...] = ()
    preamble: tuple[str, ...] = ()

    @property
    def device(self) -> DeviceCode:
        """Return the code of a kernel on a device."""
        return DeviceCode(self.preamble, self.code.decode(), self.launches, self.arrays)

    def to_bytes(self) -> bytes:
        """Return this as the content of a file."""
        rest = {key: value for key, value in to_json(self).items() if key != "code"}
        payload = zlib.compress(json.dumps(rest).encode() + b"\n" + self.code, 1)
        return _MAGIC + payload

    @staticmethod
    def from_bytes(data: bytes) -> KernelCode:
        """Read the content of a file; raises ``ValueError`` if it is damaged."""
        if not data.startswith(_MAGIC):
            raise ValueError("not the code of a kernel")
        rest, _, code = zlib.decompress(data[len(_MAGIC) :]).partition(b"\n")
        try:
            return from_json(KernelCode, dict(json.loads(rest), code=code), "the file")
        except UserError as error:
            raise ValueError(str(error)) from None


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
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
        check_room(Path(folder))
        files = {kind: Path(folder) / kind for kind in ("device_code", "stmt")}
        objects = run_halide(pipeline, request.symbol, request.target, files)
        # Halide writes no text if no loop is the device's.
        has_kernels = files["device_code"].exists()
        source = files["device_code"].read_bytes() if has_kernels else b""
        lowered = files["stmt"].read_text("latin1")
    buffers = [source.name() for source in (*objects.inputs, *objects.outputs)]
    code = device_code(
        api,
        source,
        lowered,
        pipeline.sym_name.data,
        request.symbol,
        buffers,
        strict=pipeline.fast_math is None,
    )
    warnings = tuple(line for line in PART_WARNING.sub("", said.getvalue()).splitlines() if line)
    return KernelCode(
        code.source.encode(), sum(map(aligned_on_device, code.arrays)), None, warnings,
        launches=code.launches, arrays=code.arrays, preamble=code.preamble,
    )  # fmt: skip


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
