/** Beside the two maps: what may come next, what a step reads of the cache, and heads that look alike. */
import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { shareBar } from '../../draw/bars.js';
import { KV_STRIP_HEIGHT, kvStrip } from '../../draw/kv-strip.js';
import { cacheBytes } from '../../lab/heads.js';
import { CLEAR, LOOKS } from '../../lab/lenses.js';
import { topTokens } from '../../lab/measure.js';
import { PROMPTS } from '../../lab/selection.js';
import { isFragment, tokenName } from '../../lab/tokens.js';
import { choice, sentence, sentenceOf } from './controls.js';
import { rich } from './rich.js';
import { drawn } from './shapes.js';
import { tokenStrip, tokenText } from './tokens.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('../../draw/palette.js').Theme} Theme */
/** @typedef {import('./model-context.js').ModelContext} Context */
/** @typedef {{ id: number, probability: number, piece: import('../../lab/tokens.js').Piece }} Next */

/**
 * The most probable next tokens with their names; #id where no tokenizer is at hand.
 * @param {ArrayLike<number>} logits @param {any} tokenizer @param {number} count @returns {Promise<Next[]>}
 */
export async function namedNext(logits, tokenizer, count) {
  return Promise.all(topTokens(logits, count).map(async (next) => {
    const pieces = await tokenizer?.pieces([next.id]).catch(() => null);
    return { ...next, piece: pieces?.[0] ?? { id: next.id, text: `#${next.id}`, bytes: [] } };
  }));
}

/** A predicted token, dashed; a press makes it part of the text. @param {Text} t @param {Next} next @param {((id: number) => void) | null} onAccept */
export function ghost(t, { id, probability, piece }, onAccept) {
  const label = t('heads.accept', { token: tokenName(piece), share: t.percent(probability) });
  return html`<button type="button" class="token ghost ${isFragment(piece) ? 'bytes' : ''}" aria-label=${label} title=${label}
    aria-disabled=${!onAccept} @click=${() => onAccept?.(id)}><bdi>${tokenText(piece)}</bdi></button>`;
}

/**
 * The prompt as tokens, the guess behind it, and the ways to change it.
 * @param {Text} t
 * @param {{ context: Context, next: Next[], editing: boolean, onAccept: ((id: number) => void) | null,
 *   onRow: (n: number) => void, onEdit: () => void, onAsk: (prompt: string) => void }} o
 */
export function promptBar(t, { context, next, editing, onAccept, onRow, onEdit, onAsk }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    const typed = sentenceOf(event, 'prompt', context.prompt, t);
    if (typed !== null) onAsk(typed);
  };
  const button = (/** @type {string} */ key, /** @type {() => void} */ run) => html`<button type="button" class="button quiet" @click=${run}>${
    t(key)}</button>`;
  const { pieces, selection: { token: picked } } = context;
  const strip = () => tokenStrip(pieces, {
    picked, label: t('layer.tokens.label'), name: (token, n) => t('layer.token', { token, n }), onPick: onRow,
  });
  return html`<div class="prompt" data-here>${guard([t, pieces, picked], strip)}${next.length > 0 ? html`${ghost(t, next[0], onAccept)}<span class="hint">${t(onAccept ? 'heads.ghost' : 'heads.ghost.still', {
  share: t.percent(next[0].probability) })}</span>` : nothing}
    <span class="actions">${context.cache ? button('heads.back', () => onAsk(context.prompt)) : nothing}${button('heads.edit', onEdit)}
    ${context.source === 'recorded' ? html`<button type="button" class="button" @click=${() => context.useShipped()}>${t('heads.live')}</button>`
    : nothing}</span>
    ${editing ? html`<form @submit=${submit}>${sentence({ value: context.prompt, name: 'prompt', label: t('layer.sentence') })}<button class="button">${t('layer.run')}</button>${PROMPTS.map((prompt) => html`<button type="button" class="link"
      @click=${() => onAsk(prompt)}>${prompt}</button>`)}</form>` : nothing}</div>`;
}

