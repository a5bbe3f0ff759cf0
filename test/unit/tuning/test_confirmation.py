"""What a search chooses at its end: nothing that is slower than what was there."""

import pytest
from tuning_tasks import state

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.tuning.confirmation import Choice, confirm, measured_gain
from autodeploy.tuning.network_timer import Compared


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


class _Timer:
    """A network that gains what is said of the configs that it is compiled with."""

    def __init__(self, gains: dict[str, float]) -> None:
        self.gains, self.asked = gains, []

    def gain(self, before, after) -> Compared:
        configs = [record.config for record in after]
        self.asked += configs
        return Compared(self.gains[configs[-1]])


class _Search:
    def report(self, doing: str) -> None:
        """Nobody listens."""


def _choice(earlier: ConfigAttr | None, found: ConfigAttr | None, gain: float = 1.2) -> Choice:
    """Return what a search found for a kernel, beside what an earlier one chose."""
    known = state()
    known.chosen = earlier
    if earlier is not None:
        known.add(earlier, known.rule_cost / 1.1)
    cost = known.rule_cost / (gain if found else 1.0)
    return Choice(known, found or known.task.rule, (cost,), (known.rule_cost,))


EARLIER, FOUND = (ConfigAttr("direct_conv", {"tile": (8, columns)}) for columns in (2, 3))


@pytest.mark.parametrize(
    ("earlier", "found", "gains", "chosen"),
    [
        (None, None, {}, None),
        (None, FOUND, {FOUND: 1.1}, FOUND),
        (None, FOUND, {FOUND: 0.9}, None),
        (EARLIER, None, {EARLIER: 1.05}, EARLIER),
        (EARLIER, None, {EARLIER: 0.98}, None),
        (EARLIER, FOUND, {EARLIER: 1.05, FOUND: 1.02}, EARLIER),
        (EARLIER, FOUND, {EARLIER: 1.05, FOUND: 1.08}, FOUND),
        (EARLIER, FOUND, {EARLIER: 0.97, FOUND: 1.02}, FOUND),
        (EARLIER, EARLIER, {EARLIER: 1.05}, EARLIER),
    ],
)
def test_what_an_earlier_search_chose_stays_where_it_is_faster(earlier, found, gains, chosen):
    choice = _choice(earlier, found)
    timer = _Timer({str(config): gain for config, gain in gains.items()})
    confirmed = confirm(_Search(), [choice], timer)
    assert [c.config for c in confirmed.choices] == [chosen or choice.state.task.rule]
    assert confirmed.network_gain == (gains[chosen] if chosen else 1.0)


def test_a_set_that_was_measured_is_not_measured_again():
    timer = _Timer({str(EARLIER): 0.9})
    confirm(_Search(), [_choice(EARLIER, EARLIER)], timer)
    assert timer.asked == [str(EARLIER)]
