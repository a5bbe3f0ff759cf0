"""Programs for parts of open extents: each run has the bits of a bundle for its part alone."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from itertools import product

import numpy as np
import onnx
import pytest
from closeness import assert_close
from guarded_memory import GuardedArray
from onnx import TensorProto, helper
from open_images import filtered
from open_inner import Inner
from open_networks import convolutional, perceptron
from open_networks import encoder as sentences
from open_parts import PERCEPTRON, alone, compiled, specs_of
from open_recurrent import both as recurrent
from open_runs import expected
from open_selections import collected, selected, suppressed
from open_several import drawn, encoder, photographs, picture
from sanitized_program import make_sanitized

from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import NamedRange, combinations, part_name
from autodeploy.toolchain.session import load_bundle

NETWORKS = (
    (perceptron, PERCEPTRON),
    (convolutional, "batch=2,1..4"),
    (filtered, "n=3,4..7"),
    (picture, "h=31,32..47 w=40,32..80:8"),
    (photographs, "batch=1..3 w=5,6..23 length=2..4,5..9"),
    (encoder, "batch=1,2..4 length=8,1..19"),
    (recurrent, "batch=2,1..6 steps=3,4..13"),
    (selected, "n=1,4..8"),
    (suppressed, "n=2,3..8"),
    (collected, "n=1,2..8"),
)


def numbers_in(ranges: Sequence[NamedRange], seed: int = 0) -> list[dict[str, int]]:
    """Return numbers of a part: its ends, and one that is drawn."""
    random = np.random.default_rng(seed)
    rows = [[r.least for r in ranges], [r.most for r in ranges]]
    rows.append([int(random.choice(range(r.least, r.most + 1, r.step))) for r in ranges])
    return [{r.names[0]: n for r, n in zip(ranges, row, strict=True)} for row in rows]


def poison(model: onnx.ModelProto, numbers: dict[str, int]) -> dict[str, np.ndarray]:
    values = drawn(model, numbers, 0)
    for value in values.values():
        if value.dtype.kind == "f":
            value[...] = np.nan
    return values


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize(("make", "text"), NETWORKS)
def test_a_run_has_the_bits_of_a_program_for_its_part(make, text, level, tmp_path):
    """Programs take turns in one context, and the arena holds nan from runs before."""
    model, specs = make(), specs_of(text)
    compiled(model, text, tmp_path / "b", level=level)
    parts = combinations(specs)
    chosen: set[tuple[int, ...]] = set()
    cases: list[tuple[int, dict[str, int]]] = []
    for index, ranges in enumerate(parts):
        for numbers in numbers_in(ranges, index):
            key = tuple(numbers.values())
            # A part before it may have the number.
            first = next(
                i
                for i, part in enumerate(parts)
                if all(r.least <= n <= r.most for r, n in zip(part, key, strict=True))
            )
            if key not in chosen:
                chosen.add(key)
                cases.append((first, numbers))
    assert {first for first, _ in cases} == set(range(len(parts)))
    singles = [alone(model, ranges, tmp_path / part_name(ranges), level=level) for ranges in parts]
    most = {spec.names[0]: spec.most for spec in specs}
    least = {spec.names[0]: spec.ranges[0].least for spec in specs}
    with load_bundle(tmp_path / "b") as session:
        for index in np.random.default_rng(0).permutation(len(cases)):
            first, numbers = cases[index]
            values = drawn(model, numbers, int(index))
            session.run(poison(model, most))
            session.run(poison(model, least))
            found = session.run(values)
            single = singles[first].run(values)
            for name, right in zip(found, expected(model, values), strict=True):
                assert found[name].tobytes() == single[name].tobytes()
                assert found[name].shape == right.shape
                assert_close(found[name], right)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("make", "text"), [NETWORKS[1], NETWORKS[5]])
def test_threads_compute_the_same(make, text, tmp_path):
    model, specs = make(), specs_of(text)
    compiled(model, text, tmp_path / "b", threads=2, machine="host:parallel_work=1")
    with load_bundle(tmp_path / "b", threads=2) as session:
        for _ in range(2):
            for ranges in combinations(specs):
                for seed, numbers in enumerate(numbers_in(ranges)):
                    values = drawn(model, numbers, seed)
                    right = expected(model, values)
                    for found, r in zip(session.run(values).values(), right, strict=True):
                        assert_close(found, r)


@pytest.mark.exhaustive
def test_nothing_beyond_the_tensors_of_a_run_is_touched(tmp_path):
    """The caller's memory ends at a page that may not be touched."""
    model, specs = encoder(), specs_of(NETWORKS[5][1])
    compiled(model, NETWORKS[5][1], tmp_path / "b")
    with load_bundle(tmp_path / "b") as session:
        functions, context = session._functions, session._context
        for numbers in (n for ranges in combinations(specs) for n in numbers_in(ranges)):
            values = drawn(model, numbers, 1)
            right = expected(model, values)
            given = [GuardedArray((*v.shape, v.itemsize // 4)) for v in values.values()]
            for array, value in zip(given, values.values(), strict=True):
                array.array.view(value.dtype).reshape(value.shape)[...] = value
            made = [GuardedArray(r.shape) for r in right]
            for place, number in enumerate(numbers.values()):
                set_extent = functions["encoder_set_extent"]
                assert set_extent(context, place, ctypes.c_int64(number)) == 0
            inputs = (ctypes.c_void_p * len(given))(*(g.address for g in given))
            outputs = (ctypes.c_void_p * len(made))(*(m.address for m in made))
            assert functions["encoder_run"](context, inputs, outputs) == 0
            for found, r in zip(made, right, strict=True):
                assert_close(found.array, r)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("make", "text"), [NETWORKS[0], NETWORKS[4]])
def test_sanitizers_find_nothing_in_the_c_program(make, text, tmp_path):
    """Kernels are C++ sources here; files tell the numbers, those between parts are refused."""
    model, specs = make(), specs_of(text)
    compiled(model, text, tmp_path / "b", emit="c")
    make_sanitized(tmp_path / "b")
    name = model.graph.name
    program = [tmp_path / "b" / f"{name}-sanitize", tmp_path / "b" / f"{name}.weights"]

    def run(numbers: dict[str, int], suffix: str = "npy") -> tuple[int, str]:
        values = drawn(model, numbers, 3)
        files = [tmp_path / f"{tensor}.{suffix}" for tensor in values]
        for file, value in zip(files, values.values(), strict=True):
            np.save(file, value) if suffix == "npy" else value.tofile(file)
        made = [tmp_path / f"out{index}.npy" for index in range(len(model.graph.output))]
        outputs = [word for file in made for word in ("--output", file)]
        done = subprocess.run([*program, *files, *outputs], capture_output=True, text=True)
        if done.returncode == 0:
            for file, right in zip(made, expected(model, values), strict=True):
                assert_close(np.load(file), right)
        return done.returncode, done.stderr

    for ranges in combinations(specs):
        for numbers in numbers_in(ranges)[:2]:
            assert run(numbers) == (0, "")
    if len(specs) == 1:
        assert run({"batch": 7}, "bin") == run({"batch": 1}, "bin") == (0, "")
        for suffix in ("npy", "bin"):
            code, said = run({"batch": 6}, suffix)
            assert code == 1 and said.endswith("extent batch is from 1 to 5 or 7\n")
    said = subprocess.run([*program, "--info"], capture_output=True, text=True, check=True).stdout
    if len(specs) == 1:
        assert "extent batch: from 1 to 5 or 7, the shapes are for 7\n" in said


_ALONE = """
#include <stdio.h>
#include "perceptron.h"
enum { MOST = PERCEPTRON_EXTENT_BATCH_MOST };
static _Alignas(64) unsigned char arena[PERCEPTRON_ARENA_BYTES];
static _Alignas(8) unsigned char memory[PERCEPTRON_CONTEXT_BYTES];
static float x[MOST * 37], y[MOST * 10];
static int64_t z[MOST];
int main(int count, char **words) {
    static const int numbers[] = {7, 1, 3, 6, 7, 0, 2, 1, 5};
    perceptron_options options = {0};
    perceptron_context *context;
    FILE *const file = fopen(words[1], "rb");
    int i;
    options.context = memory;
    options.context_bytes = sizeof memory;
    options.arena = arena;
    options.arena_bytes = sizeof arena;
    if (count != 2 || file == NULL || fread(x, sizeof x, 1, file) != 1 || fclose(file) != 0) {
        return 1;
    }
    if (perceptron_init(&context, &options) != 0) {
        return 2;
    }
    printf("%d %d\\n", (int)perceptron_input_shape(context, 0)[0],
           (int)perceptron_output_shape(context, 1)[0]);
    for (i = 0; i < 9; ++i) {
        const perceptron_status status =
            perceptron_set_extent(context, PERCEPTRON_EXTENT_BATCH, numbers[i]);
        printf("%d %s", (int)status, perceptron_error_message(context));
        if (status == PERCEPTRON_OK) {
            const int last = numbers[i] - 1;
            printf("%d %d %d ", (int)perceptron_input_shape(context, 0)[0],
                   (int)perceptron_input_shape(context, 0)[1],
                   (int)perceptron_output_shape(context, 0)[0]);
            y[10 * last] = -1;
            printf("%d ", (int)perceptron_predict(context, x, y, z));
            printf("%.5f", y[10 * last]);
        }
        printf("\\n");
    }
    perceptron_free(context);
    return 0;
}
"""


@pytest.mark.exhaustive
def test_a_program_without_an_operating_system_takes_turns(tmp_path):
    """It has no memory but the caller's, weights are linked in, and kernels are C99."""
    model = perceptron()
    compiled(model, PERCEPTRON, tmp_path / "b", machine="scalar:os=noos", emit="c")
    flags = "-O1 -Wall -Wextra -Wpedantic -Werror -fsanitize=address,undefined"
    subprocess.run(["make", "-s", "-C", tmp_path / "b", f"CFLAGS={flags}"], check=True)
    (tmp_path / "main.c").write_text(_ALONE)
    value = drawn(model, {"batch": 7}, 0)["x"]
    value.tofile(tmp_path / "x.bin")
    command = ["cc", *flags.split(), "-std=c11", f"-I{tmp_path / 'b'}", tmp_path / "main.c"]
    library = [tmp_path / "b" / "libperceptron.a", "-lm", "-o", tmp_path / "main"]
    subprocess.run([*command, *library], check=True)
    done = subprocess.run(
        [tmp_path / "main", tmp_path / "x.bin"], check=True, capture_output=True, text=True
    )
    first, *lines = done.stdout.splitlines()
    assert (first, done.stderr) == ("7 7", "")
    for number, line in zip((7, 1, 3, 6, 7, 0, 2, 1, 5), lines, strict=True):
        if number in (0, 6):
            assert line == "3 extent 'batch' is from 1 to 5 or 7"
            continue
        *shapes, score = line.split()
        assert shapes == ["0", str(number), "37", str(number), "0"]
        right, _ = expected(model, {"x": value[:number]})
        assert float(score) == pytest.approx(right[-1, 0], abs=2e-5)


@pytest.mark.exhaustive
def test_weights_that_are_linked_in_and_the_header_for_cxx(tmp_path):
    model = perceptron()
    compiled(model, PERCEPTRON, tmp_path / "b", embed_weights=True)
    (tmp_path / "main.cpp").write_text("""
#include "perceptron.hpp"
#include <cstdio>
#include <vector>
int main()
{
    perceptron_network network;
    for (int number : {1, 7, 2, 6}) {
        std::vector<float> x(37 * number), y(10 * number);
        std::vector<int64_t> z(number);
        try {
            network.set_extent(PERCEPTRON_EXTENT_BATCH, number);
            network.predict(x, y, z);
            std::printf("%d %.5f\\n", static_cast<int>(network.output_shape(0)[0]), y[9]);
        } catch (const perceptron_error &error) {
            std::printf("%s\\n", error.what());
        }
    }
}
""")
    subprocess.run(["make", "-s", "-C", tmp_path / "b", "lib"], check=True)
    words = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path / 'b'}"]
    library = [tmp_path / "b" / "libperceptron.a", "-lm", "-o", tmp_path / "main"]
    subprocess.run([*words, tmp_path / "main.cpp", *library], check=True)
    said = subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True).stdout
    right, _ = expected(model, {"x": np.zeros((1, 37), np.float32)})
    score = f"{right[0, 9]:.5f}"
    assert said.splitlines() == [
        f"1 {score}",
        f"7 {score}",
        f"2 {score}",
        "extent 'batch' is from 1 to 5 or 7",
    ]


