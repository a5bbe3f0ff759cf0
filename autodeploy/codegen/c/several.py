"""Programs of one network among which a bundle chooses: what stands for all of them.

Those for several machines are alike but for their kernels and memory. Those for parts of open
extents have other shapes, too: what stands for them has the largest, and how these grow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from autodeploy.codegen.c.device import merged_devices
from autodeploy.codegen.c.open_numbers import OpenNumber
from autodeploy.codegen.c.program import Program, StateTensor, Tensor, Threads
from autodeploy.diagnostics import UnsupportedError, UserError
from autodeploy.dialects.growth import CONSTANT, Growth, solved
from autodeploy.dialects.nn.parts import combination_of
from autodeploy.dialects.nn.stored import element_bits


def several_programs(programs: Sequence[Program]) -> Program:
    """Return what stands for programs of one network, in the order in which one is chosen.

    They have one weight file (``share-weights``), an arena that is large enough for each, and as
    much memory for each thread as any of them takes. Raises ``UserError`` if parts are not all
    combinations of those of their numbers, or if the programs are not of one interface.
    """
    device, parts = merged_devices([program.device for program in programs])
    derived = max(program.derived_count for program in programs)
    programs = [
        replace(program, device=part, derived_count=derived)
        for program, part in zip(programs, parts, strict=True)
    ]
    first = programs[0]
    weights = {weight.offset: weight for program in programs for weight in program.weights}
    scratch = [p.threads.scratch_bytes for p in programs if p.threads.scratch_bytes is not None]
    found = replace(
        first,
        weights=tuple(weights[offset] for offset in sorted(weights)),
        symbols={},
        arities={},
        functions=tuple(sorted({name for program in programs for name in program.functions})),
        arena_bytes=max(program.arena_bytes for program in programs),
        weight_bytes=max(program.weight_bytes for program in programs),
        threads=Threads(
            max(program.threads.count for program in programs), max(scratch, default=None)
        ),
        x86_sets=tuple(dict.fromkeys(name for p in programs for name in p.x86_sets)),
        variants=tuple(programs),
        device=device,
    )
    if first.op.part is not None:
        return _for_parts(found)
    interface = first.numbers, first.inputs, first.outputs
    assert all((p.numbers, p.inputs, p.outputs) == interface for p in programs)
    return found


def _for_parts(found: Program) -> Program:
    """Return a program of the common part of the programs for parts."""
    numbers = _all_numbers(found.variants)
    largest = found.variants[combination_of([n.parts for n in numbers], [n.most for n in numbers])]
    for program in found.variants:
        _check_interface(largest, program)

    def whole(of: Callable[[Program], tuple[Tensor, ...]]) -> tuple[Tensor, ...]:
        columns = zip(*map(of, found.variants), strict=True)
        pairs = zip(of(largest), columns, strict=True)
        return tuple(_whole(tensor, column, numbers, found) for tensor, column in pairs)

    inputs, outputs = whole(lambda one: one.inputs), whole(lambda one: one.outputs)
    states = tuple(
        _state(state, [program.states[index] for program in found.variants], numbers, found)
        for index, state in enumerate(largest.states)
    )
    told = {place for _, place in solved(g for tensor in inputs for g in tensor.growths)}
    told |= {state.place for state in states if state.place is not None}
    for place, number in enumerate(numbers):
        if place not in told:
            raise UnsupportedError(
                f"extent '{number.label}' cannot be open: no extent of an input depends on it"
            )
    return replace(found, inputs=inputs, outputs=outputs, numbers=numbers, states=states)


def _state(
    largest: StateTensor,
    states: Sequence[StateTensor],
    numbers: Sequence[OpenNumber],
    found: Program,
) -> StateTensor:
    """Return a state as all programs have it: in one place, with rows that grow alike."""
    left = _whole(largest.left, [state.left for state in states], numbers, found)
    if any(replace(state, left=left) != replace(largest, left=left) for state in states) or (
        left.open and not left.growths
    ):
        raise UnsupportedError(f"state '{largest.input}' is not the same in all parts")
    return replace(largest, left=left)


def _all_numbers(programs: Sequence[Program]) -> tuple[OpenNumber, ...]:
    """Return the numbers with the parts of all programs, which are all combinations of them."""
    columns = list(zip(*(program.numbers for program in programs), strict=True))
    numbers = tuple(
        replace(column[0], parts=tuple(dict.fromkeys(n.parts[0] for n in column)))
        for column in columns
    )
    combined = list(product(*(number.parts for number in numbers)))
    if combined != [tuple(n.parts[0] for n in program.numbers) for program in programs] or any(
        (n.label, n.step) != (column[0].label, column[0].step) for column in columns for n in column
    ):
        raise UserError("there is a program for each combination of parts, in order")
    return numbers


def _check_interface(largest: Program, program: Program) -> None:
    """Raise where a model decides by a number what its inputs and outputs are."""

    def fail(reason: str) -> UnsupportedError:
        names = ", ".join(f"'{number.label}'" for number in program.numbers)
        return UnsupportedError(f"extent {names} cannot be open: {reason}")

    if list(program.extents) != list(largest.extents):
        raise fail("values decide the extents of other outputs for some numbers than for others")
    tensors = (*program.inputs, *program.outputs)
    for tensor, other in zip(tensors, (*largest.inputs, *largest.outputs), strict=True):
        kind = (tensor.name, tensor.dtype, len(tensor.shape))
        if kind != (other.name, other.dtype, len(other.shape)) or tensor.keys != other.keys:
            raise fail(
                f"'{tensor.name}' is {_described(tensor)} for {program.variant} and "
                f"{_described(other)} for {largest.variant}"
            )
        if tensor.shape != other.shape and element_bits(tensor.element) < 8:
            raise fail(f"'{tensor.name}' has several elements in a byte")
        if any(n > most for n, most in zip(tensor.shape, other.shape, strict=True)):
            raise fail(
                f"'{tensor.name}' is {_described(tensor)} for {program.variant}, more than "
                f"{_described(other)} for {largest.variant}"
            )


def _described(tensor: Tensor) -> str:
    return f"{tensor.dtype} {'x'.join(map(str, tensor.shape)) or 'scalar'}"


def _whole(
    largest: Tensor, tensors: Sequence[Tensor], numbers: Sequence[OpenNumber], found: Program
) -> Tensor:
    """Return an input or output as all programs have it.

    How its open axes grow is known where one growth says it for the numbers of all programs.
    """
    axes = tuple(
        axis
        for axis, extent in enumerate(largest.shape)
        if any(axis in t.open or t.shape[axis] != extent for t in tensors)
    )
    growths = [_growth(axis, tensors, numbers, found.variants) for axis in axes]
    known = tuple(growth for growth in growths if growth is not None)
    return replace(largest, open=axes, growths=known if len(known) == len(axes) else ())


def _growth(
    axis: int, tensors: Sequence[Tensor], numbers: Sequence[OpenNumber], programs: Sequence[Program]
) -> Growth | None:
    """Return the growth of an axis that is right for all numbers; ``None`` if none is found.

    It is that of one of the programs, or in proportion to a number. An extent that depends on
    values in one of them is constant.
    """
    if any(tensor.grown.get(axis) is None for tensor in tensors if axis in tensor.open):
        return CONSTANT
    most = max(tensor.shape[axis] for tensor in tensors)
    grown = [tensor.grown[axis] for tensor in tensors if axis in tensor.grown]
    if not all(map(programs[0].is_told, grown)):
        return None
    found = list(grown)
    for place, number in enumerate(numbers):
        times, rest = divmod(most, number.most // number.step)
        found += [] if rest else [Growth.of(times, place=place)]
    fitted = _fitted(axis, tensors, programs)
    found += [] if fitted is None else [fitted]
    return next(
        (
            growth
            for growth in dict.fromkeys(found)
            if all(
                _is_right(growth, axis, tensor, program)
                for tensor, program in zip(tensors, programs, strict=True)
            )
        ),
        None,
    )


def _fitted(axis: int, tensors: Sequence[Tensor], programs: Sequence[Program]) -> Growth | None:
    """Return the sum of numbers that an axis has for the largest ones of each program, if any.

    How often a number is added shows where two programs differ in it alone.
    """
    samples: dict[tuple[int, ...], int] = {}
    for tensor, program in zip(tensors, programs, strict=True):
        largest = tuple(number.most // number.step for number in program.numbers)
        samples[largest] = tensor.shape[axis]
    terms: dict[int, int] = {}
    first = next(iter(samples))
    for place, own in enumerate(first):
        for numbers, extent in samples.items():
            apart = numbers[place] - own
            if apart and numbers == (*first[:place], numbers[place], *first[place + 1 :]):
                terms[place] = (extent - samples[first]) // apart
    if any(times < 0 for times in terms.values()):
        return None
    plus = samples[first] - sum(times * first[place] for place, times in terms.items())
    return Growth.sum_of(terms, plus) or None


def _is_right(growth: Growth, axis: int, tensor: Tensor, program: Program) -> bool:
    """Return whether an axis grows so for all numbers of a program."""
    own = tensor.grown.get(axis)
    if own == growth:
        return True
    places = sorted({*growth.places, *(() if own is None else own.places)})
    ends: list[tuple[int, ...]] = []
    for place, number in enumerate(program.numbers):
        (part,) = number.parts
        least, most = part.least // number.step, part.most // number.step
        is_read, is_alone = place in places, places == [place]
        ends.append(
            tuple(range(least, most + 1)) if is_alone else (least, most) if is_read else (least,)
        )
    if len(places) > 1 and not (growth.is_sum and (own is None or own.is_sum)):
        return False
    # Sums of several numbers are equal for all of them where they are for the ends of the ranges.
    return all(
        growth.at(steps) == (tensor.shape[axis] if own is None else own.at(steps))
        for steps in product(*ends)
    )
