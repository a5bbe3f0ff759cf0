"""Tensors that depend on the numbers of a run, against ONNX's reference at every number."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper
from table_case import (
    GRIDS,
    ONE,
    PAIR,
    STEP,
    Case,
    evaluate,
    floats,
    grown,
    i64,
    mask,
    points,
    positive,
    rest,
    scalar,
    size,
    table,
)
from xdsl.context import Context
from xdsl.dialects.builtin import i32
from xdsl.dialects.builtin import i64 as i64_
from xdsl.rewriter import Rewriter

from autodeploy.analysis.reference import Reference
from autodeploy.dialects.extents import Extent, Numbers, OpenRange, Undecided, largest_of
from autodeploy.dialects.nn.types import tensor
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.size_evaluation import (
    Evaluation,
    TooManyNumbersError,
    chosen,
)
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable
from autodeploy.passes.onnx.known_nodes import KnownNode

F32, BF16 = np.float32, ml_dtypes.bfloat16
X = size
TABLE = np.arange(24, dtype=np.int64).reshape(4, 6) ** 2


def first_only(n, m):
    return i64(n, -n)


def second_only(n, m):
    return i64(m, m * m)


CASES = {
    "add": Case("Add", size, i64(1, -2, 3)),
    "add_rank": Case("Add", grown(1, 2, 1, 3), grown(2, 4, 1)),
    "add_scalar": Case("Add", grown(1), grown(2)),
    "add_itself": Case("Add", X, X),
    "add_bf16": Case("Add", floats(1, 3, dtype=BF16), np.ones((), BF16)),
    "sub": Case("Sub", grown(1, 3), grown(2, 2, 3)),
    "mul": Case("Mul", size, grown(3, 3)),
    "mul_i32": Case("Mul", grown(1, 3, dtype=np.int32), grown(2, 3, dtype=np.int32)),
    "div": Case("Div", grown(1, 8), i64(2, 3, -2, -3, 1, 7, -7, 5)),
    "div_varying": Case("Div", i64(100, -100, 17), grown(3, 3)),  # by 0 as well
    "div_float": Case("Div", floats(1, 3), floats(2, 3)),
    "mod": Case("Mod", grown(1, 4), i64(3, -3, 8, -8)),
    "fmod": Case("Mod", grown(1, 4), i64(3, -3, 8, -8), fmod=1),
    "fmod_float": Case("Mod", floats(1, 3), scalar(1.5, F32), fmod=1),
    "neg": Case("Neg", size),
    "abs": Case("Abs", grown(4, 4)),
    "sign": Case("Sign", grown(4, 4)),
    "min": Case("Min", size, i64(5), grown(2, 1)),
    "max": Case("Max", size, i64(5)),
    "max_one": Case("Max", size),
    "sum": Case("Sum", floats(1, 3), floats(2, 1), floats(3, 2, 1)),
    "mean": Case("Mean", np.ones(3, F32), floats(2, 3)),
    "clip": Case("Clip", size, scalar(2), scalar(5)),
    "clip_most": Case("Clip", size, None, grown(2)),
    "clip_6": Case("Clip", floats(2, 3), opset=6, min=-1.0, max=2.5),
    "equal": Case("Equal", size, i64(4, 3, 8)),
    "less": Case("Less", size, grown(3, 1)),
    "less_or_equal": Case("LessOrEqual", size, i64(4, 3, 8)),
    "greater": Case("Greater", floats(1, 3), scalar(0, F32)),
    "greater_or_equal": Case("GreaterOrEqual", size, i64(4)),
    "and": Case("And", mask(1, 4), mask(2, 4)),
    "or": Case("Or", mask(1, 4), mask(2, 2, 1)),
    "xor": Case("Xor", mask(1, 4), mask(2, 4)),
    "not": Case("Not", mask(1, 4)),
    "where": Case("Where", mask(1, 3), size, i64(-1, -2, -3)),
    "where_rank": Case("Where", mask(1, 2, 1), size, grown(5)),
    "cast_float": Case("Cast", size, to=TensorProto.FLOAT),
    "cast_int": Case("Cast", floats(3, 4), to=TensorProto.INT64),
    "cast_bool": Case("Cast", grown(3, 4), to=TensorProto.BOOL),
    "cast_narrow": Case("Cast", grown(3, 4), to=TensorProto.INT8),
    "cast_like": Case("CastLike", size, grown(1, 2, 2, dtype=F32), opset=19),
    "floor": Case("Floor", floats(1, 4)),
    "ceil": Case("Ceil", floats(1, 4)),
    "round": Case("Round", floats(1, 6)),
    "sqrt": Case("Sqrt", floats(1, 6)),
    "reciprocal": Case("Reciprocal", floats(1, 3)),
    "exp": Case("Exp", floats(1, 3)),
    "log": Case("Log", floats(1, 3, dtype=np.float64)),
    "pow": Case("Pow", size, scalar(2)),
    "pow_float": Case("Pow", floats(1, 3), scalar(0.5, F32)),
    "is_nan": Case("IsNaN", lambda n, m: np.array([n, np.nan if n % 2 else m], F32)),
    "bit_shift": Case("BitShift", positive(1, 3, dtype=np.uint8), scalar(2, np.uint8),
                      direction="LEFT"),
    "prelu_by_channel": Case("PRelu", floats(1, 3, 2), scalar([0.5, -1, 2], F32)),
    "identity": Case("Identity", size),
    "gather": Case("Gather", size, scalar(-1)),
    "gather_list": Case("Gather", grown(1, 2, 3), i64(2, 0), axis=1),
    "gather_varying": Case("Gather", TABLE, rest(6, 2), axis=1),
    "gather_both": Case("Gather", grown(1, 4), rest(4, 2, 2)),
    "gather_itself": Case("Gather", X3 := rest(3, 3), X3),
    "gather_elements": Case("GatherElements", grown(1, 2, 3), rest(3, 2, 2), axis=1),
    "gather_nd": Case("GatherND", grown(1, 2, 3), rest(2, 4, 1)),
    "concat": Case("Concat", size, i64(7), grown(3, 2), axis=0),
    "concat_itself": Case("Concat", X, X, axis=-1),
    "concat_axis": Case("Concat", grown(1, 2, 1), grown(2, 2, 3), axis=1),
    "unsqueeze": Case("Unsqueeze", size, i64(0, -1)),
    "unsqueeze_11": Case("Unsqueeze", size, opset=11, axes=[0]),
    "squeeze": Case("Squeeze", grown(1, 1), i64(0)),
    "squeeze_all": Case("Squeeze", grown(1, 1, 3, 1)),
    "slice": Case("Slice", size, i64(1), i64(2**63 - 1)),
    "slice_back": Case("Slice", grown(1, 2, 5), i64(-1), i64(-9), i64(1), i64(-2)),
    "slice_varying": Case("Slice", grown(1, 9), rest(7, 1), lambda n, m: rest(7, 1)(n, m) + 2),
    "slice_9": Case("Slice", size, opset=9, starts=[0], ends=[-1]),
    "split": Case("Split", grown(1, 2, 5), i64(2, 3), outputs=2, axis=1),
    "split_even": Case("Split", size, outputs=3, opset=13),
    "reshape": Case("Reshape", grown(1, 2, 6), i64(0, 3, -1)),
    "flatten": Case("Flatten", grown(1, 2, 3, 2), axis=2),
    "transpose": Case("Transpose", grown(1, 2, 3, 2), perm=[2, 0, 1]),
    "expand": Case("Expand", grown(1, 3, 1), i64(2, 1, 4)),
    "expand_bool": Case("Expand", mask(1, 1), i64(3)),
    "tile": Case("Tile", size, i64(2)),
    "compress": Case("Compress", grown(1, 4), np.array([True, False, True, True])),
    "reduce_prod": Case("ReduceProd", size, keepdims=0),
    "reduce_prod_wraps": Case("ReduceProd", grown(1, 40), keepdims=0),
    "reduce_sum": Case("ReduceSum", grown(1, 2, 3), i64(-1), keepdims=1),
    "reduce_sum_none": Case("ReduceSum", grown(1, 2, 3), i64(), noop_with_empty_axes=1),
    "reduce_sum_all": Case("ReduceSum", grown(1, 2, 3), i64()),
    "reduce_sum_11": Case("ReduceSum", grown(1, 2, 3), opset=11, axes=[0], keepdims=0),
    "reduce_sum_by": Case("ReduceSum", grown(1, 2, 2), lambda n, m: i64(n % 2),
                          keepdims=0),
    "reduce_max": Case("ReduceMax", grown(1, 2, 3), i64(0, 1), keepdims=0),
    "reduce_min": Case("ReduceMin", grown(1, 2, 3), keepdims=0),
    "reduce_mean": Case("ReduceMean", floats(1, 2, 3), keepdims=0),
    "reduce_l2": Case("ReduceL2", floats(1, 3)),
    "arg_max": Case("ArgMax", grown(1, 4), axis=0),
    "cum_sum": Case("CumSum", grown(1, 4), scalar(0), exclusive=1),
    "range": Case("Range", grown(1), lambda n, m: grown(1)(n, m) + 4, scalar(1)),
    "one_hot": Case("OneHot", rest(5, 3), scalar(5), i64(0, 1)),
    "constant_of_shape": Case("ConstantOfShape", i64(2, 2),
                              value=helper.make_tensor("v", TensorProto.INT64, [1], [3])),
    "shape": Case("Shape", grown(1, 2, 3)),
    "size": Case("Size", grown(1, 2, 3)),
    "trilu": Case("Trilu", grown(1, 3, 3), scalar(1)),
    "matmul": Case("MatMul", grown(1, 2, 3), grown(2, 3)),
    "top_k": Case("TopK", grown(1, 5), i64(2), outputs=2),
    "pad": Case("Pad", size, i64(1, 2), grown(3)),
    "scatter_elements": Case("ScatterElements", np.zeros(4, np.int64), rest(4, 2), grown(1, 2)),
    "scatter_nd": Case("ScatterND", grown(1, 4), rest(4, 1, 1), grown(1, 1)),
    "non_zero": Case("NonZero", positive(1, 3)),
    "add_other_numbers": Case("Add", first_only, second_only),
    "concat_other_numbers": Case("Concat", first_only, second_only, axis=0),
    "gather_by_other_numbers": Case("Gather", first_only, lambda n, m: i64(m % 2)),
    "empty": Case("Concat", i64(), size, axis=0),
    "of_nothing": Case("ReduceProd", np.zeros(0, np.int64), keepdims=0),
}  # fmt: skip


@pytest.mark.parametrize("numbers", GRIDS.values(), ids=GRIDS)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_table_is_the_reference_at_every_number(case, numbers):
    is_the_reference(case, numbers, case.evaluate(numbers))


def is_the_reference(case, numbers, tables):
    assert tables is not None
    for counts, given in points(numbers):
        expected = case.reference(given)
        found = [own.at(counts) for own in tables]
        assert [(x.dtype, x.shape) for x in found] == [(x.dtype, x.shape) for x in expected]
        assert [x.tobytes() for x in found] == [x.tobytes() for x in expected]


def ones_and_lists(dtype):
    """Return a function of the numbers: one element for some, for others as many as ``counted``."""
    return lambda n, m: np.ones(1 if n % 2 else n + m % 3, dtype)


VARYING_SHAPES = {
    "range": Case("Range", scalar(0), lambda n, m: scalar(n), scalar(1)),
    "slice": Case("Slice", np.arange(90), i64(0), lambda n, m: i64(n)),
    "constant_of_shape": Case("ConstantOfShape", size),
    "reshape": Case("Reshape", np.arange(12), lambda n, m: i64(1 + n % 3, -1)),
    "expand": Case("Expand", i64(7), lambda n, m: i64(n)),
    "tile": Case("Tile", i64(7), lambda n, m: i64(n)),
    "one_hot": Case("OneHot", i64(1), lambda n, m: scalar(n), i64(0, 1)),
    "non_zero": Case("NonZero", lambda n, m: i64(n, n % 3)),
    "split": Case("Split", np.arange(100), lambda n, m: i64(n, 100 - n), outputs=2),
    "where": Case("Where", ones_and_lists(np.bool_), i64(7), i64(8)),
    "middle": Case(
        "Range", scalar(0), lambda n, m: scalar(n * (9 - n) % 5 + 7 * (n == 8)), scalar(1)
    ),
}


def counted(n, m):
    """Return as many integers as the numbers say."""
    return np.arange(n + m % 3, dtype=np.int64) * m % 7


OF_LISTS = {
    "mul": Case("Mul", counted, i64(3)),
    "mul_column": Case("Mul", counted, i64(3, 4, 5).reshape(3, 1)),
    "mul_lists": Case("Mul", counted, lambda n, m: counted(n, m) + n),
    "add_or_repeat": Case("Add", counted, ones_and_lists(np.int64)),
    "cast": Case("Cast", counted, to=TensorProto.FLOAT),
    "concat": Case("Concat", counted, i64(7), counted, axis=0),
    "unsqueeze": Case("Unsqueeze", counted, i64(1)),
    "gather_last": Case("Gather", counted, i64(-1)),
    "gather_by_list": Case("Gather", TABLE[0], lambda n, m: counted(n, m) % 6),
    "slice": Case("Slice", counted, i64(-2), i64(1 << 40)),
    "slice_varying": Case("Slice", counted, lambda n, m: i64(n // 2), i64(7)),
    "reduce_sum": Case("ReduceSum", counted, i64(0)),
    "reduce_max": Case("ReduceMax", counted, keepdims=0),
    "shape": Case("Shape", counted),
    "size": Case("Size", counted),
    "non_zero": Case("NonZero", counted),
    "compress": Case("Compress", counted, np.array([True])),
    "constant_of_shape": Case("ConstantOfShape", lambda n, m: counted(n, m)[:1]),
    "tile": Case("Tile", counted, i64(2)),
    "unique": Case("Unique", counted, outputs=4),
    "top_k": Case("TopK", counted, lambda n, m: i64(n), outputs=2),
    "cum_sum": Case("CumSum", counted, scalar(0)),
}


@pytest.mark.parametrize("numbers", GRIDS.values(), ids=GRIDS)
@pytest.mark.parametrize(
    "case", [*VARYING_SHAPES.values(), *OF_LISTS.values()], ids=[*VARYING_SHAPES, *OF_LISTS]
)
def test_a_table_of_several_shapes_is_the_reference_at_every_number(case, numbers):
    is_the_reference(case, numbers, case.evaluate(numbers, ragged=True))


def test_elements_of_lists_are_computed_at_once_and_beyond_their_ends_are_zeros(monkeypatch):
    runs, run = [], KnownNode.run

    def noted(node, operands):
        runs.append(node.proto.op_type)
        return run(node, operands)

    monkeypatch.setattr(KnownNode, "run", noted)
    case = Case("Add", counted, i64(3, 4, 5).reshape(3, 1))
    (found,) = case.evaluate(PAIR, ragged=True)
    assert runs == ["Add"]
    for counts, (n, m) in points(PAIR):
        values = found.values[PAIR.place(counts, found.grid)]
        assert values[:, : n + m % 3].tolist() == (counted(n, m) + case.given[1]).tolist()
        assert not values[:, n + m % 3 :].any()


def test_lists_of_other_lengths_are_other_lists():
    zeros = table(ONE, lambda n, m: np.zeros(n, np.int64))
    (found,) = evaluate(*Case("Size", i64(0)).imported(ONE), [zeros], ragged=True)
    assert [found.at((n,)).item() for n in range(1, 21)] == [*range(1, 21)]
    assert zeros.is_ragged and zeros.shape[0].at((5,)) == 5
    with pytest.raises(Undecided, match="an extent of 1 holds for 1, not for 20"):
        _ = zeros.elements


def test_a_result_of_several_ranks_is_no_table():
    case = Case("Squeeze", lambda n, m: np.zeros(1 + n % 2, np.int64))
    assert case.evaluate(ONE, ragged=True) is None


def test_a_choice_is_one_of_two_tensors_at_every_number():
    for other in (lambda n, m: i64(n, m, 7)[: 1 + n % 3], lambda n, m: i64(m)):
        flag = table(PAIR, lambda n, m: scalar(n > m, bool))
        found = chosen(flag, table(PAIR, counted), table(PAIR, other))
        for counts, (n, m) in points(PAIR):
            expected = counted(n, m) if n > m else other(n, m)
            assert found.at(counts).tolist() == expected.tolist()
    assert chosen(flag, table(PAIR, counted), table(PAIR, grown(1, 2, 2))) is None
    assert chosen(flag, table(PAIR, counted), table(PAIR, floats(1, 2))) is None


@pytest.mark.parametrize("case", VARYING_SHAPES.values(), ids=VARYING_SHAPES)
def test_a_result_of_several_shapes_is_no_table(case):
    assert case.evaluate(ONE) is None
    assert case.evaluate(STEP) is None


def test_a_result_of_several_shapes_is_no_table_however_many_there_are():
    numbers = Numbers((OpenRange("n", 1, 80), OpenRange("m", 1, 80)))
    assert Case("ConstantOfShape", size).evaluate(numbers) is None
    assert Case("Range", scalar(0), lambda n, m: scalar(n * m), scalar(1)).evaluate(numbers) is None
    large = Case("ConstantOfShape", lambda n, m: i64(n, 1 << 12, 1 << 12))
    assert large.evaluate(STEP, [np.float32]) is None  # and none of them is made


FAILING = {
    "gather": (Case("Gather", np.arange(11), lambda n, m: i64(n)), ONE, "11"),
    "gather_of_a_pair": (Case("Gather", np.arange(11), lambda n, m: i64(n + m)), PAIR, "n 5, m 6"),
    "gather_with_a_step": (Case("Gather", np.arange(40), lambda n, m: i64(n)), STEP, "40"),
    "pow": (Case("Pow", i64(2), lambda n, m: i64(9 - n)), ONE, "10"),
    "reshape": (Case("Reshape", np.arange(4), lambda n, m: i64(2 + (n == 10), -1)), ONE, "10"),
}


@pytest.mark.parametrize(("case", "numbers", "failing"), FAILING.values(), ids=FAILING)
def test_the_first_number_without_a_result_is_named(case, numbers, failing):
    with pytest.raises(ConversionError, match=f"^cannot be computed for {failing}, such as"):
        case.evaluate(numbers)


def test_an_op_that_fails_for_all_numbers_is_no_table():
    assert Case("Gather", np.arange(3), lambda n, m: i64(n + 3)).evaluate(ONE, [np.int64]) is None
    assert Case("Add", i64(1, 2), size).evaluate(ONE, [np.int64]) is None


def test_an_op_that_folding_never_runs_is_no_table():
    image = floats(1, 1, 1, 4, 4)
    for case in (
        Case("MaxPool", image, kernel_shape=[2, 2]),
        Case("Einsum", grown(1, 2), equation="i->i"),
        Case("Bernoulli", lambda n, m: np.array([n / 32], F32)),
    ):
        assert case.evaluate(ONE) is None


def test_a_result_of_another_type_is_no_table():
    ctx, op = Case("Add", size, i64(1)).imported(ONE)
    operands = [table(ONE, size), SizeTable.of_array(ONE, i64(1))]
    assert evaluate(ctx, op, operands) is not None
    for wrong in (tensor(i32, [3]), tensor(i64_, [4]), tensor(i64_, [3, 1])):
        Rewriter.replace_value_with_new_type(op.results[0], wrong)
        assert evaluate(ctx, op, operands) is None


WIDE = Numbers((OpenRange("n", 1, 80), OpenRange("m", 1, 80)))


def test_too_many_distinct_operands_are_refused():
    case = Case("CumSum", lambda n, m: i64(n, 100 * m), scalar(0))
    with pytest.raises(TooManyNumbersError, match=r"step, such as --dynamic n=2\.\.80:2, or parts"):
        case.evaluate(WIDE)
    coarser = Numbers((OpenRange("n", 1, 40, 2), OpenRange("m", 1, 80)))
    (found,) = case.evaluate(coarser)
    assert found.at((40, 7)).tolist() == [80, 780]


def test_operands_of_few_values_are_computed_once_for_many_numbers(monkeypatch):
    runs = []
    compute = Reference.__call__
    monkeypatch.setattr(
        Reference, "__call__", lambda self, inputs: runs.append(0) or compute(self, inputs)
    )
    case = Case("CumSum", lambda n, m: i64(n % 3, m % 2), scalar(0))
    (found,) = case.evaluate(WIDE, [np.int64])
    assert len(runs) == 6
    assert found.at((80, 79)).tolist() == [2, 3]


MANY = Numbers((OpenRange("n", 1, 1 << 10), OpenRange("m", 1, 1 << 10)))


def numbered(numbers, place=0):
    """Return a table of a number in a vector of one element."""
    return SizeTable.of_extents(numbers, [numbers.extent(place)], [1])


def test_pointwise_ops_and_products_take_every_number_of_large_ranges():
    ctx, op = Case("Mul", i64(1), i64(2)).imported(ONE)
    operands = [numbered(MANY), numbered(MANY, 1)]
    (found,) = evaluate(ctx, op, operands)
    assert found.at((1000, 77)).tolist() == [77000]
    ctx, op = Case("Concat", i64(1), i64(2), axis=0).imported(ONE)
    joined = evaluate(ctx, op, operands)
    ctx, op = Case("ReduceProd", first_only, keepdims=0).imported(ONE)
    (product_,) = evaluate(ctx, op, joined)
    np.testing.assert_array_equal(product_.values, found.values[..., 0])


@pytest.mark.parametrize(
    "case",
    [
        Case("Add", i64(3), np.zeros(32, np.int64)),
        Case("Expand", i64(3), i64(32)),
        Case("Tile", i64(3), i64(32)),
    ],
    ids=["add", "expand", "tile"],
)
def test_too_many_elements_are_refused(case):
    ctx, op = case.imported(PAIR)
    varying = SizeTable.of_extents(MANY, [MANY.extent(0) * MANY.extent(1)], [1])
    operands = [varying, SizeTable.of_array(MANY, case.given[1])]
    with pytest.raises(TooManyNumbersError, match=r"--dynamic n=2\.\.1024:2.*, or parts"):
        evaluate(ctx, op, operands)


def test_a_large_constant_is_not_made():
    ctx, op = Case("ConstantOfShape", i64(2)).imported(ONE)
    assert evaluate(ctx, op, [SizeTable.of_array(ONE, i64(1 << 40))]) is None
    assert evaluate(ctx, op, [SizeTable.of_array(ONE, i64(1 << 30, 1 << 34))]) is None


def test_elements_of_a_large_constant_are_no_copies_of_it():
    numbers = Numbers((OpenRange("n", 1, 64),))
    large = np.arange(1 << 20, dtype=np.int32).reshape(-1, 4)
    case = Case("Gather", large, lambda n, m: i64(n * n, 0))
    (found,) = case.evaluate(numbers)
    assert found.at((9,)).tolist() == large[[81, 0]].tolist()


def test_ops_that_say_the_same_are_evaluated_once():
    known: dict[object, Evaluation] = {}
    found = []
    ctx = Context()
    for given in (first_only, first_only, second_only):
        case = Case("Add", given, i64(1, 2))
        evaluation = Evaluation.of(ctx, case.imported(PAIR)[1], known)
        found.append(evaluation([table(PAIR, operand) for operand in case.given]))
    assert len(known) == 1
    assert found[0] is found[1]
    assert found[2] is not found[0]
    Evaluation.of(ctx, Case("Sub", first_only, i64(1, 2)).imported(PAIR)[1], known)
    assert len(known) == 2


def test_a_table_is_as_small_as_its_arguments():
    size_ = table(PAIR, size)
    assert (size_.grid, size_.shape, size_.dtype) == ((5, 5), (3,), np.int64)
    assert size_.constant is None
    assert size_.largest.tolist() == [5, 3, 6]
    assert size_.at((2, 3)).tolist() == [2, 3, 3]
    second = table(PAIR, second_only)
    assert second.grid == (1, 5)
    assert second.at((2, 3)).tolist() == [3, 9]
    same = table(PAIR, lambda n, m: i64(7, 8))
    assert same.grid == (1, 1)
    assert same.constant.tolist() == [7, 8]


def test_a_table_differs_by_the_sign_of_zero_and_has_one_nan():
    assert table(ONE, lambda n, m: np.array(0.0 if n % 2 else -0.0, F32)).constant is None
    assert np.isnan(table(ONE, lambda n, m: np.array(np.nan, F32)).constant)


def test_elements_are_extents_where_they_depend_on_the_numbers():
    elements = table(PAIR, lambda n, m: np.array([[n, 3], [n * m, n > 2]])).elements
    assert [type(element) for element in elements] == [Extent, int, Extent, Extent]
    assert elements[2].at((2, 3)) == 6
    assert [largest_of(element) for element in elements] == [5, 3, 30, 1]
    again = SizeTable.of_extents(PAIR, elements, [2, 2])
    assert again.at((3, 2)).tolist() == [[3, 3], [6, 1]]
    (one,) = table(PAIR, lambda n, m: np.array([n > 2])).elements
    assert (one.at((2, 2)), one.at((3, 2))) == (0, 1)
    assert SizeTable.of_extents(PAIR, [one], [], bool).at((3, 2)).tolist() is True
    assert SizeTable.of_extents(PAIR, [], [0]).elements == ()


def test_elements_that_are_no_extents_are_refused():
    with pytest.raises(TypeError):
        _ = table(ONE, floats(1, 3)).elements
    with pytest.raises(OverflowError):
        _ = table(ONE, lambda n, m: np.array([2**63 + n], np.uint64)).elements
    with pytest.raises(OverflowError, match="int8 does not have"):
        SizeTable.of_extents(ONE, [ONE.extent(0) * 10], [1], np.int8)
    with pytest.raises(ValueError, match="several programs"):
        SizeTable.of_extents(ONE, [STEP.extent(0)], [1])
    with pytest.raises(ValueError, match="is not of numbers"):
        SizeTable(ONE, i64(1, 2, 3))
    with pytest.raises(ValueError, match="not a count"):
        table(ONE, size).at((21,))
