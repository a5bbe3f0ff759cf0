"""The template of convolutions of several groups of several input channels."""

from __future__ import annotations

from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.templates.direct_conv.template import DirectConvTemplate, sums_channels_last


class GroupedConvTemplate(DirectConvTemplate):
    """The direct sum, where an output channel takes the channels of its group alone."""

    def applies(self, kernel: KernelOp) -> bool:
        conv = kernel.anchor
        return (
            isinstance(conv, ConvOp)
            and conv.groups.value.data > 1 < conv.filter_shape[1]
            and sums_channels_last(kernel)
        )
