"""The layers of a quantised network that sum integers, and the reasons of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.locations import nodes_of
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ContractionOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.quantised import DequantizeOp, QuantizeOp
from autodeploy.dialects.nn.types import element_of, i8, is_float, largest_count, ui8
from autodeploy.frontend.names import original_text

_NAMED = 3
"""Nodes of one reason that are named."""


def integer_use(module: ModuleOp) -> Sequence[str]:
    """Return lines about a module after ``use-integers``: none unless it has codes.

    They say how many convolutions and products sum integers, why the others do not, and which ops
    between codes are computed in floats.
    """
    layers = [op for op in module.walk() if isinstance(op, ContractionOp)]
    floats = [op for op in layers if is_float(element_of(op.operands[0].type))]
    if len(floats) == len(layers) and not any(map(_is_codes, module.walk())):
        return []
    return list(_lines(module, layers, floats))


def _is_codes(op: Operation) -> bool:
    return isinstance(op, QuantizeOp | DequantizeOp)


def _lines(
    module: ModuleOp, layers: Sequence[ContractionOp], floats: Sequence[ContractionOp]
) -> Iterator[str]:
    parts: list[str] = []
    for plural, is_product in (("convolutions", False), ("products", True)):
        all_, left = (
            sum((op.name == "nn.matmul") == is_product for op in ops) for ops in (layers, floats)
        )
        parts += [f"{all_ - left} of {all_} {plural}"] if all_ else []
    yield f"in integers: {', '.join(parts) or 'no convolution or product'}"
    reasons: dict[str, list[str]] = {}
    for op in floats:
        reasons.setdefault(_reason(op), []).append(_label(op))
    for reason, named in reasons.items():
        more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        yield f"in floats: {', '.join(named[:_NAMED])}{more}: {reason}"
    others = list(_others(module))
    if counts := Counter(_kind(op) for op in others):
        single = {_kind(op): _label(op) for op in others}
        told = (single[kind] if n == 1 else f"{n} {kind}" for kind, n in counts.most_common())
        yield f"other operators in floats: {', '.join(told)}"


def _others(module: ModuleOp) -> Iterator[Operation]:
    """Yield the ops that compute floats in a run, other than layers and those of codes."""
    known: set[Operation] = set()
    for op in module.walk():
        computed = not op.operands or any(value.owner not in known for value in op.operands)
        if isinstance(op, ConstantOp) or not computed:
            known.add(op)
        elif not isinstance(op, AnchorOp | PointwiseOp) or isinstance(op, ContractionOp):
            continue
        elif is_float(element_of(op.results[0].type)) and not _is_codes(op):
            yield op


def _kind(op: Operation) -> str:
    return op.name.removeprefix("nn.")


def _label(op: Operation) -> str:
    nodes = nodes_of(op)
    return f"{_kind(op)} '{original_text(nodes[0])}'" if nodes else _kind(op)


def _reason(op: ContractionOp) -> str:
    x, w = op.operands[:2]
    if not isinstance(x.owner, DequantizeOp):
        return "an input without codes"
    if not isinstance(w.owner, DequantizeOp):
        return "weights without codes" if isinstance(w.owner, ConstantOp) else "computed weights"
    if not isinstance(w.owner.x.owner, ConstantOp):
        return "both factors are computed"
    if not {element_of(x.owner.x.type), element_of(w.owner.x.type)} <= {ui8, i8}:
        return "codes of more than 8 bits"
    if any(_count(parameter) > 1 for parameter in x.owner.operands[1:]):
        return "several scales or zero points of the input"
    if op.operands[2:] and not isinstance(op.operands[2].owner, DequantizeOp):
        return "a bias without codes"
    return "scales, zero points or sums that do not fit integers of 32 bits"


def _count(value: SSAValue) -> int:
    return largest_count(value.type)
