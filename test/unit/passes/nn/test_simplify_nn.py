import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NameLoc, NoneAttr, StringAttr, f32
from xdsl.dialects.test import TestOp as AnyOp

from autodeploy.dialects.nn.activation import ClipOp, ReluOp
from autodeploy.dialects.nn.arithmetic import AddOp
from autodeploy.dialects.nn.movement import BroadcastOp, TransposeOp
from autodeploy.dialects.nn.types import tensor
from autodeploy.passes.nn.simplify_nn import SimplifyNnPass

X = np.array([-math.inf, -5.0, -2.0, -1.0, 0.0, 1.0, 2.0, 5.0, math.inf, math.nan])

BOUND = st.sampled_from([None, -2.0, -1.0, 0.0, 1.0, 2.0])
STEP = st.one_of(st.just("relu"), st.tuples(BOUND, BOUND))


def clamp(x, low, high):
    x = x if low is None else np.where(x < low, low, x)
    return x if high is None else np.where(x > high, high, x)


def computed(op, x):
    if isinstance(op, ReluOp):
        return clamp(x, 0.0, None)
    low = None if op.min is None else op.min.value.data
    return clamp(x, low, None if op.max is None else op.max.value.data)


def chain(value):
    """Return the ops that lead to a value, first one first."""
    ops = []
    while not isinstance(value.owner, AnyOp):
        ops.insert(0, value.owner)
        value = value.owner.x
    return ops


@given(st.lists(STEP, min_size=1, max_size=4))
def test_merged_clips_keep_their_results(steps):
    source = AnyOp(result_types=[tensor(f32, (4,))])
    ops, value = [source], source.results[0]
    for step in steps:
        ops.append(ReluOp(value) if step == "relu" else ClipOp(value, *step))
        value = ops[-1].result
    user = AnyOp(operands=[value])
    expected = X
    for op in ops[1:]:
        expected = computed(op, expected)
    module = ModuleOp([*ops, user])
    SimplifyNnPass().apply(Context(), module)
    module.verify()
    left = chain(user.operands[0])
    found = X
    for op in left:
        found = computed(op, found)
    np.testing.assert_array_equal(found, expected)
    bounds = [(None, None) if step == "relu" else step for step in steps]
    if not any(low is not None and high is not None and low > high for low, high in bounds):
        assert len(left) <= 1


@given(st.permutations(range(4)), st.permutations(range(4)))
def test_merged_transposes_move_axes_as_both_did(first, second):
    source = AnyOp(result_types=[tensor(f32, (2, 3, 4, 5))])
    inner = TransposeOp(source.results[0], first)
    outer = TransposeOp(inner.result, second)
    inner.location, outer.location = (NameLoc(StringAttr(n), NoneAttr()) for n in "io")
    user = AnyOp(operands=[outer.result])
    module = ModuleOp([source, inner, outer, user])
    SimplifyNnPass().apply(Context(), module)
    module.verify()
    x = np.arange(120).reshape(2, 3, 4, 5)
    expected = x.transpose(first).transpose(second)
    left = chain(user.operands[0])
    assert len(left) == (0 if np.array_equal(x, expected) else 1)
    found = x
    for op in left:
        assert op.location in (inner.location, outer.location)
        found = found.transpose(op.permutation.get_values())
    np.testing.assert_array_equal(found, expected)


def test_a_broadcast_that_stays_has_no_other_user():
    """An op that was made and not inserted would keep its operands alive, and have no place."""
    narrow = AnyOp(result_types=[tensor(f32, (1,))])
    wide = BroadcastOp(narrow.results[0], (4,))
    total = AddOp(wide.result, wide.result)
    module = ModuleOp([narrow, wide, total, AnyOp(operands=[total.result])])
    SimplifyNnPass().apply(Context(), module)
    users = [use.operation for use in narrow.results[0].uses]
    assert users and all(user.parent is not None for user in users)
