"""Columns of matrices that are stored in tiles, as ``nn.scaled_matmul`` reads them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import DivOp
from autodeploy.dialects.nn.constant import ConstantValue
from autodeploy.dialects.nn.logic import AndOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.tiled import TiledAttr, Tiling
from autodeploy.dialects.nn.types import bounds_of, shape_of, ui8
from autodeploy.frontend.nn.builder import NnBuilder
from autodeploy.weights import Array, WeightStore


@dataclass(frozen=True)
class TiledColumns:
    """How a matrix … x columns is stored: by tiles of ``width`` columns, filled up with zeros.

    ``dot`` neighbours along the last axis but one, which they divide, follow each other for each
    column.
    """

    width: int
    dot: int = 1

    def rows(self, b: NnBuilder, matrix: ConstantValue, indices: SSAValue) -> SSAValue:
        """Return columns of a matrix as rows, one an index, which ``nn.gather`` would find."""
        make = partial(self._stored, b.weights, matrix)
        stored = b.make_constant_value(b.weights.made((matrix, self), make))
        tiling = Tiling(0, self.width, bounds_of(matrix.type)[-1])
        layout = TiledAttr((0, 1), tiling, (1, self.dot) if self.dot > 1 else ())
        return b.emit(GatherOp(stored, indices, 0, layout))

    def _stored(self, store: WeightStore, matrix: ConstantValue) -> Array:
        array, dot = store.array(matrix), self.dot
        rows = array.reshape(-1, dot, array.shape[-1])
        wide = np.pad(rows, [(0, 0), (0, 0), (0, -rows.shape[-1] % self.width)])
        tiles = wide.reshape(len(rows), dot, -1, self.width).transpose(2, 0, 3, 1)
        return np.ascontiguousarray(tiles if dot > 1 else tiles[..., 0])


def unpacked_rows(b: NnBuilder, rows: SSAValue, blocks: int, bits: int) -> SSAValue:
    """Return the codes in rows of bytes; byte i of a block holds its codes i, i + bytes, …."""
    if bits == 8:
        return rows
    *outer, count = shape_of(rows.type)
    apart = b.reshape(rows, (*outer, blocks, 1, count // blocks))
    powers = np.array([1 << shift for shift in range(0, 8, bits)], np.uint8)
    digits = b.emit(DivOp(apart, b.make_constant(powers[:, None])))
    return b.emit(AndOp(digits, b.scalar((1 << bits) - 1, ui8)))
