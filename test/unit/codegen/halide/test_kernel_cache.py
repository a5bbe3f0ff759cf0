"""The cache of compiled kernels: hits, misses, damage, limits, several users at once."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import pytest
from small_kernels import scaled

from autodeploy.codegen.halide import kernel_cache, kernel_code
from autodeploy.codegen.halide import kernels as halide_kernels
from autodeploy.codegen.halide.device_code import DeviceCode
from autodeploy.codegen.halide.device_starts import Launch
from autodeploy.codegen.halide.kernel_cache import (
    KernelCache,
    request_key,
    user_cache,
)
from autodeploy.codegen.halide.kernel_code import KernelCode, KernelRequest
from autodeploy.codegen.halide.kernels import compile_pipelines
from autodeploy.diagnostics import CacheWarning, ToolchainError
from autodeploy.dialects.halide.prefetch import Prefetches
from autodeploy.machine import Machine

REQUEST = KernelRequest("halide.pipeline @k", "net_k", "x86-64-linux", "object")
CODE = KernelCode(bytes(range(256)) * 4, 640, None, ("a warning",))

ON_DEVICE = KernelCode(
    b"kernels\n",
    1024,
    None,
    (),
    launches=(
        Launch("k_part0", (2, 3, 4), (64, 2, 1), 256, (2, 0)),
        Launch("k_part1", (1, 1, 1), (1, 1, 1), 0, ()),
    ),
    arrays=(16, 600),
    preamble=("shared\n", "more\n"),
)


def requests(count: int) -> list[KernelRequest]:
    return [replace(REQUEST, symbol=f"k{i}") for i in range(count)]


def entries(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.fixture
def cache(tmp_path: Path) -> KernelCache:
    return KernelCache(tmp_path / "cache")


@pytest.mark.parametrize(
    "code",
    [CODE, KernelCode(b"int f();\n\n", 0, 64, ()), KernelCode(b"", 1, 0, ()), ON_DEVICE],
)
def test_a_stored_entry_comes_back(cache: KernelCache, code: KernelCode) -> None:
    assert cache.get(REQUEST) is None
    cache.put(REQUEST, code)
    assert cache.get(REQUEST) == code
    assert KernelCache(cache.folder).get(REQUEST) == code


def test_an_entry_has_the_code_of_a_device(cache: KernelCache) -> None:
    cache.put(REQUEST, ON_DEVICE)
    code = cache.get(REQUEST)
    assert code is not None
    shared, starts = ON_DEVICE.preamble, ON_DEVICE.launches
    assert code.device == DeviceCode(shared, "kernels\n", starts, ON_DEVICE.arrays)


def test_everything_that_decides_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = [
        replace(REQUEST, text="halide.pipeline @l"),
        replace(REQUEST, symbol="net_l"),
        replace(REQUEST, target="x86-64-linux-avx"),
        replace(REQUEST, form="c++"),
    ]
    keys = {request_key(request) for request in (REQUEST, *changed)}
    monkeypatch.setattr(kernel_cache, "_versions", lambda: ("20.0", "digest of the sources"))
    assert len({*keys, request_key(REQUEST)}) == 6


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:],
        lambda data: b"A" + data[1:],
        lambda data: bytes(len(data)),
    ],
)
def test_damaged_entries_are_made_anew(cache: KernelCache, damage) -> None:
    cache.put(REQUEST, CODE)
    (entry,) = entries(cache.folder)
    entry.write_bytes(damage(entry.read_bytes()))
    assert cache.get(REQUEST) is None and entries(cache.folder) == []
    cache.put(REQUEST, CODE)
    assert cache.get(REQUEST) == CODE


def sealed(rest: bytes) -> bytes:
    """Return the content of an entry that is whole, whatever it holds."""
    content = kernel_code._MAGIC + rest
    return hashlib.sha256(content).digest() + content


def forged(text: str) -> bytes:
    return sealed(zlib.compress(text.encode() + b"\ncode"))


def described(**changes: object) -> bytes:
    """Return an entry whose description is that of ``CODE``, but for the changes."""
    rest = {key: value for key, value in asdict(CODE).items() if key != "code"}
    return forged(json.dumps(rest | changes))


FORGED = {
    "no_zlib": sealed(b"code"),
    "no_json": forged("{"),
    "deep": forged("[" * 100_000),
    "list": forged("[]"),
    "number": forged("1"),
    "missing": forged('{"scratch_bytes": 1}'),
    "numbers_for_lines": described(warnings=[1]),
    "text_for_number": described(scratch_bytes="1"),
    "number_for_lines": described(warnings=1),
    "unknown_prefetches": described(prefetches="third_level"),
}


def test_a_sound_entry_is_taken(cache: KernelCache) -> None:
    cache.put(REQUEST, CODE)
    (entry,) = entries(cache.folder)
    entry.write_bytes(described(prefetches="second_level"))
    taken = replace(CODE, code=b"code", prefetches=Prefetches.SECOND_LEVEL)
    assert cache.get(REQUEST) == taken


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_entry_is_a_miss(cache: KernelCache, name: str) -> None:
    cache.put(REQUEST, CODE)
    (entry,) = entries(cache.folder)
    entry.write_bytes(FORGED[name])
    assert cache.get(REQUEST) is None and entries(cache.folder) == []


def test_an_entry_that_is_no_file_is_a_miss(cache: KernelCache, tmp_path: Path) -> None:
    cache.put(REQUEST, CODE)
    (entry,) = entries(cache.folder)
    content = entry.read_bytes()
    entry.unlink()
    os.mkfifo(entry)
    assert cache.get(REQUEST) is None  # and does not wait for anybody to write
    entry.unlink()
    (tmp_path / "elsewhere").write_bytes(content)
    entry.symlink_to(tmp_path / "elsewhere")
    assert cache.get(REQUEST) is None
    cache.put(REQUEST, CODE)
    assert cache.get(REQUEST) == CODE and not entry.is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == content


def test_folders_are_the_users_alone(tmp_path: Path) -> None:
    cache = KernelCache(tmp_path / "new" / "cache")
    before = os.umask(0)
    try:
        cache.put(REQUEST, CODE)
    finally:
        os.umask(before)
    folders = [path for path in (tmp_path / "new", *(tmp_path / "new").rglob("*")) if path.is_dir()]
    assert len(folders) == 4
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}
    (entry,) = entries(tmp_path)
    assert entry.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
@pytest.mark.parametrize("part", ["", "kernels"])
def test_a_folder_that_others_may_write_to_is_not_used(
    cache: KernelCache, monkeypatch: pytest.MonkeyPatch, mode: int, part: str
) -> None:
    monkeypatch.setenv("AUTODEPLOY_CACHE", str(cache.folder))
    assert user_cache() == cache
    cache.put(REQUEST, CODE)
    (cache.folder / part).chmod(mode)
    with pytest.warns(CacheWarning, match="nor kept there: others may write to it") as said:
        assert user_cache() is None
    assert len(said) == 1
    (entry,) = entries(cache.folder)
    content = entry.read_bytes()
    assert cache.get(REQUEST) is None
    cache.put(replace(REQUEST, symbol="other"), CODE)
    KernelCache(cache.folder, limit=0).trim()
    assert entries(cache.folder) == [entry] and entry.read_bytes() == content


def test_a_folder_of_another_user_is_not_used(
    cache: KernelCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTODEPLOY_CACHE", str(cache.folder))
    cache.put(REQUEST, CODE)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.warns(CacheWarning, match="nor kept there: it belongs to another user"):
        assert user_cache() is None
    assert cache.get(REQUEST) is None


def test_trimming_follows_no_links(cache: KernelCache, tmp_path: Path) -> None:
    cache.put(REQUEST, CODE)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    (cache.folder / "kernels" / "zz").symlink_to(tmp_path / "mine")
    (cache.folder / "kernels" / "yy").symlink_to(tmp_path / "mine" / "letter")
    KernelCache(cache.folder, limit=0).trim()
    assert (tmp_path / "mine" / "letter").read_text() == "dear"
    assert [path for path in entries(cache.folder) if not path.is_symlink()] == []


def test_a_folder_that_cannot_be_used_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = KernelCache(tmp_path / "file")
    cache.put(REQUEST, CODE)
    cache.trim()
    assert cache.get(REQUEST) is None
    assert (tmp_path / "file").read_text() == "not a folder"


def test_the_least_recently_used_entry_goes_first(cache: KernelCache) -> None:
    chosen = requests(4)
    for age, request in enumerate(chosen):
        cache.put(request, CODE)
        (new,) = [p for p in entries(cache.folder) if p.stat().st_mtime > 1e8]
        os.utime(new, (1e6 - age, 1e6 - age))
    sizes = [path.stat().st_size for path in entries(cache.folder)]
    assert cache.get(chosen[2]) == CODE  # used now
    KernelCache(cache.folder, limit=sum(sizes)).trim()
    assert len(entries(cache.folder)) == 4
    KernelCache(cache.folder, limit=sum(sizes) - sizes[0]).trim()
    assert [cache.get(request) is None for request in chosen] == [False, False, False, True]
    KernelCache(cache.folder, limit=0).trim()
    assert entries(cache.folder) == []


@pytest.mark.exhaustive
def test_files_are_counted_as_much_is_written(cache: KernelCache) -> None:
    cache.put(REQUEST, CODE)
    (size,) = [path.stat().st_size for path in entries(cache.folder)]
    few = KernelCache(cache.folder, limit=64 * size)
    most = []
    for request in requests(1000):
        few.put(request, CODE)
        most.append(len(entries(cache.folder)))
    counted = sum(after <= before for before, after in pairwise(most))
    # One file in four is counted at; which ones, any change of the emitter draws anew.
    assert 64 < max(most) < 128
    assert 0 < counted < 500


def test_a_file_as_large_as_a_part_of_the_limit_is_counted(cache: KernelCache) -> None:
    cache.put(REQUEST, CODE)
    (size,) = [path.stat().st_size for path in entries(cache.folder)]
    for request in requests(20):
        KernelCache(cache.folder, limit=3 * size + 2).put(request, CODE)
        assert len(entries(cache.folder)) <= 3


def test_many_users_at_once(cache: KernelCache) -> None:
    chosen = requests(5)
    small = KernelCache(cache.folder, limit=1000)

    def use(number: int) -> Sequence[KernelCode | None]:
        found: list[KernelCode | None] = []
        for i in range(20):
            cache.put(chosen[(number + i) % 5], CODE)
            found.append(cache.get(chosen[i % 5]))
            if i % 3 == 0:
                small.trim()
        return found

    with ThreadPoolExecutor(8) as pool:
        found = [code for codes in pool.map(use, range(8)) for code in codes]
    assert CODE in found and set(found) <= {CODE, None}
    assert len(entries(cache.folder)) <= 5


@pytest.mark.parametrize("emit", ["object", "c"])
def test_kernels_are_compiled_once(
    cache: KernelCache, emit: halide_kernels.Emit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    pipelines = [scaled("a", 2.0), scaled("b", 3.0)]
    said: list[tuple[int, int, str]] = []

    def compile_into(directory: Path, *names: str) -> list[str]:
        said.clear()
        chosen = [p for p in pipelines if p.sym_name.data in names]
        kernels = compile_pipelines(
            chosen,
            Machine.named("x86-64"),
            directory=directory,
            emit=emit,
            cache=cache,
            progress=lambda *step: said.append(step),
        )
        return [kernel.name for kernel in kernels]

    assert compile_into(first, "a") == ["a"]
    assert compile_into(first, "a", "b") == ["a", "b"] and said == [(1, 2, "b"), (2, 2, "b")]

    def fail(names: Sequence[str], *_: object) -> Iterator[tuple[int, KernelCode]]:
        raise ToolchainError(f"compiles {names}")

    monkeypatch.setattr(halide_kernels, "_compile_missing", fail)
    assert compile_into(second, "a", "b") == ["a", "b"] and said == []
    assert {path.name: path.read_bytes() for path in entries(first)} == {
        path.name: path.read_bytes() for path in entries(second)
    }
    with pytest.raises(ToolchainError, match=r"compiles \['a'\]"):
        compile_pipelines([scaled("a", 4.0)], Machine.named("x86-64"), directory=first, cache=cache)
