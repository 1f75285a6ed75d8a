/**
 * A folder for a course site: the same model in shards of at most 32 MiB with sha256 sums, which openModel reads like
 * any other folder. A tensor is never cut, so one that is larger alone makes a larger shard.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { EngineError } from '../engine/index.js';
import { openFolder } from '../engine/folder.js';
import { openTargetFolder } from './target.js';

const SHARD_BYTES = 32 * 2 ** 20;
const COPIED = ['tokenizer.json', 'tokenizer_config.json', 'generation_config.json'];

/** Tensors in the order a forward pass reads them, filled up to the limit. */
function shardsOf(tensors) {
  const shards = [];
  let bytes = Infinity;
  for (const tensor of tensors) {
    const size = tensor.end - tensor.begin;
    if (bytes + size > SHARD_BYTES) {
      shards.push([]);
      bytes = 0;
    }
    shards.at(-1).push(tensor);
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

/** One shard, written as it arrives. @returns {Promise<{ bytes: number, sha256: string }>} */
async function writeShard(folder, target, name, tensors) {
  const file = await target.create(name);
  const hash = createHash('sha256');
  let bytes = 0;
  const put = async (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
    await file.write(chunk);
  };
  try {
    await put(headerOf(tensors));
    for (const tensor of tensors) await put(await folder.readAll(tensor));
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** @param {import('../engine/engine.js').Engine} _engine @param {any} given */
export async function run(_engine, { base, out, quantize }) {
  if (!out) throw new EngineError('BAD_OPTION', 'pack: expected --out DIR, found none');
  if (quantize) throw new EngineError('BAD_OPTION', `--quantize: expected none (weights are kept as they are), found ${quantize}`);
  const target = await openTargetFolder(out, { base });
  try {
    return await pack(target, { base, out });
  } finally {
    await target.discard();
  }
}

async function pack(target, { base, out }) {
  const folder = await openFolder(base, {});
  try {
    folder.check();
    const shards = shardsOf([...folder.tensors.values()]);
    const sums = {};
    const weightMap = {};
    let total = 0;
    for (const [i, tensors] of shards.entries()) {
      const n = (k) => String(k).padStart(5, '0');
      const name = `model-${n(i + 1)}-of-${n(shards.length)}.safetensors`;
      sums[name] = await writeShard(folder, target, name, tensors);
      for (const tensor of tensors) {
        weightMap[tensor.name] = name;
        total += tensor.end - tensor.begin;
      }
    }
    await target.put('model.safetensors.index.json',
      JSON.stringify({ metadata: { total_size: total }, weight_map: weightMap }, null, 1));
    await target.put('config.json', JSON.stringify(await folder.json('config.json'), null, 1));
    for (const name of COPIED) {
      const bytes = await folder.optional(name);
      if (bytes) await target.put(name, bytes);
    }
    await target.put('sha256.json', JSON.stringify(sums, null, 1));
    const read = [...folder.files.map(({ file }) => file), 'config.json', ...COPIED];
    await target.keepApart(read.map((file) => join(folder.name, file)));
    await target.commit();
    return { data: { out, shards: sums, bytes: total },
      lines: [`${out}: ${shards.length} shard(s), ${total} bytes of weights, sums in sha256.json`] };
  } finally {
    folder.close();
  }
}
