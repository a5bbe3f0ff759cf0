"""Operators that texts define, through the generated C: the numbers are those of onnxruntime."""

from __future__ import annotations

import pytest
from closeness import assert_close
from contrib_cases import CONTRIB_CASES

import autodeploy

NAMES = (
    "ms_dynamic_lstm_bidirectional",
    "ms_matmul_4_bits_zeros",
    "ms_attention_ends_and_starts",
    "ms_queries_buffer",
)


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_of_onnxruntime(name):
    example = next(one for one in CONTRIB_CASES if one.name == name)
    with autodeploy.compile(example.build(None).SerializeToString(), level=2) as session:
        found = session.run(example.inputs)
    for ours, theirs in zip(found.values(), example.expected, strict=True):
        assert_close(ours, theirs)
