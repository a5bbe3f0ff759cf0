"""What is computed from open extents, over a range of their numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from onnx import TensorProto, helper

from autodeploy.analysis.bending_sizes import MOST_NUMBERS, bending_numbers
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

    def add_list(self, op: str, *operands: int | np.ndarray) -> int:
        """Record a node whose result has as many zeros as the number says."""
        names = [f"v{index}" for index in range(len(operands))]
        node = helper.make_node(op, names, ["y"])
        whole = np.zeros((36, 1) if op == "Expand" else 36)
        self.all.append(Computed(node, 19, op, operands, 0, whole))
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
    ("function", "over", "expected"),
    [
        (lambda n: 3 * n - 1, 1, []),
        (lambda n: n == 21, 1, [19, 20, 21, 22, 23]),
        (lambda n: n > 20, 1, [19, 20, 21, 22]),
        (lambda n: n % 4, 1, [*range(29, 37)]),
        (lambda n: n % 4, 6, [*range(13, 37)]),
        (lambda n: n // 16, 1, [14, 15, 16, 17, 30, 31, 32, 33]),
    ],
)
def test_numbers_next_to_bends_tell(function, over, expected):
    found = bending_numbers([NUMBERS], rows(function), over)
    assert found is not None
    assert sorted(n for (n,) in found) == expected


def test_two_numbers_do_not_tell_how_a_size_grows():
    assert bending_numbers([np.arange(1, 3)], np.array([[1], [0]]), 1) == [(1,), (2,)]
    assert bending_numbers([np.arange(1, 3)], np.array([[1], [1]]), 1) == []


def test_what_bends_without_a_period_is_told_by_all_numbers_or_by_none():
    values = np.random.default_rng(0).integers(0, 2, (200, 1))
    assert bending_numbers([np.arange(200)], values, 1) is None
    assert bending_numbers([np.arange(200)], np.arange(200)[:, None] ** 3, 1) is None
    found = bending_numbers([np.arange(40)], values[:40], 1)
    assert found is not None
    bends = np.flatnonzero(np.diff(values[:40, 0], 2)) + 1
    assert {n for (n,) in found} >= set(bends.tolist())


def test_pairs_are_told_by_a_line_or_by_themselves():
    columns = [np.arange(10), np.arange(20, 35)]
    one, other = np.meshgrid(*columns, indexing="ij")
    lines = bending_numbers(columns, ((one > 4) + 2 * other).reshape(-1, 1).astype(np.int64), 1)
    assert lines == [(3, 34), (4, 34), (5, 34), (6, 34)]
    single = ((one == 5) & (other == 30)).reshape(-1, 1).astype(np.int64)
    found = bending_numbers(columns, single, 1)
    assert found is not None and (5, 30) in found and len(found) < MOST_NUMBERS


def test_floats_bend_wherever_they_change():
    values = np.sqrt(np.arange(8.0, 37.0))[:, None]
    bends = bending_numbers([NUMBERS], table(Same(values), values[0]), 1)
    assert bends == [(n,) for n in NUMBERS]
    same = np.ones((len(NUMBERS), 1))
    assert bending_numbers([NUMBERS], table(Same(same), same[0]), 1) == []


def test_places_from_the_end_of_a_growing_list_are_not_constant():
    records = Records()
    values = np.zeros(64, np.int64)
    values[20] = 5
    part = records.add("Slice", values, one(0), 0)
    records.all[part] = replace(records.all[part], whole=values[:36])
    taken = records.course(records.add("Gather", part, one(-1)))
    assert isinstance(taken, Same)
    assert (taken.array[:, 0] == values[NUMBERS - 1]).all()
    assert records.course(records.add("Gather", part, one(8))) is None  # 8 elements have no ninth
    first = records.course(records.add("Gather", part, one(7)))
    assert isinstance(first, Growing | Same) and not first_varies(first)


def first_varies(course) -> bool:
    return len(np.unique(course.extents if isinstance(course, Growing) else course.array)) > 1


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ((one(-20), one(10)), lambda n: (max(n - 20, 0), max(min(n, 10) - max(n - 20, 0), 0))),
        ((one(2), one(1 << 62)), lambda n: (2, n - 2)),
    ],
)
def test_bounds_of_a_slice_are_clipped_to_what_is_there(bounds, expected):
    records = Records()
    number = records.add("Slice", 0, *bounds)
    records.all[number] = replace(records.all[number], clips=True)
    found = records.course(number)
    assert isinstance(found, Same)
    assert found.array.tolist() == [[*expected(n)] for n in NUMBERS.tolist()]


def test_places_of_a_gather_are_counted_from_the_end():
    records = Records()
    number = records.add("Gather", 0, records.add("Sub", 0, one(20)))
    records.all[number] = replace(records.all[number], clips=True)
    found = records.course(number)
    assert isinstance(found, Same)
    assert (found.array[:, 0] == np.where(NUMBERS < 20, 2 * NUMBERS - 20, NUMBERS - 20)).all()


def test_squeeze_without_axes_is_not_followed():
    """An axis may have one element for a single number."""
    records = Records()
    filled = records.add_list("Expand", np.zeros((1, 1)), records.add("Concat", 0, one(1), axis=0))
    assert isinstance(records.course(records.add_list("Squeeze", filled, one(1))), Growing)
    assert isinstance(records.course(records.add_list("Squeeze", filled)), Varied)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((1, 9), "--dynamic h=64,128..640:64"),
        ((10, 5), "--dynamic w=2..4,5,6..9"),
        ((5, 2), "--dynamic h=64..256,320,384..640:64 --dynamic w=2,3..9"),
    ],
)
def test_numbers_are_given_parts_of_their_own(counts, expected):
    ranges = (OpenRange("h", 1, 10, 64), OpenRange("w", 2, 9))
    assert OpenExtentAttr(ranges).split(counts) == expected


def test_each_number_is_given_a_part():
    height, width = OpenRange("h", 2, 4, 16), OpenRange("w", 2, 4, 16)
    assert OpenExtentAttr((height, width)).singles == "--dynamic h,w=32,48,64"
    assert OpenExtentAttr((height, OpenRange("w", 2, 5))).singles == "--dynamic h=32,48,64"
    assert OpenExtentAttr((OpenRange("n", 1, 99),)).singles.endswith(",15,16,…")


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
