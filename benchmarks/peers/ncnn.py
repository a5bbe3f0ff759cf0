"""ncnn, from ONNX by its converter pnnx, in single precision with Winograd convolutions."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import ncnn
import numpy as np
import onnx
from onnx import numpy_helper, version_converter

from benchmarks import engine
from benchmarks.engine import Array, Setup, aligned_copy
from benchmarks.models import Model

_CONVERSION_SECONDS = 600
_OPSET = 13
_REDUCED_PRECISION = (
    "use_fp16_packed",
    "use_fp16_storage",
    "use_fp16_arithmetic",
    "use_bf16_packed",
    "use_bf16_storage",
)


class Engine(engine.Engine):
    """See ``benchmarks.engine.Engine``."""

    def __init__(self, model: Model, setup: Setup, folder: Path):
        self._model = model
        work = folder / "pnnx"
        parameters, weights, script = _convert(model, work)
        # The axes that ncnn takes for the batch stand in the script that pnnx writes.
        self._in_batch = _batch_axes(script, r"Mat\(in(\d+)\.numpy\(\)(.*?)\)\.clone")
        self._out_batch = _batch_axes(script, r"out(\d+)\.numpy\((.*?)\)")
        self._net = ncnn.Net()
        options = self._net.opt
        options.num_threads = setup.threads
        options.use_vulkan_compute = False
        options.use_winograd_convolution = True
        options.use_sgemm_convolution = True
        options.use_packing_layout = True
        for name in _REDUCED_PRECISION:
            setattr(options, name, False)
        if self._net.load_param(str(parameters)) or self._net.load_model(str(weights)):
            raise RuntimeError("ncnn cannot load what pnnx made")
        shutil.rmtree(work)  # several times the size of the network
        self._inputs: list[tuple[str, ncnn.Mat]] = []
        self._names = [f"out{i}" for i in range(len(model.outputs))]
        self._results: list[ncnn.Mat] = []

    def version(self) -> str:
        """Return the version of the engine."""
        return version("ncnn")

    def bind(self, inputs: Mapping[str, Array]) -> None:
        """Put the inputs where the engine reads them."""
        for index, tensor in enumerate(self._model.inputs):
            array = aligned_copy(inputs[tensor.name])
            axis = self._in_batch.get(index)
            mat = ncnn.Mat(array) if axis is None else ncnn.Mat(array, batch_index=axis)
            self._inputs.append((f"in{index}", mat.clone()))

    def run(self, count: int) -> float:
        """Compute ``count`` times; ncnn wants a new extractor for each."""
        net, inputs, names = self._net, self._inputs, self._names
        results: list[ncnn.Mat] = []
        start = time.perf_counter()
        for _ in range(count):
            extractor = net.create_extractor()
            for name, mat in inputs:
                extractor.input(name, mat)
            results = [extractor.extract(name)[1] for name in names]
        seconds = time.perf_counter() - start
        self._results = results
        return seconds

    def outputs(self) -> dict[str, Array]:
        """Return the outputs of the last run by name."""
        found: dict[str, Array] = {}
        for index, tensor in enumerate(self._model.outputs):
            axis = self._out_batch.get(index)
            mat = self._results[index]
            array = mat.numpy() if axis is None else mat.numpy(batch_index=axis)
            found[tensor.name] = np.array(array).reshape(tensor.shape)
        return found


def _convert(model: Model, folder: Path) -> tuple[Path, Path, str]:
    """Run pnnx; return the network, its weights, and the script that shows their use."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "network.onnx"
    onnx.save(_tidied(onnx.load(model.path)), path)
    package = find_spec("pnnx")
    if package is None or package.origin is None:
        raise RuntimeError("pnnx is not installed")
    # The program itself: importing the package would import PyTorch.
    program = Path(package.origin).with_name("pnnx")
    shapes = ",".join(
        f"[{','.join(map(str, tensor.shape))}]{_TYPES[tensor.dtype.name]}"
        for tensor in model.inputs
    )
    result = subprocess.run(
        [program, path.name, "fp16=0", f"inputshape={shapes}"],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_CONVERSION_SECONDS,
        check=False,
    )
    names = ("network.ncnn.param", "network.ncnn.bin", "network_ncnn.py")
    parameters, weights, script = (folder / name for name in names)
    if result.returncode or not script.exists():
        text = (result.stderr.strip() or result.stdout.strip()).splitlines()
        raise RuntimeError(f"pnnx cannot convert it: {text[-1] if text else 'no message'}")
    return parameters, weights, script.read_text(encoding="utf-8")


_TYPES = {"float32": "f32", "int64": "i64", "int32": "i32"}


def _tidied(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return the network as pnnx reads it: current, weights as initializers only, none computed."""
    graph = model.graph
    weights = {tensor.name: tensor for tensor in graph.initializer}
    inputs = [value for value in graph.input if value.name not in weights]
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        if node.op_type == "ConstantOfShape" and node.input[0] in weights:
            shape = tuple(numpy_helper.to_array(weights[node.input[0]]))
            value = numpy_helper.to_array(node.attribute[0].t)
            full = np.full(shape, value.item(), value.dtype)
            graph.initializer.append(numpy_helper.from_array(full, node.output[0]))
        else:
            nodes.append(node)
    del graph.input[:], graph.node[:]
    graph.input.extend(inputs)
    graph.node.extend(nodes)
    model.ir_version = 8
    if model.opset_import[0].version < _OPSET:
        model = version_converter.convert_version(model, _OPSET)
    return model


def _batch_axes(script: str, pattern: str) -> dict[int, int]:
    """Return the batch axis of each input or output that has one, by its number."""
    axes: dict[int, int] = {}
    for number, rest in re.findall(pattern, script):
        axis = re.search(r"batch_index=(\d+)", rest)
        if axis is not None:
            axes[int(number)] = int(axis[1])
    return axes