@pytest.mark.exhaustive
def test_a_model_that_computes_with_the_number_has_parts_of_single_numbers(tmp_path):
    """Nothing says how its result grows, so that the manifest says what it is in each part."""
    net = Inner()
    x = net.takes("x", "n", 3)
    count = net.add("Shape", x, start=0, end=1)
    # As many rows as the square of the number, and a row for each pair of it.
    shape = net.add("Concat", net.add("Mul", count, count), net.integers(3), axis=0)
    rows = net.add("Expand", net.add("ReduceSum", x, net.integers(0)), shape)
    net.gives(net.add("Mul", rows, net.add("Cast", count, to=TensorProto.FLOAT)), None, 3)
    model = net.model("squares")
    compiled(model, "n=2,3,5", tmp_path / "b")
    compiled(model, "n=2,3..5", tmp_path / "c")
    with load_bundle(tmp_path / "b") as session:
        assert session.outputs[0].shape == (25, 3)
        assert [part.shape for part in session.outputs[0].parts] == [(4, 3), (9, 3), (25, 3)]
    for folder, numbers in (("b", (5, 2, 3, 5)), ("c", (5, 2, 3, 4))):
        with load_bundle(tmp_path / folder) as session:
            for number in numbers:
                values = drawn(model, {"n": number}, number)
                (found,), (right,) = session.run(values).values(), expected(model, values)
                assert found.shape == right.shape
                assert_close(found, right)
    assert "float32 25x3, at most" in (tmp_path / "b" / "squares.h").read_text()


