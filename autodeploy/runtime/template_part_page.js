const INPUTS = [
@inputs@
];
const OUTPUTS = [
@outputs@
];

async function download(url) {
  const answer = await fetch(url).catch(({ message }) => {
    throw new Error(`cannot read ${url}: ${message}`);
  });
  if (!answer.ok) throw new Error(`cannot read ${url}: ${answer.status} ${answer.statusText}`);
  return answer;
}

/** Return the function that reads a file of the folder, as the answer to a request. */
function readerOf({ read, base = import.meta.url }) {
  return async (name) => {
    const file = read ? await read(name) : await download(new URL(name, base));
    return file instanceof Response ? file : new Response(file);
  };
}

/** Return the arrays of inputs in their order, with the defaults of those that are left out. */
function valuesOf(given = {}) {
  const names = INPUTS.map(({ name }) => name);
  const other = Object.keys(given).find((name) => !names.includes(name));
  if (other !== undefined) throw new TypeError(`there is no input ${other}; the inputs are ${names.join(", ")}`);
  return INPUTS.map((tensor) => checked(tensor, given[tensor.name]));
}

function checked({ name, array, bytes, default: known }, value) {
  if (value === undefined && known) return new globalThis[array](Uint8Array.from(known).buffer);
  const count = bytes / globalThis[array].BYTES_PER_ELEMENT;
  if (value instanceof globalThis[array] && value.length === count) return value;
  const found = value?.constructor?.name ?? value;
  const length = value?.length === undefined ? "" : ` of ${value.length}`;
  throw new TypeError(`input ${name} is a ${array} of ${count} elements, found ${found}${length}`);
}

function roundUp(bytes, unit) {
  return Math.ceil(bytes / unit) * unit;
}

