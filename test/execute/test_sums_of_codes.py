"""Sums of two tensors of codes: each pair of codes becomes the code that ONNX's operators give."""

from __future__ import annotations

import numpy as np
import onnx.parser
import pytest

import autodeploy
from autodeploy.machine import Machine

SCALES = [
    (0.11100789, 0.09967492, 0.07058115, 132, 129, 0),
    (1.0, 1.0, 14.0, 0, 0, 128),
    (0.5, 0.25, 0.75, 255, 0, 3),
    (0.1, 0.3, 0.2, 7, 200, 90),
    (1e-30, 3e-30, 2e-30, 1, 2, 3),
]
"""Scales of both addends and of the sum, and their zero points. Of some, a product by the
reciprocal of the scale gives other codes than the division."""


def network() -> onnx.ModelProto:
    text = "\n".join(
        f"da{i} = DequantizeLinear(a, sa{i}, za{i}) db{i} = DequantizeLinear(b, sb{i}, zb{i}) "
        f"t{i} = Add(da{i}, db{i}) r{i} = Relu(t{i}) y{i} = QuantizeLinear(r{i}, s{i}, z{i})"
        for i in range(len(SCALES))
    )
    constants = ", ".join(
        f"float sa{i} = {{{a}}}, float sb{i} = {{{b}}}, float s{i} = {{{s}}}, "
        f"uint8 za{i} = {{{za}}}, uint8 zb{i} = {{{zb}}}, uint8 z{i} = {{{z}}}"
        for i, (a, b, s, za, zb, z) in enumerate(SCALES)
    )
    outputs = ", ".join(f"uint8[256,256] y{i}" for i in range(len(SCALES)))
    return onnx.parser.parse_model(
        f'<ir_version: 8, opset_import: ["" : 17]> sums (uint8[256,256] a, uint8[256,256] b) '
        f"=> ({outputs}) <{constants}> {{ {text} }}"
    )


@pytest.mark.parametrize(
    ("machine", "level"),
    [("host", 0), ("host", 3), ("x86-64-avx2", 2), ("x86-64-sse41", 3)],
)
def test_each_pair_of_codes_has_its_sum(machine: str, level: int) -> None:
    obstacle = Machine.host().obstacle(Machine.parse(machine)) if machine != "host" else None
    if obstacle is not None:
        pytest.skip(f"kernels for {machine} do not run here: {obstacle}")
    a, b = (np.ascontiguousarray(x, np.uint8) for x in np.indices((256, 256)))
    with autodeploy.compile(network(), level=level, machine=machine) as session:
        found = session.run({"a": a, "b": b})
    for i, (*scales, za, zb, z) in enumerate(SCALES):
        sa, sb, s = (np.float32(scale) for scale in scales)
        total = (a.astype(np.int32) - za).astype(np.float32) * sa
        total += (b.astype(np.int32) - zb).astype(np.float32) * sb
        wanted = np.clip(np.rint(np.maximum(total, 0) / s) + z, 0, 255)
        assert np.array_equal(found[f"y{i}"], wanted), SCALES[i]