def _model(name: str, nodes: Sequence[onnx.NodeProto], rank: int = 2) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * rank)],
    )
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 18)])


def test_parts_without_a_common_interface_are_refused(tmp_path):
    squeezed = _model("ranks", [helper.make_node("Squeeze", ["x"], ["y"])], 1)
    squeezed.graph.output[0].type.tensor_type.ClearField("shape")
    plain = _model("plain", [helper.make_node("Neg", ["x"], ["y"])])
    for model, text, said in (
        (squeezed, "n=1,3", "'y' is float32 4 for n=1 and float32 3x4 for n=3"),
        (plain, "m=1,3", "m"),
        (plain, "n=1,3 x:0=1,3", "x:0|contradict|as given"),
    ):
        with pytest.raises(UserError, match=said):
            compiled(model, text, tmp_path / "b")
        assert not (tmp_path / "b").exists()


def test_parts_of_sentences_by_an_axis_of_an_input(tmp_path):
    """The number is said by the place of the extent, also where it is a constant of a program."""
    model = sentences()
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 9
    compiled(model, "x:0=1,4..6", tmp_path / "b")
    named = sentences()
    with load_bundle(tmp_path / "b") as session:
        for number in (6, 1, 4):
            values = drawn(named, {"batch": number}, number)
            for found, right in zip(
                session.run(values).values(), expected(named, values), strict=True
            ):
                assert_close(found, right)
        with pytest.raises(UserError, match="extent 'x:0' of 'encoder' is 1 or from 4 to 6, found"):
            session.run(drawn(named, {"batch": 3}, 0))


