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


_REDUCED = {
    "none": None, "add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum
}  # fmt: skip


def _scattered(x, places, updates, reduction="none"):
    """Put updates to places, an index of x each; one after the other, 16-bit floats in 32."""
    wide = np.float32 if x.dtype == np.float16 else x.dtype
    result, updates = x.astype(wide), updates.astype(wide)
    for place, update in zip(places, updates, strict=True):
        change = _REDUCED[reduction]
        result[place] = update if change is None else change(result[place], update)
    return result.astype(x.dtype)


def _scattered_elements(x, indices, updates, axis=0, reduction="none"):
    places = []
    for place in np.ndindex(*indices.shape):
        at = list(place)
        at[axis] = indices[place]
        places.append(tuple(at))
    return _scattered(x, places, updates.reshape(-1), reduction)


def _scattered_nd(x, indices, updates, reduction="none"):
    places = [tuple(row) for row in indices.reshape(-1, indices.shape[-1])]
    flat = updates.reshape(len(places), *x.shape[indices.shape[-1] :])
    return _scattered(x, places, flat, reduction)


def _elements(name, x, indices, updates, axis=0, **more):
    return case(f"scatter_elements_{name}", "ScatterElements", x, indices, updates, axis=axis,
                oracle=lambda *a: _scattered_elements(*a, axis=axis, **more), **more)  # fmt: skip


def _nd(name, x, indices, updates, **more):
    return case(f"scatter_nd_{name}", "ScatterND", x, indices, updates,
                oracle=lambda *a: _scattered_nd(*a, **more), **more)  # fmt: skip


def _places(*shape, low, high):
    return integers(np.int64, *shape, low=low, high=high)


_SCATTERS = (
    case("scatter_v9", "Scatter", f32(3, 5), np.array([[1, 4]]), f32(1, 2), axis=1, opset=10,
         oracle=lambda *a: _scattered_elements(*a, axis=1)),
    _elements("some", f32(4, 5, 3), np.argsort(f32(4, 2, 3), 0)[:2], f32(2, 2, 3)),
    _elements("negative", integers(np.int8, 3, 7), np.array([[-1, 0, -7]]),
              integers(np.int8, 1, 3), axis=-1),
    _elements("last_wins", f32(6), np.array([2, 2, 0, 2]), f32(4)),
    _elements("bool", np.zeros((2, 4), bool), np.array([[3, 1]]), np.array([[True, True]]), axis=1),
    *(
        _elements(f"{reduction}_{np.dtype(dtype).name}", integers(dtype, 3, 5, low=1),
                  _places(3, 9, low=-5, high=5), integers(dtype, 3, 9, low=1), axis=1,
                  reduction=reduction)
        for reduction, dtype in (
            ("add", np.float32), ("mul", np.float64), ("max", np.float16), ("min", np.int32),
            ("add", np.uint8), ("mul", np.int16), ("max", np.uint64), ("min", np.uint16),
        )
    ),
    _elements("max_nan", np.array([np.nan, 1, 2, -np.inf], np.float32), np.array([0, 1, 2, 3, 1]),
              np.array([5, np.nan, np.inf, -1, 7], np.float32), reduction="max"),
    _nd("rows", f32(5, 3, 2), np.array([[4], [-5], [2]]), f32(3, 3, 2)),
    _nd("elements", integers(np.int64, 4, 5), _places(2, 3, 2, low=-4, high=4),
        integers(np.int64, 2, 3)),
    _nd("add", f32(4, 3), _places(7, 1, low=0, high=4), f32(7, 3), reduction="add"),
    _nd("min", f64(4, 3, 2), _places(3, 2, 2, low=0, high=3), f64(3, 2, 2), reduction="min"),
    _nd("none", f32(4, 3), np.zeros((0, 1), np.int64), f32(0, 3)),
)  # fmt: skip


RELOCATION_CASES = (
    *_SCATTERS,
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
