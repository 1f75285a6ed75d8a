/** What can be counted of one attention layer from its config, without a weight. */

/**
 * @param {{ hidden: number, heads: number, kvHeads: number, headDim: number, gated: boolean, qkNorm?: boolean,
 *   layerTypes: readonly string[] }} c
 * @param {number} layer
 */
export function layerFacts({ hidden: N, heads: H, kvHeads: K, headDim: d, gated, qkNorm = true, layerTypes }, layer) {
  const qProjParameters = H * d * (gated ? 2 : 1) * N;
  const kvParameters = 2 * K * d * N;
  const oProjParameters = N * H * d;
  return {
    layer,
    heads: H,
    kvHeads: K,
    headDim: d,
    qProjParameters,
    kvParameters,
    oProjParameters,
    parameters: qProjParameters + kvParameters + oProjParameters + (qkNorm ? 2 * d : 0),
    kvPerToken: 2 * K * d,
    mhaPerToken: 2 * H * d,
    fullLayers: layerTypes.flatMap((type, i) => (type === 'full_attention' ? [i] : [])),
  };
}
