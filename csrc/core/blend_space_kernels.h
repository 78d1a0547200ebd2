// blend_space_kernels.h: weights by gradient bands, in double.
#ifndef CT_BLEND_SPACE_KERNELS_H
#define CT_BLEND_SPACE_KERNELS_H

#include <stddef.h>

enum { CT_MAX_SAMPLES = 512 };

// A sample of a band, in scaled coordinates; `angle` in radians.
typedef struct ct_band_sample {
    double x, y, radius, angle;
} ct_band_sample;

// From one sample to another: s = 0 at the first and 1 (never less) at the other, where the weight of the first is 0; seen from the other
// it is 1 - s.
//   Cartesian  s = x (p.x - first.x) + y (p.y - first.y)
//   polar      s = radial (p.radius - first.radius) + max(angular turn, start + slope turn), where turn is the angle from the first to p;
//              angular has the sign of the angle to the other. Where p is behind both, the second line comes back, so that s never jumps.
//              `turned` is what the angle makes of s from the first to the other: where angles fade, 1 is less by as much
typedef struct ct_band_pair {
    double x, y;
    double radial, angular, start, slope, turned;
} ct_band_pair;

typedef struct ct_gradient_band {
    size_t sample_count;
    double scale; // of the queries, a power of two
    double far;   // queries with a coordinate beyond it are drawn in to CT_BAND_FAR, scaled; their direction stays
    double core;  // polar: nearer to the origin than this, angles fade; 0 when there is a sample at the origin
    const ct_band_sample *samples;
    const ct_band_pair *pairs; // from each sample to all later ones
} ct_gradient_band;

#define CT_BAND_FAR 0x1p300

typedef struct ct_blend_space_kernels {
    // `count` points (x y one after the other, finite) to `count` rows of weights; any count.
    void (*gradient_band)(const ct_gradient_band *band, size_t count, const double *points, double *weights);
    void (*gradient_band_polar)(const ct_gradient_band *band, size_t count, const double *points, double *weights);
} ct_blend_space_kernels;

#endif
