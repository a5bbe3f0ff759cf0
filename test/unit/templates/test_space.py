"""Spaces: the rule chooses in them, nonsense is refused, points without conflict are scheduled.

What is edited in a kernel whose weights are packed is refused, or stays within its buffers.
"""

import random
import re
from collections.abc import Iterator

import pytest
from prove_bounds import prove_bounds
from wrong_configs import wrong_configs
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException, VerifyException

from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.registry import new_context
from autodeploy.lowering.nn_to_halide.convert_nn_to_halide import ConvertNnToHalidePass
from autodeploy.passes.halide.expand_prefetch_lines import ExpandPrefetchLinesPass
from autodeploy.passes.halide.schedule_kernels import ScheduleKernelsPass
from autodeploy.passes.kernels.configure_kernels import completed
from autodeploy.passes.kernels.pack_weights import PackWeightsPass
from autodeploy.passes.kernels.set_machine import SetMachinePass
from autodeploy.passes.nn.fold_nn_constants import FoldNnConstantsPass
from autodeploy.templates.fitting import check_whole
from autodeploy.templates.registry import template_of
from autodeploy.templates.space import Numbers, Parts, divisors, shown

PRODUCT = """
%y = nn.kernel(%x, %w, %a) : (tensor<{rows}x64xf32>, tensor<64x40xf32>, tensor<{rows}x40xf32>) -> tensor<{rows}x40xf32> {{
^bb0(%l: tensor<{rows}x64xf32>, %r: tensor<64x40xf32>, %s: tensor<{rows}x40xf32>):
  %v = nn.matmul %l, %r : (tensor<{rows}x64xf32>, tensor<64x40xf32>) -> tensor<{rows}x40xf32>
  %z = nn.add %v, %s : (tensor<{rows}x40xf32>, tensor<{rows}x40xf32>) -> tensor<{rows}x40xf32>
  nn.yield %z : tensor<{rows}x40xf32>
}}
"""  # noqa: E501

CONV = """
%y = nn.kernel(%x, %w) : (tensor<1x13x13x{image}xf32>, tensor<3x3x{inputs}x{outputs}xf32>) -> tensor<1x13x13x{outputs}xf32> {{
^bb0(%l: tensor<1x13x13x{image}xf32>, %r: tensor<3x3x{inputs}x{outputs}xf32>):
  %v = nn.conv %l, %r {{strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = {groups} : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>}} : (tensor<1x13x13x{image}xf32>, tensor<3x3x{inputs}x{outputs}xf32>) -> tensor<1x13x13x{outputs}xf32>
  nn.yield %v : tensor<1x13x13x{outputs}xf32>
}}
"""  # noqa: E501

SCALED = """
%c = nn.constant #nn.dense<1 : tensor<4x8x40xui8>>
%s = nn.constant #nn.dense<0.5 : tensor<4x40xf32>>
%z = nn.constant #nn.dense<3 : tensor<4x40xui8>>
%y = nn.kernel(%x, %c, %s, %z, %a) : (tensor<7x64xf32>, tensor<4x8x40xui8>, tensor<4x40xf32>, tensor<4x40xui8>, tensor<7x40xf32>) -> tensor<7x40xf32> {
^bb0(%l: tensor<7x64xf32>, %r: tensor<4x8x40xui8>, %t: tensor<4x40xf32>, %o: tensor<4x40xui8>, %b: tensor<7x40xf32>):
  %v = nn.scaled_matmul %l, %r, %t, %o {block = 16 : i64} : (tensor<7x64xf32>, tensor<4x8x40xui8>, tensor<4x40xf32>, tensor<4x40xui8>) -> tensor<7x40xf32>
  %e = nn.add %v, %b : (tensor<7x40xf32>, tensor<7x40xf32>) -> tensor<7x40xf32>
  nn.yield %e : tensor<7x40xf32>
}
"""  # noqa: E501

SCALED_CODES = """
%q = nn.constant #nn.dense<5 : tensor<7x64xi8>>
%c = nn.constant #nn.dense<1 : tensor<4x8x40xui8>>
%s = nn.constant #nn.dense<0.5 : tensor<4x40xf32>>
%z = nn.constant #nn.dense<3 : tensor<ui8>>
%t = nn.constant #nn.dense<0.25 : tensor<7x4xf32>>
%y = nn.kernel(%q, %c, %s, %z, %t) : (tensor<7x64xi8>, tensor<4x8x40xui8>, tensor<4x40xf32>, tensor<ui8>, tensor<7x4xf32>) -> tensor<7x40xf32> {
^bb0(%l: tensor<7x64xi8>, %r: tensor<4x8x40xui8>, %u: tensor<4x40xf32>, %o: tensor<ui8>, %b: tensor<7x4xf32>):
  %v = nn.scaled_matmul %l, %r, %u, %o, %b {block = 16 : i64} : (tensor<7x64xi8>, tensor<4x8x40xui8>, tensor<4x40xf32>, tensor<ui8>, tensor<7x4xf32>) -> tensor<7x40xf32>
  nn.yield %v : tensor<7x40xf32>
}
"""  # noqa: E501

