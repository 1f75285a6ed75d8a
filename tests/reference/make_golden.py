#!/usr/bin/python3
"""Writes golden/: tiny models with expected values, and the real-dimension layer cases."""
import json, os, shutil
import numpy as np
import prng, make_model as MM, qwen35_ref as Q

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, '..', 'golden')
SIG = 10


def num(a):
    a = np.asarray(a, np.float64)
    return json.loads(json.dumps(a.tolist()), parse_float=lambda s: float(f'{float(s):.{SIG}g}'))


def rope_par(frac, theta=1e7, sec=(11, 11, 10)):
    return {'rope_type': 'default', 'rope_theta': theta, 'partial_rotary_factor': frac,
            'mrope_section': list(sec), 'mrope_interleaved': True}


def text_cfg(**k):
    d = dict(model_type='qwen3_5_text', attention_bias=False, attention_dropout=0.0, attn_output_gate=True,
             hidden_act='silu', full_attention_interval=4, linear_conv_kernel_dim=4, rms_norm_eps=1e-6,
             max_position_embeddings=4096, tie_word_embeddings=True, dtype='bfloat16', mamba_ssm_dtype='float32')
    d.update(k)
    n = d['num_hidden_layers']
    d['layer_types'] = ['full_attention' if (i + 1) % 4 == 0 else 'linear_attention' for i in range(n)]
    return d


def lin(nk, nv, dk, dv):
    return dict(linear_num_key_heads=nk, linear_num_value_heads=nv, linear_key_head_dim=dk, linear_value_head_dim=dv)


MODELS = {
    # GQA 4/2, bf16, flat config, "model." prefix, one model.safetensors
    'tiny4': dict(seed=11, kw={}, cfg=dict(architectures=['Qwen3_5ForCausalLM'], **text_cfg(
        hidden_size=64, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2, head_dim=32,
        intermediate_size=96, vocab_size=97, rope_parameters=rope_par(0.25, sec=(2, 1, 1)), **lin(4, 4, 16, 16))),
        prefix='model.'),
    # rms_norm_eps 1e-3 (must be read from the config)
    # MHA (kv = heads), every tensor F32 with full 24-bit values, value heads = 2 x key heads
    'mha4_f32': dict(seed=12, base='F32', kw={}, cfg=dict(architectures=['Qwen3_5ForCausalLM'], **text_cfg(
        hidden_size=48, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=4, head_dim=16,
        intermediate_size=64, vocab_size=61, rms_norm_eps=1e-3, rope_parameters=rope_par(0.5, sec=(2, 1, 1)), **lin(2, 4, 12, 8))),
        prefix='model.'),
    # MQA (kv = 1), 8 layers with 2 full, composite config, real prefix and real file naming, vision + mtp decoys
    # layer 1's in_proj_qkv is 2^-10 of normal, so that the eps of l2norm and of the gated norm matter
    'mqa8': dict(seed=13, kw=dict(extras=True, shifts={'layers.1.linear_attn.in_proj_qkv.weight': -10}), write=dict(name='model.safetensors-00001-of-00001.safetensors', index=True),
        cfg={'architectures': ['Qwen3_5ForConditionalGeneration'], 'model_type': 'qwen3_5', 'tie_word_embeddings': True,
             'image_token_id': 50, 'vision_config': {'model_type': 'qwen3_5', 'depth': 1},
             'text_config': text_cfg(hidden_size=32, num_hidden_layers=8, num_attention_heads=4, num_key_value_heads=1,
                 head_dim=16, intermediate_size=48, vocab_size=53, mtp_num_hidden_layers=1,
                 rope_parameters=rope_par(0.25, sec=(1, 1, 0)), **lin(2, 4, 8, 8))},
        prefix='model.language_model.'),
    # sharded over 2 files, F16 storage, untied lm_head, 8/2 heads as in the real model
    'shard2_f16': dict(seed=14, base='F16', kw={}, write=dict(shards=2), cfg=dict(architectures=['Qwen3_5ForCausalLM'], **text_cfg(
        hidden_size=64, num_hidden_layers=4, num_attention_heads=8, num_key_value_heads=2, head_dim=16,
        intermediate_size=80, vocab_size=71, tie_word_embeddings=False, rope_parameters=rope_par(0.25, sec=(1, 1, 0)),
        **lin(4, 4, 16, 16))), prefix='model.'),
    # full layers first and third, 6/3 heads, value heads 3 x key heads, untied, three shards, eps 1e-5, odd sizes everywhere
    'odd5': dict(seed=90125, kw={}, write=dict(shards=3), cfg=dict(architectures=['Qwen3_5ForCausalLM'], **dict(text_cfg(
        hidden_size=52, num_hidden_layers=5, num_attention_heads=6, num_key_value_heads=3, head_dim=20, intermediate_size=76,
        vocab_size=67, tie_word_embeddings=False, rms_norm_eps=1e-5, rope_parameters=rope_par(0.5, theta=1e5, sec=(2, 2, 1)),
        **lin(2, 6, 12, 20)), layer_types=['full_attention', 'linear_attention', 'full_attention', 'linear_attention',
        'linear_attention'])), prefix='model.language_model.'),
    # the ungated control: Qwen3 dense; plain norms, full RoPE, lm_head stored although tied (as in Qwen3-0.6B)
    'qwen3_3': dict(seed=15, kw=dict(lm_head=True), cfg=dict(architectures=['Qwen3ForCausalLM'], model_type='qwen3',
        attention_bias=False, hidden_act='silu', hidden_size=64, num_hidden_layers=3, num_attention_heads=4,
        num_key_value_heads=2, head_dim=32, intermediate_size=96, vocab_size=83, rms_norm_eps=1e-6, rope_theta=1000000,
        rope_scaling=None, max_position_embeddings=4096, tie_word_embeddings=True, torch_dtype='bfloat16'), prefix='model.'),
}

