"""Tengine's own tmfiles, compiled and run against what other engines compute for them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from closeness import assert_close
from nn_numpy import evaluate
from shared_data import reference_run, shared

import autodeploy
from autodeploy.diagnostics import ModelWarning
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.tmfile.importer import import_tmfile

REFERENCES = {
    "align_mnist": "ref_align_mnist",
    "resnet18-cifar10-nosoftmax": "ref_resnet18-cifar10-nosoftmax",
}


def run(path, *inputs):
    session = autodeploy.compile(path, level=1)
    names = [tensor.name for tensor in session.inputs]
    return list(session.run(dict(zip(names, inputs, strict=True))).values())


@pytest.mark.parametrize("name", REFERENCES)
def test_against_a_reference(name):
    inputs, outputs = reference_run(f"tmfile/{REFERENCES[name]}.npz")
    found = run(shared(f"tmfile/{name}.tmfile"), *inputs.values())
    for one, expected in zip(found, outputs.values(), strict=True):
        assert_close(one, expected)


@pytest.mark.exhaustive
def test_against_the_same_network_in_onnx():
    """A deep one, in which other orders of summation come out further apart than 1e-5."""
    inputs, _ = reference_run("tmfile/ref_yolox_nano_relu_withoutf.npz")
    (x,) = inputs.values()
    (found,) = run(shared("tmfile/yolox_nano_relu.tmfile"), x)
    (expected,) = run(shared("tmfile/yolox_nano_relu_s_withoutf.onnx"), x)
    assert_close(found, expected)


@pytest.mark.parametrize("name", ["lenet-int8", "resnet18-cifar10-nosoftmax_int8"])
def test_quantised(name):
    """Computed as the floats that the integers stand for."""
    path, ctx = shared(f"tmfile/{name}.tmfile"), new_context()
    with pytest.warns(ModelWarning, match="are quantised"):
        module = import_tmfile(ctx, path)
    (shape,) = [
        argument.type.get_shape() for argument in module.body.block.first_op.body.block.args
    ]
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        found = run(path, x)
    assert_close(found[0], evaluate(ctx, module, [x])[0])


def test_quantised_is_near_its_original():
    inputs, outputs = reference_run("tmfile/ref_resnet18-cifar10-nosoftmax.npz")
    path, ctx = shared("tmfile/resnet18-cifar10-nosoftmax_int8.tmfile"), new_context()
    with pytest.warns(ModelWarning, match="are quantised"):
        module = import_tmfile(ctx, path)
    (found,), (expected,) = evaluate(ctx, module, list(inputs.values())), outputs.values()
    assert np.abs(found - expected).max() < 0.05 * np.abs(expected).max()


BENCHMARKS = {
    "googlenet": 1e-3,
    "mobilenet_v2": 1e-3,
    "resnet18": 1e-3,
    "shufflenet_v2": 0,
    "squeezenet_v1.1": 1e-3,
    "yolov3_tiny": 0,
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", BENCHMARKS)
def test_without_weights(name):
    """All weights are zeros: scores are, too, and 1000 classes are equally probable."""
    path, ctx = shared(f"tmfile/benchmark/{name}_benchmark.tmfile"), new_context()
    with pytest.warns(ModelWarning, match="the file has no weights"):
        module = import_tmfile(ctx, path)
    (x,) = [argument.type for argument in module.body.block.first_op.body.block.args]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        found = run(path, np.ones(x.get_shape(), np.float32))
    for one in found:
        assert_close(one, np.full(one.shape, BENCHMARKS[name], np.float32))
