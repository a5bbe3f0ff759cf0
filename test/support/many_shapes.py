"""Networks that compute many shapes at once, each from inputs of its own, against onnxruntime."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from onnx import NodeProto, TensorProto, helper

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

Array = np.ndarray


def network_of(
    nodes: Sequence[NodeProto],
    weights: Sequence[TensorProto],
    inputs: Mapping[str, Array],
    outputs: Iterable[str],
) -> bytes:
    """Return a serialized model of nodes, whose inputs have the types of ``inputs``."""
    graph = helper.make_graph(
        nodes,
        "shapes",
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape)
            for name, value in inputs.items()
        ],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        weights,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    return made.SerializeToString()


def found_and_expected(
    names: Iterable[str], network: bytes, inputs: Mapping[str, Array], folder: Path, threads: int
) -> dict[str, tuple[Array, Array]]:
    """Return what a program and what onnxruntime computes, by names of the outputs in order."""
    compile_model(network, folder, CompileOptions(threads=threads))
    reference = onnxruntime.InferenceSession(network, providers=["CPUExecutionProvider"])
    expected = reference.run(None, inputs)
    with load_bundle(folder, threads=threads) as session:
        found = list(session.run(inputs).values())
    return dict(zip(names, zip(found, expected, strict=True), strict=True))
