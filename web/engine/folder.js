/**
 * A model folder: config.json, the safetensors files behind it and one table of the text model's tensors.
 *
 *     const folder = await openFolder('https://…/resolve/main/');
 *     folder.tensors.get('layers.3.self_attn.q_proj.weight')   // { name, file, dtype, shape, begin, end }
 *     await folder.read([tensor], (i, chunk, offset) => weights.set(chunk, offset));
 *
 * Opening reads config.json, the index if there is one, and of each weights file 8 bytes and the header.
 */
import { EngineError, show } from './errors.js';
import { checkFileName } from './address.js';
import { parseJSON } from './json.js';
import { parseConfig } from './config.js';
import { headerLength, parseHeader, DTYPE_BYTES } from './safetensors.js';
import { checkTensors } from './shapes.js';
import { openSource } from './source.js';

const INDEX = 'model.safetensors.index.json';
/** Names of a model in one file: the usual one, and the one that Qwen3.5 has beside its index. */
const SINGLE = ['model.safetensors', 'model.safetensors-00001-of-00001.safetensors'];
const EMBED = 'embed_tokens.weight';
const HEAD = 'lm_head.weight';

/**
 * @typedef {{ name: string, file: string, dtype: string, shape: number[], begin: number, end: number }} Tensor
 *   name: in full, as in the file; begin, end: in the file. Of a tensor whose rows lie in several files `file` is a
 *   name that read() and readAll() know, and begin and end count through all its bytes.
 */

/** A matrix too large for one file: rows from FIRST on, under a name that no other reader takes for the whole. */
const ROWS = /^(.+)\.rows\.(\d+)$/;

/** @param {string} name of a tensor @param {number} first of its rows */
export const rowsName = (name, first) => `${name}.rows.${first}`;

/** The tensor that a name belongs to: itself, or the one whose rows it holds. @param {string} name */
const wholeName = (name) => ROWS.exec(name)?.[1] ?? name;

const isDecoy = (name) => /^mtp\.|(^|\.)visual\./.test(name);

/**
 * What stands before the text model's names: 'model.language_model.' | 'model.' | …
 * @param {Iterable<string>} names
 */
export function findPrefix(names) {
  const isEmbed = (name) => !isDecoy(name) && (name === EMBED || name.endsWith(`.${EMBED}`));
  const found = [...new Set(Array.from(names, wholeName))].filter(isEmbed);
  if (found.length === 1) return found[0].slice(0, -EMBED.length);
  if (found.length === 0) {
    throw new EngineError('MISSING_TENSOR', `tensor …${EMBED}: expected one, found none`,
      { name: EMBED, field: EMBED, expected: 'one', found: undefined });
  }
  throw new EngineError('BAD_FILE', `tensor …${EMBED}: expected one, found ${found.join(', ')}`,
    { field: EMBED, expected: 'one', found });
}

/** Name within the text model, or undefined for what belongs elsewhere (vision, mtp). */
function shortName(fullName, prefix) {
  const name = wholeName(fullName);
  if (name === HEAD) return HEAD;
  if (isDecoy(name) || !name.startsWith(prefix)) return undefined;
  return name.slice(prefix.length);
}

/** The index's weight_map, every file name checked before any of them is fetched. @returns {Map<string, string>} */
function readIndex(json) {
  const map = json?.weight_map;
  if (typeof map !== 'object' || map === null || Array.isArray(map) || Object.keys(map).length === 0) {
    throw new EngineError('BAD_FILE', `${INDEX}: expected a weight_map of tensor names to files, found ` +
      `${show(map)}`, { file: INDEX, field: 'weight_map', expected: 'an object', found: map });
  }
  return new Map(Object.entries(map).map(([name, file]) => [name, checkFileName(file, INDEX)]));
}

/** @param {import('./source.js').ByteSource} source */
async function readHeader(source, file, signal) {
  const start = await source.readAll({ file, begin: 0, end: 8 }, { signal });
  const n = headerLength(start, { file, fileSize: source.size(file) });
  const header = await source.readAll({ file, begin: 8, end: 8 + n }, { signal });
  return { file, ...parseHeader(header, { file, fileSize: source.size(file) }) };
}