def test_advice_names_an_axis_as_the_option_does(tmp_path):
    """The option of the message compiles as it is printed."""
    rows = helper.make_tensor("rows", TensorProto.INT64, [2], [-1, 4])
    nodes = [
        helper.make_node("Squeeze", ["x"], ["s"]),
        helper.make_node("Constant", [], ["rows"], value=rows),
        helper.make_node("Reshape", ["s", "rows"], ["y"]),
    ]
    model = _model("rows", nodes)
    with pytest.raises(UserError, match=r"such as --dynamic x:0=1,2\.\.4$") as refused:
        compiled(model, "x:0=1..4", tmp_path / "b")
    advised = str(refused.value).rpartition(" ")[2]
    compiled(model, advised, tmp_path / "b")
    with load_bundle(tmp_path / "b") as session:
        for number in (1, 3):
            given = np.arange(4 * number, dtype=np.float32).reshape(number, 4)
            np.testing.assert_array_equal(session.run({"x": given})["y"], given)


@pytest.mark.exhaustive
def test_all_combinations_of_parts_are_chosen(tmp_path):
    """Setting one number after the other goes through programs that are not run."""
    model, specs = encoder(), specs_of("batch=1,2,3 length=4,5")
    compiled(model, "batch=1,2,3 length=4,5", tmp_path / "b", level=1)
    assert len(combinations(specs)) == 6
    with load_bundle(tmp_path / "b") as session:
        for batch, length in product((3, 1, 2), (5, 4)):
            values = drawn(model, {"batch": batch, "length": length}, batch)
            for found, right in zip(
                session.run(values).values(), expected(model, values), strict=True
            ):
                assert_close(found, right)
