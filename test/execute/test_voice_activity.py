"""Detectors of voice activity, which choose by the sampling rate and carry a state.

The models hold an LSTM and, where they are for two rates, a choice between two networks.
"""

from __future__ import annotations

import subprocess

import numpy as np
import onnxruntime
import pytest
from sanitized_program import make_sanitized
from shared_data import shared

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import ModelWarning, UserError

FOLDER = "models/silero-vad/silero_vad/data"
STATE = (2, 1, 128)
CHUNKS = 3

pytestmark = pytest.mark.filterwarnings("ignore::autodeploy.diagnostics.ModelWarning")


def reference(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(path, options)


def check(found, expected):
    """Scores are compared as parts of 1: onnxruntime's small sigmoids are not exact."""
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * max(1, np.abs(expected).max()))


def chunks(theirs, samples, rate, seed=0):
    """Yield inputs with what is expected of them; the state of one chunk is that of the next."""
    random, state = np.random.default_rng(seed), np.zeros(STATE, np.float32)
    taken = {value.name for value in theirs.get_inputs()}
    for _ in range(CHUNKS):
        sound = 0.3 * random.standard_normal((1, samples), np.float32)
        given = {"input": sound, "state": state, "sr": np.array(rate)}
        inputs = {name: value for name, value in given.items() if name in taken}
        expected = theirs.run(None, inputs)
        yield inputs, expected
        state = expected[1]


@pytest.mark.parametrize(
    ("name", "level", "samples", "rates"),
    [
        ("silero_vad", 0, 288, [8000, 16000]),
        ("silero_vad", 2, 288, [8000, 16000]),
        ("silero_vad", 3, 288, [8000, 16000]),
        ("silero_vad_16k_op15", 2, 576, [16000]),
        ("silero_vad_half", 3, 576, [16000]),
    ],
)
def test_chunks_of_sound(name, level, samples, rates):
    path = shared(f"{FOLDER}/{name}.onnx")
    theirs = reference(path)
    shapes = {"input": (1, samples), "state": STATE}
    with autodeploy.compile(path, shapes=shapes, level=level) as session:
        for rate in rates:
            for inputs, expected in chunks(theirs, samples, rate):
                for ours, right in zip(session.run(inputs).values(), expected, strict=True):
                    check(ours, right)


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 3])
def test_a_program_keeps_the_state_of_the_chunk_before(level):
    path = shared(f"{FOLDER}/silero_vad.onnx")
    shapes = {"input": (1, 288), "state": STATE}
    with autodeploy.compile(path, shapes=shapes, level=level, state="auto") as session:
        assert [entry.name for entry in session.inputs] == ["input", "sr"]
        for rate in (8000, 16000):
            for inputs, (expected, _) in chunks(reference(path), 288, rate):
                del inputs["state"]
                check(session.run(inputs)["output"], expected)
            session.reset()


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 2, 3])
def test_a_sequence_of_frames(level):
    path = shared(f"{FOLDER}/silero_vad_16k_sequence.onnx")
    random = np.random.default_rng(1)
    inputs = {
        "input": 0.3 * random.standard_normal((5, 576), np.float32),
        "h": random.standard_normal((1, 1, 128), np.float32),
        "c": random.standard_normal((1, 1, 128), np.float32),
    }
    shapes = {name: value.shape for name, value in inputs.items()}
    with autodeploy.compile(path, shapes=shapes, level=level) as session:
        found = session.run(inputs).values()
    for ours, right in zip(found, reference(path).run(None, inputs), strict=True):
        check(ours, right)


@pytest.mark.exhaustive
def test_a_rate_that_is_not_for_chunks_of_this_length_is_an_error():
    path = shared(f"{FOLDER}/silero_vad.onnx")
    theirs = reference(path)
    with (
        pytest.warns(ModelWarning, match="no run can take the else_branch of If node 'If_0', as"),
        autodeploy.compile(path, shapes={"input": (1, 576), "state": STATE}) as session,
    ):
        (inputs, expected), *_ = chunks(theirs, 576, 16000)
        for _ in range(2):  # an error does not harm the run behind it
            with pytest.raises(UserError, match="another value than the shapes"):
                session.run({**inputs, "sr": np.array(8000)})
            for ours, right in zip(session.run(inputs).values(), expected, strict=True):
                check(ours, right)


@pytest.mark.exhaustive
def test_sanitizers_find_nothing(tmp_path):
    """Kernels are C++ sources here, so that they are watched, too."""
    path, bundle = shared(f"{FOLDER}/silero_vad.onnx"), tmp_path / "b"
    shapes = {"input": (1, 288), "state": STATE}
    manifest = compile_model(path, bundle, CompileOptions(shapes=shapes, emit="c")).manifest
    assert manifest.arena_lower_bound == manifest.arena_bytes
    make_sanitized(bundle)
    theirs = reference(path)
    files = [tmp_path / f"{number}.npy" for number in range(5)]
    words = [word for file in files[3:] for word in ("--output", file)]
    for rate in (8000, 16000):
        for inputs, expected in chunks(theirs, 288, rate):
            for file, entry in zip(files, manifest.inputs, strict=False):
                np.save(file, inputs[entry.name])
            command = [bundle / "silero_vad-sanitize", bundle / "silero_vad.weights", *files[:3]]
            done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, "")
            for file, right in zip(files[3:], expected, strict=True):
                check(np.load(file), right)
