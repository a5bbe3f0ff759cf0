"""Contracts of stages: each invariant has a module that breaks it."""

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from autodeploy.analysis.contracts import CONTRACTS, check_contract
from autodeploy.dialects.registry import new_context
from autodeploy.pipelines import LEVELS, stages

MAIN = "func.func @main(%x: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>"
OTHER = "func.func @other(%x: tensor<4xf32>) { func.return }"
RELU = """
  %y = nn.relu %x : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  func.return %y : tensor<2x4x4x4xf32>"""
UNUSED = """
  %y = nn.relu %x : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  func.return %x : tensor<2x4x4x4xf32>"""
POOL = """
  %y = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>,
    pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  func.return %y : tensor<2x4x4x4xf32>"""
KERNEL = """
  %y = nn.kernel(%x) : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
  ^bb0(%a: tensor<2x4x4x4xf32>):
    %b = nn.relu %a : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
    nn.yield %b : tensor<2x4x4x4xf32>
  }
  func.return %y : tensor<2x4x4x4xf32>"""
HALIDE = """
  %0 = halide.const 1 : i32
  func.return %x : tensor<2x4x4x4xf32>"""
ONNX = """
  %y = "onnx.Relu"(%x) : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  func.return %y : tensor<2x4x4x4xf32>"""


def named(text: str) -> str:
    """Return a module that names its machine."""
    machine = 'autodeploy.machine = #machine.description<"x86-64">'
    return f"builtin.module attributes {{{machine}}} {{{text}}}"


BUFFER = "!halide.buffer<f32, [4]>"
PIPELINE = f"""
halide.pipeline @k(%in0: {BUFFER}) to (%result0: {BUFFER}) {{0}} {{{{
  %out = halide.func "out"(x %x) in [4] : f32 {{{{
    %0 = halide.load %in0[%x] : {BUFFER} to f32
    halide.yield %0 : f32
  }}}}
  halide.output %out in %result0 : !halide.func<f32, 1> in {BUFFER}
  {{1}}
}}}}
"""


def pipeline(head, schedule):
    return PIPELINE.format(head, schedule)


def program(sizes, body):
    return f"""
driver.program @m inputs ["x"] outputs ["y"] {sizes} {{
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  {body}
}}
"""


FETCHING = f"""halide.schedule {{
    halide.prefetch_line %out "x" of %in0 at affine_map<(x) -> (x)>
      : !halide.func<f32, 1> of {BUFFER}
  }}"""
KERNEL_CALL = "driver.call @k(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)"

BROKEN = [
    ("import", f"{MAIN} {{{ONNX}}} {OTHER}", "`@main` and nothing else"),
    ("import", f"{MAIN} {{{HALIDE}}}", "all other ops are of the onnx dialect"),
    ("onnx", f"{MAIN} {{{ONNX}}} {OTHER}", "`@main` and nothing else"),
    ("onnx", f"{MAIN} {{{HALIDE}}}", "all other ops are of the onnx dialect"),
    ("nn", f"{MAIN} {{{RELU}}} {OTHER}", "`@main` and nothing else"),
    ("nn", f"{MAIN} {{{ONNX}}}", "no op of onnx is left"),
    ("nn", "func.func @main(%x: tensor<?xf32>) { func.return }", "is a tensor of static shape"),
    ("nn", f"{MAIN} {{{UNUSED}}}", "every result is used"),
    ("simplified", f"{MAIN} {{{UNUSED}}}", "every result is used"),
    ("layouts", f"{MAIN} {{{UNUSED}}}", "every result is used"),
    ("layouts", f"{MAIN} {{{POOL}}}", "windows read channels last"),
    ("fused", f"{MAIN} {{{UNUSED}}}", "every result is used, but for those of constants"),
    *(
        (stage, text, said)
        for stage in ("configured", "kernels")
        for text, said in (
            (f"{MAIN} {{{KERNEL}}}", "the module names its machine"),
            (named(f"{MAIN} {{{RELU}}}"), "every op but constants, views, concats and tran"),
            (named(f"{MAIN} {{{KERNEL}}}"), "every kernel has a config"),
        )
    ),
    ("halide", f"{MAIN} {{func.return %x : tensor<2x4x4x4xf32>}}", "pipelines and a `driver.pro"),
    ("halide", f"{MAIN} {{{RELU}}}", "pipelines and a `driver.pro"),
    ("halide", program("", "%0 = nn.constant #nn.dense<[1.0] : tensor<1xf32>>"), "no op of nn"),
    ("halide", pipeline("", "halide.schedule {\n}"), "every pipeline has a config"),
    ("halide", pipeline("config<copy>", ""), "every pipeline has a schedule"),
    ("halide", pipeline("config<copy>", FETCHING), "no `halide.prefetch_line` is left"),
    ("driver", program("arena 0 weights 0", "%0 = driver.buffer : memref<4xf32>"), "an offset"),
    (
        "driver",
        program(
            "arena 0 weights 0",
            "%0 = driver.weight #nn.dense<[1.0] : tensor<1xf32>> : memref<1xf32>",
        ),
        "an offset",
    ),
    (
        "driver",
        pipeline("config<copy> scratch 64", "") + program("arena 64 weights 0", KERNEL_CALL),
        "every call of a kernel with scratch memory has an offset for it",
    ),
    ("driver", program("arena 0", ""), "the sizes of the arena and of the weights are known"),
    ("driver", program("weights 0", ""), "the sizes of the arena and of the weights are known"),
]


@pytest.mark.parametrize(("stage", "text", "said"), BROKEN)
def test_a_module_that_breaks_an_invariant_is_refused(stage, text, said):
    module = Parser(new_context(), text).parse_module()
    with pytest.raises(VerifyException) as caught:
        check_contract(module, stage)
    assert f" breaks the contract of stage '{stage}': " in str(caught.value)
    assert said in str(caught.value)


def test_each_invariant_has_a_module_that_breaks_it():
    for stage, contract in CONTRACTS.items():
        for invariant in contract:
            assert any(at == stage and said in invariant.text for at, _, said in BROKEN)


def test_each_stage_has_a_contract():
    names = dict.fromkeys(stage.name for level in LEVELS for stage in stages(level))
    assert set(CONTRACTS) == {"import", *names}


def test_a_stage_verifies_and_checks():
    kernels = next(stage for stage in stages(2) if stage.name == "kernels")
    text = named(f"{MAIN} {{{KERNEL}}}")
    with pytest.raises(VerifyException, match="every kernel has a config"):
        kernels.check(Parser(new_context(), text).parse_module())
    wrong = text.replace(
        "nn.yield %b : tensor<2x4x4x4xf32>",
        "nn.yield %b, %b : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>",
    )
    with pytest.raises(VerifyException) as caught:
        kernels.check(Parser(new_context(), wrong).parse_module())
    assert caught.value.__notes__[-1] == "after stage 'kernels'"
    kernels.check(
        Parser(
            new_context(),
            text.replace("nn.kernel(%x) :", "nn.kernel(%x) {config = #nn.config<plain>} :"),
        ).parse_module()
    )
