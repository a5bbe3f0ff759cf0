"""Programs that are given the size of a batch for each run, against ONNX's reference."""

from __future__ import annotations

import subprocess

import guarded_extents
import numpy as np
import pytest
from closeness import assert_close
from guarded_run import lines_of
from onnx import TensorProto, helper
from open_networks import (
    NETWORKS,
    Network,
    convolutional,
    drawn,
    encoder,
    expected,
    mixed,
    perceptron,
)
from open_parts import compiled as compiled_in_parts
from open_runs import assert_all_close
from sanitized_program import make_sanitized, run_sanitized

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import Session, load_bundle

MOST = 7


def compiled(make, folder, least=1, **options):
    model = make()
    spec = OpenSpec(("batch",), least, MOST)
    compile_model(model.SerializeToString(), folder, CompileOptions(dynamic=spec, **options))
    return model


def check(model, session: Session, number: int, seed: int = 0) -> None:
    value = drawn(model, number, seed)
    right = expected(model, value)
    for found, r in zip(session.run(value).values(), right, strict=True):
        assert_close(found, np.asarray(r))


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("make", NETWORKS)
def test_every_number_of_the_range_is_right(make, level, tmp_path):
    """Larger and smaller numbers follow each other: what an earlier run left does not matter."""
    model = compiled(make, tmp_path / "b", level=level)
    order = np.random.default_rng(level).permutation(np.arange(1, MOST + 1))
    with load_bundle(tmp_path / "b") as session:
        for number in order:
            check(model, session, int(number), seed=int(number))


@pytest.mark.parametrize("make", [convolutional, encoder])
def test_threads_compute_the_same(make, tmp_path):
    machine = "host:parallel_work=1"
    model = compiled(make, tmp_path / "b", threads=3, machine=machine)
    with load_bundle(tmp_path / "b", threads=3) as session:
        for number in (7, 1, 2, 5):
            check(model, session, number)


@pytest.mark.exhaustive
def test_nothing_beyond_the_tensors_of_a_run_is_touched(tmp_path):
    lines = lines_of(guarded_extents.__file__, str(tmp_path))
    assert len(lines) == len(guarded_extents.NETWORKS) * len(guarded_extents.NUMBERS)


@pytest.mark.exhaustive
def test_sanitizers_find_nothing_in_the_c_program(tmp_path):
    """Kernels are C++ sources here, so that they are watched, too."""
    model = compiled(perceptron, tmp_path / "b", emit="c")
    make_sanitized(tmp_path / "b")
    for number in (1, 3):
        value = drawn(model, number)
        for kind in ("npy", "bin"):
            found = run_sanitized(tmp_path / "b", {"x": value}, kind)
            assert_all_close(found, expected(model, value))


@pytest.mark.exhaustive
def test_a_program_without_an_operating_system_gets_the_number(tmp_path):
    """It has no memory but the caller's, and no library for texts."""
    bundle, files = tmp_path / "b", [tmp_path / f"{name}.bin" for name in "xyz"]
    model = compiled(perceptron, bundle, machine="scalar:os=noos")
    subprocess.run(["make", "-s", "-C", bundle, "CFLAGS=-O1 -Werror"], check=True)
    (tmp_path / "main.c").write_text(_ALONE)
    names = ["-o", tmp_path / "main", f"-I{bundle}", "-std=c11", "-Wall", "-Werror"]
    sources = [tmp_path / "main.c", bundle / "libperceptron.a", "-lm"]
    subprocess.run(["cc", *names, *sources], check=True)
    for number in (MOST, 1, 3):
        value = drawn(model, number)
        value.tofile(files[0])
        command = [tmp_path / "main", str(number), *files]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert done.stdout.splitlines() == [
            "3 extent 'batch' is from 1 to 7",
            "3 extent 'batch' is from 1 to 7",
            "1 the last open extent is 'batch'",
            f"0 {number} 37 {number} 10 {number}",
        ]
        for file, right in zip(files[1:], expected(model, value), strict=True):
            found = np.fromfile(file, np.asarray(right).dtype).reshape(np.shape(right))
            assert_close(found, np.asarray(right))