/** The header of a model in a single file. */
async function readSingle(source, signal) {
  let first;
  for (const file of SINGLE) {
    try {
      return await readHeader(source, file, signal);
    } catch (error) {
      if (error.code !== 'HTTP' || ![403, 404, 410].includes(error.details.status)) throw error;
      first ??= error;
    }
  }
  throw first;
}

/** @typedef {{ name: string, file: string, dtype: string, shape: number[], begin: number, end: number }} Rows */

/**
 * Rows in several files as one tensor, whose bytes count through all of them.
 * @param {string} name in full @param {(Rows & { first: number })[]} list
 * @returns {{ tensor: Tensor, parts: Rows[] }}
 */
function joinRows(name, list) {
  const parts = [...list].sort((a, b) => a.first - b.first);
  const [, ...width] = parts[0].shape;
  let rows = 0;
  let bytes = 0;
  for (const { name: part, file, first, dtype, shape, begin, end } of parts) {
    const bad = (field, expected, found) => {
      throw new EngineError('BAD_FILE', `${file}: tensor ${part}, ${field}: expected ${expected}, found ${found}`,
        { file, field: part, expected, found });
    };
    if (first !== rows) bad('first row', rows, first);
    if (dtype !== parts[0].dtype) bad('dtype', parts[0].dtype, dtype);
    if (shape.length === 0 || shape.slice(1).join() !== width.join()) bad('shape', `[rows, ${width}]`, `[${shape}]`);
    rows += shape[0];
    bytes += end - begin;
  }
  const file = `${name} in ${parts.length} parts`;
  const tensor = { name, file, dtype: parts[0].dtype, shape: [rows, ...width], begin: 0, end: bytes };
  return { parts, tensor: Object.freeze(tensor) };
}

/**
 * Reads that know of tensors in several files: their ranges become ranges of those files.
 * @param {import('./source.js').ByteSource} source
 * @param {Map<string, Rows[]>} split parts by the tensor's own file name
 * @returns {Pick<import('./source.js').ByteSource, 'read' | 'readAll'>}
 */
function readJoined(source, split) {
  if (split.size === 0) return { read: source.read, readAll: source.readAll };
  const spread = (range, index) => {
    const parts = split.get(range.file);
    if (!parts) return [{ range, index, shift: 0 }];
    let start = 0;
    return parts.flatMap(({ file, begin, end }) => {
      const from = Math.max(range.begin, start);
      const to = Math.min(range.end, start + end - begin);
      const at = begin + from - start;
      start += end - begin;
      if (from >= to) return [];
      return [{ range: { ...range, file, begin: at, end: at + to - from }, index, shift: from - range.begin }];
    });
  };
  const read = (ranges, sink, options) => {
    const pieces = ranges.flatMap(spread);
    return source.read(pieces.map(({ range }) => range),
      (i, chunk, at) => sink(pieces[i].index, chunk, pieces[i].shift + at), options);
  };
  return {
    read,
    async readAll(range, options) {
      const out = new Uint8Array(range.end - range.begin);
      await read([range], (_index, chunk, at) => out.set(chunk, at), options);
      return out;
    },
  };
}

/**
 * @returns {{ table: Map<string, Tensor>, split: Map<string, Rows[]> }} short name -> tensor; the parts of those in
 *   parts
 */
