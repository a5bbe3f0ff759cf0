"""How an op makes an axis of an image longer or shorter, whatever extent the axis has."""

from __future__ import annotations

from dataclasses import dataclass

from autodeploy.dialects.nn.growth import Growth


@dataclass(frozen=True)
class Stretch:
    """Of n elements along an axis the result has ``(times * n + plus) / over``, rounded down."""

    times: int
    plus: int = 0
    over: int = 1

    def count(self, growth: Growth) -> Growth | None:
        """Return how the extent of the result grows; ``None`` if that has not this form."""
        return growth.scaled(self.times).moved(self.plus, self.over)
