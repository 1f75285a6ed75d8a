/**
 * A model folder: config.json, the safetensors files behind it and one table of the text model's tensors.
 *
 *     const folder = await openFolder('https://…/resolve/main/');
 *     folder.tensors.get('layers.3.self_attn.q_proj.weight')   // { name, file, dtype, shape, begin, end }
 *     await folder.read([tensor], (i, chunk, offset) => weights.set(chunk, offset));
 *
 * Opening reads config.json, the index if there is one, and of each weights file 8 bytes and the header.
 */
import { EngineError } from './errors.js';
import { checkFileName } from './address.js';
import { parseConfig } from './config.js';
import { headerLength, parseHeader, DTYPE_BYTES } from './safetensors.js';
import { checkTensors } from './shapes.js';
import { openSource, parseJSON } from './source.js';

const INDEX = 'model.safetensors.index.json';
/** Names of a model in one file: the usual one, and the one that Qwen3.5 has beside its index. */
const SINGLE = ['model.safetensors', 'model.safetensors-00001-of-00001.safetensors'];
const EMBED = 'embed_tokens.weight';
const HEAD = 'lm_head.weight';

/**
 * @typedef {{ name: string, file: string, dtype: string, shape: number[], begin: number, end: number }} Tensor
 *   name: in full, as in the file; begin, end: in the file
 */

const isDecoy = (name) => /^mtp\.|(^|\.)visual\./.test(name);

/**
 * What stands before the text model's names: 'model.language_model.' | 'model.' | …
 * @param {Iterable<string>} names
 */
export function findPrefix(names) {
  const found = [...names].filter((name) => !isDecoy(name) && (name === EMBED || name.endsWith(`.${EMBED}`)));
  if (found.length === 1) return found[0].slice(0, -EMBED.length);
  if (found.length === 0) {
    throw new EngineError('MISSING_TENSOR', `tensor …${EMBED}: expected one, found none`,
      { name: EMBED, field: EMBED, expected: 'one', found: undefined });
  }
  throw new EngineError('BAD_FILE', `tensor …${EMBED}: expected one, found ${found.join(', ')}`,
    { field: EMBED, expected: 'one', found });
}

/** Name within the text model, or undefined for what belongs elsewhere (vision, mtp). */
function shortName(name, prefix) {
  if (name === HEAD) return HEAD;
  if (isDecoy(name) || !name.startsWith(prefix)) return undefined;
  return name.slice(prefix.length);
}

/** The index's weight_map, every file name checked before any of them is fetched. @returns {Map<string, string>} */
function readIndex(json) {
  const map = json?.weight_map;
  if (typeof map !== 'object' || map === null || Array.isArray(map) || Object.keys(map).length === 0) {
    throw new EngineError('BAD_FILE', `${INDEX}: expected a weight_map of tensor names to files, found ` +
      `${JSON.stringify(map)?.slice(0, 80)}`, { file: INDEX, field: 'weight_map', expected: 'an object', found: map });
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

/** @returns {Map<string, Tensor>} short name -> tensor */
function buildTable(headers, prefix, index) {
  const table = new Map();
  for (const { file, tensors } of headers) {
    for (const [name, span] of tensors) {
      const short = shortName(name, prefix);
      if (short === undefined || (index?.get(name) ?? file) !== file) continue;
      if (table.has(short)) {
        throw new EngineError('BAD_FILE', `${file}: tensor ${name}: expected in one file, found also in ` +
          `${table.get(short).file}`, { file, field: name, expected: 'one file', found: table.get(short).file });
      }
      table.set(short, Object.freeze({ name, file, ...span }));
    }
  }
  return table;
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
  const tensors = buildTable(headers, prefix, index);

  return {
    ...source,
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
