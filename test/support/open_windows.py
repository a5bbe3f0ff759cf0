"""Networks whose windows leave a part of an open extent over, so that it is rounded down."""

from __future__ import annotations

from onnx import ModelProto
from open_inner import Inner


def _conv(net: Inner, x: str, channels: tuple[int, int], window: tuple[int, ...], **given) -> str:
    """Add a convolution with a bias, without padding unless it is given."""
    outputs, inputs = channels[1], channels[0] // given.get("group", 1)
    return net.add("Conv", x, net.weight(outputs, inputs, *window), net.weight(outputs), **given)


def _fire(net: Inner, x: str, channels: tuple[int, int, int]) -> str:
    """Add a module of SqueezeNet: few channels, then two kinds of windows, one beside the other."""
    inputs, few, many = channels
    few_ = net.add("Relu", _conv(net, x, (inputs, few), (1, 1)))
    single = net.add("Relu", _conv(net, few_, (few, many), (1, 1)))
    wide = net.add("Relu", _conv(net, few_, (few, many), (3, 3), pads=[1] * 4))
    return net.add("Concat", single, wide, axis=1)


def squeezed() -> ModelProto:
    """A small SqueezeNet: a convolution and pools without padding, as high as wide."""
    net, pool = Inner(), {"kernel_shape": [3, 3], "strides": [2, 2]}
    x = net.takes("x", 1, 3, "n", "n")
    y = net.add("Relu", _conv(net, x, (3, 16), (3, 3), strides=[2, 2]))
    y = _fire(net, net.add("MaxPool", y, **pool), (16, 4, 8))
    y = _fire(net, net.add("MaxPool", y, **pool, ceil_mode=1), (16, 4, 8))
    y = net.add("MaxPool", y, **pool)
    scores = net.add("Relu", _conv(net, y, (16, 10), (1, 1)))
    net.gives(scores, 1, 10, None, None)
    net.gives(net.add("Flatten", net.add("GlobalAveragePool", scores)), 1, 10)
    return net.model("squeezed")


def leftovers() -> ModelProto:
    """Pools of all kinds one after the other along an open width; each leaves something over."""
    net = Inner()
    x = net.takes("x", 2, 4, 7, "n")
    y = _conv(net, x, (4, 16), (3, 4))
    lost = net.add("MaxPool", y, kernel_shape=[1, 3], strides=[1, 2], dilations=[1, 2])
    net.gives(net.add("ReduceMax", lost, net.integers(3), keepdims=0), 2, 16, 5)
    kinds = (
        {"kernel_shape": [2, 3], "strides": [1, 2], "ceil_mode": 1},
        {"kernel_shape": [2, 3], "strides": [1, 2], "pads": [0, 1, 0, 0], "count_include_pad": 1},
        {"kernel_shape": [2, 2], "strides": [1, 3], "pads": [0, 0, 0, 1]},
        {"kernel_shape": [2, 2], "strides": [1, 3], "ceil_mode": 1},
        {"kernel_shape": [2, 3], "strides": [1, 2], "pads": [0, 1, 0, 2], "ceil_mode": 1},
        {"kernel_shape": [2, 3], "pads": [0, 1, 0, 2], "dilations": [1, 3], "strides": [1, 2]},
    )
    for kind in kinds:
        net.gives(net.add("AveragePool", lost, **kind), 2, 16, 4, None)
        largest = {name: value for name, value in kind.items() if name != "count_include_pad"}
        net.gives(net.add("MaxPool", lost, **largest), 2, 16, 4, None)
    deep = _conv(net, lost, (16, 16), (3, 3), strides=[1, 2], group=16, pads=[1, 0, 1, 1])
    parts = _conv(net, lost, (16, 12), (3, 3), strides=[2, 3], group=4, pads=[1, 2, 1, 0])
    net.gives(net.add("Softmax", parts, axis=3), 2, 12, 3, None)
    net.gives(net.add("CumSum", deep, net.constant(3, "i8")), 2, 16, 5, None)
    net.gives(net.add("ReduceMean", deep, net.integers(3), keepdims=1), 2, 16, 5, 1)
    return net.model("leftovers")


def joined() -> ModelProto:
    """Two ways to the same extent: beside each other and added, then more windows, then rows."""
    net = Inner()
    x = net.takes("x", 1, 3, "n", "n")
    y = net.add("Relu", _conv(net, x, (3, 8), (4, 4), strides=[3, 3], pads=[1, 0, 0, 1]))
    left = _conv(net, y, (8, 16), (3, 3), strides=[2, 2], pads=[1] * 4)
    right = _conv(net, y, (8, 16), (1, 1), strides=[2, 2])
    both = net.add("Relu", net.add("Add", left, right))
    pooled = net.add("AveragePool", y, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)
    y = net.add("Concat", both, pooled, axis=1)
    y = _conv(net, y, (24, 20), (2, 2), dilations=[2, 2])
    net.gives(y, 1, 20, None, None)
    return net.model("joined")


def lines() -> ModelProto:
    """Lines of an open length, as for sound: windows, then a product with what is left of each."""
    net = Inner()
    x = net.takes("x", 2, 1, "n")
    y = net.add("Relu", _conv(net, x, (1, 12), (10,), strides=[5]))
    y = net.add("Relu", _conv(net, y, (12, 24), (3,), strides=[2]))
    rows = net.add("Transpose", y, perm=[0, 2, 1])
    q, k = net.linear(rows, 24, 8), net.linear(rows, 24, 8)
    scores = net.add("MatMul", q, net.add("Transpose", k, perm=[0, 2, 1]))
    net.gives(net.add("MatMul", net.add("Softmax", scores, axis=-1), rows), 2, None, 24)
    net.gives(scores, 2, None, None)
    return net.model("lines")
