/**
 * One layer of a model folder, local and over HTTP: the golden numbers of layer 0, a float64 reference of every other
 * layer, and not one byte fetched that the layer does not need.
 */
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { startFaultServer } from '../helpers/fault-server.js';
import { decode, FOLDERS, folderPath, golden, goldenFolder } from '../helpers/golden.js';
import { flat, norms, Numbers, sum } from '../helpers/numbers.js';
import { fullAttention, linearAttention } from '../helpers/reference.js';
import { onEngine } from '../helpers/variants.js';

/** Sizes by their letters, read from a config.json. */
function letters(c) {
  const qwen3 = c.model_type === 'qwen3';
  const rope = c.rope_parameters ?? c;
  return {
    N: c.hidden_size, H: c.num_attention_heads, K: c.num_key_value_heads, d: c.head_dim, eps: c.rms_norm_eps,
    R: c.head_dim * (rope.partial_rotary_factor ?? 1), theta: rope.rope_theta, gated: !qwen3, bias: qwen3 ? 0 : 1,
    Hk: c.linear_num_key_heads, Hv: c.linear_num_value_heads, dk: c.linear_key_head_dim, dv: c.linear_value_head_dim,
    C: c.linear_conv_kernel_dim,
  };
}

const typesOf = (config) => config.layer_types ?? Array(config.num_hidden_layers).fill('full_attention');
const mixerNames = (tensors, i) => Object.keys(tensors)
  .filter((name) => new RegExp(`^layers\\.${i}\\.(input_layernorm|self_attn|linear_attn)\\.`).test(name));

/** The embedding rows of the tokens, from the file itself. */
function rowsOf({ tensors, config }, tokens) {
  const table = decode(tensors['embed_tokens.weight']);
  const N = config.hidden_size;
  return Float32Array.from(tokens.flatMap((id) => Array.from(table.slice(id * N, (id + 1) * N))));
}

/** The golden numbers of one layer whose input is known, from its captures. */
function measured(r, keys, T) {
  const all = {
    h_in_norm: () => norms(r.hIn.data, r.hIn.shape[1]),
    attn_out_norm: () => norms(r.out.data, r.out.shape[1]),
    head_contrib_norm: () => r.headContribution.data,
    beta: () => r.beta.data,
    decay: () => r.decay.data,
    core_norm: () => norms(r.core.data, r.core.shape[2]),
    zgate_mean: () => {
      const [, Hv, dv] = r.zgate.shape;
      return Array.from({ length: Hv }, (_, h) => sum(T * dv, (i) =>
        r.zgate.data[(Math.floor(i / dv) * Hv + h) * dv + (i % dv)]) / (T * dv));
    },
    state_norm: () => norms(r.state.data, r.state.shape[1] * r.state.shape[2]),
    state_h0_k0: () => r.state.data.slice(0, r.state.shape[2]),
    conv_state_sum: () => Array.from({ length: r.convState.shape[1] }, (_, j) =>
      sum(r.convState.shape[0], (ch) => r.convState.data[ch * r.convState.shape[1] + j])),
    probs: () => r.probs.data,
    head_out_norm: () => norms(r.headOut.data, r.headOut.shape[2]),
    q_rope_last: () => r.q.data.slice(-r.q.shape[1] * r.q.shape[2]),
    k_rope_last: () => r.k.data.slice(-r.k.shape[1] * r.k.shape[2]),
    v_last: () => r.v.data.slice(-r.v.shape[1] * r.v.shape[2]),
  };
  const mlp = ['type', 'mlp_out_norm', 'h_out_norm', 'h_out_last']; // what a mixer alone cannot know
  return Object.fromEntries(keys.filter((key) => !mlp.includes(key)).map((key) => [key, all[key]()]));
}

for (const name of FOLDERS) {
  onEngine(`${name}: layer 0 has its golden numbers, every layer those of the reference`, async (engine) => {
    const [folder, { tokens, expect, tolerance }] = [goldenFolder(name), golden(name)];
    const x = rowsOf(folder, tokens);
    const types = typesOf(folder.config);
    const numbers = new Numbers();
    for (let i = 0; i < types.length; i++) {
      const layer = await engine.openLayer({ baseURL: folderPath(name), layer: i });
      const h = await layer.embed(tokens);
      numbers.shape(h, [tokens.length, folder.config.hidden_size], 'embed');
      assert.deepEqual(h.data, x, 'embedding rows are those of the file, to the bit');
      const r = await layer.forward(h, { capture: 'all' });
      assert.equal(r.type, types[i]);
      if (i === 0) {
        const got = measured(r, Object.keys(expect.layers[0]), tokens.length);
        assert.ok(Object.keys(got).length >= 6);
        for (const [key, values] of Object.entries(got)) {
          numbers.near(values, flat(expect.layers[0][key]), tolerance[key], `layer 0 ${key}`);
        }
      }
      const reference = types[i] === 'full_attention' ? fullAttention : linearAttention;
      const weights = Object.fromEntries(mixerNames(folder.tensors, i)
        .map((full) => [full.replace(/^layers\.\d+\./, ''), decode(folder.tensors[full])]));
      for (const [key, values] of Object.entries(reference(letters(folder.config), weights, x))) {
        const largest = values.reduce((m, y) => Math.max(m, Number.isFinite(y) ? Math.abs(y) : 0), 0);
        numbers.near(r[key].data, Array.from(values), 6e-6 * (1 + largest), `layer ${i} ${key}`);
      }
      await layer.close();
    }
    assert.ok(numbers.count > 10000, `${numbers.count} numbers compared`);
  });
}

