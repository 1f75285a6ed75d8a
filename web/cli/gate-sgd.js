/** A gate learns by gradient descent: the table of the worked example. */
import { BOOK_STEPS, columnOf, freshLesson, sgdArgs } from '../lab/gate-sgd.js';
import { signed } from './print.js';

/** @param {import('../engine/engine.js').Engine} engine */
export async function run(engine) {
  const { w, gate, loss, grad } = await engine.gateSgd(sgdArgs(freshLesson()));
  const at = (m, step) => [0, 1].map((i) => columnOf(m, i)[step]);
  const rows = BOOK_STEPS.map((step) =>
    ({ step, w: at(w, step), gate: at(gate, step), loss: loss.data[step], grad: at(grad, step) }));
  return {
    data: rows,
    lines: rows.map((r) => `step ${String(r.step).padStart(3)}: w = [${r.w.map((x) => signed(x)).join(', ')}], gate(?) ` +
      `${r.gate[0].toFixed(3)}, gate(digit) ${r.gate[1].toFixed(3)}, loss ${r.loss.toFixed(4)}, gradient ` +
      `[${r.grad.map((x) => signed(x, 4)).join(', ')}]`),
  };
}
