/* The network @title@ in WebAssembly, by autodeploy @version@. The types are in @model@.d.ts. */

@part page.js@
const ALIGNMENT = @alignment@;
const MESSAGE_BYTES = 512;

/** Open the network: read its files. */
export async function open(options = {}) {
  const read = readerOf(options);
@if weight_file@
  const [program, weights] = await Promise.all([read("@model@.wasm"), read("@model@.weights")]);
@end@
@if embedded@
  const [program, weights] = [await read("@model@.wasm"), new ArrayBuffer(0)];
@end@
  /* A page has no files: the C library finds none open (EBADF). */
  const system = new Proxy({}, { get: () => () => 8 });
  const { instance } = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: system });
  instance.exports._initialize?.();
  return new Session(instance.exports, new Uint8Array(weights));
}

class Session {
  device = "WebAssembly";
  inputs = INPUTS;
  outputs = OUTPUTS;
  #program;
  #context;
  #places;
  #inputs;
  #outputs;

  constructor(program, weights) {
    this.#program = program;
    this.#places = [...INPUTS, ...OUTPUTS].map(({ bytes }) => this.#take(bytes));
    this.#inputs = this.#words(this.#places.slice(0, INPUTS.length));
    this.#outputs = this.#words(this.#places.slice(INPUTS.length));
    const result = this.#words([0]);
    const message = this.#take(MESSAGE_BYTES);
    const given = weights.length ? this.#take(weights.length) : 0;
    this.#memory(given, weights.length).set(weights);
    /* model_options: no path, the weights and their bytes; the message is its tenth member. */
    const options = this.#words([0, given, weights.length, 0, 0, 0, 0, 0, 0, message, MESSAGE_BYTES]);
    if (program.model_init(result, options)) throw new Error(this.#text(message));
    this.#context = new Uint32Array(program.memory.buffer, result, 1)[0];
  }

  /** Take memory; it is given back when the whole program is. */
  #take(bytes) {
    const place = this.#program.malloc(bytes + ALIGNMENT) >>> 0;
    if (!place) throw new Error(`WebAssembly has no memory for ${bytes} bytes`);
    return roundUp(place, ALIGNMENT);
  }

  #memory(place, bytes) {
    return new Uint8Array(this.#program.memory.buffer, place, bytes);
  }

  #words(values) {
    const place = this.#take(4 * values.length);
    new Uint32Array(this.#program.memory.buffer, place, values.length).set(values);
    return place;
  }

  #text(place) {
    const bytes = this.#memory(place);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  /** Compute the outputs of inputs. */
  async run(inputs) {
    const values = valuesOf(inputs);
    if (!this.#program) throw new Error("the network is closed");
    for (const [i, { buffer, byteOffset, byteLength }] of values.entries()) {
      this.#memory(this.#places[i], byteLength).set(new Uint8Array(buffer, byteOffset, byteLength));
    }
    const program = this.#program;
    if (program.model_run(this.#context, this.#inputs, this.#outputs)) {
      throw new Error(this.#text(program.model_error_message(this.#context)));
    }
    const found = OUTPUTS.map(({ name, array, bytes }, i) => {
      const place = this.#places[INPUTS.length + i];
      return [name, new globalThis[array](program.memory.buffer.slice(place, place + bytes))];
    });
    return Object.fromEntries(found);
  }

  /** Give the memory back. */
  close() {
    this.#program = undefined;
  }
}