UNARY = """
%y = nn.kernel(%x) : (tensor<{shape}xf32>) -> tensor<{shape}xf32> {{
^bb0(%l: tensor<{shape}xf32>):
  %v = nn.{op} : (tensor<{shape}xf32>) -> tensor<{shape}xf32>
  nn.yield %v : tensor<{shape}xf32>
}}
"""


def _unary(op: str, shape: str) -> tuple[str, tuple[str, str], str, str]:
    return UNARY.format(op=op, shape=shape), (shape, "1"), "1", shape


KERNELS = {
    "depthwise": (
        CONV.format(groups=12, image=12, inputs=1, outputs=12),
        ("1x13x13x12", "1"),
        "3x3x1x12",
        "1x13x13x12",
    ),
    "window": _unary(
        "max_pool %l {window = array<i64: 5>, strides = array<i64: 1>, pads = array<i64: 2, 2>, "
        "dilations = array<i64: 1>, layout = #nn<layout channels_last>}",
        "2x30x24",
    ),
    "window of channels first": _unary(
        "max_pool %l {window = array<i64: 3>, strides = array<i64: 1>, pads = array<i64: 1, 1>, "
        "dilations = array<i64: 1>}",
        "2x30x24",
    ),
    "lrn": _unary(
        "lrn %l {size = 5 : i64, alpha = 2.0 : f64, beta = 0.75 : f64, bias = 1.0 : f64, "
        "layout = #nn<layout channels_last>}",
        "1x6x9x24",
    ),
    "row": _unary("softmax %l {axis = 1 : i64}", "40x70"),
    "row of a column": _unary("softmax %l {axis = 0 : i64}", "40x70"),
    "plain": _unary("exp %l", "40x70"),
    "gemm": (PRODUCT.format(rows=30), ("30x64", "30x40"), "64x40", "30x40"),
    "gemv": (PRODUCT.format(rows=1), ("1x64", "1x40"), "64x40", "1x40"),
    "scaled": (SCALED, ("7x64", "7x40"), "1", "7x40"),
    "scaled of codes": (SCALED_CODES, ("1", "1"), "1", "7x40"),
    "direct_conv": (
        CONV.format(groups=1, image=8, inputs=8, outputs=48),
        ("1x13x13x8", "1"),
        "3x3x8x48",
        "1x13x13x48",
    ),
    "direct_conv of pixels of a vector": (
        CONV.format(groups=1, image=1, inputs=1, outputs=4),
        ("1x13x13x1", "1"),
        "3x3x1x4",
        "1x13x13x4",
    ),
    "grouped_conv": (
        CONV.format(groups=2, image=12, inputs=6, outputs=40),
        ("1x13x13x12", "1"),
        "3x3x6x40",
        "1x13x13x40",
    ),
    "grouped_conv of several groups": (
        CONV.format(groups=8, image=32, inputs=4, outputs=32),
        ("1x13x13x32", "1"),
        "3x3x4x32",
        "1x13x13x32",
    ),
    "winograd": (
        CONV.format(groups=1, image=8, inputs=8, outputs=48),
        ("1x13x13x8", "1"),
        "3x3x8x48",
        "1x13x13x48",
    ),
    "row_bands": (
        """
%y = nn.kernel(%x, %w) {config = #nn.config<row_bands, bands = [7, 5, 2]>} : (tensor<1x20x20x4xf32>, tensor<3x3x4x24xf32>) -> tensor<1x9x9x24xf32> {
^bb0(%l: tensor<1x20x20x4xf32>, %r: tensor<3x3x4x24xf32>):
  %c = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x20x20x4xf32>, tensor<3x3x4x24xf32>) -> tensor<1x20x20x24xf32>
  %p = nn.max_pool %c {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, ceil_mode = false, layout = #nn<layout channels_last>} : (tensor<1x20x20x24xf32>) -> tensor<1x9x9x24xf32>
  nn.yield %p : tensor<1x9x9x24xf32>
}
""",  # noqa: E501
        ("1x20x20x4", "1"),
        "3x3x4x24",
        "1x9x9x24",
    ),
    "attention": (
        """
%y = nn.kernel(%x, %w, %a) {config = #nn.config<attention, bands = [12, 12, 12, 12]>} : (tensor<2x50x16xf32>, tensor<16x48xf32>, tensor<2x48x20xf32>) -> tensor<2x50x20xf32> {
^bb0(%l: tensor<2x50x16xf32>, %r: tensor<16x48xf32>, %b: tensor<2x48x20xf32>):
  %s = nn.matmul %l, %r : (tensor<2x50x16xf32>, tensor<16x48xf32>) -> tensor<2x50x48xf32>
  %p = nn.softmax %s {axis = 2 : i64} : (tensor<2x50x48xf32>) -> tensor<2x50x48xf32>
  %v = nn.matmul %p, %b : (tensor<2x50x48xf32>, tensor<2x48x20xf32>) -> tensor<2x50x20xf32>
  nn.yield %v : tensor<2x50x20xf32>
}
""",  # noqa: E501
        ("2x50x16", "2x48x20"),
        "16x48",
        "2x50x20",
    ),
}

