"""``mark-open-axes``: each kernel says which axes of what it reads and makes are open.

A loop over the rows of an open axis says how many steps a run has.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from autodeploy.analysis.open_axes import open_axes
from autodeploy.dialects.nn.control_flow import ForOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.open_extent import AXES_ATTRIBUTE, axes_attr, axes_list


@dataclass(frozen=True)
class MarkOpenAxesPass(ModulePass):
    """Write on each nn.kernel and on the results which axes are open, on each nn.for its steps.

    This follows from the arguments of the function, where the module has an open extent; else
    nothing changes. Raises ``UnsupportedError`` that lists all ops that cannot have an open axis.
    """

    name = "mark-open-axes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Mark all kernels and loops of the module."""
        for func in [f for f in op.body.block.ops if isinstance(f, FuncOp)]:
            axes = open_axes(op, func)
            if axes is None:
                continue
            for kernel in [k for k in func.body.walk() if isinstance(k, KernelOp)]:
                found = [axes.of(value) for value in (*kernel.inputs, *kernel.outputs)]
                kernel.open = axes_list(found) if any(map(any, found)) else None
            for loop in [o for o in func.body.walk() if isinstance(o, ForOp)]:
                steps = axes.steps.get(loop)
                loop.open = axes_attr((steps,)) if steps else None
            returned = func.body.block.last_op
            results = () if returned is None else tuple(returned.operands)
            given = func.res_attrs or ArrayAttr([DictionaryAttr({}) for _ in results])
            func.res_attrs = ArrayAttr(
                DictionaryAttr({**entry.data, AXES_ATTRIBUTE: axes_attr(axes.of(value))})
                if axes.is_open(value)
                else entry
                for entry, value in zip(given, results, strict=True)
            )
