/* The network @title@ on WebGPU, by autodeploy @version@. The types are in @model@.d.ts. */

@part page.js@
/* The file of weights: its bytes, those before the weights, and what its header must hold. */
const WEIGHTS = [@weights_bytes@, @weights_header@, "@fingerprint@"];
const ARENA_BYTES = @arena@;
/* Blocks of memory: 1 for a weight, the byte where it begins, its bytes. */
const BLOCKS = [
@blocks@
];
/* Starts of kernels: the kernel, the blocks of its grid, the blocks of memory that it takes. */
const STARTS = [
@starts@
];
/* A run: write an input to a block, start as many kernels, read an output from a block. */
const STEPS = [
@steps@
];

const USES = { read: 1, copyFrom: 4, copyTo: 8, storage: 128 };

/** Open the network: read its files, compile its kernels. */
export async function open(options = {}) {
@if both@
  if (options.device === "wasm") return openWasm(options);
  try {
    return await openDevice(options);
  } catch (error) {
    if (!(error instanceof NoDeviceError) || options.device === "webgpu") throw error;
    return Object.assign(await openWasm(options), { reason: error.message });
  }
}

async function openWasm(options) {
  const { open } = await import("./@folder@/@model@.js");
  const read = readerOf(options);
  return open({ read: (name) => read(`@folder@/${name}`) });
}
@end@
@if single@
  return openDevice(options);
}
@end@

/** WebGPU is missing, or has no device on which the network can run. */
export class NoDeviceError extends Error {}

async function openDevice(options) {
  const gpu = options.gpu === undefined ? globalThis.navigator?.gpu : options.gpu;
  const read = readerOf(options);
  if (!gpu) throw new NoDeviceError("this browser has no WebGPU");
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new NoDeviceError("WebGPU finds no device");
  const largest = Math.max(...BLOCKS.map(([, , bytes]) => roundUp(bytes, 4)));
  const requiredLimits = {};
  for (const [limit, bytes] of [
    ["maxBufferSize", Math.max(ARENA_BYTES, largest)],
    ["maxStorageBufferBindingSize", largest],
  ]) {
    if (bytes > adapter.limits[limit]) {
      throw new NoDeviceError(`the network takes ${bytes} bytes, ${limit} is ${adapter.limits[limit]}`);
    }
    requiredLimits[limit] = bytes;
  }
  const names = ["@model@.wgsl", "@model@.weights"];
  const files = names.map(async (name) => (await read(name)).arrayBuffer());
  for (const file of files) file.catch(() => {}); /* They are awaited below, once there is a device. */
  const device = await adapter.requestDevice({ requiredLimits }).catch((error) => {
    throw new NoDeviceError(`WebGPU offers no device: ${error.message}`);
  });
  const session = new Session(device, adapter.info);
  try {
    await session.prepare(...files);
  } catch (error) {
    session.close();
    throw error;
  }
  return session;
}

class Session {
  inputs = INPUTS;
  outputs = OUTPUTS;
  #device;
  #lost;
  #arena;
  #starts;
  #results;
  #last = Promise.resolve();

