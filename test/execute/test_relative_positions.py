"""Attention with scores of relative positions, as in Deberta: GatherElements of open extents."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from closeness import assert_close
from onnx import ModelProto, TensorProto, helper
from open_inner import Inner
from open_runs import check_range, check_sanitized_range, compiled, expected

from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle

WIDTH, HEADS, SPAN, LINEAR = 8, 2, 6, 2
"""Sizes of a layer; positions that are further apart than the span share a row of the table."""


class Exported(Inner):
    """A graph with the nodes that PyTorch's exporter writes for sizes."""

    def number(self, value: int) -> str:
        return self.constant(value, np.int64)

    def size(self, x: str, axis: int) -> str:
        return self.add("Gather", self.add("Shape", x), self.number(axis), axis=0)

    def joined(self, *sizes: str | int) -> str:
        parts = [
            self.integers(size)
            if isinstance(size, int)
            else self.add("Unsqueeze", size, self.integers(0))
            for size in sizes
        ]
        return self.add("Concat", *parts, axis=0)

    def expanded(self, x: str, *sizes: str) -> str:
        """Repeat x; an extent of -1 would be kept."""
        shape = self.add("Reshape", self.joined(*sizes), self.integers(-1))
        one = helper.make_tensor("value", TensorProto.INT64, [1], [1])
        ones = self.add("ConstantOfShape", self.add("Shape", shape), value=one)
        is_kept = self.add("Equal", shape, self.add("Mul", ones, self.number(-1)))
        return self.add("Expand", x, self.add("Where", is_kept, ones, shape))

    def range(self, count: str, *axes: int) -> str:
        places = self.add("Range", self.number(0), count, self.number(1))
        return self.add("Unsqueeze", places, self.integers(*axes))

    def heads(self, x: str) -> str:
        y = self.linear(x, WIDTH, WIDTH)
        split = self.joined(self.size(y, 0), self.size(y, 1), HEADS, -1)
        return self.add("Transpose", self.add("Reshape", y, split), perm=[0, 2, 1, 3])

    def scores(self, x: str, y: str) -> str:
        return self.add("MatMul", x, self.add("Transpose", y, perm=[0, 1, 3, 2]))


def bucketed(net: Exported, distance: str) -> str:
    """Return distances whose logarithm counts where they are large."""
    middle, far = net.number(LINEAR), float(np.log(15 / LINEAR))
    below, above = net.add("Less", distance, middle), net.add("Greater", distance, net.number(-2))
    is_near = net.add("And", below, above)
    apart = net.add("Where", is_near, net.number(LINEAR - 1), net.add("Abs", distance))
    share = net.add("Div", net.add("Cast", apart, to=1), net.constant(LINEAR, "f4"))
    share = net.add("Div", net.add("Log", share), net.constant(far, "f4"))
    share = net.add("Mul", share, net.constant(3.01, "f4"))
    share = net.add("Add", net.add("Ceil", share), net.constant(LINEAR, "f4"))
    share = net.add("Mul", share, net.add("Cast", net.add("Sign", distance), to=1))
    is_linear, wide = net.add("LessOrEqual", apart, middle), net.add("Cast", distance, to=1)
    return net.add("Cast", net.add("Where", is_linear, wide, share), to=7)


def attention(batch: int | str, has_buckets: bool) -> ModelProto:
    """Return a layer whose scores are those of tokens, of keys by place and of queries by place.

    The table has the rows of all distances, or as many as there may be between tokens of a run.
    """
    net = Exported()
    x, zero, one = net.takes("x", batch, "n", WIDTH), net.number(0), net.number(1)
    q, k, v = (net.heads(x) for _ in range(3))
    new, all_ = net.size(q, 2), net.size(k, 2)
    distance = net.add("Sub", net.range(new, 1), net.range(all_, 0))
    if has_buckets:
        distance = bucketed(net, distance)
    distance = net.add("Slice", distance, net.integers(0), net.joined(new), net.integers(0))
    distance = net.add("Unsqueeze", distance, net.integers(0, 1))
    table, span = net.weight(2 * SPAN, WIDTH), net.number(SPAN)
    if not has_buckets:
        span = net.add("Min", net.add("Max", new, all_), span)
        ends = (net.add(kind, net.number(SPAN), span) for kind in ("Sub", "Add"))
        table = net.add("Slice", table, *map(net.joined, ends), net.integers(0))
    rows = net.add("Unsqueeze", table, net.integers(0))
    last = net.add("Sub", net.add("Mul", span, net.number(2)), one)
    total = net.scores(q, k)
    for values, count, sign in ((q, new, "Identity"), (k, all_, "Neg")):
        places = net.add("Add", net.add(sign, distance), span)
        places = net.add("Min", net.add("Max", places, zero), last)
        shape = (net.size(values, 0), net.size(values, 1), count, all_)
        by_place = net.scores(values, net.heads(rows))
        taken = net.add("GatherElements", by_place, net.expanded(places, *shape), axis=-1)
        if sign == "Neg":
            taken = net.add("Transpose", taken, perm=[0, 1, 3, 2])
        total = net.add("Add", total, taken)
    y = net.add("MatMul", net.add("Softmax", total, axis=-1), v)
    y = net.add("Transpose", y, perm=[0, 2, 1, 3])
    shape = net.joined(net.size(y, 0), net.size(y, 1), -1)
    net.gives(net.add("Reshape", y, shape), batch, "n", WIDTH)
    return net.model("attention")


def of_one_sentence() -> ModelProto:
    return attention(1, False)


def in_buckets() -> ModelProto:
    return attention(3, True)


@pytest.mark.parametrize("make", [of_one_sentence, in_buckets])
@pytest.mark.parametrize("level", [3, 0])
def test_scores_of_relative_positions(make, level, tmp_path):
    onnx.checker.check_model(make())
    check_range(make, OpenSpec(("n",), 1, 17), tmp_path / "b", (1, 2, 5, 6, 7, 17), level=level)


def test_no_row_of_the_table_beyond_a_run_is_read(tmp_path):
    check_sanitized_range(of_one_sentence, OpenSpec(("n",), 1, 9), tmp_path, (1, 4, 9))


def test_several_sentences_of_any_number(tmp_path):
    specs = (OpenSpec(("b",), 1, 3), OpenSpec(("n",), 1, 9))
    model = compiled(lambda: attention("b", False), specs, tmp_path / "b")
    random = np.random.default_rng(0)
    with load_bundle(tmp_path / "b") as session:
        for shape in ((3, 9), (1, 1), (2, 4), (1, 7)):
            x = random.standard_normal((*shape, WIDTH)).astype(np.float32)
            (right,) = expected(model, {"x": x})
            (found,) = session.run({"x": x}).values()
            assert_close(found, right)
