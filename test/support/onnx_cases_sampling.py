"""Cases of Fourier transforms, and of images read at computed places."""

import numpy as np
from onnx_case import Const, case, f16, f32, f64, i64s


def _int(value):
    return Const(np.array(value, np.int64))


def _grid(*shape):
    """Return places, some of them outside of the image, none of them near a border."""
    return (0.8 * f32(*shape)).round(2) + np.float32(0.003)


def _affine(theta, size, aligned=False):
    lines = [np.linspace(-1, 1, n) if aligned else (2 * np.arange(n) + 1) / n - 1 for n in size[2:]]
    places = [*np.meshgrid(*lines, indexing="ij")[::-1], np.ones(size[2:])]
    return np.einsum("nij,j...->n...i", theta, np.stack(places)).astype(theta.dtype)


SAMPLING_CASES = (
    case("dft", "DFT", f32(2, 10, 3, 2), axis=1, opset=17),
    case("dft_real", "DFT", f32(2, 7, 1), opset=20),
    case("dft_long", "DFT", f32(3, 144, 2), opset=20),
    case("dft_long_axis", "DFT", f32(100, 3, 1), None, _int(-3), opset=20),
    case("dft_prime", "DFT", f64(2, 97, 2), opset=20),
    case("dft_f16", "DFT", f16(2, 8, 1), opset=20),
    case("dft_cut", "DFT", f32(2, 10, 2), _int(6), opset=20),
    case("dft_filled_up", "DFT", f32(2, 10, 1), _int(15), opset=20),
    case("dft_onesided", "DFT", f32(2, 90, 1), onesided=1, opset=20),
    case("dft_inverse", "DFT", f32(2, 128, 2), inverse=1, opset=20),
    case("dft_inverse_onesided", "DFT", f32(3, 6, 2), inverse=1, onesided=1, opset=20),
    case("dft_inverse_onesided_odd", "DFT", f32(3, 6, 2), _int(11), inverse=1, onesided=1,
         opset=20),
    case("dft_inverse_onesided_one", "DFT", f32(3, 2, 2), _int(1), inverse=1, onesided=1, opset=20),
    case("dft_computed_axis", "DFT", f32(4, 4, 4, 1), None, np.array(-4), opset=20),
    case("stft", "STFT", f32(2, 50, 1), _int(7), f32(12), onesided=1, opset=17),
    case("stft_of_rows", "STFT", f32(2, 50), _int(7), f32(12), onesided=1, opset=17,
         oracle="onnxruntime"),
    case("stft_of_rows_whole", "STFT", f32(2, 33), _int(8), None, _int(8), onesided=0, opset=17,
         oracle="onnxruntime"),
    case("stft_complex", "STFT", f32(1, 40, 2), _int(3), None, _int(9), onesided=0, opset=17),
    case("stft_computed", "STFT", f32(2, 50, 1), np.array(8), f32(16), np.array(16), onesided=1,
         opset=17),
    case("grid_sample", "GridSample", f32(2, 3, 5, 7), _grid(2, 4, 3, 2)),
    *(
        case(f"grid_sample_{mode}_{padding}_{aligned}", "GridSample", f32(1, 2, 5, 4),
             _grid(1, 3, 6, 2), mode=mode, padding_mode=padding, align_corners=aligned,
             oracle="onnxruntime")
        for mode in ("nearest", "linear", "cubic")
        for padding in ("zeros", "border", "reflection")
        for aligned in (0, 1)
    ),
    case("grid_sample_line", "GridSample", f32(2, 2, 9), _grid(2, 5, 1)),
    case("grid_sample_volume", "GridSample", f32(1, 2, 3, 4, 2), _grid(1, 2, 2, 3, 3),
         align_corners=1),
    case("grid_sample_v16", "GridSample", f32(1, 1, 4, 4), _grid(1, 3, 3, 2), mode="bicubic",
         opset=16, oracle="onnxruntime"),
    case("grid_sample_f16", "GridSample", f16(1, 2, 4, 4), _grid(1, 3, 3, 2)),
    case("grid_sample_far", "GridSample", f32(1, 1, 3, 3),
         np.array([[[[1e30, 0], [-1e30, 0.5], [3e9, -3e9]]]], np.float32), padding_mode="border"),
    case("affine_grid", "AffineGrid", f32(2, 2, 3), i64s(2, 3, 5, 4), oracle=_affine),
    case("affine_grid_volume", "AffineGrid", f64(1, 3, 4), i64s(1, 1, 2, 3, 4), align_corners=1,
         oracle=lambda theta, size: _affine(theta, size, True)),
    case("affine_grid_computed", "AffineGrid", f32(2, 2, 3), np.array([2, 7, 5, 4]),
         oracle=_affine),
    case("deform_conv", "DeformConv", f32(2, 3, 6, 5), f32(4, 3, 3, 3), f32(2, 18, 4, 3), f32(4)),
    case("deform_conv_groups", "DeformConv", f32(1, 4, 7, 7), f32(6, 2, 2, 2), f32(1, 16, 4, 4),
         None, f32(1, 8, 4, 4), group=2, offset_group=2, strides=[2, 2], pads=[1, 1, 1, 1],
         dilations=[2, 2]),
)  # fmt: skip
