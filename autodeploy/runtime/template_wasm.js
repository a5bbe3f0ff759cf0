/* The network @title@ in WebAssembly, by autodeploy @version@. The types are in @model@.d.ts. */

@part page.js@
const ALIGNMENT = @alignment@;
const MESSAGE_BYTES = 512;
@if weight_file@
const WEIGHTS_BYTES = @weights_bytes@;
@end@

/** Open the network: read its files. */
export async function open(options = {}) {
  const read = readerOf(options);
  const names = ["@model@.wasm"];
@if weight_file@
  names.push("@model@.weights");
@end@
  const [program, weights] = await Promise.all(names.map(read));
  /* A page has no files: the C library finds none open (EBADF). */
  const system = { wasi_snapshot_preview1: new Proxy({}, { get: () => () => 8 }) };
  const { instance } = await WebAssembly.instantiate(await program.arrayBuffer(), system);
  instance.exports._initialize?.();
  const session = new Session(instance.exports);
  await session.prepare(weights);
  return session;
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

  constructor(program) {
    this.#program = program;
    this.#places = [...INPUTS, ...OUTPUTS].map(({ bytes }) => this.#take(bytes));
    this.#inputs = this.#words(this.#places.slice(0, INPUTS.length));
    this.#outputs = this.#words(this.#places.slice(INPUTS.length));
  }

  /** Make a context; `weights` is the answer that has their file. */
  async prepare(weights) {
    const program = this.#program;
@if weight_file@
    const given = this.#take(WEIGHTS_BYTES);
    const bytes = await this.#load(weights.body.getReader(), given);
@end@
@if embedded@
    const [given, bytes] = [0, 0];
@end@
    const result = this.#words([0]);
    const message = this.#take(MESSAGE_BYTES);
    /* model_options: no path, the weights and their bytes; the message is its tenth member. */
    const options = this.#words([0, given, bytes, 0, 0, 0, 0, 0, 0, message, MESSAGE_BYTES]);
    if (program.model_init(result, options)) throw new Error(this.#text(message));
    this.#context = new Uint32Array(program.memory.buffer, result, 1)[0];
  }

@if weight_file@
  /** Write the weights to memory as they come, without a second copy; return their bytes. */
  async #load(reader, place) {
    let bytes = 0;
    for (let next; !(next = await reader.read()).done; bytes += next.value.length) {
      const piece = next.value.subarray(0, Math.max(WEIGHTS_BYTES - bytes, 0));
      this.#memory(place + bytes, piece.length).set(piece);
    }
    return bytes;
  }

@end@
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
