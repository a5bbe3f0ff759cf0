"""The folder of a bundle: it appears whole or not at all.

It is written to a temporary folder, of a name that nobody else has, and moved into its place when
it is complete. A folder that is there already and empty stays, and so does one that cannot be
moved, such as a mount point or one whose parent is read-only: the files are moved into it, and back
again if that fails. An existing folder is replaced only if it is a bundle.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from autodeploy.codegen.bundle.build_files import BUILD_FOLDER, SELFTEST_FOLDER, products
from autodeploy.codegen.bundle.manifest import FILE_NAME, WASM_FOLDER, Manifest
from autodeploy.diagnostics import UserError, io_errors

_T = TypeVar("_T")

_PREFIX, _SUFFIX = ".autodeploy-", ".partial"
"""The prefix and the suffix of temporary folders."""

_CANNOT_MOVE = (errno.EBUSY, errno.EXDEV, errno.EACCES, errno.EPERM, errno.EROFS)
"""Errors of moving a folder that do not keep files in it from being moved."""

_TRIES = 100


def place_bundle(folder: Path, write: Callable[[Path], _T]) -> _T:
    """Let ``write`` fill a new folder, put that in the place of ``folder``; return its result.

    Raises ``UserError`` if ``folder`` holds anything but an older bundle, or if it cannot be
    written; then nothing there has changed.
    """
    check_target(folder)
    target = _resolved(folder)
    with io_errors(f"cannot write bundle '{folder}'"):
        target.parent.mkdir(parents=True, exist_ok=True)
        inside = target.exists() and (_is_empty(target) or not _can_write(target.parent))
        with _temporary(target if inside else target.parent) as temporary:
            made = temporary / "bundle"
            made.mkdir()
            result = write(made)
            if inside:
                _move_into(folder, target, temporary)
            else:
                _replace(folder, target, temporary)
    return result


@contextmanager
def _temporary(folder: Path) -> Generator[Path]:
    temporary = Path(tempfile.mkdtemp(_SUFFIX, _PREFIX, folder))
    try:
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _replace(folder: Path, target: Path, temporary: Path) -> None:
    """Put the new bundle in the place of ``target``, which goes away only then."""
    made = temporary / "bundle"
    for number in range(_TRIES):
        old = temporary / f"old{number}"
        try:
            with suppress(FileNotFoundError):
                target.rename(old)
            made.rename(target)
        except OSError as error:
            if error.errno in _CANNOT_MOVE and not old.exists() and target.exists():
                with _temporary(target) as below:
                    shutil.copytree(made, below / "bundle")
                    _move_into(folder, target, below)
                return
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                _put_back(old, target)
                raise
            check_target(folder)  # another process was faster: its bundle is the older one now
        except BaseException:
            _put_back(old, target)
            raise
        else:
            return
    raise OSError(errno.EBUSY, "other processes write there all the time")


def _put_back(old: Path, target: Path) -> None:
    if old.exists() and not target.exists():
        old.rename(target)


def _move_into(folder: Path, target: Path, temporary: Path) -> None:
    """Put the files of the new bundle in the place of those in ``target``, the manifest last."""
    made, old = temporary / "bundle", temporary / "old"
    old.mkdir()
    with _lock(target):
        _check(folder, target)
        before = [path.name for path in target.iterdir() if not _is_temporary(path.name)]
        after = sorted((path.name for path in made.iterdir()), key=lambda name: name == FILE_NAME)
        try:
            for name in sorted(before, key=lambda name: name != FILE_NAME):
                (target / name).rename(old / name)
            for name in after:
                (made / name).rename(target / name)
        except BaseException:
            for name in after:
                if not (made / name).exists() and (target / name).exists():
                    (target / name).rename(made / name)
            for path in old.iterdir():
                path.rename(target / path.name)
            raise


@contextmanager
def _lock(folder: Path) -> Generator[None]:
    """Keep other processes from moving files into a folder, where the system can."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # not every file system has locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def check_target(folder: Path) -> None:
    """Check that a bundle can be made at ``folder``: an older bundle is there, or nothing.

    Raises ``UserError`` if anything else does, where no folder can be made, or if the folder
    is the current one, which would be gone.
    """
    target = _resolved(folder)
    if not target.exists():
        above = next(parent for parent in target.parents if parent.exists())
        if not above.is_dir():
            raise UserError(f"cannot write bundle '{folder}': '{above}' is not a folder")
        if not _can_write(above):
            raise UserError(f"cannot write bundle '{folder}': '{above}' is read-only")
        return
    if not target.is_dir():
        raise UserError(f"cannot write bundle '{folder}': it is not a folder")
    if not _can_write(target):
        raise UserError(f"cannot write bundle '{folder}': the folder is read-only")
    for _ in range(_TRIES):
        before = _state(target)
        try:
            with _lock(target):
                _check(folder, target)
        except (UserError, OSError) as error:
            if _state(target) != before:  # another process has put a bundle there meanwhile
                continue
            if isinstance(error, OSError):
                raise UserError(f"cannot read '{folder}': {error.strerror or error}") from None
            raise
        return


