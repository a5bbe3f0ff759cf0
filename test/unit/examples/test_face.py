"""The face detector in C: its boxes are those of onnxruntime's outputs, decoded in NumPy."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from example_programs import EXAMPLES, STRICT, Says, built_with
from PIL import Image, ImageDraw, ImageFilter
from shared_data import shared

from autodeploy import CompileOptions, compile_model
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.compiler import run

pytestmark = [pytest.mark.xdist_group("face"), pytest.mark.one_case]
"""All tests share two detectors."""

EXAMPLE = EXAMPLES / "face"
PARTS = [EXAMPLE / "detector.c", EXAMPLE / "picture.c"]
STRIDES, LEAST, OVERLAP = (8, 16, 32), 0.2, 0.3
SPOTS = [(90, 120, 60), (220, 130, 40), (285, 60, 18)]
"""Centres and radii of the faces of a picture of 320x256 pixels."""


def drawing(scale=1.0):
    """Return a picture of three faces as (height, width, 3) bytes."""
    image = Image.new("RGB", (round(320 * scale), round(256 * scale)), (70, 90, 120))
    draw = ImageDraw.Draw(image)
    parts = [
        (0, -0.35, 1.0, 1.2, (60, 40, 25)), (0, 0, 0.8, 1.1, (222, 178, 148)),
        (-0.32, -0.2, 0.17, 0.09, (245, 245, 245)), (0.32, -0.2, 0.17, 0.09, (245, 245, 245)),
        (-0.32, -0.2, 0.08, 0.09, (40, 25, 15)), (0.32, -0.2, 0.08, 0.09, (40, 25, 15)),
        (-0.32, -0.38, 0.2, 0.04, (60, 40, 25)), (0.32, -0.38, 0.2, 0.04, (60, 40, 25)),
        (0, 0.15, 0.1, 0.16, (200, 150, 120)), (0, 0.22, 0.12, 0.05, (180, 125, 100)),
        (0, 0.55, 0.28, 0.09, (180, 70, 70)),
    ]  # fmt: skip
    for x, y, radius in np.array(SPOTS) * scale:
        for right, down, wide, high, colour in parts:
            centre, half = (
                np.array([x + radius * right, y + radius * down]),
                radius * np.array([wide, high]),
            )
            draw.ellipse([*(centre - half), *(centre + half)], fill=colour)
    return np.asarray(image.filter(ImageFilter.GaussianBlur(2.4 * scale)))


def shares(size, count):
    """Return the (count, size) matrix of the means over equal parts of an axis."""
    ends, pixels = np.arange(count + 1)[:, None] * size / count, np.arange(size)
    return (
        np.clip(np.minimum(ends[1:], pixels + 1) - np.maximum(ends[:-1], pixels), 0, None)
        * count
        / size
    )


@dataclass(frozen=True)
class Detector:
    """A network, its bundle and program, and the largest width and height that it reads."""

    model: str
    says: Says
    weights: Path
    most: tuple[int, int]
    is_open: bool

    def expected(self, image):
        """Return score, box and marks of each face, (faces, 15), the best first."""
        height, width = image.shape[:2]
        scale = min(1, self.most[0] / width, self.most[1] / height)
        w, h = (max(1, int(side * scale + 0.5)) for side in (width, height))
        full_w, full_h = (-(-side // 32) * 32 for side in (w, h)) if self.is_open else self.most
        given = np.zeros((1, 3, full_h, full_w), np.float32)
        rows = np.tensordot(shares(height, h), image.astype(float), 1)
        small = np.tensordot(shares(width, w), rows, (1, 1)).transpose(2, 1, 0)
        given[0, :, :h, :w] = small[::-1]
        session = onnxruntime.InferenceSession(self.model)
        names = [output.name for output in session.get_outputs()]
        outputs = dict(zip(names, session.run(None, {"input": given}), strict=True))
        found = np.concatenate([decoded(outputs, s, full_w // s) for s in STRIDES])
        found = kept(found[found[:, 0] >= LEAST])
        found[:, 1::2] *= width / w
        found[:, 2::2] *= height / h
        return found


def decoded(outputs, stride, columns):
    cls, obj, box, marks = (
        outputs[f"{name}_{stride}"][0].astype(float) for name in ("cls", "obj", "bbox", "kps")
    )
    cell = np.arange(len(box))
    at = np.stack([cell % columns, cell // columns], axis=1)
    size = np.exp(box[:, 2:])
    score = np.sqrt(np.clip(cls, 0, 1) * np.clip(obj, 0, 1))
    places = np.hstack([at + box[:, :2] - size / 2, size, marks + np.tile(at, 5)])
    return np.hstack([score, places * stride])


def kept(found):
    """Return the best faces, each without those that it covers."""
    chosen, left = [], found[np.argsort(-found[:, 0], kind="stable")]
    while len(left):
        chosen.append(left[0])
        begin = np.maximum(left[0, 1:3], left[:, 1:3])
        end = np.minimum(left[0, 1:3] + left[0, 3:5], left[:, 1:3] + left[:, 3:5])
        both = np.prod(np.clip(end - begin, 0, None), axis=1)
        area = left[:, 3] * left[:, 4]
        left = left[both / (area[0] + area - both) <= OVERLAP]
    return np.array(chosen).reshape(-1, 15)


@pytest.fixture(scope="module", params=["fixed", "open"])
def detector(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    is_open = request.param == "open"
    path = shared(f"models/yunet/yunet_n_{'dynamic' if is_open else '320_320'}.onnx")
    dynamic = {"height": (32, 640, 32), "width": (32, 640, 32)}
    options = (
        CompileOptions(dims={"batch": 1}, dynamic=OpenSpec.of(dynamic))
        if is_open
        else CompileOptions()
    )
    compile_model(path, folder / "yunet", replace(options, name="yunet"))
    says = built_with(folder / "yunet", [EXAMPLE / "faces.c", *PARTS], folder / "faces")
    most = (640, 640) if is_open else (320, 320)
    return Detector(str(path), says, folder / "yunet" / "yunet.weights", most, is_open)


def numbers(text):
    """Return the numbers of each line, (faces, 15)."""
    found = [re.findall(r"-?\d+\.\d+", line) for line in text.decode().splitlines()]
    return np.array(found, float).reshape(-1, 15)


@pytest.mark.parametrize("scale", [1, 0.75, 2.7])
def test_boxes_are_those_of_onnxruntimes_outputs(detector, tmp_path, scale):
    """Larger pictures are made smaller, others are padded."""
    image = drawing(scale)
    Image.fromarray(image).save(tmp_path / "in.ppm")
    given = ("--score", LEAST, "--overlap", OVERLAP, detector.weights)
    found = numbers(detector.says(*given, tmp_path / "in.ppm", tmp_path / "out.ppm")[0])
    expected = detector.expected(image)
    assert found.shape == expected.shape and len(found) == len(SPOTS)
    np.testing.assert_allclose(found[:, 0], expected[:, 0], atol=2e-4)
    np.testing.assert_allclose(found[:, 1:], expected[:, 1:], atol=0.02 * max(1, scale))
    centres = sorted((box[1] + box[3] / 2) / scale for box in found)
    np.testing.assert_allclose(centres, sorted(x for x, _, _ in SPOTS), atol=6)
    out = np.asarray(Image.open(tmp_path / "out.ppm"))
    # The program draws numbers of more digits than it prints.
    least, most = (drawn(image, found + end) for end in (-0.006, 0.006))
    assert ((out == least) | (out == most)).all() and (out != image).any()


def drawn(image, faces):
    """Return a picture with frames and marks."""
    found = image.copy()

    def fill(left, top, right, bottom, colour):
        first = np.floor(np.clip([left, top], 0, None)).astype(int)
        last = np.ceil(np.clip([right, bottom], 0, None)).astype(int)
        found[first[1] : last[1], first[0] : last[0]] = colour

    for _, left, top, width, height, *marks in faces:
        right, bottom = left + width, top + height
        for frame in (
            (left, top, right, top + 2), (left, bottom - 2, right, bottom),
            (left, top, left + 2, bottom), (right - 2, top, right, bottom),
        ):  # fmt: skip
            fill(*frame, (0, 255, 0))
        for x, y in zip(marks[::2], marks[1::2], strict=True):
            fill(x - 2, y - 2, x + 2, y + 2, (255, 0, 0))
    return found


def test_gray_pictures_and_comments_are_read(detector, tmp_path):
    gray = np.asarray(Image.fromarray(drawing()).convert("L"))
    (tmp_path / "a.pgm").write_bytes(b"P5 # gray\n#\n320 256\n# one\n255\n" + gray.tobytes())
    Image.fromarray(np.stack([gray] * 3, axis=2)).save(tmp_path / "b.ppm")
    one, other = (
        detector.says(detector.weights, tmp_path / name, tmp_path / "out.ppm")[0]
        for name in ("a.pgm", "b.ppm")
    )
    assert one == other and len(numbers(one)) >= 2


def test_pictures_follow_each_other_and_may_have_no_face(detector, tmp_path):
    Image.fromarray(drawing()).save(tmp_path / "faces.ppm")
    Image.new("RGB", (7, 500)).save(tmp_path / "none.ppm")
    faces, none, out = (tmp_path / name for name in ("faces.ppm", "none.ppm", "out.ppm"))
    once = detector.says(detector.weights, faces, out)[0]
    assert detector.says(detector.weights, none, out)[0] == b""
    assert out.read_bytes() == none.read_bytes()
    assert detector.says(detector.weights, faces, out, none, out, faces, out)[0] == once * 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no PPM"),
        (b"P4 8 8\n", "is no PPM"),
        (b"P6 8 x 255\n", "is no PPM"),
        (b"P6 -8 8 255\n" + bytes(192), "is no PPM"),
        (b"P6 8 8 65535\n" + bytes(400), "largest value"),
        (b"P6 99999 99999 255\n", "too large"),
        (b"P6 8 8 255\n" + bytes(191), "ends too early"),
    ],
)
def test_a_damaged_picture_is_one_line(detector, tmp_path, content, said):
    (tmp_path / "x.ppm").write_bytes(content)
    out, error = detector.says(detector.weights, tmp_path / "x.ppm", tmp_path / "y.ppm", status=1)
    assert out == b"" and error.count("\n") == 1 and said in error
    assert not (tmp_path / "y.ppm").exists()


def test_other_mistakes_are_one_line(detector, tmp_path):
    Image.new("RGB", (8, 8)).save(tmp_path / "in.ppm")
    nowhere = tmp_path / "nowhere"
    for given, said in (
        ((), "expected"),
        ((detector.weights, "a"), "expected"),
        (("--scores", "1", detector.weights, "a", "b"), "expected"),
        ((detector.weights, nowhere, "b"), "cannot be opened"),
        ((detector.weights, tmp_path / "in.ppm", nowhere / "x"), "cannot be written"),
        ((nowhere, tmp_path / "in.ppm", tmp_path / "out.ppm"), "cannot be opened"),
    ):
        error = detector.says(*given, status=1)[1]
        assert error.startswith("faces: error: ") and error.count("\n") == 1 and said in error


COUNTED = r"""
#include "detector.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes) { ++calls; return __real_malloc(bytes); }
void *__wrap_calloc(size_t count, size_t bytes) { ++calls; return __real_calloc(count, bytes); }

