/** Two small models that learn side by side from the same seed and data, each in its own worker where there are two. */
import { measureSink } from '../../lab/sink-lab.js';
import { busiest, drawnLine, LINE, PROBES, trainerOptions } from '../../lab/sink-run.js';

/** @typedef {import('../../lab/sink-run.js').Settings} Settings */
/** @typedef {import('../../lab/sink-run.js').Point} Point */

/** Seed of the sequences that are measured: the same for both models and at every point. */
const SAMPLE_SEED = 1;

/** Shares, values and gates of fresh sequences. @param {any} trainer @param {{ shape: number[], data: Int32Array }} sample @param {number} triggers */
export async function measured(trainer, { shape: [n, width], data }, triggers) {
  const probes = [];
  for (let i = 0; i < n; i += 1) {
    const ids = data.subarray(i * width, (i + 1) * width);
    probes.push({ ids, ...await trainer.probe(ids.subarray(0, -1), { capture: ['probs', 'v', 'gate'] }) });
  }
  return { probes, found: measureSink(probes, { triggers }) };
}

export class Twins {
  /** @type {any[]} */
  #trainers = [];
  #settings;
  /** @type {{ shape: number[], data: Int32Array }} */
  #sample = { shape: [0, 0], data: new Int32Array() };

  /** @param {Settings} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  /** @param {any} engine @param {Settings} settings */
  static async open(engine, settings) {
    const twins = new Twins(settings);
    try {
      for (const model of /** @type {const} */ ([0, 1])) {
        twins.#trainers.push(await engine.createTrainer(trainerOptions(settings, model)));
      }
      twins.#sample = await twins.#trainers[0].sample(PROBES, SAMPLE_SEED);
      return twins;
    } catch (error) {
      await twins.close();
      throw error;
    }
  }

  /** Both models n updates on, then measured. @param {number} n @returns {Promise<Point>} */
  async advance(n) {
    const steps = await Promise.allSettled(this.#trainers.map((trainer) => trainer.step(n)));
    for (const step of steps) if (step.status === 'rejected') throw step.reason;
    return this.measure();
  }

  /** @returns {Promise<Point>} */
  async measure() {
    const { triggers } = this.#settings;
    const line = busiest(this.#sample, triggers);
    const models = await Promise.all(this.#trainers.map(async (trainer) => {
      const { probes, found } = await measured(trainer, this.#sample, triggers);
      return { ...found, ...drawnLine(probes[line].layers[0]) };
    }));
    const width = this.#sample.shape[1];
    return {
      step: this.#trainers[0].steps, line: [...this.#sample.data.subarray(line * width, line * width + LINE)],
      models: /** @type {Point['models']} */ (models),
    };
  }

  async close() {
    await Promise.all(this.#trainers.map((trainer) => trainer.close()));
  }
}
