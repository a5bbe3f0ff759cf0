"""The nearest elements by a scale that is a float: onnxruntime takes the same ones."""

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from autodeploy.dialects.nn.resampling import Rounding
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.nn.resize import LARGEST_COUNT, Axis, fraction_of, scaled_extent

ROUNDINGS = {
    "round_prefer_floor": Rounding.HALF_DOWN,
    "round_prefer_ceil": Rounding.HALF_UP,
    "floor": Rounding.FLOOR,
    "ceil": Rounding.CEIL,
}
SCALES = (*(k / 10 for k in (1, 2, 3, 4, 6, 7, 8, 12, 13, 17, 21, 24, 29)), 1 / 3, 0.61, 2.718)
MODES = ("half_pixel", "pytorch_half_pixel", "asymmetric", "half_pixel_symmetric")


def taken(extent: int, scale: float, mode: str, rounding: str) -> list[int]:
    """The elements that onnxruntime takes."""
    node = helper.make_node(
        "Resize", ["x", "", "s"], ["y"], coordinate_transformation_mode=mode, nearest_mode=rounding
    )
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [extent])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.array([scale], np.float32), "s")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, {"x": np.arange(extent, dtype=np.float32)})[0].astype(int).tolist()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_nearest_elements_by_a_float(mode: str, rounding: str):
    for extent in (1, 7, 34, 60):
        for scale in map(float, np.float32(SCALES)):
            after = scaled_extent(extent, scale)
            if after not in (0, extent):  # where extents stay, onnxruntime copies
                axis = Axis(extent, after, fraction_of(scale, extent, after), given=scale)
                found = axis.nearest(mode, ROUNDINGS[rounding])
                assert found is not None
                assert found.tolist() == taken(extent, scale, mode, rounding), (extent, scale)


def test_corners_and_sizes_are_exact():
    assert (
        Axis(8, 13, fraction_of(1.7, 8, 13), given=1.7).nearest("align_corners", Rounding.FLOOR)
        is None
    )
    assert Axis(100, 30, fraction_of(0.3, 100, 30)).nearest("asymmetric", Rounding.FLOOR) is None


def test_more_elements_than_single_precision_counts():
    axis = Axis(1, LARGEST_COUNT + 1, fraction_of(2.0, 1, 2), given=2.0)
    with pytest.raises(ConversionError, match="16777217 elements are too many to resize to"):
        axis.nearest("asymmetric", Rounding.FLOOR)
