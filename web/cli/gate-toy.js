/** One gate, two words: the same head shut at one and open at the other. */
import { DIM, HEADS, WORDS, freshGateToy, gateArgs } from '../lab/gate-toy.js';
import { row } from './print.js';

const HEAD_NAMES = ['pronoun head', 'grammar head'];

/** @param {import('../engine/engine.js').Engine} engine */
export async function run(engine) {
  const data = [];
  const lines = [];
  for (const word of WORDS.keys()) {
    const toy = { ...freshGateToy(), word };
    const { z, gate, out } = await engine.gate(gateArgs(toy));
    const of = (m, h) => m.data.subarray(h * DIM, (h + 1) * DIM);
    data.push({ word: WORDS[word], z: [...z.data], gate: [...gate.data], headOut: toy.headOut[word], out: [...out.data] });
    lines.push(`${WORDS[word]}: z = ${row(z.data, 1)}`);
    for (let h = 0; h < HEADS; h++) {
      lines.push(`   ${HEAD_NAMES[h]}: gate ${row(of(gate, h))}, output ${row(toy.headOut[word][h], 2)} -> ${row(of(out, h))}`);
    }
  }
  return { data, lines };
}
