"""A sample of the networks of `run.py` on a device."""

from __future__ import annotations

from pathlib import Path

import pytest
from networks import Placed, placed, placed_published
from opencl import needs_opencl
from published import PUBLISHED
from shared_data import shared

from benchmarks.models import provide, read_catalogue


@needs_opencl
@pytest.mark.exhaustive
@pytest.mark.xdist_group("device-networks")
@pytest.mark.parametrize(
    ("name", "device"),
    [
        *(("digit", "opencl"), ("squeezenet", "opencl"), ("digit", "opencl-intel")),
        *(("resnet18", "opencl-mali"), ("mobilenetv2", "opencl-adreno"), ("digit", "opencl-amd")),
    ],
)
def test_a_network_is_on_the_device_and_right(name: str, device: str, tmp_path: Path):
    model = provide(name, read_catalogue()[name], tmp_path)
    found = placed(model, device, tmp_path / "b")
    assert found.is_right
    assert (found.on_device, found.to_device, found.from_device) == (found.kernels, 1, 1)


@needs_opencl
@pytest.mark.exhaustive
@pytest.mark.xdist_group("device-networks")
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_network_is_on_the_device_and_right(name: str, tmp_path: Path):
    network = PUBLISHED[name]
    found = placed_published(network, shared(network.file), "opencl", tmp_path / "b")
    assert found.is_right, found


@pytest.mark.parametrize(("error", "again", "on_device"), [(1e-3, 0, 100), (0, 1, 100), (0, 0, 97)])
def test_what_is_wrong_is_seen(error: float, again: int, on_device: int):
    assert Placed(100, 100, 1, 1, 0, 0.0).is_right
    assert not Placed(100, on_device, 1, 1, again, error).is_right


def test_kernels_of_the_processor_have_reasons():
    reason = "it is in a loop or a choice"
    assert Placed(100, 50, 1, 1, 0, 0.0, (reason,) * 50).is_right
    assert not Placed(100, 50, 1, 1, 0, 0.0, ("the device has no f64",) * 50).is_right
    assert not Placed(100, 99, 1, 1, 0, 0.0, (None,)).is_right
