"""Small ONNX models for the tests of the importer."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    ValueInfoProto,
    helper,
    numpy_helper,
)
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func, FuncOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from autodeploy.dialects.nn import NN
from autodeploy.dialects.onnx import get_onnx

OPSET = 17


def context() -> Context:
    """A context that can parse what the importer makes."""
    ctx = Context()
    for dialect in (Builtin, Func, NN, get_onnx()):
        ctx.load_dialect(dialect)
    return ctx


def floats(name: str, shape: Sequence[int | str | None] | None) -> ValueInfoProto:
    """A value of float32 tensors."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def weight(name: str, array: npt.ArrayLike) -> TensorProto:
    """A tensor with its numbers as raw data."""
    return numpy_helper.from_array(np.asarray(array), name)


def graph(
    nodes: Sequence[NodeProto],
    inputs: Sequence[ValueInfoProto],
    outputs: Sequence[ValueInfoProto],
    weights: Sequence[TensorProto] = (),
) -> GraphProto:
    """A graph called ``test``."""
    return helper.make_graph(nodes, "test", inputs, outputs, weights)


def model(
    nodes: Sequence[NodeProto],
    inputs: Sequence[ValueInfoProto],
    outputs: Sequence[ValueInfoProto],
    weights: Sequence[TensorProto] = (),
    opset: int = OPSET,
    domains: Sequence[str] = (),
) -> ModelProto:
    """A model of one graph."""
    return helper.make_model(
        graph(nodes, inputs, outputs, weights),
        opset_imports=[helper.make_opsetid(d, opset if not d else 1) for d in ("", *domains)],
        ir_version=8,
    )


def relu(shape: Sequence[int | str | None] | None = (1, 4)) -> ModelProto:
    """``y = Relu(x)``."""
    return model(
        [helper.make_node("Relu", ["x"], ["y"])], [floats("x", shape)], [floats("y", None)]
    )


def main_of(module: ModuleOp) -> FuncOp:
    """The function of an imported model."""
    main = module.body.block.first_op
    assert isinstance(main, FuncOp)
    return main


def ops_of(module: ModuleOp) -> list[Operation]:
    """The ops of the function, without its return."""
    return list(main_of(module).body.block.ops)[:-1]


def reparsed(ctx: Context, module: ModuleOp) -> ModuleOp:
    """Verify, print and parse; the text must come back as it was."""
    module.verify()
    text = str(module)
    again = Parser(ctx, text).parse_module()
    again.verify()
    assert str(again) == text
    assert module.is_structurally_equivalent(again)
    return again


def written(folder: Path, proto: ModelProto, name: str = "model.onnx") -> Path:
    """The path of a model's file in a folder."""
    path = folder / name
    path.write_bytes(proto.SerializeToString())
    return path
