"""From the text of a pass's options to the pass: types, defaults, and errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args, get_type_hints

from xdsl.passes import ModulePass, get_pass_option_infos
from xdsl.utils.arg_spec import ArgSpec, ParameterListType, ParameterType
from xdsl.utils.hints import isa, type_repr

from autodeploy.diagnostics import UserError, did_you_mean
from autodeploy.tools.opt.flags import PassRequest, unquote


def build_passes(
    requests: Sequence[PassRequest], available: Mapping[str, Callable[[], type[ModulePass]]]
) -> tuple[ModulePass, ...]:
    """Make the passes; only modules of passes that are asked for are imported.

    Raises ``UserError`` for an unknown pass, an unknown or missing option, or a value of a wrong
    type.
    """
    for request in requests:
        check_pass_name(request.name, available)
    return tuple(_build(request, available[request.name]()) for request in requests)


def passes_of_level(
    level: str | None, machine: str, begin: str | None, end: str | None
) -> tuple[ModulePass, ...]:
    """Return the passes of a level after the stage ``begin`` up to ``end``; none without a level.

    Raises ``UserError`` for an unknown level, stage or machine.
    """
    if level is None:
        if begin or end:
            raise UserError("stages (--from, --to) are those of a level, expected -O0 to -O3")
        return ()
    if level not in ("0", "1", "2", "3"):
        raise UserError(f"option '-O' is 0 to 3, found '{level}'")
    from autodeploy.pipelines import stages

    parts = stages(int(level), machine)
    names = ["import", *(part.name for part in parts)]
    for name in (begin, end):
        if name is not None and name not in names:
            raise UserError(
                f"-O{level} has no stage '{name}'{did_you_mean(name, names)}; its stages are "
                f"{', '.join(names)}"
            )
    first, last = names.index(begin or names[0]), names.index(end or names[-1])
    return tuple(step for part in parts[first:last] for step in part.passes)


def check_pass_name(name: str, available: Mapping[str, object]) -> None:
    """Raise ``UserError`` if no pass has this name."""
    if name not in available:
        raise UserError(f"unknown pass '{name}'{did_you_mean(name, available)}")


def option_help(cls: type[ModulePass]) -> list[str]:
    """Return a pass's options as ``key=<type>``, each with its default where it has one."""
    return [
        f"{info.name.replace('_', '-')}=<{info.expected_type}>"
        + (f" (default {info.default_value})" if info.default_value not in (None, "none") else "")
        for info in get_pass_option_infos(cls)
    ]


def _build(request: PassRequest, cls: type[ModulePass]) -> ModulePass:
    types: dict[str, Any] = get_type_hints(cls)
    names = [info.name for info in get_pass_option_infos(cls)]
    for key in request.options:
        if key not in names:
            shown = [name.replace("_", "-") for name in names]
            hint = did_you_mean(key.replace("_", "-"), shown) or (
                f"; its options are {', '.join(shown)}" if shown else "; it takes none"
            )
            raise UserError(f"pass '{request.name}' has no option '{key.replace('_', '-')}'{hint}")
    missing = sorted(cls.required_fields() - request.options.keys())
    if missing:
        raise UserError(
            f"pass '{request.name}' needs option '{missing[0].replace('_', '-')}' "
            f"of type {type_repr(types[missing[0]])}"
        )
    values = {
        key: _convert(request.name, key, raw, types[key]) for key, raw in request.options.items()
    }
    try:
        return cls.from_pass_spec(ArgSpec(request.name, values))
    except ValueError as error:
        raise UserError(f"pass '{request.name}': {error}") from None


def _convert(name: str, key: str, raw: tuple[str, ...], type_: Any) -> ParameterListType:
    """Read the values as the option's type wants them: ``1`` is a float or a text if it must be."""
    if not raw:
        candidates: list[ParameterListType] = [(), (True,)]
    else:
        candidates = [
            tuple(map(_natural, raw)),
            tuple(map(_as_float, raw)),
            tuple(map(_as_text, raw)),
        ]
    for values in candidates:
        if _fits(values, type_):
            return values
    raise UserError(
        f"pass '{name}': option '{key.replace('_', '-')}' is of type {type_repr(type_)}, "
        f"found {repr(','.join(raw)) if raw else 'no value'}"
    )


def _fits(values: ParameterListType, type_: Any) -> bool:
    if not values:
        return type(None) in get_args(type_)
    if any(isinstance(value, bool) for value in values) and not _mentions_bool(type_):
        return False  # a bool is an int to Python, and not to a user
    return (len(values) == 1 and isa(values[0], type_)) or isa(values, type_)


def _mentions_bool(type_: Any) -> bool:
    return type_ is bool or any(map(_mentions_bool, get_args(type_)))


def _natural(value: str) -> ParameterType:
    if value in ("true", "false"):
        return value == "true"
    if re.fullmatch(r"[-+]?[0-9]+", value):
        return int(value)
    return _as_float(value)


def _as_float(value: str) -> ParameterType:
    if re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?", value):
        return float(value)
    return _as_text(value)


def _as_text(value: str) -> str:
    text = unquote(value)
    return value if text is None else text
