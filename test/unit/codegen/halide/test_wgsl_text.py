"""Kernels in WGSL as Halide writes them: what is made right, and what is refused."""

from __future__ import annotations

import pytest

from autodeploy.codegen.halide.wgsl_text import wgsl_text
from autodeploy.diagnostics import ToolchainError

PREAMBLE = """\
fn float_from_bits(x : u32) -> f32 {return bitcast<f32>(x);}
fn nan_f32() -> f32 {return float_from_bits(0x7fc00000);}
fn neg_inf_f32() -> f32 {return float_from_bits(0xff800000);}
fn inf_f32() -> f32 {return float_from_bits(0x7f800000);}
fn fast_inverse_f32(x : f32) -> f32 {return 1.0 / x;}
fn is_nan_f32(x : f32) -> bool {return x != x;}
fn is_inf_f32(x : f32) -> bool {return !is_nan_f32(x) && is_nan_f32(x - x);}
fn is_finite_f32(x : f32) -> bool {return !is_nan_f32(x) && !is_inf_f32(x);}

override wgsize_x : u32;
override wgsize_y : u32;
override wgsize_z : u32;
override workgroup_mem_bytes : u32;

"""
KERNEL = """\
@group(0) @binding(0)
var<storage, read_write> _kernel_k_x : array<f32>;

@group(0) @binding(1)
var<storage, read_write> _kernel_k_y : array<f32>;

@compute @workgroup_size(wgsize_x, wgsize_y, wgsize_z)
fn _kernel_k(
  @builtin(local_invocation_id) local_id : vec3<u32>,
  @builtin(workgroup_id) group_id : vec3<u32>,
)
{
 _ = workgroup_mem_bytes;
 let _t = i32(local_id.x);
 let _1 : f32 = _kernel_k_x[_t];
BODY
} // shader _kernel_k
"""
STORE = " _kernel_k_y[_t] = _9;"
HEAD = """\
@group(0) @binding(0) var<storage, read_write> b0 : array<f32>;
@group(0) @binding(1) var<storage, read_write> b1 : array<f32>;
"""
FUNCTION = """\
@compute @workgroup_size(wgsize_x, wgsize_y, wgsize_z)
fn _kernel_k(@builtin(local_invocation_id) local_id : vec3<u32>, \
@builtin(workgroup_id) group_id : vec3<u32>) {
let _t = i32(local_id.x);
"""


def written(*lines: str) -> str:
    """Return Halide's text of a kernel with these lines."""
    return PREAMBLE + KERNEL.replace("BODY", "\n".join(f" {line.strip()}" for line in lines))


def read(*lines: str, private: str = "") -> list[str]:
    """Return the lines that are made of such lines, after those that all kernels have."""
    shared, text = wgsl_text(written(*lines), "k", strict=True)
    start = f"{HEAD}{private}{FUNCTION}"
    assert not shared
    assert text.startswith(start)
    assert text.endswith("\n}\n")
    return text.removeprefix(start).splitlines()[:-1]


def test_numbers_are_written_where_they_are_used():
    found = read(
        "const _2 : i32 = 4;", "let _3 : i32 = _t * _2; // a comment",
        "let _4 : f32 = _kernel_k_x[_3];", "let _5 : f32 = float_from_bits(3212836864u /* -1 */);",
        "let _6 : f32 = float_from_bits(1051372203u /* 0.333333 */);", "let _7 : f32 = _4 * _5;",
        "let _8 : f32 = _7;", "let _9 : f32 = _8 + _6;", STORE,
    )  # fmt: skip
    assert found == [
        "let _3 : i32 = _t * 4;",
        "let _4 : f32 = b0[_3];",
        "let _7 : f32 = _4 * -0x1p+0f;",
        "let _9 : f32 = _7 + 0x1.555556p-2f;",
        "b1[_t] = _9;",
    ]


@pytest.mark.parametrize("bits", ["7F800000", "FF800000", "7FC00000"])
def test_a_number_that_is_not_finite_comes_from_a_variable(bits):
    private = f"var<private> bits_{bits} : u32 = 0x{bits}u;\n"
    lines = ["let _2 : f32 = 0x" + bits + ";", "let _9 : f32 = max(_1, _2);", STORE]
    assert read(*lines, private=private) == [
        "let _1 : f32 = b0[_t];",
        f"let _9 : f32 = max(_1, bitcast<f32>(bits_{bits}));",
        "b1[_t] = _9;",
    ]


