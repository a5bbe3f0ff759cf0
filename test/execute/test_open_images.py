"""Images with an open width, or an open height and width, against onnxruntime.

ONNX's reference is not asked: it refuses a window that is wider than the image, however it is
padded.
"""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from open_images import pyramid
from open_inner import drawn
from open_runs import compiled

from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.compiler import run_make
from autodeploy.toolchain.session import load_bundle
from autodeploy.tools.tensor_files import read_inputs


@pytest.mark.exhaustive
def test_numbers_between_the_steps_are_refused(tmp_path):
    spec = OpenSpec(("n",), 16, 48, 16)
    model = compiled(pyramid, spec, tmp_path / "b")
    with load_bundle(tmp_path / "b") as session:
        text = "extent 'n' of 'pyramid' is from 16 to 48 in steps of 16, found 40"
        with pytest.raises(UserError, match=text):
            session.run(drawn(model, 40))
        np.save(tmp_path / "x.npy", drawn(model, 40)["x"])
        image = drawn(model, 32)["x"]
        image.tofile(tmp_path / "x.bin")
        # The size of a file says the number, though it grows with the square of it.
        inputs = read_inputs(session.inputs, [str(tmp_path / "x.bin")], extents=session.extents)
        np.testing.assert_array_equal(inputs["x"], image)
    command = [tmp_path / "b" / "pyramid", tmp_path / "b" / "pyramid.weights", tmp_path / "x.npy"]
    run_make(tmp_path / "b", [])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "extent n is from 16 to 48 in steps of 16" in done.stderr


def test_a_range_is_of_multiples_of_its_step():
    with pytest.raises(UserError, match="begins and ends with multiples of its step"):
        OpenSpec(("n",), 16, 40, 16)
