"""Programs whose arena is in several memories compute the same bits as those with one."""

from dataclasses import replace

import numpy as np
import pytest
from example_programs import built_with
from onnx import parser

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.session import load_bundle

# Winograd's algorithm and the bands take scratch memory, the sum keeps two images alive.
MODEL = """<ir_version: 8, opset_import: ["" : 18]>
net (float[1, 16, 32, 32] x) => (float[1, 10] y)
<float[32, 16, 3, 3] a = {A}, float[32, 32, 3, 3] b = {B}, float[10, 32] c = {C}>
{{
    p = Conv<pads = [1, 1, 1, 1]>(x, a)
    q = Relu(p)
    r = Conv<pads = [1, 1, 1, 1]>(q, b)
    s = Add(q, r)
    t = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(s)
    u = GlobalAveragePool(t)
    v = Flatten(u)
    y = Gemm<transB = 1>(v, c)
}}"""


def model():
    random = np.random.default_rng(0)

    def numbers(count, scale):
        drawn = random.standard_normal(count) * scale
        return "{" + ", ".join(f"{number:.4f}" for number in drawn) + "}"

    text = MODEL.format(A=numbers(32 * 16 * 9, 0.1), B=numbers(32 * 32 * 9, 0.1), C=numbers(320, 1))
    return parser.parse_model(text).SerializeToString()


GIVEN = np.random.default_rng(1).standard_normal((1, 16, 32, 32)).astype(np.float32)

PROGRAM = """
#include "net.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64 };
static float x[16 * 32 * 32], y[10];
static unsigned char dtcm[NET_POOL_DTCM_BYTES + GUARD] __attribute__((aligned(64)));
static unsigned char sram[NET_POOL_SRAM_BYTES + GUARD] __attribute__((aligned(64)));
static unsigned char arena[NET_ARENA_BYTES] __attribute__((aligned(64)));

int main(int count, char **words)
{
    static const size_t sizes[NET_POOL_COUNT] = {NET_POOL_DTCM_BYTES, NET_POOL_SRAM_BYTES};
    unsigned char *const memories[NET_POOL_COUNT] = {dtcm, sram};
    const int wrong = atoi(words[3]);
    net_options options = {0};
    net_context *context;
    char message[200] = "";
    int i, k;
    FILE *const file = fopen(words[2], "rb");
    if (count != 4 || file == NULL || fread(x, sizeof x, 1, file) != 1) return 3;
    fclose(file);
    options.weights_path = words[1];
    options.message = message;
    options.message_bytes = sizeof message;
    for (i = 0; i < NET_POOL_COUNT; ++i) {
        options.pools[i] = memories[i] + (wrong == 3 ? 32 : 0);
        options.pool_bytes[i] = sizes[i] - (wrong == 2 ? 1 : 0);
        memset(memories[i], 0xFF, sizes[i] + GUARD);
    }
    if (wrong == 1) options.pools[1] = NULL;
    if (wrong == 4) {
        options.arena = arena;
        options.arena_bytes = sizeof arena;
    }
    if (net_init(&context, &options) != NET_OK) {
        puts(message);
        return 1;
    }
    if (net_predict(context, x, y) != NET_OK) return 2;
    fwrite(y, sizeof y, 1, stdout);
    net_free(context);
    for (i = 0; i < NET_POOL_COUNT; ++i) {
        for (k = 0; k < GUARD; ++k) if (memories[i][sizes[i] + (size_t)k] != 0xFF) return 4;
    }
    return 0;
}
"""


def result(folder):
    with load_bundle(folder) as session:
        return session.run({"x": GIVEN})["y"], Manifest.load(folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "out"
    compile_model(model(), folder, CompileOptions(name="net"))
    return result(folder)


@pytest.mark.parametrize("level", [3, 0])
def test_pools_have_the_same_bits(level, whole, tmp_path):
    expected, manifest = whole
    options = CompileOptions(level=level, name="net")
    if level == 0:
        compile_model(model(), tmp_path / "whole", options)
        manifest = Manifest.load(tmp_path / "whole")
    total = manifest.arena_bytes
    options = replace(options, pools=f"dtcm={total // 3},sram={total}")
    compile_model(model(), tmp_path / "out", options)
    found, manifest = result(tmp_path / "out")
    if level == 3:
        assert found.tobytes() == expected.tobytes()
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-3)
    used = manifest.pools
    assert list(used) == ["dtcm", "sram"] and sum(used.values()) == manifest.arena_bytes
    assert 0 < used["dtcm"] <= total // 3 and 0 < used["sram"] <= total
    (tmp_path / "main.c").write_text(PROGRAM)
    GIVEN.tofile(tmp_path / "x.bin")
    says = built_with(tmp_path / "out", [tmp_path / "main.c"], tmp_path / "main", flags=("-g",))
    given = tmp_path / "out" / "net.weights", tmp_path / "x.bin"
    assert says(*given, 0)[0] == found.tobytes()
    for wrong, said in (
        (1, b"give all pools, or an arena\n"),
        (2, b"a pool is smaller than its NET_POOL_..._BYTES\n"),
        (3, b"a pool is not aligned to NET_ARENA_ALIGNMENT bytes\n"),
        (4, b"give all pools, or an arena\n"),
    ):
        assert says(*given, wrong, status=1)[0] == said


def test_a_pool_that_is_too_small_names_the_largest_tensors(tmp_path):
    options = CompileOptions(name="net", pools="dtcm=4K,sram=40000")
    with pytest.raises(
        UserError, match=r"pool 'sram' has 40000 bytes .*; its largest parts are .*conv"
    ):
        compile_model(model(), tmp_path / "out", options)
    assert not (tmp_path / "out").exists()


def test_a_pool_for_all_leaves_the_last_one_empty(whole, tmp_path):
    options = CompileOptions(name="net", pools="all=1M,rest=0")
    compile_model(model(), tmp_path / "out", options)
    found, manifest = result(tmp_path / "out")
    assert found.tobytes() == whole[0].tobytes()
    assert manifest.pools == {"all": manifest.arena_bytes, "rest": 0}
