const INPUTS = [
@inputs@
];
const OUTPUTS = [
@outputs@
];

async function download(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`cannot read ${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

/** Return the function that reads a file of the folder. */
function readerOf({ read, base = import.meta.url }) {
  return read ?? ((name) => download(new URL(name, base)));
}

function checked({ name, array, bytes }, value) {
  const count = bytes / globalThis[array].BYTES_PER_ELEMENT;
  if (value instanceof globalThis[array] && value.length === count) return value;
  const given = value?.constructor?.name ?? String(value);
  throw new TypeError(`input ${name} is a ${array} of ${count} elements, found ${given} of ${value?.length}`);
}

function roundUp(bytes, unit) {
  return Math.ceil(bytes / unit) * unit;
}

