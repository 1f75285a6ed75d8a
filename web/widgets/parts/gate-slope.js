/** The scene "slope" of <attn-gate-sgd>: a point on the sigmoid, its tangent, and the hill g(1 − g). */
import { css, html, nothing, svg } from 'lit';
import { HEIGHT, slopeHandle, slopeScales, slopeScene } from '../../draw/slope.js';
import { moved } from '../../draw/shapes.js';
import { tableShapes } from '../../draw/table.js';
import { curveArgs, heldScore, MARKS, placeOf, REACH, SCORES, slopeOf } from '../../lab/slope.js';
import { scrub, stepper } from './controls.js';
import { grab } from './drag.js';
import { foreign } from './keys.js';
import { holdsTouch } from './pointer.js';
import { drawn } from './shapes.js';

/** @typedef {import('../../lab/text.js').Text} Text */

export const slopeStyles = css`
  .slope { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 24px; align-items: start; }
  .slope svg { width: 100%; height: auto; max-width: 44rem; }
  .handle { cursor: ew-resize; outline: none; }
  .handle:focus-visible .target { stroke: var(--attn-ink); stroke-width: 3; }
  .slope .now-at { margin: 0 0 12px; line-height: 1.7; }
  .slope .stepper { display: none; }
  @container (max-width: 50rem) { .slope { grid-template-columns: minmax(0, 1fr); } }
  @container (max-width: 36rem) { .slope .stepper { display: inline-flex; margin-bottom: 12px; } .slope .typed { display: none; } }
`;

export class GateSlope {
  #host;

  /** @param {import('./figure.js').FigureElement} host */
  constructor(host) {
    this.#host = host;
    this.z = 0;
    /** @type {Float32Array | null} every gate of SCORES */
    this.gates = null;
  }

  reset() { this.move(0); }

  /** @param {Record<string, string>} given as an address says it */
  restore(given) {
    const z = Number(given.z);
    if (Number.isFinite(z)) this.move(z);
  }

  async compute() {
    const found = await this.#host.run((engine) => engine.gate(curveArgs()));
    if (!found) return;
    this.gates = found.gate.data;
    this.#host.requestUpdate();
  }

  /** @param {number} z */
  move(z) {
    this.z = heldScore(z);
    this.#host.requestUpdate();
  }

  /** @param {number} z */
  #at(z) {
    const gate = this.gates?.[placeOf(z)] ?? Number.NaN;
    return { gate, slope: slopeOf(gate) };
  }

  /** @param {Text} t @param {number} z */
  #numbers(t, z) {
    const { gate, slope } = this.#at(z);
    return { z: t.fixed(z, 1), gate: t.fixed(gate, 4), slope: t.fixed(slope, 4) };
  }

  /** @param {Text} t */
  sentence(t) { return this.gates ? t('slope.say', this.#numbers(t, this.z)) : ''; }

  get #width() {
    const room = this.#host.width;
    return Math.max(240, Math.min(704, room > 800 ? room - 48 - 344 : room - (room > 576 ? 48 : 24)));
  }

  /** @param {Text} t @param {ReturnType<typeof slopeScales>} scales */
  #shapes(t, scales) {
    if (!this.gates) return [];
    return slopeScene(this.#host.environment.theme, scales, {
      scores: SCORES, gates: this.gates, z: this.z, ...this.#at(this.z), format: (n) => t.short(n),
      words: { gate: 'g = σ(z)', slope: t('slope.hill'), slow: t('slope.slow') },
    });
  }

  /** @param {KeyboardEvent} event */
  #nudge(event) {
    const by = event.shiftKey ? 1 : 0.1;
    const to = {
      ArrowRight: this.z + by, ArrowUp: this.z + by, ArrowLeft: this.z - by, ArrowDown: this.z - by, Home: -REACH, End: REACH,
    }[event.key];
    if (to === undefined || foreign(event)) return;
    event.preventDefault();
    this.move(to);
  }

  /** @param {Text} t @param {ReturnType<typeof slopeScales>} scales */
  #renderHandle(t, scales) {
    const { gate } = this.#at(this.z);
    if (Number.isNaN(gate)) return nothing;
    return svg`<g class="handle" tabindex="0" role="slider" aria-label=${t('slope.z')} aria-valuenow=${this.z}
      aria-valuemin=${-REACH} aria-valuemax=${REACH} aria-valuetext=${this.sentence(t)}
      @touchstart=${holdsTouch} @pointerdown=${(/** @type {PointerEvent} */ e) => grab(e, (px) => this.move(scales.x.invert(px)))}
      @keydown=${(/** @type {KeyboardEvent} */ e) => this.#nudge(e)}>
      <circle class="target" cx=${scales.x(this.z)} cy=${scales.gate(gate)} r="22" fill="transparent"></circle>
      ${drawn(slopeHandle(this.#host.environment.theme, scales, this.z, gate))}</g>`;
  }

  /** @param {Text} t */
  plate(t) {
    const scales = slopeScales(this.#width, REACH);
    const { gate, slope } = this.#numbers(t, this.z);
    const dial = {
      value: this.z, text: t, label: 'z', min: -REACH, max: REACH, digits: 1, onChange: (/** @type {number} */ z) => this.move(z),
    };
    return html`<div class="slope"><svg viewBox="0 0 ${scales.width} ${HEIGHT}" role="group" aria-label=${t('slope.title')}>
      <g aria-hidden="true">${drawn(this.#shapes(t, scales))}</g>${this.#renderHandle(t, scales)}</svg>
      <div class="sheet"><p class="now-at">z = <span class="typed">${scrub(dial)}</span>${stepper({
  ...dial, step: 0.5, less: t('step.less', { name: 'z' }), more: t('step.more', { name: 'z' }),
})}<br>g = σ(z) = <strong>${gate}</strong><br>g(1 − g) = <strong>${slope}</strong></p>${this.#renderMarks(t)}</div></div>`;
  }

  /** @param {Text} t */
  #renderMarks(t) {
    return html`<table><thead><tr><th scope="col">z</th><th scope="col">g</th><th scope="col">g(1 − g)</th></tr></thead>
      <tbody>${MARKS.map((z) => {
    const { gate, slope } = this.#numbers(t, z);
    return html`<tr class=${z === this.z ? 'now' : ''}><th scope="row"><button type="button" class="link" aria-label="z = ${t.short(z)}"
      @click=${() => this.move(z)}>${t.short(z)}</button></th><td>${gate}</td><td>${slope}</td></tr>`;
  })}</tbody></table>`;
  }

  /** @param {Text} t */
  table(t) {
    const all = [...new Set([...MARKS, this.z])].sort((a, b) => a - b);
    return {
      caption: this.sentence(t),
      columns: ['z', 'g = σ(z)', 'g(1 − g)'],
      rows: all.map((z) => Object.values(this.#numbers(t, z))),
    };
  }

  /** @param {Text} t */
  picture(t) {
    const scales = slopeScales(this.#width, REACH);
    const { theme } = this.#host.environment;
    const { shapes, width } = tableShapes(theme, this.table(t), 320);
    const { gate } = this.#at(this.z);
    return {
      width: scales.width + 40 + width,
      height: HEIGHT,
      shapes: [...this.#shapes(t, scales), ...slopeHandle(theme, scales, this.z, gate), ...moved(shapes, scales.width + 40, 20)],
    };
  }
}
