"""``tune``: search for the configs by which a model runs fastest on this machine."""

from __future__ import annotations

import math
import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import numpy.typing as npt

from autodeploy.compiler import CompileOptions
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.frontend.models import AnyModel, source_of
from autodeploy.machine import Machine
from autodeploy.pipelines import DEFAULT_LEVEL
from autodeploy.records.record_file import append_records, records_path, remove_if_empty
from autodeploy.runner.worker import Tls
from autodeploy.toolchain.compiler import find_c_compiler
from autodeploy.tuning.cluster import Cluster
from autodeploy.tuning.confirmation import Confirmed, confirm, finalists
from autodeploy.tuning.measurer import Measurer, Measures
from autodeploy.tuning.merges import Merges, MergeSearch
from autodeploy.tuning.network_timer import NetworkTimer
from autodeploy.tuning.remote import RemoteMeasurer
from autodeploy.tuning.search import Budget, Callback, End, Progress, Search
from autodeploy.tuning.task import extract_tasks
from autodeploy.tuning.tuner import TunerName, check_tuner

_SECONDS_A_TASK = 15
"""Seconds, about, that the end of a search takes for each task that has a faster config."""

_END = 0.4
"""The largest share of the time that is kept for the end."""

_TRIALS_A_NETWORK = 20
"""Trials of a search for each network that is measured with other fusions, and at the end for each
kernel whose configs are exchanged in the network."""

_MERGE_SHARE = 0.2
"""The share of the time in which networks with other fusions are measured."""

_SECONDS_A_RUN = 0.2
"""Assumed run time before the first measurement; a multiple of it is the timeout."""


@dataclass(frozen=True)
class TaskResult:
    """The result for a kernel: seconds a call by the rule's config and by the chosen one."""

    title: str
    count: int
    trials: int
    rule_seconds: float
    seconds: float
    config: str


@dataclass(frozen=True)
class Tuning:
    """The result of a search; ``network_gain`` is the speedup of the network.

    ``merges`` says which kernels became one, or were taken apart, in words.
    """

    tasks: Sequence[TaskResult]
    trials: int
    network_gain: float
    merges: Sequence[str] = ()


def tune(
    model: AnyModel,
    *,
    records: str | Path,
    trials: int | None = None,
    minutes: float | None = None,
    tuner: str | None = None,
    seed: int = 0,
    early_stopping: int | None = None,
    callback: Callback = lambda progress: None,
    level: int = DEFAULT_LEVEL,
    machine: str = "host",
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, npt.ArrayLike] | None = None,
    bounds: Mapping[str, int] | None = None,
    operators: str | Path | None = None,
    precision: str | None = None,
    threads: int = 1,
    launch: str = "",
    overlap: bool = False,
    scheduler: str | None = None,
    tls: Tls | None = None,
) -> Tuning:
    """Measure configs of the kernels of a model on this machine, and append them to a file.

    ``compile`` with the same ``records`` takes the best of them. The search ends after a number of
    ``trials`` or of ``minutes``, and one of both must be given; a kernel gets no more trials after
    ``early_stopping`` of them without a gain. ``tuner`` is ``xgb``, ``ga``, ``random`` or ``grid``;
    ``None`` is ``xgb`` where xgboost is installed, else ``ga``. ``callback`` is called with a
    ``Progress`` whenever something was measured. The other options are those of ``compile``.

    ``launch`` are words before each measured program. With ``overlap`` others are compiled
    meanwhile, which is for a ``launch`` that keeps programs to a core of their own. With
    ``scheduler``, the address of one of Dask's, programs run on its workers for ``machine`` instead
    of here (``autodeploy worker`` starts one), over connections by ``tls`` where it is given.

    Each trial is in the file as soon as it is measured: a search that is interrupted loses nothing,
    and another one goes on from there. Raises ``UserError`` if the model or an option is wrong.
    """
    if trials is None and minutes is None:
        raise UserError("a search needs a number of trials or of minutes")
    if (trials is not None and trials < 1) or (minutes is not None and not minutes > 0):
        raise UserError("trials are at least 1, and minutes more than 0")
    source = source_of(model)
    name = check_tuner(tuner or default_tuner())
    compiler = check_machine(machine, scheduler)
    if launch and scheduler is not None:
        raise UserError("with a scheduler it is the worker that takes '--launch'")
    if overlap and scheduler is not None:
        raise UserError("with a scheduler '--overlap' is how it is always done")
    path = records_path(records)
    is_new = not path.exists()
    append_records(path, [])  # a file that cannot be written is told before any work
    options = CompileOptions(
        level=level,
        machine=machine,
        shapes=shapes or {},
        dims=dims or {},
        values=values or {},
        bounds=bounds or {},
        operators=operators,
        precision=precision,
        threads=threads,
    )
    with ExitStack() as stack:
        if is_new:
            stack.callback(remove_if_empty, path)
        merge_search = MergeSearch(source, options, path)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="autodeploy-tune-"))
        local = stack.enter_context(
            Measurer(Path(folder), compiler, _words(launch), overlap=overlap)
        )
        measurer: Measures = local
        if scheduler is not None:
            tag = Machine.parse(machine).name
            cluster = stack.enter_context(Cluster(scheduler, tag, tls))
            measurer = RemoteMeasurer(local, cluster, _obstacle(machine) is None)
        start = time.monotonic()
        merges = _search_merges(
            merge_search,
            NetworkTimer(measurer, source, options, _SECONDS_A_RUN, compiler),
            Budget(
                None if trials is None else trials // _TRIALS_A_NETWORK,
                None if minutes is None else minutes * 60 * _MERGE_SHARE,
            ),
            callback,
        )
        network = extract_tasks(source, replace(options, records=path))
        search = Search(network, measurer, path, callback)
        search.measure_rules()
        spent = Budget(merges.measured, time.monotonic() - start)
        budget = _budget(trials, minutes, early_stopping, spent)
        search.run(name, budget, seed)
        timer = NetworkTimer(measurer, source, options, search.seconds, compiler)
        exchanges = Budget(
            None if trials is None else trials // _TRIALS_A_NETWORK,
            None if minutes is None else minutes * 60 - (search.start - start),
        )
        found = confirm(search, finalists(search), timer, merges.records, exchanges)
        append_records(path, [choice.record() for choice in found.choices])
    return _result(search, found, merges)


