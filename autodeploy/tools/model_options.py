"""The options about a model, which every tool that imports one has: one table for all tools."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypedDict

from autodeploy.diagnostics import UserError
from autodeploy.tools.named_options import parse_bounds, parse_dims, parse_shapes, parse_values


class ModelOptions(TypedDict):
    """The values of the options, by the names of ``CompileOptions``."""

    shapes: Mapping[str, Sequence[int]]
    dims: Mapping[str, int]
    values: Mapping[str, list[float]]
    bounds: Mapping[str, int]
    operators: str | None


class ModelOption(NamedTuple):
    """An option that may be given several times: how its value is called, and its help."""

    metavar: str
    help: str


MODEL_OPTIONS = {
    "shape": ModelOption(
        "NAME=1,3,224,224",
        "shape of an input, where the model leaves it open or in place of the model's; repeatable",
    ),
    "dim": ModelOption(
        "NAME=1",
        "number for an extent that the model leaves open by this name, in all inputs; repeatable",
    ),
    "value": ModelOption(
        "NAME=224,224",
        "value of an input from which sizes are computed: its elements; the program takes no "
        "other one; repeatable",
    ),
    "bound": ModelOption(
        "NAME=2000",
        "the largest that the integers of a value can be from which sizes are computed, or those "
        "of all such values, '*=2000'; a run that finds more ends with an error; repeatable",
    ),
    "operators": ModelOption(
        "FOLDER", "folder of texts that define operators of the model: DOMAIN.OPERATOR.onnxtxt"
    ),
}


def read_model_options(texts: Mapping[str, Sequence[str]]) -> ModelOptions:
    """Read the texts of each option; raises ``UserError`` for those that are malformed."""
    folders = texts["operators"]
    if len(folders) > 1:
        raise UserError("option '--operators' is given twice")
    return ModelOptions(
        shapes=parse_shapes(texts["shape"]),
        dims=parse_dims(texts["dim"]),
        values=parse_values(texts["value"]),
        bounds=parse_bounds(texts["bound"]),
        operators=folders[0] if folders else None,
    )


def with_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let typer see these options in place of the parameter ``given`` of a command."""
    import typer  # autodeploy-opt has another reader of options

    def called(**arguments: Any) -> None:
        texts: dict[str, list[str]] = {n: arguments.pop(n) or [] for n in MODEL_OPTIONS}
        command(given=read_model_options(texts), **arguments)

    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[list[str] | None, typer.Option(metavar=metavar, help=help_)],
        )
        for name, (metavar, help_) in MODEL_OPTIONS.items()
    ]
    own = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for name, parameter in own.parameters.items():
        found = options if name == "given" else [parameter]
        parameters += [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in found]
    called.__signature__ = own.replace(parameters=parameters)  # pyright: ignore[reportFunctionMemberAccess]
    called.__name__, called.__doc__ = command.__name__, command.__doc__
    return called
