"""Sums of products by the matrix units (tensor cores) of a device: the directive, and the product.

A matrix unit takes two matrices whose elements have fewer bits than a float of 32 bits, and adds
their product to a matrix of 32-bit floats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, StringAttr, f32, i64
from xdsl.ir import BlockArgument, SSAValue
from xdsl.irdl import base, irdl_op_definition, prop_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp, updates_of
from autodeploy.dialects.halide.expression import AddOp, ConstOp, MulOp, StrictOp
from autodeploy.dialects.halide.schedule import FuncScheduleOp
from autodeploy.dialects.halide.types import BufferType, buffer_type, dense_strides
from autodeploy.dialects.properties import properties

PACKED: Mapping[str, int] = {"tf32": 1, "f16": 2, "bf16": 2}
"""The types of factors, and how many of them are in a word of 32 bits."""

EDGES = (32, 64, 128)
"""Columns, or rows, of a tile that a block of threads computes."""

MOST_SUMS = 8192
"""Sums of a tile: with more of them, the registers of the threads are full."""


@dataclass(frozen=True)
class Factor:
    """The elements of a factor in memory.

    ``source`` is a buffer, or for a left factor a func that is stored densely. The element for some
    values of the variables is ``first`` elements after its first one, plus each variable by its
    step.
    """

    source: SSAValue
    first: int
    steps: tuple[int, ...]


@dataclass(frozen=True)
class Product:
    """A stack of matrices, each the product of two factors.

    ``extents`` are those of all variables: that of columns, then ``row_count`` ones that make up
    rows, then those of the stack, then ``summed`` ones that are summed over. The right factor
    varies along columns and not along rows, the left one along rows and not along columns.
    """

    extents: tuple[int, ...]
    row_count: int
    summed: int
    left: Factor
    right: Factor


@irdl_op_definition
class TensorCoresOp(FuncScheduleOp):
    """The tensor cores of a device compute a func, before all that reads it.

    The func passes on the sums of another one, which adds up products of two factors, from 0 on.
    Both factors are rounded to ``element`` (tf32, f16 or bf16). Products are exact, and summed in
    32 bits. A block of threads computes a tile of ``columns`` along dimension 0 by ``rows`` along
    the next ones. On a processor the directive means nothing, and nothing is rounded.

    Constraints:

    - (tensor_c1) the func passes on sums of products, from 0 on
    - (tensor_c2) factors are elements of 32-bit floats, whose places are sums of variables by
      constants
    - (tensor_c3) one factor varies along columns and not along rows, the other one the other way;
      the first one is a buffer
    - (tensor_c4) the element and the tile are known
    """

    name = "halide.tensor_cores"

    element = prop_def(base(StringAttr))
    columns = prop_def(IntegerAttr.constr(i64))
    rows = prop_def(IntegerAttr.constr(i64))

    assembly_format = "$func $element `in` $columns `by` $rows attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, element: str, columns: int, rows: int):
        super().__init__(
            operands=[func], properties=properties(element=element, columns=columns, rows=rows)
        )

    @property
    def tile(self) -> tuple[int, int]:
        """Return the columns and the rows of a tile."""
        return self.columns.value.data, self.rows.value.data

    def verify_(self) -> None:
        """Check the constraints."""
        columns, rows = self.tile
        if self.element.data not in PACKED:
            known = ", ".join(PACKED)
            raise invalid("tensor_c4", f"factors are {known}, found {self.element.data}")
        if not {columns, rows} <= {*EDGES} or columns * rows > MOST_SUMS:
            raise invalid("tensor_c4", f"no block computes a tile of {columns} by {rows}")
        product_of(self.func)


def product_of(func: SSAValue) -> Product:
    """Return the product that a func passes on; raises ``VerifyException`` if it does not."""
    stored, sums = func.owner, sums_of(func)
    assert isinstance(stored, FuncOp)
    updates = updates_of(sums.result)
    (update,) = updates if len(updates) == 1 else (None,)
    if update is None or not _starts_at_zero(sums) or update.ended is not None:
        raise invalid("tensor_c1", "tensor cores compute sums of products, from 0 on")
    variables = update.body.block.args
    factors = [_factor(load, variables) for load in _factors(update, sums)]
    extents, rank = (*stored.known_extents, *(n for _, _, n in update.rdom)), len(stored.vars)
    if any(low for _, low, _ in update.rdom):
        raise invalid("tensor_c2", "a sum begins with step 0")
    # A factor that does not vary along columns is the left one.
    left, right = sorted(factors, key=lambda factor: bool(factor.steps[0]))
    rows = next((d for d in range(1, rank) if right.steps[d]), rank) - 1
    is_buffer = isinstance(right.source.type, BufferType)
    if left.steps[0] or not right.steps[0] or rows < 1 or not is_buffer:
        raise invalid("tensor_c3", "a factor varies along columns, and the other one along rows")
    return Product(extents, rows, len(update.rdom), left, right)


def sums_of(func: SSAValue) -> FuncOp:
    """Return the func whose values a func passes on; raises as ``product_of`` does."""
    stored = func.owner
    if isinstance(stored, FuncOp) and stored.extents is not None:
        last = stored.body.block.last_op
        load = None if last is None else last.operands[0].owner
        if (
            isinstance(load, LoadOp)
            and isinstance(load.source.owner, FuncOp)
            and tuple(load.indices) == tuple(stored.body.block.args)
        ):
            return load.source.owner
    raise invalid("tensor_c1", "tensor cores compute a func that passes on sums")


def _starts_at_zero(sums: FuncOp) -> bool:
    last = sums.body.block.last_op
    start = None if last is None else last.operands[0].owner
    return isinstance(start, ConstOp) and start.value.value.data == 0


def _factors(update: UpdateOp, sums: FuncOp) -> tuple[LoadOp, LoadOp]:
    """Return the loads of both factors of an update."""
    last = update.body.block.last_op
    total = None if last is None else _plain(last.operands[0]).owner
    if isinstance(total, AddOp):
        old, product = (_plain(value).owner for value in total.operands)
        if not isinstance(product, MulOp):
            old, product = product, old
        if (
            isinstance(product, MulOp)
            and isinstance(old, LoadOp)
            and old.source is sums.result
            and tuple(old.indices) == tuple(update.body.block.args[: len(old.indices)])
        ):
            a, b = (_plain(value).owner for value in product.operands)
            if isinstance(a, LoadOp) and isinstance(b, LoadOp):
                return a, b
    raise invalid("tensor_c1", "tensor cores compute sums of products, from 0 on")


def _plain(value: SSAValue) -> SSAValue:
    """Return a value without ``halide.strict``, which is for operations of 32 bits."""
    while isinstance(value.owner, StrictOp):
        value = value.owner.x
    return value


def _factor(load: LoadOp, variables: tuple[BlockArgument, ...]) -> Factor:
    """Return the places that an update loads from."""
    source = load.source
    if load.result.type != f32:
        raise invalid("tensor_c2", f"factors are loaded as f32, found {load.result.type}")
    if isinstance(source.type, BufferType):
        strides = buffer_type(source).strides
    else:
        assert isinstance(source.owner, FuncOp)
        strides = dense_strides(source.owner.known_extents)
    first, steps = 0, [0] * len(variables)
    for index, stride in zip(load.indices, strides, strict=True):
        constant, coefficients = _linear(index)
        first += constant * stride
        for variable, coefficient in coefficients.items():
            steps[variable] += coefficient * stride
    return Factor(source, first, tuple(steps))


def _linear(value: SSAValue) -> tuple[int, dict[int, int]]:
    """Return a place as a constant, plus variables by their numbers, each by a coefficient."""
    match value.owner:
        case _ if isinstance(value, BlockArgument):
            return 0, {value.index: 1}
        case ConstOp() as constant:
            return int(constant.value.value.data), {}
        case AddOp() as total:
            (a, left), (b, right) = map(_linear, total.operands)
            numbers = {*left, *right}
            return a + b, {n: left.get(n, 0) + right.get(n, 0) for n in numbers}
        case MulOp() as product:
            (a, left), (b, right) = map(_linear, product.operands)
            if left and right:
                raise invalid("tensor_c2", "the place of a factor has a product of variables")
            return a * b, {n: c * b for n, c in left.items()} | {n: c * a for n, c in right.items()}
        case _:
            raise invalid("tensor_c2", "the place of a factor is no sum of variables by constants")
