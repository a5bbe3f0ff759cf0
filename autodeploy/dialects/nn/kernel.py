"""``nn.kernel``: one fusion group, isolated from above; ``nn.call``: a use of a compiled one.

The region's arguments are the operands in order; ``nn.yield`` hands out the results. At most one op
of a group is an anchor (a contraction, pool, reduction or softmax), the others are pointwise ops
and movements. ``algorithm`` is how the anchor is computed, chosen by ``choose-algorithms``. Only
with algorithm ``row_bands``, which ``fuse-row-bands`` chooses, and with ``attention``, which
``fuse-attention`` does, a group has several anchors; ``band_rows`` then says how many rows of each
image or matrix a band takes: of the one that the first anchor reads, and of those that each of them
makes, the result last.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import auto

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, Operation, Region, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    Pure,
    SymbolTable,
    SymbolUserOpInterface,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from autodeploy.dialects.nn.base import I64_ARRAY, TENSOR, AnchorOp, NNOp, ints
from autodeploy.dialects.nn.constant import ConstantOp


class Algorithm(StrEnum):
    """How the anchor of a kernel is computed."""

    POINTWISE = auto()
    """No anchor: every element on its own."""
    DIRECT_CONV = auto()
    """The sum over window and channels for each output element."""
    GROUPED_CONV = auto()
    """The same sum, where an output channel takes the channels of its group alone."""
    WINOGRAD_2 = auto()
    """Winograd's F(2 x 2, 3 x 3): transforms around a matrix product a point of the tile."""
    WINOGRAD_4 = auto()
    """Winograd's F(4 x 4, 3 x 3)."""
    DEPTHWISE_CONV = auto()
    """One channel a group: a sum over the window alone."""
    GEMM = auto()
    """Matrix times matrix."""
    GEMV = auto()
    """Vector times matrix: each weight is used once."""
    WINDOW = auto()
    """A reduction over a sliding window."""
    REDUCE = auto()
    """A reduction over whole axes."""
    SOFTMAX = auto()
    """Maximum, sum of exponentials, quotient."""
    CONV_TRANSPOSE = auto()
    """The sum over what of the window reaches each output element, and the channels."""
    NORMALISE = auto()
    """Sums over axes, then each element shifted and scaled by them."""
    LRN = auto()
    """Sums over neighbouring channels, then each element over a power of its own."""
    SCAN = auto()
    """Sums of blocks, of the blocks before an element, and within its own."""
    RESIZE = auto()
    """A weighted sum of the elements around a computed place."""
    ROW_BANDS = auto()
    """Several anchors, each the image that the next one reads: of all but the last, no more rows
    are there at a time than those that a band of rows of the result takes."""
    ATTENTION = auto()
    """A product, the softmax of its rows, and the product with that, in bands of rows as well."""


IN_BANDS = (Algorithm.ROW_BANDS, Algorithm.ATTENTION)
"""Algorithms of kernels with several anchors."""


@irdl_attr_definition
class AlgorithmAttr(EnumAttribute[Algorithm], SpacedOpaqueSyntaxAttribute):
    """Algorithm of a kernel: ``#nn<algorithm direct_conv>``."""

    name = "nn.algorithm"


@irdl_op_definition
class YieldOp(IRDLOperation):
    """End of a kernel's region: the values that leave it."""

    name = "nn.yield"

    values = var_operand_def(TENSOR)

    traits = lazy_traits_def(lambda: (IsTerminator(), Pure(), HasParent(KernelOp)))
    assembly_format = "$values attr-dict `:` type($values)"

    def __init__(self, values: Sequence[SSAValue]):
        super().__init__(operands=[values])


@irdl_op_definition
class KernelOp(IRDLOperation):
    """One fusion group; see the module's text."""

    name = "nn.kernel"

    inputs = var_operand_def(TENSOR)
    outputs = var_result_def(TENSOR)
    algorithm = opt_prop_def(AlgorithmAttr)
    band_rows = opt_prop_def(I64_ARRAY)
    body = region_def("single_block")

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(IsolatedFromAbove(), Pure())
    assembly_format = "`(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $body"

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        body: Region | Block,
        algorithm: Algorithm | None = None,
    ):
        super().__init__(
            operands=[inputs],
            result_types=[result_types],
            properties={} if algorithm is None else {"algorithm": AlgorithmAttr(algorithm)},
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @property
    def body_ops(self) -> tuple[Operation, ...]:
        """Return the ops of the group without the terminator."""
        return tuple(op for op in self.body.block.ops if not isinstance(op, YieldOp))

    @property
    def anchor(self) -> AnchorOp | None:
        """Return the op that the group is built around, if it has one; the first of several."""
        return next(iter(self.anchors), None)

    @property
    def anchors(self) -> tuple[AnchorOp, ...]:
        """Return the ops that the group is built around, in their order."""
        return tuple(op for op in self.body_ops if isinstance(op, AnchorOp))

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """Return the values inside the region that become the results."""
        return tuple(self.body.block.last_op.operands) if self.body.block.last_op else ()

    def verify_(self) -> None:
        """Check that region and signature agree and that the group is one that can be lowered."""
        arguments = [argument.type for argument in self.body.block.args]
        if arguments != [value.type for value in self.inputs]:
            raise VerifyException("the region's arguments must have the types of the operands")
        if not isinstance(self.body.block.last_op, YieldOp):
            raise VerifyException("the region must end in nn.yield")
        if [value.type for value in self.yielded] != [result.type for result in self.outputs]:
            raise VerifyException("nn.yield must have the types of the results")
        if not self.body_ops:
            raise VerifyException("a kernel holds at least one op")
        for op in self.body_ops:
            if not isinstance(op, NNOp | ConstantOp):
                raise VerifyException(f"a kernel holds nn ops only, found {op.name}")
        anchors = [op.name for op in self.anchors]
        in_bands = self.algorithm is not None and self.algorithm.data in IN_BANDS
        if len(anchors) > 1 and not in_bands:
            raise VerifyException(f"a kernel has at most one anchor, found {', '.join(anchors)}")
        if len(anchors) < 2 and in_bands:
            raise VerifyException("a kernel in bands of rows has several anchors")
        rows = () if self.band_rows is None else ints(self.band_rows)
        if len(rows) != (len(anchors) + 1 if in_bands else 0) or any(count < 1 for count in rows):
            raise VerifyException(
                "band_rows are those of what is read and of what each anchor makes in bands"
            )


class _CalleeExists(SymbolUserOpInterface):
    """The callee is a symbol of the module."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, CallOp)
        module = op.get_toplevel_object()
        if (
            not isinstance(module, Operation)
            or not module.has_trait(SymbolTable)
            or SymbolTable.lookup_symbol(module, op.callee) is None
        ):
            raise VerifyException(f"'{op.callee.string_value()}' is no symbol in scope")


@irdl_op_definition
class CallOp(IRDLOperation):
    """Run a lowered kernel on tensors: what an ``nn.kernel`` becomes when its body is lowered."""

    name = "nn.call"

    callee = prop_def(base(SymbolRefAttr))
    inputs = var_operand_def(TENSOR)
    outputs = var_result_def(TENSOR)

    traits = traits_def(Pure(), _CalleeExists())
    assembly_format = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)"

    def __init__(self, callee: str, inputs: Sequence[SSAValue], result_types: Sequence[Attribute]):
        super().__init__(
            operands=[inputs],
            result_types=[result_types],
            properties={"callee": SymbolRefAttr(callee)},
        )
