"""Buffers of vectors in WGSL: where all that a kernel takes of a buffer are its vectors."""

from __future__ import annotations

import pytest

from autodeploy.codegen.halide.wgsl_vectors import with_vector_buffers

BUFFERS = """\
@group(0) @binding(0) var<storage, read_write> b0 : array<f32>;
@group(0) @binding(1) var<storage, read_write> b1 : array<f32>;
"""


def kernel(index: str, *others: str) -> str:
    """Return a kernel that copies a vector from an index of one buffer to 4 of the other."""
    places = [index, *(f"{index} + {i}" for i in range(1, 4))]
    load = ", ".join(f"b0[{place}]" for place in places)
    stores = [f"b1[{4 + i}] = _V9[{i}];" for i in range(4)]
    lines = [f"let _V9 = vec4<f32>({load});", *stores]
    return BUFFERS + "\n".join([*others, *lines, "}"])


@pytest.mark.parametrize(
    ("value", "is_whole"),
    [
        ("_t * 4", True),
        ("_t * -8", True),
        ("_t * 6", False),
        ("_4 + 12", True),
        ("_4 - _4", True),
        ("_4 + 2", False),
        ("_4 + _t", False),
        ("min(_4, 20)", True),
        ("max(_4, 2)", False),
        ("_t / 4", False),
    ],
)
def test_vectors_begin_where_the_buffer_has_one(value: str, is_whole: bool):
    found = with_vector_buffers(kernel("_5", "let _4 : i32 = _t * 4;", f"let _5 : i32 = {value};"))
    assert ("let _V9 = b0v[_5 >> 2u];" in found) == is_whole
    assert ("b0v : array<vec4<f32>>;" in found) == is_whole
    # The other buffer has only whole vectors.
    assert "b1v[4 >> 2u] = _V9;" in found
    assert "b1v : array<vec4<f32>>;" in found


def test_a_name_of_two_scopes_may_be_either():
    scopes = "{", "let _4 : i32 = _t * 3;", "}", "let _4 : i32 = _t * 4;"
    assert "b0 : array<f32>;" in with_vector_buffers(kernel("_4", *scopes))


@pytest.mark.parametrize("other", ["let _6 : f32 = b0[_t];", "b0[_4] = _6;"])
def test_a_buffer_of_which_an_element_is_taken_has_elements(other: str):
    found = with_vector_buffers(kernel("_4", "let _4 : i32 = _t * 4;", other))
    assert "b0 : array<f32>;" in found
    assert other in found
    assert "vec4<f32>(b0[_4], b0[_4 + 1], b0[_4 + 2], b0[_4 + 3])" in found


def test_a_buffer_that_is_not_read_stays():
    text = BUFFERS + "b1[_4] = _6;\n"
    assert with_vector_buffers(text) == text


def test_elements_of_several_vectors_are_stored_alone():
    stores = "\n".join(f"b1[{4 + i}] = _V{i // 2}[{i}];" for i in range(4))
    assert with_vector_buffers(BUFFERS + stores) == BUFFERS + stores
