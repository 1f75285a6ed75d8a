/** Things the reader's hand takes hold of: scrub numbers, pairs, steppers, choices. All red, all typed or dragged or keyed. */
import { html, noChange, nothing } from 'lit';
import { setCommittedValue } from 'lit/directive-helpers.js';
import { Directive, directive } from 'lit/directive.js';
import { live } from 'lit/directives/live.js';
import { parseNumber } from '../../lab/format.js';
import { foreign } from './keys.js';
import { follow, sideways } from './pointer.js';

/**
 * @typedef {{ value: number, label: string, text: import('../../lab/text.js').Text, min?: number, max?: number,
 *   step?: number, big?: number, digits?: number, print?: (value: number) => string,
 *   onChange: (value: number) => void }} ScrubOptions
 *   print: where the number is not printed as others are
 */

/** Pixels of sideways travel for one step. */
const TRAVEL = 6;

/**
 * The value of a field, which a redraw leaves alone while the reader is typing in it. Another value takes the words
 * beside the field away: they are about the one before.
 */
class Unhurried extends Directive {
  /** @param {string} value */
  render(value) { return value; }

  /** @param {any} part @param {[string]} values */
  update(part, [value]) {
    const { element } = part;
    if ('typing' in element.dataset || element.value === value) return noChange;
    setCommittedValue(part);
    tell(element, '');
    return value;
  }
}

const unhurried = directive(Unhurried);

/** The number as its field shows it. @param {number} value @param {ScrubOptions} o */
const shownAs = (value, { text, digits = 2, print }) => (print ? print(value) : text.short(value, digits));

/** @param {number} value @param {ScrubOptions} o */
function settle(value, { min = -Infinity, max = Infinity, digits = 2 }) {
  const unit = 10 ** digits;
  return Math.round(Math.min(Math.max(value, min), max) * unit) / unit || 0;
}

/** @param {PointerEvent} event @param {ScrubOptions} o */
function startScrub(event, o) {
  if (event.button !== 0) return;
  const input = /** @type {HTMLInputElement} */ (event.currentTarget);
  const { step = 0.1 } = o;
  let moved = false;
  follow(event, (move) => {
    const way = sideways(event, move);
    if (!moved && Math.abs(way) < 4) return;
    if (!moved) input.setPointerCapture(move.pointerId);
    moved = true;
    move.preventDefault();
    o.onChange(settle(o.value + Math.trunc(way / TRAVEL) * step, o));
  });
}

/** @param {KeyboardEvent} event @param {ScrubOptions} o */
function keyScrub(event, o) {
  const input = /** @type {HTMLInputElement} */ (event.currentTarget);
  if (event.key === 'Enter') commit(input, o);
  if (event.key === 'Escape') {
    delete input.dataset.typing;
    tell(input, '');
    input.value = shownAs(o.value, o);
  }
  const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!direction || foreign(event)) return;
  delete input.dataset.typing;
  event.preventDefault();
  const { step = 0.1, big = 1 } = o;
  o.onChange(settle(o.value + direction * (event.shiftKey ? big : step), o));
}

/**
 * What was typed; what cannot be taken as it stands is answered in words.
 * @param {HTMLInputElement} input @param {ScrubOptions} o
 */
function commit(input, o) {
  if (!('typing' in input.dataset)) return;
  delete input.dataset.typing;
  const print = (/** @type {number} */ x) => shownAs(x, o);
  const typed = parseNumber(input.value);
  if (Number.isNaN(typed)) {
    tell(input, o.text('number.refused', { typed: input.value.trim(), value: print(o.value) }));
    input.value = print(o.value);
    return;
  }
  const value = settle(typed, o);
  const { min = -Infinity, max = Infinity } = o;
  tell(input, typed < min || typed > max ? o.text('number.held', { typed: print(typed), value: print(value) }) : '');
  input.value = print(value);
  o.onChange(value);
}

/**
 * The words beside a number, kept on the page's breadth; none takes them away.
 * @param {HTMLInputElement} input @param {string} words
 */
function tell(input, words) {
  const note = /** @type {HTMLElement} */ (input.nextElementSibling);
  note.textContent = words;
  note.hidden = words === '';
  note.style.translate = '';
  if (words === '') return;
  const { left, right } = note.getBoundingClientRect();
  const over = right - document.documentElement.clientWidth + 8;
  const by = over > 0 ? -over : Math.max(0, 8 - left);
  if (by !== 0) note.style.translate = `${by}px`;
}

