"""``autodeploy verify``: what a program computes, against another implementation of ONNX."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from autodeploy.tools.command_options import (
    DYNAMIC,
    JSON,
    LAST,
    LAUNCH,
    MACHINE,
    MODEL,
    PRECISION,
    STATE,
    argument,
    count,
    flag,
    level,
    text,
)
from autodeploy.tools.model_options import ModelOptions, with_model_options
from autodeploy.tools.named_options import parse_dynamic, parse_last, parse_state
from autodeploy.tools.terminal import json_text, say
from autodeploy.tools.usage import UsageError


def _tolerance(text: str) -> float:
    values = _numbers(text)
    if len(values) != 1 or values[0] <= 0:
        raise UsageError(f"option '--tolerance' takes a number larger than 0, found '{text}'")
    return values[0]


def _range(text: str) -> tuple[float, float]:
    values = _numbers(text)
    if len(values) != 2 or values[0] > values[1]:
        raise UsageError(f"option '--range' takes a least and a largest number, found '{text}'")
    return values[0], values[1]


def _numbers(text: str) -> list[float]:
    """Return the finite numbers between commas; none if one of them is something else."""
    try:
        values = [float(part) for part in str(text).split(",")]
    except ValueError:
        return []
    return values if all(map(math.isfinite, values)) else []


@with_model_options
def verify(
    *,
    model: Annotated[Path, MODEL],
    bundle: Annotated[
        Path | None,
        argument("[BUNDLE]", "folder of the model's bundle; without one the model is compiled"),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        text(
            "NAME=FILE",
            "a file for an input, as run takes it; without any, numbers are drawn from 0 to 1",
            "--input",
            "-i",
        ),
    ] = None,
    given: ModelOptions,
    dynamic: Annotated[list[str] | None, DYNAMIC] = None,
    state: Annotated[list[str] | None, STATE] = None,
    last: Annotated[list[str] | None, LAST] = None,
    level: Annotated[int, level("level to compile at")] = 3,
    precision: Annotated[str | None, PRECISION] = None,
    machine: Annotated[str | None, MACHINE] = None,
    launch: Annotated[str | None, LAUNCH] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            metavar="ERROR",
            parser=_tolerance,
            help="largest error, relative to the largest value; default: by the options of compile",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, count("--seed", "seed of the numbers that are drawn", least=0)] = 0,
    range_: Annotated[
        str | None,
        text(
            "LEAST,MOST",
            "range of the floats, and integers of at least 8 bits, that are drawn; default: 0,1",
            "--range",
        ),
    ] = None,
    per_layer: Annotated[
        bool,
        flag("--per-layer", "if outputs differ, find the first level and the first value that do"),
    ] = False,
    selftest: Annotated[
        bool,
        flag(
            "--selftest", "add inputs and right outputs to the bundle, as a program: make selftest"
        ),
    ] = False,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Compare what a program computes with onnxruntime, or with ONNX's reference."""
    from autodeploy.options import CompileOptions
    from autodeploy.tools.compared import DifferenceError
    from autodeploy.tools.comparison import Draw, compare

    needing = (("--machine", machine), ("--launch", launch), ("--selftest", selftest or None))
    for option, value in needing:
        if value is not None and bundle is None:
            raise UsageError(f"option '{option}' is for the program of a bundle, and none is given")

    options = CompileOptions(
        level=level,
        **given,
        dynamic=parse_dynamic(dynamic),
        state=parse_state(state),
        last=parse_last(last),
        precision=precision,
    )
    found = compare(
        model,
        bundle,
        inputs or [],
        options,
        per_layer,
        machine=machine,
        launch=launch,
        draw=Draw(seed, None if range_ is None else _range(range_)),
        tolerance=tolerance,
        selftest=selftest,
    )
    if not as_json:
        for number, compared in enumerate(found):
            if not number:
                kind = "these inputs" if inputs else "random inputs"
                say(f"compared with {compared.reference}, on {kind}")
            say(str(compared))
        return
    outputs: list[dict[str, object]] = []
    difference: DifferenceError | None = None
    try:
        for compared in found:
            outputs.append({**asdict(compared), "agrees": compared.agrees})
    except DifferenceError as error:
        difference = error
    typer.echo(json_text(outputs))
    if difference is not None:
        raise difference
