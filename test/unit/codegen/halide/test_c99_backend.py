"""Kernels as C99: what is made of single lines, and of lines that nobody has met."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from expression_kernels import cases, pipeline

from autodeploy.codegen.halide.c99_backend import c99_body
from autodeploy.codegen.halide.kernels import compile_pipelines, kernel_form
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.machine import Machine

KERNEL = """
#ifdef __cplusplus
extern "C" {
#endif

HALIDE_FUNCTION_ATTRS
int k(void const *__user_context, struct halide_buffer_t *_in0_buffer) {
 void * const _ucon = const_cast<void *>(__user_context);
 halide_maybe_unused(_ucon);
 auto *_0 = _halide_buffer_get_host(_in0_buffer);
 auto _in0 = _0;
 halide_maybe_unused(_in0);
 LINES
 return 0;
}
#ifdef __cplusplus
}  // extern "C"
#endif
"""


def translated(*lines: str, sums: frozenset[str] = frozenset()) -> list[str]:
    """Return what becomes of lines in the middle of a kernel."""
    text = c99_body(KERNEL.replace("LINES", "\n ".join(lines)), "k", sums)
    body = [line.strip() for line in text.splitlines()]
    return [
        line
        for line in body[body.index("{") + 1 : -2]
        if "*const _in0" not in line and "(void)_in0" not in line
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("float _1 = float_from_bits(1056964608 /* 0.5 */);", "float _1 = 0.5f;"),
        ("float _1 = float_from_bits(2147483648 /* -0 */);", "float _1 = -0.0f;"),
        ("float _1 = float_from_bits(4286578688 /* inf */);", "float _1 = neg_inf_f32();"),
        ("float _1 = ::halide_cpp_max(_2, _3);", "float _1 = _2 > _3 ? _2 : _3;"),
        ("int32_t _1 = ::halide_cpp_min(_x, 9);", "int32_t _1 = _x < 9 ? _x : 9;"),
        (
            "int32_t _1 = _halide_buffer_get_stride(_in0_buffer, 1);",
            "int32_t _1 = _in0_buffer->dim[1].stride;",
        ),
        ("for (int _x = 0; _x < 0 + 28; _x++)", "for (int _x = 0; _x < 28; _x++)"),
        ("float _1 = reinterpret<float>(_0);", None),
        ("auto _1 = broadcast<4>(_0);", None),
        ("float _1 = fancy_f32(_2);", None),
        ("goto out;", None),
    ],
)
def test_lines(line: str, expected: str | None) -> None:
    if expected is not None:
        assert translated(line)[-1] == expected
        return
    with pytest.raises(ToolchainError, match="which is no C99 and has no known translation"):
        translated(line)


def test_bits_are_moved_by_type() -> None:
    found = translated("int32_t _1 = _in;", "float _2 = reinterpret<float>(_1);")
    assert found[-1] == "float _2 = float_from_bits((uint32_t)_1);"
    found = translated("double _1 = _in;", "int64_t _2 = reinterpret<int64_t>(_1);")
    assert found[-1] == "int64_t _2 = (int64_t)bits_from_double(_1);"


PRODUCT = (
    "float _1 = _k_sum[0];",
    "float _2 = _4 * _5;",
    "float _3 = _1 + _2;",
    "_k_sum[0] = _3;",
)


def test_products_that_are_summed_are_contracted() -> None:
    assert "float _3 = multiply_add_float(_4, _5, _1);" in translated(
        *PRODUCT, sums=frozenset({"_k_sum"})
    )


def test_other_products_are_not() -> None:
    assert not [line for line in translated(*PRODUCT) if "multiply_add" in line]
    used = translated(*PRODUCT, "_k_other[0] = _2;", sums=frozenset({"_k_sum"}))
    assert not [line for line in used if "multiply_add" in line]


def test_scratch_memory_is_taken_and_given_back() -> None:
    found = translated(
        "int64_t _1 = 23936;",
        "float *_p = (float  *)halide_malloc(_ucon, sizeof(float )*_1);",
        "halide_maybe_unused(((_p != nullptr) || (_1 == 0)));",
        "HalideFreeHelper<halide_free> _p_free(_ucon, _p);",
        "_p_free.free();",
    )
    assert found == [
        "void *const _ucon = (void *)(uintptr_t)user_context;",
        "int64_t _1 = 23936;",
        "float *_p = (float *)halide_malloc(_ucon, sizeof(float) * (size_t)_1);",
        "halide_free(_ucon, _p);",
    ]


def test_there_is_no_cxx_in_kernels_of_the_scalar_machine(tmp_path: Path) -> None:
    kernel = pipeline("k", "f32", cases("f32"), 1)
    machine = Machine.named("scalar")
    (made,) = compile_pipelines([kernel], machine, directory=tmp_path)
    assert [path.name for path in made.files] == ["k.c", "halide_kernel.h"]
    text = made.files[0].read_text()
    assert not re.search(r"::|\bauto\b|template|_cast<|nullptr|extern", text)


def test_the_form_of_kernels_follows_from_the_machine() -> None:
    forms = [
        kernel_form(Machine.named(name), emit)
        for name, emit in (("scalar", None), ("x86-64", None), ("x86-64", "c"), ("scalar", "c"))
    ]
    assert forms == ["c99", "object", "c++", "c99"]
    with pytest.raises(UserError, match="no object files for machine 'scalar'"):
        kernel_form(Machine.named("scalar"), "object")
