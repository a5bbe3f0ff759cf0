"""The keyword spotter in C: its features are those of NumPy, its scores those of onnxruntime."""

import ctypes
import re
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from example_programs import EXAMPLES, STRICT, Says, built_with
from shared_data import shared
from tflite_converter import onnx_of_tflite

from autodeploy import CompileOptions, compile_model
from autodeploy.toolchain.compiler import find_c_compiler, run

pytestmark = [pytest.mark.xdist_group("keywords"), pytest.mark.one_case]
"""All tests share a program."""

EXAMPLE = EXAMPLES / "keywords"
SPEECH = Path("/usr/share/sounds/alsa")
RATE, FRAME, STRIDE, POINTS, FRAMES, BANDS, COEFFICIENTS = 16000, 480, 320, 512, 49, 40, 10
WORDS = [
    "down",
    "go",
    "left",
    "no",
    "off",
    "on",
    "right",
    "stop",
    "up",
    "yes",
    "silence",
    "unknown",
]


def sound(seconds, seed=0):
    """Return samples of tones that rise and fall, and noise."""
    random, time = np.random.default_rng(seed), np.arange(round(seconds * RATE)) / RATE
    found = 300 * random.standard_normal(len(time))
    for _ in range(5):
        start, slope, speed = random.uniform([100, -800, 1], [2500, 800, 6])
        loudness = 3000 * np.maximum(0, np.sin(2 * np.pi * speed * time)) ** 2
        found += loudness * np.sin(2 * np.pi * (start + slope * time / 2) * time)
    return np.clip(found, -32768, 32767).astype(np.int16)


def features(samples):
    """Return the (49, 10) features of a second, in 64-bit floats."""
    wave = samples.astype(float) / max(1, samples.max())
    frames = np.stack([wave[STRIDE * k :][:FRAME] for k in range(FRAMES)])
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)
    size = np.abs(np.fft.rfft(frames * window, POINTS))
    mel = 1127 * np.log1p(np.fft.rfftfreq(POINTS, 1 / RATE) / 700)[:, None]
    edges = np.linspace(*(1127 * np.log1p(np.array([20, 4000]) / 700)), BANDS + 2)
    low, centre, high = edges[:-2], edges[1:-1], edges[2:]
    bands = np.minimum((mel - low) / (centre - low), (high - mel) / (high - centre)).clip(0)
    bands[0] = 0
    k, n = np.arange(COEFFICIENTS), np.arange(BANDS)[:, None]
    transform = 2 * np.cos(np.pi * k * (2 * n + 1) / (2 * BANDS)) / np.sqrt(2 * BANDS)
    return np.log(size @ bands + 1e-6) @ transform


def wav(samples, *, rate=RATE, channels=1, bits=16, kind=1, size=None, between=b""):
    data = np.asarray(samples, "<i2").tobytes()
    shape = struct.pack("<HHIIHH", kind, channels, rate, rate * 2, 2, bits)
    size = len(data) if size is None else size
    parts = b"fmt " + struct.pack("<I", 16) + shape + between + b"data" + struct.pack("<I", size)
    return b"RIFF" + struct.pack("<I", 0) + b"WAVE" + parts + data


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    made = tmp_path_factory.mktemp("mfcc") / "mfcc.so"
    words = [*STRICT, "-O2", "-shared", "-fPIC", str(EXAMPLE / "mfcc.c"), "-lm", "-o", str(made)]
    run([*find_c_compiler(), *words], EXAMPLE)
    return ctypes.CDLL(str(made))


@pytest.mark.parametrize("kind", ["sound", "loud", "one click", "silence", "below zero"])
def test_features_are_those_of_numpy(library, kind):
    samples = {
        "sound": sound(1),
        "loud": np.where(sound(1) > 0, 32767, -32768).astype(np.int16),
        "one click": np.eye(1, RATE, 5000, dtype=np.int16)[0],
        "silence": np.zeros(RATE, np.int16),
        "below zero": -abs(sound(1)),
    }[kind]
    tables = ctypes.create_string_buffer(4 * (FRAME + POINTS + BANDS * (129 + COEFFICIENTS)))
    found = np.full((FRAMES, COEFFICIENTS), np.nan, np.float32)
    library.mfcc_prepare(tables)
    library.mfcc_compute(tables, samples.ctypes, found.ctypes)
    expected = features(samples)
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-5 * np.abs(expected).max())


@dataclass(frozen=True)
class Spotter:
    says: Says
    weights: Path
    session: onnxruntime.InferenceSession

    def expected(self, samples, step):
        """Return begin, word and score of each second."""
        for begin in range(0, max(1, len(samples) - RATE + step), step):
            part = np.zeros(RATE, np.int16)
            part[: len(samples[begin:][:RATE])] = samples[begin:][:RATE]
            given = features(part).astype(np.float32).reshape(1, FRAMES, COEFFICIENTS, 1)
            scores = self.session.run(None, {self.session.get_inputs()[0].name: given})[0][0]
            yield begin / RATE, WORDS[scores.argmax()], scores.max()


