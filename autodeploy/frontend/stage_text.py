"""The text of a module between two stages of the pipeline, and the weight file next to it.

A text names its file in the module attribute ``nn.weights``, relative to its own folder, which the
name may not leave. The store (and NumPy with it) is loaded only for modules that name weights.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.utils.exceptions import ParseError, VerifyException

from autodeploy.diagnostics import ModelError, UserError, WeightsError
from autodeploy.frontend.text_places import LocatingParser, Place, SourceMap, operation_of

ATTRIBUTE = "nn.weights"

TEXT_STAGES = ("import", "onnx", "nn", "simplified", "layouts", "fused", "configured", "kernels")
"""The stages from which texts are compiled. Later ones hold schedules, and nothing shows that one
that is written by hand stays within its buffers."""


@dataclass(frozen=True)
class StageText:
    """The IR of a stage, from a file."""

    path: Path
    stage: str
    module: ModuleOp
    source: SourceMap

    def located(self, error: VerifyException) -> ModelError:
        """Return the first line of an error, after the place of its op in the text."""
        place = self.source.place(operation_of(error))
        message = str(error).partition("\n")[0]
        return ModelError(f"'{self.path}': {message}" if place is None else f"{place}: {message}")

    def number(self, stages: Sequence[str]) -> int:
        """Return the number of the stage that comes next; the import has number 0.

        Raises ``UserError`` if the text's stage is none of a pipeline's.
        """
        if self.stage not in (first := ("import", *stages)):
            raise UserError(
                f"'{self.path}' is of stage '{self.stage}', which this level of -O has not; its "
                f"stages are {', '.join(first)}"
            )
        return first.index(self.stage) + 1


def is_stage_text(source: object) -> bool:
    """Return whether a source is a file of MLIR text, by its name."""
    return isinstance(source, str | Path) and Path(source).suffix == ".mlir"


def read_stage_text(ctx: Context, path: Path, stage: str | None = None) -> StageText:
    """Parse a module and load its weights.

    Without a ``stage``, the name of the file tells it, as in ``07-kernels.mlir``. Raises
    ``UserError`` for a stage from which nothing is compiled, and for a file that cannot be read.
    """
    match = re.fullmatch(r"\d\d-(\w+)", path.stem)
    stage = stage or (match[1] if match else "")
    if stage not in TEXT_STAGES:
        found = f"found '{stage}'" if stage else "the name of the file tells none"
        raise UserError(
            f"'{path}' is compiled from a stage, {', '.join(TEXT_STAGES[:-1])} or "
            f"{TEXT_STAGES[-1]} (--from); {found}"
        )
    try:
        text = path.read_bytes()
        text.decode("utf-8")
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ModelError(f"'{path}' is not UTF-8 text") from None
    source = SourceMap()
    try:
        module = LocatingParser(ctx, text, str(path), source).parse_module()
    except ParseError as error:
        message = error.msg.strip().partition("\n")[0]
        raise ModelError(f"{Place.of(error.span)}: {message}") from None
    except (ValueError, NotImplementedError, RecursionError) as error:
        # xDSL's answer to some malformed texts
        raise ModelError(f"'{path}': {error}") from error
    read_weights(ctx, module, path.parent, None)
    module.attributes.pop(ATTRIBUTE, None)
    return StageText(path, stage, module, source)


def read_weights(ctx: Context, module: ModuleOp, folder: Path | None, given: Path | None) -> None:
    """Load the weights that a parsed module uses: from ``given`` where it exists, else as it says.

    ``folder`` is that of the text; without one (text from a pipe) the name is looked for in the
    current folder, and weights that are not found there are missed only by a pass that wants them.
    Raises ``WeightsError`` for a missing or malformed file or a name that leaves the folder.
    """
    named = module.attributes.get(ATTRIBUTE)
    if given is not None and given.exists():
        path = given
    elif named is None:
        return
    elif not isinstance(named, StringAttr):
        raise WeightsError(f"module attribute '{ATTRIBUTE}' is {named}, expected a file name")
    else:
        path = _within(folder or Path(), named.data)
        if folder is None and not path.exists():
            return
    from autodeploy.weights import WeightStore

    WeightStore.of(ctx).load(path)


def _within(folder: Path, name: str) -> Path:
    pure = PurePath(name)
    path = folder / name
    if (
        not name
        or pure.is_absolute()
        or ".." in pure.parts
        or not path.resolve().is_relative_to(folder.resolve())
    ):
        raise WeightsError(
            f"weight file '{name}' is not within the folder of the text that names it"
        )
    return path
