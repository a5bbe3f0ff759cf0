"""Files of records that ship with presets, of tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from autodeploy.records import shipped
from autodeploy.records.record import Record
from autodeploy.records.record_file import append_records


def ship(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *records: Record, preset: str = "x86-64-avx2"
) -> Path:
    """Let a preset have these records, and no other one any; returns its file."""
    path = folder / "presets" / f"{preset}.jsonl"
    path.parent.mkdir(exist_ok=True)
    append_records(path, records)
    monkeypatch.setattr(shipped, "FOLDER", path.parent)
    shipped.read_shipped.cache_clear()
    return path
