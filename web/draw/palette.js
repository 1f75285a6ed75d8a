/**
 * The colours of the page, by theme. One table for CSS, canvas and saved images.
 * Light is squared exercise paper, dark is a school board, forced hands the choice to the system.
 */

/** @typedef {'light' | 'dark' | 'forced'} Theme */

const LIGHT = {
  paper: '#FBFCFA', plate: '#F4F8F5', grid: '#E1EBE6', rule: '#C6D1CC', axis: '#7C8894', ink: '#1B2430', ink2: '#4C5866',
  hand: '#C2331F', onHand: '#FFFFFF', gate: '#0B7766', k: '#2F4B68', v: '#7190AD', state: '#9A7B2E',
  warn: '#7A4E00', warnGround: '#FBF3DF',
};

const DARK = {
  paper: '#17201D', plate: '#1C2724', grid: '#26332F', rule: '#3A4A44', axis: '#73827B', ink: '#E9EEE8', ink2: '#A9B5AE',
  hand: '#FF8E78', onHand: '#17201D', gate: '#5CD6BD', k: '#A9C8E4', v: '#58789A', state: '#CDB671',
  warn: '#F0C25A', warnGround: '#2E2A1C',
};

const FORCED = {
  paper: 'Canvas', plate: 'Canvas', grid: 'Canvas', rule: 'CanvasText', axis: 'CanvasText', ink: 'CanvasText',
  ink2: 'CanvasText', hand: 'Highlight', onHand: 'HighlightText', gate: 'CanvasText', k: 'CanvasText', v: 'GrayText',
  state: 'LinkText', warn: 'CanvasText', warnGround: 'Canvas',
};

/** @type {Record<Theme, typeof LIGHT>} */
export const PALETTE = { light: LIGHT, dark: DARK, forced: FORCED };

/** Value scales: stops at even distances, lightness monotone (signed: from the middle outwards). */
const LIGHT_RAMPS = {
  probability: ['#F2F6F7', '#BCD2EA', '#6C99D3', '#2E5CA8', '#14235C'],
  signed: ['#A8470F', '#DDA274', '#F1F4F2', '#A995D3', '#4F2E98'],
  gate: ['#E6EDEA', '#6DB3A4', '#0B7766'],
};

const DARK_RAMPS = {
  probability: ['#1F2B2E', '#274A6E', '#4079B8', '#86B4E6', '#E4F0FF'],
  signed: ['#F5AE6B', '#9A6331', '#22302B', '#7763B0', '#C3AEFA'],
  gate: ['#24312D', '#2C6A5E', '#5CD6BD'],
};

/** @type {Record<Theme, typeof LIGHT_RAMPS>} */
export const RAMPS = { light: LIGHT_RAMPS, dark: DARK_RAMPS, forced: LIGHT_RAMPS };

const LIGHT_HEADS = {
  cool: ['#017071', '#033D64', '#6A85F2', '#6738A7'],
  warm: ['#8B6904', '#753C02', '#55101F', '#A485A3'],
};

const DARK_HEADS = {
  cool: ['#179B9A', '#B9E0FF', '#5D6BA9', '#9E87E6'],
  warm: ['#BE8B1A', '#FCD1AD', '#B64C50', '#D0A5D5'],
};

/** Head colours: key/value groups take turns in being cool and warm. */
/** @type {Record<Theme, typeof LIGHT_HEADS>} */
export const HEADS = { light: LIGHT_HEADS, dark: DARK_HEADS, forced: LIGHT_HEADS };

export const FONTS = {
  serif: 'Charter, "Iowan Old Style", "Source Serif 4", Georgia, "Noto Serif", "Songti SC", "Source Han Serif SC", '
    + '"Noto Serif CJK SC", serif',
  sans: 'system-ui, "Segoe UI", "Noto Sans", "PingFang SC", "HarmonyOS Sans SC", MiSans, "Microsoft YaHei UI", '
    + '"Noto Sans CJK SC", sans-serif',
  mono: 'ui-monospace, "Cascadia Mono", Consolas, "Noto Sans Mono", "Noto Sans Mono CJK SC", monospace',
};
