"""Real-time priority: asked for once, before anything is measured."""

import os
import threading

import pytest

from benchmarks import gemm, real_time, run


@pytest.fixture
def asked(monkeypatch):
    """The threads that asked for the priority, all of which get it."""
    threads = []

    def give(thread, policy, parameter):
        threads.append(threading.get_ident())

    monkeypatch.setattr(os, "SCHED_FIFO", 1, raising=False)
    monkeypatch.setattr(os, "sched_param", lambda priority: priority, raising=False)
    monkeypatch.setattr(os, "sched_setscheduler", give, raising=False)
    return threads


@pytest.fixture
def refused(asked, monkeypatch):
    def refuse(thread, policy, parameter):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "sched_setscheduler", refuse)


def test_the_check_leaves_the_priority_of_its_caller(asked):
    real_time.check_real_time()
    assert len(asked) == 1
    assert asked[0] != threading.get_ident()


def test_a_system_without_the_priority(monkeypatch):
    monkeypatch.delattr(os, "sched_setscheduler", raising=False)
    with pytest.raises(ValueError, match="--real-time needs Linux"):
        real_time.check_real_time()


@pytest.mark.parametrize("suite", [run, gemm])
def test_a_refusal_ends_a_suite_before_it_begins(suite, refused, tmp_path, capsys):
    with pytest.raises(SystemExit) as raised:
        suite.main(["--real-time", "--output", str(tmp_path / "out")])
    assert raised.value.code == 2
    assert "--real-time is not given here (operation not permitted)" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
