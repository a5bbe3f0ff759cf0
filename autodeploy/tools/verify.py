"""``autodeploy verify``: what a program computes, against another implementation of ONNX."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autodeploy.tools.bench import MACHINE
from autodeploy.tools.dynamic import parse_dynamic
from autodeploy.tools.last import parse_last
from autodeploy.tools.model_options import ModelOptions, with_model_options
from autodeploy.tools.state import parse_state
from autodeploy.tools.terminal import say
from autodeploy.tools.usage import DYNAMIC, LAST, MODEL, PRECISION, STATE, UsageError, number


@with_model_options
def verify(
    *,
    model: Annotated[Path, MODEL],
    bundle: Annotated[
        Path | None,
        typer.Argument(
            metavar="[BUNDLE]",
            readable=False,
            help="folder of the model's bundle; without one the model is compiled",
        ),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            "-i",
            metavar="NAME=FILE",
            help="a file for an input, as run takes it; without any, numbers are drawn from 0 to 1",
        ),
    ] = None,
    given: ModelOptions,
    dynamic: Annotated[list[str] | None, DYNAMIC] = None,
    state: Annotated[list[str] | None, STATE] = None,
    last: Annotated[list[str] | None, LAST] = None,
    level: Annotated[
        int,
        typer.Option("-O", metavar="LEVEL", parser=number("-O", 0, 3), help="level to compile at"),
    ] = 3,
    precision: Annotated[str | None, PRECISION] = None,
    machine: Annotated[str | None, MACHINE] = None,
    per_layer: Annotated[
        bool,
        typer.Option(
            "--per-layer",
            help="if outputs differ, find the first level and the first value that do",
        ),
    ] = False,
) -> None:
    """Compare what a program computes with onnxruntime, or with ONNX's reference."""
    from autodeploy.options import CompileOptions
    from autodeploy.tools.comparison import compare

    if machine is not None and bundle is None:
        raise UsageError("option '--machine' chooses a program of a bundle, and none is given")

    options = CompileOptions(
        level=level,
        **given,
        dynamic=parse_dynamic(dynamic),
        state=parse_state(state),
        last=parse_last(last),
        precision=precision,
    )
    for line in compare(model, bundle, inputs or [], options, per_layer, machine=machine):
        say(line)
