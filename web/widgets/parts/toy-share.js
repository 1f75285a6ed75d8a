/** Scene "share" (F1): score, share, mix, every number in the reader's hand. */
import { html } from 'lit';
import { argmax, proportions, STEPS, WORDS } from '../../lab/toy.js';
import { predictCard } from './cards.js';
import { cited } from './cited.js';
import { rich } from './rich.js';
import { stepBar } from './steps.js';
import { workTable } from './toy-table.js';

/** The guess of P1 is answered where the query points the other way round. */
const TURNED = /** @type {[number, number]} */ ([0, -4]);

/** @param {import('../attn-toy.js').AttnToy} host */
function turned({ toy }) {
  const [x, y] = toy.queries[toy.picked];
  return x === TURNED[0] && y === TURNED[1];
}

/** @type {import('../attn-toy.js').Act} */
export const share = {
  words: 'toy',
  figure: 1,
  tab: 'looking',
  reach: 'all',

  answered(host) {
    if (turned(host)) host.revealed = true;
  },

  sentence({ toy, result }, t) {
    const top = argmax(result.probs);
    return t('toy.say', {
      row: WORDS[toy.picked], top: WORDS[top], share: t.fixed(result.probs[top]),
      x: t.fixed(result.out[0]), y: t.fixed(result.out[1]),
    });
  },

  sheet(host, t) {
    const { step } = host.toy;
    const shown = host.result && step >= 3 ? proportions(host.result.scores).map((n) => t.short(n, 1)).join(' : ') : '';
    return html`${workTable(host, t, { whole: true })}<p class="ratio">${shown ? t('toy.ratio', { ratio: shown }) : '\u2007'}</p>${stepBar(t, {
      host, step, steps: STEPS, name: t(`toy.step.${step}`), label: t('toy.steps'), onGo: (to) => host.go(to),
    })}`;
  },

  caption(host, t) {
    return html`${rich(t, 'toy.caption', { token: WORDS[host.toy.picked], q: host.queryVector(t) })}${cited(t, t('toy.cited'))}`;
  },

  aside(host, t) {
    const found = host.result ? t.fixed(host.result.probs[0]) : '';
    return predictCard(t, {
      key: 'p1', options: WORDS, guess: host.guess, revealed: host.revealed,
      answer: turned(host) ? t('p1.answer', { share: found }) : t('p1.back'),
      onGuess: (i) => { host.guess = i; },
      onReveal: () => {
        host.toy = { ...host.toy, picked: 2, step: STEPS };
        host.pullQuery(TURNED);
      },
    });
  },
};