KEYS_FULL = ['probs', 'gate_mean_t', 'gate_min', 'gate_max', 'head_out_norm', 'head_contrib_norm', 'q_rope_last', 'k_rope_last', 'v_last']
KEYS_LIN = ['beta', 'decay', 'core_norm', 'zgate_mean', 'head_contrib_norm', 'state_norm', 'state_h0_k0', 'conv_state_sum']
KEYS_ANY = ['h_in_norm', 'attn_out_norm', 'mlp_out_norm', 'h_out_norm', 'h_out_last']


def nrm(a):
    return np.sqrt((np.asarray(a, np.float64) ** 2).sum(-1))


def describe(c, R, cache):
    L = []
    for i, r in enumerate(R.layers):
        d = dict(type=r.type, h_in_norm=nrm(r.h_in), attn_out_norm=nrm(r.out), mlp_out_norm=nrm(r.mlp_out),
                 h_out_norm=nrm(r.h_out), h_out_last=r.h_out[-1])
        if r.type == 'full_attention':
            d.update(probs=r.probs, head_out_norm=nrm(r.head_out), head_contrib_norm=nrm(r.head_contrib),
                     q_rope_last=r.q[-1], k_rope_last=r.k[-1], v_last=r.v[-1])
            if c.gated:
                d.update(gate_mean_t=r.gate.mean(-1), gate_min=r.gate.min((0, 2)), gate_max=r.gate.max((0, 2)))
        else:
            S = r.states[-1]
            d.update(beta=r.beta, decay=r.decay, core_norm=nrm(r.core), zgate_mean=r.zgate.mean((0, 2)),
                     head_contrib_norm=nrm(r.head_contrib), state_norm=np.sqrt((S ** 2).sum((1, 2))),
                     state_h0_k0=S[0, 0], conv_state_sum=cache.layers[i].conv.sum(1))
        L.append(d)
    return dict(layers=L, final_hidden_last=R.hidden[-1], logits_last=R.logits[-1])


def run(m, toks):
    cache = m.new_cache()
    R = m.forward(toks, cache)
    return R, cache, describe(m.c, R, cache)


def flat(d, pre=''):
    for k, v in d.items():
        if k == 'layers':
            for x in v:
                yield from flat({a: b for a, b in x.items() if a != 'type'})
        else:
            yield k, np.asarray(v, np.float64)


