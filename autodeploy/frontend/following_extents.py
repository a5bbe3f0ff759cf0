"""Extents that follow from open ones, as a user says: ``mask:1=past+1``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from shlex import quote

from autodeploy.diagnostics import ModelError, UserError, did_you_mean
from autodeploy.frontend.extent_expressions import ExtentExpression, parse_extent


@dataclass(frozen=True)
class FollowingExtent:
    """Extents, by names of the model or ``input:axis``, and their expressions.

    The text has names of other extents, whose numbers are open or given.
    """

    names: tuple[str, ...]
    text: str

    def __post_init__(self) -> None:
        if not self.names or not all(self.names) or parse_extent(self.text) is None:
            raise UserError(
                f"extent '{','.join(self.names)}' follows from others by an expression such as "
                f"'past+1' or 'past+length', found '{self.text}'"
            )

    @property
    def expression(self) -> ExtentExpression:
        """Return what the text says."""
        found = parse_extent(self.text)
        assert found is not None  # checked when this was made
        return found

    def number(self, numbers: Mapping[str, int]) -> int:
        """Return the extent where others are ``numbers``; raises ``ModelError`` if it is none."""
        for name in self.expression.names:
            if name not in numbers:
                raise ModelError(
                    f"extent '{self.names[0]}' is '{self.text}', but '{name}' is neither open nor "
                    f"given{did_you_mean(name, numbers)}"
                )
        found = self.expression.value(numbers)
        if found < 0:
            told = ", ".join(f"{name} {numbers[name]}" for name in self.expression.names)
            raise ModelError(f"extent '{self.names[0]}' is {found} for {told}")
        return found


def following_example(extent: str, opened: Iterable[str]) -> str | None:
    """Return an option by which an extent follows from ``opened`` ones, as an example.

    That is their sum, or one more than a single one; ``None`` if no text could name one.
    """
    names = [name for name in opened if parse_extent(f"{name}+1") is not None]
    if not names:
        return None
    text = "+".join(names) if len(names) > 1 else f"{names[0]}+1"
    return f"--dynamic {quote(f'{extent}={text}')}"
