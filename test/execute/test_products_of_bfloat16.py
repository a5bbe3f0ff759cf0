"""Products of bfloat16: factors are rounded, sums have 32 bits."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from tile_registers import obstacle, opened

from autodeploy.compiler import CompileOptions
from autodeploy.machine import Machine

MACHINES = {
    "vectors": "host:bfloat16_rate=2:amx_rate=1",
    "tiles": "x86-64-sapphirerapids:bfloat16_rate=2",
}

CONVS = {  # extents of the image and the filter, attributes
    "odd": ((1, 3, 9, 11), (5, 3, 3, 3), {"pads": [1, 2, 0, 1]}),
    "strided": ((2, 16, 12, 9), (32, 16, 3, 3), {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
    "flat": ((1, 40, 7, 7), (48, 40, 1, 1), {}),
    "wide": ((1, 34, 6, 6), (130, 34, 3, 3), {"dilations": [2, 1]}),
    "line": ((1, 8, 33), (24, 8, 5), {"pads": [2, 2]}),
    "tiles": ((1, 32, 9, 18), (40, 32, 3, 3), {"pads": [1, 1, 1, 1]}),
    "few": ((1, 64, 5, 7), (24, 64, 3, 1), {"strides": [2, 1]}),
    "single": ((1, 1, 8, 8), (4, 1, 3, 3), {}),
}
PRODUCTS = {
    "rows": ((7, 100), (100, 40)),
    "row": ((1, 64), (64, 33)),
    "stack": ((2, 9, 34), (34, 70)),
    "many_rows": ((33, 64), (64, 130)),
}


KINDS = {**CONVS, **PRODUCTS}


def rounded(array):
    return array.astype(ml_dtypes.bfloat16).astype(np.float32)


def network(round_weights):
    """Return a model with an input and an output for each kind."""
    nodes, values, constants = [], {"x": [], "y": []}, []
    for name, (x, w, *rest) in KINDS.items():
        draw = np.random.default_rng(len(constants))
        weights = draw.normal(size=w).astype(np.float32)
        bias = draw.normal(size=w[0] if rest else w[-1]).astype(np.float32)
        arrays = {"w": rounded(weights) if round_weights else weights, "b": bias}
        constants += [numpy_helper.from_array(array, f"{name}_{k}") for k, array in arrays.items()]
        at = {key: f"{name}_{key}" for key in "xwbpqry"}
        if rest:
            nodes.append(
                helper.make_node("Conv", [at["x"], at["w"], at["b"]], [at["q"]], **rest[0])
            )
        else:
            # Tile registers read a value that another kernel has rounded.
            nodes.append(helper.make_node("Relu", [at["x"]], [at["r"]]))
            nodes.append(helper.make_node("MatMul", [at["r"], at["w"]], [at["p"]]))
            nodes.append(helper.make_node("Add", [at["p"], at["b"]], [at["q"]]))
        nodes.append(helper.make_node("Relu", [at["q"]], [at["y"]]))
        for key, shape in (("x", x), ("y", None)):
            value = helper.make_tensor_value_info(at[key], TensorProto.FLOAT, shape)
            values[key].append(value)
    graph = helper.make_graph(nodes, "products", *values.values(), constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.fixture(scope="module", params=MACHINES.values(), ids=MACHINES)
def session(request):
    machine = request.param
    reason = None
    if Machine.parse(machine).dot("bf16", "bf16") == 1:
        reason = "this machine has no products of bfloat16"
    elif machine != MACHINES["vectors"]:
        reason = obstacle()
    if reason is not None:
        pytest.skip(f"kernels do not run here: {reason}")
    options = CompileOptions(machine=machine, precision="bf16", winograd="off")
    model = network(round_weights=False).SerializeToString()
    with opened(model, options) as session:
        yield session


@pytest.mark.parametrize("ends", [False, True], ids=["finite", "infinite"])
def test_sums_are_those_of_rounded_factors(session, ends):
    draw = np.random.default_rng(1)
    feeds = {f"{name}_x": draw.normal(size=x).astype(np.float32) for name, (x, *_) in KINDS.items()}
    for x in feeds.values() if ends else ():
        x.flat[:3] = np.inf, np.nan, -np.inf
    found = session.run(feeds)
    reference = ReferenceEvaluator(network(round_weights=True))
    with np.errstate(invalid="ignore"):
        right = reference.run(None, {name: rounded(x) for name, x in feeds.items()})
        exact = ReferenceEvaluator(network(round_weights=False)).run(None, feeds)
    for name, y, unrounded in zip(KINDS, right, exact, strict=True):
        finite = np.isfinite(y)
        scale = np.abs(y[finite]).max(initial=1e-30)
        np.testing.assert_allclose(found[f"{name}_y"] / scale, y / scale, 0, 1e-5, err_msg=name)
        changed = np.abs(found[f"{name}_y"][finite] - unrounded[finite])
        assert not finite.any() or changed.max() > 1e-4 * scale, name
