"""The folder with the IR after every stage of a compilation (``--dump-ir``)."""

from __future__ import annotations

from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr

from autodeploy.diagnostics import io_errors
from autodeploy.weights import FILE_ATTRIBUTE, WeightStore, used_keys

_WEIGHTS = "weights.safetensors"


class Dump:
    """Keeps the text of each stage until all are written, next to their weights.

    ``first`` is the number of the first stage.
    """

    def __init__(self, context: Context, folder: Path | None, first: int = 0):
        self._context = context
        self._folder = folder
        self._first = first
        self._texts: list[tuple[str, str]] = []
        self._keys: set[str] = set()

    def add(self, name: str, module: ModuleOp) -> None:
        """Keep the text of a stage; does nothing without a folder."""
        if self._folder is None:
            return
        keys = used_keys(module)
        self._keys |= keys
        if keys:
            module.attributes[FILE_ATTRIBUTE] = StringAttr(_WEIGHTS)
        self._texts.append((f"{self._first + len(self._texts):02}-{name}.mlir", str(module) + "\n"))
        module.attributes.pop(FILE_ATTRIBUTE, None)

    def clear(self) -> None:
        """Forget the texts that were kept."""
        self._texts.clear()
        self._keys.clear()

    def write(self) -> None:
        """Write what was kept; raises ``UserError`` if the folder cannot be written."""
        folder = self._folder
        if folder is None or not self._texts:
            return
        with io_errors(f"cannot write IR to '{folder}'"):
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in self._texts:
                (folder / name).write_text(text, encoding="utf-8")
            if self._keys:
                WeightStore.of(self._context).save(folder / _WEIGHTS, self._keys)
