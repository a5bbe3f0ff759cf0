"""A sample of random models, each in one form; `make fuzz` draws many more, in all forms."""

from __future__ import annotations

from functools import partial

import pytest
from fake_cuda import needs_linux
from fuzz_campaign import BATCH, DEVICE, device_form, one_form, run_cases
from fuzz_numbers import MOODS, NORMAL
from opencl import needs_opencl
from webgpu import needs_webgpu

COUNT = 120
SEED = 8


@pytest.mark.exhaustive
def test_no_sampled_model_is_wrong():
    results = dict(run_cases(SEED, range(COUNT), one_form))
    assert len(results) == COUNT
    wrong = {name: result.failures for name, result in results.items() if result.failures}
    assert wrong == {}
    assert sum(bool(result.refused) for result in results.values()) < COUNT / 10
    assert sum(result.open_share for result in results.values()) < COUNT / 4


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "device",
    [
        pytest.param("opencl", marks=needs_opencl),
        pytest.param("cuda", marks=needs_linux),
        pytest.param("webgpu", marks=needs_webgpu),
    ],
)
def test_no_sampled_model_is_wrong_on_a_device(device: str):
    count = BATCH * len(DEVICE[device])
    moods = NORMAL if device == "webgpu" else MOODS
    forms = partial(device_form, device=device)
    results = dict(run_cases(SEED, range(count), forms, moods=moods))
    assert len(results) == count
    assert {name: result.failures for name, result in results.items() if result.failures} == {}
