"""Matrix products with weights of few bits: each block of a column has a scale of its own.

Constraints:

- (scaled_c1) x and scales are 32-bit floats, weights and zeros bytes
- (scaled_c2) a byte of weights holds 1, 2 or 4 codes of a block
- (scaled_c3) x has two axes or more, and the codes of all blocks along the last one
- (scaled_c4) scales have an element for each block of a column, zeros as many or one
- (scaled_c5) tiles have room for the columns, and each tile has some
"""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import IntegerAttr, f32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.base import TENSOR, AnchorOp, Tensor
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.structure import AccumulatingOp, Iterator, IteratorKind, parallel
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor, ui8


@irdl_op_definition
class ScaledMatMulOp(AnchorOp, AccumulatingOp):
    """x times a matrix of codes; a code c of a block stands for (c - zero) * scale.

    ``x`` is … x M x K, ``weights`` blocks x bytes x N, ``scales`` blocks x N, ``zeros`` the same or
    one number. A block has ``block`` codes along K. Byte i of a block holds its codes i, i + bytes,
    … from the low bits on. With ``columns`` = N the matrices are stored in tiles of columns, the
    last one filled up with zeros: N/t x blocks x bytes x t.
    """

    name = "nn.scaled_matmul"
    CONTRACTS: ClassVar[bool] = True
    ACCUMULATED: ClassVar[int] = 4

    x = operand_def(TENSOR)
    weights = operand_def(TENSOR)
    scales = operand_def(TENSOR)
    zeros = operand_def(TENSOR)

    block = prop_def(IntegerAttr.constr(i64))
    columns = opt_prop_def(IntegerAttr.constr(i64))

    def __init__(
        self,
        x: SSAValue,
        weights: SSAValue,
        scales: SSAValue,
        zeros: SSAValue,
        *,
        block: int,
    ):
        self.init_inferred([x, weights, scales, zeros], block=block)

    @property
    def tile(self) -> int:
        """The columns of a tile, 0 of matrices that are stored as a whole."""
        return 0 if self.columns is None else bounds_of(self.scales.type)[-1]

    @property
    def parts(self) -> int:
        """The codes in a byte."""
        return self.block.value.data // bounds_of(self.weights.type)[-2]

    @property
    def sum_element(self) -> Attribute:
        """The element type of the sums of blocks."""
        return f32

    @property
    def iterators(self) -> tuple[Iterator, ...]:
        """The axes of the result, and the inner one."""
        inner = bounds_of(self.x.type)[-1]
        result = parallel(bounds_of(self.result.type))
        return (*result, Iterator("k", inner, IteratorKind.REDUCTION))

    @property
    def indexing_maps(self) -> tuple[AffineMap | None, ...]:
        """Codes that share a byte have no map."""
        rank = len(bounds_of(self.result.type))
        *row, column, k = (AffineExpr.dimension(axis) for axis in range(rank + 1))
        block = k // self.block.value.data
        place = self.stored(block, column)
        zero = place if bounds_of(self.zeros.type) else ()
        reads = ((*row, k), None, place, zero, (*row, column))
        return tuple(None if read is None else AffineMap(rank + 1, 0, read) for read in reads)

    def stored(self, block: Any, column: Any, *byte: Any) -> tuple[Any, ...]:
        """Return the coordinates of a byte, or of a parameter, in the matrices as they are stored.

        The coordinates may be of anything that divides.
        """
        if not self.tile:
            return (block, *byte, column)
        return (column // self.tile, block, *byte, column % self.tile)

    def start(self, element: Attribute) -> float | int:
        return 0

    def body(self, s: Scalars[E], total: E, x: E, code: E, scale: E, zero: E) -> E:
        return total + x * (s.exact(code, f32) - s.exact(zero, f32)) * scale

    def combine(self, s: Scalars[E], total: E, other: E) -> E:
        return total + other

    def infer_result_type(self) -> Tensor:
        """Return … x M x N."""
        kinds = [element_of(operand.type) for operand in self.operands]
        if kinds != [f32, ui8, f32, ui8]:
            found = ", ".join(map(str, kinds))
            raise invalid("scaled_c1", f"expected f32, ui8, f32 and ui8, found {found}")
        weights, block = bounds_of(self.weights.type), self.block.value.data
        rank, bytes_ = (3 if self.columns is None else 4), max(weights[-2:-1], default=0)
        if len(weights) != rank or not bytes_ or block not in (bytes_, 2 * bytes_, 4 * bytes_):
            raise invalid("scaled_c2", f"blocks of {block} codes in {self.weights.type}")
        x, blocks = shape_of(self.x.type), weights[-3]
        if len(x) < 2 or x[-1] != blocks * block:
            raise invalid("scaled_c3", f"expected … x {blocks * block}, found {self.x.type}")
        of_columns = (*weights[:-2], weights[-1])
        for parameter, one in ((self.scales, of_columns), (self.zeros, ())):
            if bounds_of(parameter.type) not in (of_columns, one):
                raise invalid("scaled_c4", f"{parameter.type} for blocks of {self.weights.type}")
        columns = weights[-1] if self.columns is None else self.columns.value.data
        room = weights[-1] * (1 if self.columns is None else weights[0])
        if self.columns is not None and not room - weights[-1] < columns <= room:
            raise invalid("scaled_c5", f"{columns} columns in {self.weights.type}")
        return tensor(f32, (*x[:-1], columns))
