"""Decoders with weights of few bits, as onnxruntime-genai's builder writes them, unchanged."""

from __future__ import annotations

import pytest
from closeness import assert_close
from onnxruntime import InferenceSession, SessionOptions
from open_decoders import drawn, greedy
from packed_decoder import packed_decoder

import autodeploy

pytestmark = pytest.mark.exhaustive

DIMS = {"batch_size": 1, "sequence_length": 1}
OPEN = {"past_sequence_length": (0, 31), "total_sequence_length": "past_sequence_length+1"}


@pytest.mark.parametrize(
    "given",
    [
        {"level": 0},
        {"zeros": True, "block": 32, "half": True},
        {"bits": 8, "zeros": True, "level": 1},
    ],
    ids=str,
)
def test_greedy_tokens_are_those_of_onnxruntime(given):
    model = packed_decoder(**given)
    options = SessionOptions()
    options.log_severity_level = 3
    theirs = InferenceSession(model.SerializeToString(), options)
    names = [output.name for output in theirs.get_outputs()]
    right = greedy(
        lambda values: dict(zip(names, theirs.run(None, values), strict=True)), model, [3], 24
    )
    assert len(set(right)) > 6
    with autodeploy.compile(model, dims=DIMS, dynamic=OPEN) as session:
        assert greedy(session.run, model, [3], 24) == right


@pytest.mark.parametrize("sequence", [(1, 7), [1, (2, 7)]], ids=str)
def test_a_prompt_of_open_length_is_read_at_once(sequence):
    model = packed_decoder(zeros=True)
    theirs = InferenceSession(model.SerializeToString())
    names = [output.name for output in theirs.get_outputs()]
    total = "past_sequence_length+sequence_length"
    dynamic = {**OPEN, "sequence_length": sequence, "total_sequence_length": total}
    with autodeploy.compile(model, dims={"batch_size": 1}, dynamic=dynamic) as session:
        for seed, (past, length) in enumerate(((0, 7), (3, 1), (0, 5), (31, 2), (4, 3))):
            numbers = {"past_sequence_length": past, "sequence_length": length}
            values = drawn(model, {**numbers, "total_sequence_length": past + length}, seed)
            expected = dict(zip(names, theirs.run(None, values), strict=True))
            for name, found in session.run(values).items():
                assert_close(found, expected[name])
