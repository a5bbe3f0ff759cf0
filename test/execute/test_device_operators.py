"""Every operator on a device: the numbers are those of the oracle.

A sample of the cases is taken (``CASES=all``: all). Kernels that the device cannot run, and what
the library does, run on the processor. Kernels for CUDA are simulated.
"""

from __future__ import annotations

import pytest
from closeness import assert_close
from compiled_cases import BATCH, DEVICE_CASES, compiled_for_device
from fake_cuda import fake_cuda, needs_linux
from opencl import needs_opencl

EXHAUSTIVE = pytest.mark.exhaustive


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("device", "level"),
    [
        pytest.param("opencl", 2, marks=needs_opencl),
        pytest.param("cuda", 0, marks=needs_linux),
        pytest.param("opencl", 0, marks=[needs_opencl, EXHAUSTIVE]),
        pytest.param("opencl-amd", 2, marks=[needs_opencl, EXHAUSTIVE]),
        pytest.param("opencl-mali", 2, marks=[needs_opencl, EXHAUSTIVE]),
        pytest.param("cuda", 2, marks=[needs_linux, EXHAUSTIVE]),
    ],
)
@pytest.mark.parametrize(
    "example",
    [
        pytest.param(case, id=case.name, marks=pytest.mark.xdist_group(f"device-{number // BATCH}"))
        for number, case in enumerate(DEVICE_CASES)
    ],
)
def test_numbers_are_those_of_the_oracle(example, level, device):
    if device == "cuda":
        fake_cuda()
    with compiled_for_device(example, level, device).session() as session:
        found = session.run(example.inputs)
    for ours, theirs in zip(found.values(), example.expected, strict=True):
        assert_close(ours, theirs)
