"""What else runs on a machine is no gain of a config."""

import pytest

from autodeploy.tuning.confirmation import measured_gain


@pytest.mark.parametrize(
    ("slow", "fast", "gain"),
    [
        ([2.0, 2.0, 2.0], [1.0, 1.0, 1.0], 2.0),
        ([9.0, 8.0, 1.0], [1.1, 1.1, 1.1], 1 / 1.1),  # disturbed, and no faster
        ([1.0, 1.0, 1.0], [0.5, 2.0, 2.0], 0.5),  # one lucky round
    ],
)
def test_a_gain_is_the_lesser_estimate(slow: list[float], fast: list[float], gain: float) -> None:
    assert measured_gain(slow, fast) == pytest.approx(gain)
