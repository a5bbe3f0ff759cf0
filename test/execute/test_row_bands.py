"""Chains of images that are computed in bands of rows: extents, pads, strides, heights of bands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from configured import compile_rewritten
from merged import row_bands
from onnx import TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.machine import Machine
from autodeploy.toolchain.session import load_bundle

pytestmark = pytest.mark.xdist_group("row_bands")
"""What one test has compiled the next one takes from the cache of kernels."""

RNG = OwnNumbers(5)

BFLOAT16 = "host:bfloat16_rate=2:amx_rate=1"
"""This machine, where products of bfloat16 in vectors pay."""

Step = tuple[str, int, dict[str, object]]
"""An operator, its output channels (0: those of its input, each on its own), its attributes."""


def conv(channels: int, window: int, stride: int = 1, pads: int | list[int] = 0, **more) -> Step:
    sides = [pads] * 4 if isinstance(pads, int) else pads
    shape = {"kernel_shape": [window] * 2, "strides": [stride] * 2, "pads": sides}
    return ("Conv", channels, {**shape, **more})


def pool(kind: str, window: int, stride: int = 1, pads: int | list[int] = 0, **more) -> Step:
    return (kind, 0, conv(0, window, stride, pads, **more)[2])


CHAINS: Mapping[str, tuple[tuple[int, ...], list[Step]]] = {
    "conv_pool": ((1, 3, 37, 41), [conv(24, 3, 2, 1), pool("MaxPool", 3, 2, 1)]),
    "planes_pool": ((1, 3, 33, 34), [conv(32, 7, 2, 3), pool("MaxPool", 3, 2)]),
    "pool_ceil": ((1, 8, 20, 23), [conv(40, 3), pool("MaxPool", 3, 2, ceil_mode=1)]),
    "pool_2x2": ((1, 16, 19, 17), [conv(17, 1), pool("MaxPool", 2, 2)]),
    "pool_gaps": ((1, 4, 22, 25), [conv(16, 5, 1, 2), pool("MaxPool", 2, 3)]),
    "pool_far_pads": ((1, 5, 9, 8), [conv(19, 3, 1, 1), pool("MaxPool", 5, 1, 2)]),
    "pool_dilated": (
        (1, 4, 15, 16),
        [conv(32, 3, 1, 1), pool("MaxPool", 3, 1, 2, dilations=[2, 2])],
    ),
    "mean": ((1, 3, 17, 15), [conv(24, 3, 1, 1), pool("AveragePool", 3, 2, 1)]),
    "mean_of_pads": (
        (1, 6, 14, 13),
        [conv(33, 3, 2, 1), pool("AveragePool", 3, 1, 1, count_include_pad=1)],
    ),
    "mean_ceil": ((1, 6, 12, 15), [conv(16, 1), pool("AveragePool", 3, 2, 0, ceil_mode=1)]),
    "expand": ((1, 16, 15, 18), [conv(48, 1), conv(0, 3, 1, 1)]),
    "expand_strided": ((1, 12, 17, 16), [conv(40, 1), conv(0, 3, 2, 1)]),
    "project": ((1, 32, 14, 15), [conv(0, 3, 1, 1), conv(16, 1)]),
    "project_strided": ((1, 24, 19, 14), [conv(0, 5, 2, 2), conv(7, 1)]),
    "three": ((1, 16, 16, 21), [conv(72, 1), conv(0, 3, 1, 1), conv(24, 1)]),
    "three_strided": ((1, 8, 23, 28), [conv(96, 1), conv(0, 3, 2, [0, 0, 1, 1]), conv(40, 1)]),
    "from_planes": ((1, 3, 31, 32), [conv(32, 3, 2, 1), conv(0, 3, 1, 1), conv(16, 1)]),
    "dilated": ((1, 8, 18, 17), [conv(16, 1), conv(0, 3, 1, 2, dilations=[2, 2]), conv(9, 1)]),
    "uneven_pads": (
        (1, 9, 11, 16),
        [conv(20, 3, 1, [2, 0, 0, 1]), pool("MaxPool", 3, 2, [1, 0, 1, 2])],
    ),
    "batch": ((3, 4, 9, 14), [conv(16, 3, 1, 1), pool("MaxPool", 2, 2)]),
    "one_pixel": ((1, 6, 1, 1), [conv(16, 1), conv(0, 3, 1, 1), conv(8, 1)]),
    "one_row": ((1, 6, 1, 30), [conv(24, 1), conv(0, 3, 1, 1)]),
    "one_column": ((1, 6, 30, 1), [conv(24, 3, 1, 1), pool("MaxPool", 3, 2, 1)]),
    "one_channel": ((1, 5, 9, 9), [conv(2, 3, 1, 1), pool("MaxPool", 3, 2, 1)]),
    "last_rows_unread": ((1, 4, 18, 18), [conv(16, 1), pool("MaxPool", 2, 4)]),
}  # fmt: skip


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, np.float32)


def model() -> tuple[bytes, dict[str, np.ndarray]]:
    """Return a model of all chains, with relu behind convolutions but the last, and its inputs.

    To what ends in a 1x1 convolution something is added.
    """
    nodes, weights, inputs, outputs = [], [], {}, []
    for name, (shape, steps) in CHAINS.items():
        inputs[name] = normal(*shape)
        value, channels = name, shape[1]
        for number, (operator, wanted, attributes) in enumerate(steps):
            result = f"{name}_{number}"
            operands = [value]
            if operator == "Conv":
                depthwise = wanted == 0
                attributes = {**attributes, "group": channels if depthwise else 1}
                wanted = wanted or channels
                window = attributes["kernel_shape"]
                filter_ = normal(wanted, 1 if depthwise else channels, *window)
                weights += [
                    numpy_helper.from_array(filter_, f"{result}_w"),
                    numpy_helper.from_array(normal(wanted), f"{result}_b"),
                ]
                operands += [f"{result}_w", f"{result}_b"]
                channels = wanted
            nodes.append(helper.make_node(operator, operands, [result], **attributes))
            value = result
            if operator == "Conv" and number < len(steps) - 1:
                value = f"{result}_relu"
                nodes.append(helper.make_node("Relu", [result], [value]))
        if steps[-1][0] == "Conv" and steps[-1][2]["kernel_shape"] == [1, 1]:
            nodes.append(
                helper.make_node(
                    "Add", [value, value.replace(name, name + "_more")], [f"{name}_sum"]
                )
            )
            more = value.replace(name, name + "_more")
            weights.append(numpy_helper.from_array(normal(channels, 1, 1), more))
            value = f"{name}_sum"
        outputs.append(value)
    graph = helper.make_graph(
        nodes,
        "bands",
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape)
            for name, value in inputs.items()
        ],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        weights,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    return made.SerializeToString(), inputs


@pytest.fixture(scope="module")
def chains() -> tuple[bytes, dict[str, np.ndarray], list[np.ndarray]]:
    """Return the model, its inputs, and what is right."""
    made, inputs = model()
    reference = onnxruntime.InferenceSession(made, providers=["CPUExecutionProvider"])
    return made, inputs, list(reference.run(None, inputs))


def compile_in_bands(
    made: bytes, folder: Path, rows: int, strip: int | None = None, threads: int = 2
) -> None:
    """Compile with bands of so many rows, and see that all chains are in bands."""
    rewrites = {"fuse-kernels": row_bands(rows, strip)}
    compile_rewritten(made, folder, CompileOptions(threads=threads), rewrites)
    (text,) = (path.read_text() for path in folder.glob("*.mlir"))
    assert text.count("config<row_bands,") == len(CHAINS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("rows", [1, 2, 3, 100])
def test_bands_of_so_many_rows(rows, chains, tmp_path):
    made, inputs, expected = chains
    compile_in_bands(made, tmp_path / "bundle", rows)
    with load_bundle(tmp_path / "bundle") as alone:
        found = alone.run(inputs)
    for name, ours, theirs in zip(CHAINS, found.values(), expected, strict=True):
        try:
            assert_close(ours, theirs)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
    with load_bundle(tmp_path / "bundle", threads=2) as together:
        for _ in range(5):
            for name, value in together.run(inputs).items():
                np.testing.assert_array_equal(value, found[name], err_msg=name)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("rows", "strip"), [(1, 2), (1, 3), (2, 2), (1, 16), (3, 1)])
def test_strips_of_so_many_bands(rows, strip, chains, tmp_path):
    made, inputs, expected = chains
    compile_in_bands(made, tmp_path / "bundle", rows, strip)
    (text,) = (path.read_text() for path in (tmp_path / "bundle").glob("*.mlir"))
    assert f"strip = [{strip}]" in text
    with load_bundle(tmp_path / "bundle", threads=2) as together:
        for _ in range(5):
            found = together.run(inputs)
            for name, ours, theirs in zip(CHAINS, found.values(), expected, strict=True):
                try:
                    assert_close(ours, theirs)
                except AssertionError as error:
                    raise AssertionError(f"{name}: {error}") from None


@pytest.mark.exhaustive
@pytest.mark.parametrize("rows", [1, 2, 4])
def test_one_core_has_one_strip(rows, chains, tmp_path):
    made, inputs, expected = chains
    compile_in_bands(made, tmp_path / "bundle", rows, threads=1)
    (text,) = (path.read_text() for path in (tmp_path / "bundle").glob("*.mlir"))
    assert "halide.fold_storage" in text
    assert "halide.parallel" not in text
    with load_bundle(tmp_path / "bundle") as alone:
        for ours, theirs in zip(alone.run(inputs).values(), expected, strict=True):
            assert_close(ours, theirs)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("rows", "strip"), [(1, None), (3, None), (1, 2)])
def test_products_of_bfloat16(rows, strip, chains, tmp_path):
    if Machine.parse(BFLOAT16).dot("bf16", "bf16") == 1:
        pytest.skip("this machine has no products of bfloat16")
    made, inputs, expected = chains
    options = CompileOptions(machine=BFLOAT16, precision="bf16", level=2)
    compile_model(made, tmp_path / "alone", options)
    compile_rewritten(made, tmp_path / "bands", options, {"fuse-kernels": row_bands(rows, strip)})
    (text,) = (path.read_text() for path in (tmp_path / "bands").glob("*.mlir"))
    assert text.count("config<row_bands,") == len(CHAINS)
    with load_bundle(tmp_path / "alone") as alone, load_bundle(tmp_path / "bands") as bands:
        found, right = bands.run(inputs).values(), alone.run(inputs).values()
    for name, ours, theirs, exact in zip(CHAINS, found, right, expected, strict=True):
        # Sums in another order may be rounded to the next bfloat16.
        apart = np.abs(ours - theirs) / np.abs(exact).max()
        assert np.median(apart) < 1e-6, name
        assert apart.max() < 2**-8, name
        assert np.abs(ours - exact).max() > 1e-5 * np.abs(exact).max(), name


@pytest.mark.exhaustive
def test_special_numbers(chains, tmp_path):
    made, inputs, _ = chains
    marked = {name: value.copy() for name, value in inputs.items()}
    for number, value in enumerate(marked.values()):
        value.flat[value.size // 2] = (np.nan, np.inf, -np.inf)[number % 3]
    # Winograd's transforms spread a nan over more of a result.
    compile_model(made, tmp_path / "alone", CompileOptions(level=2))
    compile_in_bands(made, tmp_path / "bundle", 2)
    with load_bundle(tmp_path / "alone") as alone, load_bundle(tmp_path / "bundle") as bands:
        for right, found in zip(
            alone.run(marked).values(), bands.run(marked).values(), strict=True
        ):
            assert_close(found, right)
