"""Whether a scheduled kernel stays within its buffers, by Halide's bounds."""

from __future__ import annotations

import numpy as np
import pytest
from lowered_conditions import UndecidedError, conditions_of
from prove_bounds import prove_bounds

from autodeploy.codegen.halide.compile_kernel import parse_pipeline
from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine

MACHINE = Machine.parse("x86-64-avx2")
TARGET = MACHINE.kernel_target()

# Each element is the sum of two neighbours of a kept func, which copies the input.
_KERNEL = """
halide.pipeline @k(%x: !halide.buffer<f32, [{read}, 8]>)
    to (%y: !halide.buffer<f32, [12, 8]>) {open} {{
  %f = halide.func "f"(x %i, y %j) in [{read}, 8] : f32 {{
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [{read}, 8]> to f32
    halide.yield %v : f32
  }}
  %g = halide.func "g"(x %i, y %j) : f32 {{
    %one = halide.const 1 : i32
    %next = halide.add %i, %one : i32
    %a = halide.load %f[%i, %j] : !halide.func<f32, 2> to f32
    %b = halide.load %f[%next, %j] : !halide.func<f32, 2> to f32
    %sum = halide.add %a, %b : f32
    halide.yield %sum : f32
  }}
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [12, 8]>
  halide.schedule {{
    {schedule}
  }}
}}
"""
_FUNC = "!halide.func<f32, 2>"
_SPLIT = f'halide.split %g "x" to "xo", "xi" by {{}} {{}}: {_FUNC}\n'
_INWARDS = "{tail = #halide<tail shift_inwards>} "
_AT_TILE = f'halide.compute_at %f at %g "xo" : {_FUNC} at {_FUNC}\n'
_AT_ROW = f'halide.compute_at %f at %g "y" : {_FUNC} at {_FUNC}\n'


def prove(
    schedule: str, read: int = 13, open: str = "", ranges: tuple[tuple[int, int], ...] = ()
) -> None:
    pipeline = parse_pipeline(_KERNEL.format(schedule=schedule, read=read, open=open))
    prove_bounds(pipeline, TARGET, ranges)


@pytest.mark.parametrize(
    "schedule",
    [
        "",
        _SPLIT.format(12, "") + _AT_TILE,
        # The last tile moves inwards, over the one before.
        _SPLIT.format(8, _INWARDS) + _AT_TILE,
        _AT_ROW + f'halide.vectorize %f "x" by 8 : {_FUNC}',
        _AT_ROW + f'halide.bound_storage %f "x" extent 13 : {_FUNC}',
        _SPLIT.format(4, "") + _AT_TILE + f'halide.bound_extent %f "x" extent 5 : {_FUNC}',
        f'halide.parallel %g "y" : {_FUNC}\n' + _AT_ROW,
    ],
)
def test_sizes_that_fit_are_compiled(schedule: str) -> None:
    prove(schedule)


def test_a_read_beyond_an_input_is_refused() -> None:
    with pytest.raises(
        UserError,
        match=r"^kernel 'k' with its schedule reads 'x' from 0 to 12 along "
        r"dimension 0, which has 0 to 11$",
    ):
        prove("", read=12)


def test_a_vector_that_is_wider_than_its_row_is_refused() -> None:
    # A row of the kept func has 13 elements; a tile of 16 of them begins before the input.
    with pytest.raises(UserError, match=r"reads 'x' from -3 to 12 along dimension 0"):
        prove(_AT_ROW + f'halide.split %f "x" to "xo", "xi" by 16 {_INWARDS}: {_FUNC}')


@pytest.mark.parametrize(
    ("schedule", "reason"),
    [
        (_AT_ROW + f'halide.bound_storage %f "x" extent 12 : {_FUNC}', "storage_bound_too_small"),
        (_AT_ROW + f'halide.bound %f "x" from 0 extent 12 : {_FUNC}', "explicit_bounds_too_small"),
        (
            _SPLIT.format(4, "") + _AT_TILE + f'halide.bound_extent %f "x" extent 4 : {_FUNC}',
            "explicit_bounds_too_small",
        ),
        # Only an iteration of the loop around it, which threads share, knows where a row is.
        (
            f'halide.parallel %g "y" : {_FUNC}\n'
            + _AT_ROW
            + f'halide.bound %f "y" from 0 extent 7 : {_FUNC}',
            "explicit_bounds_too_small",
        ),
    ],
)
def test_a_bound_that_is_too_small_is_refused(schedule: str, reason: str) -> None:
    with pytest.raises(UserError, match=f"kernel 'k' with its schedule breaks .*{reason}"):
        prove(schedule)


@pytest.mark.parametrize(
    ("least", "fits"),
    [(8, True), (7, False)],
)
def test_tiles_of_open_dimensions_are_for_the_least_extent(least: int, fits: bool) -> None:
    opened = "open [affine_map<(d0) -> (d0 + 1, 0)>, [1, 0]]"
    schedule = _SPLIT.format(8, _INWARDS)
    if fits:
        prove(schedule, 13, opened, ((least, 12),))
    else:
        with pytest.raises(
            UserError, match=r"writes 'y' from -1 to 6 along dimension 0, which has 0 to 6"
        ):
            prove(schedule, 13, opened, ((least, 12),))


def test_conditions_are_read_from_the_text() -> None:
    (condition,) = conditions_of(
        """
        internal func body$1 (__user_context, g.s0.y, closure_arg$1) {
        let a = let t = min(x.extent.0, 8) in (t*2) + -1
        for (g.s0.x, 1, a) {
        assert((a <= (g.s0.x + 7)) && !(x.extent.0 == 5), halide_error_some("g", max(a, 2), 3))
        assert(closure_result == 0, closure_result)
        assert(x.type == (uint32)73730, halide_error_bad_type("x", 1))
        let closure_result = halide_do_par_for((halide_task_t)::body$1, 0, 4, (uint8_t *)(closure))
        """
    )
    assert condition.kind == "some" and condition.told == ("g", "max(a, 2)", "3")
    assert condition.loops == {"g.s0.y": ("0", "4"), "g.s0.x": ("1", "a")}
    known = {"x.extent.0": np.array([4, 5, 9]), "g.s0.x": np.array([0, 9, 9])}
    assert condition.value(condition.text, known).tolist() == [1, 0, 1]
    assert condition.value("select(a < 8, a/2, a % 4)", known).tolist() == [3, 1, 3]
    assert condition.names("a") >= {"x.extent.0"}
    for text in ("f(1)", "b + 1", "(1", "1 2", ""):
        with pytest.raises(UndecidedError):
            condition.value(text, known)
