// Runs networks of pages in Node, on WebGPU by the package `webgpu`.
//
//   node run_pages.mjs PACKAGE JOBS
//
// PACKAGE is the folder of the package, or empty. JOBS is a JSON file: for each network its folder, its module and a folder
// `runs` with a file `N.NAME.bin` for each run and given input; results are written there as `N.NAME.out`.

import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [packageFolder, jobsFile] = process.argv.slice(2);
let gpu;
if (packageFolder) {
  const { create, globals } = await import(pathToFileURL(`${packageFolder}/index.js`));
  Object.assign(globalThis, globals);
  gpu = create([]);
}
const bytes = async (file) => new Uint8Array(await readFile(file)).buffer;

for (const { folder, module, runs, count, options } of JSON.parse(await readFile(jobsFile, "utf8"))) {
  const said = { errors: [] };
  try {
    const { open } = await import(pathToFileURL(`${folder}/${module}.js`));
    const read = (name) => bytes(`${folder}/${name}`);
    let inputs;
    const session = await open({ read, gpu, ...options });
    said.device = session.device;
    said.reason = session.reason;
    for (let run = 0; run < count; ++run) {
      inputs = {};
      for (const [place, { name, array }] of session.inputs.entries()) {
        const file = `${runs}/${run}.${place}.bin`;
        if (existsSync(file)) inputs[name] = new globalThis[array](await bytes(file));
      }
      const outputs = await session.run(inputs);
      for (const [place, { name }] of session.outputs.entries()) {
        await writeFile(`${runs}/${run}.${place}.out`, outputs[name]);
      }
    }
    session.close();
    said.closed = await session.run(inputs).then(() => "no error", ({ message }) => message);
  } catch (error) {
    said.errors.push(`${error.name}: ${error.message}`);
  }
  await writeFile(`${runs}/said.json`, JSON.stringify(said));
}
process.exit(0);
