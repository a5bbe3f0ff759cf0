"""Networks whose padding follows from the extent: as many windows as strides in it."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto
from open_inner import Inner


def _conv(net: Inner, x: str, channels: tuple[int, int], window: tuple[int, ...], **given) -> str:
    outputs, inputs = channels[1], channels[0] // given.get("group", 1)
    return net.add("Conv", x, net.weight(outputs, inputs, *window), net.weight(outputs), **given)


def _mobile(end: str, name: str) -> ModelProto:
    net, same = Inner(), {"auto_pad": end}
    x = net.takes("x", 1, 3, "n", "n")
    y = net.add("Relu", _conv(net, x, (3, 16), (3, 3), strides=[2, 2], **same))
    y = net.add("Relu", _conv(net, y, (16, 16), (3, 3), group=16, **same))
    y = net.add("Relu", _conv(net, y, (16, 16), (3, 3), group=16, strides=[2, 2], **same))
    y = _conv(net, y, (16, 24), (1, 1))
    y = net.add("Relu", _conv(net, y, (24, 24), (5, 5), group=24, strides=[2, 2], **same))
    left = _conv(net, y, (24, 24), (1, 1), strides=[2, 2], **same)
    right = net.add("MaxPool", y, kernel_shape=[2, 2], strides=[2, 2], **same)
    y = net.add("Add", left, right)
    net.gives(y, 1, 24, None, None)
    net.gives(net.add("GlobalAveragePool", y), 1, 24, 1, 1)
    return net.model(name)


def mobile_upper() -> ModelProto:
    """A small MobileNet as TensorFlow has it: all images are halved with the odd element behind."""
    return _mobile("SAME_UPPER", "mobile_upper")


def mobile_lower() -> ModelProto:
    """The same with the odd element before the image."""
    return _mobile("SAME_LOWER", "mobile_lower")


def same_kinds() -> ModelProto:
    """All kinds of windows along an open width, smaller and larger than their strides."""
    net = Inner()
    x = net.takes("x", 2, 4, 7, "n")
    for end in ("SAME_UPPER", "SAME_LOWER"):
        for window, stride in ((3, 2), (2, 3), (5, 3), (4, 4), (2, 2), (7, 4), (1, 2)):
            pool = {"kernel_shape": [2, window], "strides": [1, stride], "auto_pad": end}
            if window >= stride:  # onnxruntime has no pools whose windows are smaller
                net.gives(net.add("MaxPool", x, **pool), 2, 4, 7, None)
                net.gives(net.add("AveragePool", x, **pool), 2, 4, 7, None)
                net.gives(net.add("AveragePool", x, **pool, count_include_pad=1), 2, 4, 7, None)
            conv = {"strides": [2, stride], "auto_pad": end}
            net.gives(_conv(net, x, (4, 12), (3, window), **conv), 2, 12, 4, None)
            net.gives(_conv(net, x, (4, 4), (3, window), group=4, **conv), 2, 4, 4, None)
    grouped = _conv(net, x, (4, 32), (3, 3), group=2, strides=[2, 2], auto_pad="SAME_UPPER")
    net.gives(grouped, 2, 32, 4, None)
    net.gives(net.add("LpPool", x, kernel_shape=[2, 3], strides=[1, 2], auto_pad="SAME_UPPER"),
              2, 4, 7, None)  # fmt: skip
    return net.model("same_kinds")


def same_behind() -> ModelProto:
    """Such padding behind windows that round down, where neighbouring numbers show none of it."""
    net = Inner()
    x = net.takes("x", 1, 3, "n", "n")
    y = net.add("Relu", _conv(net, x, (3, 16), (3, 3), strides=[2, 2], pads=[1] * 4))
    y = net.add("Relu", _conv(net, y, (16, 16), (3, 3), strides=[2, 2], auto_pad="SAME_UPPER"))
    y = net.add("AveragePool", y, kernel_shape=[3, 3], strides=[3, 3], auto_pad="SAME_LOWER")
    net.gives(y, 1, 16, None, None)
    return net.model("same_behind")


def _needed(net: Inner, x: str, reach: int, stride: int, least: int = 0) -> str:
    """Add what an exporter writes: the pads with which there are as many windows as strides."""
    number = lambda value: net.constant(value, np.int64)  # noqa: E731
    extents = net.add("Slice", net.add("Shape", x), net.integers(2), net.integers(4))
    less = net.add("Sub", extents, number(1))
    last = net.add("Mul", net.add("Div", less, number(stride)), number(stride))
    total = net.add("Sub", net.add("Add", last, number(reach)), extents)
    total = net.add("Max", total, number(least))
    before = net.add("Div", total, number(2))
    none = net.integers(0, 0)
    return net.add("Concat", none, before, none, net.add("Sub", total, before), axis=0)


def computed_pads() -> ModelProto:
    """Pads that nodes compute from the extents, as PyTorch's exporter writes them."""
    net = Inner()
    x = net.takes("x", 1, 3, "n", "n")
    y = _conv(net, net.add("Pad", x, _needed(net, x, 3, 2)), (3, 16), (3, 3), strides=[2, 2])
    y = net.add("Relu", y)
    deep = net.add("Pad", y, _needed(net, y, 5, 2), net.constant(0.0, "f4"))
    deep = _conv(net, deep, (16, 16), (5, 5), strides=[2, 2], group=16)
    pooled = net.add("Pad", y, _needed(net, y, 3, 2), net.constant(-np.inf, "f4"))
    pooled = net.add("MaxPool", pooled, kernel_shape=[3, 3], strides=[2, 2])
    net.gives(net.add("Add", deep, pooled), 1, 16, None, None)
    return net.model("computed_pads")


def wider_pads() -> ModelProto:
    """Pads that are computed from the extents in another way."""
    net = Inner()
    x = net.takes("x", 1, 3, "n", "n")
    pads = _needed(net, x, 4, 2)
    y = _conv(net, net.add("Pad", x, pads), (3, 4), (3, 3), strides=[2, 2])
    net.gives(y, 1, 4, None, None)
    return net.model("wider_pads")
