"""``name-weights``: every weight of the program has a key that its content says."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from autodeploy.dialects.driver import WeightOp
from autodeploy.weights import WeightStore


class NameWeightsPass(ModulePass):
    """Compute the weights that are not computed yet, and give each the hash of its content as key.

    Before, the key of a large weight says which weight it is made of, and how. From here on
    weights with the same bytes have the same key.
    """

    name = "name-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace the values of the weights of all driver.programs."""
        store = WeightStore.of(ctx)
        for weight in op.walk():
            if isinstance(weight, WeightOp):
                weight.value = store.named(weight.value)
