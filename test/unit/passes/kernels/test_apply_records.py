"""Records become configs: those of the same kernel, machine and version, and no others silently."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from made_records import PRODUCT, TRIAL, trial
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from autodeploy.diagnostics import RecordsWarning
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.registry import new_context
from autodeploy.passes.kernels.apply_records import ApplyRecordsPass
from autodeploy.passes.kernels.set_machine import SetMachinePass
from autodeploy.records.record import Record
from autodeploy.records.record_file import append_records
from autodeploy.records.signature import signature

GEMM = "#nn.config<gemm, tile = [8, 3], pack = [], block = [2], fetch = []>"


def _apply(path: Path, *records: Record, machine: str = "x86-64-avx2") -> str:
    """Return the config of the product's kernel behind the pass, as text."""
    context = new_context()
    module = Parser(context, PRODUCT).parse_module()
    SetMachinePass(machine=machine).apply(context, module)
    append_records(path, [*records, trial(1e-6, kernel="another")])
    ApplyRecordsPass(str(path)).apply(context, module)
    return str(_kernel(module).config)


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
