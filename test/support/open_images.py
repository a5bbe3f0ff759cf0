"""Networks of convolutions and pools whose images have an open width, or height and width."""

from __future__ import annotations

from onnx import ModelProto
from open_inner import Inner


def _conv(net: Inner, x: str, channels: tuple[int, int], window: tuple[int, int], **given) -> str:
    """Add a convolution with a bias; a window without ``pads`` has those that keep extents."""
    rows, columns = window
    keep = [rows // 2, columns // 2] * 2
    attributes = {"pads": keep, **given}
    outputs, inputs = channels[1], channels[0] // attributes.get("group", 1)
    weights = net.weight(outputs, inputs, rows, columns), net.weight(outputs)
    return net.add("Conv", x, *weights, **attributes)


def columns() -> ModelProto:
    """Windows that move by one along an open width: all kinds, in one and several groups."""
    net = Inner()
    x = net.takes("x", 2, 3, 9, "n")
    y = net.add("Relu", _conv(net, x, (3, 16), (3, 3)))
    y = _conv(net, y, (16, 24), (1, 1))
    deep = net.add("HardSwish", _conv(net, y, (24, 24), (5, 3), strides=[2, 1], group=24))
    grouped = _conv(net, deep, (24, 24), (3, 3), group=3)
    largest = net.add("MaxPool", deep, kernel_shape=[3, 5], pads=[1, 2, 1, 2])
    kinds = ({"count_include_pad": 1}, {}, {"dilations": [1, 2], "pads": [1, 2, 1, 2]})
    means = [
        net.add("AveragePool", grouped, **{"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], **kind})
        for kind in kinds
    ]
    y = net.add("Add", net.add("Sum", *means), largest)
    y = _conv(net, y, (24, 7), (1, 3), dilations=[1, 2], pads=[0, 2, 0, 2])
    net.gives(y, 2, 7, 5, "n")
    net.gives(net.add("Sigmoid", net.add("GlobalAveragePool", y)), 2, 7, 1, 1)
    net.gives(net.add("ReduceMax", y, net.integers(2), keepdims=0), 2, 7, "n")
    line = net.add("MaxPool", net.takes("w", 3, 4, "n"), kernel_shape=[3], pads=[1, 1])
    net.gives(_conv_of_lines(net, line), 3, 6, "n")
    return net.model("columns")


def _conv_of_lines(net: Inner, x: str) -> str:
    return net.add("Conv", x, net.weight(6, 4, 5), net.weight(6), pads=[2, 2])


def pyramid() -> ModelProto:
    """Images that are halved and halved again, as high as wide."""
    net = Inner()
    x = net.takes("x", 1, 3, "n", "n")
    y = net.add("Relu", _conv(net, x, (3, 16), (7, 7), strides=[2, 2]))
    y = net.add("MaxPool", y, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    whole = net.add("Relu", _conv(net, y, (16, 32), (3, 3)))
    half = _conv(net, whole, (32, 48), (3, 3), strides=[2, 2])
    short = _conv(net, whole, (32, 48), (1, 1), strides=[2, 2], pads=[0, 0, 0, 0])
    y = net.add("Relu", net.add("Add", half, short))
    patches = _conv(net, y, (48, 20), (2, 2), strides=[2, 2], pads=[0, 0, 0, 0])
    net.gives(patches, 1, 20, None, None)
    net.gives(whole, 1, 32, None, None)
    net.gives(net.linear(net.add("Flatten", net.add("GlobalAveragePool", y)), 48, 10), 1, 10)
    return net.model("pyramid")


def sketches() -> ModelProto:
    """Images of one channel: windows that end beyond the image, and that look behind alone."""
    net = Inner()
    x = net.takes("x", 1, 1, "n", "n")
    y = net.add("Relu", _conv(net, x, (1, 8), (5, 5)))
    beyond = {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}
    y = net.add("AveragePool", net.add("MaxPool", y, **beyond), **beyond)
    y = _conv(net, y, (8, 12), (3, 3), pads=[2, 2, 0, 0])
    net.gives(net.add("AveragePool", y, kernel_shape=[2, 2], strides=[2, 2]), 1, 12, None, None)
    return net.model("sketches")


def scores() -> ModelProto:
    """A square of the open extent as input and output, and a third axis of it inside."""
    net = Inner()
    x = net.takes("x", 2, "n", 5)
    pairs = net.takes("pairs", 2, "n", "n")
    product = net.add("MatMul", x, net.add("Transpose", x, perm=[0, 2, 1]))
    net.gives(net.add("Softmax", net.add("Add", product, pairs), axis=-1), 2, "n", "n")
    cube = net.add("Add", net.add("Unsqueeze", pairs, net.integers(3)),
                   net.add("Unsqueeze", pairs, net.integers(1)))  # fmt: skip
    net.gives(cube, 2, "n", "n", "n")
    return net.model("scores")


def filtered() -> ModelProto:
    """Convolutions of 3x3 one after the other, with a residual, as high as wide."""
    net = Inner()
    x = net.takes("x", 1, 19, "n", "n")
    y = net.add("Relu", _conv(net, x, (19, 32), (3, 3)))
    z = net.add("Relu", _conv(net, y, (32, 32), (3, 3)))
    net.gives(net.add("Add", _conv(net, z, (32, 32), (3, 3)), y), 1, 32, "n", "n")
    return net.model("filtered")


def filtered_lines() -> ModelProto:
    """The same of an open width, for images without padding, and with more on one side."""
    net = Inner()
    y = net.add("Relu", _conv(net, net.takes("x", 2, 16, 13, "n"), (16, 32), (3, 3), pads=[0] * 4))
    net.gives(_conv(net, y, (32, 16), (3, 3), pads=[2, 0, 1, 3]), 2, 16, 12, None)
    return net.model("filtered_lines")


def filtered_columns() -> ModelProto:
    """The same of an open height."""
    net = Inner()
    y = net.add("Relu", _conv(net, net.takes("x", 1, 16, "n", 9), (16, 32), (3, 3), pads=[0] * 4))
    y = net.add("HardSwish", _conv(net, y, (32, 48), (3, 3), pads=[0, 1, 1, 0]))
    net.gives(y, 1, 48, None, 6)
    return net.model("filtered_columns")


def filtered_to_one() -> ModelProto:
    """A convolution to a single channel, the last one of a network of scores."""
    net = Inner()
    y = _conv(net, net.takes("x", 1, 16, "n", "n"), (16, 1), (3, 3))
    net.gives(y, 1, 1, "n", "n")
    return net.model("filtered_to_one")


def halved() -> ModelProto:
    """Filters that do not stay in a cache of the second level, of images that are halved."""
    net = Inner()
    x = net.takes("x", 1, 256, "n", "n")
    y = net.add("Relu", _conv(net, x, (256, 256), (3, 3), strides=[2, 2]))
    net.gives(_conv(net, y, (256, 256), (3, 3)), 1, 256, None, None)
    return net.model("halved")


def enlarged() -> ModelProto:
    """Images that are halved and made as large again, in all ways there are; no size is left over.

    Each way has its own outputs, and the first is joined with what was there before, as in a U-Net.
    """
    net = Inner()
    x = net.takes("x", 1, 3, "n", "n")
    whole = net.add("Relu", _conv(net, x, (3, 16), (3, 3)))
    half = net.add("MaxPool", whole, kernel_shape=[2, 2], strides=[2, 2])
    half = net.add("Relu", _conv(net, half, (16, 24), (3, 3)))
    filters = (
        ((2, 2), {"strides": [2, 2]}),
        ((4, 4), {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
        ((3, 3), {"strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 1]}),
        ((3, 2), {"strides": [1, 3], "dilations": [2, 1], "pads": [2, 0, 2, 0]}),
    )
    for window, given in filters:
        up = net.add("ConvTranspose", half, net.weight(24, 16, *window), net.weight(16), **given)
        net.gives(net.add("Relu", up), 1, 16, None, None)
    scales = net.constant([1, 1, 2, 2], "f4")
    for given in (
        {
            "mode": "nearest",
            "coordinate_transformation_mode": "asymmetric",
            "nearest_mode": "floor",
        },
        {"mode": "linear"},
        {"mode": "linear", "coordinate_transformation_mode": "asymmetric"},
        {"mode": "cubic", "exclude_outside": 1},
    ):
        net.gives(net.add("Resize", half, "", scales, **given), 1, 24, None, None)
    up = net.add("Resize", half, "", scales, mode="nearest")
    both = net.add("Concat", up, whole, axis=1)
    net.gives(_conv(net, both, (40, 8), (3, 3)), 1, 8, "n", "n")
    return net.model("enlarged")


def shrunk() -> ModelProto:
    """An open width that is resampled by fractions, down and up, and extents that are rounded."""
    net = Inner()
    x = net.takes("x", 2, 5, 7, "n")
    y = net.add("Relu", _conv(net, x, (5, 16), (3, 3), strides=[1, 2]))
    for scale in (0.5, 0.25, 3.0):
        scales = net.constant([1, 1, 1, scale], "f4")
        for given in ({"mode": "nearest"}, {"mode": "linear"}, {"mode": "cubic"}):
            net.gives(net.add("Resize", y, "", scales, **given), 2, 16, 7, None)
    up = net.add("ConvTranspose", y, net.weight(16, 8, 2, 4), strides=[1, 4], group=1)
    net.gives(net.add("Softmax", up, axis=3), 2, 8, 8, None)
    return net.model("shrunk")


def regions() -> ModelProto:
    """Regions of images, which may be beyond them, and of images that are computed."""
    net = Inner()
    x = net.takes("x", 2, 3, "n", "n")
    corners = [[0, 0, 6, 8], [1, 2, 4, 7], [-3, -2, 2, 3], [5, 6, 5, 6], [20, 20, 30, 30]]
    numbers = [0, 1, 1, 0, 1]
    given = net.constant(corners, "f4"), net.constant(numbers, "i8")
    size = {"output_height": 3, "output_width": 2}
    for image in (x, _conv(net, x, (3, 5), (3, 3), strides=[2, 2])):
        channels = 3 if image is x else 5
        for mode in ("avg", "max"):
            found = net.add("RoiAlign", image, *given, mode=mode, spatial_scale=0.5, **size)
            net.gives(found, 5, channels, 3, 2)
    rows = [[number, *map(abs, row)] for number, row in zip(numbers, corners, strict=True)]
    pooled = net.add("MaxRoiPool", x, net.constant(rows, "f4"), pooled_shape=[2, 3])
    net.gives(pooled, 5, 3, 2, 3)
    return net.model("regions")