@pytest.mark.parametrize(
    ("test", "sign"), [("_1 == _1", "<="), ("_1 != _1", ">"), ("is_nan_f32(_1)", ">")]
)
def test_nan_is_told_by_its_bits(test, sign):
    found = read(f"let _2 : bool = {test};", "let _9 : f32 = select(_t, _1, _2);", STORE)
    assert found[1] == f"let _2 : bool = (bitcast<u32>(_1) & 0x7fffffffu) {sign} 0x7f800000u;"


def test_nan_in_vectors_is_told_by_its_bits():
    found = read(
        "let _2 : vec2<f32> = vec2<f32>(_1);", "let _3 : vec2<bool> = _2 == _2;",
        "let _4 : vec2<f32> = select(_2, _2, _3);", "let _9 : f32 = _4[0];", STORE,
    )  # fmt: skip
    assert found[2] == (
        "let _3 : vec2<bool> = (bitcast<vec2<u32>>(_2) & vec2<u32>(0x7fffffffu)) "
        "<= vec2<u32>(0x7f800000u);"
    )


@pytest.mark.parametrize(
    ("bits", "rounds"), [(1258291326, True), (1258291200, True), (1249902592, False)]
)
def test_a_large_number_added_and_taken_off_rounds(bits, rounds):
    number = {1258291326: "0x1.0000fcp+23f", 1258291200: "0x1p+23f", 1249902592: "0x1p+22f"}[bits]
    found = read(
        f"let _2 : f32 = float_from_bits({bits}u);", "let _3 : f32 = _1 + _2;",
        "let _4 : f32 = _3;", "let _5 : f32 = _4 - _2;", "let _6 : u32 = bitcast<u32>(_4);",
        "let _7 : f32 = f32(_6);", "let _9 : f32 = _5 * _7;", STORE,
    )  # fmt: skip
    if rounds:
        assert found[1:3] == ["let _5 : f32 = round(_1);", f"let _3 : f32 = _5 + {number};"]
    else:
        assert found[1:3] == [f"let _3 : f32 = _1 + {number};", f"let _5 : f32 = _3 - {number};"]


def test_elements_of_a_vector_have_places_of_their_own():
    found = read(
        "const _2 : i32 = 1;", "const _3 : i32 = 2;", "let _4 : i32 = _t * _3;",
        "let _5 : vec2<i32> = _4 + _2 * vec2<i32>(0, 1);", "var _V6 : vec2<f32>;",
        "_V6[0] = _kernel_k_x[_5[0]];", "_V6[1] = _kernel_k_x[_5[1]];",
        "_kernel_k_y[_5[0]] = _V6[0];", "_kernel_k_y[_5[1]] = _V6[1];",
    )  # fmt: skip
    assert found == [
        "let _4 : i32 = _t * 2;",
        "let _V6 = vec2<f32>(b0[_4], b0[_4 + 1]);",
        "b1[_4] = _V6[0];",
        "b1[_4 + 1] = _V6[1];",
    ]


LOOP = "for (var _i = 0; _i < 0 + 3; _i = _i + 1)"


def test_an_array_whose_places_are_known_is_variables():
    found = read(
        "var _a : array<f32, 2>;", "_a[0] = _1;", "_a[1] = _1;", LOOP, "{",
        "let _2 : f32 = _a[0];", "let _3 : f32 = _2 * _1;", "_a[0] = _3;", "} // for _i",
        "let _4 : f32 = _a[0];", "let _5 : f32 = _a[1];", "let _9 : f32 = _4 + _5;", STORE,
    )  # fmt: skip
    assert "var _a_0 : f32;" in found
    # What changes is read anew.
    assert found.count("let _2 : f32 = _a_0;") == 1
    assert found.count("let _4 : f32 = _a_0;") == 1
    assert not any("[0]" in line for line in found)


VECTORS = ["var _a : array<f32, 4>;", "let _2 : vec2<f32> = vec2<f32>(_1);"]
STORES = [f"_a[{i}] = _2[{i % 2}];" for i in range(4)]


