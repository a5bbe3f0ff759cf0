"""Decoders with weights of few bits, as onnxruntime-genai's builder writes them, unchanged."""

from __future__ import annotations

import pytest
from onnxruntime import InferenceSession, SessionOptions
from open_decoders import greedy
from packed_decoder import packed_decoder

import autodeploy

DIMS = {"batch_size": 1, "sequence_length": 1}
OPEN = {"past_sequence_length": (0, 31), "total_sequence_length": "past_sequence_length+1"}


@pytest.mark.parametrize(
    "given",
    [
        {"level": 0},
        pytest.param({"zeros": True, "block": 32, "half": True}, marks=pytest.mark.exhaustive),
        pytest.param({"bits": 8, "zeros": True, "level": 1}, marks=pytest.mark.exhaustive),
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
