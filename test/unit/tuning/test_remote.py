"""Searches on workers: one that is killed, one that is slow, one whose results are wrong."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from tuning_tasks import DIGITS, digits, one_convolution

import autodeploy
from autodeploy.diagnostics import UserError, WorkerWarning
from autodeploy.records.record_file import read_records
from autodeploy.runner.in_turn import Program, RunResult
from autodeploy.runner.program import Job
from autodeploy.runner.worker import Answer, Tls
from autodeploy.tuning.cluster import Cluster, Failed
from autodeploy.tuning.harness import RESULTS
from autodeploy.tuning.measurer import Measurer
from autodeploy.tuning.remote import RemoteMeasurer, agreed
from autodeploy.tuning.server import Request

distributed = pytest.importorskip("distributed")

MACHINE = "x86-64-avx2"
SCRIPT = Path(__file__).parents[2] / "support" / "odd_worker.py"


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Start a scheduler without workers; return its address."""
    with distributed.LocalCluster(
        n_workers=0, processes=False, dashboard_address=":0", protocol="tcp", host="127.0.0.1"
    ) as cluster:
        yield cluster.scheduler_address


@contextmanager
def workers(
    scheduler: str, *defects: str, machine: str, options: Sequence[str] = ()
) -> Generator[list[subprocess.Popen[str]]]:
    """Start a worker for each defect, and wait until all have connected."""
    script = str(SCRIPT)
    command = ("--scheduler", scheduler, "--machine", machine)
    started = [
        subprocess.Popen(
            [sys.executable, script, defect, *command, *options, "--name", f"{defect}{number}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for number, defect in enumerate(defects)
    ]
    try:
        for worker in started:
            assert worker.stdout is not None
            assert worker.stdout.readline().startswith("worker for machine")
        yield started
    finally:
        for worker in started:
            worker.kill()
            worker.communicate()


@pytest.mark.exhaustive
def test_a_search_survives_workers_with_defects(scheduler: str, tmp_path: Path) -> None:
    file = tmp_path / "tune.jsonl"
    with (
        workers(scheduler, "sound", "slow", "wrong", "dying", machine="host") as started,
        pytest.warns(WorkerWarning) as told,
    ):
        found = autodeploy.tune(
            one_convolution(), records=file, trials=11, tuner="random", level=2, scheduler=scheduler
        )
        assert started[3].wait(120) < 0
        assert all(worker.poll() is None for worker in started[:3])
    records = read_records(file)
    trials = [record for record in records if record.kind == "trial"]
    assert len(trials) == found.trials == 11
    assert not any("wrong" in (record.error or "") for record in trials)
    (task,) = found.tasks
    chosen = "rule" if task.seconds == task.rule_seconds else task.config
    assert [record.config for record in records if record.kind == "choice"] == [chosen]
    assert [str(one.message).split("rule's config are")[1][:6] for one in told] == [" wrong"]


@pytest.mark.exhaustive
def test_the_majority_is_right(scheduler: str, tmp_path: Path) -> None:
    task = digits().tasks[1]
    digits().save(task, tmp_path)
    rule = str(task.rule)
    with (
        workers(scheduler, "sound", "wrong", "sound", machine=MACHINE),
        Measurer(tmp_path) as local,
        Cluster(scheduler, MACHINE) as cluster,
        pytest.warns(WorkerWarning, match="is not used: its results .* are wrong"),
    ):
        measurer = RemoteMeasurer(local, cluster, runs_here=False)
        (outcome,) = measurer.outcomes(Request(task.kernel, (rule,), reference=True))
        assert outcome.error is None
        assert outcome.processor
        request = Request(task.kernel, (rule, "#nn.config<gemm>", rule), jobs=2)
        found = {outcome.index: outcome for outcome in measurer.outcomes(request)}
        assert sorted(found) == [0, 1, 2]
        assert found[0].error is None is found[2].error
        assert str(found[1].error).startswith("build: ")
        request = Request(task.kernel, (rule, rule), rounds=3, jobs=2)
        assert [len(outcome.costs) for outcome in measurer.outcomes(request)] == [3, 3]


@pytest.mark.exhaustive
def test_two_workers_that_disagree_are_reported(scheduler: str, tmp_path: Path) -> None:
    task = digits().tasks[1]
    digits().save(task, tmp_path)
    with (
        workers(scheduler, "sound", "wrong", machine=MACHINE),
        Measurer(tmp_path) as local,
        Cluster(scheduler, MACHINE) as cluster,
    ):
        measurer = RemoteMeasurer(local, cluster, runs_here=False)
        request = Request(task.kernel, (str(task.rule),), reference=True)
        with pytest.raises(UserError, match="compute different results, and none can tell"):
            list(measurer.outcomes(request))


def test_a_failure_of_a_worker_has_a_reason(scheduler: str) -> None:
    with workers(scheduler, "sound", machine="m"), Cluster(scheduler, "m") as cluster:
        program = Program(Job(("a",), 5.0, 1 << 30), {"a": b"no program"})
        running = [cluster.run([program], 1, cluster.workers())]
        _, found = cluster.next(running)
        assert not isinstance(found, Failed)
        assert found.ran == [RunResult((), {}, "it cannot be started: Exec format error")]


def test_a_worker_that_hangs_is_given_up(scheduler: str) -> None:
    with workers(scheduler, "sound", machine="h") as (worker,):
        with Cluster(scheduler, "h", patience=1.0) as cluster:
            worker.send_signal(19)  # SIGSTOP: alive, and silent
            running = [cluster.run([], 1, cluster.workers())]
            start = time.monotonic()
            _, found = cluster.next(running)
            assert isinstance(found, Failed)
            assert "no worker has answered" in found.reason
            assert time.monotonic() - start < 60
        worker.send_signal(18)


@pytest.mark.exhaustive
def test_a_missing_worker_or_scheduler_is_reported(scheduler: str, tmp_path: Path) -> None:
    with (
        Cluster(scheduler, "none", patience=0.1) as cluster,
        pytest.raises(UserError, match=r"no worker for machine 'none' .* autodeploy worker --sch"),
    ):
        cluster.wait_for_workers()
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        with pytest.raises(UserError, match="no scheduler at"):
            autodeploy.tune(DIGITS, records=tmp_path / "a", trials=1, scheduler=address)
    with pytest.raises(UserError, match="it is the worker that takes '--launch'"):
        autodeploy.tune(
            DIGITS, records=tmp_path / "b", trials=1, scheduler=scheduler, launch="nice"
        )
    with pytest.raises(UserError, match="'--overlap' is how it is always done"):
        autodeploy.tune(DIGITS, records=tmp_path / "b", trials=1, scheduler=scheduler, overlap=True)


def test_agreement_needs_a_majority() -> None:
    def ran(value: int) -> RunResult:
        return RunResult(("1",), {RESULTS: bytes([value])})

    results = (("uint8", 1),)
    assert agreed({"a": ran(1), "b": ran(9), "c": ran(9)}, results) == bytes([9])
    assert agreed({"a": RunResult((), {}, "died")}, results) == b""
    with pytest.raises(UserError, match="'a' and 'b'"):
        agreed({"a": ran(1), "b": ran(9)}, results)


def test_with_tls_only_clients_with_a_certificate_take_part(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("certificates are made by openssl")
    key, cert = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    made = (
        f"req -x509 -newkey rsa:2048 -nodes -keyout {key} -out {cert} -days 1 -subj /CN=localhost"
    )
    subprocess.run([openssl, *made.split()], check=True, capture_output=True)
    tls = Tls(cert, cert, key)
    options = ("--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key)
    scheduler_tls = distributed.Security(
        tls_ca_file=cert,
        tls_scheduler_cert=cert,
        tls_scheduler_key=key,
        require_encryption=True,
        tls_client_cert=cert,
        tls_client_key=key,
    )
    with distributed.LocalCluster(
        n_workers=0,
        processes=False,
        dashboard_address=":0",
        protocol="tls",
        host="127.0.0.1",
        security=scheduler_tls,
    ) as local:
        address = local.scheduler_address
        with (
            workers(address, "sound", machine="t", options=options),
            Cluster(address, "t", tls) as cluster,
        ):
            running = [cluster.run([], 1, cluster.workers())]
            _, found = cluster.next(running)
            assert isinstance(found, Answer)
            assert found.worker.startswith("tls://")
        with pytest.raises(UserError, match="no scheduler at"):
            Cluster(address, "t")
