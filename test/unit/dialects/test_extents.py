"""Extents, against plain integers for every number of a run."""

from __future__ import annotations

import operator
import re
import weakref
from contextlib import suppress
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from xdsl.utils.exceptions import VerifyException

from autodeploy.diagnostics import UserError
from autodeploy.dialects.extent_calls import each, lists_of
from autodeploy.dialects.extents import (
    Extent,
    Numbers,
    Undecided,
    decided,
    extent_of,
    is_integer,
    keys_of,
    largest,
    largest_of,
    numbers_of,
    smallest,
)
from autodeploy.dialects.open_range import OpenRange, fewer, singles

N = Numbers((OpenRange("n", 1, 64),))
STEP = Numbers((OpenRange("n", 1, 8, 8),))
LONG = Numbers((OpenRange("n", 1, 64, 8),))
PAIR = Numbers((OpenRange("h", 2, 4), OpenRange("w", 1, 5)))
n = N.extent(0)
h, w = PAIR.extent(0), PAIR.extent(1)


def counts_of(numbers):
    return list(product(*(range(own.least, own.most + 1) for own in numbers.ranges)))


def values_of(numbers, extent):
    """Return the value for each combination of numbers."""
    if isinstance(extent, Extent):
        return [extent.at(counts) for counts in counts_of(numbers)]
    return [extent] * numbers.points


@st.composite
def grids(draw):
    labels = "nmk"[: draw(st.integers(1, 3))]
    ranges = []
    for label in labels:
        least = draw(st.integers(0, 3))
        ranges.append(
            OpenRange(label, least, least + draw(st.integers(1, 4)), draw(st.integers(1, 3)))
        )
    return Numbers(tuple(ranges))


SMALL, SIZES, LARGE = (-9, 9), (1, 99), (-(2**63), 2**63 - 1)


@st.composite
def integers_of(draw, numbers, values=SMALL):
    """Return a plain integer, or an extent of random values that depend on some of the numbers."""
    random = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    shape = [count if random.random() < 0.6 else 1 for count in numbers.shape]
    least, most = values
    table = random.integers(least, most, shape, endpoint=True)
    return extent_of(numbers, np.where(random.random(shape) < 0.3, least, table))


VALUES = st.sampled_from([SMALL, SIZES, LARGE])

ARITHMETIC = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "largest": (largest, max),
    "smallest": (smallest, min),
}


@pytest.mark.parametrize("function", ARITHMETIC.values(), ids=ARITHMETIC)
@given(data=st.data())
def test_arithmetic_is_of_integers_for_every_number(function, data):
    ours, plain = function if isinstance(function, tuple) else (function, function)
    numbers, values = data.draw(grids()), data.draw(VALUES)
    one, other = data.draw(integers_of(numbers, values)), data.draw(integers_of(numbers, values))
    pairs = list(zip(values_of(numbers, one), values_of(numbers, other), strict=True))
    assume(isinstance(one, Extent) or isinstance(other, Extent))
    try:
        expected = [plain(*pair) for pair in pairs]
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError, match="divided by 0"):
            ours(one, other)
        return
    # Rounding up goes by the negative value, which has one more bit.
    if all(-(2**63) < value < 2**63 for value in (*expected, *sum(pairs, ()))):
        found = ours(one, other)
        assert values_of(numbers, found) == expected
        assert type(found) is (int if len(set(expected)) == 1 else Extent)
    else:
        with suppress(OverflowError):
            assert values_of(numbers, ours(one, other)) == expected


@given(st.data())
def test_divmod_negation_and_distance_are_of_integers(data):
    numbers = data.draw(grids())
    one, by = data.draw(integers_of(numbers)), data.draw(integers_of(numbers, SIZES))
    values, divisors = values_of(numbers, one), values_of(numbers, by)
    quotient, remainder = divmod(one, by)
    pairs = zip(values_of(numbers, quotient), values_of(numbers, remainder), strict=True)
    assert list(pairs) == list(map(divmod, values, divisors))
    assert values_of(numbers, -one) == [-value for value in values]
    assert values_of(numbers, abs(one)) == list(map(abs, values))


COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@pytest.mark.parametrize("function", COMPARISONS.values(), ids=COMPARISONS)
@given(data=st.data())
def test_a_comparison_has_one_answer_or_names_two_numbers(function, data):
    numbers, values = data.draw(grids()), data.draw(VALUES)
    one, other = data.draw(integers_of(numbers, values)), data.draw(integers_of(numbers, values))
    pairs = zip(values_of(numbers, one), values_of(numbers, other), strict=True)
    answers = dict(zip(counts_of(numbers), (function(*pair) for pair in pairs), strict=True))
    if len(set(answers.values())) == 1:
        assert function(one, other) is answers[counts_of(numbers)[0]]
        return
    with pytest.raises(Undecided) as caught:
        function(one, other)
    error = caught.value
    asks = operator.eq if function is operator.ne else function  # != asks whether they are equal
    yes, no = error.counts
    assert (answers[yes], answers[no]) == (asks is function, asks is not function)
    assert f"holds for {numbers.text(yes)}, not for {numbers.text(no)}" in str(error)
    check_remedy(numbers, error.remedy, answers)


def check_remedy(numbers, remedy, answers):
    """Check that answers by counts are the same within each part that a remedy has."""
    options = dict(re.findall(r"--dynamic (\w+)=(\S+)", remedy))
    assert options
    parts = [
        [[*range(own.least, own.most + 1)]]
        if own.label not in options
        else parts_of(own, options[own.label])
        for own in numbers.ranges
    ]
    for chosen in product(*parts):
        assert len({answers[counts] for counts in product(*chosen)}) == 1


