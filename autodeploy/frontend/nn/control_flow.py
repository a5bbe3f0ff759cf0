"""Building loops and choices: a builder of the ops of their regions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, SSAValue

from autodeploy.dialects.nn.kernel import YieldOp
from autodeploy.frontend.nn.builder import NewOp, NnBuilder
from autodeploy.weights import WeightStore, constant_value


class RegionBuilder(NnBuilder):
    """Puts nn ops at the end of a block, the region of a loop or a choice.

    The first arguments of the block have ``types``; the others are what is ``captured``.
    """

    def __init__(self, weights: WeightStore, types: Sequence[Attribute]):
        self.weights = weights
        self.block = Block(arg_types=types)
        self.captured: list[SSAValue] = []
        self._known: dict[SSAValue, SSAValue] = {}

    def insert(self, new: NewOp) -> None:
        """Put an op at the end of the block."""
        self.block.add_op(new)

    def read(self, value: SSAValue) -> SSAValue:
        """Return what a value from around the region is in it: an argument, or a constant."""
        if value not in self._known:
            constant = constant_value(value)
            if constant is None:
                self.captured.append(value)
                argument = self.block.insert_arg(value.type, len(self.block.args))
                argument.name_hint = value.name_hint
                self._known[value] = argument
            else:
                self._known[value] = self.make_constant_value(constant)
        return self._known[value]

    def hand_out(self, values: Sequence[SSAValue]) -> None:
        """End the region with these results."""
        self.block.add_op(YieldOp(values))
