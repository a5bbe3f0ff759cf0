"""A kernel that cannot fetch ahead as its schedule says is compiled without."""

from __future__ import annotations

import guarded_products
import pytest
from scheduled import scheduled

from autodeploy.codegen.halide import compile_kernel as compiling
from autodeploy.codegen.halide.compile_kernel import compile_kernel
from autodeploy.codegen.halide.kernel_code import KernelRequest
from autodeploy.codegen.halide.tables import pipelines_of
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.prefetch import Partition, PartitionOp
from autodeploy.machine import Machine

MACHINE = "x86-64-avx512:cores=1:l2=512K"

CONFIG = "#nn.config<gemm, tile = [32, 13], block = [4], fetch = [4]>"
"""The last block of the 13 tiles of rows has one."""


@pytest.fixture
def product() -> PipelineOp:
    """A product in blocks of rows of which the last one is not full."""
    text = guarded_products.module_text(169, 512, 512, constant=True)
    configured = text.replace("#nn.config<gemm>", CONFIG)
    assert configured != text
    (pipeline,) = pipelines_of(scheduled(configured, MACHINE))
    return pipeline


@pytest.fixture
def compiled(monkeypatch) -> list[str]:
    """The pipelines that Halide is given, as text."""
    given: list[str] = []
    run = compiling._run_halide

    def spy(pipeline, request, folder):
        given.append(str(pipeline))
        return run(pipeline, request, folder)

    monkeypatch.setattr(compiling, "_run_halide", spy)
    return given


def request(pipeline: PipelineOp) -> KernelRequest:
    return KernelRequest(str(pipeline), "k", Machine.parse(MACHINE).kernel_target(), "object")


def test_a_loop_that_is_parted_fetches(product, compiled):
    compile_kernel(request(product))
    (text,) = compiled
    assert text.count("halide.prefetch") == 1


def test_a_loop_that_cannot_be_parted_fetches_nothing(product, compiled):
    for op in [op for op in product.walk() if isinstance(op, PartitionOp)]:
        if op.policy.data is Partition.NEVER:
            op.detach()
    compile_kernel(request(product))
    first, second = compiled
    assert "halide.prefetch" in first
    assert not any(name in second for name in ("prefetch", "partition", "stride"))
    assert "_ahead" in second  # an input that is not read
