"""Results that are known for all numbers, evaluated when they are asked for."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from onnx import parser
from open_decoders import llama
from xdsl.context import Context

from autodeploy.dialects.extents import Numbers, OpenRange
from autodeploy.dialects.nn.open_extent import EXTENT_ATTRIBUTE
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.onnx.importer import import_model
from autodeploy.frontend.open_sizes import NamedRange, OpenSizes
from autodeploy.lowering.onnx_to_nn.convert_onnx_to_nn import ConvertOnnxToNnPass
from autodeploy.lowering.onnx_to_nn.run_sizes import Followed, FollowedOp, RunSizes
from autodeploy.lowering.onnx_to_nn.size_evaluation import Evaluation
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable
from autodeploy.passes.onnx.fold_onnx_constants import FoldOnnxConstantsPass

NUMBERS = Numbers((OpenRange("n", 1, 5),))
TABLE = SizeTable.of_extents(NUMBERS, [NUMBERS.extent(0)], [1])


def convert(model, ranges, dims=None):
    ctx, sizes = Context(), OpenSizes.of(ranges, dims or {}, ())
    module = import_model(ctx, model.SerializeToString(), dims=sizes.dims, axes=sizes.axes)
    module.attributes[EXTENT_ATTRIBUTE] = sizes.extent
    FoldOnnxConstantsPass().apply(ctx, module)
    ConvertOnnxToNnPass().apply(ctx, module)


def one_more(calls):
    def evaluate(operands):
        calls.append(len(operands))
        return [SizeTable(NUMBERS, operands[0].values + 1)]

    return evaluate


def test_a_chain_is_evaluated_once_and_not_before_it_is_asked_for():
    calls, value = [], TABLE
    for _ in range(3000):  # deeper than calls may be
        value = Followed(FollowedOp(one_more(calls), [value, value], "Add"))
    assert calls == []
    assert value.table.at((4,)).tolist() == [3004]
    assert value.table.at((5,)).tolist() == [3005]
    assert calls == [2] * 3000


def test_results_of_an_unknown_value_are_unknown():
    def evaluate(operands):
        raise AssertionError

    first = FollowedOp(lambda operands: None, [TABLE], "Sin")
    assert first.tables is None
    assert FollowedOp(evaluate, [Followed(first), TABLE], "Add").tables is None


def test_an_error_names_the_op_that_it_is_of():
    def fail(operands):
        raise ConversionError("cannot be computed for 3")

    first = FollowedOp(fail, [TABLE], "Gather-13 node 'a'")
    second = FollowedOp(one_more([]), [Followed(first)], "Add-14 node 'b'")
    for op in (second, first, second):
        with pytest.raises(ConversionError, match=r"^Gather-13 node 'a': cannot be computed for 3"):
            _ = op.tables


def test_a_result_has_its_place():
    def both(operands):
        return [SizeTable.of_array(NUMBERS, np.array([place])) for place in (7, 8)]

    op = FollowedOp(both, [TABLE], "Split")
    assert [Followed(op, place).table.constant.tolist() for place in (0, 1)] == [[7], [8]]


@pytest.mark.parametrize(
    ("op", "result"),
    [
        ("Cast <to = 1> (r)", "float[m]"),
        ("Neg (r)", "int64[m]"),
        ("Reshape (r, wide)", "int64[1, m]"),
        ("Unsqueeze (r, zero)", "int64[1, m]"),
    ],
)
def test_a_list_is_not_evaluated_to_see_that_it_has_several_lengths(op, result, monkeypatch):
    evaluated, call = [], Evaluation.__call__

    def noted(self, operands, *, ragged=False):
        evaluated.append((self.op_type, ragged))
        return call(self, operands, ragged=ragged)

    monkeypatch.setattr(Evaluation, "__call__", noted)
    model = parser.parse_model(
        f"""<ir_version: 10, opset_import: ["": 21]>
        g (float[n, 2] x) => ({result} y)
        <int64 least = {{0}}, int64 one = {{1}}, int64[2] wide = {{1, -1}}, int64[1] zero = {{0}}>
        {{
            shape = Shape <start = 0, end = 1> (x)
            n = Squeeze (shape)
            r = Range (least, n, one)
            y = {op}
        }}"""
    )
    convert(model, [NamedRange(("n",), 1, 7)])
    assert ("Range", False) in evaluated
    assert not [op_type for op_type, ragged in evaluated if ragged]


def test_no_table_outlives_the_conversion():
    """Not even until cycles are looked for: tables of long ranges are the most of all memory."""
    ranges = [NamedRange(("past_sequence_length",), 0, 13), NamedRange(("sequence_length",), 1, 7)]
    gc.collect()
    gc.disable()
    try:
        convert(llama(), ranges, {"batch_size": 1})
        assert not [o for o in gc.get_objects() if isinstance(o, RunSizes | FollowedOp)]
    finally:
        gc.enable()
