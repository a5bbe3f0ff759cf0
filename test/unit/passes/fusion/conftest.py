"""A dialect to write patterns on, and what parses and runs them."""

from collections.abc import Callable
from io import StringIO

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, scf, test
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Dialect
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, ConstantLike, Pure

from autodeploy.passes.fusion.pdl.executor import apply_patterns, load_patterns


class ToyOp(IRDLOperation):
    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())


@irdl_op_definition
class ConstOp(ToyOp):
    name = "toy.const"
    value = prop_def(AnyAttr())
    result = result_def()
    traits = traits_def(Pure(), ConstantLike())


@irdl_op_definition
class ConvOp(ToyOp):
    """One optional operand, a required, a defaulted and an optional attribute."""

    name = "toy.conv"
    x = operand_def()
    w = operand_def()
    bias = opt_operand_def()
    stride = prop_def(IntegerAttr)
    groups = prop_def(IntegerAttr, default_value=IntegerAttr(1, 64))
    activation = opt_prop_def(StringAttr)
    result = result_def()


@irdl_op_definition
class NormOp(ToyOp):
    name = "toy.norm"
    x = operand_def()
    scale = operand_def()
    result = result_def()


@irdl_op_definition
class AddOp(ToyOp):
    """Commutative, unlike the product."""

    name = "toy.add"
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MulOp(ToyOp):
    name = "toy.mul"
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()


@irdl_op_definition
class ReluOp(ToyOp):
    name = "toy.relu"
    x = operand_def()
    result = result_def()


@irdl_op_definition
class ReshapeOp(ToyOp):
    name = "toy.reshape"
    x = operand_def()
    result = result_def()


@irdl_op_definition
class ConcatOp(ToyOp):
    """One variadic operand."""

    name = "toy.concat"
    inputs = var_operand_def()
    result = result_def()


@irdl_op_definition
class PickyOp(ToyOp):
    """Two optional operands and a variadic one, told apart by their stored sizes."""

    name = "toy.picky"
    x = operand_def()
    low = opt_operand_def()
    high = opt_operand_def()
    rest = var_operand_def()
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())


@irdl_op_definition
class SplitOp(ToyOp):
    """Results in groups: one, one or none, any number."""

    name = "toy.split"
    x = operand_def()
    first = result_def()
    maybe = opt_result_def()
    rest = var_result_def()
    irdl_options = (AttrSizedResultSegments(as_property=True), ParsePropInAttrDict())


@irdl_op_definition
class KernelOp(ToyOp):
    name = "toy.kernel"
    inputs = var_operand_def()
    result = result_def()
    body = region_def()


@irdl_op_definition
class PairOp(ToyOp):
    """No operands, two results."""

    name = "toy.pair"
    one = result_def()
    two = result_def()


TOY = Dialect(
    "toy",
    [
        ConstOp,
        ConvOp,
        NormOp,
        AddOp,
        MulOp,
        ReluOp,
        ReshapeOp,
        ConcatOp,
        PickyOp,
        SplitOp,
        KernelOp,
        PairOp,
    ],
)


@pytest.fixture
def ctx() -> Context:
    context = Context()
    for dialect in (builtin.Builtin, func.Func, arith.Arith, scf.Scf, test.Test, TOY):
        context.load_dialect(dialect)
    return context


@pytest.fixture
def parse(ctx: Context) -> Callable[[str], ModuleOp]:
    """Parse the body of a module and verify it."""

    def run(text: str) -> ModuleOp:
        module = Parser(ctx, text).parse_module() if text.strip() else ModuleOp([])
        module.verify()
        return module

    return run


def generic(module: ModuleOp) -> str:
    """Print the ops of a module, one a line, without indentation."""
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    return "\n".join(line.strip() for line in stream.getvalue().splitlines()[1:-1])


@pytest.fixture
def rewrite_pdll(ctx: Context, parse: Callable[[str], ModuleOp], tmp_path) -> Callable[..., str]:
    """Apply the PDLL patterns of a text to the body of a module; return its ops, one a line."""

    def run(patterns: str, text: str) -> str:
        path = tmp_path / "rule.pdll"
        path.write_text(patterns)
        module = parse(text)
        apply_patterns(ctx, module, load_patterns(ctx, path))
        module.verify()
        return generic(module)

    return run


@pytest.fixture
def rewrite(ctx: Context, parse: Callable[[str], ModuleOp]) -> Callable[[str, str], str]:
    """Apply patterns to the body of a module; return its ops, one a line."""

    def run(patterns: str, text: str) -> str:
        module = parse(text)
        apply_patterns(ctx, module, load_patterns(ctx, patterns))
        module.verify()
        return generic(module)

    return run