/** A number to drag sideways, step with the arrows or type. @param {ScrubOptions} o */
export function scrub(o) {
  const shown = shownAs(o.value, o);
  return html`<input class="scrub" type="text" inputmode="decimal" role="spinbutton" autocomplete="off" aria-label=${o.label}
    aria-valuenow=${o.value} aria-valuetext=${shown} aria-valuemin=${o.min ?? nothing} aria-valuemax=${o.max ?? nothing}
    .style="width: calc(${shown.length}ch + 0.15em)" .value=${unhurried(shown)}
    @input=${(/** @type {Event} */ e) => {
      const input = /** @type {HTMLInputElement} */ (e.currentTarget);
      input.dataset.typing = '';
      tell(input, '');
    }}
    @pointerdown=${(/** @type {PointerEvent} */ e) => startScrub(e, o)}
    @keydown=${(/** @type {KeyboardEvent} */ e) => keyScrub(e, o)}
    @change=${(/** @type {Event} */ e) => commit(/** @type {HTMLInputElement} */ (e.currentTarget), o)}><span class="refused" role="status"
    hidden></span>`;
}

/**
 * A field for words in a form; sent empty, it answers in words and stands as it was.
 * @param {{ value: string, name: string, label?: string, url?: boolean, onInput?: (typed: string) => void }} o
 *   label: where none stands around it; url: an address is asked for
 */
export function sentence({ value, name, label, url = false, onInput = () => {} }) {
  const input = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    tell(field, '');
    onInput(field.value);
  };
  return html`<input class="field" type="text" inputmode=${url ? 'url' : nothing} spellcheck=${url ? 'false' : nothing} name=${name}
    .value=${value} aria-label=${label ?? nothing} autocomplete="off" @input=${input}><span class="refused" role="status"
    hidden></span>`;
}

/**
 * What was sent of it, null where that is nothing: then the words beside it say so.
 * @param {SubmitEvent} event @param {string} name @param {string} value what stays @param {import('../../lab/text.js').Text} text
 */
export function sentenceOf(event, name, value, text) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  if (input.value.trim() !== '') return input.value;
  tell(input, text(value === '' ? 'sentence.none' : 'sentence.empty', { value }));
  input.value = value;
  return null;
}

/**
 * Two numbers of a point.
 * @param {Omit<ScrubOptions, 'value' | 'label' | 'onChange'> & { value: [number, number], labels: [string, string],
 *   onChange: (axis: 0 | 1, value: number) => void }} o
 */
export function vector({ value, labels, onChange, ...rest }) {
  const one = (/** @type {0 | 1} */ axis) => scrub({
    ...rest, value: value[axis], label: labels[axis], onChange: (to) => onChange(axis, to),
  });
  return html`<span class="vector">${one(0)},&nbsp;${one(1)}</span>`;
}

/** A scrub number between two big buttons, for fingers. @param {ScrubOptions & { less: string, more: string }} o */
export function stepper(o) {
  const { step = 0.5 } = o;
  const by = (/** @type {number} */ d) => () => o.onChange(settle(o.value + d, o));
  return html`<span class="stepper">
    <button type="button" aria-label=${o.less} @click=${by(-step)}>−</button>${scrub(o)}<button type="button"
      aria-label=${o.more} @click=${by(step)}>+</button>
  </span>`;
}

/**
 * One of a few: a radio group drawn as segments.
 * @param {{ name: string, legend: string, hideLegend?: boolean, wide?: boolean, value: string | number,
 *   options: { value: string | number, label: unknown }[], onPick: (value: string) => void }} o
 */
export function choice({ name, legend, hideLegend = false, wide = false, value, options, onPick }) {
  return html`<fieldset class="choice ${hideLegend ? 'hide-legend' : ''}"><legend>${legend}</legend>
    <div class="segments ${wide ? 'wide' : ''}">${options.map((option) => html`<label><input type="radio" name=${name}
      .value=${String(option.value)} .checked=${live(String(option.value) === String(value))}
      @change=${() => onPick(String(option.value))}><span>${option.label}</span></label>`)}</div></fieldset>`;
}