/** The parts of each file that opening layer i and embedding these tokens may read: [begin, end) by file. */
function allowedBytes(folder, i, tokens) {
  const allowed = Object.entries(folder.headers).map(([file, length]) => ({ file, begin: 0, end: 8 + length }));
  allowed.push(...mixerNames(folder.tensors, i).map((full) => folder.tensors[full]));
  const { file, begin, data, shape } = folder.tensors['embed_tokens.weight'];
  const row = data.length / shape[0];
  allowed.push(...tokens.map((id) => ({ file, begin: begin + id * row, end: begin + (id + 1) * row })));
  return allowed;
}

for (const name of FOLDERS) {
  onEngine(`${name} over HTTP: the header, this layer's mixer, these rows, each byte once`, async (engine) => {
    const folder = goldenFolder(name);
    const layers = typesOf(folder.config).length;
    for (const i of [0, layers - 1]) {
      const tokens = [5, 3, 5, 52, 4, 3];
      const server = await startFaultServer(folderPath(name));
      try {
        const layer = await engine.openLayer({ baseURL: server.url, layer: i });
        const h = await layer.embed(tokens);
        const { out } = await layer.forward(h);
        const local = await engine.openLayer({ baseURL: folderPath(name), layer: i });
        assert.deepEqual(out, (await local.forward(await local.embed(tokens))).out, 'the same as from the disk');

        const weights = server.log.filter(({ file }) => file.endsWith('.safetensors') && file in folder.headers);
        const allowed = allowedBytes(folder, i, tokens);
        const wanted = new Set(allowed.flatMap(({ file, begin, end }) =>
          Array.from({ length: end - begin }, (_, at) => `${file}:${begin + at}`)));
        const seen = new Set();
        for (const { file, begin, sent, status } of weights) {
          assert.ok(status === 206 || sent === 0, `${file} was asked for by range, answered ${status}`);
          for (let at = begin; at < begin + sent; at++) {
            assert.ok(wanted.has(`${file}:${at}`), `byte ${at} of ${file} is none of this layer's`);
            assert.ok(!seen.has(`${file}:${at}`), `byte ${at} of ${file} came twice`);
            seen.add(`${file}:${at}`);
          }
        }
        const data = [...wanted].filter((at) => !seen.has(at));
        const headersOnly = data.every((at) => Number(at.split(':')[1]) < 8 + folder.headers[at.split(':')[0]]);
        assert.ok(headersOnly, 'everything needed did come from the server');
        const others = new Set(server.log.map(({ file }) => file).filter((file) => !(file in folder.headers)));
        for (const file of others) assert.match(file, /^(config\.json|[\w.-]+\.safetensors(\.index\.json)?)$/);
        await layer.close();
        await local.close();
      } finally {
        await server.close();
      }
    }
  });
}

onEngine('file: URLs, mirrors in their order, progress in bytes of the layer', async (engine) => {
  const folder = goldenFolder('tiny4');
  const events = [];
  const layer = await engine.openLayer({ baseURL: pathToFileURL(`${folderPath('tiny4')}/`), layer: 3,
    onProgress: (event) => events.push(event) });
  const total = mixerNames(folder.tensors, 3).reduce((bytes, name) => bytes + folder.tensors[name].data.length, 0);
  assert.ok(events.length > 1);
  assert.equal(events.at(-1).loadedBytes, total);
  assert.ok(events.every((e, i) => e.totalBytes === total && e.loadedBytes <= total && typeof e.phase === 'string'
    && (i === 0 || e.loadedBytes >= events[i - 1].loadedBytes)));

  const [broken, good] = [await startFaultServer({}), await startFaultServer(folderPath('tiny4'))];
  try {
    const mirrored = await engine.openLayer({ baseURL: [broken.url, good.url], layer: 3,
      network: { retries: 0, backoffMs: 1 } });
    const h = await mirrored.embed(Int32Array.of(1, 2, 3));
    assert.deepEqual(await mirrored.forward(h), await layer.forward(await layer.embed([1, 2, 3])));
    assert.ok(good.sent(/safetensors/) > 0);
  } finally {
    await Promise.all([broken.close(), good.close()]);
  }
});
