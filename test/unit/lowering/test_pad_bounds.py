"""Halide's bounds show that a pad reads nothing outside its operand."""

from __future__ import annotations

import pytest
from prove_bounds import prove_bounds
from scheduled import scheduled

from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.machine import Machine

MACHINE = "x86-64-avx2"

_PAD = """
func.func @f(%x: tensor<1x6x7x4xf32>) -> tensor<2x9x24x4xf32> {{
  %y = nn.kernel(%x) : (tensor<1x6x7x4xf32>) -> tensor<2x9x24x4xf32> {{
  ^bb0(%x_: tensor<1x6x7x4xf32>):
    %p = nn.pad %x_ {{pads = array<i64: 0, 2, 9, 0, 1, 1, 8, 0>, mode = #nn<pad_mode {mode}>}}
      : (tensor<1x6x7x4xf32>) -> tensor<2x9x24x4xf32>
    nn.yield %p : tensor<2x9x24x4xf32>
  }}
  func.return %y : tensor<2x9x24x4xf32>
}}
"""
"""Pads of an extent of 1, on both sides, and of more than a reflection has on its way."""


@pytest.mark.parametrize("mode", ["constant", "reflect", "edge", "wrap"])
def test_reads_are_within_the_operand(mode: str) -> None:
    module = scheduled(_PAD.format(mode=mode), MACHINE)
    (pipeline,) = [op for op in module.walk() if isinstance(op, PipelineOp)]
    prove_bounds(pipeline, Machine.parse(MACHINE).kernel_target())
