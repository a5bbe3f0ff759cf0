"""The template of depthwise convolutions: windows over single channels, as those of pools."""

from __future__ import annotations

from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.templates.window.template import WindowTemplate


class DepthwiseTemplate(WindowTemplate):
    """A sum over the window alone: groups of one input channel."""

    def applies(self, kernel: KernelOp) -> bool:
        conv = kernel.anchor
        return (
            isinstance(conv, ConvOp)
            and conv.groups.value.data > 1 == conv.filter_shape[1]
            and len(kernel.outputs) == 1
            and len(kernel.anchors) == 1
        )