def vector(name: str, *indices: str) -> list[str]:
    """Return Halide's lines that read a vector of the array ``_a``."""
    reads = [f"{name}[{i}] = _a[{index}];" for i, index in enumerate(indices)]
    return [f"var {name} : vec2<f32>;", *reads]


def test_an_array_of_whole_vectors_is_variables():
    found = read(*VECTORS, *STORES, *vector("_V3", "2", "3"), "let _9 : f32 = _V3[0];", STORE)
    assert found[1:] == [
        "var _a_0 : vec2<f32>;", "var _a_1 : vec2<f32>;", "let _2 : vec2<f32> = vec2<f32>(_1);",
        "_a_0 = _2;", "_a_1 = _2;", "let _V3 = _a_1;", "let _9 : f32 = _V3[0];", "b1[_t] = _9;",
    ]  # fmt: skip


def test_vectors_that_lie_across_are_elements():
    found = read(*VECTORS, *STORES, *vector("_V3", "1", "2"), "let _9 : f32 = _V3[0];", STORE)
    assert "var _a_3 : f32;" in found
    assert "let _V3 = vec2<f32>(_a_1, _a_2);" in found


@pytest.mark.parametrize(("stride", "is_chosen"), [(2, True), (1, False)])
def test_a_vector_at_the_place_of_a_loop_is_chosen(stride, is_chosen):
    ramp = [f"let _3 : i32 = _i * {stride};", "let _4 : vec2<i32> = _3 + 1 * vec2<i32>(0, 1);"]
    found = read(
        *VECTORS, *STORES, "for (var _i = 0; _i < 0 + 2; _i = _i + 1)", "{", *ramp,
        *vector("_V5", "_4[0]", "_4[1]"), "let _9 : f32 = _V5[0];", STORE, "}",
    )  # fmt: skip
    assert ("let _V5 = select(_a_0, _a_1, _3 == 2);" in found) == is_chosen
    assert ("var _a : array<f32, 4>;" in found) != is_chosen


def test_an_array_with_a_place_of_the_loop_stays():
    found = read(
        "var _a : array<f32, 3>;", LOOP, "{", "_a[_i] = _1;", "}", "let _9 : f32 = _a[1];", STORE
    )
    assert "var _a : array<f32, 3>;" in found
    assert "_a[_i] = _1;" in found


def test_a_value_is_computed_once_within_its_scope():
    found = read(
        "let _2 : bool = _t < 4;", "if (_2)", "{", "let _3 : f32 = _1 * _1;",
        "_kernel_k_y[_t] = _3;", "}", "else", "{", "let _4 : f32 = _1 * _1;",
        "let _5 : f32 = _1 * _1;", "let _6 : f32 = _4 + _5;", "_kernel_k_y[_t] = _6;", "}",
    )  # fmt: skip
    assert "let _4 : f32 = _1 * _1;" in found
    assert "let _6 : f32 = _4 + _4;" in found


def test_a_buffer_that_is_written_is_read_anew():
    found = read(
        "let _2 : f32 = _kernel_k_y[_t];", "let _3 : f32 = _2 * _1;", "_kernel_k_y[_t] = _3;",
        "let _4 : f32 = _kernel_k_y[_t];", "let _9 : f32 = _4 + _2;", STORE,
    )  # fmt: skip
    assert "let _4 : f32 = b1[_t];" in found
    assert "let _9 : f32 = _4 + _2;" in found


@pytest.mark.parametrize(
    ("value", "closed"),
    [
        ("_1 / _1", "quotient(_1, _1)"),
        ("_3 / _1", "quotient(0x1.8p+1f, _1)"),
        ("_1 / _3", "_1 / 0x1.8p+1f"),
        ("_1 / _4", "quotient(_1, 0f)"),
        ("_1 * _4", "product_with_0(_1)"),
        ("_4 * _1", "product_with_0(_1)"),
        ("_1 * _3", "_1 * 0x1.8p+1f"),
        ("sqrt(_1)", "square_root(_1)"),
        ("log(_1)", "logarithm(_1)"),
    ],
)
def test_functions_have_a_result_for_every_number(value, closed):
    numbers = (
        "let _3 : f32 = float_from_bits(1077936128u);",
        "let _4 : f32 = float_from_bits(0u);",
    )
    _, text = wgsl_text(written(*numbers, f"let _9 : f32 = {value};", STORE), "k", strict=True)
    assert f"let _9 : f32 = {closed};" in text.splitlines()
    name, found, _ = closed.partition("(")
    is_defined = f"fn {name}(" in text
    assert is_defined == bool(found)


