"""A model with inputs, whose results are held against ONNX's reference."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import onnx
from fuzz_numbers import BF16, Array
from onnx import ModelProto, NodeProto, helper, numpy_helper

OPSET = 23
"""The opset of models that are made here."""

Oracle = Callable[..., object]


@dataclass(frozen=True)
class FuzzCase:
    """A model, its inputs, and by index of a node what computes it in place of the reference."""

    name: str
    model: ModelProto
    inputs: Mapping[str, Array]
    oracles: Mapping[int, Oracle] = field(default_factory=dict)

    @property
    def nodes(self) -> Sequence[NodeProto]:
        return self.model.graph.node

    @property
    def constants(self) -> Mapping[str, Array]:
        return {
            tensor.name: numpy_helper.to_array(tensor) for tensor in self.model.graph.initializer
        }

    @property
    def outputs(self) -> Sequence[str]:
        return [value.name for value in self.model.graph.output]

    @property
    def operators(self) -> str:
        return " ".join(node.op_type for node in self.nodes)

    def opset(self) -> int:
        return next(o.version for o in self.model.opset_import if o.domain in ("", "ai.onnx"))

    def named(self, name: str) -> FuzzCase:
        """Return the case under another name, which C names begin with."""
        model = ModelProto()
        model.CopyFrom(self.model)
        model.graph.name = name
        return replace(self, name=name, model=model)

    def part(self, first: int, last: int, values: Mapping[str, Array]) -> FuzzCase:
        """Return the nodes from ``first`` to ``last`` as a case; ``values`` are all tensors."""
        nodes = list(self.nodes)[first : last + 1]
        made = {name for node in nodes for name in node.output if name}
        read = {name for node in nodes for name in node.input if name}
        later = {name for node in list(self.nodes)[last + 1 :] for name in node.input}
        outputs = [
            name
            for node in nodes
            for name in node.output
            if name in later or name in self.outputs or node is nodes[-1]
        ]
        constants = {name: a for name, a in self.constants.items() if name in read}
        inputs = {
            name: values[name] for name in sorted(read - made) if name and name not in constants
        }
        results = {name: values[name] for name in outputs if name}
        model = build_model(self.name, nodes, inputs, constants, results, self.opset())
        oracles = {i - first: o for i, o in self.oracles.items() if first <= i <= last}
        return FuzzCase(self.name, model, inputs, oracles)

    def save(self, folder: Path, **texts: str) -> None:
        """Write the model, the inputs and texts to a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(self.model, folder / "model.onnx")
        for number, (name, array) in enumerate(self.inputs.items()):
            tensor = numpy_helper.from_array(array, name)
            (folder / f"input_{number}.pb").write_bytes(tensor.SerializeToString())
        for name, text in texts.items():
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")


def load_case(folder: Path) -> FuzzCase:
    """Read a case that was saved, without what computed its nodes in place of ONNX's reference."""
    model = onnx.load(folder / "model.onnx")
    tensors = [
        onnx.TensorProto.FromString(path.read_bytes()) for path in sorted(folder.glob("input_*.pb"))
    ]
    inputs = {tensor.name: numpy_helper.to_array(tensor) for tensor in tensors}
    return FuzzCase(model.graph.name, model, inputs)


def build_model(
    name: str,
    nodes: Sequence[NodeProto],
    inputs: Mapping[str, Array],
    constants: Mapping[str, Array],
    outputs: Mapping[str, Array],
    opset: int = OPSET,
) -> ModelProto:
    """Return a model whose types are those of the arrays."""
    graph = helper.make_graph(
        nodes,
        name,
        [value_info(key, array) for key, array in inputs.items()],
        [value_info(key, array) for key, array in outputs.items()],
        [numpy_helper.from_array(array, key) for key, array in constants.items()],
    )
    imports = [helper.make_opsetid("", opset)]
    version = max(8, helper.find_min_ir_version_for(imports, ignore_unknown=True))
    return helper.make_model(graph, opset_imports=imports, ir_version=version)


def value_info(name: str, array: Array) -> onnx.ValueInfoProto:
    number = helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_value_info(name, number, array.shape)


def describe(case: FuzzCase) -> str:
    """Return the case as text: nodes, constants and inputs as far as they are small."""
    lines: list[str] = []
    for node in case.nodes:
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        lines.append(
            f"{', '.join(node.output)} = {node.op_type}({', '.join(node.input)}) {attributes}"
        )
    for kind, arrays in (("constant", case.constants), ("input", case.inputs)):
        for name, array in arrays.items():
            shown = array.astype(np.float32) if array.dtype == BF16 else array
            text = json.dumps(np.asarray(shown).tolist()) if array.size <= 40 else "…"
            lines.append(f"{kind} {name}: {array.dtype} {list(array.shape)} {text}")
    return "\n".join(lines)
