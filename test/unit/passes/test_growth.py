"""What is done for each of many kernels does not grow with their number: calls are counted."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from autodeploy.dialects.registry import new_context
from autodeploy.passes.driver.compute_in_place import ComputeInPlacePass

FEW, MANY = 150, 600

KERNEL = """
halide.pipeline @k{i}(%x: !halide.buffer<f32, [4]>) to (%o: !halide.buffer<f32, [4]>) {{
  %f = halide.func "f"(x %j) : f32 {{
    %0 = halide.load %x[%j] : !halide.buffer<f32, [4]> to f32
    halide.yield %0 : f32
  }}
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}}
"""

CALL = """
  %b{i} = driver.buffer : memref<4xf32>
  driver.call @k{i}(%b{before}) to (%b{i}) : (memref<4xf32>) to (memref<4xf32>)
"""

PROGRAM = """
driver.program @net inputs ["x"] outputs ["y"] {{
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %b0 = driver.buffer : memref<4xf32>
  driver.copy %x to %b0 : memref<4xf32> to memref<4xf32>
  {calls}
  driver.copy %b{last} to %y : memref<4xf32> to memref<4xf32>
}}
"""


def chain(count: int) -> ModuleOp:
    numbers = range(1, count + 1)
    calls = "".join(CALL.format(i=i, before=i - 1) for i in numbers)
    kernels = "".join(KERNEL.format(i=i) for i in numbers)
    text = kernels + PROGRAM.format(calls=calls, last=count)
    return Parser(new_context(), text).parse_module()


def calls_of(function: Callable[[], object]) -> int:
    """Return how many functions of Python are called."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


def verify(module: ModuleOp) -> None:
    module.verify()


def compute_in_place(module: ModuleOp) -> None:
    ComputeInPlacePass().apply(new_context(), module)


@pytest.mark.exhaustive
@pytest.mark.parametrize("step", [verify, compute_in_place])
def test_time_grows_with_the_number_of_kernels(step: Callable[[ModuleOp], None]) -> None:
    few, many = (chain(count) for count in (FEW, MANY))
    step(few)  # what is only done once is done
    few = chain(FEW)
    assert calls_of(lambda: step(many)) < 1.25 * MANY / FEW * calls_of(lambda: step(few))