def test_functions_of_vectors_have_their_lanes():
    lines = (
        "let _2 : vec2<f32> = vec2<f32>(_1);", "let _3 : vec2<f32> = _2 / _2;",
        "let _9 : f32 = _3[0];", STORE,
    )  # fmt: skip
    _, text = wgsl_text(written(*lines), "k", strict=True)
    assert "let _3 : vec2<f32> = quotient_of_2(_2, _2);" in text.splitlines()
    assert "fn quotient_of_2(a : vec2<f32>, b : vec2<f32>) -> vec2<f32> {" in text.splitlines()


def test_infinity_is_told_by_its_bits():
    text = wgsl_text(
        written("let _2 : f32 = 0x7F800000;", "let _3 : bool = _1 == _2;",
                "let _9 : f32 = select(_1, _1, _3);", STORE), "k", strict=True
    )[1]  # fmt: skip
    assert "let _3 : bool = bitcast<u32>(_1) == bits_7F800000;" in text.splitlines()


def test_each_kernel_begins_with_its_buffers():
    second = KERNEL.replace("_kernel_k", "_kernel_l").replace("BODY", " _kernel_l_y[_t] = _1;")
    text = written(" _kernel_k_y[_t] = _1;") + second
    _, found = wgsl_text(text, "k", strict=True)
    first, *others = found.split(HEAD)[1:]
    assert "fn _kernel_k(" in first
    assert [other.count("fn _kernel_l(") for other in others] == [1]


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["let _9 : f32 = sin(_1);", STORE], "function 'sin' is not known"),
        (["let _9 : f32 = pow(_1, _1);", STORE], "function 'pow' is not known"),
        (["let _2 : f16 = f16(_1);"], "'let _2 : f16 = f16(_1);' is not known"),
        (["let _2 : i64 = 4;"], "'let _2 : i64 = 4;' is not known"),
        (["workgroupBarrier();"], "'workgroupBarrier();' is not known"),
        (["atomicStore(&_k, 4u);"], "'atomicStore(&_k, 4u);' is not known"),
        (["var _a : array<vec4<f32>, 2>;"], "'var _a : array<vec4<f32>, 2>;' is not known"),
        (["var _a : array<f32, 4096>;", STORE], "a thread keeps 16384 bytes, the most is 8192"),
        (["let _1 : f32 = _t;"], "'_1' is there twice"),
        (["var _V2 : vec2<f32>;", "_V2[1] = _1;"], "'_V2[1] = _1;' fills no vector"),
        (["let _2 : bool = _t == _t;"], "'_t' is compared with itself"),
    ],
)  # fmt: skip
def test_another_line_than_those_of_halide_21_is_refused(lines, what):
    with pytest.raises(ToolchainError) as error:
        wgsl_text(written(*lines), "k", strict=True)
    assert str(error.value) == f"kernel 'k' cannot be compiled for a device: {what}"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "the text has no kernels"),
        (written(STORE).replace("override wgsize_x", "override size_x"), "the text has no kernels"),
        (
            written(STORE) + "var<workgroup> _s : array<f32>;\n",
            "'var<workgroup> _s : array<f32>;' is not known",
        ),
        (
            written(STORE).replace("_kernel_k_y : array<f32>", "_kernel_k_y : array<f16>"),
            "a buffer has elements of another type",
        ),
        (
            written(STORE).replace("read_write> _kernel_k_y", "read> _kernel_k_y"),
            "'@group(0) @binding(0)' is not known",
        ),
    ],
)
def test_another_text_than_that_of_halide_21_is_refused(text, what):
    with pytest.raises(ToolchainError) as error:
        wgsl_text(text, "k", strict=True)
    assert str(error.value) == f"kernel 'k' cannot be compiled for a device: {what}"
