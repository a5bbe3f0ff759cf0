"""``nn.kernel``: one fusion group, isolated from above; ``nn.call``: a use of a compiled one.

The region's arguments are the operands in order; ``nn.yield`` hands out the results. At most one op
of a group is an anchor (a contraction, pool, reduction or softmax), the others are pointwise ops
and movements. ``config`` says how the group is computed; ``configure-kernels`` writes it. Only with
the templates ``row_bands`` and ``attention``, which ``fuse-kernels`` chooses, a group has several
anchors; ``bands`` of their config says how many rows of each image or matrix a band takes: of the
one that the first anchor reads, and of those that each of them makes, the result last.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    OpTrait,
    Pure,
    SymbolTable,
    SymbolUserOpInterface,
)

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.base import TENSOR, AnchorOp, NNOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.extent_attr import Axes, axes_of_type

IN_BANDS = ("row_bands", "attention")
"""Templates of kernels with several anchors."""


class _InRegionOp(OpTrait):
    """The op is in a region of nn."""

    def verify(self, op: Operation) -> None:
        parent = op.parent_op()
        if parent is not None and parent.name not in ("nn.kernel", "nn.for", "nn.if"):
            raise invalid(
                "yield_c1", f"expected nn.kernel, nn.for or nn.if around, found {parent.name}"
            )


@irdl_op_definition
class YieldOp(IRDLOperation):
    """End of the region of a kernel, a loop or a choice: the values that leave it.

    Constraints:

    - (yield_c1) the op is in the region of a kernel, a loop or a choice
    """

    name = "nn.yield"

    values = var_operand_def(TENSOR)

    traits = traits_def(IsTerminator(), Pure(), _InRegionOp())
    assembly_format = "$values attr-dict `:` type($values)"

    def __init__(self, values: Sequence[SSAValue]):
        super().__init__(operands=[values])


@irdl_op_definition
class KernelOp(IRDLOperation):
    """One fusion group; see the module's text."""

    name = "nn.kernel"

    inputs = var_operand_def(TENSOR)
    outputs = var_result_def(TENSOR)
    config = opt_prop_def(ConfigAttr)
    body = region_def("single_block")

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(IsolatedFromAbove(), Pure())
    assembly_format = "`(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $body"

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        body: Block,
        results: Sequence[SSAValue],
    ):
        """Form a kernel of the ops of a block, which hands out ``results``."""
        body.add_op(YieldOp(results))
        super().__init__(
            operands=[inputs],
            result_types=[[result.type for result in results]],
            regions=[Region(body)],
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
    def configs(self) -> Sequence[ConfigAttr]:
        """Return the config of each anchor; nothing where there is none."""
        if self.config is None:
            return ()
        return self.config.configs("parts") if len(self.anchors) > 1 else (self.config,)

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """Return the values inside the region that become the results."""
        return tuple(self.body.block.last_op.operands) if self.body.block.last_op else ()

    def verify_(self) -> None:
        """Check the constraints.

        - (kernel_c1) the region's arguments have the types of the operands
        - (kernel_c2) the region ends in nn.yield
        - (kernel_c3) what it yields has the types of the results
        - (kernel_c4) there is at least one op
        - (kernel_c5) all ops are of the nn dialect, and none is a kernel
        - (kernel_c6) there is at most one anchor, unless the config has bands of rows
        - (kernel_c7) a config with bands of rows has several anchors
        - (kernel_c8) bands are the positive numbers of rows that are read and that anchors compute
        """
        arguments = [argument.type for argument in self.body.block.args]
        if arguments != [value.type for value in self.inputs]:
            raise invalid("kernel_c1", "the region's arguments must have the types of the operands")
        if not isinstance(self.body.block.last_op, YieldOp):
            raise invalid("kernel_c2", "the region must end in nn.yield")
        if [value.type for value in self.yielded] != [result.type for result in self.outputs]:
            raise invalid("kernel_c3", "nn.yield must have the types of the results")
        if not self.body_ops:
            raise invalid("kernel_c4", "a kernel holds at least one op")
        for op in self.body_ops:
            if not isinstance(op, NNOp | ConstantOp):
                raise invalid("kernel_c5", f"a kernel holds nn ops only, found {op.name}")
        anchors = [op.name for op in self.anchors]
        config = self.config
        in_bands = config is not None and config.template_name in IN_BANDS
        if len(anchors) > 1 and not in_bands:
            raise invalid(
                "kernel_c6", f"a kernel has at most one anchor, found {', '.join(anchors)}"
            )
        if len(anchors) < 2 and in_bands:
            raise invalid("kernel_c7", "a kernel in bands of rows has several anchors")
        if config is None or not in_bands:
            return
        rows = config.ints("bands")
        if len(rows) != len(anchors) + 1 or not all(rows):
            raise invalid(
                "kernel_c8",
                f"bands are the rows of the input and of the results of {len(anchors)} anchors, "
                f"found {list(rows)}",
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
            raise invalid("call_c1", f"'{op.callee.string_value()}' is no symbol in scope")


class CallLikeOp(IRDLOperation, ABC):
    """A call of code that is compiled apart: ``callee`` is a symbol, or a name of the library."""

    inputs = var_operand_def(TENSOR)
    outputs = var_result_def(TENSOR)


@irdl_op_definition
class CallOp(CallLikeOp):
    """Run a lowered kernel on tensors: what an ``nn.kernel`` becomes when its body is lowered.

    Constraints:

    - (call_c1) the callee is a symbol of the module
    """

    name = "nn.call"

    callee = prop_def(base(SymbolRefAttr))

    traits = traits_def(Pure(), _CalleeExists())
    assembly_format = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)"

    def __init__(self, callee: str, inputs: Sequence[SSAValue], result_types: Sequence[Attribute]):
        super().__init__(
            operands=[inputs],
            result_types=[result_types],
            properties={"callee": SymbolRefAttr(callee)},
        )


def open_buffers(kernel: KernelOp) -> Sequence[Axes]:
    """Return the axes of the operands of a kernel, then of its results; none where none is open."""
    found = [axes_of_type(value.type) for value in (*kernel.inputs, *kernel.outputs)]
    return found if any(map(any, found)) else ()


def is_open(kernel: KernelOp) -> bool:
    """Return whether an operand or a result of a kernel has an open axis."""
    return bool(open_buffers(kernel))
