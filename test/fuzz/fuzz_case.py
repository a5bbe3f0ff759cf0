"""A model with inputs, whose results are held against ONNX's reference."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
from fuzz_numbers import BF16, Array
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, helper, numpy_helper

from autodeploy.frontend.open_sizes import OpenSpec

OPSET = 23
"""The opset of models that are made here."""
OTHER_OPSETS = {"ai.onnx.ml": 4}
"""Those of other domains."""
OPEN = "batch"
"""The name of an open extent."""
STRING_BYTES = 64
"""Bytes of a string of an input."""

Oracle = Callable[..., object]

Value: TypeAlias = Array | list[Array] | tuple[Array, ...]
"""A tensor, a sequence of tensors, or an optional, which is a tuple of one tensor or of none."""


@dataclass(frozen=True)
class FuzzCase:
    """A model, its inputs, and by index of a node what computes it in place of the reference.

    ``further`` are the inputs of other runs; their shapes differ where an extent is open. A case
    with ``slack`` is held against onnxruntime, and by output these are its two largest errors.
    """

    name: str
    model: ModelProto
    inputs: Mapping[str, Array]
    oracles: Mapping[int, Oracle] = field(default_factory=dict)
    further: Sequence[Mapping[str, Array]] = ()
    slack: Mapping[str, tuple[float, float]] | None = None

    @property
    def runs(self) -> Sequence[FuzzCase]:
        """Return the case with the inputs of each run."""
        return [replace(self, inputs=fed, further=()) for fed in (self.inputs, *self.further)]

    @property
    def settings(self) -> Mapping[str, object]:
        """Return the options of the compiler that the model needs."""
        names = open_extents(self.inputs, self.further)
        if not names:
            return {"string_bytes": STRING_BYTES}
        return {"dynamic": [OpenSpec((name,), min(n), max(n)) for n, name in names.items()]}

    @property
    def numbers(self) -> Sequence[tuple[int, ...]]:
        """Return the numbers of the open extents in each run."""
        return list(zip(*open_extents(self.inputs, self.further), strict=True))

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

    def part(self, first: int, last: int, values: Sequence[Mapping[str, Value]]) -> FuzzCase | None:
        """Return the nodes from ``first`` to ``last`` as a case; ``values`` are all of each run.

        There is none where they read or make what is no tensor.
        """
        nodes = list(self.nodes)[first : last + 1]
        made = {name for node in nodes for name in node.output if name}
        read = {name for node in nodes for name in reads(node)}
        later = {name for node in list(self.nodes)[last + 1 :] for name in reads(node)}
        outputs = [
            name
            for node in nodes
            for name in node.output
            if name and (name in later or name in self.outputs or node is nodes[-1])
        ]
        constants = {name: a for name, a in self.constants.items() if name in read}
        fed = [name for name in sorted(read - made) if name not in constants]
        if not all(isinstance(values[0][name], np.ndarray) for name in (*fed, *outputs)):
            return None
        runs = [{name: run[name] for name in fed} for run in values]
        results = [{name: run[name] for name in outputs} for run in values]
        model = build_model(
            self.name,
            nodes,
            runs[0],
            constants,
            results[0],
            self.opset(),
            [{**given, **found} for given, found in zip(runs[1:], results[1:], strict=True)],
        )
        oracles = {i - first: o for i, o in self.oracles.items() if first <= i <= last}
        return FuzzCase(self.name, model, runs[0], oracles, runs[1:])

    def save(self, folder: Path, **texts: str) -> None:
        """Write the model, the inputs and texts to a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(self.model, folder / "model.onnx")
        for run, case in enumerate(self.runs):
            for number, (name, array) in enumerate(case.inputs.items()):
                tensor = numpy_helper.from_array(array, name)
                stem = f"run_{run}_input_{number}" if run else f"input_{number}"
                (folder / f"{stem}.pb").write_bytes(tensor.SerializeToString())
        if self.slack is not None:
            (folder / "slack.json").write_text(json.dumps(self.slack), encoding="utf-8")
        for name, text in texts.items():
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")