MACHINES = ("x86-64-avx512:cores=4", "x86-64-avx2", "aarch64-neon:cores=2")

NONSENSE: tuple[tuple[Knob, ...], ...] = (
    (0,),
    (-1,),
    (999999937,),
    (1, 2, 3, 4, 5, 6, 7),
    ("nonsense",),
    (0, 0),
    (1, "x"),
    (ConfigAttr("gemm", {"tile": (3,)}),),
)

NAMES = sorted(KERNELS)


def _template(name: str) -> str:
    """Return the template of a kernel: the first word of its name."""
    return name.split()[0]


def _kernel(name: str, machine: str) -> tuple[Context, ModuleOp, KernelOp]:
    """Return a module with one kernel that a template is for."""
    text, inputs, weights, result = KERNELS[name]
    image, other, made = (f"tensor<{shape}xf32>" for shape in (*inputs, result))
    source = (
        f"func.func @f(%x: {image}, %a: {other}) -> {made} {{\n"
        f"%w = nn.constant #nn.dense<0.5 : tensor<{weights}xf32>>\n{text}"
        f"func.return %y : {made}\n}}"
    )
    context = new_context()
    module = Parser(context, source).parse_module()
    SetMachinePass(machine=machine).apply(context, module)
    return context, module, next(op for op in module.walk() if isinstance(op, KernelOp))


def _given(name: str, kernel: KernelOp) -> ConfigAttr:
    return kernel.config or ConfigAttr(_template(name))


def _points(name: str, kernel: KernelOp, module: ModuleOp) -> Iterator[ConfigAttr]:
    """Yield the rule's config, and those in which one knob has another value."""
    machine = machine_of(module)
    default = completed(_given(name, kernel), kernel, machine)
    yield default
    chosen = random.Random(name)
    for knob, values in template_of(_template(name)).space(kernel, machine).items():
        for value in chosen.sample(range(len(values)), min(len(values), 6)):
            yield ConfigAttr(_template(name), {**default.as_dict(), knob: values[value]})


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", NAMES)
def test_the_rule_chooses_within_the_space(name: str, machine: str) -> None:
    _, module, kernel = _kernel(name, machine)
    config = completed(_given(name, kernel), kernel, machine_of(module))
    space = template_of(_template(name)).space(kernel, machine_of(module))
    assert set(config) == set(space)
    assert all(config.values(knob) in space[knob] for knob in config)
    assert all(values[len(values) - 1] in values for values in space.values())
    assert template_of(_template(name)).conflict(kernel, machine_of(module), config) is None
    assert completed(config, kernel, machine_of(module)) == config


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", NAMES)
def test_nonsense_ends_in_one_clear_line(name: str, machine: str) -> None:
    _, module, kernel = _kernel(name, machine)
    space = template_of(_template(name)).space(kernel, machine_of(module))
    for knob in space:
        for value in (v for v in NONSENSE if v not in space[knob]):
            given = ConfigAttr(_template(name), {**_given(name, kernel).as_dict(), knob: value})
            with pytest.raises(VerifyException) as found:
                completed(given, kernel, machine_of(module))
            (line,) = str(found.value).splitlines()
            assert line.startswith(f"knob {knob} of {_template(name)} is one of"), line


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", NAMES)
def test_points_without_conflict_are_scheduled(name: str, machine: str) -> None:
    _, module, kernel = _kernel(name, machine)
    scheduled = 0
    for config in _points(name, kernel, module):
        context, module, kernel = _kernel(name, machine)
        try:
            kernel.config = completed(config, kernel, machine_of(module))
        except VerifyException as error:
            assert len(str(error).splitlines()) == 1
            continue
        for step in (
            PackWeightsPass(),
            FoldNnConstantsPass(),
            ConvertNnToHalidePass(),
            ScheduleKernelsPass(),
            ExpandPrefetchLinesPass(),
        ):
            step.apply(context, module)
        module.verify()
        scheduled += 1
    assert scheduled > 2


