"""The self-test of a bundle: a program of its own, which ``make selftest`` builds and runs.

It has inputs, and the results of another implementation for them. Nothing of it is in the library.
For a microcontroller it is a program for a board of QEMU.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from autodeploy.codegen.bundle.build_files import SELFTEST_FOLDER
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.codegen.c.names import c_comment, c_string
from autodeploy.codegen.c.template import fill_text
from autodeploy.diagnostics import UserError, io_errors, visible
from autodeploy.toolchain.board import board_options
from autodeploy.toolchain.fixed_call import Array
from autodeploy.weights import named_dtype

MOST_BYTES = 1 << 20
"""The most bytes of inputs that are stored, which are a text of four times as many."""

_KNOWN = 64
"""The elements of an output that are compared, besides the mean of all."""

_C_TYPES = {
    "float32": "float", "float64": "double", "bool": "uint8_t",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip


def check_selftest(folder: Path) -> None:
    """Raise ``UserError`` if the bundle ``folder`` can have no self-test."""
    manifest = Manifest.load(folder)
    machine = manifest.first_machine
    if machine is not None and machine.is_page:
        raise UserError(f"bundle '{folder}' is a web page, which has no self-test")
    if machine is not None and not machine.has_system:
        board_options(machine)
        if not manifest.weights.embedded:
            raise UserError(f"the weights of bundle '{folder}' are a file, and a board has none")
    if manifest.states:
        raise UserError(f"bundle '{folder}' has a state, and a self-test is one run")
    for entry in (*manifest.inputs, *manifest.outputs):
        if entry.open:
            raise UserError(f"'{entry.name}' has open extents, and a self-test has none")
        if entry.dtype not in _C_TYPES:
            raise UserError(f"'{entry.name}' is {entry.dtype}, which a self-test cannot compare")
    stored = sum(entry.bytes for entry in manifest.inputs)
    if stored > MOST_BYTES:
        raise UserError(f"a self-test stores at most {MOST_BYTES} bytes of inputs, found {stored}")


def write_selftest(
    folder: Path,
    reference: str,
    inputs: Mapping[str, Array],
    results: Sequence[Array],
    limits: Sequence[float],
) -> None:
    """Write the self-test of a bundle for which ``check_selftest`` returns, in place of an older.

    ``results`` are those of ``reference`` for ``inputs``, one an output; they may be off by
    ``limits``, relative to the largest of the output. Raises ``UserError`` if one is infinite or
    nan, or if the folder cannot be written.
    """
    manifest = Manifest.load(folder)
    for entry, result in zip(manifest.outputs, results, strict=True):
        if not np.isfinite(result).all():
            raise UserError(f"'{entry.name}' is infinite or nan, which a self-test cannot compare")
    machine = manifest.first_machine
    is_board = machine is not None and not machine.has_system
    numbers = range(len(manifest.outputs))
    sections = {
        "title": c_comment(manifest.name),
        "reference": c_comment(reference),
        "tensors": "\n".join(_tensors(manifest, inputs, results, limits)),
        "inputs": ", ".join(f"&input{n}" for n in range(len(manifest.inputs))) or "NULL",
        "results": ", ".join(f"&result{n}" for n in numbers),
    }
    flags = {"board" if is_board else "system"}
    with io_errors(f"cannot write the self-test of bundle '{folder}'"):
        made = Path(tempfile.mkdtemp(".partial", ".autodeploy-", folder))
        try:
            sources = files("autodeploy.toolchain")
            text = sources.joinpath("selftest.c").read_text(encoding="utf-8")
            program = fill_text(text, manifest.prefix, sections, flags)
            (made / "selftest.c").write_text(program, encoding="utf-8")
            if machine is not None and is_board:
                with as_file(sources.joinpath("board")) as board:
                    for name in ("startup.c", "mps2.ld", "semihosting.h"):
                        shutil.copyfile(board / name, made / name)
                options = f"BOARD = {' '.join(board_options(machine))}\n"
                (made / "board.mk").write_text(options, encoding="utf-8")
            made.chmod(0o755)
            shutil.rmtree(folder / SELFTEST_FOLDER, ignore_errors=True)
            made.rename(folder / SELFTEST_FOLDER)
        finally:
            shutil.rmtree(made, ignore_errors=True)


def _tensors(
    manifest: Manifest,
    inputs: Mapping[str, Array],
    results: Sequence[Array],
    limits: Sequence[float],
) -> Iterator[str]:
    """Yield the lines that define the tensors and the right values of outputs."""
    for number, entry in enumerate(manifest.inputs):
        raw = np.ascontiguousarray(inputs[entry.name], named_dtype(entry.dtype)).tobytes()
        listed = _rows([str(byte) for byte in raw or b"\0"])
        yield from (f"static const {_memory(entry)} input{number} = {{{{", *listed, "}};", "")
    for dtype in sorted({entry.dtype for entry in manifest.outputs}):
        yield from (
            f"static double {dtype}_element(const unsigned char *tensor, size_t index)",
            "{",
            f"    {_C_TYPES[dtype]} value;",
            "    memcpy(&value, tensor + index * sizeof value, sizeof value);",
            "    return (double)value;",
            "}",
            "",
        )
    described: list[str] = []
    for number, (entry, limit) in enumerate(zip(manifest.outputs, limits, strict=True)):
        flat = np.asarray(results[number], np.float64).reshape(-1)
        places = np.unique(np.linspace(0, flat.size - 1, min(flat.size, _KNOWN)).astype(np.int64))
        values = [repr(float(value)) for value in flat[places]]
        yield f"static {_memory(entry)} result{number};"
        for kind, name, listed in (
            ("size_t", "places", [str(place) for place in places]),
            ("double", "values", values),
        ):
            yield from (f"static const {kind} {name}{number}[] = {{", *_rows(listed or ["0"]), "};")
        largest = float(np.abs(flat).max(initial=0)) or 1.0
        mean = float(flat.mean()) if flat.size else 0.0
        described.append(
            f"    {{{c_string(visible(entry.name))}, result{number}.bytes, {entry.dtype}_element, "
            f"{flat.size}, {places.size}, places{number}, values{number}, {mean!r}, "
            f"{limit * largest!r}}},"
        )
    yield from ("", "static const output outputs[] = {", *described, "};", "")


def _memory(entry: TensorEntry) -> str:
    return f"union {{ unsigned char bytes[{max(1, entry.bytes)}]; double aligned; }}"


def _rows(words: Sequence[str]) -> Iterator[str]:
    """Yield lines of words, with commas between them."""
    for start in range(0, len(words), 16):
        yield f"    {', '.join(words[start : start + 16])},"
