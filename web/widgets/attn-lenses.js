/** F4 Heads as lenses: three kinds of question, drawn by rule. <attn-lenses figure="4"> */
import { css, html, nothing } from 'lit';
import { pencilMap } from '../draw/pencil.js';
import { moved, text as textShape } from '../draw/shapes.js';
import { PALETTE } from '../draw/palette.js';
import { LENSES, ranked, strength, targetOf } from '../lab/lenses.js';
import { placeHash } from '../lab/place.js';
import { choice } from './parts/controls.js';
import { exampleModel, tokenizerOf } from './parts/engine.js';
import { FigureElement } from './parts/figure.js';
import { birthMark } from './parts/marks.js';
import { rich } from './parts/rich.js';
import { drawn } from './parts/shapes.js';

/** @typedef {import('../lab/text.js').Text} Text */
/** @typedef {import('../lab/lenses.js').Lens} Lens */

/** With an article that is not the first token: the first is looked at for other reasons too. */
const PROMPT = 'Anna has a book and Tom has a ball. She';
const CELL = 44;
const SHOWN = 3;

export class AttnLenses extends FigureElement {
  static styles = [...FigureElement.styles, css`
    .maps { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 24px; }
    .maps button { display: block; width: 100%; padding: 8px 8px 10px; border: 2px solid transparent; background: none; cursor: pointer; border-radius: 0;
      text-align: start; color: inherit; }
    .maps button[aria-pressed='true'] { border-color: var(--attn-hand); background: var(--attn-paper); }
    .maps svg { width: 100%; max-width: 282px; height: auto; margin-top: 6px; }
    .maps .name { font-weight: 600; }
    .rule { margin: 16px 0 0; min-height: 3em; }
    .run { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; margin-top: 12px; }
    .run ol { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0; padding: 0; list-style: none; flex: 1 1 100%; }
    .run p { margin: 0; flex: 1 1 20rem; font-size: 0.90625rem; }
    .only-small, .dots { display: none; }
    @container (max-width: 36rem) {
      .only-small { display: block; flex: 1; }
      .only-small .choice, .only-small .segments { display: flex; flex: 1; }
      .only-small .segments label { white-space: normal; line-height: 1.25; padding-inline: 6px; text-align: center; }
      .maps { display: flex; gap: 12px; overflow-x: auto; scroll-snap-type: x mandatory; scrollbar-width: none; }
      .maps button { flex: 0 0 100%; scroll-snap-align: center; padding-inline: 4px; }
      .maps .name { display: none; }
      .maps svg { margin-inline: auto; }
      .dots { display: flex; justify-content: center; gap: 8px; margin-top: 8px; }
      .dots i { width: 8px; height: 8px; border-radius: 50%; border: 1.5px solid var(--attn-hand); }
      .dots i.now { background: var(--attn-hand); }
    }
  `];

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({ lens: ['lens', LENSES] });

  static properties = {
    ...FigureElement.properties, lens: { state: true }, layers: { state: true }, running: { state: true },
  };

  constructor() {
    super();
    /** @type {Lens} */
    this.lens = 'previous';
    /** Maps of a real run, full layers only. @type {{ layer: number, probs: any }[] | null} */
    this.layers = null;
    /** Tokens of that run. @type {import('../lab/tokens.js').Piece[]} */
    this.pieces = [];
    this.running = false;
  }

  get words() { return 'lenses'; }
  get mark() { return /** @type {const} */ ('illustration'); }
  get fileName() { return `attn-f${this.figure || 4}-${this.lens}`; }

  reset() {
    this.lens = 'previous';
    this.layers = null;
  }

  /** @param {Text} t */
  spoken(t) { return this.#sentence(t); }
  /** What was looked for ran here. @param {Text} t */
  unlinked(t) { return this.layers ? t('link.run') : ''; }

  /** @param {Lens} lens */
  #pick(lens) {
    this.lens = lens;
    this.#bring('smooth');
  }

  /** Width the maps were last laid out for. */
  #laidOut = 0;
  #swiping = false;

  updated() {
    const width = this.renderRoot.querySelector('.maps')?.clientWidth ?? 0;
    if (width === this.#laidOut) return;
    this.#laidOut = width;
    this.#bring('instant');
  }

  /** On a phone the maps lie side by side; brings the picked one into view. @param {ScrollBehavior} behavior */
  #bring(behavior) {
    const maps = this.renderRoot.querySelector('.maps');
    if (!maps || maps.scrollWidth <= maps.clientWidth) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    maps.scrollTo({ left: LENSES.indexOf(this.lens) * (maps.clientWidth + 12), behavior: still ? 'instant' : behavior });
  }

  /** A swipe that has come to rest picks what it shows. @param {Event} event */
  #swiped(event) {
    if (!this.#swiping) return;
    this.#swiping = false;
    const maps = /** @type {HTMLElement} */ (event.currentTarget);
    const lens = LENSES[Math.round(maps.scrollLeft / (maps.clientWidth + 12))];
    if (lens && lens !== this.lens) this.#pick(lens);
  }

