"""The halide dialect: Halide's own vocabulary, algorithm and schedule apart."""

from xdsl.ir import Dialect

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp, YieldOp
from autodeploy.dialects.halide.call_values import CALL_VALUE_OPS
from autodeploy.dialects.halide.expression import EXPRESSION_OPS
from autodeploy.dialects.halide.fetch_ahead import FETCH_OPS, PartitionAttr, PrefetchesAttr
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.schedule import SCHEDULE_OPS
from autodeploy.dialects.halide.schedule_attributes import MemoryAttr, TailAttr
from autodeploy.dialects.halide.types import BufferType, FuncType

HALIDE = Dialect(
    "halide",
    [
        *(PipelineOp, FuncOp, UpdateOp, OutputOp, LoadOp, YieldOp),
        *(*CALL_VALUE_OPS, *EXPRESSION_OPS, *SCHEDULE_OPS, *FETCH_OPS),
    ],
    [BufferType, FuncType, MemoryAttr, PartitionAttr, PrefetchesAttr, TailAttr],
)
