"""What a search chooses at its end: nothing that is slower than what was there."""

from dataclasses import replace

import pytest
from tuning_tasks import state

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.tuning.confirmation import Choice, confirm, measured_gain
from autodeploy.tuning.network_timer import Compared
from autodeploy.tuning.search import Budget


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

    def is_over(self, budget: Budget, trials: int) -> bool:
        """Time does not pass."""
        return budget.trials is not None and trials >= budget.trials


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
def test_choices_of_an_earlier_search_stay_if_they_are_faster(earlier, found, gains, chosen):
    choice = _choice(earlier, found)
    timer = _Timer({str(config): gain for config, gain in gains.items()})
    confirmed = confirm(_Search(), [choice], timer)
    assert [c.config for c in confirmed.choices] == [chosen or choice.state.task.rule]
    assert confirmed.network_gain == (gains[chosen] if chosen else 1.0)


def test_a_set_that_was_measured_is_not_measured_again():
    timer = _Timer({str(EARLIER): 0.9})
    confirm(_Search(), [_choice(EARLIER, EARLIER)], timer)
    assert timer.asked == [str(EARLIER)]


class _Network:
    """A network that takes the seconds that are said of the configs of its kernels."""

    def __init__(self, seconds) -> None:
        self.seconds, self.measured = seconds, 0

    def gain(self, before, after) -> Compared:
        return self.gains(before, [after])[0]

    def gains(self, before, afters) -> list[Compared]:
        self.measured += len(afters)
        first, *others = (
            self.seconds(*([r.config for r in records] or ["rule", "rule"]))
            for records in (before, *afters)
        )
        return [Compared(first / other) for other in others]


A, B, C = (ConfigAttr("direct_conv", {"tile": (8, columns)}) for columns in (2, 3, 4))


def _two(first: ConfigAttr = A, others=()) -> list[Choice]:
    choices = [_choice(None, first, 1.3), _choice(None, C, 1.2)]
    rule = choices[0].rule_costs[0]
    return [
        replace(choices[0], others=[(c, (rule / gain,)) for c, gain in others]),
        choices[1],
    ]


def test_a_config_that_slows_down_the_network_is_taken_back() -> None:
    def seconds(one: str, other: str) -> float:
        return 1.0 - 0.1 * (one == str(A)) + 0.05 * (other == str(C))

    network = _Network(seconds)
    found = confirm(_Search(), _two(), network, (), Budget())
    assert [choice.config for choice in found.choices] == [A, found.choices[1].state.task.rule]
    assert found.network_gain == pytest.approx(1 / 0.9)


def test_another_config_is_taken_where_it_is_faster_in_the_network() -> None:
    """The fastest one alone, ``A``, makes the second kernel slower."""

    def seconds(one: str, other: str) -> float:
        return {str(A): 0.99, str(B): 0.9}.get(one, 1.0) - 0.05 * (other == str(C))

    found = confirm(_Search(), _two(others=[(B, 1.25)]), _Network(seconds), (), Budget())
    assert [choice.config for choice in found.choices] == [B, C]
    assert found.network_gain == pytest.approx(1 / 0.85)


def test_a_single_config_is_taken_where_all_together_are_slower() -> None:
    def seconds(one: str, other: str) -> float:
        return 1.0 + 0.2 * (one == str(A)) - 0.05 * (other == str(C))

    found = confirm(_Search(), _two(), _Network(seconds), (), Budget())
    rule = found.choices[0].state.task.rule
    assert [choice.config for choice in found.choices] == [rule, C]


@pytest.mark.parametrize(("kernels", "measured"), [(0, 1), (1, 2), (2, 3), (None, 3)])
def test_configs_are_exchanged_within_a_budget(kernels: int | None, measured: int) -> None:
    network = _Network(lambda one, other: 1.0 - 0.1 * (one == str(A)) - 0.1 * (other == str(C)))
    found = confirm(_Search(), _two(), network, (), Budget(kernels))
    assert [choice.config for choice in found.choices] == [A, C]
    assert network.measured == measured
