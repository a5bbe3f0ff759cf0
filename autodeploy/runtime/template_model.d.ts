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
  readonly shape: readonly number[];
  readonly bytes: number;
}

export interface Session {
  /** What computes: WebGPU, and the name of its device. */
  readonly device: string;
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  /** Compute the outputs; rejects if an input does not fit, or if the device was lost. */
  run(inputs: Inputs): Promise<Outputs>;
  /** Give the memory back; the session cannot be used afterwards. */
  close(): void;
}

export interface Options {
  /** Where the files are; the folder of this module if it is left out. */
  base?: string | URL;
  /** Reads a file of the folder by its name, in place of a download. */
  read?: (name: string) => Promise<ArrayBuffer>;
  /** The object `navigator.gpu`, or that of a library. */
  gpu?: unknown;
}

/** Open the network: read its files, compile its kernels. */
export function open(options?: Options): Promise<Session>;

/** WebGPU is missing, or has no device on which the network can run. */
export class NoDeviceError extends Error {}
