/**
 * A run of the sink lab over time: started by the reader's hand only, in workers of its own; paused, stepped, ended.
 * It keeps what was measured; the workers go when the run is over, given up or off the page.
 */
import { EVERY, pointAt, refused, STEPS } from '../../lab/sink-run.js';
import { workerEngine } from './model-engine.js';
import { Twins } from './sink-twins.js';

/** @typedef {import('../../lab/sink-run.js').Settings} Settings */
/** @typedef {import('../../lab/sink-run.js').Point} Point */

export class SinkRunner {
  #changed;
  #failed;
  /** @type {Promise<any> | null} */
  #engine = null;
  /** @type {Twins | null} */
  #twins = null;
  /** Counts runs: what belongs to an earlier one is dropped. */
  #turn = 0;
  #until = 0;
  #busy = false;

  /** @type {Point[]} */
  points = [];
  /** What the points belong to. @type {Settings | null} */
  settings = null;
  /** The point on display; null follows the newest. @type {number | null} */
  #at = null;
  /** Update at which the loss ran away. @type {{ step: number, loss: number, rate: number } | null} */
  blown = null;

  /** @param {() => void} changed @param {(error: any) => void} failed */
  constructor(changed, failed) {
    this.#changed = changed;
    this.#failed = failed;
  }

  /** Updates made. */
  get step() { return this.points.at(-1)?.step ?? 0; }
  get shown() { return this.points[this.#at ?? this.points.length - 1]; }
  /** Going on by itself. */
  get playing() { return this.#busy && this.#until > this.step + 1; }
  get busy() { return this.#busy; }
  /** Nothing more can come: all updates made, the loss ran away, or the workers were given back on the way. */
  get over() { return !this.#busy && (this.blown !== null || (this.step > 0 && !this.#twins)); }
  /** Are there workers? */
  get alive() { return this.#engine !== null; }

  /** @param {number} step  the latest follows the run */
  show(step) {
    this.#at = step >= this.step ? null : pointAt(this.points, step);
    this.#changed();
  }

  /** Gives the workers back; what was measured stays. */
  stop() {
    this.#turn += 1;
    if (!this.#engine && !this.#busy) return;
    this.#busy = false;
    this.#twins = null;
    this.#engine?.then((engine) => engine.close(), () => {});
    this.#engine = null;
    this.#changed();
  }

  /** Back to empty axes. */
  clear() {
    this.stop();
    Object.assign(this, { points: [], settings: null, blown: null });
    this.#at = null;
    this.#changed();
  }

  pause() { this.#until = 0; }

  /**
   * Step 0 of these settings, by an engine that is there already: nothing is trained.
   * @param {any} engine @param {Settings} settings
   */
  async preview(engine, settings) {
    const turn = this.#turn;
    const twins = await Twins.open(engine, settings);
    try {
      const point = await twins.measure();
      if (turn !== this.#turn || this.#busy || this.step > 0) return;
      this.points = [point];
      this.settings = settings;
      this.#changed();
    } finally {
      await twins.close();
    }
  }

  /** Trains until an update is reached, or until pause(). @param {Settings} settings @param {number} [until] */
  async go(settings, until = STEPS) {
    if (refused(settings)) return;
    this.#until = Math.min(until, STEPS);
    if (this.#busy) return; // the run under way goes on to there
    const turn = this.#turn;
    this.#busy = true;
    this.#at = null;
    this.#changed();
    try {
      const twins = this.#twins ??= await this.#open(settings);
      const first = this.step === 0 ? [await twins.measure()] : this.points;
      if (turn !== this.#turn) return;
      this.points = first;
      this.settings = settings;
      while (this.step < this.#until) {
        const next = Math.min(this.#until, (Math.floor(this.step / EVERY) + 1) * EVERY);
        const point = await twins.advance(next - this.step);
        if (turn !== this.#turn) return;
        this.points = [...this.points, point];
        this.#changed();
      }
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#fell(error, settings);
    }
    if (turn !== this.#turn) return;
    this.#busy = false;
    if (this.step >= STEPS) this.stop();
    this.#changed();
  }

  /** @param {Settings} settings */
  async #open(settings) {
    const turn = this.#turn;
    this.#engine = workerEngine(2);
    const twins = await Twins.open(await this.#engine, settings);
    if (turn !== this.#turn) throw new Error('given up');
    return twins;
  }

  /** @param {any} error @param {Settings} settings */
  #fell(error, settings) {
    const { field, step, loss } = error.details ?? {};
    if (field === 'learningRate' && step !== undefined) this.blown = { step, loss: Number(loss), rate: settings.learningRate };
    else this.#failed(error);
    this.stop();
  }
}
