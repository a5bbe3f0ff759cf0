"""A matrix product of a kernel, as the rules see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import BlockArgument

from autodeploy.analysis.open_reads import folds_open
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.open_extent import outermost_axis
from autodeploy.dialects.nn.scaled import ScaledMatMulOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of
from autodeploy.machine import Machine
from autodeploy.templates.dots import least_vectors, neighbours, packed_bytes
from autodeploy.templates.gemm.tile import ProductSizes
from autodeploy.templates.packing import is_own_constant
from autodeploy.templates.view import STORED_WORK


def product_of(kernel: KernelOp) -> MatMulOp | None:
    """Return the matrix product that a kernel of one result is; ``None`` of others."""
    anchor = kernel.anchor
    if not isinstance(anchor, MatMulOp) or len(kernel.anchors) > 1 or len(kernel.outputs) > 1:
        return None
    return anchor


def open_rows(kernel: KernelOp) -> Growth:
    """Return how the rows of a kernel's product grow."""
    axes = axes_of_type(kernel.outputs[-1].type)
    is_product = isinstance(kernel.anchor, MatMulOp | ScaledMatMulOp) and len(kernel.anchors) == 1
    return axes[-2] if is_product and len(axes) > 1 else CONSTANT


def open_columns(kernel: KernelOp) -> Growth:
    """Return how the columns of a kernel's result grow."""
    axes = axes_of_type(kernel.outputs[-1].type)
    return axes[-1] if axes else CONSTANT


def takes_open_tiles(kernel: KernelOp, product: MatMulOp) -> bool:
    """Tell whether a product with open axes may be computed by tiles of rows and columns.

    A tile of columns reads the right-hand side beyond the number of a run. That is memory of the
    program, with all columns of the largest number, where the axis is not the outermost one: what
    kernels read of a caller has no innermost one that is open.
    """
    axes, shape = axes_of_type(kernel.outputs[0].type), bounds_of(kernel.outputs[0].type)
    if any(axes[outermost_axis(shape) + 1 : -2]):
        return False
    if not axes or not axes[-1]:
        return True
    rhs = product.rhs
    return (
        not product.transpose_rhs
        and product.rhs_layout is None
        and isinstance(rhs, BlockArgument)
        and prod(bounds_of(rhs.type)[:-1]) > 1
        and bool(axes_of_type(rhs.type)[-1])
    )


@dataclass(frozen=True)
class Product:
    """A product of rows x inner by inner x columns, or a ``stack`` of them, innermost first.

    ``packed`` are the columns side by side of a packed right-hand side, and all with the zeros that
    fill up the last tile; there are none where it is not packed.
    """

    columns: int
    rows: int
    inner: int
    stack: tuple[int, ...]
    stored_bytes: int
    """Bytes of an element of the right-hand side."""
    sum_bytes: int
    packed: tuple[int, ...]
    packable: bool
    transposed_left: bool
    work: int
    """Updates of the kernel, those that store results included (``PipelineView.work``)."""
    open_rows: int = 0
    """What divides ``rows`` in all runs where they are open."""
    open_columns: int = 0
    """That of ``columns``, which are read in whole tiles."""
    open_inner: bool = False
    """Whether only a run knows how many steps there are."""
    narrow: bool = False
    """Whether the right-hand side has a narrower type than the sums."""
    dot: int = 1
    """Neighbours along the inner axis that one instruction sums; ``inner`` counts them as one."""
    least_vectors: int = 1
    """Vectors of columns that a tile should have at least."""

    @staticmethod
    def of(kernel: KernelOp, product: MatMulOp, dot: int = 1) -> Product:
        """Return what a kernel says of a product in it, which sums ``dot`` steps at once."""
        *stack, rows, columns = bounds_of(product.result.type)
        inner = bounds_of(product.lhs.type)[-2 if product.transpose_lhs else -1] // dot
        return Product(
            columns,
            rows,
            inner,
            tuple(reversed(stack)),
            packed_bytes(product),
            ELEMENT_BYTES[product.sum_element],
            _packed(product),
            is_packable(kernel, product),
            bool(product.transpose_lhs),
            prod((*stack, rows, columns)) * (inner + STORED_WORK),
            open_rows(kernel).multiple,
            open_columns(kernel).multiple,
            folds_open(kernel),
            product.has_narrow_weights,
            dot,
            least_vectors(product) if dot > 1 else 1,
        )

    def packed_by(self, config: ConfigAttr) -> Product:
        """Return the product as it will be packed; single columns lie as if they were not."""
        packed = config.ints("pack") if self.packable else self.packed
        return replace(self, packed=() if packed[:1] == (1,) else packed)

    @property
    def packed_columns(self) -> int:
        """The columns of a packed right-hand side with those that fill it up; 0 of another."""
        return self.packed[1] if self.packed else 0

    def room(self, machine: Machine) -> int:
        """Return the columns that whole tiles may read; 0 where none is read as a whole.

        Open columns are read beyond a run's. They end with a vector, so that the last tile mostly
        is a full one; columns beyond the largest number repeat the last one.
        """
        if not self.open_columns:
            return self.packed_columns
        lanes = machine.lanes(self.sum_bytes)
        return -(-self.columns // lanes) * lanes

    def sizes(self, element_bytes: int) -> ProductSizes:
        """Return the sizes by which a tile is chosen, if all elements have some bytes.

        A dot holds its products in a register on their way to the sums.
        """
        row_bytes = 0 if self.transposed_left else self.inner * element_bytes
        held, vectors = int(self.dot > 1), self.least_vectors
        return ProductSizes(
            self.columns, self.rows, self.inner, element_bytes, row_bytes, held, vectors
        )


def product_dot(machine: Machine, kernel: KernelOp, product: MatMulOp) -> int:
    """Return how many steps one instruction sums: neighbours of a packed right-hand side."""
    if not is_packable(kernel, product):
        return 1 if product.rhs_layout is None else product.rhs_layout.dot
    count = neighbours(machine, product)
    inner, _ = bounds_of(product.rhs.type)
    suits = inner % count == 0 and not product.transpose_lhs.value.data and not folds_open(kernel)
    return count if suits else 1


def _packed(product: MatMulOp) -> tuple[int, ...]:
    tiling = None if product.rhs_layout is None else product.rhs_layout.tiling
    if tiling is None or tiling.axis != 1:
        return ()
    tiles, _, width, *_ = bounds_of(product.rhs.type)
    return width, tiles * width


def is_packable(kernel: KernelOp, product: MatMulOp) -> bool:
    """Tell whether the right-hand side is a matrix of weights that nothing else reads."""
    shape = bounds_of(product.rhs.type)
    plain = not product.transpose_rhs and product.rhs_layout is None
    return len(shape) == 2 and all(shape) and plain and is_own_constant(kernel, product.rhs)
