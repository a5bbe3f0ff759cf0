"""Records as a search would write them, of kernels in a text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autodeploy.machine import Machine
from autodeploy.records.record import Record, current_versions
from autodeploy.records.signature import machine_text

PRODUCT = """
func.func @f(%x: tensor<30x64xf32>, %a: tensor<30x40xf32>) -> tensor<30x40xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<64x40xf32>>
  %y = nn.kernel(%x, %w, %a) : (tensor<30x64xf32>, tensor<64x40xf32>, tensor<30x40xf32>) -> tensor<30x40xf32> {
  ^bb0(%l: tensor<30x64xf32>, %r: tensor<64x40xf32>, %s: tensor<30x40xf32>):
    %v = nn.matmul %l, %r : (tensor<30x64xf32>, tensor<64x40xf32>) -> tensor<30x40xf32>
    %z = nn.add %v, %s : (tensor<30x40xf32>, tensor<30x40xf32>) -> tensor<30x40xf32>
    nn.yield %z : tensor<30x40xf32>
  }
  func.return %y : tensor<30x40xf32>
}
"""  # noqa: E501

AVX2 = Machine.named("x86-64-avx2")

TRIAL = Record(
    kind="trial",
    kernel="0" * 32,
    title="matmul 30x64, 64x40 -> 30x40",
    machine=machine_text(AVX2),
    processor="a processor",
    config="#nn.config<plain>",
    costs=(2e-6, 1e-6),
    error=None,
    versions=current_versions(),
    time="2026-01-01T00:00:00+00:00",
)


def trial(seconds: float, **changes: Any) -> Record:
    """Return a trial that took a number of seconds."""
    return replace(TRIAL, costs=(seconds,), **changes)


def failed(error: str, **changes: Any) -> Record:
    """Return a trial that failed."""
    return replace(TRIAL, costs=(), error=error, **changes)
