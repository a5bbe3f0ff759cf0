"""Pictures as tensors: one picture, channels first or last, resized to the tensor's extents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from autodeploy.diagnostics import UserError

if TYPE_CHECKING:
    from PIL.Image import Image

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")

_FORMATS = ("PNG", "JPEG", "WEBP", "BMP")
"""Pillow's names of the decoded formats, for any file name."""

_CHANNELS = (1, 3)

_WHITE = 255
_WHITE_16 = 65535
"""The largest values of a channel of 8 bits and of 16."""


class Preparation(NamedTuple):
    """The transform of the pixels of a picture, from 0 to 1: ``(value - mean) / std``.

    ``mean`` and ``std`` have a number for all channels, or one for each, or none. With ``bgr`` the
    channels are blue, green and red. They come last with ``nhwc``, first where it is false; where
    it is ``None`` the tensor's shape tells.
    """

    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()
    bgr: bool = False
    nhwc: bool | None = None

    def is_nhwc(self, shape: tuple[int, ...]) -> bool:
        """Return whether the channels of a tensor come last; they do not where both may be."""
        if self.nhwc is not None:
            return self.nhwc
        return shape[1] not in _CHANNELS and shape[3] in _CHANNELS


AS_IT_IS = Preparation()


def picture_misfit(
    shape: tuple[int, ...], dtype: np.dtype[np.generic], prepare: Preparation = AS_IT_IS
) -> str | None:
    """Return which tensors take pictures where one of this shape and type takes none."""
    first, last = "1 x 1 or 3 channels x height x width", "1 x height x width x 1 or 3 channels"
    expected = {None: f"{first}, or these with channels last", True: last, False: first}
    if len(shape) != 4 or shape[0] != 1:
        return f"pictures are {expected[prepare.nhwc]}"
    if shape[3 if prepare.is_nhwc(shape) else 1] not in _CHANNELS:
        return f"pictures are {expected[prepare.nhwc]}"
    if dtype.kind not in "fV" and dtype != np.uint8:
        return "pictures are floating-point numbers or unsigned bytes"
    return None


def read_picture(
    path: Path, shape: tuple[int, ...], dtype: np.dtype[np.generic], prepare: Preparation = AS_IT_IS
) -> npt.NDArray[np.generic]:
    """Read a picture as a tensor that takes one: from 0 to 1 as floats, from 0 to 255 as bytes.

    Raises ``UserError`` if the file holds no picture, or it cannot be prepared so, ``OSError``
    if it cannot be read.
    """
    from PIL import Image, UnidentifiedImageError

    is_nhwc = prepare.is_nhwc(shape)
    channels, height, width = (shape[3], *shape[1:3]) if is_nhwc else shape[1:]
    try:
        with Image.open(path, formats=_FORMATS) as image:
            if image.mode.startswith("I"):
                pixels = _deep(image, height, width, channels)
            else:
                sized = image.convert("L" if channels == 1 else "RGB").resize((width, height))
                pixels = np.asarray(sized, np.uint8).reshape(height, width, channels)
    except UnidentifiedImageError:
        raise UserError(f"'{path}' is not a picture that can be read") from None
    except (Image.DecompressionBombError, SyntaxError, ValueError) as error:  # as Pillow has them
        text = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise UserError(f"'{path}' is not a picture that can be read: {text}") from None
    _check(prepare, channels, dtype)
    if prepare.bgr:
        pixels = pixels[:, :, ::-1]
    if prepare.mean or prepare.std:
        if pixels.dtype == np.uint8:
            pixels = pixels / np.float32(_WHITE)
        mean, std = (
            np.asarray(numbers or default, np.float32)
            for numbers, default in ((prepare.mean, 0), (prepare.std, 1))
        )
        pixels = (pixels - mean) / std
    pixels = np.ascontiguousarray(pixels if is_nhwc else pixels.transpose(2, 0, 1))[None]
    if dtype == np.uint8:
        return pixels if pixels.dtype == np.uint8 else np.rint(pixels * _WHITE).astype(np.uint8)
    return (pixels / np.float32(_WHITE) if pixels.dtype == np.uint8 else pixels).astype(dtype)


def _check(prepare: Preparation, channels: int, dtype: np.dtype[np.generic]) -> None:
    """Raise ``UserError`` if a tensor has not the channels or the type to be prepared so."""
    for what, numbers in (("mean", prepare.mean), ("std", prepare.std)):
        if numbers and dtype == np.uint8:
            raise UserError(f"a picture of unsigned bytes has no {what}; that is for floats")
        if len(numbers) not in (0, 1, channels):
            raise UserError(
                f"{what} has {len(numbers)} numbers, expected 1 or {channels}, one a channel"
            )
    if prepare.bgr and channels == 1:
        raise UserError("a picture of one channel has no blue, green and red")


def _deep(image: Image, height: int, width: int, channels: int) -> npt.NDArray[np.float32]:
    """Return a grey picture of 16 bits a pixel, from 0 to 1; Pillow clips it to 8 bits."""
    sized = np.asarray(image.convert("F").resize((width, height)), np.float32)
    grey = np.clip(sized / np.float32(_WHITE_16), 0, 1)
    return np.repeat(grey[:, :, None], channels, axis=2)
