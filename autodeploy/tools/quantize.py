"""``autodeploy quantize``: an ONNX model with 8-bit integers in place of floats."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from autodeploy.tools.command_options import MODEL, choice, flag, output, path, text
from autodeploy.tools.model_options import ModelOptions, with_model_options
from autodeploy.tools.terminal import say
from autodeploy.tools.usage import UsageError


class Method(StrEnum):
    """How the range of the codes of a value follows from samples."""

    MINMAX = "minmax"
    PERCENTILE = "percentile"
    ENTROPY = "entropy"


@with_model_options
def quantize(
    *,
    model: Annotated[Path, MODEL],
    calibration: Annotated[
        Path,
        path(
            "FOLDER|FILE.npz",
            "samples of the inputs: a file for each, as run takes them (.npz files of all "
            "inputs where there are several), or one .npz file whose arrays hold all of them "
            "along the first axis",
        ),
    ],
    output: Annotated[Path, output("FILE", "the model to write")],
    given: ModelOptions,
    per_tensor: Annotated[
        bool, flag("--per-tensor", "one scale for all weights of a layer, instead of one a channel")
    ] = False,
    method: Annotated[
        Method, choice("--method", Method, "how ranges follow from the samples")
    ] = Method.MINMAX,
    skip: Annotated[list[str] | None, text("NAME", "node that stays in floats; repeatable")] = None,
    keep: Annotated[
        str,
        text(
            "0.5%",
            "share of the multiply-adds that may stay in floats: those of the layers of the "
            "largest errors",
            show_default=True,
        ),
    ] = "0%",
) -> None:
    """Quantise a model by onnxruntime, and print the error that each layer adds."""
    from autodeploy.tools.quantisation import Quantisation, quantise

    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)%", keep)
    if match is None or float(match[1]) > 100:
        raise UsageError(f"option '--keep' takes a share such as 0.5%, found '{keep}'")
    chosen = Quantisation(not per_tensor, method.value, skip or (), float(match[1]) / 100)
    for line in quantise(model, calibration, output, given, chosen):
        say(line)