TOL = {}       # quantity -> largest f32 error seen; filled over all cases


def note(d64, d32):
    for (k, a), (_, b) in zip(flat(d64), flat(d32)):
        TOL[k] = max(TOL.get(k, 0.0), float(np.abs(a - b).max()))


def models():
    cases = []
    for name, s in MODELS.items():
        d = os.path.join(OUT, name)
        shutil.rmtree(d, ignore_errors=True)
        c, t = MM.build(s['cfg'], s['seed'], s.get('base', 'BF16'), s['prefix'], **s['kw'])
        MM.write(d, s['cfg'], t, **s.get('write', {}))
        m, m32 = Q.Model.load(d), Q.Model.load(d, np.float32)
        toks = (prng.stream('tokens', s['seed'], 12) % c.vocab).astype(int).tolist()
        R, cache, D = run(m, toks)
        note(D, run(m32, toks)[2])
        e = dict(name=name, dir=name, seed=s['seed'], prefix=s['prefix'], shifts=s['kw'].get('shifts', {}), parameters=int(sum(x[0].size for x in t.values())),
                 heads=c.H, kv_heads=c.K, head_dim=c.D, rot_dim=c.rot, gated=bool(c.gated),
                 kv_of_head=[h // (c.H // c.K) for h in range(c.H)], tokens=toks,
                 argmax_each=R.logits.argmax(-1).tolist(), expect=D)
        # greedy continuation by decode, with the top1-top2 margins
        out, mar, lg = [], [], R.logits[-1]
        for _ in range(6):
            o = np.sort(lg)
            out.append(int(lg.argmax())); mar.append(float(o[-1] - o[-2]))
            lg = m.forward([out[-1]], cache).logits[-1]
        e['greedy'] = dict(tokens=out, margins=mar, logits_after=lg)
        full = [i for i, x in enumerate(c.types) if x == 'full_attention']
        ab = []
        if c.gated:
            m.gate_hook = {full[0]: lambda g: np.ones_like(g)}
            ab.append(dict(what='gate forced to 1 in layer', layer=full[0], logits_last=m.forward(toks).logits[-1]))
            m.gate_hook = {}

        def drop(o, h=1):
            o = o.copy(); o[:, h] = 0
            return o
        m.head_hook = {full[0]: drop}
        ab.append(dict(what='head 1 zeroed before o_proj in layer', layer=full[0], logits_last=m.forward(toks).logits[-1]))
        m.head_hook = {}
        e['ablate'] = ab
        assert Q.selftest(d) < 1e-10
        cases.append(e)
        print(name, e['parameters'], 'params', sum(os.path.getsize(os.path.join(d, f)) for f in os.listdir(d)), 'bytes',
              'argmax', e['argmax_each'], 'greedy', out, 'min margin %.3g' % min(mar), 'logit sd %.3f' % R.logits.std(),
              'peak prob', [round(float(R.layers[i].probs[:, 1:].max(-1).mean()), 3) for i in full])
    return cases


REAL = dict(model_type='qwen3_5_text', hidden_size=1024, num_hidden_layers=1, num_attention_heads=8, num_key_value_heads=2,
            head_dim=256, intermediate_size=3584, vocab_size=8, rms_norm_eps=1e-6, tie_word_embeddings=True,
            attn_output_gate=True, linear_conv_kernel_dim=4, rope_parameters=rope_par(0.25), **lin(16, 16, 128, 128))


def real_layer(kind, seed, T=6):
    cfg = dict(REAL, layer_types=[kind])
    c = Q.Config(cfg)
    shapes = {k: v for k, v in Q.tensor_shapes(c, '').items() if k.startswith('layers.0.') and 'mlp' not in k
              and 'post_attention' not in k}
    w = {k: MM.tensor(k, v, c, seed) for k, v in shapes.items()}
    x = prng.values('x', seed, (T, c.hidden))
    res = []
    for dt in (np.float64, np.float32):
        m = Q.Model(c, w, '', dt)
        m._at = 0
        h = x.astype(dt)
        cache = Q.Bag()
        n = m.norm(h, 'layers.0.input_layernorm.weight')
        r = m.full_attn(n, 'layers.0.', np.arange(T), cache) if kind == 'full_attention' else m.delta(n, 'layers.0.', cache)
        d = dict(normed_x_norm=nrm(n), attn_out_norm=nrm(r.out), out_last_first16=r.out[-1][:16],
                 residual_out_norm=nrm(h + r.out), head_contrib_norm=nrm(r.head_contrib),
                 out_sum=r.out.sum(-1), out_abs_sum=np.abs(r.out).sum(-1))
        if kind == 'full_attention':
            d.update(probs=r.probs, scores_last=r.scores[:, -1], gate_mean_t=r.gate.mean(-1), head_out_norm=nrm(r.head_out),
                     head_gated_norm=nrm(r.head_gated), q_rope_last_h0_first72=r.q[-1, 0, :72], k_rope_last_kv1_first72=r.k[-1, 1, :72])
        else:
            S = r.states[-1]
            d.update(beta=r.beta, decay=r.decay, core_norm=nrm(r.core), state_norm=np.sqrt((S ** 2).sum((1, 2))),
                     state_h0_k0_first16=S[0, 0, :16], state_h15_sum=S[15].sum(), conv_last_first16=r.conv_out[-1, :16])
        res.append(d)
    tol = {k: float(np.abs(np.asarray(res[0][k]) - np.asarray(res[1][k], np.float64)).max()) for k in res[0]}
    rec = {k: dict(shape=list(v), offset=MM.recipe(k, v, c)[0], exp2=MM.recipe(k, v, c)[1]) for k, v in shapes.items()}
    for k, v in shapes.items():
        rec[k]['fnv1a_bf16'] = checksum(MM.tensor(k, v, c, seed))
    rec['x'] = dict(fnv1a_bf16=checksum(x), shape=[T, c.hidden], offset=0.0, exp2=0)
    first = {k: num((MM.tensor(k, v, c, seed)).ravel()[:4]) for k, v in shapes.items()}
    first['x'] = num(x.ravel()[:4])
    return dict(kind=kind, seed=seed, T=T, positions=list(range(T)), config=cfg, prng=prng.__doc__, tensors=rec,
                first_four=first, expect=res[0], f32_error_seen=tol,
                tolerance={k: tolerance(v, res[0][k]) for k, v in tol.items()})


def checksum(a):
    """FNV-1a (32 bit) over the little-endian bf16 bytes, rounded to nearest even where needed, hex"""
    b = np.frombuffer(Q.encode(a, 'BF16'), np.uint8)
    h = 0x811c9dc5
    for x in b.tolist():
        h = ((h ^ x) * 0x01000193) & 0xffffffff
    return f'{h:08x}'


def tolerance(err, val):
    """30 x the f32 error seen, not below 1e-6 of the largest magnitude"""
    t = max(30 * err, 1e-6 * float(np.abs(np.asarray(val, np.float64)).max()), 1e-6)
    return float(f'{t:.1e}')


def jsonable(o):
    if isinstance(o, dict):
        return {k: jsonable(v) for k, v in o.items()}
    if isinstance(o, (np.ndarray, np.generic)):
        return num(o)
    if isinstance(o, list):
        return [jsonable(x) for x in o]
    return o


def dump(name, o):
    p = os.path.join(OUT, name)
    json.dump(jsonable(o), open(p, 'w'), separators=(',', ':'))
    print(name, os.path.getsize(p), 'bytes')


if __name__ == '__main__':
    os.makedirs(OUT, exist_ok=True)
    cases = models()
    big = {}
    for e in cases:
        for k, v in flat(e['expect']):
            big[k] = max(big.get(k, 0.0), float(np.abs(v).max()))
    tol = {k: tolerance(TOL[k], big[k]) for k in TOL}
    for e in cases:
        dump(e['name'] + '.json', dict(e, tolerance=tol))
    dump('tolerance.json', dict(f32_error_seen=TOL, largest_value=big, tolerance=tol))
    dump('layer_full_0p8b.json', real_layer('full_attention', 2026))
    dump('layer_delta_0p8b.json', real_layer('linear_attention', 2027))
