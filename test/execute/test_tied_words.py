"""Words and scores that share one matrix, which the weight file holds once."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper, numpy_helper

import autodeploy
from autodeploy.weights import named_dtype

WORDS, WIDTH, BLOCK = 203, 256, 32


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("precision", ["f32", "rows=s8"])
def test_rows_are_those_of_the_matrix(bits, precision, tmp_path):
    random = np.random.default_rng(bits)
    codes = random.integers(0, 1 << bits, (WORDS, WIDTH), np.uint8)
    codes[0, :2] = 0, (1 << bits) - 1
    scales = random.uniform(0.5, 1, (WORDS, WIDTH // BLOCK)).astype(np.float32)
    stored = codes if bits == 8 else codes[:, ::2] | codes[:, 1::2] << 4
    tensors = {
        "table": stored,
        "codes": stored.reshape(WORDS, WIDTH // BLOCK, -1),
        "scales": scales,
    }
    kind = {"domain": "com.microsoft", "bits": bits, "block_size": BLOCK}
    axes = {"gather_axis": 0, "quantize_axis": 1}
    nodes = [
        helper.make_node("GatherBlockQuantized", ["table", "ids", "scales"], ["x"], **axes, **kind),
        helper.make_node("MatMulNBits", ["x", "codes", "scales"], ["y"], K=WIDTH, N=WORDS, **kind),
    ]
    graph = helper.make_graph(
        nodes,
        "tied",
        [helper.make_tensor_value_info("ids", 7, [1, "n"])],
        [
            helper.make_tensor_value_info("x", 1, [1, "n", WIDTH]),
            helper.make_tensor_value_info("y", 1, [1, "n", WORDS]),
        ],
        [numpy_helper.from_array(array, name) for name, array in tensors.items()],
    )
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=10)
    middle = np.float32(1 << bits - 1)
    rows = (codes.astype(np.float32) - middle) * np.repeat(scales, BLOCK, 1)
    bundle = tmp_path / "tied"
    dynamic = {"n": [1, (2, 9)]}
    with autodeploy.compile(model, bundle, dynamic=dynamic, precision=precision) as session:
        for ids in ([202], [0, 1, -1, 31, 32, 33, 201], [-203, 64]):
            found = session.run({"ids": np.array([ids])})
            assert np.array_equal(found["x"][0], rows[ids])
            if precision == "f32":
                expected = rows[ids].astype(np.float64) @ rows.T.astype(np.float64)
                assert np.abs(found["y"][0] - expected).max() < 2e-6 * np.abs(expected).max()
    columns = -(-WORDS // 64) * 64
    most = (stored.nbytes + scales.nbytes) * columns / WORDS
    (file,) = bundle.glob("*.weights")
    assert file.stat().st_size < most + 8192


@pytest.mark.parametrize(
    ("element", "head"), [("float32", "Transpose"), ("float16", "MatMul"), ("bfloat16", "Gemm")]
)
def test_floats_are_stored_once(element, head, tmp_path):
    """Exporters transpose the table, write it twice, or let the product do so."""
    words, width, dtype = 3000, 192, named_dtype(element)
    table = np.random.default_rng(1).standard_normal((words, width)).astype(dtype)
    kind = helper.np_dtype_to_tensor_dtype(dtype)
    tensors = [helper.make_tensor("table", kind, table.shape, table.tobytes(), raw=True)]
    nodes = [helper.make_node("Gather", ["table", "ids"], ["x"])]
    if head == "Gemm":
        tensors.append(numpy_helper.from_array(np.array([-1, width]), "shape"))
        nodes.append(helper.make_node("Reshape", ["x", "shape"], ["rows"]))
        nodes.append(helper.make_node("Gemm", ["rows", "table"], ["y"], transB=1))
    else:
        if head == "Transpose":
            nodes.append(helper.make_node("Transpose", ["table"], ["head"], perm=[1, 0]))
        else:
            columns = np.ascontiguousarray(table.T).tobytes()
            tensors.append(helper.make_tensor("head", kind, (width, words), columns, raw=True))
        nodes.append(helper.make_node("MatMul", ["x", "head"], ["y"]))
    graph = helper.make_graph(
        nodes,
        "tied",
        [helper.make_tensor_value_info("ids", 7, [1, "n"])],
        [
            helper.make_tensor_value_info("x", kind, [1, "n", width]),
            helper.make_tensor_value_info("y", kind, None),
        ],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    bundle = tmp_path / "tied"
    with autodeploy.compile(model, bundle, dynamic={"n": [1, (2, 9)]}) as session:
        for ids in ([2999], [0, 1, -1, 15, 16, 2000], [-3000, 64]):
            found = session.run({"ids": np.array([ids])})
            assert np.array_equal(found["x"][0], table[ids])
            expected = table[ids].astype(np.float64) @ table.T.astype(np.float64)
            error = np.abs(found["y"].reshape(expected.shape).astype(np.float64) - expected).max()
            most = {"float32": 1e-6, "float16": 1e-3, "bfloat16": 4e-3}[element]
            assert error < most * np.abs(expected).max()
    (file,) = bundle.glob("*.weights")
    assert file.stat().st_size < 1.05 * table.nbytes
