"""Dataclasses as JSON, and JSON as dataclasses, with each value checked by the type of its field.

A dataclass is an object, a tuple a list, a mapping an object of values of one type. A member that
is missing has the default of its field. ``Annotated[T, f]`` is what ``f`` makes of a value and its
name in messages, or refuses by a ``UserError``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, cast, get_args, get_origin
from typing import get_type_hints as hints_of

from autodeploy.diagnostics import UserError

_T = TypeVar("_T")

_SIGNED, _IF_GIVEN = "signed", "if given"

Signed: TypeAlias = Annotated[int, _SIGNED]
"""An integer that may be negative, as no other one may."""

IfGiven: TypeAlias = Annotated[_T, _IF_GIVEN]
"""The type of a member that is left out where it has the default of its field."""


def to_json(value: Any) -> Any:
    """Return a value as ``json.dumps`` takes it: dataclasses as objects, and all else as it is."""
    if isinstance(value, tuple):
        return [to_json(item) for item in cast(tuple[Any, ...], value)]
    if not is_dataclass(value):
        return value
    hints = _hints(type(value))
    members = ((field, getattr(value, field.name)) for field in fields(value))
    return {
        field.name: to_json(member)
        for field, member in members
        if _IF_GIVEN not in get_args(hints[field.name]) or member != _default(field)
    }


def from_json(type_: type[_T], value: Any, name: str) -> _T:
    """Return the value of a type that JSON states, such as one of a dataclass.

    Raises ``UserError`` where it states another one. ``name`` is the value's in messages.
    """
    return _read(type_, value, name, name)


def _read(type_: Any, value: Any, name: str, owner: str) -> Any:
    """Read a value; ``owner`` is its name in the names of its members."""
    kind, parts = get_origin(type_), get_args(type_)
    if kind is Annotated:
        if _SIGNED in parts and type(value) is int:
            return value
        found = _read(parts[0], value, name, owner)
        for convert in filter(callable, parts[1:]):
            found = convert(found, name)
        return found
    if kind in (Union, UnionType):
        if value is None and NoneType in parts:
            return None
        likely = [part for part in parts if type(value) in (part, *get_args(part)[:1])]
        return _read((likely or parts)[0], value, name, owner)
    if kind is tuple:
        if not isinstance(value, list | tuple):
            raise UserError(f"{name} is not a list")
        items = cast(list[Any], value)
        kinds = [parts[0]] * len(items) if parts[-1:] == (...,) else parts
        if len(kinds) != len(items):
            raise UserError(f"{name} has {len(items)} items, expected {len(kinds)}")
        item = f"an entry of {owner}"
        return tuple(_read(kind, one, item, item) for kind, one in zip(kinds, items, strict=True))
    if kind is Mapping:
        return {
            _read(parts[0], key, owner, owner): _read(parts[1], member, *_names(key, owner))
            for key, member in _object(value, owner).items()
        }
    return _made(type_, value, owner) if is_dataclass(type_) else _scalar(type_, value, name)


def _made(type_: Any, value: Any, owner: str) -> Any:
    """Make a dataclass of the members of an object."""
    given, hints = _object(value, owner), _hints(type_)
    members: dict[str, Any] = {
        field.name: _read(hints[field.name], given.get(field.name), *_names(field.name, owner))
        for field in fields(type_)
        if field.name in given or not _has_default(field)
    }
    return type_(**members)


def _scalar(type_: Any, value: Any, name: str) -> Any:
    if type_ is bool and not isinstance(value, bool):
        raise UserError(f"{name} is neither true nor false")
    if type_ is float and type(value) is int:
        return float(value)
    if type_ in (int, float) and (not isinstance(value, type_) or isinstance(value, bool)):
        raise UserError(f"{name} is not a number")
    if type_ is int and value < 0:
        raise UserError(f"{name} is negative")
    if type_ in (bool, int, float):
        return value
    known = get_args(type_) if get_origin(type_) is Literal else ()
    if isinstance(type_, type) and issubclass(type_, Enum):
        known = tuple(str(one.value) for one in type_)
    if not isinstance(value, str if known or type_ is str else type_):
        raise UserError(f"{name} is not a string")
    if known and value not in known:
        raise UserError(f"{name} is '{value}', expected one of {', '.join(known)}")
    return type_(value) if known and isinstance(type_, type) else value


def _names(key: str, owner: str) -> tuple[str, str]:
    """Return the names of a member: its own, and the one in the names of its members."""
    return f"'{key}' of {owner}", f"'{key}'"


def _object(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise UserError(f"{name} is not an object")
    return cast(Mapping[str, Any], value)


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


@cache
def _hints(type_: type) -> Mapping[str, Any]:
    return hints_of(type_, include_extras=True)
