/**
 * A folder for a course site: the same model in files of at most 32 MiB, which openModel reads like any other folder.
 *
 * A matrix that is larger alone goes through several files by its rows: NAME.rows.FIRST holds those from row FIRST on,
 * a name under which no other reader takes a part for the whole. sha256.json has the sums of every file and config.json
 * says so (engine/sums.js): openModel, openLayer and loadTokenizer check each block they read against them.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { EngineError } from '../engine/index.js';
import { openFolder, rowsName } from '../engine/folder.js';
import { BlockSums, sumOfSums, SUMS_FILE, SUMS_KEY } from '../engine/sums.js';
import { openTargetFolder } from './target.js';

/** What course sites and code hosts take as one file. */
const FILE_BYTES = 32 * 2 ** 20;
const COPIED = ['tokenizer.json', 'tokenizer_config.json', 'generation_config.json'];

/** Bytes of a header's entry at most: names and shapes as they are, offsets as long as they can be. */
const entryBytes = ({ name, dtype, shape }, limit) =>
  JSON.stringify({ [name]: { dtype, shape, data_offsets: [limit, limit] } }).length;
/** Bytes of a header without entries at most, and of the file before it. */
const FRAME_BYTES = 64;

const sizeOf = ({ begin, end }) => end - begin;

/** A tensor as parts that fit, by rows; one that fits as it is. */
function partsOf(tensor, limit) {
  const room = limit - FRAME_BYTES - entryBytes({ ...tensor, name: rowsName(tensor.name, limit) }, limit);
  const { name, shape: [height, ...width], begin } = tensor;
  if (sizeOf(tensor) <= room) return [tensor];
  const rowBytes = sizeOf(tensor) / height;
  const rows = Math.floor(room / rowBytes);
  if (rows < 1) {
    throw new EngineError('UNSUPPORTED_MODEL', `tensor ${name}: expected rows of at most ${room} bytes, found ` +
      `${rowBytes}`, { name, field: name, expected: room, found: rowBytes });
  }
  return Array.from({ length: Math.ceil(height / rows) }, (_, i) => {
    const [first, last] = [i * rows, Math.min(height, (i + 1) * rows)];
    return { ...tensor, name: rowsName(name, first), shape: [last - first, ...width],
      begin: begin + first * rowBytes, end: begin + last * rowBytes };
  });
}

/** Tensors in the order a forward pass reads them, filled up to the limit. */
function shardsOf(tensors, limit) {
  const shards = [];
  let bytes = Infinity;
  for (const part of tensors.flatMap((tensor) => partsOf(tensor, limit))) {
    const size = sizeOf(part) + entryBytes(part, limit);
    if (bytes + size > limit) {
      shards.push([]);
      bytes = FRAME_BYTES;
    }
    shards.at(-1).push(part);
    bytes += size;
  }
  return shards;
}

function headerOf(tensors) {
  let offset = 0;
  const header = { __metadata__: { format: 'pt' } };
  for (const { name, dtype, shape, begin, end } of tensors) {
    header[name] = { dtype, shape, data_offsets: [offset, offset + end - begin] };
    offset += end - begin;
  }
  const json = Buffer.from(JSON.stringify(header));
  const padded = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, ' ');
  padded.writeBigUInt64LE(BigInt(padded.length - 8));
  json.copy(padded, 8);
  return padded;
}

/** One file's sums while it is written. */
function createSums() {
  const sha256 = createHash('sha256');
  const blocks = new BlockSums();
  return {
    add(chunk) {
      sha256.update(chunk);
      blocks.add(chunk);
    },
    entry: () => blocks.entry(sha256.digest('hex')),
  };
}

/** One shard, written as it arrives. @returns {Promise<import('../engine/sums.js').FileSum>} */
async function writeShard(folder, target, name, tensors) {
  const file = await target.create(name);
  const sums = createSums();
  const put = async (chunk) => {
    sums.add(chunk);
    await file.write(chunk);
  };
  try {
    await put(headerOf(tensors));
    for (const tensor of tensors) await put(await folder.readAll(tensor));
  } finally {
    await file.close();
  }
  return sums.entry();
}

/** @param {import('../engine/engine.js').Engine} _engine @param {any} given */
export async function run(_engine, { base, out, quantize }) {
  if (!out) throw new EngineError('BAD_OPTION', 'pack: expected --out DIR, found none');
  if (quantize) throw new EngineError('BAD_OPTION', `--quantize: expected none (weights are kept as they are), found ${quantize}`);
  const { shards, bytes } = await pack(base, out);
  return { data: { out, shards, bytes },
    lines: [`${out}: ${Object.keys(shards).length} shard(s), ${bytes} bytes of weights, sums in ${SUMS_FILE}`] };
}

/**
 * @param {string} base of the model @param {string} out the folder to write
 * @param {{ limit?: number }} [options] bytes of a file of weights at most
 * @returns {Promise<{ shards: Record<string, import('../engine/sums.js').FileSum>, bytes: number }>}
 */
export async function pack(base, out, { limit = FILE_BYTES } = {}) {
  const target = await openTargetFolder(out, { base });
  try {
    const folder = await openFolder(base, {});
    try {
      folder.check();
      const found = await writeModel(folder, target, limit);
      const read = [...folder.files.map(({ file }) => file), 'config.json', ...COPIED];
      await target.keepApart(read.map((file) => join(folder.name, file)));
      await target.commit();
      return found;
    } finally {
      folder.close();
    }
  } finally {
    await target.discard();
  }
}

async function writeModel(folder, target, limit) {
  const shards = shardsOf([...folder.tensors.values()], limit);
  const sums = {};
  const weightMap = {};
  let total = 0;
  for (const [i, tensors] of shards.entries()) {
    const n = (k) => String(k).padStart(5, '0');
    const name = `model-${n(i + 1)}-of-${n(shards.length)}.safetensors`;
    sums[name] = await writeShard(folder, target, name, tensors);
    for (const tensor of tensors) {
      weightMap[tensor.name] = name;
      total += sizeOf(tensor);
    }
  }
  const found = { shards: { ...sums }, bytes: total };
  const put = async (name, content) => {
    const bytes = Buffer.from(content);
    const sum = createSums();
    sum.add(bytes);
    sums[name] = sum.entry();
    await target.put(name, bytes);
  };
  await put('model.safetensors.index.json',
    JSON.stringify({ metadata: { total_size: total }, weight_map: weightMap }, null, 1));
  for (const name of COPIED) {
    const bytes = await folder.optional(name);
    if (bytes) await put(name, bytes);
  }
  const config = await folder.json('config.json');
  const announced = { [SUMS_KEY]: { file: SUMS_FILE, xxh32: sumOfSums(sums) } };
  await put('config.json', JSON.stringify({ ...config, ...announced }, null, 1));
  await target.put(SUMS_FILE, JSON.stringify(sums, null, 1));
  return found;
}
