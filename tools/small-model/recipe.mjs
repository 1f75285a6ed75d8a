/** How the small models are trained: everything that decides their numbers. */

/** Two models that differ in the gate alone. */
export const TWINS = Object.freeze([
  { folder: 'small', gated: true, note: 'small trained model, with output gates' },
  { folder: 'small-ungated', gated: false, note: 'small trained model, the same without output gates' },
]);

/** Linear heads with so little memory that looking things up is left to the full layers. */
export const SHAPE = Object.freeze({ layers: 8, linearDim: 8, ropeTheta: 1e4 });

/** variant is fixed: another one rounds differently and ends at other numbers. */
export const TRAINING = Object.freeze({
  variant: 'simd', seed: 1, steps: 1500, batch: 8, seqLen: 48,
  optimizer: 'adamw', learningRate: 3e-3, weightDecay: 0.01,
});

/** Documents that no training saw. */
export const HELD_OUT = Object.freeze({ documents: 600, seed: 2 });
