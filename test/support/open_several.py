"""Networks with several open extents: height and width, batch and length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
from closeness import assert_close
from onnx import TensorProto
from open_images import columns
from open_inner import Inner
from open_runs import expected
from open_windows import joined, squeezed

from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import Session


def renamed(make, **names: Sequence[str]) -> onnx.ModelProto:
    """Return a network whose inputs have other names of extents, axis by axis."""
    model = make()
    for tensor in model.graph.input:
        for dim, name in zip(tensor.type.tensor_type.shape.dim, names[tensor.name], strict=True):
            if name:
                dim.dim_param = name
    for tensor in model.graph.output:
        tensor.type.tensor_type.ClearField("shape")
    return model


def picture() -> onnx.ModelProto:
    """SqueezeNet's windows on images of any height and width."""
    return renamed(squeezed, x=("", "", "h", "w"))


def ways() -> onnx.ModelProto:
    return renamed(joined, x=("", "", "h", "w"))


def photographs() -> onnx.ModelProto:
    """A batch of images of any width, and lines of another length."""
    return renamed(columns, x=("batch", "", "", "w"), w=("", "", "length"))


def encoder() -> onnx.ModelProto:
    """A layer of a transformer for any number of sentences of any length."""
    net = Inner()
    x = net.takes("x", "batch", "length", 24)
    ids = net.takes("ids", "batch", "length", element=TensorProto.INT64)
    x = net.add("Add", x, net.add("Gather", net.weight(7, 24), ids))
    split = net.integers(0, 0, 4, 6)
    q, k, v = (
        net.add("Transpose", net.add("Reshape", net.linear(x, 24, 24), split), perm=order)
        for order in ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3))
    )
    seen = net.add("MatMul", net.add("Softmax", net.add("MatMul", q, k), axis=-1), v)
    joined_ = net.add("Reshape", net.add("Transpose", seen, perm=[0, 2, 1, 3]),
                      net.integers(0, 0, 24))  # fmt: skip
    y = net.add("Add", net.linear(joined_, 24, 24), x)
    y = net.add("LayerNormalization", y, net.weight(24), net.weight(24), axis=-1)
    net.gives(y, "batch", "length", 24)
    net.gives(net.add("ReduceMean", y, net.integers(1), keepdims=0), "batch", 24)
    net.gives(net.add("ReduceMax", y, net.integers(0), keepdims=0), "length", 24)
    net.gives(net.add("ReduceSum", y, net.integers(0, 1), keepdims=0), 24)
    return net.model("encoder")


def drawn(model: onnx.ModelProto, numbers: Mapping[str, int], seed: int) -> dict[str, np.ndarray]:
    """Return inputs for numbers by name."""
    random, found = np.random.default_rng(seed), {}
    for tensor in model.graph.input:
        dims = tensor.type.tensor_type.shape.dim
        shape = [numbers.get(dim.dim_param) or dim.dim_value for dim in dims]
        if tensor.type.tensor_type.elem_type == TensorProto.INT64:
            found[tensor.name] = random.integers(0, 7, shape)
        else:
            found[tensor.name] = random.standard_normal(shape).astype(np.float32)
    return found


def combinations(specs: Sequence[OpenSpec]) -> list[dict[str, int]]:
    """Return numbers that meet: all ends, and some between."""
    random = np.random.default_rng(len(specs))
    ranges = [range(spec.least, spec.most + 1, spec.step) for spec in specs]
    grids = np.meshgrid(*([r[0], r[-1]] for r in ranges), indexing="ij")
    found = [tuple(map(int, row)) for row in np.stack(grids, -1).reshape(-1, len(specs))]
    found += [tuple(int(random.choice(r)) for r in ranges) for _ in range(8)]
    return [dict(zip((spec.names[0] for spec in specs), n, strict=True)) for n in found]


def check(model: onnx.ModelProto, session: Session, specs: Sequence[OpenSpec]) -> None:
    """What the arena holds beyond a run, and from runs before, is nan."""
    most = {spec.names[0]: spec.most for spec in specs}
    nan = drawn(model, most, 0)
    for value in nan.values():
        if value.dtype.kind == "f":
            value[...] = np.nan
    for seed, numbers in enumerate(combinations(specs)):
        session.run(nan)
        values = drawn(model, numbers, seed)
        for found, right in zip(session.run(values).values(), expected(model, values), strict=True):
            assert found.shape == right.shape
            assert_close(found, right)
