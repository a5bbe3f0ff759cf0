"""Columns of matrices that are stored in tiles, as ``nn.scaled_matmul`` reads them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import prod

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp, DivOp
from autodeploy.dialects.nn.constant import ConstantValue
from autodeploy.dialects.nn.logic import AndOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.types import bounds_of, shape_of, ui8
from autodeploy.frontend.nn.builder import NnBuilder
from autodeploy.frontend.nn.places import from_start
from autodeploy.frontend.nn.term import Term
from autodeploy.weights import Array, WeightStore


@dataclass(frozen=True)
class TiledColumns:
    """How a matrix … x columns is stored: by tiles of ``width`` columns, filled up with zeros.

    ``dot`` neighbours along the last axis but one follow each other for each column.
    """

    width: int
    dot: int = 1

    def rows(self, b: NnBuilder, matrix: ConstantValue, indices: SSAValue) -> SSAValue:
        """Return columns of a matrix as rows, one an index, which ``nn.gather`` would find."""
        (*outer, columns), width, dot = bounds_of(matrix.type), self.width, self.dot
        store, count = b.weights, prod(outer)
        make = partial(self._stored, store, matrix)
        flat = b.make_constant_value(store.made((matrix, self), make))
        tiles = -(-columns // width)
        flat = b.reshape(flat, (tiles * width * count,))
        column = Term(b, from_start(b, b.cast(indices, i64), columns))
        column = column.maximum(0).minimum(columns - 1)
        tile = column / width
        lane = column - tile * width
        start = (tile * (width * count) + lane * dot).value
        numbers = np.arange(count)
        places = b.make_constant(numbers // dot * (width * dot) + numbers % dot)
        start = b.reshape(start, (*shape_of(indices.type), 1))
        return b.emit(GatherOp(flat, b.emit(AddOp(start, places)), 0))

    def _stored(self, store: WeightStore, matrix: ConstantValue) -> Array:
        array, dot = store.array(matrix), self.dot
        *outer, inner, columns = array.shape
        wide = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, -columns % self.width)])
        apart = wide.reshape(prod(outer), inner // dot, dot, -1, self.width)
        return np.ascontiguousarray(apart.transpose(3, 0, 1, 4, 2))


def unpacked_rows(b: NnBuilder, rows: SSAValue, blocks: int, bits: int) -> SSAValue:
    """Return the codes in rows of bytes; byte i of a block holds its codes i, i + bytes, …."""
    if bits == 8:
        return rows
    *outer, count = shape_of(rows.type)
    apart = b.reshape(rows, (*outer, blocks, 1, count // blocks))
    powers = np.array([1 << shift for shift in range(0, 8, bits)], np.uint8)
    digits = b.emit(DivOp(apart, b.make_constant(powers[:, None])))
    return b.emit(AndOp(digits, b.scalar((1 << bits) - 1, ui8)))
