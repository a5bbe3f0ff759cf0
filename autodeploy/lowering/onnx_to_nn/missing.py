"""Operators that have no converter whatever extents the inputs of a model get."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import Pure

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.onnx import CustomOp, OnnxOp
from autodeploy.frontend.problems import NO_CONVERTER, Problem
from autodeploy.lowering.onnx_to_nn.context import converter_of
from autodeploy.lowering.onnx_to_nn.problems import problem_of


def missing_operators(module: ModuleOp) -> list[Problem]:
    """Return the ops that cannot be converted, of a module whose inputs are open.

    An op that is computed from extents alone is none of them: it may be a constant once these are
    numbers. Nor is one that ONNX defines by others, as its body may depend on types.
    """
    problems: list[Problem] = []
    from_extents: set[SSAValue] = set()

    def visit(parent: Operation) -> None:
        for op in (op for region in parent.regions for block in region.blocks for op in block.ops):
            known = all(operand in from_extents for operand in op.operands)
            if isinstance(op, OnnxOp) and op.op_type == "If" and not op.domain and known:
                continue  # only one of its branches may stay
            if _is_of_extents(op, known):
                from_extents.update(op.results)
            elif isinstance(op, CustomOp) or (
                isinstance(op, OnnxOp) and converter_of(op) is None and not _has_body(op)
            ):
                problems.append(problem_of(op, NO_CONVERTER))
            visit(op)

    visit(module)
    return problems


def _is_of_extents(op: Operation, known: bool) -> bool:
    """Return whether an op is a constant, or could be one if extents were known."""
    if isinstance(op, ConstantOp):
        return True
    if not isinstance(op, OnnxOp) or op.domain or op.regions or not op.has_trait(Pure):
        return False
    return known or op.op_type in ("Shape", "Size")


def _has_body(op: OnnxOp) -> bool:
    schema: Any = op.schema  # whose stub lacks these properties
    return op.text is not None or schema.has_function or schema.has_context_dependent_function
