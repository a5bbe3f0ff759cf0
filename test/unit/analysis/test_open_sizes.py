"""What is computed from open extents, over a range of their numbers."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper

from autodeploy.analysis.bending_sizes import MOST_NUMBERS, bending_numbers, thinned
from autodeploy.analysis.computed_sizes import Asked, Computed
from autodeploy.analysis.even_sizes import EvenSizes
from autodeploy.analysis.size_courses import Courses, Growing, Same, Varied, table
from autodeploy.analysis.telling_numbers import Telling, apart
from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.nn.open_extent import OpenExtentAttr, OpenRange

NUMBERS = np.arange(8, 37)
EXTENT = OpenExtentAttr((OpenRange("n", 8, 36),))
ROUNDED = Growth.of(1, 1, 4)


class Records:
    """Records of nodes on one extent, for the largest number."""

    def __init__(self, growth: Growth | None = None):
        self.asked = {0: [growth or Growth.of(1)]}
        self.all: list[Asked | Computed] = [Asked(0, "shape", (36,), False, True)]
        self.wholes = [np.array([36])]

    def add(self, op: str, *operands: int | np.ndarray, **attributes) -> int:
        """Record a node; an array is a constant."""
        names = [f"v{index}" for index in range(len(operands))]
        node = helper.make_node(op, names, ["y"], **attributes)
        whole = Courses([*self.all, Computed(node, 19, op, operands, 0, np.zeros(()))], 1,
                        lambda _: np.array([[36]])).of(len(self.all))  # fmt: skip
        array = whole.array[0] if isinstance(whole, Same) else np.zeros(())
        self.all.append(Computed(node, 19, op, operands, 0, array))
        return len(self.all) - 1

    def course(self, number: int):
        extents = np.array([[self.asked[0][0].at(int(n))] for n in NUMBERS])
        return Courses(self.all, len(NUMBERS), lambda _: extents).of(number)


def one(value: int) -> np.ndarray:
    return np.array([value])


def test_pointwise_nodes_are_computed_for_all_numbers():
    records = Records()
    rest = records.add("Mod", 0, one(8))
    flag = records.add("Greater", rest, one(4))
    joined = records.add("Concat", flag, records.add("Equal", 0, one(21)), axis=0)
    found = records.course(joined)
    assert isinstance(found, Same)
    assert (found.array == np.stack([NUMBERS % 8 > 4, NUMBERS == 21], axis=1)).all()


def test_the_first_numbers_of_a_range_are_known_by_their_extent():
    records = Records()
    zero = np.array(0)
    limit = records.add("Squeeze", 0, one(0))
    record = records.add("Range", zero, limit, np.array(1))
    records.all[record] = Computed(records.all[record].node, 19, "", (zero, limit, np.array(1)), 0,
                                   np.arange(36))  # fmt: skip
    found = records.course(record)
    assert isinstance(found, Growing)
    assert (table(found, found.whole) == NUMBERS[:, None]).all()


def test_numbers_that_begin_elsewhere_are_no_first_ones():
    records = Records()
    limit = records.add("Squeeze", 0, one(0))
    start = records.add("Mod", limit, np.array(2))
    record = records.add("Range", start, limit, np.array(1))
    found = records.course(record)
    assert isinstance(found, Varied)
    rows = table(found, np.arange(36))
    assert (rows[:, 1] == (NUMBERS % 2 == 0)).all()


@pytest.mark.parametrize(
    ("growth", "nodes", "expected"),
    [
        (Growth.of(1), [("Mul", 0, one(3))], True),
        (Growth.of(1), [("Mul", 0, 0)], True),
        (Growth.of(1), [("Mul", 0, 0), ("Mul", 0, 1)], False),
        (Growth.of(1), [("Sub", 0, one(3))], True),
        (Growth.of(1), [("Mod", 0, one(3))], False),
        (ROUNDED, [("Mul", 0, one(4))], True),
        (ROUNDED, [("Mul", 0, one(4)), ("Sub", 1, 0)], False),
        (Growth.of(1), [("Mul", 0, one(4)), ("Sub", 1, 0)], True),
    ],
)
def test_sums_and_products_are_even(growth, nodes, expected):
    records = Records(growth)
    for node in nodes:
        last = records.add(*node)
    assert EvenSizes(records.all, records.asked).is_even(last) is expected


@pytest.mark.parametrize(
    ("element", "expected"), [(TensorProto.INT32, True), (TensorProto.UINT8, False)]
)
def test_integers_that_may_wrap_around_are_not_even(element, expected):
    records = Records()
    last = records.add("Cast", 0, to=element)
    assert EvenSizes(records.all, records.asked).is_even(last) is expected


def rows(function) -> np.ndarray:
    return np.array([[function(n)] for n in NUMBERS], np.int64)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda n: 3 * n - 1, []),
        (lambda n: n == 21, [19, 20, 21, 22, 23]),
        (lambda n: n > 20, [19, 20, 21, 22]),
        (lambda n: n * n * n, [8, 17, 26, 36]),
        (lambda n: n % 4, [8, 9, *range(29, 37)]),
        (lambda n: n // 16, [14, 15, 16, 17, 30, 31, 32, 33]),
    ],
)
def test_numbers_next_to_bends_tell(function, expected):
    found = bending_numbers([NUMBERS], rows(function))
    assert found is not None
    assert sorted(n for (n,) in found) == expected


def test_what_bends_without_a_period_is_told_by_few_numbers_or_by_none():
    values = np.random.default_rng(0).integers(0, 2, (200, 1))
    assert bending_numbers([np.arange(200)], values) is None
    found = bending_numbers([np.arange(40)], values[:40])
    assert found is not None
    bends = np.flatnonzero(np.diff(values[:40, 0], 2)) + 1
    assert {n for (n,) in found} >= set(bends.tolist())


def test_pairs_are_told_by_a_line_or_by_themselves():
    columns = [np.arange(10), np.arange(20, 35)]
    one, other = np.meshgrid(*columns, indexing="ij")
    lines = bending_numbers(columns, ((one > 4) + 2 * other).reshape(-1, 1).astype(np.int64))
    assert lines == [(3, 34), (4, 34), (5, 34), (6, 34)]
    single = ((one == 5) & (other == 30)).reshape(-1, 1).astype(np.int64)
    found = bending_numbers(columns, single)
    assert found is not None and (5, 30) in found and len(found) < MOST_NUMBERS


def test_numbers_that_are_left_out_are_no_bends():
    columns = [thinned(np.arange(9000), 100), thinned(np.arange(1, 5000), 90)]
    one, other = np.meshgrid(*columns, indexing="ij")
    assert bending_numbers(columns, (3 * one + 2 * other).reshape(-1, 1)) == []
    found = bending_numbers(columns, (one >= 8990).reshape(-1, 1).astype(np.int64))
    assert found is not None and (8989, 4999) in found and (8990, 4999) in found


def test_many_numbers_are_thinned_between_their_ends():
    found = thinned(np.arange(1000), 64)
    assert len(found) <= 64
    assert found[:16].tolist() == [*range(16)] and found[-32:].tolist() == [*range(968, 1000)]


def test_a_number_tells_growths_apart():
    one, other = Growth.of(1, 1, 4), Growth.of(1, 2, 4)
    numbers = apart(one, other, EXTENT)
    assert numbers is not None and one.at(numbers) != other.at(numbers)
    assert apart(one, one, EXTENT) is None
    telling = Telling()
    telling.tell_apart([one, other], [(36,), (35,), (8,)], EXTENT)
    assert len(telling.numbers) == 1
    telling = Telling()
    telling.tell_apart([one, other], [(36,), (34,), (8,)], EXTENT)
    assert not telling.numbers
