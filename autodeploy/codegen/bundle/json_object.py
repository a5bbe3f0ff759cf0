"""A JSON object whose members are read with their types checked."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, TypeVar, cast

from autodeploy.diagnostics import UserError

_T = TypeVar("_T")


class JsonObject:
    """A JSON object, called ``where`` in messages; what is malformed raises ``UserError``."""

    def __init__(self, content: Any, where: str):
        if not isinstance(content, dict):
            raise UserError(f"{where} is not an object")
        self._content: dict[str, Any] = content
        self._where = where

    def integer(self, key: str) -> int:
        """Return an integer that may be negative."""
        value = self._content.get(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise UserError(f"'{key}' of {self._where} is not a number")
        return value

    def get(self, key: str, type_: type[_T]) -> _T:
        """Return a string, or a number that is not negative."""
        value = self._content.get(key)
        if not isinstance(value, type_) or isinstance(value, bool):
            expected = "a string" if type_ is str else "a number"
            raise UserError(f"'{key}' of {self._where} is not {expected}")
        if isinstance(value, int) and value < 0:
            raise UserError(f"'{key}' of {self._where} is negative")
        return value

    def items(self, key: str) -> list[Any]:
        """Return the items of a list."""
        value: Any = self._content.get(key)
        if not isinstance(value, list):
            raise UserError(f"'{key}' of {self._where} is not a list")
        return cast(list[Any], value)

    def optional(self, key: str, type_: type[_T]) -> _T | None:
        """Return ``get``; ``None`` if there is no such member."""
        return None if self._content.get(key) is None else self.get(key, type_)

    def has(self, key: str) -> bool:
        """Return whether there is a member."""
        return key in self._content

    def flag(self, key: str) -> bool:
        """Return a truth; false if there is no such member."""
        value = self._content.get(key, False)
        if not isinstance(value, bool):
            raise UserError(f"'{key}' of {self._where} is neither true nor false")
        return value

    def identifier(self, key: str) -> str:
        """Return a string that is an identifier of C."""
        value = self.get(key, str)
        if not value.isascii() or not value.isidentifier():
            raise UserError(f"'{key}' of {self._where} is not an identifier: '{value}'")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings."""
        if not all(isinstance(item, str) for item in self.items(key)):
            raise UserError(f"'{key}' of {self._where} is not a list of strings")
        return tuple(self.items(key))

    def one_of(self, key: str, known: Collection[str]) -> str:
        """Return a string that is one of those known."""
        value = self.get(key, str)
        if value not in known:
            raise UserError(
                f"'{key}' of {self._where} is '{value}', expected one of {', '.join(known)}"
            )
        return value

    def is_text_or_missing(self, key: str) -> bool:
        """Return whether a member is a string, or not there."""
        return isinstance(self._content.get(key), str | None)

    def path(self, key: str) -> str:
        """Return the name of a file of the bundle."""
        return _checked_path(self.get(key, str))

    def child(self, key: str) -> JsonObject:
        """Return a member that is an object."""
        return JsonObject(self._content.get(key), f"'{key}'")

    def children(self, key: str) -> list[JsonObject]:
        """Return the objects of a list."""
        return [JsonObject(entry, f"an entry of '{key}'") for entry in self.items(key)]

    def integers(self) -> dict[str, int]:
        """Return all members, which are integers."""
        return {key: self.get(key, int) for key in self._content}

    def strings(self, *, paths: bool = False) -> dict[str, str]:
        """Return all members, which are strings; with ``paths`` their names are files."""
        found = {key: self.get(key, str) for key in self._content}
        return {_checked_path(key): text for key, text in found.items()} if paths else found


def _checked_path(text: str) -> str:
    path = Path(text)
    if not text or path.is_absolute() or ".." in path.parts:
        raise UserError(f"'{text}' is not a file of the bundle")
    return text
