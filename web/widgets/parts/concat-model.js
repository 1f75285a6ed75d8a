/** Figure 6 on a model at hand: a run for each head with the others of its layer silent, and the sum against the run of all. */
import { html, nothing } from 'lit';
import { soloPicture } from '../../draw/concat-model.js';
import { contributions, soloEdits } from '../../lab/concat-model.js';
import { withHead } from '../../lab/selection.js';
import { tokenName } from '../../lab/tokens.js';
import { legend } from './cards.js';
import { headPicker } from './head-picker.js';
import { layerStrip } from './layer-strip.js';
import { modelTitle } from './model-figure.js';
import { drawn } from './shapes.js';
import { tokenStrip } from './tokens.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('../../lab/concat-model.js').Runs} Runs */
/** @typedef {import('../../lab/concat-model.js').Contributions} Contributions */
/** @typedef {import('./model-context.js').ModelContext} ModelContext */

/** Numbers of a line that are printed. */
const PRINTED = 5;

/**
 * What the mixer of a layer writes; layers above it are not waited for.
 * @param {ModelContext} context @param {number} layer @param {object[]} interventions @param {AbortSignal} signal
 * @returns {Promise<import('../../lab/concat-model.js').Lines>}
 */
async function mixerOut(context, layer, interventions, signal) {
  signal.throwIfAborted();
  const enough = new AbortController();
  const end = () => enough.abort();
  signal.addEventListener('abort', end);
  let found;
  try {
    await context.forward({
      capture: ['mixerOut'], logits: 'none', interventions, signal: enough.signal,
      onLayer: (/** @type {number} */ i, /** @type {any} */ captures) => {
        if (i !== layer) return;
        found = captures.mixerOut;
        end();
      },
    });
  } catch (error) {
    if (!found || signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
  return /** @type {any} */ (found);
}

/** The runs of the layer that is picked, made when they are first wanted and kept as long as the run on display. */
export class HeadRuns {
  /** @type {Map<number, Runs>} by layer */
  #found = new Map();
  #shown = /** @type {unknown} */ (null);
  #layer = -1;
  /** Of the runs under way, or of those that failed. @type {AbortController | null} */
  #stop = null;
  #host;

  /** @param {{ requestUpdate: () => void, fail: (error: any) => void, ownError: any,
   *   attempt: (act: () => unknown) => void }} host */
  constructor(host) { this.#host = host; }

  /** @param {ModelContext} context @returns {Runs | undefined} of the picked layer */
  of({ shown, selection: { layer } }) { return shown === this.#shown ? this.#found.get(layer) : undefined; }

  /** Starts what is missing, lets go of what nobody waits for. @param {ModelContext} context */
  follow(context) {
    const { shown, config, selection: { layer } } = context;
    if (shown !== this.#shown) this.#found.clear();
    if (shown !== this.#shown || layer !== this.#layer || !context.canRun) this.stop();
    this.#shown = shown;
    this.#layer = layer;
    if (this.#stop || layer < 0 || !context.canRun || this.#found.get(layer)?.solos.length === config.heads) return;
    this.#stop = new AbortController();
    this.#host.ownError = null;
    const { signal } = this.#stop;
    this.#host.attempt(() => this.#go(context, layer, signal));
  }

  stop() {
    this.#stop?.abort();
    this.#stop = null;
  }

  /** @param {ModelContext} context @param {number} layer @param {AbortSignal} signal */
  async #go(context, layer, signal) {
    const { heads } = context.config;
    try {
      const whole = await mixerOut(context, layer, [], signal);
      /** @type {Runs} */
      const runs = { whole, solos: [] };
      this.#found.set(layer, runs);
      while (runs.solos.length < heads) {
        runs.solos.push(await mixerOut(context, layer, soloEdits(layer, runs.solos.length, heads), signal));
        this.#host.requestUpdate();
      }
      if (!signal.aborted) this.#stop = null;
    } catch (error) {
      if (signal.aborted) return;
      if (context.canRun) this.#host.fail(error);
      else this.stop(); // the model runs something else; follow() starts anew
    }
  }
}

/**
 * The pane: words, picture and table of the runs at the picked token.
 * @param {{ context: ModelContext, runs: Runs | undefined, revealed: boolean, theme: import('../../draw/palette.js').Theme, width: number }} o
 */
export function concatModel({ context, runs, revealed, theme, width }) {
  const { config, pieces, selection } = context;
  const { layer, token } = selection;
  const head = selection.heads[0];
  const found = runs ? contributions(runs, token, config.heads) : null;
  const differenceIn = (/** @type {Text} */ t) => (
    revealed && found?.difference !== null && found ? t.exponent(found.difference) : '?');
  const list = (/** @type {Text} */ t, /** @type {ArrayLike<number>} */ line) => (
    `${Array.from(line).slice(0, PRINTED).map((n) => t.fixed(n)).join(' ')}${line.length > PRINTED ? ' …' : ''}`);
  const shapes = (/** @type {Text} */ t, /** @type {number} */ room) => found && soloPicture(theme, found, {
    width: room, config, picked: head, revealed, format: (n) => t.fixed(n, 2), words: {
      parts: t('concat.model.parts', { n: t.count(found.whole.length) }), length: t('concat.model.length'),
      sum: t('concat.model.sum', { n: config.heads }), whole: t('concat.model.whole'), waiting: '?',
    },
  });

  /** @param {Text} t */
  const sentence = (t) => {
    if (!found) return '';
    if (found.lengths[head] === undefined) {
      return t('concat.model.running', { n: found.parts.length + 1, all: config.heads, h: found.parts.length });
    }
    const said = t('concat.model.say', {
      h: head, token: tokenName(pieces[token]), layer, part: t.fixed(found.lengths[head], 2), whole: t.fixed(found.length, 2),
    });
    const difference = differenceIn(t);
    return difference === '?' ? said : `${said} ${t('concat.model.say.difference', { n: config.heads, difference })}`;
  };

  /** @param {Text} t @param {Contributions} at */
  const results = (t, at) => {
    const under = at.parts.length < config.heads;
    const sum = revealed && at.sum;
    return html`<p>${t('concat.model.whole')}</p><code>${list(t, at.whole)}</code>
      <p>${t('concat.model.sum', { n: config.heads })}</p><code>${sum ? list(t, sum) : '?'}</code>
      <p class="largest">${under && !context.canRun ? '?' : under ? t('concat.model.running', { n: at.parts.length + 1, all: config.heads, h: at.parts.length })
    : html`${t('concat.model.largest', { n: t.count(at.whole.length) })}<br><strong>${differenceIn(t)}</strong>`}</p>
      ${sum ? html`<p class="side-note">${t('concat.model.scale', { largest: t.fixed(at.largest, 2) })}</p>
      <p class="side-note">${t('concat.rounding')}</p>
      <p class="side-note">${t('concat.model.lengths', {
    lengths: t.fixed(at.lengths.reduce((a, b) => a + b, 0), 2), length: t.fixed(at.length, 2) })}</p>` : nothing}`;
  };

  /** @param {Text} t */
  const awaited = (t) => (context.source === 'recorded' ? html`<p>${t('concat.model.recorded')}</p>
    <button type="button" class="button" @click=${() => context.useShipped()}>${t('model.useShipped')}</button>`
    : html`<p>${t(context.canRun || context.busy ? 'concat.model.first' : 'model.stopped')}</p>`);

  return {
    found, differenceIn, sentence,
    /** @param {Text} t */
    render: (t) => {
      const beside = width > 896;
      const picture = shapes(t, Math.max(232, beside ? Math.min(760, width - 48 - 340) : width - (width <= 576 ? 24 : 48)));
      return html`<div class="model">${layerStrip(t, {
        layerTypes: config.layerTypes, value: layer, ready: (i) => Boolean(context.layers[i]), onPick: (l) => context.select({ layer: l }),
      })}<div class="picked">${tokenStrip(pieces, {
        picked: token, label: t('gateMap.tokens'), name: (name, n) => t('gateMap.token', { n, token: name }), onPick: (n) => context.select({ token: n }),
      })}${headPicker(t, {
        heads: config.heads, kvHeads: config.kvHeads, value: head, theme, reads: false,
        onPick: (h) => context.select({ heads: withHead(selection.heads, h) }),
      })}</div>${found && picture ? html`<div class="pair"><div><svg class="strips" width=${picture.width} height=${picture.height}
        viewBox="0 0 ${picture.width} ${picture.height}" role="img" aria-label=${sentence(t)}>${drawn(picture.shapes)}</svg>
        ${legend(t, { name: 'signed', theme, min: t.fixed(-found.max, 2), max: t.fixed(found.max, 2), words: t('concat.model.legend') })}</div>
        <div class="results sheet">${results(t, found)}</div></div>`
        : awaited(t)}<p class="live" role="status">${sentence(t)}</p></div>`;
    },
    /** @param {Text} t */
    caption: (t) => t('concat.model.caption', {
      name: context.shown ? modelTitle(t, context.shown) : '', layer, heads: config.heads, others: config.heads - 1,
    }),
    /** A row for each number of the line. @param {Text} t */
    table: (t) => {
      if (!found) return null;
      const { parts, whole, lengths, length } = found;
      const sum = revealed ? found.sum : null;
      const cell = (/** @type {number | undefined} */ n) => (n === undefined ? '' : t.fixed(n));
      const last = (/** @type {number} */ a, /** @type {number} */ b) => (sum ? t.exponent(Math.abs(a - b)) : '?');
      return {
        caption: sentence(t),
        columns: [t('concat.model.number'), ...Array.from({ length: config.heads }, (_, h) => `Q${h}`), 'Σ', t('concat.model.whole'), t('concat.model.apart')],
        rows: [
          [t('concat.model.length'), ...Array.from({ length: config.heads }, (_, h) => cell(lengths[h])), sum ? cell(found.sumLength ?? 0) : '?', cell(length), ''],
          ...Array.from(whole, (value, i) => [String(i), ...Array.from({ length: config.heads }, (_, h) => cell(parts[h]?.[i])),
            sum ? cell(sum[i]) : '?', cell(value), last(value, sum?.[i] ?? 0)]),
        ],
      };
    },
    /** @param {Text} t */
    picture: (t) => shapes(t, 640),
  };
}