function buildTable(headers, prefix, index) {
  /** Whole tensors as they are, parts as lists. @type {Map<string, Tensor | (Rows & { first: number })[]>} */
  const found = new Map();
  for (const { file, tensors } of headers) {
    for (const [name, span] of tensors) {
      const short = shortName(name, prefix);
      if (short === undefined || (index?.get(name) ?? file) !== file) continue;
      const first = ROWS.exec(name)?.[2];
      const known = found.get(short);
      if (known && !(Array.isArray(known) && first !== undefined)) {
        const other = Array.isArray(known) ? known[0] : known;
        throw new EngineError('BAD_FILE', `${file}: tensor ${name}: expected in one file, found also in ` +
          `${other.file}${other.name === name ? '' : ` as ${other.name}`}`,
        { file, field: name, expected: 'one file', found: other.file });
      }
      if (first === undefined) found.set(short, Object.freeze({ name, file, ...span }));
      else found.set(short, [...Array.isArray(known) ? known : [], { name, file, first: Number(first), ...span }]);
    }
  }
  const split = new Map();
  const table = new Map(Array.from(found, ([short, entry]) => {
    if (!Array.isArray(entry)) return [short, entry];
    const { tensor, parts } = joinRows(wholeName(entry[0].name), entry);
    split.set(tensor.file, parts);
    return [short, tensor];
  }));
  return { table, split };
}

/** Where the index promises a tensor, its file must have it. */
function checkIndex(index, headers, prefix) {
  const opened = new Map(headers.map(({ file, tensors }) => [file, tensors]));
  for (const [name, file] of index) {
    if (shortName(name, prefix) === undefined || !opened.has(file) || opened.get(file).has(name)) continue;
    throw new EngineError('BAD_FILE', `${file}: tensor ${name}: expected here by ${INDEX}, found none`,
      { file, field: name, expected: `a tensor of ${file}`, found: undefined });
  }
}

/**
 * Ranges of some rows of a matrix (embedding rows of a prompt), as one group.
 * @param {Tensor} tensor
 * @param {Iterable<number>} rows
 * @returns {import('./plan.js').Range[]}
 */
export function rowRanges({ file, name, dtype, shape, begin }, rows) {
  const bytes = shape.slice(1).reduce((a, b) => a * b, DTYPE_BYTES[dtype]);
  return Array.from(rows, (row) => ({ file, begin: begin + row * bytes, end: begin + (row + 1) * bytes, group: name }));
}

/** The headers of all files that matter, and what the index says about them. */
async function readTables(source, { signal, wants }) {
  const indexBytes = await source.optional(INDEX, { signal });
  if (!indexBytes) {
    const header = await readSingle(source, signal);
    return { headers: [header], prefix: findPrefix(header.tensors.keys()), index: undefined };
  }
  const index = readIndex(parseJSON(indexBytes, INDEX));
  const prefix = findPrefix(index.keys());
  const wanted = [...index].filter(([name]) => {
    const short = shortName(name, prefix);
    return short !== undefined && wants(short);
  });
  const files = [...new Set(wanted.map(([, file]) => file))];
  const headers = await Promise.all(files.map((file) => readHeader(source, file, signal)));
  checkIndex(index, headers, prefix);
  return { headers, prefix, index };
}

/** @param {import('./source.js').ByteSource} source @param {Readonly<import('./config.js').Config>} config */
function makeFolder(source, config, { headers, prefix, index }) {
  const { table: tensors, split } = buildTable(headers, prefix, index);

  return {
    ...source,
    ...readJoined(source, split),
    get received() {
      return source.received;
    },
    config, tensors, prefix,
    files: headers.map(({ file, size }) => ({ file, size })),
    /** Those of these names that the folder lacks. @param {Iterable<string>} names */
    missing: (names) => [...names].filter((name) => !tensors.has(name)),
    /** MISSING_TENSOR, BAD_SHAPE or nothing. @param {Iterable<string>} [names] default: all the config calls for */
    check: (names) => checkTensors(config, tensors, names),
  };
}

/**
 * @param {string | URL | (string | URL)[]} base  folder address, mirrors in the order to try, or in node a local path
 * @param {import('./source.js').SourceOptions & { wants?: (name: string) => boolean }} [options]
 *   wants: by short name; where an index tells, files without a wanted tensor are not even opened
 */
export async function openFolder(base, options = {}) {
  const { signal, wants = () => true } = options;
  const source = await openSource(base, options);
  try {
    const config = parseConfig(await source.json('config.json'));
    return makeFolder(source, config, await readTables(source, { signal, wants }));
  } catch (error) {
    source.close();
    throw error;
  }
}

/** @typedef {Awaited<ReturnType<typeof openFolder>>} Folder */
