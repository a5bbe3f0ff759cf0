"""Models whose data is in files of more bytes than 32 bits count."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper

import autodeploy


def test_external_data_behind_4_gigabytes(tmp_path):
    """The file has a hole, which takes no room."""
    factors = np.arange(2048, dtype=np.float32).reshape(2, 1024)
    tensors = []
    with (tmp_path / "model.data").open("wb") as file:
        for number, place in enumerate((1 << 31, (1 << 32) + 64)):
            file.seek(place)
            file.write((factors[number]).tobytes())
            tensor = TensorProto(name=f"w{number}", data_type=TensorProto.FLOAT, dims=[1024])
            tensor.data_location = TensorProto.EXTERNAL
            for key, value in (("location", "model.data"), ("offset", place), ("length", 4096)):
                tensor.external_data.add(key=key, value=str(value))
            tensors.append(tensor)
    assert (tmp_path / "model.data").stat().st_size > 1 << 32
    nodes = [
        helper.make_node("Mul", ["x", "w0"], ["scaled"]),
        helper.make_node("Add", ["scaled", "w1"], ["y"]),
    ]
    ends = [helper.make_tensor_value_info(name, 1, [1024]) for name in ("x", "y")]
    graph = helper.make_graph(nodes, "large", ends[:1], ends[1:], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    x = np.linspace(-1, 1, 1024, dtype=np.float32)
    with autodeploy.compile(tmp_path / "model.onnx") as session:
        assert np.allclose(session.run({"x": x})["y"], x * factors[0] + factors[1], rtol=1e-6)
