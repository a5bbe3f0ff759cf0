"""The text of a kernel that fetches ahead: what a map says, and what it loads itself."""

from __future__ import annotations

FETCHING = """
halide.pipeline @ahead(%x: !halide.buffer<f32, [8, 64]>, %x_ahead: !halide.buffer<f32, [8, 64]>)
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
    %w = halide.load %x_ahead[%first, %k] : !halide.buffer<f32, [8, 64]> to f32
    %far = halide.add %w, %w : f32
    %read = halide.select %within, %near, %far : f32
    %new = halide.add %old, %read : f32
    halide.yield %new : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.prefetch %f "k" of %x_ahead ahead by 0 of "k" {stage = 1}
        : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
    halide.prefetch %f "k" of %x ahead by 4 of "k" {stage = 1}
        : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}
"""
"""Sums of 64 numbers, eight of them."""
