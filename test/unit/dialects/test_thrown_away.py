"""Ops that their constructor refuses."""

import pytest
from xdsl.dialects.builtin import f32
from xdsl.ir import Block
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.nn.arithmetic import AddOp
from autodeploy.dialects.nn.types import tensor


def test_an_op_that_is_refused_uses_no_operand():
    block = Block(arg_types=[tensor(f32, (4,)), tensor(f32, (3,))])
    with pytest.raises(VerifyException, match="do not broadcast"):
        AddOp(*block.args)
    assert not any(argument.uses for argument in block.args)
