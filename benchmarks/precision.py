"""Networks in other types of numbers: quantised by onnxruntime, or in bf16 for engines with it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import onnx

from autodeploy.tools.quantisation import prepare
from benchmarks.models import Model, read_model
from benchmarks.report import OURS

FORMS: dict[str, Mapping[str, Any]] = {
    "qdq": {"activation_type": "QUInt8"},
    "s8s8": {"activation_type": "QInt8", "extra_options": {"ActivationSymmetric": True}},
    "qop": {"activation_type": "QUInt8", "quant_format": "QOperator"},
    "dynamic": {},
    "bf16": {},
}
"""The forms of a network: weights are signed bytes with a scale a channel, except for bf16."""

_SAMPLES = 2


def in_form(model: Model, form: str, folder: Path) -> Model:
    """Return a network in a form; its file is made in ``folder``, unless an option is enough."""
    name = f"{model.name} {form}"
    if form == "bf16":
        return replace(model, name=name)
    path = folder / f"{model.name}-{form}.onnx"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _quantise(model, form, path)
    return read_model(name, path, model.mask)


def _quantise(model: Model, form: str, path: Path) -> None:
    """Write the network as onnxruntime.quantization does; random inputs give the ranges."""
    from onnxruntime import quantization, set_default_logger_severity

    logging.getLogger().setLevel(logging.ERROR)
    set_default_logger_severity(4)
    prepared, partial = path.with_suffix(".prepared.onnx"), path.with_suffix(".partial.onnx")
    prepare(onnx.load(model.path), prepared)
    common = {"per_channel": True, "weight_type": quantization.QuantType.QInt8}
    if form == "dynamic":
        quantization.quantize_dynamic(str(prepared), str(partial), **common)
    else:
        given = dict(FORMS[form])
        given["activation_type"] = quantization.QuantType[given["activation_type"]]
        given["quant_format"] = quantization.QuantFormat[given.get("quant_format", "QDQ")]
        samples = [model.random_inputs(seed) for seed in range(_SAMPLES)]

        class Samples(quantization.CalibrationDataReader):
            def get_next(self) -> Mapping[str, Any] | None:
                return samples.pop() if samples else None

        quantization.quantize_static(str(prepared), str(partial), Samples(), **common, **given)
    prepared.unlink()
    partial.replace(path)


def processor_table(results: Sequence[Mapping[str, Any]], peers: Sequence[str]) -> str:
    """Return the processor's milliseconds of a run, and ours over the least of the others."""
    lines = [
        f"| model | {' | '.join(f'{peer} CPU ms' for peer in peers)} | {OURS} / best |",
        f"|-|{'-:|' * (len(peers) + 1)}",
    ]
    for result in results:
        found = {peer: result["contenders"].get(peer, {}) for peer in peers}
        times = {p: c["processor_median"] for p, c in found.items() if "processor_median" in c}
        cells = [_cell(found[peer], times.get(peer)) for peer in peers]
        others = [time for peer, time in times.items() if peer != OURS]
        both = OURS in times and others
        cells.append(f"{times[OURS] / min(others):.2f}" if both else "")
        lines.append(f"| {result['model']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(contender: Mapping[str, Any], seconds: float | None) -> str:
    if seconds is None:
        return "failed" if "failed" in contender else ""
    return f"{seconds * 1e3:.3g}"