/**
 * @param {Text} t
 * @param {{ theme: Theme, next: Next[], logits: { data: Float32Array } | null, onAccept: ((id: number) => void) | null }} o
 */
export function nextTokens(t, { theme, next, logits, onAccept }) {
  if (next.length === 0) {
    const ranks = logits?.data.every(Number.isFinite);
    return ranks ? nothing : html`<p class="hint">${t(logits ? 'heads.next.noNumber' : 'heads.next.none')}</p>`;
  }
  return html`<ol class="next">${next.map((n) => html`<li>${ghost(t, n, onAccept)}<svg width="84" height="14" aria-hidden="true">${
    drawn(shareBar(theme, n.probability, 84, 14))}</svg><span>${t.fixed(n.probability)}</span></li>`)}</ol>`;
}

/** What the last step read of the cache, in real bytes once there is a session. @param {Text} t @param {Theme} theme @param {number} width @param {Context} context */
export function kvPanel(t, theme, width, { config, fullLayers, tokens: { length: tokens }, cache }) {
  const counted = cacheBytes(config, fullLayers.length, tokens, 4);
  return html`<div class="kv"><h3>${t('heads.kv.title')}</h3>
    <svg width=${width} height=${KV_STRIP_HEIGHT} aria-hidden="true">${drawn(kvStrip(theme, { tokens, width }))}</svg>
    <p>${rich(t, cache ? 'heads.kv.read' : 'heads.kv.words', { tokens: t.count(tokens), old: t.count(tokens - 1) })}</p>
    <p>${cache ? '●' : '='} ${rich(t, cache ? 'heads.kv.measured' : 'heads.kv.counted', {
  bytes: t.memory(cache?.kvBytes ?? counted), each: t.memory(counted / tokens), layers: t.count(fullLayers.length),
})}</p></div>`;
}

/**
 * @param {Text} t
 * @param {{ head: number, search: string, found: { layer: number, head: number, value: number, look?: string }[] | null,
 *   onSearch: (what: string) => void, onPick: (layer: number, head: number) => void,
 *   shown: { layer: number, heads: number[], words: (n: number) => string } }} o  search: '' | 'like' | a look;
 *   look: what the head is seen to do; shown: what the maps show, maybe out of sight: of a found head it is said here too
 */
export function finder(t, { head, search, found, shown, onSearch, onPick }) {
  const options = ['like', ...LOOKS].map((value) => ({ value, label: value === 'like' ? `Q${head}` : t(`lenses.${value}.name`) }));
  const unclear = search !== 'like' && found?.every(({ value }) => !(value >= CLEAR));
  const said = found?.length === 0 ? 'lenses.noArticle'
    : search === 'like' ? 'heads.find.distance' : unclear ? 'heads.find.unclear' : 'heads.find.share';
  const isFound = (/** @type {number} */ h) => found?.some((f) => f.layer === shown.layer && f.head === h);
  const last = shown.heads.findLastIndex(isFound);
  const pressed = (/** @type {number} */ layer, /** @type {number} */ h) => layer === shown.layer && shown.heads.includes(h);
  return html`<div class="finder"><h3>${t('heads.find.title')}</h3>
    ${choice({ name: 'search', legend: t('heads.find.like'), value: search, options, onPick: onSearch })}
    ${found ? html`<ol class="found">${found.map(({ layer, head: h, value, look }) => html`<li><button type="button" class="link"
      aria-pressed=${pressed(layer, h)} @click=${() => onPick(layer, h)}>${t('strip.layer', { layer })} Q${h}</button> ${
  t.fixed(value)}${look && look !== search ? ` · ${t(`lenses.${look}.name`)}` : ''}</li>`)}</ol>
      ${last < 0 ? nothing : html`<p class="shown">${shown.words(last)}</p>`}<p>${t(said)}</p>` : nothing}</div>`;
}
