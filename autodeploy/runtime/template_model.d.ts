/* The network @title@ in a page, by autodeploy @version@. */

/** The elements of each input, the last axis first in memory. */
export interface Inputs {
@input_types@
}

/** The elements of each output. */
export interface Outputs {
@output_types@
}

export interface Tensor {
  readonly name: string;
  readonly type: string;
  /** The class of JavaScript that holds the elements. */
  readonly array: string;
  readonly shape: readonly number[];
  readonly bytes: number;
  /** The bytes of an input that is left out. */
  readonly default?: readonly number[];
}

export interface Session {
@if single@
  /** What computes: @computes@. */
  readonly device: string;
@end@
@if both@
  /** What computes: WebGPU, and the name of its device, or WebAssembly. */
  readonly device: string;
  /** Why it is not WebGPU. */
  readonly reason?: string;
@end@
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  /**
   * Compute the outputs; rejects if an input does not fit, or if the session cannot compute any more. Do not change the
   * arrays of inputs before it is done.
   */
  run(inputs: Inputs): Promise<Outputs>;
  /** Give the memory back; the session cannot be used afterwards. */
  close(): void;
}

export interface Options {
  /** Where the files are, with a slash at its end; the folder of this module if it is left out. */
  base?: string | URL;
  /** Reads a file of the folder by its name, in place of a download. */
  read?: (name: string) => Promise<ArrayBuffer | Response>;
@if device@
  /** The object `navigator.gpu`, or that of a library. */
  gpu?: unknown;
@end@
@if both@
  /** What must compute; WebGPU if it can, if this is left out. */
  device?: "webgpu" | "wasm";
@end@
}

/** Open the network: read its files, prepare its kernels. */
export function open(options?: Options): Promise<Session>;
@if device@

/** WebGPU is missing, or has no device on which the network can run. */
export class NoDeviceError extends Error {}
@end@
