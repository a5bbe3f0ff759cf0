"""A machine may have any numbers that its settings take: each of them gives a schedule."""

from __future__ import annotations

from pathlib import Path

import pytest

from autodeploy.dialects.registry import new_context
from autodeploy.frontend.onnx.importer import import_model
from autodeploy.machine.costs import CostModel
from autodeploy.pipelines import stages

MODEL = Path(__file__).resolve().parents[3] / "examples" / "mnist" / "mnist.onnx"


@pytest.mark.parametrize("caches", ["l1=0:l2=0", "l1=1:l2=1", "l1=1024K:l2=1048576M"])
@pytest.mark.parametrize("value", ["1", "1000000"])
def test_any_numbers_give_a_schedule(value: str, caches: str) -> None:
    costs = ":".join(f"{name}={value}" for name in vars(CostModel()))
    context = new_context()
    module = import_model(context, MODEL)
    for stage in stages(3, f"x86-64-avx512:{caches}:{costs}", "auto", threads=2)[:-1]:
        for step in stage.passes:
            step.apply(context, module)
    module.verify()
    assert f"fma_per_cycle = {float(value)}" in str(module)
