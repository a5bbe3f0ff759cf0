"""Cases of ops that take elements from other places, or put them there."""

import numpy as np
from onnx_case import case, f16, f32, f64, i64s, integers


def _reversed(x, lengths, batch, time):
    result = x.copy()
    for number, length in enumerate(lengths):
        for i in range(length):
            to, source = [0, 0], [0, 0]
            to[batch] = source[batch] = number
            to[time], source[time] = i, length - 1 - i
            result[tuple(to)] = x[tuple(source)]
    return result


def _written(past, update, starts=None, circular=False, axis=-2):
    past, update = past.copy(), np.moveaxis(update, axis, 1)
    view = np.moveaxis(past, axis, 1)
    for batch in range(len(past)):
        start = 0 if starts is None else int(starts[batch])
        for i in range(update.shape[1]):
            place = (start + i) % view.shape[1] if circular else start + i
            view[batch, place] = update[batch, i]
    return past


def _assembled(x, image, block, strides=None, dilations=None, pads=None):
    rank = len(image)
    strides, dilations = strides or [1] * rank, dilations or [1] * rank
    pads = pads or [0] * 2 * rank
    padded = [n + pads[i] + pads[rank + i] for i, n in enumerate(image)]
    counts = [
        (n - d * (k - 1) - 1) // s + 1
        for n, k, s, d in zip(padded, block, strides, dilations, strict=True)
    ]
    columns = x.reshape(len(x), -1, *block, *counts)
    result = np.zeros((*columns.shape[:2], *padded), x.dtype)
    for tap in np.ndindex(*block):
        for place in np.ndindex(*counts):
            at = tuple(
                p * s + t * d for p, s, t, d in zip(place, strides, tap, dilations, strict=True)
            )
            result[:, :, *at] += columns[:, :, *tap, *place]
    return result[:, :, *(slice(pads[i], pads[i] + n) for i, n in enumerate(image))]


RELOCATION_CASES = (
    case("reverse_sequence", "ReverseSequence", f32(5, 3, 4), np.array([0, 5, 3]), opset=10,
         oracle=lambda x, n: _reversed(x, n, 1, 0)),
    case("reverse_sequence_batch_first", "ReverseSequence", integers(np.int8, 3, 7),
         np.array([1, 7, 4]), opset=10, batch_axis=0, time_axis=1,
         oracle=lambda x, n: _reversed(x, n, 0, 1)),
    case("tensor_scatter", "TensorScatter", f32(2, 3, 7, 5), f32(2, 3, 2, 5), np.array([5, 0]),
         opset=24, oracle=_written),
    case("tensor_scatter_no_places", "TensorScatter", f16(2, 7, 5), f16(2, 3, 5), opset=24,
         oracle=_written),
    case("tensor_scatter_circular", "TensorScatter", f32(3, 5, 4), f32(3, 3, 4),
         np.array([4, 0, 3]), opset=24, mode="circular", axis=1,
         oracle=lambda past, new, at: _written(past, new, at, True, 1)),
    case("col2im", "Col2Im", f32(1, 18, 20), i64s(6, 7), i64s(3, 3), opset=18),
    case("col2im_channels", "Col2Im", f32(2, 8, 16), i64s(5, 5), i64s(2, 2), opset=18,
         strides=[1, 2], pads=[0, 1, 0, 2],
         oracle=lambda *a: _assembled(*a, strides=[1, 2], pads=[0, 1, 0, 2])),
    case("col2im_line", "Col2Im", f64(2, 6, 3), i64s(9), i64s(2), opset=18, dilations=[3],
         strides=[2], oracle=lambda *a: _assembled(*a, strides=[2], dilations=[3])),
)  # fmt: skip
