"""A cache of compiled pattern files, valid until the files or the context change."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from xdsl.context import Context

T = TypeVar("T")

FileState: TypeAlias = tuple[str, int, int]
"""A file's path, the time at which it was changed, and its size."""


class FileCache(Generic[T]):
    """Results for files, one set for each context, which are dropped with the context.

    A context has no hash, so that its identity stands for it.
    """

    def __init__(self) -> None:
        self._made: dict[int, dict[tuple[FileState, ...], T]] = {}

    def get(self, ctx: Context, files: Iterable[Path], make: Callable[[], T]) -> T:
        """Return what ``make`` made of the files when they were last in this state.

        If one of them cannot be looked at, nothing is kept: ``make`` raises the error.
        """
        key = _states(files)
        if key is None:
            return make()
        made = self._made.get(id(ctx))
        if made is None:
            made = self._made[id(ctx)] = {}
            weakref.finalize(ctx, self._made.pop, id(ctx))
        if key not in made:
            made[key] = make()
        return made[key]

    def holds(self, ctx_id: int) -> bool:
        """Return whether anything is kept for the context of this identity."""
        return ctx_id in self._made


def _states(files: Iterable[Path]) -> tuple[FileState, ...] | None:
    try:
        states = [(file, file.stat()) for file in files]
    except OSError:
        return None
    return tuple((str(file), state.st_mtime_ns, state.st_size) for file, state in states)
