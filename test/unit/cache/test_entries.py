"""Entries of the user's cache; the tests of the kernels' cache show limits and several users."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from autodeploy.cache.entries import Entries, default_folder, digest_of_files

KEY = hashlib.sha256(b"inputs").hexdigest()


def test_an_entry_comes_back_until_it_is_removed(tmp_path: Path) -> None:
    entries = Entries(tmp_path / "cache", "rules", 1000)
    assert entries.get(KEY) is None
    entries.put(KEY, b"content")
    assert entries.get(KEY) == b"content"
    assert Entries(tmp_path / "cache", "kernels", 1000).get(KEY) is None
    entries.remove(KEY)
    assert entries.get(KEY) is None


def test_a_damaged_entry_is_removed(tmp_path: Path) -> None:
    entries = Entries(tmp_path / "cache", "rules", 1000)
    entries.put(KEY, b"content")
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_bytes(file.read_bytes()[:-1] + b"T")
    assert entries.get(KEY) is None and not file.exists()


def test_a_digest_covers_names_and_contents_in_any_order(tmp_path: Path) -> None:
    files = [tmp_path / "a", tmp_path / "b"]
    for file in files:
        file.write_text("1")
    before = digest_of_files(files)
    assert digest_of_files(reversed(files)) == before
    assert digest_of_files([tmp_path / "a"]) != before
    (tmp_path / "b").write_text("2")
    changed = digest_of_files(files)
    (tmp_path / "b").rename(tmp_path / "c")
    assert len({before, changed, digest_of_files([tmp_path / "a", tmp_path / "c"])}) == 3


def test_default_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("AUTODEPLOY_CACHE", raising=False)
    assert default_folder() == Path("/home/someone/.cache/autodeploy")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert default_folder() == Path("/home/someone/.cache/autodeploy")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert default_folder() == Path("/caches/autodeploy")
    monkeypatch.setenv("AUTODEPLOY_CACHE", "here")
    assert default_folder() == Path("here")