_ALONE = """
#include <stdio.h>
#include <stdlib.h>
#include "perceptron.h"
enum { MOST = PERCEPTRON_EXTENT_BATCH_MOST };
static _Alignas(64) unsigned char arena[PERCEPTRON_ARENA_BYTES];
static _Alignas(8) unsigned char context[PERCEPTRON_CONTEXT_BYTES];
static _Alignas(8) float x[MOST * 37], y[MOST * 10];
static _Alignas(8) int64_t z[MOST];
static int set(perceptron_context *made, int index, int64_t extent) {
    const int status = perceptron_set_extent(made, index, extent);
    if (status != 0) {
        printf("%d %s\\n", status, perceptron_error_message(made));
    }
    return status;
}
static void transfer(const char *path, const char *mode, void *data, size_t bytes) {
    FILE *const file = fopen(path, mode);
    const size_t done = mode[0] == 'r' ? fread(data, 1, bytes, file) : fwrite(data, 1, bytes, file);
    if (done != bytes || fclose(file) != 0) {
        exit(2);
    }
}
int main(int count, char **words) {
    perceptron_options options = {0};
    perceptron_context *made;
    const int number = atoi(words[1]);
    const int64_t *in, *out;
    options.context = context;
    options.context_bytes = sizeof context;
    options.arena = arena;
    options.arena_bytes = sizeof arena;
    if (count != 5 || perceptron_init(&made, &options) != 0) {
        return 1;
    }
    set(made, PERCEPTRON_EXTENT_BATCH, MOST + 1);
    set(made, PERCEPTRON_EXTENT_BATCH, 0);
    set(made, 1, 1);
    if (set(made, PERCEPTRON_EXTENT_BATCH, number) != 0) {
        return 1;
    }
    in = perceptron_input_shape(made, 0);
    out = perceptron_output_shape(made, 0);
    transfer(words[2], "rb", x, sizeof(float) * number * 37);
    printf("%d ", (int)perceptron_predict(made, x, y, z));
    printf("%d %d %d %d %d\\n", (int)in[0], (int)in[1], (int)out[0], (int)out[1],
           (int)perceptron_output_shape(made, 1)[0]);
    transfer(words[3], "wb", y, sizeof(float) * number * 10);
    transfer(words[4], "wb", z, sizeof(int64_t) * number);
    return 0;
}
"""


def test_numbers_outside_of_the_range_are_refused(tmp_path):
    model = compiled(mixed, tmp_path / "b", least=2)
    with load_bundle(tmp_path / "b") as session:
        for number in (1, MOST + 1):
            with pytest.raises(
                UserError, match=f"'batch' of 'mixed' is from 2 to 7, found {number}"
            ):
                session.run(drawn(model, number))
        with pytest.raises(UserError, match="takes shape 3x4, found 3x5"):
            session.run(np.zeros((3, 5), np.int64))
        check(model, session, 2)


@pytest.mark.parametrize("level", [0, 3])
def test_a_sum_of_repeated_elements_ends_with_the_run(level, tmp_path):
    """No operand of the repetition has the open axis; the shapes of the model say it."""
    net = Network(3)
    net.inputs.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, [1, 3]))
    repeated = net.add("Expand", "w", net.add("Shape", "x"))
    total = net.add("ReduceSum", repeated, net.constant([0], np.int64))
    net.returns(net.add("Add", "x", total), 3)
    options = CompileOptions(dynamic=OpenSpec(("batch",), 1, MOST), level=level)
    compile_model(net.model("hidden").SerializeToString(), tmp_path / "b", options)
    with load_bundle(tmp_path / "b") as session:
        for number in (MOST, 1, 3, 2):
            x, w = np.full((number, 3), 0.5, np.float32), np.array([[1, 2, 3]], np.float32)
            (found,) = session.run({"x": x, "w": w}).values()
            np.testing.assert_allclose(found, x + number * w)


def test_parts_for_several_machines_are_refused(tmp_path):
    with pytest.raises(UserError, match="parts of open extents are for one machine, found 2"):
        compiled_in_parts(perceptron(), "batch=1,2..4", tmp_path / "b", machine="x86-64-avx2,host")
    assert not (tmp_path / "b").exists()
