"""Points of the spaces of templates as kernels on guarded memory: ends with a fault, or with 0.

Loops that cores share are run here one iteration after another, the last one first.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import nn_numpy
import numpy as np
from closeness import assert_close
from guarded_memory import GuardedArray, call_kernel
from guarded_run import SCRATCH
from scheduled import scheduled
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from autodeploy.codegen.halide.kernels import compile_pipelines
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.registry import new_context
from autodeploy.machine import Machine
from autodeploy.passes.kernels.configure_kernels import completed
from autodeploy.passes.kernels.set_machine import SetMachinePass
from autodeploy.templates.registry import template_of
from autodeploy.toolchain.compiler import find_c_compiler, run

MACHINE = "host:cores=3:parallel_work=1"
"""Whatever this machine has, cores share all that they can."""

DRAWN = 6
"""Points of a kernel that are drawn, beside the rule's and the ends of each knob."""

TASKS = """
#include <stdint.h>
int halide_do_par_for(void *context, int (*task)(void *, int, uint8_t *), int first, int count,
                      uint8_t *closure) {
  int i, code = 0;
  for (i = count - 1; i >= 0 && code == 0; --i) {
    code = task(context, first + i, closure);
  }
  return code;
}
"""

LAST = "layout = #nn<layout channels_last>"
CONV = f"{LAST}, filter_layout = #nn.tiled<[2, 3, 1, 0]>"
SAME = "strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>"


@dataclass(frozen=True)
class Kernel:
    """A kernel: its config as far as it is given, the shapes of %a, %b, …, and its ops."""

    config: str
    shapes: Sequence[str]
    result: str
    body: str

    @property
    def types(self) -> list[str]:
        return [f"tensor<{shape}xf32>" for shape in self.shapes]

    @property
    def arguments(self) -> str:
        return ", ".join(f"%{name}: {t}" for name, t in zip("abcd", self.types, strict=False))

    def function(self) -> str:
        """Return the ops as a function."""
        return (
            f"func.func @main({self.arguments}) -> tensor<{self.result}xf32> {{\n{self.body}\n"
            f"func.return %y : tensor<{self.result}xf32>\n}}"
        )

    def kernels(self, configs: Sequence[str]) -> str:
        """Return a function of kernels that compute the same, each with its config."""
        given = [f"%p{i}" for i in range(len(self.types))]
        taken = ", ".join(f"{name}: {type_}" for name, type_ in zip(given, self.types, strict=True))
        result, types = f"tensor<{self.result}xf32>", ", ".join(self.types)
        results = ", ".join([result] * len(configs))
        calls = "".join(
            f"%r{i} = nn.kernel({', '.join(given)}) {{config = {config}}} : ({types}) -> {result} "
            f"{{\n^bb0({self.arguments}):\n{self.body}\nnn.yield %y : {result}\n}}\n"
            for i, config in enumerate(configs)
        )
        returned = ", ".join(f"%r{i}" for i in range(len(configs)))
        return (
            f"func.func @main({taken}) -> ({results}) {{\n{calls}"
            f"func.return {returned} : {results}\n}}"
        )


def _depthwise(name: str, image: str, made: str, pads: str, window: str, channels: int) -> str:
    return (
        f"{name} = nn.conv %a, %b {{{SAME}, pads = array<i64: {pads}>, groups = {channels} : i64, "
        f"{CONV}}} : (tensor<{image}xf32>, tensor<{window}x1x{channels}xf32>) -> "
        f"tensor<{made}xf32>"
    )


def _one(op: str, attributes: str, shape: str, result: str) -> str:
    return f"%y = nn.{op} %a {{{attributes}}} : (tensor<{shape}xf32>) -> tensor<{result}xf32>"


def _pool(op: str, shape: str, result: str, window: str, strides: str, pads: str) -> str:
    attributes = (
        f"window = array<i64: {window}>, strides = array<i64: {strides}>, pads = array<i64: "
        f"{pads}>, dilations = array<i64: {strides.replace('2', '1')}>, {LAST}"
    )
    return _one(op, attributes, shape, result)


