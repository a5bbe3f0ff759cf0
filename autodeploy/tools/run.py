"""``autodeploy run``: run a bundle on files and show what comes out."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

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

_TOP = 5
"""Values with labels that are printed where nothing else is said."""

_NUMBERS = "A,B,C"


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
    from autodeploy.tools.labels import read_labels
    from autodeploy.tools.pictures import Preparation
    from autodeploy.tools.tensor_files import check_folder, read_inputs, write_outputs

    prepare = Preparation(_numbers("--mean", mean), _numbers("--std", std, least=0), bgr, nhwc)
    if output is not None:
        check_folder(output)
    # Files are read first: building the library of a bundle takes time.
    manifest = Manifest.load(bundle)
    names = None if labels is None else read_labels(labels, manifest.outputs)
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
