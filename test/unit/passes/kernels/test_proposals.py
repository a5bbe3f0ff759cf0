"""How proposals to merge kernels are weighed against each other, and against the arena."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import pytest
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.activation import ReluOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp, YieldOp
from autodeploy.dialects.nn.types import tensor
from autodeploy.passes.kernels.proposals import Proposal, weighed

BANDS = ConfigAttr("row_bands", {"bands": (1, 1, 1)})
KIBIBYTE = 1024


def chain(*bytes_: int) -> tuple[Block, list[KernelOp]]:
    """Return kernels that each read the one before; their results have so many bytes."""
    block = Block(arg_types=[tensor(f32, (256,))])
    value: SSAValue = block.args[0]
    kernels: list[KernelOp] = []
    for size in bytes_:
        body = Block(arg_types=[value.type])
        op = ReluOp(body.args[0])
        body.add_op(op)
        Rewriter.replace_value_with_new_type(op.result, tensor(f32, (size // 4,)))
        kernels.append(KernelOp([value], body, [op.result]))
        value = kernels[-1].outputs[0]
    block.add_ops([*kernels, YieldOp([value])])
    return block, kernels


def chosen(block: Block, *proposals: Proposal) -> set[tuple[KernelOp, ...]]:
    return {proposal.kernels for proposal in weighed(block, proposals)}


@pytest.fixture
def four() -> tuple[Block, list[KernelOp]]:
    return chain(KIBIBYTE, 4 * KIBIBYTE, KIBIBYTE, KIBIBYTE)


def propose(kernels: Sequence[KernelOp], gain: float, bytes_: int = 0) -> Proposal:
    return Proposal(tuple(kernels), BANDS, gain, bytes_)


def test_of_two_that_want_a_kernel_the_one_that_gains_more_is_taken(four) -> None:
    block, kernels = four
    first, last = propose(kernels[:2], 10), propose(kernels[1:3], 20)
    assert chosen(block, first, last) == {last.kernels}
    assert chosen(block, first, replace(last, gain=5)) == {first.kernels}
    assert chosen(block, first, propose(kernels[2:], 1)) == {first.kernels, tuple(kernels[2:])}


def test_a_proposal_without_gain_is_left_out(four) -> None:
    block, kernels = four
    assert chosen(block, propose(kernels[:2], -1)) == set()
    assert chosen(block, propose(kernels[:2], 0)) == {tuple(kernels[:2])}


def test_a_longer_chain_is_taken_where_it_gains_as_much(four) -> None:
    block, kernels = four
    assert chosen(block, propose(kernels[:2], 7), propose(kernels[:3], 7)) == {tuple(kernels[:3])}


def test_the_arena_grows_for_nothing(four) -> None:
    block, kernels = four
    # The second and the third kernel's results are 5 KiB together; the largest one goes.
    fits, grows = (propose(kernels[1:3], 10, bytes_) for bytes_ in (3, 4))
    assert chosen(block, replace(fits, bytes=3 * KIBIBYTE)) == {fits.kernels}
    assert chosen(block, replace(grows, bytes=4 * KIBIBYTE)) == set()


def test_a_proposal_gains_a_cycle_for_each_byte_that_it_adds() -> None:
    block, kernels = chain(*(size * KIBIBYTE for size in (1, 4, 1, 1, 1, 1)))
    # Without the larger image, 3 KiB are needed at a time, and 1 KiB of memory to work in.
    first, second = propose(kernels[1:3], 10, KIBIBYTE), propose(kernels[3:5], 1023, 2 * KIBIBYTE)
    assert chosen(block, first, second) == {first.kernels}
    second = replace(second, gain=1024)
    assert chosen(block, first, second) == {first.kernels, second.kernels}


def test_the_least_gain_for_its_bytes_is_dropped() -> None:
    block, kernels = chain(*(size * KIBIBYTE for size in (1, 4, 1, 1, 1, 1)))
    small = propose(kernels[1:3], 10_000, KIBIBYTE)
    large = propose(kernels[3:5], 12_000, 4 * KIBIBYTE)
    assert chosen(block, small, large) == {small.kernels}
    # What wanted one of its kernels takes its place.
    other = propose(kernels[4:], 1, KIBIBYTE)
    assert chosen(block, small, large, other) == {small.kernels, other.kernels}


def test_two_that_gain_more_together_than_one_that_wants_kernels_of_both(four) -> None:
    block, kernels = four
    whole, parts = propose(kernels[:3], 20), [propose(kernels[:2], 11), propose(kernels[2:], 11)]
    assert chosen(block, whole, *parts) == {part.kernels for part in parts}
    assert chosen(block, *parts, whole) == {part.kernels for part in parts}
    less = [parts[0], replace(parts[1], gain=8)]
    assert chosen(block, whole, *less) == {whole.kernels}


def test_a_measurement_overrides_the_estimate(four) -> None:
    block, kernels = four
    whole, parts = propose(kernels[:3], inf), [propose(kernels[:2], 11), propose(kernels[2:], 11)]
    assert chosen(block, whole, *parts) == {whole.kernels}