def load_case(folder: Path) -> FuzzCase:
    """Read a case that was saved, without what computed its nodes in place of ONNX's reference."""
    model = onnx.load(folder / "model.onnx")
    first, *further = (
        dict(map(_read_tensor, sorted(folder.glob(f"{stem}input_*.pb"))))
        for stem in ("", *(f"run_{run}_" for run in range(1, 1 + _further_runs(folder))))
    )
    errors = folder / "slack.json"
    slack = json.loads(errors.read_text(encoding="utf-8")) if errors.exists() else None
    return FuzzCase(model.graph.name, model, first, further=further, slack=slack)


def _further_runs(folder: Path) -> int:
    return len({path.name.split("_")[1] for path in folder.glob("run_*_input_*.pb")})


def _read_tensor(path: Path) -> tuple[str, Array]:
    tensor = onnx.TensorProto.FromString(path.read_bytes())
    return tensor.name, numpy_helper.to_array(tensor)


def build_model(
    name: str,
    nodes: Sequence[NodeProto],
    inputs: Mapping[str, Array],
    constants: Mapping[str, Array],
    outputs: Mapping[str, Array],
    opset: int = OPSET,
    further: Sequence[Mapping[str, Array]] = (),
) -> ModelProto:
    """Return a model whose types are those of the arrays.

    ``further`` are arrays of the same names in other runs: an extent that is another one there is
    open.
    """
    names = open_extents(inputs, further)

    def info(key: str, array: Array) -> onnx.ValueInfoProto:
        return value_info(key, array, [run[key].shape for run in further if key in run], names)

    graph = helper.make_graph(
        nodes,
        name,
        [info(key, array) for key, array in inputs.items()],
        [info(key, array) for key, array in outputs.items()],
        [numpy_helper.from_array(array, key) for key, array in constants.items()],
    )
    imports = [helper.make_opsetid("", opset)]
    others = sorted({node.domain for node in every_node(nodes)} - {"", "ai.onnx"})
    imports += [helper.make_opsetid(domain, OTHER_OPSETS[domain]) for domain in others]
    version = max(8, helper.find_min_ir_version_for(imports, ignore_unknown=True))
    return helper.make_model(graph, opset_imports=imports, ir_version=version)


def open_extents(
    inputs: Mapping[str, Array], further: Sequence[Mapping[str, Array]]
) -> Mapping[tuple[int, ...], str]:
    """Return the names of the extents that differ between runs, by their numbers in each run.

    Extents that are equal in all runs are one.
    """
    found = (
        numbers
        for name in inputs
        for numbers in zip(*(run[name].shape for run in (inputs, *further)), strict=True)
        if len(set(numbers)) > 1
    )
    return {n: f"{OPEN}_{i}" if i else OPEN for i, n in enumerate(dict.fromkeys(found))}


def value_info(
    name: str,
    array: Array,
    others: Sequence[Sequence[int]],
    names: Mapping[tuple[int, ...], str],
) -> onnx.ValueInfoProto:
    """Return the type of a tensor; an extent that is not the same in ``others`` is open."""
    number = helper.np_dtype_to_tensor_dtype(array.dtype)
    shape = [
        names.get(numbers, OPEN) if len(set(numbers)) > 1 else numbers[0]
        for numbers in zip(array.shape, *others, strict=True)
    ]
    return helper.make_tensor_value_info(name, number, shape)


def subgraphs(node: NodeProto) -> Sequence[GraphProto]:
    return [a.g for a in node.attribute if a.type == AttributeProto.GRAPH]


def every_node(nodes: Sequence[NodeProto]) -> Iterator[NodeProto]:
    """Yield nodes, and those of their subgraphs."""
    for node in nodes:
        yield node
        for graph in subgraphs(node):
            yield from every_node(graph.node)


def reads(node: NodeProto) -> Sequence[str]:
    """Return what a node reads, also what its subgraphs take from outside."""
    found = dict.fromkeys(name for name in node.input if name)
    for graph in subgraphs(node):
        own = {value.name for value in (*graph.input, *graph.initializer)}
        own |= {name for inner in graph.node for name in inner.output}
        found |= dict.fromkeys(
            name for inner in graph.node for name in reads(inner) if name not in own
        )
    return list(found)


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
