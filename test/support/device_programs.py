"""A network with kernels on both sides of a device, its bundle and programs of its C interface."""

from __future__ import annotations

import ast
import os
import subprocess
from pathlib import Path

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers

from autodeploy import CompileOptions, compile_model
from autodeploy.toolchain.compiler import find_c_compiler, run, run_make

RNG = OwnNumbers(5)
X = RNG.standard_normal((4, 16), np.float32)
WEIGHTS = RNG.standard_normal((16, 16), np.float32)

# Prints what model_init says, or the name of the device and what is said of it.
CALLER = r"""
#include "net.h"
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char message[300] = "";
    net_context *context = (net_context *)argv;
    net_options options;
    net_status status;
    memset(&options, 0, sizeof options);
    options.weights_path = argv[1];
    options.device = argc > 2 ? argv[2] : NULL;
#if defined(WITH_CACHE)
    options.device = NULL;
    options.cache = argc > 2 ? argv[2] : NULL;
#endif
    options.message = message;
    options.message_bytes = sizeof message;
    status = net_init(&context, &options);
    if (status == NET_OK) {
        (void)printf("device %s%s\n", net_device_name(context), message);
    } else {
        (void)printf("%s: %s%s\n", net_status_message(status), message, context ? "" : ".");
    }
    net_free(context);
    return status == NET_ERROR_DEVICE;
}
"""


def network() -> bytes:
    """Return a network whose kernels in 64-bit floats are the processor's, between the device's.

    The memory of the first of their results is free when the second one is computed.
    """

    def wide(number: int, source: str, function: str) -> list:
        return [
            helper.make_node("Cast", [source], [f"w{number}"], to=TensorProto.DOUBLE),
            helper.make_node(function, [f"w{number}"], [f"f{number}"]),
            helper.make_node("Cast", [f"f{number}"], [f"h{number}"], to=TensorProto.FLOAT),
        ]

    nodes = [
        *wide(0, "x", "Exp"),
        helper.make_node("MatMul", ["h0", "m"], ["d0"]),
        *wide(1, "x", "Sin"),
        helper.make_node("MatMul", ["h1", "m"], ["d1"]),
        helper.make_node("Softmax", ["d0"], ["s0"], axis=1),
        helper.make_node("Add", ["s0", "d1"], ["a"]),
        *wide(2, "a", "Tanh"),
        helper.make_node("Concat", ["h2", "s0"], ["y"], axis=1),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "net",
        [value("x", TensorProto.FLOAT, X.shape)],
        [value("y", TensorProto.FLOAT, [4, 32])],
        [numpy_helper.from_array(WEIGHTS, "m")],
    )
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()


def expected(model: bytes, values: dict[str, np.ndarray]) -> np.ndarray:
    """Return the result of onnxruntime."""
    return onnxruntime.InferenceSession(model).run(None, values)[0]


def device_text(bundle: Path) -> str:
    """Return the text of the kernels of the device of a bundle."""
    (file,) = bundle.glob("*_kernels.c")
    lines = file.read_text().replace("\\?", "?").splitlines()
    return "".join(ast.literal_eval(line.strip(" ,")) for line in lines if line.endswith('\\n",'))


def build_bundle(folder: Path, options: CompileOptions) -> Path:
    """Return a built bundle of the network, with its program, its library and ``caller``."""
    compile_model(network(), folder, options)
    run_make(folder, ["all", "lib"])
    np.save(folder / "x.npy", X)
    source = folder / "caller.c"
    source.write_text(CALLER)
    flags = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
    libraries = ("libnet.a", "-lm", "-ldl", "-pthread")
    run([*find_c_compiler(), *flags, source.name, *libraries, "-o", "caller"], folder)
    return folder


def build_with_cache(bundle: Path) -> Path:
    """Return a program whose argument is the file for compiled kernels."""
    made = bundle / "with_cache"
    words = ("-DWITH_CACHE", "caller.c", "libnet.a", "-lm", "-ldl", "-pthread", "-o", made.name)
    run([*find_c_compiler(), "-std=c99", *words], bundle)
    return made


def shared(folder: Path, source: str, *libraries: str) -> Path:
    """Return a library made of a source in this folder."""
    made = folder / Path(source).with_suffix(".so").name
    file = str(Path(__file__).with_name(source))
    run([*find_c_compiler(), "-shared", "-fPIC", file, *libraries, "-o", str(made)])
    return made


def start(program: Path, *words: str | Path, **variables: str | Path) -> tuple[int, str, str]:
    """Return the exit status of a program, and what it prints."""
    environment = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    command = [str(program), str(program.parent / "net.weights"), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return done.returncode, done.stdout, done.stderr