def _search_merges(
    search: MergeSearch, timer: NetworkTimer, budget: Budget, callback: Callback
) -> Merges:
    """Search which kernels become one, and tell the callback what is measured."""
    start = time.monotonic()

    def report(doing: str) -> None:
        callback(Progress((), 0, time.monotonic() - start, doing))

    end = math.inf if budget.seconds is None else start + budget.seconds
    return search.run(timer, math.inf if budget.trials is None else budget.trials, end, report)


def default_tuner() -> TunerName:
    """Return the tuner that is used where none is named."""
    return "xgb" if find_spec("xgboost") is not None else "ga"


def check_machine(text: str, scheduler: str | None = None) -> Sequence[str]:
    """Return the C compiler for a machine, nothing for this one's.

    Raises ``UserError`` if kernels cannot be measured here and there is no scheduler,
    if a page runs them, ``ToolchainError`` if the compiler is missing.
    """
    if Machine.parse(text).is_page:
        raise UserError(f"kernels for the page of machine '{text}' are not tuned")
    obstacle = _obstacle(text)
    if obstacle is None:
        return ()
    if scheduler is None:
        raise UserError(f"kernels for machine '{text}' cannot be measured here: {obstacle}")
    known = Machine.parse(text).compiler
    if os.environ.get("CC") or known is None:
        return find_c_compiler()
    command = shlex.split(known.command)
    if shutil.which(command[0]) is None:
        raise ToolchainError(
            f"programs for machine '{text}' take the C compiler '{command[0]}', which is missing; "
            "name another one in $CC, such as 'zig cc -target aarch64-linux-musl'"
        )
    return command


def _obstacle(machine: str) -> str | None:
    return Machine.host().obstacle(Machine.parse(machine))


def _words(launch: str) -> list[str]:
    try:
        return shlex.split(launch)
    except ValueError as error:
        raise UserError(f"the command of '--launch' is malformed: {error}") from None


def _budget(
    trials: int | None, minutes: float | None, early_stopping: int | None, spent: Budget
) -> Budget:
    """Return what is left for the kernels, when trials and seconds were spent on merges."""
    assert spent.trials is not None and spent.seconds is not None
    left = None if trials is None else trials - spent.trials
    if minutes is None:
        return Budget(left, None, early_stopping)
    seconds = minutes * 60
    end = End(_SECONDS_A_TASK, seconds * _END)
    return Budget(left, seconds - spent.seconds, early_stopping, end)


def _result(search: Search, found: Confirmed, merges: Merges) -> Tuning:
    tasks = [
        TaskResult(
            choice.state.task.title,
            choice.state.task.count,
            len(choice.state.bests),
            min(choice.rule_costs),
            min(choice.costs),
            str(choice.config),
        )
        for choice in found.choices
    ]
    trials = search.trials + merges.measured
    texts = [f"{record.config}: {record.title}" for record in merges.records]
    return Tuning(tasks, trials, merges.gain * found.network_gain, texts)
