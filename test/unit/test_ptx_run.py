"""The simulator of PTX: what it computes, and what it finds."""

from __future__ import annotations

import numpy as np
import pytest
from ptx_program import PtxError, read_ptx
from ptx_run import run_kernel

HEAD = """.version 6.3
.visible .entry k(
	.param .u64 .ptr .align 1 k_param_0,
	.param .u64 .ptr .align 1 k_param_1
)
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<9>;
	ld.param.b64 	%rd0, [k_param_0];
	ld.param.b64 	%rd1, [k_param_1];
	mov.u32 	%r0, %tid.x;
	mov.u32 	%r1, %ctaid.x;
	mad.lo.s32 	%r2, %r1, 4, %r0;
	mul.wide.u32 	%rd2, %r2, 4;
	add.s64 	%rd3, %rd0, %rd2;
	add.s64 	%rd4, %rd1, %rd2;
"""
LOADED = HEAD + "	ld.global.nc.b32 	%r3, [%rd3];\n"
STORED = "	st.global.b32 	[%rd4], %r4;\n	ret;\n}\n"


def run(text: str, x: np.ndarray) -> np.ndarray:
    """Run a kernel on two blocks of four threads."""
    y = np.full(8, 7, x.dtype)
    memory = [(1 << 12, x.view(np.uint8)), (1 << 16, y.view(np.uint8))]
    run_kernel(read_ptx(text), "k", (2, 1, 1), (4, 1, 1), memory, (1 << 12, 1 << 16))
    return y


def test_threads_that_disagree_meet_again():
    x = np.array([3, 0, 5, 1, 0, 2, 9, 4], np.uint32)
    loop = """	mov.b32 	%r4, 0;
	setp.eq.b32 	%p1, %r3, 0;
	@%p1 bra 	$L2;
$L1:
	add.s32 	%r4, %r4, %r3;
	add.s32 	%r3, %r3, -1;
	setp.ne.b32 	%p2, %r3, 0;
	@%p2 bra 	$L1;
$L2:
	add.s32 	%r4, %r4, 1;
"""
    np.testing.assert_array_equal(run(LOADED + loop + STORED, x), x * (x + 1) // 2 + 1)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("cvt.rmi.ftz.f32.f32 %r4, %r3", [-0.0, -2, 2, np.inf]),
        ("cvt.rmi.f32.f32 %r4, %r3", [-1, -2, 2, np.inf]),
        ("max.f32 %r4, %r3, 0f3F800000", [1, 1, 2.5, np.inf]),
        ("fma.rn.f32 %r4, %r3, 0f40000000, 0f3F800000", [1, -2, 6, np.inf]),
        ("setp.gtu.f32 %p1, %r3, 0f00000000;selp.b32 %r4, 1065353216, 0, %p1", [0, 0, 1, 1]),
    ],
)
def test_floats_are_those_of_the_device(step, expected):
    x = np.array([-1e-40, -1.5, 2.5, np.inf] * 2, np.float32)
    np.testing.assert_array_equal(run(f"{LOADED}\t{step};\n{STORED}", x)[:4], expected)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("bfe.u32 %r4, %r3, 4, 4", 0xB),
        ("bfe.s32 %r4, %r3, 4, 4", -5),
        ("shf.l.wrap.b32 %r4, %r3, %r3, 8", 0x3344BB11),
        ("mul.hi.u32 %r4, %r3, 256", 0x11),
        ("clz.b32 %r4, %r3", 3),
        ("cvt.s32.s8 %r4, %r3", -0x45),
        ("shr.s32 %r4, %r3, 40", 0),
        ("div.s32 %r4, -7, 2", -3),
        ("prmt.b32 %r4, %r3, -2, 0x8421U", 0xFFFE3344 - (1 << 32)),
    ],
)
def test_integers_are_those_of_the_device(step, expected):
    x = np.full(8, 0x113344BB, np.int32)
    np.testing.assert_array_equal(run(f"{LOADED}\t{step};\n{STORED}", x), np.int32(expected))


@pytest.mark.parametrize(("lhs", "code"), [("u32", "u1"), ("s32", "i1")])
@pytest.mark.parametrize(("rhs", "other"), [("u32", "u1"), ("s32", "i1")])
def test_products_of_bytes_are_those_of_the_device(lhs, code, rhs, other):
    x = np.array([0x80FF017F, 0x80808080, 0xFFFFFFFF, 0x12345678] * 2, np.uint32).view(np.int32)
    step = f"mov.b32 %r4, 2147483647;\n\tdp4a.{lhs}.{rhs}    %r4, %r3, 0x81FE7F01, %r4"
    weights = np.array([0x01, 0x7F, 0xFE, 0x81], np.uint8).view(other).astype(np.int64)
    sums = x.view(code).reshape(-1, 4).astype(np.int64) @ weights + 2147483647
    np.testing.assert_array_equal(run(f"{LOADED}\t{step};\n{STORED}", x), sums.astype(np.int32))


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ("ld.global.b32 %r4, [%rd3+4]", "a global access leaves its part of memory"),
        ("ld.global.b32 %r4, [%rd3+-4]", "a global access leaves its part of memory"),
        ("ld.global.b32 %r4, [%rd3+80]", "a global access is in no part of memory"),
        ("ld.global.b32 %r4, [%rd3+2]", "'ld.global.b32' of an address that is not aligned"),
        ("ld.global.v2.b32 {%r4, %r5}, [%rd3]", "'ld.global.v2.b32' of an address that"),
        ("red.global.add.f32 [%rd4], %r3", "'red.global.add.f32' is not known"),
    ],
)
def test_what_a_kernel_must_not_do_is_found(step, what):
    with pytest.raises(PtxError, match=what):
        run(f"{LOADED}\t{step};\n{STORED}", np.zeros(8, np.uint32))