  async find() {
    if (this.running) return;
    this.running = true;
    const base = exampleModel();
    const found = await this.run(async (engine, signal) => {
      const { ids, pieces } = await (await tokenizerOf(base)).encode(PROMPT);
      const model = await engine.openModel(base, { signal });
      try {
        const { layers } = await model.forward(ids, { capture: ['probs'], logits: 'none', signal });
        return { pieces, layers: layers.flatMap((/** @type {any} */ l, /** @type {number} */ layer) => (
          l?.probs ? [{ layer, probs: l.probs }] : [])) };
      } finally {
        await model.close();
      }
    }).finally(() => { this.running = false; });
    if (found) Object.assign(this, found);
  }

  /** @param {Text} t */
  #sentence(t) { return t('lenses.say', { name: t(`lenses.${this.lens}.name`), rule: t(`lenses.${this.lens}.rule`) }); }

  /** @param {Text} t @param {Lens} lens */
  #map(t, lens) {
    const words = t('lenses.words').split(' ');
    return pencilMap(this.environment.theme, { words, cell: CELL, strength: (i, j) => strength(lens, i, j) });
  }

  /** @param {Text} t */
  renderPlate(t) {
    const names = LENSES.map((lens) => t(`lenses.${lens}.name`));
    return html`<div class="only-small">${choice({
      name: 'lens', legend: t('lenses.pick'), hideLegend: true, wide: true, value: this.lens,
      options: LENSES.map((value, i) => ({ value, label: names[i] })), onPick: (lens) => this.#pick(/** @type {Lens} */ (lens)),
    })}</div>
      <div class="maps" role="group" aria-label=${t('lenses.pick')} @scrollend=${this.#swiped}
        @touchstart=${() => { this.#swiping = true; }}>${LENSES.map((lens, i) => {
        const { shapes, width, height } = this.#map(t, lens);
        return html`<button type="button" aria-pressed=${lens === this.lens} @click=${() => this.#pick(lens)}>
          <span class="name">${names[i]}</span>
          <svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${t('lenses.map', { name: names[i] })}>${drawn(shapes)}</svg></button>`;
      })}</div>
      <div class="dots" aria-hidden="true">${LENSES.map((lens) => html`<i class=${lens === this.lens ? 'now' : ''}></i>`)}</div>
      <p class="rule">${rich(t, `lenses.${this.lens}.rule`)}</p>${this.#renderRun(t)}`;
  }

  /**
   * A head, and the way to its map on the sentence it was found on.
   * @param {Text} t @param {ReturnType<typeof ranked>[0]} found
   */
  #renderFound(t, { layer, head, share, look }) {
    const there = placeHash(12, { layer, heads: head, prompt: PROMPT });
    return html`<li><a class="link" href=${there}>${t('lenses.head', { layer, head, share: t.fixed(share) })}</a>${
      look === this.lens ? nothing : html` · ${t(`lenses.${look}.name`)}`}</li>`;
  }

  /** @param {Text} t */
  #renderRun(t) {
    const { layers } = this;
    const best = layers ? ranked(this.lens, layers, this.pieces) : [];
    if (layers && best.length === 0) {
      return html`<div class="run" data-here>${birthMark('live', t('mark.live'))}<p>${t('lenses.noArticle')}</p></div>`;
    }
    return html`<div class="run" data-here>${layers ? html`${birthMark('live', t('mark.live'))}<p>${t('lenses.found', {
      name: t(`lenses.${this.lens}.name`), count: t.count(best.length), model: t('lenses.found.example'),
    })}</p><ol>${best.slice(0, SHOWN).map((found) => this.#renderFound(t, found))}</ol>`
      : html`<button type="button" class="button" aria-disabled=${this.running}
          @click=${() => this.attempt(() => this.find())}>${
        t(this.running ? 'lenses.finding' : 'lenses.find')}</button>`}</div>`;
  }

  /** @param {Text} t */
  renderCaption(t) { return t('lenses.caption'); }

  /** @param {Text} t */
  table(t) {
    const words = t('lenses.words').split(' ');
    return {
      caption: t('lenses.title'),
      columns: [t('lenses.row'), ...LENSES.map((lens) => `${t(`lenses.${lens}.name`)}: ${t('lenses.col')}`)],
      rows: words.map((word, i) => [word, ...LENSES.map((lens) => words[targetOf(lens, i)])]),
    };
  }

  /** @param {Text} t */
  picture(t) {
    const maps = LENSES.map((lens) => this.#map(t, lens));
    const step = maps[0].width + 32;
    const ink = PALETTE[this.environment.theme];
    return {
      width: step * LENSES.length - 32, height: maps[0].height + 26,
      shapes: maps.flatMap(({ shapes }, i) => [
        textShape(i * step, 12, t(`lenses.${LENSES[i]}.name`), { fill: ink.ink, weight: 600 }), ...moved(shapes, i * step, 26)]),
    };
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${this.#sentence(t)} ${t('lenses.caption')}`; }
}
