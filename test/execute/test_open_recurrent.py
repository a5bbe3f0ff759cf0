"""Recurrent networks and other loops with an open number of steps, or an open batch."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from closeness import assert_close
from onnx import helper
from open_inner import Inner
from open_recurrent import WIDTH, both
from open_runs import check_range, compiled, expected

from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 2, 3])
def test_steps_and_batch_are_open_at_once(level, tmp_path):
    specs = [OpenSpec(("steps",), 1, 13), OpenSpec(("batch",), 1, 6)]
    model = compiled(both, specs, tmp_path / "b", level=level)
    with load_bundle(tmp_path / "b") as session:
        for steps, batch in ((1, 1), (13, 1), (1, 6), (7, 3), (12, 5), (13, 6)):
            session.run(np.full((13, 6, WIDTH), np.nan, np.float32))
            x = np.random.default_rng(steps).standard_normal((steps, batch, WIDTH), np.float32)
            right = expected(model, {"x": x})
            for found, value in zip(session.run(x).values(), right, strict=True):
                assert_close(found, value)


def test_steps_may_follow_from_no_rows(tmp_path):
    """A loop that runs as often as the number says, collects rows and reads none."""
    net = Inner()
    x = net.takes("x", "n", WIDTH)
    count = net.add("Squeeze", net.add("Slice", net.add("Shape", x), *map(net.integers, (0, 1))))
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["goes"], "same"),
         helper.make_node("Tanh", ["y"], ["z"], "tanh"),
         helper.make_node("Neg", ["z"], ["row"], "negated")],
        "body",
        [helper.make_tensor_value_info("i", onnx.TensorProto.INT64, []),
         helper.make_tensor_value_info("go", onnx.TensorProto.BOOL, []),
         helper.make_tensor_value_info("y", 1, [1, WIDTH])],
        [helper.make_tensor_value_info("goes", onnx.TensorProto.BOOL, []),
         helper.make_tensor_value_info("z", 1, [1, WIDTH]),
         helper.make_tensor_value_info("row", 1, [1, WIDTH])],
    )  # fmt: skip
    first = net.add("Slice", x, *map(net.integers, (0, 1, 0)))
    net.nodes.append(helper.make_node("Loop", [count, "", first], ["end", "rows"], body=body))
    net.gives("rows", "n", 1, WIDTH)
    model = net.model("often")
    check_range(lambda: model, OpenSpec(("n",), 2, 9), tmp_path / "b", range(2, 10))
