/** Where the gate came from: dates, sources, and which remedy each proposed. */

/** @type {{ id: string, when: string, source: string, url: string, cure?: import('./cures.js').Cure }[]} */
export const EVENTS = [
  { id: 'lstm', when: '1997', source: 'Hochreiter, Schmidhuber, Neural Computation 9(8)', url: 'https://doi.org/10.1162/neco.1997.9.8.1735' },
  { id: 'glu', when: '2016-12', source: 'Dauphin et al., arXiv:1612.08083', url: 'https://arxiv.org/abs/1612.08083' },
  { id: 'nothing', when: '2023-06', source: 'Bondarenko et al., arXiv:2306.12929', url: 'https://arxiv.org/abs/2306.12929', cure: 'clipped' },
  { id: 'plusOne', when: '2023-07', source: 'Evan Miller, Attention Is Off By One',
    url: 'https://www.evanmiller.org/attention-is-off-by-one.html', cure: 'plusOne' },
  { id: 'streaming', when: '2023-09', source: 'Xiao et al., arXiv:2309.17453', url: 'https://arxiv.org/abs/2309.17453' },
  { id: 'gated', when: '2025-05', source: 'Qiu et al., arXiv:2505.06708', url: 'https://arxiv.org/abs/2505.06708', cure: 'gate' },
  { id: 'oss', when: '2025-08', source: 'OpenAI, arXiv:2508.10925', url: 'https://arxiv.org/abs/2508.10925', cure: 'sink' },
  { id: 'qwen', when: '2025-09', source: 'Qwen3-Next-80B-A3B', url: 'https://huggingface.co/Qwen/Qwen3-Next-80B-A3B-Instruct' },
];
