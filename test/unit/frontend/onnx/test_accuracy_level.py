"""A model says that its rows have 8 bits if each product with codes does."""

import pytest
from imported_models import import_model_proto
from onnx import helper
from packed_decoder import packed_decoder

from autodeploy.dialects.registry import new_context
from autodeploy.frontend.onnx.description import rounds_rows
from autodeploy.precision import precision_use

DIMS = {
    "batch_size": 1, "sequence_length": 1, "past_sequence_length": 3, "total_sequence_length": 4,
}  # fmt: skip


@pytest.mark.parametrize(("level", "expected"), [(4, True), (0, False)])
def test_all_products_state_the_level(level, expected):
    module = import_model_proto(new_context(), packed_decoder(level=level), dims=DIMS)
    assert rounds_rows(module) is expected


@pytest.mark.parametrize("other", [0, 1, None])
def test_one_product_of_another_level_keeps_all_rows(other):
    model = packed_decoder(level=4)
    product = next(node for node in model.graph.node if node.op_type == "MatMulNBits")
    kept = [given for given in product.attribute if given.name != "accuracy_level"]
    del product.attribute[:]
    product.attribute.extend(kept)
    if other is not None:
        product.attribute.append(helper.make_attribute("accuracy_level", other))
    assert not rounds_rows(import_model_proto(new_context(), model, dims=DIMS))


@pytest.mark.parametrize(
    ("level", "chosen", "expected"),
    [(3, None, "rows=s8"), (2, None, "model"), (3, "f32", "f32"), (3, "weights=s8", "weights=s8")],
)
def test_the_user_chooses_before_the_model(level, chosen, expected):
    assert precision_use(level, chosen, rounds_rows=True) == expected