def test_numbers() -> None:
    numbers = Numbers(2, 5, times=2)
    assert list(numbers) == [(2, 2), (3, 3), (4, 4), (5, 5)]
    assert numbers[1:3] == [(3, 3), (4, 4)]
    assert (5, 5) in numbers
    assert not any(v in numbers for v in [(), (5,), (5, 4), (6, 6), ("x", "x"), 5])
    assert shown(numbers) == "[2, 2] to [5, 5]"


def test_parts() -> None:
    parts = Parts([("gemm", {"tile": [(1,), (2,)], "block": Numbers(1, 3)}), ("row", {})])
    assert len(set(parts)) == len(parts) == 6
    assert all(value in parts for value in parts)
    assert ("gemm", "row") in parts
    wrong = ConfigAttr("gemm", {"tile": (3,)})
    assert not any(v in parts for v in [("gemm",), ("row", "gemm"), (wrong, "row"), (1, 2)])
    assert shown(parts) == "[gemm<tile: [1], [2], block: [1] to [3]>, row]"


def test_values_are_shown() -> None:
    assert shown([(), ("x", 1), (3,)], 2) == "[], [x, 1], …"
    assert (divisors(12), divisors(0)) == ([1, 2, 3, 4, 6, 12], [1])


def test_single_columns_are_not_packed() -> None:
    _, module, kernel = _kernel("gemv", "x86-64-avx2")
    given = ConfigAttr("gemv", {"tile": (8,), "pack": (1, 40), "fetch": (1,)})
    with pytest.raises(VerifyException, match="knob pack of gemv is one of"):
        completed(given, kernel, machine_of(module))


WRONG = 40
"""Configs from outside of a space that are drawn for a kernel."""


def _edited(name: str, machine: str, count: int) -> tuple[int, int]:
    """Edit the config of a kernel that is ready to be lowered; returns how many are refused, taken.

    Those that are taken stay within their buffers.
    """
    context, module, kernel = _kernel(name, machine)
    whole = kernel.config = completed(_given(name, kernel), kernel, machine_of(module))
    for step in (PackWeightsPass(), FoldNnConstantsPass()):
        step.apply(context, module)
    check_whole(kernel, machine_of(module))
    refused = taken = 0
    for config in wrong_configs(whole, count, random.Random(f"{name} {machine}")):
        kernel.config = config
        try:
            check_whole(kernel, machine_of(module))
        except VerifyException as error:
            (line,) = str(error).splitlines()
            assert re.search(r" \[(config|kernel)_c\d\]$", line) or "integers, found" in line, line
            refused += 1
            continue
        taken += 1
        trial = module.clone()
        for step in (ConvertNnToHalidePass(), ScheduleKernelsPass(), ExpandPrefetchLinesPass()):
            step.apply(context, trial)
        trial.verify()
        for pipeline in [op for op in trial.walk() if isinstance(op, PipelineOp)]:
            prove_bounds(pipeline, machine_of(module).kernel_target())
    return refused, taken


@pytest.mark.parametrize("name", NAMES)
def test_configs_that_are_edited_are_refused_or_stay_within_buffers(name: str) -> None:
    refused, taken = _edited(name, MACHINES[NAMES.index(name) % len(MACHINES)], WRONG)
    assert refused > taken


@pytest.mark.parametrize("name", NAMES)
def test_configs_that_are_edited_in_a_lowered_kernel_end_in_one_line(name: str) -> None:
    machine = MACHINES[NAMES.index(name) % len(MACHINES)]
    context, module, kernel = _kernel(name, machine)
    whole = kernel.config = completed(_given(name, kernel), kernel, machine_of(module))
    for step in (PackWeightsPass(), FoldNnConstantsPass(), ConvertNnToHalidePass()):
        step.apply(context, module)
    refused = 0
    for config in wrong_configs(whole, WRONG, random.Random(name)):
        trial = module.clone()
        (pipeline,) = (op for op in trial.walk() if isinstance(op, PipelineOp))
        pipeline.config = config
        try:
            ScheduleKernelsPass().apply(context, trial)
            trial.verify()
        except (VerifyException, PassFailedException) as error:
            assert len(str(error).splitlines()) == 1, error
            refused += 1
    assert refused
