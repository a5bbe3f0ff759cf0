import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, UnrankedTensorType, f32, i64

from autodeploy.dialects.onnx import OptionalType, SequenceType, StringType, UnknownType
from autodeploy.passes.onnx.infer_onnx_shapes import refine

OPEN = DYNAMIC_INDEX
ANY_RANK = UnrankedTensorType(f32)


def tensor(*shape, element=f32):
    return TensorType(element, shape)


@pytest.mark.parametrize(
    ("known", "found", "expected"),
    [
        (UnknownType(), tensor(2), tensor(2)),
        (ANY_RANK, tensor(2, OPEN), tensor(2, OPEN)),
        (tensor(OPEN, 3), tensor(2, OPEN), tensor(2, 3)),
        (tensor(OPEN, OPEN), tensor(OPEN, 0), tensor(OPEN, 0)),
        (SequenceType(ANY_RANK), SequenceType(tensor(2)), SequenceType(tensor(2))),
        (OptionalType(tensor(OPEN)), OptionalType(tensor(2)), OptionalType(tensor(2))),
    ],
)
def test_open_extents_are_filled_in(known, found, expected):
    assert refine(known, found) == expected


@pytest.mark.parametrize(
    ("known", "found"),
    [
        (tensor(2, 3), tensor(OPEN, OPEN)),
        (tensor(2), ANY_RANK),
        (tensor(2), UnknownType()),
        (tensor(2, OPEN), tensor(4, 3)),
        (tensor(OPEN), tensor(2, 3)),
        (tensor(OPEN), tensor(2, element=i64)),
        (ANY_RANK, tensor(2, element=i64)),
        (SequenceType(tensor(OPEN)), OptionalType(tensor(2))),
        (SequenceType(tensor(OPEN)), tensor(2)),
        (StringType(), tensor(2)),
    ],
)
def test_known_types_stay(known, found):
    assert refine(known, found) == known
