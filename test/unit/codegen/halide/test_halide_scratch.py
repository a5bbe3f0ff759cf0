"""Scratch memory of kernels, read from Halide's lowered programs."""

from __future__ import annotations

import pytest

from autodeploy.codegen.halide.scratch import (
    BLOCK_OVERHEAD,
    scratch_bytes,
    stack_arrays,
    stack_bytes,
    worker_scratch_bytes,
)
from autodeploy.diagnostics import ToolchainError


def test_small_constant_memory_is_on_the_stack() -> None:
    assert scratch_bytes("allocate f[float32 * 64 * 64 * 1]\nfree f\n", "k") == 0
    assert scratch_bytes("allocate f[float32 * 4096] in Stack\nfree f\n", "k") == 0


def test_padding_types_and_memory_kinds() -> None:
    assert scratch_bytes("allocate f[float32 * (64 * 64 + 1)]", "k") == 4 * 4097 + BLOCK_OVERHEAD
    assert scratch_bytes("allocate f[uint1 * 3] in Heap", "k") == 3 + BLOCK_OVERHEAD
    assert scratch_bytes("allocate f[bool * 30000]", "k") == 30000 + BLOCK_OVERHEAD
    assert scratch_bytes("allocate f[int64 * 9] in Heap if (c)", "k") == 72 + BLOCK_OVERHEAD
    assert scratch_bytes("allocate f$3[bfloat16 * 9] in Heap", "k") == 18 + BLOCK_OVERHEAD


def test_memory_that_is_free_again_counts_no_longer() -> None:
    lines = ["allocate a[int8 * 100] in Heap", "free a", "allocate b[int8 * 70] in Heap", "free b"]
    assert scratch_bytes("\n".join(lines), "k") == 100 + BLOCK_OVERHEAD
    nested = [lines[0], *lines[2:], lines[1]]
    assert scratch_bytes("\n".join(nested), "k") == 170 + 2 * BLOCK_OVERHEAD


def test_memory_under_newer_memory_is_not_used_again() -> None:
    lines = ["allocate a[int8 * 100] in Heap", "allocate b[int8 * 70] in Heap", "free a"]
    lines += ["allocate c[int8 * 10] in Heap", "free b", "free c"]
    lines += ["allocate d[int8 * 300] in Heap", "free d"]
    assert scratch_bytes("\n".join(lines[:6]), "k") == 180 + 3 * BLOCK_OVERHEAD
    assert scratch_bytes("\n".join(lines), "k") == 180 + 3 * BLOCK_OVERHEAD


def test_memory_ends_with_its_block() -> None:
    text = """
    if (c) {
     allocate a[int8 * 100] in Heap
    } else {
     allocate b[int8 * 70] in Heap
    }
    """
    assert scratch_bytes(text, "k") == 100 + BLOCK_OVERHEAD


def test_arrays_that_do_not_fit_the_stack_stay() -> None:
    lines = ["allocate a[int8 * 20000] in Stack", "free a", "allocate b[int8 * 17000] in Stack"]
    assert scratch_bytes("\n".join(lines), "k") == 37000 + 2 * BLOCK_OVERHEAD


def test_bodies_of_parallel_loops_add_to_their_caller() -> None:
    text = """module name=k, target=host
internal func k_par_for_y (c) {
 allocate a[int8 * 100] in Heap
 free a
}


external func k (c) {
 allocate b[int8 * 70] in Heap
 free b
}
"""
    assert scratch_bytes(text, "k") == 170 + 2 * BLOCK_OVERHEAD


def test_arrays_on_the_stack() -> None:
    text = """
    if (c) {
     allocate a[int8 * 100]
     allocate b[float32 * 70]
     allocate large[int8 * 20000]
     allocate chosen[int8 * 40] in Heap
    } else {
     allocate b[float32 * 80]
    }
    """
    assert stack_bytes(text, "k") == 380
    assert stack_arrays(text) == {"a": 100, "b": 320}


def test_an_array_of_no_constant_size_is_not_on_the_stack() -> None:
    assert stack_arrays("allocate f[float32 * (t + 1)]\nallocate g[int8 * 9]") == {"g": 9}


def test_memory_of_no_constant_size() -> None:
    with pytest.raises(ToolchainError) as error:
        scratch_bytes("allocate f[float32 * (min(t, 8) * 4)] in Heap", "softmax")
    assert str(error.value) == (
        "kernel 'softmax' needs memory of no constant size for func 'f', (min(t, 8) * 4) elements; "
        "bound its extents in the schedule"
    )


def test_helping_threads_need_the_scratch_of_loop_bodies() -> None:
    body = "internal func k_par_for_y (c) {\n allocate a[int8 * 100] in Heap\n free a\n}\n\n\n"
    main = "external func k (c) {\n allocate b[int8 * 70] in Heap\n free b\n}\n"
    assert worker_scratch_bytes(f"module name=k\n{body}{main}", "k") == 100 + BLOCK_OVERHEAD
    empty = "internal func k_par_for_y (c) {\n}\n"
    assert worker_scratch_bytes(f"module name=k\n{empty}{main}", "k") == 0
    assert worker_scratch_bytes(f"module name=k\n{main}", "k") is None
