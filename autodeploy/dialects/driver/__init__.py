"""The driver dialect: the shape of the C program that runs a network.

One ``driver.program`` holds what the generated ``run`` function does, in call order: name the
weights and the blocks of the arena, then call kernels on them. Values are memrefs, outermost extent
first. Weights, buffers, inputs and outputs are dense and row-major; views of them may be strided,
and then are parts of them, or have their axes in another order. Passes give every weight its offset
in the weight file and every buffer its offset in the arena; the emitter only prints what is
here.

Constraints of all memrefs and offsets:

- (memref_c1) weights, buffers, inputs and outputs of the program are dense
- (memref_c2) extents are known, and elements have a type of nn
- (memref_c3) a view has a stride for each axis, and no offset in its type
- (memref_c4) a dense memref has no layout in its type
- (memref_c5) no call and no copy writes a weight
- (memref_c6) no call and no copy writes an input of the program
- (memref_c7) no call and no copy writes what a run finds of a state
- (parent_c1) an op is in the program or in a region of it, a weight in no region
- (offset_c1) an offset is a multiple of 64 bytes, and not negative
"""

from autodeploy.dialects.defined import dialect_of
from autodeploy.dialects.driver.calls import (
    CALLS,
    Call,
    CallOp,
    CopyOp,
    JoinOp,
    LibraryCallOp,
    TransferOp,
    buffer_of,
)
from autodeploy.dialects.driver.memory import (
    BufferOp,
    RowOp,
    ViewOp,
    WeightOp,
    elements_of,
    is_on_device,
    may_overlap,
    root_of,
    shares_memory,
    starts_aligned,
    storage_of,
    view_axes,
)
from autodeploy.dialects.driver.part import PartAttr
from autodeploy.dialects.driver.program import ProgramOp
from autodeploy.dialects.driver.regions import ForOp, IfOp
from autodeploy.dialects.driver.state import StateOp

__all__ = [
    "CALLS",
    "DRIVER",
    "BufferOp",
    "Call",
    "CallOp",
    "CopyOp",
    "ForOp",
    "IfOp",
    "JoinOp",
    "LibraryCallOp",
    "PartAttr",
    "ProgramOp",
    "RowOp",
    "StateOp",
    "TransferOp",
    "ViewOp",
    "WeightOp",
    "buffer_of",
    "elements_of",
    "is_on_device",
    "may_overlap",
    "root_of",
    "shares_memory",
    "starts_aligned",
    "storage_of",
    "view_axes",
]

DRIVER = dialect_of("driver", __name__, __path__)
