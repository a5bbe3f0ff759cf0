"""Networks that resize images to the size of others, or corner to corner, whatever the size."""

from __future__ import annotations

from onnx import ModelProto
from open_inner import Inner

HALVES = {"strides": [2, 2], "pads": [1, 1, 1, 1]}


def _size(net: Inner, channels: int, of: str) -> str:
    """Return the shape of an image with the height and width of another one."""
    spatial = net.add("Slice", net.add("Shape", of), net.integers(2), net.integers(4))
    return net.add("Concat", net.integers(1, channels), spatial, axis=0)


def skips() -> ModelProto:
    """A U-Net whose images need not be multiples of anything: it resizes to what it kept."""
    net = Inner()
    x = net.takes("x", 1, 3, "h", "w")
    one = net.add("Relu", net.add("Conv", x, net.weight(6, 3, 3, 3), **HALVES))
    two = net.add("Relu", net.add("Conv", one, net.weight(8, 6, 3, 3), **HALVES))
    three = net.add("MaxPool", two, kernel_shape=[3, 3], **HALVES)
    modes = (("linear", "half_pixel"), ("nearest", "asymmetric"), ("linear", "align_corners"))
    y = three
    for kept, channels, (mode, places) in zip((two, one, x), (8, 6, 3), modes, strict=True):
        wide = {two: 8, one: 8, x: 6}[kept]
        y = net.add("Resize", y, "", "", _size(net, wide, kept), mode=mode, nearest_mode="floor",
                    coordinate_transformation_mode=places)  # fmt: skip
        y = net.add("Conv", net.add("Concat", y, kept, axis=1),
                    net.weight(channels, wide + channels, 3, 3), pads=[1, 1, 1, 1])  # fmt: skip
    net.gives(y, 1, 3, "h", "w")
    return net.model("skips")


def corners() -> ModelProto:
    """Resizes whose places follow from the extents: of corners, of a single pixel, cubic ones."""
    net = Inner()
    x = net.takes("x", 1, 4, "h", "w")
    half = net.add("AveragePool", x, kernel_shape=[2, 2], strides=[2, 2])
    scales = net.constant([1, 1, 2, 3], "f4")
    wider = net.add("Resize", half, "", scales, mode="linear",
                    coordinate_transformation_mode="align_corners")  # fmt: skip
    net.gives(wider, 1, 4, None, None)
    for mode, places in (
        ("linear", "pytorch_half_pixel"), ("cubic", "half_pixel"), ("cubic", "align_corners"),
        ("nearest", "tf_half_pixel_for_nn"),
    ):  # fmt: skip
        up = net.add("Resize", half, "", "", _size(net, 4, x), mode=mode, nearest_mode="floor",
                     coordinate_transformation_mode=places)  # fmt: skip
        net.gives(net.add("Add", up, x), 1, 4, "h", "w")
    pooled = net.add("Conv", net.add("GlobalAveragePool", x), net.weight(5, 4, 1, 1))
    wide = net.add("Resize", pooled, "", "", _size(net, 5, half), mode="linear")
    net.gives(net.add("Relu", wide), 1, 5, None, None)
    small = net.add("Resize", x, "", "", net.integers(1, 4, 3, 2), mode="linear")
    net.gives(small, 1, 4, 3, 2)
    return net.model("corners")
