"""Matrix products with weights of few bits: each block of a column has a scale of its own.

Constraints:

- (scaled_c1) x is 32-bit floats, or i8 with scales; scales are such floats, weights and zeros bytes
- (scaled_c2) a byte of weights holds 1, 2 or 4 codes of a block
- (scaled_c3) x has two axes or more, and the codes of all blocks along the last one
- (scaled_c4) scales have an element for each block of a column or row, zeros as many or one
- (scaled_c5) tiles have room for the columns, and each tile has some
"""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import IntegerAttr, f32, i8, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, opt_prop_def, prop_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.base import TENSOR, AnchorOp, Tensor
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.structure import AccumulatingOp, Iterator, IteratorKind, parallel
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor, ui8

_RANK_OF_DOTS = 6


@irdl_op_definition
class ScaledMatMulOp(AnchorOp, AccumulatingOp):
    """x times a matrix of codes; a code c of a block stands for (c - zero) * scale.

    ``x`` is … x M x K, ``weights`` blocks x bytes x N, ``scales`` blocks x N, ``zeros`` the same or
    one number. A block has ``block`` codes along K. Byte i of a block holds its codes i, i + bytes,
    … from the low bits on. With ``x_scales``, … x M x blocks, x is codes of 8 bits without zero
    points, and sums of blocks are 32-bit integers. With ``columns`` = N the matrices are stored in
    tiles of columns, the last one filled up with zeros: N/t x blocks x bytes x t. The bytes of a
    tile may have d neighbours and vectors of v columns: N/t x blocks x bytes/d x t/v x v x d.
    """

    name = "nn.scaled_matmul"
    CONTRACTS: ClassVar[bool] = True
    ACCUMULATED: ClassVar[int] = 5

    x = operand_def(TENSOR)
    weights = operand_def(TENSOR)
    scales = operand_def(TENSOR)
    zeros = operand_def(TENSOR)
    x_scales = opt_operand_def(TENSOR)

    block = prop_def(IntegerAttr.constr(i64))
    columns = opt_prop_def(IntegerAttr.constr(i64))

    def __init__(
        self,
        x: SSAValue,
        weights: SSAValue,
        scales: SSAValue,
        zeros: SSAValue,
        x_scales: SSAValue | None = None,
        *,
        block: int,
    ):
        self.init_inferred([x, weights, scales, zeros, x_scales], block=block)

    @property
    def tile(self) -> int:
        """The columns of a tile, 0 of matrices that are stored as a whole."""
        return 0 if self.columns is None else bounds_of(self.scales.type)[-1]

    @property
    def parts(self) -> int:
        """The codes in a byte."""
        return self.block.value.data // self._matrix[-2]

    @property
    def dot(self) -> int:
        """The bytes of a column that are neighbours; 1 where those of a row are."""
        shape = bounds_of(self.weights.type)
        return shape[-1] if len(shape) == _RANK_OF_DOTS else 1

    @property
    def _matrix(self) -> tuple[int, ...]:
        """The shape of the weights without neighbours."""
        shape = bounds_of(self.weights.type)
        if len(shape) != _RANK_OF_DOTS:
            return shape
        tiles, blocks, groups, vectors, lanes, dot = shape
        return tiles, blocks, groups * dot, vectors * lanes

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
        scales = [(*row, block)] if self.x_scales is not None else []
        reads = ((*row, k), None, place, zero, *scales, (*row, column))
        return tuple(None if read is None else AffineMap(rank + 1, 0, read) for read in reads)

    def stored(self, block: Any, column: Any, *byte: Any) -> tuple[Any, ...]:
        """Return the coordinates of a byte, or of a parameter, in the matrices as they are stored.

        The coordinates may be of anything that divides.
        """
        if byte and self.dot > 1:
            (number,), (vectors, lanes, dot) = byte, bounds_of(self.weights.type)[-3:]
            outer = column // self.tile, block, number // dot
            return (*outer, column // lanes % vectors, column % lanes, number % dot)
        if not self.tile:
            return (block, *byte, column)
        return (column // self.tile, block, *byte, column % self.tile)

    def start(self, element: Attribute) -> float | int:
        return 0

    def body(self, s: Scalars[E], total: E, x: E, code: E, scale: E, zero: E, *x_scale: E) -> E:
        factor = scale * x_scale[0] if x_scale else scale
        distance = s.exact(code, f32) - s.exact(zero, f32)
        return total + s.exact(x, f32) * distance * factor

    def combine(self, s: Scalars[E], total: E, other: E) -> E:
        return total + other

    def infer_result_type(self) -> Tensor:
        """Return … x M x N."""
        kinds = [element_of(operand.type) for operand in self.operands]
        if kinds not in ([f32, ui8, f32, ui8], [i8, ui8, f32, ui8, f32]):
            found = ", ".join(map(str, kinds))
            raise invalid(
                "scaled_c1",
                f"expected f32, ui8, f32 and ui8, or i8 rows with scales f32, found {found}",
            )
        weights, block = self._matrix, self.block.value.data
        rank, bytes_ = (3 if self.columns is None else 4), max(weights[-2:-1], default=0)
        if len(weights) != rank or not bytes_ or block not in (bytes_, 2 * bytes_, 4 * bytes_):
            raise invalid("scaled_c2", f"blocks of {block} codes in {self.weights.type}")
        x, blocks = shape_of(self.x.type), weights[-3]
        if len(x) < 2 or x[-1] != blocks * block:
            raise invalid("scaled_c3", f"expected … x {blocks * block}, found {self.x.type}")
        of_columns = (*weights[:-2], weights[-1])
        allowed = ([of_columns], [of_columns, ()], [(*x[:-1], blocks)])
        for parameter, shapes in zip(self.operands[2:], allowed, strict=False):
            if not any(are_same(shape_of(parameter.type), shape) for shape in shapes):
                raise invalid("scaled_c4", f"{parameter.type} for blocks of {self.weights.type}")
        columns = weights[-1] if self.columns is None else self.columns.value.data
        room = weights[-1] * (1 if self.columns is None else weights[0])
        if self.columns is not None and not room - weights[-1] < columns <= room:
            raise invalid("scaled_c5", f"{columns} columns in {self.weights.type}")
        return tensor(f32, (*x[:-1], columns))
