"""What a template is: one way to compute kernels of some kind, with its knobs and its schedule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.open_tiles import leaves_tiles
from autodeploy.templates.packing import Packing
from autodeploy.templates.space import Knobs, Space
from autodeploy.templates.view import ScheduledPipeline


class Template(ABC):
    """One way to compute kernels; ``templates/<name>/template.py`` holds the class of ``name``."""

    exact: ClassVar[bool] = True
    """Whether results agree to 1e-5; one for which they do not is taken only where allowed."""

    def error(self, config: ConfigAttr) -> float:
        """Return the error that rounding can make beyond plain sums, by the largest product."""
        return 0.0

    rank: ClassVar[int] = 0
    """Of several that apply, the first one by rank whose rule is for it is taken."""

    on_device: ClassVar[bool] = False
    """Whether kernels run on the device of the machine, where ``place-kernels`` puts them."""

    in_runs: ClassVar[bool] = False
    """Whether long sums of floats are added up in runs."""

    needed: ClassVar[tuple[str, ...]] = ()
    """Knobs that the rule does not choose."""

    @abstractmethod
    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""

    def runs_on(self, machine: Machine) -> bool:
        """Tell whether a machine has the instructions; a search draws no other template."""
        return True

    def pays(self, kernel: KernelOp, machine: Machine) -> bool:
        """Tell whether the rule is for it, where those of lower rank apply, too."""
        return True

    def takes_open(self, kernel: KernelOp) -> bool:
        """Tell whether the schedule is right for the axes of a kernel that are open, if any are.

        ``guard-open-loops`` guards the loops of outputs, and of funcs that are kept as a whole.
        """
        return leaves_tiles(kernel)

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs that the rule chooses for a kernel to which the template applies.

        Those that are ``given`` are kept; the rule may look at them.
        """
        return {}

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the values of each knob, for a search and as a check of what is given.

        Every knob that ``default`` chooses is here, and so is its value.
        """
        return {}

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        """Return why knobs do not go together, each of which has a value of the space.

        ``None`` where they do. ``config`` has all knobs. This takes no longer than the rule.
        """
        return None

    def pack(self, anchor: AnchorOp, config: ConfigAttr) -> Packing | None:
        """Return how the weights of an anchor are laid out; ``None`` where they stay as they are.

        ``config`` is that of the anchor, which may be one of several of a kernel.
        """
        return None

    def packings(self, anchor: AnchorOp, config: ConfigAttr) -> Sequence[Packing]:
        """Return how all constants of an anchor are laid out that do not stay as they are."""
        packing = self.pack(anchor, config)
        return () if packing is None else (packing,)

    @abstractmethod
    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        """Write the schedule of a pipeline that was lowered from a kernel with ``config``."""
