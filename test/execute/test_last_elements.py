"""Outputs that have their last element along an axis alone, as a prompt needs of its scores."""

from __future__ import annotations

import numpy as np
import pytest
from closeness import assert_close
from onnxruntime import InferenceSession
from open_decoders import drawn, gpt2, greedy, kept_greedy
from open_inner import Inner

import autodeploy
from autodeploy.diagnostics import ModelError, UnsupportedError, UserError
from autodeploy.tools.named_options import parse_last

OPEN = {"past_sequence_length": (0, 31), "sequence_length": [1, (2, 8)]}


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 3])
def test_a_prompt_has_the_scores_of_its_last_token(level, tmp_path):
    model, name = gpt2(), gpt2().graph.output[-1].name
    theirs = InferenceSession(model.SerializeToString())
    given = {"dims": {"batch_size": 1}, "dynamic": OPEN, "level": level, "last": {name: 1}}
    with autodeploy.compile(model, tmp_path / "b", **given) as session:
        for numbers in ((0, 8), (3, 1), (31, 2)):
            named = dict(zip(OPEN, numbers, strict=True))
            values = drawn(model, named)
            (right,) = theirs.run([name], values)
            found = session.run(values)[name]
            assert found.shape == (1, 1, right.shape[-1])
            assert_close(found, right[:, -1:])


def test_only_one_row_is_multiplied_with_the_words(tmp_path):
    model, name = gpt2(), gpt2().graph.output[-1].name
    dynamic = {**OPEN, "sequence_length": (2, 8)}
    given = {"dims": {"batch_size": 1}, "dynamic": dynamic, "state": "auto", "last": {name: 1}}
    with autodeploy.compile(model, tmp_path / "b", **given) as session:
        names = [output.name for output in model.graph.output]
        theirs = InferenceSession(model.SerializeToString())
        right = greedy(
            lambda v: dict(zip(names, theirs.run(None, v), strict=True)), model, [3, 5, 2], 1
        )
        assert kept_greedy(session, [3, 5, 2], 1) == right
    text = (tmp_path / "b" / "gpt2.mlir").read_text()
    (call,) = (line for line in text.split("\n") if f"%{name}" in line and "driver.call" in line)
    assert "(memref<1x1x32xf32" in call


def net():
    made = Inner()
    made.gives(made.add("Neg", made.takes("x", "n", 3)), "n", 3)
    return made.model("net")


@pytest.mark.parametrize(
    ("last", "dynamic", "error", "text"),
    [
        ({"y": 0}, {"n": (1, 4)}, ModelError, "'y' is no output; the model's outputs are 't0'"),
        ({"t0": 2}, {"n": (1, 4)}, ModelError, "'t0' has 2 axes, found axis 2"),
        ({"t0": 0}, {"n": (0, 4)}, UnsupportedError, "'t0' may have no elements along axis 0"),
    ],
)
def test_outputs_without_a_last_element_are_refused(last, dynamic, error, text):
    with pytest.raises(error, match=text):
        autodeploy.compile(net(), dynamic=dynamic, last=last)


def test_a_state_is_no_output():
    made = Inner()
    made.gives(made.add("Neg", made.takes("x", 3)), 3)
    made.gives(made.add("Add", "x", made.takes("h", 3)), 3)
    with pytest.raises(UnsupportedError, match="'t1' has no last elements"):
        autodeploy.compile(made.model("net"), state={"t1": "h"}, last={"t1": 0})


def test_the_last_element_of_constant_axes():
    made = Inner()
    made.gives(made.add("Neg", made.takes("x", 2, 3)), 2, 3)
    with autodeploy.compile(made.model("net"), last={"t0": 1}) as session:
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        assert session.run(x)["t0"].tolist() == [[-2], [-5]]


@pytest.mark.parametrize("text", ["logits", "logits:", ":1", "logits:-1"])
def test_the_option_has_an_output_and_an_axis(text):
    assert parse_last(["logits:1", "a:b:0"]) == {"logits": 1, "a:b": 0}
    with pytest.raises(UserError, match="malformed output"):
        parse_last([text])
    with pytest.raises(UserError, match="gives the output 'a' twice"):
        parse_last(["a:1", "a:0"])
