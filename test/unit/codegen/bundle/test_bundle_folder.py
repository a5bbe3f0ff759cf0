"""Where bundles go: several writers at once, folders that stay, folders that cannot be moved."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from onnx import TensorProto, helper

from autodeploy.codegen.bundle import folder as bundle_folder
from autodeploy.codegen.bundle.folder import check_target, place_bundle
from autodeploy.codegen.bundle.manifest import Manifest, WeightsEntry
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError

FILES = ("a.c", "a.h", "Makefile", "kernels/k.o")


def write(folder: Path, mark: str) -> str:
    """Write a bundle whose files all hold a mark."""
    (folder / "kernels").mkdir()
    for name in FILES:
        (folder / name).write_text(mark)
    weights = WeightsEntry("a.weights", 0, "")
    files = dict.fromkeys(FILES, "")
    manifest = Manifest(mark, "a", (), (), (), weights, 64, files=files)
    (folder / "manifest.json").write_text(manifest.to_json())
    return mark


def place(folder: Path, mark: str) -> str:
    return place_bundle(folder, lambda made: write(made, mark))


def marks(folder: Path) -> set[str]:
    """Return the marks of a bundle that must be whole."""
    check_target(folder)
    assert {path.name for path in folder.iterdir()} == {
        "a.c", "a.h", "Makefile", "kernels", "manifest.json",
    }  # fmt: skip
    return {(folder / name).read_text() for name in FILES} | {Manifest.load(folder).name}


def test_an_older_bundle_is_replaced(tmp_path: Path):
    assert place(tmp_path / "b", "one") == "one" and marks(tmp_path / "b") == {"one"}
    assert place(tmp_path / "b", "two") == "two" and marks(tmp_path / "b") == {"two"}
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_new_folder_has_the_mode_of_any_new_folder(tmp_path: Path):
    place(tmp_path / "b", "one")
    (tmp_path / "c").mkdir()
    assert (tmp_path / "b").stat().st_mode == (tmp_path / "c").stat().st_mode


def test_an_empty_folder_stays_the_same(tmp_path: Path):
    folder = tmp_path / "b"
    folder.mkdir()
    folder.chmod(0o2750)
    before = folder.stat()
    place(folder, "one")
    assert marks(folder) == {"one"}
    after = folder.stat()
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def write_often(folder: Path, mark: str) -> tuple[int, list[str]]:
    """Place bundles in turn; return how many, and what was refused."""
    os.getpid = lambda: 42  # as in containers, where processes have equal numbers
    placed, refused = 0, []
    for number in range(25):
        try:
            place(folder, f"{mark}{number}")
            placed += 1
        except UserError as error:
            refused.append(str(error))
    return placed, refused


@pytest.mark.parametrize("exists", [False, True])
def test_several_writers_leave_one_whole_bundle(tmp_path: Path, exists: bool):
    folder = tmp_path / "b"
    if exists:
        folder.mkdir()
    with ProcessPoolExecutor(3, mp_context=get_context("fork")) as pool:
        found = list(pool.map(write_often, [folder] * 3, "xyz"))
    assert len(marks(folder)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["b"]
    assert sum(placed for placed, _ in found) > 0
    assert all("\n" not in said for _, refused in found for said in refused)


def fixed(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let a folder not be moved, as a mount point cannot."""
    rename = Path.rename

    def refuse(path: Path, target: Path) -> Path:
        if path == folder:
            raise OSError(errno.EBUSY, "Device or resource busy")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)


def test_a_folder_that_cannot_be_moved_is_filled(tmp_path: Path, monkeypatch):
    folder = tmp_path / "b"
    place(folder, "one")
    before = folder.stat().st_ino
    fixed(monkeypatch, folder)
    place(folder, "two")
    assert marks(folder) == {"two"} and folder.stat().st_ino == before
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_folder_below_a_read_only_one_is_filled(tmp_path: Path, monkeypatch):
    folder = tmp_path / "b"
    place(folder, "one")
    before = folder.stat().st_ino
    monkeypatch.setattr(bundle_folder, "_can_write", lambda path: path != tmp_path)
    place(folder, "two")
    assert marks(folder) == {"two"} and folder.stat().st_ino == before


@pytest.mark.parametrize("failing", ["a.c", "manifest.json"])
def test_moved_files_go_back_after_an_error(tmp_path: Path, monkeypatch, failing: str):
    folder = tmp_path / "b"
    place(folder, "one")
    fixed(monkeypatch, folder)
    rename = Path.rename

    def fail(path: Path, target: Path) -> Path:
        if target == folder / failing and path.parent.name == "bundle":
            raise OSError(errno.ENOSPC, "No space left on device")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(UserError, match=r"^cannot write bundle '.*b': No space left on device$"):
        place(folder, "two")
    assert marks(folder) == {"one"}


def test_an_interrupt_leaves_the_older_bundle(tmp_path: Path, monkeypatch):
    folder = tmp_path / "b"
    place(folder, "one")
    rename = Path.rename

    def interrupt(path: Path, target: Path) -> Path:
        if path.name == "bundle":
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        place(folder, "two")
    assert marks(folder) == {"one"}
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_read_only_folder_is_refused(tmp_path: Path, monkeypatch):
    folder = tmp_path / "b"
    folder.mkdir()
    monkeypatch.setattr(bundle_folder, "_can_write", lambda path: False)
    with pytest.raises(UserError, match=r"^cannot write bundle '.*b': the folder is read-only$"):
        place(folder, "one")
    said = r"^cannot write bundle '.*c/d': '.*' is read-only$"
    with pytest.raises(UserError, match=said):
        check_target(tmp_path / "c" / "d")
    assert list(tmp_path.rglob("*")) == [folder]


def model() -> bytes:
    tensors = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy"]
    node = helper.make_node("Relu", ["x"], ["y"])
    graph = helper.make_graph([node], "net", tensors[:1], tensors[1:])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return made.SerializeToString()


@pytest.mark.parametrize("place", ["b", "b/ir", "b/../b/ir/deep", "other", "other/kernels"])
def test_ir_is_not_dumped_into_bundles(tmp_path: Path, place: str):
    compile_model(model(), tmp_path / "b")
    compile_model(model(), tmp_path / "other")
    before = sorted(tmp_path.rglob("*"))
    options = CompileOptions(dump_ir=tmp_path / place)
    with pytest.raises(UserError, match=r"cannot dump the IR into '.*': .*; name another folder"):
        compile_model(model(), tmp_path / "b", options)
    assert sorted(tmp_path.rglob("*")) == before
    compile_model(model(), tmp_path / "b", CompileOptions(dump_ir=tmp_path / "ir"))
    assert (tmp_path / "ir" / "00-import.mlir").is_file()


def test_a_bundle_may_be_in_the_folder_of_the_ir(tmp_path: Path):
    compile_model(model(), tmp_path / "ir" / "b", CompileOptions(dump_ir=tmp_path / "ir"))
    check_target(tmp_path / "ir" / "b")