def parts_of(range_, option):
    """Return the counts of steps of each part of an option, which has multiples of its step."""
    listed, _, step = option.partition(":")
    step = int(step or 1)
    found = []
    for part in listed.split(","):
        least, _, most = part.partition("..")
        least, most = int(least), int(most or least)
        assert least % step == most % step == step % range_.step == 0
        found.append([number // range_.step for number in range(least, most + 1, step)])
    counts = [count for part in found for count in part]
    assert counts == sorted(set(counts))
    assert set(counts) <= set(range(range_.least, range_.most + 1))
    return found


REMEDIES = [
    (lambda: n == 1, "split the range, such as --dynamic n=1,2..64"),
    (lambda: n == 5, "split the range, such as --dynamic n=1..4,5,6..64"),
    (lambda: n < 64, "split the range, such as --dynamic n=1..63,64"),
    (lambda: n % 8 == 0, "give a step, such as --dynamic n=8..64:8"),
    (lambda: LONG.extent(0) % 16 == 0, "give a step, such as --dynamic n=16..512:16"),
    (lambda: STEP.extent(0) > 16, "split the range, such as --dynamic n=8..16,24..64:8"),
    (lambda: h > 2, "split the range, such as --dynamic h=2,3..4"),
    (lambda: h == w, "split the range, such as --dynamic h=2,3,4 --dynamic w=1,2,3,4,5"),
    (lambda: int(w), "split the range, such as --dynamic w=1,2,3,4,5"),
    (
        lambda: n * n % 61 == 1,
        "split the range, such as --dynamic n=1,2..59,60,61,62,63..64",
    ),
]


@pytest.mark.parametrize(("question", "remedy"), REMEDIES)
def test_the_remedy_decides_the_question(question, remedy):
    with pytest.raises(Undecided) as caught:
        question()
    assert caught.value.remedy == remedy


def test_a_remedy_of_both_kinds():
    first, second = OpenRange("n", 1, 40), OpenRange("m", 1, 3)
    numbers = Numbers((first, second))
    odd, even = numbers.extent(0) % 2, numbers.extent(1) // 2
    with pytest.raises(Undecided) as caught:
        _ = odd == even
    assert caught.value.remedy == (
        "split the range and give a step, such as --dynamic n=2..40:2 --dynamic m=1,2..3"
    )


def test_a_question_names_its_numbers():
    with pytest.raises(Undecided, match=r"^1\.\.64 == 5 holds for 5, not for 1$"):
        _ = n == 5
    with pytest.raises(Undecided, match=r"^2\.\.4 > 1\.\.5 holds for h 2, w 1, not for h 2, w 2$"):
        _ = h > w
    with pytest.raises(Undecided, match=r"^8\.\.64 < 16 holds for 8, not for 16$"):
        _ = STEP.extent(0) < 16


def test_decided():
    rises = np.arange(64) > 5
    assert decided("is it", N, np.array([True] * 64)) is True
    assert decided("is it", N, np.array([False])) is False
    with pytest.raises(Undecided, match="is it holds for 7, not for 1"):
        decided("is it", N, rises)


@pytest.mark.parametrize(
    "ask",
    [int, float, range, lambda x: [0] * x, np.zeros, lambda x: np.array([x]),
     lambda x: np.arange(3) + x, lambda x: np.sqrt(x), bool, lambda x: (0, 1)[x], lambda x: x / 2],
)  # fmt: skip
def test_code_that_needs_one_number_is_undecided(ask):
    with pytest.raises(Undecided):
        ask(n - 1)


@pytest.mark.parametrize(
    "compute",
    [lambda x: x * 1.5, lambda x: 2.0 - x, lambda x: x**2, lambda x: x >> 1],
)
def test_other_operations_than_integer_arithmetic_are_refused(compute):
    with pytest.raises(TypeError):
        compute(n)


def test_an_extent_is_true_where_it_is_never_0():
    assert n
    assert not extent_of(N, np.zeros(64, int))
    with pytest.raises(Undecided):
        assert n // 2


@given(st.data())
def test_integers_of_numpy_are_plain_ones(data):
    value, function = data.draw(st.integers(1, 99)), data.draw(st.sampled_from([
        operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod,
    ]))  # fmt: skip
    of_numpy = np.int64(value)
    assert keys_of([function(n, of_numpy)]) == keys_of([function(n, value)])
    assert keys_of([function(of_numpy, n)]) == keys_of([function(value, n)])
    assert (of_numpy + 64 > n, n < of_numpy + 64, of_numpy + 64 == n) == (True, True, False)
    assert is_integer(of_numpy)
    assert is_integer(n)
    assert not is_integer(1.0)


@given(st.data())
def test_equal_extents_have_one_hash_and_one_key(data):
    numbers = data.draw(grids())
    one, other = data.draw(integers_of(numbers)), data.draw(integers_of(numbers))
    again = one + other - other
    assert again == one
    assert hash(again) == hash(one)
    same = values_of(numbers, one) == values_of(numbers, other)
    assert (keys_of([one]) == keys_of([other])) is same
    assert keys_of([again, 3]) == keys_of([one, 3])


def test_an_extent_is_nothing_but_integers():
    assert n != "n"
    assert n not in ([], None)
    assert (str(n), f"{n:>9}", repr(h * w)) == ("1..64", "1..64", "2..20")
    assert (n.least, n.most, largest_of(n), largest_of(7)) == (1, 64, 64, 7)


@given(st.data())
def test_a_function_of_integers_is_called_for_each(data):
    numbers = data.draw(grids())
    one, other = data.draw(integers_of(numbers)), data.draw(integers_of(numbers, SIZES))
    pairs = list(zip(values_of(numbers, one), values_of(numbers, other), strict=True))
    called = []

    def function(*operands):
        assert all(type(operand) is int for operand in operands)
        called.append(operands)
        return operands[0] ** 2 + pow(3, operands[1], 7)

    found = each(function, one, other)
    assert len(called) == len(set(called))
    assert values_of(numbers, found) == [function(*pair) for pair in pairs]


@given(st.data())
def test_lists_have_zeros_after_their_ends(data):
    numbers = data.draw(grids())
    start, count = data.draw(integers_of(numbers)), data.draw(integers_of(numbers, SIZES))
    found = lists_of(lambda start, count: start + np.arange(count), start, count)
    rows = np.broadcast_to(found, (*numbers.shape, found.shape[-1])).reshape(numbers.points, -1)
    pairs = zip(values_of(numbers, start), values_of(numbers, count), strict=True)
    for row, (first, n) in zip(rows, pairs, strict=True):
        assert row.tolist() == [first + i if i < n else 0 for i in range(found.shape[-1])]
    assert found.shape[-1] == largest_of(count)


def test_a_table_is_as_small_as_its_arguments():
    assert h.table.shape == (3, 1)
    assert (h * w - h).table.shape == (3, 5)
    assert (h * w // h).table.shape == (1, 5)
    assert type(h * w // h // w) is int
    assert type(extent_of(N, np.array([3]))) is int
    assert extent_of(PAIR, np.broadcast_to(h.table, PAIR.shape)).key == h.key


def test_an_extent_keeps_small_results():
    wide = Numbers((OpenRange("h", 1, 200), OpenRange("w", 1, 200)))
    one, other = wide.extent(0), wide.extent(1)
    small, large = weakref.ref(one + 1), weakref.ref(one * other)
    assert small() is one + 1
    assert large() is None
    for _ in range(2):
        assert one < 201
        with pytest.raises(Undecided):
            assert one < other


def test_tables_are_of_integers_of_64_bits():
    truths = extent_of(N, np.arange(64) > 5)
    assert (truths.at((6,)), truths.at((7,))) == (0, 1)
    assert extent_of(N, np.arange(64, dtype=np.uint64)).most == 63
    with pytest.raises(TypeError, match="float64"):
        extent_of(N, np.arange(64) / 2)
    with pytest.raises(OverflowError):
        extent_of(N, np.arange(64, dtype=np.uint64) + np.uint64(2**63))


@pytest.mark.parametrize(
    "compute",
    [lambda x: x * 2**58, lambda x: x * x * 2**52, lambda x: x + (2**63 - 9), lambda x: 2**63 + x],
)
def test_no_extent_wraps(compute):
    with pytest.raises(OverflowError):
        compute(n)


def test_large_constants_do_not_spoil_small_results():
    most = 2**63 - 1
    assert keys_of([smallest(n, most)]) == keys_of([n])
    assert keys_of([smallest(n, 2**80)]) == keys_of([n])
    assert n < 2**80
    assert n % 2**80 == n
    assert smallest(n, -most) == -most
    assert (most - n + n) == most


def test_extents_of_several_programs_have_no_common_numbers():
    other = STEP.extent(0)
    for ask in (
        lambda: n + other,
        lambda: n == other,
        lambda: largest(n, other),
        lambda: each(max, n, other),
        lambda: numbers_of(3, n, other),
    ):
        with pytest.raises(VerifyException, match="several programs"):
            ask()
    again = Numbers((OpenRange("n", 1, 64),))
    assert again.extent(0) == n
    assert numbers_of(3, n, again.extent(0)) == N
    assert numbers_of(3, 4) is None


def test_numbers_are_counts_of_steps():
    step = STEP.extent(0)
    assert [step.at((count,)) for count in (1, 2, 8)] == [8, 16, 64]
    assert STEP.text((3,)) == "24"
    assert PAIR.text((3, 5)) == "h 3, w 5"
    assert [PAIR.counts_at(place) for place in (0, 4, 5, 14)] == [(2, 1), (2, 5), (3, 1), (4, 5)]
    for counts in ((1, 1), (5, 1), (2, 0), (2, 6)):
        with pytest.raises(ValueError, match="is not a count of"):
            h.at(counts)


def test_more_combinations_than_are_tabulated_are_refused():
    side = OpenRange("h", 1, 1 << 10)
    Numbers((side, side)).check()
    with pytest.raises(UserError) as caught:
        Numbers((side, OpenRange("w", 2, 1 << 11))).check()
    assert str(caught.value) == (
        "the ranges of 'h' and 'w' have 2096128 combinations of numbers, at most 1048576 can be "
        "followed; a step, such as --dynamic w=2..2048:2, or parts of fewer numbers may help"
    )


def test_fewer_numbers_by_steps_of_the_widest_ranges():
    ranges = [OpenRange("h", 3, 1000), OpenRange("w", 8, 160, 8)]
    assert fewer(ranges, 10**6) == "a step or parts of fewer numbers"
    assert "--dynamic h=8..1000:8, or" in fewer(ranges, 20000)
    assert "--dynamic h=16..992:16 --dynamic w=64..1280:32, or" in fewer(ranges, 2500)
    assert "--dynamic n=2..3:1" not in fewer([OpenRange("n", 2, 3)], 1)


def test_each_number_a_part():
    assert singles([OpenRange("n", 1, 3, 8)]) == "--dynamic n=8,16,24"
    assert singles([OpenRange("n", 1, 2), OpenRange("m", 1, 2)]) == "--dynamic n,m=1,2"
    ranges = [OpenRange("n", 1, 2), OpenRange("m", 1, 3), OpenRange("k", 1, 2)]
    assert singles(ranges) == "--dynamic n,k=1,2 --dynamic m=1,2,3"
    assert N.single_parts.endswith(
        "no open extent: --dynamic n=" + ",".join(map(str, range(1, 17))) + ",…"
    )
