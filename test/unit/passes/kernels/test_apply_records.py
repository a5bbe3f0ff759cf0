"""Records become configs: those of the same kernel, machine and version, and no others silently."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from made_records import PRODUCT, TRIAL, trial
from shipped_records import ship
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.parser import Parser
from xdsl.passes import ModulePass

from autodeploy.diagnostics import RecordsWarning
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.registry import new_context
from autodeploy.passes.kernels.apply_records import RECORDS_ATTRIBUTE, ApplyRecordsPass
from autodeploy.passes.kernels.configure_kernels import ConfigureKernelsPass
from autodeploy.passes.kernels.set_machine import SetMachinePass
from autodeploy.records.record import Record
from autodeploy.records.record_file import append_records
from autodeploy.records.signature import signature

GEMM = "#nn.config<gemm, tile = [8, 3], pack = [], block = [2], fetch = []>"


def _apply(
    path: Path, *records: Record, machine: str = "x86-64-avx2", shipped: bool = False
) -> str:
    """Return the config of the product's kernel behind the pass, as text."""
    append_records(path, [*records, trial(1e-6, kernel="another")])
    return str(_kernel(_applied(ApplyRecordsPass(str(path), shipped=shipped), machine)).config)


def _applied(step: ModulePass, machine: str = "x86-64-avx2") -> ModuleOp:
    context = new_context()
    module = Parser(context, PRODUCT).parse_module()
    SetMachinePass(machine=machine).apply(context, module)
    step.apply(context, module)
    return module


def _kernel(module: ModuleOp) -> KernelOp:
    return next(op for op in module.walk() if isinstance(op, KernelOp))


DIGEST = signature(_kernel(Parser(new_context(), PRODUCT).parse_module()))


def test_the_best_config_is_taken(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = _apply(
            tmp_path / "a.jsonl",
            trial(3e-6, kernel=DIGEST, config="#nn.config<plain>"),
            trial(2e-6, kernel=DIGEST, config=GEMM),
        )
    assert found == GEMM


def test_a_choice_of_the_rule_leaves_a_kernel_to_the_rules(tmp_path: Path) -> None:
    """It holds no config that rules of later will not choose."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = _apply(
            tmp_path / "a.jsonl",
            trial(2e-6, kernel=DIGEST, config=GEMM),
            trial(1e-6, kernel=DIGEST, config="rule", kind="choice"),
        )
    assert found == "None"


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (trial(1e-6, kernel=DIGEST, config=GEMM, machine="x"), "only for another machine"),
        (trial(1e-6, kernel=DIGEST, config=GEMM, versions={}), "only for another version"),
        (trial(1e-6, kernel=DIGEST, config="#nn.config<gemv>"), "template gemv is not for"),
        (
            trial(1e-6, kernel=DIGEST, config="#nn.config<gemm, tile = [9, 9]>"),
            "knob tile of gemm is one of",
        ),
        (trial(1e-6, kernel=DIGEST, config="#nn.config<none>"), "unknown template 'none'"),
    ],
)
def test_records_that_are_not_applied_are_reported(
    record: Record, reason: str, tmp_path: Path
) -> None:
    with pytest.warns(RecordsWarning, match=f"not applied to 1 kernel .*{reason}"):
        assert _apply(tmp_path / "a.jsonl", record) == "None"


def test_another_machine_takes_nothing(tmp_path: Path) -> None:
    record = trial(1e-6, kernel=DIGEST, config=GEMM)
    with pytest.warns(RecordsWarning, match="only for another machine"):
        assert _apply(tmp_path / "a.jsonl", record, machine="x86-64-avx2:l2=1M") == "None"


def test_a_file_of_other_kernels_is_reported(tmp_path: Path) -> None:
    with pytest.warns(RecordsWarning, match="have nothing for the kernels of this model"):
        assert _apply(tmp_path / "a.jsonl", TRIAL) == "None"


RULE = trial(2e-6, kernel=DIGEST, config=str(_kernel(_applied(ConfigureKernelsPass())).config))
CHOICE = trial(1e-6, kernel=DIGEST, config=GEMM, kind="choice", versions={"autodeploy": "0"})


@pytest.mark.filterwarnings("error")
def test_shipped_records_are_taken_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, tmp_path, RULE, CHOICE)
    module = _applied(ApplyRecordsPass(shipped=True))
    assert str(_kernel(module).config) == GEMM != RULE.config
    assert module.attributes[RECORDS_ATTRIBUTE] == StringAttr("x86-64-avx2: 1 kernel")
    assert str(_kernel(_applied(ApplyRecordsPass())).config) == "None"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("rule", "config", "machine"),
    [
        ("#nn.config<gemm, tile = [8, 2]>", GEMM, "x86-64-avx2"),  # compared with something else
        (RULE.config, "#nn.config<gemv>", "x86-64-avx2"),  # for other kernels
        (RULE.config, "#nn.config<gemm, tile = [9, 9]>", "x86-64-avx2"),
        (RULE.config, "#nn.config<gemm, none = [1]>", "x86-64-avx2"),
        (RULE.config, "#nn.config<none>", "x86-64-avx2"),
        (RULE.config, GEMM, "x86-64-avx2:cores=2"),
        (RULE.config, GEMM, "x86-64-avx512"),
    ],
)
def test_shipped_records_that_do_not_fit_are_ignored(
    rule: str, config: str, machine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, tmp_path, replace(RULE, config=rule), replace(CHOICE, config=config))
    module = _applied(ApplyRecordsPass(shipped=True), machine)
    assert str(_kernel(module).config) == "None"
    assert RECORDS_ATTRIBUTE not in module.attributes


def test_a_file_of_the_user_comes_before_shipped_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, tmp_path, RULE, CHOICE)
    plain = trial(1e-6, kernel=DIGEST, config="#nn.config<plain>")
    taken = _apply(tmp_path / "own.jsonl", plain, shipped=True)
    assert taken.startswith("#nn.config<plain, ")
    by_rule = trial(1e-6, kernel=DIGEST, config="rule", kind="choice")
    assert _apply(tmp_path / "rule.jsonl", by_rule, shipped=True) == "None"
    with pytest.warns(RecordsWarning, match="have nothing for the kernels"):
        assert _apply(tmp_path / "other.jsonl", shipped=True) == GEMM
    with pytest.warns(RecordsWarning, match="another version"):
        old = replace(plain, versions={})
        assert _apply(tmp_path / "old.jsonl", old, shipped=True) == GEMM
