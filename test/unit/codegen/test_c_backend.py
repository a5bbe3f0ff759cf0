"""What is made of the C++ files that Halide writes."""

from __future__ import annotations

import re

import pytest

from autodeploy.codegen.halide.c_backend import kernel_body
from autodeploy.codegen.halide.kernel_code import HEADERS
from autodeploy.diagnostics import ToolchainError

HEADER = HEADERS["c++"]

_VECTOR = """\
#if halide_cpp_use_native_vector(float, 6)
using float6 = NativeVector<float, 6>;
using float6_ops = NativeVectorOps<float, 6>;
#else
using float6 = CppVector<float, 6>;
using float6_ops = CppVectorOps<float, 6>;
#endif
#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#warning "not strict"
#endif
"""

_KERNEL = """
#ifdef __cplusplus
extern "C" {{
#endif

HALIDE_FUNCTION_ATTRS
int k(struct halide_buffer_t *_x_buffer) {{
 auto *_17 = _halide_buffer_get_host(_x_buffer);
 {line}
 return 0;
}}
"""


def source(line: str = "", vector: str = _VECTOR) -> str:
    return f"/* definitions */\n{vector}{_KERNEL.format(line=line)}"


def test_a_body_has_vectors_of_the_header_and_its_own_numbers() -> None:
    body = kernel_body(source("float6 _18 = float6_ops::load(_17, 0);"), "k")
    assert body.startswith(
        "using float6 = Vector<float, 6>;\nusing float6_ops = VectorOps<float, 6>;"
    )
    assert "float6 _1 = float6_ops::load(_0, 0);" in body
    assert not re.search("definitions|FAST_MATH|Native|Cpp", body)


def test_vectors_are_concatenated_by_the_header() -> None:
    line = (
        "union { float3 src[2]; float2 dst; } _20 = {{ _18, _19 }};\n"
        " float2 _21 = float2_ops::shuffle<0, 5>(_20.dst);"
    )
    body = kernel_body(source(line), "k")
    assert "auto _1 = halide_kernel_concat( _2, _3 );" in body
    assert "float2 _4 = float2_ops::shuffle<0, 5>(_1);" in body


def test_truths_stay_in_the_lanes_of_their_comparison() -> None:
    line = (
        "uint8x6_t _20 = float6_ops::eq(_18, _19);\n uint8x6_t _21 = _20;\n"
        " float6 _22 = float6_ops::select(_21, _18, _19);"
    )
    body = kernel_body(source(line), "k")
    assert "auto _1 = float6_ops::eq(_2, _3);\n auto _4 = _1;\n float6 _5 =" in body


def test_the_least_integer_is_one_that_c_can_write() -> None:
    body = kernel_body(source("int64_t _18 = (int64_t)(-9223372036854775808ll);"), "k")
    assert "int64_t _1 = (int64_t)((-9223372036854775807ll - 1));" in body


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        (source("_18 = fmod(_17, _17);"), "fmod"),
        (source("_18 = ::halide_cpp_absd<float6>(_17, _17);"), "halide_cpp_absd"),
        (source("_18 = _halide_buffer_get_flags(_x_buffer);"), "_halide_buffer_get_flags"),
        (source("_18 = float6_ops::lerp(_17, _17);"), "lerp"),
        (source("union { float3 src[2]; float6 dst; } _20 = make();"), "make"),
        (source("union { float3 src[2]; float6 dst; } _20;"), "union"),
        (source("NativeVector<float, 6> _18;"), "NativeVector"),
        (
            source(vector=_VECTOR.replace(" CppVector", " OtherVector")),
            "halide_cpp_use_native_vector",
        ),
    ],
)
def test_a_function_that_the_header_lacks_is_an_error(text: str, unknown: str) -> None:
    message = f"Halide's C++ source of kernel 'k' uses '{unknown}', which {HEADER} does not define"
    with pytest.raises(ToolchainError) as caught:
        kernel_body(text, "k")
    assert str(caught.value) == message


def test_an_unknown_layout_is_an_error() -> None:
    with pytest.raises(ToolchainError, match="of kernel 'k' has an unknown layout"):
        kernel_body("int k() { return 0; }", "k")
