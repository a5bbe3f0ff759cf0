"""Files that describe machines: written, read back, and refused in one line."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine
from autodeploy.machine.costs import CostModel
from autodeploy.machine.files import description_text


def test_a_written_machine_is_read_back(tmp_path: Path) -> None:
    costs = replace(CostModel(), fma_per_cycle=1.25, beyond_l2_bytes_per_cycle=3.7, parallel_work=7)
    board = replace(Machine.parse("aarch64-neon:os=osx:cores=3:l2=1000"), name="board", costs=costs)
    file = tmp_path / "board.toml"
    file.write_text(description_text(board.all_settings, "a comment"))
    assert file.read_text().startswith('# a comment\ntarget = "arm-64-osx"\ncores = 3\n')
    assert Machine.parse(str(file)) == board
    assert Machine.parse(f"{file}:cores=2").cores == 2


def test_a_file_names_every_number() -> None:
    machine = Machine.named("x86-64")
    keys = [key for key, _ in machine.all_settings]
    assert keys == ["target", "cores", "l1", "l2", "l3", *(f.name for f in fields(CostModel))]


def test_missing_settings_have_their_default(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text('target = "riscv-64-linux-rvv-vector_bits_128"\nl2 = 4096')
    machine = Machine.parse(str(tmp_path / "small.toml"))
    assert (machine.name, machine.isa, machine.l2_bytes, machine.cores) == ("small", "rvv", 4096, 1)
    assert machine.costs == CostModel()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"l1 =", "machine file '.*' is not TOML: Invalid value"),
        (b"\xff", "machine file '.*' is not TOML: 'utf-8' codec"),
        (b"a = " + b"[" * 5000, "machine file '.*' is not TOML: "),
        (b"#" * 70_000, "machine file '.*' has more than 65536 bytes"),
        (b"l1 = [1]", "'l1' of machine file '.*' is neither a text nor a number"),
        (b"cores = true", "'cores' of machine file '.*' is neither a text nor a number"),
        (b"l1 = 1", "machine file '.*': machine 'board' is no preset; any other has a target"),
        (b"target = 5", "machine file '.*': no machine for Halide target '5'"),
        (b"target = 'arm-64-linux'\nfma = 1", "machine file '.*': unknown machine setting 'fma=1'"),
        (b"target = 'arm-64-linux'\ncores = 0", "machine file '.*': cores is a number from 1 on"),
        (
            b"target = 'arm-64-linux'\ncores = 5000",
            "cores is a number from 1 to 1024, found '5000'",
        ),
        (b"target = 'arm-64-linux'\nefficiency = nan", "efficiency is a number above 0"),
        (b"target = 'arm-64-linux'\nefficiency = 1e99", "efficiency is a number above 0"),
        (b"target = 'arm-64-linux'\nl2 = 99999999999999", "l2 is at most 1099511627776 bytes"),
    ],
)
def test_files_that_are_no_good(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_bytes(content)
    with pytest.raises(UserError, match=message) as error:
        Machine.parse(str(tmp_path / "board.toml"))
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read machine file '.*': No such file"):
        Machine.parse(str(tmp_path / "board.toml"))
    with pytest.raises(UserError, match="called as the file is"):
        Machine.parse(str(tmp_path / "my board.toml"))
