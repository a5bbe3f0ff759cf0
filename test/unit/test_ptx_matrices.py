"""The simulator of PTX: products of matrices, and memory that the threads of a block share."""

from __future__ import annotations

import numpy as np
import pytest
from own_numbers import OwnNumbers
from ptx_matrices import multiplied, rounded, rounded_bits
from ptx_program import PtxError, read_ptx
from ptx_run import run_kernel

RNG = OwnNumbers(3)


def place_of_left(element: str, lane: int, number: int) -> tuple[int, int]:
    """Return the row and the column of an element of a thread, as NVIDIA describes them."""
    group, thread = lane >> 2, lane % 4
    if element == "tf32":
        return group + 8 * (number in (1, 3)), thread + 4 * (number >= 2)
    is_upper = 0 <= number < 2 or 4 <= number < 6
    return group + 8 * (not is_upper), thread * 2 + (number & 1) + 8 * (number >= 4)


def place_of_right(element: str, lane: int, number: int) -> tuple[int, int]:
    """Return the row and the column of an element of a thread."""
    group, thread = lane >> 2, lane % 4
    if element == "tf32":
        return thread + 4 * number, group
    return thread * 2 + (number & 1) + 8 * (number >= 2), group


def registers(matrix: np.ndarray, element: str, count: int, place) -> list[np.ndarray]:
    """Return the registers of the threads of a warp that hold a factor."""
    pack = 1 if element == "tf32" else 2
    bits = rounded_bits(matrix, element).astype(np.uint32)
    found = [np.zeros(32, np.uint32) for _ in range(count)]
    for lane in range(32):
        for number in range(count * pack):
            shifted = bits[place(element, lane, number)] << np.uint32(16 * (number % pack))
            found[number // pack][lane] |= shifted
    return found


@pytest.mark.parametrize("element", ["tf32", "f16", "bf16"])
def test_a_product_has_the_places_of_the_device(element: str):
    steps = 8 if element == "tf32" else 16
    a, b, c = (RNG.standard_normal(s, np.float32) for s in ((16, steps), (steps, 8), (16, 8)))
    left = registers(a, element, 4, place_of_left)
    right = registers(b, element, 2, place_of_right)
    lane = np.arange(32)
    places = [((lane >> 2) + 8 * (n >= 2), (lane % 4) * 2 + (n & 1)) for n in range(4)]
    # Two warps multiply the same factors, and add the products to different sums.
    sums = [np.concatenate([c[place], 2 * c[place]]) for place in places]
    twice = ([np.tile(r, 2) for r in side] for side in (left, right))
    found = multiplied(element, *twice, sums)
    product = rounded(a, element) @ rounded(b, element)
    for place, both in zip(places, found, strict=True):
        expected = np.concatenate([(product + c)[place], (product + 2 * c)[place]])
        np.testing.assert_allclose(both, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("element", "x", "expected"),
    [
        ("tf32", 1 + 2**-11, 1 + 2**-10),
        ("tf32", -1 - 2**-11, -1 - 2**-10),
        ("tf32", 1 + 2**-12, 1),
        ("f16", 1 + 2**-11, 1),
        ("f16", 1 + 3 * 2**-11, 1 + 2**-9),
        ("f16", 65520, np.inf),
        ("bf16", 1 + 2**-8, 1),
        ("bf16", 1 + 3 * 2**-8, 1 + 2**-6),
        ("tf32", np.inf, np.inf),
        ("bf16", np.nan, np.nan),
        ("tf32", np.nan, np.nan),
    ],
)
def test_factors_are_rounded_to_the_nearest(element: str, x: float, expected: float):
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(rounded(np.float32([x]), element), np.float32([expected]))


HEAD = """.visible .entry k(
	.param .u64 k_param_0
)
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<9>;
	.shared .align 16 .b8 words[32];
	ld.param.b64 	%rd0, [k_param_0];
	mov.u32 	%r0, %tid.x;
	mov.u32 	%r1, %ctaid.x;
	mad.lo.s32 	%r2, %r1, 8, %r0;
	mad.wide.u32 	%rd1, %r2, 4, %rd0;
	mov.u32 	%r3, words;
	mad.lo.s32 	%r4, %r0, 4, %r3;
	xor.b32 	%r5, %r0, 7;
	mad.lo.s32 	%r6, %r5, 4, %r3;
	setp.eq.b32 	%p1, %r0, 3;
"""


def run(*steps: str) -> np.ndarray:
    """Run a kernel on two blocks of eight threads; return what the threads write."""
    y = np.zeros(16, np.uint32)
    lines = "".join(f"\t{step};\n" for step in steps)
    text = f"{HEAD}{lines}\tst.global.b32 \t[%rd1], %r7;\n\tret;\n}}\n"
    memory = [(1 << 12, y.view(np.uint8))]
    run_kernel(read_ptx(text), "k", (2, 1, 1), (8, 1, 1), memory, (1 << 12,))
    return y


def test_threads_of_a_block_share_memory():
    y = run("st.shared.b32 [%r4], %r2", "bar.sync 0", "ld.shared.b32 %r7, [%r6]")
    np.testing.assert_array_equal(y, np.arange(16).reshape(2, 8)[:, ::-1].reshape(-1))


WRITE, READ = "st.shared.b32 [%r4], %r2", "ld.shared.b32 %r7, [%r6]"
AT_ONE = "ld.shared.b32 %r7, [%r3]"


@pytest.mark.parametrize(
    ("steps", "what"),
    [
        ((WRITE, READ), "without a barrier"),
        ((READ, WRITE), "without a barrier"),
        ((WRITE, "bar.sync 0", READ, WRITE), "without a barrier"),
        ((AT_ONE, WRITE), "without a barrier"),
        (("st.shared.b32 [%r3], %r2",), "two threads write a word of shared memory at once"),
        (("ld.shared.b32 %r7, [%r4+4]",), "a shared access leaves its memory"),
        (("@%p1 bar.sync 0",), "threads of a block do not come to a barrier"),
    ],
)
def test_what_threads_of_a_block_must_not_do_is_found(steps: tuple[str, ...], what: str):
    with pytest.raises(PtxError, match=what):
        run(*steps)


def test_a_part_of_a_warp_multiplies_nothing():
    step = (
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r1, %r2, %r3, %r4}, "
        "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2, %r3, %r4}"
    )
    with pytest.raises(PtxError, match="a part of a warp multiplies matrices"):
        run(step)
