"""What the machine is."""

import os

import pytest

from benchmarks.machine_info import choose_cores, describe_machine, pinned


def test_the_machine_is_described():
    machine = describe_machine()
    assert machine["processor"]
    assert machine["cores"] >= 1
    assert machine["l1_bytes"] >= 4096


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity here")
def test_pinning():
    before = os.sched_getaffinity(0)
    cores = choose_cores(1)
    assert cores == [max(before)]
    with pinned(cores):
        assert os.sched_getaffinity(0) == set(cores)
    assert os.sched_getaffinity(0) == before
    with pytest.raises(ValueError, match="1000 threads need as many cores"):
        choose_cores(1000)
