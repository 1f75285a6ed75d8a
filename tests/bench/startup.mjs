/** From the end of the import to the first toy's result, in a process of its own: prints milliseconds. */
import { createEngine } from '../../web/engine/index.js';

const start = performance.now();
const engine = await createEngine();
await engine.attention({ q: [0, 4], k: [1, 0, 0, 1, 0.5, 0.5], v: [2, 0, 0, 2, 1, 1], queries: 1, keys: 3, dim: 2, valueDim: 2 });
console.log(performance.now() - start);
await engine.close();
