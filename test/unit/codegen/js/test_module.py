"""The module of a page without a browser: its types, and a device that fails while it is opened."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from autodeploy import CompileOptions, compile_model

ROOT = Path(__file__).parents[4]
DIGITS = ROOT / "examples" / "mnist" / "mnist.onnx"
TSC = ROOT / "build" / "node" / "node_modules" / "typescript" / "bin" / "tsc"
"""The compiler that ``npm install --prefix build/node typescript@5`` installs."""

MACHINES = {
    "webgpu": "wasm32-simd128:device=webgpu",
    "wasm": "wasm32-simd128",
    "both": "wasm32-simd128,wasm32-simd128:device=webgpu",
}

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="Debian's package nodejs is missing"),
    pytest.mark.one_case,
]

USE = """
import { open, type Session, type Tensor } from "./mnist.js";

const network: Session = await open({ base: new URL("https://example.org/"), OPTION });
const [input]: readonly Tensor[] = network.inputs;
const count: number = input.bytes / input.shape.length;
const { logits } = await network.run({ image: new Float32Array(count) });
const best: number = Math.max(...logits);
const reason: string | undefined = REASON;
network.close();
export { best, reason };
// @ts-expect-error: an input is missing
await network.run({});
// @ts-expect-error: an input has another type
await network.run({ image: new Float64Array(784) });
// @ts-expect-error: the network has no such input
await network.run({ image: new Float32Array(784), other: new Float32Array(1) });
// @ts-expect-error: open has no such option
await open({ threads: 4 });
// @ts-expect-error: inputs do not change
network.inputs[0].bytes = 4;
"""

FAILING = """
import { open, NoDeviceError } from "./mnist.js";

const said = [];
const getCompilationInfo = async () => ({ messages: [{ message: "no" }] });
const device = {
  lost: new Promise(() => {}),
  queue: { writeBuffer() {} },
  destroy: () => said.push("destroyed"),
  pushErrorScope() {},
  createBuffer: () => ({}),
  createShaderModule: () => ({ getCompilationInfo }),
  createComputePipelineAsync: async () => { throw new Error("refused"); },
};
const limits = { maxBufferSize: 1e9, maxStorageBufferBindingSize: 1e9 };
const gpu = { requestAdapter: async () => ({ limits, requestDevice: async () => device }) };
const { readFile } = await import("node:fs/promises");
const file = async (name) => new Uint8Array(await readFile(new URL(name, import.meta.url))).buffer;
const missing = async (name) => { throw new Error(`no ${name}`); };
for (const read of [missing, file, undefined]) {
  await open({ gpu, read }).catch((error) => {
    said.push(error instanceof NoDeviceError, error.message);
  });
}
console.log(said.join("\\n"));
"""


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.skipif(not TSC.is_file(), reason="npm's package typescript is missing")
def test_types(name: str, tmp_path: Path):
    compile_model(DIGITS, tmp_path, CompileOptions(machine=MACHINES[name], jobs=1))
    option = {"webgpu": "gpu: null", "wasm": "read: undefined", "both": 'device: "wasm"'}[name]
    reason = "network.reason" if name == "both" else "undefined"
    use = tmp_path / "use.ts"
    use.write_text(USE.replace("OPTION", option).replace("REASON", reason))
    flags = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"]
    command = ["node", str(TSC), *flags, str(use)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_a_device_that_fails_is_given_back(tmp_path: Path):
    compile_model(DIGITS, tmp_path, CompileOptions(machine=MACHINES["webgpu"], jobs=1))
    script = tmp_path / "fail.mjs"
    script.write_text(FAILING)
    done = subprocess.run(["node", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:3] == ["destroyed", "false", "no mnist.wgsl"]
    assert lines[3:5] == ["destroyed", "true"]
    assert lines[5].startswith("the device does not compile kernel mnist_")
    assert lines[5].endswith(": no")
    assert lines[6:8] == ["destroyed", "false"]
    assert lines[8].startswith("cannot read file://")
    assert len(lines) == 9
