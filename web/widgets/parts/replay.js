/** A remedy put on the toy's blank sheet: shares before and after, the bead, the number the remedy has. */
import { css, html, nothing } from 'lit';
import { shareBar } from '../../draw/bars.js';
import { mixingScene, SIZE } from '../../draw/toy-scene.js';
import { KNOBS } from '../../lab/cures.js';
import { lengthOf, REACH, WORDS } from '../../lab/toy.js';
import { scrub, vector } from './controls.js';
import { birthMark } from './marks.js';
import { drawn } from './shapes.js';
import { tokenBox } from './tokens.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {Awaited<ReturnType<typeof import('../../lab/cures.js').cured>>} Cured */

export const replayStyles = css`
  .replay { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 12px 32px; margin: 12px 0 8px; align-items: start; }
  .replay svg.plane { width: 100%; max-width: 320px; height: auto; margin-inline: auto; }
  .replay .sheet { grid-column: 1; }
  .replay .plane { grid-column: 2; grid-row: 1; }
  .replay p { margin: 0 0 8px; }
  .replay .top { display: flex; flex-wrap: wrap; align-items: start; justify-content: space-between; gap: 8px; }
  .replay .top .scrub { min-width: 0; }
  .replay table + p { margin: 10px 0 0; }
  .replay .bar { display: inline-flex; align-items: center; gap: 8px; }
  .replay tfoot :is(td, th) { font-weight: 600; font-size: inherit; color: inherit; vertical-align: middle; }
  @container (max-width: 46rem) {
    .replay { grid-template-columns: minmax(0, 1fr); }
    .replay .sheet { margin-inline-end: -12px; padding-inline: 12px; }
    .replay .plane { grid-column: 1; grid-row: auto; }
  }
  @container (max-width: 36rem) { .replay .bar svg { width: 36px; } .replay :is(th, td) { padding-inline-start: 6px; } }
  @container (max-width: 21rem) { .replay .bar svg { display: none; } }
`;

/** Bead at the origin that takes what is not spent, where the remedy is one more key. @param {string} cure */
const hasBead = (cure) => cure === 'plusOne' || cure === 'sink';

/** @param {Text} t @param {Cured} found */
export const sentence = (t, { before, sum, out }) => t('timeline.say', {
  before: `(${t.fixed(before.out[0], 2)}, ${t.fixed(before.out[1], 2)})`, sum: t.fixed(sum),
  out: `(${t.fixed(out[0])}, ${t.fixed(out[1])})`, distance: t.fixed(lengthOf(out)),
});

/**
 * @param {Text} t
 * @param {{ theme: import('../../draw/palette.js').Theme, cure: import('../../lab/cures.js').Cure, knob: number, toy: import('../../lab/toy.js').Toy,
 *   found: Cured | null, onKnob: (to: number) => void, onQuery: (axis: 0 | 1, to: number) => void }} o
 */
export function replay(t, { theme, cure, knob, toy, found, onKnob, onQuery }) {
  const range = KNOBS[cure];
  const bead = found && hasBead(cure) ? [{ at: /** @type {[number, number]} */ ([0, 0]), label: t('timeline.bead'), share: 1 - found.sum }] : [];
  const shapes = mixingScene(theme, {
    values: [...toy.values.map((at, i) => ({ at, label: `v ${WORDS[i]}`, share: found?.shares[i] })), ...bead],
    out: found?.out, output: found ? t('toy.output', { x: t.fixed(found.out[0], 2), y: t.fixed(found.out[1], 2) }) : '',
    format: (n) => t.short(n), target: t('blank.target'),
    brought: found && { at: found.before.out, label: t('timeline.before'), box: false },
  });
  const bar = (/** @type {number} */ share) => html`<span class="bar"><svg viewBox="0 0 56 15" width="56" height="15" aria-hidden="true">${
    drawn(shareBar(theme, share, 56, 15))}</svg>${t.fixed(share)}</span>`;
  const digits = cure === 'gate' ? 4 : 3;
  const pair = (/** @type {ArrayLike<number>} */ p) => `${t.fixed(p[0], digits)}, ${t.fixed(p[1], digits)}`;
  const row = (/** @type {unknown} */ name, /** @type {unknown} */ was, /** @type {unknown} */ is) => html`
    <tr><th scope="row">${name}</th><td>${was}</td><td>${is}</td></tr>`;
  return html`<div class="replay"><div class="sheet">
      <div class="top"><p>${range ? html`${t(`timeline.knob.${cure}`)} = ${scrub({
        value: knob, text: t, label: t(`timeline.knob.${cure}`), min: range.min, max: range.max, step: range.step, onChange: onKnob,
      })} · ` : nothing}q = (${vector({
        value: toy.queries[toy.picked], text: t, min: -REACH.q, max: REACH.q, labels: ['q x', 'q y'], step: 0.5, onChange: onQuery,
      })})</p>${birthMark('live', t('mark.live'))}</div>
      ${found ? html`<table>
        <thead><tr><th scope="col">token</th><th scope="col">softmax</th><th scope="col">${t(`timeline.cure.${cure}`)}</th></tr></thead>
        <tbody>${WORDS.map((word, i) => row(tokenBox(word), bar(found.before.probs[i]), bar(found.shares[i])))}
        ${hasBead(cure) ? row(t('timeline.bead'), '', bar(1 - found.sum)) : nothing}
        ${found.gate === undefined ? nothing : row('g = σ(z)', '', t.fixed(found.gate, 4))}</tbody>
        <tfoot>${row(t('timeline.sum'), t.fixed(1), t.fixed(found.sum))}
        ${row(t('toy.out'), pair(found.before.out), 
          html`<span class="out">${pair(found.out)}</span>`)}</tfoot></table>` : nothing}
      <p>${t(`timeline.how.${cure}`)}</p></div>
    <svg class="plane" viewBox="0 0 ${SIZE} ${SIZE}" role="img"
      aria-label=${found ? sentence(t, found) : t('toy.mixing.long')}>${drawn(shapes)}</svg></div>`;
}