  constructor(device, info) {
    this.#device = device;
    this.device = `WebGPU, ${info?.description || info?.device || [info?.vendor, info?.architecture].join(" ")}`;
    device.lost.then(({ message }) => (this.#lost ??= message || "no reason is known"));
    device.onuncapturederror = ({ error }) => (this.#lost ??= error.message);
  }

  /** Prepare all starts. Files are promises: kernels compile while weights are downloaded. */
  async prepare(kernels, weights) {
    const device = this.#device;
    device.pushErrorScope("validation");
    device.pushErrorScope("out-of-memory");
    const compiled = kernels.then((text) => this.#compile(new TextDecoder().decode(text)));
    const placed = weights.then((bytes) => this.#place(new Uint8Array(bytes)));
    const [pipelines, resources] = await Promise.all([compiled, placed]);
    this.#starts = STARTS.map(([name, grid, blocks]) => {
      const pipeline = pipelines.get(name);
      const entries = blocks.map((block, binding) => ({ binding, resource: resources[block] }));
      return [pipeline, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }), grid];
    });
    const errors = [await device.popErrorScope(), await device.popErrorScope()];
    const error = errors.find((one) => one);
    if (error) throw new NoDeviceError(`the device refuses the network: ${error.message || "it has too little memory"}`);
  }

  /** Return the memory of blocks, with the weights. */
  #place(weights) {
    const device = this.#device;
    const found = [...weights.subarray(32, 48)].map((byte) => byte.toString(16).padStart(2, "0"));
    if (weights.length !== WEIGHTS[0] || found.join("") !== WEIGHTS[2]) {
      throw new Error("@model@.weights is not the file of weights of this network");
    }
    const make = (size, usage) => device.createBuffer({ size, usage });
    const { read, copyFrom, copyTo, storage } = USES;
    this.#arena = make(Math.max(ARENA_BYTES, 4), storage | copyFrom | copyTo);
    this.#results = OUTPUTS.map(({ bytes }) => make(bytes, read | copyTo));
    return BLOCKS.map(([isWeight, offset, bytes]) => {
      const size = roundUp(bytes, 4);
      if (!isWeight) return { buffer: this.#arena, offset, size };
      const buffer = make(size, storage | copyTo);
      const begin = WEIGHTS[1] + offset;
      device.queue.writeBuffer(buffer, 0, weights, begin, size);
      return { buffer };
    });
  }

  /** Return the pipelines of kernels by name. */
  async #compile(kernels) {
    const texts = kernels.split(/^\/\/ kernel (\w+)\n/m);
    const compiled = [];
    for (let i = 1; i < texts.length; i += 2) compiled.push(this.#pipeline(texts[i], texts[i + 1]));
    return new Map(await Promise.all(compiled));
  }

  async #pipeline(name, code) {
    const module = this.#device.createShaderModule({ code });
    try {
      const compute = { module, entryPoint: "main" };
      return [name, await this.#device.createComputePipelineAsync({ layout: "auto", compute })];
    } catch (error) {
      const { messages } = await module.getCompilationInfo();
      throw new NoDeviceError(`the device does not compile kernel ${name}: ${messages[0]?.message ?? error.message}`);
    }
  }

  /** Compute the outputs of inputs; runs wait for each other. */
  async run(inputs) {
    const values = valuesOf(inputs);
    const done = this.#last.then(() => this.#compute(values));
    this.#last = done.catch(() => {});
    return done;
  }

  async #compute(values) {
    if (this.#lost !== undefined) throw new Error(`the device was lost: ${this.#lost}`);
    const { queue } = this.#device;
    const starts = this.#starts.values();
    let encoder;
    const submit = () => encoder && queue.submit([encoder.finish()]);
    for (const [what, number, block] of STEPS) {
      if (what === "write") {
        submit();
        encoder = undefined;
        queue.writeBuffer(this.#arena, BLOCKS[block][1], values[number]);
        continue;
      }
      encoder ??= this.#device.createCommandEncoder();
      if (what === "read") {
        encoder.copyBufferToBuffer(this.#arena, BLOCKS[block][1], this.#results[number], 0, OUTPUTS[number].bytes);
        continue;
      }
      const pass = encoder.beginComputePass();
      for (let i = 0; i < number; ++i) {
        const [pipeline, group, grid] = starts.next().value;
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(...grid);
      }
      pass.end();
    }
    submit();
    try {
      await Promise.all(this.#results.map((buffer) => buffer.mapAsync(1)));
    } catch (error) {
      this.#lost ??= error.message;
    }
    if (this.#lost !== undefined) throw new Error(`the device was lost: ${this.#lost}`);
    const found = OUTPUTS.map(({ name, array }, number) => {
      const result = new globalThis[array](this.#results[number].getMappedRange().slice(0));
      this.#results[number].unmap();
      return [name, result];
    });
    return Object.fromEntries(found);
  }

  /** Give the memory of the device back. */
  close() {
    this.#device.destroy();
  }
}