typedef struct { face_detector *detector; const picture *image; face found[9]; int count; } job;

static void *work(void *of)
{
    job *const self = (job *)of;
    char message[99];
    self->count = face_detector_run(
        self->detector, self->image, 0.2, 0.3, self->found, 9, message, 99);
    return NULL;
}

int main(int count, char **words)
{
    static job jobs[3];
    pthread_t threads[3];
    char message[99];
    picture image;
    int i, before, first;
    if (count != 3 || picture_read(&image, words[2], message, sizeof message)) return 1;
    for (i = 0; i < 3; ++i) {
        jobs[i].image = &image;
        jobs[i].detector = face_detector_new(words[1], message, sizeof message);
    }
    first = before = calls;
    work(&jobs[0]);
    printf("%d before, %d in a run\n", before > 0, calls - before);
    for (i = 0; i < 3; ++i) if (pthread_create(&threads[i], NULL, work, &jobs[i]) != 0) return 2;
    for (i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    for (i = 1; i < 3; ++i) {
        const int differs = memcmp(jobs[i].found, jobs[0].found, sizeof jobs[0].found);
        if (jobs[i].count != 3 || differs) return 3;
    }
    for (i = 0; i < 3; ++i) face_detector_free(jobs[i].detector);
    free(image.pixels);
    return first != before;
}
"""


def test_a_run_allocates_nothing_and_threads_share_nothing(detector, tmp_path):
    (tmp_path / "counted.c").write_text(COUNTED)
    Image.fromarray(drawing()).save(tmp_path / "in.ppm")
    wrap = ("-O1", "-Wl,--wrap=malloc,--wrap=calloc", f"-I{EXAMPLE}")
    bundle = detector.weights.parent
    says = built_with(bundle, [tmp_path / "counted.c", *PARTS], tmp_path / "counted", flags=wrap)
    assert says(detector.weights, tmp_path / "in.ppm")[0] == b"1 before, 0 in a run\n"


def test_another_network_is_refused(tmp_path):
    compile_model(
        EXAMPLES / "mnist" / "mnist.onnx", tmp_path / "yunet", CompileOptions(name="yunet")
    )
    says = built_with(tmp_path / "yunet", [EXAMPLE / "faces.c", *PARTS], tmp_path / "faces")
    error = says(tmp_path / "yunet" / "yunet.weights", "a", "b", status=1)[1]
    assert error == "faces: error: the network is not of the YuNet family\n"


@pytest.mark.exhaustive
def test_make_compiles_the_model_of_the_user(tmp_path):
    model = shared("models/yunet/yunet_n_320_320.onnx")
    folder = shutil.copytree(EXAMPLE, tmp_path / "face")
    image, out = tmp_path / "in.ppm", tmp_path / "out.ppm"
    Image.fromarray(drawing()).save(image)
    tool = f"AUTODEPLOY={sys.executable} -m autodeploy"
    run(
        ["make", "-s", "-C", str(folder), f"MODEL={model}", tool, "CFLAGS=" + " ".join(STRICT)],
        folder,
    )
    command = [folder / "faces", folder / "yunet" / "yunet.weights", image, out]
    done = subprocess.run(command, capture_output=True, check=True)
    assert len(numbers(done.stdout)) == len(SPOTS)
