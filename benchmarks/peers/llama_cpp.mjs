// llama.cpp reads tokens: `node llama_cpp.mjs PACKAGE MODEL ROWS`, PACKAGE is node-llama-cpp's folder.
// A line of the standard input has the rows that the cache keeps, then tokens; the answer is the
// processor's time of those in milliseconds. llama.cpp computes the scores of the last one only.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder, path, rows] = process.argv;
const { getLlama } = await import(pathToFileURL(join(folder, "dist", "index.js")).href);
const llama = await getLlama({ gpu: false, build: "never", logLevel: "error" });
const model = await llama.loadModel({ modelPath: path });
const size = Number(rows);
const context = await model.createContext({ threads: 1, contextSize: size, batchSize: size });
const sequence = context.getSequence();

console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
    const [past, ...tokens] = line.split(" ").map(Number);
    if (past === 0) await sequence.clearHistory();
    const before = process.cpuUsage();
    // The scores of a last token are computed when the next one is chosen.
    for await (const _ of sequence.evaluate(tokens, { temperature: 0, yieldEogToken: true })) break;
    const used = process.cpuUsage(before);
    await sequence.eraseContextTokenRanges([{ start: past + tokens.length, end: size }]);
    console.log((used.user + used.system) / 1e3);
}