def _check(folder: Path, target: Path) -> None:
    """Check that a folder holds nothing, or an older bundle and nothing else."""
    paths = {path.relative_to(target) for path in target.rglob("*")}
    found = {path.as_posix() for path in paths if not _is_temporary(path.parts[0])}
    if target in (here := Path.cwd(), *here.parents) and (not found or FILE_NAME in found):
        raise UserError(
            f"cannot write bundle '{folder}': a bundle takes the place of its folder, and "
            f"'{target}' is the current one or above it; name another folder"
        )
    if not found:
        return
    if FILE_NAME not in found:
        raise UserError(f"'{folder}' is not empty and not a bundle; name another folder")
    manifest = Manifest.load(target)
    made = {BUILD_FOLDER, SELFTEST_FOLDER, *products(manifest.prefix)}
    if manifest.has_wasm:
        made |= {f"{WASM_FOLDER}/{name}" for name in made}
    known = {FILE_NAME, *manifest.files}
    folders = {parent.as_posix() for file in known for parent in Path(file).parents}
    foreign = sorted(
        path
        for path in found - known - folders
        if not any(path == name or path.startswith(f"{name}/") for name in made)
    )
    if foreign:
        raise UserError(
            f"bundle '{folder}' holds files that are not its own ('{foreign[0]}'"
            + (f" and {len(foreign) - 1} more" if len(foreign) > 1 else "")
            + "); move them away or name another folder"
        )


def _state(folder: Path) -> tuple[int, int] | None:
    """Return what changes where a folder is replaced, or if files are moved into it."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _is_empty(folder: Path) -> bool:
    return all(_is_temporary(path.name) for path in folder.iterdir())


def _is_temporary(name: str) -> bool:
    return name.startswith(_PREFIX) and name.endswith(_SUFFIX)


def _can_write(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)


def _resolved(folder: Path) -> Path:
    try:
        path = folder.resolve()
        if path.is_symlink():  # of a loop, since Python 3.13
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return path
    except FileNotFoundError:
        raise UserError("the current folder is not there any more") from None
    except (OSError, RuntimeError) as error:  # a loop of links, say
        raise UserError(f"cannot write bundle '{folder}': {error}") from None


def check_dump(dump: Path, folder: Path) -> None:
    """Check that the IR can be dumped into a folder without spoiling a bundle.

    ``folder`` is the folder of the bundle. Raises ``UserError`` if the IR would be in it, or in
    another bundle.
    """
    target, chosen = _resolved(folder), _resolved(dump)
    if target in (chosen, *chosen.parents):
        raise UserError(
            f"cannot dump the IR into '{dump}': that is the bundle's folder, which holds nothing "
            "but the bundle; name another folder"
        )
    for path in (chosen, *chosen.parents):
        if (path / FILE_NAME).is_file():
            with suppress(UserError):
                Manifest.load(path)
                break
    else:
        return
    raise UserError(f"cannot dump the IR into '{dump}': '{path}' is a bundle; name another folder")
