"""Quantised models: onnxruntime chooses the scales, a program of ours measures the errors."""

from __future__ import annotations

import contextlib
import errno
import importlib
import io
import logging
import math
import os
from collections.abc import Generator, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
from onnx import GraphProto, ModelProto, version_converter

from autodeploy.analysis.memory_sizes import readable_bytes
from autodeploy.diagnostics import ToolchainError, UserError, did_you_mean
from autodeploy.frontend.onnx.shapes import fix_inputs
from autodeploy.interface import compile
from autodeploy.tools.calibration import input_entries, read_samples
from autodeploy.tools.comparison import load_model, one_line
from autodeploy.tools.layer_errors import measured_model
from autodeploy.tools.model_options import ModelOptions
from autodeploy.tools.tensor_files import Array
from autodeploy.tools.whole_files import write_whole

_MEASURED = 16
"""Samples on which errors are measured; all of them give the ranges."""

_OPSET, _FORMAT = 13, 4
"""The first opset with scales by channel, the first IR version whose constants are no inputs."""

_METHODS = {"minmax": "MinMax", "percentile": "Percentile", "entropy": "Entropy"}


@dataclass(frozen=True)
class Quantisation:
    """The choices of a user: names of nodes that stay in floats, and a share of multiply-adds."""

    per_channel: bool
    method: str
    skip: Sequence[str]
    keep: float


def quantise(
    model: Path, samples: Path, output: Path, given: ModelOptions, chosen: Quantisation
) -> Iterator[str]:
    """Write the quantised form of a model, as QDQ, and yield lines about errors.

    ``samples`` is what ``read_samples`` takes. Raises ``UserError`` without onnxruntime, if the
    model or a sample is wrong, if a name is not that of a node, or if no layer is left.
    """
    if find_spec("onnxruntime") is None:
        raise UserError("onnxruntime quantises models; run: pip install 'autodeploy[quantize]'")
    if not output.parent.is_dir():
        raise UserError(f"cannot write '{output}': {os.strerror(errno.ENOENT)}")
    proto = load_model(model, given["operators"])
    fix_inputs(proto.graph, given["shapes"], given["dims"])
    _name_nodes(proto, chosen.skip)
    feeds = read_samples(samples, input_entries(proto.graph))
    with TemporaryDirectory() as folder:
        work = _Work(Path(folder), feeds, chosen)
        floats = work.prepared(proto)
        quantised = work.quantised(chosen.skip)
        measured, layers = measured_model(floats, quantised)
        if not layers:
            raise UserError(f"'{model}' has no convolution or product left that can be quantised")
        runs, sums = _run(measured, feeds, len(floats.graph.output))
        totals = np.sum(sums, axis=0, dtype=np.float64).reshape(len(layers), 2)
        errors = dict(zip(layers, map(_relative, *totals.T), strict=True))
        kept = _kept(layers, errors, chosen.keep)
        if kept:
            quantised = work.quantised([*chosen.skip, *kept])
        yield from _table(layers, errors, kept)
        found, _ = _run(quantised, feeds, len(floats.graph.output))
        for index, info in enumerate(quantised.graph.output):
            pairs = [
                (one[index] - other[index], other[index])
                for one, other in zip(found, runs, strict=True)
            ]
            squares = np.sum([[np.square(x, dtype=float).sum() for x in pair] for pair in pairs], 0)
            yield f"output '{info.name}': error {_relative(*squares):.1e}"
        text = quantised.SerializeToString()
        write_whole(output, text)
    count = f"{len(layers) - len(kept)} of {len(layers)}"
    yield f"wrote {output}, {readable_bytes(len(text))}: {count} layers in 8-bit integers"


def _name_nodes(proto: ModelProto, skipped: Sequence[str]) -> None:
    """Give each node a name, by which the quantiser leaves it out; raise if one is not there."""
    for number, node in enumerate(proto.graph.node):
        node.name = node.name or f"{node.op_type}_{number}"
    names = [node.name for node in proto.graph.node]
    for name in skipped:
        if name not in names:
            raise UserError(f"the model has no node '{name}'{did_you_mean(name, names)}")


