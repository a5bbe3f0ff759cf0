"""Words and scores that share one matrix of codes, which the weight file holds once."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper, numpy_helper

import autodeploy

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
    columns = -(-WORDS // 32) * 32
    most = (stored.nbytes + scales.nbytes) * columns / WORDS
    (file,) = bundle.glob("*.weights")
    assert file.stat().st_size < most + 8192
