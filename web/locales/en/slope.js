/** F24 The slope of a gate. */
export default {
  'slope.title': 'The slope g(1 − g)',
  'slope.hill': 'slope g(1 − g)',
  'slope.slow': 'slow',
  'slope.z': 'Score z of the gate',
  'slope.say': 'z = {z}: gate {gate}, slope {slope}.',
  'slope.caption': '**Drag** the ring along the curve, or focus it and use the arrow keys. The straight line shows how far the gate '
    + 'moves for a small step of z; the hill below is that steepness, 0.25 at most.',
  'slope.therefore': 'For the same error, a gate learns fastest while half open.',
};
