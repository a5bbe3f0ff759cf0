"""The nn dialect: the closed core on which all optimisation happens.

Some fifty typed ops on statically shaped tensors; ``docs/dialects/nn.md`` lists them.
"""

from xdsl.ir import Dialect

from autodeploy.dialects.nn.constant import ConstantOp, DenseAttr, WeightAttr
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import AlgorithmAttr, CallOp, KernelOp, YieldOp
from autodeploy.dialects.nn.layout import ActivationAttr, FilterLayoutAttr, LayoutAttr
from autodeploy.dialects.nn.lookup import GatherElementsOp, GatherOp
from autodeploy.dialects.nn.movement import MOVEMENT_OPS, PadModeAttr
from autodeploy.dialects.nn.normalisation import LayerNormOp, LrnOp
from autodeploy.dialects.nn.pointwise import POINTWISE_OPS
from autodeploy.dialects.nn.reduction import (
    ArgReduceOp,
    BatchNormOp,
    ReduceOp,
    ReductionAttr,
    SoftmaxOp,
)
from autodeploy.dialects.nn.resampling import InterpolationAttr, ResizeOp, RoundingAttr
from autodeploy.dialects.nn.scan import CumSumOp
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.window import AveragePoolOp, MaxPoolOp

NN = Dialect(
    "nn",
    [
        ConstantOp,
        *POINTWISE_OPS,
        ConvOp,
        MatMulOp,
        ConvTransposeOp,
        MaxPoolOp,
        AveragePoolOp,
        ReduceOp,
        ArgReduceOp,
        SoftmaxOp,
        BatchNormOp,
        LayerNormOp,
        LrnOp,
        CumSumOp,
        ResizeOp,
        *MOVEMENT_OPS,
        GatherOp,
        GatherElementsOp,
        KernelOp,
        CallOp,
        YieldOp,
    ],
    [
        DenseAttr,
        WeightAttr,
        LayoutAttr,
        FilterLayoutAttr,
        ActivationAttr,
        ReductionAttr,
        PadModeAttr,
        InterpolationAttr,
        RoundingAttr,
        AlgorithmAttr,
    ],
)