class _Work:
    """Files of onnxruntime's quantiser in a folder."""

    def __init__(self, folder: Path, feeds: Sequence[Mapping[str, Array]], chosen: Quantisation):
        self._folder, self._feeds, self._chosen = folder, feeds, chosen
        self._onnx: Any = onnx  # the types of its functions are not complete
        self._prepared = folder / "prepared.onnx"
        runtime: Any = importlib.import_module("onnxruntime")
        runtime.set_default_logger_severity(4)
        self._tool: Any = importlib.import_module("onnxruntime.quantization")

    def prepared(self, proto: ModelProto) -> ModelProto:
        """Return the model with its batch normalisations folded and all shapes known."""
        with _quiet():
            return prepare(proto, self._prepared)

    def quantised(self, skip: Sequence[str]) -> ModelProto:
        """Return the quantised model; ``skip`` are names of nodes that stay in floats."""
        target = self._folder / "quantised.onnx"
        reader = type("Samples", (self._tool.CalibrationDataReader,), {"get_next": _next})()
        reader.feeds = iter(self._feeds)
        with _quiet():
            self._tool.quantize_static(
                self._prepared,
                target,
                reader,
                quant_format=self._tool.QuantFormat.QDQ,
                activation_type=self._tool.QuantType.QUInt8,
                weight_type=self._tool.QuantType.QInt8,
                per_channel=self._chosen.per_channel,
                calibrate_method=self._tool.CalibrationMethod[_METHODS[self._chosen.method]],
                nodes_to_exclude=list(skip),
            )
        return self._onnx.load(target)


def prepare(proto: ModelProto, path: Path) -> ModelProto:
    """Write a model for onnxruntime's quantiser, and return it: constants folded, all shapes known.

    Models of old opsets and formats become newer ones, as scales by channel need them. Raises what
    onnx's version converter and onnxruntime raise.
    """
    tool: Any = importlib.import_module("onnxruntime.quantization")
    files: Any = onnx  # the types of its functions are not complete
    old = any(one.version < _OPSET for one in proto.opset_import if one.domain in ("", "ai.onnx"))
    newer = version_converter.convert_version(proto, _OPSET) if old else proto
    if newer.ir_version < _FORMAT:
        newer.ir_version = _FORMAT
        stored = {tensor.name for tensor in newer.graph.initializer}
        for info in [info for info in newer.graph.input if info.name in stored]:
            newer.graph.input.remove(info)
    files.save(newer, path)
    tool.quant_pre_process(path, path, skip_symbolic_shape=True)
    prepared = files.load(path)
    _tidy(prepared.graph, {node.name for node in proto.graph.node})
    files.save(prepared, path)
    return prepared


def _tidy(graph: GraphProto, names: Set[str]) -> None:
    """Give fused nodes the name of the node that they begin with, and biases of products one axis.

    The quantiser fails on biases that are rows, which Gemm takes.
    """
    stored = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        first, _, _ = node.name.rpartition("/")
        node.name = first if node.name not in names and first in names else node.name
        tensor = stored.get(node.input[2]) if node.op_type == "Gemm" and node.input[2:] else None
        if tensor is not None and len(tensor.dims) == 2 and tensor.dims[0] == 1:
            flat = graph.initializer.add()
            flat.CopyFrom(tensor)
            flat.name = node.input[2] = f"{node.name}/{tensor.name}"
            del flat.dims[0]


def _next(reader: Any) -> Mapping[str, Array] | None:
    return next(reader.feeds, None)


@contextlib.contextmanager
def _quiet() -> Generator[None]:
    """Let onnxruntime's quantiser print nothing; its errors become ``ToolchainError``."""
    level = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    except Exception as error:  # its errors have no common base
        raise ToolchainError(f"onnxruntime cannot quantise the model: {one_line(error)}") from None
    finally:
        logging.disable(level)


def _run(
    model: ModelProto, feeds: Sequence[Mapping[str, Array]], outputs: int
) -> tuple[list[list[Any]], list[list[Any]]]:
    """Return the first outputs for some samples, and the other outputs."""
    with compile(model) as session:
        runs = [list(session.run(feed).values()) for feed in feeds[:_MEASURED]]
    return [run[:outputs] for run in runs], [run[outputs:] for run in runs]


def _relative(error: float, size: float) -> float:
    """Return the root of a sum of squares over another one."""
    return math.sqrt(error / size) if size else math.sqrt(error)


def _kept(layers: Mapping[str, int], errors: Mapping[str, float], share: float) -> list[str]:
    """Return the layers of the largest errors that have at most a share of the multiply-adds."""
    left, kept = share * sum(layers.values()), list[str]()
    for name in sorted(layers, key=lambda name: -errors[name]):
        if layers[name] <= left:
            left -= layers[name]
            kept.append(name)
    return kept


def _table(
    layers: Mapping[str, int], errors: Mapping[str, float], kept: Sequence[str]
) -> Iterator[str]:
    """Yield a line for each layer, in the order of the network."""
    width = max(map(len, layers))
    yield f"{'layer':{width}}  multiply-adds  error"
    for name, count in layers.items():
        where = "  stays in floats" if name in kept else ""
        share = f"{100 * count / sum(layers.values()):.2f} %"
        yield f"{name:{width}}  {share:>13}  {errors[name]:.1e}{where}"
