/** A model folder of which one number is none: the small model as the page ships it, one weight replaced. */
import { readFileSync } from 'node:fs';

const FILE = new URL('../../web/models/small/model.safetensors', import.meta.url);
/** bfloat16 and float32, little-endian. */
const BYTES = { BF16: { NaN: [0xc0, 0x7f], Infinity: [0x80, 0x7f] }, F32: { NaN: [0, 0, 0xc0, 0x7f], Infinity: [0, 0, 0x80, 0x7f] } };

/** @param {string} name end of a tensor's name @param {'NaN' | 'Infinity'} value @param {number} [at] which of its numbers */
export function spoilt(name, value, at = 0) {
  const file = Buffer.from(readFileSync(FILE));
  const length = Number(file.readBigUInt64LE());
  const header = JSON.parse(file.subarray(8, 8 + length).toString());
  const found = Object.keys(header).filter((key) => key.endsWith(name));
  if (found.length !== 1) throw new Error(`${name}: ${found.length} tensors of ${Object.keys(header).join(' ')}`);
  const { dtype, data_offsets: [begin] } = header[found[0]];
  const bytes = BYTES[dtype][value];
  file.set(bytes, 8 + length + begin + at * bytes.length);
  return file;
}

/** The page's small model is such a folder from now on. @param {import('playwright-core').Page} page @param {Buffer} file */
export const serveSpoilt = (page, file) => page.route('**/models/small/model.safetensors*', (route) => {
  if (route.request().url().endsWith('.json')) return route.fulfill({ status: 404, body: '' });
  const [, from, to] = /bytes=(\d+)-(\d*)/.exec(route.request().headers().range ?? '') ?? [];
  if (from === undefined) return route.fulfill({ body: file });
  const body = file.subarray(Number(from), to ? Number(to) + 1 : file.length);
  return route.fulfill({ status: 206, body, headers: {
    'content-range': `bytes ${from}-${Number(from) + body.length - 1}/${file.length}`, 'accept-ranges': 'bytes' } });
});
