/** How the small models are trained: everything that decides their numbers. */

/** Two models that differ in the gate alone. */
export const TWINS = Object.freeze([
  { folder: 'small', gated: true, note: 'small trained model, with output gates' },
  { folder: 'small-ungated', gated: false, note: 'small trained model, the same without output gates' },
]);

/** Linear heads with so little memory that looking things up is left to the full layers. */
export const SHAPE = Object.freeze({ layers: 8, linearDim: 8, ropeTheta: 1e4, initializerRange: 0.05 });

/** variant is fixed: another one rounds differently and ends at other numbers. */
export const TRAINING = Object.freeze({
  variant: 'simd', seed: 1, steps: 3600, batch: 8, seqLen: 48,
  optimizer: 'adamw', learningRate: 4e-3, weightDecay: 0.01, warmup: 100, last: 0.05,
});

/**
 * In a straight line from learningRate to its last share over all steps, times a linear warm-up.
 * @param {number} step updates made so far
 */
export function rateAt(step) {
  const { learningRate, warmup, last, steps } = TRAINING;
  return learningRate * Math.min(1, (step + 1) / warmup) * (1 - (1 - last) * step / steps);
}

/** Documents that no training saw. */
export const HELD_OUT = Object.freeze({ documents: 600, seed: 2 });
