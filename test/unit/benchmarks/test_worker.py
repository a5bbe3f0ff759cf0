"""An engine in a process of its own."""

import dataclasses
import os
from pathlib import Path

import numpy as np
import pytest

from benchmarks.models import provide, read_catalogue
from benchmarks.peers import PACKAGES, missing_packages
from benchmarks.worker import Worker, WorkerError

CORE = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0


@pytest.fixture
def model(tmp_path):
    return provide("digit", read_catalogue()["digit"], tmp_path)


@pytest.fixture
def worker(model, tmp_path):
    with Worker("onnxruntime", model, [CORE], tmp_path / "work") as worker:
        yield worker


def test_a_network_is_loaded_and_run(worker, model):
    worker.load()
    seconds, processor_seconds = worker.run(3)
    assert seconds > 0
    assert processor_seconds > 0
    assert worker.version == __import__("onnxruntime").__version__
    assert worker.load_seconds > 0
    outputs = worker.outputs()
    assert {name: array.shape for name, array in outputs.items()} == {"logits": (1, 10)}
    assert np.array_equal(worker.outputs_of(model)["logits"], outputs["logits"])
    assert worker.program(0.1) == {}


@pytest.mark.exhaustive
def test_both_engines_agree(worker, model, tmp_path):
    worker.load()
    worker.run(1)
    with Worker("autodeploy", model, [CORE], tmp_path / "ours") as ours:
        ours.load()
        seconds, _ = ours.run(10)
        assert seconds > 0
        expected, found = worker.outputs()["logits"], ours.outputs()["logits"]
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
        times = ours.program(0.01)
        assert 0 < times["minimum"] <= times["median"]


def test_a_network_that_is_not_there(model, tmp_path):
    missing = dataclasses.replace(model, path=Path("none.onnx"))
    with Worker("onnxruntime", missing, [CORE], tmp_path) as worker:
        with pytest.raises(WorkerError, match=r"none\.onnx"):
            worker.load()
        log = (tmp_path / "output.log").read_text()
        assert "Traceback" in log


def test_a_question_too_early(worker):
    with pytest.raises(WorkerError, match="the network is not loaded"):
        worker.run(1)


def test_a_process_that_dies(worker):
    worker.load()
    worker._process.kill()
    with pytest.raises(WorkerError, match="the process ended by SIGKILL"):
        worker.run(1)


def test_a_process_that_is_silent(worker):
    with pytest.raises(WorkerError, match="no answer to 'load' within 0 s"):
        worker._ask("load", seconds=0.0)


def test_closing_twice(worker):
    worker.close()
    worker.close()
    with pytest.raises(WorkerError, match="the process ended"):
        worker.run(1)


def test_missing_packages(monkeypatch):
    assert missing_packages("onnxruntime") == []
    monkeypatch.setitem(PACKAGES, "onnxruntime", ("numpy", "no_such_engine"))
    assert missing_packages("onnxruntime") == ["no_such_engine"]
