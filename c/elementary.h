/* elementary.h - powers, sines and cosines in double for the rotary angles, in a few lines each.
 *
 * The C library's own would do, but its tables (pow) and its reduction of angles up to 1e308 (sin, cos) take 14 KB of
 * a module of 64. Good to 1e-14 of the result for power, and for angles below 1e6 to 3e-16 for sine and cosine. */
#ifndef ATTN_ELEMENTARY_H
#define ATTN_ELEMENTARY_H

/* base^exponent for base > 0 and a result within the range of double. */
double power(double base, double exponent);

/* Sine and cosine of an angle in radians. */
void sine_cosine(double angle, double *sine, double *cosine);

#endif
