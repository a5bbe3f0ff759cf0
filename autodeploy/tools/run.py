"""``autodeploy run``: run a bundle on files and show what comes out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autodeploy.diagnostics import UserError
from autodeploy.tools.command_options import (
    BUNDLE,
    FLUSH_SUBNORMALS,
    JSON,
    LAUNCH,
    MACHINE,
    THREADS,
    flag,
    number,
    output,
    path,
    text,
)
from autodeploy.tools.usage import UsageError

if TYPE_CHECKING:
    from autodeploy.codegen.bundle.tensor_entry import TensorEntry

_TOP = 5
"""Values with labels that are printed where nothing else is said."""

_NUMBERS = "A,B,C"

_MAX_LABEL_BYTES = 1 << 24


def run(
    bundle: Annotated[Path, BUNDLE],
    inputs: Annotated[
        list[str] | None,
        text(
            "NAME=FILE",
            "a file (.npy, .npz, .bin, .pb, or a picture: .png, .jpg, .webp, .bmp) for "
            "an input; the file alone where there is one input",
            "--input",
            "-i",
        ),
    ] = None,
    mean: Annotated[
        str | None,
        text(
            _NUMBERS,
            "taken off a picture's values, which are 0 to 1: a number, or one a channel, such "
            "as 0.485 or 127/255",
        ),
    ] = None,
    std: Annotated[str | None, text(_NUMBERS, "the divisor of these, of the same form")] = None,
    bgr: Annotated[bool, flag("--bgr", "the channels of a picture are blue, green, red")] = False,
    nhwc: Annotated[
        bool | None,
        typer.Option(
            "--nhwc/--nchw",
            help="the channels of a picture come last, or first; the input's shape tells without",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, output("FOLDER", "folder for the outputs, as .npy files")
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            parser=number("--top", 1),
            help=f"print the K largest values of each row of an output; {_TOP} with --labels",
            show_default=False,
        ),
    ] = None,
    labels: Annotated[
        Path | None, path("FILE", "text file with a line for each value of a row")
    ] = None,
    threads: Annotated[int, THREADS] = 1,
    flush_subnormals: Annotated[bool | None, FLUSH_SUBNORMALS] = None,
    machine: Annotated[str | None, MACHINE] = None,
    launch: Annotated[str | None, LAUNCH] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Run a bundle on files and print what comes out."""
    from autodeploy.codegen.bundle.manifest import Manifest
    from autodeploy.toolchain.launched import launched_run
    from autodeploy.toolchain.session import load_bundle
    from autodeploy.tools.display import outputs_json, show_outputs, show_top
    from autodeploy.tools.pictures import Preparation
    from autodeploy.tools.tensor_files import check_folder, read_inputs, write_outputs

    prepare = Preparation(_numbers("--mean", mean), _numbers("--std", std, least=0), bgr, nhwc)
    if output is not None:
        check_folder(output)
    # Files are read first: building the library of a bundle takes time.
    manifest = Manifest.load(bundle)
    names = None if labels is None else _labels(labels, manifest.outputs)
    values = read_inputs(manifest.inputs, inputs or [], prepare, manifest.extents)
    if launch is not None:
        if flush_subnormals is not None:
            raise UsageError("option '--launch' takes subnormal numbers as compiled")
        results = launched_run(bundle, launch, threads, machine)(values)
    else:
        with load_bundle(
            bundle, threads=threads, flush_subnormals=flush_subnormals, machine=machine
        ) as session:
            results = session.run(values)
    if output is not None:
        write_outputs(output, results)
    if as_json:
        typer.echo(outputs_json(results, top or (None if names is None else _TOP), names or ()))
        return
    if top is None and names is None:
        show_outputs(results)
    else:
        show_top(results, top or _TOP, names or ())


def _numbers(option: str, text: str | None, least: float = -math.inf) -> tuple[float, ...]:
    """Return the numbers of an option, all above ``least``; none where it is not given."""
    from fractions import Fraction

    if text is None:
        return ()
    try:
        found = tuple(float(Fraction(part.strip())) for part in text.split(","))
    except (ValueError, ZeroDivisionError, OverflowError):
        found = ()
    if not found or not all(n > least for n in found):
        above = f" above {least}" if least > -math.inf else ""
        raise UsageError(
            f"option '{option}' takes numbers{above}, such as 0.485,0.456,0.406 or 127/255, found "
            f"'{text}'"
        )
    return found


def _labels(path: Path, outputs: Sequence[TensorEntry]) -> tuple[str, ...]:
    """Return the lines of a file, one for each value of a row of an output.

    Raises ``UserError`` if the file cannot be read, or no output has rows of that length.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_LABEL_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UserError(f"labels '{path}' are no UTF-8 text") from None
    if len(data) > _MAX_LABEL_BYTES:
        raise UserError(f"labels '{path}' have more than {_MAX_LABEL_BYTES} bytes")
    lines = tuple("".join(c for c in line if c.isprintable()) for line in text.splitlines())
    if not any(entry.shape and entry.shape[-1] == len(lines) for entry in outputs):
        rows = ", ".join(f"{entry.shape[-1]} ('{entry.name}')" for entry in outputs if entry.shape)
        raise UserError(f"labels '{path}' have {len(lines)} lines, rows of outputs have {rows}")
    return lines
