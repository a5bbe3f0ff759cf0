"""Kernels that are not compiled, as their text does not verify."""

from __future__ import annotations

import pytest
from small_kernels import scaled
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from autodeploy.codegen.halide.compile_kernel import compile_kernel, parse_pipeline
from autodeploy.codegen.halide.kernel_code import KernelRequest
from autodeploy.machine import Machine
from autodeploy.pipelines import Stage

TARGET = Machine.named("x86-64").kernel_target()
WRONG = str(scaled("k", 2)).replace("halide.abs", "halide.not")
"""No number is inverted."""


def test_each_kernel_is_verified_before_it_is_compiled():
    with pytest.raises(VerifyException, match="not_c1"):
        compile_kernel(KernelRequest(WRONG, "k", TARGET, "object"))


def test_only_kernels_are_left_out_of_a_module():
    """Compilation adds the stack to a kernel; it is verified even so."""
    module = ModuleOp([parse_pipeline(WRONG)])
    Stage("simplified", ()).check(module, kernels=False)
    with pytest.raises(VerifyException, match="not_c1"):
        Stage("simplified", ()).check(module)
    broken = ModuleOp([parse_pipeline(WRONG.replace(") {", ") stack -1 {", 1))])
    with pytest.raises(VerifyException, match="pipeline_c2"):
        Stage("simplified", ()).check(broken, kernels=False)