LRN = "size = 5 : i64, alpha = 2.0 : f64, beta = 0.75 : f64, bias = 1.0 : f64"

KERNELS = {
    "depthwise": Kernel(
        "depthwise",
        ("2x7x11x37", "3x3x1x37"),
        "2x7x11x37",
        _depthwise("%v", "2x7x11x37", "2x7x11x37", "1, 1, 1, 1", "3x3", 37)
        + "\n%y = nn.relu %v : (tensor<2x7x11x37xf32>) -> tensor<2x7x11x37xf32>",
    ),
    "depthwise of few channels": Kernel(
        "depthwise",
        ("1x9x13x3", "1x5x1x3"),
        "1x9x9x3",
        _depthwise("%y", "1x9x13x3", "1x9x9x3", "0, 0, 0, 0", "1x5", 3),
    ),
    "pixels of a vector": Kernel(
        "direct_conv",
        ("1x9x37x1", "3x5x1x4"),
        "1x7x33x4",
        f"%v = nn.conv %a, %b {{{SAME}, pads = array<i64: 0, 0, 0, 0>, {CONV}}} : "
        "(tensor<1x9x37x1xf32>, tensor<3x5x1x4xf32>) -> tensor<1x7x33x4xf32>\n"
        "%y = nn.relu %v : (tensor<1x7x33x4xf32>) -> tensor<1x7x33x4xf32>",
    ),
    "window": Kernel(
        "window",
        ("1x13x17x20",),
        "1x7x9x20",
        _pool("max_pool", "1x13x17x20", "1x7x9x20", "3, 3", "2, 2", "1, 1, 1, 1"),
    ),
    "window of a line": Kernel(
        "window",
        ("2x19x18",),
        "2x9x18",
        _pool("average_pool", "2x19x18", "2x9x18", "4", "2", "1, 0"),
    ),
    "lrn": Kernel(
        "lrn", ("1x5x7x21",), "1x5x7x21", _one("lrn", f"{LRN}, {LAST}", *2 * ["1x5x7x21"])
    ),
    "lrn of channels first": Kernel(
        "lrn", ("1x6x3x11",), "1x6x3x11", _one("lrn", LRN, *2 * ["1x6x3x11"])
    ),
    "row": Kernel("row", ("5x101",), "5x101", _one("softmax", "axis = 1 : i64", "5x101", "5x101")),
    "row of sums": Kernel(
        "row",
        ("3x7x530",),
        "3x7",
        _one("reduce", "kind = #nn<reduction sum>, axes = array<i64: 2>", "3x7x530", "3x7"),
    ),
    "row of a column": Kernel(
        "row", ("3x9x29",), "3x9x29", _one("softmax", "axis = 1 : i64", "3x9x29", "3x9x29")
    ),
    "row of a normalisation": Kernel(
        "row",
        ("7x75", "75"),
        "7x75",
        "%y = nn.layer_norm %a, %b {axis = 1 : i64, epsilon = 0.01 : f64} : (tensor<7x75xf32>, "
        "tensor<75xf32>) -> tensor<7x75xf32>",
    ),
    "plain": Kernel(
        "plain",
        ("3x5x67", "67"),
        "3x5x67",
        "%b3 = nn.broadcast %b : (tensor<67xf32>) -> tensor<3x5x67xf32>\n"
        "%v = nn.mul %a, %b3 : (tensor<3x5x67xf32>, tensor<3x5x67xf32>) -> tensor<3x5x67xf32>\n"
        "%y = nn.relu %v : (tensor<3x5x67xf32>) -> tensor<3x5x67xf32>",
    ),
    "plain sums": Kernel(
        "plain",
        ("6x13x19",),
        "6x19",
        _one("reduce", "kind = #nn<reduction max>, axes = array<i64: 1>", "6x13x19", "6x19"),
    ),
    "row_bands": Kernel(
        "row_bands, bands = [4, 2, 2]",
        ("1x9x11x21", "3x3x1x21"),
        "1x7x9x21",
        _depthwise("%v", "1x9x11x21", "1x7x9x21", "0, 0, 0, 0", "3x3", 21)
        + "\n%y = nn.max_pool %v {window = array<i64: 1, 3>, strides = array<i64: 1, 1>, pads = "
        f"array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>, {LAST}}} : "
        "(tensor<1x7x9x21xf32>) -> tensor<1x7x9x21xf32>",
    ),
    "attention": Kernel(
        "attention, bands = [4, 4, 4, 4]",
        ("2x11x16", "2x16x23", "2x23x12"),
        "2x11x12",
        "%s = nn.matmul %a, %b : (tensor<2x11x16xf32>, tensor<2x16x23xf32>) -> "
        "tensor<2x11x23xf32>\n%p = nn.softmax %s {axis = 2 : i64} : (tensor<2x11x23xf32>) -> "
        "tensor<2x11x23xf32>\n%y = nn.matmul %p, %c : (tensor<2x11x23xf32>, tensor<2x23x12xf32>) "
        "-> tensor<2x11x12xf32>",
    ),
}


