"""Models of all formats: which one a file has is told by its content, not by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from autodeploy.diagnostics import ModelError
from autodeploy.frontend.module import Axes
from autodeploy.frontend.tmfile.file import is_tmfile, starts_like_tmfile

if TYPE_CHECKING:
    from onnx import ModelProto

AnyModel: TypeAlias = "str | Path | bytes | ModelProto"
"""A model as a user passes it: the path of a file, the bytes of one, or an ONNX model."""


def source_of(model: AnyModel) -> str | Path | bytes:
    """Return the path of a model or its bytes; raises ``ModelError`` if it is too large."""
    if isinstance(model, str | Path | bytes):
        return model
    from google.protobuf.message import EncodeError

    try:
        return model.SerializeToString()
    except AttributeError:
        raise ModelError(
            f"a model is a path, the bytes of a file or a ModelProto, found {model!r}"
        ) from None
    except (EncodeError, ValueError):
        raise ModelError(
            "the model is too large for one message of protobuf, 2 GB; save it with external data, "
            "by onnx.save_model(…, save_as_external_data=True), and give its path"
        ) from None


def import_any_model(
    ctx: Context,
    source: Path | str | bytes,
    *,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, npt.ArrayLike] | None = None,
    bounds: Mapping[str, int] | None = None,
    axes: Axes | None = None,
    operators: str | Path | None = None,
    widen_f16: bool = False,
) -> ModuleOp:
    """Import a model from a file or from the bytes of one: a tmfile, or else an ONNX model.

    ``shapes`` are those of inputs, by name; ``dims`` gives numbers to extents that an ONNX model
    has names for, ``axes`` to single axes of inputs, ``values`` the values of inputs that the
    program is to take alone, ``bounds`` the largest that the integers of values can be,
    ``operators`` a folder of texts that define operators. With ``widen_f16`` 16-bit floats of a
    tmfile become 32-bit ones. Raises what the reader of the format raises.
    """
    # A reader and its dependencies are loaded when there is something to read.
    if is_tmfile(source) if isinstance(source, bytes) else starts_like_tmfile(Path(source)):
        from autodeploy.frontend.tmfile.importer import import_tmfile

        if dims:
            raise ModelError(
                f"a number is given for extent '{next(iter(dims))}', but a tmfile has no names of "
                "extents; give the shapes of its inputs"
            )
        if values:
            raise ModelError(
                f"a value is given for input '{next(iter(values))}', but nothing in a tmfile "
                "depends on the values of its inputs"
            )
        if bounds:
            raise ModelError(
                f"a bound is given for '{next(iter(bounds))}', but no size of a tmfile is computed"
            )
        return import_tmfile(ctx, source, shapes=shapes, widen=widen_f16, axes=axes)
    from autodeploy.frontend.onnx.foreign_operators import give_operators
    from autodeploy.frontend.onnx.importer import import_model

    if operators is not None:
        give_operators(ctx, Path(operators))
    return import_model(
        ctx, source, shapes=shapes, dims=dims, values=values, bounds=bounds, axes=axes
    )
