"""The hint of prefetches in object code, and what becomes of a kernel where it cannot be set."""

from __future__ import annotations

import pytest

from autodeploy.codegen import kernel_code
from autodeploy.codegen.kernel_code import KernelRequest, compile_kernel
from autodeploy.codegen.prefetch_hint import fetch_to_second_level
from autodeploy.machine import Machine

LISTING = """f:
\tprefetchnta\t(%rax)
\tmovl\t$1, %eax  # prefetchnta
\tprefetchnta\t64(%r8,%rbx)
"""

KERNEL = """
halide.pipeline @sum(%x: !halide.buffer<f32, [8, 64]>, %x_ahead: !halide.buffer<f32, [8, 64]>)
    to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c1) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %old = halide.load %f[%c1] : !halide.func<f32, 1> to f32
    %v = halide.load %x[%c1, %k] : !halide.buffer<f32, [8, 64]> to f32
    %stride = halide.stride %x_ahead 1 : !halide.buffer<f32, [8, 64]>
    %end = halide.const 56 : i32
    %limit = halide.add %stride, %end : i32
    %within = halide.lt %k, %limit : i32
    %near = halide.likely %v : f32
    %first = halide.const 0 : i32
    %far = halide.load %x_ahead[%first, %k] : !halide.buffer<f32, [8, 64]> to f32
    %read = halide.select %within, %near, %far : f32
    %new = halide.add %old, %read : f32
    halide.yield %new : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.prefetch %f "k" of %x_ahead ahead by 0 of "k" {stage = 1}
        : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}
"""


def request(target: str = "x86-64-avx2") -> KernelRequest:
    return KernelRequest(KERNEL, "sum", Machine.parse(target).kernel_target(), "object")


def test_each_prefetch_fetches_to_the_second_level() -> None:
    code = b"\x90\x0f\x18\x00\xc3\x41\x0f\x18\x44\x18\x40\x0f\x18\xc0"
    changed = b"\x90\x0f\x18\x10\xc3\x41\x0f\x18\x54\x18\x40\x0f\x18\xc0"
    assert fetch_to_second_level(code, LISTING) == changed


@pytest.mark.parametrize("extra", [b"\x0f\x18\x05", b""])
def test_bytes_that_may_be_something_else_are_left(extra: bytes) -> None:
    code = b"\x0f\x18\x00" + extra * 2
    assert fetch_to_second_level(code, LISTING) is None


def test_a_kernel_has_the_hint() -> None:
    code = compile_kernel(request()).code
    assert b"\x0f\x18" in code
    assert fetch_to_second_level(code, "") == code


def test_a_kernel_whose_hint_cannot_be_set_fetches_nothing(monkeypatch) -> None:
    monkeypatch.setattr(kernel_code, "fetch_to_second_level", lambda code, listing: None)
    assert b"\x0f\x18" not in compile_kernel(request()).code


def test_on_other_machines_code_stays_as_it_is() -> None:
    assert compile_kernel(request("aarch64-neon")).code
