"""Pipelines that compile quickly."""

from __future__ import annotations

from c_program import parse

from autodeploy.dialects.halide.pipeline import PipelineOp

_SCALED = """
halide.pipeline @{name}(%x: !halide.buffer<{element}, [64]>)
    to (%y: !halide.buffer<{element}, [64]>) {{
  %f = halide.func "f"(i %i) : {element} {{
    %0 = halide.load %x[%i] : !halide.buffer<{element}, [64]> to {element}
    %1 = halide.const {factor:f} : {element}
    %2 = halide.mul %0, %1 : {element}
    %3 = halide.{function} %2 : {element}
    halide.yield %3 : {element}
  }}
  halide.output %f in %y : !halide.func<{element}, 1> in !halide.buffer<{element}, [64]>
}}
"""


def scaled(name: str, factor: float, function: str = "abs", element: str = "f32") -> PipelineOp:
    """Return a pipeline that multiplies by a constant and applies a function.

    Of f64, which Halide's error function does not take, "erf" makes one that it refuses.
    """
    text = _SCALED.format(name=name, factor=factor, function=function, element=element)
    op = parse(text)[1].body.block.first_op
    assert isinstance(op, PipelineOp)
    return op
