// clip_kernels.h: inner loops over rows of a clip. Strides are floats from component to component, multiples of CT_LANES.
#ifndef CT_CLIP_KERNELS_H
#define CT_CLIP_KERNELS_H

#include <stddef.h>

// What rows have beside rotations: `linear_count` components. Those of the joints from `moving` (a multiple of CT_LANES) on are the same in
// all rows, so they are read from `still`, any row of the clip: one that stays in the cache.
typedef struct ct_row_parts {
    size_t stride, linear_count, moving;
    const float *still;
} ct_row_parts;

// A pose between the rows `from` and `to`, t in [0, 1] of the way: rotations the short way and unit, all else linearly. out may be one of
// the rows.
typedef void (*ct_between)(const float *from, const float *to, float t, const ct_row_parts *parts, float *out);

// How fast that pose changes there, in the layout of ct_pose_velocities; `rate` is 1 / (seconds from one row to the other).
typedef void (*ct_between_velocity)(const float *from, const float *to, float t, float rate, size_t stride, size_t linear_count,
                                    float *velocity);

// One interval of a curve through keys: the step before it, its own and the step after it, each the way between two rows. The tangent at
// an end is the weighted sum of the three steps; a step of weight 0 at both ends needs rows all the same.
typedef struct ct_cubic_interval {
    const float *from[3], *to[3];
    float tangents[2][3]; // at the start and at the end of the interval, in steps an interval
} ct_cubic_interval;

typedef struct ct_clip_kernels {
    ct_between nlerp, slerp;
    ct_between_velocity nlerp_velocity, slerp_velocity;
    // Hermite curves. Rotations: exp(w3 b3) exp(w2 b2) exp(w1 b1) q, the cumulative Bezier form of Kim, Kim and Shin 1995, whose angular
    // velocity at the ends is the tangent exactly.
    void (*cubic)(const ct_cubic_interval *interval, float t, const ct_row_parts *parts, float *out);
    void (*cubic_velocity)(const ct_cubic_interval *interval, float t, float rate, size_t stride, size_t linear_count, float *velocity);
} ct_clip_kernels;

#endif