def points(name: str, machine: str = MACHINE) -> Iterator[str]:
    """Yield configs of a kernel: the rule's, the ends of each knob, and others at random."""
    example, context = KERNELS[name], new_context()
    module = Parser(context, example.kernels([f"#nn.config<{example.config}>"])).parse_module()
    SetMachinePass(machine=machine).apply(context, module)
    kernel = next(op for op in module.walk() if isinstance(op, KernelOp))
    given, chosen = kernel.config, random.Random(name)
    assert given is not None
    space = template_of(given.template_name).space(kernel, machine_of(module))
    drawn = [{knob: values[end]} for knob, values in space.items() for end in (0, len(values) - 1)]
    drawn += [
        {knob: values[chosen.randrange(len(values))] for knob, values in space.items()}
        for _ in range(DRAWN)
    ]
    found: dict[str, None] = {}
    for knobs in ({}, *drawn):
        config = ConfigAttr(given.template_name, {**given.as_dict(), **knobs})
        try:
            found[str(completed(config, kernel, machine_of(module)))] = None
        except VerifyException:
            continue  # knobs that do not go together
    yield from found


def check(name: str, folder: Path) -> int:
    """Compile the points of a kernel, and compare what they compute with NumPy."""
    example, numbers = KERNELS[name], np.random.default_rng(7)
    inputs = [
        numbers.standard_normal([int(n) for n in shape.split("x")]).astype(np.float32)
        for shape in example.shapes
    ]
    context = new_context()
    plain = Parser(context, example.function()).parse_module()
    (expected,) = nn_numpy.evaluate(context, plain, inputs)
    configs = list(points(name))
    module = scheduled(example.kernels(configs), MACHINE)
    kernels = compile_pipelines(module, Machine.parse(MACHINE), directory=folder)
    assert len(kernels) == len(configs)
    library, source = folder / "kernels.so", folder / "runtime.c"
    source.write_text(SCRATCH + TASKS, encoding="utf-8")
    files = [str(file) for kernel in kernels for file in kernel.files]
    run([*find_c_compiler(), "-shared", "-fPIC", "-o", str(library), *files, str(source)])
    for kernel, config in zip(kernels, configs, strict=True):
        arrays = [GuardedArray(tuple(reversed(arg.type.extents))) for arg in kernel.arguments]
        for array, values in zip(arrays, [*inputs, np.nan], strict=True):
            array.array[:] = values
        print(config, flush=True)
        assert call_kernel(library, kernel.symbol, arrays) == 0
        assert_close(arrays[-1].array, expected)
    return len(configs)


def main(arguments: Sequence[str]) -> int:
    """Check the points of a kernel in a folder."""
    folder, name = arguments
    check(name, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
