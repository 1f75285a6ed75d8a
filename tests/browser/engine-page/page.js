/** The engine's public face for tests that drive it from outside. */
import * as api from '../../../web/engine/index.js';

Object.assign(window, { api, wasmURL: new URL('wasm/', document.baseURI).href });
