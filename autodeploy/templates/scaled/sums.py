"""How a tile of sums is placed and summed up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.templates.view import ScheduledPipeline


@dataclass(frozen=True)
class TileOfSums:
    """``width`` columns, in vectors of ``lanes``, by ``height`` rows, all in registers.

    Columns and rows are the last two variables of a func but for those that are ``own``.
    """

    pipeline: ScheduledPipeline
    width: int
    height: int
    lanes: int

    def place(self, func: FuncOp, consumer: FuncOp, loop: str, own: Sequence[str] = ()) -> None:
        """Compute the tile of a func for an iteration of a loop of another one."""
        self.pipeline.compute_at(func, consumer, loop)
        n, m = func.var_names[len(own) : len(own) + 2]
        self.pipeline.bound_extent(func, n, self.width)
        self.pipeline.bound_extent(func, m, self.height)

    def sum(
        self,
        func: FuncOp,
        steps: str,
        neighbours: Sequence[str] = (),
        own: Sequence[str] = (),
        any_order: bool = False,
    ) -> None:
        """Sum up over a loop of ``steps``, and over ``neighbours`` at once.

        ``own`` are variables of the func whose values are neighbours, too.
        """
        n, m = func.var_names[len(own) : len(own) + 2]
        for stage in range(2):
            if stage:
                self.pipeline.reorder(func, *neighbours, *own, n, m, steps, stage=1)
            if stage and neighbours:
                self.pipeline.atomic(func, 1, any_order)
                for loop in neighbours:
                    self.pipeline.vectorize(func, loop, stage=1)
            for loop in own:
                self.pipeline.vectorize(func, loop, stage=stage)
            self.pipeline.vectorize(func, n, self.lanes, stage)
            self.pipeline.unroll(func, n, stage=stage)
            self.pipeline.unroll(func, m, stage=stage)