@pytest.fixture(scope="module")
def spotter(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keywords")
    model = onnx_of_tflite(shared("models/mlperf_tiny/kws_ref_model_float32.tflite"))
    onnx.save(model, folder / "kws.onnx")
    compile_model(folder / "kws.onnx", folder / "kws", CompileOptions(name="kws"))
    sources = [EXAMPLE / "keywords.c", EXAMPLE / "mfcc.c"]
    says = built_with(folder / "kws", sources, folder / "keywords")
    session = onnxruntime.InferenceSession(folder / "kws.onnx")
    return Spotter(says, folder / "kws" / "kws.weights", session)


def check(text, expected):
    found = re.findall(r"^(\d+\.\d+) s: (\w+) (\d\.\d+)$", text.decode(), re.MULTILINE)
    assert text.count(b"\n") == len(found) == len(expected) > 0
    for (begin, word, score), right in zip(found, expected, strict=True):
        assert (round(float(begin), 2), word) == (round(right[0], 2), right[1])
        assert abs(float(score) - right[2]) < 2e-3


@pytest.mark.parametrize("seconds", [0.3, 1, 3.27])
@pytest.mark.parametrize("step", [0.5, 0.1])
def test_words_are_those_of_onnxruntimes_scores(spotter, tmp_path, seconds, step):
    samples = sound(seconds, seed=3)
    (tmp_path / "a.wav").write_bytes(wav(samples))
    found, _ = spotter.says("--step", step, spotter.weights, tmp_path / "a.wav")
    check(found, list(spotter.expected(samples, round(step * RATE))))


def test_a_pipe_has_no_end_in_its_header_and_other_parts(spotter):
    """As arecord writes it."""
    samples = sound(1.7, seed=5)
    sent = wav(samples, size=0x7FFFFFFF, between=b"LIST\3\0\0\0abc\0")
    program = [spotter.weights.parents[1] / "keywords", "--score", "0.3", spotter.weights, "-"]
    done = subprocess.run(program, input=sent, capture_output=True, check=True)
    expected = [one for one in spotter.expected(samples, RATE // 2) if one[2] >= 0.3]
    check(done.stdout, expected)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"RIFF\0\0\0\0AVI ",
        wav([1], rate=44100),
        wav([1], channels=2),
        wav([1], bits=8),
        wav([1], kind=3),
        wav([]),
        wav([1])[:30],
        wav([1]).replace(b"fmt ", b"xyz "),
    ],
)
def test_other_sounds_are_one_line(spotter, tmp_path, content):
    (tmp_path / "x.wav").write_bytes(content)
    error = spotter.says(spotter.weights, tmp_path / "x.wav", status=1)[1]
    assert error == (
        "keywords: error: expected a WAV file of 16-bit samples, 16000 a second, one channel\n"
    )


def test_other_mistakes_are_one_line(spotter, tmp_path):
    for given, said in (
        ((), "expected [--score"),
        (("--step", "0", spotter.weights, "a"), "expected [--score"),
        (("--steps", "1", spotter.weights, "a"), "expected [--score"),
        ((spotter.weights, tmp_path / "nowhere"), "cannot be opened"),
        ((tmp_path / "nowhere", "a"), "cannot be opened"),
    ):
        error = spotter.says(*given, status=1)[1]
        assert error.startswith("keywords: error: ") and error.count("\n") == 1 and said in error


def test_another_network_is_refused(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    other (float[1, 490] x) => (float[1, 490] y) { y = Neg(x) }"""
    model = onnx.parser.parse_model(text)
    compile_model(model.SerializeToString(), tmp_path / "kws", CompileOptions(name="kws"))
    sources = [EXAMPLE / "keywords.c", EXAMPLE / "mfcc.c"]
    error = built_with(tmp_path / "kws", sources, tmp_path / "keywords")("a", "b", status=1)[1]
    assert error == "keywords: error: the network does not compute 12 scores of 49x10 features\n"


@pytest.mark.parametrize(
    ("name", "word"), [("Left", "left"), ("Right", "right"), ("Center", "unknown")]
)
def test_spoken_words_are_found(spotter, tmp_path, name, word):
    if not SPEECH.exists():
        pytest.skip("the Debian package alsa-utils, which has spoken words, is not installed")
    for place in ("Front", "Rear"):
        samples = np.frombuffer((SPEECH / f"{place}_{name}.wav").read_bytes()[44:], "<i2")
        low = np.sinc(np.arange(-48, 49) / 3) * np.hanning(97)
        slow = np.convolve(samples, low / low.sum(), "same")[::3]  # 48 kHz
        (tmp_path / "x.wav").write_bytes(wav(slow.round().clip(-32768, 32767)))
        found, _ = spotter.says("--step", 0.1, spotter.weights, tmp_path / "x.wav")
        assert re.search(rf"s: {word} (0\.9\d+|1\.0+)$", found.decode().rstrip())


@pytest.mark.exhaustive
def test_make_compiles_the_model_of_the_user_with_options(spotter, tmp_path):
    folder, file = shutil.copytree(EXAMPLE, tmp_path / "keywords"), tmp_path / "a.wav"
    file.write_bytes(wav(sound(1)))
    proto = onnx.load(spotter.weights.parents[1] / "kws.onnx")
    (given,) = proto.graph.input
    given.type.tensor_type.shape.dim[0].dim_param = "batch"
    onnx.save(proto, tmp_path / "open.onnx")
    model, options = f"MODEL={tmp_path / 'open.onnx'}", f"OPTIONS=--shape {given.name}=1,49,10,1"
    tool, flags = f"AUTODEPLOY={sys.executable} -m autodeploy", "CFLAGS=" + " ".join(STRICT)
    run(["make", "-s", "-C", str(folder), model, options, tool, flags], folder)
    words = [folder / "keywords", folder / "kws" / "kws.weights", file]
    check(
        subprocess.run(words, capture_output=True, check=True).stdout,
        list(spotter.expected(sound(1), 8000)),
    )
