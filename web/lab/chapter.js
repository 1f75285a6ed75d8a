/**
 * Figures printed in the course's chapter on gated attention, measured there on Qwen3.5-0.8B: layer 3 on embeddings of
 * one sentence. A float32 run of the original code in bfloat16 may differ by a few thousandths; the book prints two
 * decimals.
 */
export const QWEN35_0P8B = Object.freeze({
  layer: 3,
  head: 0,
  prompt: '今天天气不错，我们去公园',
  pieces: ['今天', '天气', '不错', '，', '我们去', '公园'],
  matrix: [
    [1, 0, 0, 0, 0, 0],
    [0.07, 0.93, 0, 0, 0, 0],
    [0.01, 0.97, 0.02, 0, 0, 0],
    [0, 0.23, 0.76, 0, 0, 0],
    [0.05, 0.01, 0, 0.43, 0.5, 0],
    [0, 0, 0.13, 0.21, 0.06, 0.6],
  ],
  tolerance: 0.02,
  parameters: '7.3M',
  qProjParameters: '4.2M',
  gateShape: [1, 6, 8, 256],
  kvPerToken: 1024,
  mhaPerToken: 4096,
});

/**
 * Is a run the one that is printed: same sentence, same layer, a folder of the same model?
 * @param {{ src: string, layer: number, prompt: string }} run  src ends with '/' @param {readonly string[]} bases
 */
export const isPrinted = ({ src, layer, prompt }, bases) => prompt === QWEN35_0P8B.prompt && layer === QWEN35_0P8B.layer
  && bases.some((base) => src === `${base}/` || src.startsWith(`${base}/resolve/`));
