/* contribution.h - what one head adds to the residual stream, for both kinds of mixer. */
#ifndef ATTN_CONTRIBUTION_H
#define ATTN_CONTRIBUTION_H

#include "real.h"

/* norms[t, h] = |W[:, h*d .. h*d+d] heads[t, h]|. W (N, H*d) is the output projection, heads (T, H, d) its input,
 * scratch (T, N). The strips' products add up to the mixer's output; this is the length of each. */
void head_contributions(real *norms, const Mat *w, const real *heads, int T, int H, int d, real *scratch);

#endif
