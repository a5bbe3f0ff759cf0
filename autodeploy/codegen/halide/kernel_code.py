"""A pipeline as a request, and as the code that is kept in the cache."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from autodeploy.codegen.halide.device_code import DeviceCode
from autodeploy.codegen.halide.device_starts import Launch
from autodeploy.diagnostics import UserError
from autodeploy.dialects.halide.prefetch import Prefetches
from autodeploy.json_values import from_json, to_json
from autodeploy.machine.devices import Api

Emit = Literal["object", "c"]
"""The form of kernels: object files, or source for any compiler."""

Form: TypeAlias = Literal["object", "c++", "c99"] | Api
"""The form of a kernel; source is C99 if the machine has no vectors.

That of a device is the text of its kernels for an interface."""

_MAGIC = b"autodeploy kernel 13\n"

HEADERS: Mapping[Form, str] = {"c++": "halide_kernel.hpp", "c99": "halide_kernel.h"}
"""The headers of the runtime that source of kernels includes."""


@dataclass(frozen=True)
class KernelRequest:
    """All that the code of a kernel depends on.

    ``text`` is the halide.pipeline as IR, ``symbol`` the C function to make, ``target`` Halide's
    target string.
    """

    text: str
    symbol: str
    target: str
    form: Form


@dataclass(frozen=True)
class KernelCode:
    """The code that Halide generates for a pipeline.

    ``code`` is the object file, or the source less the include of its header. ``scratch_bytes`` is
    the memory that the runtime must offer the thread that runs the kernel, ``worker_scratch_bytes``
    what it must offer each thread that helps with a parallel loop, and ``None`` if there is
    none. ``warnings`` are the lines that Halide had to say, ``prefetches`` is what has become of
    those of the pipeline, ``None`` if they are as Halide makes them. ``stack_bytes`` are those
    of all arrays on the C stack at one time. ``launches`` are the starts of a kernel on a device,
    ``arrays`` the bytes of each array that they pass on, ``preamble`` what its text begins with.
    """

    code: bytes
    scratch_bytes: int
    worker_scratch_bytes: int | None
    warnings: tuple[str, ...]
    prefetches: Prefetches | None = None
    stack_bytes: int = 0
    launches: tuple[Launch, ...] = ()
    arrays: tuple[int, ...] = ()
    preamble: tuple[str, ...] = ()

    @property
    def device(self) -> DeviceCode:
        """Return the code of a kernel on a device."""
        return DeviceCode(self.preamble, self.code.decode(), self.launches, self.arrays)

    def to_bytes(self) -> bytes:
        """Return this as the content of a file."""
        rest = {key: value for key, value in to_json(self).items() if key != "code"}
        payload = zlib.compress(json.dumps(rest).encode() + b"\n" + self.code, 1)
        return _MAGIC + payload

    @staticmethod
    def from_bytes(data: bytes) -> KernelCode:
        """Read the content of a file; raises ``ValueError`` if it is damaged."""
        if not data.startswith(_MAGIC):
            raise ValueError("not the code of a kernel")
        rest, _, code = zlib.decompress(data[len(_MAGIC) :]).partition(b"\n")
        try:
            return from_json(KernelCode, dict(json.loads(rest), code=code), "the file")
        except UserError as error:
            raise ValueError(str(error)) from None
