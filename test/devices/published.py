"""Networks that their authors publish, with their weights, for runs on a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, helper
from tflite_converter import onnx_of_tflite


@dataclass(frozen=True)
class Published:
    """A file of the shared data, and the extents of inputs that it leaves open.

    Differences of scores are compared as parts of 1: onnxruntime's small sigmoids are not exact.
    """

    file: str
    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    scores: bool = False

    def model(self, path: Path) -> ModelProto:
        """Return the network in ONNX."""
        return onnx_of_tflite(path) if path.suffix == ".tflite" else onnx.load(path)

    def inputs(self, model: ModelProto) -> dict[str, np.ndarray]:
        """Return random inputs: floats, codes, and a sampling rate where one is asked for."""
        random, constants = np.random.default_rng(0), {t.name for t in model.graph.initializer}
        return {
            value.name: self._input(value, random)
            for value in model.graph.input
            if value.name not in constants
        }

    def _input(self, value: onnx.ValueInfoProto, random: np.random.Generator) -> np.ndarray:
        given = value.type.tensor_type
        dtype = np.dtype(helper.tensor_dtype_to_np_dtype(given.elem_type))
        shape = self.shapes.get(value.name) or [axis.dim_value for axis in given.shape.dim]
        if dtype.kind == "f":
            return random.standard_normal(shape).astype(dtype)
        if dtype == np.int8:
            return random.integers(-128, 128, shape).astype(dtype)
        return np.full(shape, 16000, dtype)


_VOICE = "models/silero-vad/silero_vad/data"
_CHUNK = {"input": (1, 576), "state": (2, 1, 128)}

PUBLISHED: Mapping[str, Published] = {
    "efficientnet_lite0": Published("models/efficientnet_lite0/efficientnet_lite0_bn.onnx"),
    "text_direction": Published(
        "models/rapidocr/ch_ppocr_mobile_v2.0_cls_infer.onnx", {"x": (1, 3, 48, 192)}
    ),
    "text_line": Published("models/rapidocr/ch_PP-OCRv4_rec_infer.onnx", {"x": (1, 3, 48, 320)}),
    "super_resolution": Published(
        "models/super_resolution/super-resolution-10.onnx", {"input": (1, 1, 224, 224)}
    ),
    "ultraface_rfb": Published("models/ultraface/version-RFB-320.onnx"),
    "ultraface_slim": Published("models/ultraface/version-slim-320.onnx"),
    "yunet_n": Published("models/yunet/yunet_n_320_320.onnx", scores=True),
    "yunet_s": Published("models/yunet/yunet_s_320_320.onnx", scores=True),
    "silero_vad": Published(f"{_VOICE}/silero_vad.onnx", _CHUNK),
    "silero_vad_16k": Published(f"{_VOICE}/silero_vad_16k_op15.onnx", _CHUNK),
    "silero_vad_half": Published(f"{_VOICE}/silero_vad_half.onnx", _CHUNK),
    **{
        name: Published(f"models/mlperf_tiny/{file}.tflite")
        for name, file in {
            "keywords": "kws_ref_model_float32",
            "keywords_i8": "kws_ref_model",
            "anomalies": "ad01_fp32",
            "pictures": "pretrainedResnet",
            "pictures_i8": "pretrainedResnet_quant",
            "persons": "vww_96_float",
            "persons_i8": "vww_96_int8",
        }.items()
    },
}
"""The networks by name; codes are those of 8-bit integers (``_i8``)."""
